//! Kiban as an engine of XBoard and WinBoard: their protocol, version 2, with the variant that its
//! users call reversi.
//!
//! A disc is a piece P that is dropped (`P@f5`), a pass a null move (`@@@@`). White, who begins in
//! that protocol, is our first seat, whose discs are black.

use super::{DELAY, clipped, discs, found_move, moves_of, new_line, pushed, thinking};
use crate::{Move, Options, Othello, Position};
use kiban_core::{
    Conversation, Desk, Flow, Found, Limits, Line, Pace, ReadError, Report, Rules, Seat,
};
use kiban_wire::Clock;
use std::time::Duration;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doing {
    Nothing,
    Thinking,
    Analysing,
}

/// How time is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Control {
    /// So many moves for each session (0: all), what it begins with, and an increment.
    Level { moves: u32, increment: Duration },
    /// The same for each move.
    Each(Duration),
}

/// The conversation.
pub(in crate::wire) struct XBoard {
    line: Line<Othello>,
    /// The plies of each move, for taking back.
    plies: Vec<usize>,
    /// Whose moves are ours; nobody's in force mode.
    ours: Option<Seat>,
    doing: Doing,
    analysing: bool,
    control: Control,
    /// What our clock shows, if it was told.
    left: Option<Duration>,
    depth: Option<u8>,
    post: bool,
    level: u8,
    hash: Option<u32>,
    threads: u8,
    last: Option<Report>,
    /// Pings that came during a search.
    pings: Vec<String>,
}

impl XBoard {
    pub(in crate::wire) fn new(rules: Othello) -> XBoard {
        XBoard {
            line: new_line(rules),
            plies: Vec::new(),
            ours: None,
            doing: Doing::Nothing,
            analysing: false,
            control: Control::Each(Duration::from_secs(5)),
            left: None,
            depth: None,
            post: false,
            level: 0,
            hash: None,
            threads: 1,
            last: None,
            pings: Vec::new(),
        }
    }

    /// Ends what is going on without a word.
    fn interrupt(&mut self, desk: &mut dyn Desk) {
        if self.doing != Doing::Nothing {
            desk.abandon();
            self.doing = Doing::Nothing;
        }
        self.answer_pings(desk);
    }

    fn answer_pings(&mut self, desk: &mut dyn Desk) {
        for number in std::mem::take(&mut self.pings) {
            desk.say(&format!("pong {number}"));
        }
    }

    fn start_anew(&mut self, line: Line<Othello>, desk: &mut dyn Desk) {
        self.interrupt(desk);
        (self.line, self.plies, self.last) = (line, Vec::new(), None);
    }

    fn greet(desk: &mut dyn Desk) {
        desk.say(concat!(
            "feature done=0 myname=\"Kiban ",
            env!("CARGO_PKG_VERSION"),
            "\" variants=\"reversi\" setboard=1 usermove=1 ping=1 playother=1 analyze=1 colors=0 \
             sigint=0 sigterm=0 draw=0 reuse=1 memory=1 smp=1 nps=0 debug=1"
        ));
        // 0 is no level: as well as it can.
        desk.say("feature option=\"Level -spin 0 0 10\"");
        desk.say("feature done=1");
    }

    fn variant(&mut self, text: &str, desk: &mut dyn Desk) {
        if text.trim() != "reversi" {
            desk.say(&format!("Error (unknown variant): {}", clipped(text)));
            return;
        }
        let size = self.line.rules().options.size;
        let start = new_line(self.line.rules());
        // The board program does not know this game. It lets a piece be dropped if there is one in
        // hand, so both sides get one for each square; it cannot turn them over.
        let squares = usize::from(size) * usize::from(size);
        let position = fen(start.position());
        let (board, rest) = position.split_once(' ').expect("a side follows the board");
        let hands = "P".repeat(squares) + &"p".repeat(squares);
        desk.say(&format!(
            "setup (P.....p.....) {size}x{size}+1_crazyhouse {board}[{hands}] {rest}"
        ));
        self.start_anew(start, desk);
    }

    /// Thinks, passes or tells the end of the game, whichever is due.
    fn go_on(&mut self, desk: &mut dyn Desk) {
        let p = *self.line.position();
        if self.analysing {
            return self.analyse(desk);
        }
        if p.over() {
            self.tell_end(desk);
            return;
        }
        if self.ours != Some(p.to_move()) {
            return;
        }
        if p.must_pass() {
            return self.make(Move::PASS, desk);
        }
        let limits = match self.level {
            0 => Limits { depth: self.depth, ..Limits::default() },
            level => Limits { level: Some(level), depth: self.depth, ..Limits::default() },
        };
        let limits = Limits { hash: self.hash, threads: self.threads, ..limits };
        (self.doing, self.last) = (Doing::Thinking, None);
        desk.start(thinking(self.line.rules(), p), limits, self.pace());
    }

