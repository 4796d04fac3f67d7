//! How much of a search's limits is used up.

use kiban_core::{Limits, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The clock and the stop switch are looked at once in so many nodes: well below the few
/// milliseconds in which a stop must be answered.
const LOOK_EVERY: u64 = 512;

/// What the threads of one search share.
#[derive(Debug, Default)]
struct Shared {
    nodes: AtomicU64,
    over: AtomicBool,
}

/// Counts nodes and says when a search must end: at a number of nodes, at a time, or because
/// somebody stopped it. Once it is over it stays over, for every thread of the search.
#[derive(Debug)]
pub struct Budget {
    nodes: u64,
    /// Nodes of this thread that the others know of.
    told: u64,
    /// The node before which to look at everything.
    look: u64,
    most: u64,
    deadline: Option<Instant>,
    stop: Stop,
    shared: Arc<Shared>,
    over: bool,
}

impl Budget {
    /// The budget of these limits from now on, and at most so many nodes and so much time (a
    /// level's).
    pub fn new(limits: &Limits, nodes: Option<u64>, time: Option<Duration>) -> Budget {
        let most = limits.nodes.into_iter().chain(nodes).min().unwrap_or(u64::MAX);
        let time = limits.time.into_iter().chain(time).min();
        Budget {
            nodes: 0,
            told: 0,
            look: 0,
            most,
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
            shared: Arc::default(),
            over: most == 0,
        }
    }

    /// The same budget for another thread of the search.
    pub fn helper(&self) -> Budget {
        Budget {
            nodes: 0,
            told: 0,
            look: 0,
            most: self.most,
            deadline: self.deadline,
            stop: self.stop.clone(),
            shared: Arc::clone(&self.shared),
            over: self.over,
        }
    }

    /// Counts a node; whether it may be searched.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.nodes >= self.look {
            self.look_up();
        }
        self.nodes += u64::from(!self.over);
        !self.over
    }

    /// Counts nodes that were searched elsewhere on this budget's account.
    pub fn charge(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.look = self.nodes;
    }

    #[cold]
    fn look_up(&mut self) {
        let more = self.nodes - self.told;
        self.told = self.nodes;
        let all = self.shared.nodes.fetch_add(more, Ordering::Relaxed) + more;
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if all >= self.most || self.stop.stopped() || late() {
            self.end();
        }
        self.over |= self.shared.over.load(Ordering::Relaxed);
        self.look = self.nodes.saturating_add(LOOK_EVERY.min(self.most.saturating_sub(all)));
    }

    /// Ends the search in all its threads.
    pub fn end(&mut self) {
        self.over = true;
        self.shared.over.store(true, Ordering::Relaxed);
    }

    /// Nodes counted: all of this thread, and what the others told so far.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + (self.nodes - self.told)
    }

    /// Whether the search must end.
    pub fn is_out(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_to_the_limit_and_not_beyond() {
        let limits = Limits { nodes: Some(5), ..Limits::default() };
        let mut budget = Budget::new(&limits, Some(9), None);
        assert_eq!((0..20).filter(|_| budget.spend()).count(), 5);
        assert!(budget.is_out());
        assert_eq!(budget.nodes(), 5);
        assert!(!Budget::new(&limits, Some(0), None).spend());
        let limits = Limits { nodes: Some(10 * LOOK_EVERY + 7), ..Limits::default() };
        let mut budget = Budget::new(&limits, None, None);
        budget.charge(LOOK_EVERY);
        while budget.spend() {}
        assert_eq!(budget.nodes(), 10 * LOOK_EVERY + 7);
    }

    #[test]
    fn a_stop_and_a_deadline_end_it_soon_and_for_good() {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, None, None);
        assert!((0..10 * LOOK_EVERY).all(|_| budget.spend()));
        limits.stop.stop();
        let further = (0..10 * LOOK_EVERY).filter(|_| budget.spend()).count() as u64;
        assert!(further <= LOOK_EVERY, "{further} nodes after the stop");
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert!(!Budget::new(&limits, None, None).spend());
    }

    #[test]
    fn threads_count_together_and_end_together() {
        let limits = Limits { nodes: Some(20 * LOOK_EVERY), ..Limits::default() };
        let mut main = Budget::new(&limits, None, None);
        let mut other = main.helper();
        assert!((0..15 * LOOK_EVERY).all(|_| other.spend()));
        let own = (0..20 * LOOK_EVERY).filter(|_| main.spend()).count() as u64;
        assert!((5 * LOOK_EVERY..=7 * LOOK_EVERY).contains(&own), "{own}");
        let further = (0..20 * LOOK_EVERY).filter(|_| other.spend()).count() as u64;
        assert!(further <= LOOK_EVERY, "{further} nodes after the other's end");
    }
}
