//! The computer's turns: those of the game's own engine, and those of another program.

use super::Live;
use crate::engines::{Foreign, NoAnswer};
use crate::pool::{Answer, Fault, Purpose, Wish};
use kiban_core::{Act, Call, Entry, Limits, Seat, Stop};
use kiban_play::Action;
use kiban_wire::Fault as ProgramFault;
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::sync::oneshot;

/// Longest thought of a computer player: a level limits nodes, this only bounds a slow machine.
const LONGEST_THOUGHT_MS: u64 = 5_000;
/// Longest thought of another program.
const PROGRAM_MS: u64 = 1_000;
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
}

enum Awaited {
    Own(Answer<Entry>),
    Program(oneshot::Receiver<Result<Entry, ProgramFault>>),
}

/// What came of it.
pub(super) enum Thought {
    /// Something to put.
    Entry(Entry),
    /// The game's own engine fell over; what it said.
    Fell(String),
    /// The other program failed.
    Failed(ProgramFault),
    /// It was let go without an answer.
    None,
}

impl Thinking {
    /// The answer of the search under way; never, if there is none.
    pub(super) async fn answer(thinking: &mut Option<Thinking>) -> Thought {
        match thinking.as_mut().map(|thinking| &mut thinking.answer) {
            Some(Awaited::Own(answer)) => match answer.await {
                Ok(Ok(entry)) => Thought::Entry(entry),
                Ok(Err(Fault(what))) => Thought::Fell(what),
                Err(_) => Thought::None,
            },
            Some(Awaited::Program(answer)) => match answer.await {
                Ok(Ok(entry)) => Thought::Entry(entry),
                Ok(Err(fault)) => Thought::Failed(fault),
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
        let job = self.room.referee().ask(seat);
        let wish = Wish { purpose: Purpose::Game, owner: self.id.clone(), stop: stop.clone() };
        match self.app.pool.submit(wish, move |memory| job(memory, limits, &mut |_| ())) {
            Ok(answer) => {
                let answer = Awaited::Own(answer);
                self.thinking = Some(Thinking { seat, stop, answer });
            }
            Err(_) => self.ask_again_ms = Some(self.app.now_ms() + AGAIN_MS),
        }
    }

    /// Has another program think.
    fn ask_program(&mut self, seat: Seat, name: &str) {
        let time = Some(self.time_to_think(PROGRAM_MS));
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
                self.thinking = Some(Thinking { seat, stop, answer });
                return;
            }
        }
        self.ask_again_ms = Some(self.app.now_ms() + AGAIN_MS);
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
        let left = self.room.deadline_ms().map(|end| end.saturating_sub(self.app.now_ms()));
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
        let Some(Thinking { seat, answer, .. }) = self.thinking.take() else { return };
        let action = match (thought, answer) {
            (Thought::Entry(entry), Awaited::Own(_)) => self.own_choice(seat, entry),
            (Thought::Entry(entry), Awaited::Program(_)) => match self.program_choice(entry) {
                Some(action) => Some(action),
                None => return self.give_up(seat, "illegal").await,
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
            (Thought::Failed(fault), _) => return self.on_fault(seat, &fault).await,
            (Thought::None, _) => {
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

    /// What another program chose, in canonical words. Of a move that breaks a rule, in an official
    /// game, the referee makes a foul; in a guided one it is none.
    fn program_choice(&self, entry: Entry) -> Option<Action> {
        let before = self.room.referee().log().len();
        let mut game = self.room.referee_at(before).ok()?;
        game.put(&entry).ok()?;
        match &game.log().get(before)?.act {
            Act::Move(text) => Some(Action::Move(text.clone())),
            Act::Call(call) => Some(Action::Call(*call)),
            Act::Layout(_) | Act::Deal(_) => None,
        }
    }

    /// Another program failed: it is started afresh once, then it resigns.
    async fn on_fault(&mut self, seat: Seat, fault: &ProgramFault) {
        let what = match fault {
            ProgramFault::Crash(_) => "crash",
            ProgramFault::Stall(_) => "stall",
            ProgramFault::Wrong(_) => "wrong",
            ProgramFault::Untold(_) => "untold",
            ProgramFault::Stopped => return,
        };
        (self.app.log)(&format!("A program that plays failed: {fault}"));
        self.foreign = None;
        self.faults = self.faults.saturating_add(1);
        if self.faults < 2 && what != "untold" {
            return self.think();
        }
        self.give_up(seat, what).await;
    }

    /// A program that cannot even be asked gives up as soon as this turn of the game's task ends.
    fn has_failed(&mut self, what: &'static str) {
        self.given_up = Some(what);
        self.ask_again_ms = Some(self.app.now_ms());
    }

    /// What is left of a program's game: it resigns, and everybody is told why.
    pub(super) async fn give_up(&mut self, seat: Seat, what: &str) {
        self.foreign = None;
        let name = self.room.engine_to_move().map_or("", |(_, name)| name);
        let key = format!("engine-failed-{what}");
        self.engine_failed = Some(self.words().text(&key, &[("name", name)]));
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
            (Some(what), Some((seat, _))) => self.give_up(seat, what).await,
            _ => self.think(),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop_thinking();
    }
}
