//! The computer player: iterative deepening over a principal variation search.

mod eval;
mod level;
mod search;

use crate::bans::Past;
use crate::rules::past;
use crate::tables::small;
use crate::{Jungle, Move, Position};
use kiban_core::{BestLine, Bound, Limits, Line, Report, Rules, Score, Seat, Value, Workspace};
use kiban_search::{Budget, Plan, Root, RootMove, TranspositionTable, with_helpers};
use kiban_solve::Exact;
use search::{PROVED, Search, WIN};

/// 2^16 slots of 16 bytes: quickly cleared, and enough for the nodes of most levels.
const LEVEL_BITS: u32 = 16;
/// 2^20 slots for analysis.
const TABLE_BITS: u32 = 20;
/// The largest table: 2^28 slots are 4 GiB.
const MOST_BITS: u32 = 28;
/// Levels from here on get the larger table.
const STRONG: u8 = 10;
/// No deeper than this, whatever the limits.
const MAX_DEPTH: u8 = 80;
/// Half the width of the first window.
const WIDTH: i32 = 40;
/// Points at which a side wins about three games of four.
const POINTS_PER_ODDS: f32 = 250.0;

/// The worker's table, empty.
fn table<'a>(memory: &'a mut Workspace, limits: &Limits) -> &'a TranspositionTable {
    let bits = match (limits.hash, limits.level) {
        (Some(mib), _) => TranspositionTable::bits_of_mib(mib).min(MOST_BITS),
        (None, Some(level)) if level < STRONG => LEVEL_BITS,
        (None, _) => TABLE_BITS,
    };
    TranspositionTable::of_worker(memory, bits)
}

/// The moves to choose from, what enters the den or takes first: a small budget may not get
/// further.
fn choices(rules: Jungle, line: &Line<Jungle>, limits: &Limits) -> Vec<Move> {
    let legal = rules.legal(line);
    let wanted = |m: &&Move| limits.only.is_empty() || limits.only.contains(&m.to_string());
    let mut moves: Vec<Move> = legal.iter().filter(wanted).copied().collect();
    if moves.is_empty() {
        moves = legal.to_vec();
    }
    let takes = |m: &Move| line.position().at(m.to).is_some();
    moves.sort_by_key(|m| std::cmp::Reverse((m.to.den_of().is_some(), takes(m))));
    moves
}

/// Each side's own moves, and the keys of positions that could come again.
fn history(line: &Line<Jungle>) -> ([Vec<Past>; 2], Vec<u64>) {
    let before = &line.positions()[..line.positions().len() - 1];
    let since = before.len().saturating_sub(line.position().quiet() as usize);
    let keys = before[since..].iter().map(Position::key).collect();
    ([past(line, Seat::FIRST), past(line, Seat::SECOND)], keys)
}

/// Chooses a move for the side to move, which must have one.
pub(crate) fn think(
    rules: Jungle,
    line: &Line<Jungle>,
    memory: &mut Workspace,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Move {
    let mut choices = choices(rules, line, limits);
    // Tables know no history, so moves it forbids are no choices.
    let solve = || small(rules.options, line.position(), limits);
    if let Some(exact) = Exact::of(limits, &choices, solve) {
        if let Some(best) = exact.decided(limits, |m| m.to_string(), report) {
            return best;
        }
        choices.retain(|m| exact.keeps(*m));
    }
    let table = table(memory, limits);
    let level = limits.level.map_or(level::FULL, level::of);
    let budget = Budget::new(limits, Some(level.nodes), None);
    let search = |budget| {
        let manner = (level, limits.seed);
        Search::new(rules.options, *line.position(), history(line), manner, (budget, table))
    };
    let helpers = (1..limits.threads.max(1)).map(|_| search(budget.helper())).collect();
    let (ender, mut main) = (budget.helper(), search(budget));
    let mut root = Root::new(choices);
    let moves = root.clone();
    let help = |i: usize, mut helper: Search<'_>| {
        let plan = Plan { first: 1 + (i % 2) as u8, last: MAX_DEPTH, lines: 1, width: WIDTH };
        moves.clone().deepen(&mut helper, plan, |_, _, _| true);
    };
    let last = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).min(level.depth).max(1);
    let plan = Plan { first: 1, last, lines: usize::from(limits.lines.max(1)), width: WIDTH };
    let sure = level.overlooks == 0;
    with_helpers(ender, helpers, help, || {
        root.deepen(&mut main, plan, |search: &mut Search<'_>, depth, best: &[_]| {
            report(of_depth(search, depth, best, sure));
            // A win or loss is proved, and nothing deeper is shorter.
            WIN - best[0].score.abs() > i32::from(depth)
        });
    });
    root.moves[0].m
}

fn of_depth(search: &Search<'_>, depth: u8, best: &[RootMove<Move>], sure: bool) -> Report {
    let lines = (1u8..).zip(best).map(|(rank, found)| BestLine {
        rank,
        score: score(found.score, sure),
        depth,
        moves: found.line.iter().map(ToString::to_string).collect(),
    });
    Report {
        depth,
        seldepth: None,
        nodes: search.budget.nodes(),
        lines: lines.collect(),
        call: None,
    }
}

fn score(points: i32, sure: bool) -> Score {
    let distance = Some((WIN - points.abs()).max(0) as u32);
    match points {
        s if sure && s > PROVED => Score::Exact { value: Value::Win, distance },
        s if sure && s < -PROVED => Score::Exact { value: Value::Loss, distance },
        s => {
            let points = s.clamp(-9_999, 9_999);
            let chance = 1.0 / (1.0 + (-points as f32 / POINTS_PER_ODDS).exp());
            Score::Estimate { points, unit: "centi", chance, bound: Bound::Exact }
        }
    }
}
