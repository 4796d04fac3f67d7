//! Questions about single moves: legality, check, mate by a dropped pawn.

use super::{Side, by_side};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, PieceKind, Square};
use crate::position::Position;

/// Whether a pawn of `S` dropped on `at`, the square before the enemy king, gives mate.
///
/// The pawn cannot be blocked, so there is a reply only if a piece takes it without exposing its
/// king, or if the king takes it or steps aside. The dropper's own king plays no part.
pub(super) fn is_pawn_mate<S: Side>(position: &Position, at: Square, king: Square) -> bool {
    let occupied = position.occupied();
    let pawn = Bitboard::of(at);
    // The king takes an undefended pawn. Nothing of S attacks through the king: it would be in
    // check with S to move.
    if position.attackers_with(at, S::US, occupied).is_empty() {
        return false;
    }
    let takers = position.attackers_with(at, S::THEM, occupied) & !Bitboard::of(king);
    for from in takers {
        let after = (occupied ^ Bitboard::of(from)) | pawn;
        if position.line_attackers(king, S::US, after).is_empty() {
            return false;
        }
    }
    let after = (occupied ^ Bitboard::of(king)) | pawn;
    let steps = attacks::king(king) & !position.colors[S::THEM.index()] & !pawn;
    steps.into_iter().all(|to| !position.attackers_with(to, S::US, after).is_empty())
}

impl Position {
    /// Whether a pawn dropped on `to` by the side to move would give mate (uchifuzume). Whether
    /// there is a pawn in hand, nifu and the dropper's own king are other questions.
    #[must_use]
    pub fn is_uchifuzume(&self, to: Square) -> bool {
        let us = self.turn();
        match self.king(!us) {
            Some(king) if attacks::pawn(us, to).has(king) && self.piece_at(to).is_none() => {
                by_side!(self, S => is_pawn_mate::<S>(self, to, king))
            }
            _ => false,
        }
    }

    /// Whether a move, of any origin, is legal here.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        match (m.from(), m.dropped()) {
            (Some(from), _) => self.is_legal_on_board(from, m.to(), m.promotes()),
            (None, Some(kind)) => self.is_legal_drop(kind, m.to()),
            (None, None) => false,
        }
    }

    fn is_legal_on_board(&self, from: Square, to: Square, promotes: bool) -> bool {
        let us = self.turn();
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        let kind = piece.kind();
        let side_rules =
            if promotes { kind.may_promote(from, to, us) } else { !kind.is_dead_on(to, us) };
        side_rules && self.reaches(from, to) && !self.exposes_king(Move::board(from, to, promotes))
    }

    fn is_legal_drop(&self, kind: PieceKind, to: Square) -> bool {
        let us = self.turn();
        let nifu = || kind == PieceKind::Pawn && self.has_pawn_on_file(us, to.file());
        let mates = || kind == PieceKind::Pawn && self.is_uchifuzume(to);
        self.hand(us).count(kind) > 0
            && self.piece_at(to).is_none()
            && !kind.is_dead_on(to, us)
            && !nifu()
            && !self.exposes_king(Move::drop_of(kind, to))
            && !mates()
    }

    /// Whether the king of the side to move would be in check after a move its piece can make or a
    /// drop on an empty square; whether the move is otherwise legal does not matter. No if that
    /// side has no king.
    #[must_use]
    pub fn exposes_king(&self, m: Move) -> bool {
        let (us, to) = (self.turn(), m.to());
        let Some(king) = self.king(us) else { return false };
        let origin = m.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let without = self.occupied() & !origin;
        if origin.has(king) {
            return !self.attackers_with(to, !us, without).is_empty();
        }
        // What stood on the destination is taken.
        let attackers = self.attackers_with(king, !us, without | Bitboard::of(to));
        !(attackers & !Bitboard::of(to)).is_empty()
    }

    /// Whether a legal move gives check, direct or discovered.
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        let us = self.turn();
        let Some(king) = self.king(!us) else { return false };
        let to = m.to();
        let (kind, origin) = match (m.dropped(), m.from()) {
            (Some(kind), _) => (kind, Bitboard::EMPTY),
            (None, Some(from)) => {
                let Some(piece) = self.piece_at(from) else { return false };
                let piece = if m.promotes() { piece.promote() } else { piece };
                (piece.kind(), Bitboard::of(from))
            }
            (None, None) => return false,
        };
        let occupied = self.occupied() & !origin | Bitboard::of(to);
        attacks::piece(us, kind, to, occupied).has(king)
            || !(self.line_attackers(king, us, occupied) & !origin).is_empty()
    }

    /// The own pieces that may only move along the line to the own king.
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        let us = self.turn();
        let Some(king) = self.king(us) else { return Bitboard::EMPTY };
        let snipers = self.snipers(king, !us).into_iter();
        snipers
            .map(|from| attacks::between(king, from))
            .map(|line| line & self.occupied())
            .filter(|blockers| !blockers.is_many())
            .fold(Bitboard::EMPTY, |all, blockers| all | blockers & self.pieces_of(us))
    }
}
