//! Alpha-beta: principal variation search with a transposition table, exact at the end.

use super::board::{Board, Squares};
use super::eval::{self, Weights};
use super::geometry::Geometry;
use crate::engine::level::Level;
use kiban_core::Bound;
use kiban_search::{Budget, Hit, Random, TranspositionTable};

/// A disc, in the units of points.
pub(super) const DISC: i32 = 100;
/// The depth of a value that no deeper search can change.
const SOLVED: u8 = u8::MAX;
/// Beyond every value.
pub(super) const INFINITE: i32 = 1_000_000;
/// Below so many empties the table and the sorting cost more than they save.
const FEW: u32 = 7;
/// Below this depth moves are ordered by their squares alone.
const SORTED_DEPTH: u8 = 2;

/// One search of one position.
pub(super) struct Search<'a, B: Board> {
    pub(super) geometry: Geometry<B::Set>,
    pub(super) weights: Weights,
    pub(super) fewest: bool,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) budget: Budget,
    pub(super) table: &'a mut TranspositionTable,
}

/// A move with the position after it.
#[derive(Clone, Copy)]
pub(super) struct Next<B> {
    pub(super) square: u32,
    pub(super) board: B,
    order: i32,
}

impl<B: Board> Search<'_, B> {
    /// The value of a finished game, for the side to move.
    pub(super) fn result(&self, board: &B) -> i32 {
        let (own, enemy) = (board.own().count() as i32, board.enemy().count() as i32);
        let empty = board.empties().count() as i32;
        DISC * match own.cmp(&enemy) {
            _ if self.fewest => enemy - own,
            std::cmp::Ordering::Greater => own - enemy + empty,
            std::cmp::Ordering::Less => own - enemy - empty,
            std::cmp::Ordering::Equal => 0,
        }
    }

    /// Judges a position, always short of what a won game can give.
    fn judged(&self, board: &B, moves: B::Set) -> i32 {
        let Level { greed, wavers, .. } = self.level;
        let mut points = eval::worth(board, moves, &self.geometry, &self.weights);
        if greed != 0 {
            let lead = board.own().count() as i32 - board.enemy().count() as i32;
            points += greed * if self.fewest { -lead } else { lead };
        }
        if wavers != 0 {
            let spread = 2 * wavers as u64 + 1;
            points += (Random::new(board.hash() ^ self.seed).next_u64() % spread) as i32 - wavers;
        }
        let most = (self.geometry.size * self.geometry.size) as i32 * DISC - 1;
        points.clamp(-most, most)
    }

    /// The moves of a set, best guesses first. `guess` is the table's.
    pub(super) fn sorted(
        &self,
        board: &B,
        moves: B::Set,
        guess: Option<u32>,
        deep: bool,
    ) -> Vec<Next<B>> {
        let after = |square: u32| {
            let next = board.played(square);
            let promise = self.geometry.promise[square as usize];
            let mut order = if self.fewest { -promise } else { promise };
            if deep {
                let moves = next.moves();
                order -= 8 * moves.count() as i32;
                if !self.fewest {
                    order -= 16 * (moves & self.geometry.all_corners).count() as i32;
                }
            }
            if guess == Some(square) {
                order = i32::MAX;
            }
            Next { square, board: next, order }
        };
        let mut nexts: Vec<Next<B>> = moves.each().map(after).collect();
        nexts.sort_by_key(|next| std::cmp::Reverse(next.order));
        if self.level.overlooks > 0 {
            self.overlook(board, &mut nexts);
        }
        nexts
    }

    /// Removes what a player of this level does not see: quiet moves sooner than big turns and
    /// corners, the same ones each time the position comes up.
    fn overlook(&self, board: &B, nexts: &mut Vec<Next<B>>) {
        let before = board.enemy().count();
        let seen = |next: &Next<B>| {
            let turned = before - next.board.own().count();
            let corner = !(B::Set::of(next.square) & self.geometry.all_corners).is_empty();
            let salience = turned + if corner { 8 } else { 0 };
            let key = next.board.hash() ^ self.seed.rotate_left(32);
            let chance = Random::new(key).next_u64() % 1000;
            chance >= u64::from(self.level.overlooks * 4 / (3 + salience))
        };
        if nexts.iter().any(seen) {
            nexts.retain(seen);
        }
    }

    /// The value of a position `depth` plies deep, within a window; anything once the budget is
    /// over. A pass costs no depth.
    pub(super) fn value(&mut self, board: &B, depth: u8, mut alpha: i32, beta: i32) -> i32 {
        if !self.budget.spend() {
            return 0;
        }
        let empties = board.empties().count();
        if u32::from(depth) >= empties {
            return self.solved(board, alpha, beta, false);
        }
        let moves = board.moves();
        if moves.is_empty() {
            let passed = board.passed();
            if passed.moves().is_empty() {
                return self.result(board);
            }
            return -self.value(&passed, depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.judged(board, moves);
        }
        let key = board.hash();
        let known = self.table.probe(key);
        if let Some(found) = known.filter(|f| f.depth != SOLVED && f.depth >= depth)
            && let Some(points) = cut(&found, alpha, beta)
        {
            return points;
        }
        let sorted = self.sorted(board, moves, known.map(best_square), depth >= SORTED_DEPTH);
        let (mut best, mut square, floor) = (-INFINITE, 0, alpha);
        for (i, next) in sorted.iter().enumerate() {
            let points = self.of_next(i == 0, alpha, beta, |search, alpha, beta| {
                search.value(&next.board, depth - 1, alpha, beta)
            });
            if self.budget.is_out() {
                return 0;
            }
            if points > best {
                (best, square) = (points, next.square);
                alpha = alpha.max(points);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.keep(key, depth, best, square, floor, beta);
        best
    }

    /// A move's value by principal variation search: the first with the whole window, the others
    /// with an empty one unless they turn out better.
    fn of_next(
        &mut self,
        first: bool,
        alpha: i32,
        beta: i32,
        mut below: impl FnMut(&mut Self, i32, i32) -> i32,
    ) -> i32 {
        if !first {
            let points = -below(self, -alpha - 1, -alpha);
            if points <= alpha || points >= beta || self.budget.is_out() {
                return points;
            }
        }
        -below(self, -beta, -alpha)
    }

    fn keep(&mut self, key: u64, depth: u8, points: i32, square: u32, floor: i32, beta: i32) {
        let bound = match points {
            _ if points >= beta => Bound::Lower,
            _ if points <= floor => Bound::Upper,
            _ => Bound::Exact,
        };
        // 100 squares of 100 points each fit in 16 bits; best 0 means none.
        self.table.store(key, Hit { best: square as u16 + 1, score: points as i16, depth, bound });
    }

    /// The exact value of a position at the end of the game, within a window. `passed` says that
    /// the other side has just passed.
    pub(super) fn solved(&mut self, board: &B, mut alpha: i32, beta: i32, passed: bool) -> i32 {
        if !self.budget.spend() {
            return 0;
        }
        let moves = board.moves();
        if moves.is_empty() {
            if passed || board.empties().is_empty() {
                return self.result(board);
            }
            return -self.solved(&board.passed(), -beta, -alpha, true);
        }
        if board.empties().count() < FEW {
            return self.solved_few(board, moves, alpha, beta);
        }
        let key = board.hash();
        let known = self.table.probe(key);
        if let Some(found) = known.filter(|f| f.depth == SOLVED)
            && let Some(points) = cut(&found, alpha, beta)
        {
            return points;
        }
        let sorted = self.sorted(board, moves, known.map(best_square), true);
        let (mut best, mut square, floor) = (-INFINITE, 0, alpha);
        for (i, next) in sorted.iter().enumerate() {
            let points = self.of_next(i == 0, alpha, beta, |search, alpha, beta| {
                search.solved(&next.board, alpha, beta, false)
            });
            if self.budget.is_out() {
                return 0;
            }
            if points > best {
                (best, square) = (points, next.square);
                alpha = alpha.max(points);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.keep(key, SOLVED, best, square, floor, beta);
        best
    }

    /// The last few squares: those in quarters with an odd number of empties first, since they
    /// give the last word there.
    fn solved_few(&mut self, board: &B, moves: B::Set, mut alpha: i32, beta: i32) -> i32 {
        let empties = board.empties();
        let odd = self.geometry.quadrants.iter().filter(|q| (**q & empties).count() % 2 == 1);
        let odd = odd.fold(B::Set::NONE, |all, q| all | *q);
        let mut best = -INFINITE;
        for square in (moves & odd).each().chain((moves & !odd).each()) {
            let points = -self.solved(&board.played(square), -beta, -alpha, false);
            if self.budget.is_out() {
                return 0;
            }
            best = best.max(points);
            alpha = alpha.max(points);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The value a table entry gives within a window, if it decides.
fn cut(found: &Hit, alpha: i32, beta: i32) -> Option<i32> {
    let points = i32::from(found.score);
    let decides = match found.bound {
        Bound::Exact => true,
        Bound::Lower => points >= beta,
        Bound::Upper => points <= alpha,
    };
    decides.then_some(points)
}

/// The best move of a table entry; every entry of this search has one.
pub(super) fn best_square(found: Hit) -> u32 {
    u32::from(found.best) - 1
}
