//! Kiban as a GTP engine: version 2, as programs of this game use it.
//!
//! Commands are answered in their order; those that come during a search wait for its end, also
//! when they are the last of a file. A pass that is due may be left out.

use super::{DELAY, DEPTH, WAITING, by_depth, clipped, found_move, new_line, pushed, thinking};
use crate::notation::sgf;
use crate::ui;
use crate::wire::upper_case;
use crate::{GAME, Move, Options, Othello, Position};
use kiban_core::{
    Act, Conversation, Desk, Entry, Flow, Found, Limits, Line, Notation, Pace, ReadError, Record,
    Report, Rules, Seat, Source,
};
use kiban_wire::Clock;
use std::collections::VecDeque;
use std::time::Duration;

/// Every command that is known.
const COMMANDS: [&str; 28] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "loadsgf",
    "set_game",
    "list_games",
    "gogui-interrupt",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    // Ours: 1 to 10, or 0 to play as well as it can.
    "kiban-level",
];
/// Longer numbers before a command are none.
const LONGEST_ID: usize = 10;
const SYNTAX: &str = "syntax error";

/// What came of a command.
enum Reply {
    Well(String),
    Ill(String),
    /// It is given when the search is done.
    Later,
    Goodbye,
}

fn well(text: impl Into<String>) -> Reply {
    Reply::Well(text.into())
}

fn ill(text: impl Into<String>) -> Reply {
    Reply::Ill(text.into())
}

/// The time control as it was set: main time, then so many moves in each further period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    moves: u32,
}

/// A command whose answer is a move.
struct Asked {
    id: String,
    position: Position,
    /// Whether the move is played, too.
    played: bool,
    /// The plies by which the position is ahead of the line.
    passed: usize,
}

/// The conversation.
pub(in crate::wire) struct Gtp {
    line: Line<Othello>,
    /// The plies each command has played, for taking back.
    plies: Vec<usize>,
    waiting: VecDeque<String>,
    asked: Option<Asked>,
    settings: Option<Settings>,
    /// What is left to each side: time, and moves it is for once the main time is over.
    left: [(Duration, u32); 2],
    level: u8,
}

impl Gtp {
    pub(in crate::wire) fn new(rules: Othello) -> Gtp {
        Gtp {
            line: new_line(rules),
            plies: Vec::new(),
            waiting: VecDeque::new(),
            asked: None,
            settings: None,
            left: [(Duration::ZERO, 0); 2],
            level: 0,
        }
    }

    fn clear(&mut self, line: Line<Othello>) {
        (self.line, self.plies) = (line, Vec::new());
        let main = self.settings.map_or(Duration::ZERO, |settings| settings.main);
        self.left = [(main, 0); 2];
    }

    /// Does one line.
    fn command(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        let (id, command, rest) = parted(text);
        let reply = self.reply(&id, &command, &rest, desk);
        match reply {
            Reply::Well(text) => say(desk, '=', &id, &text),
            Reply::Ill(text) => say(desk, '?', &id, &text),
            Reply::Later => {}
            Reply::Goodbye => {
                say(desk, '=', &id, "");
                return Flow::Quit;
            }
        }
        Flow::Go
    }

    fn reply(&mut self, id: &str, command: &str, rest: &str, desk: &mut dyn Desk) -> Reply {
        let p = *self.line.position();
        match command {
            "protocol_version" => well("2"),
            "name" => well("Kiban"),
            "version" => well(env!("CARGO_PKG_VERSION")),
            "known_command" => well(COMMANDS.contains(&rest).to_string()),
            "list_commands" => well(COMMANDS.join("\n")),
            "quit" => Reply::Goodbye,
            "boardsize" => self.board_size(rest),
            "clear_board" => {
                self.clear(new_line(self.line.rules()));
                well("")
            }
            // There is nothing a handicap in points could change.
            "komi" if rest.parse::<f64>().is_ok() => well(""),
            "play" => self.play(rest),
            "genmove" | "reg_genmove" => self.generate(id, command == "genmove", rest, desk),
            "undo" => self.undo(),
            "time_settings" => self.time_settings(rest),
            "time_left" => self.time_left(rest),
            "final_score" if p.over() => well(score(self.line.rules(), &self.line)),
            "final_score" => ill("cannot score"),
            "showboard" | "gogui-rules_board" => well(self.board(command == "showboard")),
            "loadsgf" => self.load(rest, desk),
            "set_game" if self.games().any(|name| name == rest) => well(""),
            "set_game" => ill("unsupported game"),
            "list_games" => well(self.games().next().unwrap_or_default()),
            "gogui-interrupt" => well(""),
            "gogui-rules_game_id" => well(self.games().next().unwrap_or_default()),
            "gogui-rules_board_size" => well(p.size().to_string()),
            "gogui-rules_legal_moves" => {
                well(p.moves().into_iter().map(vertex).collect::<Vec<_>>().join(" "))
            }
            "gogui-rules_side_to_move" => {
                well(if p.to_move() == Seat::FIRST { "black" } else { "white" })
            }
            "gogui-rules_final_result" => well(self.result()),
            "kiban-level" => match rest.parse() {
                Ok(level @ 0..=10) => {
                    self.level = level;
                    well("")
                }
                _ => ill("give a level from 0 to 10"),
            },
            known if COMMANDS.contains(&known) => ill(SYNTAX),
            _ => ill("unknown command"),
        }
    }

