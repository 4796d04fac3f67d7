//! `kiban judge`: replays records and gives the verdict.

use super::show::{outcome_text, seat_name, winners_text};
use crate::error::Failure;
use crate::files;
use crate::output::{self, Head};
use crate::records::{self, Known, Wanted};
use crate::registry::{self, examples};
use crate::stopwatch::Stopwatch;
use kiban_core::{Claimed, GameSpec, Judged, Outcome, ReadError, Record, Seat, Variant, Warning};
use kiban_words::Words;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Replays game records and says who won and by what rule, or which move was a foul
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "judge game.txt",
    "judge --game {game} --json game1.txt game2.txt",
    "judge --jsonl - < games.txt",
]))]
pub(crate) struct Args {
    /// Record files; "-" is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The game, where the content does not tell
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The format, where the content does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The variant, where the record does not tell
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print one line of JSON a record, and the summary last
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    records: Vec<Row>,
    #[serde(flatten)]
    end: End,
}

/// What comes after the records.
#[derive(Serialize)]
struct End {
    summary: Summary,
    seconds: f64,
    cpu_seconds: Option<f64>,
}

#[derive(Serialize, Default)]
struct Summary {
    records: usize,
    judged: usize,
    unreadable: usize,
    disagree: usize,
    by_reason: BTreeMap<&'static str, usize>,
}

/// A record's verdict, or why it has none.
#[derive(Serialize)]
struct Row {
    file: String,
    index: usize,
    format: Option<&'static str>,
    game: Option<&'static str>,
    variant: Option<String>,
    start: Option<String>,
    plies: usize,
    r#final: Option<String>,
    outcome: Option<Outcome>,
    foul: Option<FoulFacts>,
    score: Option<Score>,
    claimed: Option<Claimed>,
    agrees: Option<bool>,
    commitments: &'static str,
    warnings: Vec<Warning>,
    error: Option<Unread>,
    #[serde(skip)]
    spec: Option<&'static GameSpec>,
    /// Whether its file holds others.
    #[serde(skip)]
    one_of_many: bool,
}

#[derive(Serialize)]
struct FoulFacts {
    ply: usize,
    seat: Seat,
    r#move: String,
    reason: &'static str,
    detail: String,
}

#[derive(Serialize)]
struct Score {
    first: i64,
    second: i64,
}

#[derive(Serialize)]
struct Unread {
    code: &'static str,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    found: Option<String>,
    expected: Option<String>,
    #[serde(skip)]
    whole: ReadError,
}

impl From<ReadError> for Unread {
    fn from(e: ReadError) -> Unread {
        let whole = e.clone();
        let ReadError { code, message, at, found, expected } = e;
        Unread { code, message, line: at.line, column: at.column, found, expected, whole }
    }
}

impl Row {
    /// A file or record of which nothing could be judged.
    fn unread(file: &Path, index: usize, known: Option<Known>, error: ReadError) -> Row {
        Row {
            file: file.display().to_string(),
            index,
            format: known.map(|k| k.format.id),
            game: known.map(|k| k.spec.id),
            variant: None,
            start: None,
            plies: 0,
            r#final: None,
            outcome: None,
            foul: None,
            score: None,
            claimed: None,
            agrees: None,
            commitments: "none",
            warnings: Vec::new(),
            error: Some(error.into()),
            spec: known.map(|k| k.spec),
            one_of_many: false,
        }
    }

    fn judged(file: &Path, index: usize, known: Known, claim: Option<Claimed>, j: Judged) -> Row {
        let foul = j.foul.map(|(ply, foul)| FoulFacts {
            ply,
            seat: foul.seat,
            r#move: foul.text,
            reason: foul.reason.0,
            detail: String::new(),
        });
        Row {
            file: file.display().to_string(),
            index,
            format: Some(known.format.id),
            game: Some(known.spec.id),
            variant: Some(j.variant),
            start: Some(j.start),
            plies: j.plies,
            r#final: Some(j.last),
            outcome: j.outcome,
            foul,
            score: j.score.map(|(first, second)| Score { first, second }),
            claimed: claim,
            agrees: j.agrees,
            commitments: match j.commitments {
                Some(true) => "ok",
                Some(false) => "bad",
                None => "none",
            },
            warnings: j.warnings,
            error: j.error.map(Unread::from),
            spec: Some(known.spec),
            one_of_many: false,
        }
    }

