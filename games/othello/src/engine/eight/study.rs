//! The search for tools: fixed depths and weights of choice.

use super::cuts::EXACT;
use super::search::{self, DISC, INFINITE, Node, Search};
use crate::bitboard::{AnyIsa, Board8, Isa, Job};
use crate::evaluation::Weights;
use kiban_core::Limits;
use kiban_search::{Budget, TranspositionTable};

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move's square; `None` if the side to move has none.
    pub square: Option<u32>,
    /// Its value, in hundredths of a disc.
    pub points: i32,
    /// Nodes searched.
    pub nodes: u64,
}

/// Searches boards with some weights.
pub struct Study {
    weights: Weights,
    table: TranspositionTable,
}

impl Study {
    /// A study with these weights and a table of two to the `bits` slots.
    pub fn new(weights: Weights, bits: u32) -> Study {
        Study { weights, table: TranspositionTable::new(bits) }
    }

    /// Searches so many plies deep, at least 1; with or without cuts by shallow searches.
    pub fn search(&mut self, board: Board8, depth: u8, cuts: bool) -> Found {
        let sure = if cuts { super::SURE } else { EXACT };
        let depth = depth.max(1).min(board.empties().count_ones() as u8);
        self.found(board, depth, sure)
    }

    /// The exact value.
    pub fn solve(&mut self, board: Board8) -> Found {
        self.found(board, board.empties().count_ones() as u8, EXACT)
    }

    /// Forgets what was found before.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    fn found(&mut self, board: Board8, depth: u8, sure: u8) -> Found {
        let budget = Budget::new(&Limits::default(), None, None);
        let mut search = Search::new(budget, &self.table, &self.weights);
        search.sure = sure;
        AnyIsa::best().run(Best { search, board, depth })
    }
}

struct Best<'a> {
    search: Search<'a>,
    board: Board8,
    depth: u8,
}

impl Job for Best<'_> {
    type Output = Found;

    fn run<I: Isa>(self, isa: I) -> Found {
        let Best { mut search, board, depth } = self;
        let node = Node::new(board);
        let (mut best, mut chosen) = (-INFINITE, None);
        let mut moves = board.moves(isa);
        if moves == 0 || depth == 0 {
            let (alpha, beta) = (-INFINITE, INFINITE);
            let search = &mut search;
            best = isa.run(search::Value { search, node: &node, depth, alpha, beta });
        }
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let child = node.played(search.layout, square, board.flips(isa, square));
            let mut value = |alpha: i32, beta: i32| {
                let (search, node, depth) = (&mut search, &child, depth - 1);
                -isa.run(search::Value { search, node, depth, alpha: -beta, beta: -alpha })
            };
            let mut points = best + 1;
            if chosen.is_some() {
                points = value(best, best + 1);
            }
            if points > best {
                points = value(best, INFINITE);
            }
            if points > best {
                (best, chosen) = (points, Some(square));
            }
        }
        debug_assert!(best.abs() <= 64 * DISC);
        Found { square: chosen, points: best, nodes: search.budget.nodes() }
    }
}

/// A search on an instruction set of choice, in fresh memory.
#[cfg(test)]
pub(super) fn found_on(isa: AnyIsa, board: Board8, depth: u8) -> Found {
    let table = TranspositionTable::new(14);
    let budget = Budget::new(&Limits::default(), None, None);
    let mut search = Search::new(budget, &table, Weights::trained());
    search.sure = super::SURE;
    isa.run(Best { search, board, depth })
}
