//! Kiban as an NBoard engine.

use super::nboard_text;
use crate::engine;
use crate::notation::ggf;
use crate::{GAME, Move, Othello};
use kiban_core::{
    Act, BestLine, Bound, Conversation, Desk, Entry, Flow, Found, Limits, Line, Notation, Pace,
    ReadError, Record, Report, Rules, Score, Seat, Source, Task, Variant,
};
use kiban_wire::Clock;
use std::time::Duration;

/// Midgame depth until the user says one.
const DEPTH: u8 = 12;
/// So many plies deeper than the midgame the end of the game is solved.
const ENDGAME: u8 = 6;
/// Lost on the way to the user's clock.
const DELAY: Duration = Duration::from_millis(100);

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doing {
    Nothing,
    Going,
    Hinting,
    /// The position after so many plies.
    Analysing(usize),
}

/// The conversation.
pub(super) struct NBoard {
    line: Line<Othello>,
    depth: u8,
    /// The time each side has for the game, if the game says it.
    time: Option<Duration>,
    /// What each side has used of it.
    spent: [Duration; 2],
    doing: Doing,
    /// The score of the best line as last reported, in discs for the side to move.
    eval: Option<f64>,
}

impl NBoard {
    pub(super) fn new(variant: &Variant) -> NBoard {
        let rules = Othello::of_variant(variant);
        let start = rules.read_setup("").expect("the start can be read");
        NBoard {
            line: Line::new(rules, start),
            depth: DEPTH,
            time: None,
            spent: [Duration::ZERO; 2],
            doing: Doing::Nothing,
            eval: None,
        }
    }

