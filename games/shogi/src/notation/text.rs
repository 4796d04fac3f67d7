//! Text to lines and characters with their places: what every record reader needs.

use super::encoding::Text;
use kiban_core::{ReadError, Warning};

/// How much of a file tells its format.
const SAMPLE: usize = 4096;
/// Characters of a bad text that an error shows.
const SHOWN: usize = 30;

/// A short form of a bad text.
fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The error of a wrong text at a place.
pub(super) fn wrong(place: (usize, usize), found: &str, expected: &str) -> ReadError {
    let found = if found.is_empty() { "the end of the line".to_string() } else { shown(found) };
    let message = format!("Here stands \"{found}\"; expected is {expected}.");
    ReadError::new("bad-record", message).line(place.0).column(place.1).found(found, expected)
}

/// The error of a record a format cannot hold.
pub(super) fn cannot_hold(format: &str, what: &str) -> ReadError {
    let message = format!("{format} cannot hold {what}; choose another format or leave it out.");
    ReadError::new("cannot-hold", message)
}

/// A warning at a place.
pub(super) fn odd((line, column): (usize, usize), text: impl Into<String>) -> Warning {
    Warning { line, column, text: text.into() }
}

/// The beginning of a file as text, for telling formats apart.
pub(super) fn sample(bytes: &[u8]) -> String {
    let mut sample = &bytes[..bytes.len().min(SAMPLE)];
    if sample.len() < bytes.len() {
        // A character cut in two would spoil the decoding; a line may be longer than all of it.
        let end = sample.iter().rposition(|b| *b == b'\n').map_or(sample.len(), |i| i + 1);
        sample = &sample[..end];
    }
    Text::of(sample).map_or(String::new(), |read| read.text.into_owned())
}

/// What DOS programs end a file with; `copy` leaves it between those it joins.
const END_OF_FILE: char = '\u{1a}';
/// What may stand at the beginning of a file, and so before any line of joined ones.
const MARK: char = '\u{feff}';

/// The lines of a text with their numbers, whatever ends them. Marks of encodings before them and
/// ends of files about them are left out.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end).enumerate().map(|(i, line)| {
        let line = line.strip_suffix('\r').unwrap_or(line).trim_end_matches(END_OF_FILE);
        (i + 1, line.trim_start_matches([END_OF_FILE, MARK]))
    })
}

/// A digit, half or full width.
pub(super) fn digit(c: char) -> Option<u8> {
    let zero = match c {
        '0'..='9' => '0',
        '０'..='９' => '０',
        _ => return None,
    };
    u8::try_from(u32::from(c) - u32::from(zero)).ok()
}

/// A digit in kanji, 1 to 9.
pub(super) fn kanji_digit(c: char) -> Option<u8> {
    let at = "一二三四五六七八九".chars().position(|k| k == c)?;
    u8::try_from(at + 1).ok()
}

/// A number below 100 in kanji: 二, 十, 十八.
pub(super) fn kanji_number(n: u8) -> String {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let (tens, ones) = (usize::from(n / 10 % 10), usize::from(n % 10));
    let ten = if tens > 0 { "十" } else { "" };
    format!("{}{ten}{}", DIGITS[if tens > 1 { tens } else { 0 }], DIGITS[ones])
}

/// Whether a character separates words: blanks of both widths and tabs.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
}

/// A place in a line, and the rest of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) rest: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of a line.
    pub(super) fn new(line: usize, text: &'a str) -> Cursor<'a> {
        Cursor { rest: text, line, column: 1 }
    }

    /// Line and column.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.column += 1;
        Some(c)
    }

    /// Takes a character if it is one of these.
    pub(super) fn eat_any(&mut self, chars: &str) -> Option<char> {
        let c = self.peek().filter(|c| chars.contains(*c))?;
        self.next();
        Some(c)
    }

    /// Takes a word if it stands here.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        self.rest = rest;
        self.column += word.chars().count();
        true
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(is_blank);
    }

    pub(super) fn take_while(&mut self, want: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !want(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    /// Takes a number of up to fifteen digits of either width.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut after = *self;
        let digits = after.take_while(|c| digit(c).is_some());
        if digits.is_empty() || digits.chars().count() > 15 {
            return None;
        }
        *self = after;
        Some(digits.chars().filter_map(digit).fold(0, |n, d| n * 10 + u64::from(d)))
    }

    /// The error that something else was expected here.
    pub(super) fn expected(&self, what: &str) -> ReadError {
        wrong(self.place(), self.rest, what)
    }
}
