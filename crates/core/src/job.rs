//! What an engine is given and what it reports. An engine never prints.

use crate::{Call, Entry, Outcome, Seat};
use serde::Serialize;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A switch that stops a search from outside. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    thrown: Arc<AtomicBool>,
    above: Option<Arc<Stop>>,
}

impl Stop {
    /// A switch of its own that this one throws, too.
    pub fn below(&self) -> Stop {
        Stop { thrown: Arc::default(), above: Some(Arc::new(self.clone())) }
    }

    /// Asks the search to stop as soon as it can.
    pub fn stop(&self) {
        self.thrown.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    pub fn stopped(&self) -> bool {
        self.thrown.load(Ordering::Relaxed) || self.above.as_ref().is_some_and(|a| a.stopped())
    }
}

/// How long and how widely to search. `None` is no limit; with no limit at all an engine
/// searches until it is stopped or knows the exact value.
#[derive(Clone, Debug)]
pub struct Limits {
    /// 1 (a child's first game) to 10; limits nodes and adds human-like error.
    pub level: Option<u8>,
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Plies of nominal depth at most.
    pub depth: Option<u8>,
    /// Wall time at most.
    pub time: Option<Duration>,
    /// How many best lines to report, at least 1.
    pub lines: u8,
    /// Threads at most, at least 1.
    pub threads: u8,
    /// MiB of the engine's table; `None` is its own choice.
    pub hash: Option<u32>,
    /// The only first moves to look at, by canonical text; empty is all.
    pub only: Vec<String>,
    /// For everything random.
    pub seed: u64,
    /// The clocks of a timed game, to be told to another program; own engines are given a time.
    pub clocks: Option<Clocks>,
    /// The folder of solved tables; none are looked for without it.
    pub tables: Option<PathBuf>,
    /// Stops the search.
    pub stop: Stop,
}

/// The clocks of a timed game, as they stand when a seat is to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// The main time of each seat at the beginning.
    pub main: Duration,
    /// Added to the main time with every move.
    pub increment: Duration,
    /// Given with every move and lost if not used.
    pub byoyomi: Duration,
    /// What is left of the main time of each seat, by its index, before the increment of the move
    /// to come.
    pub left: Vec<Duration>,
    /// What each entry of the game's log took; nothing for those of its opening.
    pub spent: Vec<Duration>,
}

impl Clocks {
    /// Clocks of so many seats that nothing was taken off yet, after so many entries.
    pub fn new(
        main: Duration,
        increment: Duration,
        byoyomi: Duration,
        seats: u8,
        entries: usize,
    ) -> Clocks {
        let left = vec![main; usize::from(seats)];
        Clocks { main, increment, byoyomi, left, spent: vec![Duration::ZERO; entries] }
    }

    /// What a seat may take for the move to come.
    pub fn given(&self, seat: Seat) -> Duration {
        self.left[seat.index()].saturating_add(self.increment).saturating_add(self.byoyomi)
    }

    /// Takes the time of an entry off a seat's clock, which never shows less than nothing. Entries
    /// up to `entries` that followed by themselves took none.
    pub fn take(&mut self, seat: Seat, spent: Duration, entries: usize) {
        let left = &mut self.left[seat.index()];
        *left = left.saturating_add(self.increment).saturating_sub(spent);
        self.spent.push(spent);
        self.spent.resize(entries, Duration::ZERO);
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            level: None,
            nodes: None,
            depth: None,
            time: None,
            lines: 1,
            threads: 1,
            hash: None,
            only: Vec::new(),
            seed: 0,
            clocks: None,
            tables: None,
            stop: Stop::default(),
        }
    }
}

/// Which side of the truth a searched value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The value itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// A proved value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The side to move wins.
    Win,
    /// Neither wins.
    Draw,
    /// The side to move loses.
    Loss,
}

/// What a position is worth, always for the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Score {
    /// Proved.
    Exact {
        /// Win, draw or loss.
        value: Value,
        /// Plies to the end; `None` for a draw or where it is not known.
        distance: Option<u32>,
    },
    /// Judged.
    Estimate {
        /// In `unit`.
        points: i32,
        /// `centipawn`, `centidisc` or `centi`.
        unit: &'static str,
        /// The chance to win, 0 to 1, a draw counting half.
        chance: f32,
        /// Which side of the truth.
        bound: Bound,
    },
}

impl Score {
    /// The chance to win, 0 to 1.
    pub fn chance(self) -> f32 {
        match self {
            Score::Exact { value: Value::Win, .. } => 1.0,
            Score::Exact { value: Value::Draw, .. } => 0.5,
            Score::Exact { value: Value::Loss, .. } => 0.0,
            Score::Estimate { chance, .. } => chance,
        }
    }

