//! What an engine is given and what it reports. An engine never prints.

use crate::{Call, Entry};
use serde::Serialize;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A switch that stops a search from outside. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the search to stop as soon as it can.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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
    /// Stops the search.
    pub stop: Stop,
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

/// A benchmark: the nodes an engine of one thread and fresh memory spends on these positions at
/// this depth are its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Texts of positions of the default variant.
    pub positions: &'static [&'static str],
    /// Nominal depth.
    pub depth: u8,
}
