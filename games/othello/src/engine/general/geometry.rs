//! Where the corners are and what lies beside them.

use super::board::Squares;

/// A corner with the squares that give it away.
pub(super) struct Corner<S> {
    pub(super) at: S,
    /// The diagonal neighbour.
    pub(super) x: S,
    /// The two neighbours on the edges.
    pub(super) c: S,
    /// The two edges from this corner on, without it.
    pub(super) edges: [Vec<u32>; 2],
}

/// Facts of a board's size.
pub(super) struct Geometry<S> {
    pub(super) size: u32,
    pub(super) corners: Vec<Corner<S>>,
    pub(super) all_corners: S,
    pub(super) quadrants: [S; 4],
    /// How promising a square is before looking closer, for the order of moves.
    pub(super) promise: Vec<i32>,
}

impl<S: Squares> Geometry<S> {
    pub(super) fn of(size: u32) -> Geometry<S> {
        let last = size - 1;
        let at = |file: u32, rank: u32| rank * size + file;
        let mut corners = Vec::new();
        for (file, rank) in [(0, 0), (last, 0), (0, last), (last, last)] {
            let inward = |i: u32, by: u32| if i == 0 { by } else { last - by };
            corners.push(Corner {
                at: S::of(at(file, rank)),
                x: S::of(at(inward(file, 1), inward(rank, 1))),
                c: S::of(at(inward(file, 1), rank)) | S::of(at(file, inward(rank, 1))),
                edges: [
                    (1..size).map(|by| at(inward(file, by), rank)).collect(),
                    (1..size).map(|by| at(file, inward(rank, by))).collect(),
                ],
            });
        }
        let all_corners = corners.iter().fold(S::NONE, |all, corner| all | corner.at);
        let mut quadrants = [S::NONE; 4];
        let mut promise = Vec::new();
        for rank in 0..size {
            for file in 0..size {
                let half = size / 2;
                let quadrant = usize::from(file >= half) + 2 * usize::from(rank >= half);
                let square = S::of(at(file, rank));
                quadrants[quadrant] = quadrants[quadrant] | square;
                let is = |set: S| !(set & square).is_empty();
                let edge = file == 0 || rank == 0 || file == last || rank == last;
                promise.push(match () {
                    () if is(all_corners) => 60,
                    () if corners.iter().any(|c| is(c.x)) => -40,
                    () if corners.iter().any(|c| is(c.c)) => -15,
                    () if edge => 5,
                    () => 0,
                });
            }
        }
        Geometry { size, corners, all_corners, quadrants, promise }
    }
}
