//! Squares, terrain and the ways between squares. A set of squares is a `u64`, bit
//! `rank * 7 + file`, both from 0 and seen from Red's side.

use kiban_core::Seat;
use std::fmt;

/// Files.
pub(crate) const FILES: u8 = 7;
/// Ranks.
pub(crate) const RANKS: u8 = 9;
/// Squares.
pub(crate) const SQUARES: usize = 63;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Square(u8);

impl Square {
    /// The square on this file and rank, both from 0; `None` beside the board.
    pub fn new(file: u8, rank: u8) -> Option<Square> {
        (file < FILES && rank < RANKS).then(|| Square(rank * FILES + file))
    }

    /// The square of an index below 63.
    pub(crate) fn at(index: usize) -> Square {
        debug_assert!(index < SQUARES, "the board has 63 squares");
        Square(index as u8)
    }

    /// All squares from a1 along the ranks.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES).map(Square::at)
    }

    /// 0 (a1) to 62 (g9).
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// From 0 (a) to 6 (g).
    pub fn file(self) -> u8 {
        self.0 % FILES
    }

    /// From 0 (Red's) to 8.
    pub fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The set of this square alone.
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }

    /// The same square on the board turned by half.
    pub(crate) fn turned(self) -> Square {
        Square::at(SQUARES - 1 - self.index())
    }

    /// Reads `a1` to `g9`, in either case.
    pub(crate) fn read(text: &str) -> Option<Square> {
        let &[file, rank] = text.as_bytes() else { return None };
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        Square::new(file, rank.checked_sub(b'1')?)
    }

    /// Whether this is water.
    pub fn is_water(self) -> bool {
        LAKES & self.bit() != 0
    }

    /// Whose trap this is.
    pub fn trap_of(self) -> Option<Seat> {
        sides().find(|s| traps(*s) & self.bit() != 0)
    }

    /// Whose den this is.
    pub fn den_of(self) -> Option<Seat> {
        sides().find(|s| den(*s) & self.bit() != 0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

fn sides() -> impl Iterator<Item = Seat> {
    [Seat::FIRST, Seat::SECOND].into_iter()
}

const fn bit(file: u8, rank: u8) -> u64 {
    1 << (rank * FILES + file)
}

const fn lakes() -> u64 {
    let mut set = 0;
    let mut rank = 3;
    while rank <= 5 {
        set |= bit(1, rank) | bit(2, rank) | bit(4, rank) | bit(5, rank);
        rank += 1;
    }
    set
}

/// Both lakes.
pub(crate) const LAKES: u64 = lakes();
const DENS: [u64; 2] = [bit(3, 0), bit(3, 8)];
const TRAPS: [u64; 2] = [bit(2, 0) | bit(4, 0) | bit(3, 1), bit(2, 8) | bit(4, 8) | bit(3, 7)];
/// The six traps.
pub(crate) const ALL_TRAPS: u64 = TRAPS[0] | TRAPS[1];

/// A side's den.
pub(crate) fn den(seat: Seat) -> u64 {
    DENS[seat.index()]
}

/// A side's traps, in which its enemies lose their power.
pub(crate) fn traps(seat: Seat) -> u64 {
    TRAPS[seat.index()]
}

/// A way over a lake.
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// Where it ends.
    pub(crate) to: Square,
    /// The water it crosses; a rat there blocks it.
    pub(crate) over: u64,
}

/// Up, down, left, right.
const WAYS: [(i8, i8); 4] = [(0, 1), (0, -1), (-1, 0), (1, 0)];

const fn beside(square: u8, way: (i8, i8)) -> Option<u8> {
    let file = (square % FILES) as i8 + way.0;
    let rank = (square / FILES) as i8 + way.1;
    let inside = file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8;
    if inside { Some(rank as u8 * FILES + file as u8) } else { None }
}

const fn steps() -> [u64; SQUARES] {
    let mut all = [0; SQUARES];
    let mut i = 0;
    while i < 4 * SQUARES {
        if let Some(to) = beside((i / 4) as u8, WAYS[i % 4]) {
            all[i / 4] |= 1 << to;
        }
        i += 1;
    }
    all
}

const fn jump(from: u8, way: (i8, i8)) -> Option<Jump> {
    let (mut at, mut over) = (from, 0);
    if LAKES >> from & 1 == 1 {
        return None;
    }
    while let Some(next) = beside(at, way) {
        if LAKES >> next & 1 == 0 {
            let crossed = over != 0;
            return if crossed { Some(Jump { to: Square(next), over }) } else { None };
        }
        over |= 1 << next;
        at = next;
    }
    None
}

const fn jumps() -> [[Option<Jump>; 4]; SQUARES] {
    let mut all = [[None; 4]; SQUARES];
    let mut i = 0;
    while i < 4 * SQUARES {
        all[i / 4][i % 4] = jump((i / 4) as u8, WAYS[i % 4]);
        i += 1;
    }
    all
}

static STEPS: [u64; SQUARES] = steps();
static JUMPS: [[Option<Jump>; 4]; SQUARES] = jumps();

/// The squares one step away.
#[inline]
pub(crate) fn beside_of(square: Square) -> u64 {
    STEPS[square.index()]
}

/// The ways over lakes from a square.
pub(crate) fn jumps_from(square: Square) -> impl Iterator<Item = Jump> {
    JUMPS[square.index()].iter().flatten().copied()
}

/// The squares of a set, a1 first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = Square(set.trailing_zeros() as u8);
            set &= set - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(set: u64) -> String {
        squares(set).map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn terrain_is_that_of_the_board() {
        assert_eq!(text(LAKES), "b4 c4 e4 f4 b5 c5 e5 f5 b6 c6 e6 f6");
        assert_eq!(text(traps(Seat::FIRST)), "c1 e1 d2");
        assert_eq!(text(traps(Seat::SECOND)), "d8 c9 e9");
        assert_eq!(text(den(Seat::FIRST) | den(Seat::SECOND)), "d1 d9");
    }

    #[test]
    fn jumps_cross_a_whole_lake() {
        let from = |name: &str| {
            let jumps = jumps_from(Square::read(name).unwrap());
            jumps.map(|j| format!("{} over {}", j.to, text(j.over))).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(from("b3"), "b7 over b4 b5 b6");
        assert_eq!(from("d5"), "a5 over b5 c5; g5 over e5 f5");
        assert_eq!(from("a4"), "d4 over b4 c4");
        assert_eq!(from("b5"), "", "from the water");
        assert_eq!(from("d3"), "");
    }
}
