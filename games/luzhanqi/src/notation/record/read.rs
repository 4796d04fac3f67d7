//! Reading records.

use super::{AGREE_DRAW, layout_tag, referee, tag_names};
use crate::known::Known;
use crate::notation::moves::{self, SKIP, event_text, read_call};
use crate::{GAME, Luzhanqi};
use kiban_core::{
    Act, Arbiter, Call, Claimed, Entry, Node, ReadError, Record, Seat, Seats, Sink, Source, Table,
    Viewer, Warning,
};
use kiban_pgn::{Tag, bad, read_tag, result_of};
use std::ops::ControlFlow;

/// A game has at most 1000 plies and the calls of four seats; more is not a game.
const MAX_PLIES: usize = 1_100;

/// Reads a file game by game. One that cannot be read costs no other.
pub(super) fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    // Whoever takes the records may have had enough.
    let _ = match kiban_pgn::text(source.bytes) {
        Ok(text) => games(&text, &source, sink),
        Err(e) => sink(Err(e)),
    };
}

fn games(text: &str, source: &Source<'_>, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let mut any = false;
    for lines in kiban_pgn::divide(text) {
        any = true;
        sink(game(&lines).and_then(|game| game.record(source)))?;
    }
    if any { ControlFlow::Continue(()) } else { sink(Err(kiban_pgn::nothing())) }
}

/// Splits the lines of a game into its tags and words.
fn game(lines: &[(usize, &str)]) -> Result<Reading, ReadError> {
    let (mut game, mut comment) = (Reading::default(), false);
    for (number, line) in lines {
        if !comment && line.trim_start().starts_with('[') {
            game.tags.push(read_tag(line.trim(), *number)?);
        } else if game.tags.is_empty() && !line.trim().is_empty() {
            let message = format!("A record begins with the tag [Game \"{}\"].", GAME.id);
            return Err(bad(message, (*number, 1)));
        } else {
            game.words_of(line, *number, &mut comment)?;
        }
    }
    match game.words.last().filter(|_| comment) {
        Some(word) => Err(bad("A comment is not closed; write } behind it.", word.at)),
        None => Ok(game),
    }
}

/// A word of the plies: a text and where it stands.
struct Word {
    text: String,
    at: (usize, usize),
    comment: bool,
}

/// A game being read.
#[derive(Default)]
struct Reading {
    tags: Vec<Tag>,
    words: Vec<Word>,
}

impl Reading {
    /// Splits a line of plies into words and comments.
    fn words_of(&mut self, line: &str, number: usize, comment: &mut bool) -> Result<(), ReadError> {
        let mut fresh = true;
        for (i, c) in line.chars().enumerate() {
            let at = (number, i + 1);
            match (c, *comment) {
                ('{', false) => {
                    self.words.push(Word { text: String::new(), at, comment: true });
                    *comment = true;
                }
                ('}', true) => (*comment, fresh) = (false, true),
                (c, true) => self.words.last_mut().expect("a comment is open").text.push(c),
                (c, false) if c.is_whitespace() => fresh = true,
                (c, false) => {
                    if fresh {
                        self.words.push(Word { text: String::new(), at, comment: false });
                    }
                    self.words.last_mut().expect("a word is open").text.push(c);
                    fresh = false;
                }
            }
        }
        if *comment && let Some(word) = self.words.last_mut() {
            word.text.push(' ');
        }
        if self.words.len() > 3 * MAX_PLIES {
            return Err(bad(format!("A game has at most {MAX_PLIES} plies."), (number, 1)));
        }
        Ok(())
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, ..)| n == name).map(|(_, value, _)| value.as_str())
    }

    fn record(self, source: &Source<'_>) -> Result<Record, ReadError> {
        let line = self.tags[0].2;
        match self.tag("Game") {
            Some(game) if game == GAME.id => {}
            _ => return Err(bad(format!("Write the tag [Game \"{}\"].", GAME.id), (line, 1))),
        }
        let variant = self.tag("Variant").or(source.variant).unwrap_or("");
        let variant = GAME.variant(variant).map_err(|e| e.line(line))?;
        let canonical = variant.canonical(GAME.options, None);
        let start = self.tag("Position").unwrap_or("");
        let mut record = Record::new(GAME.id, &canonical, start);
        let names = tag_names();
        let mut last = 0;
        for (name, value, line) in &self.tags {
            let layout = Seat::ALL.into_iter().find(|s| layout_tag(*s) == *name);
            let entry = match (layout, name.as_str()) {
                (Some(seat), _) => Entry { by: seat.into(), act: Act::Layout(value.clone()) },
                (None, "Deal") => Entry { by: Seats::NONE, act: Act::Deal(value.clone()) },
                (None, "Game" | "Variant" | "Position" | "Result" | "Termination") => continue,
                (None, other) => {
                    match names.iter().find(|(_, n)| n == other) {
                        Some((key, _)) => record.tags.push((key.clone(), value.clone())),
                        None => record.unknown.push((name.clone(), value.clone())),
                    }
                    continue;
                }
            };
            let at = Some((*line, 1));
            last = record.add(last, Node { entry: Some(entry), at, ..Node::default() });
        }
        record.claimed = self.claimed();
        let table = referee(&record);
        let rules = table.as_ref().map_or_else(
            || <Luzhanqi as kiban_core::Game>::of(&variant, None),
            |table| table.line().rules(),
        );
        Plies { record, last, table, rules, marked: Vec::new() }.read(self.words)
    }

    fn claimed(&self) -> Option<Claimed> {
        let text = self.tag("Result")?;
        let reason = self.tag("Termination").map(str::to_string);
        Some(Claimed { result: result_of(text).to_string(), reason, text: text.to_string() })
    }
}

