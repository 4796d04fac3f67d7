//! Other programs that play or analyse here: only those the operator named.
//!
//! Each game or page that uses one has a process of its own, led by a thread of its own. It ends
//! with whoever uses it, and after a while without questions. How many run is bounded.

use crate::app::App;
use kiban_core::{
    Act, Arbiter, Conduct, Entry, GameSpec, Limits, MakePilot, Report, Seat, Stop, Variant,
};
use kiban_wire::{Engine, Fault, plain_name};
use kiban_words::Words;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// Processes at a time.
pub(crate) const MOST_ENGINES: usize = 8;
/// How long a program may take to get ready.
pub(crate) const STARTING: Duration = Duration::from_secs(10);
/// A program that is asked nothing for this long is ended; the next question starts it again.
const IDLE: Duration = Duration::from_secs(120);
/// What a program is given for a move of a game, unless the operator says otherwise, and at most.
const A_MOVE: Duration = Duration::from_secs(1);
const LONGEST_MOVE: Duration = Duration::from_secs(60);

/// Another program, as the operator named it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// What people choose it by.
    pub name: String,
    /// The protocol it speaks; the games it plays are those that have it.
    pub protocol: String,
    /// Its command line; no shell is asked.
    pub command: String,
    /// Its own options, name and value, set when it is started.
    pub options: Vec<(String, String)>,
    /// What it is given for a move of a game; with a clock it may be less.
    pub time: Duration,
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
        if command.is_empty() || !known.contains(&protocol) {
            return Err(wrong());
        }
        if !(1..=40).contains(&name.chars().count()) || plain_name(name) != name {
            return Err(format!("{}, and a NAME of 1 to 40 characters that are seen", wrong()));
        }
        let [name, protocol, command] = [name, protocol, command].map(str::to_string);
        Ok(EngineOption { name, protocol, command, options: Vec::new(), time: A_MOVE })
    }

    /// Adds an option of its own to one of these programs: `NAME:OPTION=VALUE`.
    ///
    /// # Errors
    /// A sentence, if there is no such program or something is missing.
    pub fn set_option(engines: &mut [EngineOption], text: &str) -> Result<(), String> {
        let (engine, rest) = EngineOption::named(engines, text, ':')?;
        let (option, value) = rest.split_once('=').unwrap_or((rest, ""));
        let (option, value) = (option.trim(), value.trim());
        if option.is_empty() || !rest.contains('=') || rest.contains(char::is_control) {
            return Err(format!("\"{text}\" sets no option; write NAME:OPTION=VALUE"));
        }
        engine.options.push((option.to_string(), value.to_string()));
        Ok(())
    }

    /// Gives one of these programs another time for its moves: `NAME=SECONDS`.
    ///
    /// # Errors
    /// A sentence, if there is no such program or that is no time.
    pub fn set_time(engines: &mut [EngineOption], text: &str) -> Result<(), String> {
        let (engine, rest) = EngineOption::named(engines, text, '=')?;
        let time = rest.trim().parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
        let fits = |t: &Duration| (Duration::from_millis(10)..=LONGEST_MOVE).contains(t);
        engine.time = time.filter(fits).ok_or_else(|| {
            format!("\"{text}\" is no time for a move; write NAME=SECONDS, from 0.01 to 60")
        })?;
        Ok(())
    }

    /// The program whose name and this sign a text begins with, and what follows. A name may hold
    /// the sign itself.
    fn named<'a, 't>(
        engines: &'a mut [EngineOption],
        text: &'t str,
        sign: char,
    ) -> Result<(&'a mut EngineOption, &'t str), String> {
        let names: Vec<&str> = engines.iter().map(|e| e.name.as_str()).collect();
        let known = names.join(", ");
        let begins = |e: &EngineOption| {
            let rest = text.trim_start().strip_prefix(e.name.as_str())?;
            Some((e.name.len(), rest.trim_start().strip_prefix(sign)?))
        };
        let found = engines.iter().enumerate().filter_map(|(i, e)| begins(e).map(|b| (i, b)));
        let (i, (_, rest)) = found.max_by_key(|(_, (length, _))| *length).ok_or_else(|| {
            let known = if known.is_empty() { "there is none".to_string() } else { known };
            format!(
                "\"{text}\" does not begin with the name of an --engine and \"{sign}\" ({known})"
            )
        })?;
        Ok((&mut engines[i], rest))
    }

    fn pilot(&self, spec: &GameSpec) -> Option<MakePilot> {
        spec.protocols.iter().find(|p| p.id == self.protocol).and_then(|p| p.pilot)
    }

    /// Starts it and tells the operator if it does not get ready.
    fn check(&self, app: &App, stop: &Stop) {
        let pilots = app.games.iter().filter_map(|spec| Some((spec, self.pilot(spec)?)));
        for (spec, pilot) in pilots.take(1) {
            let variant = spec.variant("").expect("every game has a default variant");
            let pilot = pilot(&variant);
            match Engine::start(&self.command, pilot, &self.options, STARTING, stop) {
                Ok(engine) => {
                    let limits = Limits { time: Some(self.time), ..Limits::default() };
                    for doubt in engine.doubts(&limits) {
                        (app.log)(&format!("\"{}\": {doubt}", self.name));
                    }
                }
                Err(Fault::Stopped) => {}
                Err(fault) => {
                    let failed = Failed { name: self.name.clone(), fault };
                    (app.log)(&format!("Nobody will be able to play {failed}"));
                }
            }
        }
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

/// What became of a program that was asked.
#[derive(Debug)]
pub(crate) struct Failed {
    /// What people know it by.
    pub(crate) name: String,
    pub(crate) fault: Fault,
}

impl std::fmt::Display for Failed {
    /// For the operator: the command may be named.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\": {}", self.name, self.fault)
    }
}

