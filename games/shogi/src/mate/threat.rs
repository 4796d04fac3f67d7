//! Threats of mate: tsumero (the side to move is mated if it passes) and hisshi (it is mated
//! whatever it does).

use super::{Answer, solve_here};
use crate::position::Position;
use kiban_core::Limits;

/// The longest mates looked for in threats, in plies.
const LONGEST: u8 = 31;
/// MiB of the table for one of them.
const TABLE_MIB: u32 = 4;

/// What threatens the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threat {
    /// Nothing is found within the limits.
    None,
    /// It is mated if it passes (tsumero).
    Mate,
    /// It is mated whatever it does (hisshi).
    Brink,
}

fn within(p: &Position, limits: &Limits, nodes: Option<u64>) -> Answer {
    let depth = Some(limits.depth.unwrap_or(LONGEST).min(LONGEST));
    let hash = Some(limits.hash.unwrap_or(TABLE_MIB).min(TABLE_MIB));
    solve_here(p, &Limits { nodes, depth, hash, ..limits.clone() })
}

/// What threatens the side to move, which is not in check; each mate is looked for within the
/// limits' nodes. In check there is no passing, and the answer is `None`.
#[must_use]
pub fn threat(p: &Position, limits: &Limits) -> Threat {
    if p.in_check() {
        return Threat::None;
    }
    let mut passed = p.clone();
    passed.pass();
    if within(&passed, limits, limits.nodes).mate != Some(true) {
        return Threat::None;
    }
    if brinkmate(p, limits) == Some(true) { Threat::Brink } else { Threat::Mate }
}

/// Whether every move of the side to move leaves a mate by checks; each one is looked for within
/// the limits' nodes. `None` where they are too narrow to tell, and for a side that is mated or
/// has no move: there the game is over.
#[must_use]
pub fn brinkmate(p: &Position, limits: &Limits) -> Option<bool> {
    let moves = p.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let (mut next, mut sure) = (p.clone(), true);
    for m in &moves {
        let undo = next.play(*m);
        let mate = within(&next, limits, limits.nodes).mate;
        next.undo(*m, undo);
        match mate {
            Some(true) => {}
            Some(false) => return Some(false),
            None => sure = false,
        }
        // One answer that may hold is enough to doubt; a proved one could still come.
        if !sure && limits.stop.stopped() {
            return None;
        }
    }
    sure.then_some(true)
}