    /// The same worth as the other side sees it.
    pub fn turned(self) -> Score {
        match self {
            Score::Exact { value, distance } => {
                let value = match value {
                    Value::Win => Value::Loss,
                    Value::Draw => Value::Draw,
                    Value::Loss => Value::Win,
                };
                Score::Exact { value, distance }
            }
            Score::Estimate { points, unit, chance, bound } => {
                let bound = match bound {
                    Bound::Exact => Bound::Exact,
                    Bound::Lower => Bound::Upper,
                    Bound::Upper => Bound::Lower,
                };
                Score::Estimate { points: -points, unit, chance: 1.0 - chance, bound }
            }
        }
    }

    /// The same worth for the same side one ply earlier.
    pub fn earlier(self) -> Score {
        match self {
            Score::Exact { value, distance } => {
                Score::Exact { value, distance: distance.map(|d| d + 1) }
            }
            estimate => estimate,
        }
    }

    /// The score of a seat as another seat sees it.
    pub fn seen_by(self, whose: Seat, viewer: Seat) -> Score {
        if whose.plays_with(viewer) { self } else { self.turned() }
    }

    /// What an ending `plies` plies on is worth for a seat.
    pub(crate) fn of_outcome(outcome: Outcome, seat: Seat, plies: u32) -> Score {
        let winners = outcome.winners();
        let (value, distance) = match winners.iter().next() {
            None => (Value::Draw, None),
            Some(winner) if winner.plays_with(seat) => (Value::Win, Some(plies)),
            Some(_) => (Value::Loss, Some(plies)),
        };
        Score::Exact { value, distance }
    }
}

/// One of the best lines found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BestLine {
    /// 1 is the best.
    pub rank: u8,
    /// Its worth for the side to move.
    pub score: Score,
    /// Nominal depth.
    pub depth: u8,
    /// Canonical texts, the first being the choice.
    pub moves: Vec<String>,
}

/// What an engine tells while it thinks, after each finished depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Nominal depth.
    pub depth: u8,
    /// Plies of the longest line looked at, where the engine counts them.
    pub seldepth: Option<u8>,
    /// Nodes so far.
    pub nodes: u64,
    /// Best lines, best first.
    pub lines: Vec<BestLine>,
    /// A call the engine prefers to any move.
    pub call: Option<Call>,
}

/// An engine's memory (transposition table, nets): belongs to a pool worker and stays between
/// searches. Holds one value of each type asked for.
#[derive(Default)]
pub struct Workspace(HashMap<TypeId, Box<dyn Any + Send>>);

impl Workspace {
    /// An empty memory.
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// The value of this type, made by `make` the first time.
    pub fn get_or<T: Send + 'static>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        let slot = self.0.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(make()));
        slot.downcast_mut().expect("a slot holds the type of its key")
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// A search to run on a worker: gives the entry to put into the log.
pub type Job = Box<dyn FnOnce(&mut Workspace, Limits, &mut dyn FnMut(Report)) -> Entry + Send>;

/// How far a mate is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Proved {
    /// There is no shorter one.
    Shortest,
    /// It is one of those there are.
    Some,
    /// Nothing is proved.
    None,
}

/// What a mate solver found for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// Whether there is a mate; `None` where the limits were too narrow to tell.
    pub mate: Option<bool>,
    /// Its plies.
    pub plies: Option<u32>,
    /// Its moves, canonical texts.
    pub moves: Vec<String>,
    /// How far it is proved.
    pub proved: Proved,
    /// Nodes searched.
    pub nodes: u64,
}

/// Something proved about a position besides what it is worth: that the side to move can mate, that
/// it is about to be mated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Proof {
    /// A slug; the message `GAME-proof-SLUG` tells it, with `$seat` and `$plies`.
    pub what: &'static str,
    /// Whom it is good for.
    pub seat: Seat,
    /// How many plies that takes, where they are counted.
    pub plies: Option<u32>,
    /// The moves that show it, canonical texts; empty where there is no single line.
    pub moves: Vec<String>,
    /// The position these moves begin at, where it is not the one that was asked about: those of a
    /// threat follow a pass, which may be no move of the game.
    #[serde(skip)]
    pub from: Option<String>,
}

/// A benchmark: the nodes an engine of one thread and fresh memory spends on these positions at
/// this depth are its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Texts of positions of the default variant.
    pub positions: &'static [&'static str],
    /// Nominal depth.
    pub depth: u8,
}
