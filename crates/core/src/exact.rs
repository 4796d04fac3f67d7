//! Exact answers: by a solver that works while one waits, or from tables built before.

use crate::{Limits, OpenError, Opening, ReadError, Seat, Stop, Value, Variant};

/// The exact value of an opening's start, history ignored. Of the limits time, hash (MiB), threads
/// and stop are meant.
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
