//! A whole game, judged ply by ply while somebody waits for it.

use super::lines::{failed, json_lines, pings};
use super::search::{Engine, Fixed, Named, Under, locked, opened_as, shown};
use super::{Asked, Asker};
use crate::app::Shared;
use crate::engines::Foreign;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::request::{Address, Body, admit};
use axum::extract::{Path, State};
use axum::response::Response;
use futures_util::stream;
use kiban_core::{Act, Arbiter, Entry, Opinion, Review, Seat};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Interval;

/// Nodes of a whole game, and of a position at least and at most. They are counted and not timed, so
/// that the same game gets the same marks.
const GAME_NODES: u64 = 15_000_000;
const NODES: [u64; 2] = [50_000, 250_000];
/// Time of a whole game, and of a position at least and at most, of programs that count no nodes.
const GAME_MS: u64 = 30_000;
const MS: [u64; 2] = [60, 400];
/// Longest search of a position whose time is told, and of one whose nodes are: only a machine that
/// can hardly go on takes so long.
const LONGEST_MS: u64 = 1_000;
const LONGEST_FIXED_MS: u64 = 60_000;
/// Longest search of all together where times are told: in a long game each position gets less.
const LONGEST_GAME_MS: u64 = 600_000;
/// Games being judged, in all and for one asker.
const MOST_REVIEWS: usize = 32;
const MOST_PER_OWNER: usize = 2;
/// A busy pool is asked again this much later, and so many times for one position.
const AGAIN: Duration = Duration::from_millis(250);
const MOST_WAITS: u32 = 240;

/// Who has a whole game judged just now.
#[derive(Default)]
pub(crate) struct Reviews(Arc<Mutex<Vec<String>>>);

/// A place among them, until it is dropped.
struct Turn {
    all: Arc<Mutex<Vec<String>>>,
    owner: String,
}

impl Reviews {
    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn begin(&self, owner: &str) -> Option<Turn> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.iter().filter(|other| *other == owner).count();
        if all.len() >= MOST_REVIEWS || own >= MOST_PER_OWNER {
            return None;
        }
        all.push(owner.to_string());
        Some(Turn { all: Arc::clone(&self.0), owner: owner.to_string() })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = all.iter().position(|owner| *owner == self.owner) {
            all.swap_remove(at);
        }
    }
}

/// `POST /api/analysis/{game}/review`: lines of JSON with the chances of positions and the judgement
/// of plies, and a last one with `"done":true`.
pub(crate) async fn review(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(game): Path<String>,
    Body(mut asked): Body<Asked>,
) -> Result<Response, Failure> {
    admit(&app, &visitor, &address)?;
    let engine = asked.engine();
    let asker = Asker::new(&app, visitor, address);
    let busy = || Failure::busy(app.common_words());
    let turn = app.reviews.begin(&asker.owner).ok_or_else(busy)?;
    let reviewing = asker.read(&game, asked, move |study, asker| {
        let log = study.table.log().to_vec();
        let program = match &engine.engine {
            Some(name) => Some(asker.program(study.table.as_ref(), name)?),
            None => None,
        };
        let engine = limited(engine, log.len() as u64 + 1);
        let app = asker.app.clone();
        let stumbled = || Failure::busy(app.common_words());
        let mut table = opened_as(study.table.as_ref()).ok_or_else(stumbled)?;
        let before = kiban_play::before_play(study.table.as_ref());
        let mut log = log.into_iter();
        for entry in log.by_ref().take(before) {
            table.put(&entry).map_err(|_| stumbled())?;
        }
        Ok(Reviewing {
            asker: asker.clone(),
            app,
            engine,
            program,
            log,
            table,
            review: Review::default(),
            told: 0,
            names: HashMap::new(),
            under: None,
            waits: 0,
            ping: pings(),
            stage: Stage::Begin,
            _turn: turn,
        })
    });
    Ok(json_lines(stream::unfold(reviewing.await?, |mut reviewing| async move {
        let line = reviewing.next().await?;
        Some((line, reviewing))
    })))
}

/// What is to be done for each of so many positions.
fn limited(engine: Engine, positions: u64) -> Engine {
    let (time_ms, fixed) = if engine.time_ms > 0 {
        (engine.time_ms.min(LONGEST_MS).min(LONGEST_GAME_MS / positions).max(1), None)
    } else if engine.engine.is_some() {
        ((GAME_MS / positions).clamp(MS[0], MS[1]), None)
    } else {
        let nodes = (GAME_NODES / positions).clamp(NODES[0], NODES[1]);
        (LONGEST_FIXED_MS, Some(Fixed { nodes, memory: Arc::default() }))
    };
    Engine { time_ms, lines: 1, fixed, ..engine }
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    Looking,
    Done,
}

