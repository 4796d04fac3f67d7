//! Makes what the 8x8 player knows: plays games against itself, fits the weights to them, and
//! measures how far shallow searches can be trusted.
//!
//! The weights in `data/weights.bin` were made from nothing by
//! ```text
//! train start w0.bin
//! train play w0.bin a.games 1 20000 2 2
//! train fit w0.bin w1.bin 0.7 a.games
//! train play w1.bin b.games 2 40000 4 2
//! train fit w1.bin w2.bin 0.7 a.games b.games
//! train play w2.bin c.games 3 24000 4 2
//! train fit w2.bin data/weights.bin 0.7 b.games c.games
//! ```
//! (`cargo run --release -p kiban-othello --example train -- ...`), ten minutes of one core. A command
//! gives the same bytes each time; but games hang on the search, too, so that a changed one plays
//! others of the same kind. The numbers in `src/engine/eight/cuts.rs` are those of
//! ```text
//! train play w1.bin t.games 9 300 5 2
//! train cuts w2.bin t.games 40
//! ```

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod cuts;
mod fit;
mod play;
mod positions;
mod sample;

use kiban_othello::evaluation::Weights;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage:
  train start WEIGHTS                                  weights by rule of thumb
  train play WEIGHTS GAMES SEED COUNT DEPTH THREADS    play COUNT games against itself
  train wthor WEIGHTS GAMES BASE.WTB...                games of a WTHOR base, ended by best play
  train fit WEIGHTS NEW SHARE GAMES...                 fit weights to games; SHARE 0..1 of a label
                                                       is the result, the rest the search's score
  train cuts WEIGHTS GAMES COUNT                       spreads between shallow and deep searches
  train positions WEIGHTS SEED COUNT EMPTIES           named positions, as a problem file";

/// What went wrong, in a sentence.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["start", weights] => fit::start(weights),
        ["play", weights, games, seed, count, depth, threads] => {
            play::play(weights, games, [seed, count, depth, threads])
        }
        ["wthor", weights, games, bases @ ..] => play::wthor(weights, games, bases),
        ["fit", weights, new, share, games @ ..] => fit::fit(weights, new, share, games),
        ["cuts", weights, games, count] => cuts::measure(weights, games, count),
        ["positions", weights, seed, count, empties] => {
            positions::draw(weights, [seed, count, empties])
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, String> {
    let path = path.as_ref();
    std::fs::read(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))
}

fn weights(path: &str) -> Result<Weights, String> {
    Weights::read(&bytes(path)?).map_err(|e| format!("{path}: {e}"))
}

fn write(path: &str, bytes: &[u8]) -> Outcome {
    std::fs::write(path, bytes).map_err(|e| format!("{path} cannot be written: {e}"))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("\"{text}\" is not a number in range.\n{USAGE}"))
}
