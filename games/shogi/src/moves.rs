//! Moves and their USI text, and the squares, pieces and hands they are made of.

mod pieces;

pub(crate) use pieces::KindSet;
pub use pieces::{Color, Hand, Piece, PieceKind, Square};

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

/// A move, in two bytes (also as `Option<Move>`).
///
/// Bits 0 to 6 hold the destination, bits 7 to 13 the origin square or 81 plus the kind dropped,
/// bit 14 the promotion; bit 15 is always set. A move knows nothing about a position: whether it
/// is possible there, [`Position::is_legal`](crate::position::Position::is_legal) says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const PROMOTE: u16 = 1 << 14;
const MARK: u16 = 1 << 15;

impl Move {
    /// What unused places of lists hold.
    pub(crate) const FILLER: Self = Self(NonZeroU16::MAX);

    #[inline(always)]
    const fn pack(source: u16, to: Square, promote: u16) -> Self {
        let bits = to.index() as u16 | source << 7 | promote | MARK;
        Self(NonZeroU16::new(bits).expect("the marker bit is set"))
    }

    /// A move of the piece on `from` to `to`.
    #[inline(always)]
    #[must_use]
    pub const fn board(from: Square, to: Square, promote: bool) -> Self {
        Self::pack(from.index() as u16, to, if promote { PROMOTE } else { 0 })
    }

    /// A drop on `to`. A promoted kind is dropped unpromoted; there is no drop of a king (`None`).
    #[inline]
    #[must_use]
    pub const fn drop(kind: PieceKind, to: Square) -> Option<Self> {
        match kind.unpromoted() {
            PieceKind::King => None,
            kind => Some(Self::pack(81 + kind as u16, to, 0)),
        }
    }

    /// A drop of a kind known to be a hand kind.
    #[inline(always)]
    pub(crate) const fn drop_of(kind: PieceKind, to: Square) -> Self {
        debug_assert!((kind as u8) < 7);
        Self::pack(81 + kind as u16, to, 0)
    }

    /// The sixteen bits, never 0. Compact storage for tables.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits, if they are the bits of one.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (to, source, promote) = (bits & 127, bits >> 7 & 127, bits & PROMOTE);
        if bits & MARK == 0 || to >= 81 || source >= 88 || (source >= 81 && promote != 0) {
            return None;
        }
        Some(Self::pack(source, Square::at(to as u8), promote))
    }

    #[inline(always)]
    const fn source(self) -> u8 {
        (self.0.get() >> 7 & 127) as u8
    }

    /// The destination.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::at((self.0.get() & 127) as u8)
    }

    /// The origin, none for a drop.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Option<Square> {
        let source = self.source();
        if source < 81 { Some(Square::at(source)) } else { None }
    }

    /// The kind dropped, none for a move on the board.
    #[inline(always)]
    #[must_use]
    pub const fn dropped(self) -> Option<PieceKind> {
        let source = self.source();
        if source >= 81 { Some(PieceKind::from_code(source - 81)) } else { None }
    }

    /// Whether this is a drop.
    #[inline(always)]
    #[must_use]
    pub const fn is_drop(self) -> bool {
        self.source() >= 81
    }

    /// Whether the piece promotes.
    #[inline(always)]
    #[must_use]
    pub const fn promotes(self) -> bool {
        self.0.get() & PROMOTE != 0
    }

    /// The USI text, such as `7g7f`, `8h2b+` or `P*5e`.
    #[must_use]
    pub fn to_usi(self) -> String {
        self.to_string()
    }

    /// Reads USI text without looking at any position.
    ///
    /// Accepted is exactly `<square><square>`, the same with a final `+`, or `<piece>*<square>`
    /// with one of `PLNSGBR`. The text need not make sense on a board: `5e5e` and `1a9h` are moves
    /// (that are legal nowhere), because a referee must be able to name the foul. Not moves are
    /// `K*5e`, `P*5e+`, lower-case drops, the words `resign`, `win` and `none`, and texts with
    /// blanks around them.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_usi(text: &str) -> Result<Self, MoveTextError> {
        let bytes = text.as_bytes();
        let square = |at: usize| match bytes.get(at..at + 2) {
            Some(&[file, rank]) => Square::from_usi(file, rank)
                .ok_or(MoveTextError::Square { offset: at, move_text: text.into() }),
            _ => Err(MoveTextError::TooShort { move_text: text.into() }),
        };
        if bytes.get(1) == Some(&b'*') {
            let kind = PieceKind::from_letter(char::from(bytes[0]))
                .filter(|&kind| kind != PieceKind::King)
                .ok_or_else(|| MoveTextError::DropPiece { move_text: text.into() })?;
            let to = square(2)?;
            return match bytes.len() {
                4 => Ok(Self::drop_of(kind, to)),
                _ => Err(MoveTextError::Trailing { offset: 4, move_text: text.into() }),
            };
        }
        let (from, to) = (square(0)?, square(2)?);
        match &bytes[4..] {
            [] => Ok(Self::board(from, to, false)),
            b"+" => Ok(Self::board(from, to, true)),
            rest => Err(MoveTextError::Trailing {
                offset: 4 + usize::from(rest[0] == b'+'),
                move_text: text.into(),
            }),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.dropped(), self.from()) {
            (Some(kind), _) => write!(f, "{}*{}", kind.letter(), self.to()),
            (None, Some(from)) => {
                write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" })
            }
            (None, None) => unreachable!("a move is a drop or has an origin"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        Self::from_usi(text)
    }
}

