//! Reading record files: which format it is, and what it holds.

use crate::error::Failure;
use crate::files;
use kiban_core::{Format, GameSpec, ReadError, Record, Sink, Source, Warning};
use std::ops::ControlFlow;
use std::path::Path;

/// What was said about a file from outside.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// Its game.
    pub(crate) game: Option<&'static GameSpec>,
    /// Its format's id.
    pub(crate) format: Option<&'a str>,
    /// Its variant.
    pub(crate) variant: Option<&'a str>,
}

/// A game's format.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// The game.
    pub(crate) spec: &'static GameSpec,
    /// The format.
    pub(crate) format: &'static Format,
}

/// Every format of these games.
pub(crate) fn formats(game: Option<&'static GameSpec>) -> impl Iterator<Item = Known> {
    let games = kiban_games::all().filter(move |g| game.is_none_or(|only| only.id == g.id));
    games.flat_map(|spec| spec.formats.iter().map(move |format| Known { spec, format }))
}

/// The format of a file's content, whose name helps where the content does not decide.
pub(crate) fn known(bytes: &[u8], path: &Path, wanted: Wanted<'_>) -> Result<Known, Failure> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if text.iter().all(u8::is_ascii_whitespace) {
        let message = format!("{} is empty; give a game record.", name(path));
        return Err(Failure::no_answer("empty-input", message));
    }
    if wanted.format.is_none() && is_match_log(bytes) {
        let message = format!(
            "{0} is the log that a match is resumed from; \"kiban match\" with --resume {0} and \
             --records FOLDER writes its games as records.",
            name(path)
        );
        return Err(Failure::no_answer("match-log", message));
    }
    detect(bytes, path, wanted)
}

/// Whether a content begins as the log of a match does: with a line of JSON on what is played.
fn is_match_log(bytes: &[u8]) -> bool {
    if !bytes.starts_with(b"{\"game\":") {
        return false;
    }
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head = serde_json::from_slice::<serde_json::Map<_, serde_json::Value>>(line);
    head.is_ok_and(|head| {
        ["variant", "a", "b", "seed", "how"].iter().all(|k| head.contains_key(*k))
    })
}

/// Reads the records of a file's content.
pub(crate) fn read(
    bytes: &[u8],
    path: &Path,
    wanted: Wanted<'_>,
) -> Result<(Known, Vec<Record>), Failure> {
    let known = known(bytes, path, wanted)?;
    let records = read_as(known, bytes, wanted).map_err(|e| named(e, path))?;
    if records.is_empty() {
        return Err(Failure::NoAnswer(none_held(path)));
    }
    Ok((known, records))
}

/// Gives the records of a file's content one by one; says whether all were taken.
pub(crate) fn each(
    bytes: &[u8],
    path: &Path,
    known: Known,
    wanted: Wanted<'_>,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let (mut any, mut flow) = (false, ControlFlow::Continue(()));
    let mut take = |read: Result<Record, ReadError>| {
        any = true;
        flow = sink(read.map_err(|e| named(e, path)));
        flow
    };
    match known.format.stream {
        Some(stream) => stream(Source { bytes, variant: wanted.variant }, &mut take),
        None => match read_as(known, bytes, wanted) {
            // Whether it was interrupted is asked below.
            Ok(records) => {
                let _ = records.into_iter().try_for_each(|record| take(Ok(record)));
            }
            Err(e) => {
                let _ = take(Err(e));
            }
        },
    }
    if any { flow } else { sink(Err(none_held(path))) }
}

/// The error with the name of its file before it.
pub(crate) fn named(mut error: ReadError, path: &Path) -> ReadError {
    error.message = format!("{}: {}", name(path), error.message);
    error
}

fn none_held(path: &Path) -> ReadError {
    ReadError::new("empty-input", format!("{} holds no game.", name(path)))
}

fn read_as(known: Known, bytes: &[u8], wanted: Wanted<'_>) -> Result<Vec<Record>, ReadError> {
    let read = known.format.read.expect("only readable formats are asked");
    read(Source { bytes, variant: wanted.variant })
}

