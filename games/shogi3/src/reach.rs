//! Where each piece reaches on nine squares, as sets of squares (bit n is square n).

use kiban_shogi::moves::{Color, PieceKind};

/// A set of squares.
pub(crate) type Squares = u16;

/// What a piece reaches from a square.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Squares one step away.
    near: Squares,
    /// Squares behind another one: free way and target, each as a set of one.
    far: [(Squares, Squares); 4],
}

const NOWHERE: Reach = Reach { near: 0, far: [(0, 0); 4] };

impl Reach {
    /// The squares reached when these are occupied; own pieces among them included.
    #[inline(always)]
    pub(crate) const fn squares(&self, occupied: Squares) -> Squares {
        let mut squares = self.near;
        let mut i = 0;
        while i < 4 {
            let (way, target) = self.far[i];
            if occupied & way == 0 {
                squares |= target;
            }
            i += 1;
        }
        squares
    }
}

type Steps = &'static [(i8, i8)];

/// Steps and slides of a kind for sente, as (to the left, down).
const fn ways(kind: PieceKind) -> (Steps, Steps) {
    const GOLD: Steps = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
    const DIAGONALS: Steps = &[(1, -1), (-1, -1), (1, 1), (-1, 1)];
    const STRAIGHT: Steps = &[(0, -1), (1, 0), (-1, 0), (0, 1)];
    match kind {
        PieceKind::Pawn => (&[(0, -1)], &[]),
        PieceKind::Lance => (&[], &[(0, -1)]),
        PieceKind::Knight => (&[(1, -2), (-1, -2)], &[]),
        PieceKind::Silver => (&[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)], &[]),
        PieceKind::Bishop => (&[], DIAGONALS),
        PieceKind::Rook => (&[], STRAIGHT),
        PieceKind::Horse => (STRAIGHT, DIAGONALS),
        PieceKind::Dragon => (DIAGONALS, STRAIGHT),
        PieceKind::King => {
            (&[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1)], &[])
        }
        _ => (GOLD, &[]),
    }
}

/// The square so many files to the left and ranks down, as a set; empty beyond the board.
const fn beside(square: u8, files: i8, ranks: i8) -> Squares {
    let (file, rank) = (square as i8 / 3 + files, square as i8 % 3 + ranks);
    if file < 0 || file > 2 || rank < 0 || rank > 2 { 0 } else { 1 << (3 * file + rank) }
}

const fn reach_of(kind: PieceKind, side: Color, from: u8) -> Reach {
    let (steps, slides) = ways(kind);
    // Gote sees the board turned.
    let way = match side {
        Color::Sente => 1,
        Color::Gote => -1,
    };
    let mut reach = NOWHERE;
    let mut i = 0;
    while i < steps.len() {
        reach.near |= beside(from, way * steps[i].0, way * steps[i].1);
        i += 1;
    }
    let mut i = 0;
    while i < slides.len() {
        let (files, ranks) = (way * slides[i].0, way * slides[i].1);
        let next = beside(from, files, ranks);
        reach.near |= next;
        reach.far[i] = (next, beside(from, 2 * files, 2 * ranks));
        i += 1;
    }
    reach
}

/// By side, kind and square.
static REACH: [[[Reach; 9]; 16]; 2] = {
    let mut all = [[[NOWHERE; 9]; 16]; 2];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[i];
        let mut from = 0;
        while from < 9 {
            all[0][kind as usize][from as usize] = reach_of(kind, Color::Sente, from);
            all[1][kind as usize][from as usize] = reach_of(kind, Color::Gote, from);
            from += 1;
        }
        i += 1;
    }
    all
};

/// What a side's piece of this kind (its code) reaches from a square.
#[inline(always)]
pub(crate) fn reach(side: usize, kind: u8, from: usize) -> &'static Reach {
    &REACH[side & 1][usize::from(kind & 15)][from]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_in_the_corner_sees_past_empty_squares_only() {
        let rook = reach(0, PieceKind::Rook as u8, 8);
        assert_eq!(rook.squares(0), 1 << 7 | 1 << 6 | 1 << 5 | 1 << 2);
        assert_eq!(rook.squares(1 << 7), 1 << 7 | 1 << 5 | 1 << 2);
    }

    #[test]
    fn both_sides_see_the_board_alike() {
        let turned = |set: Squares| set.reverse_bits() >> 7;
        for kind in PieceKind::ALL {
            for from in 0..9 {
                for occupied in [0, 0b1010_1010, 0b1_0101_0101] {
                    let sente = reach(0, kind as u8, from).squares(occupied);
                    let gote = reach(1, kind as u8, 8 - from).squares(turned(occupied));
                    assert_eq!(turned(sente), gote, "{kind:?} from {from}");
                }
            }
        }
    }
}
