//! A hand-made evaluation: material, pieces in hand, and how near pieces stand to the kings.

use crate::moves::{Color, PieceKind, Square};
use crate::position::Position;

/// Worth on the board in hundredths of a pawn, by [`PieceKind::index`].
const WORTH: [i32; 16] =
    [100, 320, 350, 500, 550, 850, 1000, 0, 550, 530, 540, 560, 0, 1150, 1350, 0];
/// What a piece gains by waiting in hand, in percent of its worth.
const HAND_PERCENT: i32 = 110;

/// A kind's worth on the board.
pub(super) fn worth(kind: PieceKind) -> i32 {
    WORTH[kind.index()]
}

/// Steps a king would need.
fn distance(a: Square, b: Square) -> i32 {
    let files = i32::from(a.file().abs_diff(b.file()));
    files.max(i32::from(a.rank().abs_diff(b.rank())))
}

/// What one side has, in hundredths of a pawn.
fn side(p: &Position, color: Color) -> i32 {
    let (own_king, enemy_king) = (p.king(color), p.king(!color));
    let mut sum = 0;
    for square in p.pieces_of(color) {
        let Some(piece) = p.piece_at(square) else { continue };
        let kind = piece.kind();
        sum += worth(kind) + advance(kind, square, color);
        if kind == PieceKind::King {
            continue;
        }
        let weight = if kind == PieceKind::Pawn { 2 } else { 7 };
        if let Some(king) = enemy_king {
            sum += weight * (5 - distance(square, king)).max(0);
        }
        if let (Some(king), PieceKind::Gold | PieceKind::Silver) = (own_king, kind) {
            sum += 12 * (4 - distance(square, king)).max(0);
        }
    }
    let hand = p.hand(color).iter();
    sum + hand.map(|(k, n)| worth(k) * i32::from(n) * HAND_PERCENT / 100).sum::<i32>()
        + own_king.map_or(0, |king| shelter(p, king, color))
}

/// Pieces that gain by going forward.
fn advance(kind: PieceKind, square: Square, color: Color) -> i32 {
    let forward = 9 - i32::from(square.rank_for(color));
    match kind {
        PieceKind::Pawn => forward * 3,
        PieceKind::Silver => forward * 2,
        _ => 0,
    }
}

/// A king is safe near a side's edge of its camp, and unsafe where the enemy reaches beside it.
fn shelter(p: &Position, king: Square, color: Color) -> i32 {
    let off_centre = i32::from(king.file().abs_diff(5));
    let out = (9 - i32::from(king.rank_for(color))).min(4);
    let beside = crate::attacks::king(king).into_iter();
    let attacked = beside.filter(|s| !p.attackers_to(*s, !color).is_empty()).count() as i32;
    off_centre * 9 - out * 14 - attacked * attacked * 6
}

/// The position's worth for the side to move.
pub(super) fn evaluate(p: &Position) -> i32 {
    side(p, p.turn()) - side(p, !p.turn()) + 15
}
