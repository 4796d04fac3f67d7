//! USI, the Universal Shogi Interface: Kiban as an engine, and Kiban as an engine's user.

mod engine;
mod go;
mod info;
mod pilot;

use crate::impasse::Declaration;
use crate::rules::Shogi;
use kiban_core::Protocol;

/// The protocol.
pub(crate) const USI: Protocol = Protocol {
    id: "usi",
    engine: Some(|variant| Box::new(engine::Usi::new(variant))),
    pilot: Some(|variant| Box::new(pilot::Usi::new(variant))),
};

/// The option that names the rule of impasse, as other engines name it.
const ENTERING_KING: &str = "EnteringKingRule";
/// The option that names the last ply; 0 is none.
const MAX_MOVES: &str = "MaxMovesToDraw";
/// What the option may be, and the rules that are meant.
const ENTERING_KING_RULES: [(&str, Declaration, bool); 6] = [
    ("NoEnteringKing", Declaration::None, false),
    ("CSARule24", Declaration::Points24, false),
    ("CSARule24H", Declaration::Points24, true),
    ("CSARule27", Declaration::Points27, false),
    ("CSARule27H", Declaration::Points27, true),
    ("TryRule", Declaration::Try, false),
];
/// The same names alone.
const ENTERING_KING_NAMES: [&str; 6] =
    ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

/// The name of a variant's rule of impasse.
fn entering_king(rules: Shogi) -> &'static str {
    let same = |(_, declaration, missing): &&(&str, Declaration, bool)| {
        *declaration == rules.declaration && *missing == rules.count_missing
    };
    ENTERING_KING_RULES.iter().find(same).map_or("NoEnteringKing", |rule| rule.0)
}
