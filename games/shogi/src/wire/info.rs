//! The `info` lines.

use kiban_core::{BestLine, Bound, Report, Score, Value};
use std::time::Duration;

/// The lines that tell a report.
pub(super) fn lines(report: &Report, elapsed: Duration) -> Vec<String> {
    let ms = elapsed.as_millis();
    let nps = u128::from(report.nodes) * 1000 / ms.max(1);
    let several = report.lines.len() > 1;
    let line = |line: &BestLine| {
        let rank = if several { format!(" multipv {}", line.rank) } else { String::new() };
        format!(
            "info depth {}{rank} score {} nodes {} nps {nps} time {ms} pv {}",
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

#[cfg(test)]
mod tests {
    use super::*;

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
