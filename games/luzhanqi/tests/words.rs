//! What the board shows has an English message.

use kiban_luzhanqi::{GAME, Rank};

#[test]
fn every_key_has_a_message() {
    let words = kiban_words::Words::english(&[&GAME], &[]);
    let sides = ["red", "black", "south", "east", "north", "west"];
    let keys = sides.map(|side| format!("side-{side}")).into_iter();
    let keys = keys.chain(Rank::ALL.map(|rank| format!("piece-{}", rank.letter())));
    let keys = keys.chain(["piece-x", "piece-down", "quiet"].map(str::to_string));
    for key in keys {
        assert!(words.has(&format!("{}-{key}", GAME.id)), "{key}");
    }
}
