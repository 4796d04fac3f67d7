//! What is told of the records, as they come, and the summary behind them.

use super::Style;
use super::row::Row;
use crate::bulk::Progress;
use crate::error::Failure;
use crate::stopwatch::Stopwatch;
use crate::{output, records};
use kiban_core::{GameSpec, ReadError};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How many of each.
type Counts = BTreeMap<&'static str, usize>;

#[derive(Serialize, Default)]
pub(super) struct Summary {
    records: usize,
    judged: usize,
    unreadable: usize,
    disagree: usize,
    by_reason: Counts,
    by_result: Counts,
    by_foul: Counts,
    by_error: Counts,
    /// As `by_reason`, without the fouls that decided nothing.
    #[serde(skip)]
    decided_by: Counts,
    /// Records that a foul ended without a result.
    #[serde(skip)]
    undecided: usize,
}

impl Summary {
    pub(super) fn count(&mut self, row: &Row) {
        self.records += 1;
        match &row.error {
            Some(error) => {
                self.unreadable += 1;
                *self.by_error.entry(error.code).or_default() += 1;
            }
            None => {
                self.judged += 1;
                let result = row.outcome.map_or("none", |outcome| outcome.result());
                *self.by_result.entry(result).or_default() += 1;
            }
        }
        self.disagree += usize::from(row.agrees == Some(false));
        if let Some(outcome) = row.outcome {
            *self.decided_by.entry(outcome.reason().0).or_default() += 1;
        }
        self.undecided += usize::from(row.foul.is_some() && row.outcome.is_none());
        let foul = row.foul.as_ref().map(|foul| foul.reason);
        if let Some(reason) = row.outcome.map(|o| o.reason().0).or(foul) {
            *self.by_reason.entry(reason).or_default() += 1;
        }
        if let Some(foul) = foul {
            *self.by_foul.entry(foul).or_default() += 1;
        }
    }

    fn add(&mut self, more: Summary) {
        self.records += more.records;
        self.judged += more.judged;
        self.unreadable += more.unreadable;
        self.disagree += more.disagree;
        self.undecided += more.undecided;
        for (counts, more) in [
            (&mut self.by_reason, more.by_reason),
            (&mut self.by_result, more.by_result),
            (&mut self.by_foul, more.by_foul),
            (&mut self.by_error, more.by_error),
            (&mut self.decided_by, more.decided_by),
        ] {
            for (key, n) in more {
                *counts.entry(key).or_default() += n;
            }
        }
    }

    fn text(&self) -> String {
        let Summary { records, unreadable, disagree, .. } = self;
        let mut text = format!(
            "{}: {unreadable} unreadable, {disagree} with another result than they claim.",
            records::count(*records)
        );
        for (name, counts) in [
            ("Results", &self.by_result),
            ("Decided by", &self.decided_by),
            ("Fouls", &self.by_foul),
            ("Unreadable", &self.by_error),
        ] {
            if !counts.is_empty() {
                let all: Vec<_> = counts.iter().map(|(key, n)| format!("{key} {n}")).collect();
                text.push_str(&format!("\n{name}: {}.", all.join(", ")));
            }
        }
        match self.undecided {
            0 => {}
            1 => text.push_str("\nOne foul ends its record without a result."),
            n => text.push_str(&format!("\n{n} fouls end their records without a result.")),
        }
        text
    }
}

/// What comes after the records.
#[derive(Serialize)]
struct End {
    summary: Summary,
    seconds: f64,
    cpu_seconds: Option<f64>,
    interrupted: bool,
}

/// What a job gives: its rows as they are printed, and the counts of them.
#[derive(Default)]
pub(super) struct Told {
    pub(super) text: Vec<u8>,
    pub(super) summary: Summary,
    pub(super) readable: bool,
    /// The first error among them.
    pub(super) error: Option<ReadError>,
    pub(super) games: BTreeSet<&'static str>,
    /// Two of the variants at most.
    pub(super) variants: BTreeSet<String>,
    /// Bytes of files done.
    pub(super) size: u64,
}

/// Bytes of rows that are held back.
const HELD: usize = 4 << 20;

/// Tells the rows as they come. Nothing is told before something was readable, so that a run
/// without any answer leaves standard output empty, unless it has very much to tell.
pub(super) struct Report {
    style: Style,
    progress: Progress,
    /// All so far; its text is what was not told yet.
    all: Told,
    begun: bool,
}

impl Report {
    pub(super) fn new(style: Style, progress: Progress) -> Report {
        Report { style, progress, all: Told::default(), begun: false }
    }

    pub(super) fn take(&mut self, told: Told) -> Result<(), Failure> {
        let records = told.summary.records;
        let all = &mut self.all;
        let joined = self.style == Style::Json && (self.begun || !all.text.is_empty());
        if joined && !told.text.is_empty() {
            all.text.push(b',');
        }
        all.text.extend(told.text);
        all.summary.add(told.summary);
        all.readable |= told.readable;
        all.error = all.error.take().or(told.error);
        all.games.extend(told.games);
        if all.variants.len() < 2 {
            all.variants.extend(told.variants);
        }
        if all.readable || all.text.len() > HELD {
            self.print()?;
        }
        self.progress.add(told.size, records);
        Ok(())
    }

    fn print(&mut self) -> Result<(), Failure> {
        if self.all.text.is_empty() {
            return Ok(());
        }
        self.progress.clear();
        let mut text = std::mem::take(&mut self.all.text);
        if self.style == Style::Json && !self.begun {
            text.splice(..0, *br#"{"schema":1,"command":"judge","records":["#);
        }
        self.begun = true;
        output::bytes(&text)
    }

    /// Tells the summary.
    pub(super) fn finish(
        mut self,
        watch: &Stopwatch,
        game: Option<&'static GameSpec>,
        interrupted: bool,
    ) -> Result<(), Failure> {
        self.progress.clear();
        let Told { summary, readable, error, games, variants, .. } = self.all;
        let records = summary.records;
        if !readable && !self.begun {
            let nothing = if interrupted {
                ReadError::new(
                    "interrupted",
                    "Interrupted before a record was judged; start again.",
                )
            } else {
                ReadError::new("empty-input", "There is no file in what was named; name another.")
            };
            return Err(Failure::NoAnswer(error.unwrap_or(nothing)));
        }
        let (seconds, cpu_seconds) = (watch.seconds(), watch.cpu_seconds());
        let end = End { summary, seconds, cpu_seconds, interrupted };
        match self.style {
            Style::Lines => output::json(&end)?,
            Style::Json => {
                let only = if games.len() == 1 { games.first().copied() } else { None };
                let variant = if variants.len() == 1 { variants.first() } else { None };
                let head = serde_json::json!({
                    "game": game.map(|g| g.id).or(only),
                    "variant": variant,
                });
                let head = serde_json::to_string(&head).expect("plain data");
                let end = serde_json::to_string(&end).expect("plain data");
                output::text(&format!("],{},{}", &head[1..head.len() - 1], &end[1..]))?;
            }
            Style::Text if records == 1 => {}
            Style::Text | Style::Summary => output::text(&end.summary.text())?,
        }
        if !interrupted {
            return error.filter(|_| !readable).map_or(Ok(()), |e| Err(Failure::NoAnswer(e)));
        }
        let covered = match records {
            1 => "record".to_string(),
            n => format!("{} records", output::grouped(n as u64)),
        };
        let message = format!("Interrupted; what is told covers the first {covered}.");
        Err(Failure::no_answer("interrupted", message))
    }
}
