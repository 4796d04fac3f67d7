//! Kiban's command line: `kiban COMMAND ...`.

mod bulk;
mod cli;
mod commands;
mod encoding;
mod engine;
mod error;
mod fault;
mod files;
mod lossy;
mod machine;
mod output;
mod player;
mod position;
mod records;
mod registry;
mod score;
mod stopwatch;
mod terminal;
mod timing;
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    fault::install_hook();
    // The hook has said what happened; a fault of our own is no answer.
    std::panic::catch_unwind(|| cli::run(std::env::args_os())).unwrap_or(ExitCode::FAILURE)
}
