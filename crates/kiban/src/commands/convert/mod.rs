//! `kiban convert`: a record in another format.

mod archive;
mod dropped;
mod writing;

use crate::bulk::{self, Item, Targets, is_archive};
use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::lossy::Lost;
use crate::records::{self, Wanted};
use crate::registry::{self, help};
use crate::{encoding, files, output};
use kiban_core::{Format, ReadError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use writing::Writing;

/// What the exit statuses mean.
const STATUSES: &str = "0 if every file was written, 1 if one or more could not be (the others \
                        are), 2 for wrong usage.";

/// Writes game records in another format
#[derive(clap::Args)]
#[command(after_help = help(&[
    "convert game.txt --to {format} -o game.new",
    "convert - --game {game} --to {format} < game.txt",
    "convert game.txt --to {format} --encoding shift_jis -o game.new",
    "convert games archive.zip --to {format} -o converted",
], STATUSES))]
pub(crate) struct Args {
    /// The record file; "-" is standard input. Several files, a folder, a zip archive or a pattern
    /// such as "*.txt" are converted file by file
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The format to write, as "kiban games" lists it
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// The file to write, standard output if not given; for several files the folder
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// The encoding of a text that is written
    #[arg(long, value_name = "E", default_value = "utf-8",
        value_parser = clap::builder::PossibleValuesParser::new(encoding::names()))]
    encoding: String,
    /// Leave out what the format cannot hold and records that cannot be read, and say what
    #[arg(long)]
    lossy: bool,
    /// Take what is forgiven in a record as an error
    #[arg(long)]
    strict: bool,
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

/// A file in its new format.
struct Converted {
    target: &'static Format,
    written: Vec<u8>,
    /// What had to be left out.
    missing: Vec<Lost>,
    /// What the reader forgave, a sentence each.
    forgiven: Vec<String>,
    /// What lies beside it, by extension.
    beside: Vec<(&'static str, Vec<u8>)>,
}

/// Runs the command.
pub(crate) fn run(args: &'static Args) -> Result<(), Failure> {
    let game = args.game.as_deref().map(registry::game).transpose()?;
    let wanted = Wanted { game, format: args.format.as_deref(), variant: args.variant.as_deref() };
    match args.files.as_slice() {
        [file] if !is_archive(file) && !args.output.is_dir() => one(args, file, wanted),
        _ => archive::run(args, wanted),
    }
}

fn one(args: &'static Args, file: &'static Path, wanted: Wanted<'static>) -> Result<(), Failure> {
    let told = args.output != Path::new("-");
    let stop = stopped_by_ctrl_c();
    let mut made = None;
    let work = move |item: Item| {
        let named = told && !files::is_special(&args.output);
        let converted = convert(args, &item, wanted, named)?;
        converted.write(&args.output, &Targets::default())?;
        Ok(converted)
    };
    let done = bulk::in_order(
        1,
        &stop,
        move |feed| {
            feed.give(Item::of(file));
        },
        work,
        |converted: Result<Converted, Failure>| {
            made = Some(converted?);
            Ok(())
        },
    );
    files::settle();
    done?;
    let Some(converted) = made else {
        let message = format!("Interrupted before {} was converted; start again.", file.display());
        return Err(Failure::no_answer("interrupted", message));
    };
    let id = converted.target.id;
    converted.forgiven.iter().for_each(|sentence| output::note(sentence));
    for Lost { part, detail } in &converted.missing {
        output::note(&output::plain(&format!(
            "The format {id} cannot hold {part}{detail}; left out."
        )));
    }
    if !told {
        return Ok(());
    }
    let name = args.output.display();
    output::text(&output::plain(&format!("Written to {name} as {id}.")))
}

impl Converted {
    /// Writes the file and those that belong beside it: all, or none.
    fn write(&self, path: &Path, targets: &Targets) -> Result<(), Failure> {
        let lists = targets.lists(path, self.target, &self.beside)?;
        let lists = lists.into_iter().zip(&self.beside);
        let mut files: Vec<_> = lists
            .filter(|(_, (_, bytes))| !bytes.is_empty())
            .map(|(list, (_, bytes))| (list, &**bytes))
            .collect();
        // What is read with the others comes last.
        files.push((path.to_path_buf(), &self.written));
        files::write_together(&files)
    }
}

/// Reads a file and makes the new one; `named` says whether there can be files beside it.
fn convert(
    args: &Args,
    item: &Item,
    wanted: Wanted<'_>,
    named: bool,
) -> Result<Converted, Failure> {
    let bytes = item.read()?;
    let known = records::known(&bytes, &item.path, wanted)?;
    let mut writing = Writing::new(args, item, known, named)?;
    let mut failed = None;
    // Whether all were taken is known by the failure.
    let _ = records::each(&bytes, &item.path, known, wanted, &mut |read| {
        let taken = match read {
            Ok(record) => writing.take(record),
            Err(e) => writing.unreadable(e),
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                failed = Some(failure);
                ControlFlow::Break(())
            }
        }
    });
    failed.map_or_else(|| writing.finish(), Err)
}

fn cannot_hold(format: &str, parts: &[Lost]) -> ReadError {
    let said: Vec<_> =
        parts.iter().map(|Lost { part, detail }| format!("{part}{detail}")).collect();
    let it = if parts.len() == 1 { "it" } else { "them" };
    let message = format!(
        "The format {format} cannot hold {}. Choose another format, or leave {it} out with --lossy.",
        said.join(", ")
    );
    ReadError::new("cannot-hold", message)
}
