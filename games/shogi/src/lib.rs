//! Shogi: rules, referee, notation, engine and board.

pub mod attacks;
pub mod bitboard;
pub mod engine;
pub mod impasse;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod perft;
pub mod position;
mod rules;
pub mod sfen;
mod spec;
mod ui;
mod view;
mod zobrist;

pub use rules::{FOULS, Shogi};
pub use spec::GAME;
