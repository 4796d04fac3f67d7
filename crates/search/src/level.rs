//! What a level of 1 to 10 means for a search.

use std::time::Duration;

/// How an engine is held back: fewer nodes, and replies it does not see.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Nodes at most.
    pub nodes: u64,
    /// Wall time at most.
    pub time: Option<Duration>,
    /// The share of the rival's replies that are overlooked right after the own move.
    pub overlooked: f32,
}

/// Nodes and overlooked replies by level. The last level thinks as well as it can for a second.
const LEVELS: [(u64, f32); 10] = [
    (150, 0.65),
    (300, 0.56),
    (800, 0.42),
    (2_000, 0.30),
    (4_000, 0.24),
    (9_000, 0.16),
    (16_000, 0.11),
    (60_000, 0.0),
    (120_000, 0.0),
    (u64::MAX, 0.0),
];

impl Level {
    /// The level's meaning; numbers outside 1 to 10 are taken as the nearest.
    pub fn new(level: u8) -> Level {
        let index = usize::from(level.clamp(1, 10)) - 1;
        let (nodes, overlooked) = LEVELS[index];
        let time = (index == 9).then_some(Duration::from_secs(1));
        Level { nodes, time, overlooked }
    }
}
