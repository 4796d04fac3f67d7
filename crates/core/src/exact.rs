//! Exact answers: by a solver that works while one waits, or from tables built before.

use crate::{Limits, OpenError, Opening, ReadError, Seat, Stop, Value, Variant};
use std::path::{Path, PathBuf};

/// The exact value of an opening's start, history ignored. Of the limits time, hash (MiB), threads,
/// tables and stop are meant.
pub type Probe = fn(&Opening, &Limits) -> Result<Probed, ProbeError>;

/// What a position is worth, and each of its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Probed {
    /// The position's canonical text.
    pub position: String,
    /// Whose turn it is; `None` where nobody's is.
    pub to_move: Option<Seat>,
    /// For the side to move.
    pub value: Value,
    /// Plies to the end, the winner playing fastest and the loser slowest; 0 is over now, `None` a
    /// draw.
    pub distance: Option<u32>,
    /// `solver` or `table`.
    pub source: &'static str,
    /// Every legal move with its value for the side that makes it, the move counted; best first,
    /// then by text.
    pub moves: Vec<ProbedMove>,
    /// Positions solved for it.
    pub positions: Option<u64>,
    /// Memory taken for it, in bytes.
    pub peak_bytes: u64,
    /// Messages that say where the value and a real game, with its history, part.
    pub notes: Vec<&'static str>,
}

/// A move's exact value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbedMove {
    /// Its canonical text.
    pub text: String,
    /// For the side that makes it.
    pub value: Value,
    /// Plies to the end, this move counted.
    pub distance: Option<u32>,
}

/// Why there is no exact answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ProbeError {
    /// The position or the variant is wrong.
    #[error("{0}")]
    Open(#[from] OpenError),
    /// It does not fit into the memory allowed.
    #[error(
        "This position does not fit into the memory allowed: it has at most {positions} others \
         behind it and may need up to {} MiB; allow more, or take pieces away.", needed >> 20
    )]
    TooLarge {
        /// How many positions there are behind it at most.
        positions: u64,
        /// Bytes these may need.
        needed: u64,
    },
    /// The time ran out, or it was stopped.
    #[error("It was stopped before the value was known; allow more time.")]
    Stopped,
    /// A table that would know it has not been built.
    #[error("{0}")]
    NoTable(String),
}

impl ProbeError {
    /// The same for programs and pages.
    pub fn into_read_error(self) -> ReadError {
        let code = match self {
            ProbeError::Open(error) => return error.into_read_error(),
            ProbeError::TooLarge { .. } => "too-large",
            ProbeError::Stopped => "stopped",
            ProbeError::NoTable(_) => "no-table",
        };
        ReadError::new(code, self.to_string())
    }
}

/// A list of set-ups worth solving all, written as CSV: a row each.
#[derive(Clone, Copy)]
pub struct Atlas {
    /// The names of the columns.
    pub header: &'static str,
    /// The set-ups of a variant.
    pub setups: fn(&Variant) -> Vec<String>,
    /// A set-up's row, without the line's end.
    pub row: fn(&Variant, &str, &Stop) -> Result<String, ReadError>,
}

/// Tables of all positions up to a size, built once and kept in a folder.
#[derive(Clone, Copy)]
pub struct Tables {
    /// What the size counts, in a word in the plural; also the name of the option that asks for it.
    pub unit: &'static str,
    /// The smallest and the largest size.
    pub sizes: (u8, u8),
    /// The sectors of a size, each after those it needs.
    pub sectors: fn(&Variant, u8) -> Vec<SectorSpec>,
    /// Solves a sector whose smaller ones are built and writes it into the folder.
    pub build: BuildTable,
    /// Looks at a table's checksums, and at a sample of so many positions one ply ahead; how many
    /// were looked at.
    pub check: fn(&Variant, &str, &Path, u32) -> Result<u64, ReadError>,
}

/// `Tables::build`: the variant, a sector's name, the folder of tables, what it may take, and a
/// listener that is given the part that is done, 0 to 1.
pub type BuildTable =
    fn(&Variant, &str, &Path, &BuildLimits, &mut dyn FnMut(f32)) -> Result<(), ReadError>;

/// What building a table may take.
#[derive(Clone, Debug)]
pub struct BuildLimits {
    /// Memory in bytes.
    pub bytes: u64,
    /// Gives up when it is stopped.
    pub stop: Stop,
}

/// A sector: what is solved at once and lies in one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectorSpec {
    /// Its name.
    pub name: String,
    /// Its file, below the folder of tables.
    pub file: PathBuf,
    /// How many numbers its positions have, at most.
    pub entries: u64,
    /// Bytes of memory needed to build it.
    pub needed: u64,
}
