//! What becomes of the sets of destinations the generator finds.

use super::MoveList;
use crate::bitboard::Bitboard;
use crate::moves::{KindSet, Move, PieceKind, Square};

/// Takes the moves of the generator. `to` and `promote` are the destinations without and with
/// promotion.
pub(crate) trait Sink {
    /// Whether drops are wanted.
    const DROPS: bool;

    /// Moves of the piece on `from`.
    fn piece(&mut self, from: Square, to: Bitboard, promote: Bitboard);

    /// Moves of many pieces, each by `delta` square indexes.
    fn shifted(&mut self, delta: i8, to: Bitboard, promote: Bitboard);

    /// Drops of one kind.
    fn drops(&mut self, kind: PieceKind, to: Bitboard);

    /// Drops of each of the kinds, which are among silver, gold, bishop and rook.
    fn drops_anywhere(&mut self, kinds: KindSet, to: Bitboard);

    /// Moves of a piece that cannot promote.
    #[inline(always)]
    fn plain(&mut self, from: Square, to: Bitboard) {
        self.piece(from, to, Bitboard::EMPTY);
    }
}

/// Counts the moves.
pub(crate) struct CountSink(pub(crate) u32);

impl Sink for CountSink {
    const DROPS: bool = true;

    #[inline(always)]
    fn piece(&mut self, _: Square, to: Bitboard, promote: Bitboard) {
        self.0 += to.len() + promote.len();
    }

    #[inline(always)]
    fn plain(&mut self, _: Square, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline(always)]
    fn shifted(&mut self, _: i8, to: Bitboard, promote: Bitboard) {
        self.0 += to.len() + promote.len();
    }

    #[inline(always)]
    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline(always)]
    fn drops_anywhere(&mut self, kinds: KindSet, to: Bitboard) {
        self.0 += kinds.len() * to.len();
    }
}

/// Lists the moves.
pub(crate) struct ListSink<'a>(pub(crate) &'a mut MoveList);

impl Sink for ListSink<'_> {
    const DROPS: bool = true;

    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard, promote: Bitboard) {
        for to in promote {
            self.0.push(Move::board(from, to, true));
        }
        for to in to {
            self.0.push(Move::board(from, to, false));
        }
    }

    #[inline(always)]
    fn shifted(&mut self, delta: i8, to: Bitboard, promote: Bitboard) {
        let origin = |to: Square| Square::at((to.index() as i8 - delta) as u8);
        for to in promote {
            self.0.push(Move::board(origin(to), to, true));
        }
        for to in to {
            self.0.push(Move::board(origin(to), to, false));
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, to: Bitboard) {
        for to in to {
            self.0.push(Move::drop_of(kind, to));
        }
    }

    #[inline(always)]
    fn drops_anywhere(&mut self, kinds: KindSet, to: Bitboard) {
        for kind in [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook] {
            if kinds.has(kind) {
                self.drops(kind, to);
            }
        }
    }
}

/// Lists the moves that take a piece or promote.
pub(crate) struct NoisySink<'a> {
    pub(crate) list: &'a mut MoveList,
    /// The enemy pieces.
    pub(crate) taken: Bitboard,
}

impl Sink for NoisySink<'_> {
    const DROPS: bool = false;

    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard, promote: Bitboard) {
        ListSink(self.list).piece(from, to & self.taken, promote);
    }

    #[inline(always)]
    fn shifted(&mut self, delta: i8, to: Bitboard, promote: Bitboard) {
        ListSink(self.list).shifted(delta, to & self.taken, promote);
    }

    fn drops(&mut self, _: PieceKind, _: Bitboard) {}

    fn drops_anywhere(&mut self, _: KindSet, _: Bitboard) {}
}
