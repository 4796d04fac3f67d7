//! Two toy games, registered in tests only: as small as they can be with what is hard in them.
//!
//! [`trail`] forbids moves because of history and is judged officially; [`veil`] has four seats
//! in two teams, secret layouts, a deal, skips and a seat going out. A third, [`stones`], has an
//! engine that misbehaves at will, for tests of what runs games.

pub mod stones;
pub mod trail;
pub mod veil;

use kiban_core::{Format, Names, ReadError, Record, Source};

/// The file format of both toys: the records as JSON.
pub const JSON: Format = Format {
    id: "json",
    extensions: &["json"],
    sniff: |bytes| if bytes.starts_with(b"[{\"game\"") { 90 } else { 0 },
    read: Some(read_json),
    write: Some(write_json),
    ..Format::NONE
};

fn read_json(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    serde_json::from_slice(source.bytes).map_err(|e| {
        ReadError::new("bad-record", format!("This is no list of records: {e}.")).line(e.line())
    })
}

fn write_json(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    serde_json::to_vec(records).map_err(|e| ReadError::new("bad-record", e.to_string()))
}

/// The same name in every language.
const fn names(name: &'static str) -> Names {
    Names { en: name, zh_hans: name, zh_hant: name, ja: name }
}

/// A number field of a position's text.
fn number(text: Option<&str>, field: &str, most: u8) -> Result<u8, ReadError> {
    let text = text.unwrap_or("");
    text.parse().ok().filter(|n| *n <= most).ok_or_else(|| {
        let message = format!("The {field} must be a number up to {most}.");
        ReadError::new("bad-position", message).field(field).found(text, "a number")
    })
}

/// A seat's name in a position's text.
fn seat(text: Option<&str>) -> Result<kiban_core::Seat, ReadError> {
    let text = text.unwrap_or("");
    kiban_core::Seat::from_name(text).ok_or_else(|| {
        let message = "The turn must name a seat: first, second, third or fourth.";
        ReadError::new("bad-position", message).field("turn").found(text, "a seat")
    })
}
