//! Reading a pasted position or record, and having it searched: once, as long as somebody looks, or
//! ply by ply.

mod lines;
mod review;
mod search;

pub(crate) use lines::watch;
pub(crate) use review::{Reviews, review};
pub(crate) use search::{StopOnDrop, named};

use self::search::{Engine, LONGEST_MS};
use crate::api::json_text;
use crate::app::Shared;
use crate::errors::{Failure, brief};
use crate::guard::Visitor;
use crate::limits::SMALL_ANSWER;
use crate::request::{Address, Body, admit, admit_reading};
use crate::room::arrange;
use crate::view::sentence;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use kiban_core::{
    Act, Arbiter, Conduct, Entry, Format, GameSpec, Opening, ReadError, Record, Scene, Seen,
    Source, Stage, Viewer,
};
use kiban_play::{LONGEST_GAME, Refused, before_play};
use kiban_words::Words;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::{self, ErrorKind::TimedOut};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// What a page wants to know.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    #[serde(default)]
    variant: String,
    /// A position or a record, whichever can be read in it.
    text: Option<String>,
    /// A position's text or a set-up's id.
    position: Option<String>,
    /// A whole record file.
    record: Option<String>,
    /// The record's format; guessed if missing.
    format: Option<String>,
    /// How many plies of the record to keep; all if missing.
    ply: Option<usize>,
    /// Moves to put after that.
    #[serde(default)]
    moves: Vec<String>,
    /// One more move, as taps.
    taps: Option<Vec<String>>,
    analyze: Option<Engine>,
}

impl Asked {
    /// What an engine is to do, in the routes that are about nothing else.
    fn engine(&mut self) -> Engine {
        self.analyze.take().unwrap_or_default()
    }
}

/// `POST /api/analysis/{game}`.
pub(crate) async fn analyse(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(game): Path<String>,
    Body(mut asked): Body<Asked>,
) -> Result<Response, Failure> {
    let engine = asked.analyze.take();
    match engine {
        Some(_) => admit(&app, &visitor, &address)?,
        None => admit_reading(&app, &address)?,
    }
    let asker = Asker::new(&app, visitor, address);
    let (mut answer, search) = asker
        .read(&game, asked, move |study, asker| {
            let search = match &engine {
                Some(engine) => asker.submit(study.table.as_ref(), engine, LONGEST_MS)?,
                None => None,
            };
            let words = asker.app.words(study.table.spec());
            Ok((study.json(words), search))
        })
        .await?;
    if let Some(mut search) = search {
        let entry = search.entry(&app).await?;
        let found = search.json(Some(&entry));
        answer.truncate(answer.len() - 1);
        write!(answer, ",\"analyze\":{found}}}").expect("a string takes text");
    }
    large_text(&app, answer)
}

/// Somebody who wants a line of play looked at.
#[derive(Clone)]
pub(crate) struct Asker {
    app: Shared,
    owner: String,
}

impl Asker {
    fn new(app: &Shared, visitor: Visitor, address: Address) -> Asker {
        Asker { app: Arc::clone(app), owner: visitor.holder.unwrap_or(address.0) }
    }

    /// Reads what was sent and does something with it, not on the threads that serve everybody: a
    /// long record takes a while.
    async fn read<T: Send + 'static>(
        self,
        game: &str,
        asked: Asked,
        then: impl FnOnce(Study, &Asker) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let app = Arc::clone(&self.app);
        let words = app.common_words();
        let spec = app.spec(game).ok_or_else(|| Failure::not_found(words))?;
        let turn = app.readers.acquire().await.map_err(|_| Failure::busy(words))?;
        let read = tokio::task::spawn_blocking(move || {
            let study = Study::read(spec, &asked, self.app.words(spec))?;
            then(study, &self)
        });
        let stumbled = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "stumbled", words, &[]);
        let answer = read.await.map_err(stumbled)?;
        drop(turn);
        answer
    }
}

