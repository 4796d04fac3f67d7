//! CSA 2.2 and 3.0, the format of computer shogi. Written in UTF-8 as V2.2, as V3.0 where a time
//! has milliseconds.

mod divide;
mod read;
mod write;

use super::text::{lines, sample};
use crate::moves::PieceKind;
use kiban_core::{Format, gather};

/// The format's name in messages.
const NAME: &str = "A CSA record";
/// The header that carries a variant other than plain shogi.
const VARIANT_KEY: &str = "KIBAN_VARIANT";
/// The header that carries a move number other than 1.
const NUMBER_KEY: &str = "KIBAN_NUMBER";
/// The first line of version 3, a comment to readers of version 2.
const ENCODING: &str = "'CSA encoding=";
/// Between two records.
const SEPARATOR: &str = "/";

/// The pieces' codes by kind.
pub(super) const PIECES: &[(&str, PieceKind)] = &[
    ("FU", PieceKind::Pawn),
    ("KY", PieceKind::Lance),
    ("KE", PieceKind::Knight),
    ("GI", PieceKind::Silver),
    ("KI", PieceKind::Gold),
    ("KA", PieceKind::Bishop),
    ("HI", PieceKind::Rook),
    ("OU", PieceKind::King),
    ("TO", PieceKind::PromotedPawn),
    ("NY", PieceKind::PromotedLance),
    ("NK", PieceKind::PromotedKnight),
    ("NG", PieceKind::PromotedSilver),
    ("UM", PieceKind::Horse),
    ("RY", PieceKind::Dragon),
];

/// The format.
pub(super) const FORMAT: Format = Format {
    id: "csa",
    extensions: &["csa"],
    sniff,
    read: Some(|source| gather(read::stream, source)),
    stream: Some(read::stream),
    write: Some(write::write),
    joint: Some("/\n"),
    ..Format::NONE
};

/// How surely a text is CSA.
fn sniff(bytes: &[u8]) -> u8 {
    let text = sample(bytes);
    let mut best = 0;
    for (_, line) in lines(&text) {
        let score = if line.starts_with(ENCODING) || matches!(line.trim_end(), "V2.2" | "V3.0") {
            98
        } else if read::is_move(line) {
            95
        } else if line.starts_with("V2") || line.starts_with("V3") || line.starts_with("P1-KY") {
            90
        } else if line.starts_with("PI") || line.starts_with("N+") || line.starts_with("N-") {
            60
        } else {
            0
        };
        best = best.max(score);
    }
    best
}
