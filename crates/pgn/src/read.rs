//! Reading records.

use crate::divide::{MARK, divide};
use crate::words::{Extent, Game, Tag, Word, bad, game};
use crate::write::opening;
use crate::{Dialect, PLAYERS, RESULTS, SNIFFED, TAGS, read_call, result_of};
use kiban_core::{
    Act, Arbiter, Call, Claimed, Entry, Node, ReadError, Reason, Record, Refusal, Seat, Seats,
    Sink, Source, Warning,
};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Larger files are refused unread, so that memory and time stay bounded.
const MAX_BYTES: usize = 16 << 20;
/// Games of a file that is read at once.
const MAX_GAMES: usize = 50_000;

/// A file that names the game is one of its records; so may be one with moves only, if each word
/// of what is looked at reads as one.
pub(crate) fn sniff(dialect: &Dialect, bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches(MARK);
    let tag = format!("[Game \"{}\"]", dialect.spec.id);
    if text.lines().any(|line| line.trim() == tag) {
        return 100;
    }
    if !dialect.bare {
        return 0;
    }
    let cut = bytes.len() > SNIFFED;
    // The last word may be cut in two.
    let whole = if cut { text.rfind(char::is_whitespace).unwrap_or(0) } else { text.len() };
    let (mut tagged, mut moves) = (false, 0);
    let mut games = divide(&text[..whole]).peekable();
    while let Some(lines) = games.next() {
        let extent = if cut && games.peek().is_none() { Extent::Head } else { Extent::Whole };
        let Ok(game) = game(&lines, extent) else { return 0 };
        tagged |= !game.tags.is_empty();
        let Ok(record) = record(dialect, game, None) else { return 0 };
        moves += record.moves().count();
    }
    match (tagged, moves) {
        (true, 1..) => 40,
        (false, 4..) => 20,
        _ => 0,
    }
}

/// The text of a file, 16 MiB at most: UTF-8, and what is none as Latin-1, in which every byte is a
/// character and for which PGN was made.
///
/// # Errors
/// If it is larger.
pub fn text(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(bad("The file is larger than 16 MiB; split it.", (1, 1)));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|b| char::from(*b)));
    }
    Ok(Cow::Owned(text))
}

/// The error of a text without any game.
pub fn nothing() -> ReadError {
    ReadError::new("empty", "There is no game in this text.").line(1).column(1)
}

pub(crate) fn stream(dialect: &Dialect, source: Source<'_>, sink: &mut Sink<'_>) {
    // Whoever takes the records may have had enough.
    let _ = match text(source.bytes) {
        Ok(text) => each(dialect, &text, source.variant, sink),
        Err(e) => sink(Err(e)),
    };
}

fn each(
    dialect: &Dialect,
    text: &str,
    asked: Option<&str>,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let mut any = false;
    for lines in divide(text) {
        any = true;
        let game = game(&lines, Extent::Whole);
        sink(game.and_then(|game| record(dialect, game, asked)))?;
    }
    if any { ControlFlow::Continue(()) } else { sink(Err(nothing())) }
}

