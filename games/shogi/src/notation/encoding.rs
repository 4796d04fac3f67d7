//! Bytes of record files to text.
//!
//! A file that is clean in one encoding is decoded as a whole. Any other is joined of several or
//! damaged: its lines are judged each for itself, those that tell nothing as those near them, and
//! what cannot be read is a fault of its line.

use super::text::{odd, wrong};
use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use kiban_core::{ReadError, Warning};
use std::borrow::Cow;
use std::ops::Range;

/// Larger files are not read.
const MOST_BYTES: usize = 256 << 20;
/// A file that begins with this much of no text is none.
const PREFIX: usize = 1 << 16;
/// How much of a text tells its language.
const SAMPLE: usize = 4096;
/// Begins the escapes of ISO-2022-JP.
const ESCAPE: u8 = 0x1b;
/// A line with more unreadable characters than two and one in this many is no text.
const READABLE: usize = 16;
/// A file with fewer of them than one in this many is text, whatever its lines are.
const LEGIBLE: usize = 9;
/// Of the characters of a line of UTF-16 fewer than one in this many are foreign.
const FITTING: usize = 4;

/// A file's text, and what is wrong with its lines.
pub(super) struct Text<'a> {
    pub(super) text: Cow<'a, str>,
    /// In the order of the lines.
    faults: Vec<Fault>,
}

/// What is wrong with a line.
struct Fault {
    place: (usize, usize),
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is UTF-16.
    Wide,
    /// Some of its characters cannot be read.
    Lost,
    /// It has a zero byte.
    Zero,
    /// It is no text.
    Bytes,
}

impl Kind {
    /// What is told of it where it is forgiven.
    fn told(self) -> Option<&'static str> {
        match self {
            Kind::Wide => Some("The file is UTF-16; write UTF-8."),
            Kind::Lost => Some("Some characters cannot be read; they are shown as \u{fffd}."),
            Kind::Zero | Kind::Bytes => None,
        }
    }
}

impl Fault {
    /// The error of a line that is not forgiven.
    fn error(&self) -> Option<ReadError> {
        match self.kind {
            Kind::Wide | Kind::Lost => None,
            Kind::Zero => {
                let expected = "text without zero bytes (save it as UTF-8)";
                Some(wrong(self.place, "a zero byte", expected))
            }
            Kind::Bytes => {
                Some(wrong(self.place, "bytes of no text", "text in UTF-8 or Shift_JIS"))
            }
        }
    }
}

impl<'a> Text<'a> {
    /// Decodes a record file: UTF-8, UTF-16 with its mark, Shift_JIS, EUC-JP and ISO-2022-JP, one
    /// after the other or one for all.
    ///
    /// # Errors
    /// If it is no text, or too large.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Text<'a>, ReadError> {
        if bytes.len() > MOST_BYTES {
            let message = "The file is larger than 256 MiB; split it into smaller files.";
            return Err(ReadError::new("too-large", message));
        }
        match clean(bytes.strip_prefix(UTF_8_MARK).unwrap_or(bytes)) {
            Some(text) => Ok(Text { text, faults: Vec::new() }),
            None => {
                // What is no text shows it soon.
                mixed(&bytes[..bytes.len().min(PREFIX)])?;
                mixed(bytes)
            }
        }
    }

    /// What is forgiven in these lines: each sort once, where it stands first.
    pub(super) fn told(&self, lines: Range<usize>) -> Vec<Warning> {
        let faults = self.faults_of(lines);
        let first = |kind: Kind| faults.iter().find(|fault| fault.kind == kind);
        let told = [Kind::Wide, Kind::Lost].into_iter().filter_map(first);
        told.filter_map(|fault| Some(odd(fault.place, fault.kind.told()?))).collect()
    }

    /// The error of the first of these lines that cannot be read.
    pub(super) fn error(&self, lines: Range<usize>) -> Option<ReadError> {
        self.faults_of(lines).iter().find_map(Fault::error)
    }

    fn faults_of(&self, lines: Range<usize>) -> &[Fault] {
        let before = |line: usize| self.faults.partition_point(|fault| fault.place.0 < line);
        &self.faults[before(lines.start)..before(lines.end)]
    }
}

/// What may stand before UTF-8.
const UTF_8_MARK: &[u8] = "\u{feff}".as_bytes();

