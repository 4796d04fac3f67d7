//! What is put into a game's log, what comes of it, and why something is not taken.

use crate::{ReadError, Seat, Seats};
use serde::{Deserialize, Serialize};

/// Why a game ended or an entry was refused: a stable slug such as `checkmate`, listed in the
/// game's `GameSpec` and translated at the edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
pub struct Reason(pub &'static str);

impl Reason {
    /// A player ran out of time.
    pub const TIMEOUT: Reason = Reason("timeout");
    /// A player resigned.
    pub const RESIGN: Reason = Reason("resign");
    /// A player left and the grace time ran out.
    pub const ABANDONED: Reason = Reason("abandoned");
    /// A draw was agreed.
    pub const AGREEMENT: Reason = Reason("agreement");
    /// The reasons every game has.
    pub const COMMON: [Reason; 4] =
        [Reason::TIMEOUT, Reason::RESIGN, Reason::ABANDONED, Reason::AGREEMENT];
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// How a game came out. A game that is not over has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// These seats won.
    Win {
        /// The winners.
        seats: Seats,
        /// By what rule.
        by: Reason,
    },
    /// Nobody won.
    Draw {
        /// By what rule.
        by: Reason,
    },
    /// No decision: the game is played again with sides swapped.
    Replay {
        /// By what rule.
        by: Reason,
    },
}

impl Outcome {
    /// The rule that ended the game.
    pub fn reason(self) -> Reason {
        match self {
            Outcome::Win { by, .. } | Outcome::Draw { by } | Outcome::Replay { by } => by,
        }
    }

    /// The winners; none in a draw or replay.
    pub fn winners(self) -> Seats {
        if let Outcome::Win { seats, .. } = self { seats } else { Seats::NONE }
    }

    /// `first`, `second`, `draw` or `replay`; with four players `first` is the team of first and third.
    pub fn result(self) -> &'static str {
        match self {
            Outcome::Win { seats, .. } if seats.has(Seat::FIRST) || seats.has(Seat::THIRD) => {
                "first"
            }
            Outcome::Win { .. } => "second",
            Outcome::Draw { .. } => "draw",
            Outcome::Replay { .. } => "replay",
        }
    }
}

impl Serialize for Outcome {
    /// `{"result","winners","reason"}` as in the command line's JSON.
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut o = s.serialize_struct("Outcome", 3)?;
        o.serialize_field("result", self.result())?;
        o.serialize_field("winners", &self.winners())?;
        o.serialize_field("reason", &self.reason())?;
        o.end()
    }
}

/// An illegal move that ended a line. It was never played on a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foul {
    /// Who made it.
    pub seat: Seat,
    /// The move as it was given.
    pub text: String,
    /// Which rule it broke.
    pub reason: Reason,
}

/// Why a line is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The result; `None` only when a foul ends an archived record without deciding it.
    pub outcome: Option<Outcome>,
    /// The illegal move, if one ended the line.
    pub foul: Option<Foul>,
}

/// What a seat says instead of moving. `crates/play` gathers consents and sends the clock's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Gives up.
    Resign,
    /// Claims a win by declaration.
    Declare,
    /// All seats agree to a draw.
    AgreeDraw,
    /// All seats agree that neither king can be mated (shogi).
    AgreeImpasse,
    /// The seat's time ran out.
    Timeout,
    /// The seat left and did not come back.
    Left,
}

impl Call {
    /// All calls.
    pub const ALL: [Call; 6] = [
        Call::Resign,
        Call::Declare,
        Call::AgreeDraw,
        Call::AgreeImpasse,
        Call::Timeout,
        Call::Left,
    ];

    /// The slug, as in JSON.
    pub fn slug(self) -> &'static str {
        match self {
            Call::Resign => "resign",
            Call::Declare => "declare",
            Call::AgreeDraw => "agree-draw",
            Call::AgreeImpasse => "agree-impasse",
            Call::Timeout => "timeout",
            Call::Left => "left",
        }
    }

    /// Reads a slug.
    pub fn from_slug(slug: &str) -> Option<Call> {
        Call::ALL.into_iter().find(|c| c.slug() == slug)
    }
}

/// What an entry does. Texts are canonical.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// The referee's chance.
    Deal(String),
    /// A seat's secret arrangement.
    Layout(String),
    /// A move.
    Move(String),
    /// Something said instead of a move.
    Call(Call),
}

/// One thing put into a game's log.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its authors; none means the referee.
    pub by: Seats,
    /// What they did.
    pub act: Act,
}

impl Entry {
    /// A move of one seat.
    pub fn new_move(seat: Seat, text: impl Into<String>) -> Entry {
        Entry { by: seat.into(), act: Act::Move(text.into()) }
    }

    /// A call of these seats.
    pub fn new_call(by: impl Into<Seats>, call: Call) -> Entry {
        Entry { by: by.into(), act: Act::Call(call) }
    }
}

/// Why an entry was not taken. A refused entry changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The game has ended.
    #[error("The game is over.")]
    Over,
    /// The seat has nothing to do now.
    #[error("It is not your turn.")]
    NotYourTurn,
    /// The text says nothing this game understands.
    #[error("{0}")]
    Unreadable(ReadError),
    /// The rules do not allow it.
    #[error("Not allowed: {0}.")]
    Illegal(Reason),
    /// This call cannot be made now.
    #[error("\"{}\" cannot be said now.", .0.slug())]
    NoSuchCall(Call),
    /// There is nothing to take back, or it would give away something hidden.
    #[error("This cannot be taken back.")]
    NoTakeBack,
    /// The entry does not belong to this stage of the game.
    #[error("That does not belong to this stage of the game.")]
    WrongStage,
}

impl Refusal {
    /// A slug for programs and translations; for an illegal move the rule's reason.
    pub fn slug(&self) -> &'static str {
        match self {
            Refusal::Over => "over",
            Refusal::NotYourTurn => "not-your-turn",
            Refusal::Unreadable(_) => "unreadable",
            Refusal::Illegal(reason) => reason.0,
            Refusal::NoSuchCall(_) => "no-such-call",
            Refusal::NoTakeBack => "no-take-back",
            Refusal::WrongStage => "wrong-stage",
        }
    }
}