/// Why a text is no USI move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it; offsets are in bytes")]
pub enum MoveTextError {
    #[error("The move \"{move_text}\" ends too early; a USI move is like 7g7f, 8h2b+ or P*5e.")]
    TooShort { move_text: String },
    #[error(
        "The move \"{move_text}\" has {} where a square should be; a square is a file 1-9 and a \
         rank a-i, as in 7g7f or P*5e.", stands(move_text, *offset, 2)
    )]
    Square { offset: usize, move_text: String },
    #[error(
        "The move \"{move_text}\" does not drop one of P, L, N, S, G, B, R; write a capital letter \
         before the *, as in P*5e."
    )]
    DropPiece { move_text: String },
    #[error(
        "The move \"{move_text}\" has {} behind its end; leave it out.",
        stands(move_text, *offset, 20)
    )]
    Trailing { offset: usize, move_text: String },
}

/// What stands at a byte of a text, and at which of its characters that is.
fn stands(text: &str, offset: usize, most: usize) -> String {
    let begin = (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let found: String = text[begin..].chars().take(most).collect();
    format!("\"{found}\" (character {})", text[..begin].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_bits_and_text() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            let Some(m) = Move::from_bits(bits) else { continue };
            moves += 1;
            assert_eq!(m.bits(), bits);
            assert_eq!(Move::from_usi(&m.to_usi()), Ok(m));
        }
        assert_eq!(moves, 81 * 81 * 2 + 7 * 81);
        assert_eq!(size_of::<Option<Move>>(), 2);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }

    #[test]
    fn texts_that_are_no_moves() {
        for text in [
            "", "7", "7g", "7g7", "0a1a", "1a1j", "K*5e", "p*5e", "P*5e+", "P*", "**5e", "7g7f++",
            "7g7f+ ", "7g7f=", " 7g7f", "resign", "7歩", "歩*5e", "P*歩", "7g7f歩",
        ] {
            assert!(Move::from_usi(text).is_err(), "{text}");
        }
        assert!(Move::from_usi("5e5e").is_ok());
    }

    #[test]
    fn hands_count() {
        let mut hand = Hand::EMPTY;
        for kind in PieceKind::HAND {
            for n in 0..kind.in_a_set() {
                assert_eq!(hand.count(kind), n);
                assert_eq!(hand.kinds().has(kind), n > 0);
                hand = hand.with(kind);
            }
        }
        assert!(hand.holds(hand) && hand.holds(Hand::EMPTY) && !Hand::EMPTY.holds(hand));
        for kind in PieceKind::HAND {
            assert!(hand.holds(hand.without(kind)) && !hand.without(kind).holds(hand));
        }
        assert_eq!(hand.kinds().len(), 7);
        assert_eq!(hand.kinds().anywhere().len(), 4);
        for kind in PieceKind::HAND {
            for _ in 0..kind.in_a_set() {
                hand = hand.without(kind);
            }
        }
        assert!(hand.is_empty());
    }
}
