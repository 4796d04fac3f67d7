//! Kiban as a GTP engine's user.

use crate::Move;
use crate::spec::START;
use kiban_core::{Act, Arbiter, Call, Clocks, Entry, Heard, Limits, Pilot, ReadError, Seat};
use std::collections::VecDeque;
use std::time::Duration;

/// What the answer to a command means.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Wanted {
    /// Nothing, also if the engine does not know the command.
    Anything,
    /// It must be well taken.
    Done(String),
    /// The option of this name is taken, or it is doubted.
    Option(String),
    /// The engine's name, after which it is ready.
    Name,
    /// A move.
    Move,
}

type Ply = (Seat, Move);

/// The pilot. Answers come in the order of the commands.
#[derive(Default)]
pub(in crate::wire) struct Gtp {
    wanted: VecDeque<Wanted>,
    name: Option<String>,
    /// Doubts about the options it was given.
    refused: Vec<String>,
    /// Plies the engine knows of.
    told: Vec<Ply>,
    /// Whose move is waited for.
    turn: Option<Seat>,
    /// What is wrong, said when a move is waited for.
    fault: Option<String>,
    time: Option<Duration>,
    /// Whether the clocks of this game were told.
    timed: bool,
}

impl Gtp {
    fn say(&mut self, command: String, wanted: Wanted, send: &mut dyn FnMut(String)) {
        self.wanted.push_back(wanted);
        send(command);
    }

    fn clear(&mut self, send: &mut dyn FnMut(String)) {
        self.told.clear();
        self.must("clear_board".to_string(), send);
    }

    fn must(&mut self, command: String, send: &mut dyn FnMut(String)) {
        self.say(command.clone(), Wanted::Done(command), send);
    }

    /// The protocol has whole seconds and no increments: what the move to come adds is told as if
    /// it were there already. Where byoyomi follows, less than a second of main time is none.
    fn tell_clocks(&mut self, clocks: &Clocks, seat: Seat, send: &mut dyn FnMut(String)) {
        let (byoyomi, moves) = overtime(clocks.byoyomi);
        let main = |time: Duration| {
            let time = time.saturating_add(clocks.increment);
            if moves == 0 { whole(time) } else { time.as_secs() }
        };
        if !std::mem::replace(&mut self.timed, true) {
            let main = main(clocks.main);
            self.say(format!("time_settings {main} {byoyomi} {moves}"), Wanted::Anything, send);
        }
        let (left, moves) = match main(clocks.left[seat.index()]) {
            0 => (byoyomi, moves),
            left => (left, 0),
        };
        let command = format!("time_left {} {left} {moves}", colour(seat));
        self.say(command, Wanted::Anything, send);
    }

    fn answered(&mut self, wanted: Wanted, well: bool, text: &str) -> Heard {
        match wanted {
            Wanted::Anything => {}
            Wanted::Done(command) if !well => {
                let what = why_not(text);
                self.fault = Some(format!("The engine answered \"{command}\" with: {what}."));
            }
            Wanted::Option(name) if !well => {
                let what = why_not(text);
                self.refused.push(format!("The engine does not take the option {name}: {what}."));
            }
            Wanted::Done(_) | Wanted::Option(_) => {}
            Wanted::Name => {
                self.name = well.then(|| text.to_string());
                return Heard::Ready;
            }
            Wanted::Move => {
                if let Some(fault) = self.fault.take() {
                    return Heard::Wrong(fault);
                }
                if !well {
                    return Heard::Wrong(format!("The engine gave no move: {text}."));
                }
                if let (Some(seat), Ok(m)) = (self.turn, Move::read(text)) {
                    // The engine plays the move it generates on its own board.
                    self.told.push((seat, m));
                }
                return said(text);
            }
        }
        Heard::Nothing
    }
}

/// What an engine says to what it refuses, if it says anything.
fn why_not(text: &str) -> &str {
    if text.is_empty() { "no" } else { text }
}

/// Whole seconds; something is left as long as it is not nothing.
fn whole(time: Duration) -> u64 {
    time.as_secs().max(u64::from(!time.is_zero()))
}

/// So many seconds for so many moves, which is never more for a move than this time. The protocol's
/// overtime is the Canadian one: of less than a second, as many moves are told as make one.
fn overtime(time: Duration) -> (u64, u64) {
    let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    match ms {
        0 if time.is_zero() => (0, 0),
        0..1000 => (1, 1000_u64.div_ceil(ms.max(1))),
        _ => (time.as_secs(), 1),
    }
}