    /// Whether the rules could say something of it.
    fn readable(&self) -> bool {
        self.start.is_some()
    }
}

impl Summary {
    fn count(&mut self, row: &Row) {
        self.records += 1;
        if row.error.is_some() {
            self.unreadable += 1;
        } else {
            self.judged += 1;
        }
        self.disagree += usize::from(row.agrees == Some(false));
        let reason = row.outcome.map(|o| o.reason().0).or(row.foul.as_ref().map(|f| f.reason));
        if let Some(reason) = reason {
            *self.by_reason.entry(reason).or_default() += 1;
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game.as_deref().map(registry::game).transpose()?;
    if let (Some(spec), Some(variant)) = (game, &args.variant) {
        spec.variant(variant)?;
    }
    let wanted = Wanted { game, format: args.format.as_deref(), variant: args.variant.as_deref() };
    let watch = Stopwatch::start();
    let mut report = Report::new(args);
    for file in &args.files {
        judge_file(file, wanted, &mut report)?;
    }
    report.finish(&watch, game)
}

fn judge_file(file: &Path, wanted: Wanted<'_>, report: &mut Report<'_>) -> Result<(), Failure> {
    let read = files::read(file).and_then(|bytes| records::read(&bytes, file, wanted));
    let (known, found) = match read {
        Ok(read) => read,
        Err(Failure::NoAnswer(error)) => {
            return report.add(Row::unread(file, 1, None, error));
        }
        Err(other) => return Err(other),
    };
    for (i, record) in found.iter().enumerate() {
        let row = row(file, i + 1, known, record);
        report.add(Row { one_of_many: found.len() > 1, ..row })?;
    }
    Ok(())
}

fn row(file: &Path, index: usize, known: Known, record: &Record) -> Row {
    match (known.spec.judge)(record) {
        Ok(judged) => Row::judged(file, index, known, record.claimed.clone(), judged),
        Err(error) => Row::unread(file, index, Some(known), error.into_read_error()),
    }
}

/// Gathers the rows, or tells them as they come. Nothing is told before something was readable,
/// so that a run without any answer leaves standard output empty.
struct Report<'a> {
    args: &'a Args,
    /// By game and whether it is one of four seats.
    words: HashMap<(&'static str, bool), Words>,
    rows: Vec<Row>,
    summary: Summary,
    readable: bool,
}

impl Report<'_> {
    fn new(args: &Args) -> Report<'_> {
        let (words, rows, summary) = (HashMap::new(), Vec::new(), Summary::default());
        Report { args, words, rows, summary, readable: false }
    }

