//! The contract of every game.

use kiban_jungle::{GAME, Jungle};

#[test]
fn contract() {
    kiban_testkit::contract(&GAME);
}

#[test]
fn rules() {
    kiban_testkit::rules::<Jungle>(None);
}
