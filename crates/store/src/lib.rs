//! Where games are kept: numbered events, durable before they are acknowledged.
//!
//! A game is a head, written once, and a log of events numbered 1, 2, 3 ... The store knows ids and
//! text only: what a head or a body says is the caller's affair. Three promises:
//!
//! - **Durable, then acknowledged.** A write's [`Pending`] is ready with `Ok` only after the
//!   transaction that holds it was synced to the disk.
//! - **All or nothing, no gaps.** An append says the number it expects its first event to get; it is
//!   taken whole at that number or refused whole with [`StoreError::Conflict`].
//! - **Once.** An event may carry a key of its sender. Sent again with the same game, seat and key,
//!   it is not stored again: the answer is [`Appended::Already`] with the number it got before.
//!
//! No method blocks on the disk: each returns a [`Pending`], which is a `Future` (of any executor)
//! and can be waited on by a plain thread. Writes are done in the order in which they were asked
//! for; a read sees each write that was acknowledged before the read was asked for.
//!
//! ```
//! use kiban_store::{Appended, NewEvent, NewGame, SqliteStore, Store};
//!
//! let store = SqliteStore::in_memory();
//! let game = NewGame { id: "9f3c".into(), created_ms: 0, head: "{}".into() };
//! store.create(game).wait()?;
//! let event =
//!     NewEvent { key: Some("a1".into()), seat: Some(0), at_ms: 5, body: "7g7f".into() };
//! assert_eq!(
//!     store.append("9f3c", 1, vec![event.clone()]).wait()?,
//!     Appended::New { first: 1, last: 1 }
//! );
//! assert_eq!(store.append("9f3c", 1, vec![event]).wait()?, Appended::Already(1));
//! # Ok::<(), kiban_store::StoreError>(())
//! ```

mod error;
mod model;
mod pending;
mod queue;
mod sqlite;

pub use error::{OpenError, StoreError};
pub use model::{Appended, Cursor, Event, GameInfo, NewEvent, NewGame, StoredGame};
pub use pending::{Pending, Reply};
pub use sqlite::SqliteStore;

/// A place where games are kept. Object safe: the server holds an `Arc<dyn Store>`.
///
/// Each method returns at once. Beside the errors named at each method, all of them can answer
/// [`StoreError::Overloaded`], [`StoreError::Closed`] and the errors of the machine
/// (disk full, read-only, locked by another program, corrupt, input/output).
pub trait Store: Send + Sync {
    /// Makes a game without events, not over.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if there is a game of that id.
    fn create(&self, game: NewGame) -> Pending<()>;

    /// Puts events at the end of a game's log, the first of them as number `first`: all or none.
    ///
    /// If the log already has an event of the same seat and key as one of these, nothing is
    /// written and the answer is [`Appended::Already`], whatever `first` says: a client that
    /// sends again does not know how far the log has grown since.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`]; [`StoreError::Conflict`] if the log's next number is not
    /// `first`; [`StoreError::Invalid`] without events or with two of the same seat and key.
    fn append(&self, game: &str, first: u32, events: Vec<NewEvent>) -> Pending<Appended>;

    /// Marks a game as over, so that [`Store::unfinished`] leaves it out. Marking twice is fine.
    ///
    /// The log stays the truth: the mark only spares a restart from opening each game ever
    /// played. A crash between the last event and the mark leaves a game listed as unfinished;
    /// who replays it sees its ending and marks it again.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    fn mark_over(&self, game: &str, at_ms: i64) -> Pending<()>;

    /// A game with all its events in order, as of one moment; `None` if there is none of that id.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if a number is missing in the log.
    fn load(&self, game: &str) -> Pending<Option<StoredGame>>;

    /// The events numbered above `n`, in order: with 0 all of them, at the end of the log none.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`]; [`StoreError::Corrupt`] if a number is missing.
    fn events_after(&self, game: &str, n: u32) -> Pending<Vec<Event>>;

    /// At most `limit` games, the newest created first; with `before`, those that follow it.
    fn list(&self, limit: u32, before: Option<&Cursor>) -> Pending<Vec<GameInfo>>;

    /// All games that are not over, the oldest created first: what a restart has to take up.
    fn unfinished(&self) -> Pending<Vec<GameInfo>>;
}
