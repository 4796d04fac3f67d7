//! A fixed number of engine threads behind a bounded, fair queue.
//!
//! Each worker owns one [`Workspace`]: the memory of all engines is bounded by the number of
//! workers. Games go before studies: somebody waits for the computer's move, and there may be any
//! number of pages that want something looked at. Since a study may take a minute, one worker more
//! does nothing but games: on a machine with one core it shares that with a study, and the computer
//! still moves. Among each, those who ask take turns, whatever each of them has waiting.

use kiban_core::{Stop, Workspace};
use std::any::Any;
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

impl Fault {
    fn of_panic(panic: &(dyn Any + Send)) -> Fault {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Fault(text.unwrap_or("it panicked").to_string())
    }
}

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

/// Who wants something computed, and what for.
pub(crate) struct Wish {
    pub(crate) purpose: Purpose,
    /// Whose turn in the queue it takes: a game, or a browser.
    pub(crate) owner: String,
    /// Ends it. Stopped before it began, it gives no answer.
    pub(crate) stop: Stop,
}

/// What comes of it. Nothing does if it was stopped before it began.
pub(crate) type Answer<T> = oneshot::Receiver<Result<T, Fault>>;

/// A job that waits.
struct Search {
    wish: Wish,
    work: Box<dyn Work>,
}

/// A job without its answer's type.
trait Work: Send {
    /// Whether nobody waits for the answer any more.
    fn left(&self) -> bool;
    /// Does it; says whether it fell over, and how to send what came of it.
    fn run(self: Box<Self>, memory: &mut Workspace) -> (bool, Box<dyn FnOnce()>);
}

struct Pending<T, F> {
    job: F,
    done: oneshot::Sender<Result<T, Fault>>,
}

impl<T, F> Work for Pending<T, F>
where
    T: Send + 'static,
    F: FnOnce(&mut Workspace) -> T + Send,
{
    fn left(&self) -> bool {
        self.done.is_closed()
    }

    fn run(self: Box<Self>, memory: &mut Workspace) -> (bool, Box<dyn FnOnce()>) {
        let Pending { job, done } = *self;
        let found = catch_unwind(AssertUnwindSafe(|| job(memory)));
        let found = found.map_err(|panic| Fault::of_panic(&*panic));
        let send = |found| {
            // Whoever asked may have gone.
            let _ = done.send(found);
        };
        (found.is_err(), Box::new(move || send(found)))
    }
}

#[derive(Default)]
struct Queue {
    games: Turns,
    studies: Turns,
    running: Vec<Stop>,
    /// Workers that wait for something to do.
    idle: usize,
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
        let at = self.owners.iter().position(|(owner, _)| *owner == search.wish.owner);
        match at.and_then(|i| self.owners.get_mut(i)) {
            Some((_, own)) if own.len() >= MOST_PER_OWNER => return Err(Busy),
            Some((_, own)) => own.push_back(search),
            None => self.owners.push_back((search.wish.owner.clone(), VecDeque::from([search]))),
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
    /// A pool of so many threads, at least 1, and one for games alone.
    pub(crate) fn new(threads: usize) -> Pool {
        let inner = Arc::new(Inner::default());
        let spawn = |i| {
            let inner = Arc::clone(&inner);
            let worker = thread::Builder::new().name("engine".to_string());
            let work = move || work(&inner, i > 0);
            worker.spawn(work).expect("the system has a thread to spare")
        };
        let workers = (0..=threads.max(1)).map(spawn).collect();
        Pool { inner, workers: Mutex::new(workers) }
    }

    /// Puts a job at the end of its owner's queue.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        wish: Wish,
        job: impl FnOnce(&mut Workspace) -> T + Send + 'static,
    ) -> Result<Answer<T>, Busy> {
        let (done, answer) = oneshot::channel();
        let search = Search { wish, work: Box::new(Pending { job, done }) };
        let mut queue = self.inner.lock();
        if queue.closed {
            return Err(Busy);
        }
        match search.wish.purpose {
            Purpose::Game => queue.games.push(search, MOST_GAMES)?,
            Purpose::Study => queue.studies.push(search, MOST_STUDIES)?,
        }
        drop(queue);
        // Not every worker does everything.
        self.inner.changed.notify_all();
        Ok(answer)
    }

