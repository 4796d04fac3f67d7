//! The outline of a document of JKF, which need not be well-formed: where it ends and its nodes
//! begin, and what stands under keys that are not of JKF. Errors and records name the places; and
//! nothing is taken apart that is too large for it.

use super::{BESIDE_KEY, MARK};
use crate::notation::text::wrong;
use kiban_core::ReadError;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// Deeper texts are not read; the JSON reader has the same bound.
const MOST_DEPTH: usize = 127;
/// A document with more nodes is not read.
const MOST_STEPS: usize = 110_000;
/// So is one with more brackets, whatever its keys look like.
const MOST_BRACKETS: usize = 1_000_000;
/// And one with more keys that are not of JKF.
const MOST_BESIDE: usize = 100_000;

/// A byte of a text, and the line and column of the character there.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Spot {
    /// The beginning of a text.
    pub(super) const FIRST: Spot = Spot { at: 0, line: 1, column: 1 };

    /// Line and column.
    pub(super) fn place(self) -> (usize, usize) {
        (self.line, self.column)
    }

    fn after(self, c: char) -> Spot {
        let at = self.at + c.len_utf8();
        match c {
            '\n' => Spot { at, line: self.line + 1, column: 1 },
            MARK => Spot { at, ..self },
            _ => Spot { at, column: self.column + 1, ..self },
        }
    }

    /// The place of a later byte of its text.
    pub(super) fn to(self, text: &str, at: usize) -> Spot {
        text[self.at..at].chars().fold(self, Spot::after)
    }
}

/// Where a document and its nodes begin, in the order of the text.
#[derive(Default)]
pub(super) struct Places {
    pub(super) begin: (usize, usize),
    pub(super) steps: Vec<(usize, usize)>,
}

/// A document as its brackets tell it.
pub(super) struct Outline {
    pub(super) places: Places,
    /// Where in the text the values under keys that are not of JKF stand, by JSON pointers.
    pub(super) beside: BTreeMap<String, Range<usize>>,
    /// The end of its last bracket, or of what shows that it has none.
    pub(super) end: usize,
    /// Whether it has.
    pub(super) whole: bool,
}

/// What a bracket opens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Document,
    Header,
    Initial,
    Data,
    Board,
    File,
    Cell,
    Steps,
    Step,
    Forks,
    Play,
    Square,
    Time,
    Clock,
    /// An object of keys that are not of JKF.
    Beside,
    /// What may have any keys, or has none.
    Other,
}

impl Role {
    /// Whether this key is not of JKF.
    fn is_beside(self, key: &str) -> bool {
        let keys: &[&str] = match self {
            Role::Document => &["header", "initial", "moves"],
            Role::Initial => &["preset", "data"],
            Role::Data => &["color", "board", "hands"],
            Role::Cell => &["color", "kind"],
            Role::Step => &["comments", "move", "time", "special", "forks"],
            Role::Play => {
                &["color", "from", "to", "piece", "same", "promote", "capture", "relative"]
            }
            Role::Square => &["x", "y"],
            Role::Time => &["now", "total"],
            Role::Clock => &["h", "m", "s"],
            Role::Beside => &[],
            // A header of the name by which the record keeps such keys.
            Role::Header => return key == BESIDE_KEY,
            Role::Board | Role::File | Role::Steps | Role::Forks | Role::Other => return false,
        };
        !keys.contains(&key)
    }

    /// What opens inside behind this key.
    fn inside(self, key: &str) -> Role {
        match (self, key) {
            (Role::Document, "header") => Role::Header,
            (Role::Document, "moves") | (Role::Forks, _) => Role::Steps,
            (Role::Steps, _) => Role::Step,
            (Role::Step, "forks") => Role::Forks,
            (Role::Step, "move") => Role::Play,
            (Role::Play, "from" | "to") => Role::Square,
            (Role::Step, "time") => Role::Time,
            (Role::Time, "now" | "total") => Role::Clock,
            (Role::Document, "initial") => Role::Initial,
            (Role::Initial, "data") => Role::Data,
            (Role::Data, "board") => Role::Board,
            (Role::Board, _) => Role::File,
            (Role::File, _) => Role::Cell,
            _ => Role::Other,
        }
    }
}