/// A JSON answer that may be long. A long one counts until the client has read it, or is too slow.
fn large_text(app: &Shared, text: String) -> Result<Response, Failure> {
    if text.len() <= SMALL_ANSWER {
        return Ok(json_text(text));
    }
    let size = text.len();
    let places = u32::try_from(size.div_ceil(SMALL_ANSWER)).unwrap_or(u32::MAX);
    let places = Arc::clone(&app.large_answers).try_acquire_many_owned(places);
    let places = places.map_err(|_| Failure::busy(app.common_words()))?;
    let slowest = Duration::from_millis(app.slowest_body_ms.load(Ordering::Relaxed));
    let (send, read) = mpsc::channel(1);
    tokio::spawn(async move {
        let _places = places;
        for piece in text.as_bytes().chunks(SMALL_ANSWER) {
            // Copied, so that what a client does not read keeps nothing else in memory.
            let piece = Bytes::copy_from_slice(piece);
            if !matches!(timeout(slowest, send.send(piece)).await, Ok(Ok(()))) {
                return;
            }
        }
    });
    let pieces = stream::unfold((read, size), |(mut read, left)| async move {
        match read.recv().await {
            Some(piece) => {
                let left = left - piece.len();
                Some((Ok(piece), (read, left)))
            }
            None => (left > 0).then(|| (Err(io::Error::from(TimedOut)), (read, 0))),
        }
    });
    let kind = [(CONTENT_TYPE, "application/json")];
    Ok((kind, axum::body::Body::from_stream(pieces)).into_response())
}

/// A line read from a text, with what it looks like after each ply.
struct Study {
    table: Box<dyn Arbiter>,
    /// Which field of what was asked holds what was read.
    read: &'static str,
    tags: Vec<(String, String)>,
    warnings: Value,
    plies: Vec<Ply>,
    error: Option<ReadError>,
}

/// What a position of the line looks like, and the move that led to it.
#[derive(Clone, Serialize)]
struct Ply {
    #[serde(flatten)]
    seen: Seen,
    position: String,
    scene: Scene,
    in_check: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    told: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
}

#[derive(Serialize)]
struct Line<'a> {
    variant: String,
    start: &'a str,
    /// Whether the variant begins like that if nothing is said of its start.
    usual: bool,
    /// Whether layouts or a deal come before the plies.
    arranged: bool,
    tags: &'a [(String, String)],
    warnings: &'a Value,
    plies: &'a [Ply],
}

/// A line, and what can be said where it ends.
#[derive(Serialize)]
struct Answer<'a> {
    read: &'static str,
    record: Line<'a>,
    #[serde(flatten)]
    end: Value,
}

impl Study {
    fn read(spec: &'static GameSpec, asked: &Asked, words: &Words) -> Result<Study, Failure> {
        match (&asked.position, &asked.record, &asked.text) {
            (position, None, None) => {
                Study::of_position(spec, asked, position.as_deref().unwrap_or(""), words)
            }
            (None, Some(text), None) => Study::of_record(spec, asked, text, words),
            (None, None, Some(text)) => Study::of_either(spec, asked, text, words),
            _ => Err(Failure::bad("analysis-input", words, &[])),
        }
    }

    fn of_position(
        spec: &'static GameSpec,
        asked: &Asked,
        text: &str,
        words: &Words,
    ) -> Result<Study, Failure> {
        let record = Record::new(spec.id, &asked.variant, text.trim());
        Study::of(spec, asked, &record, "position", words)
    }

    fn of_record(
        spec: &'static GameSpec,
        asked: &Asked,
        text: &str,
        words: &Words,
    ) -> Result<Study, Failure> {
        let record = read_record(spec, asked, text, words)?;
        Study::of(spec, asked, &record, "record", words)
    }

    /// A position stands in one line. What is neither it nor a record of a known kind was more
    /// likely meant as one.
    fn of_either(
        spec: &'static GameSpec,
        asked: &Asked,
        text: &str,
        words: &Words,
    ) -> Result<Study, Failure> {
        if text.trim().lines().count() > 1 {
            return Study::of_record(spec, asked, text, words);
        }
        let position = Study::of_position(spec, asked, text, words);
        match position {
            Err(_) if sniffed(spec, text).is_some() => Study::of_record(spec, asked, text, words),
            position => position,
        }
    }

