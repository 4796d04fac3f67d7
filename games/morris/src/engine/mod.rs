//! The computer player: iterative deepening over a principal variation search that judges men,
//! mills, mills that can be closed, and freedom to move.

mod eval;
mod level;
mod search;

use crate::tables::small;
use crate::{Morris, Move};
use kiban_core::{BestLine, Bound, Limits, Line, Report, Score, Value, Workspace};
use kiban_search::{Budget, Plan, Root, RootMove, TranspositionTable};
use kiban_solve::Exact;
use search::{LONGEST, Search, WIN, won_in};

/// 2^18 slots of 16 bytes: quickly cleared, and enough for the nodes of the levels.
const LEVEL_BITS: u32 = 18;
/// 2^20 slots for analysis.
const TABLE_BITS: u32 = 20;
/// Half the width of the first window around the last score.
const WIDTH: i32 = 40;

/// Chooses a move for the side to move, which must have one.
pub(crate) fn think(
    rules: Morris,
    line: &Line<Morris>,
    memory: &mut Workspace,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Move {
    let bits = match (limits.hash, limits.level) {
        (Some(mib), _) => TranspositionTable::bits_of_mib(mib),
        (None, Some(_)) => LEVEL_BITS,
        (None, None) => TABLE_BITS,
    };
    let table = TranspositionTable::of_worker(memory, bits);
    let p = *line.position();
    let wanted = |m: &Move| limits.only.is_empty() || limits.only.contains(&rules.move_text(*m));
    let mut choices: Vec<Move> = rules.moves(&p).into_iter().filter(wanted).collect();
    if choices.is_empty() {
        choices = rules.moves(&p);
    }
    if let Some(exact) = Exact::of(limits, &choices, || small(rules, &p, limits)) {
        if let Some(best) = exact.decided(limits, |m| rules.move_text(m), report) {
            return best;
        }
        choices.retain(|m| exact.keeps(*m));
    }
    let level = limits.level.map_or(level::FULL, level::of);
    let budget = Budget::new(limits, Some(level.nodes), level.time);
    let history = line.positions();
    let mut search = Search::new(rules, p, history, level, limits.seed, budget, table);
    search.sort_root(&mut choices);
    let mut root = Root::new(choices);
    let last = limits.depth.unwrap_or(u8::MAX).clamp(1, level.depth).min(LONGEST);
    let plan = Plan { first: 1, last, lines: usize::from(limits.lines.max(1)), width: WIDTH };
    root.deepen(&mut search, plan, |search, depth, lines| {
        let ranked = (1u8..).zip(lines).map(|(rank, one)| best_line(rules, rank, one));
        report(Report {
            depth,
            seldepth: None,
            nodes: search.nodes(),
            lines: ranked.collect(),
            call: None,
        });
        // A win or loss that the depth covers is certain: looking further changes nothing.
        let decided = lines.first().and_then(|best| won_in(best.score));
        decided.is_none_or(|plies| plies > u32::from(depth))
    });
    root.moves.first().map_or(Move::PASS, |best| best.m)
}

fn best_line(rules: Morris, rank: u8, one: &RootMove<Move>) -> BestLine {
    let moves = one.line.iter().map(|m| rules.move_text(*m)).collect();
    BestLine { rank, score: score(one.score), depth: one.depth, moves }
}

fn score(points: i32) -> Score {
    if let Some(distance) = won_in(points) {
        let value = if points > 0 { Value::Win } else { Value::Loss };
        return Score::Exact { value, distance: Some(distance) };
    }
    // A man more wins about three games of four between equals.
    let chance = 1.0 / (1.0 + (-points as f32 / 90.0).exp());
    debug_assert!(points.abs() < WIN);
    Score::Estimate { points, unit: "centi", chance, bound: Bound::Exact }
}
