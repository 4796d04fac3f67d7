//! Alpha-beta: principal variation search with a transposition table.

use super::eval;
use super::level::Level;
use crate::{Morris, Move, Position};
use kiban_core::{Bound, Outcome, Rules};
use kiban_search::{
    Budget, History, Hit, INFINITE, Killers, Lines, Random, TranspositionTable, Tree, Window,
};

/// A won game, less a point for each ply until its end.
pub(super) const WIN: i32 = 30_000;
/// The most plies a search goes down.
pub(super) const LONGEST: u8 = 100;
/// Beyond this a score is a win or loss in so many plies.
const DECIDED: i32 = WIN - 1000;
/// From this depth on late quiet moves are first looked at less deeply.
const REDUCED_FROM: u8 = 3;
/// Moves looked at before any counts as late.
const LATE: usize = 6;
/// Rows of the history: a point each, and one for men in hand.
const ROWS: usize = crate::POINTS + 1;

/// Plies until the end, for the score of a decided game.
pub(super) fn won_in(score: i32) -> Option<u32> {
    (score.abs() > DECIDED && score.abs() <= WIN).then(|| (WIN - score.abs()) as u32)
}

/// One search of one position.
pub(super) struct Search<'a> {
    rules: Morris,
    root: Position,
    level: Level,
    seed: u64,
    budget: Budget,
    table: &'a TranspositionTable,
    history: History,
    killers: Killers<Move>,
    lines: Lines<Move>,
    /// Positions since the last placing or removal, those of the game first.
    path: Vec<u64>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        rules: Morris,
        root: Position,
        before: &[Position],
        level: Level,
        seed: u64,
        budget: Budget,
        table: &'a TranspositionTable,
    ) -> Search<'a> {
        let plies = usize::from(LONGEST) + 2;
        Search {
            rules,
            root,
            level,
            seed,
            budget,
            table,
            history: History::new(ROWS, crate::POINTS),
            killers: Killers::new(plies),
            lines: Lines::new(plies),
            path: before.iter().map(Position::key).collect(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// Brings the root's moves into order, best guesses first.
    pub(super) fn sort_root(&self, moves: &mut [Move]) {
        moves.sort_by_key(|m| {
            let mut next = self.root;
            next.play(*m);
            let closes = !self.rules.mills_closed(&self.root, *m).is_empty();
            (!closes, self.judged(&next))
        });
    }

    /// Judges a position, always short of a decided game.
    fn judged(&self, p: &Position) -> i32 {
        let mut points = eval::worth(self.rules, p);
        if self.level.wavers != 0 {
            let spread = 2 * self.level.wavers as u64 + 1;
            let chance = Random::new(p.key() ^ self.seed.rotate_left(32)).next_u64() % spread;
            points += chance as i32 - self.level.wavers;
        }
        points.clamp(-DECIDED + 1, DECIDED - 1)
    }

    /// Whether a player of this level misses a reply of the rival, the same ones each time.
    fn overlooked(&self, p: &Position, m: Move) -> bool {
        let number = |point: Option<u8>| u64::from(point.unwrap_or(31));
        let reply = number(m.from) | number(m.to) << 5 | number(m.takes[0]) << 10;
        let key = p.key() ^ self.seed.rotate_left(16) ^ reply << 40;
        Random::new(key).next_u64() % 1000 < u64::from(self.level.overlooks)
    }

    /// A win, loss or draw that needs no search.
    fn over(&self, p: &Position, moves: &[Move], ply: usize) -> Option<i32> {
        if moves.is_empty() {
            return Some(match self.rules.ended(p) {
                Some(Outcome::Win { seats, .. }) if seats.has(p.to_move) => WIN - ply as i32,
                Some(Outcome::Win { .. }) => ply as i32 - WIN,
                _ => 0,
            });
        }
        // Seen once is as good as three times: whoever is better off would turn aside. A pass, which
        // is no slide, can stand between any two of them.
        let since = self.path.iter().rev().skip(1).take(2 * usize::from(p.slides));
        let repeated = since.into_iter().any(|seen| *seen == p.key());
        (repeated || self.rules.quiet_too_long(p)).then_some(0)
    }

    fn order(&self, ply: usize, moves: &mut [(usize, Move)], guess: Option<usize>) {
        let killers = self.killers.of(ply);
        let key = |(i, m): &(usize, Move)| {
            let worth = if Some(*i) == guess {
                i32::MAX
            } else if m.takes[0].is_some() {
                1 << 20
            } else if killers.contains(&Some(*m)) {
                1 << 18
            } else {
                let (row, column) = slot(*m);
                self.history.get(row, column)
            };
            std::cmp::Reverse(worth)
        };
        moves.sort_by_cached_key(key);
    }

    /// The value of the position after the root's first moves, within a window; anything once the
    /// budget is over.
    fn value(&mut self, p: &Position, depth: u8, ply: usize, window: Window) -> i32 {
        self.lines.cut(ply);
        if !self.budget.spend() {
            return 0;
        }
        let Window { mut alpha, beta } = window;
        let list = self.rules.moves(p);
        if let Some(points) = self.over(p, &list, ply) {
            return points;
        }
        if depth == 0 || ply >= usize::from(LONGEST) {
            return self.judged(p);
        }
        let key = Random::new(p.key()).next_u64();
        let known = self.table.probe(key);
        if let Some(found) = known.filter(|f| f.depth >= depth)
            && let Some(points) = cut(&found, ply, window)
        {
            return points;
        }
        let mut moves: Vec<(usize, Move)> = list.into_iter().enumerate().collect();
        if ply == 1 && self.level.overlooks > 0 {
            let seen: Vec<_> =
                moves.iter().filter(|(_, m)| !self.overlooked(p, *m)).copied().collect();
            if !seen.is_empty() {
                moves = seen;
            }
        }
        self.order(ply, &mut moves, known.and_then(|f| usize::from(f.best).checked_sub(1)));
        let (mut best, mut chosen) = (-INFINITE, 0);
        for (late, (index, m)) in moves.iter().enumerate() {
            let points = self.of_next(p, *m, depth, ply, Window { alpha, beta }, late);
            if self.budget.is_out() {
                return 0;
            }
            if points > best {
                (best, chosen) = (points, *index);
                if points > alpha {
                    alpha = points;
                    self.lines.set(ply, *m);
                }
                if alpha >= beta {
                    self.refuted(ply, depth, &moves[..=late]);
                    break;
                }
            }
        }
        self.keep(key, depth, ply, best, chosen, window);
        best
    }

    /// A move's value: the first with the whole window, the others with an empty one unless they
    /// turn out better, late quiet ones less deeply at first.
    fn of_next(
        &mut self,
        p: &Position,
        m: Move,
        depth: u8,
        ply: usize,
        window: Window,
        late: usize,
    ) -> i32 {
        let mut next = *p;
        next.play(m);
        self.path.push(next.key());
        let Window { alpha, beta } = window;
        let narrow = Window { alpha: -alpha - 1, beta: -alpha };
        let wide = Window { alpha: -beta, beta: -alpha };
        let quiet = m.takes[0].is_none();
        let reduced = quiet && late >= LATE && depth >= REDUCED_FROM;
        let mut points = alpha + 1;
        if reduced {
            points = -self.value(&next, depth - 2, ply + 1, narrow);
        }
        if late > 0 && points > alpha {
            points = -self.value(&next, depth - 1, ply + 1, narrow);
        }
        if late == 0 || (points > alpha && points < beta) {
            points = -self.value(&next, depth - 1, ply + 1, wide);
        }
        self.path.pop();
        points
    }

    /// Remembers a quiet move that refuted, and that those before it did not.
    fn refuted(&mut self, ply: usize, depth: u8, moves: &[(usize, Move)]) {
        let Some(((_, good), others)) = moves.split_last() else { return };
        if good.takes[0].is_some() {
            return;
        }
        self.killers.add(ply, *good);
        let bonus = 16 * i32::from(depth) * i32::from(depth);
        let (row, column) = slot(*good);
        self.history.add(row, column, bonus);
        for (_, m) in others.iter().filter(|(_, m)| m.takes[0].is_none()) {
            let (row, column) = slot(*m);
            self.history.add(row, column, -bonus);
        }
    }

    fn keep(&mut self, key: u64, depth: u8, ply: usize, points: i32, best: usize, window: Window) {
        let bound = match points {
            _ if points >= window.beta => Bound::Lower,
            _ if points <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        // Wins are kept as seen from this position.
        let shift = if won_in(points).is_some() { points.signum() * ply as i32 } else { 0 };
        let score = (points + shift) as i16;
        // The move's number in the list, which is always made in the same order.
        let best = if bound == Bound::Upper { 0 } else { best as u16 + 1 };
        self.table.store(key, Hit { best, score, depth, bound });
    }
}

/// Row and column of a move in the history.
fn slot(m: Move) -> (usize, usize) {
    (m.from.map_or(crate::POINTS, usize::from), m.to.map_or(0, usize::from))
}

/// The value a table entry gives within a window, if it decides.
fn cut(found: &Hit, ply: usize, window: Window) -> Option<i32> {
    let mut points = i32::from(found.score);
    if won_in(points).is_some() {
        points -= points.signum() * ply as i32;
    }
    let decides = match found.bound {
        Bound::Exact => true,
        Bound::Lower => points >= window.beta,
        Bound::Upper => points <= window.alpha,
    };
    decides.then_some(points)
}

impl Tree for Search<'_> {
    type Move = Move;

    fn value(&mut self, m: Move, depth: u8, window: Window, _: usize) -> Option<i32> {
        let mut next = self.root;
        next.play(m);
        self.path.push(next.key());
        let below = Window { alpha: -window.beta, beta: -window.alpha };
        let points = -Search::value(self, &next, depth - 1, 1, below);
        self.path.pop();
        (!self.budget.is_out()).then_some(points)
    }

    fn line(&self) -> &[Move] {
        self.lines.at(1)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}
