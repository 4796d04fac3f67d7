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
    (150, 0.60),
    (400, 0.45),
    (1_000, 0.32),
    (2_500, 0.22),
    (6_000, 0.14),
    (15_000, 0.08),
    (35_000, 0.04),
    (80_000, 0.0),
    (200_000, 0.0),
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
