//! Jobs from one thread, done by several, their results taken in the jobs' order. At no time are
//! there more jobs between the two ends than the window has room for.

use crate::error::Failure;
use kiban_core::Stop;
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Jobs a thread may be ahead of what was taken.
const AHEAD: usize = 4;
/// How often it is looked whether the work still goes on, and how many looks that brought nothing
/// there are after a stop.
const LOOK: Duration = Duration::from_millis(50);
const PATIENCE: usize = 4;

/// Threads to work with: as many as there are cores.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where the jobs go in.
pub(crate) struct Feed<J> {
    window: SyncSender<()>,
    jobs: SyncSender<(usize, J)>,
    next: usize,
    stop: Stop,
}

impl<J> Feed<J> {
    /// Gives a job, once there is room; says whether more are wanted.
    pub(crate) fn give(&mut self, job: J) -> bool {
        let wanted = !self.stop.stopped()
            && self.window.send(()).is_ok()
            && !self.stop.stopped()
            && self.jobs.send((self.next, job)).is_ok();
        self.next += 1;
        wanted
    }

    /// Whether jobs are still wanted.
    pub(crate) fn wanted(&self) -> bool {
        !self.stop.stopped()
    }
}

/// What comes back from the threads: a job's number and result, or the panic of the maker.
enum Back<T> {
    Done(usize, Result<T, Panic>),
    Fell(Panic),
}

type Panic = Box<dyn Any + Send>;

/// Makes jobs by `produce` on a thread of its own, does them by `work` on as many as told, and
/// hands the results to `take` in order. A stop ends the making; what was begun may be finished for
/// a moment and is left alone then, to end with the program, for nobody knows how long it takes.
///
/// # Errors
/// The first of `take`, after which nothing is waited for.
pub(crate) fn in_order<J: Send + 'static, T: Send + 'static>(
    threads: usize,
    stop: &Stop,
    produce: impl FnOnce(&mut Feed<J>) + Send + 'static,
    work: impl Fn(J) -> T + Send + Sync + 'static,
    take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (window, room) = sync_channel(threads * AHEAD);
    let (jobs, waiting) = sync_channel(threads);
    let waiting = Arc::new(Mutex::new(waiting));
    let work = Arc::new(work);
    let (done, results) = channel();
    let mut feed = Feed { window, jobs, next: 0, stop: stop.clone() };
    let fell = done.clone();
    std::thread::spawn(move || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| produce(&mut feed))) {
            // Nobody is left to hear it if all was taken back already.
            let _ = fell.send(Back::Fell(panic));
        }
    });
    for _ in 0..threads {
        let (waiting, work, done, stop) =
            (waiting.clone(), work.clone(), done.clone(), stop.clone());
        std::thread::spawn(move || worker(&waiting, &*work, &done, &stop));
    }
    drop(done);
    let taken = take_all(stop, &results, &room, take);
    if taken.is_err() {
        stop.stop();
    }
    taken
}

/// Hands on the results in order.
fn take_all<T>(
    stop: &Stop,
    results: &Receiver<Back<T>>,
    room: &Receiver<()>,
    mut take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (mut early, mut next) = (BTreeMap::new(), 0);
    let mut patience = PATIENCE;
    while patience > 0 {
        // A job that fell over is the caller's fall, not a result that never comes.
        match results.recv_timeout(LOOK) {
            Ok(Back::Done(number, Ok(result))) => drop(early.insert(number, result)),
            Ok(Back::Done(_, Err(panic)) | Back::Fell(panic)) => {
                stop.stop();
                resume_unwind(panic);
            }
            Err(RecvTimeoutError::Timeout) => patience -= usize::from(stop.stopped()),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(result) = early.remove(&next) {
            next += 1;
            // The maker may be gone already, having made all.
            let _ = room.recv();
            take(result)?;
        }
    }
    Ok(())
}

fn worker<J, T>(
    waiting: &Mutex<Receiver<(usize, J)>>,
    work: &impl Fn(J) -> T,
    done: &Sender<Back<T>>,
    stop: &Stop,
) {
    while !stop.stopped() {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, job)) = next else { return };
        let result = catch_unwind(AssertUnwindSafe(|| work(job)));
        if done.send(Back::Done(number, result)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_never_many_at_once() {
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let mut taken = Vec::new();
        let produce = |feed: &mut Feed<u64>| {
            (0..500).all(|n| {
                MOST.fetch_max(INSIDE.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                feed.give(n)
            });
        };
        let work = |n: u64| {
            // The first of every ten takes longest.
            std::thread::sleep(std::time::Duration::from_micros(if n.is_multiple_of(10) {
                500
            } else {
                1
            }));
            n * n
        };
        in_order(4, &Stop::default(), produce, work, |n| {
            INSIDE.fetch_sub(1, Ordering::SeqCst);
            taken.push(n);
            Ok(())
        })
        .expect("nothing fails");
        assert_eq!(taken, (0..500).map(|n| n * n).collect::<Vec<u64>>());
        let most = MOST.load(Ordering::SeqCst);
        assert!(most <= 4 * AHEAD + 2, "{most}");
    }

    #[test]
    fn a_job_that_falls_over_ends_all_and_is_not_waited_for() {
        let produce = |feed: &mut Feed<u32>| {
            (0..500).all(|n| feed.give(n));
        };
        let work = |n: u32| assert!(n != 3, "the job falls over");
        let all = || in_order(2, &Stop::default(), produce, work, |()| Ok(()));
        assert!(catch_unwind(all).is_err());
    }

    #[test]
    fn a_maker_that_falls_over_ends_all_and_is_not_taken_for_the_end() {
        let produce = |feed: &mut Feed<u32>| {
            feed.give(1);
            panic!("the maker falls over");
        };
        let all = || in_order(2, &Stop::default(), produce, |n| n, |_| Ok(()));
        assert!(catch_unwind(all).is_err());
    }

    #[test]
    fn a_job_that_does_not_end_is_not_waited_for_after_a_stop() {
        let stop = Stop::default();
        let (begun, switch) = (std::time::Instant::now(), stop.clone());
        let produce = |feed: &mut Feed<u32>| {
            (0..9).all(|n| feed.give(n));
        };
        let work = move |n: u32| {
            if n == 1 {
                switch.stop();
                std::thread::sleep(Duration::from_secs(60));
            }
            n
        };
        let mut taken = Vec::new();
        in_order(2, &stop, produce, work, |n| {
            taken.push(n);
            Ok(())
        })
        .expect("what was done is taken");
        assert_eq!(taken, [0]);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_failure_or_a_stop_ends_the_making() {
        let produce = |feed: &mut Feed<usize>| while feed.give(0) {};
        let failed = in_order(2, &Stop::default(), produce, |n| n, |_| Err(Failure::ClosedPipe));
        assert!(matches!(failed, Err(Failure::ClosedPipe)));
        let stop = Stop::default();
        stop.stop();
        let mut taken = 0;
        let never = |feed: &mut Feed<usize>| while feed.give(0) {};
        let ended = in_order(
            2,
            &stop,
            never,
            |n| n,
            |_| {
                taken += 1;
                Ok(())
            },
        );
        assert!(ended.is_ok() && taken == 0);
    }
}
