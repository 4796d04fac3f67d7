//! The contract tests that run on every game, and readers of test corpora.
