//! A search of where a line ends, by the game's own engine or by another program.

use super::Asker;
use crate::app::App;
use crate::engines::{Answered, Foreign, NoAnswer};
use crate::errors::Failure;
use crate::pool::{Answer, Fault, Purpose, Wish};
use axum::http::StatusCode;
use kiban_core::{
    Act, Arbiter, BestLine, Conduct, Depths, Entry, Limits, Opening, Proof, ReadError, Report,
    Seat, Stop, Taps, Viewer, Workspace, to_move,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Longest search a page may ask for and wait for.
pub(super) const LONGEST_MS: u64 = 10_000;
/// Most lines it may ask for.
const MOST_LINES: u8 = 5;
/// Moves of a line that are given names.
const MOST_NAMED: usize = 8;
/// MiB of the table of searches that can be repeated: each line of play has its own.
const FIXED_MIB: u32 = 16;
/// How long proofs of threats are looked for.
const PROOF_TIME: Duration = Duration::from_secs(1);

/// What an engine is to do.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Engine {
    /// None is as much as the route thinks right.
    #[serde(default)]
    pub(super) time_ms: u64,
    #[serde(default)]
    pub(super) lines: u8,
    /// The name of another program; the game's own engine if missing.
    #[serde(default)]
    pub(super) engine: Option<String>,
    /// Makes searches that give the same answers however fast the machine is.
    #[serde(skip)]
    pub(super) fixed: Option<Fixed>,
}

/// What searches that can be repeated have for themselves: their nodes, and a memory in which nobody
/// else has left anything.
#[derive(Clone)]
pub(super) struct Fixed {
    pub(super) nodes: u64,
    pub(super) memory: Arc<Mutex<Workspace>>,
}

