//! `kiban convert`: a record in another format.

mod archive;
mod dropped;

use crate::bulk::{Item, is_archive};
use crate::error::Failure;
use crate::records::{self, Known, Wanted};
use crate::registry::{self, examples};
use crate::{encoding, files, lossy, output};
use kiban_core::{Format, ReadError, Record, Seat, Warning};
use std::path::{Path, PathBuf};

/// Writes game records in another format
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "convert game.txt --to FORMAT -o game.new",
    "convert - --game {game} --to FORMAT < game.txt",
    "convert game.txt --to FORMAT --encoding shift_jis -o game.new",
    "convert FOLDER archive.zip --to FORMAT -o NEWFOLDER",
]))]
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
    /// Leave out what the format cannot hold, and say what
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
    missing: Vec<&'static str>,
    /// What the reader forgave, a sentence each.
    forgiven: Vec<String>,
    /// What lies beside it, by extension.
    beside: Vec<(&'static str, Vec<u8>)>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game.as_deref().map(registry::game).transpose()?;
    let wanted = Wanted { game, format: args.format.as_deref(), variant: args.variant.as_deref() };
    match args.files.as_slice() {
        [file] if !is_archive(file) && !args.output.is_dir() => one(args, file, wanted),
        _ => archive::run(args, wanted),
    }
}

fn one(args: &Args, file: &Path, wanted: Wanted<'_>) -> Result<(), Failure> {
    let told = args.output != Path::new("-");
    let item = Item::of(file);
    let converted = convert(args, &item, wanted, told)?;
    converted.write(&args.output)?;
    converted.forgiven.iter().for_each(|sentence| output::note(sentence));
    for part in &converted.missing {
        output::note(&format!("The format {} cannot hold {part}; left out.", converted.target.id));
    }
    if !told {
        return Ok(());
    }
    let name = args.output.display();
    output::text(&output::plain(&format!("Written to {name} as {}.", converted.target.id)))
}

impl Converted {
    /// Writes the file and those that belong beside it.
    fn write(&self, path: &Path) -> Result<(), Failure> {
        files::write(path, &self.written)?;
        let mut beside = self.beside.iter();
        beside
            .try_for_each(|(extension, bytes)| files::write(&path.with_extension(extension), bytes))
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
    let (known, mut found) = records::read(&bytes, &item.path, wanted)?;
    if let Some(beside) = known.format.beside {
        let contents = item.beside(&beside);
        found.iter_mut().for_each(|record| (beside.complete)(record, &contents));
    }
    if args.no_names {
        let named = |key: &str| Seat::from_name(key).is_some();
        found.iter_mut().for_each(|record| record.tags.retain(|(key, _)| !named(key)));
    }
    if args.strict {
        found.iter().try_for_each(|record| records::strictly(&record.warnings))?;
    }
    let formats = || known.spec.formats.iter().filter(|f| f.write.is_some()).map(|f| f.id);
    let target = known.spec.format(&args.to).filter(|f| f.write.is_some());
    let target = target.ok_or_else(|| records::unknown_format(&args.to, "write", formats()))?;
    let known = Known { format: target, ..known };
    let held = lossy::write(&found, known)?;
    let beside = match target.beside.filter(|_| named) {
        Some(beside) => (beside.write)(&found)?,
        None => Vec::new(),
    };
    let mut missing = held.missing;
    missing.extend(dropped::parts(&found, &held.written, &beside, known, &missing));
    if !args.lossy && !missing.is_empty() {
        return Err(Failure::NoAnswer(cannot_hold(target.id, &missing)));
    }
    let written = encoding::encode(&held.written, &args.encoding)?;
    let extensions = target.beside.map_or(&[][..], |beside| beside.extensions);
    let beside = extensions.iter().copied().zip(beside).filter(|(_, bytes)| !bytes.is_empty());
    let forgiven = forgiven(item, &found);
    Ok(Converted { target, written, missing, forgiven, beside: beside.collect() })
}

/// What was forgiven as a file was read; of many things the first are told.
fn forgiven(item: &Item, found: &[Record]) -> Vec<String> {
    /// Told of a file at most.
    const TOLD: usize = 5;
    let name = records::name(&item.path);
    let all = || found.iter().flat_map(|record| &record.warnings);
    let one = |w: &Warning| {
        output::plain(&format!("{name}: Line {}, column {}: {}", w.line, w.column, w.text))
    };
    let mut told: Vec<String> = all().take(TOLD).map(one).collect();
    let more = all().count().saturating_sub(TOLD);
    if more > 0 {
        let text = format!("{name}: {more} more were forgiven; \"kiban judge\" lists them all.");
        told.push(output::plain(&text));
    }
    told
}

fn cannot_hold(format: &str, parts: &[&str]) -> ReadError {
    let said: Vec<_> =
        parts.iter().map(|p| format!("The format {format} cannot hold {p}.")).collect();
    let mend = "Choose another format, or leave it out with --lossy.";
    ReadError::new("cannot-hold", format!("{} {mend}", said.join(" ")))
}
