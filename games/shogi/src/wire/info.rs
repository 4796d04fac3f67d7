//! The `info` lines.

use crate::engine::estimate;
use kiban_core::{BestLine, Bound, Report, Score, Value};
use std::time::Duration;

/// Moves of another engine's line that are kept.
const MOST_MOVES: usize = 64;
/// Lines of another engine that are kept.
const MOST_LINES: u8 = 20;

/// The lines that tell a report.
pub(super) fn lines(report: &Report, elapsed: Duration) -> Vec<String> {
    let ms = elapsed.as_millis();
    let nps = u128::from(report.nodes) * 1000 / ms.max(1);
    let several = report.lines.len() > 1;
    let deepest = report.seldepth.map_or(String::new(), |plies| format!(" seldepth {plies}"));
    let line = |line: &BestLine| {
        let rank = if several { format!(" multipv {}", line.rank) } else { String::new() };
        format!(
            "info depth {}{deepest}{rank} score {} nodes {} nps {nps} time {ms} pv {}",
            line.depth,
            score(line.score),
            report.nodes,
            line.moves.join(" ")
        )
    };
    report.lines.iter().map(line).collect()
}

fn score(score: Score) -> String {
    let mate = |sign: &str, distance: Option<u32>| match distance {
        Some(plies) => format!("mate {}{plies}", sign.trim_start_matches('+')),
        None => format!("mate {sign}"),
    };
    match score {
        Score::Exact { value: Value::Win, distance } => mate("+", distance),
        Score::Exact { value: Value::Loss, distance } => mate("-", distance),
        Score::Exact { value: Value::Draw, .. } => "cp 0".to_string(),
        Score::Estimate { points, bound, .. } => {
            let bound = match bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            };
            format!("cp {points}{bound}")
        }
    }
}

/// What another engine's `info` line tells: a line of play with its score, and the nodes so far.
/// `None` for lines that tell no score or no moves.
pub(super) fn read(line: &str) -> Option<(BestLine, u64)> {
    let mut words = line.split_whitespace().skip(1).peekable();
    let (mut depth, mut nodes, mut rank) = (0, 0, 1);
    let (mut told, mut bound) = (None, Bound::Exact);
    while let Some(word) = words.next() {
        match word {
            // The rest of the line is a text or the moves.
            "string" => return None,
            "pv" => break,
            "depth" => depth = words.next()?.parse().ok()?,
            "nodes" => nodes = words.next()?.parse().ok()?,
            "multipv" => rank = words.next()?.parse().ok()?,
            "score" => told = Some((words.next()?, words.next()?)),
            "lowerbound" => bound = Bound::Lower,
            "upperbound" => bound = Bound::Upper,
            _ => {}
        }
    }
    let score = match told? {
        ("cp", points) => estimate(points.parse::<i32>().ok()?.clamp(-9_999, 9_999), bound),
        ("mate", plies) => {
            let value = if plies.starts_with('-') { Value::Loss } else { Value::Win };
            Score::Exact { value, distance: plies.trim_start_matches(['+', '-']).parse().ok() }
        }
        _ => return None,
    };
    let moves: Vec<String> = words.take(MOST_MOVES).map(str::to_string).collect();
    let line = BestLine { rank, score, depth, moves };
    (!line.moves.is_empty() && (1..=MOST_LINES).contains(&rank)).then_some((line, nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again_and_the_rest_left() {
        for score in [
            Score::Exact { value: Value::Win, distance: Some(5) },
            Score::Exact { value: Value::Loss, distance: None },
            estimate(-35, Bound::Exact),
            estimate(120, Bound::Lower),
        ] {
            let moves = vec!["7g7f".to_string(), "3c3d".to_string()];
            let line = BestLine { rank: 1, score, depth: 7, moves };
            let report = Report {
                depth: 7,
                seldepth: None,
                nodes: 12,
                lines: vec![line.clone()],
                call: None,
            };
            let text = &lines(&report, Duration::from_millis(5))[0];
            assert_eq!(read(text), Some((line, 12)), "{text}");
        }
        for other in [
            "info",
            "info string score cp 1 pv 7g7f",
            "info depth 3",
            "info score cp 10",
            "info score cp x pv 7g7f",
            "info depth 999 score cp 1 pv 7g7f",
            "info multipv 200 score cp 1 pv 7g7f",
            "info score mate pv",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn scores_are_told_as_usi_tells_them() {
        let exact = |value, distance| score(Score::Exact { value, distance });
        assert_eq!(exact(Value::Win, Some(5)), "mate 5");
        assert_eq!(exact(Value::Loss, Some(2)), "mate -2");
        assert_eq!(exact(Value::Win, None), "mate +");
        assert_eq!(exact(Value::Loss, None), "mate -");
        assert_eq!(exact(Value::Draw, None), "cp 0");
        let estimate =
            |bound| Score::Estimate { points: -35, unit: "centipawn", chance: 0.4, bound };
        assert_eq!(score(estimate(Bound::Exact)), "cp -35");
        assert_eq!(score(estimate(Bound::Lower)), "cp -35 lowerbound");
    }
}
