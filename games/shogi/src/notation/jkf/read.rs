//! Reading JKF.

use super::beside;
use super::places::{Outline, Places, Role, Spot, outline};
use super::{
    BESIDE_KEY, Clock, Data, Document, Hand, MARK, NUMBER_KEY, OTHER, PRESETS, Play, Step,
};
use crate::moves::{Piece, Square};
use crate::notation::encoding::Text;
use crate::notation::endings;
use crate::notation::japanese::{self, Said};
use crate::notation::kif::VARIANT_KEY;
use crate::notation::text::{odd, wrong};
use crate::notation::tree::Tree;
use crate::notation::{headers, names};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{ReadError, Record, Sink, Source};
use serde::de::IgnoredAny;
use std::ops::ControlFlow;

/// Larger documents are not read: taken apart they need several times their size.
const MOST_BYTES: usize = 64 << 20;
/// Characters of a bad text that an error shows.
const SHOWN: usize = 20;
/// Keys that a warning names.
const TOLD: usize = 10;
const A_DOCUMENT: &str = "a JKF record, beginning like {\"header\": {}";

/// Reads the documents of a file, one behind the other.
pub(super) fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    // Whoever takes the records may have had enough.
    let _ = match Text::of(source.bytes) {
        Ok(text) => documents(&text, source.variant, sink),
        Err(e) => sink(Err(e)),
    };
}

/// Reads each document of a text. Behind one that is no JSON, and behind what is no document,
/// reading goes on at the next line that begins with a brace: a document cut off would else take
/// those behind it for its own parts.
///
/// The time is bounded though such lines are read again: a bad document that goes over the
/// beginning of another holds it as a part, so each character is read at most once for each
/// bracket that is open there, of which there are 127 at most.
fn documents(file: &Text<'_>, asked: Option<&str>, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let text = &*file.text;
    let (mut spot, mut any) = (Spot::FIRST, false);
    loop {
        let rest = text[spot.at..].trim_start_matches(|c: char| c.is_whitespace() || c == MARK);
        spot = spot.to(text, text.len() - rest.len());
        if rest.is_empty() {
            break;
        }
        let (read, end) = if rest.starts_with('{') {
            document(text, spot, asked)
        } else {
            let line = rest.lines().next().unwrap_or_default();
            (Err(wrong(spot.place(), line, A_DOCUMENT)), next_line(text, spot.at))
        };
        let (begin, end) = (spot, spot.to(text, end));
        let lines = begin.line..end.line + usize::from(end.column > 1);
        let unread = file.error(lines.clone()).map_or(Ok(()), Err);
        sink(unread.and(read).map(|mut record| {
            record.warnings.splice(0..0, file.told(lines));
            record
        }))?;
        (spot, any) = (end, true);
    }
    if any { ControlFlow::Continue(()) } else { sink(Err(wrong((1, 1), "", A_DOCUMENT))) }
}

/// Reads the document that begins here. Gives also where to go on.
fn document(text: &str, begin: Spot, asked: Option<&str>) -> (Result<Record, ReadError>, usize) {
    let next = || next_line(text, begin.at);
    let outline = match outline(text, begin, Role::Document) {
        Ok(outline) => outline,
        Err(e) => return (Err(e), next()),
    };
    if outline.end - begin.at > MOST_BYTES {
        return (Err(wrong(begin.place(), "{", "at most 64 MiB in a record")), next());
    }
    let mut whole = &text[begin.at..outline.end];
    let mut read = serde_json::from_str::<Document>(whole);
    let is_json =
        outline.whole && (read.is_ok() || serde_json::from_str::<IgnoredAny>(whole).is_ok());
    let end = if is_json { outline.end } else { next() };
    if !is_json {
        // What is wrong with it stands before the next one.
        whole = text[begin.at..end.min(outline.end)].trim_end();
        read = serde_json::from_str(whole);
    }
    let read = read.map_err(|e| of_json(whole, begin, &e)).and_then(|document| {
        let mut record = record(&document, &outline.places, asked)?;
        keep_beside(&mut record, &document, text, &outline);
        Ok(record)
    });
    (read, end)
}

/// Where the next line begins that begins with a brace.
fn next_line(text: &str, from: usize) -> usize {
    let ends = text[from..].match_indices(['\n', '\r']).map(|(at, _)| from + at + 1);
    let mut begins = ends.filter(|at| text[*at..].trim_start_matches(MARK).starts_with('{'));
    begins.next().unwrap_or(text.len())
}

