//! KIF and KIFU: numbered Japanese moves with times, comments and branches. KI2 has the same
//! headers, comments and branches around marked moves, several a line.
//!
//! Read in UTF-8, UTF-16, Shift_JIS, EUC-JP or ISO-2022-JP, written in UTF-8.

mod read;
mod write;

use super::text::{Cursor, lines, sample};
use super::{headers, japanese};
use kiban_core::Format;

/// Which of the two formats a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Kif,
    Ki2,
}

impl Style {
    fn name(self) -> &'static str {
        match self {
            Style::Kif => "KIF",
            Style::Ki2 => "KI2",
        }
    }

    /// The format's name in messages of the writer.
    fn record(self) -> &'static str {
        match self {
            Style::Kif => "A KIF record",
            Style::Ki2 => "A KI2 record",
        }
    }
}

/// The header that carries a variant other than plain shogi.
pub(super) const VARIANT_KEY: &str = "ルール";
/// Begins the line that tells a time with milliseconds, a comment to other programs.
const SPENT: &str = "# spent ";

/// The format KIF.
pub(super) const FORMAT: Format = Format {
    id: "kif",
    extensions: &["kif", "kifu"],
    sniff: |bytes| sniff(Style::Kif, bytes),
    read: Some(|source| read::read(Style::Kif, source)),
    write: Some(|records| write::write(Style::Kif, records)),
};

/// The format KI2.
pub(super) const KI2: Format = Format {
    id: "ki2",
    extensions: &["ki2", "ki2u"],
    sniff: |bytes| sniff(Style::Ki2, bytes),
    read: Some(|source| read::read(Style::Ki2, source)),
    write: Some(|records| write::write(Style::Ki2, records)),
};

/// How surely a text is of this style. Both have the same headers; moves tell them apart.
fn sniff(style: Style, bytes: &[u8]) -> u8 {
    let text = sample(bytes);
    let mut best = 0;
    for line in lines(&text).map(|(_, line)| line.trim_start()) {
        let own = match style {
            Style::Kif if line.starts_with("手数--") || line.starts_with("#KIF") => 98,
            Style::Kif if read::is_move_line(line) => 90,
            Style::Ki2 if line.starts_with("#KI2") => 98,
            Style::Ki2 if is_marked(line) && japanese::read(&mut Cursor::new(1, line)).is_ok() => {
                90
            }
            _ => 0,
        };
        let score = if own > 0 {
            own
        } else if line.starts_with("手合割") {
            70
        } else if headers::split(line).is_some_and(|(key, _)| headers::is_known_kif(key)) {
            60
        } else if line.starts_with("+---------") {
            50
        } else {
            0
        };
        best = best.max(score);
    }
    best
}

/// Whether a line begins like a marked move.
fn is_marked(line: &str) -> bool {
    line.starts_with(|c| japanese::MARKS.contains(c))
}