/// The text of a file that is all in one encoding and has no zero byte.
fn clean(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if Encoding::for_bom(bytes).is_some() || bytes.contains(&0) {
        return None;
    }
    let hint = |encoding: &'static Encoding| strictly(encoding, bytes).filter(|t| is_japanese(t));
    if bytes.contains(&ESCAPE) {
        return hint(ISO_2022_JP);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.lines().any(|line| is_declared_otherwise(line.as_bytes())) => {
            return Some(Cow::Borrowed(text));
        }
        Ok(_) => return None,
        // It is cut in a character.
        Err(e) if e.error_len().is_none() => return None,
        Err(_) => {}
    }
    let end = line_end(bytes);
    let is_all = |encoding: &&'static Encoding| {
        let mut lines = bytes.split(|b| *b == end).filter(|line| !is_plain(line));
        lines.all(|line| encoding_of(line).is_none_or(|known| known == *encoding))
    };
    let found = [SHIFT_JIS, EUC_JP].into_iter().find_map(|e| hint(e).filter(|_| is_all(&e)));
    // Half-width kana are what text of another encoding looks like.
    let rest = || strictly(SHIFT_JIS, bytes).filter(|text| !has_half_width_kana(text));
    found.or_else(|| rest().filter(|_| is_all(&SHIFT_JIS)))
}

fn strictly<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    encoding.decode_without_bom_handling_and_without_replacement(bytes)
}

fn has_half_width_kana(text: &str) -> bool {
    text.contains(|c| ('｡'..='ﾟ').contains(&c))
}

/// Whether a text has words of shogi records.
fn is_japanese(text: &str) -> bool {
    let sample: String = text.chars().take(SAMPLE).collect();
    ["先手", "後手", "下手", "上手", "手数", "手合", "まで", "棋戦", "歩", "投了"]
        .iter()
        .any(|word| sample.contains(word))
}

/// A line of a file, without what ends it.
struct Line<'a> {
    bytes: &'a [u8],
    /// Its encoding, as far as it is known.
    encoding: Option<&'static Encoding>,
    /// Whether it is the same in every encoding but UTF-16.
    plain: bool,
}

/// Decodes a file line by line.
fn mixed(bytes: &[u8]) -> Result<Text<'_>, ReadError> {
    let mut lines = divide(bytes);
    settle(&mut lines);
    follow(lines.iter_mut());
    follow(lines.iter_mut().rev());
    let (mut text, mut faults) = (String::with_capacity(bytes.len()), Vec::new());
    let (mut filled, mut odd, mut characters, mut unread) = (0, 0, 0, 0);
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let encoding = match line.encoding {
            Some(encoding) => encoding,
            None if line.plain => UTF_8,
            None => likeliest(line.bytes),
        };
        let (decoded, damaged) = encoding.decode_without_bom_handling(line.bytes);
        text.push_str(&decoded);
        filled += usize::from(!decoded.trim().is_empty());
        if line.plain {
            characters += decoded.len();
            continue;
        }
        let lost = decoded.chars().filter(|c| is_lost(*c)).count();
        (characters, unread) = (characters + decoded.chars().count(), unread + lost);
        odd += usize::from(lost > 0);
        let wide = [UTF_16LE, UTF_16BE].contains(&encoding).then_some((1, Kind::Wide));
        let found = wide.into_iter().chain(fault(&decoded, if damaged { lost } else { 0 }));
        faults.extend(found.map(|(column, kind)| Fault { place: (i + 1, column), kind }));
    }
    match faults.iter().find_map(Fault::error) {
        Some(e) if lines.len() == 1 => Err(e),
        Some(e) if odd * 2 > filled && unread * LEGIBLE > characters => Err(e),
        _ => Ok(Text { text: Cow::Owned(text), faults }),
    }
}

/// Whether a character stands for bytes that are none, in a line that is damaged.
fn is_lost(c: char) -> bool {
    c == '\u{fffd}' || c.is_control() && !c.is_whitespace()
}

/// What is wrong with a line of which so many characters cannot be read, and where.
fn fault(text: &str, lost: usize) -> Option<(usize, Kind)> {
    let at = |is_bad: fn(char) -> bool| text.chars().position(is_bad).map(|i| i + 1);
    if let Some(column) = at(|c| c == '\0') {
        return Some((column, Kind::Zero));
    }
    let most = 2 + text.chars().count() / READABLE;
    let kind = if lost > most { Kind::Bytes } else { Kind::Lost };
    at(is_lost).filter(|_| lost > 0).map(|column| (column, kind))
}

