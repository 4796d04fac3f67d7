//! What GGF and SGF share: games in parentheses made of properties, `ID[value][value]`, and the
//! headers both know. In a value a backslash makes the next character plain.

use super::text_of;
use kiban_core::{ReadError, Record, Sink, Source};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Properties, values and brackets of one game, so that memory stays below a gigabyte.
const MAX_PARTS: usize = 3_000_000;

/// Line and column, from 1, in characters.
pub(super) type Place = (usize, usize);

/// Canonical keys of headers and their ids.
const KEYS: &[(&str, &str)] =
    &[("first", "PB"), ("second", "PW"), ("date", "DT"), ("event", "EV"), ("place", "PC")];

/// Headers that a game begins with. A line that does so ends the game above it, whatever is open
/// there.
const FIRST: &[&str] = &[
    "GM", "FF", "CA", "AP", "SZ", "ST", "RU", "PB", "PW", "EV", "DT", "PC", "RE", "RO", "RB", "RW",
    "TI", "TY", "BO",
];

/// The canonical key of a header.
pub(super) fn key_of(id: &str) -> Option<&'static str> {
    KEYS.iter().find(|(_, known)| *known == id).map(|(key, _)| *key)
}

/// An error where something else was expected than stands there.
pub(super) fn wrong(place: Place, found: &str, expected: &str) -> ReadError {
    let found: String = found.chars().take(20).collect::<String>().escape_debug().collect();
    let message = format!("Here is \"{found}\"; write {expected}.");
    ReadError::new("bad-record", message).line(place.0).column(place.1).found(found, expected)
}

/// A file as text: UTF-8, and what is none as Latin-1, in which every byte is a character.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        decoded.extend(chunk.invalid().iter().map(|b| char::from(*b)));
    }
    Cow::Owned(decoded)
}

/// What stands together: a game or more, or nothing at the end of the file where there were games
/// before. Behind an error there is nothing.
pub(super) type Games = Vec<Result<Record, ReadError>>;

/// Reads a file game by game. A bad one ends before the next line that begins like a game, and so
/// costs no other, and nothing is read twice. The last argument of `games` is whether there were
/// games before.
pub(super) fn stream(
    source: Source<'_>,
    games: impl Fn(&mut Scanner<'_>, Option<&str>, bool) -> Games,
    sink: &mut Sink<'_>,
) {
    // Whoever takes the records may have had enough.
    let _ = match text_of(&source) {
        Ok(text) => each(&mut Scanner::new(&decoded(text)), source.variant, games, sink),
        Err(e) => sink(Err(e)),
    };
}

fn each(
    scanner: &mut Scanner<'_>,
    asked: Option<&str>,
    games: impl Fn(&mut Scanner<'_>, Option<&str>, bool) -> Games,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let (mut any, mut more) = (false, true);
    while more {
        scanner.begin();
        let games = games(scanner, asked, any);
        more = match games.last() {
            Some(Ok(_)) => true,
            Some(Err(_)) => scanner.skip_game(),
            None => false,
        };
        games.into_iter().try_for_each(&mut *sink)?;
        any = true;
    }
    ControlFlow::Continue(())
}

/// The text between two brackets, as it stands in the file.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    raw: &'a str,
    place: Place,
}

impl Value<'_> {
    /// Without its escapes; lines are separated by `\n`.
    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(self.raw.len());
        let mut chars = self.raw.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped = c == '\\';
            let Some(mut c) = (if escaped { chars.next() } else { Some(c) }) else { break };
            if c == '\r' {
                chars.next_if_eq(&'\n');
                c = '\n';
            }
            // An escaped line end only wraps the file's line.
            if !(escaped && c == '\n') {
                text.push(c);
            }
        }
        text
    }

    /// Where its character of this index stands.
    pub(super) fn place(&self, index: usize) -> Place {
        self.raw.chars().take(index).fold(self.place, after)
    }

    /// As it stands, for messages and for parsing what needs no escapes.
    pub(super) fn raw(&self) -> &str {
        self.raw
    }
}

fn after((line, column): Place, c: char) -> Place {
    if c == '\n' { (line + 1, 1) } else { (line, column + 1) }
}

/// An id with its values, of which there is at least one.
pub(super) struct Property<'a> {
    pub(super) id: String,
    pub(super) values: Vec<Value<'a>>,
    pub(super) place: Place,
}

