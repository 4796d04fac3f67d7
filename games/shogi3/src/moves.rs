//! Squares of the 3x3 board and moves in USI text.

use kiban_core::ReadError;
use kiban_shogi::moves::{Color, PieceKind};
use std::fmt;

/// A square, 0 to 8: `3 * (file - 1) + (rank - 1)`, so 1a is 0, 1c is 2 and 3c is 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 9;

    /// The square with this index, which must be below 9.
    pub(crate) const fn at(index: u8) -> Square {
        debug_assert!(index < 9);
        Square(index)
    }

    /// The square on this file and rank, both 1 to 3.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if 1 <= file && file <= 3 && 1 <= rank && rank <= 3 {
            Some(Square(3 * (file - 1) + rank - 1))
        } else {
            None
        }
    }

    /// The index, 0 to 8.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 1 to 3 from sente's right.
    pub const fn file(self) -> u8 {
        self.0 / 3 + 1
    }

    /// The rank, 1 (a, far from sente) to 3 (c).
    pub const fn rank(self) -> u8 {
        self.0 % 3 + 1
    }

    /// The rank as a side counts it: 1 is the far one.
    pub const fn rank_for(self, side: Color) -> u8 {
        match side {
            Color::Sente => self.rank(),
            Color::Gote => 4 - self.rank(),
        }
    }

    /// All squares.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..9).map(Square)
    }

    /// Reads `2b`.
    pub fn read(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'1'..=b'3', rank @ b'a'..=b'c'] => Square::new(file - b'0', rank - b'a' + 1),
            _ => None,
        }
    }

    /// The square of the same name on the board of 81.
    pub(crate) fn on_the_large_board(self) -> kiban_shogi::moves::Square {
        kiban_shogi::moves::Square::new(self.file(), self.rank()).expect("a corner of it")
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), char::from(b'a' + self.rank() - 1))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move. It knows nothing of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Of the piece on a square to another, perhaps with promotion.
    Board {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
        /// Whether the piece promotes.
        promotes: bool,
    },
    /// A piece of this kind from the hand.
    Drop {
        /// An unpromoted kind, never the king.
        kind: PieceKind,
        /// Onto this square.
        to: Square,
    },
}

impl Move {
    /// Where it ends.
    pub fn to(self) -> Square {
        match self {
            Move::Board { to, .. } | Move::Drop { to, .. } => to,
        }
    }

    /// Reads USI text: `3c2b`, `3c2b+`, `P*2b`.
    ///
    /// # Errors
    /// If it is none on a board of three files and ranks.
    pub fn read(text: &str) -> Result<Move, ReadError> {
        let read = || {
            if let Some((piece, to)) = text.split_once('*') {
                let mut letters = piece.chars();
                let kind = letters.next().and_then(PieceKind::from_letter)?;
                let alone = letters.next().is_none() && kind != PieceKind::King;
                return Some(Move::Drop { kind, to: Square::read(to)? }).filter(|_| alone);
            }
            let (squares, promotes) = match text.strip_suffix('+') {
                Some(squares) => (squares, true),
                None => (text, false),
            };
            let (from, to) = squares.split_at_checked(2)?;
            Some(Move::Board { from: Square::read(from)?, to: Square::read(to)?, promotes })
        };
        read().ok_or_else(|| {
            let shown: String = text.chars().take(12).collect();
            let message = format!(
                "\"{}\" is no move here; write 3c2b, 3c2b+ or P*2b with files 1-3 and ranks a-c.",
                shown.escape_debug()
            );
            ReadError::new("bad-move", message)
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Board { from, to, promotes } => {
                write!(f, "{from}{to}{}", if *promotes { "+" } else { "" })
            }
            Move::Drop { kind, to } => write!(f, "{}*{to}", kind.letter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_its_text() {
        let mut moves = Vec::new();
        for to in Square::all() {
            moves.extend(PieceKind::HAND.map(|kind| Move::Drop { kind, to }));
            for from in Square::all() {
                moves.extend([true, false].map(|promotes| Move::Board { from, to, promotes }));
            }
        }
        assert_eq!(moves.len(), 9 * 7 + 9 * 9 * 2);
        for m in moves {
            assert_eq!(Move::read(&m.to_string()).ok(), Some(m));
        }
    }

    #[test]
    fn texts_that_are_no_moves() {
        for text in ["", "3c", "4c3b", "3d2c", "K*2b", "PP*2b", "p*2b", "3c2b=", "3c2b++", "歩*2b"]
        {
            assert!(Move::read(text).is_err(), "{text}");
        }
    }
}