    /// The names under which users know this game; the first is told.
    fn games(&self) -> impl Iterator<Item = &'static str> + use<> {
        let options = self.line.rules().options;
        let names: &[&str] = match options {
            Options { fewest: true, .. } => &["Anti-Othello"],
            Options { free_centre: true, .. } => &["Reversi"],
            _ => &["Othello", "Reversi"],
        };
        names.iter().copied()
    }

    fn board_size(&mut self, text: &str) -> Reply {
        let Ok(size) = text.parse::<u64>() else { return ill(SYNTAX) };
        let rules = self.line.rules();
        if ![4, 6, 8, 10].contains(&size) {
            return ill("unacceptable size");
        }
        let size = u8::try_from(size).expect("just looked at");
        let options = Options { size, ..rules.options };
        self.clear(new_line(Othello { options, ..rules }));
        well("")
    }

    /// How many passes were left out before it was this colour's turn; nothing if it is not.
    fn passes_before(&self, colour: Seat) -> Option<usize> {
        let p = self.line.position();
        if p.to_move() == colour { Some(0) } else { p.must_pass().then_some(1) }
    }

    /// Plays a command's moves, or nothing of them.
    fn put(&mut self, passed: usize, m: Move) -> Result<(), ReadError> {
        for _ in 0..passed {
            self.line.push(Move::PASS);
        }
        match pushed(&mut self.line, m) {
            Ok(plies) => {
                self.plies.push(passed + plies);
                Ok(())
            }
            Err(e) => {
                self.take_back(passed);
                Err(e)
            }
        }
    }

    fn play(&mut self, text: &str) -> Reply {
        let mut words = text.split_whitespace();
        let (colour, m) = (words.next().and_then(colour), words.next().map(Move::read));
        let (Some(colour), Some(Ok(m)), None) = (colour, m, words.next()) else {
            return ill(SYNTAX);
        };
        if self.line.position().over() && m == Move::PASS {
            // Users of Go's habits end a game by passing.
            return well("");
        }
        match self.passes_before(colour).map(|passed| self.put(passed, m)) {
            Some(Ok(())) => well(""),
            Some(Err(_)) | None => ill("illegal move"),
        }
    }

    fn take_back(&mut self, plies: usize) {
        for _ in 0..plies {
            self.line.pop();
        }
    }

    fn undo(&mut self) -> Reply {
        match self.plies.pop() {
            Some(plies) => {
                self.take_back(plies);
                well("")
            }
            None => ill("cannot undo"),
        }
    }

    fn generate(&mut self, id: &str, played: bool, text: &str, desk: &mut dyn Desk) -> Reply {
        let Some(colour) = colour(text) else { return ill(SYNTAX) };
        if self.line.position().over() {
            return well("pass");
        }
        let Some(passed) = self.passes_before(colour) else {
            return ill("it is the other side's turn");
        };
        let mut position = *self.line.position();
        if passed > 0 {
            position.play(Move::PASS);
        }
        if position.must_pass() {
            if played && let Err(e) = self.put(passed, Move::PASS) {
                return ill(e.to_string());
            }
            return well("pass");
        }
        let pace = self.pace(colour);
        let limits = match self.level {
            0 if pace == Pace::default() => by_depth(&position, DEPTH),
            0 => Limits::default(),
            level => Limits { level: Some(level), ..Limits::default() },
        };
        self.asked = Some(Asked { id: id.to_string(), position, played, passed });
        desk.start(thinking(self.line.rules(), position), limits, pace);
        Reply::Later
    }

    fn time_settings(&mut self, text: &str) -> Reply {
        let numbers: Result<Vec<u32>, _> = text.split_whitespace().map(str::parse).collect();
        let Ok([main, period, moves]) = numbers.as_deref() else { return ill(SYNTAX) };
        let seconds = |s: u32| Duration::from_secs(u64::from(s));
        let (main, period) = (seconds(*main), seconds(*period));
        // A period for no moves is how the protocol says that time does not matter.
        let unlimited = *moves == 0 && (!period.is_zero() || main.is_zero());
        self.settings = (!unlimited).then_some(Settings { main, period, moves: *moves });
        self.left = [(main, 0); 2];
        well("")
    }

    fn time_left(&mut self, text: &str) -> Reply {
        let mut words = text.split_whitespace();
        let colour = words.next().and_then(colour);
        let seconds = words.next().and_then(|s| s.parse::<f64>().ok());
        let moves = words.next().and_then(|n| n.parse().ok());
        let (Some(colour), Some(seconds), Some(moves)) = (colour, seconds, moves) else {
            return ill(SYNTAX);
        };
        let left = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default();
        self.left[colour.index()] = (left, moves);
        well("")
    }

    /// When the search for a side has to end.
    fn pace(&self, side: Seat) -> Pace {
        let Some(Settings { period, moves, .. }) = self.settings else { return Pace::default() };
        let (left, in_period) = self.left[side.index()];
        let clock = match in_period {
            0 => {
                let byoyomi = period.checked_div(moves).unwrap_or_default();
                Clock { left, byoyomi, ..Clock::default() }
            }
            // The last of a period's moves has all that is left.
            1 => Clock { byoyomi: left, ..Clock::default() },
            moves => Clock { left, moves: Some(moves), ..Clock::default() },
        };
        let ply = u32::try_from(self.line.steps().len()).unwrap_or(u32::MAX);
        clock.pace(ply, DELAY)
    }

    /// Takes the time of a move of ours off the clock, until the user tells how it stands.
    fn charge(&mut self, side: Seat, spent: Duration) {
        let Some(Settings { period, moves, .. }) = self.settings else { return };
        let (left, in_period) = &mut self.left[side.index()];
        *left = left.saturating_sub(spent);
        *in_period = in_period.saturating_sub(1);
        if *in_period == 0 && left.is_zero() && moves > 0 {
            (*left, *in_period) = (period, moves);
        }
    }

    fn board(&self, shown: bool) -> String {
        let p = self.line.position();
        if shown {
            return format!("\n{}", ui::text(p, !p.over()).trim_end());
        }
        let row = |rank| {
            let mark = |file| match p.at(file, rank) {
                Some(Seat::FIRST) => 'X',
                Some(_) => 'O',
                None => '.',
            };
            (0..p.size()).map(mark).map(String::from).collect::<Vec<_>>().join(" ")
        };
        // Like all boards of this protocol it begins with the highest rank.
        (0..p.size()).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    fn result(&self) -> String {
        let rules = self.line.rules();
        let (first, second) = rules.final_score(self.line.position());
        let score = format!("Final score is B {first} and W {second}");
        match rules.ended(self.line.position()).map(|outcome| outcome.result()) {
            None => "unknown".to_string(),
            Some("first") => format!("Black wins. {score}"),
            Some("second") => format!("White wins. {score}"),
            Some(_) => format!("Draw. {score}"),
        }
    }

    /// `FILE [N]`: the game of a file, up to the move of this number, which is not played.
    fn load(&mut self, text: &str, desk: &mut dyn Desk) -> Reply {
        let (name, before) = match text.rsplit_once(char::is_whitespace) {
            Some((name, n)) if n.parse::<usize>().is_ok() => (name.trim_end(), n.parse().ok()),
            _ => (text, None),
        };
        if name.is_empty() {
            return ill(SYNTAX);
        }
        let loaded = desk.read(name).and_then(|bytes| loaded(&bytes, before));
        match loaded {
            Ok((line, plies)) => {
                self.clear(line);
                self.plies = plies;
                well("")
            }
            Err(e) => ill(format!("cannot load file: {}", clipped(&e.to_string()))),
        }
    }
}