/// Stops a search when nobody waits for it any more.
pub(crate) struct StopOnDrop(pub(crate) Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

enum Awaited {
    Own(Answer<Entry>),
    Program(Answered),
}

/// A search that was asked for and is waited for.
pub(super) struct Under {
    pub(super) seat: Seat,
    position: String,
    began: Instant,
    pub(super) last: watch::Receiver<Option<Report>>,
    /// The scores of its depths.
    pub(super) depths: Arc<Mutex<Depths>>,
    answer: Awaited,
    /// The program that is asked, where it is nobody else's.
    _program: Option<Foreign>,
    /// A page that goes takes its search with it.
    _stop: StopOnDrop,
}

impl Asker {
    /// Submits a search of where the line ends; `None` if it is over.
    pub(super) fn submit(
        &self,
        table: &dyn Arbiter,
        engine: &Engine,
        longest_ms: u64,
    ) -> Result<Option<Under>, Failure> {
        let mut program = match &engine.engine {
            Some(name) => Some(self.program(table, name)?),
            None => None,
        };
        let under = self.submit_to(table, engine, longest_ms, &mut program)?;
        Ok(under.map(|under| Under { _program: program, ..under }))
    }

    /// The same, by a program that is kept for more than one search. If it has been ended meanwhile
    /// there is none in `program` afterwards.
    pub(super) fn submit_to(
        &self,
        table: &dyn Arbiter,
        engine: &Engine,
        longest_ms: u64,
        program: &mut Option<Foreign>,
    ) -> Result<Option<Under>, Failure> {
        let Some(seat) = to_move(table) else { return Ok(None) };
        let stop = Stop::default();
        let limits = Limits {
            time: Some(Duration::from_millis(engine.time_ms.clamp(1, longest_ms))),
            lines: engine.lines.clamp(1, MOST_LINES),
            nodes: engine.fixed.as_ref().map(|fixed| fixed.nodes),
            hash: engine.fixed.as_ref().map(|_| FIXED_MIB),
            stop: stop.clone(),
            ..Limits::default()
        };
        let (tell, last) = watch::channel(None);
        let depths = Arc::<Mutex<Depths>>::default();
        let heard = Arc::clone(&depths);
        let report = move |report: Report| {
            if let Some(line) = report.lines.first() {
                locked(&heard).hear(report.depth, line.score);
            }
            tell.send_if_modified(|last| better(last, report));
        };
        let busy = || Failure::busy(self.app.common_words());
        let answer = match program.take() {
            Some(foreign) => {
                let game = copy(table).ok_or_else(busy)?;
                let asked = foreign.ask(game, seat, limits, Box::new(report)).ok_or_else(busy)?;
                *program = Some(foreign);
                Awaited::Program(asked)
            }
            None => {
                let owner = self.owner.clone();
                let wish = Wish { purpose: Purpose::Study, owner, stop: stop.clone() };
                let (job, mut report) = (table.ask(seat), report);
                let fixed = engine.fixed.clone();
                let job = move |memory: &mut _| match fixed {
                    Some(fixed) => job(&mut locked(&fixed.memory), limits, &mut report),
                    None => job(memory, limits, &mut report),
                };
                Awaited::Own(self.app.pool.submit(wish, job).map_err(|_| busy())?)
            }
        };
        let (position, began) = (table.position(Viewer::Referee), Instant::now());
        let stop = StopOnDrop(stop);
        let under =
            Under { seat, position, began, last, depths, answer, _program: None, _stop: stop };
        Ok(Some(under))
    }

    /// The program of this name, for this game.
    pub(super) fn program(&self, table: &dyn Arbiter, name: &str) -> Result<Foreign, Failure> {
        let (app, spec) = (&self.app, table.spec());
        Foreign::new(app, spec, &table.variant(), name).map_err(|no| match no {
            NoAnswer::Busy => Failure::busy(app.common_words()),
            NoAnswer::Unknown => {
                let known = app.engines_for(spec).join(", ");
                Failure::bad("no-such-engine", app.common_words(), &[("known", &known)])
            }
        })
    }

    /// Has looked for what can be proved of the position, in games that have words for that.
    pub(super) fn prove(&self, table: &dyn Arbiter) -> Option<Proving> {
        let find = table.spec().proofs.filter(|_| to_move(table).is_some())?;
        let position = table.position(Viewer::Referee);
        let stop = Stop::default();
        let owner = self.owner.clone();
        let wish = Wish { purpose: Purpose::Study, owner, stop: stop.clone() };
        let limits = Limits { time: Some(PROOF_TIME), stop: stop.clone(), ..Limits::default() };
        let answer = self.app.pool.submit(wish, move |_| find(&position, &limits)).ok()?;
        Some(Proving { answer, _stop: StopOnDrop(stop) })
    }
}

/// Proofs that are being looked for.
pub(super) struct Proving {
    answer: Answer<Result<Vec<Proof>, ReadError>>,
    _stop: StopOnDrop,
}

impl Proving {
    /// What was proved; nothing, if the search failed or was let go.
    pub(super) async fn found(&mut self) -> Vec<Proof> {
        match (&mut self.answer).await {
            Ok(Ok(Ok(proofs))) => proofs,
            _ => Vec::new(),
        }
    }
}

/// What a lock holds; a search that fell over has left nothing half done in it.
pub(super) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a report, unless it has fewer lines: of a depth that time cut short only the first may be
/// known.
fn better(last: &mut Option<Report>, report: Report) -> bool {
    let fewer = last.as_ref().is_some_and(|last| report.lines.len() < last.lines.len());
    let better = !fewer || report.call.is_some();
    if better {
        *last = Some(report);
    }
    better
}

/// The same game once more.
pub(super) fn copy(table: &dyn Arbiter) -> Option<Box<dyn Arbiter>> {
    let mut copy = opened_as(table)?;
    for entry in table.log() {
        copy.put(entry).ok()?;
    }
    Some(copy)
}

/// A game that begins as this one did.
pub(super) fn opened_as(table: &dyn Arbiter) -> Option<Box<dyn Arbiter>> {
    opened_at(table, table.start())
}

/// A game of the same rules that begins with another position.
pub(super) fn opened_at(table: &dyn Arbiter, start: &str) -> Option<Box<dyn Arbiter>> {
    let variant = table.spec().variant(&table.variant()).ok()?;
    let start = Some(start.to_string()).filter(|start| !start.is_empty());
    (table.spec().open)(&Opening { variant, start, conduct: Conduct::Archive, seed: None }).ok()
}

impl Under {
    /// What came of it.
    pub(super) async fn entry(&mut self, app: &App) -> Result<Entry, Failure> {
        let words = app.common_words();
        match &mut self.answer {
            Awaited::Own(answer) => match answer.await {
                Ok(Ok(entry)) => Ok(entry),
                Ok(Err(Fault(what))) => {
                    (app.log)(&format!("An engine failed in analysis: {what}."));
                    let status = StatusCode::INTERNAL_SERVER_ERROR;
                    Err(Failure::new(status, "stumbled", words, &[]))
                }
                Err(_) => Err(Failure::busy(words)),
            },
            Awaited::Program(answer) => match answer.await {
                Ok(Ok(entry)) => Ok(entry),
                Ok(Err(failed)) => {
                    (app.log)(&format!("A program failed in analysis: {failed}"));
                    let (status, fault) = (StatusCode::BAD_GATEWAY, failed.text(words));
                    Err(Failure::new(status, "engine-failed", words, &[("fault", &fault)]))
                }
                Err(_) => Err(Failure::busy(words)),
            },
        }
    }

    /// What is known by now, or in the end.
    pub(super) fn json(&self, entry: Option<&Entry>) -> Value {
        let report = self.last.borrow();
        let report = report.as_ref();
        let (best, call) = match entry.map(|entry| &entry.act) {
            Some(Act::Move(text)) => (Some(text.as_str()), None),
            Some(Act::Call(call)) => (None, Some(*call)),
            _ => (None, None),
        };
        json!({
            "position": self.position,
            "to_move": self.seat,
            "best": best,
            "call": call,
            "depth": report.map_or(0, |r| r.depth),
            "nodes": report.map_or(0, |r| r.nodes),
            "threads": 1,
            "seconds": self.began.elapsed().as_secs_f64(),
            "lines": report.map(|r| r.lines.as_slice()).unwrap_or_default(),
        })
    }
}

/// A move by its names.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(super) struct Named {
    pub(super) text: String,
    pub(super) native: String,
    pub(super) western: String,
}

