//! What the finished games add up to.

use super::game::{Kind, Row, Side};
use super::stats::{self, Elo, Pentanomial, Sprt};
use serde::Serialize;
use std::collections::BTreeMap;

/// Games by how they came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct Total {
    pub(super) games: usize,
    pub(super) a_wins: usize,
    pub(super) b_wins: usize,
    pub(super) draws: usize,
    pub(super) replays: usize,
}

/// Faults of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct Faults {
    crash: usize,
    illegal: usize,
    timeout: usize,
    stall: usize,
}

impl Faults {
    fn count(&mut self, kind: Kind) {
        *match kind {
            Kind::Crash => &mut self.crash,
            Kind::Illegal => &mut self.illegal,
            Kind::Timeout => &mut self.timeout,
            Kind::Stall => &mut self.stall,
        } += 1;
    }

    /// `2 crashes, 1 stall`; nothing where there are none.
    pub(super) fn text(self) -> Option<String> {
        let kinds = [
            (self.crash, "crash", "crashes"),
            (self.illegal, "illegal move", "illegal moves"),
            (self.timeout, "timeout", "timeouts"),
            (self.stall, "stall", "stalls"),
        ];
        let some = kinds.iter().filter(|(n, ..)| *n > 0);
        let words: Vec<String> = some
            .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// Faults of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct AllFaults {
    pub(super) a: Faults,
    pub(super) b: Faults,
}

/// The sums.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tally {
    pub(super) total: Total,
    /// Games by the reason of their end; those without one are `undecided`.
    pub(super) by_reason: BTreeMap<String, usize>,
    pub(super) faults: AllFaults,
    /// Complete pairs by the points of `a`.
    pub(super) pentanomial: Pentanomial,
    /// The share of the points that `a` has.
    pub(super) score: f64,
    pub(super) elo: Elo,
    pub(super) sprt: Option<Sprt>,
}

impl Tally {
    /// Adds all games up.
    pub(super) fn of(rows: &[Row], hypotheses: Option<(f64, f64)>) -> Tally {
        let (mut total, mut faults) = (Total::default(), AllFaults::default());
        let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
        let mut pairs: BTreeMap<usize, (usize, u64)> = BTreeMap::new();
        for row in rows {
            total.games += 1;
            match (row.points(), &row.outcome) {
                (2, _) => total.a_wins += 1,
                (0, _) => total.b_wins += 1,
                (_, Some(outcome)) if outcome.result == "replay" => total.replays += 1,
                _ => total.draws += 1,
            }
            let reason = row.outcome.as_ref().map_or("undecided", |outcome| &outcome.reason);
            *by_reason.entry(reason.to_string()).or_default() += 1;
            if let Some(blame) = &row.fault {
                let of = if blame.by == Side::A { &mut faults.a } else { &mut faults.b };
                of.count(blame.kind);
            }
            let pair = pairs.entry(row.pair).or_default();
            *pair = (pair.0 + 1, pair.1 + row.points());
        }
        let mut pentanomial = [0; 5];
        for (_, points) in pairs.values().filter(|(games, _)| *games == 2) {
            pentanomial[usize::try_from(*points).expect("at most 4")] += 1;
        }
        let points: u64 = rows.iter().map(Row::points).sum();
        Tally {
            total,
            by_reason,
            faults,
            pentanomial,
            score: if rows.is_empty() { 0.5 } else { points as f64 / (2 * rows.len()) as f64 },
            elo: stats::elo(pentanomial),
            sprt: hypotheses.map(|(elo0, elo1)| stats::sprt(pentanomial, elo0, elo1)),
        }
    }

    /// `a 7, b 3, 2 draws, Elo +70 (-20 to +160)`.
    pub(super) fn text(&self) -> String {
        let Total { a_wins, b_wins, draws, replays, .. } = self.total;
        let mut text = format!("a {a_wins}, b {b_wins}, draws {draws}");
        if replays > 0 {
            text.push_str(&format!(", replays {replays}"));
        }
        if let Some(value) = self.elo.value {
            text.push_str(&format!(", Elo {value:+.0}"));
        }
        match (self.elo.low95, self.elo.high95) {
            (Some(low), Some(high)) => text.push_str(&format!(" ({low:+.0} to {high:+.0})")),
            (Some(low), None) => text.push_str(&format!(", Elo at least {low:+.0}")),
            (None, Some(high)) => text.push_str(&format!(", Elo at most {high:+.0}")),
            (None, None) => {}
        }
        if let Some(sprt) = self.sprt {
            text.push_str(&format!(", LLR {:.2}", sprt.llr));
        }
        text
    }
}
