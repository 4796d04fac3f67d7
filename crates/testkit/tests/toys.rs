//! The contract on the toy games.
use kiban_testkit::toys::trail::{TRAIL, Trail};
use kiban_testkit::toys::veil::{HIDDEN, VEIL, Veil};

#[test]
fn trail_keeps_the_contract() {
    kiban_testkit::contract(TRAIL);
}

#[test]
fn trail_keeps_the_rules() {
    kiban_testkit::rules::<Trail>(None);
}

#[test]
fn veil_keeps_the_contract() {
    kiban_testkit::contract_hidden(&VEIL, &HIDDEN);
}

#[test]
fn veil_keeps_the_rules() {
    kiban_testkit::rules::<Veil>(Some(&HIDDEN));
}
