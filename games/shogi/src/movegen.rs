//! Legal move generation.
//!
//! One generator, `generate`, finds sets of destinations and hands them to a sink: one sink lists
//! the moves, another only counts them. Only legal moves are ever produced: pinned pieces are
//! kept on their line, a check restricts the destinations, and the king steps on no attacked
//! square.

mod legality;
mod list;
mod sinks;

pub use list::MoveList;
pub(crate) use sinks::{CheckSink, CountSink, ListSink, NoisySink, QuietSink, Sink};

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Color, PieceKind, Square};
use crate::position::{Position, class};

/// The side to move as a type, so that directions are constants in the generator.
pub(crate) trait Side {
    type Other: Side;
    const US: Color;
    const THEM: Color = Self::US.other();
    /// One step ahead, in square indexes.
    const AHEAD: i8;
    /// The promotion zone.
    const ZONE: Bitboard = Bitboard::far_ranks(Self::US, 3);
    /// The last rank, dead for pawns and lances.
    const LAST: Bitboard = Bitboard::far_ranks(Self::US, 1);
    /// The own back rank, where no own pawn can attack a king.
    const BACK: Bitboard = Bitboard::far_ranks(Self::THEM, 1);
    /// The last two ranks, dead for knights.
    const LAST_TWO: Bitboard = Bitboard::far_ranks(Self::US, 2);
}

pub(crate) struct Sente;
pub(crate) struct Gote;

impl Side for Sente {
    type Other = Gote;
    const US: Color = Color::Sente;
    const AHEAD: i8 = -1;
}

impl Side for Gote {
    type Other = Sente;
    const US: Color = Color::Gote;
    const AHEAD: i8 = 1;
}

/// Moves a set by `delta` square indexes.
#[inline(always)]
const fn shifted(set: Bitboard, delta: i8) -> Bitboard {
    Bitboard(if delta >= 0 { set.0 << delta } else { set.0 >> -delta })
}

/// Calls `$body` with the sides' types for the side to move.
macro_rules! by_side {
    ($position:expr, $side:ident => $body:expr) => {
        match $position.turn() {
            $crate::moves::Color::Sente => {
                type $side = $crate::movegen::Sente;
                $body
            }
            $crate::moves::Color::Gote => {
                type $side = $crate::movegen::Gote;
                $body
            }
        }
    };
}
pub(crate) use by_side;

impl Position {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        by_side!(self, S => generate::<S, _>(self, &mut ListSink(&mut list)));
        list
    }

    /// The legal moves that take a piece or promote: what a quiescence search looks at outside
    /// check. No drops.
    #[must_use]
    pub fn noisy_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let taken = self.pieces_of(!self.turn());
        by_side!(self, S => generate::<S, _>(self, &mut NoisySink { list: &mut list, taken }));
        list
    }

    /// The legal moves that are not among [`Self::noisy_moves`].
    #[must_use]
    pub fn quiet_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let empty = !self.occupied();
        by_side!(self, S => generate::<S, _>(self, &mut QuietSink { list: &mut list, empty }));
        list
    }

    /// The legal moves that give check, direct or uncovered.
    #[must_use]
    pub fn checking_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        if let Some(king) = self.king(!self.turn()) {
            let mut sink = CheckSink::new(&mut list, self, king);
            by_side!(self, S => generate::<S, _>(self, &mut sink));
        }
        list
    }

    /// The number of legal moves, without making a list.
    #[must_use]
    pub fn count_legal(&self) -> u32 {
        let mut count = CountSink(0);
        by_side!(self, S => generate::<S, _>(self, &mut count));
        count.0
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }
}

/// What check and pins leave to the side to move.
struct Limits {
    /// The pieces that give check.
    checkers: Bitboard,
    /// Own pieces that may not leave their line.
    pinned: Bitboard,
    /// Enemy pieces that pin or might.
    snipers: Bitboard,
}

