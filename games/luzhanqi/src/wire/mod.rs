//! Engine protocols.

mod contest;

use kiban_core::Protocol;

/// The line protocol of the Chinese computer games contest (version 1.0 of 2012).
pub(crate) const CONTEST: Protocol = Protocol {
    id: "contest",
    engine: Some(|variant| Box::new(contest::Contest::new(variant))),
    pilot: None,
};
