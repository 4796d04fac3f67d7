//! Squares, colours, pieces and hands.

use std::fmt;
use std::num::NonZeroU8;

/// A square of the board.
///
/// The index runs down each file: `9 * (file - 1) + (rank - 1)`, so 1a is 0, 1i is 8, 9i is 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 81;

    /// The square on `file` (1 to 9, from sente's right) and `rank` (1 = a, to 9 = i).
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file >= 1 && file <= 9 && rank >= 1 && rank <= 9 {
            Some(Self(9 * (file - 1) + rank - 1))
        } else {
            None
        }
    }

    /// The square with this index (0 to 80).
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The square with an index known to be below 81.
    #[inline(always)]
    pub(crate) const fn at(index: u8) -> Self {
        debug_assert!(index < 81);
        Self(index)
    }

    /// The index, 0 to 80.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 1 to 9.
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// The rank, 1 (a) to 9 (i).
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// The rank as `color` counts it: 1 is the rank farthest ahead, 9 the own back rank.
    #[inline]
    #[must_use]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Sente => self.rank(),
            Color::Gote => 10 - self.rank(),
        }
    }

    /// Whether the square lies in the promotion zone of `color`, the three far ranks.
    #[inline]
    #[must_use]
    pub const fn in_zone(self, color: Color) -> bool {
        self.rank_for(color) <= 3
    }

    /// The square seen after turning the board by 180 degrees.
    #[inline]
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(80 - self.0)
    }

    /// The square `files` to the left (to higher file numbers) and `ranks` down, if on the board.
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 1 || rank < 1 { None } else { Self::new(file as u8, rank as u8) }
    }

    /// All squares in the order of their index.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..81_u8).map(Self)
    }

    /// Reads a file digit and a rank letter, such as `7g`.
    #[must_use]
    pub const fn from_usi(file: u8, rank: u8) -> Option<Self> {
        if file >= b'1' && file <= b'9' && rank >= b'a' && rank <= b'i' {
            Self::new(file - b'0', rank - b'a' + 1)
        } else {
            None
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), char::from(b'a' + self.rank() - 1))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A player's colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The player at the bottom (▲), who moves first in an even game.
    Sente = 0,
    /// The player at the top (△), who moves first in a handicap game.
    Gote = 1,
}

impl Color {
    /// Both colours, sente first.
    pub const BOTH: [Self; 2] = [Self::Sente, Self::Gote];

    /// 0 for sente, 1 for gote.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other colour.
    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Sente => Self::Gote,
            Self::Gote => Self::Sente,
        }
    }
}

impl std::ops::Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sente => "sente",
            Self::Gote => "gote",
        })
    }
}

/// The fourteen kinds of pieces. A promoted kind is the unpromoted one plus 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the pieces")]
pub enum PieceKind {
    Pawn = 0,
    Lance = 1,
    Knight = 2,
    Silver = 3,
    Gold = 4,
    Bishop = 5,
    Rook = 6,
    King = 7,
    PromotedPawn = 8,
    PromotedLance = 9,
    PromotedKnight = 10,
    PromotedSilver = 11,
    Horse = 13,
    Dragon = 14,
}

/// Kinds by code; the codes of no kind (12 and 15) are never looked up.
const KINDS: [PieceKind; 16] = {
    use PieceKind::{
        Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, PromotedKnight, PromotedLance,
        PromotedPawn, PromotedSilver, Rook, Silver,
    };
    [
        Pawn,
        Lance,
        Knight,
        Silver,
        Gold,
        Bishop,
        Rook,
        King,
        PromotedPawn,
        PromotedLance,
        PromotedKnight,
        PromotedSilver,
        Gold,
        Horse,
        Dragon,
        King,
    ]
};

impl PieceKind {
    /// All kinds, unpromoted first.
    pub const ALL: [Self; 14] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Gold,
        Self::Bishop,
        Self::Rook,
        Self::King,
        Self::PromotedPawn,
        Self::PromotedLance,
        Self::PromotedKnight,
        Self::PromotedSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// The kinds that can be held in hand, in the order of their index there.
    pub const HAND: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// The code: 0 to 7 unpromoted, plus 8 promoted.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind of this code; of its upper four bits nothing is meant.
    #[inline(always)]
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        KINDS[(code & 15) as usize]
    }

    /// Whether this is a promoted kind.
    #[inline(always)]
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= 8
    }

    /// The promoted kind, none for king, gold and promoted kinds.
    #[inline]
    #[must_use]
    pub const fn promoted(self) -> Option<Self> {
        match self {
            Self::Pawn | Self::Lance | Self::Knight | Self::Silver | Self::Bishop | Self::Rook => {
                Some(Self::from_code(self as u8 | 8))
            }
            _ => None,
        }
    }

    /// The unpromoted kind.
    #[inline(always)]
    #[must_use]
    pub const fn unpromoted(self) -> Self {
        Self::from_code(self as u8 & 7)
    }

    /// Pieces of this (unpromoted) kind in a full set, both players and promoted ones included.
    #[must_use]
    pub const fn in_a_set(self) -> u8 {
        match self.unpromoted() {
            Self::Pawn => 18,
            Self::Bishop | Self::Rook | Self::King => 2,
            _ => 4,
        }
    }

    /// The upper-case letter of the unpromoted kind, as in SFEN and USI.
    #[must_use]
    pub const fn letter(self) -> char {
        b"PLNSGBRK"[self as usize & 7] as char
    }

    /// The unpromoted kind with this letter, upper case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'P' => Self::Pawn,
            'L' => Self::Lance,
            'N' => Self::Knight,
            'S' => Self::Silver,
            'G' => Self::Gold,
            'B' => Self::Bishop,
            'R' => Self::Rook,
            'K' => Self::King,
            _ => return None,
        })
    }

    /// Whether a piece of this kind could never move again from `square` (pawn and lance on the
    /// last rank, knight on the last two).
    #[inline]
    #[must_use]
    pub const fn is_dead_on(self, square: Square, color: Color) -> bool {
        match self {
            Self::Pawn | Self::Lance => square.rank_for(color) == 1,
            Self::Knight => square.rank_for(color) <= 2,
            _ => false,
        }
    }

    /// Whether a piece of this kind may promote when it moves from `from` to `to`.
    #[inline]
    #[must_use]
    pub const fn may_promote(self, from: Square, to: Square, color: Color) -> bool {
        self.promoted().is_some() && (from.in_zone(color) || to.in_zone(color))
    }
}

