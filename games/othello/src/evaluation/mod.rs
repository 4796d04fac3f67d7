//! What an 8x8 position is worth before its end, learned from games: weights for what the corners,
//! edges, lines and diagonals hold, for the moves both sides have and for the empties left.
//!
//! The tool that makes the weights is `examples/train`.

mod pattern;
mod weights;

pub use pattern::{LANES, Lanes, Layout};
pub use weights::{MOBILITIES, PHASES, Terms, UNIT, Weights, WeightsError, phase_of};

#[cfg(test)]
mod tests;
