//! The contract's checks, by what they look at.

pub mod conduct;
pub mod engine;
pub mod layouts;
pub mod moves;
pub mod perft;
pub mod records;
pub mod rules;
pub mod texts;
pub mod worlds;