/// The plies of a game being read, with its referee while that can follow.
struct Plies {
    record: Record,
    last: usize,
    table: Option<Table<Luzhanqi>>,
    rules: Luzhanqi,
    /// Words with marks, and the ply each became.
    marked: Vec<(usize, Word)>,
}

impl Plies {
    fn read(mut self, words: Vec<Word>) -> Result<Record, ReadError> {
        let arranged: Vec<Entry> = self.record.entries().cloned().collect();
        for entry in &arranged {
            self.put(entry);
        }
        for word in words {
            if word.comment {
                let comment = &mut self.record.nodes[self.last].comment;
                comment.push_str(word.text.trim());
            } else if !is_number_or_result(&word.text) {
                self.ply(word)?;
            }
        }
        self.check_marks();
        Ok(self.record)
    }

    /// Puts an entry into the referee's game; the ply it became.
    fn put(&mut self, entry: &Entry) -> Option<usize> {
        let table = self.table.as_mut()?;
        let before = table.line().steps().len();
        if table.put(entry).is_err() {
            self.table = None;
            return None;
        }
        (table.line().steps().len() > before).then_some(before)
    }

    fn ply(&mut self, word: Word) -> Result<(), ReadError> {
        let turn = self.table.as_ref().map_or(Seats::NONE, |table| table.waiting_for());
        let bare = word.text.strip_suffix('#').unwrap_or(&word.text);
        let entry = if bare == SKIP {
            Entry::new_call(turn, Call::Timeout)
        } else if bare == AGREE_DRAW {
            let seats = Seats::first_n(if self.rules.options.four { 4 } else { 2 });
            let in_play = |s: &Seat| {
                self.table.as_ref().is_none_or(|t| t.calls(*s).contains(&Call::AgreeDraw))
            };
            Entry::new_call(seats.iter().filter(in_play).collect::<Seats>(), Call::AgreeDraw)
        } else if let Some((seat, call)) = read_call(bare) {
            Entry::new_call(seat, call)
        } else {
            moves::read(self.rules, &word.text).map_err(|e| e.line(word.at.0).column(word.at.1))?;
            Entry { by: turn, act: Act::Move(word.text.clone()) }
        };
        let played = self.put(&entry);
        let at = Some(word.at);
        self.last = self.record.add(self.last, Node { entry: Some(entry), at, ..Node::default() });
        let marks = word.text.contains(['>', '<', '=', '!', ':']);
        if let Some(ply) = played.filter(|_| marks) {
            self.marked.push((ply, word));
        }
        Ok(())
    }

    /// Says where the record's marks are not what the rules give.
    fn check_marks(&mut self) {
        let Some(table) = &self.table else { return };
        let known = Known::of(self.rules, table.line(), Viewer::Referee);
        for (ply, word) in &self.marked {
            let right = event_text(self.rules, &known.events[*ply]);
            if word.text.trim_end_matches('#') != right.trim_end_matches('#') {
                let text = format!("\"{}\" comes out as {right} by the rules.", word.text);
                let (line, column) = word.at;
                self.record.warnings.push(Warning { line, column, text });
            }
        }
    }
}

/// `12.`, or a result.
fn is_number_or_result(word: &str) -> bool {
    let number = word.trim_end_matches('.');
    let is_number = number.len() < word.len() && number.bytes().all(|b| b.is_ascii_digit());
    is_number || matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}
