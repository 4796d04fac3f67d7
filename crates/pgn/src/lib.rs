//! Records like those of chess: tags in brackets, then numbered moves, calls, comments and
//! branches. For games of two whose community has no format of its own.
//!
//! ```text
//! [Game "trail"]
//! [Variant "trail"]
//! [First "Aya"]
//! [Result "1-0"]
//! [Termination "goal"]
//!
//! 1. b2b3 {[%emt 0:00:02.5] a quiet beginning} e4e3 (1... e4d4) 2. second-resign 1-0
//! ```
//!
//! What the export format of PGN (Edwards, 1994) says of tags, comments, branches and results
//! holds here. `[Position "..."]` is a start that is not the variant's own; `[%emt h:mm:ss.s]` in
//! a comment is the time spent on a move. Calls stand among the moves: `first-resign`,
//! `second-timeout`, `first-declare`, and `agree-draw`, `agree-impasse` of all.

mod read;
mod words;
mod write;

pub use read::read;
pub use write::write;

use kiban_core::{Call, Entry, Seat, Seats};

/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;
/// Tags that mean the same in every record: the key and its name in the file.
const TAGS: [(&str, &str); 7] = [
    ("event", "Event"),
    ("place", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("first", "First"),
    ("second", "Second"),
    ("id", "GameId"),
];
/// Results and their tokens.
const RESULTS: [(&str, &str); 4] =
    [("first", "1-0"), ("second", "0-1"), ("draw", "1/2-1/2"), ("none", "*")];

/// How surely a file is one of this game's records in this format.
pub fn sniff(game: &str, bytes: &[u8]) -> u8 {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(SNIFFED)]);
    let tag = format!("[Game \"{game}\"]");
    if head.lines().any(|line| line.trim().trim_start_matches('\u{feff}') == tag) { 100 } else { 0 }
}

/// A call among the moves.
fn call_text(by: Seats, call: Call) -> String {
    match by.only() {
        Some(seat) => format!("{seat}-{}", call.slug()),
        None => call.slug().to_string(),
    }
}

/// The call of such a text.
fn read_call(text: &str) -> Option<Entry> {
    if let Some(call @ (Call::AgreeDraw | Call::AgreeImpasse)) = Call::from_slug(text) {
        return Some(Entry::new_call(Seats::first_n(2), call));
    }
    let (seat, call) = text.split_once('-')?;
    let call = Call::from_slug(call)?;
    let seat = [Seat::FIRST, Seat::SECOND].into_iter().find(|s| s.name() == seat)?;
    let alone = !matches!(call, Call::AgreeDraw | Call::AgreeImpasse);
    alone.then(|| Entry::new_call(seat, call))
}

#[cfg(test)]
mod tests;
