//! What the search needs of a board: any size through [`Position`], the 8x8 board in two words.

use crate::Position;
use crate::bitboard::{Board8, Isa};
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

/// A set of squares.
pub(super) trait Squares:
    Copy + Eq + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// No square.
    const NONE: Self;
    /// One square.
    fn of(index: u32) -> Self;
    fn count(self) -> u32;
    /// The lowest square; the set must not be empty.
    fn lowest(self) -> u32;
    fn without_lowest(self) -> Self;

    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    fn each(mut self) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            (!self.is_empty()).then(|| {
                let index = self.lowest();
                self = self.without_lowest();
                index
            })
        })
    }
}

macro_rules! squares_in {
    ($word:ty) => {
        impl Squares for $word {
            const NONE: $word = 0;
            fn of(index: u32) -> $word {
                1 << index
            }
            fn count(self) -> u32 {
                self.count_ones()
            }
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            fn without_lowest(self) -> $word {
                self & (self - 1)
            }
        }
    };
}

squares_in!(u64);
squares_in!(u128);

/// A board as the side to move sees it.
pub(super) trait Board: Copy {
    type Set: Squares;
    fn own(&self) -> Self::Set;
    fn enemy(&self) -> Self::Set;
    fn empties(&self) -> Self::Set;
    /// Where the side to move may place a disc.
    fn moves(&self) -> Self::Set;
    /// The other side to move.
    fn passed(&self) -> Self;
    /// After a legal move; the other side to move.
    fn played(&self, square: u32) -> Self;
    /// The squares beside these.
    fn neighbours(&self, set: Self::Set) -> Self::Set;
    /// A key for the transposition table.
    fn hash(&self) -> u64;
}

/// Mixes two words (multiply and fold, as in wyhash).
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0xa076_1d64_78bd_642f) * u128::from(b ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}

impl Board for Position {
    type Set = u128;

    fn own(&self) -> u128 {
        self.discs(self.to_move())
    }

    fn enemy(&self) -> u128 {
        self.discs(self.to_move().other())
    }

    fn empties(&self) -> u128 {
        Position::empties(self)
    }

    fn moves(&self) -> u128 {
        self.placements(self.to_move())
    }

    fn passed(&self) -> Position {
        let mut next = *self;
        next.play(crate::Move::PASS);
        next
    }

    fn played(&self, square: u32) -> Position {
        let mut next = *self;
        next.play(self.move_to(square));
        next
    }

    fn neighbours(&self, set: u128) -> u128 {
        Position::neighbours(self, set)
    }

    fn hash(&self) -> u64 {
        let (own, enemy) = (self.own(), self.enemy());
        let low = folded(own as u64, enemy as u64);
        let high = folded((own >> 64) as u64, (enemy >> 64) as u64);
        folded(low, high)
    }
}

/// The 8x8 board with the instruction set it is computed by.
#[derive(Clone, Copy)]
pub(super) struct Eight<I> {
    pub(super) board: Board8,
    pub(super) isa: I,
}

impl<I: Isa> Board for Eight<I> {
    type Set = u64;

    fn own(&self) -> u64 {
        self.board.own
    }

    fn enemy(&self) -> u64 {
        self.board.enemy
    }

    fn empties(&self) -> u64 {
        self.board.empties()
    }

    #[inline]
    fn moves(&self) -> u64 {
        self.board.moves(self.isa)
    }

    fn passed(&self) -> Self {
        Eight { board: self.board.pass(), ..*self }
    }

    #[inline]
    fn played(&self, square: u32) -> Self {
        let flips = self.board.flips(self.isa, square);
        Eight { board: self.board.play(square, flips), ..*self }
    }

    fn neighbours(&self, set: u64) -> u64 {
        const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
        const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let row = set | (set << 1 & NOT_A) | (set >> 1 & NOT_H);
        row | row << 8 | row >> 8
    }

    fn hash(&self) -> u64 {
        folded(folded(self.board.own, self.board.enemy), 0)
    }
}
