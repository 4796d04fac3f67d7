//! Sets of men up to the symmetries of the board.

use crate::Board;
use crate::board::{Grid, NINE, SIX, SYMMETRIES, TWELVE};
use kiban_solve::subsets::{choose, rank, set_of};
use std::sync::OnceLock;

/// The most men of a side.
const MOST: usize = 12;
/// Bits of a symmetry's number.
const SYMMETRY_BITS: u32 = 4;
/// Bytes of a set.
const BYTES: usize = 3;

/// Where each symmetry takes sets, by bytes of them.
pub(super) struct Images([[[u32; 256]; BYTES]; SYMMETRIES]);

impl Images {
    fn of(grid: &Grid) -> Images {
        let mut images = Images([[[0; 256]; BYTES]; SYMMETRIES]);
        for (symmetry, table) in images.0.iter_mut().enumerate() {
            for (i, byte) in table.iter_mut().enumerate() {
                for (set, image) in (0_u32..).zip(byte.iter_mut()) {
                    *image = grid.image(symmetry, (set << (8 * i)) & grid.all());
                }
            }
        }
        images
    }

    /// The image of a set.
    #[inline]
    pub(super) fn image(&self, symmetry: usize, set: u32) -> u32 {
        let [low, middle, high] = &self.0[symmetry];
        low[(set & 255) as usize]
            | middle[(set >> 8 & 255) as usize]
            | high[(set >> 16 & 255) as usize]
    }
}

/// The sets of so many men, of images one.
pub(super) struct Orbits {
    pub(super) images: &'static Images,
    /// The smallest set of each orbit.
    pub(super) sets: Vec<u32>,
    /// For each orbit the symmetries that leave its set as it is; bit 0 is the trivial one.
    pub(super) fixing: Vec<u16>,
    /// For every set, by its rank, its orbit's number and a symmetry that takes it to the orbit's
    /// own set.
    ways: Vec<u32>,
}

impl Orbits {
    fn of(grid: &Grid, images: &'static Images, men: u32) -> Orbits {
        let all = choose(u32::from(grid.points), men);
        let unseen = u32::MAX;
        let mut orbits = Orbits {
            images,
            sets: Vec::new(),
            fixing: Vec::new(),
            ways: vec![unseen; all as usize],
        };
        for number in 0..all {
            if orbits.ways[number as usize] != unseen {
                continue;
            }
            // The smallest number of its orbit, since the smaller ones have been seen.
            let (set, orbit) = (set_of(number, men), orbits.sets.len() as u32);
            let mut fixing = 0;
            for symmetry in 0..SYMMETRIES {
                let image = images.image(symmetry, set);
                fixing |= u16::from(image == set) << symmetry;
                let back = (0..SYMMETRIES).find(|back| images.image(*back, image) == set);
                let back = back.expect("symmetries have inverses") as u32;
                orbits.ways[rank(image) as usize] = orbit << SYMMETRY_BITS | back;
            }
            orbits.sets.push(set);
            orbits.fixing.push(fixing);
        }
        orbits
    }

    /// A set's orbit and a symmetry that takes it to the orbit's own set.
    #[inline]
    pub(super) fn way(&self, set: u32) -> (u32, usize) {
        let way = self.ways[rank(set) as usize];
        (way >> SYMMETRY_BITS, (way & ((1 << SYMMETRY_BITS) - 1)) as usize)
    }

    /// The smallest image of a set under the symmetries that leave an orbit's own set as it is.
    #[inline]
    pub(super) fn smallest(&self, orbit: u32, set: u32) -> u32 {
        let mut rest = self.fixing[orbit as usize] & !1;
        let mut smallest = set;
        while rest != 0 {
            let symmetry = rest.trailing_zeros() as usize;
            smallest = smallest.min(self.images.image(symmetry, set));
            rest &= rest - 1;
        }
        smallest
    }
}

/// What is known of one board.
struct Known {
    images: OnceLock<Images>,
    orbits: [OnceLock<Orbits>; MOST + 1],
}

static KNOWN: [Known; 3] =
    [const { Known { images: OnceLock::new(), orbits: [const { OnceLock::new() }; MOST + 1] } }; 3];

/// The orbits of so many men on a board.
pub(super) fn orbits(board: Board, men: u8) -> &'static Orbits {
    let (known, grid) = match board {
        Board::Six => (&KNOWN[0], &SIX),
        Board::Nine => (&KNOWN[1], &NINE),
        Board::Twelve => (&KNOWN[2], &TWELVE),
    };
    let images = known.images.get_or_init(|| Images::of(grid));
    known.orbits[usize::from(men)].get_or_init(|| Orbits::of(grid, images, men.into()))
}
