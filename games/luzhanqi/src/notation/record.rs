//! Records like those of chess: tags in brackets, then the plies with what came of them.

mod read;
mod write;

use super::commitment::{self, commitment_key, committers, salt_key};
use crate::{GAME, Luzhanqi, Options};
use kiban_core::{Conduct, Format, Judged, OpenError, Opening, Record, Seat, Table, gather};

pub(crate) const FORMAT: Format = Format {
    id: "pgn",
    extensions: &["pgn", "junqi"],
    sniff,
    read: Some(|source| gather(read::stream, source)),
    stream: Some(read::stream),
    write: Some(write::write),
    ..Format::NONE
};

/// How a draw by agreement stands among the plies.
const AGREE_DRAW: &str = "agree-draw";
/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;

fn sniff(bytes: &[u8]) -> u8 {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(SNIFFED)]);
    let tag = format!("[Game \"{}\"]", GAME.id);
    if head.lines().any(|line| line.trim() == tag) { 100 } else { 0 }
}

/// Tags that mean the same in every record: the key and its name in the file.
fn tag_names() -> Vec<(String, String)> {
    let plain = [
        ("event", "Event"),
        ("place", "Site"),
        ("date", "Date"),
        ("first", "First"),
        ("second", "Second"),
        ("third", "Third"),
        ("fourth", "Fourth"),
        ("id", "GameId"),
    ];
    let mut names: Vec<(String, String)> =
        plain.iter().map(|(key, name)| (key.to_string(), name.to_string())).collect();
    for who in committers() {
        names.push((commitment_key(who), format!("Commitment{}", capital(who))));
        names.push((salt_key(who), format!("Salt{}", capital(who))));
    }
    names
}

/// `First` of `first`.
fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// The tag of a seat's layout.
fn layout_tag(seat: Seat) -> String {
    format!("Layout{}", capital(seat.name()))
}

/// A referee for the record's game; `None` if its variant or start is wrong.
pub(super) fn referee(record: &Record) -> Option<Table<Luzhanqi>> {
    let variant = GAME.variant(&record.variant).ok()?;
    let start = (!record.start.is_empty()).then(|| record.start.clone());
    Table::open(&Opening { variant, start, conduct: Conduct::Archive, seed: None }).ok()
}

/// Whether this is the set-up of a game that begins by layouts or a deal.
fn is_arranged(record: &Record) -> bool {
    let flips = GAME.variant(&record.variant).is_ok_and(|v| Options::of(&v).flips());
    record.start.is_empty() || record.start == super::arranged_text(flips)
}

/// Judges a record, its commitments too.
pub(crate) fn judge(record: &Record) -> Result<Judged, OpenError> {
    let mut judged = kiban_core::judge::<Luzhanqi>(record)?;
    let (warnings, error) = commitment::check(record);
    let promised = committers().any(|who| record.tag(&commitment_key(who)).is_some());
    judged.commitments = match &error {
        Some(_) => Some(false),
        None => (promised && warnings.is_empty()).then_some(true),
    };
    judged.warnings.extend(warnings);
    judged.error = judged.error.or(error);
    Ok(judged)
}
