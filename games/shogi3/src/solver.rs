//! The exact value of every position that can be reached from one: a search of all of them and
//! then, from the ends backwards, wins and losses in the order of their length.
//!
//! History is ignored: an endless line is a draw. Positions are kept as the side to move sees
//! them, mirror images once.

mod graph;
mod packed;
mod safety;

use crate::Shogi3;
use crate::moves::Move;
use crate::position::Position;
use graph::Graph;
use kiban_core::{Stop, Value};
use kiban_solve::Worth;
use packed::Packed;
use safety::{Safety, Who};
use std::sync::OnceLock;
use std::time::Instant;

/// Bytes a position takes while it is solved: its packed text, its place in the index at the
/// fullest, and the ways to and from some fifteen others (measured on the listed set-ups).
pub const BYTES_A_POSITION: u64 = 200;

/// What a solution may take.
#[derive(Clone, Debug)]
pub struct Within {
    /// Positions at most.
    pub most: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Gives up when it is stopped.
    pub stop: Stop,
}

impl Within {
    /// So much memory at most, in bytes.
    pub fn bytes(bytes: u64) -> Within {
        Within { most: bytes / BYTES_A_POSITION, deadline: None, stop: Stop::default() }
    }

    fn is_over(&self) -> bool {
        self.stop.stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Why a position was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// More positions than there is room for; so many there may be at most.
    #[error("it may take {0} positions")]
    TooMany(u64),
    /// It was stopped, or its time ran out.
    #[error("it was stopped")]
    Stopped,
}

/// The values of all positions that can be reached from one.
pub struct Solution {
    rules: Shogi3,
    graph: Graph,
    /// 0 for a draw, else the plies to the end plus one: odd plies are wins.
    ends: Vec<u16>,
    safety: OnceLock<Safety>,
}

/// Wins, losses and draws among positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Won by the side to move.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// Neither.
    pub draws: u64,
}

impl Solution {
    /// Solves everything reachable from this position.
    ///
    /// # Errors
    /// If that goes beyond the limits.
    pub fn of(rules: Shogi3, p: &Position, within: &Within) -> Result<Solution, Unsolved> {
        let mut graph = Graph::explore(rules, p, within)?;
        let ends = graph.settle(rules);
        Ok(Solution { rules, graph, ends, safety: OnceLock::new() })
    }

    /// The rules it was made for.
    pub fn rules(&self) -> Shogi3 {
        self.rules
    }

    /// How many positions it holds.
    pub fn positions(&self) -> u64 {
        self.graph.len() as u64
    }

    /// The memory it took at its fullest, in bytes.
    pub fn peak_bytes(&self) -> u64 {
        self.graph.peak_bytes()
    }

    /// The position of a number below [`positions`](Solution::positions), sente to move; those
    /// fewer plies from the start come first.
    pub(crate) fn position(&self, number: usize) -> Position {
        self.graph.position(number)
    }

    /// A position's worth; `None` if it cannot be reached from the one that was solved.
    pub fn worth(&self, p: &Position) -> Option<Worth> {
        let index = self.graph.find(Packed::of(p))?;
        Some(self.worth_at(index))
    }

    fn worth_at(&self, index: u32) -> Worth {
        match self.ends[index as usize] {
            0 => Worth::DRAW,
            end if end % 2 == 0 => Worth { value: Value::Win, distance: Some(end - 1) },
            end => Worth { value: Value::Loss, distance: Some(end - 1) },
        }
    }

    /// The legal moves with what each is worth to the side that makes it, best first, then by
    /// text; `None` if the position cannot be reached.
    pub fn moves(&self, p: &Position) -> Option<Vec<(Move, Worth)>> {
        self.worth(p)?;
        let valued = |m: Move| {
            let mut after = *p;
            after.play(m);
            Some((m, self.worth(&after)?.before()))
        };
        let moves = p.legal_moves(self.rules.uchifuzume).into_iter();
        let mut moves: Vec<(Move, Worth)> = moves.map(valued).collect::<Option<_>>()?;
        moves.sort_by_cached_key(|(m, worth)| (-worth.rank(), m.to_string()));
        Some(moves)
    }

    /// Whether in a drawn position the side to move (`mover`), or else the other, can hold the draw
    /// without giving check for ever; `None` if the position is no draw or cannot be reached.
    pub fn holds_quietly(&self, p: &Position, mover: bool) -> Option<bool> {
        let index = self.graph.find(Packed::of(p))?;
        let drawn = self.ends[index as usize] == 0;
        drawn.then(|| self.quiet_in(p, mover).is_some())
    }

    /// In how many plies a side that can so hold the draw forces its next move that gives no check,
    /// if there is one; 0 where it can make it now. It gets there by ways where this falls.
    pub(crate) fn quiet_in(&self, p: &Position, mover: bool) -> Option<u32> {
        let index = self.graph.find(Packed::of(p))?;
        let safety = self.safety.get_or_init(|| Safety::of(&self.graph, &self.ends));
        safety.quiet_in(index, if mover { Who::Mover } else { Who::Other })
    }

    /// In how many drawn positions the side to move, and in how many the other, can hold only by
    /// giving check for ever.
    pub fn held_by_checks_alone(&self) -> (u64, u64) {
        let safety = self.safety.get_or_init(|| Safety::of(&self.graph, &self.ends));
        let count = |who| {
            let held = |i: &u32| self.ends[*i as usize] == 0 && safety.quiet_in(*i, who).is_none();
            (0..self.ends.len() as u32).filter(held).count() as u64
        };
        (count(Who::Mover), count(Who::Other))
    }

    /// Wins, losses and draws among all positions.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for end in &self.ends {
            match end {
                0 => tally.draws += 1,
                end if end % 2 == 0 => tally.wins += 1,
                _ => tally.losses += 1,
            }
        }
        tally
    }

    /// The longest distance of any position.
    pub fn deepest(&self) -> u16 {
        self.ends.iter().max().map_or(0, |end| end.saturating_sub(1))
    }
}

/// How many positions there can be at most with the pieces of this one: every way to lay them on
/// the board or hold them, mirror images counted twice.
pub fn bound(p: &Position) -> u64 {
    packed::bound(p)
}

#[cfg(test)]
mod tests;
