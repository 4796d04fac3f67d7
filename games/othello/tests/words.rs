//! What the board shows has an English message.

use kiban_othello::GAME;

#[test]
fn every_key_has_a_message() {
    let words = kiban_words::Words::english(&[&GAME], &[]);
    let keys = ["piece-black", "piece-white", "discs-black", "discs-white"];
    for key in keys {
        assert!(words.has(&format!("{}-{key}", GAME.id)), "{key}");
    }
}
