//! A position as a number.

use crate::moves::Square;
use crate::position::Position;
use kiban_shogi::moves::{Color, Hand, PieceKind};

/// A position as the side to move sees it, of a position and its mirror image the smaller number:
/// nine squares of 5 bits, then seven kinds in the mover's hand of 2 bits. What the other side
/// holds follows from how many of each kind there are in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed(pub(super) u64);

const SQUARE_BITS: u32 = 5;
const HAND_BITS: u32 = 2;
const BOARD_BITS: u32 = 9 * SQUARE_BITS;
const FILE_BITS: u32 = 3 * SQUARE_BITS;
const FILE: u64 = (1 << FILE_BITS) - 1;
/// The bit that marks a piece of the side not to move.
const THEIRS: u64 = 16;

impl Packed {
    pub(super) fn of(p: &Position) -> Packed {
        let mover = p.turn();
        let mut board = 0;
        for (i, square) in Square::all().enumerate() {
            let Some((side, kind)) = p.piece_at(square) else { continue };
            let theirs = if side == mover { 0 } else { THEIRS };
            let seen = if mover == Color::Sente { i } else { 8 - i };
            board |= (kind as u64 + 1 + theirs) << (seen as u32 * SQUARE_BITS);
        }
        let mirrored = board >> (2 * FILE_BITS)
            | board & FILE << FILE_BITS
            | (board & FILE) << (2 * FILE_BITS);
        let mut hand = 0;
        for kind in PieceKind::HAND {
            let count = u64::from(p.hand(mover).count(kind));
            hand |= count << (BOARD_BITS + kind as u32 * HAND_BITS);
        }
        Packed(board.min(mirrored) | hand)
    }

    /// The position, sente to move, with so many of each kind in all.
    pub(super) fn position(self, in_all: &[u8; 7]) -> Position {
        let mut p = Position::empty();
        let mut left = *in_all;
        for (i, square) in Square::all().enumerate() {
            let code = self.0 >> (i as u32 * SQUARE_BITS) & 31;
            if code == 0 {
                continue;
            }
            let kind = PieceKind::from_code((code as u8 & 15) - 1);
            let side = if code & THEIRS == 0 { Color::Sente } else { Color::Gote };
            p.set(square, Some((side, kind)));
            if kind != PieceKind::King {
                left[kind.unpromoted().index()] -= 1;
            }
        }
        let mut hands = [Hand::EMPTY; 2];
        for kind in PieceKind::HAND {
            let own = (self.0 >> (BOARD_BITS + kind as u32 * HAND_BITS) & 3) as u8;
            let theirs = left[kind.index()] - own;
            for (side, count) in [own, theirs].into_iter().enumerate() {
                for _ in 0..count {
                    hands[side] = hands[side].with(kind);
                }
            }
        }
        p.set_hand(Color::Sente, hands[0]);
        p.set_hand(Color::Gote, hands[1]);
        p
    }
}

/// How many of each kind there are, on the board and in both hands.
pub(super) fn in_all(p: &Position) -> [u8; 7] {
    let mut all = [0; 7];
    for (_, kind) in Square::all().filter_map(|square| p.piece_at(square)) {
        if kind != PieceKind::King {
            all[kind.unpromoted().index()] += 1;
        }
    }
    for kind in PieceKind::HAND {
        all[kind.index()] += p.hand(Color::Sente).count(kind) + p.hand(Color::Gote).count(kind);
    }
    all
}

/// Ways to lay so many pieces of each kind on nine squares or hold them, two kings among them.
pub(super) fn bound(p: &Position) -> u64 {
    /// Squares for two kings.
    const KINGS: u64 = 72;
    // ways[n]: with n of the seven squares left taken.
    let mut ways = [0_u64; 8];
    ways[0] = KINGS;
    for (index, count) in in_all(p).into_iter().enumerate() {
        let kind = PieceKind::HAND[index];
        let states: u64 = if kind.promoted().is_some() { 4 } else { 2 };
        let mut next = [0_u64; 8];
        for (taken, n) in ways.iter().enumerate() {
            for placed in 0..=usize::from(count).min(7 - taken) {
                let squares = choose(7 - taken as u64, placed as u64);
                let held = u64::from(count) - placed as u64 + 1;
                let here =
                    n.saturating_mul(squares).saturating_mul(states.pow(placed as u32) * held);
                next[taken + placed] = next[taken + placed].saturating_add(here);
            }
        }
        ways = next;
    }
    ways.into_iter().fold(0, u64::saturating_add)
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |all, i| all * (n - i) / (i + 1))
}
