//! The openings of matches: drawn positions in which it is easy to err.
//!
//! The catalogue's set-ups are mostly decided, and whoever has the won side wins; from these
//! positions the better player does. They are found by [`write`] among all positions that can be
//! reached from the atlas.

use crate::position::Position;
use crate::solver::{Solution, Within};
use crate::{Shogi3, exact, hardness, sfen};
use kiban_core::Value;
use kiban_search::Random;
use kiban_shogi::moves::Color;
use kiban_solve::Worth;
use std::collections::HashSet;

/// The openings that were found.
const FILE: &str = include_str!("../data/openings.txt");
/// Fewer legal moves are no choice.
const FEWEST_MOVES: usize = 5;
/// Positions of a set-up that are weighed.
const SAMPLE: usize = 2000;
/// Openings with the same pieces at most, so that all of them occur.
const OF_SAME_PIECES: usize = 4;
/// How many moves of each side are looked at.
const MOVES: u8 = 3;
/// How much of a fight an opening is at least.
const LEAST_FIGHT: f32 = 0.5;
/// What a set-up may take to be solved: a level's first move is not to be slow.
const BYTES: u64 = 1 << 27;

/// The openings as positions.
pub(crate) fn listed() -> Vec<String> {
    lines().map(|(position, _)| position.to_string()).collect()
}

/// Each opening with the set-up it can be reached from.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = FILE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once("; from ").expect("the file was written by `write`"))
}

/// How much of a fight an even position is, from 0 to 1: how likely the less troubled of the two
/// sides is to err. `None` where it is no good opening.
fn fight(solution: &Solution, p: &Position) -> Option<f32> {
    if solution.worth(p)?.value != Value::Draw || p.in_check() {
        return None;
    }
    let moves = solution.moves(p)?;
    let lose = moves.iter().filter(|(_, worth)| worth.value == Value::Loss).count();
    if men(p, Color::Sente) != men(p, Color::Gote)
        || moves.len() < FEWEST_MOVES
        || 2 * lose < moves.len()
        || moves.len() - lose < 2
        || [true, false].map(|mover| solution.holds_quietly(p, mover)) != [Some(true); 2]
    {
        return None;
    }
    let others = moves.iter().filter(|(_, worth)| worth.value == Value::Draw).map(|(m, _)| {
        let mut after = *p;
        after.play(*m);
        hardness::of_mover(solution, &after, MOVES)
    });
    let other = others.fold(0.0, f32::max);
    let fight = hardness::of_mover(solution, p, MOVES).min(other);
    (fight >= LEAST_FIGHT).then_some(fight)
}

/// How many pieces a side has, on the board and in hand.
fn men(p: &Position, side: Color) -> usize {
    let board = crate::moves::Square::all().filter_map(|square| p.piece_at(square));
    let held: u8 = p.hand(side).iter().map(|(_, n)| n).sum();
    board.filter(|(owner, _)| *owner == side).count() + usize::from(held)
}

/// An opening file with so many of the greatest fights; the same for the same seed.
///
/// # Panics
/// If a set-up of the atlas cannot be solved.
pub fn write(seed: u64, count: usize) -> String {
    let mut random = Random::new(seed);
    let mut found: Vec<(f32, String, &str)> = Vec::new();
    let setups = one_of_each_pieces();
    for setup in &setups {
        let start = sfen::read(setup).expect("it was written by the same notation");
        let solution = Solution::of(Shogi3::default(), &start, &Within::bytes(BYTES))
            .expect("a set-up of king and two pieces a side fits");
        let drawn = |i: &usize| solution.worth(&solution.position(*i)) == Some(Worth::DRAW);
        let drawn: Vec<usize> = (0..solution.positions() as usize).filter(drawn).collect();
        let mut here: Vec<(f32, String, &str)> = Vec::new();
        for _ in 0..SAMPLE.min(drawn.len()) {
            let p = solution.position(drawn[random.below(drawn.len())]);
            let text = sfen::write(&p);
            if let Some(fight) = fight(&solution, &p)
                && here.iter().all(|(_, known, _)| *known != text)
            {
                here.push((fight, text, setup));
            }
        }
        here.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.extend(here.into_iter().take(OF_SAME_PIECES));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let line = |(_, position, setup): &(f32, String, &str)| format!("{position}; from {setup}\n");
    format!("# Found by `cargo run -p kiban-shogi3 --example drawn_openings -- {seed} {count}`.\n")
        + &found.iter().take(count).map(line).collect::<String>()
}

/// Of the set-ups with the same pieces the first that is admitted: what can be reached from one
/// can mostly be reached from the others.
fn one_of_each_pieces() -> Vec<String> {
    let mut known = HashSet::new();
    let first = |setup: &String| {
        let p = sfen::read(setup).expect("it was written by the same notation");
        let mut pieces: Vec<char> = setup.chars().filter(char::is_ascii_uppercase).collect();
        pieces.sort_unstable();
        sfen::faults(&p).is_empty() && known.insert(pieces)
    };
    exact::setups().into_iter().filter(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Each is solved again, from the set-up it can be reached from.
    #[test]
    fn every_opening_is_a_drawn_fight() {
        let mut of_setup: HashMap<&str, Vec<&str>> = HashMap::new();
        lines().for_each(|(position, setup)| of_setup.entry(setup).or_default().push(position));
        for (setup, positions) in of_setup {
            let start = sfen::read(setup).unwrap();
            let solution = Solution::of(Shogi3::default(), &start, &Within::bytes(BYTES)).unwrap();
            for text in positions {
                let p = sfen::read(text).unwrap();
                assert_eq!(sfen::faults(&p), Vec::<String>::new(), "{text}");
                assert!(fight(&solution, &p).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn there_are_enough_and_none_twice() {
        let all = listed();
        assert!(all.len() >= 60);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }
}