/// The lines of a file. Those behind a mark of UTF-16 are of it as long as they fit.
fn divide(bytes: &[u8]) -> Vec<Line<'_>> {
    let (end, mut lines, mut wide, mut rest) = (line_end(bytes), Vec::new(), None, Some(bytes));
    while let Some(mut now) = rest {
        if let Some((encoding, mark)) = Encoding::for_bom(now) {
            wide = Some(encoding).filter(|encoding| *encoding != UTF_8);
            now = &now[mark..];
        }
        if let Some(encoding) = wide {
            if is_wide(encoding, now) {
                let (line, behind) = cut_wide(encoding, now);
                lines.push(Line { bytes: line, encoding: wide, plain: false });
                rest = behind.filter(|behind| !behind.is_empty());
                continue;
            }
            wide = None;
        }
        let at = now.iter().position(|b| *b == end);
        let line = &now[..at.unwrap_or(now.len())];
        let plain = is_plain(line);
        let encoding = if plain { declared(line) } else { encoding_of(line) };
        lines.push(Line { bytes: line, encoding, plain });
        rest = at.map(|at| &now[at + 1..]);
    }
    lines
}

/// What ends the lines of a file.
fn line_end(bytes: &[u8]) -> u8 {
    if bytes.contains(&b'\n') { b'\n' } else { b'\r' }
}

/// The first line of a text in UTF-16, and what follows it.
fn cut_wide<'a>(encoding: &Encoding, bytes: &'a [u8]) -> (&'a [u8], Option<&'a [u8]>) {
    let end = if encoding == UTF_16LE { *b"\n\0" } else { *b"\0\n" };
    match bytes.chunks_exact(2).position(|unit| unit == end) {
        Some(at) => (&bytes[..2 * at], Some(&bytes[2 * at + 2..])),
        None => (bytes, None),
    }
}

/// Whether a text goes on in UTF-16, and is no other that was joined to a file of it. The ends of
/// lines tell: no Japanese character has their byte as its high one.
fn is_wide(encoding: &'static Encoding, text: &[u8]) -> bool {
    let high = usize::from(encoding == UTF_16LE);
    for (at, _) in text.iter().enumerate().filter(|(_, b)| **b == b'\n') {
        match text.get(at ^ 1) {
            _ if at % 2 == high => return false,
            Some(0) => return true,
            None => return false,
            Some(_) => {}
        }
    }
    // Of another text a line in ASCII has no zero, and Japanese becomes Korean and the like.
    let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let decoded = encoding.decode_without_bom_handling(line).0;
    let foreign = decoded.chars().filter(|c| ('\u{a000}'..='\u{f8ff}').contains(c)).count();
    let fits = foreign == 0 || foreign * FITTING < line.len() / 2;
    fits && !(is_plain(line) && line.len() > 1)
}

/// Whether a line is ASCII without escapes and the like.
fn is_plain(line: &[u8]) -> bool {
    line.iter().all(|b| (b' '..=b'~').contains(b) || b"\t\r".contains(b))
}

/// The encodings between which a line's bytes may leave the choice.
const OPEN: [&Encoding; 3] = [UTF_8, SHIFT_JIS, EUC_JP];

/// The encoding that a line says it is in.
fn declared(line: &[u8]) -> Option<&'static Encoding> {
    let text = std::str::from_utf8(line).ok().filter(|text| text.starts_with(['#', '\'']))?;
    let label = text.split_once("encoding=")?.1.split_whitespace().next()?;
    Encoding::for_label(label.as_bytes()).filter(|encoding| OPEN.contains(encoding))
}

fn is_declared_otherwise(line: &[u8]) -> bool {
    declared(line).is_some_and(|encoding| encoding != UTF_8)
}

/// A line in an encoding in which all its bytes are characters.
fn readable<'a>(encoding: &'static Encoding, line: &'a [u8]) -> Option<Cow<'a, str>> {
    strictly(encoding, line).filter(|text| !text.contains(|c| ('\u{80}'..'\u{a0}').contains(&c)))
}

