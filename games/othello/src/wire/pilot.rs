//! Kiban as an NBoard engine's user.

use crate::notation::ggf;
use kiban_core::{Act, Arbiter, Heard, Limits, Pilot, ReadError, Seat, Viewer};

/// The pilot.
#[derive(Default)]
pub(super) struct NBoard {
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

    fn game(game: &dyn Arbiter) -> Result<String, ReadError> {
        let write = ggf::FORMAT.write.expect("the format can be written");
        let bytes = write(&[game.record(Viewer::Referee)])?;
        Ok(String::from_utf8_lossy(&bytes).replace(['\r', '\n'], " "))
    }
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
        NBoard::game(game).map(|_| ())
    }

    fn ask(&mut self, game: &dyn Arbiter, _: Seat, limits: &Limits, send: &mut dyn FnMut(String)) {
        if let Ok(game) = NBoard::game(game) {
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
