//! Writing records.

use crate::{RESULTS, TAGS, call_text};
use kiban_core::{Act, GameSpec, Node, Outcome, ReadError, Record};
use std::fmt::Write as _;

/// Words are wrapped before this column.
const WIDTH: usize = 80;

/// Writes each record, a blank line between two.
///
/// # Errors
/// If a record holds layouts or a deal.
pub fn write(spec: &'static GameSpec, records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::new();
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let token = tags(spec, record, &mut text);
        moves(record, token, &mut text)?;
    }
    Ok(text.into_bytes())
}

fn tag(text: &mut String, name: &str, value: &str) {
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
fn tags(spec: &'static GameSpec, record: &Record, text: &mut String) -> &'static str {
    tag(text, "Game", spec.id);
    tag(text, "Variant", &record.variant);
    if !record.start.is_empty() {
        tag(text, "Position", &record.start);
    }
    for (key, name) in TAGS {
        if let Some(value) = record.tag(key) {
            tag(text, name, value);
        }
    }
    for (name, value) in &record.unknown {
        let plain: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        tag(text, if plain.is_empty() { "Unknown" } else { &plain }, value);
    }
    let (result, reason) = result(spec, record);
    tag(text, "Result", result);
    if let Some(reason) = reason {
        tag(text, "Termination", &reason);
    }
    text.push('\n');
    result
}

/// The result's token and the reason's slug: what the record claims, else what its moves give.
fn result(spec: &'static GameSpec, record: &Record) -> (&'static str, Option<String>) {
    let token = |result: &str| RESULTS.iter().find(|(r, _)| *r == result).map_or("*", |(_, t)| *t);
    if let Some(claimed) = &record.claimed {
        return (token(&claimed.result), claimed.reason.clone());
    }
    let judged = (spec.judge)(record).ok().filter(|judged| judged.error.is_none());
    let outcome: Option<Outcome> = judged.and_then(|judged| judged.outcome);
    (
        outcome.map_or("*", |outcome| token(outcome.result())),
        outcome.map(|outcome| outcome.reason().0.to_string()),
    )
}

fn moves(record: &Record, token: &str, text: &mut String) -> Result<(), ReadError> {
    let mut writer = Writer { record, text, column: 0 };
    writer.comment(&record.nodes[0]);
    writer.line(0, 1)?;
    writer.word(token);
    writer.text.push('\n');
    Ok(())
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
        // A brace would end the comment.
        let comment = node.comment.replace('{', "(").replace('}', ")");
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
