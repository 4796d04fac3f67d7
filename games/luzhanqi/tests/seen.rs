//! The ways that are shown: no more than a move's ends tell.

use kiban_core::{Entry, Opening, Seat, Viewer};
use kiban_luzhanqi::GAME;

/// The way of a first move from a position, as this viewer sees it.
fn way(variant: &str, position: &str, text: &str, who: Viewer) -> Vec<String> {
    let variant = GAME.variant(variant).expect("a variant");
    let start = Some(position.to_string());
    let opening = Opening::new(variant, start);
    let mut game = (GAME.open)(&opening).expect("it opens");
    game.put(&Entry::new_move(Seat::FIRST, text.to_string())).expect("it is legal");
    game.seen(who).pop().expect("a ply").path
}

#[test]
fn only_ways_with_corners_are_shown_and_to_everybody_alike() {
    let position = "1l3/5/5/5/5/2e2/5/5/5/5/I4/1L3 r 0 0 -";
    for who in [Viewer::Seat(Seat::FIRST), Viewer::Seat(Seat::SECOND), Viewer::Watcher] {
        let around = way("dark", position, "a2c6", who);
        assert_eq!(around, ["a2", "a3", "a4", "a5", "a6", "b6", "c6"]);
        assert!(way("dark", position, "a2a7", who).is_empty());
        assert!(way("dark", position, "a2b3", who).is_empty());
    }
}

#[test]
fn a_way_keeps_clear_of_what_stands_and_ends_at_what_it_attacks() {
    // a4 is taken, so the engineer goes the other way round.
    let position = "1l3/5/5/5/5/2e2/5/5/G4/5/I4/1L3 r 0 0 -";
    let attack = way("dark", position, "a2c7", Viewer::Watcher);
    let want = ["a2", "b2", "c2", "d2", "e2", "e3", "e4", "e5", "e6", "d6", "c6", "c7"];
    assert_eq!(attack, want);
}

#[test]
fn a_curve_is_shown_to_be_followed() {
    let south = "SdSg3/5/5/5/5/1Sl3";
    let (east, north, west) = ("2Ee2/5/5/5/5/1El3", "2Ne2/5/5/5/5/1Nl3", "2We2/5/5/5/5/1Wl3");
    let position = format!("{south}/{east}/{north}/{west}/3/3/3 S 0 0 - SENW");
    let around = way("four-dark", &position, "Sa6We5", Viewer::Watcher);
    assert_eq!(around, ["Sa6", "We6", "We5"]);
}
