//! What is asked of the database. Each function runs inside a transaction of its caller.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{Appended, Cursor, Event, GameInfo, NewEvent, NewGame, StoreError, StoredGame};

type Result<T> = std::result::Result<T, StoreError>;

pub(super) fn create(db: &Connection, game: &NewGame) -> Result<()> {
    let sql =
        "INSERT INTO games (id, created_ms, updated_ms, head, over) VALUES (?1, ?2, ?2, ?3, 0)
               ON CONFLICT (id) DO NOTHING";
    let made = db.prepare_cached(sql)?.execute(params![game.id, game.created_ms, game.head])?;
    if made == 1 { Ok(()) } else { Err(StoreError::Exists) }
}

pub(super) fn append(
    db: &Connection,
    game: &str,
    first: u32,
    events: &[NewEvent],
) -> Result<Appended> {
    check_append(events)?;
    let next = next(db, game)?.ok_or(StoreError::NoSuchGame)?;
    for event in events {
        if let Some(n) = seen(db, game, event)? {
            return Ok(Appended::Already(n));
        }
    }
    if first != next {
        return Err(StoreError::Conflict { first, next });
    }
    let sql =
        "INSERT INTO events (game, n, key, seat, at_ms, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = db.prepare_cached(sql)?;
    let mut last = first;
    for (n, event) in (first..).zip(events) {
        insert.execute(params![game, n, event.key, event.seat, event.at_ms, event.body])?;
        last = n;
    }
    let at_ms = events.last().expect("an append has events").at_ms;
    db.prepare_cached("UPDATE games SET updated_ms = max(updated_ms, ?2) WHERE id = ?1")?
        .execute(params![game, at_ms])?;
    Ok(Appended::New { first, last })
}

fn check_append(events: &[NewEvent]) -> Result<()> {
    if events.is_empty() {
        return Err(StoreError::Invalid { what: "an append without events" });
    }
    let mut keys: Vec<_> =
        events.iter().filter_map(|e| e.key.as_ref().map(|key| (e.seat, key))).collect();
    keys.sort_unstable();
    if keys.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(StoreError::Invalid { what: "an append with the same seat and key twice" });
    }
    Ok(())
}

/// The number a game's next event will get; `None` without such a game.
fn next(db: &Connection, game: &str) -> Result<Option<u32>> {
    let sql = "SELECT 1 + coalesce((SELECT max(n) FROM events WHERE game = ?1), 0)
               FROM games WHERE id = ?1";
    Ok(db.prepare_cached(sql)?.query_row([game], |row| row.get(0)).optional()?)
}

/// The number of the event of the same seat and key, if it is there.
fn seen(db: &Connection, game: &str, event: &NewEvent) -> Result<Option<u32>> {
    let Some(key) = &event.key else { return Ok(None) };
    // The terms are those of the index `events_key`.
    let sql = "SELECT n FROM events WHERE game = ?1 AND coalesce(seat, -1) = coalesce(?2, -1)
               AND key = ?3";
    let mut select = db.prepare_cached(sql)?;
    Ok(select.query_row(params![game, event.seat, key], |row| row.get(0)).optional()?)
}

pub(super) fn mark_over(db: &Connection, game: &str, at_ms: i64) -> Result<()> {
    let sql = "UPDATE games SET over = 1, updated_ms = max(updated_ms, ?2) WHERE id = ?1";
    let found = db.prepare_cached(sql)?.execute(params![game, at_ms])?;
    if found == 1 { Ok(()) } else { Err(StoreError::NoSuchGame) }
}

pub(super) fn load(db: &Connection, game: &str) -> Result<Option<StoredGame>> {
    let sql = "SELECT id, created_ms, updated_ms, head, over FROM games WHERE id = ?1";
    let Some(info) = db.prepare_cached(sql)?.query_row([game], info).optional()? else {
        return Ok(None);
    };
    let events = read_events(db, game, 0)?;
    Ok(Some(StoredGame { info, events }))
}

pub(super) fn events_after(db: &Connection, game: &str, n: u32) -> Result<Vec<Event>> {
    let next = next(db, game)?.ok_or(StoreError::NoSuchGame)?;
    if n >= next { Ok(Vec::new()) } else { read_events(db, game, n) }
}

