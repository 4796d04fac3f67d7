//! Finding games, and words for them.

use crate::error::Failure;
use kiban_core::{GameSpec, Viewer};
use kiban_words::Words;

/// The game of this id.
pub(crate) fn game(id: &str) -> Result<&'static GameSpec, Failure> {
    kiban_games::find(id).ok_or_else(|| {
        let known: Vec<_> = kiban_games::all().map(|g| g.id).collect();
        let known = known.join(", ");
        let message = format!("There is no game \"{id}\"; choose one of {known}.");
        let error = kiban_core::ReadError::new("unknown-game", message);
        Failure::NoAnswer(error.field("game").found(id, known))
    })
}

/// A viewer's name, for a game of this many seats.
pub(crate) fn viewer(name: &str, seats: u8) -> Result<Viewer, Failure> {
    let known = |v: &Viewer| match v {
        Viewer::Seat(seat) => seat.index() < usize::from(seats),
        _ => true,
    };
    Viewer::from_name(name).filter(known).ok_or_else(|| {
        let seats = kiban_core::Seats::first_n(seats);
        let seats: Vec<_> = seats.iter().map(|s| s.name()).collect();
        let message = format!(
            "There is no viewer \"{name}\"; choose one of {}, watcher, referee.",
            seats.join(", ")
        );
        Failure::no_answer("unknown-viewer", message)
    })
}

/// The English texts of one game.
pub(crate) fn words(spec: &GameSpec) -> Words {
    Words::english(&[spec], &[])
}

/// Examples for a command's help: `{game}` and `{start}` stand for a real game and position.
pub(crate) fn examples(lines: &[&str]) -> String {
    let game = kiban_games::GAMES.first();
    let id = game.map_or("GAME", |g| g.id);
    let start = game.and_then(|g| g.variants[0].start).unwrap_or("POSITION");
    let mut text = "Examples:".to_string();
    for line in lines {
        text.push_str("\n  kiban ");
        text.push_str(&line.replace("{game}", id).replace("{start}", start));
    }
    text
}
