//! The computer player: what it may know of every piece, worlds that fit it, and a search of each.
//! It is given [`Known`] and nothing else.

mod belief;
mod root;
mod search;
#[cfg(test)]
mod tests;
mod tracks;
mod truth;
mod world;
mod worth;

use crate::position::Move;
use crate::{Known, Luzhanqi};
use kiban_core::{Limits, Notation, Report, Rules};
use kiban_search::{Budget, Level, Random};
use root::Root;

/// Worlds searched at most.
const MOST_WORLDS: u64 = 24;
/// Nodes a world should have.
const WORLD_NODES: u64 = 700;
/// The deepest search.
const DEEPEST: u8 = 24;

/// Chooses a move of the seat to move.
pub(crate) fn think(
    rules: Luzhanqi,
    known: &Known,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Move {
    let p = known.position.as_ref().expect("a seat with a choice is playing");
    let mut moves = rules.choices(known);
    if !limits.only.is_empty() {
        let all = moves.clone();
        moves.retain(|m| limits.only.contains(&rules.write_move(*m)));
        if moves.is_empty() {
            moves = all;
        }
    }
    if p.side(rules.options, p.turn).is_none() || moves.len() == 1 {
        // Before the first flip all pieces are alike.
        return moves[Random::new(limits.seed).below(moves.len())];
    }
    let level = limits.level.map(Level::new);
    let mut budget =
        Budget::new(limits, level.map(|level| level.nodes), level.and_then(|level| level.time));
    let nodes = limits.nodes.into_iter().chain(level.map(|level| level.nodes)).min();
    let worlds = nodes.map_or(MOST_WORLDS, |n| (n / WORLD_NODES).clamp(2, MOST_WORLDS));
    let truths = truth::truths(rules, known, p, limits.seed, worlds as usize);
    let overlooked = (level.map_or(0.0, |level| level.overlooked), limits.seed);
    let mut root = Root::new(rules, known, moves, &truths, overlooked);
    let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
    for depth in 1..=deepest {
        let whole = root.deepen(&truths, depth, &mut budget, overlooked);
        report(root.report(rules, limits, depth, budget.nodes()));
        if !whole || root.is_decided(&truths) {
            break;
        }
    }
    root.rated[0].m
}
