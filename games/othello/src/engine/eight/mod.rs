//! The computer player of the 8x8 board where more discs win: iterative deepening with learned
//! judgement, cut by shallow searches, then to the end, surer and surer until it is exact.

mod cuts;
mod endgame;
mod search;
mod stability;
mod study;

use super::level::Level;
use crate::bitboard::{AnyIsa, Board8, Isa, Job};
use crate::evaluation::Weights;
use crate::{Move, Position};
use cuts::EXACT;
use kiban_core::{BestLine, Bound, Limits, Report, Score, Value};
use kiban_search::{
    Budget, Plan, Random, Root, RootMove, TranspositionTable, Tree, Window, with_helpers,
};
use search::{INFINITE, Node, Search};

pub use study::{Found, Study};

/// How sure the cuts of a search are that goes not to the end.
const SURE: u8 = 1;
/// A search of all but so many of the empties is followed by one to the end.
const END_FROM: u8 = 10;
/// Half the width of the first window around the last score, in hundredths of a disc.
const WIDTH: i32 = 150;

/// One of the searches of a deepening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stage {
    depth: u8,
    sure: u8,
}

/// The searches a board of so many empties is given, none deeper than `deepest`.
fn stages(empties: u8, deepest: u8) -> Vec<Stage> {
    let middle = empties.saturating_sub(END_FROM).max(1);
    let mut stages: Vec<Stage> = (1..=middle).map(|depth| Stage { depth, sure: SURE }).collect();
    let surer: &[u8] = match empties {
        ..13 => &[EXACT],
        13..17 => &[1, EXACT],
        _ => &[0, 2, 3, EXACT],
    };
    stages.extend(surer.iter().map(|sure| Stage { depth: empties, sure: *sure }));
    if deepest < empties {
        // No search to the end: the middle game's goes as deep as is asked for.
        stages.retain(|stage| stage.depth <= deepest && stage.depth < empties);
        let reached = stages.last().map_or(0, |stage| stage.depth);
        stages.extend((reached + 1..=deepest).map(|depth| Stage { depth, sure: SURE }));
    }
    stages
}

/// The question.
pub(super) struct Asked<'a> {
    pub(super) position: Position,
    pub(super) board: Board8,
    pub(super) table: &'a TranspositionTable,
    pub(super) limits: &'a Limits,
    pub(super) level: Level,
    pub(super) report: &'a mut dyn FnMut(Report),
}

impl Asked<'_> {
    /// The chosen move; the side to move must have one.
    pub(in crate::engine) fn answer(self) -> Move {
        AnyIsa::best().run(self)
    }

    /// The moves to choose from.
    fn choices(&self, moves: u64) -> Vec<u32> {
        let squares = (0..64).filter(|square| moves >> square & 1 != 0);
        let only = &self.limits.only;
        let asked = |square: &u32| {
            only.is_empty() || only.contains(&self.position.move_to(*square).to_string())
        };
        let asked: Vec<u32> = squares.clone().filter(asked).collect();
        // What is asked for may be no moves of this position.
        if asked.is_empty() { squares.collect() } else { asked }
    }
}

impl Job for Asked<'_> {
    type Output = Move;

    fn run<I: Isa>(self, isa: I) -> Move {
        let moves = self.choices(self.board.moves(isa));
        let empties = self.board.empties().count_ones() as u8;
        let deepest = self.limits.depth.unwrap_or(u8::MAX).clamp(1, self.level.depth);
        let stages = stages(empties, deepest);
        let budget = Budget::new(self.limits, Some(self.level.nodes), None);
        let branch = |budget| Branch {
            search: Search::new(budget, self.table, Weights::trained()),
            node: Node::new(self.board),
            isa,
            stages: &stages,
            wavers: self.level.wavers,
            seed: self.limits.seed,
            line: Vec::new(),
            won: None,
        };
        let plan = Plan {
            first: 1,
            last: stages.len() as u8,
            lines: usize::from(self.limits.lines.max(1)),
            width: WIDTH,
        };
        let helpers: Vec<_> =
            (1..self.limits.threads.max(1)).map(|_| branch(budget.helper())).collect();
        let help = |i: usize, mut branch: Branch<'_, I>| {
            let first = plan.first + i as u8 % 2;
            let plan = Plan { first: first.min(plan.last), lines: 1, ..plan };
            Root::new(moves.iter().copied()).deepen(&mut branch, plan, |_, _, _| true);
        };
        let (position, ender) = (self.position, budget.helper());
        let main = || {
            let mut branch = branch(budget);
            let mut root = Root::new(moves.iter().copied());
            root.deepen(&mut branch, plan, |branch, stage, best| {
                (self.report)(branch.told(&position, stage, best));
                true
            });
            root.moves[0].m
        };
        position.move_to(with_helpers(ender, helpers, help, main))
    }
}

/// The tree below the root.
struct Branch<'a, I> {
    search: Search<'a>,
    node: Node,
    isa: I,
    stages: &'a [Stage],
    wavers: i32,
    seed: u64,
    line: Vec<u32>,
    /// A move that this search to the end has shown to win.
    won: Option<u32>,
}

