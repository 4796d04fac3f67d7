//! What a game tells of a sector.

use crate::Worth;

/// A set of positions that moves leave only towards positions whose worth is known. A position has
/// a number; images of it under the symmetries of the board share one.
pub trait Sector {
    /// How many numbers there are. Some may belong to no position.
    fn entries(&self) -> u32;

    /// The first number of the second part: positions in which the other kind of side is to move.
    /// As many as there are numbers where both kinds are the same.
    fn second(&self) -> u32;

    /// What the moves of a position come to; `None` where the number belongs to no position.
    fn start(&self, number: u32) -> Option<Start>;

    /// The positions after each move that stays in the sector.
    fn after(&self, number: u32, into: &mut Vec<u32>);

    /// The positions before each move that led here from within the sector: one as often as it has
    /// such moves to this very arrangement, images apart.
    fn before(&self, number: u32, into: &mut Vec<u32>);

    /// How many symmetries leave the position as it is, the trivial one included.
    fn images(&self, number: u32) -> u32;

    /// As how many positions it counts in a tally.
    fn weight(&self, number: u32) -> u64;
}

/// What the moves of a position come to, before anything inside its sector is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Start {
    /// How it ended, if the game is over.
    pub(crate) over: Option<Worth>,
    /// Moves that stay in the sector.
    pub(crate) inner: u32,
    /// Whether a move out of it draws.
    pub(crate) draws: bool,
    /// Plies of the quickest win by a move out of it.
    pub(crate) wins: Option<u16>,
    /// Plies of the slowest loss by a move out of it.
    pub(crate) losses: Option<u16>,
}

impl Start {
    /// A position in which the game is over.
    pub fn over(worth: Worth) -> Start {
        Start { over: Some(worth), ..Start::default() }
    }

    /// Counts a move that stays in the sector.
    #[inline]
    pub fn stays(&mut self) {
        self.inner += 1;
    }

    /// Counts a move that leaves it, to a position that is worth this to the side to move there.
    #[inline]
    pub fn leaves(&mut self, after: Worth) {
        let worth = after.before();
        match (worth.value, worth.distance) {
            (kiban_core::Value::Win, plies) => {
                self.wins = self.wins.into_iter().chain(plies).min();
            }
            (kiban_core::Value::Loss, plies) => self.losses = self.losses.max(plies),
            (kiban_core::Value::Draw, _) => self.draws = true,
        }
    }

    /// The moves of both together.
    pub fn and(self, other: Start) -> Start {
        Start {
            over: self.over.or(other.over),
            inner: self.inner + other.inner,
            draws: self.draws || other.draws,
            wins: self.wins.into_iter().chain(other.wins).min(),
            losses: self.losses.max(other.losses),
        }
    }

    /// The best a move out of the sector is worth.
    pub(crate) fn best_leaving(&self) -> Option<Worth> {
        let draw = self.draws.then_some(Worth::DRAW);
        self.wins.map(Worth::win).or(draw).or(self.losses.map(Worth::loss))
    }
}
