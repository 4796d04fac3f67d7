//! Kiban as an engine of Cassio, S. Nicolet's program for research.
//!
//! Every command is a line `ENGINE-PROTOCOL COMMAND ...`; an empty line asks whether the engine is
//! alive. A search is answered by its result and `ready.`; commands that come meanwhile wait.

use super::{WAITING, clipped, discs, empties, found_move, moves_of, thinking};
use crate::wire::upper_case;
use crate::{Move, Othello, Position};
use kiban_core::{Bound, Conversation, Desk, Flow, Found, Limits, Pace, Report, Score};
use std::collections::VecDeque;

const HEADER: &str = "ENGINE-PROTOCOL";
const MOST: f64 = 64.0;
/// How sure a search is called that is not exact, in per cent; the least that is asked for.
const UNSURE: u32 = 73;

/// A search that is on.
struct Asked {
    /// As it was told.
    position: Position,
    /// What is searched: after the pass, if one is due.
    searched: Position,
    depth: u8,
    last: Option<Report>,
    /// How many searches to the end, each surer than the one before, are still wanted; all of them
    /// for an exact value.
    enough: Option<u32>,
}

/// The conversation.
pub(in crate::wire) struct Cassio {
    rules: Othello,
    waiting: VecDeque<String>,
    asked: Option<Asked>,
}

impl Cassio {
    pub(in crate::wire) fn new(rules: Othello) -> Cassio {
        Cassio { rules, waiting: VecDeque::new(), asked: None }
    }

    fn command(&mut self, command: &str, rest: &str, desk: &mut dyn Desk) -> Flow {
        match command {
            "init" | "new-position" => desk.say("ready."),
            "get-version" => {
                desk.say(concat!("version: Kiban ", env!("CARGO_PKG_VERSION")));
                desk.say("ready.");
            }
            // Neither is answered. What others know of a position is not taken over: our values
            // must not hang on who asked what before.
            "empty-hash" => desk.forget(),
            "feed-hash" => {}
            "midgame-search" | "endgame-search" => {
                if let Err(sentence) = self.search(command == "midgame-search", rest, desk) {
                    desk.say(&format!("ERROR: {command} {sentence}"));
                    desk.say("ready.");
                }
            }
            "quit" => {
                desk.say("bye bye.");
                return Flow::Quit;
            }
            _ => {
                desk.say(&format!("ERROR: unknown command {}", clipped(command)));
                desk.say("ready.");
            }
        }
        Flow::Go
    }

    /// `POSITION ALPHA BETA DEPTH PRECISION`, in an endgame without the depth. The window may be
    /// left aside: a value is right in any.
    fn search(&mut self, middle: bool, text: &str, desk: &mut dyn Desk) -> Result<(), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // The side may stand apart from the board.
        let apart = words.get(1).is_some_and(|w| w.parse::<f64>().is_err());
        let (board, numbers) = words.split_at(words.len().min(1 + usize::from(apart)));
        let position = Position::read(&board.concat(), self.rules.options)
            .map_err(|e| format!("cannot read the position: {e}"))?;
        let wanted = if middle { 4 } else { 3 };
        let numbers: Option<Vec<f64>> = numbers.iter().map(|word| number(word)).collect();
        let Some(numbers) = numbers.filter(|numbers| numbers.len() == wanted) else {
            return Err(format!("needs a position and {wanted} numbers."));
        };
        if position.over() {
            return Err("got a position where the game is over.".to_string());
        }
        let mut searched = position;
        if position.must_pass() {
            searched.play(Move::PASS);
        }
        let left = empties(&searched).max(1);
        // A float is cut off at the ends of the range.
        let depth = if middle { (numbers[2] as u8).clamp(1, left) } else { left };
        let precision = numbers[wanted - 1];
        let enough = match precision {
            p if p <= 0.0 || p >= 100.0 => None,
            ..=80.0 => Some(1),
            ..=95.0 => Some(2),
            _ => Some(3),
        };
        let enough = enough.filter(|_| depth == left);
        self.asked = Some(Asked { position, searched, depth, last: None, enough });
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        desk.start(thinking(self.rules, searched), limits, Pace::default());
        Ok(())
    }

    fn result(&self, asked: &Asked, found: &Found, desk: &dyn Desk) -> String {
        let Asked { position, searched, depth, last, .. } = asked;
        let report = last.as_ref();
        let line = report.and_then(|r| r.lines.first());
        let passed = position.to_move() != searched.to_move();
        let proved = !desk.was_stopped() && *depth >= empties(searched);
        let mut moves: Vec<Move> = match line {
            Some(line) => moves_of(line).collect(),
            None => vec![found_move(found, searched)],
        };
        if passed {
            moves.insert(0, Move::PASS);
        }
        let (low, high) = match line.map(|line| line.score) {
            Some(Score::Estimate { points, bound, .. }) => bounds(f64::from(points) / 100.0, bound),
            Some(score @ Score::Exact { .. }) => match discs(score) {
                value if value > 0.0 => (1.0, MOST),
                value if value < 0.0 => (-MOST, -1.0),
                _ => (0.0, 0.0),
            },
            None => (-MOST, MOST),
        };
        let (low, high) = if passed { (-high, -low) } else { (low, high) };
        let text = position.write().replace(' ', "");
        let colour = if position.to_move().index() == 0 { 'B' } else { 'W' };
        let reached = report.map_or(0, |r| r.depth);
        let sure = if proved { 100 } else { UNSURE };
        let first = upper_case(moves[0]);
        let all: String = moves.iter().map(|m| upper_case(*m)).collect();
        let (nodes, time) = (report.map_or(0, |r| r.nodes), desk.elapsed().as_secs_f64());
        format!(
            "{text}, move {first}, depth {reached}, @{sure}%, {colour}{low:+.2} <= v <= \
             {colour}{high:+.2}, {all}, node {nodes}, time {time:.3}"
        )
    }
}

