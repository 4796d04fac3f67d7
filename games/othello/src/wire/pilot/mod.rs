//! Kiban as the user of another engine.

pub(super) mod gtp;
pub(super) mod nboard;
