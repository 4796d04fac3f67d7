//! OBF problem files: a position a line, with the results of its moves:
//! `BOARD SIDE; f5:+2; d6:-4;`. A `%` begins a comment.

use super::{MARK, lines, properties, text_of};
use crate::{Move, Options, Othello, Position};
use kiban_core::{Format, Problem, ReadError, Record, Sink, Source, Warning, gather};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// What some engines write for a move they have no value of.
const NONE: [&str; 2] = ["-127", "+127"];
/// A line holds a position and its at most a hundred moves.
const MAX_LINE: usize = 4096;
/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;

pub(crate) const FORMAT: Format = Format {
    id: "obf",
    extensions: &["obf"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    write: Some(write),
    joint: Some(""),
    ..Format::NONE
};

/// A position with the results of moves, in discs for the side to move.
struct Row {
    line: usize,
    options: Options,
    position: Position,
    results: Vec<(Move, Option<i32>)>,
    /// What stands behind a `%`.
    words: String,
    warnings: Vec<Warning>,
}

fn sniff(bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let cut = head.len() < bytes.len();
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let mut lines: Vec<_> = lines(head).collect();
    if cut && lines.len() > 1 {
        lines.pop();
    }
    let mut rows = 0;
    for (number, line) in lines {
        match row(line, number, None) {
            Ok(Some(_)) => rows += 1,
            Ok(None) => {}
            Err(_) => return 0,
        }
    }
    if rows > 0 { 95 } else { 0 }
}

/// Reads one line; nothing if it is blank or a comment. Without options the board's length says
/// its size.
fn row(line: &[u8], number: usize, options: Option<Options>) -> Result<Option<Row>, ReadError> {
    let bad = |message: String| ReadError::new("bad-record", message).line(number);
    if line.len() > MAX_LINE {
        let message =
            format!("The line is longer than {MAX_LINE} characters; one position a line.");
        return Err(bad(message).column(MAX_LINE + 1));
    }
    let text = &*properties::decoded(line);
    let (text, words) = text.split_once('%').unwrap_or((text, ""));
    let (text, words) = (text.trim_end(), words.trim().to_string());
    let before = text.trim_start();
    if before.is_empty() {
        return Ok(None);
    }
    let indent = text.chars().count() - before.chars().count();
    let (board, rest) = before.split_once(';').unwrap_or((before, ""));
    let options = match options {
        Some(options) => options,
        None => size_options(board).map_err(|e| e.line(number).column(indent + 1))?,
    };
    let position = Position::read(board, options).map_err(|e| {
        let column = e.at.column.unwrap_or(1) + indent;
        e.line(number).column(column)
    })?;
    let mut column = indent + board.chars().count() + 2;
    let (mut results, mut warnings) = (Vec::new(), Vec::new());
    for part in rest.split(';') {
        let start = column + part.chars().take_while(|c| c.is_whitespace()).count();
        let none = part.trim().rsplit_once(':').is_some_and(|(_, points)| NONE.contains(&points));
        if none {
            let text = "A value that is no result is left out.".to_string();
            warnings.push(Warning { line: number, column: start, text });
        } else if !part.trim().is_empty() {
            results.push(result(part.trim()).map_err(|e| e.line(number).column(start))?);
        }
        column += part.chars().count() + 1;
    }
    Ok(Some(Row { line: number, options, position, results, words, warnings }))
}

/// Reads `f5:+2` or `f5`.
fn result(text: &str) -> Result<(Move, Option<i32>), ReadError> {
    let (m, score) = match text.split_once(':') {
        Some((m, score)) => (m, Some(score.trim())),
        None => (text, None),
    };
    let m = Move::read(m)?;
    let Some(score) = score else { return Ok((m, None)) };
    let points = score.parse().ok().filter(|points: &i32| (-100..=100).contains(points));
    let points = points.ok_or_else(|| {
        let found: String = score.chars().take(20).collect();
        let message = format!("\"{found}\" is not a result in discs; write for example {m}:+4.");
        ReadError::new("bad-record", message).found(found, "a number from -100 to 100")
    })?;
    Ok((m, Some(points)))
}

fn size_options(board: &str) -> Result<Options, ReadError> {
    let squares = board.split_whitespace().next().unwrap_or("").chars().count();
    // The side may follow without a space.
    let fits = |size: &&u8| {
        let all = usize::from(**size) * usize::from(**size);
        squares == all || squares == all + 1
    };
    let size = [4, 6, 8, 10].iter().find(fits).copied().ok_or_else(|| {
        let message = format!("A board of {squares} squares is unknown; write 16, 36, 64 or 100.");
        ReadError::new("bad-position", message).field("board")
    })?;
    Ok(Options { fewest: false, free_centre: false, size, handicap: 0 })
}

/// Reads the rows of a text one by one.
fn rows(
    bytes: &[u8],
    options: Option<Options>,
    mut each: impl FnMut(Result<Row, ReadError>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut any = false;
    for (number, line) in lines(bytes) {
        if let Some(row) = row(line, number, options).transpose() {
            any = true;
            each(row)?;
        }
    }
    if any {
        return ControlFlow::Continue(());
    }
    let message = "There is no position in this text; write a board, a side and a semicolon.";
    each(Err(ReadError::new("empty", message).line(1).column(1)))
}

fn variant_text(options: Options) -> String {
    if options.size == 8 { String::new() } else { format!("size={}", options.size) }
}

/// Reads positions as records without moves, line by line; the results of moves become the first
/// line of the comment, and the words behind a `%` the second.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let opened = source.variant.map(|text| crate::GAME.variant(text)).transpose();
    let (asked, text) = match opened.and_then(|asked| Ok((asked, text_of(&source)?))) {
        Ok(opened) => opened,
        Err(e) => {
            let _ = sink(Err(e));
            return;
        }
    };
    let options = asked.as_ref().map(|variant| Othello::of_variant(variant).options);
    let record = |row: Row| {
        let sized = || crate::GAME.variant(&variant_text(row.options)).expect("sizes are options");
        let variant = asked.clone().unwrap_or_else(sized);
        let variant = variant.canonical(crate::GAME.options, None);
        let mut record = Record::new(crate::GAME.id, &variant, &row.position.write());
        let comment = [results_text(&row.results), row.words];
        record.warnings = row.warnings;
        record.nodes[0].at = Some((row.line, 1));
        record.nodes[0].comment = comment.join("\n").trim().to_string();
        record
    };
    // Whoever takes the records may have had enough.
    let _ = rows(text, options, |row| sink(row.map(record)));
}

/// The results of moves as a line has them.
pub(super) fn results_text(results: &[(Move, Option<i32>)]) -> String {
    let one = |(m, points): &(Move, Option<i32>)| match points {
        Some(points) => format!("{m}:{points:+};"),
        None => format!("{m};"),
    };
    results.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Writes positions. A comment's first line goes as results if it is some; its other words behind
/// a `%`.
fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::new();
    for (i, record) in records.iter().enumerate() {
        if record.entries().next().is_some() {
            let message = "OBF holds positions without moves only; choose another format.";
            return Err(properties::not_held(message, i, records.len()));
        }
        let options = Othello::of_variant(&crate::GAME.variant(&record.variant)?).options;
        let position = match record.start.as_str() {
            "" => Position::start(options),
            start => Position::read(start, options)?,
        };
        write!(text, "{};", position.write()).expect("a string takes any text");
        let comment = record.nodes[0].comment.trim();
        let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
        let parts = first.split(';').map(str::trim).filter(|p| !p.is_empty());
        let results = parts.map(result).collect::<Result<Vec<_>, _>>().unwrap_or_default();
        if !results.is_empty() {
            write!(text, " {}", results_text(&results)).expect("a string takes any text");
        }
        let words = if results.is_empty() { comment } else { rest };
        let words = words.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        if !words.is_empty() {
            write!(text, " % {words}").expect("a string takes any text");
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Reads a suite: the moves with the best result are right.
pub(crate) fn problems(text: &str) -> Result<Vec<Problem>, ReadError> {
    let source = Source { bytes: text.as_bytes(), variant: None };
    let (mut problems, mut error) = (Vec::new(), None);
    let _ = rows(text_of(&source)?, None, |row| match row {
        Ok(row) => {
            problems.push(problem(row, problems.len() + 1));
            ControlFlow::Continue(())
        }
        Err(e) => {
            error = Some(e);
            ControlFlow::Break(())
        }
    });
    error.map_or(Ok(problems), Err)
}

fn problem(row: Row, number: usize) -> Problem {
    let points = row.results.iter().filter_map(|(_, points)| *points).max();
    let best = row.results.iter().filter(|(_, score)| *score == points);
    let moves: Vec<String> = best.map(|(m, _)| m.to_string()).collect();
    let variant = crate::GAME.variant(&variant_text(row.options)).expect("sizes are options");
    Problem {
        id: number.to_string(),
        position: row.position.write(),
        variant: variant.canonical(crate::GAME.options, None),
        moves: (!moves.is_empty()).then_some(moves),
        points,
        mate: None,
    }
}
