//! Dou Shou Qi (Jungle): rules, referee, notation, engine and board.

mod animal;
mod bans;
mod board;
mod engine;
mod moves;
mod notation;
mod openings;
mod options;
mod position;
mod rules;
mod spec;
mod tables;
mod ui;
mod zobrist;

pub use animal::Animal;
pub use board::Square;
pub use moves::{Move, Moves};
pub use options::{Elephant, Equal, Landing, Options};
pub use position::Position;
pub use rules::{Jungle, View};
pub use spec::GAME;
