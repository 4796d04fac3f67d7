//! How the levels differ: in how far they look, in what they overlook, in what they believe.

/// One level of strength.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Nodes at most.
    pub(super) nodes: u64,
    /// Plies at most.
    pub(super) depth: u8,
    /// How many of a thousand quiet moves are not seen, by either side.
    pub(super) overlooks: u32,
    /// Hundredths of a disc that a disc on the board is thought to be worth.
    pub(super) greed: i32,
    /// Hundredths of a disc by which judgement wavers from position to position.
    pub(super) wavers: i32,
    /// Whether it judges by what was learned from games, where there is such knowledge, instead of
    /// by rules of thumb.
    pub(super) learned: bool,
}

const fn level(nodes: u64, depth: u8, overlooks: u32, greed: i32, wavers: i32) -> Level {
    Level { nodes, depth, overlooks, greed, wavers, learned: overlooks == 0 }
}

/// Levels 1 to 10. A beginner counts discs, sees the big turns and misses the quiet moves; a
/// stronger player looks further, and from level 7 on only the number of nodes is bounded.
const LEVELS: [Level; 10] = [
    level(200, 1, 320, 120, 350),
    level(500, 1, 250, 80, 300),
    level(1_000, 2, 180, 40, 250),
    level(2_000, 3, 120, 10, 200),
    level(5_000, 4, 70, 0, 150),
    level(12_000, 5, 30, 0, 100),
    level(8_000, u8::MAX, 0, 0, 80),
    level(25_000, u8::MAX, 0, 0, 40),
    level(80_000, u8::MAX, 0, 0, 20),
    level(600_000, u8::MAX, 0, 0, 10),
];

/// All that the nodes allow.
pub(super) const FULL: Level = level(u64::MAX, u8::MAX, 0, 0, 0);

/// Level 1 to 10; beyond is the nearest of them.
pub(super) fn of(level: u8) -> Level {
    LEVELS[usize::from(level.clamp(1, 10)) - 1]
}
