//! Openings for matches: a few men placed by chance, too few for a mill.

use crate::{Blocked, Board, Flying, Morris, Position, Take};
use kiban_search::Random;

/// How many openings there are.
const OPENINGS: u64 = 200;
/// Plies of an opening: two men a side make no mill.
const PLIES: usize = 4;

/// Moves of the standard game, separated by spaces; no opening is another turned or reflected.
pub(crate) fn list() -> Vec<String> {
    let rules = Morris {
        board: Board::Nine,
        men: 9,
        early_slides: false,
        short_endgame: false,
        flying: Flying::AtThree,
        take: Take::WhenAllInMills,
        take_two: false,
        blocked: Blocked::Loses,
    };
    let mut seen = std::collections::HashSet::new();
    let mut list = Vec::new();
    for seed in 0..OPENINGS {
        let (mut p, mut random) = (Position::start(rules.men), Random::new(seed));
        let mut texts = Vec::new();
        for _ in 0..PLIES {
            let moves = rules.moves(&p);
            let m = moves[random.below(moves.len())];
            texts.push(rules.move_text(m));
            p.play(m);
        }
        let grid = rules.grid();
        let image = |n| p.men.map(|men| grid.image(n, men));
        let least = (0..grid.symmetries.len()).map(image).min();
        if seen.insert(least) {
            list.push(texts.join(" "));
        }
    }
    list
}
