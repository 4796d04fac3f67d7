//! Where pieces attack: tables for the steps, arithmetic on the occupied squares for the lines.
//!
//! Lines along ranks and diagonals meet each byte of a 128-bit board at most once (their strides
//! are 8, 9 and 10), so the subtraction of a slider from its line finds the first blocker towards
//! higher squares, and the same on the byte-swapped board towards lower squares.

use crate::bitboard::Bitboard;
use crate::moves::{Color, PieceKind, Square};

type Table = [u128; 128];

/// The bits of the squares at these (files left, ranks down) offsets.
const fn steps(square: usize, offsets: &[(i8, i8)], color: Color) -> u128 {
    let Some(from) = Square::from_index(square) else { return 0 };
    let (mut bits, mut i) = (0, 0);
    while i < offsets.len() {
        let (files, ranks) = offsets[i];
        let to = match color {
            Color::Sente => from.offset(files, ranks),
            Color::Gote => from.offset(-files, -ranks),
        };
        if let Some(to) = to {
            bits |= Bitboard::of(to).0;
        }
        i += 1;
    }
    bits
}

const fn step_table(offsets: &[(i8, i8)], color: Color) -> Table {
    let mut table = [0; 128];
    let mut square = 0;
    while square < Square::COUNT {
        table[square] = steps(square, offsets, color);
        square += 1;
    }
    table
}

const fn both(offsets: &[(i8, i8)]) -> [Table; 2] {
    [step_table(offsets, Color::Sente), step_table(offsets, Color::Gote)]
}

const KING_STEPS: [(i8, i8); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

static PAWN: [Table; 2] = both(&[(0, -1)]);
static KNIGHT: [Table; 2] = both(&[(-1, -2), (1, -2)]);
static SILVER: [Table; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]);
static GOLD: [Table; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
static KING: Table = step_table(&KING_STEPS, Color::Sente);

/// The squares of the ray from a square in a direction on an empty board.
const fn ray(square: usize, direction: (i8, i8)) -> u128 {
    let (mut bits, mut at) = (0, Square::from_index(square));
    while let Some(from) = at {
        at = from.offset(direction.0, direction.1);
        if let Some(to) = at {
            bits |= Bitboard::of(to).0;
        }
    }
    bits
}

/// The union of two rays for every square.
const fn line_table(first: (i8, i8), second: (i8, i8)) -> Table {
    let mut table = [0; 128];
    let mut square = 0;
    while square < Square::COUNT {
        table[square] = ray(square, first) | ray(square, second);
        square += 1;
    }
    table
}

static RANK: Table = line_table((-1, 0), (1, 0));
static FILE: Table = line_table((0, -1), (0, 1));
/// Stride 10: a file further left and a rank further down.
static FALLING: Table = line_table((1, 1), (-1, -1));
/// Stride 8.
static RISING: Table = line_table((1, -1), (-1, 1));
/// The part of the file before a lance, by colour.
static AHEAD: [Table; 2] = [line_table((0, -1), (0, -1)), line_table((0, 1), (0, 1))];

/// The squares strictly between two squares of a rank, file or diagonal, nothing otherwise.
static BETWEEN: [Table; 81] = {
    let mut table = [[0; 128]; 81];
    let mut from = 0;
    while from < 81 {
        let mut i = 0;
        while i < 8 {
            let mut seen = 0;
            let mut at = Square::at(from as u8).offset(KING_STEPS[i].0, KING_STEPS[i].1);
            while let Some(to) = at {
                table[from][to.index()] = seen;
                seen |= Bitboard::of(to).0;
                at = to.offset(KING_STEPS[i].0, KING_STEPS[i].1);
            }
            i += 1;
        }
        from += 1;
    }
    table
};

/// Squares from which a piece could attack a neighbour of the king on an empty board.
const fn near_table(steps: &[&Table], lines: &[&Table]) -> Table {
    let mut table = [0; 128];
    let mut king = 0;
    while king < Square::COUNT {
        let mut from = 0;
        while from < Square::COUNT {
            let (mut reach, mut i) = (0, 0);
            while i < steps.len() {
                reach |= steps[i][from];
                i += 1;
            }
            let mut i = 0;
            while i < lines.len() {
                reach |= lines[i][from];
                i += 1;
            }
            if reach & KING[king] != 0 {
                table[king] |= 1 << from;
            }
            from += 1;
        }
        king += 1;
    }
    table
}

/// By the colour of the attacker: its steppers.
static STEPPERS_NEAR: [Table; 2] =
    [near_table(&[&KING, &KNIGHT[0]], &[]), near_table(&[&KING, &KNIGHT[1]], &[])];
static LANCES_NEAR: [Table; 2] = [near_table(&[], &[&AHEAD[0]]), near_table(&[], &[&AHEAD[1]])];
static ROOKS_NEAR: Table = near_table(&[], &[&RANK, &FILE]);
static BISHOPS_NEAR: Table = near_table(&[], &[&RISING, &FALLING]);
/// By the colour of the king: squares from which a pawn, knight, silver, gold or the steps of a
/// dragon or horse could give check.
static CHECK_STEPS: [Table; 2] = [merge(&KING, &KNIGHT[0]), merge(&KING, &KNIGHT[1])];

const fn merge(a: &Table, b: &Table) -> Table {
    let mut table = [0; 128];
    let mut i = 0;
    while i < 128 {
        table[i] = a[i] | b[i];
        i += 1;
    }
    table
}

/// By colour: from these squares, the destinations on which a piece may promote.
static PROMOTES: [Table; 2] = {
    let mut tables = [[0; 128]; 2];
    let mut i = 0;
    while i < 2 * 81 {
        let color = Color::BOTH[i / 81];
        tables[i / 81][i % 81] = if Square::at((i % 81) as u8).in_zone(color) {
            Bitboard::ALL.0
        } else {
            Bitboard::far_ranks(color, 3).0
        };
        i += 1;
    }
    tables
};

#[inline(always)]
fn get(table: &Table, square: Square) -> Bitboard {
    // Tables have 128 entries so that this needs no bounds check.
    Bitboard(table[square.index() & 127])
}

/// Attack of a king.
#[inline(always)]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    get(&KING, square)
}