/// A piece: kind and colour in one byte, never zero, so that `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// A piece of this kind and colour.
    #[inline(always)]
    #[must_use]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self::from_code(kind as u8 | (color as u8) << 4)
    }

    #[inline(always)]
    const fn from_code(code: u8) -> Self {
        // The marker bit makes the zero check fold away.
        Self(NonZeroU8::new(code | 0x80).expect("the marker bit is set"))
    }

    /// The colour.
    #[inline(always)]
    #[must_use]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Sente } else { Color::Gote }
    }

    /// The kind.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> PieceKind {
        PieceKind::from_code(self.0.get())
    }

    /// The piece turned to its promoted side; the kind must have one.
    #[inline(always)]
    pub(crate) const fn promote(self) -> Self {
        Self::from_code(self.0.get() | 8)
    }

    /// The piece turned to its unpromoted side.
    #[inline(always)]
    pub(crate) const fn unpromote(self) -> Self {
        Self::from_code(self.0.get() & !8)
    }

    /// Colour and kind as an index below 32.
    #[inline(always)]
    pub(crate) const fn slot(self) -> usize {
        (self.0.get() & 31) as usize
    }
}

impl fmt::Display for Piece {
    /// The SFEN letters, such as `P` or `+r`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind().letter();
        let letter = match self.color() {
            Color::Sente => letter,
            Color::Gote => letter.to_ascii_lowercase(),
        };
        write!(f, "{}{letter}", if self.kind().is_promoted() { "+" } else { "" })
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The pieces one player holds in hand, counts packed into 28 bits.
///
/// Each kind has a field and a guard bit above it. Adding the greatest value of each field
/// carries into the guards of the fields that are not empty, which yields the set of kinds held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

const FIELD_SHIFT: [u32; 8] = [0, 6, 10, 14, 18, 22, 25, 31];
const FIELD_MAX: [u32; 8] = [31, 7, 7, 7, 7, 3, 3, 0];
const ALL_MAX: u32 = {
    let (mut all, mut i) = (0, 0);
    while i < 7 {
        all |= FIELD_MAX[i] << FIELD_SHIFT[i];
        i += 1;
    }
    all
};
const GUARDS: u32 = {
    let (mut all, mut i) = (0, 0);
    while i < 7 {
        all |= (FIELD_MAX[i] + 1) << FIELD_SHIFT[i];
        i += 1;
    }
    all
};

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// How many pieces of `kind` are held; 0 for kinds that are never in hand.
    #[inline]
    #[must_use]
    pub const fn count(self, kind: PieceKind) -> u8 {
        if kind as u8 > 6 {
            return 0;
        }
        (self.0 >> FIELD_SHIFT[kind as usize & 7] & FIELD_MAX[kind as usize & 7]) as u8
    }

    /// Whether nothing is held.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hand with one more piece of an unpromoted kind other than the king.
    ///
    /// The fields hold at least a full set of each kind; a position has no more.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, kind: PieceKind) -> Self {
        debug_assert!((kind as u8) < 7);
        Self(self.0 + (1 << FIELD_SHIFT[kind as usize & 7]))
    }

    /// The hand with one piece of `kind` less; there must be one.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, kind: PieceKind) -> Self {
        debug_assert!(self.count(kind) > 0);
        Self(self.0 - (1 << FIELD_SHIFT[kind as usize & 7]))
    }

    /// Whether of each kind at least as many are held as in `other`.
    #[inline]
    pub(crate) const fn holds(self, other: Self) -> bool {
        // A field of less borrows from the guard bit above it.
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }

    /// The kinds held with their counts, pawn first.
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u8)> {
        PieceKind::HAND.into_iter().map(move |k| (k, self.count(k))).filter(|&(_, n)| n > 0)
    }

    /// The set of the kinds held.
    #[inline(always)]
    pub(crate) const fn kinds(self) -> KindSet {
        KindSet((self.0 + ALL_MAX) & GUARDS)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set of hand kinds: the guard bits of a [`Hand`].
#[derive(Clone, Copy)]
pub(crate) struct KindSet(u32);

impl KindSet {
    const fn guard(kind: PieceKind) -> u32 {
        (FIELD_MAX[kind as usize & 7] + 1) << FIELD_SHIFT[kind as usize & 7]
    }

    /// The kinds that may be dropped on any empty square.
    const ANYWHERE: u32 = Self::guard(PieceKind::Silver)
        | Self::guard(PieceKind::Gold)
        | Self::guard(PieceKind::Bishop)
        | Self::guard(PieceKind::Rook);

    #[inline(always)]
    pub(crate) const fn has(self, kind: PieceKind) -> bool {
        self.0 & Self::guard(kind) != 0
    }

    /// The subset of silver, gold, bishop and rook.
    #[inline(always)]
    pub(crate) const fn anywhere(self) -> Self {
        Self(self.0 & Self::ANYWHERE)
    }

    #[inline(always)]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }
}
