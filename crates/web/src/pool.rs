//! A fixed number of engine threads behind a bounded, fair queue.
//!
//! Each worker owns one [`Workspace`]: the memory of all engines is bounded by the number of
//! workers. Games go before studies: somebody waits for the computer's move, and there may be any
//! number of pages that want something looked at. Among each, those who ask take turns, whatever
//! each of them has waiting.

use kiban_core::{Entry, Job, Limits, Report, Stop, Workspace};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Searches one asker may have waiting.
const MOST_PER_OWNER: usize = 2;
/// Searches of games that may wait.
const MOST_GAMES: usize = 1_000;
/// Studies that may wait: with one thread, the last of them waits minutes.
const MOST_STUDIES: usize = 32;

/// An engine ended by a panic; what it said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) String);

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A move of the computer's.
    Game,
    /// Something a page wants looked at.
    Study,
}

/// A search to be run.
pub(crate) struct Search {
    pub(crate) purpose: Purpose,
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
    games: Turns,
    studies: Turns,
    running: Vec<Stop>,
    closed: bool,
}

/// Those who wait, in the order of their turns.
#[derive(Default)]
struct Turns {
    owners: VecDeque<(String, VecDeque<Search>)>,
    waiting: usize,
}

impl Turns {
    /// Puts a search at the end of its owner's.
    fn push(&mut self, search: Search, most: usize) -> Result<(), Busy> {
        if self.waiting >= most {
            return Err(Busy);
        }
        let at = self.owners.iter().position(|(owner, _)| *owner == search.owner);
        match at.and_then(|i| self.owners.get_mut(i)) {
            Some((_, own)) if own.len() >= MOST_PER_OWNER => return Err(Busy),
            Some((_, own)) => own.push_back(search),
            None => self.owners.push_back((search.owner.clone(), VecDeque::from([search]))),
        }
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<Search> {
        let (owner, mut own) = self.owners.pop_front()?;
        let search = own.pop_front().expect("an owner in the queue has a search");
        self.waiting -= 1;
        if !own.is_empty() {
            self.owners.push_back((owner, own));
        }
        Some(search)
    }
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
        if queue.closed {
            return Err(Busy);
        }
        match search.purpose {
            Purpose::Game => queue.games.push(search, MOST_GAMES)?,
            Purpose::Study => queue.studies.push(search, MOST_STUDIES)?,
        }
        drop(queue);
        self.inner.changed.notify_one();
        Ok(())
    }

    /// How many searches run.
    #[cfg(test)]
    pub(crate) fn running(&self) -> usize {
        self.inner.lock().running.len()
    }

