//! Scores in words.

use kiban_core::{Bound, Score, Value};

/// An exact value: `win in 5`, `draw`, or `won` where the game is over.
pub(crate) fn worth(value: Value, distance: Option<u32>) -> String {
    let (name, over) = match value {
        Value::Win => ("win", "won"),
        Value::Draw => ("draw", "drawn"),
        Value::Loss => ("loss", "lost"),
    };
    if distance == Some(0) {
        return over.to_string();
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_last_move_a_game_is_won_and_no_win_in_nothing() {
        assert_eq!(worth(Value::Win, Some(1)), "win in 1");
        assert_eq!(worth(Value::Win, Some(0)), "won");
        assert_eq!(worth(Value::Loss, Some(0)), "lost");
        assert_eq!(worth(Value::Draw, Some(0)), "drawn");
        assert_eq!(worth(Value::Draw, None), "draw");
    }
}
