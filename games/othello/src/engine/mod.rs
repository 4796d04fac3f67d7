//! The computer player.

mod eight;
mod general;
mod level;

use crate::bitboard::Board8;
use crate::{Move, Othello, Position};
use kiban_core::{Limits, Report, Workspace};
use kiban_search::TranspositionTable;

pub(crate) use eight::chance;
pub use eight::{Found, Study};

/// 2^18 slots of 16 bytes: quickly cleared, and enough for the nodes of the levels.
const LEVEL_BITS: u32 = 18;
/// 2^21 slots for analysis.
const TABLE_BITS: u32 = 21;

/// Chooses a move for the side to move.
pub(crate) fn think(
    rules: Othello,
    position: &Position,
    memory: &mut Workspace,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Move {
    if position.placements(position.to_move()) == 0 {
        return Move::PASS;
    }
    let usual = if limits.level.is_some() { LEVEL_BITS } else { TABLE_BITS };
    let bits = limits.hash.map_or(usual, TranspositionTable::bits_of_mib);
    let table = TranspositionTable::of_worker(memory, bits);
    let level = limits.level.map_or(level::FULL, level::of);
    match Board8::try_from(position) {
        Ok(board) if !rules.options.fewest && level.learned => {
            eight::Asked { position: *position, board, table, limits, level, report }.answer()
        }
        _ => {
            let position = *position;
            general::Asked { rules, position, table, limits, level, report }.answer()
        }
    }
}
