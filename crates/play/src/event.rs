//! What a game with people is made of: its head, written once, and its events, numbered.

use crate::TimeControl;
use kiban_core::{Call, Entry, Seat};
use serde::{Deserialize, Serialize};

/// Who is to sit in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Player {
    /// A person; the seat is taken by an event.
    Person,
    /// The computer at a level of 1 to 10.
    Computer {
        /// The level.
        level: u8,
    },
    /// Another program, by the name the operator gave it.
    Engine {
        /// The name.
        name: String,
    },
}

/// How a game is set up: written once, when it is created.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The game's id in the registry.
    pub game: String,
    /// The variant's canonical text.
    pub variant: String,
    /// The start position's canonical text.
    pub start: String,
    /// `guided` or `official`.
    pub conduct: String,
    /// The clock, if one is used.
    pub clock: Option<TimeControl>,
    /// How long all seats together have for their layouts once every seat is taken; those that are
    /// late get one from the computer.
    #[serde(default)]
    pub layout_ms: Option<u64>,
    /// Who sits where.
    pub players: Vec<Player>,
}

/// Something a seat offers the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// A draw.
    Draw,
    /// That neither king can be mated (shogi).
    Impasse,
    /// To take back the asker's last move.
    TakeBack,
}

impl Offer {
    /// The call all seats make when an offer is accepted; none for a take back.
    pub fn call(self) -> Option<Call> {
        match self {
            Offer::Draw => Some(Call::AgreeDraw),
            Offer::Impasse => Some(Call::AgreeImpasse),
            Offer::TakeBack => None,
        }
    }
}

/// One thing that happened in a game. Replaying a game's events gives the same game; forced
/// moves are not events of their own, the referee plays them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// Somebody took a seat.
    Sat {
        /// The seat.
        seat: Seat,
        /// What proves it is them: a hash of their secret, in hex.
        holder: String,
    },
    /// An entry was put into the log.
    Put {
        /// The entry.
        entry: Entry,
        /// Time spent on it.
        spent_ms: u64,
    },
    /// A seat offers something.
    Offered {
        /// Who.
        seat: Seat,
        /// What.
        what: Offer,
    },
    /// An offer was declined or withdrawn.
    Declined {
        /// Who said so.
        seat: Seat,
        /// What.
        what: Offer,
    },
    /// The log was cut back to this many entries.
    TookBack {
        /// Entries kept.
        kept: usize,
    },
    /// A new game with sides swapped was opened by this seat.
    Rematch {
        /// Who asked for it.
        seat: Seat,
        /// The new game's id.
        game: String,
    },
}

/// What somebody wants to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// To make this move.
    Move(String),
    /// To make the move this path of taps says.
    Taps(Vec<String>),
    /// To put down this layout.
    Layout(String),
    /// To say something.
    Call(Call),
    /// To offer something, or to accept the other's offer of it.
    Offer(Offer),
    /// To accept the other's offer, and nothing else: one that was withdrawn meanwhile does not
    /// become one's own.
    Accept(Offer),
    /// To decline an offer, or withdraw one's own.
    Decline(Offer),
    /// To win, or of four to have a seat put out, because a rival left and did not come back.
    ClaimLeft,
}
