//! One file a command.

pub(crate) mod analyze;
pub(crate) mod convert;
pub(crate) mod doctor;
pub(crate) mod games;
pub(crate) mod judge;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod render;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod suite;
