//! `kiban moves`: the legal moves.

use super::show::outcome_text;
use crate::error::Failure;
use crate::output::{self, Head};
use crate::position::PositionArgs;
use crate::registry::{self, examples};
use kiban_core::{Outcome, Seat, Viewer};
use serde::Serialize;

/// Lists the legal moves
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "moves {game}",
    "moves {game} --position {handicap} --json",
    "moves {game} --record game.txt --ply 20",
]))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    position: String,
    to_move: Option<Seat>,
    moves: Vec<String>,
    banned: Vec<Banned>,
    forced: Option<String>,
    in_check: Option<bool>,
    calls: Vec<&'static str>,
    outcome: Option<Outcome>,
}

#[derive(Serialize)]
struct Banned {
    r#move: String,
    reason: &'static str,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let reached = args.position.reach()?.before_forced();
    let arbiter = reached.arbiter.as_ref();
    let to_move = reached.to_move();
    let choices = to_move.map(|seat| arbiter.choices(seat)).unwrap_or_default();
    let mut moves: Vec<String> = choices.into_iter().map(|c| c.text).collect();
    moves.sort_unstable();
    let banned = arbiter.banned().into_iter();
    let mut banned: Vec<Banned> =
        banned.map(|(text, reason)| Banned { r#move: text, reason: reason.0 }).collect();
    banned.sort_unstable_by(|a, b| a.r#move.cmp(&b.r#move));
    if !args.json {
        let words = registry::words_of(reached.spec, &reached.variant);
        let mut text = moves.iter().map(|m| format!("{m}\n")).collect::<String>();
        for Banned { r#move, reason } in &banned {
            text.push_str(&format!("{move} is forbidden now: {}\n", words.reason(reason)));
        }
        if let Some(outcome) = arbiter.ending().and_then(|e| e.outcome) {
            text.push_str(&outcome_text(&words, outcome));
        }
        return if text.is_empty() { Ok(()) } else { output::text(&text) };
    }
    let calls = to_move.map(|seat| arbiter.calls(seat)).unwrap_or_default();
    output::json(&Document {
        head: Head::new("moves", Some(reached.spec.id), Some(arbiter.variant())),
        position: arbiter.position(Viewer::Referee),
        to_move,
        moves,
        banned,
        forced: arbiter.forced(),
        in_check: arbiter.in_check(Viewer::Referee),
        calls: calls.iter().map(|c| c.slug()).collect(),
        outcome: arbiter.ending().and_then(|e| e.outcome),
    })
}
