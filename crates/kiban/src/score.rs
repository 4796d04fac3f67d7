//! Scores in words.

use kiban_core::{Bound, Score, Value};

/// A score in a few characters: `+0.35`, `win in 5`.
pub(crate) fn text(score: Score) -> String {
    match score {
        Score::Exact { value, distance } => {
            let value = match value {
                Value::Win => "win",
                Value::Draw => "draw",
                Value::Loss => "loss",
            };
            distance.map_or(value.to_string(), |d| format!("{value} in {d}"))
        }
        Score::Estimate { points, bound, .. } => {
            let sign = match bound {
                Bound::Exact => "",
                Bound::Lower => ">=",
                Bound::Upper => "<=",
            };
            format!("{sign}{:+.2}", f64::from(points) / 100.0)
        }
    }
}
