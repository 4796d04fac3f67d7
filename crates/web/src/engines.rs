//! Other programs that play or analyse here: only those the operator named.
//!
//! Each game or page that uses one has a process of its own, led by a thread of its own. It ends
//! with whoever uses it, and after a while without questions. How many run is bounded.

use crate::app::App;
use kiban_core::{Act, Arbiter, Entry, GameSpec, Limits, MakePilot, Report, Seat, Stop, Variant};
use kiban_wire::{Engine, Fault};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// Processes at a time.
pub(crate) const MOST_ENGINES: usize = 8;
/// How long a program may take to start.
const STARTING: Duration = Duration::from_secs(20);
/// A program that is asked nothing for this long is ended; the next question starts it again.
const IDLE: Duration = Duration::from_secs(120);

/// Another program, as the operator named it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// What people choose it by.
    pub name: String,
    /// The protocol it speaks; the games it plays are those that have it.
    pub protocol: String,
    /// Its command line; no shell is asked.
    pub command: String,
}

impl EngineOption {
    /// Reads `NAME=PROTOCOL:COMMAND`.
    ///
    /// # Errors
    /// A sentence that says what is missing, with the protocols that these games have.
    pub fn read(text: &str, games: &[&'static GameSpec]) -> Result<EngineOption, String> {
        let protocols = games.iter().flat_map(|g| g.protocols).filter(|p| p.pilot.is_some());
        let mut known: Vec<&str> = protocols.map(|p| p.id).collect();
        known.sort_unstable();
        known.dedup();
        let wrong = || {
            let known = known.join(", ");
            format!("write NAME=PROTOCOL:COMMAND, with one of the protocols {known}")
        };
        let (name, how) = text.split_once('=').ok_or_else(wrong)?;
        let (protocol, command) = how.split_once(':').ok_or_else(wrong)?;
        let (name, protocol, command) = (name.trim(), protocol.trim(), command.trim());
        let plain = (1..=40).contains(&name.chars().count()) && !name.chars().any(char::is_control);
        if !plain || command.is_empty() || !known.contains(&protocol) {
            return Err(wrong());
        }
        let [name, protocol, command] = [name, protocol, command].map(str::to_string);
        Ok(EngineOption { name, protocol, command })
    }

    fn pilot(&self, spec: &GameSpec) -> Option<MakePilot> {
        spec.protocols.iter().find(|p| p.id == self.protocol).and_then(|p| p.pilot)
    }

    /// Whether it can play this game.
    pub(crate) fn plays(&self, spec: &GameSpec) -> bool {
        self.pilot(spec).is_some()
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// As many programs run as may.
    Busy,
    /// The operator has named no such program for this game, or does not any more.
    Unknown,
}

/// What a program is asked.
struct Question {
    game: Box<dyn Arbiter>,
    seat: Seat,
    limits: Limits,
    report: Box<dyn FnMut(Report) + Send>,
    done: oneshot::Sender<Result<Entry, Fault>>,
}

/// A program at work for one game or page. Dropping it ends the process.
pub(crate) struct Foreign {
    questions: SyncSender<Question>,
    stop: Stop,
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Foreign {
    /// Gets a thread ready for the program of this name; it is started by the first question.
    pub(crate) fn new(
        app: &App,
        spec: &GameSpec,
        variant: &str,
        name: &str,
    ) -> Result<Foreign, NoAnswer> {
        let option = app.engines.iter().find(|e| e.name == name).ok_or(NoAnswer::Unknown)?;
        let pilot = option.pilot(spec).ok_or(NoAnswer::Unknown)?;
        let variant = spec.variant(variant).map_err(|_| NoAnswer::Unknown)?;
        let place = Arc::clone(&app.engine_places).try_acquire_owned();
        let place = place.map_err(|_| NoAnswer::Busy)?;
        let (questions, asked) = sync_channel(1);
        let stop = Stop::default();
        let leader = Leader {
            command: option.command.clone(),
            pilot,
            variant,
            patience: Duration::from_millis(app.engine_patience_ms.load(Ordering::Relaxed)),
            stop: stop.clone(),
            engine: None,
            _place: place,
        };
        let thread = std::thread::Builder::new().name("foreign engine".to_string());
        thread.spawn(move || leader.work(&asked)).map_err(|_| NoAnswer::Busy)?;
        Ok(Foreign { questions, stop })
    }

    /// Asks for the entry of the seat whose turn it is. `None` if the program was ended meanwhile,
    /// since nobody had asked it anything for a while.
    pub(crate) fn ask(
        &self,
        game: Box<dyn Arbiter>,
        seat: Seat,
        limits: Limits,
        report: Box<dyn FnMut(Report) + Send>,
    ) -> Option<oneshot::Receiver<Result<Entry, Fault>>> {
        let (done, answer) = oneshot::channel();
        self.questions.try_send(Question { game, seat, limits, report, done }).ok()?;
        Some(answer)
    }
}

/// The thread that leads a process.
struct Leader {
    command: String,
    pilot: MakePilot,
    variant: Variant,
    /// How much later than its time its answer is still waited for.
    patience: Duration,
    /// Thrown when whoever uses the program goes.
    stop: Stop,
    engine: Option<Engine>,
    _place: OwnedSemaphorePermit,
}

impl Leader {
    fn work(mut self, asked: &Receiver<Question>) {
        loop {
            match asked.recv_timeout(IDLE) {
                Ok(mut question) => {
                    let answer = self.answer(&mut question);
                    if answer.is_err() {
                        // It may be in any state.
                        self.engine = None;
                    }
                    let _ = question.done.send(answer);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn answer(&mut self, question: &mut Question) -> Result<Entry, Fault> {
        let Question { game, seat, limits, report, .. } = question;
        if self.engine.is_none() {
            let pilot = (self.pilot)(&self.variant);
            let mut engine = Engine::start(&self.command, pilot, &[], STARTING, &self.stop)?;
            engine.begin(game.as_ref())?;
            self.engine = Some(engine);
        }
        let engine = self.engine.as_mut().expect("just started");
        let patience = limits.time.unwrap_or_default() + self.patience;
        let answer = engine.think(game.as_ref(), *seat, limits, patience, &mut **report)?;
        Ok(match answer.act {
            Act::Call(call) => Entry::new_call(*seat, call),
            act => Entry { by: (*seat).into(), act },
        })
    }
}
