//! Move-path counts of the rules page.

use kiban_core::{Notation, Opening};
use kiban_jungle::{GAME, Jungle};

fn count(variant: &str, start: &str, depth: u32) -> u64 {
    let rules = Jungle::of_variant(&GAME.variant(variant).expect("a variant"));
    rules.read_setup(start).expect("a position").perft(rules.options, depth)
}

#[test]
fn counts_of_the_classic_start() {
    for (depth, nodes) in (1..).zip([24, 576, 12_240, 260_099, 5_111_620]) {
        assert_eq!(count("classic", "", depth), nodes, "depth {depth}");
    }
}

/// 100 million paths: divided among threads, as the command line does.
#[test]
fn counts_of_the_classic_start_to_depth_six() {
    let variant = GAME.variant("classic").expect("a variant");
    let opening = Opening::new(variant, None);
    assert_eq!((GAME.perft)(&opening, 6, false, 2).expect("it counts").nodes, 100_453_636);
}
