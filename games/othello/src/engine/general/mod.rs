//! The computer player of any board and aim: iterative deepening over a principal variation search
//! that judges mobility, corners and edges by hand-made weights, and solves the end exactly.

mod board;
mod eval;
mod geometry;
mod search;

use super::level::Level;
use crate::bitboard::{AnyIsa, Board8, Isa, Job};
use crate::{Move, Othello, Position};
use board::{Board, Eight, Squares};
use geometry::Geometry;
use kiban_core::{BestLine, Bound, Limits, Report, Score};
use kiban_search::{Budget, TranspositionTable};
use search::{INFINITE, Next, Search, best_square};

/// When a search of all but so many of the empties is done, the next one goes to the end.
const SOLVE_FROM: u8 = 8;

/// The question.
pub(super) struct Asked<'a> {
    pub(super) rules: Othello,
    pub(super) position: Position,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) limits: &'a Limits,
    pub(super) level: Level,
    pub(super) report: &'a mut dyn FnMut(Report),
}

/// The question on the fast board.
struct OnEight<'a> {
    asked: Asked<'a>,
    board: Board8,
}

impl Job for OnEight<'_> {
    type Output = Move;

    fn run<I: Isa>(self, isa: I) -> Move {
        self.asked.answered(Eight { board: self.board, isa })
    }
}

impl Asked<'_> {
    /// The chosen move; the side to move must have one.
    pub(in crate::engine) fn answer(self) -> Move {
        match Board8::try_from(&self.position) {
            Ok(board) => AnyIsa::best().run(OnEight { asked: self, board }),
            Err(_) => {
                let position = self.position;
                self.answered(position)
            }
        }
    }

    fn answered<B: Board>(self, board: B) -> Move {
        let Asked { rules, position, table, limits, level, report } = self;
        let fewest = rules.options.fewest;
        let search = Search {
            geometry: Geometry::of(u32::from(rules.options.size)),
            weights: if fewest { eval::FEWEST } else { eval::MOST },
            fewest,
            level,
            seed: limits.seed,
            budget: Budget::new(limits, Some(level.nodes), None),
            table,
        };
        let empties = board.empties().count() as u8;
        let deepest = limits.depth.unwrap_or(u8::MAX).clamp(1, level.depth).min(empties.max(1));
        let moves = board.moves();
        if moves.is_empty() {
            return Move::PASS;
        }
        let mut nexts = search.sorted(&board, moves, None, true);
        if !limits.only.is_empty() {
            let asked =
                |next: &Next<B>| limits.only.contains(&position.move_to(next.square).to_string());
            // What is asked for may be no moves of this position.
            if nexts.iter().any(asked) {
                nexts.retain(asked);
            }
        }
        let lines = usize::from(limits.lines.max(1)).min(nexts.len());
        let mut root = Root { search, position, board, nexts, lines };
        let square = root.deepen(deepest, report);
        position.move_to(square)
    }
}

/// The deepening frame of one search.
struct Root<'a, B: Board> {
    search: Search<'a, B>,
    position: Position,
    board: B,
    /// The moves to choose from, the best of the last depth first.
    nexts: Vec<Next<B>>,
    lines: usize,
}

impl<B: Board> Root<'_, B> {
    /// Searches deeper and deeper, and reports after each depth. Gives the chosen square.
    fn deepen(&mut self, deepest: u8, report: &mut dyn FnMut(Report)) -> u32 {
        let empties = self.board.empties().count() as u8;
        let mut depth = 1;
        loop {
            let before = self.nexts.clone();
            let (best, whole) = self.ranked(depth);
            let changed = best.first().is_some_and(|(square, _)| *square != before[0].square);
            if !whole && (self.lines > 1 || !changed) {
                self.nexts = before;
                break;
            }
            let bound = if whole { Bound::Exact } else { Bound::Lower };
            let lines = (1u8..).zip(&best).map(|(rank, (square, points))| BestLine {
                rank,
                score: self.score(*points, depth >= empties, bound),
                depth,
                moves: self.variation(*square, depth),
            });
            let nodes = self.search.budget.nodes();
            report(Report { depth, seldepth: None, nodes, lines: lines.collect(), call: None });
            if !whole || depth >= deepest {
                break;
            }
            depth += 1;
            if depth + SOLVE_FROM > empties {
                depth = empties;
            }
            depth = depth.min(deepest);
        }
        self.nexts[0].square
    }

    /// The best lines of a depth, with the moves brought into their order, and whether the budget
    /// sufficed for all of them.
    fn ranked(&mut self, depth: u8) -> (Vec<(u32, i32)>, bool) {
        let mut best = Vec::with_capacity(self.lines);
        for rank in 0..self.lines {
            let (mut alpha, mut chosen) = (-INFINITE, None);
            for i in rank..self.nexts.len() {
                let points = self.of_root_move(i, depth, alpha, chosen.is_none());
                if self.search.budget.is_out() {
                    break;
                }
                if points > alpha {
                    (alpha, chosen) = (points, Some(i));
                }
            }
            if let Some(i) = chosen {
                self.nexts[rank..=i].rotate_right(1);
                best.push((self.nexts[rank].square, alpha));
            }
            if self.search.budget.is_out() {
                return (best, false);
            }
        }
        (best, true)
    }

    fn of_root_move(&mut self, i: usize, depth: u8, alpha: i32, first: bool) -> i32 {
        let next = self.nexts[i].board;
        if !first {
            let points = -self.search.value(&next, depth - 1, -alpha - 1, -alpha);
            if points <= alpha || self.search.budget.is_out() {
                return points;
            }
        }
        -self.search.value(&next, depth - 1, -INFINITE, -alpha)
    }

    fn score(&self, points: i32, solved: bool, bound: Bound) -> Score {
        let chance = if solved && (bound == Bound::Exact || points > 0) {
            (1.0 + points.signum() as f32) / 2.0
        } else {
            // The judgement errs more the longer the game still is.
            let spread = 200.0 + 14.0 * self.board.empties().count() as f32;
            1.0 / (1.0 + (-points as f32 / spread).exp())
        };
        Score::Estimate { points, unit: "centidisc", chance, bound }
    }

    /// A move and the best answers the table remembers, with the passes between them.
    fn variation(&self, square: u32, depth: u8) -> Vec<String> {
        let mut texts = vec![self.position.move_to(square).to_string()];
        let mut board = self.board.played(square);
        let mut placed = 1;
        while placed < depth {
            if board.moves().is_empty() {
                board = board.passed();
                if board.moves().is_empty() {
                    break;
                }
                texts.push(Move::PASS.to_string());
            }
            let best = self.search.table.probe(board.hash()).map(best_square);
            let legal = |square: &u32| !(B::Set::of(*square) & board.moves()).is_empty();
            let Some(square) = best.filter(legal) else { break };
            texts.push(self.position.move_to(square).to_string());
            board = board.played(square);
            placed += 1;
        }
        texts
    }
}
