//! The position a command is about: from a text, from moves, or from a record.

use crate::error::Failure;
use crate::{files, records, registry};
use kiban_core::{
    Act, Arbiter, Conduct, Entry, GameSpec, Opening, ReadError, Record, Refusal, Seat, Stage,
    Variant, plies, to_move,
};
use std::path::PathBuf;

/// The arguments that say which position is meant.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// The game's id, as "kiban games" lists it
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// A position's text, or the id of a set-up; the variant's start if not given
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Moves from there, separated by spaces
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// A game record; "-" is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    pub(crate) record: Option<PathBuf>,
    /// Stop in the record after this many plies, passes included
    #[arg(long, value_name = "N", requires = "record")]
    pub(crate) ply: Option<usize>,
    /// Which record of a file that holds several, from 1
    #[arg(long, value_name = "N", requires = "record", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) index: u64,
    /// A variant and its options: name,key=value,...
    #[arg(long, value_name = "V")]
    pub(crate) variant: Option<String>,
    /// For a start that is drawn
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// A game brought to the position that was asked for.
pub(crate) struct Reached {
    /// The game.
    pub(crate) spec: &'static GameSpec,
    /// The variant as it was asked for.
    pub(crate) variant: Variant,
    /// The game, with its history.
    pub(crate) arbiter: Box<dyn Arbiter>,
}

impl Reached {
    /// The seat whose turn it is.
    pub(crate) fn to_move(&self) -> Option<Seat> {
        to_move(self.arbiter.as_ref())
    }

    /// The same game before plies that are played without asking (Othello's pass).
    pub(crate) fn before_forced(mut self) -> Reached {
        if let Some(before) = self.arbiter.before_forced() {
            self.arbiter = before;
        }
        self
    }
}

impl PositionArgs {
    /// The game, the variant and the line these arguments say.
    pub(crate) fn reach(&self) -> Result<Reached, Failure> {
        let spec = registry::game(&self.game)?;
        match &self.record {
            Some(_) => self.reach_in(&self.read_record(spec)?, spec),
            None => self.reach_from(spec, self.position.as_deref()),
        }
    }

    /// The record these arguments name, which is of this game.
    pub(crate) fn read_record(&self, spec: &'static GameSpec) -> Result<Record, Failure> {
        let path = self.record.as_ref().expect("only asked where a record is named");
        let bytes = files::read(path)?;
        let wanted =
            records::Wanted { game: Some(spec), format: None, variant: self.variant.as_deref() };
        let (_, mut found) = records::read(&bytes, path, wanted)?;
        let index = usize::try_from(self.index).unwrap_or(usize::MAX);
        if index > found.len() {
            let message = format!(
                "{} holds {}; --index {} is none of them.",
                path.display(),
                records::count(found.len()),
                self.index
            );
            return Err(Failure::no_answer("no-such-record", message));
        }
        Ok(found.swap_remove(index - 1))
    }

    /// Replays a record as far as `--ply` says.
    fn reach_in(&self, record: &Record, spec: &'static GameSpec) -> Result<Reached, Failure> {
        let mut reached = open_record(record, spec)?;
        let (arbiter, mut told) = (&mut reached.arbiter, 0);
        let wanted = self.ply.unwrap_or(usize::MAX);
        for node in record.main_line() {
            let Some(entry) = &node.entry else { continue };
            if plies(arbiter.as_ref()).len() >= wanted || arbiter.stage() == Stage::Over {
                break;
            }
            put_recorded(arbiter.as_mut(), entry, &mut told).map_err(|refusal| {
                let ply = plies(arbiter.as_ref()).len() + 1;
                let (line, column) = node.at.unwrap_or((1, 1));
                let error = refused(&refusal, spec, ply, text_of(entry));
                Failure::NoAnswer(error.line(line).column(column))
            })?;
        }
        let reached_plies = plies(arbiter.as_ref()).len();
        if let Some(ply) = self.ply.filter(|ply| *ply > reached_plies) {
            let message =
                format!("The record has {reached_plies} plies; --ply {ply} is beyond its end.");
            return Err(Failure::no_answer("beyond-end", message));
        }
        Ok(reached)
    }

