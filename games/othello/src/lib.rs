//! Othello, anti-reversi and 1890s Reversi: rules, referee, notation, engine and board.

pub mod bitboard;
mod engine;
pub mod evaluation;
mod moves;
mod notation;
mod openings;
pub mod perft;
mod position;
mod rules;
mod spec;
mod ui;
mod wire;

pub use engine::{Found, Study};
pub use moves::Move;
pub use position::{Options, Position};
pub use rules::{Discs, LastMove, Othello, View};
pub use spec::GAME;
