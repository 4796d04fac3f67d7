//! The threads: jobs in, transactions, answers out.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::MOST_PER_COMMIT;
use super::files::Files;
use crate::queue::Queue;
use crate::{Reply, StoreError};

/// A connection and its user. Only in memory do two threads share one.
pub(super) type Shared = Arc<Mutex<Connection>>;

/// Something to be done within a transaction, answered after it.
pub(super) trait Work: Send {
    /// Does it and keeps the outcome. Done again only after all it did was rolled back.
    fn run(&mut self, db: &Connection) -> Result<(), StoreError>;

    /// Answers: with the transaction's error if it failed, else with the outcome.
    fn answer(self: Box<Self>, transaction: &Result<(), StoreError>);
}

/// A job, and whom to answer.
pub(super) struct Task<T, F> {
    job: F,
    outcome: Option<Result<T, StoreError>>,
    reply: Reply<T>,
}

impl<T, F> Task<T, F> {
    pub(super) fn new(job: F, reply: Reply<T>) -> Self {
        Self { job, outcome: None, reply }
    }
}

impl<T, F> Work for Task<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, db: &Connection) -> Result<(), StoreError> {
        let outcome = (self.job)(db);
        let result = outcome.as_ref().map(|_| ()).map_err(Clone::clone);
        self.outcome = Some(outcome);
        result
    }

    fn answer(self: Box<Self>, transaction: &Result<(), StoreError>) {
        let outcome = match transaction {
            Ok(()) => self.outcome.expect("a job of a committed transaction was run"),
            Err(error) => Err(error.clone()),
        };
        self.reply.send(outcome);
    }
}

/// Closes a queue when its thread ends, also by a panic, so that nobody waits for ever.
struct Abandon<'a>(&'a Queue<Box<dyn Work>>);

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// The writer's life.
pub(super) fn write_all(db: &Shared, mut files: Files, jobs: &Queue<Box<dyn Work>>) {
    let _abandon = Abandon(jobs);
    while let Some(batch) = jobs.take(MOST_PER_COMMIT) {
        match files.check() {
            Ok(()) => write(db, batch),
            gone => batch.into_iter().for_each(|job| job.answer(&gone)),
        }
    }
}

/// A reader's life.
pub(super) fn read_all(db: &Shared, jobs: &Queue<Box<dyn Work>>) {
    let _abandon = Abandon(jobs);
    while let Some(batch) = jobs.take(1) {
        for mut job in batch {
            let result = in_transaction(&lock(db), "BEGIN", |db| job.run(db));
            job.answer(&result);
        }
    }
}

/// Writes a batch in one transaction and answers each of its jobs.
fn write(db: &Shared, mut batch: Vec<Box<dyn Work>>) {
    let result = commit(&lock(db), &mut batch);
    if result == Err(StoreError::DiskFull) && batch.len() > 1 {
        // One long text may be all that does not fit: it must not take the others with it.
        return batch.into_iter().for_each(|job| write(db, vec![job]));
    }
    for job in batch {
        job.answer(&result);
    }
}

fn commit(db: &Connection, batch: &mut [Box<dyn Work>]) -> Result<(), StoreError> {
    in_transaction(db, "BEGIN IMMEDIATE", |db| {
        batch.iter_mut().try_for_each(|job| in_savepoint(db, job.as_mut()))
    })
}

/// Runs a job so that its failure leaves no trace in the transaction. `Err` only if the
/// transaction itself is spoilt.
fn in_savepoint(db: &Connection, job: &mut dyn Work) -> Result<(), StoreError> {
    execute(db, "SAVEPOINT job")?;
    match job.run(db) {
        Ok(()) => execute(db, "RELEASE job"),
        // After some errors SQLite has rolled back the whole transaction on its own.
        Err(error) if error.is_of_the_machine() || db.is_autocommit() => Err(error),
        Err(_) => execute(db, "ROLLBACK TO job").and_then(|()| execute(db, "RELEASE job")),
    }
}

