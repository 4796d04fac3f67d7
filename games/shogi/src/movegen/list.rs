//! A list of moves that never allocates.

use crate::moves::Move;
use std::fmt;
use std::ops::Deref;

/// The legal moves of a position, in no particular order. Use it as a slice.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; Self::CAPACITY],
}

impl MoveList {
    /// 593 is the most with both kings on the board. A tsume position lacks one, so that a square
    /// or two more are free for pieces of up to seven kinds: that position without gote's king
    /// has 599.
    pub const CAPACITY: usize = 640;

    /// An empty list.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self { len: 0, moves: [Move::FILLER; Self::CAPACITY] }
    }

    /// Appends a move; panics beyond the capacity.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
