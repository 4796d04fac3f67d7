//! AVX-512: eight directions of one board in a vector, or eight boards.
#![allow(unsafe_code)]

use super::{Batch, Board8, INNER_FILES, INNER_RANKS, Isa, Job, RAYS};
use std::arch::x86_64::*;

/// AVX-512 as server processors have it since 2019 and desktop processors since 2022, with the
/// products of 8x8 bit matrices.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// If this processor has it.
    pub fn detect() -> Option<Avx512> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx512(()))
    }
}

impl Isa for Avx512 {
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        // SAFETY: a value of this type exists only if `detect` found all features of `enter`.
        unsafe { enter(self, job) }
    }

    #[inline(always)]
    fn moves(self, board: Board8) -> u64 {
        // SAFETY: as in `run`.
        unsafe { moves(board) }
    }

    #[inline(always)]
    fn flips(self, board: Board8, square: u32) -> u64 {
        // SAFETY: as in `run`.
        unsafe { flips(board, square) }
    }

    #[inline(always)]
    fn play_batch(self, batch: &mut Batch) {
        // SAFETY: as in `run`.
        unsafe { play_batch(batch) }
    }
}

// The truth tables of `vpternlog`: bit 4a + 2b + c is the result for the bits a, b, c.
/// `a | (b & c)`
const OR_AND: i32 = 0xf8;
/// `a | (b & !c)`
const OR_AND_NOT: i32 = 0xf4;
/// `a & !b & c`
const AND_NOT_AND: i32 = 0x20;
/// `a & b & c`
const AND: i32 = 0x80;
/// `a | b | c`
const OR: i32 = 0xfe;
/// `a ^ b ^ c`
const XOR: i32 = 0x96;
/// `a & !(b | c)`
const AND_NEITHER: i32 = 0x10;

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,gfni,bmi1,bmi2")]
#[target_feature(enable = "lzcnt,popcnt")]
fn enter<J: Job>(isa: Avx512, job: J) -> J::Output {
    job.run(isa)
}

/// One direction a lane. Bits that a rotation carries around the board are not in `through`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,gfni,bmi1,bmi2")]
#[target_feature(enable = "lzcnt,popcnt")]
fn moves(Board8 { own, enemy }: Board8) -> u64 {
    let step = _mm512_set_epi64(55, 57, 56, 63, 9, 7, 8, 1);
    let steps = _mm512_set_epi64(46, 50, 48, 62, 18, 14, 16, 2);
    let (rank, file) = (INNER_FILES as i64, INNER_RANKS as i64);
    let both = rank & file;
    let inner = _mm512_set_epi64(both, both, file, rank, both, both, file, rank);
    let through = _mm512_and_si512(_mm512_set1_epi64(enemy as i64), inner);
    let discs = _mm512_set1_epi64(own as i64);
    let next = |x| _mm512_rolv_epi64(x, step);
    let mut run = _mm512_and_si512(through, next(discs));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, through, next(run));
    let pairs = _mm512_and_si512(through, next(through));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rolv_epi64(run, steps));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rolv_epi64(run, steps));
    let landings = next(run);
    let half =
        _mm256_or_si256(_mm512_castsi512_si256(landings), _mm512_extracti64x4_epi64::<1>(landings));
    join(half) & !(own | enemy)
}

/// Four directions to higher and four to lower bits.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,gfni,bmi1,bmi2")]
#[target_feature(enable = "lzcnt,popcnt")]
fn flips(Board8 { own, enemy }: Board8, square: u32) -> u64 {
    let r = &RAYS.0[square as usize & 63];
    let zero = _mm256_setzero_si256();
    let own = _mm256_set1_epi64x(own as i64);
    let enemy = _mm256_set1_epi64x(enemy as i64);

    let up = _mm256_set_epi64x(r[3] as i64, r[2] as i64, r[1] as i64, r[0] as i64);
    let stops = _mm256_andnot_si256(enemy, up);
    let first = _mm256_sub_epi64(zero, stops);
    let far = _mm256_ternarylogic_epi64::<AND>(stops, first, own);
    let found = _mm256_test_epi64_mask(far, far);
    let below = _mm256_maskz_add_epi64(found, far, _mm256_set1_epi64x(-1));

    let down = _mm256_set_epi64x(r[7] as i64, r[6] as i64, r[5] as i64, r[4] as i64);
    let stops = _mm256_andnot_si256(enemy, down);
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    let far = _mm256_and_si256(first, own);
    let above = _mm256_sub_epi64(zero, _mm256_add_epi64(far, far));

    let turned = _mm256_and_si256(up, below);
    join(_mm256_ternarylogic_epi64::<OR_AND>(turned, down, above))
}

