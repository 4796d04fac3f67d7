//! Kiban as an engine of the Chinese computer games contest.
//!
//! The judge says `INFO`, `START first time steps`, `GO move result flag`, `RESULT result flag` and
//! `END win`; the engine answers `NAME`, `ARRAY` and `BESTMOVE`. A seat always sees its own half
//! below: rows `A` to `L` from the top, columns 0 to 4. What the judge should not have said is
//! answered by `ERROR` and a sentence, and changes nothing.

use crate::board::Station;
use crate::layout::{Layout, mix, on_board, stations};
use crate::options::Quiet;
use crate::position::{Move, Piece, Position};
use crate::{Contact, Event, Known, Luzhanqi, Options, Rank, engine};
use kiban_core::{
    Act, Conversation, Desk, Entry, Flow, Found, Limits, Notation, Pace, Report, Rules, Seat,
    Seats, Task, Variant, Viewer,
};
use kiban_wire::Clock;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

/// Stations of the board.
const STATIONS: u8 = 60;
/// Columns of the board.
const COLUMNS: u8 = 5;
/// Lost on the way to the judge's clock.
const DELAY: Duration = Duration::from_millis(200);
/// No move takes longer, however much time the judge gives: soft and hard.
const LONGEST: (Duration, Duration) = (Duration::from_secs(4), Duration::from_secs(12));
/// Characters of the judge's line that an error repeats.
const REPEATED: usize = 40;

/// A game as one seat is told of it.
struct Game {
    rules: Luzhanqi,
    seat: Seat,
    known: Known,
    left: Duration,
    /// The own move whose result is awaited.
    awaited: Option<(Station, Station)>,
    /// Whether a search is on.
    thinking: bool,
    /// Whether a flag is gone, so that only the end is to come.
    over: bool,
}

/// The conversation.
pub(super) struct Contest {
    options: Options,
    game: Option<Game>,
}

/// A number nobody can foresee: the standard hasher's keys are the system's chance.
fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The station a seat sees on a row and column.
fn station(seat: Seat, row: u8, column: u8) -> Option<Station> {
    let row = row.checked_sub(b'A').filter(|row| *row < STATIONS / COLUMNS)?;
    let column = column.checked_sub(b'0').filter(|column| *column < COLUMNS)?;
    Some(turned(seat, STATIONS - COLUMNS - row * COLUMNS + column))
}

/// The row and column on which a seat sees a station.
fn seen(seat: Seat, at: Station) -> String {
    let at = turned(seat, at);
    let row = char::from(b'A' + (STATIONS - 1 - at) / COLUMNS);
    format!("{row}{}", at % COLUMNS)
}

/// A station counted from the seat's own first row, or back: half a turn for the second.
fn turned(seat: Seat, at: Station) -> Station {
    if seat == Seat::FIRST { at } else { STATIONS - 1 - at }
}

/// The two stations of a move's four characters.
fn read_move(seat: Seat, text: &str) -> Option<(Station, Station)> {
    match text.as_bytes() {
        [a, b, c, d] => Some((station(seat, *a, *b)?, station(seat, *c, *d)?)),
        _ => None,
    }
}

/// A result's digit: what came of a contact, or nothing.
fn read_result(text: &str) -> Result<Option<Contact>, String> {
    match text {
        "0" => Ok(Some(Contact::Lost)),
        "1" => Ok(Some(Contact::Won)),
        "2" => Ok(Some(Contact::Both)),
        "3" => Ok(None),
        _ => Err(format!("\"{}\" is no result; say 0, 1, 2 or 3.", short(text))),
    }
}

/// The station of a flag; `00` is none.
fn read_flag(seat: Seat, text: &str) -> Result<Option<Station>, String> {
    let at = match text.as_bytes() {
        b"00" => return Ok(None),
        [row, column] => station(seat, *row, *column),
        _ => None,
    };
    let fault = || format!("\"{}\" is no flag's place; say 00 or such as A1.", short(text));
    at.map(Some).ok_or_else(fault)
}

fn short(text: &str) -> String {
    text.chars().take(REPEATED).flat_map(char::escape_debug).collect()
}

impl Contest {
    pub(super) fn new(variant: &Variant) -> Contest {
        Contest { options: Options::of(variant), game: None }
    }

