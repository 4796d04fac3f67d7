//! Sets of squares.

use crate::moves::{Color, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: bit `Square::index`, so one file is nine neighbouring bits and one step
/// ahead for gote is a shift by one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

/// Bit 0 of every file.
const RANK_A: u128 = {
    let (mut bits, mut file) = (0, 0);
    while file < 9 {
        bits |= 1 << (9 * file);
        file += 1;
    }
    bits
};
/// Bit 8 of every file.
const RANK_I: u128 = RANK_A << 8;

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 81 squares.
    pub const ALL: Self = Self((1 << 81) - 1);

    /// The squares of a rank, 1 (a) to 9 (i).
    #[must_use]
    pub const fn rank(rank: u8) -> Self {
        Self(RANK_A << (rank - 1))
    }

    /// The squares of a file, 1 to 9.
    #[must_use]
    pub const fn file(file: u8) -> Self {
        Self(511 << (9 * (file as u32 - 1)))
    }

    /// The `n` ranks farthest ahead of `color`: 3 is the promotion zone.
    #[must_use]
    pub const fn far_ranks(color: Color, n: u8) -> Self {
        let (mut bits, mut i) = (0, 1);
        while i <= n {
            bits |= match color {
                Color::Sente => Self::rank(i).0,
                Color::Gote => Self::rank(10 - i).0,
            };
            i += 1;
        }
        Self(bits)
    }

    /// The set of one square.
    #[inline(always)]
    #[must_use]
    pub const fn of(square: Square) -> Self {
        // Half a board at a time, without the carry between halves a 128-bit shift has.
        let (index, bit) = (square.index() as u32, 1_u64 << (square.index() & 63));
        let (low, high) = if index < 64 { (bit, 0) } else { (0, bit) };
        Self(low as u128 | (high as u128) << 64)
    }

    /// Whether the square is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether there is more than one square.
    #[inline(always)]
    #[must_use]
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index.
    #[inline(always)]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at(self.0.trailing_zeros() as u8)) }
    }

    /// All squares of the files that hold at least one square of the set.
    #[inline(always)]
    #[must_use]
    pub const fn files_filled(self) -> Self {
        // Adding 255 to a file's lower eight bits carries into its top bit unless they are 0.
        let low = (self.0 & !RANK_I) + (RANK_I - RANK_A);
        let top = (low | self.0) & RANK_I;
        Self((top << 1).wrapping_sub(top >> 8))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set in the order of their index.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first();
        self.0.0 &= self.0.0.wrapping_sub(1);
        square
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for Squares {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |all, square| all | Self::of(square))
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Bitboard {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    };
}

set_operator!(BitAnd bitand BitAndAssign bitand_assign &);
set_operator!(BitOr bitor BitOrAssign bitor_assign |);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;

    /// The squares not in the set.
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_their_squares() {
        for square in Square::all() {
            let one = Bitboard::of(square);
            assert!(one.has(square) && one.len() == 1 && !one.is_many());
            assert_eq!(one.first(), Some(square));
            assert_eq!(one.files_filled(), Bitboard::file(square.file()));
            assert!(Bitboard::rank(square.rank()).has(square));
            assert_eq!(
                Bitboard::far_ranks(Color::Gote, 3).has(square),
                square.in_zone(Color::Gote)
            );
        }
        assert_eq!(
            (!Bitboard::EMPTY).into_iter().collect::<Vec<_>>(),
            Square::all().collect::<Vec<_>>()
        );
        let two = Bitboard::of(Square::at(0)) | Bitboard::of(Square::at(80));
        assert_eq!(two.files_filled(), Bitboard::file(1) | Bitboard::file(9));
        assert_eq!((!two).len(), 79);
    }
}
