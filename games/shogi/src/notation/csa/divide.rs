//! Where the records of a CSA file begin: behind a line with a slash, or where a head does.

use super::{ENCODING, SEPARATOR};
use crate::notation::heads::{Heads, Part, Sort};
use crate::notation::stream::Divider;

const VERSION: u32 = 1;
const FIRST_NAME: u32 = 1 << 1;
const SECOND_NAME: u32 = 1 << 2;
const TURN: u32 = 1 << 3;
/// `P+` and `P-`.
const PIECES: u32 = 1 << 4;
/// `PI`; the ranks' bits follow.
const BOARD: u32 = 1 << 5;

/// Begins a comment that belongs to the move above it.
const OF_MOVES: &str = "'*";

const BOARDS: u32 = (BOARD << 10) - BOARD;
/// What stands below names and headers.
const POSITION: u32 = TURN | PIECES | BOARDS;

/// Divides a file.
#[derive(Default)]
pub(super) struct Records {
    heads: Heads,
}

impl Divider for Records {
    fn begun(&mut self, line: &str) -> Option<usize> {
        let line = line.trim_end();
        if line.trim_start() == SEPARATOR {
            *self = Records::default();
            return Some(0);
        }
        if line.starts_with(ENCODING) {
            return self.heads.begun([Sort::First]);
        }
        if line.starts_with('\'') && !line.starts_with(OF_MOVES) {
            return self.heads.begun([Sort::Note]);
        }
        if line.is_empty() || line.starts_with(['\'', '#']) {
            return self.heads.begun([Sort::Beside]);
        }
        // Statements of a position, a side and moves may share a line.
        let shared = line.starts_with(['+', '-', 'P', 'T', '%']);
        let statements = line.splitn(if shared { usize::MAX } else { 1 }, ',').map(str::trim);
        self.heads.begun(statements.map_while(sort))
    }
}

/// The sort of a statement; nothing for a comment behind others.
fn sort(text: &str) -> Option<Sort> {
    let known = |part| Sort::Head(Part { before: POSITION, ..part });
    Some(match text.as_bytes() {
        [b'\'', ..] => return None,
        [b'+' | b'-'] => Sort::Head(Part { inner: true, ..Part::once(TURN) }),
        [b'+' | b'-' | b'%', ..] | [b'T', b'0'..=b'9', ..] => Sort::Moves,
        [b'V', b'0'..=b'9', ..] => known(Part { opens: POSITION, ..Part::once(VERSION) }),
        [b'N', b'+', ..] => known(Part::once(FIRST_NAME)),
        [b'N', b'-', ..] => known(Part::once(SECOND_NAME)),
        [b'$', ..] => known(Part::UNKNOWN),
        [b'P', of, ..] => {
            let part = match of {
                b'I' => Part::once(BOARD),
                b'1'..=b'9' => Part::once(BOARD << (of - b'0')),
                b'+' | b'-' => Part::known(PIECES),
                _ => return Some(Sort::Within),
            };
            Sort::Head(Part { before: TURN, ..part })
        }
        _ => Sort::Within,
    })
}
