//! Path counts of the rules page.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{Conduct, Opening};
use kiban_shogi3::GAME;

#[test]
fn perft_of_the_rules_page() {
    for (start, counts) in [
        ("psk/3/KSP b - 1", [4, 7, 11, 46, 182]),
        ("2k/3/K2 b Pp 1", [7, 37, 116, 282, 876]),
        ("glk/3/KLG b - 1", [4, 8, 25, 120, 385]),
        ("npk/3/KPN b - 1", [3, 8, 29, 80, 263]),
    ] {
        for (depth, count) in (1..).zip(counts) {
            let opening = Opening {
                variant: GAME.variant("").unwrap(),
                start: Some(start.to_string()),
                conduct: Conduct::Guided,
                seed: None,
            };
            let found = (GAME.perft)(&opening, depth, true, 1).unwrap();
            assert_eq!(found.nodes, count, "{start} at {depth}");
        }
    }
}