/// A game being judged.
struct Reviewing {
    app: Shared,
    asker: Asker,
    engine: Engine,
    program: Option<Foreign>,
    /// What is still to be put.
    log: std::vec::IntoIter<Entry>,
    table: Box<dyn Arbiter>,
    review: Review,
    /// Opinions told.
    told: usize,
    /// The best moves by their names, by ply.
    names: HashMap<usize, Named>,
    under: Option<Under>,
    waits: u32,
    ping: Interval,
    stage: Stage,
    _turn: Turn,
}

impl Reviewing {
    /// The next line; null is an empty one.
    async fn next(&mut self) -> Option<Value> {
        match self.stage {
            Stage::Done => return None,
            Stage::Begin => {
                self.stage = Stage::Looking;
                return Some(json!({ "positions": self.log.len() + 1 }));
            }
            Stage::Looking => {}
        }
        loop {
            if let Some(under) = &mut self.under {
                let entry = tokio::select! {
                    entry = under.entry(&self.app) => entry,
                    _ = self.ping.tick() => return Some(Value::Null),
                };
                return Some(match entry {
                    Ok(entry) => self.found(&entry),
                    Err(failure) => self.fail(&failure),
                });
            }
            if !self.review.knows(self.table.as_ref()) {
                match self.ask() {
                    Ok(None) => {
                        self.review.look(self.table.as_ref(), None);
                        return Some(self.tell());
                    }
                    Ok(under) => (self.under, self.waits) = (under, 0),
                    Err(failure) if self.waits >= MOST_WAITS => return Some(self.fail(&failure)),
                    Err(_) => {
                        self.waits += 1;
                        tokio::time::sleep(AGAIN).await;
                        return Some(Value::Null);
                    }
                }
                continue;
            }
            let next = self.log.next().filter(|_| self.table.ending().is_none());
            let put = next.is_some_and(|entry| self.table.put(&entry).is_ok());
            if !put {
                self.stage = Stage::Done;
                return Some(json!({ "done": true }));
            }
        }
    }

    fn ask(&mut self) -> Result<Option<Under>, Failure> {
        if let (Some(name), None) = (&self.engine.engine, &self.program) {
            self.program = Some(self.asker.program(self.table.as_ref(), name)?);
        }
        let (table, program) = (self.table.as_ref(), &mut self.program);
        self.asker.submit_to(table, &self.engine, LONGEST_FIXED_MS, program)
    }

    fn fail(&mut self, failure: &Failure) -> Value {
        self.stage = Stage::Done;
        failed(failure)
    }

    fn found(&mut self, entry: &Entry) -> Value {
        let Some(under) = self.under.take() else { return Value::Null };
        let line = under.last.borrow().as_ref().and_then(|report| report.lines.first().cloned());
        let best = match &entry.act {
            Act::Move(text) => Some(text.clone()),
            _ => line.as_ref().and_then(|line| line.moves.first().cloned()),
        };
        let ply = kiban_core::plies(self.table.as_ref()).len();
        if let Some(best) = &best {
            let shown = shown(self.table.as_mut(), std::slice::from_ref(best));
            shown.names.into_iter().next().map(|name| self.names.insert(ply, name));
        }
        let score = locked(&under.depths).score(ply);
        let opinion = Opinion { seat: under.seat, best, score };
        self.review.look(self.table.as_ref(), Some(opinion));
        self.tell()
    }

    /// What has become known.
    fn tell(&mut self) -> Value {
        let moment = |(ply, opinion): (usize, &Opinion)| {
            let chance = opinion.score.map(|s| s.seen_by(opinion.seat, Seat::FIRST).chance());
            json!({
                "ply": ply,
                "to_move": opinion.seat,
                "score": opinion.score,
                "chance": chance,
                "best": opinion.best,
                "name": self.names.get(&ply),
            })
        };
        let opinions = self.review.opinions();
        let moments: Vec<Value> = opinions.iter().enumerate().skip(self.told).map(moment).collect();
        self.told = opinions.len();
        let judged = self.review.judged(self.table.as_ref());
        json!({ "moments": moments, "judged": judged })
    }
}
