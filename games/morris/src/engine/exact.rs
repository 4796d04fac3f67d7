//! What the tables of few men say: from a level on, decided games are played perfectly, and a draw is
//! never given away.

use crate::tables::{Valued, small};
use crate::{Morris, Move, Position};
use kiban_core::{BestLine, Limits, Report, Score, Value};
use kiban_solve::Worth;

/// The lowest level that knows the tables.
const FROM: u8 = 8;

/// The moves by their exact values, best first.
pub(super) struct Exact(Valued);

impl Exact {
    /// The exact values this level knows; `None` where it knows none.
    pub(super) fn of(rules: Morris, p: &Position, limits: &Limits) -> Option<Exact> {
        limits.level.filter(|level| *level >= FROM)?;
        let mut valued = small(rules, p, &limits.stop)?;
        let wanted = |m: Move| limits.only.is_empty() || limits.only.contains(&rules.move_text(m));
        if valued.iter().any(|(m, _)| wanted(*m)) {
            valued.retain(|(m, _)| wanted(*m));
        }
        (!valued.is_empty()).then_some(Exact(valued))
    }

    fn best(&self) -> Worth {
        self.0[0].1
    }

    /// Whether a move is as good as the best.
    pub(super) fn keeps(&self, m: Move) -> bool {
        self.0.iter().any(|(other, worth)| *other == m && worth.rank() == self.best().rank())
    }

    /// The best move of a game that is won or lost: the quickest win, the slowest loss.
    pub(super) fn decided(
        &self,
        rules: Morris,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Move> {
        if self.best().value == Value::Draw {
            return None;
        }
        let line = |(rank, (m, worth)): (u8, &(Move, Worth))| BestLine {
            rank,
            score: Score::Exact { value: worth.value, distance: worth.distance.map(u32::from) },
            depth: 1,
            moves: vec![rules.move_text(*m)],
        };
        let lines = (1..).zip(&self.0).take(limits.lines.max(1).into()).map(line).collect();
        report(Report { depth: 1, seldepth: None, nodes: 1, lines, call: None });
        Some(self.0[0].0)
    }
}
