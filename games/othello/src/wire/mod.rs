//! Engine protocols: NBoard (version 2) both ways, and GTP to other engines.

mod gtp;
mod nboard;
mod pilot;

use crate::Move;
use kiban_core::Protocol;

/// NBoard, as C. Welty's board program of that name speaks it.
pub(crate) const NBOARD: Protocol = Protocol {
    id: "nboard",
    engine: Some(|variant| Box::new(nboard::NBoard::new(variant))),
    pilot: Some(|_| Box::new(pilot::NBoard::default())),
};

/// The Go Text Protocol, version 2, as engines use it for this game.
pub(crate) const GTP: Protocol =
    Protocol { id: "gtp", engine: None, pilot: Some(|_| Box::new(gtp::Gtp::default())) };

/// A move as NBoard writes it: `F5`, `PA`.
fn nboard_text(m: Move) -> String {
    if m == Move::PASS { "PA".to_string() } else { m.to_string().to_ascii_uppercase() }
}
