//! The contract of every game.

use kiban_morris::{GAME, Morris};

#[test]
fn contract() {
    kiban_testkit::contract(&GAME);
}

#[test]
fn rules() {
    kiban_testkit::rules::<Morris>(None);
}
