//! The computer player: iterative deepening over a principal-variation search with quiescence
//! and a hand-made evaluation.

mod eval;
mod search;

use crate::impasse;
use crate::moves::Move;
use crate::rules::Shogi;
use kiban_core::{
    BestLine, Bound, Call, Decision, Dice, Limits, Line, Outcome, Report, Rules, Score, Seat,
    Thinks, Value, Workspace,
};
use kiban_search::{Budget, Level, TranspositionTable};
use search::{MATE, MATE_BOUND, Search, gain};

/// Two to this many table slots: 12 MiB a worker.
const TABLE_BITS: u32 = 19;
/// No deeper than this, whatever the limits.
const MAX_DEPTH: u8 = 60;
/// Points at which a side wins about three games of four.
const POINTS_PER_ODDS: f32 = 600.0;

/// The table of a worker.
struct Memory(TranspositionTable);

fn score(points: i32, sure: bool) -> Score {
    let distance = Some((MATE - points.abs()).max(0) as u32);
    match points {
        s if sure && s > MATE_BOUND => Score::Exact { value: Value::Win, distance },
        s if sure && s < -MATE_BOUND => Score::Exact { value: Value::Loss, distance },
        s => {
            let points = s.clamp(-9_999, 9_999);
            let chance = 1.0 / (1.0 + (-points as f32 / POINTS_PER_ODDS).exp());
            Score::Estimate { points, unit: "centipawn", chance, bound: Bound::Exact }
        }
    }
}

/// Whether declaring now wins.
fn wins_by_declaring(rules: Shogi, known: &Line<Shogi>) -> bool {
    let seat = rules.to_move(known.position());
    if !rules.calls(known, seat).contains(&Call::Declare) {
        return false;
    }
    let outcome = impasse::declare(known.position(), rules.declaration, rules.missing(known));
    matches!(outcome, Outcome::Win { seats, .. } if seats.has(seat))
}

impl Thinks for Shogi {
    fn think(
        self,
        known: &Line<Shogi>,
        memory: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        let mut moves = self.legal(known);
        // A small budget may not get through the first depth: what takes most is looked at first.
        moves.sort_by_key(|m| -gain(known.position(), *m));
        let fallback = *moves.first().expect("an engine is asked only where there is a move");
        if wins_by_declaring(self, known) {
            let call = Some(Call::Declare);
            report(Report { depth: 0, nodes: 0, lines: Vec::new(), call });
            return Decision::Call(Call::Declare);
        }
        let level = limits.level.map(Level::new);
        let budget = Budget::new(limits, level.map(|l| l.nodes), level.and_then(|l| l.time));
        let table = &mut memory.get_or(|| Memory(TranspositionTable::new(TABLE_BITS))).0;
        table.next_search();
        let overlooked = level.map_or(0.0, |l| l.overlooked);
        let mut search = Search::new(budget, table, known.positions(), overlooked, limits.seed);
        let mut best = fallback;
        let last = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=last.max(1) {
            let lines = usize::from(limits.lines.max(1)).min(moves.len());
            let Some(found) = deepen(&mut search, known, &mut moves, depth, lines) else { break };
            best = found[0].0;
            let sure = overlooked == 0.0;
            report(told(&search, known, depth, &found, sure));
            // A mate is proved; nothing deeper is shorter.
            let mate = found[0].1.abs() > MATE_BOUND && MATE - found[0].1.abs() <= i32::from(depth);
            if mate || search.budget.is_out() {
                break;
            }
        }
        Decision::Move(best)
    }

    fn arrange(self, _: Seat, _: Dice<'_>) {}
}

/// One depth: the best moves with their scores, best first; `None` when the budget ran out
/// before the first was found.
fn deepen(
    search: &mut Search<'_>,
    known: &Line<Shogi>,
    moves: &mut [Move],
    depth: u8,
    lines: usize,
) -> Option<Vec<(Move, i32)>> {
    let mut p = known.position().clone();
    let mut found = Vec::new();
    for rank in 0..lines {
        match search.root(&mut p, &mut moves[rank..], i32::from(depth)) {
            Some(best) => found.push(best),
            None if found.is_empty() => return None,
            None => break,
        }
    }
    Some(found)
}

fn told(
    search: &Search<'_>,
    known: &Line<Shogi>,
    depth: u8,
    found: &[(Move, i32)],
    sure: bool,
) -> Report {
    let line = |(i, (m, points)): (usize, &(Move, i32))| BestLine {
        rank: i as u8 + 1,
        score: score(*points, sure),
        depth,
        moves: search.line(known.position(), *m).iter().map(|m| m.to_usi()).collect(),
    };
    let lines = found.iter().enumerate().map(line).collect();
    Report { depth, nodes: search.budget.nodes(), lines, call: None }
}
