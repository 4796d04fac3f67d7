//! Why there is no table.

use kiban_core::{ProbeError, ReadError};
use std::path::{Path, PathBuf};

/// Why a table could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// It was stopped, or its time ran out.
    #[error("It was stopped; what was finished is kept, and the same command goes on from there.")]
    Stopped,
    /// More than the memory allowed.
    #[error(
        "Sector {sector} has {entries} positions and needs {} MiB of memory, but {} MiB are \
         allowed; allow more with --memory, or choose a smaller size.", needed >> 20, allowed >> 20
    )]
    TooLarge {
        /// The sector.
        sector: String,
        /// Its numbers.
        entries: u64,
        /// Bytes it needs.
        needed: u64,
        /// Bytes there are.
        allowed: u64,
    },
    /// A smaller table that is needed has not been built.
    #[error("Sector {0} is needed and has not been built.")]
    Missing(String),
    /// The file cannot be read or written.
    #[error("{} cannot be used: {source}.", path.display())]
    Io {
        /// Its path.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The file is not what was written once.
    #[error("{} is damaged: {what}; delete it and build it again.", path.display())]
    Damaged {
        /// Its path.
        path: PathBuf,
        /// What does not fit.
        what: &'static str,
    },
    /// A position's value does not follow from those of its moves.
    #[error("{} is wrong: entry {entry} does not follow from its moves; delete it and build it again.", path.display())]
    Wrong {
        /// Its path.
        path: PathBuf,
        /// The number of the position.
        entry: u32,
    },
}

impl SolveError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> SolveError {
        SolveError::Io { path: path.to_path_buf(), source }
    }

    pub(crate) fn damaged(path: &Path, what: &'static str) -> SolveError {
        SolveError::Damaged { path: path.to_path_buf(), what }
    }

    /// Why a probe has no answer; `unbuilt` says which table would know it.
    pub fn into_probe_error(self, unbuilt: impl FnOnce() -> String) -> ProbeError {
        match self {
            SolveError::Stopped => ProbeError::Stopped,
            SolveError::Missing(_) => ProbeError::NoTable(unbuilt()),
            other => ProbeError::NoTable(other.to_string()),
        }
    }

    /// The same for programs and pages.
    pub fn into_read_error(self) -> ReadError {
        let code = match self {
            SolveError::Stopped => "stopped",
            SolveError::TooLarge { .. } => "too-large",
            SolveError::Missing(_) => "no-table",
            SolveError::Io { .. } => "table-file",
            SolveError::Damaged { .. } => "table-damaged",
            SolveError::Wrong { .. } => "table-wrong",
        };
        ReadError::new(code, self.to_string())
    }
}
