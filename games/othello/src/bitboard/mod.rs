//! The 8x8 board as two 64-bit words, with one implementation per instruction set.
//!
//! A loop that must be fast is written as a [`Job`], generic over [`Isa`], and started by
//! [`dispatch`]: it is compiled once per instruction set, and the best one the processor has is
//! chosen when it starts. A job that calls itself goes through [`Isa::run`] again, since a plain
//! function in between would be compiled without the instruction set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use crate::Position;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use portable::Portable;

/// An 8x8 board as the side to move sees it. Bit `rank * 8 + file` is a square; no square is in
/// both words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board8 {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub enemy: u64,
}

impl Board8 {
    /// The squares the side to move may place a disc on.
    #[inline(always)]
    pub fn moves<I: Isa>(self, isa: I) -> u64 {
        isa.moves(self)
    }

    /// The discs turned by a disc on an empty square, from 0 to 63; 0 if the move is illegal.
    #[inline(always)]
    pub fn flips<I: Isa>(self, isa: I, square: u32) -> u64 {
        isa.flips(self, square)
    }

    /// The board after a disc on a square turns these discs; the other side is to move.
    #[inline(always)]
    pub fn play(self, square: u32, flips: u64) -> Board8 {
        Board8 { own: self.enemy ^ flips, enemy: self.own ^ flips ^ (1 << square) }
    }

    /// The board with the other side to move.
    #[inline(always)]
    pub fn pass(self) -> Board8 {
        Board8 { own: self.enemy, enemy: self.own }
    }

    /// Empty squares.
    #[inline(always)]
    pub fn empties(self) -> u64 {
        !(self.own | self.enemy)
    }
}

/// Why a position has no [`Board8`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotBoard8 {
    /// Another size.
    #[error("The board has {0} squares a side; only boards of 8 are held in 64 bits.")]
    Size(u8),
    /// The centre is not full yet.
    #[error("Discs are still placed freely in the centre; play until its four squares are full.")]
    PlacingFreely,
}

impl TryFrom<&Position> for Board8 {
    type Error = NotBoard8;

    fn try_from(position: &Position) -> Result<Board8, NotBoard8> {
        if position.size() != 8 {
            return Err(NotBoard8::Size(position.size()));
        }
        if position.placing_freely() {
            return Err(NotBoard8::PlacingFreely);
        }
        let seat = position.to_move();
        let (own, enemy) = (position.discs(seat) as u64, position.discs(seat.other()) as u64);
        Ok(Board8 { own, enemy })
    }
}

/// An instruction set. A value exists only where the processor has it.
pub trait Isa: Copy + Send + Sync + 'static {
    /// For people: `portable`, `avx2`, `avx512`.
    const NAME: &'static str;

    /// Runs a job compiled for this instruction set.
    fn run<J: Job>(self, job: J) -> J::Output;

    /// See [`Board8::moves`].
    fn moves(self, board: Board8) -> u64;

    /// See [`Board8::flips`].
    fn flips(self, board: Board8, square: u32) -> u64;

    /// Plays the plies of a batch: see [`Batch`].
    fn play_batch(self, batch: &mut Batch);
}

/// Work that is compiled once per instruction set. Mark `run` with `#[inline(always)]`: only what
/// is inlined into [`Isa::run`] is compiled with the instructions.
pub trait Job {
    /// What it returns.
    type Output;

    /// Does the work.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Boards side by side, each with a ply to play: a legal move as a single bit, or 0 for a pass.
/// [`Isa::play_batch`] plays them all; from then on, until [`Batch::clear`], each board has the
/// moves of the side to move instead.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Batch {
    own: [u64; Batch::ROOM],
    enemy: [u64; Batch::ROOM],
    squares: [u64; Batch::ROOM],
    len: usize,
}

impl Default for Batch {
    fn default() -> Batch {
        let none = [0; Batch::ROOM];
        Batch { own: none, enemy: none, squares: none, len: 0 }
    }
}

impl Batch {
    const ROOM: usize = 256;
    /// Lanes written at a time; what lies beyond `len` is overwritten later.
    const LANES: usize = 8;

