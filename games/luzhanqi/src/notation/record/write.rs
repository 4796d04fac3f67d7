//! Writing records.

use super::{AGREE_DRAW, is_arranged, layout_tag, referee, tag_names};
use crate::GAME;
use crate::known::Known;
use crate::notation::moves::{call_text, event_text};
use kiban_core::{Act, Arbiter, Call, Entry, Outcome, ReadError, Record, Viewer};
use kiban_pgn::{token_of, write_tag};

/// Plies are wrapped before this column.
const WIDTH: usize = 80;

/// Writes each record, a blank line between two.
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::new();
    for (i, record) in records.iter().enumerate() {
        if record.nodes.iter().any(|node| node.children.len() > 1) {
            let message = format!("Game {} has variations; this format holds none.", i + 1);
            return Err(ReadError::new("not-held", message));
        }
        if i > 0 {
            text.push('\n');
        }
        write_one(&mut text, record);
    }
    Ok(text.into_bytes())
}

fn write_one(text: &mut String, record: &Record) {
    let replayed = Replayed::of(record);
    write_tag(text, "Game", GAME.id);
    write_tag(text, "Variant", &record.variant);
    if !is_arranged(record) {
        write_tag(text, "Position", &record.start);
    }
    for (key, name) in tag_names() {
        if let Some(value) = record.tag(&key) {
            write_tag(text, &name, value);
        }
    }
    for (name, value) in &record.unknown {
        write_tag(text, name, value);
    }
    for entry in record.entries() {
        match &entry.act {
            Act::Layout(letters) => {
                if let Some(seat) = entry.by.only() {
                    write_tag(text, &layout_tag(seat), letters);
                }
            }
            Act::Deal(letters) => write_tag(text, "Deal", letters),
            Act::Move(_) | Act::Call(_) => {}
        }
    }
    let (result, reason) = result(record, &replayed);
    write_tag(text, "Result", result);
    if let Some(reason) = reason {
        write_tag(text, "Termination", &reason);
    }
    text.push('\n');
    plies(text, record, &replayed, result);
}

/// The plies of a record as its referee sees them.
struct Replayed {
    /// For each entry, its text where it became a ply.
    texts: Vec<Option<String>>,
    seats: usize,
    outcome: Option<Outcome>,
    /// Whether every entry was taken.
    whole: bool,
}

impl Replayed {
    fn of(record: &Record) -> Replayed {
        let mut replayed = Replayed { texts: Vec::new(), seats: 2, outcome: None, whole: false };
        let Some(mut table) = referee(record) else { return replayed };
        let rules = table.line().rules();
        replayed.seats = if rules.options.four { 4 } else { 2 };
        let mut plies = Vec::new();
        for entry in record.entries() {
            let mut entry: Entry = entry.clone();
            if entry.by.is_empty() && !matches!(entry.act, Act::Deal(_)) {
                entry.by = table.waiting_for();
            }
            let before = table.line().steps().len();
            if table.put(&entry).is_err() {
                break;
            }
            plies.push((table.line().steps().len() > before).then_some(before));
        }
        replayed.whole = plies.len() == record.entries().count();
        replayed.outcome = table.ending().and_then(|e| e.outcome);
        let known = Known::of(rules, table.line(), Viewer::Referee);
        let text = |ply: Option<usize>| ply.map(|ply| event_text(rules, &known.events[ply]));
        replayed.texts = plies.into_iter().map(text).collect();
        replayed
    }
}

/// The result's token and the reason's slug.
fn result(record: &Record, replayed: &Replayed) -> (&'static str, Option<String>) {
    match (replayed.outcome, &record.claimed) {
        (Some(outcome), _) if replayed.whole => {
            (token_of(outcome.result()), Some(outcome.reason().0.to_string()))
        }
        (_, Some(claimed)) if !replayed.whole => {
            (token_of(&claimed.result), claimed.reason.clone())
        }
        _ => ("*", None),
    }
}

fn plies(text: &mut String, record: &Record, replayed: &Replayed, result: &str) {
    let mut words: Vec<String> = Vec::new();
    let mut ply = 0;
    let nodes = record.main_line().filter(|node| node.entry.is_some());
    for (i, node) in nodes.enumerate() {
        let entry = node.entry.as_ref().expect("nodes without an entry are left out");
        let played = replayed.texts.get(i).cloned().flatten();
        let word = match (&entry.act, played) {
            (Act::Layout(_) | Act::Deal(_), _) => continue,
            (_, Some(text)) => text,
            (Act::Move(text), None) => text.clone(),
            (Act::Call(Call::AgreeDraw), None) => AGREE_DRAW.to_string(),
            (Act::Call(call), None) => match entry.by.only() {
                Some(seat) => call_text(seat, *call),
                None => continue,
            },
        };
        if ply % replayed.seats == 0 {
            words.push(format!("{}.", ply / replayed.seats + 1));
        }
        ply += 1;
        words.push(word);
        if !node.comment.is_empty() {
            words.push(format!("{{{}}}", node.comment.replace(['{', '}'], "").replace('\n', " ")));
        }
    }
    words.push(result.to_string());
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
    text.push('\n');
}