    fn add(&mut self, mut row: Row) -> Result<(), Failure> {
        self.summary.count(&row);
        if let (Some(spec), Some(foul)) = (row.spec, &mut row.foul) {
            let words = self.words.entry(key(spec, &row.variant));
            let words = words.or_insert_with(|| words_for(spec, &row.variant));
            foul.detail = words.reason(foul.reason);
        }
        self.readable |= row.readable();
        self.rows.push(row);
        if self.readable && !self.args.json {
            for row in std::mem::take(&mut self.rows) {
                self.tell(&row)?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, row: &Row) -> Result<(), Failure> {
        if self.args.jsonl {
            return output::json(row);
        }
        let name = match (row.one_of_many, self.args.files.len()) {
            (true, _) => format!("{}, {}: ", output::plain(&row.file), row.index),
            (false, 1) => String::new(),
            (false, _) => format!("{}: ", output::plain(&row.file)),
        };
        let words = row.spec.map(|spec| {
            let words = self.words.entry(key(spec, &row.variant));
            words.or_insert_with(|| words_for(spec, &row.variant))
        });
        output::text(&format!("{name}{}", sentence(row, words.as_deref())))
    }

    fn finish(mut self, watch: &Stopwatch, game: Option<&'static GameSpec>) -> Result<(), Failure> {
        if !self.readable {
            let error = self.rows.swap_remove(0).error.expect("an unreadable row says why");
            return Err(Failure::NoAnswer(error.whole));
        }
        let end = End {
            summary: self.summary,
            seconds: watch.seconds(),
            cpu_seconds: watch.cpu_seconds(),
        };
        if self.args.jsonl {
            return output::json(&end);
        }
        if self.args.json {
            let mut games: Vec<_> = self.rows.iter().filter_map(|r| r.game).collect();
            games.dedup();
            let only = if games.len() == 1 { games.first().copied() } else { None };
            let mut variants: Vec<_> = self.rows.iter().filter_map(|r| r.variant.clone()).collect();
            variants.dedup();
            let variant = if variants.len() == 1 { variants.pop() } else { None };
            let head = Head::new("judge", game.map(|g| g.id).or(only), variant);
            return output::json(&Document { head, records: self.rows, end });
        }
        if end.summary.records > 1 {
            let Summary { records, unreadable, disagree, .. } = end.summary;
            let text = format!(
                "{}: {unreadable} unreadable, {disagree} with another result than they claim.",
                records::count(records)
            );
            return output::text(&text);
        }
        Ok(())
    }
}

fn variant_of(spec: &GameSpec, text: &Option<String>) -> Option<Variant> {
    text.as_deref().and_then(|text| spec.variant(text).ok())
}

/// Seats are named by how many there are.
fn key(spec: &'static GameSpec, variant: &Option<String>) -> (&'static str, bool) {
    (spec.id, variant_of(spec, variant).is_some_and(|v| spec.variant_spec(&v).seats == 4))
}

fn words_for(spec: &GameSpec, variant: &Option<String>) -> Words {
    match variant_of(spec, variant) {
        Some(variant) => registry::words_of(spec, &variant),
        None => registry::words(spec),
    }
}

/// A record's verdict in words.
fn sentence(row: &Row, words: Option<&Words>) -> String {
    let mut said = Vec::new();
    if let Some(words) = words {
        if let Some(foul) = &row.foul {
            let seat = seat_name(words, foul.seat);
            let values = [("move", &*foul.r#move), ("seat", &*seat), ("reason", &*foul.detail)];
            said.push(format!("Ply {}: {}", foul.ply, words.text("outcome-foul", &values)));
        }
        match row.outcome {
            // The foul's own sentence has named the rule.
            Some(outcome) if row.foul.is_some() => {
                let (winners, team) = winners_text(words, outcome);
                said.push(format!("{winners} {}.", if team { "win" } else { "wins" }));
            }
            Some(outcome) => {
                let text = outcome_text(words, outcome);
                said.push(format!("{} ({} plies).", text.trim_end_matches('.'), row.plies));
            }
            None if row.error.is_none() && row.foul.is_none() => {
                said.push(format!("No result after {} plies.", row.plies));
            }
            None => {}
        }
    }
    if let Some(Score { first, second }) = row.score {
        said.push(format!("Score {first}:{second}."));
    }
    if let (Some(false), Some(claimed)) = (row.agrees, &row.claimed) {
        said.push(format!("The record claims otherwise: {}.", claimed.text.trim_end_matches('.')));
    }
    said.extend((row.commitments == "ok").then(|| "Every commitment is kept.".to_string()));
    said.extend(row.error.as_ref().map(|e| output::sentence(&e.whole)));
    said.extend(row.warnings.iter().map(|w| format!("Line {}: {}", w.line, w.text)));
    output::plain(&said.join(" "))
}
