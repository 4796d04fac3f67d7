//! Commitments: a hash of each secret, published before play and opened at the end, by which
//! anyone can check that the referee changed nothing.

use kiban_core::{Act, ReadError, Record, Seat, Warning};
use sha2::{Digest, Sha256};

/// Who committed: a seat to its layout, the referee to the deal.
const DEAL: &str = "deal";

/// The commitment to a secret: SHA-256 of `salt:game:who:letters` in hexadecimal digits. The salt
/// is 64 hexadecimal digits; `who` is a seat's name with the 25 letters of its layout, or `deal`
/// with the 50 letters of a deal.
pub fn commitment(salt: &str, game: &str, who: &str, letters: &str) -> String {
    let digest = Sha256::digest(format!("{salt}:{game}:{who}:{letters}").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The tag of a commitment.
pub fn commitment_key(who: &str) -> String {
    format!("commitment-{who}")
}

/// The tag of its salt.
pub fn salt_key(who: &str) -> String {
    format!("salt-{who}")
}

/// Everybody who can commit, as in the tags.
pub(crate) fn committers() -> impl Iterator<Item = &'static str> {
    Seat::ALL.into_iter().map(Seat::name).chain([DEAL])
}

/// Checks every commitment of a record. The first that does not fit is an error; one that cannot
/// be checked is a warning.
pub(crate) fn check(record: &Record) -> (Vec<Warning>, Option<ReadError>) {
    let mut warnings = Vec::new();
    for who in committers() {
        let Some(promised) = record.tag(&commitment_key(who)) else { continue };
        let secret = record.entries().find_map(|entry| match &entry.act {
            Act::Layout(text) if entry.by.only().is_some_and(|s| s.name() == who) => Some(text),
            Act::Deal(text) if who == DEAL => Some(text),
            _ => None,
        });
        let (salt, game) = (record.tag(&salt_key(who)), record.tag("id"));
        let (Some(secret), Some(salt), Some(game)) = (secret, salt, game) else {
            let text = format!(
                "The commitment of {who} is not opened: the layout, its salt or the game's id is missing."
            );
            warnings.push(Warning { line: 1, column: 1, text });
            continue;
        };
        if salt.len() != 64 || salt.bytes().any(|b| !b.is_ascii_hexdigit()) {
            let message = format!("The salt of {who} is not 64 hexadecimal digits.");
            return (warnings, Some(ReadError::new("bad-commitment", message)));
        }
        if !commitment(salt, game, who, secret).eq_ignore_ascii_case(promised) {
            let message = format!(
                "What {who} laid down does not fit the commitment made before play: \
                 the record was changed."
            );
            return (warnings, Some(ReadError::new("bad-commitment", message)));
        }
    }
    (warnings, None)
}
