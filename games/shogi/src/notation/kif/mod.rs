//! KIF and KIFU: numbered Japanese moves with times, comments and branches.
//!
//! Read in UTF-8, UTF-16, Shift_JIS, EUC-JP or ISO-2022-JP, written in UTF-8.

mod read;
mod write;

use super::headers;
use super::text::{lines, sample};
use kiban_core::Format;

/// The format's name in messages.
const NAME: &str = "A KIF record";
/// The header that carries a variant other than plain shogi.
const VARIANT_KEY: &str = "ルール";
/// Begins the line that tells a time with milliseconds, a comment to other programs.
const SPENT: &str = "# spent ";

/// The format.
pub(super) const FORMAT: Format = Format {
    id: "kif",
    extensions: &["kif", "kifu"],
    sniff,
    read: Some(read::read),
    write: Some(write::write),
};

/// How surely a text is KIF. KI2 has the same headers, but neither the line above the moves nor
/// numbered moves.
fn sniff(bytes: &[u8]) -> u8 {
    let text = sample(bytes);
    let mut best = 0;
    for line in lines(&text).map(|(_, line)| line.trim_start()) {
        let score = if line.starts_with("手数--") || line.starts_with("#KIF") {
            98
        } else if read::is_move_line(line) {
            90
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
