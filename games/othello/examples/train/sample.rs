//! Positions with what became of them.

use crate::bytes;
use kiban_othello::bitboard::Board8;

/// Bytes of a sample in a file.
const LENGTH: usize = 19;

/// A position of a game.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) board: Board8,
    /// What the search thought of it, in hundredths of a disc for the side to move.
    pub(crate) points: i16,
    /// The lead at the end of the game, in discs for the side to move.
    pub(crate) result: i8,
}

impl Sample {
    pub(crate) fn empties(&self) -> u32 {
        self.board.empties().count_ones()
    }

    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.board.own.to_le_bytes());
        to.extend(self.board.enemy.to_le_bytes());
        to.extend(self.points.to_le_bytes());
        to.extend(self.result.to_le_bytes());
    }

    fn of(bytes: &[u8; LENGTH]) -> Sample {
        let word = |at: usize| {
            u64::from_le_bytes(bytes[at..at + 8].try_into().expect("these are eight bytes"))
        };
        Sample {
            board: Board8 { own: word(0), enemy: word(8) },
            points: i16::from_le_bytes([bytes[16], bytes[17]]),
            result: bytes[18] as i8,
        }
    }
}

/// All samples of files, in their order.
pub(crate) fn read(paths: &[&str]) -> Result<Vec<Sample>, String> {
    let mut all = Vec::new();
    for path in paths {
        let bytes = bytes(path)?;
        let (samples, rest) = bytes.as_chunks::<LENGTH>();
        if !rest.is_empty() {
            return Err(format!("{path} is cut short; play these games anew."));
        }
        all.extend(samples.iter().map(Sample::of));
    }
    if all.is_empty() { Err("There are no games in these files.".to_owned()) } else { Ok(all) }
}
