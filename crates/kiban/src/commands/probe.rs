//! `kiban probe`: the exact value of a position and of each move.

use crate::engine::{seconds, stopped_by_ctrl_c};
use crate::error::Failure;
use crate::machine;
use crate::output::grouped;
use crate::output::{self, Head};
use crate::position::PositionArgs;
use crate::registry::{self, help};
use crate::score::worth;
use crate::stopwatch::Stopwatch;
use kiban_core::{Conduct, Limits, Opening, Probed, ProbedMove, Seat, Value, Viewer};
use serde::Serialize;
use std::time::Duration;

/// What the exit statuses mean.
const STATUSES: &str = "0 if the value is told, whatever it is; 1 if it is not known (too large for \
                        the memory allowed, stopped, no table built) or the position is bad; 2 for \
                        wrong usage.";

/// Tells the exact value of a position and of each move
#[derive(clap::Args)]
#[command(after_help = help(&[
    "probe {probe} --position {setup}",
    "probe {probe} --position {setup} --hash 8192 --json",
], STATUSES))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Memory for the solver in MiB
    #[arg(long, value_name = "MIB")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: Option<u32>,
    /// Seconds at most; it works until it knows if nothing limits it
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Threads
    #[arg(long, value_name = "T", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
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
    value: Value,
    distance: Option<u32>,
    source: &'static str,
    history: &'static str,
    moves: Vec<Row>,
    positions: Option<u64>,
    seconds: f64,
    cpu_seconds: Option<f64>,
    peak_bytes: u64,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    r#move: String,
    value: Value,
    distance: Option<u32>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let reached = args.position.reach()?;
    let spec = reached.spec;
    let Some(probe) = spec.probe else {
        let having = kiban_games::all().filter(|g| g.probe.is_some()).map(|g| g.id);
        let having = having.collect::<Vec<_>>().join(", ");
        let message =
            format!("{} has no exact values here; games that have them: {having}.", spec.names.en);
        return Err(Failure::no_answer("no-probe", message));
    };
    let opening = Opening {
        variant: reached.variant.clone(),
        start: Some(reached.arbiter.position(Viewer::Referee)),
        conduct: Conduct::Guided,
        seed: None,
    };
    let limits = Limits {
        hash: args.hash,
        time: args.time,
        threads: args.threads,
        tables: machine::tables_folder(),
        stop: stopped_by_ctrl_c(),
        ..Limits::default()
    };
    let watch = Stopwatch::start();
    let probed = probe(&opening, &limits).map_err(|e| Failure::NoAnswer(e.into_read_error()))?;
    let words = registry::words(spec);
    let notes: Vec<String> = probed.notes.iter().map(|key| words.get(key)).collect();
    if !args.json {
        return output::text(&text(&probed, &notes, watch.seconds()));
    }
    let row = |m: ProbedMove| Row { r#move: m.text, value: m.value, distance: m.distance };
    output::json(&Document {
        head: Head::new("probe", Some(spec.id), Some(reached.arbiter.variant())),
        position: probed.position,
        to_move: probed.to_move,
        value: probed.value,
        distance: probed.distance,
        source: probed.source,
        history: "ignored",
        moves: probed.moves.into_iter().map(row).collect(),
        positions: probed.positions,
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
        peak_bytes: probed.peak_bytes,
        notes,
    })
}

fn text(probed: &Probed, notes: &[String], seconds: f64) -> String {
    let mut text = format!("{}: {}\n", probed.position, worth(probed.value, probed.distance));
    for m in &probed.moves {
        text.push_str(&format!("  {:<10} {}\n", m.text, worth(m.value, m.distance)));
    }
    for note in notes {
        text.push_str(&format!("{note}\n"));
    }
    let solved = probed.positions.filter(|_| probed.source == "solver");
    if let Some(positions) = solved {
        let mib = probed.peak_bytes as f64 / f64::from(1 << 20);
        text.push_str(&format!("{} positions, {mib:.0} MiB, {seconds:.2} s\n", grouped(positions)));
    }
    text
}
