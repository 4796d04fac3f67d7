//! Engine protocols: line by line, without IO. `kiban_wire` owns threads, pipes and processes.

use crate::{Act, Arbiter, Entry, Limits, Mate, ReadError, Report, Seat, Variant, Workspace};
use std::time::Duration;

/// A protocol between engines and their users, spoken in lines.
pub struct Protocol {
    /// The id: `usi`, `nboard`, ...
    pub id: &'static str,
    /// Speaks as an engine.
    pub engine: Option<MakeEngine>,
    /// Speaks to an engine.
    pub pilot: Option<MakePilot>,
}

/// Makes an engine's side for games of this variant.
pub type MakeEngine = fn(&Variant) -> Box<dyn Conversation>;
/// Makes the side of an engine's user, for games of this variant.
pub type MakePilot = fn(&Variant) -> Box<dyn Pilot>;

/// Whether a conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It does.
    Go,
    /// The other side has said goodbye.
    Quit,
}

/// An engine's side of a protocol: a state machine. Everything it does goes through the desk.
pub trait Conversation: Send {
    /// Takes a line, without its end.
    fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow;
    /// The running search has reported.
    fn heard(&mut self, report: &Report, desk: &mut dyn Desk);
    /// The running search is done; not called for an abandoned one.
    fn found(&mut self, found: Found, desk: &mut dyn Desk);
    /// There will be no more lines. The conversation is over once no search is on; as a rule the
    /// one that is on is stopped, and what it found is still told.
    fn ended(&mut self, desk: &mut dyn Desk) {
        desk.stop();
    }
}

/// What a conversation may do.
pub trait Desk {
    /// Says a line; it leaves at once.
    fn say(&mut self, line: &str);
    /// Starts a search in the background; one that is running is abandoned. The desk puts its own
    /// switch into `limits.stop`.
    fn start(&mut self, task: Task, limits: Limits, pace: Pace);
    /// Ends the search soon; what it found is told.
    fn stop(&mut self);
    /// Ends the search soon; what it found is not told.
    fn abandon(&mut self);
    /// Ends the holding back of [`Pace::held`]: the clock runs from now on.
    fn release(&mut self);
    /// Whether a search is running or held back.
    fn busy(&self) -> bool;
    /// Whether the search that was told of last had been stopped, by whatever, before its end.
    fn was_stopped(&self) -> bool;
    /// Time since the last search was started.
    fn elapsed(&self) -> Duration;
    /// Clears the engine's memory before the next search.
    fn forget(&mut self);
    /// Ends the conversation once no search is on, as [`Flow::Quit`] does at once.
    fn leave(&mut self);
    /// Reads a file that the user has named; of a very large one only the beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, ReadError>;
}

/// When a search ends besides its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// A report after this time ends it.
    pub soft: Option<Duration>,
    /// This time ends it.
    pub hard: Option<Duration>,
    /// What was found is not told before [`Desk::stop`] or [`Desk::release`], and the times count
    /// from the release.
    pub held: bool,
}

/// Something to do on the search thread.
pub type Task = Box<dyn FnOnce(&mut Workspace, Limits, &mut dyn FnMut(Report)) -> Found + Send>;

/// What came of a task.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// A move or call.
    Entry(Entry),
    /// A mate, or none.
    Mate(Mate),
    /// The search failed by a fault of the program.
    Fault,
}

/// Speaks to an engine that plays a seat: a state machine without IO. `send` takes whole lines.
pub trait Pilot: Send {
    /// Greets an engine that was just started, and passes options (name, value) on. The engine is
    /// ready when [`Heard::Ready`] comes.
    fn greet(&mut self, options: &[(String, String)], send: &mut dyn FnMut(String));
    /// A new game is to begin; nothing was played beyond its opening.
    ///
    /// # Errors
    /// If the protocol cannot say this game's start or variant.
    fn begin(&mut self, game: &dyn Arbiter, send: &mut dyn FnMut(String)) -> Result<(), ReadError>;
    /// Asks for the entry of the seat whose turn it is. Only `time`, `nodes`, `depth`, `lines` and
    /// `clocks` of the limits are meant.
    fn ask(
        &mut self,
        game: &dyn Arbiter,
        seat: Seat,
        limits: &Limits,
        send: &mut dyn FnMut(String),
    );
    /// The time of what was asked is up: the engine is to answer now, if the protocol has a word for
    /// that.
    fn hurry(&mut self, send: &mut dyn FnMut(String)) {
        let _ = send;
    }
    /// Takes a line of the engine.
    fn hear(&mut self, line: &str, send: &mut dyn FnMut(String)) -> Heard;
    /// The game is over; whether the engine won, if anybody did.
    fn over(&mut self, won: Option<bool>, send: &mut dyn FnMut(String));
    /// Says goodbye.
    fn part(&mut self, send: &mut dyn FnMut(String));
    /// The engine's name, once it has told it, as it told it.
    fn name(&self) -> Option<&str>;
    /// What the engine, once it is ready, will not do as its user wants it to, a sentence each: an
    /// option it does not have, a clock of these limits that the protocol cannot tell.
    fn doubts(&self, limits: &Limits) -> Vec<String> {
        let _ = limits;
        Vec::new()
    }
}

/// What a line of an engine means to its pilot's user.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    /// Nothing of importance.
    Nothing,
    /// It is ready to play.
    Ready,
    /// It has told what it thinks so far. Moves need not be canonical or legal.
    Thinks(Report),
    /// It has answered: a move or a call. The text need not be canonical or legal.
    Says(Act),
    /// It has answered, and told what it thinks with the same words.
    Concludes(Report, Act),
    /// It said what the protocol does not know as an answer; one sentence.
    Wrong(String),
}
