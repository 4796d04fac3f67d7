//! Line protocols between engines and their users.
//!
//! A game describes a protocol as state machines without IO ([`kiban_core::Conversation`] for its
//! own engine, [`kiban_core::Pilot`] for another's). Here are the threads, pipes and processes
//! around them: [`serve`] lends an engine its search thread and clock, [`Engine`] runs somebody
//! else's program and judges how it behaves, [`Transcript`] plays lines at a conversation in tests.

mod clock;
mod desk;
mod engine;
mod lines;
mod names;
mod options;
mod process;
mod serve;
mod transcript;
mod worker;

pub use clock::Clock;
pub use engine::{Answer, Engine, Fault};
pub use lines::LONGEST_LINE;
pub use names::plain_name;
pub use options::{Kind, Options, Set, unknown_option};
pub use process::{is_program, split_command};
pub use serve::serve;
pub use transcript::Transcript;