    /// Whether a game that asks now waits for others.
    pub(crate) fn is_full(&self) -> bool {
        let queue = self.inner.lock();
        // The workers that have nothing to do may all take a game.
        queue.idle <= queue.games.waiting
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
fn take(inner: &Inner, studies: bool) -> Option<Search> {
    let mut queue = inner.lock();
    loop {
        if queue.closed {
            return None;
        }
        let mut search = queue.games.pop();
        if search.is_none() && studies {
            search = queue.studies.pop();
        }
        let Some(search) = search else {
            queue.idle += 1;
            queue = inner.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
            continue;
        };
        if !search.wish.stop.stopped() && !search.work.left() {
            queue.running.push(search.wish.stop.clone());
            return Some(search);
        }
    }
}

fn work(inner: &Inner, studies: bool) {
    let mut memory = Workspace::new();
    while let Some(Search { wish, work }) = take(inner, studies) {
        let (fell, send) = work.run(&mut memory);
        if fell {
            // Whatever the engine left half done must not reach the next search.
            memory = Workspace::new();
        }
        // Mark the switch first: it tells this search from others that run.
        wish.stop.stop();
        inner.lock().running.retain(|other| !other.stopped());
        send();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    fn ask<T: Send + 'static>(
        pool: &Pool,
        owner: &str,
        stop: &Stop,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Answer<T>, Busy> {
        ask_for(pool, Purpose::Study, owner, stop, job)
    }

    fn ask_for<T: Send + 'static>(
        pool: &Pool,
        purpose: Purpose,
        owner: &str,
        stop: &Stop,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Answer<T>, Busy> {
        let wish = Wish { purpose, owner: owner.to_string(), stop: stop.clone() };
        pool.submit(wish, |_| job())
    }

    /// Keeps the only worker for studies busy until the sender is dropped or sends.
    fn block(pool: &Pool) -> (mpsc::Sender<()>, Answer<()>) {
        let (go, wait) = mpsc::channel::<()>();
        let (began, begun) = mpsc::channel();
        let job = move || {
            began.send(()).unwrap();
            let _ = wait.recv();
        };
        let answer = ask(pool, "blocker", &Stop::default(), job).unwrap();
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
            let job = move || said.send(owner).unwrap();
            answers.push(ask(&pool, owner, &Stop::default(), job).unwrap());
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
            ask(&pool, "a", &stop, || ()).unwrap();
        }
        assert_eq!(ask(&pool, "a", &stop, || ()).err(), Some(Busy));
        for i in MOST_PER_OWNER..MOST_STUDIES {
            ask(&pool, &format!("other {i}"), &stop, || ()).unwrap();
        }
        assert_eq!(ask(&pool, "one more", &stop, || ()).err(), Some(Busy));
    }

    #[test]
    fn a_study_that_runs_does_not_hold_up_games() {
        let pool = Pool::new(1);
        let (_go, _answer) = block(&pool);
        // Cookies are free: each of these may be the same page.
        let study = |i| ask(&pool, &format!("page {i}"), &Stop::default(), || ());
        let studies: Vec<_> = (0..MOST_STUDIES).map(|i| study(i).unwrap()).collect();
        assert_eq!(study(MOST_STUDIES).err(), Some(Busy));
        for id in ["a game", "another game"] {
            let answer = ask_for(&pool, Purpose::Game, id, &Stop::default(), move || id).unwrap();
            assert_eq!(answer.blocking_recv().unwrap(), Ok(id));
        }
        drop(studies);
    }

    #[test]
    fn games_go_before_studies() {
        let pool = Pool::new(1);
        let (go, _answer) = block(&pool);
        let (more, wait) = mpsc::channel::<()>();
        let (began, begun) = mpsc::channel();
        let busy = move || {
            let _ = (began.send(()), wait.recv());
        };
        let _busy = ask_for(&pool, Purpose::Game, "busy", &Stop::default(), busy).unwrap();
        begun.recv().unwrap();
        assert!(pool.is_full());
        let (said, order) = mpsc::channel();
        let ask = |owner: &'static str, purpose| {
            let said = said.clone();
            ask_for(&pool, purpose, owner, &Stop::default(), move || said.send(owner).unwrap())
        };
        let _study = ask("a page", Purpose::Study).unwrap();
        let _game = ask("a game", Purpose::Game).unwrap();
        drop(go);
        assert_eq!(order.recv().unwrap(), "a game");
        assert_eq!(order.recv().unwrap(), "a page");
        drop(more);
        while pool.is_full() {
            thread::yield_now();
        }
    }

    #[test]
    fn a_panic_ends_its_search_only() {
        let pool = Pool::new(1);
        let bad = || -> u8 { panic!("it fell over") };
        let answer = ask(&pool, "a", &Stop::default(), bad).unwrap();
        assert_eq!(answer.blocking_recv().unwrap(), Err(Fault("it fell over".to_string())));
        let answer = ask(&pool, "a", &Stop::default(), || 3).unwrap();
        assert_eq!(answer.blocking_recv().unwrap(), Ok(3));
    }

    #[test]
    fn a_workers_memory_does_not_outlive_a_panic() {
        let pool = Pool::new(1);
        let sizes: Arc<Mutex<Vec<usize>>> = Arc::default();
        for falls in [false, true, false] {
            let sizes = Arc::clone(&sizes);
            let (purpose, owner, stop) = (Purpose::Study, "a".to_string(), Stop::default());
            let job = move |memory: &mut Workspace| {
                let seen = memory.get_or(Vec::<u8>::new);
                seen.push(1);
                sizes.lock().unwrap().push(seen.len());
                assert!(!falls, "as it should");
            };
            let answer = pool.submit(Wish { purpose, owner, stop }, job).unwrap();
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
        let stopped_answer = ask(&pool, "a", &stop, count()).unwrap();
        let left_answer = ask(&pool, "b", &Stop::default(), count()).unwrap();
        let wanted_answer = ask(&pool, "c", &Stop::default(), count()).unwrap();
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
        let endless = move || {
            began.send(()).unwrap();
            while !seen.stopped() {
                thread::yield_now();
            }
        };
        let answer = ask(&pool, "a", &stop, endless).unwrap();
        begun.recv().unwrap();
        pool.close();
        assert!(answer.blocking_recv().unwrap().is_ok());
        assert_eq!(ask(&pool, "a", &stop, || ()).err(), Some(Busy));
    }
}
