//! What can go wrong, in sentences for people: what, where, how to mend it.
//! No message names a game: an id may be a secret of who holds it.

use std::io;
use std::path::PathBuf;

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder, the database or its lock file cannot be made or written.
    #[error(
        "cannot write to {}: {source}; choose another place for the database, or make this one writable for you",
        path.display()
    )]
    NotWritable {
        /// What cannot be written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is something else than a database.
    #[error(
        "{} is not a database; choose another place for the database, or move this file away",
        path.display()
    )]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a database, but not one of ours.
    #[error(
        "{} is a database of another program; choose another place for the database",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The database was written by a newer version of this program.
    #[error(
        "{} has schema {found}, but this version knows schemas up to {known} only; run the newer version that wrote it, or choose another place for the database",
        path.display()
    )]
    NewerSchema {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema known here.
        known: u32,
    },
    /// Another process (or another store in this one) has the database open.
    #[error(
        "{} is in use by another server{}; stop that one first, or choose another place for the database",
        path.display(), process(*pid)
    )]
    InUse {
        /// The database.
        path: PathBuf,
        /// Who holds it, if the lock file says so.
        pid: Option<u32>,
    },
    /// The system failed at something else.
    #[error("cannot open the database {}: {source}", path.display())]
    Io {
        /// The file in question.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// SQLite failed: a damaged file, a full disk, a file system without shared memory.
    #[error(
        "cannot open the database {}: {what}; check the disk, or restore the file from a backup",
        path.display()
    )]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        what: String,
    },
}

fn process(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

/// Why a store did not do what it was asked.
///
/// After any error the write was **not acknowledged**, and in this process it did not happen. After
/// [`StoreError::Io`] at the very end of a transaction, a crash before the next write may still
/// bring it back, as after any interrupted write; sending it again with its key is always safe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no game of this id.
    #[error("there is no such game")]
    NoSuchGame,
    /// There already is a game of this id.
    #[error("there already is a game of this id")]
    Exists,
    /// The log has grown, or is shorter than the caller thinks.
    #[error("event {first} was expected to be the next one, but that is event {next}")]
    Conflict {
        /// The number the caller expected.
        first: u32,
        /// The number the next event will get.
        next: u32,
    },
    /// An append that makes no sense.
    #[error("{what}")]
    Invalid {
        /// What is wrong with it.
        what: &'static str,
    },
    /// More is waiting than the queue holds; the caller may try again later.
    #[error("too much is waiting to be stored; try again in a moment")]
    Overloaded,
    /// The store was closed, or its thread ended by a fault.
    #[error("the store is closed")]
    Closed,
    /// The disk, or the user's share of it, is full.
    #[error("the disk of the database is full; free some space")]
    DiskFull,
    /// The database cannot be written any more.
    #[error("the database has become read-only ({what}); make its file and disk writable")]
    ReadOnly {
        /// What SQLite says.
        what: String,
    },
    /// A file of the database is no longer where it was: what is written to it now would be gone
    /// with this process.
    #[error(
        "{} was moved, replaced or deleted while the server runs; put it back, or start the server \
         again with another database",
        path.display()
    )]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// Another program holds a lock on the database, for longer than we wait.
    #[error("another program holds the database; end what it does there")]
    Locked,
    /// The database is damaged.
    #[error("the database is damaged ({what}); restore it from a backup")]
    Corrupt {
        /// Where, or what SQLite says.
        what: String,
    },
    /// The disk failed.
    #[error("the database cannot be read or written ({what}); check the disk")]
    Io {
        /// What SQLite says.
        what: String,
    },
    /// A fault of this program, or a text longer than the database takes.
    #[error("the database refused a statement ({what})")]
    Refused {
        /// What SQLite says.
        what: String,
    },
}

impl StoreError {
    /// Whether it says something of the machine rather than of the one request, so that nothing
    /// of the same transaction may be committed.
    pub(crate) fn is_of_the_machine(&self) -> bool {
        use StoreError::{Closed, Corrupt, DiskFull, Gone, Io, Locked, ReadOnly};
        matches!(
            self,
            DiskFull | ReadOnly { .. } | Gone { .. } | Locked | Corrupt { .. } | Io { .. } | Closed
        )
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let what = match &error {
            rusqlite::Error::SqliteFailure(code, _) => {
                format!("{error}, SQLite code {}", code.extended_code)
            }
            _ => error.to_string(),
        };
        match error.sqlite_error_code() {
            Some(Code::DiskFull) => Self::DiskFull,
            Some(Code::ReadOnly | Code::PermissionDenied) => Self::ReadOnly { what },
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Locked,
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => Self::Corrupt { what },
            Some(Code::SystemIoFailure | Code::CannotOpen | Code::OutOfMemory) => Self::Io { what },
            Some(_) => Self::Refused { what },
            // Not an answer of SQLite: a column does not hold what the schema says.
            None => Self::Corrupt { what },
        }
    }
}
