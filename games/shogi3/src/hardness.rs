//! How hard a position is to play right: what a computer that plays for a win looks for in its
//! rival's positions, and what makes an even opening a fight.

use crate::position::Position;
use crate::solver::Solution;
use kiban_core::Value;
use kiban_solve::Worth;

/// A mistake that is punished in so many plies is made half as readily as one that never is.
const HALF_SEEN: f32 = 16.0;

/// How readily a person plays a move of this worth where another is worth `best`: what keeps the
/// value fully, what gives it away the more the later it is punished.
fn readiness(worth: Worth, best: Worth) -> f32 {
    match worth.distance {
        Some(plies) if worth.value != best.value && worth.value == Value::Loss => {
            f32::from(plies) / (f32::from(plies) + HALF_SEEN)
        }
        _ => 1.0,
    }
}

/// How likely the side to move is to give the value away within so many moves of its own, from 0
/// to 1, when the other side goes where that is likeliest and never errs. 0 for a position that
/// was not solved.
pub(crate) fn of_mover(solution: &Solution, p: &Position, moves: u8) -> f32 {
    let choices = solution.moves(p).unwrap_or_default();
    let Some((_, best)) = choices.first().copied() else { return 0.0 };
    let (mut wrong, mut all) = (0.0, 0.0);
    for (m, worth) in choices {
        let ready = readiness(worth, best);
        all += ready;
        if worth.value != best.value {
            wrong += ready;
        } else if moves > 1 {
            let mut after = *p;
            after.play(m);
            wrong += ready * led(solution, &after, moves - 1);
        }
    }
    wrong / all
}

/// The hardest task the side to move can set without giving away what it has.
fn led(solution: &Solution, p: &Position, moves: u8) -> f32 {
    let choices = solution.moves(p).unwrap_or_default();
    let best = choices.first().map(|(_, worth)| worth.value);
    let kept = choices.into_iter().take_while(|(_, worth)| Some(worth.value) == best);
    let task = |(m, _)| {
        let mut after = *p;
        after.play(m);
        of_mover(solution, &after, moves)
    };
    kept.map(task).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Within;
    use crate::{Shogi3, sfen};

    #[test]
    fn late_punishment_makes_a_mistake_likelier() {
        let early = readiness(Worth::loss(2), Worth::DRAW);
        let late = readiness(Worth::loss(20), Worth::DRAW);
        assert!(0.0 < early && early < late && late < readiness(Worth::DRAW, Worth::DRAW));
    }

    #[test]
    fn more_moves_are_more_chances_to_err() {
        let p = sfen::read("npk/3/KPN b - 1").unwrap();
        let solution = Solution::of(Shogi3::default(), &p, &Within::bytes(1 << 28)).unwrap();
        let [one, two] = [1, 2].map(|moves| of_mover(&solution, &p, moves));
        assert!(0.0 < one && one < two && two < 1.0, "{one} {two}");
    }
}
