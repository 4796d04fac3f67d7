//! `kiban convert`: a record in another format.

use crate::error::Failure;
use crate::records::{self, Wanted};
use crate::registry::{self, examples};
use crate::{files, output};
use kiban_core::Seat;
use std::path::{Path, PathBuf};

/// Writes game records in another format
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "convert game.txt --to FORMAT -o game.new",
    "convert - --game {game} --to FORMAT < game.txt",
]))]
pub(crate) struct Args {
    /// The record file; "-" is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format to write, as "kiban games" lists it
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// The file to write; standard output if not given
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Leave the players' names out
    #[arg(long)]
    no_names: bool,
    /// The game, where the content does not tell
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The format to read, where the content does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The variant, where the record does not tell
    #[arg(long, value_name = "V")]
    variant: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game.as_deref().map(registry::game).transpose()?;
    let wanted = Wanted { game, format: args.format.as_deref(), variant: args.variant.as_deref() };
    let bytes = files::read(&args.file)?;
    let (known, mut found) = records::read(&bytes, &args.file, wanted)?;
    if args.no_names {
        let named = |key: &str| Seat::from_name(key).is_some();
        found.iter_mut().for_each(|record| record.tags.retain(|(key, _)| !named(key)));
    }
    let formats = || known.spec.formats.iter().filter(|f| f.write.is_some()).map(|f| f.id);
    let target = known.spec.format(&args.to).filter(|f| f.write.is_some());
    let target = target.ok_or_else(|| records::unknown_format(&args.to, "write", formats()))?;
    let write = target.write.expect("only writable formats are targets");
    let written = write(&found)?;
    files::write(&args.output, &written)?;
    if args.output == Path::new("-") {
        return Ok(());
    }
    let name = args.output.display();
    output::text(&output::plain(&format!("Written to {name} as {}.", target.id)))
}
