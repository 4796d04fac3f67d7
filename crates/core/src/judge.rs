//! Replays a record and says what the rules make of it. Generic, so that archives are judged
//! without going through text and `dyn`.

use crate::{
    Act, Arbiter, Conduct, Ending, Foul, Game, OpenError, Opening, Outcome, ReadError, Record,
    Refusal, Stage, Table, Viewer, Warning,
};
use std::borrow::Cow;

/// What the rules and the calls in a record give.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The variant's canonical text.
    pub variant: String,
    /// The start position.
    pub start: String,
    /// Plies played, passes included, a foul not.
    pub plies: usize,
    /// The last position (before a foul).
    pub last: String,
    /// The outcome, if the record reaches one.
    pub outcome: Option<Outcome>,
    /// The foul that ended it, with its ply.
    pub foul: Option<(usize, Foul)>,
    /// The score of `first` and `second`.
    pub score: Option<(i64, i64)>,
    /// Whether the record's own claim agrees; `None` where there is no claim or no ground to judge it.
    pub agrees: Option<bool>,
    /// Whether what was laid down in secret fits the commitments made before; `None` where there
    /// are none or one is not opened.
    pub commitments: Option<bool>,
    /// What was odd.
    pub warnings: Vec<Warning>,
    /// What could not be read, and ended the judging there.
    pub error: Option<ReadError>,
}

/// Judges a record as archived play.
///
/// # Errors
/// If its variant or start is wrong.
pub fn judge<R: Game>(record: &Record) -> Result<Judged, OpenError> {
    let variant = R::spec().variant(&record.variant).map_err(OpenError::Variant)?;
    let start = (!record.start.is_empty()).then(|| record.start.clone());
    let opening = Opening { variant, start, conduct: Conduct::Archive, seed: None };
    let mut table = Table::<R>::open_to_judge(&opening)?;
    let mut warnings = record.warnings.clone();
    let error = replay(&mut table, record, &mut warnings);
    let ending = table.ending().cloned();
    let outcome = ending.as_ref().and_then(|e| e.outcome);
    let plies = table.line().steps().len();
    let foul = ending.and_then(|Ending { foul, .. }| foul).map(|foul| (plies + 1, foul));
    let agrees = agrees(record, outcome, foul.is_some());
    Ok(Judged {
        variant: table.variant(),
        start: table.start().to_string(),
        plies,
        last: table.position(Viewer::Referee),
        outcome,
        foul,
        score: table.score(),
        agrees,
        commitments: None,
        warnings,
        error,
    })
}

fn replay<R: Game>(
    table: &mut Table<R>,
    record: &Record,
    warnings: &mut Vec<Warning>,
) -> Option<ReadError> {
    for node in record.main_line() {
        let Some(entry) = &node.entry else { continue };
        let mut entry = Cow::Borrowed(entry);
        if table.stage() == Stage::Over {
            // The calls that state a result already reached (a resignation after mate, 詰み) are no news.
            if matches!(entry.act, Act::Move(_)) {
                let (line, column) = node.at.unwrap_or((1, 1));
                let text = "Moves follow the end of the game; they are not judged.".to_string();
                warnings.push(Warning { line, column, text });
            }
            return None;
        }
        if entry.by.is_empty() && matches!(entry.act, Act::Call(_)) {
            entry.to_mut().by = table.waiting_for();
        }
        if let Err(refusal) = table.put(&entry) {
            let error = match refusal {
                Refusal::Unreadable(e) => e,
                other => ReadError::new("bad-record", other.to_string()),
            };
            let (line, column) = node.at.unwrap_or((1, 1));
            return Some(error.line(line).column(column));
        }
    }
    None
}

fn agrees(record: &Record, outcome: Option<Outcome>, foul: bool) -> Option<bool> {
    let claimed = record.claimed.as_ref()?;
    match outcome {
        Some(outcome) => Some(outcome.result() == claimed.result),
        None if foul => None,
        None if claimed.result == "none" => Some(true),
        None => None,
    }
}
