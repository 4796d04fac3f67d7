//! The registry: the list of games.

use kiban_core::GameSpec;

/// Every game, in the order in which they are offered.
pub static GAMES: &[&GameSpec] = &[
    &kiban_shogi::GAME,
    &kiban_shogi3::GAME,
    &kiban_othello::GAME,
    &kiban_morris::GAME,
    &kiban_jungle::GAME,
    &kiban_luzhanqi::GAME,
];

/// Every game there is.
pub fn all() -> impl Iterator<Item = &'static GameSpec> {
    GAMES.iter().copied()
}

/// The game of this id.
pub fn find(id: &str) -> Option<&'static GameSpec> {
    all().find(|game| game.id == id)
}
