//! Perft: how many lines of a number of plies a position has. A pass is a ply; a game that ends
//! earlier is one line.

use crate::bitboard::{AnyIsa, Batch, Board8, Isa, Job};
use crate::{Move, Position};

/// Lines of `depth` plies from a position. 1 at depth 0, and for a finished game at any depth.
pub fn perft(position: &Position, depth: u32) -> u64 {
    perft_on(AnyIsa::best(), position, depth)
}

/// The lines after each legal move, in the order of [`Position::moves`]; their sum is the perft.
/// Empty at depth 0 and for a finished game.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(left) = depth.checked_sub(1) else { return Vec::new() };
    let after = |m| {
        let mut next = *position;
        next.play(m);
        (m, perft(&next, left))
    };
    position.moves().into_iter().map(after).collect()
}

/// [`perft`] on an instruction set of choice, to measure and to test it.
pub fn perft_on(isa: AnyIsa, position: &Position, depth: u32) -> u64 {
    match Board8::try_from(position) {
        Ok(board) => isa.run(Count { board, depth }),
        Err(_) => walk(isa, position, depth),
    }
}

/// Perft through [`Position`], until a board of 8 squares a side has its centre full.
fn walk(isa: AnyIsa, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return u64::from(position.placements(position.to_move()).count_ones()).max(1);
    }
    let moves = position.moves();
    let after = |m: &Move| {
        let mut next = *position;
        next.play(*m);
        perft_on(isa, &next, depth - 1)
    };
    if moves.is_empty() { 1 } else { moves.iter().map(after).sum() }
}

/// No game on 64 squares is longer: no two passes follow each other.
const LONGEST: u32 = 2 * 64 + 1;

/// Perft of an 8x8 board.
struct Count {
    board: Board8,
    depth: u32,
}

impl Job for Count {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let mut total = 0;
        let Count { board, depth } = self;
        let moves = board.moves(isa);
        if depth == 0 || moves == 0 && board.pass().moves(isa) == 0 {
            return 1;
        }
        if depth == 1 {
            return u64::from(moves.count_ones()).max(1);
        }
        // levels[i] has plies with i + 1 plies to count after them.
        let mut levels = vec![Batch::default(); depth.min(LONGEST) as usize - 1];
        levels.last_mut().expect("the depth is 2 at least").push(board, moves);
        for top in (0..levels.len()).rev() {
            isa.run(Drain { levels: &mut levels[..=top], total: &mut total });
        }
        total
    }
}

/// Plays the plies of the last level and hands those that follow down. Every level gathers plies
/// from all over the tree until it is full, so that vectors of boards are full too.
struct Drain<'a> {
    levels: &'a mut [Batch],
    total: &'a mut u64,
}

impl Job for Drain<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Drain { levels, total } = self;
        let Some((top, below)) = levels.split_last_mut() else { return };
        isa.play_batch(top);
        if below.is_empty() {
            *total += top.count_plies();
            top.clear();
            return;
        }
        for i in 0..top.len() {
            let (board, moves) = top.get(i);
            if moves == 0 && board.pass().moves(isa) == 0 {
                *total += 1;
                continue;
            }
            let next = below.last_mut().expect("a level is below");
            next.push(board, moves);
            if next.is_full() {
                isa.run(Drain { levels: &mut *below, total: &mut *total });
            }
        }
        top.clear();
    }
}
