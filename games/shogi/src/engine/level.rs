//! How the levels differ: in how far they look, in what they overlook, in how sure their judgement
//! is. None gives pieces away on purpose.

use super::search::Blindness;
use std::time::Duration;

/// One level of strength.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Nodes at most.
    pub(super) nodes: u64,
    /// Plies at most.
    pub(super) depth: u8,
    /// Of a thousand replies to the own move, how many are not seen.
    pub(super) overlooks: u32,
    /// Hundredths of a pawn by which judgement wavers from position to position.
    pub(super) wavers: i32,
    /// Wall time at most.
    pub(super) time: Option<Duration>,
}

impl Level {
    /// What a player of this level does not see in the game of this seed.
    pub(super) fn blindness(self, seed: u64) -> Blindness {
        Blindness { overlooks: self.overlooks, wavers: self.wavers, seed }
    }
}

const fn level(nodes: u64, depth: u8, overlooks: u32, wavers: i32) -> Level {
    Level { nodes, depth, overlooks, wavers, time: None }
}

/// Levels 1 to 10. A beginner sees his own captures and half of the replies; from level 8 on only
/// the number of nodes is bounded, and at the last the time.
const LEVELS: [Level; 10] = [
    level(1_500, 1, 700, 250),
    level(1_500, 1, 400, 160),
    level(2_500, 2, 300, 100),
    level(3_000, 2, 120, 70),
    level(3_500, 3, 60, 50),
    level(4_000, 4, 30, 30),
    level(4_000, u8::MAX, 10, 15),
    level(7_000, u8::MAX, 0, 0),
    level(16_000, u8::MAX, 0, 0),
    Level { time: Some(Duration::from_secs(1)), ..level(u64::MAX, u8::MAX, 0, 0) },
];

/// All that the limits allow.
pub(super) const FULL: Level = level(u64::MAX, u8::MAX, 0, 0);

/// Level 1 to 10; beyond is the nearest of them.
pub(super) fn of(level: u8) -> Level {
    LEVELS[usize::from(level.clamp(1, 10)) - 1]
}