    fn pace(&self) -> Pace {
        match self.control {
            Control::Each(time) => {
                let least = time.min(Duration::from_millis(10));
                Pace { hard: Some(time.saturating_sub(DELAY).max(least)), ..Pace::default() }
            }
            Control::Level { moves, increment } => {
                let own = u32::try_from(self.line.steps().len() / 2).unwrap_or(u32::MAX);
                let moves = (moves > 0).then(|| moves - own % moves);
                let left = self.left.unwrap_or_default();
                let clock = Clock { left, increment, moves, ..Clock::default() };
                clock.pace(own.saturating_mul(2), DELAY)
            }
        }
    }

    /// Makes a move of ours.
    fn make(&mut self, m: Move, desk: &mut dyn Desk) {
        if let Ok(plies) = pushed(&mut self.line, m) {
            self.plies.push(plies);
            desk.say(&format!("move {}", written(m)));
        }
        self.answer_pings(desk);
        if self.line.position().over() {
            self.tell_end(desk);
        }
    }

    fn tell_end(&mut self, desk: &mut dyn Desk) {
        let rules = self.line.rules();
        let (first, second) = rules.final_score(self.line.position());
        let told = match rules.ended(self.line.position()).map(|outcome| outcome.result()) {
            Some("first") => format!("1-0 {{Black wins {first}-{second}}}"),
            Some("second") => format!("0-1 {{White wins {second}-{first}}}"),
            Some(_) => format!("1/2-1/2 {{Draw {first}-{second}}}"),
            None => return,
        };
        desk.say(&told);
    }

    fn user_move(&mut self, text: &str, desk: &mut dyn Desk) {
        let text = text.trim();
        if self.doing == Doing::Thinking {
            desk.say(&format!("Illegal move (it is not your turn): {}", clipped(text)));
            return;
        }
        let played = read_move(text).and_then(|m| pushed(&mut self.line, m));
        match played {
            Ok(plies) => {
                self.plies.push(plies);
                self.interrupt(desk);
                self.go_on(desk);
            }
            // Where the game is over, a null move says no more than that.
            Err(_) if self.line.position().over() && text == NULL => {}
            Err(_) => desk.say(&format!("Illegal move: {}", clipped(text))),
        }
    }

    fn take_back(&mut self, moves: usize, desk: &mut dyn Desk) {
        self.interrupt(desk);
        for _ in 0..moves {
            for _ in 0..self.plies.pop().unwrap_or(0) {
                self.line.pop();
            }
        }
        if self.analysing {
            self.analyse(desk);
        }
    }

    /// Whether a board told during a game is that of a pass that is due.
    fn is_pass(&self, told: &Position) -> bool {
        let p = self.line.position();
        let due = p.must_pass() && told.to_move() != p.to_move();
        self.ours == Some(told.to_move()) && due && told.empties() == p.empties()
    }

    fn set_board(&mut self, text: &str, desk: &mut dyn Desk) {
        let rules = self.line.rules();
        match read_fen(text, rules.options) {
            // The board program tells a null move in a game as its board, on which no disc was ever
            // turned.
            Ok(position) if self.is_pass(&position) => self.user_move(NULL, desk),
            Ok(position) => {
                self.start_anew(Line::new(rules, position), desk);
                if self.analysing {
                    self.analyse(desk);
                }
            }
            Err(e) => desk.say(&format!("tellusererror Illegal position: {e}")),
        }
    }

    fn analyse(&mut self, desk: &mut dyn Desk) {
        self.interrupt(desk);
        self.last = None;
        let p = *self.line.position();
        if p.placements(p.to_move()) != 0 {
            self.doing = Doing::Analysing;
            let limits = Limits { hash: self.hash, threads: self.threads, ..Limits::default() };
            desk.start(thinking(self.line.rules(), p), limits, Pace::default());
        }
    }

