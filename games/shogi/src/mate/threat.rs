//! Threats of mate: tsumero (the side to move is mated if it passes) and hisshi (it is mated
//! whatever it does).

use super::{Answer, solve_here};
use crate::position::Position;
use kiban_core::Limits;
use std::time::Instant;

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

/// Limits of which the time is meant for all searches together.
struct Shared<'a> {
    limits: &'a Limits,
    begun: Instant,
}

impl<'a> Shared<'a> {
    fn new(limits: &'a Limits) -> Shared<'a> {
        Shared { limits, begun: Instant::now() }
    }

    fn is_over(&self) -> bool {
        self.limits.stop.stopped() || self.limits.time.is_some_and(|t| self.begun.elapsed() >= t)
    }

    /// Looks for a mate within the limits' nodes and what is left of the time.
    fn solve(&self, p: &Position) -> Answer {
        let depth = Some(self.limits.depth.unwrap_or(LONGEST).min(LONGEST));
        let hash = Some(self.limits.hash.unwrap_or(TABLE_MIB).min(TABLE_MIB));
        let time = self.limits.time.map(|time| time.saturating_sub(self.begun.elapsed()));
        solve_here(p, &Limits { time, depth, hash, ..self.limits.clone() })
    }

    fn brinkmate(&self, p: &Position) -> Option<bool> {
        let moves = p.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let (mut next, mut sure) = (p.clone(), true);
        for m in &moves {
            // One answer that may hold is enough to doubt; a proved one could still come.
            if self.is_over() {
                return None;
            }
            let undo = next.play(*m);
            let mate = self.solve(&next).mate;
            next.undo(*m, undo);
            match mate {
                Some(true) => {}
                Some(false) => return Some(false),
                None => sure = false,
            }
        }
        sure.then_some(true)
    }
}

/// What threatens the side to move, which is not in check; each mate is looked for within the
/// limits' nodes, all within their time. In check there is no passing, and the answer is `None`.
#[must_use]
pub fn threat(p: &Position, limits: &Limits) -> Threat {
    threatened(p, limits).0
}

/// The same, and the mate that would follow a pass.
pub(crate) fn threatened(p: &Position, limits: &Limits) -> (Threat, Option<Answer>) {
    if p.in_check() {
        return (Threat::None, None);
    }
    let shared = Shared::new(limits);
    let mut passed = p.clone();
    passed.pass();
    let mate = shared.solve(&passed);
    if mate.mate != Some(true) {
        return (Threat::None, None);
    }
    let threat = if shared.brinkmate(p) == Some(true) { Threat::Brink } else { Threat::Mate };
    (threat, Some(mate))
}

/// Whether every move of the side to move leaves a mate by checks; each one is looked for within
/// the limits' nodes, all within their time. `None` where they are too narrow to tell, and for a
/// side that is mated or has no move: there the game is over.
#[must_use]
pub fn brinkmate(p: &Position, limits: &Limits) -> Option<bool> {
    Shared::new(limits).brinkmate(p)
}