#[inline(always)]
fn limits<S: Side>(position: &Position, king: Square, occupied: Bitboard) -> Limits {
    let snipers = position.snipers(king, S::THEM);
    let (mut checkers, mut pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for sniper in snipers {
        let blockers = attacks::between(king, sniper) & occupied;
        if blockers.is_empty() {
            checkers |= Bitboard::of(sniper);
        } else if !blockers.is_many() {
            pinned |= blockers;
        }
    }
    let near = attacks::check_steps(S::US, king) & position.colors[S::THEM.index()];
    if !near.is_empty() {
        checkers |= position.step_attackers(king, S::THEM);
    }
    Limits { checkers, pinned: pinned & position.colors[S::US.index()], snipers }
}

/// Hands all legal moves to the sink.
#[inline(always)]
pub(crate) fn generate<S: Side, K: Sink>(position: &Position, sink: &mut K) {
    let own = position.colors[S::US.index()];
    let occupied = position.occupied();
    let (mut targets, mut empty, mut free) = (!own, !occupied, own);
    if let Some(king) = position.king(S::US) {
        let limits = limits::<S>(position, king, occupied);
        king_moves::<S, K>(position, king, occupied, sink);
        free ^= limits.pinned;
        if !limits.checkers.is_empty() {
            let Some(checker) = limits.checkers.first().filter(|_| !limits.checkers.is_many())
            else {
                return;
            };
            empty = attacks::between(king, checker);
            targets = empty | limits.checkers;
        } else if !limits.pinned.is_empty() {
            pinned_moves::<S, K>(position, king, &limits, sink);
        }
    }
    steppers::<S, K>(position, free, targets, sink);
    sliders::<S, K>(position, free, targets, occupied, sink);
    if K::DROPS && !position.hands[S::US.index()].is_empty() && !empty.is_empty() {
        drops::<S, K>(position, empty, sink);
    }
}

#[inline(always)]
fn king_moves<S: Side, K: Sink>(
    position: &Position,
    king: Square,
    occupied: Bitboard,
    sink: &mut K,
) {
    let steps = attacks::king(king) & !position.colors[S::US.index()];
    if !steps.is_empty() {
        let danger = danger::<S>(position, king, occupied ^ Bitboard::of(king));
        sink.plain(king, steps & !danger);
    }
}

/// Squares next to the king that the enemy attacks once the king has left its square (and some
/// attacked squares farther away).
#[inline(always)]
fn danger<S: Side>(position: &Position, king: Square, occupied: Bitboard) -> Bitboard {
    let c = &position.classes;
    let enemy = position.colors[S::THEM.index()];
    let mut danger = shifted(c[class::PAWN] & enemy, -S::AHEAD);
    let near = attacks::steppers_near(S::THEM, king) & enemy & !c[class::PAWN];
    if !near.is_empty() {
        for from in c[class::GOLD] & near {
            danger |= attacks::gold(S::THEM, from);
        }
        for from in c[class::SILVER] & near {
            danger |= attacks::silver(S::THEM, from);
        }
        for from in c[class::KNIGHT] & near {
            danger |= attacks::knight(S::THEM, from);
        }
        for from in (c[class::KING] | c[class::HORSE] | c[class::DRAGON]) & near {
            danger |= attacks::king(from);
        }
    }
    let near = attacks::rooks_near(king) & enemy;
    for from in (c[class::ROOK] | c[class::DRAGON]) & near {
        danger |= attacks::rook(from, occupied);
    }
    let near = attacks::bishops_near(king) & enemy;
    for from in (c[class::BISHOP] | c[class::HORSE]) & near {
        danger |= attacks::bishop(from, occupied);
    }
    for from in c[class::LANCE] & attacks::lances_near(S::THEM, king) & enemy {
        danger |= attacks::lance(S::THEM, from, occupied);
    }
    danger
}

/// Moves of pinned pieces along their line; the king is not in check.
#[inline(always)]
fn pinned_moves<S: Side, K: Sink>(
    position: &Position,
    king: Square,
    limits: &Limits,
    sink: &mut K,
) {
    let occupied = position.occupied();
    for sniper in limits.snipers {
        let line = attacks::between(king, sniper);
        if (line & occupied).is_many() {
            continue;
        }
        let Some(from) = (line & limits.pinned).first() else { continue };
        let kind = position.board[from.index()].expect("pinned").kind();
        let to = attacks::piece(S::US, kind, from, occupied) & (line | Bitboard::of(sniper));
        let promote = if kind.promoted().is_some() {
            to & attacks::promotes(S::US, from)
        } else {
            Bitboard::EMPTY
        };
        let alive = match kind {
            PieceKind::Pawn | PieceKind::Lance => to & !S::LAST,
            // A pinned knight has no move at all.
            _ => to,
        };
        sink.piece(from, alive, promote);
    }
}

#[inline(always)]
fn steppers<S: Side, K: Sink>(
    position: &Position,
    free: Bitboard,
    targets: Bitboard,
    sink: &mut K,
) {
    let c = &position.classes;
    let to = shifted(c[class::PAWN] & free, S::AHEAD) & targets;
    sink.shifted(S::AHEAD, to & !S::LAST, to & S::ZONE);
    let knights = c[class::KNIGHT] & free;
    if !knights.is_empty() {
        for delta in [2 * S::AHEAD + 9, 2 * S::AHEAD - 9] {
            let to = shifted(knights, delta) & targets;
            sink.shifted(delta, to & !S::LAST_TWO, to & S::ZONE);
        }
    }
    for from in c[class::SILVER] & free {
        let to = attacks::silver(S::US, from) & targets;
        sink.piece(from, to, to & attacks::promotes(S::US, from));
    }
    for from in c[class::GOLD] & free {
        sink.plain(from, attacks::gold(S::US, from) & targets);
    }
}

#[inline(always)]
fn sliders<S: Side, K: Sink>(
    position: &Position,
    free: Bitboard,
    targets: Bitboard,
    occupied: Bitboard,
    sink: &mut K,
) {
    let c = &position.classes;
    for from in c[class::LANCE] & free {
        let to = attacks::lance(S::US, from, occupied) & targets;
        sink.piece(from, to & !S::LAST, to & S::ZONE);
    }
    for from in c[class::BISHOP] & free {
        let to = attacks::bishop(from, occupied) & targets;
        sink.piece(from, to, to & attacks::promotes(S::US, from));
    }
    for from in c[class::ROOK] & free {
        let to = attacks::rook(from, occupied) & targets;
        sink.piece(from, to, to & attacks::promotes(S::US, from));
    }
    for from in c[class::HORSE] & free {
        let to = attacks::bishop(from, occupied) | attacks::king(from);
        sink.plain(from, to & targets);
    }
    for from in c[class::DRAGON] & free {
        let to = attacks::rook(from, occupied) | attacks::king(from);
        sink.plain(from, to & targets);
    }
}

/// Drops on the squares of `empty`.
#[inline(always)]
fn drops<S: Side, K: Sink>(position: &Position, empty: Bitboard, sink: &mut K) {
    let kinds = position.hands[S::US.index()].kinds();
    sink.drops_anywhere(kinds.anywhere(), empty);
    if kinds.has(PieceKind::Knight) {
        sink.drops(PieceKind::Knight, empty & !S::LAST_TWO);
    }
    if kinds.has(PieceKind::Lance) {
        sink.drops(PieceKind::Lance, empty & !S::LAST);
    }
    if kinds.has(PieceKind::Pawn) {
        let files = position.of(S::US, class::PAWN).files_filled();
        let mut to = empty & !S::LAST & !files;
        let king = position.of(S::THEM, class::KING);
        let head = shifted(king & !S::BACK, -S::AHEAD) & to;
        if let (Some(king), Some(at)) = (king.first(), head.first())
            && legality::is_pawn_mate::<S>(position, at, king)
        {
            to ^= head;
        }
        sink.drops(PieceKind::Pawn, to);
    }
}
