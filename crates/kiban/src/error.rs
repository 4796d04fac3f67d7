//! Why there is no answer: a slug, one sentence, the place, and an exit status.

use kiban_core::{OpenError, ReadError};

/// A command that ends without its answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line itself is wrong: exit status 2.
    #[error("{0}")]
    Usage(ReadError),
    /// Bad input, an unknown value or a limit: exit status 1.
    #[error("{0}")]
    NoAnswer(#[from] ReadError),
    /// Whoever read the output has gone: a quiet end, exit status 0.
    #[error("the output was closed")]
    ClosedPipe,
}

impl Failure {
    /// No answer.
    pub(crate) fn no_answer(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::NoAnswer(ReadError::new(code, message))
    }

    /// A command line that is wrong in a way that only shows when all of it is read.
    pub(crate) fn usage(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::Usage(ReadError::new(code, message))
    }

    /// The error as one of a file among many.
    pub(crate) fn into_read_error(self) -> ReadError {
        match self {
            Failure::Usage(e) | Failure::NoAnswer(e) => e,
            Failure::ClosedPipe => ReadError::new("output", "The output was closed."),
        }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::NoAnswer(_) => 1,
            Failure::ClosedPipe => 0,
        }
    }
}

impl From<OpenError> for Failure {
    fn from(e: OpenError) -> Failure {
        Failure::NoAnswer(e.into_read_error())
    }
}
