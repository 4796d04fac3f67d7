//! A game with clocks and people, as a state machine without input or output.
//!
//! [`Room`] holds a referee, the clocks, the seats and the offers. Each accepted action gives one
//! [`Event`]; a game is its [`Head`] and its events, and replaying them gives the same game.

mod clock;
mod event;
mod room;

pub use clock::{Clocks, TimeControl, TimeLeft};
pub use event::{Action, Event, Head, Offer, Player};
pub use room::{GRACE_MS, GRACE_UNTIMED_MS, LONGEST_GAME, MOST_OFFERS, Refused, Room, before_play};
