//! Shogi: rules, referee, notation, engine and board.

pub mod attacks;
pub mod bitboard;
pub mod engine;
pub mod impasse;
pub mod mate;
pub mod movegen;
pub mod moves;
pub mod notation;
mod openings;
pub mod perft;
pub mod position;
mod rules;
pub mod sfen;
mod spec;
mod ui;
mod view;
mod wire;
mod zobrist;

pub use rules::{FOULS, Shogi};
pub use spec::{ENGLISH, GAME};
pub use ui::{Board, board_picture, in_hand};
pub use view::face;
