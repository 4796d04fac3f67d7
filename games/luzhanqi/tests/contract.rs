//! The contract of every game.

mod common;

use kiban_luzhanqi::{GAME, Luzhanqi};

#[test]
fn contract() {
    kiban_testkit::contract_hidden(&GAME, &common::HIDDEN);
}

#[test]
fn rules() {
    kiban_testkit::rules::<Luzhanqi>(Some(&common::HIDDEN));
}
