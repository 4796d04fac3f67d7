//! Scores in words.

use kiban_core::{Bound, Score, Value};

/// An exact value: `win in 5`, `draw`.
pub(crate) fn worth(value: Value, distance: Option<u32>) -> String {
    let name = match value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    };
    distance.map_or(name.to_string(), |plies| format!("{name} in {plies}"))
}

/// `>= ` or `<= ` before what is a bound only.
pub(crate) fn bound(score: Score) -> &'static str {
    match score {
        Score::Estimate { bound: Bound::Lower, .. } => ">= ",
        Score::Estimate { bound: Bound::Upper, .. } => "<= ",
        _ => "",
    }
}

/// A score in a few characters: `+0.35`, `>= +0.35`, `win in 5`.
pub(crate) fn text(score: Score) -> String {
    match score {
        Score::Exact { value, distance } => worth(value, distance),
        Score::Estimate { points, .. } => {
            format!("{}{:+.2}", bound(score), f64::from(points) / 100.0)
        }
    }
}
