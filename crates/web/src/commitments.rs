//! Commitments: a hash of each layout and of the deal, told from the moment it lies, so that after
//! the end anyone can check that nothing was changed. What is hashed stays hidden behind a salt
//! that follows from the game's key and is told with the record of the finished game.

use crate::guard::hash;
use crate::room::Live;
use kiban_core::{Act, Entry, Record};
use serde::Serialize;

/// Who commits to a deal.
const DEAL: &str = "deal";

/// A promise that what lies is not changed.
#[derive(Serialize)]
pub(crate) struct Commitment {
    /// A seat's name, or `deal`.
    who: &'static str,
    /// SHA-256 of `salt:game id:who:text` in hexadecimal digits.
    sha256: String,
}

/// What an entry commits to: whose it is, and its text.
fn secret(entry: &Entry) -> Option<(&'static str, &str)> {
    match &entry.act {
        Act::Layout(text) => Some((entry.by.only()?.name(), text)),
        Act::Deal(text) => Some((DEAL, text)),
        Act::Move(_) | Act::Call(_) => None,
    }
}

/// 32 bytes in hexadecimal digits that nobody can guess and a restart does not change.
fn salt(live: &Live, who: &str) -> String {
    hash(&format!("salt-{who} {}", live.key()))
}

/// Everything that has been committed to so far, in the order in which it was laid down.
pub(crate) fn of(live: &Live) -> Vec<Commitment> {
    let promise = |(who, text): (&'static str, &str)| {
        let sha256 = hash(&format!("{}:{}:{who}:{text}", salt(live, who), live.id()));
        Commitment { who, sha256 }
    };
    live.room().referee().log().iter().filter_map(secret).map(promise).collect()
}

/// Opens the commitments in the record of a finished game.
pub(crate) fn open(live: &Live, record: &mut Record) {
    let commitments = of(live);
    if commitments.is_empty() {
        return;
    }
    record.tags.push(("id".to_string(), live.id().to_string()));
    for Commitment { who, sha256 } in commitments {
        record.tags.push((format!("commitment-{who}"), sha256));
        record.tags.push((format!("salt-{who}"), salt(live, who)));
    }
}
