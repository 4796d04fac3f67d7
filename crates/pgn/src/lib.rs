//! Records like those of chess: tags in brackets, then numbered moves, calls, comments and
//! branches. For games of two whose community has no format of its own, or has borrowed this one.
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
//! `second-timeout`, `first-declare`, and `agree-draw`, `agree-impasse` of all. Where they do not,
//! as in the files of other programs, the tags `Result` and `Termination` tell the call that ended
//! the game. `[FEN "..."]`, `[White "..."]` and `[Black "..."]` are understood in every game.

mod divide;
mod read;
mod words;
mod write;

pub use divide::divide;
pub use read::{nothing, text};
pub use words::{Tag, bad, read_tag};
pub use write::write_tag;

use kiban_core::{Call, Entry, GameSpec, ReadError, Record, Seat, Seats, Sink, Source};

/// How one game writes such records.
#[derive(Clone, Copy)]
pub struct Dialect {
    /// The game.
    pub spec: &'static GameSpec,
    /// The tags that name the two players, such as `White` and `Black`.
    pub sides: [&'static str; 2],
    /// Whether a file of bare moves, without a tag, is one of its records.
    pub bare: bool,
    /// Says of a word that it belongs to the move before it, where programs write a move in two
    /// words (a mill and the man it takes).
    pub joins: fn(&str) -> bool,
}

impl Dialect {
    /// The format as most games write it: every record names its game.
    pub const fn new(spec: &'static GameSpec) -> Dialect {
        Dialect { spec, sides: ["First", "Second"], bare: false, joins: |_| false }
    }

    /// How surely a file is one of this game's records in this format, 0 to 100.
    pub fn sniff(&self, bytes: &[u8]) -> u8 {
        read::sniff(self, bytes)
    }

    /// Reads a file game by game. One that cannot be read costs no other.
    pub fn stream(&self, source: Source<'_>, sink: &mut Sink<'_>) {
        read::stream(self, source, sink);
    }

    /// Reads every game of a file at once.
    ///
    /// # Errors
    /// Says what is wrong, and where.
    pub fn read(&self, source: Source<'_>) -> Result<Vec<Record>, ReadError> {
        read::read(self, source)
    }

    /// Writes each record, a blank line between two.
    ///
    /// # Errors
    /// If a record holds layouts or a deal.
    pub fn write(&self, records: &[Record]) -> Result<Vec<u8>, ReadError> {
        write::write(self, records)
    }
}

/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;
/// Tags that mean the same in every record: the key and its name in the file.
const TAGS: [(&str, &str); 5] =
    [("event", "Event"), ("place", "Site"), ("date", "Date"), ("round", "Round"), ("id", "GameId")];
/// The keys of the players, and the tags that name them in any game.
const PLAYERS: [(&str, [&str; 2]); 2] =
    [("first", ["First", "White"]), ("second", ["Second", "Black"])];
/// Results and their tokens.
const RESULTS: [(&str, &str); 4] =
    [("first", "1-0"), ("second", "0-1"), ("draw", "1/2-1/2"), ("none", "*")];

/// The token of a result; `*` for one that has none.
pub fn token_of(result: &str) -> &'static str {
    RESULTS.iter().find(|(known, _)| *known == result).map_or("*", |(_, token)| token)
}

/// The result of a token; `none` for what is no token.
pub fn result_of(token: &str) -> &'static str {
    RESULTS.iter().find(|(_, known)| *known == token).map_or("none", |(result, _)| result)
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