fn said(text: &str) -> Heard {
    match text.to_ascii_lowercase().as_str() {
        "" => Heard::Wrong("The engine answered \"genmove\" without a move.".to_string()),
        "resign" => Heard::Says(Act::Call(Call::Resign)),
        _ => Heard::Says(Act::Move(text.to_string())),
    }
}

fn ply(entry: &Entry) -> Option<Ply> {
    match &entry.act {
        Act::Move(text) => Some((entry.by.only()?, Move::read(text).ok()?)),
        _ => None,
    }
}

fn colour(seat: Seat) -> &'static str {
    if seat == Seat::FIRST { "black" } else { "white" }
}

impl Pilot for Gtp {
    fn greet(&mut self, options: &[(String, String)], send: &mut dyn FnMut(String)) {
        for (name, value) in options {
            self.say(format!("{name} {value}"), Wanted::Option(name.clone()), send);
        }
        self.say("name".to_string(), Wanted::Name, send);
    }

    fn begin(&mut self, game: &dyn Arbiter, send: &mut dyn FnMut(String)) -> Result<(), ReadError> {
        let plain = game.variant() == game.spec().variants[0].id;
        if game.start() != START || !plain {
            let sentence = "GTP knows only the usual board and start; choose another protocol.";
            return Err(ReadError::new("not-in-protocol", sentence));
        }
        (self.time, self.timed) = (None, false);
        // Engines of several games want to be told which.
        self.say("set_game Othello".to_string(), Wanted::Anything, send);
        self.must("boardsize 8".to_string(), send);
        self.clear(send);
        Ok(())
    }

    fn ask(
        &mut self,
        game: &dyn Arbiter,
        seat: Seat,
        limits: &Limits,
        send: &mut dyn FnMut(String),
    ) {
        if let Some(clocks) = &limits.clocks {
            self.tell_clocks(clocks, seat, send);
        } else if limits.time.is_some() && limits.time != self.time {
            self.time = limits.time;
            let (seconds, moves) = overtime(limits.time.unwrap_or_default());
            self.say(format!("time_settings 0 {seconds} {moves}"), Wanted::Anything, send);
        }
        let plies: Vec<Ply> = game.log().iter().filter_map(ply).collect();
        if !plies.starts_with(&self.told) {
            // Something was taken back.
            self.clear(send);
        }
        for (by, m) in &plies[self.told.len()..] {
            let command = format!("play {} {m}", colour(*by));
            // Some engines find passes by themselves and do not read them.
            if *m == Move::PASS {
                self.say(command, Wanted::Anything, send);
            } else {
                self.must(command, send);
            }
        }
        (self.told, self.turn) = (plies, Some(seat));
        self.say(format!("genmove {}", colour(seat)), Wanted::Move, send);
    }

    fn hear(&mut self, line: &str, _: &mut dyn FnMut(String)) -> Heard {
        let well = line.starts_with('=');
        if !well && !line.starts_with('?') {
            return Heard::Nothing;
        }
        // A number behind the sign repeats that of the command; we give none.
        let text = line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
        match self.wanted.pop_front() {
            Some(wanted) => self.answered(wanted, well, text),
            None => Heard::Nothing,
        }
    }

    fn over(&mut self, _: Option<bool>, _: &mut dyn FnMut(String)) {}

    fn part(&mut self, send: &mut dyn FnMut(String)) {
        send("quit".to_string());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn doubts(&self, limits: &Limits) -> Vec<String> {
        let mut doubts = self.refused.clone();
        if limits.nodes.is_some() || limits.depth.is_some() {
            doubts.push("GTP can tell neither nodes nor a depth; the engine minds none.".into());
        }
        let clocks = limits.clocks.as_ref();
        let a_move = clocks.map_or(limits.time, |clocks| Some(clocks.byoyomi)).unwrap_or_default();
        let main = clocks.map(|clocks| clocks.main.saturating_add(clocks.increment));
        let short = |time: Duration| !time.is_zero() && time < Duration::from_secs(1);
        if short(a_move) {
            let (time, (seconds, moves)) = (a_move.as_secs_f64(), overtime(a_move));
            doubts.push(format!(
                "GTP has whole seconds only: {time} s a move are told as {moves} moves in \
                 {seconds} s, and the engine may be late with one of them."
            ));
        } else if main.is_some_and(short) && a_move.is_zero() {
            doubts.push("GTP has whole seconds only: the clock is told as 1 s.".into());
        }
        doubts
    }
}