fn in_transaction(
    db: &Connection,
    begin: &str,
    work: impl FnOnce(&Connection) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let result = execute(db, begin).and_then(|()| work(db)).and_then(|()| execute(db, "COMMIT"));
    if result.is_err() && !db.is_autocommit() {
        // Whether or not this succeeds, the error to tell is the first one.
        let _ = execute(db, "ROLLBACK");
    }
    result
}

fn execute(db: &Connection, sql: &str) -> Result<(), StoreError> {
    db.prepare_cached(sql)?.execute([])?;
    Ok(())
}

fn lock(db: &Shared) -> MutexGuard<'_, Connection> {
    // A panic under the lock leaves a transaction open, which the next BEGIN reports.
    db.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::{open, statements};
    use super::*;
    use crate::{NewGame, Pending};

    fn job(id: &str, head: &str) -> (Box<dyn Work>, Pending<()>) {
        let game = NewGame { id: id.into(), created_ms: 0, head: head.into() };
        let (reply, pending) = Pending::new();
        (Box::new(Task::new(move |db: &Connection| statements::create(db, &game), reply)), pending)
    }

    fn games(db: &Shared) -> i64 {
        lock(db).query_one("SELECT count(*) FROM games", [], |row| row.get(0)).expect("a count")
    }

    fn write_games(db: &Shared, heads: [&str; 3]) -> Vec<Result<(), StoreError>> {
        let ids = ["a", "b", "c"];
        let (jobs, pending): (Vec<_>, Vec<_>) =
            ids.iter().zip(heads).map(|(id, head)| job(id, head)).unzip();
        write(db, jobs);
        pending.into_iter().map(Pending::wait).collect()
    }

    #[test]
    fn a_refused_job_leaves_the_others_of_its_batch() {
        let db = open::in_memory();
        let (jobs, pending): (Vec<_>, Vec<_>) =
            ["a", "a", "b"].map(|id| job(id, "")).into_iter().unzip();
        write(&db, jobs);
        let answers: Vec<_> = pending.into_iter().map(Pending::wait).collect();
        assert_eq!(answers, [Ok(()), Err(StoreError::Exists), Ok(())]);
        assert_eq!(games(&db), 2);
    }

    #[test]
    fn a_full_disk_is_said_and_spares_what_still_fits() {
        let db = open::in_memory();
        lock(&db).pragma_update(None, "max_page_count", 16).expect("a limit of 64 KiB");
        let long = "x".repeat(100_000);
        let answers = write_games(&db, ["short", &long, "short"]);
        assert_eq!(answers, [Ok(()), Err(StoreError::DiskFull), Ok(())]);
        assert_eq!(games(&db), 2);
    }

    #[test]
    fn a_read_only_database_acknowledges_nothing() {
        let db = open::in_memory();
        lock(&db).pragma_update(None, "query_only", true).expect("the pragma");
        for answer in write_games(&db, ["1", "2", "3"]) {
            assert!(matches!(answer, Err(StoreError::ReadOnly { .. })), "{answer:?}");
        }
        lock(&db).pragma_update(None, "query_only", false).expect("the pragma");
        assert_eq!(games(&db), 0);
        assert_eq!(write_games(&db, ["1", "2", "3"]), [Ok(()), Ok(()), Ok(())]);
    }

    #[test]
    fn a_failed_commit_acknowledges_nothing() {
        let db = open::in_memory();
        // Refuses every commit, as a failing sync does.
        lock(&db)
            .execute_batch(
                "PRAGMA foreign_keys = ON;
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (id INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER orphan AFTER INSERT ON games BEGIN INSERT INTO child VALUES (1); END;",
            )
            .expect("a trap");
        for answer in write_games(&db, ["1", "2", "3"]) {
            assert!(matches!(answer, Err(StoreError::Refused { .. })), "{answer:?}");
        }
        assert_eq!(games(&db), 0);
    }
}