    /// Stops what runs, forgets what waits and ends the threads.
    pub(crate) fn close(&self) {
        let mut queue = self.inner.lock();
        queue.closed = true;
        queue.running.iter().for_each(Stop::stop);
        let waiting = (std::mem::take(&mut queue.games), std::mem::take(&mut queue.studies));
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
        let Some(search) = queue.games.pop().or_else(|| queue.studies.pop()) else {
            queue = inner.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use kiban_core::{Call, Seat};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    type Answer = oneshot::Receiver<Result<Entry, Fault>>;

    fn search(owner: &str, stop: &Stop, job: impl FnOnce() + Send + 'static) -> (Search, Answer) {
        let (done, answer) = oneshot::channel();
        let job: Job = Box::new(move |_, _, _| {
            job();
            Entry::new_call(Seat::FIRST, Call::Resign)
        });
        let limits = Limits { stop: stop.clone(), ..Limits::default() };
        let report = Box::new(|_| ());
        let purpose = Purpose::Game;
        (Search { purpose, owner: owner.to_string(), job, limits, report, done }, answer)
    }

    /// Keeps the only worker busy until the sender is dropped or sends.
    fn block(pool: &Pool) -> (mpsc::Sender<()>, Answer) {
        let (go, wait) = mpsc::channel::<()>();
        let (began, begun) = mpsc::channel();
        let (first, answer) = search("blocker", &Stop::default(), move || {
            began.send(()).unwrap();
            let _ = wait.recv();
        });
        pool.submit(first).unwrap();
        begun.recv().unwrap();
        (go, answer)
    }

    #[test]
    fn askers_take_turns() {
        let pool = Pool::new(1);
        let (go, _answer) = block(&pool);
        let (said, order) = mpsc::channel();
        let mut answers = Vec::new();
        for owner in ["a", "a", "b", "b", "c"] {
            let said = said.clone();
            let (search, answer) =
                search(owner, &Stop::default(), move || said.send(owner).unwrap());
            pool.submit(search).unwrap();
            answers.push(answer);
        }
        drop((go, said));
        assert_eq!(order.iter().collect::<Vec<_>>(), ["a", "b", "c", "a", "b"]);
    }

    #[test]
    fn the_queue_is_bounded() {
        let pool = Pool::new(1);
        let (_go, _answer) = block(&pool);
        let stop = Stop::default();
        for _ in 0..MOST_PER_OWNER {
            pool.submit(search("a", &stop, || ()).0).unwrap();
        }
        assert_eq!(pool.submit(search("a", &stop, || ()).0), Err(Busy));
        for i in MOST_PER_OWNER..MOST_GAMES {
            pool.submit(search(&format!("other {i}"), &stop, || ()).0).unwrap();
        }
        assert_eq!(pool.submit(search("one more", &stop, || ()).0), Err(Busy));
    }

    #[test]
    fn studies_do_not_hold_up_games() {
        let pool = Pool::new(1);
        let (go, _answer) = block(&pool);
        let (said, order) = mpsc::channel();
        let ask = |owner: &str, purpose| {
            let (said, name) = (said.clone(), owner.to_string());
            let (mut search, answer) =
                search(owner, &Stop::default(), move || said.send(name).unwrap());
            search.purpose = purpose;
            pool.submit(search).map(|()| answer)
        };
        // Cookies are free: each of these may be the same page.
        let studies: Vec<_> =
            (0..MOST_STUDIES).map(|i| ask(&format!("page {i}"), Purpose::Study).unwrap()).collect();
        assert_eq!(ask("one more page", Purpose::Study).err(), Some(Busy));
        let _game = ask("a game", Purpose::Game).unwrap();
        drop(go);
        assert_eq!(order.recv().unwrap(), "a game");
        assert_eq!(order.recv().unwrap(), "page 0");
        drop(studies);
    }

    #[test]
    fn a_panic_ends_its_search_only() {
        let pool = Pool::new(1);
        let (bad, answer) = search("a", &Stop::default(), || panic!("it fell over"));
        pool.submit(bad).unwrap();
        assert_eq!(answer.blocking_recv().unwrap(), Err(Fault("it fell over".to_string())));
        let (good, answer) = search("a", &Stop::default(), || ());
        pool.submit(good).unwrap();
        assert!(answer.blocking_recv().unwrap().is_ok());
    }

    #[test]
    fn a_workers_memory_does_not_outlive_a_panic() {
        let pool = Pool::new(1);
        let sizes: Arc<Mutex<Vec<usize>>> = Arc::default();
        for falls in [false, true, false] {
            let sizes = Arc::clone(&sizes);
            let (mut search, answer) = search("a", &Stop::default(), || ());
            search.job = Box::new(move |memory, _, _| {
                let seen = memory.get_or(Vec::<u8>::new);
                seen.push(1);
                sizes.lock().unwrap().push(seen.len());
                assert!(!falls, "as it should");
                Entry::new_call(Seat::FIRST, Call::Resign)
            });
            pool.submit(search).unwrap();
            assert_eq!(answer.blocking_recv().unwrap().is_err(), falls);
        }
        assert_eq!(*sizes.lock().unwrap(), [1, 2, 1]);
    }

    #[test]
    fn what_nobody_waits_for_is_not_begun() {
        let pool = Pool::new(1);
        let (go, _answer) = block(&pool);
        let ran = Arc::new(AtomicUsize::new(0));
        let count = || {
            let ran = Arc::clone(&ran);
            move || {
                ran.fetch_add(1, Ordering::SeqCst);
            }
        };
        let stop = Stop::default();
        let (stopped, stopped_answer) = search("a", &stop, count());
        let (left, left_answer) = search("b", &Stop::default(), count());
        let (wanted, wanted_answer) = search("c", &Stop::default(), count());
        for search in [stopped, left, wanted] {
            pool.submit(search).unwrap();
        }
        stop.stop();
        drop(left_answer);
        drop(go);
        assert!(wanted_answer.blocking_recv().unwrap().is_ok());
        assert!(stopped_answer.blocking_recv().is_err());
        assert_eq!(ran.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn closing_stops_what_runs() {
        let pool = Pool::new(1);
        let stop = Stop::default();
        let (began, begun) = mpsc::channel();
        let seen = stop.clone();
        let (endless, answer) = search("a", &stop, move || {
            began.send(()).unwrap();
            while !seen.stopped() {
                thread::yield_now();
            }
        });
        pool.submit(endless).unwrap();
        begun.recv().unwrap();
        pool.close();
        assert!(answer.blocking_recv().unwrap().is_ok());
        assert_eq!(pool.submit(search("a", &stop, || ()).0), Err(Busy));
    }
}
