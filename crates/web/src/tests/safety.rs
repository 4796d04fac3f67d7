//! What the server refuses.