/// Keeps the keys that are not of JKF in a header.
fn keep_beside(record: &mut Record, document: &Document, text: &str, outline: &Outline) {
    let Some(header) = beside::header(text, outline) else { return };
    if steps(&document.moves).any(|step| step.play.is_some() && step.special.is_some()) {
        // Such a step is written as two, and pointers behind it would lead to others.
        let keys = outline.beside.keys().take(TOLD).map(|key| format!("\"{key}\""));
        let text = format!(
            "Keys that are not of JKF are not kept beside an ending in the step of a move: {}.",
            keys.collect::<Vec<_>>().join(", ")
        );
        record.warnings.push(odd(outline.places.begin, text));
        return;
    }
    record.unknown.push((BESIDE_KEY.to_string(), header));
}

/// The steps of a line and those of its forks.
fn steps<'a>(line: &'a [Step]) -> Box<dyn Iterator<Item = &'a Step> + 'a> {
    let forks = |step: &'a Step| step.forks.iter().flat_map(|fork| steps(fork));
    Box::new(line.iter().flat_map(move |step| std::iter::once(step).chain(forks(step))))
}

/// The error of a text that is no JSON, or not of this kind.
fn of_json(text: &str, begin: Spot, e: &serde_json::Error) -> ReadError {
    let line = text.split('\n').nth(e.line().saturating_sub(1)).unwrap_or_default();
    // The column counts bytes; it is the last one read.
    let column = e.column().saturating_sub(1).min(line.len());
    let at = (0..=column).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    // What is wrong as a value ends there; what is no JSON begins there.
    let read = line[..at].chars().count() + 1;
    let skipped = if e.is_data() { read.saturating_sub(SHOWN) } else { read - 1 };
    let found: String = line.chars().skip(skipped).take(SHOWN).collect();
    let said = e.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
    let expected = format!("JSON as JKF has it ({said})");
    let behind = e.line().saturating_sub(1);
    let column = if behind == 0 { begin.column - 1 + read } else { read };
    wrong((begin.line + behind, column), found.trim(), &expected)
}

/// A document's record without its moves, and its start.
fn head(
    document: &Document,
    place: (usize, usize),
    asked: Option<&str>,
) -> Result<(Record, Setup), ReadError> {
    let mut record = Record::new(GAME.id, asked.unwrap_or(GAME.id), "");
    let (mut named, mut number) = (None, None);
    for (key, value) in &document.header.0 {
        match key.as_str() {
            "手合割" => named = Some(value.trim()),
            VARIANT_KEY if GAME.variant(value).is_ok() => {
                if asked.is_none() {
                    record.variant.clone_from(value);
                }
            }
            NUMBER_KEY if number.is_none() && value.parse::<u32>().is_ok() => {
                number = value.parse::<u32>().ok();
            }
            // Such a one is kept with the keys that are not of JKF.
            BESIDE_KEY if beside::holds_keys(value) => {}
            key => headers::add(&mut record, headers::of_kif(key), (key, value), place)?,
        }
    }
    let mut setup = match (&document.initial, named) {
        (Some(initial), _) if initial.preset == OTHER => {
            let data = initial.data.as_ref();
            let data = data.ok_or_else(|| wrong(place, OTHER, "data beside the preset OTHER"))?;
            setup(data, place)?
        }
        (Some(initial), _) => preset(&initial.preset).ok_or_else(|| {
            wrong(place, &initial.preset, "a preset such as HIRATE, KY or 2, or OTHER with data")
        })?,
        (None, Some(name)) => {
            headers::handicap(name).ok_or_else(|| wrong(place, name, headers::A_HANDICAP))?
        }
        (None, None) => Setup::start(),
    };
    setup.number = number.map_or(1, |n| n.saturating_add(1));
    Ok((record, setup))
}

/// The position of a preset.
pub(super) fn preset(name: &str) -> Option<Setup> {
    if name == "HIRATE" {
        return Some(Setup::start());
    }
    let id = PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, id)| *id)?;
    let sfen = GAME.setup_position(id)?;
    Some(Setup::from_sfen(sfen).expect("named positions are well-formed"))
}

fn setup(data: &Data, place: (usize, usize)) -> Result<Setup, ReadError> {
    let mut setup = Setup::empty();
    for square in Square::all() {
        let (file, rank) = (usize::from(square.file()) - 1, usize::from(square.rank()) - 1);
        let cell = data.board[file][rank];
        setup.board[square.index()] = match (cell.color, cell.kind) {
            (Some(color), Some(kind)) => Some(Piece::new(color.0, kind.0)),
            (_, None) => None,
            (None, Some(_)) => {
                let found = format!("a piece without color on {}", names::square(square));
                return Err(wrong(place, &found, "its color, 0 or 1"));
            }
        };
    }
    setup.hands =
        data.hands.map(|Hand { fu, ky, ke, gi, ki, ka, hi }| [fu, ky, ke, gi, ki, ka, hi]);
    if let Some(count) = setup.hands.iter().flatten().find(|count| **count > 99) {
        let found = format!("{count} pieces in hand");
        return Err(wrong(place, &found, "fewer than 100 pieces of a kind"));
    }
    setup.turn = data.color.0;
    Ok(setup)
}

