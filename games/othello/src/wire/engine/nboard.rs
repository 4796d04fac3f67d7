//! Kiban as an NBoard engine.

use super::{
    DELAY, DEPTH, by_depth, discs, empties, final_discs, found_move, moves_of, new_line, pushed,
    thinking,
};
use crate::notation::ggf;
use crate::wire::upper_case;
use crate::{GAME, Move, Othello};
use kiban_core::{
    Act, BestLine, Conversation, Desk, Entry, Flow, Found, Limits, Line, Notation, Pace, ReadError,
    Record, Report, Score, Seat, Source,
};
use kiban_wire::Clock;
use std::time::Duration;

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
pub(in crate::wire) struct NBoard {
    line: Line<Othello>,
    depth: u8,
    /// The time each side has for the game and gets with each move, if the game says it.
    time: Option<(Duration, Duration)>,
    /// What each side has used of it.
    spent: [Duration; 2],
    doing: Doing,
    /// The score of the best line as last reported, in discs for the side to move.
    eval: Option<f64>,
    last: Option<Report>,
}

impl NBoard {
    pub(in crate::wire) fn new(rules: Othello) -> NBoard {
        NBoard {
            line: new_line(rules),
            depth: DEPTH,
            time: None,
            spent: [Duration::ZERO; 2],
            doing: Doing::Nothing,
            eval: None,
            last: None,
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
                let took = Duration::from_millis(node.spent_ms.unwrap_or(0));
                spent[seat.index()] = spent[seat.index()].saturating_add(took);
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
        let m = Move::read(fields.next().unwrap_or_default());
        if let Err(e) = m.and_then(|m| pushed(&mut self.line, m)) {
            desk.say(&format!("status The game stays as it was: {e}"));
            return;
        }
        let seconds = fields.nth(1).and_then(|s| s.trim().parse().ok());
        let spent = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let by = self.line.steps().last().expect("a move was just made").by;
        let all = &mut self.spent[by.index()];
        *all = all.saturating_add(spent.unwrap_or_default());
    }

    fn go(&mut self, desk: &mut dyn Desk) {
        if desk.busy() {
            desk.abandon();
        }
        (self.eval, self.last) = (None, None);
        let p = *self.line.position();
        if p.placements(p.to_move()) == 0 {
            desk.say("=== PA");
            return;
        }
        let spent = self.spent[p.to_move().index()];
        let ply = u32::try_from(self.line.steps().len()).unwrap_or(u32::MAX);
        let clock = self.time.map(|(main, increment)| {
            let left = main.saturating_add(increment.saturating_mul(ply / 2));
            Clock { left: left.saturating_sub(spent), increment, ..Clock::default() }
        });
        let pace = clock.map_or(Pace::default(), |clock| clock.pace(ply, DELAY));
        desk.say("status Kiban is thinking");
        self.doing = Doing::Going;
        desk.start(
            thinking(self.line.rules(), p),
            by_depth(self.line.position(), self.depth),
            pace,
        );
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
            (self.doing, self.last) = (Doing::Hinting, None);
            let limits = Limits { lines, ..by_depth(&p, self.depth) };
            desk.start(thinking(self.line.rules(), p), limits, Pace::default());
        }
    }

    /// Analyses the position after so many plies, or those before it where nothing is to be
    /// searched; then the one before, until the first.
    fn analyse(&mut self, from: usize, desk: &mut dyn Desk) {
        let rules = self.line.rules();
        for plies in (0..=from).rev() {
            let p = self.line.positions()[plies];
            if p.over() {
                self.eval = Some(final_discs(rules, &p) as f64);
                desk.say(&self.analysis(plies));
                continue;
            }
            if p.must_pass() {
                // What comes after the pass is known already and is the other side's.
                self.eval = self.eval.map(|eval| -eval);
                desk.say(&self.analysis(plies));
                continue;
            }
            self.doing = Doing::Analysing(plies);
            self.eval = None;
            desk.start(thinking(rules, p), by_depth(&p, self.depth), Pace::default());
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
        let m = upper_case(found_move(found, self.line.position()));
        let eval = self.eval.map_or(String::new(), |eval| format!("{eval:.2}"));
        format!("=== {m}/{eval}/{:.2}", desk.elapsed().as_secs_f64())
    }

    /// Says the lines last reported again where the search has come to the end of the game by
    /// itself: only then they are exact.
    fn say_proved(&mut self, desk: &mut dyn Desk) {
        let Some(report) = self.last.take() else { return };
        if !desk.was_stopped() && report.depth >= empties(self.line.position()) {
            for line in &report.lines {
                desk.say(&search(line, true));
            }
        }
    }
}

/// The time a game gives each side and adds with each move: the first two fields of
/// `TI[15:00/0:10/2:00]`, in hours, minutes and seconds.
fn game_time(record: &Record) -> Option<(Duration, Duration)> {
    let (_, text) = record.unknown.iter().find(|(key, _)| key == "TI")?;
    let mut fields = text.split('/');
    let main = clock_time(fields.next()?)?;
    let increment = fields.next().and_then(clock_time).unwrap_or_default();
    (!main.is_zero() || !increment.is_zero()).then_some((main, increment))
}

/// `1:15:00`, `15:00`, `7.5`.
fn clock_time(text: &str) -> Option<Duration> {
    let seconds = text.trim().split(':').try_fold(0.0, |sum, part| {
        let part: f64 = part.trim().parse().ok()?;
        (part >= 0.0).then_some(sum * 60.0 + part)
    })?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// `search F5D6 -1.00 0 12`: a line, its evaluation, and how deep it was looked for. A depth of
/// `100%` says that it is exact.
fn search(line: &BestLine, proved: bool) -> String {
    let moves: String = moves_of(line).map(upper_case).collect();
    let exact = proved || matches!(line.score, Score::Exact { .. });
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
        for line in &report.lines {
            desk.say(&search(line, false));
        }
        desk.say(&format!("nodestats {} {:.2}", report.nodes, desk.elapsed().as_secs_f64()));
        self.last = Some(report.clone());
    }

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Going => {
                self.say_proved(desk);
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
            Doing::Hinting | Doing::Nothing => {
                self.say_proved(desk);
                desk.say("status");
            }
        }
    }
}
