//! Opening and playing games in tests.

use kiban_core::{Arbiter, Conduct, Entry, Opening, Refusal};
use kiban_othello::GAME;

/// A game of a variant, from a position if one is given.
pub(crate) fn open(variant: &str, start: Option<&str>, conduct: Conduct) -> Box<dyn Arbiter> {
    let variant = GAME.variant(variant).expect("a variant");
    let opening = Opening { variant, start: start.map(str::to_string), conduct, seed: None };
    (GAME.open)(&opening).expect("it opens")
}

/// A guided game.
pub(crate) fn guided(variant: &str, start: Option<&str>) -> Box<dyn Arbiter> {
    open(variant, start, Conduct::Guided)
}

/// Puts a move of the seat to move.
pub(crate) fn put(game: &mut dyn Arbiter, text: &str) -> Result<(), Refusal> {
    let seat = game.waiting_for().only().expect("somebody is to move");
    game.put(&Entry::new_move(seat, text))
}

/// The choices of the seat to move, sorted.
pub(crate) fn choices(game: &dyn Arbiter) -> Vec<String> {
    let seat = game.waiting_for().only().expect("somebody is to move");
    let mut texts: Vec<String> = game.choices(seat).into_iter().map(|c| c.text).collect();
    texts.sort();
    texts
}
