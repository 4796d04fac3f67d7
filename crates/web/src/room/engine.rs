//! The computer's turns: those of the game's own engine, and those of another program.

use super::Live;
use crate::engines::{Answered, Failed, Foreign, NoAnswer, fault_text};
use crate::pool::{Answer, Fault as PoolFault, Purpose, Wish};
use kiban_core::{Act, Call, Entry, Limits, Seat, Stop};
use kiban_play::Action;
use kiban_wire::Fault;
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::sync::oneshot;

/// Longest thought of a computer player: a level limits nodes, this only bounds a slow machine.
const LONGEST_THOUGHT_MS: u64 = 5_000;
/// With a clock, this part of what is left is spent on one ply.
const PART_OF_CLOCK: u64 = 30;
/// A busy pool is asked again this much later.
const AGAIN_MS: u64 = 500;
/// How often a program is asked for while as many run as may.
const MOST_WAITS: u8 = 60;

/// A search under way for this game.
pub(super) struct Thinking {
    seat: Seat,
    stop: Stop,
    answer: Awaited,
    /// Told when it begins, where it may have to wait for others.
    begins: Option<oneshot::Receiver<()>>,
}

enum Awaited {
    Own(Answer<Entry>),
    Program(Answered),
}

/// What came of it.
pub(super) enum Thought {
    /// Something to put.
    Entry(Entry),
    /// The game's own engine fell over; what it said.
    Fell(String),
    /// The other program failed.
    Failed(Failed),
    /// It has begun, after it had to wait.
    Begun,
    /// It was let go without an answer.
    None,
}

impl Thinking {
    /// The answer of the search under way; never, if there is none.
    pub(super) async fn answer(thinking: &mut Option<Thinking>) -> Thought {
        if let Some(begins) = thinking.as_mut().and_then(|thinking| thinking.begins.as_mut()) {
            return begins.await.map_or(Thought::None, |()| Thought::Begun);
        }
        match thinking.as_mut().map(|thinking| &mut thinking.answer) {
            Some(Awaited::Own(answer)) => match answer.await {
                Ok(Ok(entry)) => Thought::Entry(entry),
                Ok(Err(PoolFault(what))) => Thought::Fell(what),
                Err(_) => Thought::None,
            },
            Some(Awaited::Program(answer)) => match answer.await {
                Ok(Ok(entry)) => Thought::Entry(entry),
                Ok(Err(failed)) => Thought::Failed(failed),
                Err(_) => Thought::None,
            },
            None => std::future::pending().await,
        }
    }
}

impl Live {
    /// Has the computer think if it is its turn.
    pub(super) fn think(&mut self) {
        if let Some((seat, name)) = self.room.engine_to_move() {
            let name = name.to_string();
            return self.ask_program(seat, &name);
        }
        let Some((seat, level)) = self.room.computer_to_move() else { return };
        let stop = Stop::default();
        let limits = Limits {
            level: Some(level),
            time: Some(self.time_to_think(LONGEST_THOUGHT_MS)),
            seed: self.seed(),
            stop: stop.clone(),
            ..Limits::default()
        };
        // The clock is of the thinking, not of the waiting.
        let now = self.app.now_ms();
        let waits = self.app.pool.is_full();
        if waits {
            self.room.hold(now)
        } else {
            self.room.release(now)
        }
        let (begin, begins) = oneshot::channel();
        let begins = waits.then_some(begins);
        let job = self.room.referee().ask(seat);
        let wish = Wish { purpose: Purpose::Game, owner: self.id.clone(), stop: stop.clone() };
        let work = move |memory: &mut _| {
            // Nobody may want to know.
            let _ = begin.send(());
            job(memory, limits, &mut |_| ())
        };
        match self.app.pool.submit(wish, work) {
            Ok(answer) => {
                let answer = Awaited::Own(answer);
                self.thinking = Some(Thinking { seat, stop, answer, begins });
            }
            Err(_) => {
                self.room.hold(now);
                self.ask_again_ms = Some(now + AGAIN_MS);
            }
        }
    }

    /// Has another program think.
    fn ask_program(&mut self, seat: Seat, name: &str) {
        let named = self.app.engines.iter().find(|engine| engine.name == name);
        let most_ms = named.map_or(0, |engine| engine.time.as_millis() as u64);
        let time = Some(self.time_to_think(most_ms.max(20)));
        // A program that was asked nothing for a while has been ended; it is started once more.
        for _ in 0..2 {
            let foreign = match self.foreign.take() {
                Some(foreign) => Ok(foreign),
                None => Foreign::new(&self.app, self.spec, &self.room.head().variant, name),
            };
            let foreign = match foreign {
                Ok(foreign) => foreign,
                Err(NoAnswer::Busy) if self.faults < MOST_WAITS => {
                    self.faults += 1;
                    break;
                }
                Err(NoAnswer::Busy) => return self.has_failed("busy"),
                Err(_) => return self.has_failed("gone"),
            };
            let game = self.room.referee_at(self.room.referee().log().len());
            let Ok(game) = game else { return self.has_failed("untold") };
            let limits = Limits { time, ..Limits::default() };
            if let Some(answer) = foreign.ask(game, seat, limits, Box::new(|_| ())) {
                self.foreign = Some(foreign);
                let (stop, answer) = (Stop::default(), Awaited::Program(answer));
                self.thinking = Some(Thinking { seat, stop, answer, begins: None });
                self.room.release(self.app.now_ms());
                return;
            }
        }
        let now = self.app.now_ms();
        self.room.hold(now);
        self.ask_again_ms = Some(now + AGAIN_MS);
    }

