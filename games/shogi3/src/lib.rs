//! Nine-square shogi (9マス将棋): rules, referee, notation, exact solver, engine and board.

mod engine;
mod exact;
mod hardness;
pub mod moves;
mod notation;
pub mod openings;
mod position;
pub mod puzzles;
mod reach;
mod rules;
mod setups;
mod sfen;
pub mod solver;
mod spec;

pub use moves::Move;
pub use position::Position;
pub use rules::{Shogi3, View};
pub use spec::GAME;
