//! Writing KIF and KI2.

use super::{LAST_MOVE_KEY, SPENT, Style, VARIANT_KEY};
use crate::moves::{Color, Move, PieceKind};
use crate::notation::endings::{self, Ending};
use crate::notation::text::{Cursor, cannot_hold};
use crate::notation::tracker::Tracker;
use crate::notation::tree::{LinesOfPlay, Told, ending_words, start_of, told};
use crate::notation::{diagram, headers, japanese};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{Node, ReadError, Record, Source};
use std::fmt::Write as _;

const FITS: &str = "a string takes everything";
/// Columns of a move's text, wide characters counting two.
const MOVE_COLUMNS: usize = 13;

/// Moves of KI2 in a line, and the columns of one.
const MOVES_A_LINE: usize = 6;
const MARKED_COLUMNS: usize = 13;

/// Writes records in UTF-8.
pub(super) fn write(style: Style, records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = format!("#{} version=2.0 encoding=UTF-8\n", style.name());
    if style == Style::Bod {
        records.iter().try_for_each(only_a_position)?;
        out.clear();
    }
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        let start = start_of(record)?;
        let head = head(style, record, &start);
        check_head(style, &head, record, &start)?;
        out.push_str(&head);
        if style == Style::Kif {
            out.push_str("手数----指手---------消費時間--\n");
        }
        Body { style, record, start: &start, out: &mut out, claimed: false, row: 0 }.write()?;
    }
    Ok(out.into_bytes())
}

fn is_handicap(start: &Setup) -> bool {
    headers::handicap_name(start).is_some_and(|name| name != "平手")
}

/// What a diagram cannot hold.
fn only_a_position(record: &Record) -> Result<(), ReadError> {
    let cannot = |what: &str| Err(cannot_hold(Style::Bod.record(), what));
    match record {
        record if record.nodes.len() > 1 => cannot("moves"),
        Record { claimed: Some(_), .. } => cannot("a result"),
        _ => Ok(()),
    }
}

fn head(style: Style, record: &Record, start: &Setup) -> String {
    let mut out = String::new();
    let name = headers::handicap_name(start);
    if style != Style::Bod {
        let official = name.filter(|name| headers::is_official(name));
        writeln!(out, "手合割：{}", official.unwrap_or("その他")).expect(FITS);
    }
    if !["", GAME.id].contains(&record.variant.as_str()) {
        writeln!(out, "{VARIANT_KEY}：{}", record.variant).expect(FITS);
    }
    let tags = record.tags.iter().map(|(k, v)| (headers::kif_key(k, is_handicap(start)), v.trim()));
    // Some programs take no record that has the line with the number, so it stands where it tells
    // something.
    let shown = style == Style::Bod || !name.is_some_and(headers::is_everywhere);
    let numbered = style == Style::Bod || shown && start.number != 1;
    let inline = |text: &str| {
        let mut cursor = Cursor::new(1, text);
        japanese::read(&mut cursor).is_ok() && cursor.rest.is_empty()
    };
    let last = record.unknown.last();
    let last = last.filter(|(key, text)| numbered && key == LAST_MOVE_KEY && inline(text));
    let unknown = &record.unknown[..record.unknown.len() - usize::from(last.is_some())];
    let unknown = unknown.iter().map(|(k, v)| (k.as_str(), v.trim()));
    for (key, value) in tags.chain(unknown).filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "{key}：{value}").expect(FITS);
    }
    // Who does not know a handicap's name takes it for an even game, unless there is a diagram.
    if shown {
        diagram::write(&mut out, start);
    }
    if numbered {
        let last = last.map_or(String::new(), |(_, text)| format!("{text}  "));
        writeln!(out, "手数＝{}  {last}まで", start.number - 1).expect(FITS);
    }
    out
}

/// Reads the head again: what comes out otherwise cannot be held.
fn check_head(style: Style, head: &str, record: &Record, start: &Setup) -> Result<(), ReadError> {
    let read = style.read(Source { bytes: head.as_bytes(), variant: None });
    let cannot = |what: &str| Err(cannot_hold(style.record(), what));
    let Ok([read]) = read.as_deref() else { return cannot("these headers") };
    if let Some(what) = headers::difference(record, read) {
        return cannot(&what);
    }
    if read.start != start.to_sfen() || !read.nodes[0].comment.is_empty() {
        return cannot("this start position or these headers");
    }
    if ![record.variant.as_str(), GAME.id].contains(&read.variant.as_str()) {
        return cannot("this variant");
    }
    Ok(())
}

/// What is kept of the node before.
#[derive(Clone)]
struct Kept {
    board: Tracker,
    /// The number of the next line; an ending counts.
    number: u64,
    /// Time spent so far by each side, in milliseconds.
    spent: [u64; 2],
    /// Whether the game has ended in this line.
    ended: bool,
}

struct Body<'a> {
    style: Style,
    record: &'a Record,
    start: &'a Setup,
    out: &'a mut String,
    /// Whether the claim has been written.
    claimed: bool,
    /// How many moves stand in the line of KI2 that has not ended.
    row: usize,
}

