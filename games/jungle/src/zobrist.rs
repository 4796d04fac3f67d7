//! Random numbers that make a position's key: the exclusive or of those of its animals and of the
//! side to move.

use crate::board::SQUARES;
use kiban_search::Random;

const fn keys() -> [[[u64; SQUARES]; 8]; 2] {
    let mut keys = [[[0; SQUARES]; 8]; 2];
    let (mut random, mut i) = (Random::new(0x6a75_6e67_6c65), 0);
    while i < 2 * 8 * SQUARES {
        keys[i / (8 * SQUARES)][i / SQUARES % 8][i % SQUARES] = random.next_u64();
        i += 1;
    }
    keys
}

/// By side, animal and square.
pub(crate) static ANIMALS: [[[u64; SQUARES]; 8]; 2] = keys();
/// Where Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;
