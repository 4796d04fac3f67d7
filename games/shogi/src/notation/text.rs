//! Bytes to text, text to lines and characters with their places: what every record reader needs.

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8};
use kiban_core::{ReadError, Warning};
use std::borrow::Cow;

/// Larger files are not read.
const MOST_BYTES: usize = 256 << 20;
/// How much of a file tells its encoding and format.
const SAMPLE: usize = 4096;
/// Begins the escapes of ISO-2022-JP.
const ESCAPE: u8 = 0x1b;
/// Characters of a bad text that an error shows.
const SHOWN: usize = 30;
/// A text with more unreadable characters than one in this many is no text.
const READABLE: usize = 50;

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

/// Decodes a record file: UTF-8 and UTF-16 with their marks, UTF-8, Shift_JIS, EUC-JP and
/// ISO-2022-JP by content. A few unreadable characters are forgiven with a warning.
///
/// # Errors
/// If it is no text, or too large.
pub(super) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<Warning>), ReadError> {
    if bytes.len() > MOST_BYTES {
        let message = "The file is larger than 256 MiB; split it into smaller files.";
        return Err(ReadError::new("too-large", message));
    }
    let marked = Encoding::for_bom(bytes);
    let body = marked.map_or(bytes, |(_, mark)| &bytes[mark..]);
    if let Some((encoding, _)) = marked
        && let Some(text) = strictly(encoding, body)
    {
        let told = (encoding != UTF_8).then(|| odd((1, 1), "The file is UTF-16; write UTF-8."));
        return Ok((text, told));
    }
    if let Some(at) = body.iter().position(|b| *b == 0) {
        let expected = "text without zero bytes (save it as UTF-8)";
        return Err(wrong(place_of(body, at), "a zero byte", expected));
    }
    let hint = |encoding: &'static Encoding| strictly(encoding, body).filter(|t| is_japanese(t));
    if let Some(text) = Some(ISO_2022_JP).filter(|_| body.contains(&ESCAPE)).and_then(hint) {
        return Ok((text, None));
    }
    match std::str::from_utf8(body) {
        Ok(text) => return Ok((Cow::Borrowed(text), None)),
        Err(e) if e.error_len().is_none() => return forgiving(body, None),
        Err(_) => {}
    }
    let of_sort = [SHIFT_JIS, EUC_JP].into_iter().find_map(hint);
    match of_sort.or_else(|| strictly(SHIFT_JIS, body)) {
        // Half-width kana are what text of another encoding looks like.
        Some(text) if !text.contains(|c| ('｡'..='ﾟ').contains(&c)) => Ok((text, None)),
        strict => forgiving(body, strict),
    }
}

fn strictly<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    encoding.decode_without_bom_handling_and_without_replacement(bytes)
}

/// Whether a text has words of shogi records.
fn is_japanese(text: &str) -> bool {
    let sample: String = text.chars().take(SAMPLE).collect();
    ["先手", "後手", "下手", "上手", "手数", "手合", "まで", "棋戦", "歩", "投了"]
        .iter()
        .any(|word| sample.contains(word))
}

/// Decodes a text that is clean in no encoding, or only by chance.
fn forgiving<'a>(
    bytes: &'a [u8],
    strict: Option<Cow<'a, str>>,
) -> Result<(Cow<'a, str>, Option<Warning>), ReadError> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let losses = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling(sample).0;
        (text.matches('\u{fffd}').count(), text.chars().count())
    };
    let bad_at = std::str::from_utf8(bytes).err().map_or(0, |e| e.valid_up_to());
    let best = [UTF_8, SHIFT_JIS, EUC_JP].into_iter().min_by_key(|e| losses(e).0);
    let best = best.expect("there are three");
    let (lost, all) = losses(best);
    if strict.is_none() || best == UTF_8 {
        if lost > 1 + all / READABLE {
            let expected = "text in UTF-8 or Shift_JIS";
            return Err(wrong(place_of(bytes, bad_at), "bytes of no text", expected));
        }
        let text = best.decode_without_bom_handling(bytes).0;
        let told = "Some characters cannot be read; they are shown as \u{fffd}.";
        return Ok((text, Some(odd(place_of(bytes, bad_at), told))));
    }
    Ok((strict.expect("checked above"), None))
}

/// Line and column of a byte, as far as bytes tell.
fn place_of(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

/// The beginning of a file as text, for telling formats apart.
pub(super) fn sample(bytes: &[u8]) -> String {
    let mut sample = &bytes[..bytes.len().min(SAMPLE)];
    if sample.len() < bytes.len() {
        // A character cut in two would spoil the decoding; a line may be longer than all of it.
        let end = sample.iter().rposition(|b| *b == b'\n').map_or(sample.len(), |i| i + 1);
        sample = &sample[..end];
    }
    decode(sample).map_or(String::new(), |(text, _)| text.into_owned())
}

/// The lines of a text with their numbers, whatever ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end).enumerate().map(|(i, line)| (i + 1, line.strip_suffix('\r').unwrap_or(line)))
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
