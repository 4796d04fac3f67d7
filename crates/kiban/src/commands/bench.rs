//! `kiban bench`: a benchmark whose node count tells whether two builds search alike.

use super::doctor::features;
use crate::engine;
use crate::error::Failure;
use crate::output::grouped;
use crate::output::{self, Head};
use crate::registry::{self, examples};
use crate::stopwatch::Stopwatch;
use kiban_core::{Bench, Conduct, GameSpec, Limits, Opening, Workspace};
use serde::Serialize;

/// Runs the engine's benchmark: fixed positions at a fixed depth
#[derive(clap::Args)]
#[command(after_help = examples(&["bench {game}", "bench {game} --json"]))]
pub(crate) struct Args {
    /// The game's id, as "kiban games" lists it
    #[arg(value_name = "GAME")]
    game: String,
    /// Another depth than the benchmark's own; the signature is then another
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    signature: u64,
    nodes: u64,
    depth: u8,
    positions: usize,
    seconds: f64,
    cpu_seconds: Option<f64>,
    nodes_per_cpu_second: f64,
    threads: u8,
    features: Vec<&'static str>,
    version: &'static str,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let bench = spec.bench.ok_or_else(|| {
        let having = kiban_games::all().filter(|g| g.bench.is_some()).map(|g| g.id);
        let message = without(spec, "benchmark", having.collect());
        Failure::no_answer("no-bench", message)
    })?;
    let bench = Bench { depth: args.depth.unwrap_or(bench.depth), ..bench };
    let watch = Stopwatch::start();
    let mut nodes = 0;
    for position in bench.positions {
        let counted = count(spec, position, bench.depth)?;
        if !args.json {
            output::text(&format!("{:>14}  {position}", grouped(counted)))?;
        }
        nodes += counted;
    }
    let (seconds, cpu_seconds) = (watch.seconds(), watch.cpu_seconds());
    let spent = cpu_seconds.unwrap_or(seconds).max(1e-6);
    let document = Document {
        head: Head::new(
            "bench",
            Some(spec.id),
            Some(spec.variant("")?.canonical(spec.options, None)),
        ),
        signature: nodes,
        nodes,
        depth: bench.depth,
        positions: bench.positions.len(),
        seconds,
        cpu_seconds,
        nodes_per_cpu_second: (nodes as f64 / spent).round(),
        threads: 1,
        features: features(),
        version: env!("CARGO_PKG_VERSION"),
    };
    if args.json { output::json(&document) } else { output::text(&text(&document)) }
}

/// A game lacks something; says which games have it.
pub(crate) fn without(spec: &GameSpec, what: &str, having: Vec<&str>) -> String {
    let name = spec.names.en;
    if having.is_empty() {
        format!("{name} has no {what}, and no other game has one.")
    } else {
        format!("{name} has no {what}; choose one of {}.", having.join(", "))
    }
}

/// The nodes of one position, searched by one thread with nothing learnt before.
fn count(spec: &'static GameSpec, position: &str, depth: u8) -> Result<u64, Failure> {
    let opening = Opening {
        variant: spec.variant("")?,
        start: Some(position.to_string()),
        conduct: Conduct::Guided,
        seed: None,
    };
    let arbiter = (spec.open)(&opening)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let found = engine::think(arbiter.as_ref(), &mut Workspace::new(), &limits, &mut |_| {});
    Ok(found.map_or(0, |found| found.nodes))
}

fn text(d: &Document) -> String {
    format!(
        "{} nodes at depth {} in {:.2} s, {} a second of one core. Signature {}.",
        grouped(d.nodes),
        d.depth,
        d.seconds,
        grouped(d.nodes_per_cpu_second as u64),
        d.signature
    )
}
