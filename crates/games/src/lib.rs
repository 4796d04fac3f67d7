//! The registry: the list of games.

use kiban_core::GameSpec;

/// Every game that can be played everywhere, in the order in which they are offered.
pub static GAMES: &[&GameSpec] = &[&kiban_shogi::GAME, &kiban_othello::GAME];

/// Games whose rules and referee are complete and whose pages are not: the command line shows,
/// counts and judges them; the site does not offer them yet.
pub static RULES_ONLY: &[&GameSpec] = &[&kiban_luzhanqi::GAME];

/// Every game there is.
pub fn all() -> impl Iterator<Item = &'static GameSpec> {
    GAMES.iter().chain(RULES_ONLY).copied()
}

/// The game of this id.
pub fn find(id: &str) -> Option<&'static GameSpec> {
    all().find(|game| game.id == id)
}
