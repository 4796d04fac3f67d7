//! The computer's turns.

use super::Live;
use crate::pool::{Fault, Purpose, Search};
use kiban_core::{Entry, Limits, Seat, Stop};
use kiban_play::Action;
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

/// Longest thought of a computer player: a level limits nodes, this only bounds a slow machine.
const LONGEST_THOUGHT_MS: u64 = 5_000;
/// With a clock, this part of what is left is spent on one ply.
const PART_OF_CLOCK: u64 = 30;
/// A busy pool is asked again this much later.
const AGAIN_MS: u64 = 500;

/// A search under way for this game.
pub(super) struct Thinking {
    seat: Seat,
    stop: Stop,
    answer: oneshot::Receiver<Result<Entry, Fault>>,
}

type Thought = Result<Result<Entry, Fault>, RecvError>;

impl Thinking {
    /// The answer of the search under way; never, if there is none.
    pub(super) async fn answer(thinking: &mut Option<Thinking>) -> Thought {
        match thinking {
            Some(thinking) => (&mut thinking.answer).await,
            None => std::future::pending().await,
        }
    }
}

impl Live {
    /// Has the computer think if it is its turn.
    pub(super) fn think(&mut self) {
        let Some((seat, level)) = self.room.computer_to_move() else { return };
        let (done, answer) = oneshot::channel();
        let stop = Stop::default();
        let limits = Limits {
            level: Some(level),
            time: Some(self.time_to_think()),
            seed: self.seed(),
            stop: stop.clone(),
            ..Limits::default()
        };
        let job = self.room.referee().ask(seat);
        let (purpose, owner) = (Purpose::Game, self.id.clone());
        let search = Search { purpose, owner, job, limits, report: Box::new(|_| ()), done };
        if self.app.pool.submit(search).is_ok() {
            self.thinking = Some(Thinking { seat, stop, answer });
        } else {
            self.ask_again_ms = Some(self.app.now_ms() + AGAIN_MS);
        }
    }

    /// Ends a search nobody waits for any more.
    pub(super) fn stop_thinking(&mut self) {
        self.ask_again_ms = None;
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.stop();
        }
    }

    fn time_to_think(&self) -> Duration {
        let left = self.room.deadline_ms().map(|end| end.saturating_sub(self.app.now_ms()));
        let part = left.map_or(LONGEST_THOUGHT_MS, |left| left / PART_OF_CLOCK);
        Duration::from_millis(part.clamp(20, LONGEST_THOUGHT_MS))
    }

    /// The same for the same ply of the same game, so that a restart does not change its mind. From
    /// the key: whoever knew it could try which layout of the computer's leads to its moves.
    fn seed(&self) -> u64 {
        let digest = Sha256::digest(format!("seed {} {}", self.stored.key, self.n));
        let bytes = digest.first_chunk().expect("a digest has 32 bytes");
        u64::from_le_bytes(*bytes)
    }

    pub(super) async fn on_thought(&mut self, thought: Thought) {
        let Some(Thinking { seat, .. }) = self.thinking.take() else { return };
        let entry = match thought {
            Ok(Ok(entry)) => Some(entry),
            Ok(Err(Fault(what))) => {
                let game = self.spec.id;
                (self.app.log)(&format!("The engine of {game} failed: {what}."));
                self.faults += 1;
                if self.faults < 2 {
                    self.think();
                    return;
                }
                None
            }
            // The pool let it go without an answer.
            Err(_) => {
                self.ask_again_ms = Some(self.app.now_ms() + AGAIN_MS);
                return;
            }
        };
        let choices = self.room.referee().choices(seat);
        let action = entry.and_then(|entry| match entry.act {
            kiban_core::Act::Move(text) if choices.iter().any(|c| c.text == text) => {
                Some(Action::Move(text))
            }
            kiban_core::Act::Call(call) if self.room.may_call(seat).contains(&call) => {
                Some(Action::Call(call))
            }
            other => {
                // What it said may be hidden from whoever reads the log.
                let kind = if matches!(other, kiban_core::Act::Move(_)) { "move" } else { "call" };
                let game = self.spec.id;
                (self.app.log)(&format!("The engine of {game} chose a {kind} it may not make."));
                None
            }
        });
        // The game must go on: a poor move is better than none.
        let first = || choices.first().map(|c| Action::Move(c.text.clone()));
        let Some(action) = action.or_else(first) else { return };
        match self.room.act(seat, &action, None, self.app.now_ms()) {
            Ok(event) => {
                let _ = self.commit(event, Some((seat, None))).await;
            }
            Err(refused) => (self.app.log)(&format!("The computer was refused: {refused}")),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop_thinking();
    }
}
