//! `kiban perft`: counts move paths.

use crate::error::Failure;
use crate::output::{self, Head, grouped};
use crate::position::{PositionArgs, Reached};
use crate::registry::examples;
use crate::stopwatch::Stopwatch;
use kiban_core::{Conduct, Opening, PerftCount, Viewer};
use serde::Serialize;

/// Counts move paths to a depth
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "perft {game} --depth 5",
    "perft {game} --depth 4 --divide --threads 2 --json",
]))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// How many plies
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Also count below each move
    #[arg(long)]
    divide: bool,
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
    depth: u32,
    nodes: u64,
    leaf: &'static str,
    threads: u8,
    seconds: f64,
    cpu_seconds: Option<f64>,
    divide: Option<Vec<Below>>,
}

#[derive(Serialize)]
struct Below {
    r#move: String,
    nodes: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let reached = args.position.reach()?.before_forced();
    let opening = opening(&reached);
    if !args.json {
        return tell(args, &reached, &opening);
    }
    let watch = Stopwatch::start();
    let PerftCount { nodes, divide } =
        (reached.spec.perft)(&opening, args.depth, args.divide, args.threads)?;
    let (seconds, cpu_seconds) = (watch.seconds(), watch.cpu_seconds());
    output::json(&Document {
        head: Head::new("perft", Some(reached.spec.id), Some(reached.arbiter.variant())),
        position: reached.arbiter.position(Viewer::Referee),
        depth: args.depth,
        nodes,
        leaf: reached.spec.perft_leaf,
        threads: args.threads,
        seconds,
        cpu_seconds,
        divide: divide.map(sorted),
    })
}

/// The position alone, without its history.
fn opening(reached: &Reached) -> Opening {
    Opening {
        variant: reached.variant.clone(),
        start: Some(reached.arbiter.position(Viewer::Referee)),
        conduct: Conduct::Guided,
        seed: None,
    }
}

fn sorted(divide: Vec<(String, u64)>) -> Vec<Below> {
    let mut rows: Vec<_> =
        divide.into_iter().map(|(text, nodes)| Below { r#move: text, nodes }).collect();
    rows.sort_unstable_by(|a, b| a.r#move.cmp(&b.r#move));
    rows
}

/// A row for each depth up to the one asked for, as soon as it is counted.
fn tell(args: &Args, reached: &Reached, opening: &Opening) -> Result<(), Failure> {
    output::text(&format!("{:>5} {:>20} {:>10} {:>10}", "depth", "nodes", "seconds", "Mnodes/s"))?;
    for depth in 1.min(args.depth)..=args.depth {
        let watch = Stopwatch::start();
        let divide = args.divide && depth == args.depth;
        let count = (reached.spec.perft)(opening, depth, divide, args.threads)?;
        let seconds = watch.seconds();
        let speed = count.nodes as f64 / seconds.max(1e-6) / 1e6;
        let nodes = grouped(count.nodes);
        output::text(&format!("{depth:>5} {nodes:>20} {seconds:>10.3} {speed:>10.1}"))?;
        let rows = sorted(count.divide.unwrap_or_default());
        let width = rows.iter().map(|r| r.r#move.len()).max().unwrap_or(0);
        let row = |r: &Below| format!("{:<width$} {:>20}\n", r.r#move, grouped(r.nodes));
        let rows: String = rows.iter().map(row).collect();
        if !rows.is_empty() {
            output::text(&format!("\n{rows}"))?;
        }
    }
    Ok(())
}
