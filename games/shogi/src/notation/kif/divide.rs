//! Where the records of a file of KIF, KI2 or BOD begin.

use super::read::{BRANCH, NAME_KEY, begins_moves, hand_of, is_foreign, turn_line};
use super::{Style, is_marked};
use crate::moves::Color;
use crate::notation::endings::SUMMARY;
use crate::notation::heads::{Heads, Part, QUIET, SUBSTANCE, Sort};
use crate::notation::stream::Divider;
use crate::notation::text::{Cursor, digit, is_blank};
use crate::notation::{diagram, headers};

/// What a head has once. A game has one name of each side and one name of its start; a title or an
/// event may stand twice.
const ONCE: [&str; 5] = [NAME_KEY, "先手", "後手", "下手", "上手"];
const SENTE_HAND: u32 = 1 << 5;
const GOTE_HAND: u32 = 1 << 6;
const RANK: u32 = 1 << 7;
const TURN: u32 = 1 << 8;
const LAST: u32 = 1 << 9;
const COLUMNS: u32 = 1 << 10;
/// What stands below the first line of a diagram.
const DIAGRAM: u32 = SENTE_HAND | RANK | TURN | LAST;
/// Where the bits of the other headers begin.
const HEADERS: usize = 16;
/// The header that programs write first.
const EARLY: &str = "開始日時";
/// How programs begin their files.
const FIRST: [&str; 4] = ["#KIF", "#KI2", "# KIF", "# ---- "];
const RANKS: usize = 9;
/// Nothing known has fewer bytes.
const SHORTEST: usize = 3;

/// Divides a file.
pub(super) struct Records {
    style: Style,
    heads: Heads,
    /// How many ranks of a diagram there are before the line.
    ranks: usize,
    line: Line,
}

/// Where the line of play before the current line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Its next move may have any number: there was none, or a branch was announced.
    Fresh,
    /// It has moves.
    Begun,
    /// A word has ended it.
    Ended,
    /// A summary has closed it.
    Closed,
}

impl Divider for Records {
    fn begun(&mut self, line: &str) -> Option<usize> {
        let body = line.trim_start_matches(is_blank);
        let sort = match self.sort(body) {
            Sort::Moves => self.moves(body),
            // What is over does not end again.
            Sort::Behind if !body.starts_with(BRANCH) && self.is_over() => Sort::MayOpen,
            sort => sort,
        };
        let begun = self.heads.begun([sort]);
        self.line = match sort {
            Sort::Behind | Sort::MayOpen if body.starts_with(SUMMARY) => Line::Closed,
            Sort::Behind if body.starts_with(BRANCH) => Line::Fresh,
            Sort::Behind => Line::Ended,
            Sort::Moves | Sort::MayOpen | Sort::Opening => Line::Begun,
            _ if begun.is_some() => Line::Fresh,
            _ => self.line,
        };
        begun
    }
}

impl Records {
    pub(super) fn new(style: Style) -> Records {
        Records { style, heads: Heads::default(), ranks: 0, line: Line::Fresh }
    }

    /// The sort of a move. Where the line of play before it has moves or is over and no branch was
    /// announced, a first number begins a game, and so does a move without one behind a summary.
    fn moves(&self, body: &str) -> Sort {
        match (self.line, Cursor::new(1, body).number()) {
            (Line::Begun | Line::Ended | Line::Closed, Some(1)) => Sort::Opening,
            (Line::Closed, None) => Sort::Opening,
            (_, Some(1) | None) => Sort::MayOpen,
            (_, Some(_)) => Sort::Moves,
        }
    }

    /// Whether the line of play is over.
    fn is_over(&self) -> bool {
        matches!(self.line, Line::Ended | Line::Closed)
    }

    fn sort(&mut self, body: &str) -> Sort {
        let Some(first) = body.chars().next() else { return Sort::Beside };
        if "*&#".contains(first) {
            let named = FIRST.iter().any(|first| body.starts_with(first));
            return if named { Sort::First } else { Sort::Beside };
        }
        let ranks = std::mem::take(&mut self.ranks);
        match first {
            '|' => {
                let within = (1..RANKS).contains(&ranks);
                self.ranks = if within { ranks + 1 } else { 1 };
                if within {
                    Sort::Within
                } else {
                    Sort::Head(Part { start: true, ..Part::once(RANK) })
                }
            }
            _ if is_foreign(body) => Sort::Foreign,
            _ if body.len() < SHORTEST => Sort::Within,
            _ if self.style == Style::Ki2 && is_marked(body) => Sort::Moves,
            _ if begins_moves(body, self.heads.any()) => {
                if digit(first).is_some() {
                    Sort::Moves
                } else {
                    Sort::Behind
                }
            }
            _ => part(body.trim_end_matches(is_blank)).map_or(Sort::Within, Sort::Head),
        }
    }
}

/// What a line of a head is; none that is no header.
fn part(body: &str) -> Option<Part> {
    Some(if body.starts_with("+-") || diagram::is_file_line(body) {
        Part::known(QUIET)
    } else if turn_line(body).is_some() {
        Part { inner: true, ..Part::once(TURN) }
    } else if body.starts_with("手数") && body.contains("--") {
        Part { ends: true, ..Part::once(COLUMNS) }
    } else if body.starts_with("手数＝") || body.starts_with("手数=") {
        Part { inner: true, ..Part::once(LAST) }
    } else {
        let (key, _) = headers::split(body)?;
        key.starts_with(char::is_alphabetic).then(|| header(key))?
    })
}

/// What a header is.
fn header(key: &str) -> Part {
    if let Some(at) = ONCE.iter().position(|once| *once == key) {
        // Names may stand below a diagram.
        let part = Part::once(1 << at);
        return match key {
            NAME_KEY => Part { start: true, before: DIAGRAM, opens: RANK, ..part },
            _ => Part { waits: true, ..part },
        };
    }
    match (hand_of(key), headers::index_of_kif(key)) {
        (Some(Color::Sente), _) => Part::once(SENTE_HAND),
        (Some(Color::Gote), _) => Part { before: DIAGRAM, ..Part::once(GOTE_HAND) },
        (None, Some(at)) => {
            let early = key == EARLY;
            let (before, opens) = if early { (SUBSTANCE, DIAGRAM) } else { (DIAGRAM, 0) };
            Part { before, opens, ..Part::known(1 << (HEADERS + at)) }
        }
        (None, None) => Part::UNKNOWN,
    }
}