    fn start(&mut self, words: &[&str], desk: &mut dyn Desk) -> Result<(), String> {
        let [first, time, steps] = words else {
            return Err("START needs three numbers: first, time and steps.".into());
        };
        let seat = match *first {
            "0" => Seat::FIRST,
            "1" => Seat::SECOND,
            _ => return Err("Say START 0 for who moves first, START 1 for the other.".into()),
        };
        let time: u64 = time.parse().map_err(|_| "The time is a number of seconds.")?;
        let steps = steps.parse().ok().filter(|steps| *steps > 0);
        let steps: u16 = steps.ok_or("The steps are a number from 1 to 65535.")?;
        desk.abandon();
        let options = Options { quiet: Quiet::Loses(steps), ..self.options };
        let layout = mix::draw(&mut chance);
        self.game = Some(Game::new(options, seat, layout, Duration::from_secs(time)));
        desk.say(&format!("ARRAY {}", layout.letters()));
        Ok(())
    }

    fn go(&mut self, words: &[&str], desk: &mut dyn Desk) -> Result<(), String> {
        let [text, result, flag] = words else {
            return Err("GO needs a move, a result and a flag.".into());
        };
        let game = self.game.as_mut().ok_or("No game has been started; say START.")?;
        game.is_free()?;
        let seat = game.seat;
        if *text == "0000" {
            if game.turn() != seat || !game.known.events.is_empty() {
                return Err("GO 0000 is for the first move of who moves first.".into());
            }
        } else {
            let (from, to) = read_move(seat, text)
                .ok_or_else(|| format!("\"{}\" is no move; say such as F0G0.", short(text)))?;
            let (contact, flag) = (read_result(result)?, read_flag(seat, flag)?);
            game.check(seat.other(), from, to, contact)?;
            game.play(seat.other(), (from, to), contact, flag);
        }
        if game.over {
            return Ok(());
        }
        if game.rules.choices(&game.known).is_empty() {
            return Err("This side has no move.".into());
        }
        game.thinking = true;
        let (task, pace) = (game.task(), game.pace());
        desk.start(task, Limits { seed: chance(), ..Limits::default() }, pace);
        Ok(())
    }

    fn result(&mut self, words: &[&str]) -> Result<(), String> {
        let [result, flag] = words else {
            return Err("RESULT needs a result and a flag.".into());
        };
        let game = self.game.as_mut().ok_or("No game has been started; say START.")?;
        let (from, to) = game.awaited.ok_or("No move waits for its result.")?;
        let (contact, flag) = (read_result(result)?, read_flag(game.seat, flag)?);
        game.check(game.seat, from, to, contact)?;
        game.awaited = None;
        game.play(game.seat, (from, to), contact, flag);
        Ok(())
    }
}

impl Game {
    fn new(options: Options, seat: Seat, layout: Layout, left: Duration) -> Game {
        let mut p = Position::empty();
        for (side, own) in [(0, seat == Seat::FIRST), (1, seat == Seat::SECOND)] {
            for (place, rank) in stations().zip(layout.0) {
                let rank = if own { rank } else { Rank::Unknown };
                let piece = Piece { side, rank, down: false, told: false };
                p.cells[usize::from(on_board(false, side, place))] = Some(piece);
            }
        }
        let mut layouts = vec![None; 2];
        layouts[seat.index()] = Some(layout);
        let known = Known {
            who: Viewer::Seat(seat),
            position: Some(p),
            start: Some(p),
            events: Vec::new(),
            placed: Seats::first_n(2),
            layouts,
            deal: None,
            outcome: None,
        };
        let rules = Luzhanqi { options, placed: false };
        Game { rules, seat, known, left, awaited: None, thinking: false, over: false }
    }

    fn position(&mut self) -> &mut Position {
        self.known.position.as_mut().expect("the layouts lie")
    }

    fn turn(&mut self) -> Seat {
        self.position().turn
    }

    /// Whether the judge may speak of a move.
    fn is_free(&mut self) -> Result<(), String> {
        if self.over {
            Err("A flag is gone; only END can follow.".into())
        } else if self.thinking {
            Err("A move is being thought of.".into())
        } else if self.awaited.is_some() {
            Err("The last move waits for its RESULT.".into())
        } else {
            Ok(())
        }
    }

    /// What is wrong with a move and what came of it.
    fn check(
        &mut self,
        by: Seat,
        from: Station,
        to: Station,
        contact: Option<Contact>,
    ) -> Result<(), String> {
        let (rules, seat) = (self.rules, self.seat);
        let p = self.position();
        if p.turn != by {
            return Err("It is not that side's turn.".into());
        }
        let at = |station| seen(seat, station);
        let side = by.index() as u8;
        if p.at(from).is_none_or(|piece| piece.side != side) {
            return Err(format!("No piece of that side stands on {}.", at(from)));
        }
        if contact.is_some() != p.at(to).is_some() {
            return Err(format!("That result does not fit what stands on {}.", at(to)));
        }
        // An unknown piece could be an engineer.
        let mut could = *p;
        if let Some(piece) = &mut could.cells[usize::from(from)]
            && piece.rank == Rank::Unknown
        {
            piece.rank = Rank::Engineer;
        }
        if could.moves(rules.options).contains(&Move::Step(from, to)) {
            Ok(())
        } else {
            Err(format!("No way leads from {} to {}.", at(from), at(to)))
        }
    }