/// The format of a content: the one it looks most like, then the one its name says.
fn detect(bytes: &[u8], path: &Path, wanted: Wanted<'_>) -> Result<Known, Failure> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    let readable = || formats(wanted.game).filter(|k| k.format.read.is_some());
    if let Some(id) = wanted.format {
        let same = readable().filter(|k| k.format.id == id);
        return same
            .max_by_key(|k| (k.format.sniff)(bytes))
            .ok_or_else(|| unknown_format(id, "read", readable().map(|k| k.format.id)));
    }
    // Of equals the first listed is taken, so the order of the registry is the last word.
    let looks =
        |k: &Known| ((k.format.sniff)(bytes), k.format.extensions.contains(&extension.as_str()));
    let ranked = readable().map(|k| (looks(&k), k)).filter(|(l, _)| *l != (0, false));
    let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
    // A damaged record may look like none; where its game is told, the format that reads furthest
    // is meant.
    let furthest = || {
        let place = |k: Known| match read_as(k, bytes, wanted) {
            Ok(_) => (usize::MAX, 0),
            Err(e) => (e.at.line.unwrap_or(1), e.at.column.unwrap_or(1)),
        };
        let known = readable().filter(|_| wanted.game.is_some());
        known.map(|k| (place(k), k)).filter(|(p, _)| *p > (1, 1)).max_by_key(|(place, _)| *place)
    };
    let known = best.map(|(_, known)| known).or_else(|| furthest().map(|(_, known)| known));
    known.ok_or_else(|| Failure::NoAnswer(no_record(bytes, path, wanted)))
}

/// The code of the error that lists what was forgiven.
pub(crate) const NOT_STRICT: &str = "not-strict";

/// Forgiven things that are told of a record or a file at most.
pub(crate) const TOLD: usize = 5;

/// What is forgiven in a record is its error where it is read strictly: a list of it. The first
/// comes last, for its place is the error's, which is said behind the sentence.
///
/// # Errors
/// If there is any.
pub(crate) fn strictly(warnings: &[Warning]) -> Result<(), ReadError> {
    let Some((first, others)) = warnings.split_first() else { return Ok(()) };
    let more = |w: &Warning| format!("line {}, column {}: {} ", w.line, w.column, w.text);
    let told: String = others.iter().take(TOLD - 1).map(more).collect();
    let rest = match others.len().saturating_sub(TOLD - 1) {
        0 => String::new(),
        n => format!("and {} more. ", crate::output::grouped(n as u64)),
    };
    let message = match warnings.len() {
        1 => format!("Forgiven without --strict: {}", first.text),
        n => {
            let n = crate::output::grouped(n as u64);
            format!(
                "{n} things are forgiven without --strict: {told}{rest}The first: {}",
                first.text
            )
        }
    };
    Err(ReadError::new(NOT_STRICT, message).line(first.line).column(first.column))
}

/// There is no such format; says which there are.
pub(crate) fn unknown_format<'a>(
    id: &str,
    verb: &str,
    known: impl Iterator<Item = &'a str>,
) -> Failure {
    let mut known: Vec<_> = known.collect();
    known.sort_unstable();
    known.dedup();
    let list = known.join(", ");
    let message = if known.is_empty() {
        format!("There is no format that could be {verb}.")
    } else {
        format!("There is no format \"{id}\" to {verb}; choose one of {list}.")
    };
    Failure::NoAnswer(ReadError::new("unknown-format", message).field("format").found(id, list))
}

/// The content looks like no record; says where it stops being text, if it does.
fn no_record(bytes: &[u8], path: &Path, wanted: Wanted<'_>) -> ReadError {
    let of = wanted.game.map_or(String::new(), |g| format!(" of {}", g.names.en));
    let (offset, found) = first_oddity(bytes);
    let (line, column) = files::place(bytes, offset);
    let message = format!(
        "{} is no game record{of} that Kiban knows; here is {found}. If it is one, \
         name its format with --format.",
        name(path)
    );
    let error = ReadError::new("unknown-format", message).line(line).column(column);
    error.found(found, "a game record")
}

/// The first byte that no text holds, or else the first words.
fn first_oddity(bytes: &[u8]) -> (usize, String) {
    let valid = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len);
    let odd = |b: &u8| b.is_ascii_control() && !b.is_ascii_whitespace() && *b != 0x1b;
    let odd = bytes[..valid].iter().position(odd).unwrap_or(valid);
    if odd < bytes.len() {
        return (odd, format!("what no UTF-8 text holds (byte 0x{:02x})", bytes[odd]));
    }
    let text = std::str::from_utf8(bytes).expect("all of it was found valid");
    let start = text.len() - text.trim_start().len();
    let words: String =
        text[start..].split(['\n', '\r']).next().unwrap_or("").chars().take(20).collect();
    (start, format!("\"{}\"", words.trim_end()))
}

/// A file's name in a sentence.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "Standard input".to_string() } else { path.display().to_string() }
}

/// `1 record`, `7 records`.
pub(crate) fn count(n: usize) -> String {
    crate::output::counted(n as u64, "record", "records")
}
