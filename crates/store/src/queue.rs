//! A bounded queue whose taker gets everything that waits. Full, it refuses instead of blocking:
//! those who push are tasks of an async server.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::StoreError;

pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    most: usize,
    most_bytes: usize,
}

struct State<T> {
    waiting: VecDeque<(usize, T)>,
    bytes: usize,
    closed: bool,
}

impl<T> Queue<T> {
    /// A queue of at most `most` items, which together weigh at most `most_bytes`.
    pub(crate) fn new(most: usize, most_bytes: usize) -> Self {
        let state = State { waiting: VecDeque::new(), bytes: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most, most_bytes }
    }

    /// Puts an item that holds `bytes` of text at the end. One that alone is too heavy is taken
    /// when nothing else waits.
    pub(crate) fn push(&self, bytes: usize, item: T) -> Result<(), StoreError> {
        let mut state = self.lock();
        if state.closed {
            return Err(StoreError::Closed);
        }
        let full = state.waiting.len() >= self.most || state.bytes + bytes > self.most_bytes;
        if full && !state.waiting.is_empty() {
            return Err(StoreError::Overloaded);
        }
        state.bytes += bytes;
        state.waiting.push_back((bytes, item));
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Waits for items and takes up to `most` of them, oldest first; `None` once the queue is
    /// closed and empty.
    pub(crate) fn take(&self, most: usize) -> Option<Vec<T>> {
        let mut state = self.lock();
        while state.waiting.is_empty() {
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.waiting.len().min(most);
        let taken: Vec<_> = state.waiting.drain(..count).collect();
        state.bytes -= taken.iter().map(|(bytes, _)| bytes).sum::<usize>();
        Some(taken.into_iter().map(|(_, item)| item).collect())
    }

    /// Refuses items from now on; those that wait can still be taken.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Refuses items from now on and drops those that wait.
    pub(crate) fn abandon(&self) {
        self.close();
        let waiting = std::mem::take(&mut self.lock().waiting);
        // Outside the lock: dropping an item answers, which may run the code of others.
        drop(waiting);
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_bounds() {
        let queue = Queue::new(3, 100);
        for item in 0..3 {
            assert_eq!(queue.push(1, item), Ok(()));
        }
        assert_eq!(queue.push(1, 3), Err(StoreError::Overloaded));
        assert_eq!(queue.take(2), Some(vec![0, 1]));
        assert_eq!(queue.push(98, 4), Ok(()));
        assert_eq!(queue.push(2, 5), Err(StoreError::Overloaded));
        assert_eq!(queue.take(9), Some(vec![2, 4]));
        assert_eq!(queue.push(500, 6), Ok(()), "alone, a heavy item passes");
    }

    #[test]
    fn closed_it_gives_out_what_waits() {
        let queue = Queue::new(3, 100);
        assert_eq!(queue.push(1, 'a'), Ok(()));
        queue.close();
        assert_eq!(queue.push(1, 'b'), Err(StoreError::Closed));
        assert_eq!(queue.take(9), Some(vec!['a']));
        assert_eq!(queue.take(9), None);
    }
}
