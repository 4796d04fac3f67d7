//! USI lines: `position startpos moves 7g7f 3c3d`, an SFEN with or without moves, or moves alone;
//! a record a line.
//!
//! What the line itself has no place for (names, times, comments, a claim) stands in a comment
//! line of JSON before it, which other programs skip.

use super::endings::{self, Ending};
use super::stream::{self, EachLine, LineReader};
use super::text::{Cursor, cannot_hold, is_blank, lines, odd, sample, wrong};
use super::tracker::Tracker;
use super::tree::{Told, Tree, ending_words, start_of, told};
use crate::moves::{Move, PieceKind};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{Claimed, Format, ReadError, Record, Sink, Source, gather};
use serde::{Deserialize, Serialize};

const NAME: &str = "A USI line";
const A_MOVE: &str = "a USI move such as 7g7f, 8h2b+ or P*5e";
/// Fields of an SFEN.
const FIELDS: usize = 4;

/// The format.
pub(super) const FORMAT: Format = Format {
    id: "usi",
    extensions: &["usi", "sfen"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    write: Some(write),
    joint: Some(""),
    ..Format::NONE
};

/// What stands in the comment line.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Beside {
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<(String, String)>,
    /// Milliseconds by node, 0 being the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spent_ms: Vec<(usize, u64)>,
    /// Comments by node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<(usize, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<Claimed>,
    /// Whether the claim has a node of its own at the end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    open: bool,
}

/// How surely a text is USI lines.
fn sniff(bytes: &[u8]) -> u8 {
    let text = sample(bytes);
    let mut lines = lines(&text).map(|(_, line)| line.trim());
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    let mut words = line.unwrap_or_default().split_whitespace();
    match words.next() {
        Some("position") => 90,
        Some("startpos" | "sfen") => 85,
        Some(word)
            if word.matches('/').count() == 8
                && words.next().is_some_and(|w| w == "b" || w == "w") =>
        {
            80
        }
        Some(word)
            if Move::from_usi(word).is_ok()
                && words.all(|w| Move::from_usi(w).is_ok() || ending(w).is_some()) =>
        {
            60
        }
        _ => 0,
    }
}

fn ending(word: &str) -> Option<Ending> {
    endings::find(endings::USI, word)
}

/// Reads a file line by line.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let fresh = |_| Reader { asked: source.variant, beside: None, read: None };
    let nothing = || wrong((1, 1), "no record", "a line such as position startpos moves 7g7f");
    stream::stream(source, sink, EachLine::with_comments('#'), fresh, nothing);
}

/// A line, and the comment line before it.
struct Reader<'a> {
    asked: Option<&'a str>,
    beside: Option<Beside>,
    read: Option<Record>,
}

impl LineReader for Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let mut cursor = Cursor::new(number, line.trim_end_matches(is_blank));
        cursor.skip_blanks();
        if let Some(comment) = cursor.rest.strip_prefix('#') {
            self.beside = serde_json::from_str(comment).ok().or(self.beside.take());
        } else if !cursor.rest.is_empty() {
            let beside = self.beside.take().unwrap_or_default();
            self.read = Some(record(cursor, beside, self.asked)?);
        }
        Ok(())
    }

    fn finish(self) -> Result<Option<Record>, ReadError> {
        Ok(self.read)
    }
}

/// Takes the next word.
fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.skip_blanks();
    cursor.take_while(|c| !is_blank(c))
}

fn record(
    mut cursor: Cursor<'_>,
    beside: Beside,
    asked: Option<&str>,
) -> Result<Record, ReadError> {
    let start = start(&mut cursor)?;
    let variant = asked.or(beside.variant.as_deref()).unwrap_or(GAME.id);
    let mut record = Record::new(GAME.id, variant, "");
    (record.tags, record.unknown) = (beside.tags, beside.unknown);
    let mut tree = Tree::new(record, start)?;
    let mut ended = false;
    loop {
        cursor.skip_blanks();
        let at = cursor;
        let word = word(&mut cursor);
        if word.is_empty() {
            break;
        }
        if ended && ending(word).is_none() {
            return Err(at.expected("nothing behind the end of the game"));
        }
        if let Some(ending) = ending(word) {
            tree.end(ending, word, at.place())?;
            ended = true;
        } else {
            let m = Move::from_usi(word).map_err(|_| wrong(at.place(), word, A_MOVE))?;
            let by = tree.board().author(m);
            tree.play(by, m, PieceKind::Pawn, at.place())?;
        }
    }
    let mut record = tree.finish();
    if beside.claimed.is_some() {
        record.claimed = beside.claimed;
    }
    if beside.open {
        let last = record.nodes.len() - 1;
        record.add(last, kiban_core::Node { at: Some(cursor.place()), ..Default::default() });
    }
    let mut missing = false;
    for (node, ms) in beside.spent_ms {
        record.nodes.get_mut(node).map_or_else(|| missing = true, |n| n.spent_ms = Some(ms));
    }
    for (node, comment) in beside.comments {
        record.nodes.get_mut(node).map_or_else(|| missing = true, |n| n.comment = comment);
    }
    if missing {
        let text = "The comment line before it speaks of plies it has not.";
        record.warnings.push(odd((cursor.line, 1), text));
    }
    Ok(record)
}

