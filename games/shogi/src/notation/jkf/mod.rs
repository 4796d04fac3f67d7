//! JKF, the JSON kifu format: headers, a start, and moves with times, comments and forks.
//!
//! A file holds one JSON document a record; a bad one costs no other. Headers have KIF's names; a
//! variant and the number of a first move that is not the first of a game are headers too. Keys
//! that are not of JKF are kept in a header of the record, from which they go back to their places.

mod beside;
mod places;
mod read;
mod write;

use super::csa;
use crate::moves::{Color, PieceKind, Square};
use kiban_core::{Format, gather};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The format's name in messages.
const NAME: &str = "A JKF record";
/// How much of a file tells its format.
const SAMPLE: usize = 4096;
/// A document with more headers is not read.
const MOST_HEADERS: usize = 1000;
/// The header that carries the number of the last move before the start.
const NUMBER_KEY: &str = "手数";
/// The header that keeps what stands under keys that are not of JKF: an object of JSON pointers.
const BESIDE_KEY: &str = "JKF";
/// The byte order mark, which files put together have between them too. It takes no column.
const MARK: char = '\u{feff}';
/// The preset of a start that has no name.
const OTHER: &str = "OTHER";

/// The presets' names and the ids of their set-ups.
const PRESETS: &[(&str, &str)] = &[
    ("KY", "lance"),
    ("KY_R", "right-lance"),
    ("KA", "bishop"),
    ("HI", "rook"),
    ("HIKY", "rook-lance"),
    ("2", "two"),
    ("3", "three"),
    ("4", "four"),
    ("5", "five"),
    ("5_L", "left-five"),
    ("6", "six"),
    ("7_L", "left-seven"),
    ("7_R", "right-seven"),
    ("8", "eight"),
    ("10", "ten"),
];

/// The format.
pub(super) const FORMAT: Format = Format {
    id: "jkf",
    extensions: &["jkf"],
    sniff,
    read: Some(|source| gather(read::stream, source)),
    stream: Some(read::stream),
    write: Some(write::write),
    joint: Some(""),
    ..Format::NONE
};

/// How surely a text is JKF. Its lines may be longer than any sample.
fn sniff(bytes: &[u8]) -> u8 {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SAMPLE)]);
    let text = text.trim_start_matches(MARK).trim_start();
    match text.starts_with('{') {
        true if text.contains("\"header\"") => 85,
        true if text.contains("\"initial\"") && text.contains("\"preset\"") => 85,
        true if text.contains("\"moves\"") => 50,
        _ => 0,
    }
}

/// A record.
#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(default)]
    header: Header,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    initial: Option<Initial>,
    moves: Vec<Step>,
}

/// Headers in their order.
#[derive(Default)]
struct Header(Vec<(String, String)>);

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        struct Headers;
        impl<'de> Visitor<'de> for Headers {
            type Value = Header;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of headers, all of them texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let mut headers = Vec::new();
                while let Some(header) = map.next_entry()? {
                    if headers.len() >= MOST_HEADERS {
                        return Err(A::Error::custom("at most a thousand headers"));
                    }
                    headers.push(header);
                }
                Ok(Header(headers))
            }
        }
        deserializer.deserialize_map(Headers)
    }
}

/// The start.
#[derive(Serialize, Deserialize)]
struct Initial {
    preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Data>,
}

#[derive(Serialize, Deserialize)]
struct Data {
    color: Side,
    /// Files from 1 to 9, each with its ranks from 1 to 9.
    board: [[Cell; 9]; 9],
    /// Sente's and gote's.
    hands: [Hand; 2],
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Cell {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
}

/// Pieces in hand, in the order of their kinds.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "UPPERCASE")]
struct Hand {
    fu: u8,
    ky: u8,
    ke: u8,
    gi: u8,
    ki: u8,
    ka: u8,
    hi: u8,
}

/// A node: a move or what ends the game; the first has neither.
#[derive(Default, Serialize, Deserialize)]
struct Step {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    play: Option<Play>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    special: Option<String>,
    /// Lines that replace this node and what follows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forks: Vec<Vec<Step>>,
}

#[derive(Serialize, Deserialize)]
struct Play {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<Place>,
    /// None where a move ends where the one before it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<Place>,
    /// The piece before it moves.
    piece: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    /// None where there is no choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<Kind>,
    /// L C R for 左 直 右, U M D for 上 寄 引, H for 打.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Time {
    now: Clock,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<Clock>,
}

#[derive(Serialize, Deserialize)]
struct Clock {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    h: Option<u64>,
    #[serde(default)]
    m: u64,
    /// Seconds, which may have a fraction.
    s: serde_json::Number,
}

/// A side as 0 or 1.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
struct Side(Color);

impl TryFrom<u8> for Side {
    type Error = String;

    fn try_from(number: u8) -> Result<Side, String> {
        let color = Color::BOTH.get(usize::from(number));
        color.map(|c| Side(*c)).ok_or("a color is 0 (sente) or 1 (gote)".to_string())
    }
}

impl From<Side> for u8 {
    fn from(side: Side) -> u8 {
        u8::from(side.0 == Color::Gote)
    }
}

/// A piece by its CSA code.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
struct Kind(PieceKind);

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(code: String) -> Result<Kind, String> {
        let kind = csa::PIECES.iter().find(|(c, _)| *c == code).map(|(_, kind)| Kind(*kind));
        kind.ok_or("a piece is FU KY KE GI KI KA HI OU TO NY NK NG UM or RY".to_string())
    }
}

impl From<Kind> for &'static str {
    fn from(kind: Kind) -> &'static str {
        let code = csa::PIECES.iter().find(|(_, k)| *k == kind.0).map(|(code, _)| *code);
        code.expect("every kind has a code")
    }
}

#[derive(Serialize, Deserialize)]
struct Xy {
    x: u8,
    y: u8,
}

/// A square by its file and rank.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Xy", into = "Xy")]
struct Place(Square);

impl TryFrom<Xy> for Place {
    type Error = String;

    fn try_from(Xy { x, y }: Xy) -> Result<Place, String> {
        Square::new(x, y).map(Place).ok_or("a square has x and y from 1 to 9".to_string())
    }
}

impl From<Place> for Xy {
    fn from(place: Place) -> Xy {
        Xy { x: place.0.file(), y: place.0.rank() }
    }
}
