//! The layouts the computer puts down: the listed ones, varied so that nobody can count on them.

use super::{Layout, below, defaults, may_stand, stations};
use crate::{PIECES, Rank};
use kiban_core::Dice;

/// Changes tried at least, and how many more there may be.
const TRIES: (usize, usize) = (20, 50);
/// One in so many has its flag in the other headquarters.
const OTHER_SIDE: usize = 6;

/// A layout by chance that makes sense.
pub(crate) fn draw(dice: Dice<'_>) -> Layout {
    let n = defaults().count();
    let (_, mut layout) = defaults().nth(below(dice, n)).expect("it is below the number");
    if below(dice, 2) == 0 {
        layout = layout.mirrored();
    }
    if below(dice, OTHER_SIDE) == 0 {
        let places: Vec<(u8, u8)> = stations().collect();
        let flag = layout.0.iter().position(|r| *r == Rank::Flag).expect("every side has one");
        let other = |i: &usize| *i != flag && may_stand(Rank::Flag, places[*i]);
        let other = (0..PIECES).find(other).expect("there are two headquarters");
        layout.0.swap(flag, other);
    }
    for _ in 0..TRIES.0 + below(dice, TRIES.1) {
        let (i, j) = (below(dice, PIECES), below(dice, PIECES));
        let gentle = is_gentle(layout, i, j) && below(dice, 2) == 0;
        if gentle {
            layout.0.swap(i, j);
        }
    }
    layout
}

/// Whether a swap of two places keeps the rules and the idea of a layout: pieces of about one
/// strength, or neighbours in a row; a mine only with one of the small ones.
fn is_gentle(layout: Layout, i: usize, j: usize) -> bool {
    let places: Vec<(u8, u8)> = stations().collect();
    let (a, b) = (layout.0[i], layout.0[j]);
    if a == b || !may_stand(a, places[j]) || !may_stand(b, places[i]) {
        return false;
    }
    let small = |rank: Rank| matches!(rank, Rank::Captain | Rank::Lieutenant | Rank::Engineer);
    match (a.min(b), a.max(b)) {
        (_, Rank::Flag) => false,
        (other, Rank::Mine) => small(other),
        (weak, strong) if strong < Rank::Mine => {
            let alike = strong as u8 - weak as u8 <= 2;
            let beside = places[i].1 == places[j].1 && places[i].0.abs_diff(places[j].0) == 1;
            alike || beside
        }
        (other, _) => places[i].1 == places[j].1 && other > Rank::Brigadier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiban_search::Random;

    #[test]
    fn what_is_drawn_is_legal_and_hardly_ever_the_same() {
        let mut random = Random::new(3);
        let mut drawn: Vec<String> =
            (0..500).map(|_| draw(&mut || random.next_u64()).letters()).collect();
        for letters in &drawn {
            assert!(Layout::read(letters).is_ok(), "{letters}");
        }
        drawn.sort_unstable();
        drawn.dedup();
        assert!(drawn.len() > 490, "only {} different layouts", drawn.len());
    }
}