    /// Boards in it.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no board is in it.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether [`Batch::push`] may find no room for 64 moves.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len + 64 > Batch::ROOM
    }

    /// Adds a board once for each of these legal moves, or once to pass where there are none.
    ///
    /// # Panics
    /// If the batch is full.
    #[inline(always)]
    pub fn push(&mut self, board: Board8, mut moves: u64) {
        let end = self.len + (moves.count_ones() as usize).max(1);
        let mut at = self.len;
        // Eight at a time without a branch: their number is hard to foresee.
        while at < end {
            self.own[at..at + Batch::LANES].fill(board.own);
            self.enemy[at..at + Batch::LANES].fill(board.enemy);
            for bit in &mut self.squares[at..at + Batch::LANES] {
                *bit = moves & moves.wrapping_neg();
                moves &= moves.wrapping_sub(1);
            }
            at += Batch::LANES;
        }
        self.len = end;
    }

    /// A board and what [`Batch`] says of it.
    #[inline(always)]
    pub fn get(&self, index: usize) -> (Board8, u64) {
        (Board8 { own: self.own[index], enemy: self.enemy[index] }, self.squares[index])
    }

    /// Moves of all boards after the batch was played; a board without moves counts one, its pass
    /// or the end of the game.
    #[inline(always)]
    pub fn count_plies(&self) -> u64 {
        self.squares[..self.len].iter().map(|s| u64::from(s.count_ones()).max(1)).sum()
    }

    /// Empties it.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

/// One of the instruction sets this processor has.
#[derive(Clone, Copy, Debug)]
pub enum AnyIsa {
    /// Any processor.
    Portable(Portable),
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl AnyIsa {
    /// All this processor has, the slowest first.
    pub fn available() -> Vec<AnyIsa> {
        let mut all = vec![AnyIsa::Portable(Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(AnyIsa::Avx2));
            all.extend(Avx512::detect().map(AnyIsa::Avx512));
        }
        all
    }

    /// The fastest this processor has. The standard library asks the processor once and remembers.
    pub fn best() -> AnyIsa {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(isa) = Avx512::detect() {
                return AnyIsa::Avx512(isa);
            }
            if let Some(isa) = Avx2::detect() {
                return AnyIsa::Avx2(isa);
            }
        }
        AnyIsa::Portable(Portable)
    }

    /// Its [`Isa::NAME`].
    pub fn name(self) -> &'static str {
        match self {
            AnyIsa::Portable(_) => Portable::NAME,
            #[cfg(target_arch = "x86_64")]
            AnyIsa::Avx2(_) => Avx2::NAME,
            #[cfg(target_arch = "x86_64")]
            AnyIsa::Avx512(_) => Avx512::NAME,
        }
    }

    /// Runs a job compiled for it.
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self {
            AnyIsa::Portable(isa) => isa.run(job),
            #[cfg(target_arch = "x86_64")]
            AnyIsa::Avx2(isa) => isa.run(job),
            #[cfg(target_arch = "x86_64")]
            AnyIsa::Avx512(isa) => isa.run(job),
        }
    }
}

/// Runs a job on the fastest instruction set of this processor.
pub fn dispatch<J: Job>(job: J) -> J::Output {
    AnyIsa::best().run(job)
}

/// All squares but the a- and h-file: discs between two others along a rank lie on these.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// All squares but the first and last rank.
#[cfg(target_arch = "x86_64")]
const INNER_RANKS: u64 = 0x00ff_ffff_ffff_ff00;

/// The squares from a square to the edge: first the four directions of rising bits, steps 1, 8, 7
/// and 9, then their opposites.
#[repr(align(64))]
struct Rays([[u64; 8]; 64]);

static RAYS: Rays = Rays(rays());

const fn rays() -> [[u64; 8]; 64] {
    let steps = [(1, 0), (0, 1), (-1, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)];
    let mut table = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 8 {
            let mut file = square as i32 % 8 + steps[d].0;
            let mut rank = square as i32 / 8 + steps[d].1;
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square][d] |= 1 << (rank * 8 + file);
                file += steps[d].0;
                rank += steps[d].1;
            }
            d += 1;
        }
        square += 1;
    }
    table
}
