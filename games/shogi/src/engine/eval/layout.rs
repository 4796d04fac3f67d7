//! Where each weight is in the list of weights.

use crate::moves::{Color, Piece, PieceKind, Square};
use crate::position::Position;

/// Squares of a king, mirror images being one.
const KINGS: usize = 45;
/// Kinds by code.
const KINDS: usize = 16;

/// King's square, whose piece (own, enemy), its kind, its square.
pub(super) const PIECES: usize = 0;
/// How many weights say where a piece stands to a king.
pub const PIECE_SQUARES: usize = KINGS * 2 * KINDS * 81;
/// King's square, whose hand, kind: for each piece held.
pub(super) const HANDS: usize = PIECE_SQUARES;
/// Kind, number held.
pub(super) const HELD: usize = HANDS + KINGS * 2 * 7;
/// Direction from a king, enemy attackers (0 to 3), defenders (0 to 2), whether an own piece is
/// there.
pub(super) const ZONE: usize = HELD + 7 * 19;
/// Squares a king may flee to (0 to 8), big pieces in the enemy's hand (0 to 3).
pub(super) const FLIGHT: usize = ZONE + 8 * 4 * 3 * 2;
/// Kind attacked and not defended.
pub(super) const HANGING: usize = FLIGHT + 9 * 4;
/// Kind attacked by a pawn.
pub(super) const PAWNED: usize = HANGING + KINDS;
/// Line piece, squares it may go to (0 to 17).
pub(super) const MOBILITY: usize = PAWNED + KINDS;
/// For the side to move.
pub(super) const TEMPO: usize = MOBILITY + 5 * 18;
/// How many weights there are.
pub const COUNT: usize = TEMPO + 1;
/// Weights are in this fraction of a hundredth of a pawn.
pub const SCALE: i32 = 16;

/// A square as seen with a king's side at the bottom, the king not on the left half.
static SEEN: [[[u8; 81]; 2]; 2] = {
    let mut seen = [[[0; 81]; 2]; 2];
    let mut i = 0;
    while i < 81 {
        let mirrored = (8 - i / 9) * 9 + i % 9;
        seen[0][0][i] = i as u8;
        seen[0][1][i] = mirrored as u8;
        seen[1][0][i] = 80 - i as u8;
        seen[1][1][i] = 80 - mirrored as u8;
        i += 1;
    }
    seen
};

/// How a side sees the board, by where its king is.
#[derive(Clone, Copy)]
pub(super) struct View {
    king: usize,
    squares: &'static [u8; 81],
}

impl View {
    /// The view of a side; a side without a king sees the board as from its king's start.
    #[inline(always)]
    pub(super) fn of(p: &Position, color: Color) -> View {
        let turned = color.index();
        let at = p.king(color).map_or(SEEN[turned][0][44], |king| SEEN[turned][0][king.index()]);
        let left = usize::from(at >= 45);
        let king = usize::from(if left == 1 { SEEN[0][1][usize::from(at)] } else { at });
        View { king, squares: &SEEN[turned][left] }
    }

    /// Whether the board is seen mirrored.
    pub(super) fn square(self, square: Square) -> usize {
        usize::from(self.squares[square.index()])
    }
}

/// The weight of a piece on a square for the king of `color`.
#[inline(always)]
pub(super) fn piece_weight(view: View, color: Color, piece: Piece, square: Square) -> usize {
    let whose = usize::from(piece.color() != color);
    let row = (view.king * 2 + whose) * KINDS + piece.kind().index();
    PIECES + row * 81 + view.square(square)
}

/// The weight of a piece in `holder`'s hand for the king of `color`.
#[inline(always)]
pub(super) fn hand_weight(view: View, color: Color, holder: Color, kind: PieceKind) -> usize {
    let whose = usize::from(holder != color);
    HANDS + (view.king * 2 + whose) * 7 + kind.index()
}

/// What a weight is about, for the tool that fits the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A piece on the board: the king's square (0 to 44), whether it is the enemy's, its kind's
    /// code, its square as the king's side sees it.
    Piece {
        /// The king's square.
        king: usize,
        /// Whether it is the enemy's.
        enemy: bool,
        /// Its code.
        kind: usize,
        /// Its square.
        square: usize,
    },
    /// A piece in hand.
    Hand {
        /// The king's square.
        king: usize,
        /// Whether it is the enemy's.
        enemy: bool,
        /// Its code.
        kind: usize,
    },
    /// Anything else, by its place.
    Other(usize),
}

/// What the weight at this place is about.
#[must_use]
pub fn slot_of(index: usize) -> Slot {
    match index {
        i if i < HANDS => {
            let (row, square) = (i / 81, i % 81);
            let king = row / (2 * KINDS);
            Slot::Piece { king, enemy: row / KINDS % 2 == 1, kind: row % KINDS, square }
        }
        i if i < HELD => {
            let row = i - HANDS;
            Slot::Hand { king: row / 14, enemy: row / 7 % 2 == 1, kind: row % 7 }
        }
        i => Slot::Other(i - HELD),
    }
}