pub(crate) fn read(dialect: &Dialect, source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let (mut records, mut error) = (Vec::new(), None);
    stream(dialect, source, &mut |read| {
        match read {
            Ok(record) if records.len() < MAX_GAMES => records.push(record),
            Ok(_) => {
                let message = format!("The file has more than {MAX_GAMES} games; split it.");
                error = Some(bad(message, (1, 1)));
            }
            Err(e) => error = Some(e),
        }
        if error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    error.map_or(Ok(records), Err)
}

fn record(dialect: &Dialect, game: Game, asked: Option<&str>) -> Result<Record, ReadError> {
    let spec = dialect.spec;
    let tag = |name: &str| game.tags.iter().find(|(n, ..)| n == name);
    let word = || game.words.first().map_or(1, |(_, (line, _))| *line);
    let line = game.tags.first().map_or_else(word, |tag| tag.2);
    let other = match tag("Game") {
        Some((_, id, _)) => id != spec.id,
        None => !dialect.bare,
    };
    if other {
        return Err(bad(format!("Write the tag [Game \"{}\"].", spec.id), (line, 1)));
    }
    let (said, line) = tag("Variant").map_or(("", line), |(_, text, line)| (text, *line));
    let variant = spec.variant(if said.is_empty() { asked.unwrap_or("") } else { said });
    let variant = variant.map_err(|e| e.line(line).column(1))?;
    let start = tag("Position").or_else(|| tag("FEN")).map_or("", |(_, text, _)| text);
    let mut record = Record::new(spec.id, &variant.canonical(spec.options, None), start);
    keep_tags(&mut record, &game.tags);
    record.claimed = tag("Result").map(|(_, text, _)| Claimed {
        result: result_of(text).to_string(),
        reason: tag("Termination").map(|(_, reason, _)| termination(reason)),
        text: text.clone(),
    });
    // A start that is not admitted is told by whoever judges the record.
    let table = opening(spec, &record).and_then(|opening| (spec.open)(&opening).ok());
    if let Some(table) = &table {
        record.start = table.start().to_string();
    }
    let turn = table.as_ref().and_then(|table| table.waiting_for().only());
    let mut tree = Tree {
        record,
        joins: dialect.joins,
        at: 0,
        before: 0,
        branches: Vec::new(),
        table,
        turn,
        unchecked: None,
        ended: false,
    };
    tree.read(game.words)?;
    tree.told_by_tags();
    Ok(tree.record)
}

/// Keeps the tags that no part of a record stands for.
fn keep_tags(record: &mut Record, tags: &[Tag]) {
    for (name, value, _) in tags {
        let player = PLAYERS.iter().find(|(_, names)| names.contains(&name.as_str()));
        let known = TAGS.iter().find(|(_, told)| told == name).map(|(key, _)| key);
        match (known.or(player.map(|(key, _)| key)), name.as_str()) {
            (Some(key), _) => record.tags.push((key.to_string(), value.clone())),
            (
                None,
                "Game" | "Variant" | "Position" | "FEN" | "SetUp" | "Result" | "Termination",
            ) => {}
            (None, _) => record.unknown.push((name.clone(), value.clone())),
        }
    }
}

/// The slug of what `Termination` says; the words of chess where they have one.
fn termination(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "time forfeit" => Reason::TIMEOUT.0.to_string(),
        "resignation" => Reason::RESIGN.0.to_string(),
        _ => text.to_string(),
    }
}

/// The call that ends games by this reason.
fn call_of(reason: &str) -> Option<Call> {
    let calls = [
        (Reason::RESIGN, Call::Resign),
        (Reason::TIMEOUT, Call::Timeout),
        (Reason::ABANDONED, Call::Left),
        (Reason::AGREEMENT, Call::AgreeDraw),
    ];
    calls.into_iter().find(|(known, _)| known.0 == reason).map(|(_, call)| call)
}

/// A game being read.
struct Tree {
    record: Record,
    joins: fn(&str) -> bool,
    /// The node read last, and its parent.
    at: usize,
    before: usize,
    /// Where reading goes on when a branch ends: `at`, `before` and the turn.
    branches: Vec<(usize, usize, Option<Seat>)>,
    /// The referee of the main line, while it follows.
    table: Option<Box<dyn Arbiter>>,
    /// Whose move is next.
    turn: Option<Seat>,
    /// The last move of the main line and where it stands, until it is known that the next word
    /// does not belong to it.
    unchecked: Option<(Entry, (usize, usize))>,
    /// Whether the result has been read.
    ended: bool,
}

impl Tree {
    fn read(&mut self, words: Vec<(Word, (usize, usize))>) -> Result<(), ReadError> {
        for (word, at) in words {
            match word {
                Word::Comment(text) => self.comment(&text),
                Word::Open if self.at == 0 => {
                    return Err(bad("A branch begins before there is a move to replace.", at));
                }
                Word::Open => {
                    self.check()?;
                    self.branches.push((self.at, self.before, self.turn));
                    self.at = self.before;
                    self.turn = self.turn.map(Seat::other);
                }
                Word::Close => {
                    let kept = self.branches.pop().expect("branches are closed as often as opened");
                    (self.at, self.before, self.turn) = kept;
                }
                Word::Plain(text) => self.plain(&text, at)?,
            }
        }
        self.check()
    }

    /// Adds the call that ended the game, if the tags alone tell of it.
    fn told_by_tags(&mut self) {
        let Some(table) = self.table.as_mut().filter(|table| table.ending().is_none()) else {
            return;
        };
        let claimed = self.record.claimed.as_ref();
        let reason = claimed.and_then(|c| c.reason.as_deref());
        let call = reason.and_then(call_of);
        let by: Seats = match (call, claimed.map(|c| c.result.as_str())) {
            (Some(Call::AgreeDraw), Some("draw")) => Seats::first_n(2),
            (Some(Call::AgreeDraw), _) => return,
            (Some(_), Some("first")) => Seat::SECOND.into(),
            (Some(_), Some("second")) => Seat::FIRST.into(),
            _ => return,
        };
        let Some(entry) = call.map(|call| Entry::new_call(by, call)) else { return };
        if table.put(&entry).is_ok() {
            let mut last = 0;
            while let Some(next) = self.record.nodes[last].children.first() {
                last = *next;
            }
            self.record.add(last, Node { entry: Some(entry), ..Node::default() });
        }
    }

    fn comment(&mut self, text: &str) {
        let (spent_ms, text) = split_time(text.trim());
        let node = &mut self.record.nodes[self.at];
        node.spent_ms = node.spent_ms.or(spent_ms);
        if !text.is_empty() {
            if !node.comment.is_empty() {
                node.comment.push('\n');
            }
            node.comment.push_str(text);
        }
    }

    fn plain(&mut self, word: &str, at: (usize, usize)) -> Result<(), ReadError> {
        let main = self.branches.is_empty();
        if RESULTS.iter().any(|(_, token)| *token == word) {
            self.ended |= main;
            return Ok(());
        }
        // A number may stand before the move without a blank: `3.e4d4`.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let text = match word[digits..].trim_start_matches('.') {
            rest if digits > 0 && rest.len() < word.len() - digits => rest,
            _ => word,
        };
        let (text, mark) = match text.trim_end_matches(['!', '?']) {
            "" => (text, ""),
            bare => (bare, &text[bare.len()..]),
        };
        let (line, column) = at;
        let mut warn = |text: String| self.record.warnings.push(Warning { line, column, text });
        if text.is_empty() {
            return Ok(());
        }
        if text.starts_with('$') || text.chars().all(|c| matches!(c, '!' | '?')) {
            warn(format!("The mark {} is not kept.", text.escape_debug()));
            return Ok(());
        }
        if !mark.is_empty() {
            warn(format!("The mark {mark} is not kept."));
        }
        if self.ended && main {
            return Err(bad("A move follows the result.", at));
        }
        if (self.joins)(text) && self.joined(text) {
            return Ok(());
        }
        self.entry(text, at)
    }

    /// Adds a word to the move before it; false if there is none.
    fn joined(&mut self, text: &str) -> bool {
        match self.record.nodes[self.at].entry.as_mut().map(|entry| &mut entry.act) {
            Some(Act::Move(whole)) => {
                whole.push_str(text);
                if let Some((Entry { act: Act::Move(unchecked), .. }, _)) = &mut self.unchecked {
                    unchecked.push_str(text);
                }
                true
            }
            _ => false,
        }
    }

    fn entry(&mut self, text: &str, at: (usize, usize)) -> Result<(), ReadError> {
        let entry = read_call(text).unwrap_or_else(|| Entry {
            by: self.turn.map_or(Seats::NONE, Seats::from),
            act: Act::Move(text.to_string()),
        });
        self.check()?;
        if self.branches.is_empty() {
            self.unchecked = Some((entry.clone(), at));
        }
        if matches!(entry.act, Act::Move(_)) {
            self.turn = self.turn.map(Seat::other);
        }
        self.before = self.at;
        let node = Node { entry: Some(entry), at: Some(at), ..Node::default() };
        self.at = self.record.add(self.before, node);
        Ok(())
    }

    /// A word that is no move of the game at all is told where it stands. The main line is
    /// followed as far as the rules take it; beyond that, and in branches, the judge tells.
    fn check(&mut self) -> Result<(), ReadError> {
        let Some((entry, (line, column))) = self.unchecked.take() else { return Ok(()) };
        let Some(table) = self.table.as_mut() else { return Ok(()) };
        match table.put(&entry) {
            Ok(()) => Ok(()),
            Err(Refusal::Unreadable(error)) => Err(error.line(line).column(column)),
            Err(_) => {
                self.table = None;
                Ok(())
            }
        }
    }
}

/// Takes `[%emt h:mm:ss.s]` out of a comment.
fn split_time(text: &str) -> (Option<u64>, &str) {
    let split = || {
        let (time, rest) = text.strip_prefix("[%emt ")?.split_once(']')?;
        let mut ms = 0_u64;
        for (i, part) in time.trim().split(':').enumerate() {
            let seconds: f64 = part.parse().ok().filter(|s: &f64| (0.0..1e9).contains(s))?;
            let unit = if i == 0 { 1 } else { 60 };
            ms = ms.checked_mul(unit)?.checked_add((seconds * 1000.0).round() as u64)?;
        }
        Some((ms, rest.trim_start()))
    };
    split().map_or((None, text), |(ms, rest)| (Some(ms), rest))
}