/// The outline of what begins here with a bracket.
///
/// # Errors
/// If it has too many parts or is nested too deeply.
pub(super) fn outline(text: &str, begin: Spot, role: Role) -> Result<Outline, ReadError> {
    let places = Places { begin: begin.place(), ..Places::default() };
    let outline = Outline { places, beside: BTreeMap::new(), end: text.len(), whole: false };
    let mut scanner = Scanner {
        text,
        role,
        outline,
        open: Vec::new(),
        word: "",
        string: None,
        escaped: false,
        stands: false,
        brackets: 0,
        value: None,
    };
    let mut spot = begin;
    for c in text[begin.at..].chars() {
        let took = scanner.take(c, spot)?;
        spot = spot.after(c);
        if let ControlFlow::Break(whole) = took {
            (scanner.outline.end, scanner.outline.whole) = (spot.at, whole);
            break;
        }
    }
    Ok(scanner.outline)
}

/// An open bracket, and what of it is being read.
struct Open<'a> {
    role: Role,
    list: bool,
    key: Cow<'a, str>,
    index: usize,
}

struct Scanner<'a> {
    text: &'a str,
    /// What the first bracket opens.
    role: Role,
    outline: Outline,
    open: Vec<Open<'a>>,
    /// The last string as it is written.
    word: &'a str,
    /// The beginning of a string, and whether the character before is an escape in it.
    string: Option<usize>,
    escaped: bool,
    /// Whether a value stands here, behind which another is a fault.
    stands: bool,
    brackets: usize,
    /// How deep the value of a key that is not of JKF stands, and where it begins.
    value: Option<(usize, usize)>,
}

impl Scanner<'_> {
    /// Takes a character; breaks behind the last bracket, or where there will be none.
    fn take(&mut self, c: char, spot: Spot) -> Result<ControlFlow<bool>, ReadError> {
        match (self.string, c) {
            (Some(begin), '"') if !self.escaped => {
                self.word = &self.text[begin..spot.at];
                self.string = None;
            }
            // No string of JSON goes on in another line.
            (Some(_), '\n') => return Ok(ControlFlow::Break(false)),
            (Some(_), c) => self.escaped = c == '\\' && !self.escaped,
            (None, '"' | '{' | '[') if self.stands => return Ok(ControlFlow::Break(false)),
            (None, '"') => (self.string, self.stands) = (Some(spot.at + 1), true),
            (None, '{' | '[') => self.open(c, spot)?,
            (None, '}' | ']') => {
                self.end_value(spot.at);
                self.open.pop();
                self.stands = true;
                if self.open.is_empty() {
                    return Ok(ControlFlow::Break(true));
                }
            }
            (None, ',') => {
                self.end_value(spot.at);
                self.stands = false;
                self.open.iter_mut().last().expect("a bracket is open").index += 1;
            }
            (None, ':') => self.key(spot.at + 1),
            (None, c) => self.stands |= !c.is_whitespace(),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn open(&mut self, c: char, spot: Spot) -> Result<(), ReadError> {
        let role = self.open.last().map_or(self.role, |open| open.role.inside(&open.key));
        self.open.push(Open { role, list: c == '[', key: Cow::Borrowed(""), index: 0 });
        self.brackets += 1;
        if role == Role::Step {
            self.outline.places.steps.push(spot.place());
        }
        self.exceeded().map_or(Ok(()), |most| Err(wrong(spot.place(), &c.to_string(), most)))
    }

    fn key(&mut self, value: usize) {
        self.stands = false;
        let depth = self.open.len();
        let open = self.open.last_mut().expect("a bracket is open");
        open.key = plain(self.word);
        if open.role.is_beside(&open.key) && !open.list {
            self.value = Some((depth, value));
        }
    }

    fn end_value(&mut self, end: usize) {
        if let Some((_, begin)) = self.value.take_if(|(depth, _)| *depth == self.open.len()) {
            let name = |open: &Open<'_>| match open.list {
                true => format!("/{}", open.index),
                false => format!("/{}", escaped(&open.key)),
            };
            let pointer = self.open.iter().map(name).collect();
            self.outline.beside.insert(pointer, begin..end);
        }
    }

    /// The bound that the document exceeds.
    fn exceeded(&self) -> Option<&'static str> {
        if self.open.len() > MOST_DEPTH {
            Some("at most 127 levels of nesting")
        } else if self.outline.places.steps.len() > MOST_STEPS {
            Some("at most 100,000 moves in a record")
        } else if self.brackets > MOST_BRACKETS {
            Some("at most a million brackets in a record")
        } else if self.outline.beside.len() > MOST_BESIDE {
            Some("at most 100,000 keys that are not of JKF in a record")
        } else {
            None
        }
    }
}

/// A string without its escapes.
fn plain(word: &str) -> Cow<'_, str> {
    let unescaped = || serde_json::from_str(&format!("\"{word}\"")).ok();
    let unescaped = if word.contains('\\') { unescaped() } else { None };
    unescaped.map_or(Cow::Borrowed(word), Cow::Owned)
}

/// A key as a part of a JSON pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
