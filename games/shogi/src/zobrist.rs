//! Keys of positions: 64 random bits for each piece on a square, each number of pieces of a kind
//! in a hand and the side to move, combined by exclusive or.

use crate::moves::{Color, Piece, PieceKind, Square};

/// SplitMix64 (Steele, Lea and Flood 2014), started from a fixed seed so that keys are the same
/// in every build.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The greatest number of pieces of one kind in a hand, and none.
const COUNTS: usize = 19;

struct Keys {
    pieces: [[u64; 81]; 32],
    hands: [[[u64; COUNTS]; 8]; 2],
    gote: u64,
}

static KEYS: Keys = {
    let mut state = 0x6b69_6261_6e00_0081;
    let mut keys = Keys { pieces: [[0; 81]; 32], hands: [[[0; COUNTS]; 8]; 2], gote: 0 };
    keys.gote = next(&mut state);
    let mut i = 0;
    while i < 32 * 81 {
        keys.pieces[i / 81][i % 81] = next(&mut state);
        i += 1;
    }
    let mut i = 0;
    while i < 2 * 7 * COUNTS {
        // The empty hand contributes nothing.
        if i % COUNTS != 0 {
            keys.hands[i / COUNTS / 7][i / COUNTS % 7][i % COUNTS] = next(&mut state);
        }
        i += 1;
    }
    keys
};

/// The key of a piece on a square.
#[inline(always)]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.slot()][square.index()]
}

/// The key of holding `count` pieces of `kind`.
#[inline(always)]
pub(crate) fn hand(color: Color, kind: PieceKind, count: u8) -> u64 {
    KEYS.hands[color.index()][kind.index() & 7][usize::from(count)]
}

/// The key of gote's turn.
#[inline(always)]
pub(crate) fn gote_to_move() -> u64 {
    KEYS.gote
}
