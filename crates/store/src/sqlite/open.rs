//! From a path to connections: folder, lock, modes, schema.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::files::Files;
use super::schema::{self, Found};
use super::worker::Shared;
use crate::OpenError;

/// How long a write waits for another program (a backup, `sqlite3`) that holds the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many pages (of 4 KiB) the write-ahead log has before a commit moves them into the database.
/// An append touches about three; with SQLite's own 1000 a busy server would move them at every
/// other commit. Measured by the example `throughput`: 2000 games 20,000 appends/s with 1000 pages,
/// 25,000 with 4000, for 16 MiB of disk.
const LOG_PAGES: u32 = 4000;

pub(super) struct Opened {
    pub(super) writer: Shared,
    pub(super) readers: Vec<Shared>,
    pub(super) files: Files,
    pub(super) lock: File,
}

pub(super) fn open(path: &Path, readers: usize) -> Result<Opened, OpenError> {
    let path = make(path)?;
    // Before any look into the file: closing a file drops all locks SQLite has on it in this
    // process, where another store may have it open.
    let lock = lock(&path)?;
    let writer = connect_writer(&path)?;
    let readers = (0..readers).map(|_| connect_reader(&path));
    let readers = readers.collect::<Result<Vec<_>, _>>().map_err(|e| of_sqlite(&path, &e))?;
    let readers = readers.into_iter().map(shared).collect();
    let files = Files::of([beside(&path, "-wal"), path]);
    Ok(Opened { writer: shared(writer), readers, files, lock })
}

/// A database of the current schema in memory.
pub(super) fn in_memory() -> Shared {
    let made = Connection::open_in_memory().and_then(|mut db| {
        schema::migrate(&mut db, 0)?;
        Ok(db)
    });
    shared(made.expect("a database in memory needs nothing but memory"))
}

fn shared(db: Connection) -> Shared {
    db.set_prepared_statement_cache_capacity(32);
    Arc::new(Mutex::new(db))
}

/// Makes folder and file if they are missing; gives the file's one true path, so that two ways to
/// name it meet at one lock.
fn make(path: &Path) -> Result<PathBuf, OpenError> {
    if !path.exists() {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        make_folder(folder).map_err(|source| of_io(folder, source))?;
        let mut options = OpenOptions::new();
        options.write(true).create(true);
        private(&mut options);
        options.open(path).map_err(|source| of_io(path, source))?;
        sync_folder(folder).map_err(|source| of_io(folder, source))?;
    }
    let path = path.canonicalize().map_err(|source| of_io(path, source))?;
    if path.is_file() { Ok(path) } else { Err(OpenError::NotADatabase { path }) }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    folder.parent().filter(|parent| *parent != Path::new("")).map_or(Ok(()), sync_folder)
}

/// Makes the names in a folder durable.
fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened, and needs no sync.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Takes the lock beside the database. The file stays: to remove it would let two processes lock
/// two files of the same name.
fn lock(database: &Path) -> Result<File, OpenError> {
    let path = beside(database, ".lock");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    private(&mut options);
    let mut file = options.open(&path).map_err(|source| of_io(&path, source))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let pid = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
            return Err(OpenError::InUse { path: database.to_owned(), pid });
        }
        Err(TryLockError::Error(source)) => return Err(OpenError::Io { path, source }),
    }
    // Only to tell the next one who holds it; the lock does not depend on it.
    let pid = std::process::id().to_string();
    let _ =
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(pid.as_bytes()));
    Ok(file)
}

fn connect_writer(path: &Path) -> Result<Connection, OpenError> {
    let sqlite = |error: rusqlite::Error| of_sqlite(path, &error);
    // Not CREATE: the file is there, with the mode we want.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags).map_err(sqlite)?;
    db.busy_timeout(PATIENCE).map_err(sqlite)?;
    let from = match schema::find(&db).map_err(sqlite)? {
        Found::Ours(schema) => schema,
        Found::Foreign => return Err(OpenError::Foreign { path: path.to_owned() }),
    };
    if from > schema::KNOWN {
        let path = path.to_owned();
        return Err(OpenError::NewerSchema { path, found: from, known: schema::KNOWN });
    }
    tighten(path)?;
    let mode: String = db
        .pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
        .map_err(sqlite)?;
    if mode != "wal" {
        let what = format!("its file system cannot hold a write-ahead log (mode {mode})");
        return Err(OpenError::Database { path: path.to_owned(), what });
    }
    db.pragma_update(None, "synchronous", "full").map_err(sqlite)?;
    db.pragma_update(None, "wal_autocheckpoint", LOG_PAGES).map_err(sqlite)?;
    schema::migrate(&mut db, from).map_err(sqlite)?;
    Ok(db)
}

fn connect_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

/// Takes the database and what SQLite left beside it from the eyes of others. New files beside it
/// get the mode of the database.
fn tighten(database: &Path) -> Result<(), OpenError> {
    #[cfg(not(unix))]
    let _ = database;
    #[cfg(unix)]
    for path in [database.to_owned(), beside(database, "-wal"), beside(database, "-shm")] {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt;
        let Ok(now) = fs::metadata(&path) else { continue };
        if now.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&path, Permissions::from_mode(0o600))
                .map_err(|source| of_io(&path, source))?;
        }
    }
    Ok(())
}

fn beside(database: &Path, end: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn of_io(path: &Path, source: io::Error) -> OpenError {
    use ErrorKind::{AlreadyExists, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    let path = path.to_owned();
    match source.kind() {
        PermissionDenied | ReadOnlyFilesystem | NotADirectory | NotFound | AlreadyExists => {
            OpenError::NotWritable { path, source }
        }
        _ => OpenError::Io { path, source },
    }
}

fn of_sqlite(path: &Path, error: &rusqlite::Error) -> OpenError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotADatabase { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            let source = io::Error::new(ErrorKind::PermissionDenied, error.to_string());
            OpenError::NotWritable { path, source }
        }
        _ => OpenError::Database { path, what: error.to_string() },
    }
}