impl<'a> Property<'a> {
    /// Its only value.
    ///
    /// # Errors
    /// If there are several.
    pub(super) fn only(&self) -> Result<Value<'a>, ReadError> {
        match self.values.as_slice() {
            [value] => Ok(*value),
            [_, second, ..] => {
                Err(wrong(second.place(0), second.raw, "one value behind this property"))
            }
            [] => unreachable!("a property is read with its value"),
        }
    }

    /// The values, joined by line ends.
    pub(super) fn text(&self) -> String {
        self.values.iter().map(Value::text).collect::<Vec<_>>().join("\n")
    }
}

/// A piece of a file.
pub(super) enum Part<'a> {
    Open,
    Close,
    Node,
    Property(Property<'a>),
}

/// Cuts a text into its parts.
pub(super) struct Scanner<'a> {
    rest: &'a str,
    place: Place,
    /// Where the last part ends.
    end: Place,
    /// The rest from the beginning of the line on, and from its parenthesis if it is like a game.
    line: &'a str,
    game: Option<&'a str>,
    /// On which line the game being read begins, how deep it is in it, and the parts of it so far.
    begun: usize,
    depth: usize,
    parts: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        let (rest, line, game) = (text, text, game_of_line(text));
        let place = (1, 1);
        Scanner { rest, place, end: place, line, game, begun: 1, depth: 0, parts: 0 }
    }

    /// Another game begins with what follows.
    pub(super) fn begin(&mut self) {
        self.begun = self.place().0;
        (self.depth, self.parts) = (0, 0);
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.place = after(self.place, c);
        if c == '\n' {
            (self.line, self.game) = (self.rest, game_of_line(self.rest));
        }
        Some(c)
    }

    fn is_at_line(&self) -> bool {
        self.line.len() == self.rest.len()
    }

    /// Whether another game than the one being read begins here, with a line and its headers.
    fn meets_game(&self) -> bool {
        let is_here = |game: &&str| game.len() == self.rest.len() || self.is_at_line();
        self.place.0 > self.begun && self.game.filter(is_here).is_some_and(has_headers)
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let before = self.rest;
        while self.rest.starts_with(&fits) {
            self.take();
        }
        &before[..before.len() - self.rest.len()]
    }

    /// Skips blanks, and marks of files put together, and says where what follows stands.
    pub(super) fn place(&mut self) -> Place {
        self.take_while(is_blank);
        self.place
    }

    /// The next characters, for messages.
    pub(super) fn ahead(&self) -> &'a str {
        if self.rest.is_empty() { "the end of the file" } else { self.rest }
    }

    /// Takes the digits that follow.
    pub(super) fn digits(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_digit())
    }

    /// Skips what is left of a bad game, which is closed or ends before the next line that begins
    /// like one. Gives whether there is more.
    fn skip_game(&mut self) -> bool {
        let (inside, mut value) = (self.depth > 0, false);
        loop {
            let unread = self.game.filter(|game| game.len() <= self.rest.len());
            let begins = unread.is_some_and(|game| !inside || has_headers(game));
            if begins && self.place.0 > self.begun {
                (self.rest, self.place) = (self.line, (self.place.0, 1));
                return true;
            }
            if inside && self.depth == 0 {
                return true;
            }
            match (self.take(), value) {
                (None, _) => return false,
                (Some('['), false) => value = true,
                (Some(']'), _) => value = false,
                (Some('\\'), true) => drop(self.take()),
                (Some('('), false) => self.depth += 1,
                (Some(')'), false) => self.depth = self.depth.saturating_sub(1),
                (Some(_), _) => {}
            }
        }
    }

    /// The next part; none at the end of the file.
    ///
    /// # Errors
    /// If something else follows, or the game is not closed or too long.
    pub(super) fn next(&mut self) -> Result<Option<Part<'a>>, ReadError> {
        let place = self.place();
        self.count()?;
        let part = match self.rest.chars().next() {
            None => return Ok(None),
            Some('(') if self.meets_game() => {
                return Err(wrong(self.end, self.rest, ") behind the game before the next begins"));
            }
            Some('(') => {
                self.depth += 1;
                Part::Open
            }
            Some(')') => {
                self.depth = self.depth.saturating_sub(1);
                Part::Close
            }
            Some(';') => Part::Node,
            Some(c) if c.is_ascii_alphabetic() => {
                return self.property(place).map(|p| Some(Part::Property(p)));
            }
            Some(_) => return Err(wrong(place, self.rest, "a property such as PB[name], ; or )")),
        };
        self.take();
        self.end = self.place;
        Ok(Some(part))
    }

    fn count(&mut self) -> Result<(), ReadError> {
        self.parts += 1;
        if self.parts <= MAX_PARTS {
            return Ok(());
        }
        let message = format!("The game has more than {MAX_PARTS} properties; split it.");
        Err(ReadError::new("too-long", message).line(self.place.0).column(self.place.1))
    }

    fn property(&mut self, place: Place) -> Result<Property<'a>, ReadError> {
        let name = self.take_while(|c| c.is_ascii_alphabetic());
        // Old files spell ids out, `PlayerBlack[...]`; the capitals alone count.
        let id: String = name.chars().filter(char::is_ascii_uppercase).collect();
        if id.is_empty() {
            return Err(wrong(place, name, "a property in capitals such as PB[name]"));
        }
        let mut values = Vec::new();
        loop {
            let at = self.place();
            if !self.rest.starts_with('[') {
                break;
            }
            self.count()?;
            self.take();
            values.push(self.value(at)?);
        }
        if values.is_empty() {
            return Err(wrong(self.place, self.ahead(), "[ and a value"));
        }
        Ok(Property { id, values, place })
    }

    fn value(&mut self, open: Place) -> Result<Value<'a>, ReadError> {
        let (before, place) = (self.rest, self.place);
        loop {
            let raw = &before[..before.len() - self.rest.len()];
            match self.take().filter(|c| *c != '\n' || !self.meets_game()) {
                Some(']') => {
                    self.end = self.place;
                    return Ok(Value { raw, place });
                }
                Some('\\') => drop(self.take()),
                Some(_) => {}
                None => {
                    let found: String = before.chars().take(20).collect();
                    return Err(wrong(open, &format!("[{found}"), "a ] behind the value"));
                }
            }
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// A line that begins like a game, from its parenthesis on. A number may stand before it.
fn game_of_line(line: &str) -> Option<&str> {
    let before = |c: char| c != '\n' && (c.is_ascii_digit() || is_blank(c));
    let game = line.trim_start_matches(before);
    game.strip_prefix('(')?.trim_start().starts_with(';').then_some(game)
}

/// Whether what begins like a game has headers, which a variation has not.
fn has_headers(game: &str) -> bool {
    let behind = game.split_once(';').map_or("", |(_, behind)| behind).trim_start();
    let letters = behind.chars().take_while(char::is_ascii_alphabetic);
    let id: String = letters.filter(char::is_ascii_uppercase).collect();
    FIRST.contains(&id.as_str())
}

/// Writes a property.
pub(super) fn put(out: &mut String, id: &str, value: &str) {
    out.push_str(id);
    out.push('[');
    let mut last = ' ';
    for c in value.chars() {
        // A line of a value must not look like the next game.
        if matches!(c, ']' | '\\') || c == '(' && matches!(last, '\n' | '\r') {
            out.push('\\');
        }
        out.push(c);
        last = c;
    }
    out.push(']');
}

/// Writes the headers with an id, then the unknown ones but those of these ids.
pub(super) fn put_headers(out: &mut String, record: &Record, except: &[&str]) {
    for (key, value) in &record.tags {
        if let Some((_, id)) = KEYS.iter().find(|(known, _)| known == key) {
            put(out, id, value);
        }
    }
    let mut last = "";
    for (key, value) in &record.unknown {
        // Headers of other formats may have names that are no ids here.
        let is_id = !key.is_empty() && key.bytes().all(|b| b.is_ascii_uppercase());
        if is_id && !except.contains(&key.as_str()) && key_of(key).is_none() {
            put(out, if last == key { "" } else { key }, value);
            last = key;
        }
    }
}

/// The error that a game of a list cannot be written.
pub(super) fn not_held(message: &str, index: usize, games: usize) -> ReadError {
    let which = if games > 1 { format!("Game {}: ", index + 1) } else { String::new() };
    ReadError::new("not-held", format!("{which}{message}"))
}
