//! The board of a record being read or written. It takes any move, legal or not: what a record
//! says is kept, and the referee judges it later.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Color, Move, Piece, PieceKind, Square};
use crate::position::Position;
use crate::sfen::Setup;

/// A board, both hands, the side to move, and where the last move ended.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    pub(super) setup: Setup,
    pub(super) last: Option<Square>,
    mover: Option<Color>,
}

impl Tracker {
    pub(super) fn new(setup: Setup) -> Tracker {
        Tracker { setup, last: None, mover: None }
    }

    pub(super) fn turn(&self) -> Color {
        self.setup.turn
    }

    pub(super) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.setup.board[square.index()]
    }

    /// The position with a side to move, if it is admitted.
    pub(super) fn position(&self, side: Color) -> Option<Position> {
        Position::from_setup(&Setup { turn: side, ..self.setup.clone() }).ok()
    }

    /// Whether the rules let the side play this move; not where the position is not admitted.
    pub(super) fn allows(&self, by: Color, m: Move) -> bool {
        self.position(by).is_some_and(|position| position.is_legal(m))
    }

    /// How many pieces of a kind a side has in hand.
    pub(super) fn held(&self, side: Color, kind: PieceKind) -> u8 {
        self.setup.hands[side.index()].get(kind.index()).copied().unwrap_or(0)
    }

    /// Whose move it is in a record that names no side: the side to move's, unless the piece is
    /// of the side that has just moved, which then moved twice.
    pub(super) fn author(&self, m: Move) -> Color {
        let owner = m.from().and_then(|from| self.piece_at(from)).map(Piece::color);
        match owner {
            Some(owner) if Some(owner) == self.mover => owner,
            _ => self.turn(),
        }
    }

    /// Plays a move of a side; `named` stands in where there is no piece on the origin.
    pub(super) fn play(&mut self, by: Color, m: Move, named: PieceKind) {
        let to = m.to();
        let hand = &mut self.setup.hands[by.index()];
        let placed = if let Some(kind) = m.dropped() {
            hand[kind.index()] = hand[kind.index()].saturating_sub(1);
            Piece::new(by, kind)
        } else {
            let from = m.from().expect("a move that is no drop has an origin");
            let piece = self.setup.board[from.index()].take();
            let piece = piece.unwrap_or(Piece::new(by, named));
            let kind = piece.kind().promoted().filter(|_| m.promotes()).unwrap_or(piece.kind());
            Piece::new(piece.color(), kind)
        };
        let taken = self.setup.board[to.index()].replace(placed).map(|taken| taken.kind());
        if let Some(count) = taken.and_then(|kind| hand.get_mut(kind.unpromoted().index())) {
            // Two digits are what a position's text has room for.
            *count = (*count + 1).min(99);
        }
        self.setup.turn = by.other();
        self.setup.number = self.setup.number.saturating_add(1);
        (self.last, self.mover) = (Some(to), Some(by));
    }

    /// The squares of a side's pieces of a kind that reach a square.
    pub(super) fn reaching(&self, piece: Piece, to: Square) -> Vec<Square> {
        let board = &self.setup.board;
        let occupied: Bitboard = Square::all().filter(|s| board[s.index()].is_some()).collect();
        if self.piece_at(to).is_some_and(|there| there.color() == piece.color()) {
            return Vec::new();
        }
        let reaches =
            |from: &Square| attacks::piece(piece.color(), piece.kind(), *from, occupied).has(to);
        let own = Square::all().filter(|s| board[s.index()] == Some(piece));
        own.filter(reaches).collect()
    }
}