/// A line of play as a page shows it: the way of its first move on the board, and names.
#[derive(Serialize, Debug)]
pub(super) struct Shown {
    pub(super) taps: Taps,
    pub(super) path: Taps,
    fell: Taps,
    pub(super) names: Vec<Named>,
}

/// How moves look from here. The table is as it was afterwards.
pub(super) fn shown(table: &mut dyn Arbiter, moves: &[String]) -> Shown {
    let plain =
        |text: &String| Named { text: text.clone(), native: String::new(), western: String::new() };
    let mut names: Vec<Named> = moves.iter().take(MOST_NAMED).map(plain).collect();
    let first = to_move(table).zip(moves.first());
    let taps = first.and_then(|(seat, text)| table.path_of(seat, text).ok()).unwrap_or_default();
    let mut shown = Shown { taps, path: Taps::new(), fell: Taps::new(), names: Vec::new() };
    let hidden = table.spec().variant(&table.variant());
    let hidden = hidden.is_ok_and(|variant| table.spec().variant_spec(&variant).hidden);
    // What was told cannot be taken back, and in such games it is not known what will be.
    if !hidden {
        let before = table.seen(Viewer::Referee).len();
        let put = put_all(table, moves);
        let seen = table.seen(Viewer::Referee).split_off(before);
        for _ in 0..put {
            table.take_back().expect("what was just put can be taken back");
        }
        if let Some(first) = seen.first() {
            (shown.path, shown.fell) = (first.path.clone(), first.fell.clone());
        }
        for (name, seen) in names.iter_mut().zip(seen) {
            *name = Named { text: seen.text, native: seen.native, western: seen.western };
        }
    }
    shown.names = names;
    shown
}

/// The move that bears this name in one of the notations pages show. The table is as it was
/// afterwards.
pub(crate) fn named(table: &mut dyn Arbiter, name: &str) -> Option<String> {
    let plain = |text: &str| {
        let marks =
            |c: &char| !c.is_whitespace() && !"\u{2616}\u{2617}\u{25b2}\u{25b3}".contains(*c);
        text.chars().filter(marks).collect::<String>().to_lowercase()
    };
    let wanted = plain(name);
    let choices = to_move(table).map(|seat| table.choices(seat)).unwrap_or_default();
    let mut bears = |choice: &kiban_core::Choice| {
        let shown = shown(table, std::slice::from_ref(&choice.text));
        let names = shown.names.first().map(|name| [plain(&name.native), plain(&name.western)]);
        names.is_some_and(|names| names.contains(&wanted))
    };
    choices.into_iter().find(|choice| bears(choice)).map(|choice| choice.text)
}

/// Puts moves as long as they can be put; says how many are to be taken back.
fn put_all(table: &mut dyn Arbiter, moves: &[String]) -> usize {
    let mut put = 0;
    for text in moves.iter().take(MOST_NAMED) {
        let Some(seat) = to_move(table) else { break };
        let before = table.log().len();
        let legal = table.choices(seat).iter().any(|choice| choice.text == *text);
        // A move that was played without asking is told again in a line.
        let echo = table.log().last().is_some_and(|e| e.act == Act::Move(text.clone()));
        if !(legal || echo) || table.put(&Entry::new_move(seat, &**text)).is_err() {
            break;
        }
        put += usize::from(table.log().len() > before);
    }
    put
}

/// A line with how it looks.
pub(super) fn shown_line(table: &mut dyn Arbiter, line: &BestLine) -> Value {
    let shown = shown(table, &line.moves);
    let mut json = json!(line);
    let more = json!(shown);
    if let (Some(json), Some(more)) = (json.as_object_mut(), more.as_object()) {
        json.extend(more.clone());
    }
    json
}
