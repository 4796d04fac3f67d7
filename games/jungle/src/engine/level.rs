//! How the levels differ: in how far they look, in what they overlook, in what they believe.

/// One level of strength.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Nodes at most.
    pub(super) nodes: u64,
    /// Plies of nominal depth at most.
    pub(super) depth: u8,
    /// How many of a thousand answers to the own move are not seen.
    pub(super) overlooks: u64,
    /// By how many points judgement wavers from position to position.
    pub(super) wavers: u64,
}

const fn level(nodes: u64, depth: u8, overlooks: u64, wavers: u64) -> Level {
    Level { nodes, depth, overlooks, wavers }
}

/// Levels 1 to 10. A beginner overlooks what the other side can do; from level 5 on every answer is
/// seen, and no animal is left to be taken for nothing.
const LEVELS: [Level; 10] = [
    level(200, 1, 450, 160),
    level(400, 1, 300, 110),
    level(800, 2, 180, 80),
    level(1_600, 2, 80, 60),
    level(4_000, 3, 0, 25),
    level(8_000, 4, 0, 18),
    level(12_000, 5, 0, 12),
    level(26_000, u8::MAX, 0, 4),
    level(48_000, u8::MAX, 0, 0),
    level(1_500_000, u8::MAX, 0, 0),
];

/// All that the limits allow.
pub(super) const FULL: Level = level(u64::MAX, u8::MAX, 0, 0);

/// Level 1 to 10; beyond is the nearest of them.
pub(super) fn of(level: u8) -> Level {
    LEVELS[usize::from(level.clamp(1, 10)) - 1]
}