    /// Ends a search nobody waits for any more.
    pub(super) fn stop_thinking(&mut self) {
        (self.ask_again_ms, self.given_up) = (None, None);
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.stop();
            if matches!(thinking.answer, Awaited::Program(_)) {
                // It may go on thinking for as long as it likes.
                self.foreign = None;
            }
        }
    }

    fn time_to_think(&self, most_ms: u64) -> Duration {
        let left = self.room.left_ms(self.app.now_ms());
        let part = left.map_or(most_ms, |left| left / PART_OF_CLOCK);
        Duration::from_millis(part.clamp(20, most_ms))
    }

    /// The same for the same ply of the same game, so that a restart does not change its mind. From
    /// the key: whoever knew it could try which layout of the computer's leads to its moves.
    fn seed(&self) -> u64 {
        let digest = Sha256::digest(format!("seed {} {}", self.stored.key, self.n));
        let bytes = digest.first_chunk().expect("a digest has 32 bytes");
        u64::from_le_bytes(*bytes)
    }

    pub(super) async fn on_thought(&mut self, thought: Thought) {
        if matches!(thought, Thought::Begun) {
            return self.on_begun();
        }
        let Some(Thinking { seat, answer, .. }) = self.thinking.take() else { return };
        let action = match (thought, answer) {
            (Thought::Entry(entry), Awaited::Own(_)) => self.own_choice(seat, entry),
            (Thought::Entry(entry), Awaited::Program(_)) => match entry.act {
                Act::Move(text) => Some(Action::Move(text)),
                Act::Call(call) => Some(Action::Call(call)),
                Act::Layout(_) | Act::Deal(_) => None,
            },
            (Thought::Fell(what), _) => {
                let game = self.spec.id;
                (self.app.log)(&format!("The engine of {game} failed: {what}."));
                self.faults += 1;
                if self.faults < 2 {
                    return self.think();
                }
                None
            }
            (Thought::Failed(failed), _) => return self.on_failure(seat, &failed).await,
            (Thought::None | Thought::Begun, _) => {
                self.ask_again_ms = Some(self.app.now_ms() + AGAIN_MS);
                return;
            }
        };
        // The game must go on: a poor move is better than none.
        let first = || {
            let choices = self.room.referee().choices(seat);
            choices.first().map(|c| Action::Move(c.text.clone()))
        };
        if let Some(action) = action.or_else(first) {
            self.play(seat, &action).await;
        }
    }

    /// A search that had to wait has begun, and with it the clock.
    fn on_begun(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.begins = None;
            self.room.release(self.app.now_ms());
            self.clock_since_ms = self.room.since_ms();
            self.push();
        }
    }

    async fn play(&mut self, seat: Seat, action: &Action) {
        match self.room.act(seat, action, None, self.app.now_ms()) {
            Ok(event) => {
                let _ = self.commit(event, Some((seat, None))).await;
            }
            Err(refused) => (self.app.log)(&format!("The computer was refused: {refused}")),
        }
    }

    /// What the game's own engine chose, if it may.
    fn own_choice(&self, seat: Seat, entry: Entry) -> Option<Action> {
        let kind = match entry.act {
            Act::Move(text) => {
                let choices = self.room.referee().choices(seat);
                if choices.iter().any(|c| c.text == text) {
                    return Some(Action::Move(text));
                }
                "move"
            }
            Act::Call(call) if self.room.may_call(seat).contains(&call) => {
                return Some(Action::Call(call));
            }
            _ => "call",
        };
        // What it said may be hidden from whoever reads the log.
        let game = self.spec.id;
        (self.app.log)(&format!("The engine of {game} chose a {kind} it may not make."));
        None
    }

    /// Another program failed: where that may mend it, it is started afresh once; then it resigns.
    async fn on_failure(&mut self, seat: Seat, failed: &Failed) {
        if failed.fault == Fault::Stopped {
            return;
        }
        (self.app.log)(&format!("A program that plays failed: {failed}"));
        self.foreign = None;
        self.faults = self.faults.saturating_add(1);
        if self.faults < 2 && failed.may_pass() {
            return self.think();
        }
        let fault = failed.text(self.words());
        self.give_up(seat, &fault).await;
    }

    /// A program that cannot even be asked gives up as soon as this turn of the game's task ends.
    fn has_failed(&mut self, what: &'static str) {
        self.given_up = Some(what);
        self.ask_again_ms = Some(self.app.now_ms());
    }

    /// What is left of a program's game: it resigns, and everybody is told why.
    async fn give_up(&mut self, seat: Seat, fault: &str) {
        self.foreign = None;
        self.engine_failed = Some(self.words().text("engine-resigns", &[("fault", fault)]));
        if self.room.may_call(seat).contains(&Call::Resign) {
            return self.play(seat, &Action::Call(Call::Resign)).await;
        }
        let first = self.room.referee().choices(seat).into_iter().next();
        if let Some(choice) = first {
            self.play(seat, &Action::Move(choice.text)).await;
        }
    }

    /// Asks again for a thought that could not be had before.
    pub(super) async fn think_again(&mut self) {
        match (self.given_up.take(), self.room.engine_to_move()) {
            (Some(what), Some((seat, name))) => {
                let fault = fault_text(self.words(), what, name, "");
                self.give_up(seat, &fault).await;
            }
            _ => self.think(),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop_thinking();
    }
}
