//! Texts of positions, moves and taps; the record format.

mod position;

use crate::{GAME, Jungle, Move, Position, ui};
use kiban_core::{Format, Line, Notation, ReadError, Scene, Seat, Seen, Taps};
use kiban_pgn::Dialect;
pub(crate) use position::{read as read_position, write as write_position};

const DIALECT: Dialect = Dialect::new(&GAME);

/// Records like those of chess.
pub(crate) const FORMAT: Format = Format {
    id: "pgn",
    extensions: &["pgn"],
    sniff: |bytes| DIALECT.sniff(bytes),
    read: Some(|source| DIALECT.read(source)),
    stream: Some(|source, sink| DIALECT.stream(source, sink)),
    write: Some(|records| DIALECT.write(records)),
    ..Format::NONE
};

impl Notation for Jungle {
    fn read_setup(self, text: &str) -> Result<Position, ReadError> {
        let text = if text.trim().is_empty() { crate::options::START } else { text };
        position::read(text)
    }

    fn faults(self, setup: &Position) -> Vec<String> {
        setup.faults()
    }

    fn write_setup(self, setup: &Position) -> String {
        position::write(setup)
    }

    fn write_position(self, k: &Line<Jungle>) -> String {
        position::write(k.position())
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        Move::read(text)
    }

    fn write_move(self, m: Move) -> String {
        m.to_string()
    }

    fn taps(self, _: &Line<Jungle>, m: Move) -> Taps {
        vec![m.from.to_string(), m.to.to_string()]
    }

    fn read_taps(self, _: &Line<Jungle>, taps: &[String]) -> Result<Move, ReadError> {
        let [from, to] = taps else {
            let message = format!(
                "A move is two taps, not {}; tap an animal, then where it goes.",
                taps.len()
            );
            return Err(ReadError::new("bad-taps", message));
        };
        Move::read(&format!("{from}{to}"))
    }

    fn seen(self, k: &Line<Jungle>) -> Vec<Seen> {
        let steps = k.steps().iter().zip(k.positions().windows(2));
        let seen = |(step, around): (&kiban_core::Step<Move>, &[Position])| {
            let (text, taps) = (step.m.to_string(), self.taps(k, step.m));
            let (before, after) = (&around[0], &around[1]);
            // A place whose animal of before is not the one that stands on the other after.
            let taken = before.at(step.m.to).map(|_| step.m.to);
            let vanished = after.at(step.m.to).is_none().then_some(step.m.from);
            let fell = taken.into_iter().chain(vanished).map(|s| s.to_string()).collect();
            Seen {
                by: step.by.into(),
                native: named(before, step.m, ui::character),
                western: named(before, step.m, |animal, _| animal.letter()),
                text,
                taps,
                fell,
                ..Seen::default()
            }
        };
        steps.map(seen).collect()
    }

    fn scene(self, k: &Line<Jungle>) -> Scene {
        ui::scene(self, k)
    }

    fn text(self, k: &Line<Jungle>) -> String {
        ui::text(self, k)
    }
}

/// A move with its animal's sign before it and a cross where it takes: `Lb3xb7`.
fn named(p: &Position, m: Move, sign: impl Fn(crate::Animal, Seat) -> char) -> String {
    let animal = p.at(m.from).map(|(seat, animal)| sign(animal, seat));
    let takes = if p.at(m.to).is_some() { "x" } else { "-" };
    format!("{}{}{takes}{}", animal.map(String::from).unwrap_or_default(), m.from, m.to)
}
