//! Texts of positions, moves and taps; record formats.

pub(crate) mod ggf;
pub(crate) mod obf;
mod properties;
mod results;
pub(crate) mod sgf;
pub(crate) mod transcript;
pub(crate) mod wthor;

use crate::rules::{bits, counts, last_move};
use crate::{Move, Othello, Position, ui};
use kiban_core::{
    Line, Notation, Outcome, ReadError, Reason, Rules, Scene, Seat, Seen, Source, Taps,
};

impl Notation for Othello {
    fn read_setup(self, text: &str) -> Result<Position, ReadError> {
        if text.trim().is_empty() {
            return Ok(Position::start(self.options));
        }
        Position::read(text, self.options)
    }

    fn faults(self, _: &Position) -> Vec<String> {
        // Every arrangement of discs can be looked at and played on from.
        Vec::new()
    }

    fn write_setup(self, setup: &Position) -> String {
        setup.write()
    }

    fn write_position(self, k: &Line<Othello>) -> String {
        k.position().write()
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        Move::read(text)
    }

    fn write_move(self, m: Move) -> String {
        m.text()
    }

    fn taps(self, _: &Line<Othello>, m: Move) -> Taps {
        vec![m.to_string()]
    }

    fn read_taps(self, _: &Line<Othello>, taps: &[String]) -> Result<Move, ReadError> {
        let [tap] = taps else {
            let message = format!("A move is one tap, not {}; tap a square.", taps.len());
            return Err(ReadError::new("bad-taps", message));
        };
        Move::read(tap)
    }

    fn seen(self, k: &Line<Othello>) -> Vec<Seen> {
        let seen = |step: &kiban_core::Step<Move>| {
            let text = step.m.to_string();
            let taps = if step.m == Move::PASS { Vec::new() } else { vec![text.clone()] };
            let (native, western) = (text.clone(), text.clone());
            Seen { by: step.by.into(), native, western, text, taps, ..Seen::default() }
        };
        k.steps().iter().map(seen).collect()
    }

    fn scene(self, k: &Line<Othello>) -> Scene {
        let p = k.position();
        let pieces = Seat::ALL[..2].iter().flat_map(|seat| {
            bits(p.discs(*seat)).map(|i| ui::piece(*seat, p.move_to(i).to_string()))
        });
        let count = |seat| p.count(seat).to_string();
        Scene {
            pieces: pieces.collect(),
            last: last_move(k).map(|last| last.at).into_iter().collect(),
            facts: vec![
                ("othello-discs-black".to_string(), count(Seat::FIRST)),
                ("othello-discs-white".to_string(), count(Seat::SECOND)),
            ],
            ..Scene::default()
        }
    }

    fn text(self, k: &Line<Othello>) -> String {
        ui::text(k.position(), k.outcome().is_none())
    }

    fn score(self, line: &Line<Othello>, ending: Option<Outcome>) -> Option<(i64, i64)> {
        let p = line.position();
        Some(match ending {
            None => counts(p),
            Some(outcome) if self.ended(p) == Some(outcome) => self.final_score(p),
            Some(outcome) => self.called_score(outcome),
        })
    }
}

/// Larger files are refused unread, so that memory and time stay bounded.
const MAX_BYTES: usize = 64 << 20;
/// The byte order mark some editors put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes of a file of acceptable size, without the mark some editors put before a text.
pub(crate) fn text_of<'a>(source: &Source<'a>) -> Result<&'a [u8], ReadError> {
    if source.bytes.len() > MAX_BYTES {
        let message = "The file is larger than 64 MiB; split it.";
        return Err(ReadError::new("too-long", message).line(1).column(1));
    }
    Ok(source.bytes.strip_prefix(MARK).unwrap_or(source.bytes))
}

/// The lines of a text with their numbers, whatever ends them. A mark in the middle of a text begins
/// another file that was joined to it: it ends what may be the last line of the one before without
/// an end of its own, and is no line's content.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
    let lines = text.split(move |b| *b == end).enumerate();
    lines.flat_map(|(i, line)| parts(line).map(move |part| (i + 1, part)))
}

/// What stands between the marks in a line.
fn parts(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line.strip_prefix(MARK).unwrap_or(line));
    std::iter::from_fn(move || {
        let whole = rest?;
        let begins = |at: &usize| whole[*at] == MARK[0] && whole[*at..].starts_with(MARK);
        let mark = (0..whole.len()).find(begins);
        rest = mark.map(|at| &whole[at + MARK.len()..]);
        Some(&whole[..mark.unwrap_or(whole.len())])
    })
}

/// The reasons of this game, for its registry entry.
pub(crate) const REASONS: &[Reason] = &[
    crate::rules::MORE_DISCS,
    crate::rules::FEWER_DISCS,
    crate::rules::EQUAL_DISCS,
    crate::rules::ILLEGAL_OCCUPIED,
    crate::rules::ILLEGAL_NO_FLIP,
    crate::rules::ILLEGAL_PASS,
];
