//! The computer player: iterative deepening over a principal variation search with quiescence
//! and a hand-made evaluation whose weights are fitted to games of our own play.

pub mod eval;
mod level;
mod memory;
mod picker;
mod search;
mod see;

use crate::impasse;
use crate::mate::shallow::quiet_mate_in_three;
use crate::mate::solve_here;
use crate::moves::Move;
use crate::rules::Shogi;
use kiban_core::{
    BestLine, Bound, Call, Decision, Limits, Line, Outcome, Report, Rules, Score, Thinks, Value,
    Workspace,
};
use kiban_search::{Budget, Plan, Root, RootMove, TranspositionTable, Tree, with_helpers};
use level::Level;
use memory::Memory;
use search::{Blindness, MATE, PROVED, Search};

/// MiB of the table where nobody says otherwise.
const TABLE_MIB: u32 = 16;
/// No deeper than this, whatever the limits.
const MAX_DEPTH: u8 = 64;
/// Half the width of the first window around the last score.
const WINDOW: i32 = 40;
/// Nodes and plies of the search for a mate before the main one.
const MATE_NODES: u64 = 60_000;
const MATE_PLIES: u8 = 31;
/// Points at which a side wins about three games of four.
const POINTS_PER_ODDS: f32 = 600.0;

/// What a worker keeps between the searches of a game.
struct Kept {
    table: TranspositionTable,
    bits: u32,
    /// One for each thread.
    memories: Vec<Memory>,
    /// The position searched last.
    last: Option<u64>,
}

impl Kept {
    fn new(bits: u32) -> Kept {
        Kept { table: TranspositionTable::new(bits), bits, memories: Vec::new(), last: None }
    }

    /// Makes ready for a search: another game or another size of table begins afresh.
    fn prepare(&mut self, known: &Line<Shogi>, limits: &Limits) {
        let bits = TranspositionTable::bits_of_mib(limits.hash.unwrap_or(TABLE_MIB));
        let goes_on =
            self.last.is_some_and(|last| known.positions().iter().any(|p| p.key() == last));
        if bits != self.bits {
            *self = Kept::new(bits);
        } else if !goes_on {
            self.table.clear();
            self.memories.clear();
        }
        self.table.next_search();
        self.memories.resize_with(usize::from(limits.threads.max(1)), Memory::new);
        self.last = Some(known.position().key());
    }
}

fn score(points: i32, sure: bool) -> Score {
    let distance = Some((MATE - points.abs()).max(0) as u32);
    match points {
        s if sure && s > PROVED => Score::Exact { value: Value::Win, distance },
        s if sure && s < -PROVED => Score::Exact { value: Value::Loss, distance },
        s => estimate(s.clamp(-9_999, 9_999), Bound::Exact),
    }
}

/// A score in hundredths of a pawn, with the chance to win that goes with it.
pub(crate) fn estimate(points: i32, bound: Bound) -> Score {
    let chance = 1.0 / (1.0 + (-points as f32 / POINTS_PER_ODDS).exp());
    Score::Estimate { points, unit: "centipawn", chance, bound }
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

/// The root's moves, those that gain most first: a small budget may not get through all of them.
fn root(rules: Shogi, known: &Line<Shogi>, limits: &Limits) -> Root<Move> {
    let p = known.position();
    let mut moves = rules.legal(known);
    if !limits.only.is_empty() {
        let only = |m: &Move| limits.only.contains(&m.to_usi());
        let some: Vec<Move> = moves.iter().copied().filter(only).collect();
        // Where none of them is legal the wish cannot be honoured.
        moves = if some.is_empty() { moves } else { some };
    }
    moves.sort_by_key(|m| (picker::is_shy(p, *m), -first_guess(p, *m)));
    Root::new(moves)
}

/// Gains that pay, then what is quiet, then losing exchanges.
fn first_guess(p: &crate::position::Position, m: Move) -> i32 {
    let gain = see::gain(p, m);
    if see::pays(p, m, 0) { gain } else { gain - 10_000 }
}

/// A question to the engine.
struct Asked<'a> {
    rules: Shogi,
    known: &'a Line<Shogi>,
    limits: &'a Limits,
    level: Level,
    blindness: Blindness,
}

