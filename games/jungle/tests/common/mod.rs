//! Opening and playing games in tests.

#![allow(dead_code)] // Each test file uses a part of this.

pub(crate) mod slow;

use kiban_core::{Arbiter, Conduct, Entry, Opening, Refusal};
use kiban_jungle::GAME;

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

/// Puts these moves, separated by spaces.
pub(crate) fn put_all(game: &mut dyn Arbiter, texts: &str) {
    for text in texts.split_whitespace() {
        put(game, text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
}

/// The choices of the seat to move, sorted.
pub(crate) fn choices(game: &dyn Arbiter) -> Vec<String> {
    let seat = game.waiting_for().only().expect("somebody is to move");
    let mut texts: Vec<String> = game.choices(seat).into_iter().map(|c| c.text).collect();
    texts.sort();
    texts
}

/// How a game came out: the result and the reason.
pub(crate) fn outcome(game: &dyn Arbiter) -> Option<(&'static str, &'static str)> {
    let outcome = game.ending()?.outcome?;
    Some((outcome.result(), outcome.reason().0))
}

/// The slug a move is refused with.
pub(crate) fn refusal(game: &mut dyn Arbiter, text: &str) -> &'static str {
    put(game, text).expect_err("it is refused").slug()
}