impl<I: Isa> Tree for Branch<'_, I> {
    type Move = u32;

    fn value(&mut self, square: u32, depth: u8, window: Window, _: usize) -> Option<i32> {
        let stage = self.stages[usize::from(depth) - 1];
        let to_end = u32::from(stage.depth) >= self.node.board.empties().count_ones();
        let liking = if to_end { 0 } else { self.liking(square) };
        let alpha = (window.alpha - liking).clamp(-INFINITE, INFINITE);
        let beta = (window.beta - liking).clamp(-INFINITE, INFINITE);
        self.search.sure = stage.sure;
        let flips = self.node.board.flips(self.isa, square);
        let found = self.isa.run(search::Value {
            node: &self.node.played(self.search.layout, square, flips),
            search: &mut self.search,
            depth: stage.depth - 1,
            alpha: -beta,
            beta: -alpha,
        });
        if self.search.budget.is_out() {
            return None;
        }
        self.line.clear();
        if window.beta - window.alpha > 1 {
            self.remember(square, stage.depth);
        }
        let points = liking - found;
        if to_end && stage.sure == EXACT && points > window.alpha.max(0) {
            self.won = Some(square);
        }
        Some(points)
    }

    fn line(&self) -> &[u32] {
        &self.line
    }

    fn budget(&self) -> &Budget {
        &self.search.budget
    }
}

impl<I: Isa> Branch<'_, I> {
    /// By how much a player likes a move better than he can say.
    fn liking(&self, square: u32) -> i32 {
        if self.wavers == 0 {
            return 0;
        }
        let key = self.search.key(self.node.board) ^ self.seed.rotate_left(32);
        let chance = Random::new(key ^ u64::from(square)).below(2 * self.wavers as usize + 1);
        chance as i32 - self.wavers
    }

    /// Reads the line behind a move out of the table. The last squares, which are not in it, are
    /// solved again if the search went to the end.
    fn remember(&mut self, square: u32, depth: u8) {
        let mut board = self.node.board;
        let to_end = u32::from(depth) >= board.empties().count_ones();
        let mut square = square;
        for _ in 1..depth {
            board = board.play(square, board.flips(self.isa, square));
            if board.moves(self.isa) == 0 {
                board = board.pass();
            }
            let moves = board.moves(self.isa);
            let known = self.search.table.probe(self.search.key(board));
            let known = known.map_or(64, |hit| u32::from(hit.best).wrapping_sub(1));
            let few = board.empties().count_ones() <= endgame::FEW;
            square = if known < 64 && moves >> known & 1 != 0 {
                known
            } else if to_end
                && few
                && let Some(best) = self.best_of_few(board, moves)
            {
                best
            } else {
                break;
            };
            self.line.push(square);
        }
    }

    /// The best move of a position with a few empties.
    fn best_of_few(&mut self, board: Board8, moves: u64) -> Option<u32> {
        let value = |square: &u32| {
            let child = board.play(*square, board.flips(self.isa, *square));
            let (alpha, beta, depth) = (-INFINITE, INFINITE, 64);
            let (search, node) = (&mut self.search, &Node::new(child));
            -self.isa.run(search::Value { search, node, depth, alpha, beta })
        };
        (0..64).filter(|square| moves >> square & 1 != 0).max_by_key(value)
    }

    fn told(&self, position: &Position, stage: u8, best: &[RootMove<u32>]) -> Report {
        let stage = self.stages[usize::from(stage) - 1];
        let lines = (1u8..).zip(best).map(|(rank, one)| BestLine {
            rank,
            score: self.score(stage, one),
            depth: stage.depth,
            moves: texts(position, &one.line),
        });
        let nodes = self.search.budget.nodes();
        Report { depth: stage.depth, seldepth: None, nodes, lines: lines.collect(), call: None }
    }

    /// A score as it is told: once it is proved the points are exact; a proof that the budget cut
    /// short may still have shown who wins.
    fn score(&self, stage: Stage, one: &RootMove<u32>) -> Score {
        let points = one.score;
        let whole = !self.search.budget.is_out();
        let bound = if whole { Bound::Exact } else { Bound::Lower };
        let empties = self.node.board.empties().count_ones();
        let proved = u32::from(stage.depth) >= empties && stage.sure == EXACT;
        if proved && !whole && self.won == Some(one.m) {
            return Score::Exact { value: Value::Win, distance: None };
        }
        let chance = chance(points, empties, proved && whole);
        Score::Estimate { points, unit: "centidisc", chance, bound }
    }
}

/// The chance to win with these hundredths of a disc and so many empty squares.
pub(crate) fn chance(points: i32, empties: u32, proved: bool) -> f32 {
    if proved {
        return (1.0 + points.signum() as f32) / 2.0;
    }
    // The judgement errs more the longer the game still is.
    let spread = 150.0 + 10.0 * empties as f32;
    1.0 / (1.0 + (-points as f32 / spread).exp())
}

/// The texts of a line, passes included.
fn texts(position: &Position, line: &[u32]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::with_capacity(line.len());
    for square in line {
        if position.must_pass() {
            position.play(Move::PASS);
            texts.push(Move::PASS.to_string());
        }
        let m = position.move_to(*square);
        texts.push(m.to_string());
        position.play(m);
    }
    texts
}

#[cfg(test)]
mod tests;