/// Attack of a pawn.
#[inline(always)]
#[must_use]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    get(&PAWN[color.index()], square)
}

/// Attack of a knight.
#[inline(always)]
#[must_use]
pub fn knight(color: Color, square: Square) -> Bitboard {
    get(&KNIGHT[color.index()], square)
}

/// Attack of a silver.
#[inline(always)]
#[must_use]
pub fn silver(color: Color, square: Square) -> Bitboard {
    get(&SILVER[color.index()], square)
}

/// Attack of a gold and of what moves like one.
#[inline(always)]
#[must_use]
pub fn gold(color: Color, square: Square) -> Bitboard {
    get(&GOLD[color.index()], square)
}

/// The squares before a lance on an empty board.
#[inline(always)]
#[must_use]
pub fn ahead(color: Color, square: Square) -> Bitboard {
    get(&AHEAD[color.index()], square)
}

/// The rook's lines on an empty board.
#[inline(always)]
#[must_use]
pub fn rook_lines(square: Square) -> Bitboard {
    get(&RANK, square) | get(&FILE, square)
}

/// The bishop's lines on an empty board.
#[inline(always)]
#[must_use]
pub fn bishop_lines(square: Square) -> Bitboard {
    get(&RISING, square) | get(&FALLING, square)
}

/// The squares strictly between two squares on a line, nothing if they are on none.
#[inline(always)]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    get(&BETWEEN[a.index()], b)
}

/// The first occupied square towards higher squares and all before it, on one line.
#[inline(always)]
fn up(line: u128, occupied: u128, bit: u128) -> u128 {
    let blockers = occupied & line;
    (blockers.wrapping_sub(bit << 1) ^ blockers) & line
}

/// The same towards lower squares of a file; `line` is the part of the file below the square.
#[inline(always)]
fn down(line: u128, occupied: u128, bit: u128) -> u128 {
    // The lowest square of the line blocks like an occupied one; the 1 keeps an empty line legal.
    let blockers = occupied & line | line & line.wrapping_neg() | 1;
    bit.wrapping_sub(1 << (127 - blockers.leading_zeros())) & line
}

/// Both directions of a rank or diagonal.
#[inline(always)]
fn line(line: u128, occupied: u128, bit: u128) -> u128 {
    let blockers = occupied & line;
    let upwards = blockers.wrapping_sub(bit);
    let downwards = blockers.swap_bytes().wrapping_sub(bit.swap_bytes()).swap_bytes();
    (upwards ^ downwards) & line
}

/// Attack of a lance.
#[inline(always)]
#[must_use]
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let (ahead, bit) = (ahead(color, square).0, Bitboard::of(square).0);
    Bitboard(match color {
        Color::Sente => down(ahead, occupied.0, bit),
        Color::Gote => up(ahead, occupied.0, bit),
    })
}

