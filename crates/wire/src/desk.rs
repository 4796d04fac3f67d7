//! The desk of a conversation: what runs, since when, and until when.

use crate::worker::Order;
use kiban_core::{Desk, Found, Limits, Pace, ReadError, Stop, Task};
use std::fs::File;
use std::io::{Read, Write};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// More of a file is not read.
const LARGEST_FILE: u64 = 1 << 20;

/// The search that is on.
struct Current {
    id: u64,
    stop: Stop,
    pace: Pace,
    /// From when on its time counts; nothing while it is held.
    clock: Option<Instant>,
    /// What it found while it was held.
    kept: Option<Found>,
}

/// A desk that writes to an output and gives orders to a search thread.
pub(crate) struct Post<W: Write> {
    output: W,
    /// Whether whoever read the output has gone.
    pub(crate) closed: bool,
    /// Whether the conversation is to end once no search is on.
    pub(crate) left: bool,
    orders: Sender<Order>,
    current: Option<Current>,
    started: Instant,
    last: u64,
    /// Whether the search that was told of last had been stopped.
    cut: bool,
}

impl<W: Write> Post<W> {
    pub(crate) fn new(output: W, orders: Sender<Order>) -> Post<W> {
        let started = Instant::now();
        Post {
            output,
            closed: false,
            left: false,
            orders,
            current: None,
            started,
            last: 0,
            cut: false,
        }
    }

    /// When the search is to be ended, if that is sure.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let current = self.current.as_ref().filter(|c| !c.stop.stopped())?;
        current.clock?.checked_add(current.pace.hard?)
    }

    /// The time of the search is up.
    pub(crate) fn time_is_up(&mut self) {
        if let Some(current) = &self.current {
            current.stop.stop();
        }
    }

    /// Whether a search that was told to stop has not done so yet.
    pub(crate) fn is_stopping(&self) -> bool {
        self.current.as_ref().is_some_and(|c| c.stop.stopped())
    }

    /// Whether this search is the one that is on.
    pub(crate) fn is_on(&self, id: u64) -> bool {
        self.current.as_ref().is_some_and(|c| c.id == id)
    }

    /// A report was told: the time to stop may have come.
    pub(crate) fn reported(&mut self) {
        let Some(current) = &self.current else { return };
        let spent = current.clock.map(|from| from.elapsed());
        if spent.zip(current.pace.soft).is_some_and(|(spent, soft)| spent >= soft) {
            current.stop.stop();
        }
    }

    /// Takes what a search found; gives it back if it may be told now.
    pub(crate) fn done(&mut self, id: u64, found: Found) -> Option<Found> {
        let current = self.current.as_mut().filter(|c| c.id == id)?;
        if current.pace.held && !current.stop.stopped() {
            current.kept = Some(found);
            return None;
        }
        self.cut = current.stop.stopped();
        self.current = None;
        Some(found)
    }

    /// What was kept back and may be told now.
    pub(crate) fn due(&mut self) -> Option<Found> {
        let current = self.current.as_mut()?;
        if current.pace.held && !current.stop.stopped() {
            return None;
        }
        // It had ended before it was kept.
        self.cut = false;
        let found = current.kept.take()?;
        self.current = None;
        Some(found)
    }
}

impl<W: Write> Desk for Post<W> {
    fn say(&mut self, line: &str) {
        let line = format!("{line}\n");
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush());
        self.closed |= written.is_err();
    }

    fn start(&mut self, task: Task, limits: Limits, pace: Pace) {
        self.abandon();
        self.last += 1;
        let stop = Stop::default();
        let limits = Box::new(Limits { stop: stop.clone(), ..limits });
        self.started = Instant::now();
        let clock = (!pace.held).then_some(self.started);
        self.current = Some(Current { id: self.last, stop, pace, clock, kept: None });
        let order = Order::Search { id: self.last, task, limits };
        self.orders.send(order).expect("the search thread lives as long as its orders");
    }

    fn stop(&mut self) {
        self.time_is_up();
    }

    fn abandon(&mut self) {
        self.time_is_up();
        self.current = None;
    }

    fn release(&mut self) {
        if let Some(current) = self.current.as_mut().filter(|c| c.pace.held) {
            current.pace.held = false;
            current.clock = Some(Instant::now());
        }
    }

    fn busy(&self) -> bool {
        self.current.is_some()
    }

    fn was_stopped(&self) -> bool {
        self.cut
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn leave(&mut self) {
        self.left = true;
    }

    fn read(&mut self, path: &str) -> Result<Vec<u8>, ReadError> {
        let name: String = path.chars().take(200).collect();
        let told = |e: std::io::Error| {
            ReadError::new("unreadable-file", format!("{name} cannot be read: {e}."))
        };
        // A pipe would keep us waiting when it is opened.
        if !std::fs::metadata(path).map_err(told)?.is_file() {
            return Err(ReadError::new("unreadable-file", format!("{name} is no plain file.")));
        }
        let (file, mut bytes) = (File::open(path).map_err(told)?, Vec::new());
        file.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(told)?;
        Ok(bytes)
    }

    fn forget(&mut self) {
        self.orders.send(Order::Forget).expect("the search thread lives as long as its orders");
    }
}
