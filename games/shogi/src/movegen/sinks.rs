//! What becomes of the sets of destinations the generator finds.

use super::MoveList;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{KindSet, Move, PieceKind, Square};
use crate::position::Position;

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

/// Lists the moves that neither take a piece nor promote.
pub(crate) struct QuietSink<'a> {
    pub(crate) list: &'a mut MoveList,
    /// The empty squares.
    pub(crate) empty: Bitboard,
}

impl Sink for QuietSink<'_> {
    const DROPS: bool = true;

    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard, _: Bitboard) {
        ListSink(self.list).piece(from, to & self.empty, Bitboard::EMPTY);
    }

    #[inline(always)]
    fn shifted(&mut self, delta: i8, to: Bitboard, _: Bitboard) {
        ListSink(self.list).shifted(delta, to & self.empty, Bitboard::EMPTY);
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, to: Bitboard) {
        ListSink(self.list).drops(kind, to);
    }

    #[inline(always)]
    fn drops_anywhere(&mut self, kinds: KindSet, to: Bitboard) {
        ListSink(self.list).drops_anywhere(kinds, to);
    }
}

/// More pieces than can stand alone between a king and a line piece at once.
const HIDDEN: usize = 8;

/// Lists the moves that give check.
pub(crate) struct CheckSink<'a> {
    list: &'a mut MoveList,
    position: &'a Position,
    /// From where a piece of each kind gives check.
    direct: [Bitboard; 16],
    /// Own pieces that uncover a check by leaving the squares beside them.
    hidden: [(Square, Bitboard); HIDDEN],
    hidden_len: usize,
}

impl<'a> CheckSink<'a> {
    /// For checks to the king on `king`, which is not the side to move's.
    pub(crate) fn new(list: &'a mut MoveList, position: &'a Position, king: Square) -> Self {
        let (us, occupied) = (position.turn(), position.occupied());
        let mut direct = [Bitboard::EMPTY; 16];
        for kind in PieceKind::ALL {
            if kind != PieceKind::King {
                direct[kind.index()] = attacks::piece(us.other(), kind, king, occupied);
            }
        }
        let mut sink = CheckSink {
            list,
            position,
            direct,
            hidden: [(king, Bitboard::EMPTY); 8],
            hidden_len: 0,
        };
        for sniper in position.snipers(king, us) {
            let line = attacks::between(king, sniper);
            let blockers = line & occupied;
            let own = (blockers & position.pieces_of(us)).first();
            if let Some(own) = own.filter(|_| !blockers.is_many()) {
                sink.hidden[sink.hidden_len] = (own, line);
                sink.hidden_len += 1;
            }
        }
        sink
    }

    fn hidden(&self) -> &[(Square, Bitboard)] {
        &self.hidden[..self.hidden_len]
    }
}

impl Sink for CheckSink<'_> {
    const DROPS: bool = true;

    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard, promote: Bitboard) {
        let kind = self.position.piece_at(from).expect("a piece stands on the origin").kind();
        let line = self.hidden().iter().find(|(square, _)| *square == from);
        let uncovers = line.map_or(Bitboard::EMPTY, |(_, line)| !*line);
        let to = to & (self.direct[kind.index() & 15] | uncovers);
        let promote = promote & (self.direct[(kind.index() | 8) & 15] | uncovers);
        ListSink(self.list).piece(from, to, promote);
    }

    #[inline(always)]
    fn shifted(&mut self, delta: i8, to: Bitboard, promote: Bitboard) {
        let kind = if delta.abs() == 1 { PieceKind::Pawn } else { PieceKind::Knight };
        let mut uncovers = Bitboard::EMPTY;
        for (square, line) in self.hidden() {
            let to = square.index() as i8 + delta;
            if (0..81).contains(&to) {
                uncovers |= Bitboard::of(Square::at(to as u8)) & !*line;
            }
        }
        let to = to & (self.direct[kind.index()] | uncovers);
        let promote = promote & (self.direct[kind.index() | 8] | uncovers);
        // A destination may be reached by one piece only: whoever arrives left the square before.
        ListSink(self.list).shifted(delta, to, promote);
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, to: Bitboard) {
        let to = to & self.direct[kind.index() & 15];
        ListSink(self.list).drops(kind, to);
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
