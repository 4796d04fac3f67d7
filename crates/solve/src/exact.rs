//! What an engine does with exact values: decided games are played perfectly, and a draw is never
//! given away.

use crate::Worth;
use kiban_core::{BestLine, Limits, Report, Score, Value};

/// The lowest level that knows them.
const FROM: u8 = 8;

/// The moves to choose from by their exact values, best first; never none.
pub struct Exact<M>(Vec<(M, Worth)>);

impl<M: Copy + PartialEq> Exact<M> {
    /// The values of these moves, of all that `solve` finds; `None` for a level that knows none, and
    /// where none are found.
    pub fn of(
        limits: &Limits,
        choices: &[M],
        solve: impl FnOnce() -> Option<Vec<(M, Worth)>>,
    ) -> Option<Exact<M>> {
        limits.level.filter(|level| *level >= FROM)?;
        let mut valued = solve()?;
        valued.retain(|(m, _)| choices.contains(m));
        valued.sort_by_key(|(_, worth)| -worth.rank());
        (!valued.is_empty()).then_some(Exact(valued))
    }

    /// Whether a move is as good as the best.
    pub fn keeps(&self, m: M) -> bool {
        self.0.iter().any(|(other, worth)| *other == m && worth.rank() == self.0[0].1.rank())
    }

    /// The best move of a game that is won or lost, reported: the quickest win, the slowest loss.
    /// `text` gives a move's text.
    pub fn decided(
        &self,
        limits: &Limits,
        text: impl Fn(M) -> String,
        report: &mut dyn FnMut(Report),
    ) -> Option<M> {
        let (best, worth) = self.0[0];
        if worth.value == Value::Draw {
            return None;
        }
        let line = |(rank, (m, worth)): (u8, &(M, Worth))| BestLine {
            rank,
            score: Score::Exact { value: worth.value, distance: worth.distance.map(u32::from) },
            depth: 1,
            moves: vec![text(*m)],
        };
        let lines = (1..).zip(&self.0).take(limits.lines.max(1).into()).map(line).collect();
        report(Report { depth: 1, seldepth: None, nodes: 1, lines, call: None });
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(level: u8, values: [Worth; 3]) -> Option<Exact<char>> {
        let limits = Limits { level: Some(level), ..Limits::default() };
        Exact::of(&limits, &['b', 'a', 'c'], || Some("abcd".chars().zip(values).collect()))
    }

    fn decided(exact: &Exact<char>) -> (Option<char>, Vec<BestLine>) {
        let limits = Limits { lines: 2, ..Limits::default() };
        let mut lines = Vec::new();
        let best = exact.decided(&limits, String::from, &mut |report| lines = report.lines);
        (best, lines)
    }

    #[test]
    fn decided_games_are_played_and_draws_are_kept() {
        assert!(of(7, [Worth::DRAW; 3]).is_none(), "a level that knows no tables");
        let won = of(8, [Worth::win(5), Worth::win(3), Worth::DRAW]).expect("it knows them");
        let (best, lines) = decided(&won);
        assert_eq!((best, lines.len()), (Some('b'), 2));
        assert_eq!(lines[1].moves, ["a"]);
        let lost = of(8, [Worth::loss(2), Worth::loss(4), Worth::loss(6)]).expect("it knows them");
        assert_eq!(decided(&lost).0, Some('c'), "the slowest loss");
        let drawn = of(9, [Worth::loss(8), Worth::DRAW, Worth::DRAW]).expect("it knows them");
        assert_eq!(decided(&drawn).0, None);
        assert_eq!(['a', 'b', 'c', 'd'].map(|m| drawn.keeps(m)), [false, true, true, false]);
    }
}
