//! Writing records.

use crate::{Dialect, TAGS, call_text, read_tag, token_of};
use kiban_core::{Act, Conduct, GameSpec, Node, Opening, Outcome, ReadError, Record, Seat};
use std::fmt::Write as _;

/// Words are wrapped before this column.
const WIDTH: usize = 80;

pub(crate) fn write(dialect: &Dialect, records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::new();
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let token = tags(dialect, record, &mut text);
        moves(dialect.spec, record, token, &mut text)?;
    }
    Ok(text.into_bytes())
}

/// Writes a tag; control characters of its value are left out.
pub fn write_tag(text: &mut String, name: &str, value: &str) {
    let mut escaped = String::new();
    for c in value.chars().filter(|c| !c.is_control()) {
        if matches!(c, '"' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    writeln!(text, "[{name} \"{escaped}\"]").expect("a string takes any text");
}

/// Writes the tags; gives the token of the result.
fn tags(dialect: &Dialect, record: &Record, text: &mut String) -> &'static str {
    write_tag(text, "Game", dialect.spec.id);
    write_tag(text, "Variant", &record.variant);
    if !record.start.is_empty() && usual_start(dialect.spec, record).as_ref() != Some(&record.start)
    {
        write_tag(text, "Position", &record.start);
    }
    let [first, second] = dialect.sides;
    for (key, name) in TAGS.into_iter().chain([("first", first), ("second", second)]) {
        if let Some(value) = record.tag(key) {
            write_tag(text, name, value);
        }
    }
    for (name, value) in &record.unknown {
        let plain: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        write_tag(text, if plain.is_empty() { "Unknown" } else { &plain }, value);
    }
    let (result, reason) = result(dialect.spec, record);
    write_tag(text, "Result", result);
    if let Some(reason) = reason {
        write_tag(text, "Termination", &reason);
    }
    text.push('\n');
    result
}

/// The result's token and the reason's slug: what the record claims, else what its moves give.
fn result(spec: &'static GameSpec, record: &Record) -> (&'static str, Option<String>) {
    if let Some(claimed) = &record.claimed {
        return (token_of(&claimed.result), claimed.reason.clone());
    }
    let judged = (spec.judge)(record).ok().filter(|judged| judged.error.is_none());
    let outcome: Option<Outcome> = judged.and_then(|judged| judged.outcome);
    (
        outcome.map_or("*", |outcome| token_of(outcome.result())),
        outcome.map(|outcome| outcome.reason().0.to_string()),
    )
}

/// Plies are counted from 1, from 2 where the second seat begins.
fn moves(
    spec: &'static GameSpec,
    record: &Record,
    token: &str,
    text: &mut String,
) -> Result<(), ReadError> {
    let begins = opening(spec, record)
        .and_then(|opening| (spec.open)(&opening).ok()?.waiting_for().only())
        .unwrap_or(Seat::FIRST);
    let mut writer = Writer { record, text, column: 0 };
    writer.comment(&record.nodes[0]);
    writer.line(0, 1 + begins.index())?;
    writer.word(token);
    writer.text.push('\n');
    Ok(())
}

/// The start of the record's variant.
fn usual_start(spec: &'static GameSpec, record: &Record) -> Option<String> {
    let opening = Opening { start: None, ..opening(spec, record)? };
    Some((spec.open)(&opening).ok()?.start().to_string())
}

/// How a game at the record's start is opened; `None` where its variant is none of the game's.
pub(crate) fn opening(spec: &'static GameSpec, record: &Record) -> Option<Opening> {
    Some(Opening {
        start: (!record.start.is_empty()).then(|| record.start.clone()),
        variant: spec.variant(&record.variant).ok()?,
        conduct: Conduct::Archive,
        seed: None,
    })
}

struct Writer<'a> {
    record: &'a Record,
    text: &'a mut String,
    column: usize,
}

impl Writer<'_> {
    /// Writes what follows a node, which ends before this ply: each move of the line, and behind
    /// it the branches that could replace it.
    fn line(&mut self, parent: usize, ply: usize) -> Result<(), ReadError> {
        let record = self.record;
        let (mut at, mut ply, mut numbered) = (parent, ply, true);
        while let Some((main, branches)) = record.nodes[at].children.split_first() {
            let node = &record.nodes[*main];
            let next = self.entry(node, ply, numbered)?;
            numbered = self.comment(node) || !branches.is_empty();
            for branch in branches {
                self.word("(");
                let node = &record.nodes[*branch];
                let next = self.entry(node, ply, true)?;
                self.comment(node);
                self.line(*branch, next)?;
                self.word(")");
            }
            (at, ply) = (*main, next);
        }
        Ok(())
    }

    /// Writes a node's move or call; gives the ply that is next.
    fn entry(&mut self, node: &Node, ply: usize, numbered: bool) -> Result<usize, ReadError> {
        let Some(entry) = &node.entry else { return Ok(ply) };
        match &entry.act {
            Act::Move(text) => {
                if ply % 2 == 1 {
                    self.word(&format!("{}.", ply.div_ceil(2)));
                } else if numbered {
                    self.word(&format!("{}...", ply.div_ceil(2)));
                }
                self.word(text);
                Ok(ply + 1)
            }
            Act::Call(call) => {
                self.word(&call_text(entry.by, *call));
                Ok(ply)
            }
            Act::Layout(_) | Act::Deal(_) => {
                let message = "This format holds no layouts and no deal.";
                Err(ReadError::new("not-held", message))
            }
        }
    }

    /// Writes a node's time and comment; whether there is something of these.
    fn comment(&mut self, node: &Node) -> bool {
        let mut parts = Vec::new();
        if let Some(ms) = node.spent_ms {
            let (hours, minutes) = (ms / 3_600_000, ms / 60_000 % 60);
            let seconds = format!("{:02}.{:03}", ms / 1000 % 60, ms % 1000);
            let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
            parts.push(format!("[%emt {hours}:{minutes:02}:{seconds}]"));
        }
        // A brace would end the comment, and a line that is a tag the game.
        let comment = node.comment.replace('{', "(").replace('}', ")");
        let line = |line| if read_tag(line, 0).is_ok() { format!(" {line}") } else { line.into() };
        let comment = comment.split('\n').map(line).collect::<Vec<_>>().join("\n");
        parts.extend((!comment.is_empty()).then_some(comment));
        let any = !parts.is_empty();
        if any {
            self.word(&format!("{{{}}}", parts.join(" ")));
        }
        any
    }

    /// Writes a word, on the next line if this one is full.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        let tight = self.column == 0 || word == ")" || self.text.ends_with('(');
        if !tight && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if !tight {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + width,
        };
    }
}