    /// `MOVES BASE INCREMENT`: moves of a session, minutes or `m:ss`, seconds.
    fn set_level(&mut self, text: &str) -> Option<()> {
        let mut words = text.split_whitespace();
        let moves: u32 = words.next()?.parse().ok()?;
        let base = words.next()?;
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let minutes: u32 = minutes.parse().ok()?;
        let seconds: u32 = seconds.parse().ok()?;
        let base = u64::from(minutes) * 60 + u64::from(seconds);
        let increment = duration(words.next()?)?;
        self.control = Control::Level { moves, increment };
        self.left = Some(Duration::from_secs(base));
        Some(())
    }

    /// What follows `option`: `Level=3`.
    fn set_option(&mut self, text: &str, desk: &mut dyn Desk) {
        let level = text.strip_prefix("Level=").and_then(|n| n.trim().parse().ok());
        match level.filter(|level| *level <= 10) {
            Some(level) => self.level = level,
            None => desk.say(&format!("Error (unknown option): {}", clipped(text))),
        }
    }

    /// A suggestion out of what was thought last, if the game has gone as it was thought.
    fn hint(&self, desk: &mut dyn Desk) {
        let line = self.last.as_ref().and_then(|report| report.lines.first());
        let moves: Vec<Move> = line.into_iter().flat_map(moves_of).collect();
        let [first, second, ..] = moves.as_slice() else { return };
        let as_thought = self.line.steps().last().is_some_and(|step| step.m == *first);
        if as_thought && self.line.position().moves().contains(second) {
            desk.say(&format!("Hint: {}", written(*second)));
        }
    }

    fn status(&self, desk: &mut dyn Desk) {
        if self.doing == Doing::Analysing {
            let (depth, nodes) = self.last.as_ref().map_or((0, 0), |r| (r.depth, r.nodes));
            let time = desk.elapsed().as_millis() / 10;
            let moves = self.line.position().moves().len();
            desk.say(&format!("stat01: {time} {nodes} {depth} 0 {moves}"));
        }
    }

    /// Commands about time, strength and talk, which never end a search. False if it is none.
    fn setting(&mut self, command: &str, rest: &str, desk: &mut dyn Desk) -> bool {
        let number = || rest.trim().parse::<u64>().ok();
        let understood = match command {
            "level" => self.set_level(rest),
            "st" => duration(rest).map(|time| self.control = Control::Each(time)),
            "sd" => number().map(|depth| self.depth = Some(depth.clamp(1, 255) as u8)),
            "time" => centiseconds(rest).map(|left| self.left = Some(left)),
            "memory" => number().map(|n| self.hash = Some(n.clamp(1, 65_536) as u32)),
            "cores" => number().map(|n| self.threads = n.clamp(1, 255) as u8),
            "post" | "nopost" => {
                self.post = command == "post";
                Some(())
            }
            "option" => {
                self.set_option(rest, desk);
                Some(())
            }
            "hint" => {
                self.hint(desk);
                Some(())
            }
            "bk" => {
                desk.say(" There is no book.");
                desk.say("");
                Some(())
            }
            "." => {
                self.status(desk);
                Some(())
            }
            // What the other side has or is, and what changes nothing here.
            "xboard" | "accepted" | "rejected" | "otim" | "random" | "hard" | "easy" | "name"
            | "rating" | "ics" | "computer" | "draw" => Some(()),
            _ => return false,
        };
        if understood.is_none() {
            desk.say(&format!("Error (not understood): {command} {}", clipped(rest)));
        }
        true
    }

    fn ping(&mut self, rest: &str, desk: &mut dyn Desk) {
        let number = clipped(rest.trim());
        // The pong comes after the move that is being thought about.
        if self.doing == Doing::Thinking && self.pings.len() < super::WAITING {
            self.pings.push(number);
        } else {
            desk.say(&format!("pong {number}"));
        }
    }
}

/// A pass.
const NULL: &str = "@@@@";

fn written(m: Move) -> String {
    if m == Move::PASS { NULL.to_string() } else { format!("P@{m}") }
}

fn read_move(text: &str) -> Result<Move, ReadError> {
    if text == NULL {
        return Ok(Move::PASS);
    }
    Move::read(text.strip_prefix("P@").or(text.strip_prefix("p@")).unwrap_or(text))
}

