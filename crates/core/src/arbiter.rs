//! The object-safe face of a game: what the server, the command line and the tests talk to.

use crate::{
    Arrangement, Call, Conduct, Dice, Ending, Entry, GameSpec, Job, Reason, Record, Refusal, Scene,
    Seat, Seats, Seen, Taps, Viewer,
};
use serde::Serialize;

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Layouts or a deal are owed.
    Layout,
    /// Moves are made.
    Play,
    /// It has ended.
    Over,
}

/// A move a seat may make.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// Its canonical text.
    pub text: String,
    /// The path of taps that says it.
    pub taps: Taps,
}

/// A game being refereed. Implemented once, by `Table`.
pub trait Arbiter: Send {
    /// The game's entry in the registry.
    fn spec(&self) -> &'static GameSpec;
    /// The variant's canonical text.
    fn variant(&self) -> String;
    /// The start position's canonical text.
    fn start(&self) -> &str;
    /// Guided or official.
    fn conduct(&self) -> Conduct;
    /// Puts an entry into the log. A forced move that follows is put in too.
    ///
    /// # Errors
    /// A refusal, and then nothing has changed.
    fn put(&mut self, e: &Entry) -> Result<(), Refusal>;
    /// Layout, play or over.
    fn stage(&self) -> Stage;
    /// The seats something is expected of; none once the game is over, and where only the deal is
    /// owed.
    fn waiting_for(&self) -> Seats;
    /// Whether the referee owes a deal.
    fn owes_deal(&self) -> bool;
    /// Why the game is over, if it is.
    fn ending(&self) -> Option<&Ending>;
    /// Every entry so far. Replaying them gives the same game.
    fn log(&self) -> &[Entry];
    /// The moves a seat may make now; empty when it is not its turn.
    fn choices(&self, s: Seat) -> Vec<Choice>;
    /// The calls a seat may make now.
    fn calls(&self, s: Seat) -> Vec<Call>;
    /// Moves the position alone would allow but history forbids, with the rule.
    fn banned(&self) -> Vec<(String, Reason)>;
    /// The move that is played without asking; only before it has been put.
    fn forced(&self) -> Option<String>;
    /// The game as it stood before the plies just played without asking; `None` if the last
    /// entry was somebody's own.
    fn before_forced(&self) -> Option<Box<dyn Arbiter>>;
    /// The text of the move a path of taps says, legal or not.
    ///
    /// # Errors
    /// If it says no move, or the seat may not know.
    fn read_taps(&self, s: Seat, taps: &[String]) -> Result<String, Refusal>;
    /// The path of taps that says a move's text, legal or not.
    ///
    /// # Errors
    /// If the text says no move, or play has not begun.
    fn path_of(&self, s: Seat, text: &str) -> Result<Taps, Refusal>;
    /// What a viewer sees, as the game's own JSON.
    fn view(&self, who: Viewer) -> serde_json::Value;
    /// What to draw for a viewer.
    fn scene(&self, who: Viewer) -> Scene;
    /// The board for a terminal.
    fn text(&self, who: Viewer) -> String;
    /// The position's canonical text as a viewer knows it.
    fn position(&self, who: Viewer) -> String;
    /// What a viewer has seen happen.
    fn seen(&self, who: Viewer) -> Vec<Seen>;
    /// Whether the seat to move is in check, in games with check.
    fn in_check(&self, who: Viewer) -> Option<bool>;
    /// The score of `first` and `second`, in games that count one.
    fn score(&self) -> Option<(i64, i64)>;
    /// A search for a seat, given what that seat may know.
    fn ask(&self, s: Seat) -> Job;
    /// The deal, if the referee owes one.
    fn draw(&self, dice: Dice<'_>) -> Option<Entry>;
    /// A layout of the computer's own for a seat that owes one.
    fn arrange(&self, s: Seat, dice: Dice<'_>) -> Option<Entry>;
    /// What an editor of this seat's layout needs; `None` where it lays out nothing.
    fn arrangement(&self, s: Seat) -> Option<Arrangement>;
    /// Whether the last entry that was not forced may be taken back.
    fn may_take_back(&self) -> bool;
    /// Takes back the last entry that was not forced, with what was forced after it.
    ///
    /// # Errors
    /// If there is none or something hidden was told.
    fn take_back(&mut self) -> Result<(), Refusal>;
    /// The game as a record of what a viewer knows.
    fn record(&self, who: Viewer) -> Record;
}
