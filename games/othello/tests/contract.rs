//! The contract of every game.

use kiban_othello::{GAME, Othello};

#[test]
fn contract() {
    kiban_testkit::contract(&GAME);
}

#[test]
fn rules() {
    kiban_testkit::rules::<Othello>(None);
}
