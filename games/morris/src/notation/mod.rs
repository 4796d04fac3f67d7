//! Texts of positions, moves and taps; record formats.

mod position;
mod text;

pub use position::Setup;
pub use text::{joined, tokens};

use crate::{GAME, Morris, Move, Position, ui};
use kiban_core::{Format, Line, Notation, ReadError, Reason, Scene, Seen, Taps};
use kiban_pgn::Dialect;

/// Removals may be words of their own, `d6 xb4`.
const DIALECT: Dialect = Dialect {
    sides: ["White", "Black"],
    bare: true,
    joins: |word| word.starts_with(['x', 'X']),
    ..Dialect::new(&GAME)
};

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

impl Notation for Morris {
    fn read_setup(self, text: &str) -> Result<Setup, ReadError> {
        if text.trim().is_empty() {
            return Ok(Position::start(self.men).into());
        }
        self.read(text)
    }

    fn faults(self, setup: &Setup) -> Vec<String> {
        self.faults_of(setup)
    }

    fn write_setup(self, setup: &Setup) -> String {
        self.write(&setup.position)
    }

    fn write_position(self, k: &Line<Morris>) -> String {
        self.write(k.position())
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        self.move_of(text)
    }

    fn write_move(self, m: Move) -> String {
        self.move_text(m)
    }

    fn taps(self, _: &Line<Morris>, m: Move) -> Taps {
        if m == Move::PASS {
            return vec![self.move_text(m)];
        }
        let points = m.from.into_iter().chain(m.to).chain(m.taken());
        points.map(|point| self.grid().name(point)).collect()
    }

    /// A path that begins on a man of one's own slides it; any other places one.
    fn read_taps(self, k: &Line<Morris>, taps: &[String]) -> Result<Move, ReadError> {
        if let [tap] = taps
            && tap == text::PASS
        {
            return Ok(Move::PASS);
        }
        let mut points = Vec::with_capacity(4);
        for tap in taps {
            points.push(self.grid().find(tap).ok_or_else(|| {
                let tap: String = tap.chars().take(20).collect();
                ReadError::new("bad-taps", format!("\"{tap}\" is no point of this board."))
            })?);
        }
        let p = k.position();
        let (from, to, takes) = match points.as_slice() {
            [from, to, takes @ ..] if p.at(*from) == Some(p.to_move) => (Some(*from), *to, takes),
            [to, takes @ ..] => (None, *to, takes),
            [] => return Err(ReadError::new("bad-taps", "A move has a tap at least.")),
        };
        self.taking(Move::quiet(from, to), takes)
            .ok_or_else(|| ReadError::new("bad-taps", "A move takes two different men at most."))
    }

    fn seen(self, k: &Line<Morris>) -> Vec<Seen> {
        let seen = |step: &kiban_core::Step<Move>| {
            let text = self.move_text(step.m);
            let taps = if step.m == Move::PASS { Taps::new() } else { self.taps(k, step.m) };
            let fell = step.m.taken().map(|point| self.grid().name(point)).collect();
            let (native, western) = (text.clone(), text.clone());
            Seen { by: step.by.into(), native, western, text, taps, fell, ..Seen::default() }
        };
        k.steps().iter().map(seen).collect()
    }

    fn scene(self, k: &Line<Morris>) -> Scene {
        ui::scene(self, k)
    }

    fn text(self, k: &Line<Morris>) -> String {
        ui::text(self, k.position(), k.outcome().is_none())
    }
}

/// The reasons of this game, for its registry entry.
pub(crate) const REASONS: &[Reason] = &[
    crate::rules::FEWER_THAN_THREE,
    crate::rules::BLOCKED,
    crate::rules::REPETITION,
    crate::rules::NO_REMOVAL,
    crate::rules::ILLEGAL_NO_MAN,
    crate::rules::ILLEGAL_OCCUPIED,
    crate::rules::ILLEGAL_NOT_ADJACENT,
    crate::rules::ILLEGAL_REMOVAL,
];