/// The first game of a file before its move of this number (from 1), with the plies of each move.
fn loaded(bytes: &[u8], before: Option<usize>) -> Result<(Line<Othello>, Vec<usize>), ReadError> {
    let read = sgf::FORMAT.read.expect("the format can be read");
    let records = read(Source { bytes, variant: None })?;
    let record: &Record =
        records.first().ok_or_else(|| ReadError::new("empty", "There is no game."))?;
    let rules = Othello::of_variant(&GAME.variant(&record.variant)?);
    let mut line = Line::new(rules, rules.read_setup(&record.start)?);
    let mut plies = Vec::new();
    let most = before.map_or(usize::MAX, |n| n.saturating_sub(1));
    let moves = record.main_line().filter_map(|node| match &node.entry {
        Some(Entry { act: Act::Move(text), .. }) => Some(text.as_str()),
        _ => None,
    });
    for text in moves.take(most) {
        plies.push(pushed(&mut line, rules.read_move(text)?)?);
    }
    Ok((line, plies))
}

/// `B+12`, `W+2.0`, `0`: the margin of a finished game.
fn score(rules: Othello, line: &Line<Othello>) -> String {
    let (first, second) = rules.final_score(line.position());
    match rules.ended(line.position()).map(|outcome| outcome.result()) {
        Some("first") => format!("B+{}", (first - second).abs()),
        Some("second") => format!("W+{}", (first - second).abs()),
        _ => "0".to_string(),
    }
}

