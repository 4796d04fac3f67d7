//! The parts of a PGN text.

use kiban_core::ReadError;
use std::borrow::Cow;

/// Line and column, from 1, in characters.
pub(super) type Place = (usize, usize);

/// A part of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part<'a> {
    /// `[Key "value"]`, the value without its escapes.
    Tag(&'a str, String),
    /// A move, or a removal that is a token of its own; without its number and marks.
    Move(&'a str),
    /// What stands in braces or behind a semicolon.
    Comment(Cow<'a, str>),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The result.
    Result(&'a str),
    /// The end of the text.
    End,
}

/// An error where something else was expected than stands there.
pub(super) fn wrong(place: Place, found: &str, expected: &str) -> ReadError {
    let found: String = found.chars().take(20).collect::<String>().escape_debug().collect();
    let message = format!("Here is \"{found}\"; write {expected}.");
    ReadError::new("bad-record", message).line(place.0).column(place.1).found(found, expected)
}

/// Reads a text part by part.
pub(super) struct Scanner<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text, place: (1, 1) }
    }

    /// Whether all is read.
    pub(super) fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            self.place =
                if c == '\n' { (self.place.0 + 1, 1) } else { (self.place.0, self.place.1 + 1) };
        }
        self.rest = rest;
        taken
    }

    /// Takes what comes before this character, and the character.
    fn until(&mut self, end: char, expected: &str) -> Result<&'a str, ReadError> {
        let Some(at) = self.rest.find(end) else {
            return Err(wrong(self.place, self.rest, expected));
        };
        let taken = self.take(at);
        self.take(end.len_utf8());
        Ok(taken)
    }

    fn skip_blanks(&mut self) {
        let blank = self.rest.len() - self.rest.trim_start().len();
        self.take(blank);
    }

    /// The next part and where it begins.
    pub(super) fn next(&mut self) -> Result<(Part<'a>, Place), ReadError> {
        loop {
            self.skip_blanks();
            let place = self.place;
            let Some(first) = self.rest.chars().next() else { return Ok((Part::End, place)) };
            let part = match first {
                '[' => self.tag()?,
                '{' => {
                    self.take(1);
                    Part::Comment(Cow::Borrowed(self.until('}', "a comment in braces")?.trim()))
                }
                ';' => {
                    self.take(1);
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    Part::Comment(Cow::Borrowed(self.take(end).trim()))
                }
                '(' | ')' => {
                    self.take(1);
                    if first == '(' { Part::Open } else { Part::Close }
                }
                ']' | '}' => return Err(wrong(place, self.rest, "a move")),
                _ => match self.word() {
                    Some(part) => part,
                    None => continue,
                },
            };
            return Ok((part, place));
        }
    }

    /// A move or result; nothing for a number or mark that stands alone.
    fn word(&mut self) -> Option<Part<'a>> {
        let ends = |c: char| c.is_whitespace() || "[]{}();".contains(c);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let word = self.take(end);
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            return Some(Part::Result(word));
        }
        if word.starts_with('$') {
            return None;
        }
        let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = if behind.len() < word.len() && (behind.is_empty() || behind.starts_with('.')) {
            behind.trim_start_matches('.')
        } else {
            word.trim_start_matches('.')
        };
        let word = word.trim_end_matches(['\u{21}', '?']);
        (!word.is_empty()).then_some(Part::Move(word))
    }

    fn tag(&mut self) -> Result<Part<'a>, ReadError> {
        const TAG: &str = "a tag such as [White \"Ann\"]";
        let place = self.place;
        let whole = self.rest;
        self.take(1);
        self.skip_blanks();
        let key = self.until('"', TAG).map_err(|_| wrong(place, whole, TAG))?.trim();
        let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if key.is_empty() || !plain {
            return Err(wrong(place, whole, TAG));
        }
        let (mut value, mut escaped) = (String::new(), false);
        let mut length = 0;
        let mut closed = false;
        for c in self.rest.chars() {
            length += c.len_utf8();
            match c {
                _ if escaped => value.push(c),
                '"' => {
                    closed = true;
                    break;
                }
                '\\' => {}
                '\n' => break,
                _ => value.push(c),
            }
            escaped = c == '\\' && !escaped;
        }
        self.take(length);
        self.skip_blanks();
        if !closed || !self.rest.starts_with(']') {
            return Err(wrong(place, whole, TAG));
        }
        self.take(1);
        Ok(Part::Tag(key, value))
    }
}
