//! How much of a search's limits is used up.

use kiban_core::{Limits, Stop};
use std::time::{Duration, Instant};

/// The clock and the stop switch are looked at once in so many nodes.
const LOOK_EVERY: u64 = 1024;

/// Counts nodes and says when a search must end: at a number of nodes, at a time, or because
/// somebody stopped it. Once it is over it stays over.
#[derive(Debug)]
pub struct Budget {
    nodes: u64,
    most: u64,
    deadline: Option<Instant>,
    stop: Stop,
    over: bool,
}

impl Budget {
    /// The budget of these limits from now on, and at most so many nodes and so much time (a
    /// level's).
    pub fn new(limits: &Limits, nodes: Option<u64>, time: Option<Duration>) -> Budget {
        let most = limits.nodes.into_iter().chain(nodes).min().unwrap_or(u64::MAX);
        let time = limits.time.into_iter().chain(time).min();
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Budget { nodes: 0, most, deadline, stop: limits.stop.clone(), over: most == 0 }
    }

    /// Counts a node; whether it may be searched.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.nodes.is_multiple_of(LOOK_EVERY) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.over |= late || self.stop.stopped();
        }
        self.over |= self.nodes >= self.most;
        self.nodes += u64::from(!self.over);
        !self.over
    }

    /// Nodes counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
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
    }

    #[test]
    fn a_stop_and_a_deadline_end_it_soon_and_for_good() {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, None, None);
        assert!((0..10 * LOOK_EVERY).all(|_| budget.spend()));
        limits.stop.stop();
        let further = (0..10 * LOOK_EVERY).filter(|_| budget.spend()).count() as u64;
        assert!(further < LOOK_EVERY, "{further} nodes after the stop");
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert!(!Budget::new(&limits, None, None).spend());
    }
}
