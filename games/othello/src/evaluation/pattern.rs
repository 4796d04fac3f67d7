//! Shapes of squares: their numbers, and how they change with every disc. The shapes are those of
//! Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello",
//! 1997.

use crate::bitboard::Board8;
use std::sync::LazyLock;

/// One of each shape, its squares in the order of their digits.
const SHAPES: [&[u8]; 11] = [
    // An edge with the two squares diagonally beside its corners.
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    // A corner of three squares a side.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // A corner of five by two squares.
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // The second, third and fourth line.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // Diagonals of eight down to four squares.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// Shapes on the board, each in all its places.
pub const LANES: usize = 46;

/// A number for each shape on the board: its squares as digits to the base of three, 0 for an
/// empty one, 1 and 2 for the sides. Two lanes are idle, so that vectors are full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Lanes([u16; LANES + 2]);

impl Lanes {
    /// The numbers.
    #[inline(always)]
    pub fn numbers(&self) -> &[u16; LANES] {
        self.0.first_chunk().expect("there are as many lanes")
    }

    #[inline(always)]
    fn add(&mut self, step: &Lanes) {
        for (lane, step) in self.0.iter_mut().zip(&step.0) {
            *lane = lane.wrapping_add(*step);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, step: &Lanes) {
        for (lane, step) in self.0.iter_mut().zip(&step.0) {
            *lane = lane.wrapping_sub(*step);
        }
    }
}

/// Where the shapes lie, and which numbers mean the same.
pub struct Layout {
    /// What a digit 1 on a square adds to the lanes.
    steps: Box<[Lanes; 64]>,
    /// Where the numbers of a lane's shape begin among the numbers of all shapes.
    starts: [u32; LANES],
    /// By the number among those of all shapes: the weight it shares with its mirror images.
    shared: Vec<u32>,
    /// By the same number: the number with the sides exchanged.
    exchanged: Vec<u32>,
    /// Weights of all shapes.
    weights: usize,
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(Layout::new);

impl Layout {
    /// The only one.
    pub fn get() -> &'static Layout {
        &LAYOUT
    }

    fn new() -> Layout {
        let mut layout = Layout {
            steps: Box::new([Lanes([0; LANES + 2]); 64]),
            starts: [0; LANES],
            shared: Vec::new(),
            exchanged: Vec::new(),
            weights: 0,
        };
        let mut lane = 0;
        for shape in SHAPES {
            let mut places: Vec<Vec<u8>> = Vec::new();
            let mut turns: Vec<Vec<usize>> = Vec::new();
            for symmetry in 0..8 {
                let image: Vec<u8> = shape.iter().map(|s| image_of(*s, symmetry)).collect();
                // An image on the same squares says which digits may change places.
                if image.iter().all(|square| shape.contains(square)) {
                    let digit = |square| shape.iter().position(|s| s == square);
                    let turn = image.iter().map(|s| digit(s).expect("it is of the shape"));
                    turns.push(turn.collect());
                }
                let same = |place: &Vec<u8>| image.iter().all(|square| place.contains(square));
                if !places.iter().any(same) {
                    places.push(image);
                }
            }
            for place in &places {
                layout.starts[lane] = layout.shared.len() as u32;
                for (digit, square) in place.iter().enumerate() {
                    layout.steps[usize::from(*square)].0[lane] = 3u16.pow(digit as u32);
                }
                lane += 1;
            }
            layout.number(shape.len(), &turns);
        }
        layout
    }

    /// Adds the numbers of a shape of so many squares.
    fn number(&mut self, squares: usize, turns: &[Vec<usize>]) {
        let start = self.shared.len();
        for number in 0..3usize.pow(squares as u32) {
            let digit = |i: usize| number / 3usize.pow(i as u32) % 3;
            let value = |digits: &mut dyn Iterator<Item = usize>| {
                digits.enumerate().map(|(i, d)| d * 3usize.pow(i as u32)).sum::<usize>()
            };
            let images = turns.iter().map(|turn| value(&mut turn.iter().map(|i| digit(*i))));
            let least = images.min().expect("a shape is its own image");
            let other = |d| if d == 0 { 0 } else { 3 - d };
            let exchanged = value(&mut (0..squares).map(|i| other(digit(i))));
            self.exchanged.push((start + exchanged) as u32);
            if least == number {
                self.shared.push(self.weights as u32);
                self.weights += 1;
            } else {
                self.shared.push(self.shared[start + least]);
            }
        }
    }

    /// Weights of all shapes.
    pub fn weights(&self) -> usize {
        self.weights
    }

    /// The numbers of all shapes, with the weight each has.
    pub(super) fn shared(&self) -> &[u32] {
        &self.shared
    }

    /// The numbers of all shapes with the sides exchanged.
    pub(super) fn exchanged(&self) -> &[u32] {
        &self.exchanged
    }

    /// Where the numbers of each lane's shape begin.
    #[inline(always)]
    pub(super) fn starts(&self) -> &[u32; LANES] {
        &self.starts
    }

    /// The weights a board has, seen by the side to move.
    pub fn weights_of(&self, board: Board8) -> [u32; LANES] {
        let lanes = self.lanes(board);
        std::array::from_fn(|i| self.shared[(self.starts[i] + u32::from(lanes.0[i])) as usize])
    }

    /// The lanes of a board, the side to move being side 0.
    pub fn lanes(&self, board: Board8) -> Lanes {
        let mut lanes = Lanes([0; LANES + 2]);
        for (square, step) in self.steps.iter().enumerate() {
            let digit = (board.own >> square & 1) + 2 * (board.enemy >> square & 1);
            (0..digit).for_each(|_| lanes.add(step));
        }
        lanes
    }

    /// The lanes after a side (0 or 1) placed a disc on a square and turned others.
    #[inline(always)]
    pub fn played(&self, lanes: &Lanes, side: usize, square: u32, mut flips: u64) -> Lanes {
        let mut lanes = *lanes;
        let step = &self.steps[square as usize & 63];
        lanes.add(step);
        if side == 0 {
            while flips != 0 {
                lanes.subtract(&self.steps[flips.trailing_zeros() as usize]);
                flips &= flips - 1;
            }
        } else {
            lanes.add(step);
            while flips != 0 {
                lanes.add(&self.steps[flips.trailing_zeros() as usize]);
                flips &= flips - 1;
            }
        }
        lanes
    }
}

/// A square seen from one of the eight sides of the board.
fn image_of(square: u8, symmetry: u8) -> u8 {
    let (mut file, mut rank) = (square % 8, square / 8);
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    if symmetry & 2 != 0 {
        rank = 7 - rank;
    }
    if symmetry & 4 != 0 { file * 8 + rank } else { rank * 8 + file }
}