fn bounds(value: f64, bound: Bound) -> (f64, f64) {
    match bound {
        Bound::Exact => (value, value),
        Bound::Lower => (value, MOST),
        Bound::Upper => (-MOST, value),
    }
}

/// A number as it may stand in a command.
fn number(word: &str) -> Option<f64> {
    word.parse::<f64>().ok().filter(|n| n.is_finite())
}

impl Conversation for Cassio {
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
        let text = text.trim();
        let busy = self.asked.is_some();
        if text.is_empty() {
            desk.say(if busy { "ok." } else { "ready." });
            return Flow::Go;
        }
        let (header, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if header != HEADER {
            desk.say(&format!("ERROR: unknown protocol {}", clipped(header)));
            return Flow::Go;
        }
        let rest = rest.trim_start();
        let (command, numbers) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match command {
            "stop" => {
                self.waiting.clear();
                if busy {
                    desk.stop()
                } else {
                    desk.say("ready.")
                }
                Flow::Go
            }
            "get-search-infos" => {
                let nodes =
                    self.asked.as_ref().and_then(|a| a.last.as_ref()).map_or(0, |r| r.nodes);
                let time = desk.elapsed().as_secs_f64();
                let text = format!("node {nodes}, time {time:.3}");
                desk.say(if busy { &text } else { "ready." });
                Flow::Go
            }
            "quit" => {
                desk.abandon();
                self.command(command, numbers, desk)
            }
            _ if busy && self.waiting.len() < WAITING => {
                self.waiting.push_back(rest.to_string());
                Flow::Go
            }
            _ if busy => {
                desk.say("ERROR: too many commands are waiting.");
                Flow::Go
            }
            _ => self.command(command, numbers, desk),
        }
    }

    fn heard(&mut self, report: &Report, desk: &mut dyn Desk) {
        let Some(asked) = &mut self.asked else { return };
        asked.last = Some(report.clone());
        if report.depth >= empties(&asked.searched)
            && let Some(enough) = &mut asked.enough
        {
            *enough = enough.saturating_sub(1);
            if *enough == 0 {
                desk.stop();
            }
        }
    }

    fn found(&mut self, found: Found, desk: &mut dyn Desk) {
        let Some(asked) = self.asked.take() else { return };
        let result = self.result(&asked, &found, desk);
        desk.say(&result);
        desk.say("ready.");
        while self.asked.is_none()
            && let Some(text) = self.waiting.pop_front()
        {
            let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
            self.command(command, rest, desk);
        }
    }

    /// A long search that nobody waits for any more is not gone on with.
    fn ended(&mut self, desk: &mut dyn Desk) {
        self.waiting.clear();
        desk.stop();
    }
}
