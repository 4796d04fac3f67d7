//! Kiban as a USI engine.

use super::go::Go;
use super::info;
use super::{ENTERING_KING, ENTERING_KING_NAMES, ENTERING_KING_RULES, MAX_MOVES, entering_king};
use crate::moves::{Color, Move};
use crate::rules::Shogi;
use crate::sfen::START_SFEN;
use crate::spec::GAME;
use kiban_core::{
    Act, Call, Conversation, Decision, Desk, Entry, Flow, Found, Game, Limits, Line, Mate,
    Notation, Pace, ReadError, Report, Rules, Score, Task, Thinks, Variant,
};
use kiban_wire::{Kind, Options, Set};
use std::time::Duration;

/// What the search thread is busy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doing {
    Nothing,
    /// The first small search, which makes tables and nets ready.
    Warming,
    Thinking,
    Mating,
}

/// The conversation.
pub(super) struct Usi {
    options: Options,
    variant: Variant,
    line: Line<Shogi>,
    doing: Doing,
    /// What to play if the search falls over.
    fallback: Option<Move>,
    /// The best line and its score as last reported.
    best: Vec<String>,
    score: Option<Score>,
}

const HASH: &str = "USI_Hash";
const PONDER: &str = "USI_Ponder";
const THREADS: &str = "Threads";
const LINES: &str = "MultiPV";
const LEVEL: &str = "Level";
const DELAY: &str = "NetworkDelay";
const RESIGN: &str = "ResignValue";
const CLEAR: &str = "ClearHash";

fn options(rules: Shogi) -> Options {
    let max_moves = rules.max_moves.and_then(|n| i64::try_from(n).ok()).unwrap_or(0);
    Options::new(vec![
        (HASH, Kind::Spin(64, 1, 65_536)),
        (PONDER, Kind::Check(false)),
        (THREADS, Kind::Spin(1, 1, 255)),
        (LINES, Kind::Spin(1, 1, 255)),
        (ENTERING_KING, Kind::Combo(entering_king(rules), &ENTERING_KING_NAMES)),
        (MAX_MOVES, Kind::Spin(max_moves, 0, 100_000)),
        // 0 is no level: as well as it can.
        (LEVEL, Kind::Spin(0, 0, 10)),
        (DELAY, Kind::Spin(100, 0, 10_000)),
        (RESIGN, Kind::Spin(99_999, 1, 99_999)),
        (CLEAR, Kind::Button),
    ])
}

impl Usi {
    pub(super) fn new(variant: &Variant) -> Usi {
        let rules = Shogi::of(variant, None);
        let setup = rules.read_setup("").expect("the start can be read");
        Usi {
            options: options(rules),
            variant: variant.clone(),
            line: Line::new(rules, setup),
            doing: Doing::Nothing,
            fallback: None,
            best: Vec::new(),
            score: None,
        }
    }

    /// The rules as the options say them.
    fn rules(&self) -> Shogi {
        let name = self.options.text(ENTERING_KING);
        let rule = ENTERING_KING_RULES.iter().find(|rule| rule.0 == name);
        let (_, declaration, count_missing) = *rule.expect("the option holds one of the names");
        let max_moves = usize::try_from(self.options.spin(MAX_MOVES)).ok().filter(|n| *n > 0);
        Shogi { declaration, count_missing, max_moves, ..Shogi::of(&self.variant, None) }
    }

    fn greet(&self, desk: &mut dyn Desk) {
        desk.say(concat!("id name Kiban ", env!("CARGO_PKG_VERSION")));
        desk.say("id author the Kiban authors");
        for line in self.options.declared() {
            desk.say(&line);
        }
        desk.say("usiok");
    }

    fn set_option(&mut self, text: &str, desk: &mut dyn Desk) {
        match self.options.set(text) {
            Ok(Set::Pressed(_)) => desk.forget(),
            Ok(Set::Changed(_)) => {}
            Err(sentence) => desk.say(&format!("info string {sentence}")),
        }
    }

