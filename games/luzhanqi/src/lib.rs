//! Luzhanqi (Army Chess): two and four players, hidden ranks, referee, notation and board.

pub mod board;
mod engine;
mod known;
mod layout;
pub mod notation;
mod options;
mod pieces;
mod position;
mod rules;
mod scene;
mod spec;
mod ui;
mod wire;

pub use known::{Event, Known, LastView, SeatView, View};
pub use layout::{Deal, Layout, LayoutFault, PIECES, defaults, may_stand};
pub use options::{FlagTaker, Options, Quiet, Sight};
pub use pieces::{Contact, Rank, contact};
pub use position::{Move, Piece, Position, team};
pub use rules::{Luzhanqi, Setup};
pub use spec::GAME;
