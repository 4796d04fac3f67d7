//! The last squares, solved without any judgement: null windows, in discs.

use super::search::{Next, Search, tag_of_solved};
use super::stability::stable;
use crate::bitboard::{Board8, Isa, Job};
use kiban_core::Bound;
use kiban_search::Hit;

/// Up to so many empties the table and the sorting cost more than they save.
pub(super) const FEW: u32 = 6;
/// The corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside the corners.
pub(super) const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// Worse than all discs.
const NONE: i32 = -65;

/// The result of a finished game for the side to move, in discs; empty squares are the winner's.
#[inline(always)]
pub(super) fn result(board: Board8) -> i32 {
    let (own, enemy) = (board.own.count_ones() as i32, board.enemy.count_ones() as i32);
    match own.cmp(&enemy) {
        std::cmp::Ordering::Greater => 64 - 2 * enemy,
        std::cmp::Ordering::Less => 2 * own - 64,
        std::cmp::Ordering::Equal => 0,
    }
}

/// The empty squares in quarters of the board with an odd number of them.
#[inline(always)]
fn odd_quarters(empties: u64) -> u64 {
    let mut x = empties ^ empties >> 1;
    x ^= x >> 2;
    x ^= x >> 8;
    x ^= x >> 16;
    // One bit a quarter is left; every bit is spread over its four by four squares.
    (x & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f) & empties
}

/// Sorts by what makes the other side's choice small; the last word in a quarter comes next.
#[inline(always)]
fn promise(moves: u64, square: u32, odd: u64) -> i32 {
    let bit = 1u64 << square;
    let choice = (moves.count_ones() + (moves & CORNERS).count_ones()) as i32;
    let mut order = -8 * choice;
    if bit & odd != 0 {
        order += 6;
    }
    if bit & CORNERS != 0 {
        order += 10;
    } else if bit & X_SQUARES != 0 {
        order -= 6;
    }
    order
}

/// Solves a board within a null window above `alpha`.
pub(super) struct Deep<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) board: Board8,
    pub(super) alpha: i32,
}

impl Job for Deep<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Deep { search, board, alpha } = self;
        let empties = board.empties();
        if empties.count_ones() <= FEW {
            return isa.run(Few { search, board, alpha });
        }
        if !search.budget.spend() {
            return 0;
        }
        let moves = board.moves(isa);
        if moves == 0 {
            let board = board.pass();
            if board.moves(isa) == 0 {
                return -result(board);
            }
            return -isa.run(Deep { search, board, alpha: -alpha - 1 });
        }
        if let Some(most) = capped(board, alpha) {
            return most;
        }
        let (key, tag) = (search.key(board), tag_of_solved(empties.count_ones()));
        let known = search.table.probe(key);
        if let Some(found) = known.filter(|found| found.depth >= tag) {
            let points = i32::from(found.score) / 100;
            let decides = match found.bound {
                Bound::Exact => true,
                Bound::Lower => points > alpha,
                Bound::Upper => points <= alpha,
            };
            if decides {
                return points;
            }
        }
        let guess = known.map_or(64, |found| u32::from(found.best).wrapping_sub(1));
        let base = search.stack.len();
        push_promising(search, isa, board, moves, guess);
        let (mut best, mut chosen) = (NONE, 0);
        for at in base..search.stack.len() {
            let next = search.bring_best(at);
            let child = board.play(next.square, next.flips);
            let points = -isa.run(Deep { search, board: child, alpha: -alpha - 1 });
            if search.budget.is_out() {
                search.stack.truncate(base);
                return 0;
            }
            if points > best {
                (best, chosen) = (points, next.square);
                if points > alpha {
                    break;
                }
            }
        }
        search.stack.truncate(base);
        let bound = if best > alpha { Bound::Lower } else { Bound::Upper };
        let hit = Hit { best: chosen as u16 + 1, score: best as i16 * 100, depth: tag, bound };
        search.table.store(key, hit);
        best
    }
}

/// Puts the moves onto the stack with what they promise.
#[inline(always)]
fn push_promising<I: Isa>(
    search: &mut Search<'_>,
    isa: I,
    board: Board8,
    mut moves: u64,
    guess: u32,
) {
    let odd = odd_quarters(board.empties());
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        let flips = board.flips(isa, square);
        let choice = board.play(square, flips).moves(isa);
        let order = if square == guess { i32::MAX } else { promise(choice, square, odd) };
        search.stack.push(Next { square, flips, order });
    }
}

/// The most the side to move can still reach, if that is not above `alpha`.
#[inline(always)]
pub(super) fn capped(board: Board8, alpha: i32) -> Option<i32> {
    // Seldom does a side hold more than half the board for good.
    if alpha < 0 {
        return None;
    }
    let most = 64 - 2 * stable(board.enemy, board.own).count_ones() as i32;
    (most <= alpha).then_some(most)
}

