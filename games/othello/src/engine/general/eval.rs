//! What a position is worth before its end, in hundredths of a disc for the side to move.

use super::board::{Board, Squares};
use super::geometry::Geometry;

/// Hundredths of a disc for each unit of a feature.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A move more than the other side.
    mobility: i32,
    /// An empty square more beside enemy discs than beside own ones.
    frontier: i32,
    /// A corner.
    corner: i32,
    /// A disc diagonally beside an empty corner.
    x: i32,
    /// A disc on the edge beside an empty corner.
    c: i32,
    /// A disc on an edge in an unbroken run from an own corner.
    anchored: i32,
    /// The last move of the game, if nobody passes.
    parity: i32,
}

/// More discs win. Both sets were tried against their neighbours in matches.
pub(super) const MOST: Weights = Weights {
    mobility: 100,
    frontier: 40,
    corner: 700,
    x: -450,
    c: -180,
    anchored: 250,
    parity: 120,
};

/// Fewer discs win: what lasts is a burden, and choice counts for more.
pub(super) const FEWEST: Weights = Weights {
    mobility: 150,
    frontier: 80,
    corner: -700,
    x: 100,
    c: 50,
    anchored: -250,
    parity: -120,
};

/// The worth of a position whose legal moves are known.
pub(super) fn worth<B: Board>(
    board: &B,
    moves: B::Set,
    geometry: &Geometry<B::Set>,
    weights: &Weights,
) -> i32 {
    let (own, enemy, empties) = (board.own(), board.enemy(), board.empties());
    let lead = |a: B::Set, b: B::Set| a.count() as i32 - b.count() as i32;
    let mobility = moves.count() as i32 - board.passed().moves().count() as i32;
    let frontier = lead(board.neighbours(enemy) & empties, board.neighbours(own) & empties);
    let mut worth = weights.mobility * mobility + weights.frontier * frontier;
    for corner in &geometry.corners {
        if (corner.at & empties).is_empty() {
            let mine = !(corner.at & own).is_empty();
            let anchored = run(&corner.edges, if mine { own } else { enemy });
            let side = if mine { 1 } else { -1 };
            worth += side * (weights.corner + weights.anchored * anchored);
        } else {
            worth += weights.x * lead(corner.x & own, corner.x & enemy);
            worth += weights.c * lead(corner.c & own, corner.c & enemy);
        }
    }
    let last_is_ours = empties.count() % 2 == 1;
    worth + if last_is_ours { weights.parity } else { -weights.parity }
}

/// Discs in unbroken runs along both edges of a corner.
fn run<S: Squares>(edges: &[Vec<u32>; 2], discs: S) -> i32 {
    let along = |edge: &Vec<u32>| {
        edge.iter().take_while(|square| !(S::of(**square) & discs).is_empty()).count() as i32
    };
    along(&edges[0]) + along(&edges[1])
}
