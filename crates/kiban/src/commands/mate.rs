//! `kiban mate`: whether there is a forced mate.

use super::bench::without;
use crate::engine::{seconds, stopped_by_ctrl_c};
use crate::error::Failure;
use crate::output::{self, Head};
use crate::position::PositionArgs;
use crate::registry::examples;
use crate::stopwatch::Stopwatch;
use kiban_core::{GameSpec, Limits, Mate, Proved, SolveMate, Viewer};
use serde::Serialize;
use std::time::Duration;

/// Looks for a forced mate by the side to move
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "mate {mate} --position \"{start}\"",
    "mate {mate} --record problem.txt --time 60 --json",
]))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Seconds at most; it looks until it knows if nothing limits it
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Nodes at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The longest mate to look for, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Threads
    #[arg(long, value_name = "T", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
    /// Memory for the search in MiB
    #[arg(long, value_name = "MIB")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: Option<u32>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    position: String,
    mate: Option<bool>,
    plies: Option<u32>,
    moves: Vec<String>,
    proved: Proved,
    nodes: u64,
    seconds: f64,
    cpu_seconds: Option<f64>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let reached = args.position.reach()?;
    let solve = solver(reached.spec)?;
    let position = reached.arbiter.position(Viewer::Referee);
    let limits = Limits {
        time: args.time,
        nodes: args.nodes,
        depth: args.depth,
        threads: args.threads,
        hash: args.hash,
        stop: stopped_by_ctrl_c(),
        ..Limits::default()
    };
    let watch = Stopwatch::start();
    let Mate { mate, plies, moves, proved, nodes } = solve(&position, &limits)?;
    let document = Document {
        head: Head::new("mate", Some(reached.spec.id), Some(reached.arbiter.variant())),
        position,
        mate,
        plies,
        moves,
        proved,
        nodes,
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
    };
    if args.json { output::json(&document) } else { output::text(&text(&document)) }
}

/// A game's mate solver.
pub(crate) fn solver(spec: &'static GameSpec) -> Result<SolveMate, Failure> {
    spec.mate.ok_or_else(|| {
        let having = kiban_games::all().filter(|g| g.mate.is_some()).map(|g| g.id);
        let message = without(spec, "mate solver", having.collect());
        Failure::no_answer("no-mates", message)
    })
}

fn text(d: &Document) -> String {
    let spent = format!("{}, {:.2} s", output::counted(d.nodes, "node", "nodes"), d.seconds);
    match (d.mate, d.plies) {
        (Some(true), Some(plies)) => {
            let sure = match d.proved {
                Proved::Shortest => "the shortest",
                _ => "perhaps not the shortest",
            };
            let plies = output::counted(plies.into(), "ply", "plies");
            format!("Mate in {plies}, {sure} ({spent}):\n{}", d.moves.join(" "))
        }
        (Some(true), None) => format!("Mate ({spent}):\n{}", d.moves.join(" ")),
        (Some(false), _) => format!("There is no mate ({spent})."),
        (None, _) => format!("Not known within the limits ({spent}); give more --time or --hash."),
    }
}
