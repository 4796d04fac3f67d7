//! KIF and KIFU: numbered Japanese moves with times, comments and branches. KI2 has the same
//! headers, comments and branches around marked moves, several a line. BOD is the head of either
//! alone: a diagram with both hands, the side to move and the number of the last move.
//!
//! Read in UTF-8, UTF-16, Shift_JIS, EUC-JP or ISO-2022-JP, written in UTF-8.

mod divide;
mod read;
mod write;

use super::text::{Cursor, lines, sample};
use super::{headers, japanese};
use kiban_core::{Format, ReadError, Record, Source, gather};

/// Which of the formats a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Kif,
    Ki2,
    Bod,
}

impl Style {
    fn name(self) -> &'static str {
        match self {
            Style::Kif => "KIF",
            Style::Ki2 => "KI2",
            Style::Bod => "BOD",
        }
    }

    /// Reads a file at once.
    fn read(self, source: Source<'_>) -> Result<Vec<Record>, ReadError> {
        let format = match self {
            Style::Kif => FORMAT,
            Style::Ki2 => KI2,
            Style::Bod => BOD,
        };
        gather(format.stream.expect("all of them are streams"), source)
    }

    /// The format's name in messages of the writer.
    fn record(self) -> &'static str {
        match self {
            Style::Kif => "A KIF record",
            Style::Ki2 => "A KI2 record",
            Style::Bod => "A BOD diagram",
        }
    }
}

/// The header that carries a variant other than plain shogi.
pub(super) const VARIANT_KEY: &str = "ルール";
/// The header that carries the move before a position, which a diagram has behind its number.
const LAST_MOVE_KEY: &str = "最終手";
/// Begins the line that tells a time with milliseconds, a comment to other programs.
const SPENT: &str = "# spent ";

/// The format KIF.
pub(super) const FORMAT: Format = Format {
    id: "kif",
    extensions: &["kif", "kifu"],
    sniff: |bytes| sniff(Style::Kif, bytes),
    read: Some(|source| Style::Kif.read(source)),
    stream: Some(|source, sink| read::stream(Style::Kif, source, sink)),
    write: Some(|records| write::write(Style::Kif, records)),
    joint: Some("\n"),
    ..Format::NONE
};

/// The format KI2.
pub(super) const KI2: Format = Format {
    id: "ki2",
    extensions: &["ki2", "ki2u"],
    sniff: |bytes| sniff(Style::Ki2, bytes),
    read: Some(|source| Style::Ki2.read(source)),
    stream: Some(|source, sink| read::stream(Style::Ki2, source, sink)),
    write: Some(|records| write::write(Style::Ki2, records)),
    joint: Some("\n"),
    ..Format::NONE
};

/// The format BOD.
pub(super) const BOD: Format = Format {
    id: "bod",
    extensions: &["bod"],
    sniff: |bytes| if sniff(Style::Kif, bytes) <= DIAGRAM { sniff(Style::Bod, bytes) } else { 0 },
    read: Some(|source| Style::Bod.read(source)),
    stream: Some(|source, sink| read::stream(Style::Bod, source, sink)),
    write: Some(|records| write::write(Style::Bod, records)),
    joint: Some("\n"),
    ..Format::NONE
};

/// How sure a move or a first line of the format makes.
const SURE: u8 = 90;
/// How surely a diagram is a record whose moves are yet to come.
const DIAGRAM: u8 = 70;

/// How surely a text is of this style. All have the same headers; moves tell them apart.
fn sniff(style: Style, bytes: &[u8]) -> u8 {
    let text = sample(bytes);
    let mut best = 0;
    for line in lines(&text).map(|(_, line)| line.trim_start()) {
        let own = match style {
            Style::Kif if line.starts_with("手数--") || line.starts_with("#KIF") => 98,
            Style::Kif if read::is_move_line(line) => SURE,
            Style::Bod if line.starts_with('|') => DIAGRAM + 10,
            Style::Ki2 if line.starts_with("#KI2") => 98,
            Style::Ki2 if is_marked(line) && japanese::read(&mut Cursor::new(1, line)).is_ok() => {
                SURE
            }
            _ => 0,
        };
        let score = if own > 0 {
            own
        } else if line.starts_with("手合割") {
            DIAGRAM
        } else if headers::split(line).is_some_and(|(key, _)| headers::is_known_kif(key)) {
            60
        } else if line.starts_with("+---------") {
            50
        } else {
            0
        };
        best = best.max(score);
        if best >= SURE {
            break;
        }
    }
    best
}

/// Whether a line begins like a marked move.
fn is_marked(line: &str) -> bool {
    line.starts_with(|c| japanese::MARKS.contains(c))
}
