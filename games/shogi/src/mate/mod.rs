//! Finding mates by checks alone (tsume), and positions that threaten one.

mod proofs;
pub(crate) mod shallow;
mod solver;
mod table;
mod threat;

pub use proofs::proofs;
pub use threat::{Threat, brinkmate, threat};

use crate::moves::Move;
use crate::position::Position;
use kiban_core::{Limits, Proved};
use kiban_search::Budget;
use solver::Solver;
use table::FOREVER;

/// MiB of the solver's table where nobody says otherwise.
const TABLE_MIB: u32 = 64;
/// Nodes where no limit is given at all.
const NODES: u64 = 200_000_000;
/// Mates longer than this are not looked for.
const LONGEST: i16 = 1_999;
/// Each number of plies is tried in turn up to this; longer mates are looked for all at once.
const ONE_BY_ONE: i16 = 41;
/// What the moves of a proved mate may cost at least.
const TRACE_NODES: u64 = 100_000;
const TRACE_TIME: std::time::Duration = std::time::Duration::from_millis(200);
/// Stack for the deepest lines.
const STACK: usize = 256 << 20;

/// What the solver found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether the side to move mates; `None` where the limits were too narrow to tell.
    pub mate: Option<bool>,
    /// Its plies, futile interpositions not counted.
    pub plies: Option<u32>,
    /// The moves: the attacker's shortest, the defender's longest, futile interpositions left out.
    /// Shorter than the mate where a long one was too hard to trace.
    pub line: Vec<Move>,
    /// Whether a shorter mate is ruled out.
    pub proved: Proved,
    /// Nodes searched.
    pub nodes: u64,
}

/// Finds a mate of the side to move by checks. Of the limits count nodes, time, stop, hash (MiB)
/// and depth (the longest mate in plies).
#[must_use]
pub fn solve(p: &Position, limits: &Limits) -> Answer {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let work = || solve_here(p, limits);
        match builder.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().expect("the solver does not fail"),
            // Without a thread to spare only mates that need no deep stack are looked for.
            Err(_) => {
                let depth = limits.depth.unwrap_or(u8::MAX).min(ONE_BY_ONE as u8);
                solve_here(p, &Limits { depth: Some(depth), ..limits.clone() })
            }
        }
    })
}

/// The same on the caller's stack, for mates of at most 255 plies or so.
pub(crate) fn solve_here(p: &Position, limits: &Limits) -> Answer {
    let endless = limits.nodes.is_none() && limits.time.is_none();
    let budget = Budget::new(limits, endless.then_some(NODES), None);
    let longest = limits.depth.map_or(LONGEST, i16::from);
    let mut solver = Solver::new(p.clone(), budget, limits.hash.unwrap_or(TABLE_MIB));
    let found = search(&mut solver, limits, longest);
    let nodes = solver.budget.nodes();
    match found {
        Some((Some(plies), shortest)) => {
            // The proof stands; what was spent for it suffices to find its moves again.
            let time = limits.time.map(|time| time / 2 + TRACE_TIME);
            let again = Limits { nodes: None, time, ..limits.clone() };
            solver.budget = Budget::new(&again, Some(2 * nodes + TRACE_NODES), None);
            let line = solver.line(plies, shortest);
            let proved = if shortest { Proved::Shortest } else { Proved::Some };
            Answer { mate: Some(true), plies: Some(plies as u32), line, proved, nodes }
        }
        Some((None, _)) => Answer { mate: Some(false), ..unknown(nodes) },
        None => unknown(nodes),
    }
}

fn unknown(nodes: u64) -> Answer {
    Answer { mate: None, plies: None, line: Vec::new(), proved: Proved::None, nodes }
}

/// The plies of a mate (or that there is none), and whether none is shorter. `None`: unknown.
fn search(solver: &mut Solver, limits: &Limits, longest: i16) -> Option<(Option<i16>, bool)> {
    // Half of what there is goes to one number of plies after the other.
    let half = limits.nodes.map(|nodes| nodes / 2);
    let begun = std::time::Instant::now();
    let spent = |solver: &Solver| {
        half.is_some_and(|half| solver.budget.nodes() > half)
            || limits.time.is_some_and(|time| begun.elapsed() > time / 2)
    };
    let mut plies = 1;
    while plies <= longest.min(ONE_BY_ONE) && !spent(solver) {
        let found = solver.prove(plies);
        if let Some(mate) = found.mate() {
            return Some((Some(mate), true));
        }
        match found.no_mate() {
            Some(none_in) if none_in >= FOREVER - 1 => return Some((None, false)),
            Some(none_in) => plies = (none_in + 1) | 1,
            None if solver.budget.is_out() => return None,
            // Every try ends in a repetition: there is no mate of so few plies.
            None => plies += 2,
        }
    }
    if plies > longest {
        return None;
    }
    let found = solver.prove(longest);
    let Some(mut mate) = found.mate() else {
        let none = found.no_mate().is_some_and(|none_in| none_in >= FOREVER - 1);
        return none.then_some((None, false));
    };
    // Shorter and shorter ones, as long as there is time.
    loop {
        let found = solver.prove(mate - 2);
        match found.mate() {
            Some(shorter) => mate = shorter,
            None => return Some((Some(mate), found.no_mate().is_some())),
        }
    }
}
