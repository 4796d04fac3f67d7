//! What a player calls a position by: a mate, threatmate (tsumero), brinkmate (hisshi).

use super::threat::{Threat, brinkmate, threatened};
use super::{Answer, solve_here};
use crate::position::Position;
use kiban_core::{Limits, Proof, Seat};
use std::time::{Duration, Instant};

/// The longest mates looked for, in plies.
const LONGEST: u8 = 31;
/// MiB of the table for a mate.
const TABLE_MIB: u32 = 16;
/// Nodes for each of the mates that would follow a pass or a defence.
const THREAT_NODES: u64 = 50_000;
/// All the time, where no limit is given.
const TIME: Duration = Duration::from_secs(1);

/// What can be proved of a position within the limits' time (a second if there is none): that the
/// side to move mates, else that it is threatened with mate, cannot parry it, or is being mated.
#[must_use]
pub fn proofs(p: &Position, limits: &Limits) -> Vec<Proof> {
    let (begun, time) = (Instant::now(), limits.time.unwrap_or(TIME));
    let mover = p.turn().seat();
    let mate = Limits {
        // The moves of a mate have to be found again, which takes half as long once more.
        time: Some(time / 3),
        depth: Some(LONGEST),
        hash: Some(TABLE_MIB),
        ..limits.clone()
    };
    let found = solve_here(p, &mate);
    if found.mate == Some(true) {
        return vec![proof("mate", mover, Some(found))];
    }
    let limits = Limits {
        time: Some(time.saturating_sub(begun.elapsed())),
        nodes: Some(limits.nodes.unwrap_or(THREAT_NODES).min(THREAT_NODES)),
        ..limits.clone()
    };
    let other = mover.other();
    if p.in_check() {
        let mated = brinkmate(p, &limits) == Some(true);
        return mated.then(|| proof("mated", other, None)).into_iter().collect();
    }
    match threatened(p, &limits) {
        (Threat::None, _) => Vec::new(),
        (Threat::Mate, mate) => vec![threat("threatmate", p, mate)],
        (Threat::Brink, mate) => vec![threat("brinkmate", p, mate)],
    }
}

/// A mate that would follow if the side to move passed.
fn threat(what: &'static str, p: &Position, mate: Option<Answer>) -> Proof {
    let mut passed = p.clone();
    passed.pass();
    let from = Some(passed.to_sfen());
    Proof { from, ..proof(what, p.turn().other().seat(), mate) }
}

fn proof(what: &'static str, seat: Seat, mate: Option<Answer>) -> Proof {
    let plies = mate.as_ref().and_then(|mate| mate.plies);
    let line = mate.map(|mate| mate.line).unwrap_or_default();
    let moves = line.iter().map(|m| m.to_usi()).collect();
    Proof { what, seat, plies, moves, from: None }
}
