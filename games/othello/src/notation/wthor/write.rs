//! Writing WTHOR bases.

use super::names::{EVENTS, List, PLAYERS, number_of};
use super::{BEST, DEPTH, Head, NUMBERS};
use crate::notation::properties::not_held;
use crate::notation::results;
use crate::{Move, Options, Othello, Position};
use kiban_core::{Act, ReadError, Record};
use std::collections::BTreeMap;

impl Head {
    fn write(self, out: &mut Vec<u8>) {
        let games = u32::try_from(self.games).expect("games of a file are few");
        // The date of making is left blank, so that the same games give the same file.
        out.extend([0; 4]);
        out.extend(games.to_le_bytes());
        out.extend([0; 2]);
        out.extend(self.year.to_le_bytes());
        out.extend([if self.size == 8 { 0 } else { self.size }, 0, self.depth, 0]);
    }
}

/// Numbers of names.
struct Numbers<'a> {
    players: BTreeMap<&'a str, u16>,
    events: BTreeMap<&'a str, u16>,
}

impl Numbers<'_> {
    fn of(&self, key: &str, record: &Record) -> u16 {
        let Some(text) = record.tag(key) else { return 0 };
        let names = if List::of(key) == EVENTS { &self.events } else { &self.players };
        number_of(text).or_else(|| names.get(text).copied()).unwrap_or(0)
    }
}

/// Writes games from the start that were played out. Names become numbers into the files beside,
/// times and comments are left out, and so are the passes the board makes by itself. All games of
/// a base are of one year.
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let numbers = Numbers { players: PLAYERS.numbers(records)?, events: EVENTS.numbers(records)? };
    let (mut out, mut rows) = (Vec::new(), Vec::new());
    let mut first = None;
    for (i, record) in records.iter().enumerate() {
        let head =
            put_game(&mut rows, record, &numbers).map_err(|e| not_held(&e, i, records.len()))?;
        if *first.get_or_insert(head) != head {
            let message = "It is of another year, size or depth than the first; \
                           a base has one of each.";
            return Err(not_held(message, i, records.len()));
        }
    }
    let Some(first) = first else { return Err(not_held("There is no game to write.", 0, 0)) };
    Head { games: records.len(), ..first }.write(&mut out);
    out.extend(rows);
    Ok(out)
}

fn unknown<T: std::str::FromStr>(record: &Record, key: &str) -> Option<T> {
    record.unknown.iter().find(|(known, _)| known == key)?.1.parse().ok()
}

/// The year a date begins with: `2024`, `2024-05-01`, `20240501`.
fn year_of(date: &str) -> Option<u16> {
    let digits = date.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().or_else(|_| digits.get(..4).unwrap_or("").parse()).ok()
}

/// Writes a row; gives the head it belongs under.
fn put_game(out: &mut Vec<u8>, record: &Record, numbers: &Numbers<'_>) -> Result<Head, String> {
    let variant = crate::GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let options = Othello::of_variant(&variant).options;
    if options.fewest || options.free_centre || !matches!(options.size, 8 | 10) {
        return Err("WTHOR holds Othello on 8x8 and 10x10 only; choose another format.".into());
    }
    let plain = Position::start(Options { handicap: 0, ..options });
    let start = match record.start.as_str() {
        "" => Position::start(options).write(),
        start => start.to_string(),
    };
    if start != plain.write() {
        return Err("WTHOR holds games from the start only; choose another format.".into());
    }
    if record.nodes.iter().any(|node| node.children.len() > 1) {
        return Err("WTHOR holds no variations; choose another format.".into());
    }
    let head = Head {
        games: 0,
        year: record.tag("date").and_then(year_of).unwrap_or(0),
        size: options.size,
        depth: unknown(record, DEPTH).unwrap_or(0),
    };
    let moves = codes(record, plain, head)?;
    let score = score(record, head.squares())?;
    for key in NUMBERS {
        out.extend(numbers.of(key, record).to_le_bytes());
    }
    let best = unknown(record, BEST).filter(|best| *best <= head.squares());
    out.extend([score, best.unwrap_or(score)]);
    out.extend(moves);
    Ok(head)
}

/// The moves of a game from this start, filled up with zeros.
fn codes(record: &Record, mut position: Position, head: Head) -> Result<Vec<u8>, String> {
    let mut codes = Vec::with_capacity(head.moves());
    for entry in record.entries() {
        let Act::Move(text) = &entry.act else {
            let message = "WTHOR does not hold how a game was given up; choose another format.";
            return Err(message.into());
        };
        let m = Move::read(text).map_err(|e| e.to_string())?;
        if m != Move::PASS && position.must_pass() {
            position.play(Move::PASS);
        }
        match m.square() {
            Some((file, rank)) if file < head.size && rank < head.size => {
                codes.push(head.stride() * (rank + 1) + file + 1);
            }
            None if position.must_pass() => {}
            _ => return Err(format!("WTHOR does not hold {text} here; choose another format.")),
        }
        if position.moves().contains(&m) {
            position.play(m);
        }
    }
    if codes.len() > head.moves() {
        let most = head.moves();
        return Err(format!("WTHOR holds at most {most} moves a game; choose another format."));
    }
    codes.resize(head.moves(), 0);
    Ok(codes)
}

/// The first player's score: the one the record claims, else the one on the board.
fn score(record: &Record, squares: u8) -> Result<u8, String> {
    let claimed = record.claimed.as_ref().and_then(|claim| results::score_of(claim, squares));
    if let Some(score) = claimed {
        return Ok(score);
    }
    let judged = (crate::GAME.judge)(record).map_err(|e| e.to_string())?;
    let played_out = judged.outcome.and(judged.score);
    played_out.and_then(|(first, _)| u8::try_from(first).ok()).ok_or_else(|| {
        "The game is not finished, and WTHOR wants its score; choose another format.".into()
    })
}
