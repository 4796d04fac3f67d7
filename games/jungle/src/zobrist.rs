//! Random numbers that make a position's key: the exclusive or of those of its animals and of the
//! side to move.

use crate::board::SQUARES;

const fn random(state: &mut u64) -> u64 {
    // SplitMix64 (Steele, Lea and Flood, 2014).
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> [[[u64; SQUARES]; 8]; 2] {
    let mut keys = [[[0; SQUARES]; 8]; 2];
    let (mut state, mut i) = (0x6a75_6e67_6c65, 0);
    while i < 2 * 8 * SQUARES {
        keys[i / (8 * SQUARES)][i / SQUARES % 8][i % SQUARES] = random(&mut state);
        i += 1;
    }
    keys
}

/// By side, animal and square.
pub(crate) static ANIMALS: [[[u64; SQUARES]; 8]; 2] = keys();
/// Where Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;
