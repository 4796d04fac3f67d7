//! Named positions with so many empties, out of games against itself, with the best moves and
//! their exact value: a problem file.

use crate::play::{START, after, stray};
use crate::{Outcome, number, weights};
use kiban_othello::bitboard::{Board8, Isa, Portable};
use kiban_othello::{Move, Study};
use kiban_search::Random;
use std::collections::HashSet;

/// Plies by chance, and plies the search looks ahead after them.
const CHANCE: u32 = 10;
const DEPTH: u8 = 5;
/// Slots of the table, as a power of two.
const BITS: u32 = 20;

/// Draws positions: `[seed, count, empties]`.
pub(crate) fn draw(path: &str, [seed, count, empties]: [&str; 3]) -> Outcome {
    let (seed, count): (u64, usize) = (number(seed)?, number(count)?);
    let empties: u32 = number(empties)?;
    let (mut study, mut random) = (Study::new(weights(path)?, BITS), Random::new(seed));
    let mut seen = HashSet::new();
    println!("% {count} positions with {empties} empties, of games the engine played against");
    println!("% itself after {CHANCE} plies by chance, with the best moves and their exact value,");
    println!("% made by: train positions data/weights.bin {seed} {count} {empties}");
    while seen.len() < count {
        let Some((board, black)) = reached(&mut random, &mut study, empties) else { continue };
        if !seen.insert(board) {
            continue;
        }
        study.clear();
        let points = study.solve(board).points;
        let moves = Portable.moves(board);
        let best = (0..64u8).filter(|square| {
            moves >> square & 1 != 0
                && -study.solve(after(board, u32::from(*square))).points == points
        });
        let result =
            |square: u8| format!("{}:{:+};", Move::place(square % 8, square / 8), points / 100);
        let results: Vec<String> = best.map(result).collect();
        let results = results.join(" ");
        println!("{}; {results} % e{empties}-{:03}", text(board, black), seen.len());
    }
    Ok(())
}

/// A position of a game, and whether the first player is to move.
fn reached(random: &mut Random, study: &mut Study, empties: u32) -> Option<(Board8, bool)> {
    let (mut board, mut black) = (START, true);
    loop {
        if Portable.moves(board) == 0 {
            (board, black) = (board.pass(), !black);
            if Portable.moves(board) == 0 {
                return None;
            }
        }
        let left = board.empties().count_ones();
        if left == empties {
            return Some((board, black));
        }
        board = if left > 60 - CHANCE {
            stray(board, random)?
        } else {
            study.clear();
            after(board, study.search(board, DEPTH, true).square?)
        };
        black = !black;
    }
}

fn text(board: Board8, black: bool) -> String {
    let (own, enemy) = if black { ('X', 'O') } else { ('O', 'X') };
    let square = |i: u32| match (board.own >> i & 1, board.enemy >> i & 1) {
        (1, _) => own,
        (_, 1) => enemy,
        _ => '-',
    };
    (0..64).map(square).chain([' ', own]).collect()
}