    fn of(
        spec: &'static GameSpec,
        asked: &Asked,
        record: &Record,
        read: &'static str,
        words: &Words,
    ) -> Result<Study, Failure> {
        let variant = spec.variant(&record.variant).map_err(Failure::unreadable)?;
        let start = Some(record.start.clone()).filter(|s| !s.is_empty());
        let opening = Opening { variant, start, conduct: Conduct::Archive, seed: None };
        let mut table = (spec.open)(&opening).map_err(Failure::open)?;
        if read == "position" {
            // A board to try things on: layouts that nobody has laid are the computer's.
            arrange(&mut *table);
        }
        let warnings = json!(record.warnings);
        let mut study =
            Study { table, read, tags: record.tags.clone(), warnings, plies: vec![], error: None };
        study.note();
        study.put_record(record, asked.ply);
        if study.table.stage() == Stage::Layout && study.error.is_none() {
            return Err(Failure::bad("layout-first", words, &[]));
        }
        if let Some((last, line)) = asked.moves.split_last() {
            line.iter().for_each(|text| study.put_move(text));
            study.put_written(last);
        }
        if let Some(taps) = &asked.taps {
            study.put_taps(taps);
        }
        Ok(study)
    }

    fn put_record(&mut self, record: &Record, most: Option<usize>) {
        let most = most.unwrap_or(usize::MAX).min(LONGEST_GAME);
        self.comment(&record.nodes[0].comment);
        for node in record.main_line() {
            let Some(entry) = &node.entry else {
                self.comment(&node.comment);
                continue;
            };
            let owed = self.table.stage() == Stage::Layout;
            if (self.plies.len() > most && !owed) || self.error.is_some() {
                return;
            }
            let mut entry = entry.clone();
            if entry.by.is_empty() && matches!(entry.act, Act::Move(_) | Act::Call(_)) {
                entry.by = self.table.waiting_for();
            }
            if self.table.stage() == Stage::Over {
                return;
            }
            self.put(&entry);
            if let (Some(error), Some((line, column))) = (&mut self.error, node.at) {
                *error = error.clone().line(line).column(column);
            }
            self.comment(&node.comment);
        }
    }

    /// Puts a record's comment to the ply it stands at.
    fn comment(&mut self, text: &str) {
        if let Some(ply) = self.plies.last_mut().filter(|_| !text.is_empty()) {
            ply.comment = text.to_string();
        }
    }

    fn put_move(&mut self, text: &str) {
        if self.error.is_some() {
            return;
        }
        if self.table.log().len() >= LONGEST_GAME {
            self.error = Some(ReadError::new("too-long", Refused::TooLong.to_string()));
            return;
        }
        self.put(&Entry { by: self.table.waiting_for(), act: Act::Move(text.to_string()) });
    }

    /// Puts a move that may be written as the page shows it.
    fn put_written(&mut self, text: &str) {
        let sound = self.error.is_none();
        self.put_move(text);
        let unread = sound && self.error.as_ref().is_some_and(|error| error.code == "bad-move");
        if let Some(text) = unread.then(|| named(self.table.as_mut(), text)).flatten() {
            self.error = None;
            self.put_move(&text);
        }
    }

    fn put_taps(&mut self, taps: &[String]) {
        let Some(seat) = self.table.waiting_for().only() else { return };
        match self.table.read_taps(seat, taps) {
            Ok(text) => self.put_move(&text),
            Err(refusal) => self.error = Some(ReadError::new("bad-move", refusal.to_string())),
        }
    }

    fn put(&mut self, entry: &Entry) {
        let before = self.table.log().len();
        match self.table.put(entry) {
            Ok(()) if self.table.log().len() > before => self.note(),
            Ok(()) => {}
            Err(kiban_core::Refusal::Unreadable(error)) => self.error = Some(error),
            Err(refusal) => self.error = Some(ReadError::new("refused", refusal.to_string())),
        }
    }