    /// Makes ready, with a search of one node that is not told.
    fn warm(&mut self, desk: &mut dyn Desk) {
        if desk.busy() {
            desk.say("readyok");
            return;
        }
        self.doing = Doing::Warming;
        let limits = Limits { nodes: Some(1), depth: Some(1), ..self.limits() };
        desk.start(thinking(&self.line), limits, Pace::default());
    }

    /// What all searches have in common.
    fn limits(&self) -> Limits {
        let small = |name| u8::try_from(self.options.spin(name)).expect("the option is so small");
        let hash = u32::try_from(self.options.spin(HASH)).expect("the option is so small");
        Limits {
            level: Some(small(LEVEL)).filter(|level| *level > 0),
            lines: small(LINES),
            threads: small(THREADS),
            hash: Some(hash),
            ..Limits::default()
        }
    }

    /// Reads what follows `position`.
    fn read_position(&self, text: &str) -> Result<Line<Shogi>, ReadError> {
        let (start, moves) = text.split_once("moves").unwrap_or((text, ""));
        let start = start.trim();
        let start = match start.strip_prefix("sfen").unwrap_or(start).trim() {
            "startpos" => START_SFEN,
            sfen => sfen,
        };
        let rules = self.rules();
        let setup = rules.read_setup(start)?;
        if let Some(fault) = rules.faults(&setup).into_iter().next() {
            return Err(ReadError::new("position-not-admitted", fault));
        }
        let mut line = Line::new(rules, setup);
        for (i, word) in moves.split_whitespace().enumerate() {
            let m = rules.read_move(word)?;
            let seat = rules.to_move(line.position());
            if rules.foul(&line, seat, m).is_some() {
                let sentence = format!("Move {}, {}, is not legal.", i + 1, m.to_usi());
                return Err(ReadError::new("illegal-move", sentence));
            }
            line.push(m);
        }
        Ok(line)
    }

    fn go(&mut self, text: &str, desk: &mut dyn Desk) {
        if self.doing == Doing::Warming {
            desk.abandon();
            desk.say("readyok");
        } else if desk.busy() {
            desk.say("info string Still thinking; send stop first.");
            return;
        }
        let go = Go::read(text);
        (self.best, self.score) = (Vec::new(), None);
        if let Some(limit) = go.mate {
            return self.mate(limit, desk);
        }
        let rules = self.rules();
        let line = with_rules(&self.line, rules);
        let legal = rules.legal(&line);
        self.fallback = go.only.iter().find(|m| legal.contains(m)).or(legal.first()).copied();
        let side = Color::of(rules.to_move(line.position()));
        let ply = u32::try_from(line.steps().len()).unwrap_or(u32::MAX);
        let delay = Duration::from_millis(self.options.spin(DELAY).unsigned_abs());
        let pace = go.pace(side, ply, delay);
        let limits = go.limits();
        let only = limits.only.iter().filter(|text| legal.iter().any(|m| m.to_usi() == **text));
        let limits = Limits {
            only: only.cloned().collect(),
            nodes: limits.nodes,
            depth: limits.depth,
            ..self.limits()
        };
        self.doing = Doing::Thinking;
        desk.start(thinking(&line), limits, pace);
    }

    fn mate(&mut self, limit: Option<Duration>, desk: &mut dyn Desk) {
        let Some(solve) = GAME.mate else {
            desk.say("checkmate notimplemented");
            return;
        };
        let position = self.line.position().to_sfen();
        self.doing = Doing::Mating;
        let task: Task = Box::new(move |_, limits, _| match solve(&position, &limits) {
            Ok(mate) => Found::Mate(mate),
            Err(_) => Found::Fault,
        });
        let limits = Limits { time: limit, ..self.limits() };
        desk.start(task, limits, Pace { hard: limit, ..Pace::default() });
    }