/// Attack of a rook.
#[inline(always)]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let (bit, occ) = (Bitboard::of(square).0, occupied.0);
    Bitboard(
        line(get(&RANK, square).0, occ, bit)
            | up(AHEAD[1][square.index() & 127], occ, bit)
            | down(AHEAD[0][square.index() & 127], occ, bit),
    )
}

/// Attack of a bishop.
#[inline(always)]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let (bit, occ) = (Bitboard::of(square).0, occupied.0);
    Bitboard(line(get(&RISING, square).0, occ, bit) | line(get(&FALLING, square).0, occ, bit))
}

/// Attack of any piece.
#[must_use]
pub fn piece(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, square),
        PieceKind::Lance => lance(color, square, occupied),
        PieceKind::Knight => knight(color, square),
        PieceKind::Silver => silver(color, square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::King => king(square),
        PieceKind::Horse => bishop(square, occupied) | king(square),
        PieceKind::Dragon => rook(square, occupied) | king(square),
        PieceKind::Gold
        | PieceKind::PromotedPawn
        | PieceKind::PromotedLance
        | PieceKind::PromotedKnight
        | PieceKind::PromotedSilver => gold(color, square),
    }
}

/// Squares from which a stepping piece of `attacker` (pawn to king, not a lance) could attack a
/// neighbour of the king on `king`.
#[inline(always)]
pub(crate) fn steppers_near(attacker: Color, king: Square) -> Bitboard {
    get(&STEPPERS_NEAR[attacker.index()], king)
}

/// The same for a lance.
#[inline(always)]
pub(crate) fn lances_near(attacker: Color, king: Square) -> Bitboard {
    get(&LANCES_NEAR[attacker.index()], king)
}

/// The same for the lines of rook and dragon.
#[inline(always)]
pub(crate) fn rooks_near(king: Square) -> Bitboard {
    get(&ROOKS_NEAR, king)
}

/// The same for the lines of bishop and horse.
#[inline(always)]
pub(crate) fn bishops_near(king: Square) -> Bitboard {
    get(&BISHOPS_NEAR, king)
}

/// Squares from which a stepping piece could check the king of `color` on `king`.
#[inline(always)]
pub(crate) fn check_steps(color: Color, king: Square) -> Bitboard {
    get(&CHECK_STEPS[color.index()], king)
}

/// The destinations on which a piece leaving `from` may promote.
#[inline(always)]
pub(crate) fn promotes(color: Color, from: Square) -> Bitboard {
    get(&PROMOTES[color.index()], from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks one ray square by square.
    fn walk(from: Square, direction: (i8, i8), occupied: Bitboard) -> Bitboard {
        let (mut seen, mut at) = (Bitboard::EMPTY, from.offset(direction.0, direction.1));
        while let Some(to) = at {
            seen |= Bitboard::of(to);
            at = if occupied.has(to) { None } else { to.offset(direction.0, direction.1) };
        }
        seen
    }

    #[test]
    fn lines_stop_at_the_first_piece() {
        let mut random = 1_u128;
        for round in 0..3_000 {
            random = random.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
            let mut occupied = Bitboard(random >> 47);
            if round % 2 == 0 {
                occupied &= Bitboard(random.rotate_left(41) >> 17);
            }
            for square in Square::all() {
                let ray = |d| walk(square, d, occupied);
                let rook_seen = ray((1, 0)) | ray((-1, 0)) | ray((0, 1)) | ray((0, -1));
                let bishop_seen = ray((1, 1)) | ray((-1, -1)) | ray((1, -1)) | ray((-1, 1));
                assert_eq!(rook(square, occupied), rook_seen);
                assert_eq!(bishop(square, occupied), bishop_seen);
                assert_eq!(lance(Color::Sente, square, occupied), ray((0, -1)));
                assert_eq!(lance(Color::Gote, square, occupied), ray((0, 1)));
            }
        }
    }

    #[test]
    fn between_is_symmetric_and_open() {
        for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            assert_eq!(between(a, b), between(b, a));
            let both = Bitboard::of(a) | Bitboard::of(b);
            let lines = rook(a, both) & rook(b, both) | bishop(a, both) & bishop(b, both);
            if between(a, b).is_empty() {
                continue;
            }
            assert!((rook_lines(a) | bishop_lines(a)).has(b));
            assert_eq!(between(a, b) & lines, between(a, b));
            assert!((between(a, b) & both).is_empty());
        }
    }
}