/// The union of four words.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,gfni,bmi1,bmi2")]
#[target_feature(enable = "lzcnt,popcnt")]
fn join(x: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,gfni,bmi1,bmi2")]
#[target_feature(enable = "lzcnt,popcnt")]
fn play_batch(batch: &mut Batch) {
    let (owns, _) = batch.own.as_chunks_mut();
    let (enemies, _) = batch.enemy.as_chunks_mut();
    let (squares, _) = batch.squares.as_chunks_mut();
    for ((o, e), s) in owns.iter_mut().zip(enemies).zip(squares).take(batch.len.div_ceil(8)) {
        let (own, enemy, bit) = (load(o), load(e), load(s));
        let turned = flips_of_eight(own, enemy, bit);
        let after = _mm512_ternarylogic_epi64::<XOR>(own, turned, bit);
        let to_move = _mm512_xor_si512(enemy, turned);
        store(o, to_move);
        store(e, after);
        store(s, moves_of_eight(to_move, after));
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: eight words are 64 bytes.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u64; 8], x: __m512i) {
    // SAFETY: eight words are 64 bytes.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), x) }
}

/// Every board turned by a quarter: the direction along a rank towards the h-file becomes the one
/// along a file towards the first rank, and so on around.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn quarter(boards: __m512i) -> __m512i {
    let units = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    _mm512_gf2p8affine_epi64_epi8::<0>(units, boards)
}

/// The unbroken runs of `through` that begin beside a disc, along a diagonal whose step is a
/// rotation by `STEP`; `STEPS` is two of them, `pairs` the squares of `through` after another.
#[inline]
#[target_feature(enable = "avx512f")]
fn run<const STEP: i32, const STEPS: i32>(
    discs: __m512i,
    through: __m512i,
    pairs: __m512i,
) -> __m512i {
    let mut run = _mm512_and_si512(through, _mm512_rol_epi64::<STEP>(discs));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, through, _mm512_rol_epi64::<STEP>(run));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rol_epi64::<STEPS>(run));
    _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rol_epi64::<STEPS>(run))
}

/// Squares of `through` after another, both ways along a diagonal.
#[inline]
#[target_feature(enable = "avx512f")]
fn pairs<const STEP: i32, const BACK: i32>(through: __m512i) -> (__m512i, __m512i) {
    let upper = _mm512_and_si512(through, _mm512_rol_epi64::<STEP>(through));
    (upper, _mm512_rol_epi64::<BACK>(upper))
}

