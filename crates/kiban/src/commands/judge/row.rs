//! A record's verdict as it is told.

use super::super::show::{outcome_text, seat_name, winners_text};
use crate::output;
use crate::records::{Known, NOT_STRICT, TOLD};
use kiban_core::{Claimed, GameSpec, Judged, Outcome, ReadError, Seat, Warning};
use kiban_words::Words;
use serde::Serialize;
use std::path::Path;

/// A record's verdict, or why it has none.
#[derive(Serialize)]
pub(super) struct Row {
    file: String,
    pub(super) index: usize,
    format: Option<&'static str>,
    pub(super) game: Option<&'static str>,
    pub(super) variant: Option<String>,
    start: Option<String>,
    plies: usize,
    r#final: Option<String>,
    pub(super) outcome: Option<Outcome>,
    pub(super) foul: Option<FoulFacts>,
    score: Option<Score>,
    claimed: Option<Claimed>,
    pub(super) agrees: Option<bool>,
    commitments: &'static str,
    pub(super) warnings: Vec<Warning>,
    pub(super) error: Option<Unread>,
    #[serde(skip)]
    pub(super) spec: Option<&'static GameSpec>,
}

#[derive(Serialize)]
pub(super) struct FoulFacts {
    ply: usize,
    seat: Seat,
    r#move: String,
    pub(super) reason: &'static str,
    pub(super) detail: String,
}

#[derive(Serialize)]
struct Score {
    first: i64,
    second: i64,
}

#[derive(Serialize)]
pub(super) struct Unread {
    pub(super) code: &'static str,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    found: Option<String>,
    expected: Option<String>,
    #[serde(skip)]
    pub(super) whole: ReadError,
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
    pub(super) fn unread(file: &Path, index: usize, known: Option<Known>, error: ReadError) -> Row {
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
        }
    }

    pub(super) fn judged(
        file: &Path,
        index: usize,
        known: Known,
        claim: Option<Claimed>,
        j: Judged,
    ) -> Row {
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
        }
    }

    /// Whether the rules could say something of it.
    pub(super) fn readable(&self) -> bool {
        self.start.is_some()
    }

    /// Whether there is nothing about it that somebody should look at.
    pub(super) fn in_order(&self) -> bool {
        self.error.is_none()
            && self.foul.is_none()
            && self.agrees != Some(false)
            && self.warnings.is_empty()
            && self.commitments != "bad"
    }

    /// The file, where there are several, and the number of the record, where its file has others.
    pub(super) fn name(&self, many_files: bool, many_records: bool) -> String {
        let file = output::plain(&self.file);
        match (many_records, many_files) {
            (true, _) => format!("{file}, {}: ", self.index),
            (false, true) => format!("{file}: "),
            (false, false) => String::new(),
        }
    }

    /// The verdict in words.
    pub(super) fn sentence(&self, words: Option<&Words>) -> String {
        let mut said = Vec::new();
        if let Some(words) = words {
            self.result(words, &mut said);
        }
        if let Some(Score { first, second }) = self.score {
            said.push(format!("Score {first}:{second}."));
        }
        if let Some(claimed) = self.claimed.as_ref().filter(|claimed| !claimed.text.is_empty()) {
            let claim = claimed.text.trim_end_matches('.');
            let without_ground = self.outcome.is_none() && claimed.result != "none";
            match self.agrees {
                Some(false) => said.push(format!("The record claims otherwise: {claim}.")),
                None if without_ground => said.push(format!("The record claims: {claim}.")),
                _ => {}
            }
        }
        said.extend((self.commitments == "ok").then(|| "Every commitment is kept.".to_string()));
        said.extend(self.error.as_ref().map(|e| output::sentence(&e.whole)));
        // What is an error under --strict has been told as one.
        let strict = self.error.as_ref().is_some_and(|e| e.code == NOT_STRICT);
        if !strict {
            let warnings = self.warnings.iter().take(TOLD);
            said.extend(warnings.map(|w| format!("Line {}: {}", w.line, w.text)));
            let more = self.warnings.len().saturating_sub(TOLD) as u64;
            let more = (more > 0).then(|| output::grouped(more));
            said.extend(more.map(|n| format!("{n} more were forgiven; --json lists them all.")));
        }
        output::plain(&said.join(" "))
    }

    fn result(&self, words: &Words, said: &mut Vec<String>) {
        if let Some(foul) = &self.foul {
            let seat = seat_name(words, foul.seat);
            let values = [("move", &*foul.r#move), ("seat", &*seat), ("reason", &*foul.detail)];
            said.push(format!("Ply {}: {}", foul.ply, words.text("outcome-foul", &values)));
        }
        match self.outcome {
            // The foul's own sentence has named the rule.
            Some(outcome) if self.foul.is_some() => {
                let (winners, team) = winners_text(words, outcome);
                let key = if team { "outcome-foul-win-team" } else { "outcome-foul-win" };
                said.push(words.text(key, &[("winner", &winners)]));
            }
            Some(outcome) => {
                let text = outcome_text(words, outcome);
                said.push(format!("{} ({} plies).", text.trim_end_matches('.'), self.plies));
            }
            None if self.foul.is_some() => said.push(words.get("outcome-foul-open")),
            None if self.error.is_none() => {
                said.push(format!("No result after {} plies.", self.plies));
            }
            None => {}
        }
    }
}
