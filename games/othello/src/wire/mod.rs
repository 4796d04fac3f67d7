//! Engine protocols of this game, in which Kiban is an engine or an engine's user.

mod engine;
mod pilot;

use crate::{Move, Othello};
use engine::{cassio::Cassio, gtp::Gtp, nboard::NBoard, xboard::XBoard};
use kiban_core::Protocol;

/// NBoard, as C. Welty's board program of that name speaks it.
pub(crate) const NBOARD: Protocol = Protocol {
    id: "nboard",
    engine: Some(|variant| Box::new(NBoard::new(Othello::of_variant(variant)))),
    pilot: Some(|_| Box::new(pilot::nboard::NBoard::default())),
};

/// The Go Text Protocol, version 2, as programs use it for this game.
pub(crate) const GTP: Protocol = Protocol {
    id: "gtp",
    engine: Some(|variant| Box::new(Gtp::new(Othello::of_variant(variant)))),
    pilot: Some(|_| Box::new(pilot::gtp::Gtp::default())),
};

/// The engine protocol of S. Nicolet's Cassio.
pub(crate) const CASSIO: Protocol = Protocol {
    id: "cassio",
    engine: Some(|variant| Box::new(Cassio::new(Othello::of_variant(variant)))),
    pilot: None,
};

/// The protocol of XBoard and WinBoard, version 2, with the variant they call reversi.
pub(crate) const XBOARD: Protocol = Protocol {
    id: "xboard",
    engine: Some(|variant| Box::new(XBoard::new(Othello::of_variant(variant)))),
    pilot: None,
};

/// A move as most protocols write it: `F5`, `PA`.
fn upper_case(m: Move) -> String {
    if m == Move::PASS { "PA".to_string() } else { m.to_string().to_ascii_uppercase() }
}
