//! A fixed number of engine threads behind a bounded, fair queue.
//!
//! Each worker owns one [`Workspace`]: the memory of all engines is bounded by the number of
//! workers. Those who ask take turns, whatever each of them has waiting.

use kiban_core::{Entry, Job, Limits, Report, Stop, Workspace};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Searches one asker may have waiting.
const MOST_PER_OWNER: usize = 2;
/// Searches that may wait in all.
const MOST_WAITING: usize = 1_000;

/// An engine ended by a panic; what it said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) String);

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// A search to be run.
pub(crate) struct Search {
    /// Whose turn in the queue it takes: a game, or a browser.
    pub(crate) owner: String,
    pub(crate) job: Job,
    pub(crate) limits: Limits,
    pub(crate) report: Box<dyn FnMut(Report) + Send>,
    /// Dropped without an answer if the search was stopped before it began.
    pub(crate) done: oneshot::Sender<Result<Entry, Fault>>,
}

#[derive(Default)]
struct Queue {
    /// Those who wait, in the order of their turns.
    owners: VecDeque<(String, VecDeque<Search>)>,
    waiting: usize,
    running: Vec<Stop>,
    closed: bool,
}

#[derive(Default)]
struct Inner {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The engine threads.
pub(crate) struct Pool {
    inner: Arc<Inner>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// A pool of so many threads, at least 1.
    pub(crate) fn new(threads: usize) -> Pool {
        let inner = Arc::new(Inner::default());
        let spawn = |_| {
            let inner = Arc::clone(&inner);
            let worker = thread::Builder::new().name("engine".to_string());
            worker.spawn(move || work(&inner)).expect("the system has a thread to spare")
        };
        let workers = (0..threads.max(1)).map(spawn).collect();
        Pool { inner, workers: Mutex::new(workers) }
    }

    /// Puts a search at the end of its owner's queue.
    pub(crate) fn submit(&self, search: Search) -> Result<(), Busy> {
        let mut queue = self.inner.lock();
        if queue.closed || queue.waiting >= MOST_WAITING {
            return Err(Busy);
        }
        let at = queue.owners.iter().position(|(owner, _)| *owner == search.owner);
        match at.and_then(|i| queue.owners.get_mut(i)) {
            Some((_, own)) if own.len() >= MOST_PER_OWNER => return Err(Busy),
            Some((_, own)) => own.push_back(search),
            None => queue.owners.push_back((search.owner.clone(), VecDeque::from([search]))),
        }
        queue.waiting += 1;
        drop(queue);
        self.inner.changed.notify_one();
        Ok(())
    }

    /// Stops what runs, forgets what waits and ends the threads.
    pub(crate) fn close(&self) {
        let mut queue = self.inner.lock();
        queue.closed = true;
        queue.running.iter().for_each(Stop::stop);
        let waiting = std::mem::take(&mut queue.owners);
        drop(queue);
        drop(waiting);
        self.inner.changed.notify_all();
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        for worker in workers.drain(..) {
            // Its panics were caught; there is nothing to add here.
            let _ = worker.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

/// The next search whose asker still wants it.
fn take(inner: &Inner) -> Option<Search> {
    let mut queue = inner.lock();
    loop {
        if queue.closed {
            return None;
        }
        let Some((owner, mut own)) = queue.owners.pop_front() else {
            queue = inner.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let search = own.pop_front().expect("an owner in the queue has a search");
        queue.waiting -= 1;
        if !own.is_empty() {
            queue.owners.push_back((owner, own));
        }
        if !search.limits.stop.stopped() && !search.done.is_closed() {
            queue.running.push(search.limits.stop.clone());
            return Some(search);
        }
    }
}

fn work(inner: &Inner) {
    let mut memory = Workspace::new();
    while let Some(Search { job, limits, mut report, done, .. }) = take(inner) {
        let stop = limits.stop.clone();
        let run = AssertUnwindSafe(|| job(&mut memory, limits, &mut report));
        let answer = catch_unwind(run).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Fault(text.unwrap_or("it panicked").to_string())
        });
        if answer.is_err() {
            // Whatever the engine left half done must not reach the next search.
            memory = Workspace::new();
        }
        // Mark the switch first: it tells this search from others that run.
        stop.stop();
        inner.lock().running.retain(|other| !other.stopped());
        let _ = done.send(answer);
    }
}