    fn reach_from(&self, spec: &'static GameSpec, start: Option<&str>) -> Result<Reached, Failure> {
        let variant = spec.variant(self.variant.as_deref().unwrap_or(""))?;
        let opening = Opening {
            variant: variant.clone(),
            start: start.map(str::to_string),
            conduct: Conduct::Guided,
            seed: self.seed,
        };
        let mut arbiter = (spec.open)(&opening)?;
        let (moves, mut told) = (self.moves.as_deref().unwrap_or(""), 0);
        for (i, text) in moves.split_whitespace().enumerate() {
            put_said(arbiter.as_mut(), text, &mut told).map_err(|refusal| {
                let before = moves[..text.as_ptr().addr() - moves.as_ptr().addr()].chars().count();
                let error = refused(&refusal, spec, i + 1, text).field("moves");
                Failure::NoAnswer(error.column(before + 1))
            })?;
        }
        Ok(Reached { spec, variant, arbiter })
    }
}

/// Opens the game a record tells of, before its first entry.
pub(crate) fn open_record(record: &Record, spec: &'static GameSpec) -> Result<Reached, Failure> {
    let variant = spec.variant(&record.variant)?;
    let opening = Opening {
        variant: variant.clone(),
        start: (!record.start.is_empty()).then(|| record.start.clone()),
        conduct: Conduct::Archive,
        seed: None,
    };
    Ok(Reached { spec, variant, arbiter: (spec.open)(&opening)? })
}

/// Puts an entry of a record; one without an author is of the seat whose turn it is. `told` counts
/// the entries of the log that were told so far.
pub(crate) fn put_recorded(
    arbiter: &mut dyn Arbiter,
    entry: &Entry,
    told: &mut usize,
) -> Result<(), Refusal> {
    let mut entry = entry.clone();
    if entry.by.is_empty() && matches!(entry.act, Act::Move(_) | Act::Call(_)) {
        if let Act::Move(text) = &entry.act
            && echoes(arbiter, text, told)
        {
            return Ok(());
        }
        entry.by = arbiter.waiting_for();
    }
    put(arbiter, &entry, told)
}

/// Puts a move of the seat whose turn it is. A pass that was played without asking may be said.
fn put_said(arbiter: &mut dyn Arbiter, text: &str, told: &mut usize) -> Result<(), Refusal> {
    if echoes(arbiter, text, told) {
        return Ok(());
    }
    match to_move(arbiter) {
        Some(seat) => put(arbiter, &Entry::new_move(seat, text), told),
        None if arbiter.stage() == Stage::Over => Err(Refusal::Over),
        None => Err(Refusal::WrongStage),
    }
}

fn put(arbiter: &mut dyn Arbiter, entry: &Entry, told: &mut usize) -> Result<(), Refusal> {
    let before = arbiter.log().len();
    arbiter.put(entry)?;
    // What the log gained beyond this entry was played without asking and may still be told.
    *told = before + 1;
    Ok(())
}

/// Whether this move was played without asking and is told now: each is told at most once.
fn echoes(arbiter: &dyn Arbiter, text: &str, told: &mut usize) -> bool {
    let next = arbiter.log().get(*told);
    let echo = next.is_some_and(|e| matches!(&e.act, Act::Move(t) if t == text));
    *told += usize::from(echo);
    echo
}

fn text_of(entry: &Entry) -> &str {
    match &entry.act {
        Act::Move(text) | Act::Layout(text) | Act::Deal(text) => text,
        Act::Call(call) => call.slug(),
    }
}

/// Why a move was not taken, with its ply and the rule it breaks.
fn refused(refusal: &Refusal, spec: &GameSpec, ply: usize, text: &str) -> ReadError {
    match refusal {
        Refusal::Illegal(reason) => {
            let rule = registry::words(spec).reason(reason.0);
            ReadError::new(reason.0, format!("Ply {ply}, {text}, is not allowed: {rule}."))
        }
        Refusal::Unreadable(e) => {
            let mut error = e.clone();
            error.message = format!("Ply {ply}, {text}: {}", e.message);
            error
        }
        other => ReadError::new(other.slug(), format!("Ply {ply}, {text}: {other}")),
    }
}
