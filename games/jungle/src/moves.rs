//! Moves and their text: `a3a4`.

use crate::Square;
use kiban_core::ReadError;
use std::fmt;

/// An animal goes from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// Where it stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// Reads two squares, `a3a4`, in either case.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn read(text: &str) -> Result<Move, ReadError> {
        let trimmed = text.trim();
        let bad = |column, expected| {
            let shown: String = trimmed.chars().take(20).collect();
            let message = format!(
                "\"{shown}\" is not a move; write the square it leaves and the one it enters, \
                 like a3a4."
            );
            ReadError::new("bad-move", message).column(column).found(shown, expected)
        };
        if trimmed.len() != 4 || !trimmed.is_ascii() {
            return Err(bad(1, "two squares a1-g9"));
        }
        let (from, to) = trimmed.split_at(2);
        let from = Square::read(from).ok_or_else(|| bad(1, "a square a1-g9"))?;
        let to = Square::read(to).ok_or_else(|| bad(3, "a square a1-g9"))?;
        Ok(Move { from, to })
    }

    /// The same move from the other seat, on the board turned by half.
    pub(crate) fn turned(self) -> Move {
        Move { from: self.from.turned(), to: self.to.turned() }
    }

    /// Both squares in twelve bits; a legal move's are never 0.
    pub(crate) fn bits(self) -> u16 {
        (self.from.index() << 6 | self.to.index()) as u16
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// Eight animals have four ways each at most.
const MOST: usize = 32;

/// A list of moves.
#[derive(Clone, Copy)]
pub struct Moves {
    moves: [Move; MOST],
    length: usize,
}

impl Default for Moves {
    fn default() -> Moves {
        let a1 = Square::at(0);
        Moves { moves: [Move { from: a1, to: a1 }; MOST], length: 0 }
    }
}

impl Moves {
    #[inline]
    pub(crate) fn push(&mut self, m: Move) {
        self.moves[self.length] = m;
        self.length += 1;
    }

    /// Keeps the moves for which this holds.
    pub(crate) fn retain(&mut self, keep: impl Fn(Move) -> bool) {
        let all = *self;
        self.length = 0;
        all.iter().filter(|m| keep(**m)).for_each(|m| self.push(*m));
    }
}

impl std::ops::Deref for Moves {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.length]
    }
}

impl std::ops::DerefMut for Moves {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.length]
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, MOST>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.length)
    }
}
