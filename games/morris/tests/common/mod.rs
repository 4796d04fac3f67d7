//! Opening and playing games in tests.

// Each test binary uses its part.
#![allow(dead_code)]

use kiban_core::{Arbiter, Conduct, Ending, Entry, Opening, Refusal, Seat};
use kiban_morris::{GAME, Morris, Position};

/// A game of a variant, from a position if one is given.
pub(crate) fn open(variant: &str, start: Option<&str>, conduct: Conduct) -> Box<dyn Arbiter> {
    try_open(variant, start, conduct).unwrap_or_else(|error| panic!("{variant} {start:?}: {error}"))
}

/// The same, or why it cannot be opened.
pub(crate) fn try_open(
    variant: &str,
    start: Option<&str>,
    conduct: Conduct,
) -> Result<Box<dyn Arbiter>, kiban_core::OpenError> {
    let variant = GAME.variant(variant).expect("a variant");
    let opening = Opening { variant, start: start.map(str::to_string), conduct, seed: None };
    (GAME.open)(&opening)
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

/// Puts moves separated by spaces.
pub(crate) fn play(game: &mut dyn Arbiter, moves: &str) {
    for text in moves.split_whitespace() {
        put(game, text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
}

/// The choices of the seat to move, sorted; none when the game is over.
pub(crate) fn choices(game: &dyn Arbiter) -> Vec<String> {
    let Some(seat) = game.waiting_for().only() else { return Vec::new() };
    let mut texts: Vec<String> = game.choices(seat).into_iter().map(|c| c.text).collect();
    texts.sort();
    texts
}

/// Result and reason of a game that is over.
pub(crate) fn ending(game: &dyn Arbiter) -> Option<(&'static str, &'static str)> {
    game.ending().map(|Ending { outcome, .. }| {
        let outcome = outcome.expect("an outcome");
        (outcome.result(), outcome.reason().0)
    })
}

/// The men of a made-up position, by names.
pub(crate) struct Men<'a> {
    pub(crate) white: &'a str,
    pub(crate) black: &'a str,
    pub(crate) hand: [u8; 2],
    pub(crate) slides: u16,
}

impl Men<'_> {
    /// The position's text, for this seat to move.
    pub(crate) fn text(&self, variant: &str, to_move: Seat) -> String {
        let rules = Morris::of_variant(&GAME.variant(variant).expect("a variant"));
        let set = |names: &str| {
            let points = names.split_whitespace().map(|name| rules.grid().find(name));
            points.fold(0, |set, point| set | 1 << point.expect("a point"))
        };
        let Men { white, black, hand, slides } = *self;
        let men = [set(white), set(black)];
        rules.write(&Position { men, hand, to_move, slides, number: 20 })
    }

    /// A guided game from here.
    pub(crate) fn game(&self, variant: &str, to_move: Seat) -> Box<dyn Arbiter> {
        guided(variant, Some(&self.text(variant, to_move)))
    }
}

/// Men on the board alone.
pub(crate) fn men<'a>(white: &'a str, black: &'a str) -> Men<'a> {
    Men { white, black, hand: [0, 0], slides: 0 }
}
