//! Reading JKF.

use super::places::{Places, beside, places};
use super::{BESIDE_KEY, Clock, Data, Document, Hand, NUMBER_KEY, OTHER, PRESETS, Play, Step};
use crate::moves::{Piece, Square};
use crate::notation::endings;
use crate::notation::japanese::{self, Said};
use crate::notation::kif::VARIANT_KEY;
use crate::notation::text::{decode, odd, wrong};
use crate::notation::tree::Tree;
use crate::notation::{headers, names};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{ReadError, Record, Sink, Source, Warning};
use serde_json::Value;
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Larger files are not read: taken apart they need several times their size.
const MOST_BYTES: usize = 64 << 20;
/// Characters of a bad text that an error shows.
const SHOWN: usize = 20;
/// Keys that a warning names.
const TOLD: usize = 10;
const A_DOCUMENT: &str = "a JKF record, beginning like {\"header\": {}";

/// Reads the documents of a file, one behind the other; behind a text that is no JSON none is
/// found.
pub(super) fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let opened = text_of(source).and_then(|(text, told)| {
        let places = places(&text)?;
        Ok((text, told, places))
    });
    // Whoever takes the records may have had enough.
    let _ = match opened {
        Ok((text, told, places)) => {
            let mut told = told.into_iter();
            documents(&text, places, source.variant, &mut |mut read| {
                read.iter_mut().for_each(|record| record.warnings.extend(told.by_ref()));
                sink(read)
            })
        }
        Err(e) => sink(Err(e)),
    };
}

fn text_of(source: Source<'_>) -> Result<(Cow<'_, str>, Option<Warning>), ReadError> {
    if source.bytes.len() > MOST_BYTES {
        let message = "The file is larger than 64 MiB; split it into smaller files.";
        return Err(ReadError::new("too-large", message));
    }
    let (text, told) = decode(source.bytes)?;
    if !text.trim_start().starts_with('{') {
        return Err(wrong((1, 1), text.lines().next().unwrap_or_default(), A_DOCUMENT));
    }
    Ok((text, told))
}

fn documents(
    text: &str,
    places: Vec<Places>,
    asked: Option<&str>,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let (mut documents, mut begin) = (serde_json::Deserializer::from_str(text).into_iter(), 0);
    let mut places = places.into_iter();
    while let Some(document) = documents.next() {
        let document = match document {
            Ok(document) => document,
            Err(e) => return sink(Err(of_json(text, &e))),
        };
        let places = places.next().expect("a document has a place");
        let end = documents.byte_offset();
        sink(record(&document, &places, asked).map(|mut record| {
            if places.odd {
                keep_beside(&mut record, &document, &text[begin..end], places.begin);
            }
            record
        }))?;
        begin = end;
    }
    ControlFlow::Continue(())
}

/// Keeps the keys that are not of JKF in a header.
fn keep_beside(record: &mut Record, document: &Document, text: &str, place: (usize, usize)) {
    // What a reader skips may be no value: a number or a character beyond all that there are.
    let Ok(value) = serde_json::from_str(text) else {
        let text = "A key that is not of JKF holds a number or a character that cannot be kept; no \
                    such key is.";
        record.warnings.push(odd(place, text.to_string()));
        return;
    };
    let keys = beside(&value);
    if steps(&document.moves).any(|step| step.play.is_some() && step.special.is_some()) {
        // Such a step is written as two, and pointers behind it would lead to others.
        let keys = keys.keys().take(TOLD).map(|key| format!("\"{key}\"")).collect::<Vec<_>>();
        let keys = keys.join(", ");
        let text = format!(
            "Keys that are not of JKF are not kept beside an ending in the step of \
                            a move: {keys}."
        );
        record.warnings.push(odd(place, text));
        return;
    }
    record.unknown.push((BESIDE_KEY.to_string(), Value::Object(keys).to_string()));
}

/// The steps of a line and those of its forks.
fn steps<'a>(line: &'a [Step]) -> Box<dyn Iterator<Item = &'a Step> + 'a> {
    let forks = |step: &'a Step| step.forks.iter().flat_map(|fork| steps(fork));
    Box::new(line.iter().flat_map(move |step| std::iter::once(step).chain(forks(step))))
}

/// The error of a text that is no JSON, or not of this kind.
fn of_json(text: &str, e: &serde_json::Error) -> ReadError {
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
    wrong((e.line().max(1), read), found.trim(), &expected)
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