fn duration(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

/// A clock that ran over shows less than nothing.
fn centiseconds(text: &str) -> Option<Duration> {
    let n: i64 = text.trim().parse().ok()?;
    Some(Duration::from_millis(u64::try_from(n).unwrap_or(0).saturating_mul(10)))
}

/// `8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1`: the highest rank first, P for our first seat.
fn fen(p: &Position) -> String {
    let row = |rank| {
        let (mut text, mut empty) = (String::new(), 0);
        let end = |text: &mut String, empty: &mut u32| {
            if *empty > 0 {
                text.push_str(&empty.to_string());
            }
            *empty = 0;
        };
        for file in 0..p.size() {
            match p.at(file, rank) {
                None => empty += 1,
                Some(seat) => {
                    end(&mut text, &mut empty);
                    text.push(if seat == Seat::FIRST { 'P' } else { 'p' });
                }
            }
        }
        end(&mut text, &mut empty);
        text
    };
    let rows: Vec<String> = (0..p.size()).rev().map(row).collect();
    let side = if p.to_move() == Seat::FIRST { 'w' } else { 'b' };
    format!("{} {side} - - 0 1", rows.join("/"))
}

/// Reads what [`fen`] writes, with holdings behind the board in brackets or without.
fn read_fen(text: &str, options: Options) -> Result<Position, ReadError> {
    let bad = |message: &str| ReadError::new("bad-position", message.to_string());
    let mut words = text.split_whitespace();
    let board = words.next().ok_or_else(|| bad("The board is missing."))?;
    let board = board.split('[').next().unwrap_or_default();
    let mut rows = Vec::new();
    for row in board.split('/') {
        let (mut squares, mut number) = (String::new(), 0usize);
        for c in row.chars().chain(['/']) {
            if let Some(digit) = c.to_digit(10) {
                number = (number * 10 + digit as usize).min(99);
                continue;
            }
            squares.extend(std::iter::repeat_n('-', std::mem::take(&mut number)));
            match c {
                'P' => squares.push('X'),
                'p' => squares.push('O'),
                '/' => {}
                _ => return Err(bad("A board holds P, p and numbers of empty squares.")),
            }
        }
        if squares.len() != usize::from(options.size) {
            return Err(bad("A row has not as many squares as the board is wide."));
        }
        rows.push(squares);
    }
    rows.reverse();
    let side = match words.next() {
        Some("w") => 'X',
        Some("b") => 'O',
        _ => return Err(bad("The side to move is w or b.")),
    };
    Position::read(&format!("{} {side}", rows.concat()), options)
}

impl Conversation for XBoard {
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        let text = text.trim();
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if self.setting(command, rest, desk) {
            return Flow::Go;
        }
        let side = self.line.position().to_move();
        match command {
            "" => {}
            "quit" => return Flow::Quit,
            "protover" => XBoard::greet(desk),
            "variant" => self.variant(rest, desk),
            "new" => {
                self.start_anew(new_line(self.line.rules()), desk);
                (self.ours, self.depth) = (Some(Seat::SECOND), None);
                if self.analysing {
                    self.analyse(desk);
                }
            }
            "ping" => self.ping(rest, desk),
            "usermove" => self.user_move(rest, desk),
            "?" if self.doing == Doing::Thinking => desk.stop(),
            "?" => {}
            "force" | "result" => {
                self.interrupt(desk);
                self.ours = None;
            }
            "go" => {
                self.interrupt(desk);
                self.ours = Some(side);
                self.go_on(desk);
            }
            "playother" => {
                self.interrupt(desk);
                self.ours = Some(side.other());
            }
            "setboard" => self.set_board(rest, desk),
            "undo" => self.take_back(1, desk),
            "remove" => self.take_back(2, desk),
            "analyze" => {
                (self.analysing, self.ours) = (true, None);
                self.analyse(desk);
            }
            "exit" => {
                self.interrupt(desk);
                self.analysing = false;
            }
            _ if read_move(command).is_ok() => self.user_move(command, desk),
            _ => desk.say(&format!("Error (unknown command): {}", clipped(command))),
        }
        Flow::Go
    }

    fn heard(&mut self, report: &Report, desk: &mut dyn Desk) {
        if self.post || self.doing == Doing::Analysing {
            let time = desk.elapsed().as_millis() / 10;
            for line in &report.lines {
                let moves: Vec<String> = moves_of(line).map(written).collect();
                desk.say(&format!(
                    "{} {:.0} {time} {} {}",
                    line.depth,
                    100.0 * discs(line.score),
                    report.nodes,
                    moves.join(" ")
                ));
            }
        }
        self.last = Some(report.clone());
    }

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        let thought = std::mem::replace(&mut self.doing, Doing::Nothing) == Doing::Thinking;
        if thought {
            let m = found_move(&found, self.line.position());
            self.make(m, desk);
        }
    }
}
