//! `kiban show`: the board in the terminal.

use crate::error::Failure;
use crate::output::{self, Head};
use crate::position::{PositionArgs, Reached};
use crate::registry::{self, examples};
use kiban_core::{Outcome, Stage, Viewer};
use kiban_words::Words;
use serde::Serialize;

/// Shows the board
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "show {game}",
    "show {game} --position \"{start}\"",
    "show {game} --record game.txt --ply 20 --json",
]))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Who is looking: first, second, third, fourth, watcher or referee
    #[arg(long, value_name = "V", default_value = "referee")]
    viewer: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    position: String,
    viewer: &'static str,
    stage: Stage,
    view: serde_json::Value,
    seen: Vec<String>,
    outcome: Option<Outcome>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let reached = args.position.reach()?;
    let arbiter = reached.arbiter.as_ref();
    let seats = reached.spec.variant_spec(&reached.variant).seats;
    let viewer = registry::viewer(&args.viewer, seats)?;
    if !args.json {
        return output::text(&text(&reached, viewer));
    }
    output::json(&Document {
        head: Head::new("show", Some(reached.spec.id), Some(arbiter.variant())),
        position: arbiter.position(viewer),
        viewer: viewer.name(),
        stage: arbiter.stage(),
        view: arbiter.view(viewer),
        seen: arbiter.seen(viewer).into_iter().map(|s| s.text).collect(),
        outcome: arbiter.ending().and_then(|e| e.outcome),
    })
}

fn text(reached: &Reached, viewer: Viewer) -> String {
    let words = registry::words_of(reached.spec, &reached.variant);
    let arbiter = reached.arbiter.as_ref();
    let mut text = arbiter.text(viewer).trim_end().to_string();
    text.push('\n');
    if let Some(last) = arbiter.seen(viewer).last() {
        text.push_str(&format!("Last move: {}\n", move_text(last)));
    }
    match (reached.to_move(), arbiter.ending().and_then(|e| e.outcome)) {
        (_, Some(outcome)) => text.push_str(&outcome_text(&words, outcome)),
        // The board's own text has said who is to move.
        (Some(seat), None) if arbiter.in_check(viewer) == Some(true) => {
            text.push_str(&format!("{} is in check.", seat_name(&words, seat)));
        }
        (_, None) => {}
    }
    text
}

/// A move in canonical text, with the home country's if that says it differently.
pub(crate) fn move_text(seen: &kiban_core::Seen) -> String {
    if seen.native == seen.text || seen.native.is_empty() {
        seen.text.clone()
    } else {
        format!("{} {}", seen.text, seen.native)
    }
}

/// A seat's name in its game.
pub(crate) fn seat_name(words: &Words, seat: kiban_core::Seat) -> String {
    words.get(&format!("seat-{seat}"))
}

/// An outcome in one sentence.
pub(crate) fn outcome_text(words: &Words, outcome: Outcome) -> String {
    let reason = words.reason(outcome.reason().0);
    let (winners, team) = winners_text(words, outcome);
    let key = match outcome {
        Outcome::Win { .. } if team => "outcome-win-team",
        Outcome::Win { .. } => "outcome-win",
        Outcome::Draw { .. } => "outcome-draw",
        Outcome::Replay { .. } => "outcome-replay",
    };
    words.text(key, &[("winner", &winners), ("reason", &reason)])
}

/// Who won, and whether these are several.
pub(crate) fn winners_text(words: &Words, outcome: Outcome) -> (String, bool) {
    let names: Vec<_> = outcome.winners().iter().map(|s| seat_name(words, s)).collect();
    match names.as_slice() {
        [one, other] => (words.text("outcome-team", &[("one", one), ("other", other)]), true),
        names => (names.join(", "), false),
    }
}
