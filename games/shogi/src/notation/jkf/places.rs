//! Where the nodes of JKF stand in a text: what errors and records name, and what keeps a file
//! from being taken apart that is too large for one.

use crate::notation::text::wrong;
use kiban_core::ReadError;
use serde_json::{Map, Value};

/// Deeper texts are not read; the JSON reader has the same bound.
const MOST_DEPTH: usize = 127;
/// A document with more nodes is not read.
const MOST_STEPS: usize = 110_000;
/// So is one with more brackets, whatever its keys look like.
const MOST_BRACKETS: usize = 1_000_000;

/// Where a document and its nodes begin, in the order of the text.
#[derive(Default)]
pub(super) struct Places {
    pub(super) begin: (usize, usize),
    pub(super) steps: Vec<(usize, usize)>,
    /// Whether there are keys that are not of JKF.
    pub(super) odd: bool,
}

/// What a bracket opens.
#[derive(Clone, Copy)]
enum Role {
    Document,
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
    /// What may have any keys, or has none.
    Other,
}

impl Role {
    /// The keys that are of JKF; `None` where all are.
    fn keys(self) -> Option<&'static [&'static str]> {
        Some(match self {
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
            Role::Board | Role::File | Role::Steps | Role::Forks | Role::Other => return None,
        })
    }
}

/// The places of all documents of a text, which need not be well-formed.
///
/// # Errors
/// If a document has too many nodes or is nested too deeply.
pub(super) fn places(text: &str) -> Result<Vec<Places>, ReadError> {
    let mut documents: Vec<Places> = Vec::new();
    let mut open: Vec<Role> = Vec::new();
    let (mut key, mut brackets) = ("", 0);
    let (mut line, mut column) = (1, 0);
    // The beginning of a string, and whether the character before is an escape in it.
    let (mut string, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        column += 1;
        if c == '\n' {
            (line, column) = (line + 1, 0);
        }
        let place = (line, column);
        match (string, c) {
            (Some(begin), '"') if !escaped => {
                key = &text[begin..at];
                string = None;
            }
            (Some(_), c) => escaped = c == '\\' && !escaped,
            (None, '"') => string = Some(at + 1),
            (None, '{' | '[') => {
                let role = inside(open.last().copied(), key);
                brackets = if open.is_empty() { 0 } else { brackets + 1 };
                open.push(role);
                match (role, documents.last_mut()) {
                    (Role::Document, _) => {
                        documents.push(Places { begin: place, ..Places::default() });
                    }
                    (Role::Step, Some(document)) => document.steps.push(place),
                    _ => {}
                }
                let steps = documents.last().map_or(0, |document| document.steps.len());
                if let Some(most) = exceeded(open.len(), brackets, steps) {
                    return Err(wrong(place, &c.to_string(), most));
                }
            }
            (None, '}' | ']') => drop(open.pop()),
            (None, ':') => {
                let keys = open.last().and_then(|role| role.keys());
                if let (Some(keys), Some(document)) = (keys, documents.last_mut()) {
                    document.odd |= !keys.contains(&key);
                }
            }
            (None, _) => {}
        }
    }
    Ok(documents)
}

/// The bound that a document exceeds.
fn exceeded(depth: usize, brackets: usize, steps: usize) -> Option<&'static str> {
    if depth > MOST_DEPTH {
        Some("at most 127 levels of nesting")
    } else if steps > MOST_STEPS {
        Some("at most 100,000 moves in a record")
    } else if brackets > MOST_BRACKETS {
        Some("at most a million brackets in a record")
    } else {
        None
    }
}

/// What opens inside another bracket behind this key.
fn inside(outer: Option<Role>, key: &str) -> Role {
    match (outer, key) {
        (None, _) => Role::Document,
        (Some(Role::Document), "moves") | (Some(Role::Forks), _) => Role::Steps,
        (Some(Role::Steps), _) => Role::Step,
        (Some(Role::Step), "forks") => Role::Forks,
        (Some(Role::Step), "move") => Role::Play,
        (Some(Role::Play), "from" | "to") => Role::Square,
        (Some(Role::Step), "time") => Role::Time,
        (Some(Role::Time), "now" | "total") => Role::Clock,
        (Some(Role::Document), "initial") => Role::Initial,
        (Some(Role::Initial), "data") => Role::Data,
        (Some(Role::Data), "board") => Role::Board,
        (Some(Role::Board), _) => Role::File,
        (Some(Role::File), _) => Role::Cell,
        _ => Role::Other,
    }
}

/// The keys of a document that are not of JKF, each by its JSON pointer.
pub(super) fn beside(document: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    let mut waiting = vec![(document, Role::Document, String::new())];
    while let Some((value, role, pointer)) = waiting.pop() {
        if let Value::Array(list) = value {
            let at = |(i, item)| (item, inside(Some(role), ""), format!("{pointer}/{i}"));
            waiting.extend(list.iter().enumerate().map(at));
        }
        let Value::Object(map) = value else { continue };
        for (key, value) in map {
            let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
            if role.keys().is_some_and(|keys| !keys.contains(&key.as_str())) {
                found.insert(pointer, value.clone());
            } else {
                waiting.push((value, inside(Some(role), key), pointer));
            }
        }
    }
    found
}

/// Puts keys that are not of JKF where their pointers say. The error is the first pointer that
/// leads nowhere, or to something else.
pub(super) fn put_beside(document: &mut Value, keys: Map<String, Value>) -> Result<(), String> {
    for (pointer, value) in keys {
        let Some((parent, key)) = pointer.rsplit_once('/') else { return Err(pointer) };
        let key = key.replace("~1", "/").replace("~0", "~");
        match document.pointer_mut(parent).and_then(Value::as_object_mut) {
            Some(map) if !map.contains_key(&key) => drop(map.insert(key, value)),
            _ => return Err(pointer),
        }
    }
    Ok(())
}
