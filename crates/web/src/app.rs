//! What all requests share.

use crate::analysis::Reviews;
use crate::engines::{EngineOption, MOST_ENGINES, STARTING};
use crate::errors::Failure;
use crate::limits::{Limits, MOST_LARGE_ANSWERS, MOST_LARGE_BODIES};
use crate::pool::Pool;
use crate::rooms::Rooms;
use crate::values;
use axum::http::HeaderValue;
use kiban_core::GameSpec;
use kiban_store::Store;
use kiban_words::Words;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;

/// The texts of the server and its pages.
const TEXTS: [&str; 2] =
    [include_str!("../messages/en.ftl"), include_str!("../messages/errors.en.ftl")];

/// Told what an operator should know: faults of an engine, a store that fails.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// What an [`App`] is made of.
pub struct Parts {
    /// The registry.
    pub games: &'static [&'static GameSpec],
    /// Where games are kept.
    pub store: Arc<dyn Store>,
    /// Host names beside the loopback ones, without port.
    pub hosts: Vec<String>,
    /// Engine threads, at least 1; there is one more for games alone.
    pub threads: usize,
    /// Other programs that may play and analyse.
    pub engines: Vec<EngineOption>,
    /// The folder of solved tables, if there is one.
    pub tables: Option<PathBuf>,
    /// Told what an operator should know.
    pub log: Log,
}

/// The server without its sockets.
pub struct App {
    pub(crate) games: &'static [&'static GameSpec],
    pub(crate) store: Arc<dyn Store>,
    pub(crate) hosts: Vec<String>,
    pub(crate) rooms: Rooms,
    pub(crate) pool: Pool,
    pub(crate) limits: Limits,
    /// Other programs that may play and analyse.
    pub(crate) engines: Vec<EngineOption>,
    /// The folder of solved tables, if there is one.
    pub(crate) tables: Option<PathBuf>,
    /// How many of their processes may run besides those that do.
    pub(crate) engine_places: Arc<Semaphore>,
    /// How long a program may take to get ready.
    pub(crate) engine_starting_ms: AtomicU64,
    /// How much later than its time a program's answer is still waited for.
    pub(crate) engine_patience_ms: AtomicU64,
    /// Who has a whole game analysed just now.
    pub(crate) reviews: Reviews,
    /// Exact values given lately.
    pub(crate) values: values::Known,
    pub(crate) log: Log,
    /// How many texts may be read for analysis at a time.
    pub(crate) readers: Semaphore,
    /// Bodies that take much memory.
    pub(crate) large_bodies: Semaphore,
    /// Parts of answers that take much memory, and are held until the client has read them.
    pub(crate) large_answers: Arc<Semaphore>,
    common: Words,
    words: HashMap<&'static str, Words>,
    clock: Clock,
    /// Views made so far: one per class of viewers and action, whatever the number of sockets.
    pub(crate) views_made: AtomicU64,
    /// How long a game that nobody looks at stays in memory.
    pub(crate) idle_ms: AtomicU64,
    /// How long a client may take to send a body, or to read a part of a long answer.
    pub(crate) slowest_body_ms: AtomicU64,
}

/// How handlers hold the app.
pub(crate) type Shared = Arc<App>;

impl App {
    /// An app of these parts.
    pub fn new(parts: Parts) -> Arc<App> {
        let of_game = |spec: &&'static GameSpec| (spec.id, Words::english(&[*spec], &TEXTS));
        Arc::new(App {
            games: parts.games,
            store: parts.store,
            hosts: parts.hosts,
            rooms: Rooms::default(),
            pool: Pool::new(parts.threads),
            limits: Limits::default(),
            engines: parts.engines,
            engine_places: Arc::new(Semaphore::new(MOST_ENGINES)),
            engine_starting_ms: AtomicU64::new(STARTING.as_millis() as u64),
            engine_patience_ms: AtomicU64::new(10_000),
            reviews: Reviews::default(),
            values: values::Known::default(),
            tables: parts.tables,
            log: parts.log,
            readers: Semaphore::new(2),
            large_bodies: Semaphore::new(MOST_LARGE_BODIES),
            large_answers: Arc::new(Semaphore::new(MOST_LARGE_ANSWERS)),
            common: Words::english(parts.games, &TEXTS),
            words: parts.games.iter().map(of_game).collect(),
            clock: Clock::now(),
            views_made: AtomicU64::new(0),
            idle_ms: AtomicU64::new(3 * 60_000),
            slowest_body_ms: AtomicU64::new(30_000),
        })
    }

    /// The game of this id.
    pub(crate) fn spec(&self, id: &str) -> Option<&'static GameSpec> {
        self.games.iter().copied().find(|spec| spec.id == id)
    }

    /// The same, or that there is no such thing.
    pub(crate) fn game(&self, id: &str) -> Result<&'static GameSpec, Failure> {
        self.spec(id).ok_or_else(|| Failure::not_found(&self.common))
    }

    /// The programs that can play a game.
    pub(crate) fn engines_for(&self, spec: &GameSpec) -> Vec<&str> {
        self.engines.iter().filter(|e| e.plays(spec)).map(|e| e.name.as_str()).collect()
    }

    /// The texts for a game: its own file may override the common ones.
    pub(crate) fn words(&self, spec: &GameSpec) -> &Words {
        self.words.get(spec.id).unwrap_or(&self.common)
    }

    /// The texts where no game is meant.
    pub(crate) fn common_words(&self) -> &Words {
        &self.common
    }

    /// Unix milliseconds that never jump: a clock set by hand takes no time from a player.
    pub(crate) fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Lets time pass that a test does not wait for.
    #[cfg(test)]
    pub(crate) fn skip(&self, ms: u64) {
        self.clock.skipped_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// Stops the clock, for tests in which equal games give equal answers.
    #[cfg(test)]
    pub(crate) fn stand_still(&self, at_ms: u64) {
        self.clock.stands_at_ms.store(at_ms, Ordering::Relaxed);
    }

    pub(crate) fn idle_ms(&self) -> u64 {
        self.idle_ms.load(Ordering::Relaxed)
    }

    pub(crate) fn count_view(&self) {
        self.views_made.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets go of everything that runs: streams end, searches stop, rooms leave.
    pub fn close(&self) {
        self.rooms.close();
        self.pool.close();
    }
}

/// Wall time as it was at the start, carried on by a clock that cannot be set.
struct Clock {
    unix_ms: u64,
    since: Instant,
    /// Time that tests need not wait for.
    #[cfg(test)]
    skipped_ms: AtomicU64,
    /// When it stands, in tests; 0 while it runs.
    #[cfg(test)]
    stands_at_ms: AtomicU64,
}

impl Clock {
    fn now() -> Clock {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock {
            unix_ms: unix.as_millis() as u64,
            since: Instant::now(),
            #[cfg(test)]
            skipped_ms: AtomicU64::new(0),
            #[cfg(test)]
            stands_at_ms: AtomicU64::new(0),
        }
    }

    fn now_ms(&self) -> u64 {
        let passed = self.unix_ms + self.since.elapsed().as_millis() as u64;
        #[cfg(test)]
        let passed = match self.stands_at_ms.load(Ordering::Relaxed) {
            0 => passed + self.skipped_ms.load(Ordering::Relaxed),
            stands => stands,
        };
        passed
    }
}

/// The value of `Cache-Control` for what changes or is secret.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