impl Body<'_> {
    fn write(mut self) -> Result<(), ReadError> {
        let board = Tracker::new(self.start.clone());
        let mut end = Kept { board, number: self.start.number.into(), spent: [0; 2], ended: false };
        let record = self.record;
        let mut lines = LinesOfPlay::new(record, end.clone());
        lines.next(|node, kept, _| {
            end = self.node(node, kept, true)?;
            Ok::<_, ReadError>(end.clone())
        })?;
        self.close(end)?;
        while lines.next(|node, kept, first| {
            if first {
                self.end_row();
                writeln!(self.out, "\n変化：{}手", kept.number).expect(FITS);
            }
            self.node(node, kept, false)
        })? {}
        self.end_row();
        Ok(())
    }

    /// Ends the line of KI2 whose moves have begun.
    fn end_row(&mut self) {
        if self.row > 0 {
            let end = self.out.trim_end_matches(' ').len();
            self.out.truncate(end);
            self.out.push('\n');
        }
        self.row = 0;
    }

    fn node(&mut self, index: usize, mut kept: Kept, main: bool) -> Result<Kept, ReadError> {
        let node = &self.record.nodes[index];
        if index == 0 {
            if node.entry.is_some() || node.spent_ms.is_some() {
                return Err(cannot_hold(self.style.record(), "a move before the first"));
            }
            self.comment(&node.comment)?;
            return Ok(kept);
        }
        if self.style == Style::Ki2 && node.spent_ms.is_some() {
            return Err(cannot_hold(self.style.record(), "times"));
        }
        let claims = main && self.record.claimed.is_some() && !self.claimed;
        match told(self.style.record(), node, &kept.board)? {
            Told::Move(by, m) => {
                if self.style == Style::Ki2 {
                    self.marked_move(&mut kept, by, m);
                } else if by != kept.board.author(m) {
                    let what = "a move of a side that is not to move";
                    return Err(cannot_hold(self.style.record(), what));
                } else {
                    let text = japanese::kif(&kept.board, m);
                    self.line(&mut kept, &text, node.spent_ms, by);
                }
                kept.board.play(by, m, PieceKind::Pawn);
            }
            Told::Ending(ending) => self.ending(&mut kept, Some(ending), node, main)?,
            Told::Nothing if claims && node.children.is_empty() => {
                self.ending(&mut kept, None, node, main)?;
            }
            Told::Nothing => return Err(cannot_hold(self.style.record(), "a node without a move")),
        }
        self.comment(&node.comment)?;
        Ok(kept)
    }

    /// The lines of an ending; the main line's first is written in the words of the claim.
    fn ending(
        &mut self,
        kept: &mut Kept,
        call: Option<Ending>,
        node: &Node,
        main: bool,
    ) -> Result<(), ReadError> {
        kept.ended = true;
        self.end_row();
        let (side, format) = (kept.board.turn(), self.style.record());
        let mut words = if !main || self.claimed {
            let word = call.and_then(|ending| ending.word(endings::KIF, side));
            vec![word.ok_or_else(|| cannot_hold(format, "this ending"))?.to_string()]
        } else if let Some(summary) = self.claimed_summary() {
            self.words_of_summary(summary, kept)?
        } else {
            let boards = (self.start, &kept.board);
            ending_words(format, endings::KIF, self.record, call, boards)?
        };
        self.claimed |= main;
        if let (Style::Ki2, [word]) = (self.style, &mut words[..]) {
            *word = self.in_summary(word, &kept.board);
        }
        if words.is_empty() && node.spent_ms.is_some() {
            return Err(cannot_hold(format, "a time for a summary"));
        }
        let mut spent = node.spent_ms;
        for word in words {
            self.line(kept, &word, spent.take(), side);
        }
        Ok(())
    }

    /// The claim, where it is told by a summary instead of a word.
    fn claimed_summary(&self) -> Option<&str> {
        let claimed = self.record.claimed.as_ref()?;
        let text = claimed.text.as_str();
        (text.starts_with("まで") && !text.contains('\n')).then_some(text)
    }

    /// What stands for a summary: itself in KI2; in KIF the numbered word that claims the same,
    /// which other programs look for, or nothing, and the summary behind it.
    fn words_of_summary(&self, summary: &str, kept: &Kept) -> Result<Vec<String>, ReadError> {
        if self.style == Style::Ki2 {
            return Ok(vec![summary.to_string()]);
        }
        let claimed = self.record.claimed.as_ref().expect("a summary is a claim");
        let side = kept.board.turn();
        let ending = endings::of_claim(claimed, side);
        let word = ending.and_then(|ending| ending.word(endings::KIF, side));
        let rules = endings::rules_of(&self.record.variant, self.start)?;
        let same = |word: &&str| {
            let ending = endings::find(endings::KIF, word).expect("it is a word of KIF");
            let said = ending.claim(rules, self.start, &kept.board, word);
            (&said.result, &said.reason) == (&claimed.result, &claimed.reason)
        };
        Ok(word.filter(same).map(str::to_string).into_iter().collect())
    }

    /// An ending of KI2, which knows no words of their own for them.
    fn in_summary(&self, word: &str, board: &Tracker) -> String {
        let side = board.turn();
        let Some(ending) = endings::find(endings::KIF, word) else { return word.to_string() };
        let told = self.summary(board, ending);
        let told = told.unwrap_or_else(|| format!("まで{}手で{word}", plies(board)));
        let meant =
            endings::summed_up(&told, side).and_then(|ending| ending.word(endings::KIF, side));
        if meant == ending.word(endings::KIF, side) { told } else { word.to_string() }
    }

    /// What stands behind the main line: the claim if no node carries it, and a summary.
    fn close(&mut self, mut end: Kept) -> Result<(), ReadError> {
        let Some(claimed) = &self.record.claimed else { return Ok(()) };
        if !self.claimed {
            self.ending(&mut end, None, &Node::default(), true)?;
        }
        if self.style == Style::Kif && end.ended {
            let ending = || endings::of_claim(claimed, end.board.turn());
            let told = self.claimed_summary().map(str::to_string);
            let told = told.or_else(|| self.summary(&end.board, ending()?));
            told.into_iter().for_each(|text| writeln!(self.out, "{text}").expect(FITS));
        }
        Ok(())
    }

    /// `まで12手で先手の勝ち`, where programs know a summary and the winner is certain.
    fn summary(&self, board: &Tracker, ending: Ending) -> Option<String> {
        let handicap = is_handicap(self.start);
        let name = |color: Color| match (color, handicap) {
            (Color::Sente, false) => "先手",
            (Color::Gote, false) => "後手",
            (Color::Sente, true) => "下手",
            (Color::Gote, true) => "上手",
        };
        let (side, other) = (name(board.turn()), name(!board.turn()));
        let how = match ending {
            Ending::Resign => format!("{other}の勝ち"),
            Ending::Timeout => format!("時間切れにより{other}の勝ち"),
            Ending::Declare => format!("{side}の入玉勝ち"),
            Ending::Win => format!("{side}の勝ち"),
            Ending::WonByFoul => format!("{side}の反則勝ち"),
            Ending::LostByFoul => format!("{side}の反則負け"),
            Ending::Draw => "引き分け".to_string(),
            Ending::Impasse => "持将棋".to_string(),
            Ending::Repetition => "千日手".to_string(),
            Ending::Mate => "詰み".to_string(),
            Ending::Interrupted => "中断".to_string(),
            Ending::Sealed => "封じ手".to_string(),
            _ => return None,
        };
        Some(format!("まで{}手で{how}", plies(board)))
    }

    /// A move of KI2 behind those of its line.
    fn marked_move(&mut self, kept: &mut Kept, by: Color, m: Move) {
        if self.row == MOVES_A_LINE {
            self.end_row();
        }
        let text = japanese::ki2(&kept.board, by, m);
        let blanks = MARKED_COLUMNS.saturating_sub(columns(&text)).max(1);
        write!(self.out, "{text}{:blanks$}", "").expect(FITS);
        self.row += 1;
        kept.number += 1;
    }

    fn line(&mut self, kept: &mut Kept, text: &str, spent: Option<u64>, by: Color) {
        if self.style == Style::Ki2 {
            writeln!(self.out, "{text}").expect(FITS);
            kept.number += 1;
            return;
        }
        write!(self.out, "{:>4} {text}", kept.number).expect(FITS);
        kept.number += 1;
        if let Some(ms) = spent {
            let total = &mut kept.spent[by.index()];
            *total = total.saturating_add(ms);
            let blanks = MOVE_COLUMNS.saturating_sub(columns(text)).max(1);
            let (spent, all) = (ms / 1000, *total / 1000);
            let (minutes, seconds) = (spent / 60, spent % 60);
            let (h, m, s) = (all / 3600, all / 60 % 60, all % 60);
            write!(self.out, "{:blanks$}({minutes:>2}:{seconds:02}/{h:02}:{m:02}:{s:02})", "")
                .expect(FITS);
        }
        self.out.push('\n');
        if let Some(ms) = spent.filter(|ms| ms % 1000 > 0) {
            writeln!(self.out, "{SPENT}{}.{:03}", ms / 1000, ms % 1000).expect(FITS);
        }
    }

    fn comment(&mut self, comment: &str) -> Result<(), ReadError> {
        if comment.contains(['\r', '\0']) {
            return Err(cannot_hold(
                self.style.record(),
                "a comment with carriage returns or zero characters",
            ));
        }
        if comment.is_empty() {
            return Ok(());
        }
        self.end_row();
        for line in comment.split('\n') {
            let mark = if line.starts_with('&') { "" } else { "*" };
            writeln!(self.out, "{mark}{line}").expect(FITS);
        }
        Ok(())
    }
}

/// Columns of a text, wide characters counting two.
fn columns(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// Plies before the next one, as the start counts them.
fn plies(board: &Tracker) -> u32 {
    board.setup.number.saturating_sub(1)
}
