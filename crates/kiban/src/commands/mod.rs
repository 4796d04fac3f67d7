//! One file a command.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod convert;
pub(crate) mod doctor;
pub(crate) mod engine;
pub(crate) mod games;
pub(crate) mod judge;
pub(crate) mod matches;
pub(crate) mod mate;
pub(crate) mod moves;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod probe;
pub(crate) mod render;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod suite;