    /// Takes a ply over that was checked; a flag is the rival's.
    fn play(
        &mut self,
        by: Seat,
        (from, to): (Station, Station),
        contact: Option<Contact>,
        flag: Option<Station>,
    ) {
        let (own, rival) = (self.seat.index() as u8, self.seat.other().index() as u8);
        let p = self.known.position.as_mut().expect("the layouts lie");
        let rank = |at: Station| p.at(at).map_or(Rank::Unknown, |piece| piece.rank);
        let ranks = (rank(from), rank(to));
        let fell = |rank: Rank| {
            let attacker = contact.is_some_and(|c| c != Contact::Won) && ranks.0 == rank;
            attacker || contact.is_some_and(|c| c != Contact::Lost) && ranks.1 == rank
        };
        self.over = fell(Rank::Flag);
        let mut flags: Vec<(u8, Station)> = Vec::new();
        if fell(Rank::Marshal) {
            let own_flag = p.pieces().find(|(_, q)| (q.side, q.rank) == (own, Rank::Flag));
            flags.extend(own_flag.map(|(at, _)| (own, at)));
        }
        let is_news = p.flags[usize::from(rival)].is_none();
        let told = flag.filter(|at| is_news && p.at(*at).is_some_and(|q| q.side == rival));
        flags.extend(told.map(|at| (rival, at)));
        let event = Event {
            by,
            m: Move::Step(from, to),
            path: Vec::new(),
            contact,
            ranks,
            flipped: None,
            flags,
            out: Seats::NONE,
            ends: false,
        };
        p.follow(self.rules.options, &event);
        self.known.events.push(event);
    }

    fn task(&self) -> Task {
        let (rules, known, seat) = (self.rules, self.known.clone(), self.seat);
        Box::new(move |_, limits, report| {
            let m = engine::think(rules, &known, &limits, report);
            Found::Entry(Entry::new_move(seat, rules.write_move(m)))
        })
    }

    fn pace(&self) -> Pace {
        let clock = Clock { left: self.left, ..Clock::default() };
        let pace = clock.pace(self.known.events.len() as u32, DELAY);
        let hard = pace.hard.map_or(LONGEST.1, |hard| hard.min(LONGEST.1));
        let soft = pace.soft.map_or(LONGEST.0, |soft| soft.min(LONGEST.0));
        Pace { soft: Some(soft.min(hard)), hard: Some(hard), held: false }
    }
}

impl Conversation for Contest {
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let done = match words.split_first() {
            None => Ok(()),
            Some((&"INFO", _)) => {
                desk.say("NAME Kiban");
                Ok(())
            }
            Some((&"START", rest)) => self.start(rest, desk),
            Some((&"GO", rest)) => self.go(rest, desk),
            Some((&"RESULT", rest)) => self.result(rest),
            Some((&"END" | &"quit", _)) => {
                desk.abandon();
                self.game = None;
                return Flow::Quit;
            }
            Some((word, _)) => {
                let word = short(word);
                Err(format!("\"{word}\" is none of INFO, START, GO, RESULT and END."))
            }
        };
        if let Err(fault) = done {
            desk.say(&format!("ERROR {fault}"));
        }
        Flow::Go
    }

    fn heard(&mut self, _: &Report, _: &mut dyn Desk) {}

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        let Some(game) = self.game.as_mut().filter(|game| game.thinking) else { return };
        game.thinking = false;
        game.left = game.left.saturating_sub(desk.elapsed());
        let said = match &found {
            Found::Entry(Entry { act: Act::Move(text), .. }) => game.rules.read_move(text).ok(),
            _ => None,
        };
        // If the search failed, any move is better than none.
        let m = said.or_else(|| game.rules.choices(&game.known).first().copied());
        if let Some(Move::Step(from, to)) = m {
            game.awaited = Some((from, to));
            let (from, to) = (seen(game.seat, from), seen(game.seat, to));
            desk.say(&format!("BESTMOVE {from}{to}"));
        }
    }
}

#[cfg(test)]
mod tests;
