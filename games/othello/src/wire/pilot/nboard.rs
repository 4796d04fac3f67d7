//! Kiban as an NBoard engine's user.

use crate::notation::ggf;
use kiban_core::{Act, Arbiter, Clocks, Heard, Limits, Pilot, ReadError, Record, Seat, Viewer};
use std::time::Duration;

/// The pilot.
#[derive(Default)]
pub(in crate::wire) struct NBoard {
    name: Option<String>,
    greeted: bool,
    asked: bool,
    /// The number of the last ping; what was said before its pong is about another position.
    ping: u32,
    ponged: bool,
}

impl NBoard {
    fn synchronise(&mut self, send: &mut dyn FnMut(String)) {
        self.ping += 1;
        self.ponged = false;
        send(format!("ping {}", self.ping));
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
        if let Some(depth) = limits.depth {
            send(format!("set depth {depth}"));
        }
        self.synchronise(send);
        self.asked = true;
        send("go".to_string());
    }

    fn hear(&mut self, line: &str, _: &mut dyn FnMut(String)) -> Heard {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("set myname ") {
            self.name = Some(name.trim().to_string());
        } else if line.strip_prefix("pong ").is_some_and(|n| n.trim().parse() == Ok(self.ping)) {
            self.ponged = true;
            if !std::mem::replace(&mut self.greeted, true) {
                return Heard::Ready;
            }
        } else if let Some(answer) = line.strip_prefix("===")
            && self.ponged
            && std::mem::take(&mut self.asked)
        {
            let text = answer.trim().split(['/', ' ']).next().unwrap_or_default();
            if text.is_empty() {
                return Heard::Wrong("The engine said \"===\" without a move.".to_string());
            }
            return Heard::Says(Act::Move(text.to_string()));
        }
        Heard::Nothing
    }

    fn over(&mut self, _: Option<bool>, _: &mut dyn FnMut(String)) {
        self.asked = false;
    }

    fn part(&mut self, send: &mut dyn FnMut(String)) {
        send("quit".to_string());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}