fn read_events(db: &Connection, game: &str, after: u32) -> Result<Vec<Event>> {
    let sql = "SELECT n, key, seat, at_ms, body FROM events WHERE game = ?1 AND n > ?2 ORDER BY n";
    let mut select = db.prepare_cached(sql)?;
    let rows = select.query_map(params![game, after], |row| {
        Ok(Event {
            n: row.get(0)?,
            key: row.get(1)?,
            seat: row.get(2)?,
            at_ms: row.get(3)?,
            body: row.get(4)?,
        })
    })?;
    let events = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let gap = (after + 1..).zip(&events).find(|(n, event)| *n != event.n);
    if let Some((n, event)) = gap {
        let what = format!("event {n} of a game is missing before event {}", event.n);
        return Err(StoreError::Corrupt { what });
    }
    Ok(events)
}

pub(super) fn list(db: &Connection, limit: u32, before: Option<&Cursor>) -> Result<Vec<GameInfo>> {
    // Greater than each place: all games are before it.
    let (created_ms, id) = before.map_or((i64::MAX, "\u{10FFFF}"), |c| (c.created_ms, &c.id));
    let sql = "SELECT id, created_ms, updated_ms, head, over FROM games
               WHERE (created_ms, id) < (?1, ?2) ORDER BY created_ms DESC, id DESC LIMIT ?3";
    let mut select = db.prepare_cached(sql)?;
    let rows = select.query_map(params![created_ms, id, limit], info)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn unfinished(db: &Connection) -> Result<Vec<GameInfo>> {
    let sql = "SELECT id, created_ms, updated_ms, head, over FROM games
               WHERE over = 0 ORDER BY created_ms, id";
    let mut select = db.prepare_cached(sql)?;
    let rows = select.query_map([], info)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn check(db: &Connection) -> Result<Vec<String>> {
    let mut faults = db
        .prepare("PRAGMA quick_check")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    faults.retain(|line| line != "ok");
    let gaps: i64 = db.query_one(
        "SELECT count(*) FROM (SELECT 1 FROM events GROUP BY game HAVING max(n) <> count(*))",
        [],
        |row| row.get(0),
    )?;
    if gaps > 0 {
        faults.push(format!("{gaps} games with a gap in their log"));
    }
    Ok(faults)
}

fn info(row: &Row<'_>) -> rusqlite::Result<GameInfo> {
    Ok(GameInfo {
        id: row.get(0)?,
        created_ms: row.get(1)?,
        updated_ms: row.get(2)?,
        head: row.get(3)?,
        over: row.get(4)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::open;
    use super::*;

    #[test]
    fn a_gap_is_found() {
        let db = open::in_memory();
        let db = db.lock().expect("the connection");
        create(&db, &NewGame { id: "g".into(), created_ms: 0, head: String::new() })
            .expect("a game");
        let event = NewEvent { key: None, seat: None, at_ms: 0, body: String::new() };
        append(&db, "g", 1, &vec![event; 3]).expect("three events");
        assert_eq!(check(&db), Ok(vec![]));
        db.execute("DELETE FROM events WHERE n = 2", []).expect("a hole");
        let gap =
            StoreError::Corrupt { what: "event 2 of a game is missing before event 3".into() };
        assert_eq!(load(&db, "g"), Err(gap.clone()));
        assert_eq!(events_after(&db, "g", 1), Err(gap));
        assert_eq!(check(&db), Ok(vec!["1 games with a gap in their log".to_owned()]));
    }

    #[test]
    fn each_statement_has_its_index() {
        let db = open::in_memory();
        let db = db.lock().expect("the connection");
        let cases = [
            (
                "SELECT n FROM events WHERE game = 'g' AND coalesce(seat, -1) = coalesce(1, -1) AND key = 'k'",
                "events_key",
            ),
            (
                "SELECT id FROM games WHERE (created_ms, id) < (1, 'g') ORDER BY created_ms DESC, id DESC",
                "games_created",
            ),
            ("SELECT id FROM games WHERE over = 0 ORDER BY created_ms, id", "games_unfinished"),
        ];
        for (sql, index) in cases {
            let plan: String = db
                .query_row(&format!("EXPLAIN QUERY PLAN {sql}"), [], |row| row.get("detail"))
                .expect("a plan");
            assert!(plan.contains(index), "{sql}: {plan}");
        }
    }
}
