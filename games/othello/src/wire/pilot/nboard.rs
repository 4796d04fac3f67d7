//! Kiban as an NBoard engine's user.

use super::hints::Hints;
use crate::notation::ggf;
use kiban_core::{Act, Arbiter, Clocks, Heard, Limits, Pilot, ReadError, Record, Seat, Viewer};
use std::time::Duration;

/// What the engine is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Asked {
    #[default]
    Nothing,
    /// A move.
    Move,
    /// Evaluations of several moves, of which it is told when there is enough.
    Hints,
}

/// The pilot.
#[derive(Default)]
pub(in crate::wire) struct NBoard {
    name: Option<String>,
    greeted: bool,
    asked: Asked,
    /// The number of the last ping; what was said before its pong is about another position.
    ping: u32,
    ponged: bool,
    /// Whether that ping was to end what is asked: its pong ends the answer.
    hurried: bool,
    hints: Hints,
    /// The depth that the user has set.
    depth: Option<String>,
}

/// The depth for a move and for hints where nobody says it: engines expect to be told one. Hints
/// end when there is enough.
const DEPTH: u8 = 12;
const DEPTH_OF_HINTS: u8 = 18;

impl NBoard {
    fn synchronise(&mut self, send: &mut dyn FnMut(String)) {
        self.ping += 1;
        self.ponged = false;
        send(format!("ping {}", self.ping));
    }

    /// Whether what is said is about what was asked.
    fn is_meant(&self) -> bool {
        self.asked != Asked::Nothing && (self.ponged || self.hurried)
    }

    fn has_ponged(&mut self, send: &mut dyn FnMut(String)) -> Heard {
        self.ponged = true;
        if !std::mem::replace(&mut self.greeted, true) {
            return Heard::Ready;
        }
        if std::mem::take(&mut self.hurried) && self.asked != Asked::Nothing {
            if let Some(best) = self.hints.best() {
                self.asked = Asked::Nothing;
                return Heard::Says(Act::Move(best.to_string()));
            }
            self.asked = Asked::Move;
            send("go".to_string());
        }
        Heard::Nothing
    }

    /// `F5/1.00/0.3`, or with blanks between, of which all but the move may be missing.
    fn answered(&mut self, answer: &str) -> Heard {
        let mut fields = answer.trim().split(['/', ' ']);
        let text = fields.next().unwrap_or_default();
        if text.is_empty() {
            return Heard::Wrong("The engine said \"===\" without a move.".to_string());
        }
        let act = Act::Move(text.to_string());
        match self.hints.concluded(text, fields.next().unwrap_or_default()) {
            Some(report) => Heard::Concludes(report, act),
            None => Heard::Says(act),
        }
    }

    fn game(game: &dyn Arbiter, clocks: Option<(&Clocks, Seat)>) -> Result<String, ReadError> {
        let write = ggf::FORMAT.write.expect("the format can be written");
        let mut record = game.record(Viewer::Referee);
        if let Some((clocks, seat)) = clocks {
            timed(&mut record, clocks, seat);
        }
        let bytes = write(&[record])?;
        Ok(String::from_utf8_lossy(&bytes).replace(['\r', '\n'], " "))
    }
}

/// Writes into a record what each move took, and such a main time that the seat that is asked has
/// left what its clock shows: the format knows increments but no byoyomi.
fn timed(record: &mut Record, clocks: &Clocks, seat: Seat) {
    let mut own = (Duration::ZERO, 0u32);
    let mut entries = clocks.spent.iter();
    for node in &mut record.nodes {
        let Some(entry) = &node.entry else { continue };
        let took = entries.next().copied().unwrap_or_default();
        node.spent_ms = u64::try_from(took.as_millis()).ok().filter(|ms| *ms > 0);
        if entry.by.has(seat) {
            own = (own.0.saturating_add(took), own.1 + u32::from(!took.is_zero()));
        }
    }
    let left = clocks.left[seat.index()].saturating_add(clocks.byoyomi).saturating_add(own.0);
    let main = left.saturating_sub(clocks.increment.saturating_mul(own.1));
    let text = format!("{}/{}", clock_text(main), clock_text(clocks.increment));
    record.unknown.push(("TI".to_string(), text));
}

/// `15:00`, `0:02.50`: minutes and seconds.
fn clock_text(time: Duration) -> String {
    let (seconds, hundredths) = (time.as_secs(), time.subsec_millis() / 10);
    let fraction = if hundredths > 0 { format!(".{hundredths:02}") } else { String::new() };
    format!("{:02}:{:02}{fraction}", seconds / 60, seconds % 60)
}

impl Pilot for NBoard {
    fn greet(&mut self, options: &[(String, String)], send: &mut dyn FnMut(String)) {
        send("nboard 2".to_string());
        for (name, value) in options {
            send(format!("set {name} {value}"));
            if name == "depth" {
                self.depth = Some(value.clone());
            }
        }
        self.synchronise(send);
    }

    fn begin(&mut self, game: &dyn Arbiter, _: &mut dyn FnMut(String)) -> Result<(), ReadError> {
        NBoard::game(game, None).map(|_| ())
    }

    fn ask(
        &mut self,
        game: &dyn Arbiter,
        seat: Seat,
        limits: &Limits,
        send: &mut dyn FnMut(String),
    ) {
        let clocks = limits.clocks.as_ref().map(|clocks| (clocks, seat));
        if let Ok(game) = NBoard::game(game, clocks) {
            send(format!("set game {}", game.trim()));
        }
        let usual = if limits.lines > 1 { DEPTH_OF_HINTS } else { DEPTH };
        let told = limits.depth.map(|depth| depth.to_string()).or_else(|| self.depth.clone());
        send(format!("set depth {}", told.unwrap_or_else(|| usual.to_string())));
        self.synchronise(send);
        self.hurried = false;
        self.hints = Hints::new(game, limits.lines);
        if limits.lines > 1 {
            self.asked = Asked::Hints;
            send(format!("hint {}", limits.lines));
        } else {
            self.asked = Asked::Move;
            send("go".to_string());
        }
    }

    /// The protocol knows no "move now": a ping ends the thinking, and the best line so far is the
    /// answer. Without a line a move is still waited for.
    fn hurry(&mut self, send: &mut dyn FnMut(String)) {
        let enough = self.hints.best().is_some();
        if self.asked == Asked::Hints || (self.asked == Asked::Move && enough) {
            self.synchronise(send);
            self.hurried = true;
        }
    }

    fn hear(&mut self, line: &str, send: &mut dyn FnMut(String)) -> Heard {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "set" => {
                if let Some(name) = rest.strip_prefix("myname ") {
                    self.name = Some(name.trim().to_string());
                }
            }
            "pong" if rest.trim().parse() == Ok(self.ping) => return self.has_ponged(send),
            _ if !self.is_meant() => {}
            "search" | "book" => {
                if let Some(report) = self.hints.take(line) {
                    return Heard::Thinks(report);
                }
            }
            "nodestats" => self.hints.nodes(rest),
            _ => {
                if let Some(answer) = line.strip_prefix("===") {
                    self.asked = Asked::Nothing;
                    return self.answered(answer);
                }
            }
        }
        Heard::Nothing
    }

    fn over(&mut self, _: Option<bool>, _: &mut dyn FnMut(String)) {
        self.asked = Asked::Nothing;
    }

    fn part(&mut self, send: &mut dyn FnMut(String)) {
        send("quit".to_string());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn doubts(&self, limits: &Limits) -> Vec<String> {
        let told = limits.nodes.map(|_| "NBoard can tell no nodes; the engine minds none.".into());
        told.into_iter().collect()
    }
}
