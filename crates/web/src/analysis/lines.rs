//! Best moves, told while somebody looks.

use super::search::{Proving, Under, opened_at, shown, shown_line};
use super::{Asked, Asker};
use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::request::{Address, Body, admit};
use crate::view::seat_name;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use kiban_core::{Arbiter, Proof, Viewer, to_move};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior};

/// Longest search while somebody looks.
const LONGEST_MS: u64 = 60_000;
/// No more is told than once in this time: of the first depths there are many.
const PAUSE: Duration = Duration::from_millis(120);
/// An empty line is sent this often, so that a page that went is noticed.
pub(super) const PING_EVERY: Duration = Duration::from_secs(2);

/// `POST /api/analysis/{game}/lines`: a line of JSON for each finished depth, one for proofs, and a
/// last one with `"done":true`.
pub(crate) async fn watch(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(game): Path<String>,
    Body(mut asked): Body<Asked>,
) -> Result<Response, Failure> {
    admit(&app, &visitor, &address)?;
    let engine = asked.engine();
    let asker = Asker::new(&app, visitor, address);
    let watching = asker.read(&game, asked, move |study, asker| {
        let proving = asker.prove(study.table.as_ref());
        let under = asker.submit(study.table.as_ref(), &engine, LONGEST_MS)?;
        let (app, table) = (asker.app.clone(), study.table);
        Ok(Watching { app, table, under, proving, ping: pings(), pause: false, done: false })
    });
    Ok(json_lines(stream::unfold(watching.await?, |mut watching| async move {
        let line = watching.next().await?;
        Some((line, watching))
    })))
}

/// An answer of lines of JSON, as they come.
pub(super) fn json_lines(lines: impl Stream<Item = Value> + Send + 'static) -> Response {
    let text = futures_util::StreamExt::map(lines, |line| {
        let text = if line.is_null() { "\n".to_string() } else { format!("{line}\n") };
        Ok::<_, Infallible>(text)
    });
    let kind = [(CONTENT_TYPE, "application/x-ndjson")];
    (kind, axum::body::Body::from_stream(text)).into_response()
}

pub(super) fn pings() -> Interval {
    let start = tokio::time::Instant::now() + PING_EVERY;
    let mut ping = tokio::time::interval_at(start, PING_EVERY);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ping
}

/// What went wrong, as the last line.
pub(super) fn failed(failure: &Failure) -> Value {
    json!({ "done": true, "error": failure.json()["error"] })
}

/// A position that is looked at.
struct Watching {
    app: Shared,
    table: Box<dyn Arbiter>,
    under: Option<Under>,
    proving: Option<Proving>,
    ping: Interval,
    pause: bool,
    done: bool,
}

enum Event {
    Report,
    Found(Result<kiban_core::Entry, Failure>),
    Proved(Vec<Proof>),
    Ping,
}

impl Watching {
    /// The next line; null is an empty one.
    async fn next(&mut self) -> Option<Value> {
        if self.done {
            return None;
        }
        if std::mem::take(&mut self.pause) {
            tokio::time::sleep(PAUSE).await;
        }
        if self.under.is_none() && self.proving.is_none() {
            self.done = true;
            return Some(json!({ "done": true }));
        }
        Some(match self.event().await {
            Event::Ping => Value::Null,
            Event::Report => {
                self.pause = true;
                self.lines(None)
            }
            Event::Found(Ok(entry)) => {
                let lines = self.lines(Some(&entry));
                self.under = None;
                lines
            }
            Event::Found(Err(failure)) => {
                self.done = true;
                failed(&failure)
            }
            Event::Proved(proofs) => {
                self.proving = None;
                let proofs = proofs.iter().map(|proof| self.proof(proof)).collect::<Vec<_>>();
                json!({ "proofs": proofs, "to_move": to_move(self.table.as_ref()) })
            }
        })
    }

    async fn event(&mut self) -> Event {
        let Watching { app, under, proving, ping, .. } = self;
        let proved = async {
            match proving {
                Some(proving) => proving.found().await,
                None => std::future::pending().await,
            }
        };
        let Some(under) = under else {
            return tokio::select! {
                proofs = proved => Event::Proved(proofs),
                _ = ping.tick() => Event::Ping,
            };
        };
        let mut last = under.last.clone();
        let event = tokio::select! {
            proofs = proved => Event::Proved(proofs),
            entry = under.entry(app) => Event::Found(entry),
            Ok(()) = last.changed() => Event::Report,
            _ = ping.tick() => Event::Ping,
        };
        if matches!(event, Event::Report) {
            under.last.mark_unchanged();
        }
        event
    }

    fn lines(&mut self, entry: Option<&kiban_core::Entry>) -> Value {
        let Some(under) = &self.under else { return Value::Null };
        let mut json = under.json(entry);
        let report = under.last.borrow().clone();
        let lines = report.map(|report| report.lines).unwrap_or_default();
        let lines = lines.iter().map(|line| shown_line(self.table.as_mut(), line));
        json["lines"] = lines.collect();
        if lines_are_missing(&json) {
            // A program may name its move without a word on it.
            if let Some(best) = json["best"].as_str().map(str::to_string) {
                json["best_shown"] = json!(shown(self.table.as_mut(), &[best]));
            }
        }
        json["final"] = json!(entry.is_some());
        json
    }

    fn proof(&mut self, proof: &Proof) -> Value {
        let table = self.table.as_mut();
        let words = self.app.words(table.spec());
        let name = seat_name(words, &table.scene(Viewer::Referee), proof.seat);
        let plies = proof.plies.map_or(String::new(), |n| n.to_string());
        let key = format!("{}-proof-{}", table.spec().id, proof.what);
        let text = words.text(&key, &[("seat", &name), ("plies", &plies)]);
        let mut json = json!(proof);
        json["text"] = json!(text);
        let mut passed = proof.from.as_ref().and_then(|start| opened_at(table, start));
        let from = passed.as_deref_mut().unwrap_or(table);
        let shown = shown(from, &proof.moves);
        json["names"] = json!(shown.names);
        if proof.from.is_none() {
            (json["taps"], json["path"]) = (json!(shown.taps), json!(shown.path));
        }
        json
    }
}

fn lines_are_missing(json: &Value) -> bool {
    json["lines"].as_array().is_none_or(Vec::is_empty)
}