/// The encoding of a line, if it can be no other.
fn encoding_of(line: &[u8]) -> Option<&'static Encoding> {
    if line.contains(&ESCAPE) && strictly(ISO_2022_JP, line).is_some() {
        return Some(ISO_2022_JP);
    }
    // Damaged UTF-8 still has characters of three bytes, which others have by chance alone.
    let read = String::from_utf8_lossy(line);
    let lost = read.matches('\u{fffd}').count();
    let long = read.chars().filter(|c| *c != '\u{fffd}' && c.len_utf8() >= 3).count();
    let (sjis, euc) = (readable(SHIFT_JIS, line), readable(EUC_JP, line));
    if lost == 0 {
        // Two half-width kana are often one letter of UTF-8, and so are kanji of EUC-JP.
        let other = sjis.is_some() || euc.is_some();
        return (long > 0 || !other || is_latin(&read)).then_some(UTF_8);
    }
    // Kana of Shift_JIS have one for each byte that UTF-8 has not.
    let most = if sjis.is_some() || euc.is_some() { long.saturating_sub(1) / 2 } else { long };
    if lost <= most {
        return Some(UTF_8);
    }
    match (sjis, euc) {
        (Some(_), None) => Some(SHIFT_JIS),
        (None, Some(_)) => Some(EUC_JP),
        (Some(_), Some(text)) if is_euc(&text) => Some(EUC_JP),
        _ => None,
    }
}

/// Whether a line's letters beyond ASCII belong to words of European languages.
fn is_latin(text: &str) -> bool {
    let touches = |a: char, b: char| a.is_ascii_lowercase() && b >= '\u{c0}';
    let mut pairs = text.chars().zip(text.chars().skip(1));
    text.chars().all(|c| c < '\u{250}') && pairs.any(|(a, b)| touches(a, b) || touches(b, a))
}

/// Whether a line that can be read in Shift_JIS too is EUC-JP: its kana and wide letters would be
/// half-width kana behind marks there. One such mark may stand between two words.
fn is_euc(text: &str) -> bool {
    let common =
        |c: &char| ('\u{3000}'..='\u{30ff}').contains(c) || ('\u{ff01}'..='\u{ff5e}').contains(c);
    text.contains('：') || text.chars().filter(common).count() > 1
}

/// Whether a line in ASCII begins a record.
fn begins(line: &[u8]) -> bool {
    [&b"#KI"[..], b"# --", b"'CSA", b"V1", b"V2", b"V3", b"N+", b"/"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Lines that can be read in several encodings are of that of a line of their record, one before
/// them rather than one behind them, or of the nearest; of UTF-8 if no line tells.
fn settle(lines: &mut [Line<'_>]) {
    let (mut places, mut open) = (OPEN.map(|_| Vec::new()), Vec::new());
    let (mut record, mut was_begin) = (0, false);
    for (at, line) in lines.iter().enumerate() {
        let begin = begins(line.bytes);
        record += usize::from(begin && !was_begin);
        was_begin = begin;
        match line.encoding {
            Some(known) => {
                if let Some(i) = OPEN.iter().position(|encoding| *encoding == known) {
                    places[i].push((record, at));
                }
            }
            None if !line.plain => open.push((record, at)),
            None => {}
        }
    }
    for (record, at) in open {
        let distance =
            |place: &(usize, usize)| (place.0.abs_diff(record), place.1 > at, place.1.abs_diff(at));
        let bytes = lines[at].bytes;
        let known = OPEN.iter().zip(&places).filter(|(e, _)| readable(e, bytes).is_some());
        let known = known.filter_map(|(encoding, places)| {
            let behind = places.partition_point(|place| place.1 < at);
            let beside = places[..behind].last().into_iter().chain(places.get(behind));
            Some((beside.map(distance).min()?, *encoding))
        });
        let nearest = known.min_by_key(|(distance, _)| *distance).map(|(_, encoding)| encoding);
        lines[at].encoding = nearest.or_else(|| readable(UTF_8, bytes).map(|_| UTF_8));
    }
}

/// Damaged lines are of the encoding of the line before them.
fn follow<'a, 'b: 'a>(lines: impl Iterator<Item = &'a mut Line<'b>>) {
    let mut near = None;
    for line in lines.filter(|line| !line.plain) {
        match line.encoding {
            Some(encoding) => {
                near = Some(encoding).filter(|e| [SHIFT_JIS, EUC_JP].contains(e));
            }
            None => line.encoding = near,
        }
    }
}

/// The encoding of a line that nothing tells.
fn likeliest(line: &[u8]) -> &'static Encoding {
    let lost = |encoding: &&'static Encoding| {
        encoding.decode_without_bom_handling(line).0.matches('\u{fffd}').count()
    };
    let clean = [SHIFT_JIS, EUC_JP].into_iter().find(|encoding| lost(encoding) == 0);
    let best = || OPEN.into_iter().min_by_key(lost);
    clean.or_else(best).expect("there are three")
}
