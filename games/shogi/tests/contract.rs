//! The contract every game keeps.

#[test]
fn shogi_keeps_the_contract() {
    kiban_testkit::contract(&kiban_shogi::GAME);
}

#[test]
fn shogis_rules_keep_the_contract() {
    kiban_testkit::rules::<kiban_shogi::Shogi>(None);
}