/// The same for a few empties, ordered by the quarters alone.
struct Few<'s, 'a> {
    search: &'s mut Search<'a>,
    board: Board8,
    alpha: i32,
}

impl Job for Few<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Few { search, board, alpha } = self;
        let empties = board.empties();
        if empties.count_ones() <= 4 {
            return isa.run(Last { board, alpha });
        }
        if !search.budget.spend() {
            return 0;
        }
        let moves = board.moves(isa);
        if moves == 0 {
            let board = board.pass();
            if board.moves(isa) == 0 {
                return -result(board);
            }
            return -isa.run(Few { search, board, alpha: -alpha - 1 });
        }
        if let Some(most) = capped(board, alpha) {
            return most;
        }
        let odd = odd_quarters(empties);
        let mut best = NONE;
        for mut moves in [moves & odd, moves & !odd] {
            while moves != 0 {
                let square = moves.trailing_zeros();
                moves &= moves - 1;
                let child = board.play(square, board.flips(isa, square));
                let points = -if child.empties().count_ones() <= 4 {
                    isa.run(Last { board: child, alpha: -alpha - 1 })
                } else {
                    isa.run(Few { search: &mut *search, board: child, alpha: -alpha - 1 })
                };
                best = best.max(points);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }
}

/// The same for the last four empties or less, which count as one node: nothing is stored, no
/// limit is looked at.
struct Last {
    board: Board8,
    alpha: i32,
}

impl Job for Last {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Last { board, alpha } = self;
        let empties = board.empties();
        match empties.count_ones() {
            0 => return result(board),
            1 => return one(isa, board),
            2 => return two(isa, board, alpha),
            _ => {}
        }
        let odd = odd_quarters(empties);
        let near = beside(board.enemy);
        let mut best = NONE;
        for mut squares in [odd & near, empties & !odd & near] {
            while squares != 0 {
                let square = squares.trailing_zeros();
                squares &= squares - 1;
                let flips = board.flips(isa, square);
                if flips == 0 {
                    continue;
                }
                let child = board.play(square, flips);
                let points = -isa.run(Last { board: child, alpha: -alpha - 1 });
                best = best.max(points);
                if best > alpha {
                    return best;
                }
            }
        }
        if best != NONE {
            return best;
        }
        let board = board.pass();
        if board.moves(isa) == 0 {
            return -result(board);
        }
        -isa.run(Last { board, alpha: -alpha - 1 })
    }
}

/// The squares beside these, and these.
#[inline(always)]
fn beside(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = set | (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    row | row << 8 | row >> 8
}

/// Two empties.
#[inline(always)]
fn two<I: Isa>(isa: I, board: Board8, alpha: i32) -> i32 {
    let best = two_of_mover(isa, board, alpha);
    if best != NONE {
        return best;
    }
    match two_of_mover(isa, board.pass(), -alpha - 1) {
        NONE => result(board),
        best => -best,
    }
}

/// Two empties, if the side to move can move.
#[inline(always)]
fn two_of_mover<I: Isa>(isa: I, board: Board8, alpha: i32) -> i32 {
    let mut best = NONE;
    let mut squares = board.empties();
    while squares != 0 {
        let square = squares.trailing_zeros();
        squares &= squares - 1;
        let flips = board.flips(isa, square);
        if flips != 0 {
            best = best.max(-one(isa, board.play(square, flips)));
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// One empty: the discs turned on it are counted, not turned.
#[inline(always)]
fn one<I: Isa>(isa: I, board: Board8) -> i32 {
    let square = board.empties().trailing_zeros();
    let own = board.own.count_ones() as i32;
    let turned = board.flips(isa, square).count_ones() as i32;
    if turned != 0 {
        return 2 * (own + turned + 1) - 64;
    }
    let lost = board.pass().flips(isa, square).count_ones() as i32;
    if lost != 0 {
        return 2 * (own - lost) - 64;
    }
    // 63 discs are never halved.
    if own > 31 { 2 * own - 62 } else { 2 * own - 64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_told_apart() {
        for (empties, odd) in [
            (0x1, 0x1),
            (0x3, 0x0),
            (0x10_0000_0013, 0x10_0000_0010),
            (0x8000_0000_0000_0000, 0x8000_0000_0000_0000),
            (0x0f0f_0f0f, 0),
            (0x0000_0008_0010_0007, 0x0000_0008_0010_0007),
        ] {
            assert_eq!(odd_quarters(empties), odd, "{empties:x}");
        }
    }
}
