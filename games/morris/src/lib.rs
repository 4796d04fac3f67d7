//! Nine Men's Morris and its kin: rules, referee, notation, engine and board.

mod board;
mod engine;
mod movegen;
mod moves;
mod notation;
mod openings;
mod options;
mod position;
mod rules;
mod spec;
mod tables;
mod ui;

pub use board::{Grid, POINTS, Point, bits};
pub use moves::Move;
pub use notation::{Setup, joined, tokens};
pub use options::{Blocked, Board, Flying, Morris, Take};
pub use position::Position;
pub use rules::{LastMove, Side, View};
pub use spec::GAME;
