//! Kiban as the user of another engine.

pub(super) mod gtp;
mod hints;
pub(super) mod nboard;
