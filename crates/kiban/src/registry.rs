//! Finding games, and words for them.

use crate::error::Failure;
use kiban_core::{GameSpec, Seat, Variant, Viewer};
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

/// The English texts of one game, its seats named as in this variant: of four, by where they sit.
pub(crate) fn words_of(spec: &GameSpec, variant: &Variant) -> Words {
    let words = words(spec);
    if spec.variant_spec(variant).seats < 4 {
        return words;
    }
    let named = |seat: Seat| {
        let key = format!("{}-four-{seat}", spec.id);
        words.has(&key).then(|| format!("seat-{seat} = {}\n", words.get(&key)))
    };
    let names: String = Seat::ALL.into_iter().filter_map(named).collect();
    Words::english(&[spec], &[&names])
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
