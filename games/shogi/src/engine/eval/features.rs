//! What the evaluation sees.

use super::layout::{
    FLIGHT, HANGING, HELD, MOBILITY, PAWNED, TEMPO, View, ZONE, hand_weight, piece_weight,
};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Color, PieceKind, Square};
use crate::position::{Position, class};

/// Takes what is seen: the place of its weight, and how often, less than 0 where it is for gote.
pub(super) trait Sum {
    fn add(&mut self, index: usize, count: i32);
}

impl<F: FnMut(usize, i32)> Sum for F {
    fn add(&mut self, index: usize, count: i32) {
        self(index, count);
    }
}

/// All that the evaluation sees, for sente: the sum of weight times count over all calls is the
/// worth of the position for sente, in the weights' unit.
pub fn features(p: &Position, add: &mut impl FnMut(usize, i32)) {
    about_king(p, Color::Sente, 1, add);
    about_king(p, Color::Gote, -1, add);
    dynamic(p, add);
    add(TEMPO, sign(p.turn()));
}

/// What the kinds are worth in exchanges, in hundredths of a pawn, by code.
pub const VALUES: [i32; 16] =
    [90, 300, 330, 480, 530, 800, 950, 0, 500, 480, 490, 510, 0, 1080, 1250, 0];

fn sign(color: Color) -> i32 {
    if color == Color::Sente { 1 } else { -1 }
}

/// How all pieces stand to the king of `color`.
pub(super) fn about_king(p: &Position, color: Color, sign: i32, sum: &mut impl Sum) {
    let view = View::of(p, color);
    for square in p.occupied() {
        let piece = p.piece_at(square).expect("occupied");
        sum.add(piece_weight(view, color, piece, square), sign);
    }
    for holder in Color::BOTH {
        for (kind, n) in p.hand(holder).iter() {
            sum.add(hand_weight(view, color, holder, kind), sign * i32::from(n));
        }
    }
}

/// Squares a side attacks without its king: at least once, twice, three times.
#[derive(Clone, Copy)]
struct Attacks {
    one: Bitboard,
    two: Bitboard,
    three: Bitboard,
    pawns: Bitboard,
    king: Bitboard,
}

impl Attacks {
    #[inline(always)]
    fn add(&mut self, attack: Bitboard) {
        self.three |= self.two & attack;
        self.two |= self.one & attack;
        self.one |= attack;
    }

    /// How often a square is attacked, 3 standing for more.
    #[inline(always)]
    fn count(&self, square: Square) -> usize {
        let has = |set: Bitboard| usize::from(set.has(square));
        has(self.one) + has(self.two) + has(self.three)
    }
}

/// Everything that is not about where pieces stand to a king.
pub(super) fn dynamic(p: &Position, sum: &mut impl Sum) {
    let maps = Color::BOTH.map(|color| attacks_of(p, color, sum));
    for color in Color::BOTH {
        let (own, enemy) = (&maps[color.index()], &maps[color.other().index()]);
        held(p, color, sum);
        loose(p, color, own, enemy, sum);
        if let Some(king) = p.king(color) {
            shelter(p, color, king, own, enemy, sum);
        }
    }
}

/// Attacked squares, and the freedom of the line pieces on the way.
#[inline(always)]
fn attacks_of(p: &Position, color: Color, sum: &mut impl Sum) -> Attacks {
    let (occupied, own) = (p.occupied(), p.pieces_of(color));
    let pawns = p.of(color, class::PAWN);
    // No pawn stands on its last rank, so none leaves its file.
    let pawns = match color {
        Color::Sente => Bitboard(pawns.0 >> 1),
        Color::Gote => Bitboard(pawns.0 << 1),
    };
    let none = Bitboard::EMPTY;
    let king = p.king(color).map_or(none, attacks::king);
    let mut map = Attacks { one: pawns, two: none, three: none, pawns, king };
    for from in p.of(color, class::KNIGHT) {
        map.add(attacks::knight(color, from));
    }
    for from in p.of(color, class::SILVER) {
        map.add(attacks::silver(color, from));
    }
    for from in p.of(color, class::GOLD) {
        map.add(attacks::gold(color, from));
    }
    let mut line = |row: usize, attack: Bitboard| {
        map.add(attack);
        let free = (attack & !own).len().min(17) as usize;
        sum.add(MOBILITY + row * 18 + free, sign(color));
    };
    for from in p.of(color, class::LANCE) {
        line(0, attacks::lance(color, from, occupied));
    }
    for from in p.of(color, class::BISHOP) {
        line(1, attacks::bishop(from, occupied));
    }
    for from in p.of(color, class::ROOK) {
        line(2, attacks::rook(from, occupied));
    }
    for from in p.of(color, class::HORSE) {
        line(3, attacks::bishop(from, occupied) | attacks::king(from));
    }
    for from in p.of(color, class::DRAGON) {
        line(4, attacks::rook(from, occupied) | attacks::king(from));
    }
    map
}

/// How many of each kind are in hand: the first is worth more than the tenth.
fn held(p: &Position, color: Color, sum: &mut impl Sum) {
    for (kind, n) in p.hand(color).iter() {
        sum.add(HELD + kind.index() * 19 + usize::from(n), sign(color));
    }
}

/// Pieces that may be taken.
fn loose(p: &Position, color: Color, own: &Attacks, enemy: &Attacks, sum: &mut impl Sum) {
    let attacked = p.pieces_of(color) & (enemy.one | enemy.king);
    for square in attacked {
        let kind = p.piece_at(square).expect("a piece of this side").kind();
        if !(own.one | own.king).has(square) {
            sum.add(HANGING + kind.index(), sign(color));
        }
        if enemy.pawns.has(square) {
            sum.add(PAWNED + kind.index(), sign(color));
        }
    }
}

/// Files left and ranks down, of the squares around a king.
const AROUND: [(i8, i8); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// How safe a king is: who attacks and defends each square around it, and where it may flee.
fn shelter(
    p: &Position,
    color: Color,
    king: Square,
    own: &Attacks,
    enemy: &Attacks,
    sum: &mut impl Sum,
) {
    let turn = if color == Color::Sente { 1 } else { -1 };
    let seen = if color == Color::Sente { king } else { king.turned() };
    let mirror = if seen.file() > 5 { -1 } else { 1 };
    for (direction, (files, ranks)) in AROUND.into_iter().enumerate() {
        let Some(square) = king.offset(files * turn * mirror, ranks * turn) else { continue };
        let attackers = enemy.count(square);
        let defenders = own.count(square).min(2);
        let filled = usize::from(p.pieces_of(color).has(square));
        let place = ((direction * 4 + attackers) * 3 + defenders) * 2 + filled;
        sum.add(ZONE + place, sign(color));
    }
    let flights = attacks::king(king) & !p.pieces_of(color) & !(enemy.one | enemy.king);
    let hand = p.hand(color.other());
    let big = [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook];
    let big = big.into_iter().map(|kind| usize::from(hand.count(kind))).sum::<usize>().min(3);
    sum.add(FLIGHT + flights.len() as usize * 4 + big, sign(color));
}