/// Reads the start; the moves' words are left.
fn start(cursor: &mut Cursor<'_>) -> Result<Setup, ReadError> {
    let mut after = *cursor;
    if word(&mut after) == "position" {
        *cursor = after;
    }
    cursor.skip_blanks();
    let mut after = *cursor;
    let mut setup = match word(&mut after) {
        "startpos" => Setup::start(),
        "sfen" => {
            *cursor = after;
            return sfen(cursor);
        }
        text if text.contains('/') => return sfen(cursor),
        text if text == "moves" || Move::from_usi(text).is_ok() || ending(text).is_some() => {
            after = *cursor;
            Setup::start()
        }
        text => return Err(wrong(cursor.place(), text, "startpos, an SFEN or a USI move")),
    };
    *cursor = after;
    setup.number = 1;
    moves_word(cursor);
    Ok(setup)
}

/// Passes the word `moves`.
fn moves_word(cursor: &mut Cursor<'_>) {
    let mut after = *cursor;
    if word(&mut after) == "moves" {
        *cursor = after;
    }
}

fn sfen(cursor: &mut Cursor<'_>) -> Result<Setup, ReadError> {
    cursor.skip_blanks();
    let begin = *cursor;
    let mut end = *cursor;
    for _ in 0..FIELDS {
        let mut after = *cursor;
        let word = word(&mut after);
        if word.is_empty() || word == "moves" {
            break;
        }
        (*cursor, end) = (after, after);
    }
    let text = &begin.rest[..begin.rest.len() - end.rest.len()];
    let setup = Setup::from_sfen(text).map_err(|e| {
        let error = super::read_error(&e).line(begin.line);
        error.column(begin.column + e.column - 1)
    })?;
    moves_word(cursor);
    Ok(setup)
}

fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = String::new();
    for record in records {
        let line = line(record)?;
        let beside = beside(record);
        if beside != Beside::default() {
            out.push_str("# ");
            out.push_str(&serde_json::to_string(&beside).expect("plain data"));
            out.push('\n');
        }
        out.push_str(&line);
        out.push('\n');
    }
    Ok(out.into_bytes())
}

fn line(record: &Record) -> Result<String, ReadError> {
    let cannot = |what: &str| Err(cannot_hold(NAME, what));
    let start = start_of(record)?;
    let text = if start == Setup::start() {
        "position startpos".to_string()
    } else {
        format!("position sfen {}", start.to_sfen())
    };
    let mut words = vec![text];
    let (mut board, mut ended) = (Tracker::new(start.clone()), false);
    if record.nodes[0].entry.is_some() {
        return cannot("a move before the first");
    }
    for node in std::iter::once(&record.nodes[0]).chain(record.main_line()) {
        if node.children.len() > 1 {
            return cannot("branches");
        }
    }
    for node in record.main_line() {
        let told = told(NAME, node, &board)?;
        if ended {
            return cannot("anything behind the end of the game");
        }
        match told {
            Told::Move(by, m) if by == board.author(m) => {
                if words.len() == 1 {
                    words.push("moves".to_string());
                }
                words.push(m.to_usi());
                board.play(by, m, PieceKind::Pawn);
            }
            Told::Move(..) => return cannot("a move of a side that is not to move"),
            Told::Ending(ending) => {
                let boards = (&start, &board);
                words.extend(ending_words(NAME, endings::USI, record, Some(ending), boards)?);
                ended = true;
            }
            Told::Nothing if record.claimed.is_some() && node.children.is_empty() => {
                words.extend(spoken(record).map(|claimed| claimed.text.clone()));
                ended = true;
            }
            Told::Nothing => return cannot("a node without a move"),
        }
    }
    Ok(words.join(" "))
}

fn beside(record: &Record) -> Beside {
    let line = || std::iter::once(&record.nodes[0]).chain(record.main_line()).enumerate();
    let last = line().last().map(|(_, node)| node);
    let spoken = spoken(record).is_some();
    let commented = line().filter(|(_, node)| !node.comment.is_empty());
    Beside {
        variant: Some(record.variant.clone()).filter(|v| !["", GAME.id].contains(&v.as_str())),
        tags: record.tags.clone(),
        unknown: record.unknown.clone(),
        spent_ms: line().filter_map(|(i, node)| Some((i, node.spent_ms?))).collect(),
        comments: commented.map(|(i, node)| (i, node.comment.clone())).collect(),
        claimed: record.claimed.clone().filter(|_| !spoken),
        open: record.nodes.len() > 1 && !spoken && last.is_some_and(|node| node.entry.is_none()),
    }
}

/// The claim, if a word of the line tells it.
fn spoken(record: &Record) -> Option<&Claimed> {
    record.claimed.as_ref().filter(|claimed| ending(&claimed.text).is_some())
}
