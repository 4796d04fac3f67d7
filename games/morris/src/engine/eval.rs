//! What a position is worth, in hundredths of a man for the side to move.

use crate::board::{Grid, bits};
use crate::{Morris, Position};

/// A man, on the board or in hand.
pub(super) const MAN: i32 = 100;
/// A man that can go nowhere.
const SHUT_IN: i32 = 5;
/// A way a man can go.
const WAY: i32 = 3;
/// What men that fly count as: they go everywhere, and twelve ways are as good as all.
const FLYING_WAYS: (i32, i32) = (12, 0);
/// A mill that stands.
const MILL: i32 = 9;
/// Two men and an empty point in a line that the next man can fill.
const OPEN: i32 = 20;
/// The same where no man is near.
const PAIR: i32 = 6;
/// A man that leaves a mill to close another, to and fro.
const DOUBLE: i32 = 35;
/// A neighbour of a man's point, taken or not: crossings are worth more while men are placed.
const CROSSING: i32 = 4;
/// The turn, where a mill can be closed with it.
const CLOSES: i32 = 60;

/// A side's features.
#[derive(Default)]
struct Shape {
    worth: i32,
    closes: bool,
}

/// In how many ways men can slide, and how many can go nowhere.
fn ways(grid: &Grid, men: u32, empties: u32) -> (i32, i32) {
    let (mut ways, mut shut) = (0, 0);
    for point in bits(men) {
        let free = (grid.neighbours[usize::from(point)] & empties).count_ones() as i32;
        ways += free;
        shut += i32::from(free == 0);
    }
    (ways, shut)
}

fn shape(rules: Morris, p: &Position, side: usize) -> Shape {
    let grid = rules.grid();
    let (men, empties) = (p.men[side], p.empties(grid.all()));
    let placing = p.hand[side] > 0;
    let flies = !placing && men.count_ones() <= rules.flies_with();
    let slides = !placing || rules.early_slides;
    let mut shape = Shape {
        worth: MAN * (men.count_ones() as i32 + i32::from(p.hand[side])),
        ..Shape::default()
    };
    let (free, shut) = if flies { FLYING_WAYS } else { ways(grid, men, empties) };
    shape.worth += WAY * free - SHUT_IN * shut;
    let mut standing = 0;
    for mill in grid.mills() {
        let own = mill & men;
        if own == *mill {
            shape.worth += MILL;
            standing |= mill;
        }
    }
    for mill in grid.mills() {
        let (own, gap) = (mill & men, mill & empties);
        if own.count_ones() != 2 || gap == 0 {
            continue;
        }
        let near = grid.neighbours[gap.trailing_zeros() as usize] & men & !own;
        let closes = placing || flies || (slides && near != 0);
        shape.closes |= closes;
        shape.worth += if closes { OPEN } else { PAIR };
        if near & standing != 0 {
            shape.worth += DOUBLE;
        }
    }
    if p.placing() {
        let neighbours = |point: u8| grid.neighbours[usize::from(point)].count_ones() as i32;
        shape.worth += CROSSING * bits(men).map(neighbours).sum::<i32>();
    }
    shape
}

/// The worth of a position that is not over.
pub(super) fn worth(rules: Morris, p: &Position) -> i32 {
    let own = p.to_move.index();
    let (mine, theirs) = (shape(rules, p, own), shape(rules, p, 1 - own));
    mine.worth - theirs.worth + if mine.closes { CLOSES } else { 0 }
}
