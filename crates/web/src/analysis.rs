//! Reading a pasted position or record, and searching it.

use crate::api::{Address, Body, admit};
use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::pool::{Fault, Search};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use kiban_core::{
    Act, Arbiter, Conduct, Entry, GameSpec, Limits, Opening, ReadError, Record, Report, Seat,
    Seats, Source, Stage, Stop, Viewer,
};
use kiban_play::LONGEST_GAME;
use kiban_words::Words;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Longest search a page may ask for.
const LONGEST_MS: u64 = 10_000;
/// Most lines it may ask for.
const MOST_LINES: u8 = 5;

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

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Engine {
    time_ms: u64,
    #[serde(default = "one")]
    lines: u8,
}

fn one() -> u8 {
    1
}

/// `POST /api/analysis/{game}`.
pub(crate) async fn analyse(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(game): Path<String>,
    Body(asked): Body<Asked>,
) -> Result<Json<Value>, Failure> {
    admit(&app, &visitor, &address)?;
    let not_found = || Failure::not_found(app.common_words());
    let spec = app.spec(&game).ok_or_else(not_found)?;
    let stumbled =
        |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "stumbled", app.common_words(), &[]);
    let turn = app.readers.acquire().await.map_err(|_| Failure::busy(app.common_words()))?;
    // A long record takes a while: not on the threads that serve everybody.
    let shared = app.clone();
    let owner = visitor.holder.unwrap_or(address.0);
    let read = tokio::task::spawn_blocking(move || {
        let study = Study::read(spec, &asked, shared.words(spec))?;
        let search = match asked.analyze {
            Some(engine) => submit(&shared, owner, study.table.as_ref(), engine)?,
            None => None,
        };
        Ok::<_, Failure>((study.json(), search))
    });
    let (mut answer, search) = read.await.map_err(stumbled)??;
    drop(turn);
    if let Some(search) = search {
        answer["analyze"] = search.json(&app).await?;
    }
    Ok(Json(answer))
}

/// A line read from a text, with what it looks like after each ply.
struct Study {
    table: Box<dyn Arbiter>,
    tags: Vec<(String, String)>,
    warnings: Value,
    plies: Vec<Value>,
    error: Option<ReadError>,
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
        let table = (spec.open)(&opening).map_err(Failure::open)?;
        if table.stage() == Stage::Layout {
            return Err(Failure::bad("layout-first", words, &[]));
        }
        let warnings = json!(record.warnings);
        let mut study =
            Study { table, tags: record.tags.clone(), warnings, plies: vec![], error: None };
        study.note();
        study.put_record(&record, asked.ply);
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
            if self.table.log().len() >= most || self.error.is_some() {
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
            ply["comment"] = json!(text);
        }
    }

    fn put_move(&mut self, text: &str) {
        let entry = Entry { by: self.table.waiting_for(), act: Act::Move(text.to_string()) };
        if self.error.is_none() {
            self.put(&entry);
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

    /// Keeps what the board looks like now, once for each log entry that is new.
    fn note(&mut self) {
        let table = self.table.as_ref();
        let look = json!({
            "by": Seats::NONE,
            "text": "",
            "native": "",
            "western": "",
            "taps": [],
            "position": table.position(Viewer::Referee),
            "scene": table.scene(Viewer::Referee),
            "in_check": table.in_check(Viewer::Referee),
        });
        while self.plies.len() <= table.log().len() {
            self.plies.push(look.clone());
        }
    }

    fn json(&self) -> Value {
        let table = self.table.as_ref();
        let mut plies = self.plies.clone();
        // Calls stand in the log too, but only moves are seen.
        let moves = table.log().iter().enumerate().filter(|(_, e)| matches!(e.act, Act::Move(_)));
        for ((index, entry), seen) in moves.zip(table.seen(Viewer::Referee)) {
            let row = &mut plies[index + 1];
            row["by"] = json!(entry.by);
            row["text"] = json!(seen.text);
            row["native"] = json!(seen.native);
            row["western"] = json!(seen.western);
            row["taps"] = json!(seen.taps);
        }
        let ending = table.ending();
        let foul = ending.and_then(|e| e.foul.as_ref());
        let waiting_for = table.waiting_for();
        let to_move = waiting_for.only();
        json!({
            "game": table.spec().id,
            "record": {
                "variant": table.variant(),
                "start": table.start(),
                "tags": self.tags,
                "plies": plies,
                "warnings": self.warnings,
            },
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
        })
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

/// Stops a search when nobody waits for it any more.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A search that was asked for and is waited for.
struct Under {
    seat: Seat,
    position: String,
    began: Instant,
    last: Arc<Mutex<Option<Report>>>,
    answer: oneshot::Receiver<Result<Entry, Fault>>,
    /// A page that goes takes its search with it.
    _stop: StopOnDrop,
}

/// Submits a search of where the line ends; `None` if it is over.
fn submit(
    app: &Shared,
    owner: String,
    table: &dyn Arbiter,
    engine: Engine,
) -> Result<Option<Under>, Failure> {
    let Some(seat) = table.waiting_for().only().filter(|_| table.stage() == Stage::Play) else {
        return Ok(None);
    };
    let last: Arc<Mutex<Option<Report>>> = Arc::default();
    let (done, answer) = oneshot::channel();
    let stop = Stop::default();
    let limits = Limits {
        time: Some(Duration::from_millis(engine.time_ms.min(LONGEST_MS))),
        lines: engine.lines.clamp(1, MOST_LINES),
        stop: stop.clone(),
        ..Limits::default()
    };
    let report = {
        let last = Arc::clone(&last);
        move |report| *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(report)
    };
    let search = Search { owner, job: table.ask(seat), limits, report: Box::new(report), done };
    app.pool.submit(search).map_err(|_| Failure::busy(app.common_words()))?;
    let position = table.position(Viewer::Referee);
    Ok(Some(Under { seat, position, began: Instant::now(), last, answer, _stop: StopOnDrop(stop) }))
}

impl Under {
    async fn json(self, app: &Shared) -> Result<Value, Failure> {
        let words = app.common_words();
        let entry = match self.answer.await {
            Ok(Ok(entry)) => entry,
            Ok(Err(Fault(what))) => {
                (app.log)(&format!("An engine failed in analysis: {what}."));
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                return Err(Failure::new(status, "stumbled", words, &[]));
            }
            Err(_) => return Err(Failure::busy(words)),
        };
        let report = self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (best, call) = match entry.act {
            Act::Move(text) => (Some(text), None),
            Act::Call(call) => (None, Some(call)),
            Act::Deal(_) | Act::Layout(_) => (None, None),
        };
        Ok(json!({
            "position": self.position,
            "to_move": self.seat,
            "best": best,
            "call": call,
            "depth": report.as_ref().map_or(0, |r| r.depth),
            "nodes": report.as_ref().map_or(0, |r| r.nodes),
            "threads": 1,
            "seconds": self.began.elapsed().as_secs_f64(),
            "lines": report.map(|r| r.lines).unwrap_or_default(),
        }))
    }
}
