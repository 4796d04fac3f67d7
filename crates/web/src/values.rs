//! Exact values of positions and moves, in games that have a probe.

use crate::analysis::StopOnDrop;
use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::pool::{Fault, Purpose, Wish};
use crate::request::{Address, admit, admit_reading};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use kiban_core::{
    Arbiter, Entry, GameSpec, Limits, Opening, ProbeError, Probed, ProbedMove, Seat, Stop, Variant,
    Viewer,
};
use kiban_words::Words;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Memory for one answer, in MiB.
const MOST_MIB: u32 = 256;
/// Time for one answer.
const LONGEST: Duration = Duration::from_secs(8);
/// Answers kept: somebody goes back and forth, and many look at the same set-ups.
const MOST_KEPT: usize = 256;

/// Answers given lately, the last one at the end.
#[derive(Default)]
pub(crate) struct Known(Mutex<VecDeque<(Question, Arc<Probed>)>>);

/// A game's id, a variant's text and a position's.
type Question = (&'static str, String, String);

impl Known {
    fn get(&self, question: &Question) -> Option<Arc<Probed>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(q, _)| q == question)?;
        let found = known.remove(at)?;
        let answer = Arc::clone(&found.1);
        known.push_back(found);
        Some(answer)
    }

    fn keep(&self, question: Question, answer: &Arc<Probed>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KEPT {
            known.pop_front();
        }
        known.push_back((question, Arc::clone(answer)));
    }
}

/// A position whose values are wanted, and by whom.
pub(crate) struct Wanted<'a> {
    pub(crate) spec: &'static GameSpec,
    pub(crate) variant: &'a Variant,
    pub(crate) position: &'a str,
    pub(crate) visitor: &'a Visitor,
    pub(crate) address: &'a Address,
}

impl Wanted<'_> {
    /// Its values: known from before, or solved by an engine thread.
    pub(crate) async fn solved(&self, app: &Shared) -> Result<Arc<Probed>, Failure> {
        let words = app.words(self.spec);
        let probe = self.spec.probe.ok_or_else(|| Failure::not_found(words))?;
        let variant = self.variant.canonical(self.spec.options, Some(self.position));
        let question = (self.spec.id, variant, self.position.to_string());
        if let Some(known) = app.values.get(&question) {
            admit_reading(app, self.address)?;
            return Ok(known);
        }
        admit(app, self.visitor, self.address)?;
        let opening = opening(self.variant, self.position);
        let owner = owner(self.visitor, self.address);
        let answer = on_engine(app, owner, words, move |limits| probe(&opening, limits)).await?;
        let probed = Arc::new(answer.map_err(|error| failure(error, words))?);
        app.values.keep(question, &probed);
        Ok(probed)
    }
}

fn opening(variant: &Variant, position: &str) -> Opening {
    let start = Some(position.trim().to_string()).filter(|text| !text.is_empty());
    Opening::new(variant.clone(), start)
}

/// Whose turn in the queue of the engine threads a request takes.
pub(crate) fn owner(visitor: &Visitor, address: &Address) -> String {
    visitor.holder.clone().unwrap_or_else(|| address.0.clone())
}

/// Has an engine thread do something within limits of time and memory; it ends with whoever waits
/// for it.
pub(crate) async fn on_engine<T: Send + 'static>(
    app: &Shared,
    owner: String,
    words: &Words,
    work: impl FnOnce(&Limits) -> T + Send + 'static,
) -> Result<T, Failure> {
    let stop = Stop::default();
    let _stop = StopOnDrop(stop.clone());
    let tables = app.tables.clone();
    let limits =
        Limits { time: Some(LONGEST), hash: Some(MOST_MIB), tables, stop, ..Limits::default() };
    let wish = Wish { purpose: Purpose::Study, owner, stop: limits.stop.clone() };
    let job = move |_: &mut _| work(&limits);
    let answer = app.pool.submit(wish, job).map_err(|_| Failure::busy(words))?;
    match answer.await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(Fault(what))) => {
            (app.log)(&format!("A probe failed: {what}."));
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(Failure::new(status, "stumbled", words, &[]))
        }
        Err(_) => Err(Failure::busy(words)),
    }
}

/// Why there is no exact value.
pub(crate) fn failure(error: ProbeError, words: &Words) -> Failure {
    match error {
        ProbeError::Open(error) => Failure::open(error),
        ProbeError::TooLarge { positions, needed } => {
            let mib = (needed >> 20).to_string();
            let values = [("positions", positions.to_string()), ("mib", mib)];
            let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
            Failure::bad("exact-too-large", words, &values)
        }
        ProbeError::Stopped => Failure::bad("exact-too-long", words, &[]),
        no_table @ ProbeError::NoTable(_) => Failure::unreadable(no_table.into_read_error()),
    }
}

/// What is asked for.
#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    variant: String,
    #[serde(default)]
    position: String,
}

/// `GET /api/values/{game}?variant=V&position=TEXT`.
pub(crate) async fn values(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Failure> {
    let spec = app.game(&game)?;
    let variant = spec.variant(&asked.variant).map_err(Failure::unreadable)?;
    let (position, visitor, address) = (asked.position.as_str(), &visitor, &address);
    let wanted = Wanted { spec, variant: &variant, position, visitor, address };
    let probed = wanted.solved(&app).await?;
    let words = app.words(spec);
    let mut table = (spec.open)(&opening(&variant, position)).map_err(Failure::open)?;
    let moves = probed.moves.iter().map(|m| shown(&mut *table, m)).collect::<Vec<_>>();
    Ok(Json(json!({
        "game": spec.id,
        "variant": table.variant(),
        "rules": rules(words, spec, &variant, table.start()),
        "position": probed.position,
        "to_move": probed.to_move,
        "value": probed.value,
        "distance": probed.distance,
        "source": probed.source,
        "positions": probed.positions,
        "moves": moves,
        "notes": probed.notes.iter().map(|key| words.get(key)).collect::<Vec<_>>(),
    })))
}

/// A move with its value, by its names and its path of taps.
fn shown(table: &mut dyn Arbiter, m: &ProbedMove) -> Value {
    let seat = table.waiting_for().only().unwrap_or(Seat::FIRST);
    let taps = table.path_of(seat, &m.text).unwrap_or_default();
    let mut seen = None;
    if table.put(&Entry::new_move(seat, m.text.as_str())).is_ok() {
        seen = table.seen(Viewer::Referee).into_iter().next();
        table.take_back().expect("where values are told nothing is hidden");
    }
    let (native, western) = seen.map(|seen| (seen.native, seen.western)).unwrap_or_default();
    json!({
        "text": m.text,
        "native": native,
        "western": western,
        "taps": taps,
        "value": m.value,
        "distance": m.distance,
    })
}

/// The rules that values hold under: the variant, and each option with its value.
pub(crate) fn rules(words: &Words, spec: &GameSpec, variant: &Variant, start: &str) -> Vec<String> {
    let name = |key: String, otherwise: &str| words.get_or(&key, otherwise);
    let id = spec.id;
    let named = name(format!("{id}-variant-{}", variant.id()), variant.id());
    let option = |option: &kiban_core::OptionSpec| {
        let value = variant.get(option, Some(start));
        let key = name(format!("{id}-option-{}", option.key), option.key);
        format!("{key}: {}", name(format!("{id}-option-{}-{value}", option.key), value))
    };
    std::iter::once(named).chain(spec.options.iter().map(option)).collect()
}
