//! The game through its table.

use kiban_core::{Conduct, Opening};

fn open(variant: &str) -> Box<dyn kiban_core::Arbiter> {
    let game = &kiban_othello::GAME;
    let variant = game.variant(variant).expect("a variant");
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
    (game.open)(&opening).expect("it opens")
}

#[test]
fn opens() {
    let game = open("");
    let texts: Vec<String> =
        game.choices(kiban_core::Seat::FIRST).into_iter().map(|c| c.text).collect();
    assert_eq!(texts, ["d3", "c4", "f5", "e6"]);
}
