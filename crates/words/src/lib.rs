//! Message files: every text a user reads, by language.
