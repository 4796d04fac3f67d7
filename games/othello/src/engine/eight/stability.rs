//! Discs that can never be turned again.

use std::sync::LazyLock;

/// By the discs on an edge, as numbers to the base of three: the own discs that no play along the
/// edge can turn.
static EDGES: LazyLock<Vec<u8>> = LazyLock::new(edges);
/// The bits of a line as digits to the base of three.
static TERNARY: [u16; 256] = ternary();

const fn ternary() -> [u16; 256] {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut i, mut power) = (0, 1);
        while i < 8 {
            if bits >> i & 1 != 0 {
                table[bits] += power;
            }
            power *= 3;
            i += 1;
        }
        bits += 1;
    }
    table
}

fn number(own: u8, enemy: u8) -> usize {
    usize::from(TERNARY[usize::from(own)]) + 2 * usize::from(TERNARY[usize::from(enemy)])
}

/// Fuller edges first: whoever places a disc on a less full one, it becomes a fuller one.
fn edges() -> Vec<u8> {
    let mut table = vec![0; 6561];
    for empty in 0..=8 {
        for discs in (0..=255u8).filter(|discs| discs.count_zeros() == empty) {
            // All subsets of the discs.
            let mut own = discs;
            loop {
                table[number(own, discs & !own)] = of_edge(&table, own, discs & !own);
                if own == 0 {
                    break;
                }
                own = (own - 1) & discs;
            }
        }
    }
    table
}

fn of_edge(table: &[u8], own: u8, enemy: u8) -> u8 {
    let mut stable = own;
    for square in (0..8).filter(|square| (own | enemy) >> square & 1 == 0) {
        let (mine, theirs) = placed(own, enemy, square);
        stable &= table[number(mine, theirs)];
        let (theirs, mine) = placed(enemy, own, square);
        stable &= table[number(mine, theirs)];
    }
    stable
}

/// An edge after a side placed a disc there, turning what it outflanks along the edge or nothing.
fn placed(own: u8, enemy: u8, square: i32) -> (u8, u8) {
    let mut turned = 0u8;
    for step in [1, -1] {
        let (mut at, mut run) = (square + step, 0);
        while (0..8).contains(&at) && enemy >> at & 1 != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 != 0 {
            turned |= run;
        }
    }
    (own | turned | 1 << square, enemy & !turned)
}

/// The bits of a file, a1 lowest, moved onto a line.
#[inline(always)]
fn file(set: u64, by: u32) -> usize {
    ((set >> by & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

/// The bits of a line moved onto the first file.
#[inline(always)]
fn onto_file(line: u8) -> u64 {
    // Seven copies of seven bits each do not run into each other; the eighth bit goes alone.
    let low = u64::from(line & 0x7f).wrapping_mul(0x0002_0408_1020_4081);
    (low | u64::from(line >> 7) << 56) & 0x0101_0101_0101_0101
}

#[inline(always)]
fn of_line(own: usize, enemy: usize) -> u8 {
    EDGES[usize::from(TERNARY[own & 255]) + 2 * usize::from(TERNARY[enemy & 255])]
}

/// The squares whose line in each direction is full: along ranks, files and both diagonals.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut ranks = discs & discs >> 4;
    ranks &= ranks >> 2;
    ranks &= ranks >> 1;
    let ranks = (ranks & 0x0101_0101_0101_0101).wrapping_mul(0xff);
    let mut files = discs & discs.rotate_right(8);
    files &= files.rotate_right(16);
    files &= files.rotate_right(32);
    [ranks, files, full::<9>(discs), full::<7>(discs)]
}

/// Full diagonals: what is empty spreads along them.
#[inline(always)]
fn full<const STEP: u32>(discs: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (up, down) = if STEP == 9 { (NOT_A, NOT_H) } else { (NOT_H, NOT_A) };
    let (mut rising, mut falling) = (!discs, !discs);
    let (mut through_up, mut through_down) = (up, down);
    let mut step = STEP;
    for _ in 0..3 {
        rising |= through_up & rising << step;
        falling |= through_down & falling >> step;
        through_up &= through_up << step;
        through_down &= through_down >> step;
        step *= 2;
    }
    !(rising | falling)
}

/// The discs of a side that surely stay: on the edges, on squares all of whose lines are full, and
/// those that lean on such discs along all four lines.
#[inline(always)]
pub(super) fn stable(own: u64, enemy: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
    let edge = |at: u32| of_line((own >> at) as usize, (enemy >> at) as usize);
    let mut stable = u64::from(edge(0)) | u64::from(edge(56)) << 56;
    stable |= onto_file(of_line(file(own, 0), file(enemy, 0)));
    stable |= onto_file(of_line(file(own, 7), file(enemy, 7))) << 7;
    let [ranks, files, rising, falling] = full_lines(own | enemy);
    let inner = own & INNER;
    stable |= inner & ranks & files & rising & falling;
    while stable != 0 {
        let along = stable >> 1 & NOT_H | stable << 1 & NOT_A | ranks;
        let across = stable >> 8 | stable << 8 | files;
        let up = stable >> 9 & NOT_H | stable << 9 & NOT_A | rising;
        let down = stable >> 7 & NOT_A | stable << 7 & NOT_H | falling;
        let more = inner & !stable & along & across & up & down;
        if more == 0 {
            break;
        }
        stable |= more;
    }
    stable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::{Board8, Isa, Portable};
    use kiban_search::Random;

    #[test]
    fn lines_and_files() {
        assert_eq!(of_line(0b1, 0b10), 0b1);
        assert_eq!(of_line(0b11, 0b100), 0b11);
        assert_eq!(of_line(0b110, 0b1000), 0);
        assert_eq!(of_line(0b1100_0011, 0b0011_1100), 0b1100_0011);
        for line in 0..=255u8 {
            assert_eq!(file(onto_file(line), 0), usize::from(line));
        }
        let square = |file: u32, rank: u32| 1u64 << (rank * 8 + file);
        let hole = square(3, 1);
        let [ranks, files, rising, falling] = full_lines(!hole);
        assert_eq!(!ranks, 0xff00);
        assert_eq!(!files, 0x0808_0808_0808_0808);
        let diagonal = (0..6).fold(0, |all, i| all | square(2 + i, i));
        assert_eq!(!rising, diagonal);
        let diagonal = (0..5).fold(0, |all, i| all | square(4 - i, i));
        assert_eq!(!falling, diagonal);
    }

    /// What is called stable is never turned, however the game goes on.
    #[test]
    fn stable_discs_stay() {
        let mut random = Random::new(3);
        let mut seen = 0;
        for _ in 0..300 {
            let mut board = Board8 { own: 0x0000_0008_1000_0000, enemy: 0x0000_0010_0800_0000 };
            let mut kept = [0u64; 2];
            let mut side = 0;
            loop {
                let mut moves = Portable.moves(board);
                if moves == 0 {
                    (board, side) = (board.pass(), 1 - side);
                    moves = Portable.moves(board);
                    if moves == 0 {
                        break;
                    }
                }
                kept[side] |= stable(board.own, board.enemy);
                kept[1 - side] |= stable(board.enemy, board.own);
                assert_eq!(kept[side] & !board.own, 0);
                assert_eq!(kept[1 - side] & !board.enemy, 0);
                for _ in 0..random.below(moves.count_ones() as usize) {
                    moves &= moves - 1;
                }
                let square = moves.trailing_zeros();
                board = board.play(square, Portable.flips(board, square));
                side = 1 - side;
            }
            seen += kept[0].count_ones() + kept[1].count_ones();
        }
        assert!(seen > 1000, "{seen}");
    }
}