/// The number before a command, the command, and what follows it.
fn parted(text: &str) -> (String, String, String) {
    let mut words = text.splitn(2, ' ');
    let first = words.next().unwrap_or_default();
    let number = !first.is_empty() && first.len() <= LONGEST_ID;
    let number = number && first.bytes().all(|b| b.is_ascii_digit());
    let (id, rest) = if number {
        (first.to_string(), words.next().unwrap_or_default().trim_start())
    } else {
        (String::new(), text)
    };
    let (command, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    (id, command.to_string(), rest.trim().to_string())
}

/// A line as the protocol wants it to be read: without its comment and control characters.
fn cleaned(text: &str) -> String {
    let text = text.split('#').next().unwrap_or_default();
    let plain = text.chars().map(|c| if c == '\t' { ' ' } else { c });
    plain.filter(|c| !c.is_control()).collect::<String>().trim().to_string()
}

fn say(desk: &mut dyn Desk, sign: char, id: &str, text: &str) {
    let gap = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
    // An empty line ends each answer.
    desk.say(&format!("{sign}{id}{gap}{text}\n"));
}

fn colour(text: &str) -> Option<Seat> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Seat::FIRST),
        "w" | "white" => Some(Seat::SECOND),
        _ => None,
    }
}

fn vertex(m: Move) -> String {
    if m == Move::PASS { "pass".to_string() } else { upper_case(m) }
}

impl Conversation for Gtp {
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        if text.trim() == "# interrupt" {
            desk.stop();
            return Flow::Go;
        }
        let text = cleaned(text);
        if text.is_empty() {
            return Flow::Go;
        }
        if self.asked.is_none() {
            return self.command(&text, desk);
        }
        if self.waiting.len() < WAITING {
            self.waiting.push_back(text);
        } else {
            say(desk, '?', &parted(&text).0, "too many commands are waiting");
        }
        Flow::Go
    }

    fn heard(&mut self, _: &Report, _: &mut dyn Desk) {}

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        let Some(asked) = self.asked.take() else { return };
        let m = found_move(&found, &asked.position);
        if asked.played {
            self.charge(asked.position.to_move(), desk.elapsed());
            self.put(asked.passed, m).expect("the engine's moves are legal");
        }
        say(desk, '=', &asked.id, &vertex(m));
        while self.asked.is_none()
            && let Some(text) = self.waiting.pop_front()
        {
            if self.command(&text, desk) == Flow::Quit {
                self.waiting.clear();
                desk.leave();
            }
        }
    }

    /// A file of commands is answered to its end.
    fn ended(&mut self, _: &mut dyn Desk) {}
}
