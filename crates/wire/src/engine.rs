//! Somebody else's engine: a process, its pilot, and what is made of its behaviour.

use crate::names::plain_name;
use crate::process::{NoLine, Process, WAITING_LINES, split_command};
use kiban_core::{Act, Arbiter, Heard, Limits, Pilot, ReadError, Report, Seat, Stop};
use std::path::Path;
use std::time::{Duration, Instant};

/// What is wrong with an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// There is no such program, or it cannot be run.
    #[error("{0}")]
    Absent(String),
    /// It was started and did not get ready.
    #[error("{0}")]
    Unready(String),
    /// It ended by itself, or closed its output.
    #[error("{0}")]
    Ended(String),
    /// It did not answer.
    #[error("The engine did not answer within {:.1} s.", .0.as_secs_f64())]
    Stall(Duration),
    /// It said what is no answer.
    #[error("{0}")]
    Wrong(String),
    /// It answered with a move or call that the rules do not allow there.
    #[error("The engine answered with {0}, which is not allowed there.")]
    Illegal(String),
    /// The game cannot be told in its protocol.
    #[error("{0}")]
    Untold(ReadError),
    /// The waiting was stopped from outside.
    #[error("The game was stopped.")]
    Stopped,
}

/// An engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move or call as it said it.
    pub act: Act,
    /// How long it took.
    pub spent: Duration,
}

/// A running engine. Dropping it says goodbye and ends the process.
pub struct Engine {
    command: String,
    process: Process,
    pilot: Box<dyn Pilot>,
    stop: Stop,
}

/// How often the switch is looked at while waiting.
const LOOK: Duration = Duration::from_millis(20);
/// How long a process that closed its output may take to end.
const ENDING: Duration = Duration::from_millis(300);

impl Engine {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started, ends, or is not ready within `patience`.
    pub fn start(
        command: &str,
        mut pilot: Box<dyn Pilot>,
        options: &[(String, String)],
        patience: Duration,
        stop: &Stop,
    ) -> Result<Engine, Fault> {
        let process = Process::start(command).map_err(|e| {
            let folder = split_command(command).first().is_some_and(|p| Path::new(p).is_dir());
            let why = if folder { "it is a folder".to_string() } else { e.to_string() };
            Fault::Absent(format!(
                "The engine \"{command}\" cannot be started: {why}; check its path."
            ))
        })?;
        pilot.greet(options, &mut |line| process.send(line));
        let command = command.to_string();
        let mut engine = Engine { command, process, pilot, stop: stop.clone() };
        let ready = |heard| (heard == Heard::Ready).then_some(Ok(()));
        match engine.wait(patience, None, ready) {
            Ok(()) => Ok(engine),
            Err(Fault::Stall(patience)) => Err(Fault::Unready(format!(
                "The engine \"{}\" was not ready within {:.1} s; check that it speaks this protocol.",
                engine.command,
                patience.as_secs_f64()
            ))),
            Err(fault) => Err(fault),
        }
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// [`Fault::Untold`] if the protocol cannot say this game.
    pub fn begin(&mut self, game: &dyn Arbiter) -> Result<(), Fault> {
        let process = &self.process;
        self.pilot.begin(game, &mut |line| process.send(line)).map_err(Fault::Untold)
    }

    /// Asks for the entry of the seat whose turn it is and waits for it.
    ///
    /// # Errors
    /// If no answer comes within `patience`, or none that says anything.
    pub fn ask(
        &mut self,
        game: &dyn Arbiter,
        seat: Seat,
        limits: &Limits,
        patience: Duration,
    ) -> Result<Answer, Fault> {
        self.answer(game, seat, limits, patience, None, &mut |_| {})
    }

    /// The same, telling what the engine thinks until it answers. Once its time is up it is asked
    /// to answer now, in protocols that have a word for that.
    ///
    /// # Errors
    /// As [`Engine::ask`].
    pub fn think(
        &mut self,
        game: &dyn Arbiter,
        seat: Seat,
        limits: &Limits,
        patience: Duration,
        told: &mut dyn FnMut(Report),
    ) -> Result<Answer, Fault> {
        self.answer(game, seat, limits, patience, limits.time, told)
    }

    fn answer(
        &mut self,
        game: &dyn Arbiter,
        seat: Seat,
        limits: &Limits,
        patience: Duration,
        hurry: Option<Duration>,
        told: &mut dyn FnMut(Report),
    ) -> Result<Answer, Fault> {
        self.catch_up();
        let begun = Instant::now();
        let process = &self.process;
        self.pilot.ask(game, seat, limits, &mut |line| process.send(line));
        let act = self.wait(patience, hurry, |heard| match heard {
            Heard::Says(act) => Some(Ok(act)),
            Heard::Concludes(report, act) => {
                told(report);
                Some(Ok(act))
            }
            Heard::Wrong(text) => Some(Err(Fault::Wrong(text))),
            Heard::Thinks(report) => {
                told(report);
                None
            }
            Heard::Nothing | Heard::Ready => None,
        })?;
        Ok(Answer { act, spent: begun.elapsed() })
    }

    /// Tells that the game is over, and whether the engine won, if anybody did.
    pub fn over(&mut self, won: Option<bool>) {
        let process = &self.process;
        self.pilot.over(won, &mut |line| process.send(line));
    }

    /// The engine's name, if it told one, without what cannot be seen.
    pub fn name(&self) -> Option<String> {
        self.pilot.name().map(plain_name).filter(|name| !name.is_empty())
    }

    /// What the engine will not do as its user wants it to, a sentence each.
    pub fn doubts(&self, limits: &Limits) -> Vec<String> {
        self.pilot.doubts(limits)
    }

    /// Hears what was said without being asked: it must not pass for an answer to what is asked
    /// next.
    fn catch_up(&mut self) {
        for _ in 0..WAITING_LINES {
            let Ok(line) = self.process.line(Duration::ZERO) else { return };
            let process = &self.process;
            self.pilot.hear(&line, &mut |line| process.send(line));
        }
    }

    /// Waits for what `wanted` wants to hear; after `hurry` it is asked for.
    fn wait<T>(
        &mut self,
        patience: Duration,
        mut hurry: Option<Duration>,
        mut wanted: impl FnMut(Heard) -> Option<Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let begun = Instant::now();
        loop {
            if hurry.take_if(|time| begun.elapsed() >= *time).is_some() {
                let process = &self.process;
                self.pilot.hurry(&mut |line| process.send(line));
            }
            let left = patience.saturating_sub(begun.elapsed());
            match self.process.line(left.min(LOOK)) {
                Ok(line) => {
                    let process = &self.process;
                    let heard = self.pilot.hear(&line, &mut |line| process.send(line));
                    if let Some(done) = wanted(heard) {
                        return done;
                    }
                }
                Err(NoLine::Ended) => return Err(self.has_ended()),
                Err(NoLine::Late) => {}
            }
            if self.stop.stopped() {
                return Err(Fault::Stopped);
            }
            // Lines that keep coming without an answer are no answer, either.
            if begun.elapsed() >= patience {
                return Err(Fault::Stall(patience));
            }
        }
    }

    fn has_ended(&mut self) -> Fault {
        let how = match self.process.ended(ENDING) {
            Some(status) => format!("The engine \"{}\" ended by itself ({status}).", self.command),
            None => format!("The engine \"{}\" closed its output.", self.command),
        };
        Fault::Ended(how)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let process = &self.process;
        self.pilot.part(&mut |line| process.send(line));
    }
}
