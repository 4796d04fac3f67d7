//! The registry: the list of games.

use kiban_core::GameSpec;

/// Every game of the program, in the order in which they are offered.
pub static GAMES: &[&GameSpec] = &[&kiban_shogi::GAME, &kiban_othello::GAME];

/// The game of this id.
pub fn find(id: &str) -> Option<&'static GameSpec> {
    GAMES.iter().copied().find(|game| game.id == id)
}