    /// The move, and the answer that is expected if there is to be pondered.
    fn best_move(&self, text: &str) -> String {
        let hopeless = self.options.spin(RESIGN);
        if let Some(Score::Estimate { points, .. }) = self.score
            && i64::from(points) <= -hopeless
        {
            return "bestmove resign".to_string();
        }
        match self.best.as_slice() {
            [first, answer, ..] if first == text && self.options.check(PONDER) => {
                format!("bestmove {text} ponder {answer}")
            }
            _ => format!("bestmove {text}"),
        }
    }

    fn told(&self, found: Found) -> String {
        match (self.doing, found) {
            (Doing::Warming, _) => "readyok".to_string(),
            (Doing::Mating, Found::Mate(mate)) => checkmate(&mate),
            (Doing::Mating, _) => "checkmate timeout".to_string(),
            (_, Found::Entry(Entry { act: Act::Call(Call::Declare), .. })) => {
                "bestmove win".to_string()
            }
            (_, Found::Entry(Entry { act: Act::Move(text), .. })) => self.best_move(&text),
            (_, Found::Fault) if self.fallback.is_some() => {
                let m = self.fallback.expect("just looked at");
                format!("bestmove {}", m.to_usi())
            }
            _ => "bestmove resign".to_string(),
        }
    }
}

fn checkmate(mate: &Mate) -> String {
    match mate.mate {
        Some(true) => format!("checkmate {}", mate.moves.join(" ")),
        Some(false) => "checkmate nomate".to_string(),
        None => "checkmate timeout".to_string(),
    }
}

/// The same line under other rules: options may change after the position was told.
fn with_rules(line: &Line<Shogi>, rules: Shogi) -> Line<Shogi> {
    if line.rules() == rules {
        return line.clone();
    }
    let mut same = Line::new(rules, line.setup().clone());
    for step in line.steps() {
        same.push(step.m);
    }
    same
}

/// A search of the line. A user may go on where a referee would have ended the game, so a line
/// that is over by its history is thought about from its last position alone.
fn thinking(line: &Line<Shogi>) -> Task {
    let rules = line.rules();
    let seat = rules.to_move(line.position());
    let line = if rules.verdict(line).is_some() {
        Line::new(rules, line.position().to_setup())
    } else {
        line.clone()
    };
    if rules.legal(&line).is_empty() {
        return Box::new(move |_, _, _| Found::Entry(Entry::new_call(seat, Call::Resign)));
    }
    Box::new(move |memory, limits, report| {
        Found::Entry(match rules.think(&line, memory, &limits, report) {
            Decision::Move(m) => Entry::new_move(seat, m.to_usi()),
            Decision::Call(call) => Entry::new_call(seat, call),
        })
    })
}

impl Conversation for Usi {
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        let text = text.trim();
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match command {
            "usi" => self.greet(desk),
            "isready" => self.warm(desk),
            "setoption" => self.set_option(rest, desk),
            "usinewgame" => {
                desk.abandon();
                desk.forget();
                self.doing = Doing::Nothing;
            }
            "position" => match self.read_position(rest) {
                Ok(line) => self.line = line,
                Err(e) => desk.say(&format!("info string The position stays as it was: {e}")),
            },
            "go" => self.go(rest, desk),
            "ponderhit" => desk.release(),
            // What makes ready is not to be stopped: its user waits for the word.
            "stop" if self.doing != Doing::Warming => desk.stop(),
            "gameover" => {
                desk.abandon();
                self.doing = Doing::Nothing;
            }
            "quit" => return Flow::Quit,
            _ => {}
        }
        Flow::Go
    }

    fn heard(&mut self, report: &Report, desk: &mut dyn Desk) {
        if self.doing != Doing::Thinking {
            return;
        }
        if let Some(line) = report.lines.first() {
            (self.best, self.score) = (line.moves.clone(), Some(line.score));
        }
        for line in info::lines(report, desk.elapsed()) {
            desk.say(&line);
        }
    }

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        let told = self.told(found);
        self.doing = Doing::Nothing;
        desk.say(&told);
    }
}