/// Moves of a board a lane: diagonals by fills, ranks and files by carries on quarter turns.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn moves_of_eight(own: __m512i, enemy: __m512i) -> __m512i {
    let files = _mm512_set1_epi64(INNER_FILES as i64);
    let inner = _mm512_set1_epi64((INNER_FILES & INNER_RANKS) as i64);
    let through = _mm512_and_si512(enemy, inner);
    let (up9, down9) = pairs::<9, 55>(through);
    let (up7, down7) = pairs::<7, 57>(through);
    let a = _mm512_rol_epi64::<9>(run::<9, 18>(own, through, up9));
    let b = _mm512_rol_epi64::<55>(run::<55, 46>(own, through, down9));
    let c = _mm512_rol_epi64::<7>(run::<7, 14>(own, through, up7));
    let d = _mm512_rol_epi64::<57>(run::<57, 50>(own, through, down7));
    let diagonal = _mm512_or_si512(_mm512_ternarylogic_epi64::<OR>(a, b, c), d);

    // As in the portable implementation; four quarters in all turn each result back.
    let along = |own: __m512i, enemy: __m512i| {
        let through = _mm512_and_si512(enemy, files);
        let seeds = _mm512_and_si512(through, _mm512_add_epi64(own, own));
        (_mm512_add_epi64(through, seeds), through)
    };
    let (own1, enemy1) = (quarter(own), quarter(enemy));
    let (own2, enemy2) = (quarter(own1), quarter(enemy1));
    let (own3, enemy3) = (quarter(own2), quarter(enemy2));
    let (sum, through) = along(own1, enemy1);
    let mut straight = quarter(_mm512_andnot_si512(through, sum));
    let (sum, through) = along(own2, enemy2);
    straight = quarter(_mm512_ternarylogic_epi64::<OR_AND_NOT>(straight, sum, through));
    let (sum, through) = along(own3, enemy3);
    straight = quarter(_mm512_ternarylogic_epi64::<OR_AND_NOT>(straight, sum, through));
    let (sum, through) = along(own, enemy);
    straight = _mm512_ternarylogic_epi64::<OR_AND_NOT>(straight, sum, through);
    _mm512_ternarylogic_epi64::<AND_NEITHER>(_mm512_or_si512(straight, diagonal), own, enemy)
}

/// The discs turned by a ply a lane, in the same way; none for a pass.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn flips_of_eight(own: __m512i, enemy: __m512i, bit: __m512i) -> __m512i {
    let files = _mm512_set1_epi64(INNER_FILES as i64);
    let inner = _mm512_set1_epi64((INNER_FILES & INNER_RANKS) as i64);
    let through = _mm512_and_si512(enemy, inner);
    let (up9, down9) = pairs::<9, 55>(through);
    let (up7, down7) = pairs::<7, 57>(through);
    let a = run::<9, 18>(bit, through, up9);
    let b = run::<55, 46>(bit, through, down9);
    let c = run::<7, 14>(bit, through, up7);
    let d = run::<57, 50>(bit, through, down7);
    let closed_a = _mm512_test_epi64_mask(own, _mm512_rol_epi64::<9>(a));
    let closed_b = _mm512_test_epi64_mask(own, _mm512_rol_epi64::<55>(b));
    let closed_c = _mm512_test_epi64_mask(own, _mm512_rol_epi64::<7>(c));
    let closed_d = _mm512_test_epi64_mask(own, _mm512_rol_epi64::<57>(d));
    let mut diagonal = _mm512_maskz_mov_epi64(closed_a, a);
    diagonal = _mm512_mask_or_epi64(diagonal, closed_b, diagonal, b);
    diagonal = _mm512_mask_or_epi64(diagonal, closed_c, diagonal, c);
    diagonal = _mm512_mask_or_epi64(diagonal, closed_d, diagonal, d);

    let along = |own: __m512i, enemy: __m512i, bit: __m512i| {
        let through = _mm512_and_si512(enemy, files);
        let next = _mm512_add_epi64(bit, bit);
        let sum = _mm512_add_epi64(through, _mm512_and_si512(through, next));
        let far = _mm512_ternarylogic_epi64::<AND_NOT_AND>(sum, through, own);
        (_mm512_test_epi64_mask(far, far), _mm512_sub_epi64(far, next))
    };
    let (own1, enemy1, bit1) = (quarter(own), quarter(enemy), quarter(bit));
    let (own2, enemy2, bit2) = (quarter(own1), quarter(enemy1), quarter(bit1));
    let (own3, enemy3, bit3) = (quarter(own2), quarter(enemy2), quarter(bit2));
    let (found, between) = along(own1, enemy1, bit1);
    let mut straight = quarter(_mm512_maskz_mov_epi64(found, between));
    let (found, between) = along(own2, enemy2, bit2);
    straight = quarter(_mm512_mask_or_epi64(straight, found, straight, between));
    let (found, between) = along(own3, enemy3, bit3);
    straight = quarter(_mm512_mask_or_epi64(straight, found, straight, between));
    let (found, between) = along(own, enemy, bit);
    straight = _mm512_mask_or_epi64(straight, found, straight, between);
    _mm512_or_si512(straight, diagonal)
}
