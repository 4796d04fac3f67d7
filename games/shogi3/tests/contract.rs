//! The contract of every game.

use kiban_shogi3::{GAME, Shogi3};

#[test]
fn contract() {
    kiban_testkit::contract(&GAME);
}

#[test]
fn rules() {
    kiban_testkit::rules::<Shogi3>(None);
}
