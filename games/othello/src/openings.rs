//! The openings a start can be drawn from.

use crate::{Move, Options, Position};
use kiban_search::Random;

const LIST: &str = include_str!("../data/openings.txt");

/// The position after the opening this seed draws.
pub(crate) fn drawn(seed: u64) -> Position {
    let lines: Vec<&str> = list().collect();
    played(lines[Random::new(seed).below(lines.len())])
}

/// The openings' moves.
fn list() -> impl Iterator<Item = &'static str> {
    LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The openings, their moves separated by spaces.
pub(crate) fn lines() -> Vec<String> {
    let moves = |line: &'static str| (0..line.len()).step_by(2).map(move |at| &line[at..at + 2]);
    list().map(|line| moves(line).collect::<Vec<_>>().join(" ")).collect()
}

fn played(opening: &str) -> Position {
    let options = Options { fewest: false, free_centre: false, size: 8, handicap: 0 };
    let mut p = Position::start(options);
    for at in (0..opening.len()).step_by(2) {
        let m = Move::read(&opening[at..at + 2]).expect("the list of openings holds moves");
        p.play(m);
    }
    p
}
