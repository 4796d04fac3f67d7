//! `kiban solve`: builds solutions. A run that was broken off goes on where it stopped.

use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::output;
use crate::registry::{self, examples};
use kiban_core::{Atlas, Stop, Variant};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Builds solutions
#[derive(clap::Args)]
#[command(after_help = examples(&["solve GAME --atlas -o atlas.csv"]))]
pub(crate) struct Args {
    /// The game's id, as "kiban games" lists it
    #[arg(value_name = "GAME")]
    game: String,
    /// Solve every set-up of the game's list and write them as CSV
    #[arg(long, required = true)]
    atlas: bool,
    /// The file to write; a file left by a run broken off is completed
    #[arg(short, long, value_name = "FILE", required = true)]
    output: PathBuf,
    /// A variant and its options: name,key=value,...
    #[arg(long, value_name = "V")]
    variant: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let variant = spec.variant(args.variant.as_deref().unwrap_or(""))?;
    let Some(atlas) = &spec.atlas else {
        let having = kiban_games::all().filter(|g| g.atlas.is_some()).map(|g| g.id);
        let having = having.collect::<Vec<_>>().join(", ");
        let message = format!("{} has no atlas; games that have one: {having}.", spec.names.en);
        return Err(Failure::no_answer("no-atlas", message));
    };
    let setups = (atlas.setups)(&variant);
    let done = rows_done(&args.output, atlas, &setups)?;
    write_rows(args, atlas, &variant, &setups, done)?;
    output::text(&format!("{} set-ups are in {}.", setups.len(), args.output.display()))
}

fn failed(path: &Path, e: &std::io::Error) -> Failure {
    let message = format!("{} could not be written: {e}.", path.display());
    Failure::no_answer("output", message)
}

/// How many whole rows a file has; one that holds something else is not touched.
fn rows_done(path: &Path, atlas: &Atlas, setups: &[String]) -> Result<usize, Failure> {
    let text = match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        other => other.map_err(|e| failed(path, &e))?,
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = whole.lines();
    let fits = lines.next().is_none_or(|header| header == atlas.header);
    let rows: Vec<&str> = lines.collect();
    let known = rows.len() <= setups.len()
        && rows.iter().zip(setups).all(|(row, setup)| row.starts_with(&format!("{setup},")));
    if !fits || !known {
        let message = format!("{} holds something else; name another file.", path.display());
        return Err(Failure::no_answer("not-an-atlas", message));
    }
    // A row that was being written when a run was broken off is written again.
    let file = OpenOptions::new().write(true).open(path).map_err(|e| failed(path, &e))?;
    file.set_len(whole.len() as u64).map_err(|e| failed(path, &e))?;
    Ok(rows.len())
}

fn write_rows(
    args: &Args,
    atlas: &Atlas,
    variant: &Variant,
    setups: &[String],
    done: usize,
) -> Result<(), Failure> {
    let stop: Stop = stopped_by_ctrl_c();
    let path = &args.output;
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).map_err(|e| failed(path, &e))?;
    let empty = file.metadata().map_err(|e| failed(path, &e))?.len() == 0;
    if empty {
        writeln!(file, "{}", atlas.header).map_err(|e| failed(path, &e))?;
    }
    for (i, setup) in setups.iter().enumerate().skip(done) {
        let row = (atlas.row)(variant, setup, &stop)?;
        writeln!(file, "{row}").map_err(|e| failed(path, &e))?;
        output::note(&format!("{} of {}: {row}", i + 1, setups.len()));
    }
    file.sync_all().map_err(|e| failed(path, &e))
}
