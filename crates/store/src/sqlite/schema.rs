//! The tables, and how an older database is brought up to date.

use rusqlite::{Connection, OptionalExtension};

/// Marks the file as ours in its header ("KIBN"), so that a database of another program is never
/// taken for an empty one of ours.
const APPLICATION_ID: i32 = 0x4b49_424e;

/// Step `i` makes schema `i + 1` of schema `i`. Steps are only ever added at the end: databases out
/// there have run the others.
const STEPS: &[&str] = &["
    CREATE TABLE meta (
        key TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE games (
        id TEXT PRIMARY KEY NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        head TEXT NOT NULL,
        over INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_created ON games (created_ms, id);
    CREATE INDEX games_unfinished ON games (created_ms, id) WHERE over = 0;

    CREATE TABLE events (
        game TEXT NOT NULL REFERENCES games (id),
        n INTEGER NOT NULL CHECK (n >= 1),
        key TEXT,
        seat INTEGER,
        at_ms INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (game, n)
    ) STRICT, WITHOUT ROWID;
    -- NULLs never equal each other in an index, so a missing seat is counted as -1.
    CREATE UNIQUE INDEX events_key ON events (game, coalesce(seat, -1), key) WHERE key IS NOT NULL;
"];

/// The schema this version writes.
pub(super) const KNOWN: u32 = STEPS.len() as u32;

/// Whose database a file is.
pub(super) enum Found {
    /// One of ours, of this schema; 0 is a new, empty one.
    Ours(u32),
    /// One of another program.
    Foreign,
}

/// Looks at a database without changing it.
pub(super) fn find(db: &Connection) -> rusqlite::Result<Found> {
    let tables: u32 = db.query_one("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let id: i32 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if tables == 0 && id == 0 {
        return Ok(Found::Ours(0));
    }
    if id != APPLICATION_ID {
        return Ok(Found::Foreign);
    }
    let schema: Option<String> = db
        .query_row("SELECT value FROM meta WHERE key = 'schema'", [], |row| row.get(0))
        .optional()?;
    let number = schema.and_then(|text| text.parse().ok());
    Ok(number.map_or(Found::Foreign, Found::Ours))
}

/// Brings a database from schema `from` to [`KNOWN`], each step whole or not at all.
pub(super) fn migrate(db: &mut Connection, from: u32) -> rusqlite::Result<()> {
    for (to, step) in (1..=KNOWN).zip(STEPS).skip(from as usize) {
        let transaction = db.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.execute(
            "INSERT INTO meta (key, value) VALUES ('schema', ?1)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [to.to_string()],
        )?;
        transaction.commit()?;
    }
    Ok(())
}
