//! Move-path counts of the rules page, open game, a finished game being a leaf.

use kiban_core::{Opening, perft};
use kiban_luzhanqi::{GAME, Luzhanqi};

const PAGE: &str =
    "jlghh/fidjj/g1f1g/ek1id/c1b1k/aihec/CEHIA/K1B1C/DI1KE/G1F1G/JJDIF/HHGLJ r 0 0 -";

#[test]
fn open_from_the_position_of_the_page() {
    let variant = GAME.variant("open").expect("listed");
    let start = Some(PAGE.to_string());
    let opening = Opening::new(variant, start);
    for (depth, nodes) in [(1, 33), (2, 1_095), (3, 33_585), (4, 1_039_377)] {
        let count = perft::<Luzhanqi>(&opening, depth, true, 2).expect("it opens");
        assert_eq!(count.nodes, nodes, "depth {depth}");
        let rows = count.divide.expect("asked for");
        assert_eq!(rows.iter().map(|(_, n)| n).sum::<u64>(), nodes);
    }
}