    fn set(&mut self, text: &str, desk: &mut dyn Desk) {
        let (what, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match what {
            "depth" => match value.trim().parse::<u8>() {
                Ok(depth) if depth > 0 => {
                    self.depth = depth;
                    desk.say(&format!("set myname Kiban {depth}"));
                }
                _ => desk.say("status A depth is a number from 1 to 255."),
            },
            "game" => {
                desk.abandon();
                self.doing = Doing::Nothing;
                if let Err(e) = self.set_game(value) {
                    desk.say(&format!("status The game stays as it was: {e}"));
                }
            }
            // There is no book whose draws could be judged by a contempt.
            _ => {}
        }
    }

    fn set_game(&mut self, text: &str) -> Result<(), ReadError> {
        let read = ggf::FORMAT.read.expect("the format can be read");
        let records = read(Source { bytes: text.as_bytes(), variant: None })?;
        let record = records.first().ok_or_else(|| ReadError::new("empty", "There is no game."))?;
        let rules = Othello::of_variant(&GAME.variant(&record.variant)?);
        let mut line = Line::new(rules, rules.read_setup(&record.start)?);
        let mut spent = [Duration::ZERO; 2];
        for node in record.main_line() {
            let Some(Entry { by, act: Act::Move(text) }) = &node.entry else { continue };
            pushed(&mut line, rules.read_move(text)?)?;
            if let Some(seat) = by.only() {
                spent[seat.index()] += Duration::from_millis(node.spent_ms.unwrap_or(0));
            }
        }
        (self.line, self.spent, self.time) = (line, spent, game_time(record));
        Ok(())
    }

    /// `F5/1.2/3.4`: the move, an evaluation that says nothing to us, and seconds.
    fn play(&mut self, text: &str, desk: &mut dyn Desk) {
        desk.abandon();
        self.doing = Doing::Nothing;
        let mut fields = text.trim().split('/');
        let seat = self.line.position().to_move();
        let m = Move::read(fields.next().unwrap_or_default());
        if let Err(e) = m.and_then(|m| pushed(&mut self.line, m)) {
            desk.say(&format!("status The game stays as it was: {e}"));
            return;
        }
        let seconds = fields.nth(1).and_then(|s| s.trim().parse().ok());
        let spent = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        self.spent[seat.index()] += spent.unwrap_or_default();
    }

    /// Limits by depth alone.
    fn limits(&self, line: &Line<Othello>, lines: u8) -> Limits {
        let empties = u8::try_from(line.position().empties().count_ones()).unwrap_or(u8::MAX);
        let solved = empties <= self.depth.saturating_add(ENDGAME);
        let depth = if solved { empties.max(1) } else { self.depth };
        Limits { depth: Some(depth), lines, ..Limits::default() }
    }

    fn go(&mut self, desk: &mut dyn Desk) {
        if desk.busy() {
            desk.abandon();
        }
        self.eval = None;
        let p = *self.line.position();
        if p.placements(p.to_move()) == 0 {
            desk.say("=== PA");
            return;
        }
        let spent = self.spent[p.to_move().index()];
        let clock =
            self.time.map(|time| Clock { left: time.saturating_sub(spent), ..Clock::default() });
        let ply = u32::try_from(self.line.steps().len()).unwrap_or(u32::MAX);
        let pace = clock.map_or(Pace::default(), |clock| clock.pace(ply, DELAY));
        desk.say("status Kiban is thinking");
        self.doing = Doing::Going;
        desk.start(thinking(&self.line), self.limits(&self.line, 1), pace);
    }

    fn hint(&mut self, text: &str, desk: &mut dyn Desk) {
        desk.abandon();
        self.doing = Doing::Nothing;
        let lines = text.trim().parse::<u8>().unwrap_or(1).max(1);
        let p = *self.line.position();
        if p.over() {
            desk.say("status The game is over.");
        } else if p.must_pass() {
            desk.say("search PA 0.00 0 1");
            desk.say("status");
        } else {
            desk.say("status Kiban is analysing");
            self.doing = Doing::Hinting;
            desk.start(thinking(&self.line), self.limits(&self.line, lines), Pace::default());
        }
    }

    /// Analyses the position after so many plies, or those before it where nothing is to be
    /// searched; then the one before, until the first.
    fn analyse(&mut self, from: usize, desk: &mut dyn Desk) {
        let rules = self.line.rules();
        for plies in (0..=from).rev() {
            let p = self.line.positions()[plies];
            if p.over() {
                self.eval = Some(final_eval(rules, &p));
                desk.say(&self.analysis(plies));
                continue;
            }
            if p.must_pass() {
                // What comes after the pass is known already and is the other side's.
                self.eval = self.eval.map(|eval| -eval);
                desk.say(&self.analysis(plies));
                continue;
            }
            let line = Line::new(rules, p);
            self.doing = Doing::Analysing(plies);
            self.eval = None;
            desk.start(thinking(&line), self.limits(&line, 1), Pace::default());
            return;
        }
        self.doing = Doing::Nothing;
        desk.say("status");
    }

    /// What is thought of the position after so many plies; the board program draws the numbers
    /// as Black sees them.
    fn analysis(&self, plies: usize) -> String {
        let black = self.line.positions()[plies].to_move() == Seat::FIRST;
        let eval = self.eval.unwrap_or(0.0);
        format!("analysis {plies} {:.2}", if black { eval } else { -eval })
    }

    fn told(&self, found: &Found, desk: &dyn Desk) -> String {
        let text = match found {
            Found::Entry(Entry { act: Act::Move(text), .. }) => Move::read(text).ok(),
            _ => None,
        };
        let any = || self.line.position().moves().first().copied().unwrap_or(Move::PASS);
        let m = nboard_text(text.unwrap_or_else(any));
        let eval = self.eval.map_or(String::new(), |eval| format!("{eval:.2}"));
        format!("=== {m}/{eval}/{:.2}", desk.elapsed().as_secs_f64())
    }
}

/// Plays a move; a pass that is due before it may be left out.
fn pushed(line: &mut Line<Othello>, m: Move) -> Result<(), ReadError> {
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
    Ok(())
}

/// The time a game gives each side: the first field of `TI[15:00/0/2:00]`, in hours, minutes and
/// seconds.
fn game_time(record: &Record) -> Option<Duration> {
    let (_, text) = record.unknown.iter().find(|(key, _)| key == "TI")?;
    let first = text.split('/').next()?.trim();
    let seconds = first.split(':').try_fold(0u64, |sum, part| {
        let part: u64 = part.trim().parse().ok()?;
        sum.checked_mul(60)?.checked_add(part)
    })?;
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Discs for the side to move of a finished game, empties to the winner.
fn final_eval(rules: Othello, p: &crate::Position) -> f64 {
    let (first, second) = rules.final_score(p);
    let sign = if (p.to_move() == Seat::FIRST) != rules.options.fewest { 1.0 } else { -1.0 };
    (first - second) as f64 * sign
}

fn thinking(line: &Line<Othello>) -> Task {
    let (rules, position) = (line.rules(), *line.position());
    Box::new(move |memory, limits, report| {
        let m = engine::think(rules, &position, memory, &limits, report);
        Found::Entry(Entry::new_move(position.to_move(), m.to_string()))
    })
}

/// A score in discs.
fn discs(score: Score) -> f64 {
    match score {
        Score::Estimate { points, .. } => f64::from(points) / 100.0,
        Score::Exact { .. } => 64.0 * f64::from(2.0 * score.chance() - 1.0),
    }
}

/// `search F5D6 -1.00 0 12`: a line, its evaluation, and how deep it was looked for. A depth of
/// `100%` says that it is exact.
fn search(line: &BestLine, empties: u32) -> String {
    let moves = line.moves.iter().filter_map(|text| Move::read(text).ok());
    let moves: String = moves.map(nboard_text).collect();
    let exact = match line.score {
        Score::Estimate { bound, .. } => bound == Bound::Exact && u32::from(line.depth) >= empties,
        Score::Exact { .. } => true,
    };
    let depth = if exact { "100%".to_string() } else { line.depth.to_string() };
    format!("search {moves} {:.2} 0 {depth}", discs(line.score))
}

impl Conversation for NBoard {
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        let text = text.trim();
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match command {
            "nboard" => desk.say("set myname Kiban"),
            "set" => self.set(rest.trim_start(), desk),
            "move" => self.play(rest, desk),
            "go" => self.go(desk),
            "hint" => self.hint(rest, desk),
            "analyze" => {
                desk.abandon();
                self.eval = None;
                desk.say("status Kiban is analysing the game");
                self.analyse(self.line.steps().len(), desk);
            }
            "ping" => {
                desk.abandon();
                self.doing = Doing::Nothing;
                let number: String = rest.trim().chars().take(20).collect();
                desk.say(&format!("pong {number}"));
            }
            // There is no book to put the game into.
            "learn" => desk.say("learned"),
            "quit" => return Flow::Quit,
            _ => {}
        }
        Flow::Go
    }

    fn heard(&mut self, report: &Report, desk: &mut dyn Desk) {
        self.eval = report.lines.first().map(|line| discs(line.score)).or(self.eval);
        if matches!(self.doing, Doing::Analysing(_)) {
            return;
        }
        let empties = self.line.position().empties().count_ones();
        for line in &report.lines {
            desk.say(&search(line, empties));
        }
        desk.say(&format!("nodestats {} {:.2}", report.nodes, desk.elapsed().as_secs_f64()));
    }

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Going => {
                let told = self.told(&found, desk);
                desk.say(&told);
                desk.say("status Kiban is waiting");
            }
            Doing::Analysing(plies) => {
                desk.say(&self.analysis(plies));
                match plies.checked_sub(1) {
                    Some(before) => self.analyse(before, desk),
                    None => desk.say("status"),
                }
            }
            Doing::Hinting | Doing::Nothing => desk.say("status"),
        }
    }
}
