//! Jobs from one thread, done by several, their results taken in the jobs' order. At no time are
//! there more jobs between the two ends than the window has room for.

use crate::error::Failure;
use kiban_core::Stop;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Jobs a thread may be ahead of what was taken.
const AHEAD: usize = 4;

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
            && self.jobs.send((self.next, job)).is_ok();
        self.next += 1;
        wanted
    }

    /// Whether jobs are still wanted.
    pub(crate) fn wanted(&self) -> bool {
        !self.stop.stopped()
    }
}

/// Makes jobs by `produce` on a thread of its own, does them by `work` on as many as told, and
/// hands the results to `take` in order. A stop ends the making; what was begun is finished.
///
/// # Errors
/// The first of `take`, after which no more jobs are begun.
pub(crate) fn in_order<J: Send, T: Send>(
    threads: usize,
    stop: &Stop,
    produce: impl FnOnce(&mut Feed<J>) + Send,
    work: impl Fn(J) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (window, room) = sync_channel(threads * AHEAD);
    let (jobs, waiting) = sync_channel(threads);
    let waiting = Mutex::new(waiting);
    let (done, results) = channel();
    let mut feed = Feed { window, jobs, next: 0, stop: stop.clone() };
    std::thread::scope(|scope| {
        scope.spawn(move || produce(&mut feed));
        for _ in 0..threads {
            let done = done.clone();
            let (waiting, work) = (&waiting, &work);
            scope.spawn(move || worker(waiting, work, &done));
        }
        drop(done);
        let (mut early, mut next) = (BTreeMap::new(), 0);
        let (mut taken, mut panicked) = (Ok(()), None);
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                next += 1;
                // The maker may be gone already, having made all.
                let _ = room.recv();
                match result {
                    Ok(result) if taken.is_ok() && panicked.is_none() => taken = take(result),
                    Ok(_) => {}
                    Err(panic) => panicked = Some(panic),
                }
                if taken.is_err() || panicked.is_some() {
                    stop.stop();
                }
            }
        }
        // A job that fell over is the caller's fall, not a result that never comes.
        panicked.map_or(taken, |panic| resume_unwind(panic))
    })
}

fn worker<J, T>(
    waiting: &Mutex<Receiver<(usize, J)>>,
    work: &impl Fn(J) -> T,
    done: &Sender<(usize, std::thread::Result<T>)>,
) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, job)) = next else { return };
        let result = catch_unwind(AssertUnwindSafe(|| work(job)));
        if done.send((number, result)).is_err() {
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
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut taken = Vec::new();
        let produce = |feed: &mut Feed<u64>| {
            (0..500).all(|n| {
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
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
            inside.fetch_sub(1, Ordering::SeqCst);
            taken.push(n);
            Ok(())
        })
        .expect("nothing fails");
        assert_eq!(taken, (0..500).map(|n| n * n).collect::<Vec<u64>>());
        assert!(most.load(Ordering::SeqCst) <= 4 * AHEAD + 2, "{most:?}");
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
    fn a_failure_or_a_stop_ends_the_making() {
        let made = AtomicUsize::new(0);
        let produce = |feed: &mut Feed<usize>| {
            while feed.give(0) {
                made.fetch_add(1, Ordering::SeqCst);
            }
        };
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
