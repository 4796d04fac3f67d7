//! `kiban solve`: builds solutions. A run that was broken off goes on where it stopped.

mod atlas;
mod tables;

use crate::error::Failure;
use crate::registry::{self, examples};
use std::path::PathBuf;

/// Builds solutions
#[derive(clap::Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).multiple(true)),
    after_help = examples(&[
        "solve {animals} --animals 2",
        "solve {animals} --animals 2 --check",
        "solve {men} --men 3",
        "solve {atlas} --atlas -o atlas.csv",
    ])
)]
pub(crate) struct Args {
    /// The game's id, as "kiban games" lists it
    #[arg(value_name = "GAME")]
    game: String,
    /// Build the tables of up to so many men a side into the data folder
    #[arg(long, value_name = "N", group = "what", conflicts_with_all = ["animals", "atlas"])]
    men: Option<u8>,
    /// Build the tables of up to so many animals in all into the data folder
    #[arg(long, value_name = "N", group = "what", conflicts_with = "atlas")]
    animals: Option<u8>,
    /// Look at the tables that are there: their checksums, and a sample of positions one ply ahead
    #[arg(long, group = "what", conflicts_with = "atlas")]
    check: bool,
    /// Memory for a table in MiB; what the machine has free by default
    #[arg(long, value_name = "MIB", conflicts_with = "atlas")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,
    /// Solve every set-up of the game's list and write them as CSV
    #[arg(long, group = "what", requires = "output")]
    atlas: bool,
    /// The CSV file to write; a file left by a run broken off is completed
    #[arg(short, long, value_name = "FILE", requires = "atlas")]
    output: Option<PathBuf>,
    /// A variant and its options: name,key=value,...
    #[arg(long, value_name = "V")]
    variant: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let variant = spec.variant(args.variant.as_deref().unwrap_or(""))?;
    match &args.output {
        Some(path) => atlas::write(spec, &variant, path),
        None => {
            let sizes = [("men", args.men), ("animals", args.animals)];
            let size = sizes.into_iter().find_map(|(unit, size)| Some((unit, size?)));
            let work = tables::Work::of(spec, &variant, size)?;
            if args.check { work.check() } else { work.build(args.memory.map(|mib| mib << 20)) }
        }
    }
}
