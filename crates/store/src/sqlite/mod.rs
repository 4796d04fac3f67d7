//! The store in one SQLite file.
//!
//! One thread writes: it takes all that waits, puts it into one transaction, commits (WAL,
//! `synchronous=FULL`: the commit returns after the sync) and only then answers. A few threads read,
//! each with a connection of its own, and never wait for the writer.

mod files;
mod open;
mod schema;
mod statements;
mod worker;

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use self::files::Files;
use self::worker::{Shared, Task, Work};
use crate::queue::Queue;
use crate::{
    Appended, Cursor, Event, GameInfo, NewEvent, NewGame, OpenError, Pending, Store, StoreError,
    StoredGame,
};

/// Readers beside the writer. Two, so that a long list does not hold up the opening of a game.
const READERS: usize = 2;

/// What may wait: more than a server with one write under way per game will ever have.
const MOST_WAITING: usize = 1 << 14;

/// How much text may wait, so that many large bodies cannot take the machine's memory.
const MOST_WAITING_BYTES: usize = 64 << 20;

/// How many writes share a transaction. Large enough that the sync costs next to nothing per write,
/// small enough that the first of them does not wait long for the last.
const MOST_PER_COMMIT: usize = 512;

type Jobs = Arc<Queue<Box<dyn Work>>>;

/// Games in an SQLite file, or in memory for tests.
///
/// Dropping it stores what was asked for before, then closes the file; this blocks for as long as
/// that takes.
pub struct SqliteStore {
    writes: Jobs,
    reads: Jobs,
    writer: Option<JoinHandle<()>>,
    readers: Vec<JoinHandle<()>>,
    /// Held while the connections are open. The system lets go of it even after `kill -9`.
    _lock: Option<std::fs::File>,
}

impl SqliteStore {
    /// Opens the database at `path`; makes it, and its folders, if there is none.
    ///
    /// On Unix new folders get the mode 0700, and the database and the files SQLite puts beside it
    /// 0600. A lock file named `<database>.lock` is held until the store is dropped and stays
    /// behind afterwards. An older schema is brought up to date.
    ///
    /// Nothing checks the whole file here: that takes time in proportion to all games ever played
    /// (2 s per GB that is in memory, far more from a disk), while an unclean end is mended by the
    /// write-ahead log alone. Instead a game is checked for gaps whenever it is read, and
    /// [`SqliteStore::check`] looks at everything on request.
    ///
    /// # Errors
    /// See [`OpenError`]; its message is one sentence that says what, where and how to mend it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let opened = open::open(path.as_ref(), READERS)?;
        Ok(Self::start(opened.writer, opened.readers, opened.files, Some(opened.lock)))
    }

    /// A store that is gone when dropped, for tests.
    pub fn in_memory() -> Self {
        let one = open::in_memory();
        // Each connection would have a memory of its own, so all threads share the one.
        Self::start(Arc::clone(&one), vec![one], Files::default(), None)
    }

    fn start(
        writer: Shared,
        readers: Vec<Shared>,
        files: Files,
        lock: Option<std::fs::File>,
    ) -> Self {
        let writes = Arc::new(Queue::new(MOST_WAITING, MOST_WAITING_BYTES));
        let reads = Arc::new(Queue::new(MOST_WAITING, MOST_WAITING_BYTES));
        let jobs = Arc::clone(&writes);
        let writer = spawn("store-writer", move || worker::write_all(&writer, files, &jobs));
        let readers = readers.into_iter().map(|reader| {
            let jobs = Arc::clone(&reads);
            spawn("store-reader", move || worker::read_all(&reader, &jobs))
        });
        let readers = readers.collect();
        Self { writes, reads, writer: Some(writer), readers, _lock: lock }
    }

    /// Looks through the whole database and gives the faults found, none if it is sound. It reads
    /// all of the file; other work goes on meanwhile.
    pub fn check(&self) -> Pending<Vec<String>> {
        ask(&self.reads, 0, statements::check)
    }
}

impl Store for SqliteStore {
    fn create(&self, game: NewGame) -> Pending<()> {
        let bytes = game.id.len() + game.head.len();
        ask(&self.writes, bytes, move |db| statements::create(db, &game))
    }

    fn append(&self, game: &str, first: u32, events: Vec<NewEvent>) -> Pending<Appended> {
        let game = game.to_owned();
        let bytes = events.iter().map(|event| event.body.len() + 64).sum();
        ask(&self.writes, bytes, move |db| statements::append(db, &game, first, &events))
    }

    fn mark_over(&self, game: &str, at_ms: i64) -> Pending<()> {
        let game = game.to_owned();
        ask(&self.writes, 0, move |db| statements::mark_over(db, &game, at_ms))
    }

    fn load(&self, game: &str) -> Pending<Option<StoredGame>> {
        let game = game.to_owned();
        ask(&self.reads, 0, move |db| statements::load(db, &game))
    }

    fn events_after(&self, game: &str, n: u32) -> Pending<Vec<Event>> {
        let game = game.to_owned();
        ask(&self.reads, 0, move |db| statements::events_after(db, &game, n))
    }

    fn list(&self, limit: u32, before: Option<&Cursor>) -> Pending<Vec<GameInfo>> {
        let before = before.cloned();
        ask(&self.reads, 0, move |db| statements::list(db, limit, before.as_ref()))
    }

    fn unfinished(&self) -> Pending<Vec<GameInfo>> {
        ask(&self.reads, 0, statements::unfinished)
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.reads.close();
        self.writes.close();
        // A thread that ended by a panic has answered its jobs; there is nothing to add here.
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SqliteStore")
    }
}

fn ask<T, F>(jobs: &Jobs, bytes: usize, job: F) -> Pending<T>
where
    T: Send + 'static,
    F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
{
    let (reply, pending) = Pending::new();
    match jobs.push(bytes, Box::new(Task::new(job, reply))) {
        Ok(()) => pending,
        Err(error) => Pending::ready(Err(error)),
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.expect("the system has a thread to spare for the store")
}