impl Asked<'_> {
    /// A mate by checks, as far as a small share of the limits reaches. Without one, the nodes it
    /// cost.
    fn mate(&self) -> Result<Report, u64> {
        let Asked { limits, level, .. } = self;
        let nodes = limits.nodes.map_or(level.nodes, |nodes| nodes.min(level.nodes));
        let by_depth = limits.depth.map_or(u64::MAX, |depth| 500 * u64::from(depth).pow(2));
        let time = limits.time.into_iter().chain(level.time).min();
        let share = Limits {
            nodes: Some((nodes / 10).min(MATE_NODES).min(by_depth)),
            time: time.map(|time| time / 10),
            depth: Some(MATE_PLIES),
            hash: Some(1),
            stop: limits.stop.clone(),
            ..Limits::default()
        };
        let answer = solve_here(self.known.position(), &share);
        let traced = answer.plies.filter(|plies| answer.line.len() == *plies as usize);
        let plies = traced.ok_or(answer.nodes)?;
        // A mate in three need not begin with a check; longer ones are not looked for.
        let quiet = (plies > 3).then(|| quiet_mate_in_three(&mut self.known.position().clone()));
        let quiet = quiet.flatten();
        let line = quiet.as_ref().map_or(answer.line.as_slice(), |line| line.as_slice());
        let moves: Vec<String> = line.iter().map(|m| m.to_usi()).collect();
        if !limits.only.is_empty() && !limits.only.contains(&moves[0]) {
            return Err(answer.nodes);
        }
        let distance = Some(moves.len() as u32);
        let (score, depth) = (Score::Exact { value: Value::Win, distance }, moves.len() as u8);
        let line = BestLine { rank: 1, score, depth, moves };
        Ok(Report { depth, seldepth: None, nodes: answer.nodes, lines: vec![line], call: None })
    }

    /// Deeper and deeper searches of the root's moves; the best is brought to the front.
    fn deepen(
        &self,
        root: &mut Root<Move>,
        budget: Budget,
        kept: &mut Kept,
        report: &mut dyn FnMut(Report),
    ) {
        let Asked { rules, known, limits, level, blindness } = *self;
        kept.prepare(known, limits);
        let (mine, others) = kept.memories.split_first_mut().expect("one for each thread");
        let table = &kept.table;
        let search = |budget, memory| Search::new(rules, known, budget, table, memory, blindness);
        let helper = |memory| (search(budget.helper(), memory), root.clone());
        let helpers: Vec<_> = others.iter_mut().map(helper).collect();
        let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH).min(level.depth);
        let lines = usize::from(limits.lines.max(1));
        let plan = Plan { first: 1, last, lines, width: WINDOW };
        let ender = budget.helper();
        let mut main = search(budget, mine);
        let mut silent = true;
        with_helpers(ender, helpers, help, || {
            root.deepen(&mut main, plan, |search, depth, best| {
                silent = false;
                report(told(search, depth, best, !blindness.is_any()));
                // A mate is proved; nothing deeper is shorter.
                let distance = MATE - best[0].score.abs();
                distance > i32::from(depth)
            });
        });
        if silent {
            // The budget did not reach the end of a single move: the first guess it is.
            root.moves[0].score = main.judged_root();
            report(told(&main, 0, &root.moves[..1], false));
        }
    }
}

impl Thinks for Shogi {
    fn think(
        self,
        known: &Line<Shogi>,
        workspace: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        let mut root = root(self, known, limits);
        assert!(!root.moves.is_empty(), "an engine is asked only where there is a move");
        if wins_by_declaring(self, known) {
            let call = Some(Call::Declare);
            report(Report { depth: 0, seldepth: None, nodes: 0, lines: Vec::new(), call });
            return Decision::Call(Call::Declare);
        }
        let level = limits.level.map_or(level::FULL, level::of);
        let blindness = level.blindness(limits.seed);
        let asked = Asked { rules: self, known, limits, level, blindness };
        let mut budget = Budget::new(limits, Some(level.nodes), level.time);
        let kept = workspace.get_or(|| Kept::new(TranspositionTable::bits_of_mib(TABLE_MIB)));
        let looks = !blindness.is_any() && limits.lines <= 1;
        let mate = if looks { asked.mate() } else { Err(0) };
        match mate {
            Ok(mate) => {
                let m = Move::from_usi(&mate.lines[0].moves[0]).expect("the text of a move");
                report(mate);
                Decision::Move(m)
            }
            Err(nodes) => {
                budget.charge(nodes);
                asked.deepen(&mut root, budget, kept, report);
                Decision::Move(root.moves[0].m)
            }
        }
    }
}

/// A helper's search: half of them a ply ahead, so that they do not all do the same.
fn help(number: usize, (mut search, mut root): (Search<'_>, Root<Move>)) {
    let first = 1 + (number % 2) as u8;
    let plan = Plan { first, last: MAX_DEPTH, lines: 1, width: WINDOW };
    root.deepen(&mut search, plan, |_, _, _| true);
}

fn told(search: &Search<'_>, depth: u8, best: &[RootMove<Move>], sure: bool) -> Report {
    let line = |(rank, one): (u8, &RootMove<Move>)| BestLine {
        rank,
        score: score(one.score, sure),
        depth: one.depth,
        moves: one.line.iter().map(|m| m.to_usi()).collect(),
    };
    let lines = (1u8..).zip(best).map(line).collect();
    let seldepth = Some(search.deepest());
    Report { depth, seldepth, nodes: search.budget().nodes(), lines, call: None }
}