/// A document's record.
pub(super) fn record(
    document: &Document,
    places: &Places,
    asked: Option<&str>,
) -> Result<Record, ReadError> {
    let (record, start) = head(document, places.begin, asked)?;
    let tree = Tree::new(record, start)?;
    let mut reader = Reader { tree, places: &places.steps, begin: places.begin };
    reader.line(&document.moves, &mut 0)?;
    Ok(reader.tree.finish())
}

struct Reader<'a> {
    tree: Tree,
    places: &'a [(usize, usize)],
    begin: (usize, usize),
}

impl Reader<'_> {
    /// Reads a line, then its forks from its end to its beginning, which is the order in which
    /// the tree takes branches. `index` is the first node's among all of the text.
    fn line(&mut self, steps: &[Step], index: &mut usize) -> Result<(), ReadError> {
        let mut behind = Vec::with_capacity(steps.len());
        for step in steps {
            behind.push((step, self.tree.plies(), *index + 1));
            let place = self.places.get(*index).copied().unwrap_or(self.begin);
            *index += 1 + step.forks.iter().map(|fork| nodes(fork)).sum::<usize>();
            self.step(step, place)?;
        }
        for (step, plies, mut first) in behind.into_iter().rev() {
            for fork in &step.forks {
                if self.tree.branch_behind(plies).is_none() {
                    return Err(wrong(self.begin, "a fork", "one that replaces a move"));
                }
                self.line(fork, &mut first)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, place: (usize, usize)) -> Result<(), ReadError> {
        if let Some(play) = &step.play {
            self.play(play, place)?;
        }
        if let Some(word) = &step.special {
            let ending = [endings::JKF, endings::KIF].iter().find_map(|w| endings::find(w, word));
            let expected = "an ending such as TORYO, CHUDAN or TIME_UP";
            let ending = ending.ok_or_else(|| wrong(place, word, expected))?;
            self.tree.end(ending, word, place)?;
        }
        if let Some(time) = &step.time {
            let ms = milliseconds(&time.now);
            let ms = ms.ok_or_else(|| wrong(place, &time.now.s.to_string(), "seconds from 0"))?;
            self.tree.spent(ms);
        }
        for comment in &step.comments {
            self.tree.comment(comment);
        }
        Ok(())
    }

    fn play(&mut self, play: &Play, place: (usize, usize)) -> Result<(), ReadError> {
        let board = self.tree.board();
        let to = play.to.map(|to| to.0);
        let square = to.map_or("同".to_string(), names::square);
        let mut said = Said {
            to,
            kind: play.piece.0,
            hand: None,
            way: None,
            promotes: play.promote.unwrap_or(false),
            drops: false,
            from: play.from.map(|from| from.0),
            place,
            text: format!("{square}{}", names::piece(play.piece.0)).into(),
            by: play.color.map(|color| color.0),
        };
        for mark in play.relative.iter().flat_map(|marks| marks.chars()) {
            match mark {
                'L' => said.hand = Some('左'),
                'C' => said.hand = Some('直'),
                'R' => said.hand = Some('右'),
                'U' => said.way = Some('上'),
                'M' => said.way = Some('寄'),
                'D' => said.way = Some('引'),
                'H' => said.drops = said.from.is_none(),
                _ => return Err(wrong(place, &mark.to_string(), "the marks L C R U M D or H")),
            }
        }
        let (m, told) = japanese::resolve(board, said.by.unwrap_or(board.turn()), &said)?;
        let by = said.by.unwrap_or_else(|| board.author(m));
        if let Some(told) = told {
            self.tree.warn(place, told.text)?;
        }
        self.tree.play(by, m, said.kind, place)
    }
}

/// How many nodes a line and its forks have.
fn nodes(line: &[Step]) -> usize {
    steps(line).count()
}

fn milliseconds(clock: &Clock) -> Option<u64> {
    let minutes = clock.h.unwrap_or(0).saturating_mul(60).saturating_add(clock.m);
    let ms = match clock.s.as_u64() {
        Some(seconds) => seconds.saturating_mul(1000),
        // A cast from a fraction saturates.
        None => clock.s.as_f64().filter(|s| *s >= 0.0).map(|s| (s * 1000.0).round() as u64)?,
    };
    Some(minutes.saturating_mul(60_000).saturating_add(ms))
}
