//! Perft: the number of move paths of exactly N plies, the standard test of a move generator.

mod cpu;

use crate::moves::Move;
use crate::position::Position;

/// The number of paths of exactly `depth` legal moves; 1 at depth 0. The last ply is counted, not
/// made. The position is the same afterwards.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { cpu::paths(position, depth) }
}

/// Each legal move with the number of paths that begin with it, in the generator's order; nothing
/// at depth 0.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let count = |&m: &Move| {
        let undo = position.play(m);
        let paths = perft(position, depth - 1);
        position.undo(m, undo);
        (m, paths)
    };
    moves.iter().map(count).collect()
}
