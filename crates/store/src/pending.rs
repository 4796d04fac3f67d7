//! An answer that will come: a future of any executor, and a plain wait.
//!
//! Made of the standard library alone, so that the store binds nobody to an executor.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::StoreError;

/// An answer of the store that will come. Dropping it does not undo what was asked for.
#[must_use = "a write is durable only once its answer has come"]
pub struct Pending<T>(Arc<Slot<T>>);

/// The other end of a [`Pending`]: dropped without an answer, it answers [`StoreError::Closed`].
pub struct Reply<T>(Arc<Slot<T>>);

struct Slot<T> {
    state: Mutex<State<T>>,
    answered: Condvar,
}

enum State<T> {
    Waiting(Option<Waker>),
    Answered(Result<T, StoreError>),
    Taken,
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code of others runs under the lock, so a poisoned state is a whole one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, result: Result<T, StoreError>) {
        let mut state = self.lock();
        let State::Waiting(waker) = &mut *state else { return };
        let waker = waker.take();
        *state = State::Answered(result);
        drop(state);
        self.answered.notify_one();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> State<T> {
    fn take(&mut self) -> Option<Result<T, StoreError>> {
        match std::mem::replace(self, State::Taken) {
            State::Answered(result) => Some(result),
            waiting @ State::Waiting(_) => {
                *self = waiting;
                None
            }
            State::Taken => panic!("an answer is taken once: polled after it was ready"),
        }
    }
}

impl<T> Pending<T> {
    /// Both ends of an answer. For those who write a [`Store`](crate::Store).
    pub fn new() -> (Reply<T>, Self) {
        let slot = Slot { state: Mutex::new(State::Waiting(None)), answered: Condvar::new() };
        let slot = Arc::new(slot);
        (Reply(Arc::clone(&slot)), Self(slot))
    }

    /// An answer that is there already.
    pub fn ready(result: Result<T, StoreError>) -> Self {
        let (reply, pending) = Self::new();
        reply.send(result);
        pending
    }

    /// Blocks this thread until the answer is there. In async code, `.await` it instead.
    ///
    /// # Errors
    /// Those of the method of [`Store`](crate::Store) that was called.
    pub fn wait(self) -> Result<T, StoreError> {
        let mut state = self.0.lock();
        loop {
            if let Some(result) = state.take() {
                return result;
            }
            state = self.0.answered.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Future for Pending<T> {
    type Output = Result<T, StoreError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock();
        if let Some(result) = state.take() {
            return Poll::Ready(result);
        }
        *state = State::Waiting(Some(context.waker().clone()));
        Poll::Pending
    }
}

impl<T> Reply<T> {
    /// Gives the answer.
    pub fn send(self, result: Result<T, StoreError>) {
        self.0.answer(result);
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        self.0.answer(Err(StoreError::Closed));
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pending")
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_crosses_threads() {
        let (reply, pending) = Pending::new();
        let thread = std::thread::spawn(move || pending.wait());
        reply.send(Ok(7));
        assert_eq!(thread.join().expect("the waiter ends"), Ok(7));
    }

    #[test]
    fn a_dropped_reply_is_an_answer() {
        let (reply, pending) = Pending::<u8>::new();
        drop(reply);
        assert_eq!(pending.wait(), Err(StoreError::Closed));
    }

    #[test]
    fn a_future_is_woken() {
        let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
        let (reply, pending) = Pending::new();
        let task = runtime.spawn(pending);
        std::thread::sleep(std::time::Duration::from_millis(5));
        reply.send(Ok("there"));
        assert_eq!(runtime.block_on(task).expect("the task ends"), Ok("there"));
    }
}