    /// Keeps what the board looks like now, once for each log entry that is new. Layouts and the
    /// deal are no plies: they make the start.
    fn note(&mut self) {
        let table = self.table.as_ref();
        let nothing = String::new;
        let look = Ply {
            seen: Seen::default(),
            position: table.position(Viewer::Referee),
            scene: table.scene(Viewer::Referee),
            in_check: table.in_check(Viewer::Referee),
            told: Vec::new(),
            comment: nothing(),
        };
        let arranged = before_play(table);
        if table.log().len() == arranged {
            self.plies.clear();
        }
        while self.plies.len() <= table.log().len() - arranged {
            self.plies.push(look.clone());
        }
    }

    /// The answer as JSON. Written without a tree in between: a long line has millions of values.
    fn json(mut self, words: &Words) -> String {
        let table = self.table.as_ref();
        // Only a call that the game went on with is seen to happen; another is the last entry.
        let plies = table.log().iter().skip(before_play(table));
        for ((entry, seen), ply) in
            plies.zip(table.seen(Viewer::Referee)).zip(self.plies.iter_mut().skip(1))
        {
            ply.told = seen.told.iter().map(|told| sentence(told, words)).collect();
            ply.seen = Seen { by: entry.by, ..seen };
        }
        let ending = table.ending();
        let foul = ending.and_then(|e| e.foul.as_ref());
        let waiting_for = table.waiting_for();
        let to_move = waiting_for.only();
        let end = json!({
            "game": table.spec().id,
            "position": table.position(Viewer::Referee),
            "to_move": to_move,
            "choices": to_move.map(|s| table.choices(s)).unwrap_or_default(),
            "calls": to_move.map(|s| table.calls(s)).unwrap_or_default(),
            "outcome": ending.and_then(|e| e.outcome),
            "foul": foul.map(|f| json!({
                "ply": table.log().len(), "seat": f.seat, "move": f.text, "reason": f.reason,
            })),
            "score": table.score().map(|(a, b)| json!({ "first": a, "second": b })),
            "error": self.error.as_ref().map(|e| {
                json!({ "code": e.code, "message": brief(&e.to_string()), "where": e.at })
            }),
        });
        let line = Line {
            variant: table.variant(),
            start: table.start(),
            usual: search::opened_at(table, "").is_some_and(|usual| usual.start() == table.start()),
            arranged: before_play(table) > 0,
            tags: &self.tags,
            warnings: &self.warnings,
            plies: &self.plies,
        };
        serde_json::to_string(&Answer { read: self.read, record: line, end })
            .expect("an answer is plain data")
    }
}

fn read_record(
    spec: &'static GameSpec,
    asked: &Asked,
    text: &str,
    words: &Words,
) -> Result<Record, Failure> {
    let format = match &asked.format {
        Some(id) => readers(spec).find(|f| f.id == id),
        None => sniffed(spec, text),
    };
    let read = format.and_then(|f| f.read).ok_or_else(|| {
        let known: Vec<_> = readers(spec).map(|f| f.id).collect();
        Failure::bad("unknown-format", words, &[("known", &known.join(", "))])
    })?;
    let variant = Some(asked.variant.as_str()).filter(|v| !v.is_empty());
    let records = read(Source { bytes: text.as_bytes(), variant }).map_err(Failure::unreadable)?;
    records.into_iter().next().ok_or_else(|| Failure::bad("no-record", words, &[]))
}

fn readers(spec: &'static GameSpec) -> impl Iterator<Item = &'static Format> {
    spec.formats.iter().filter(|f| f.read.is_some())
}

/// The kind of record a text looks like.
fn sniffed(spec: &'static GameSpec, text: &str) -> Option<&'static Format> {
    let sure = readers(spec).map(|f| ((f.sniff)(text.as_bytes()), f));
    sure.filter(|(sure, _)| *sure > 0).max_by_key(|(sure, _)| *sure).map(|(_, f)| f)
}
