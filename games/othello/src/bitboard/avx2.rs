//! AVX2: four directions in a vector.
#![allow(unsafe_code)]

use super::{Batch, Board8, INNER_FILES, Isa, Job, RAYS, portable};
use std::arch::x86_64::*;

/// AVX2 with the bit instructions of the same processors.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// If this processor has it.
    pub fn detect() -> Option<Avx2> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx2(()))
    }
}

impl Isa for Avx2 {
    const NAME: &'static str = "avx2";

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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn enter<J: Job>(isa: Avx2, job: J) -> J::Output {
    job.run(isa)
}

/// The compiler makes vectors of four boards of the loop.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn play_batch(batch: &mut Batch) {
    portable::play_batch(batch);
}

/// Along all four axes both ways: fills as in the portable implementation.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn moves(Board8 { own, enemy }: Board8) -> u64 {
    let step = _mm256_set_epi64x(9, 7, 8, 1);
    let steps = _mm256_set_epi64x(18, 14, 16, 2);
    let inner = INNER_FILES as i64;
    let through = _mm256_and_si256(
        _mm256_set1_epi64x(enemy as i64),
        _mm256_set_epi64x(inner, inner, -1, inner),
    );
    let discs = _mm256_set1_epi64x(own as i64);
    let up = |x| _mm256_sllv_epi64(x, step);
    let down = |x| _mm256_srlv_epi64(x, step);
    let mut rising = _mm256_and_si256(through, up(discs));
    let mut falling = _mm256_and_si256(through, down(discs));
    rising = _mm256_or_si256(rising, _mm256_and_si256(through, up(rising)));
    falling = _mm256_or_si256(falling, _mm256_and_si256(through, down(falling)));
    // Pairs towards higher bits, named by their upper square; their lower squares are the pairs
    // towards lower bits.
    let upper = _mm256_and_si256(through, up(through));
    let lower = down(upper);
    for _ in 0..2 {
        let far = _mm256_and_si256(upper, _mm256_sllv_epi64(rising, steps));
        rising = _mm256_or_si256(rising, far);
        let far = _mm256_and_si256(lower, _mm256_srlv_epi64(falling, steps));
        falling = _mm256_or_si256(falling, far);
    }
    join(_mm256_or_si256(up(rising), down(falling))) & !(own | enemy)
}

/// Seven directions rise towards higher bits: four on the board, three on the board with its ranks
/// in reverse order. The eighth is done by counting leading zeros.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips(Board8 { own, enemy }: Board8, square: u32) -> u64 {
    let square = square as usize & 63;
    let rays = &RAYS.0[square];
    let mirrored = &RAYS.0[square ^ 56];
    let swap =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607));
    let own_v = _mm256_set1_epi64x(own as i64);
    let enemy_v = _mm256_set1_epi64x(enemy as i64);
    let upward = rising(
        _mm256_set_epi64x(rays[3] as i64, rays[2] as i64, rays[1] as i64, rays[0] as i64),
        own_v,
        enemy_v,
    );
    let downward = rising(
        _mm256_set_epi64x(mirrored[3] as i64, mirrored[2] as i64, mirrored[1] as i64, 0),
        _mm256_shuffle_epi8(own_v, swap),
        _mm256_shuffle_epi8(enemy_v, swap),
    );
    let leftward = rays[4];
    let stops = leftward & !enemy;
    let far = (1 << 63 >> (stops | 1).leading_zeros()) & own & leftward;
    let turned = leftward & (far << 1).wrapping_neg();
    turned | join(_mm256_or_si256(upward, _mm256_shuffle_epi8(downward, swap)))
}

/// The enemy discs between the origins of four rays towards higher bits and an own disc.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rising(rays: __m256i, own: __m256i, enemy: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let stops = _mm256_andnot_si256(enemy, rays);
    let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let far = _mm256_and_si256(first, own);
    // far - 1, or 0 where there is none.
    let below = _mm256_sub_epi64(
        _mm256_add_epi64(far, _mm256_set1_epi64x(-1)),
        _mm256_cmpeq_epi64(far, zero),
    );
    _mm256_and_si256(rays, below)
}

/// The union of four words.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn join(x: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
