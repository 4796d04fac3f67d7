//! Reading a pasted position or record, and having it searched: once, as long as somebody looks, or
//! ply by ply.

mod lines;
mod review;
mod search;

pub(crate) use lines::watch;
pub(crate) use review::{Reviews, review};
pub(crate) use search::StopOnDrop;

use self::search::{Engine, LONGEST_MS};
use crate::api::{Address, Body, admit, admit_reading, json_text};
use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::limits::SMALL_ANSWER;
use crate::room::arrange;
use crate::view::sentence;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use kiban_core::{
    Act, Arbiter, Conduct, Entry, GameSpec, Opening, ReadError, Record, Scene, Seen, Source, Stage,
    Viewer,
};
use kiban_play::{LONGEST_GAME, Refused, before_play};
use kiban_words::Words;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;

/// What a page wants to know.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    #[serde(default)]
    variant: String,
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

/// A JSON answer that may be long. A long one counts until the client has read it.
fn large_text(app: &Shared, text: String) -> Result<Response, Failure> {
    if text.len() <= SMALL_ANSWER {
        return Ok(json_text(text));
    }
    let place = Arc::clone(&app.large_answers).try_acquire_owned();
    let place = place.map_err(|_| Failure::busy(app.common_words()))?;
    let left = (Bytes::from(text), place);
    let pieces = stream::unfold(left, |(mut text, place)| async move {
        let piece = text.split_to(text.len().min(SMALL_ANSWER));
        (!piece.is_empty()).then(|| (Ok::<_, Infallible>(piece), (text, place)))
    });
    let kind = [(CONTENT_TYPE, "application/json")];
    Ok((kind, axum::body::Body::from_stream(pieces)).into_response())
}

/// A line read from a text, with what it looks like after each ply.
struct Study {
    table: Box<dyn Arbiter>,
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
    tags: &'a [(String, String)],
    warnings: &'a Value,
    plies: &'a [Ply],
}

/// A line, and what can be said where it ends.
#[derive(Serialize)]
struct Answer<'a> {
    record: Line<'a>,
    #[serde(flatten)]
    end: Value,
}

impl Study {
    fn read(spec: &'static GameSpec, asked: &Asked, words: &Words) -> Result<Study, Failure> {
        let record = match (&asked.position, &asked.record) {
            (Some(_), Some(_)) => return Err(Failure::bad("analysis-input", words, &[])),
            (_, Some(text)) => read_record(spec, asked, text, words)?,
            (position, None) => {
                let start = position.as_deref().unwrap_or("").trim();
                Record::new(spec.id, &asked.variant, start)
            }
        };
        let variant = spec.variant(&record.variant).map_err(Failure::unreadable)?;
        let start = Some(record.start.clone()).filter(|s| !s.is_empty());
        let opening = Opening { variant, start, conduct: Conduct::Archive, seed: None };
        let mut table = (spec.open)(&opening).map_err(Failure::open)?;
        if asked.record.is_none() {
            // A board to try things on: layouts that nobody has laid are the computer's.
            arrange(&mut *table);
        }
        let warnings = json!(record.warnings);
        let mut study =
            Study { table, tags: record.tags.clone(), warnings, plies: vec![], error: None };
        study.note();
        study.put_record(&record, asked.ply);
        if study.table.stage() == Stage::Layout && study.error.is_none() {
            return Err(Failure::bad("layout-first", words, &[]));
        }
        for text in &asked.moves {
            study.put_move(text);
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
                json!({ "code": e.code, "message": e.to_string(), "where": e.at })
            }),
        });
        let line = Line {
            variant: table.variant(),
            start: table.start(),
            tags: &self.tags,
            warnings: &self.warnings,
            plies: &self.plies,
        };
        serde_json::to_string(&Answer { record: line, end }).expect("an answer is plain data")
    }
}

fn read_record(
    spec: &'static GameSpec,
    asked: &Asked,
    text: &str,
    words: &Words,
) -> Result<Record, Failure> {
    let readers = || spec.formats.iter().filter(|f| f.read.is_some());
    let format = match &asked.format {
        Some(id) => readers().find(|f| f.id == id),
        None => {
            let sure = readers().map(|f| ((f.sniff)(text.as_bytes()), f));
            sure.filter(|(sure, _)| *sure > 0).max_by_key(|(sure, _)| *sure).map(|(_, f)| f)
        }
    };
    let read = format.and_then(|f| f.read).ok_or_else(|| {
        let known: Vec<_> = readers().map(|f| f.id).collect();
        Failure::bad("unknown-format", words, &[("known", &known.join(", "))])
    })?;
    let variant = Some(asked.variant.as_str()).filter(|v| !v.is_empty());
    let records = read(Source { bytes: text.as_bytes(), variant }).map_err(Failure::unreadable)?;
    records.into_iter().next().ok_or_else(|| Failure::bad("no-record", words, &[]))
}
