//! Exchanges on one square.

use super::eval::VALUES;
use crate::bitboard::Bitboard;
use crate::moves::{Move, PieceKind, Square};
use crate::position::{Position, class};

/// What a kind on the board is worth to the side that loses it and the side that then holds it, by
/// code.
const SWING: [i32; 16] = {
    let mut swing = [0; 16];
    let mut i = 0;
    while i < 16 {
        swing[i] = VALUES[i] + VALUES[i & 7];
        i += 1;
    }
    // Nothing pays for a king.
    swing[PieceKind::King.index()] = 20_000;
    swing
};

/// What taking this kind changes in material.
pub(super) fn swing(kind: PieceKind) -> i32 {
    SWING[kind.index() & 15]
}

/// What promoting this kind gains.
pub(super) fn promotion(kind: PieceKind) -> i32 {
    kind.promoted().map_or(0, |better| VALUES[better.index()] - VALUES[kind.index()])
}

/// Material a move gains before any answer.
pub(super) fn gain(p: &Position, m: Move) -> i32 {
    let taken = p.piece_at(m.to()).map_or(0, |piece| swing(piece.kind()));
    taken + if m.promotes() { promotion(p.mover(m).kind()) } else { 0 }
}

/// Classes from the cheapest to the dearest to lose.
const CHEAPEST: [usize; class::COUNT] = [
    class::PAWN,
    class::LANCE,
    class::KNIGHT,
    class::SILVER,
    class::GOLD,
    class::BISHOP,
    class::ROOK,
    class::HORSE,
    class::DRAGON,
    class::KING,
];

/// Whether the exchange a move begins on its destination gains at least `least`, each side taking
/// with its cheapest piece while that pays. Pins are not seen.
pub(super) fn pays(p: &Position, m: Move, least: i32) -> bool {
    let to = m.to();
    let mover = p.mover(m);
    let placed = if m.promotes() { mover.promote() } else { mover }.kind();
    let mut balance = gain(p, m) - least;
    if balance < 0 {
        return false;
    }
    // Now the enemy takes the piece that has come.
    balance -= swing(placed);
    if balance >= 0 {
        return true;
    }
    let mut occupied = p.occupied() | Bitboard::of(to);
    if let Some(from) = m.from() {
        occupied &= !Bitboard::of(from);
    }
    let (mut side, us) = (p.turn().other(), p.turn());
    loop {
        let takers = p.attackers_with(to, side, occupied) & occupied;
        let Some((from, kind)) = cheapest(p, takers) else { return side != us };
        // The king takes only what is not defended any more.
        if kind == PieceKind::King
            && !(p.attackers_with(to, side.other(), occupied ^ Bitboard::of(from)) & occupied)
                .is_empty()
        {
            return side != us;
        }
        occupied ^= Bitboard::of(from);
        side = side.other();
        // Seen from the side that took: what it has now if its piece is lost in turn.
        balance = -balance - 1 - swing(kind);
        if balance >= 0 {
            return side != us;
        }
    }
}

fn cheapest(p: &Position, takers: Bitboard) -> Option<(Square, PieceKind)> {
    let class = CHEAPEST.into_iter().find(|class| !(takers & p.classes[*class]).is_empty())?;
    let from = (takers & p.classes[class]).first()?;
    Some((from, p.piece_at(from)?.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exchange played out in full.
    fn value(p: &mut Position, m: Move) -> i32 {
        let gain = gain(p, m);
        let undo = p.play(m);
        let answers = p.noisy_moves();
        let least = answers.iter().filter(|a| a.to() == m.to() && !a.promotes());
        let answer = least.min_by_key(|a| swing(p.mover(**a).kind()));
        let reply = answer.map_or(0, |a| value(p, *a).max(0));
        p.undo(m, undo);
        gain - reply
    }

    fn position(sfen: &str) -> Position {
        Position::from_setup(&crate::sfen::Setup::from_sfen(sfen).unwrap()).unwrap()
    }

    #[test]
    fn exchanges_are_played_out() {
        for sfen in [
            "4k4/9/4g4/4p4/4P4/4R4/9/9/4K4 b - 1",
            "4k4/4r4/4s4/4p4/3SP4/4R4/4L4/9/K8 b - 1",
            "k8/9/3b5/4p4/9/6B2/9/9/4K4 b - 1",
            "k8/4r4/3bs4/4p4/3G5/4R1B2/4L4/9/K8 b - 1",
            "lnsgkgsnl/1r5b1/p1ppppppp/1p7/7P1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1",
        ] {
            let mut p = position(sfen);
            for m in p.noisy_moves().iter().filter(|m| !m.promotes()) {
                let exact = value(&mut p, *m);
                for least in [exact - 1, exact, exact + 1, 0] {
                    assert_eq!(pays(&p, *m, least), exact >= least, "{sfen} {m} {exact} {least}");
                }
            }
        }
    }

    #[test]
    fn a_drop_where_it_is_taken_loses_the_piece() {
        let p = position("4k4/9/4p4/9/9/9/9/9/4K4 b G 1");
        let drop = |square: &str| Move::from_usi(&format!("G*{square}")).unwrap();
        assert!(!pays(&p, drop("5d"), 0));
        assert!(pays(&p, drop("5e"), 0));
    }
}
