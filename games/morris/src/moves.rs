//! Moves. Their text needs the board's names, so it is in `notation`.

use crate::Point;

/// A man placed or slid, with the men it takes; or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// Where the man came from; none for one that was in hand, and for a pass.
    pub from: Option<Point>,
    /// Where it went; none for a pass.
    pub to: Option<Point>,
    /// The men taken, in the order of their points' names; the first alone where there is one.
    pub takes: [Option<Point>; 2],
}

impl Move {
    /// The pass of a blocked side.
    pub const PASS: Move = Move { from: None, to: None, takes: [None, None] };

    /// A move that takes nothing.
    pub fn quiet(from: Option<Point>, to: Point) -> Move {
        Move { from, to: Some(to), takes: [None, None] }
    }

    /// The men taken.
    pub fn taken(self) -> impl Iterator<Item = Point> {
        self.takes.into_iter().flatten()
    }
}
