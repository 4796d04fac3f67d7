//! `kiban analyze`: what the engine thinks of a position, or of every ply of a record.

use super::show::{outcome_text, seat_name};
use crate::engine::{self, Found, SearchArgs};
use crate::error::Failure;
use crate::output::grouped;
use crate::output::{self, Head};
use crate::position::{PositionArgs, Reached};
use crate::registry::{self, examples};
use crate::score;
use crate::stopwatch::Stopwatch;
use kiban_core::{
    BestLine, JudgedPly, Limits, Outcome, Proof, Seat, Stage, Stop, Viewer, Workspace,
};
use serde::Serialize;
use std::time::Duration;

mod review;
mod table;

/// How long proofs are looked for.
const PROOF_TIME: Duration = Duration::from_secs(1);

/// Analyses a position, or every ply of a record
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "analyze {game} --time 5",
    "analyze {game} --position {handicap} --depth 8 --lines 3 --json",
    "analyze {game} --record game.txt --time 0.2",
    "analyze {game} --record game.txt --ply 20",
]))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// How many best lines
    #[arg(long, value_name = "K", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    lines: u8,
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
    best: Option<String>,
    call: Option<&'static str>,
    depth: u8,
    nodes: u64,
    threads: u8,
    seconds: f64,
    cpu_seconds: Option<f64>,
    lines: Vec<BestLine>,
    outcome: Option<Outcome>,
    proofs: Vec<Proof>,
    plies: Option<Vec<JudgedPly>>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let stop = engine::stopped_by_ctrl_c();
    if args.position.record.is_some() && args.position.ply.is_none() {
        return review::run(args, &stop);
    }
    let reached = args.position.reach()?;
    if reached.arbiter.stage() == Stage::Layout {
        let message = "The secret layouts are still owed; analysis begins after them.";
        return Err(Failure::no_answer("wrong-stage", message));
    }
    let watch = Stopwatch::start();
    let mut broken = None;
    let mut heard = |found: &Found| {
        if !args.json
            && broken.is_none()
            && let Err(failure) = output::text(&progress(found, &watch))
        {
            // Nobody reads on: there is nothing left to search for.
            stop.stop();
            broken = Some(failure);
        }
    };
    let limits = args.search.limits(args.lines, &stop);
    let arbiter = reached.arbiter.as_ref();
    let found = engine::search(arbiter, &mut Workspace::new(), &limits, &mut heard);
    if let Some(failure) = broken {
        return Err(failure);
    }
    let (seconds, cpu_seconds) = (watch.seconds(), watch.cpu_seconds());
    let proofs = proofs(&reached, &stop)?;
    let reached = reached.before_forced();
    if args.json {
        let document = document(args, &reached, found);
        return output::json(&Document { seconds, cpu_seconds, proofs, ..document });
    }
    for proof in &proofs {
        output::text(&told(&reached, proof))?;
    }
    output::text(&answer(&reached, found))
}

/// What can be proved of the position within a second, in games that have words for that.
fn proofs(reached: &Reached, stop: &Stop) -> Result<Vec<Proof>, Failure> {
    let find = reached.spec.proofs.filter(|_| reached.to_move().is_some() && !stop.stopped());
    let Some(find) = find else { return Ok(Vec::new()) };
    let limits = Limits { time: Some(PROOF_TIME), stop: stop.clone(), ..Limits::default() };
    Ok(find(&reached.arbiter.position(Viewer::Referee), &limits)?)
}

/// A proof in a sentence, with its moves.
fn told(reached: &Reached, proof: &Proof) -> String {
    let words = registry::words(reached.spec);
    let plies = proof.plies.map_or(String::new(), |n| n.to_string());
    let seat = seat_name(&words, proof.seat);
    let key = format!("{}-proof-{}", reached.spec.id, proof.what);
    let told = words.text(&key, &[("seat", &seat), ("plies", &plies)]);
    format!("{told} {}", proof.moves.join(" ")).trim_end().to_string()
}

fn document(args: &Args, reached: &Reached, found: Option<Found>) -> Document {
    let arbiter = reached.arbiter.as_ref();
    let (best, call, depth, nodes, lines) = found
        .map_or((None, None, 0, 0, Vec::new()), |f| (f.best, f.call, f.depth, f.nodes, f.lines));
    Document {
        head: Head::new("analyze", Some(reached.spec.id), Some(arbiter.variant())),
        position: arbiter.position(Viewer::Referee),
        to_move: reached.to_move(),
        best,
        call: call.map(|c| c.slug()),
        depth,
        nodes,
        threads: args.search.threads,
        seconds: 0.0,
        cpu_seconds: None,
        lines,
        outcome: arbiter.ending().and_then(|e| e.outcome),
        proofs: Vec::new(),
        plies: None,
    }
}

/// A line for each best line of a finished depth.
fn progress(found: &Found, watch: &Stopwatch) -> String {
    let seconds = watch.seconds();
    let row = |line: &BestLine| {
        let rank = if found.lines.len() > 1 { format!("{}.", line.rank) } else { String::new() };
        format!(
            "{:>3} {seconds:>8.2} s {:>14} {rank:>3} {:>9} {:>4.0} %  {}\n",
            line.depth,
            grouped(found.nodes),
            score::text(line.score),
            line.score.chance() * 100.0,
            line.moves.join(" ")
        )
    };
    found.lines.iter().map(row).collect()
}

/// The last line: what to do.
fn answer(reached: &Reached, found: Option<Found>) -> String {
    let words = registry::words(reached.spec);
    let ending = reached.arbiter.ending().and_then(|e| e.outcome);
    match (found, ending) {
        (_, Some(outcome)) => outcome_text(&words, outcome),
        (Some(Found { call: Some(call), .. }), _) => {
            format!("Best: {}.", words.get(&format!("call-{}", call.slug())).to_lowercase())
        }
        (Some(Found { best: Some(best), .. }), _) => format!("Best: {best}."),
        _ => "Nobody is to move.".to_string(),
    }
}
