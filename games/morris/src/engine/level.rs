//! How the levels differ: in how far they look, in what they overlook, in what they believe.

use std::time::Duration;

/// One level of strength.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Nodes at most.
    pub(super) nodes: u64,
    /// Wall time at most.
    pub(super) time: Option<Duration>,
    /// Plies at most.
    pub(super) depth: u8,
    /// How many of a thousand replies of the rival are not seen right after the own move.
    pub(super) overlooks: u32,
    /// Hundredths of a man by which judgement wavers from position to position.
    pub(super) wavers: i32,
}

const fn level(nodes: u64, depth: u8, overlooks: u32, wavers: i32) -> Level {
    Level { nodes, time: None, depth, overlooks, wavers }
}

/// Levels 1 to 10. A beginner looks at the own move and misses many replies; from level 5 on no
/// reply is missed, and the levels differ in how far they look and how surely they judge.
const LEVELS: [Level; 10] = [
    level(300, 2, 600, 90),
    level(600, 2, 350, 70),
    level(1_200, 2, 200, 60),
    level(3_000, 4, 70, 40),
    level(8_000, 5, 0, 26),
    level(12_000, 6, 0, 22),
    level(24_000, 7, 0, 16),
    level(36_000, 8, 0, 9),
    level(80_000, u8::MAX, 0, 3),
    Level {
        nodes: u64::MAX,
        time: Some(Duration::from_secs(1)),
        depth: u8::MAX,
        overlooks: 0,
        wavers: 0,
    },
];

/// All that the limits allow.
pub(super) const FULL: Level = level(u64::MAX, u8::MAX, 0, 0);

/// Level 1 to 10; beyond is the nearest of them.
pub(super) fn of(level: u8) -> Level {
    LEVELS[usize::from(level.clamp(1, 10)) - 1]
}