impl Failed {
    /// Whether a fresh start may mend it. Whoever is silent once would be waited for twice.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self.fault, Fault::Ended(_) | Fault::Wrong(_))
    }

    /// What everybody may read, without an end.
    pub(crate) fn text(&self, words: &Words) -> String {
        let (what, said) = match &self.fault {
            Fault::Absent(_) => ("absent", ""),
            Fault::Unready(_) => ("unready", ""),
            Fault::Ended(_) | Fault::Stopped => ("ended", ""),
            Fault::Stall(_) => ("stall", ""),
            Fault::Wrong(_) => ("wrong", ""),
            Fault::Illegal(said) => ("illegal", said.as_str()),
            Fault::Untold(_) => ("untold", ""),
        };
        fault_text(words, what, &self.name, said)
    }
}

/// What a program did wrong, without an end: the message `engine-fault-WHAT`.
pub(crate) fn fault_text(words: &Words, what: &str, name: &str, said: &str) -> String {
    let seconds = STARTING.as_secs().to_string();
    let values = [("name", name), ("move", said), ("seconds", &seconds)];
    words.text(&format!("engine-fault-{what}"), &values)
}

/// The answer of a program, in canonical words, that the rules allow or a referee is to judge.
pub(crate) type Answered = oneshot::Receiver<Result<Entry, Failed>>;

/// What a program is asked.
struct Question {
    game: Box<dyn Arbiter>,
    seat: Seat,
    limits: Limits,
    report: Box<dyn FnMut(Report) + Send>,
    done: oneshot::Sender<Result<Entry, Failed>>,
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
            option: option.clone(),
            pilot,
            variant,
            starting: Duration::from_millis(app.engine_starting_ms.load(Ordering::Relaxed)),
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
    ) -> Option<Answered> {
        let (done, answer) = oneshot::channel();
        self.questions.try_send(Question { game, seat, limits, report, done }).ok()?;
        Some(answer)
    }
}

/// The thread that leads a process.
struct Leader {
    option: EngineOption,
    pilot: MakePilot,
    variant: Variant,
    /// How long it may take to get ready.
    starting: Duration,
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
                    let name = || self.option.name.clone();
                    let answer = answer.map_err(|fault| Failed { name: name(), fault });
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
            let EngineOption { command, options, .. } = &self.option;
            let mut engine = Engine::start(command, pilot, options, self.starting, &self.stop)?;
            engine.begin(game.as_ref())?;
            self.engine = Some(engine);
        }
        let engine = self.engine.as_mut().expect("just started");
        let patience = limits.time.unwrap_or_default() + self.patience;
        let answer = engine.think(game.as_ref(), *seat, limits, patience, &mut **report)?;
        let entry = match answer.act {
            Act::Call(call) => Entry::new_call(*seat, call),
            act => Entry { by: (*seat).into(), act },
        };
        judged(game.as_mut(), entry)
    }
}

/// An answer in canonical words, once it was put. Of a move that breaks a rule the referee of an
/// official game makes a foul; elsewhere it is no answer.
fn judged(game: &mut dyn Arbiter, entry: Entry) -> Result<Entry, Fault> {
    let before = game.log().len();
    let put = game.put(&entry).is_ok();
    let foul = game.ending().is_some_and(|ending| ending.foul.is_some());
    let allowed = put && (!foul || game.conduct() == Conduct::Official);
    match game.log().get(before).filter(|_| allowed) {
        Some(canonical) => Ok(canonical.clone()),
        None => Err(Fault::Illegal(said(&entry.act))),
    }
}

/// What was said, as far as it can be shown.
fn said(act: &Act) -> String {
    match act {
        Act::Call(call) => call.slug().to_string(),
        Act::Move(text) => plain_name(text).chars().take(20).collect(),
        Act::Layout(_) | Act::Deal(_) => String::new(),
    }
}

/// Each program being started once, so that the operator hears early of one that does not answer.
/// Dropping it ends the check.
pub(crate) struct Check {
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Check {
    /// Begins the check in the background.
    pub(crate) fn begin(app: &Arc<App>) -> Check {
        let stop = Stop::default();
        let (app, stopped) = (Arc::clone(app), stop.clone());
        let thread = std::thread::Builder::new().name("engine check".to_string());
        let check = move || app.engines.iter().for_each(|engine| engine.check(&app, &stopped));
        Check { stop, thread: thread.spawn(check).ok() }
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            // Its panics would have been told; a process does not outlive it.
            let _ = thread.join();
        }
    }
}
