//! What an NBoard engine says of a position: its `search` and `book` lines.

use crate::Move;
use crate::engine::chance;
use kiban_core::{Arbiter, BestLine, Bound, Report, Score, Viewer};

/// The most discs a game is won by, with room for boards of 10.
const MOST_DISCS: f64 = 100.0;

/// The lines told of a position, best first.
#[derive(Default)]
pub(super) struct Hints {
    /// How many are wanted.
    wanted: u8,
    empties: u32,
    nodes: u64,
    lines: Vec<BestLine>,
}

impl Hints {
    pub(super) fn new(game: &dyn Arbiter, wanted: u8) -> Hints {
        let empty = |c: &char| *c == '-';
        let empties = game.position(Viewer::Referee).chars().filter(empty).count() as u32;
        Hints { wanted: wanted.max(1), empties, ..Hints::default() }
    }

    /// The first move of the best line.
    pub(super) fn best(&self) -> Option<&str> {
        self.lines.first()?.moves.first().map(String::as_str)
    }

    /// Takes `12345 0.25`: nodes and seconds.
    pub(super) fn nodes(&mut self, text: &str) {
        let nodes = text.split_whitespace().next().and_then(|n| n.parse().ok());
        self.nodes = nodes.unwrap_or(self.nodes);
    }

    /// Takes `search F5D6 1.00 0 12` or `book F5 0.50 1200 24`.
    pub(super) fn take(&mut self, line: &str) -> Option<Report> {
        let mut words = line.split_whitespace().skip(1);
        let moves = variation(words.next()?)?;
        let eval = words.next()?;
        let depth = words.nth(1).unwrap_or("0");
        self.put(moves, eval, depth)
    }

    /// Takes the evaluation of the move that was chosen, if no line has told of it.
    pub(super) fn concluded(&mut self, text: &str, eval: &str) -> Option<Report> {
        let moves = variation(text)?;
        let known = self.lines.iter().any(|line| line.moves.first() == moves.first());
        if known { None } else { self.put(moves, eval, "0") }
    }

    /// A line takes the place of the one that began with the same move. A deeper one is the better
    /// judgement: those an engine has not come to yet in its present depth follow.
    fn put(&mut self, moves: Vec<String>, eval: &str, depth: &str) -> Option<Report> {
        let discs = first_number(eval)?;
        let proved = depth.starts_with("100%");
        let digits = depth.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let depth = digits.parse().unwrap_or(u8::MAX);
        // Of a proved result the depth is that of all that was empty.
        let depth = if proved { u8::try_from(self.empties).unwrap_or(u8::MAX) } else { depth };
        let points = (discs * 100.0).round() as i32;
        let chance = chance(points, self.empties, proved);
        let score = Score::Estimate { points, unit: "centidisc", chance, bound: Bound::Exact };
        if self.wanted == 1 {
            self.lines.clear();
        }
        self.lines.retain(|line| line.moves.first() != moves.first());
        self.lines.push(BestLine { rank: 0, score, depth, moves });
        let worth = |line: &BestLine| match line.score {
            Score::Estimate { points, .. } => points,
            Score::Exact { .. } => 0,
        };
        self.lines.sort_by_key(|line| std::cmp::Reverse((line.depth, worth(line))));
        self.lines.truncate(self.wanted.into());
        for (rank, line) in (1..).zip(&mut self.lines) {
            line.rank = rank;
        }
        Some(Report {
            depth: self.lines.first().map_or(0, |line| line.depth),
            seldepth: None,
            nodes: self.nodes,
            lines: self.lines.clone(),
            call: None,
        })
    }
}

/// `1.25`, or a pair whose first number is the value where a draw counts for Black.
fn first_number(text: &str) -> Option<f64> {
    let number: f64 = text.split(',').next()?.parse().ok()?;
    number.is_finite().then(|| number.clamp(-MOST_DISCS, MOST_DISCS))
}

/// The moves of `F5d6C3` or `F5-D6-C3` as far as they can be read; `None` if there is none.
fn variation(text: &str) -> Option<Vec<String>> {
    let (mut rest, mut moves) = (text, Vec::new());
    loop {
        rest = rest.trim_start_matches('-');
        // A letter and a number; a pass is two letters.
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let Some((one, more)) = rest.split_at_checked(1 + digits.max(1)) else { break };
        let Ok(m) = Move::read(one) else { break };
        moves.push(m.to_string());
        rest = more;
    }
    (!moves.is_empty()).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_are_read_however_they_are_written() {
        let read = |text| variation(text).map(|moves| moves.join(" "));
        assert_eq!(read("F5d6C3"), Some("f5 d6 c3".to_string()));
        assert_eq!(read("F5-D6-PA-C3"), Some("f5 d6 pass c3".to_string()));
        assert_eq!(read("A10j1"), Some("a10 j1".to_string()));
        assert_eq!(read("F5zz"), Some("f5".to_string()));
        for none in ["", "-", "F", "zz", "1.0", "\u{e9}\u{e9}"] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn evaluations_are_numbers_or_pairs() {
        assert_eq!(first_number("-1.5"), Some(-1.5));
        assert_eq!(first_number("2.00,-2.00"), Some(2.0));
        assert_eq!(first_number("1e99"), Some(MOST_DISCS));
        for none in ["", "x", "nan", "inf", "/"] {
            assert_eq!(first_number(none), None, "{none}");
        }
    }
}
