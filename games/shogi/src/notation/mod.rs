//! Texts of shogi: SFEN, USI, names of moves, and the record formats.

mod csa;
mod diagram;
mod encoding;
mod endings;
mod headers;
mod heads;
mod japanese;
mod jkf;
mod kif;
pub mod names;
mod stream;
mod text;
mod tracker;
mod tree;
mod usen;
mod usi;

use crate::moves::{Move, PieceKind, Square};
use crate::position::Position;
use crate::rules::Shogi;
use crate::sfen::{START_SFEN, Setup, SfenError};
use crate::view;
use kiban_core::{Format, Line, Notation, Outcome, ReadError, Scene, Seen, Taps};

/// The record formats.
pub const FORMATS: &[Format] =
    &[kif::FORMAT, kif::KI2, kif::BOD, csa::FORMAT, jkf::FORMAT, usi::FORMAT, usen::FORMAT];

/// The tap that asks for promotion.
const PROMOTE: &str = "promote";
/// The tap that declines it.
const KEEP: &str = "keep";

/// The same error in the words of every game.
pub fn read_error(e: &SfenError) -> ReadError {
    let error = ReadError::new("bad-position", e.message.clone());
    let error = error.field(e.field.to_string()).column(e.column);
    match e.found {
        Some(found) => ReadError { found: Some(found.to_string()), ..error },
        None => error,
    }
}

/// A tap's square.
fn square(tap: &str) -> Option<Square> {
    let m = Move::from_usi(&format!("P*{tap}")).ok()?;
    Some(m.to())
}

/// Whether the same piece could go to the same square promoted and unpromoted.
fn asks_promotion(p: &Position, m: Move) -> bool {
    let Some(piece) = m.from().and_then(|from| p.piece_at(from)) else { return false };
    let from = m.from().unwrap_or(m.to());
    piece.kind().may_promote(from, m.to(), piece.color())
        && !piece.kind().is_dead_on(m.to(), piece.color())
}

impl Notation for Shogi {
    fn read_setup(self, text: &str) -> Result<Setup, ReadError> {
        let text = if text.trim().is_empty() { START_SFEN } else { text };
        Setup::from_sfen(text).map_err(|e| read_error(&e))
    }

    fn faults(self, setup: &Setup) -> Vec<String> {
        setup.faults().iter().map(ToString::to_string).collect()
    }

    fn write_setup(self, setup: &Setup) -> String {
        setup.to_sfen()
    }

    fn write_position(self, k: &Line<Shogi>) -> String {
        k.position().to_sfen()
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        Move::from_usi(text).map_err(|e| ReadError::new("bad-move", e.to_string()))
    }

    fn write_move(self, m: Move) -> String {
        m.to_usi()
    }

    fn taps(self, k: &Line<Shogi>, m: Move) -> Taps {
        if let Some(kind) = m.dropped() {
            return vec![format!("hand:{}", kind.letter()), m.to().to_string()];
        }
        let mut taps = view::taps_on_board(m);
        if m.promotes() {
            taps.push(PROMOTE.to_string());
        } else if asks_promotion(k.position(), m) {
            taps.push(KEEP.to_string());
        }
        taps
    }

    fn read_taps(self, k: &Line<Shogi>, taps: &[String]) -> Result<Move, ReadError> {
        let bad = || {
            let message = "Tap a piece and then where it goes; then promote or keep if asked.";
            ReadError::new("bad-taps", message)
        };
        let (from, to, option) = match taps {
            [from, to] => (from, to, None),
            [from, to, option] if option == PROMOTE || option == KEEP => (from, to, Some(option)),
            _ => return Err(bad()),
        };
        let to = square(to).ok_or_else(bad)?;
        if let Some(letter) = from.strip_prefix("hand:") {
            let kind = letter.parse::<char>().ok().and_then(PieceKind::from_letter);
            return kind.and_then(|kind| Move::drop(kind, to)).ok_or_else(bad);
        }
        let from = square(from).ok_or_else(bad)?;
        // A piece that must promote does so without being asked.
        let must = k.position().piece_at(from).is_some_and(|piece| {
            option.is_none()
                && piece.kind().is_dead_on(to, piece.color())
                && piece.kind().may_promote(from, to, piece.color())
        });
        Ok(Move::board(from, to, must || option.is_some_and(|o| o == PROMOTE)))
    }

    fn seen(self, k: &Line<Shogi>) -> Vec<Seen> {
        let steps = k.steps();
        let mut seen = Vec::with_capacity(steps.len());
        for (i, (step, before)) in steps.iter().zip(k.positions()).enumerate() {
            let last = i.checked_sub(1).map(|j| steps[j].m.to());
            let taken = before.piece_at(step.m.to()).map(|_| step.m.to().to_string());
            seen.push(Seen {
                by: step.by.into(),
                text: step.m.to_usi(),
                native: names::japanese(before, step.m, last),
                western: names::western(before, step.m),
                taps: view::taps_on_board(step.m),
                fell: taken.into_iter().collect(),
                ..Seen::default()
            });
        }
        seen
    }

    fn scene(self, k: &Line<Shogi>) -> Scene {
        view::scene(k)
    }

    fn text(self, k: &Line<Shogi>) -> String {
        view::text(k)
    }

    fn in_check(self, k: &Line<Shogi>) -> Option<bool> {
        Some(k.position().in_check())
    }

    fn score(self, line: &Line<Shogi>, ending: Option<Outcome>) -> Option<(i64, i64)> {
        // Points decide only an impasse.
        let by_points = matches!(ending?.reason().0, "impasse" | "failed-declaration");
        let missing = line.rules().missing(line);
        let points = |side: crate::moves::Color| {
            i64::from(crate::impasse::tally(line.position(), side, missing[side.index()]).points)
        };
        by_points.then(|| (points(crate::moves::Color::Sente), points(crate::moves::Color::Gote)))
    }
}
