//! Arithmetic on scores, and scores in words.

use kiban_core::{Bound, Outcome, Score, Seat, Value};

/// The same worth as the other side sees it.
pub(crate) fn other_side(score: Score) -> Score {
    match score {
        Score::Exact { value, distance } => {
            let value = match value {
                Value::Win => Value::Loss,
                Value::Draw => Value::Draw,
                Value::Loss => Value::Win,
            };
            Score::Exact { value, distance }
        }
        Score::Estimate { points, unit, chance, bound } => {
            let bound = match bound {
                Bound::Exact => Bound::Exact,
                Bound::Lower => Bound::Upper,
                Bound::Upper => Bound::Lower,
            };
            Score::Estimate { points: -points, unit, chance: 1.0 - chance, bound }
        }
    }
}

/// The same worth for the same side one ply earlier.
pub(crate) fn earlier(score: Score) -> Score {
    match score {
        Score::Exact { value, distance } => {
            Score::Exact { value, distance: distance.map(|d| d + 1) }
        }
        estimate => estimate,
    }
}

/// A seat's score as another seat sees it.
pub(crate) fn seen_by(score: Score, whose: Seat, viewer: Seat) -> Score {
    if together(whose, viewer) { score } else { other_side(score) }
}

/// Whether two seats play together: first with third, second with fourth.
pub(crate) fn together(a: Seat, b: Seat) -> bool {
    a.index() % 2 == b.index() % 2
}

/// What an ending `plies` plies on is worth for a seat.
pub(crate) fn of_outcome(outcome: Outcome, seat: Seat, plies: u32) -> Score {
    let winners = outcome.winners();
    let (value, distance) = match winners.iter().next() {
        None => (Value::Draw, None),
        Some(winner) if together(winner, seat) => (Value::Win, Some(plies)),
        Some(_) => (Value::Loss, Some(plies)),
    };
    Score::Exact { value, distance }
}

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
