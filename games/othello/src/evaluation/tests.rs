use super::*;
use crate::bitboard::{Board8, Isa, Portable};
use kiban_search::Random;

/// Boards along a game of moves by chance.
fn boards(seed: u64) -> Vec<(Board8, usize, Lanes)> {
    let layout = Layout::get();
    let mut random = Random::new(seed);
    let mut board = Board8 { own: 0x0000_0008_1000_0000, enemy: 0x0000_0010_0800_0000 };
    let (mut side, mut lanes) = (0, layout.lanes(board));
    let mut all = vec![(board, side, lanes)];
    loop {
        let mut moves = Portable.moves(board);
        if moves == 0 {
            (board, side) = (board.pass(), 1 - side);
            moves = Portable.moves(board);
            if moves == 0 {
                return all;
            }
        }
        for _ in 0..random.below(moves.count_ones() as usize) {
            moves &= moves - 1;
        }
        let square = moves.trailing_zeros();
        let flips = Portable.flips(board, square);
        lanes = layout.played(&lanes, side, square, flips);
        (board, side) = (board.play(square, flips), 1 - side);
        all.push((board, side, lanes));
    }
}

fn worth(board: Board8, side: usize, lanes: &Lanes) -> i32 {
    let terms = Terms {
        side,
        empties: board.empties().count_ones(),
        own_moves: Portable.moves(board).count_ones(),
        enemy_moves: Portable.moves(board.pass()).count_ones(),
    };
    Weights::trained().worth(Layout::get(), lanes, terms)
}

#[test]
fn lanes_kept_up_to_date_are_those_of_the_board() {
    for seed in 0..20 {
        for (board, side, lanes) in boards(seed) {
            let seen = if side == 0 { board } else { board.pass() };
            assert_eq!(lanes, Layout::get().lanes(seen));
            assert_eq!(worth(board, side, &lanes), worth(board, 0, &Layout::get().lanes(board)));
        }
    }
}

#[test]
fn a_mirrored_board_is_worth_the_same() {
    let turned = |x: u64| x.swap_bytes();
    let transposed = |x: u64| {
        (0..64).filter(|i| x >> i & 1 != 0).fold(0u64, |all, i| all | 1 << (i % 8 * 8 + i / 8))
    };
    for (board, _, _) in boards(7) {
        let value = |b: Board8| worth(b, 0, &Layout::get().lanes(b));
        let image = Board8 { own: turned(board.own), enemy: turned(board.enemy) };
        assert_eq!(value(board), value(image));
        let image = Board8 { own: transposed(board.own), enemy: transposed(board.enemy) };
        assert_eq!(value(board), value(image));
    }
}

#[test]
fn shapes_and_weights_are_counted_right() {
    let layout = Layout::get();
    assert_eq!(layout.weights(), 113_877);
    let bytes = vec![0; 17];
    let error = Weights::read(&bytes).err().expect("too few bytes");
    assert!(error.to_string().contains("17"), "{error}");
}

/// The embedded weights are the ones the tool made last: whoever makes new ones says so here.
#[test]
fn the_weights_are_those_that_were_checked() {
    let bytes = include_bytes!("../../data/weights.bin");
    let fnv = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, fnv);
    assert_eq!(bytes.len(), Weights::length());
    assert_eq!(sum, 0x5d8c_8f9d_6fe5_f0d0, "{sum:#x}");
}
