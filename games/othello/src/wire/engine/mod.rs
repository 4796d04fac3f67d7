//! Kiban as an engine.

pub(super) mod cassio;
pub(super) mod gtp;
pub(super) mod nboard;
pub(super) mod xboard;

use crate::engine;
use crate::{Move, Othello, Position};
use kiban_core::{BestLine, Entry, Found, Limits, Line, Notation, ReadError, Rules, Score, Task};
use std::time::Duration;

/// Depth of the middle game until the user says one.
const DEPTH: u8 = 12;
/// So many plies deeper than the middle game the end of the game is solved.
const ENDGAME: u8 = 6;
/// Lost on the way to the user's clock.
const DELAY: Duration = Duration::from_millis(100);
/// Commands that wait at most; a user who sends more without waiting is refused.
const WAITING: usize = 1000;

/// A game from the start of these rules.
fn new_line(rules: Othello) -> Line<Othello> {
    let start = rules.read_setup("").expect("the start can be read");
    Line::new(rules, start)
}

/// Plays a move; a pass that is due before it may be left out. Gives the plies played.
fn pushed(line: &mut Line<Othello>, m: Move) -> Result<usize, ReadError> {
    let rules = line.rules();
    let foul = |line: &Line<Othello>| rules.foul(line, line.position().to_move(), m);
    if line.position().over() {
        return Err(ReadError::new("over", "The game is over; there is no further move."));
    }
    let skipped = m != Move::PASS && line.position().must_pass();
    if skipped {
        line.push(Move::PASS);
    }
    if foul(line).is_some() {
        if skipped {
            line.pop();
        }
        return Err(ReadError::new("illegal-move", format!("{m} is not a legal move here.")));
    }
    line.push(m);
    Ok(1 + usize::from(skipped))
}

/// A search of a position.
fn thinking(rules: Othello, position: Position) -> Task {
    Box::new(move |memory, limits, report| {
        let m = engine::think(rules, &position, memory, &limits, report);
        Found::Entry(Entry::new_move(position.to_move(), m.to_string()))
    })
}

/// What a search found; any move where it failed.
fn found_move(found: &Found, p: &Position) -> Move {
    let text = match found {
        Found::Entry(Entry { act: kiban_core::Act::Move(text), .. }) => Move::read(text).ok(),
        _ => None,
    };
    text.unwrap_or_else(|| p.moves().first().copied().unwrap_or(Move::PASS))
}

fn empties(p: &Position) -> u8 {
    u8::try_from(p.empties().count_ones()).unwrap_or(u8::MAX)
}

/// Limits by depth alone, the end of the game being solved from further away.
fn by_depth(p: &Position, depth: u8) -> Limits {
    let empties = empties(p);
    let solved = empties <= depth.saturating_add(ENDGAME);
    let depth = if solved { empties.max(1) } else { depth };
    Limits { depth: Some(depth), ..Limits::default() }
}

/// The moves of a line.
fn moves_of(line: &BestLine) -> impl Iterator<Item = Move> {
    line.moves.iter().filter_map(|text| Move::read(text).ok())
}

/// A score in discs.
fn discs(score: Score) -> f64 {
    match score {
        Score::Estimate { points, .. } => f64::from(points) / 100.0,
        Score::Exact { .. } => 64.0 * f64::from(2.0 * score.chance() - 1.0),
    }
}

/// Discs of a finished game for the side to move, empties to the winner.
fn final_discs(rules: Othello, p: &Position) -> i64 {
    let (first, second) = rules.final_score(p);
    let sign = if (p.to_move().index() == 0) != rules.options.fewest { 1 } else { -1 };
    (first - second) * sign
}

/// Words that a user may have sent, cut to a length that can be said back.
fn clipped(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}
