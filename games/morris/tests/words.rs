//! What the board shows has an English message.

use kiban_morris::GAME;

#[test]
fn every_key_has_a_message() {
    let words = kiban_words::Words::english(&[&GAME], &[]);
    let keys = ["piece-white", "piece-black", "men-white", "men-black", "slides"];
    for key in keys {
        assert!(words.has(&format!("{}-{key}", GAME.id)), "{key}");
    }
}
