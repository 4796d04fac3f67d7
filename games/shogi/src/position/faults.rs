//! Why an arrangement of pieces is not an admitted position.

use super::Position;
use crate::bitboard::Bitboard;
use crate::moves::{Color, Piece, PieceKind, Square};
use crate::sfen::Setup;

/// One fault of a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// There is no king.
    #[error("There is no king on the board.")]
    NoKing,
    /// A side has more than one king; the square is that of a further one.
    #[error("There is a second king of {color} on {square}.")]
    SecondKing {
        /// The side.
        color: Color,
        /// Where the further king stands.
        square: Square,
    },
    /// A piece stands where it can never move.
    #[error("The piece {piece} on {square} can never move from there.")]
    DeadPiece {
        /// The piece.
        piece: Piece,
        /// Its square.
        square: Square,
    },
    /// A side has two unpromoted pawns on a file; the square is that of a further one.
    #[error("There is a second pawn of {color} on file {}, on {square}.", square.file())]
    SecondPawn {
        /// The side.
        color: Color,
        /// Where the further pawn stands.
        square: Square,
    },
    /// There are more pieces of a kind than in a set, promoted ones and hands included.
    #[error("There are {count} pieces of the kind {}, a set has {}.", kind.letter(), kind.in_a_set())]
    TooMany {
        /// The unpromoted kind.
        kind: PieceKind,
        /// How many there are.
        count: u16,
    },
    /// The side to move could take the king.
    #[error("The king of {color} on {square} is in check, but it is not the turn of {color}.")]
    OpponentInCheck {
        /// The side not to move.
        color: Color,
        /// Its king.
        square: Square,
    },
}

impl Fault {
    /// The square concerned, if there is one.
    #[must_use]
    pub const fn square(&self) -> Option<Square> {
        match *self {
            Self::NoKing | Self::TooMany { .. } => None,
            Self::SecondKing { square, .. }
            | Self::DeadPiece { square, .. }
            | Self::SecondPawn { square, .. }
            | Self::OpponentInCheck { square, .. } => Some(square),
        }
    }
}

impl Setup {
    /// Everything that keeps the setup from being an admitted position: one king or two, at most
    /// one a side; no dead piece, no two pawns of a side on a file, no more pieces than a set, the
    /// side not to move not in check.
    ///
    /// Check is looked at only if nothing else is wrong.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.king_faults(&mut faults);
        self.square_faults(&mut faults);
        self.count_faults(&mut faults);
        if faults.is_empty() {
            let position = Position::from_setup_unchecked(self);
            let color = !self.turn;
            if let Some(square) = position.king(color)
                && !position.attackers_to(square, self.turn).is_empty()
            {
                faults.push(Fault::OpponentInCheck { color, square });
            }
        }
        faults
    }

    fn squares_of(&self, piece: Piece) -> Bitboard {
        Square::all().filter(|square| self.board[square.index()] == Some(piece)).collect()
    }

    fn king_faults(&self, faults: &mut Vec<Fault>) {
        let kings = Color::BOTH.map(|color| self.squares_of(Piece::new(color, PieceKind::King)));
        if kings.iter().all(|squares| squares.is_empty()) {
            faults.push(Fault::NoKing);
        }
        for (color, squares) in Color::BOTH.into_iter().zip(kings) {
            faults.extend(
                squares.into_iter().skip(1).map(|square| Fault::SecondKing { color, square }),
            );
        }
    }

    fn square_faults(&self, faults: &mut Vec<Fault>) {
        let mut pawns = [Bitboard::EMPTY; 2];
        for square in Square::all() {
            let Some(piece) = self.board[square.index()] else { continue };
            let color = piece.color();
            if piece.kind().is_dead_on(square, color) {
                faults.push(Fault::DeadPiece { piece, square });
            }
            if piece.kind() == PieceKind::Pawn {
                if pawns[color.index()].files_filled().has(square) {
                    faults.push(Fault::SecondPawn { color, square });
                }
                pawns[color.index()] |= Bitboard::of(square);
            }
        }
    }

    fn count_faults(&self, faults: &mut Vec<Fault>) {
        let mut counts = [0_u16; 8];
        for piece in self.board.iter().flatten() {
            counts[piece.kind().unpromoted().index()] += 1;
        }
        for kind in PieceKind::HAND {
            let held: u16 = self.hands.iter().map(|hand| u16::from(hand[kind.index()])).sum();
            let count = counts[kind.index()] + held;
            if count > u16::from(kind.in_a_set()) {
                faults.push(Fault::TooMany { kind, count });
            }
        }
    }
}
