//! What a worker keeps from move to move of a game.

use crate::moves::{Move, Piece};
use crate::position::Position;
use kiban_search::{History, Killers};

/// Plies a search may reach.
pub(super) const MAX_PLY: usize = 100;
/// Kinds and squares, of either side.
const PLACES: usize = 32 * 81;

/// Tables for ordering moves. Rows are the piece that moves (dropped pieces apart), columns the
/// destination.
pub(super) struct Memory {
    /// Quiet moves.
    pub(super) quiets: History,
    /// Moves that take or promote.
    pub(super) gains: History,
    /// Quiet moves after a move one and two plies before.
    pub(super) replies: [History; 2],
    pub(super) killers: Killers<Move>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            quiets: History::new(64, 81),
            gains: History::new(64, 81),
            replies: [History::new(PLACES / 2, PLACES), History::new(PLACES / 2, PLACES)],
            killers: Killers::new(MAX_PLY + 2),
        }
    }
}

/// The row of a move: its piece, and whether it is dropped.
#[inline]
pub(super) fn row(p: &Position, m: Move) -> usize {
    p.mover(m).slot() + if m.is_drop() { 32 } else { 0 }
}

/// The column of a move.
#[inline]
pub(super) fn column(m: Move) -> usize {
    m.to().index()
}

/// The row by which a move is remembered in the histories of replies. Whose it was, the reply's
/// piece says.
#[inline]
pub(super) fn place(moved: Piece, m: Move) -> usize {
    moved.kind().index() * 81 + m.to().index()
}
