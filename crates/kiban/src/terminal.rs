//! How wide the terminal is.

use std::io::{stderr, stdout};
use terminal_size::{Width, terminal_size_of};

/// Columns of the terminal that standard output is; `None` if it is none.
pub(crate) fn width_of_output() -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(stdout())?;
    Some(columns.into())
}

/// Columns of the terminal that standard error is; `None` if it is none.
pub(crate) fn width_of_errors() -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(stderr())?;
    Some(columns.into())
}
