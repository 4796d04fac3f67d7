//! Reading records.

use crate::words::{Game, Word, bad, games};
use crate::{RESULTS, TAGS, read_call};
use kiban_core::{
    Act, Arbiter, Claimed, Conduct, Entry, GameSpec, Node, Opening, ReadError, Record, Refusal,
    Seat, Seats, Source, Warning,
};

/// Larger files are refused unread, so that memory and time stay bounded.
const MAX_BYTES: usize = 16 << 20;
/// Games of a whole file.
const MAX_GAMES: usize = 50_000;

/// Reads every game of a file. `joins` says of a word that it belongs to the move before it, where
/// programs write a move in two words (a mill and the man it takes).
///
/// # Errors
/// Says what is wrong, and where.
pub fn read(
    spec: &'static GameSpec,
    source: Source<'_>,
    joins: fn(&str) -> bool,
) -> Result<Vec<Record>, ReadError> {
    if source.bytes.len() > MAX_BYTES {
        return Err(bad("The file is larger than 16 MiB; split it.", (1, 1)));
    }
    let bytes = source.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source.bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let line = bytes[..e.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        bad("Here is a byte that no text holds; save the file as UTF-8.", (line, 1))
    })?;
    let games = games(text, spec.id, MAX_GAMES)?;
    games.into_iter().map(|game| record(spec, game, source.variant, joins)).collect()
}

fn record(
    spec: &'static GameSpec,
    game: Game,
    asked: Option<&str>,
    joins: fn(&str) -> bool,
) -> Result<Record, ReadError> {
    let tag = |name: &str| game.tags.iter().find(|(n, ..)| n == name);
    let line = game.tags.first().map_or(1, |tag| tag.2);
    if tag("Game").is_none_or(|(_, id, _)| id != spec.id) {
        return Err(bad(format!("Write the tag [Game \"{}\"].", spec.id), (line, 1)));
    }
    let (said, line) = tag("Variant").map_or(("", line), |(_, text, line)| (text, *line));
    let variant = spec.variant(if said.is_empty() { asked.unwrap_or("") } else { said });
    let variant = variant.map_err(|e| e.line(line))?;
    let start = tag("Position").map_or("", |(_, text, _)| text);
    let mut record = Record::new(spec.id, &variant.canonical(spec.options, None), start);
    for (name, value, _) in &game.tags {
        match TAGS.iter().find(|(_, told)| told == name) {
            Some((key, _)) => record.tags.push((key.to_string(), value.clone())),
            None if matches!(
                name.as_str(),
                "Game" | "Variant" | "Position" | "Result" | "Termination"
            ) => {}
            None => record.unknown.push((name.clone(), value.clone())),
        }
    }
    record.claimed = tag("Result").map(|(_, text, _)| Claimed {
        result: RESULTS.iter().find(|(_, t)| t == text).map_or("none", |(r, _)| r).to_string(),
        reason: tag("Termination").map(|(_, reason, _)| reason.clone()),
        text: text.clone(),
    });
    let opening = Opening {
        start: (!start.is_empty()).then(|| start.to_string()),
        variant,
        conduct: Conduct::Archive,
        seed: None,
    };
    // A start that is not admitted is told by whoever judges the record.
    let table = (spec.open)(&opening).ok();
    let turn = table.as_ref().and_then(|table| table.waiting_for().only());
    Tree { record, joins, at: 0, before: 0, branches: Vec::new(), table, turn, ended: false }
        .read(game.words)
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
    /// Whether the result has been read.
    ended: bool,
}

impl Tree {
    fn read(mut self, words: Vec<(Word, (usize, usize))>) -> Result<Record, ReadError> {
        for (word, at) in words {
            match word {
                Word::Comment(text) => self.comment(&text),
                Word::Open if self.at == 0 => {
                    return Err(bad("A branch begins before there is a move to replace.", at));
                }
                Word::Open => {
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
        Ok(self.record)
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
        let (line, column) = at;
        let mut warn = |text: String| self.record.warnings.push(Warning { line, column, text });
        if text.is_empty() {
            return Ok(());
        }
        if text.starts_with('$') || text.chars().all(|c| matches!(c, '!' | '?')) {
            warn(format!("The mark {} is not kept.", text.escape_debug()));
            return Ok(());
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
        let is_move = matches!(entry.act, Act::Move(_));
        self.check(&entry, at)?;
        self.before = self.at;
        let node = Node { entry: Some(entry), at: Some(at), ..Node::default() };
        self.at = self.record.add(self.before, node);
        if is_move {
            self.turn = self.turn.map(Seat::other);
        }
        Ok(())
    }

    /// A word that is no move of the game at all is told where it stands. The main line is
    /// followed as far as the rules take it; beyond that, and in branches, the judge tells.
    fn check(&mut self, entry: &Entry, (line, column): (usize, usize)) -> Result<(), ReadError> {
        let Some(table) = self.table.as_mut().filter(|_| self.branches.is_empty()) else {
            return Ok(());
        };
        match table.put(entry) {
            Ok(()) if matches!(entry.act, Act::Move(_)) => {
                // A move may come in two words: the referee waits for the second.
                Ok(())
            }
            Err(Refusal::Unreadable(error)) => Err(error.line(line).column(column)),
            _ => {
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
