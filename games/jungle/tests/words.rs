//! What the board shows has an English message.

use kiban_jungle::{Animal, GAME};

#[test]
fn every_key_has_a_message() {
    let words = kiban_words::Words::english(&[&GAME], &[]);
    let pieces = |side| Animal::ALL.map(|animal| format!("piece-{side}-{}", animal.name()));
    let keys = ["red", "black"].into_iter().flat_map(pieces).chain(["quiet".to_string()]);
    for key in keys {
        assert!(words.has(&format!("{}-{key}", GAME.id)), "{key}");
    }
}
