//! Asking a game's engine, and what it found.

use kiban_core::{
    Act, Arbiter, BestLine, Call, Entry, Limits, Report, Score, Seat, Stop, Workspace, forced,
    to_move,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The arguments that say how long and how widely to search.
#[derive(clap::Args)]
pub(crate) struct SearchArgs {
    /// Seconds a position; 1 if no limit is given
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Nominal depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) depth: Option<u8>,
    /// Nodes a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Threads
    #[arg(long, value_name = "T", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) threads: u8,
}

impl SearchArgs {
    /// The limits these arguments say.
    pub(crate) fn limits(&self, lines: u8, stop: &Stop) -> Limits {
        let unlimited = self.time.is_none() && self.depth.is_none() && self.nodes.is_none();
        Limits {
            time: if unlimited { Some(Duration::from_secs(1)) } else { self.time },
            depth: self.depth,
            nodes: self.nodes,
            lines,
            threads: self.threads,
            stop: stop.clone(),
            ..Limits::default()
        }
    }
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "give seconds, such as 0.5".to_string())?;
    // A day is more than any search here can use.
    if number > 0.0 && number <= 86_400.0 {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("give more than 0 and at most 86400 seconds".to_string())
    }
}

/// What an engine found for the seat to move.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The seat that is to move.
    pub(crate) seat: Seat,
    /// Its best move.
    pub(crate) best: Option<String>,
    /// What it would rather say than move.
    pub(crate) call: Option<Call>,
    /// Nominal depth.
    pub(crate) depth: u8,
    /// Nodes.
    pub(crate) nodes: u64,
    /// Best lines, best first.
    pub(crate) lines: Vec<BestLine>,
}

impl Found {
    /// The score of the best line.
    pub(crate) fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// The same, seen from before plies that were played without asking.
    fn before(mut self, seat: Seat, forced: &[String]) -> Found {
        for line in &mut self.lines {
            let score = line.score.seen_by(self.seat, seat);
            line.score = forced.iter().fold(score, |score, _| score.earlier());
            line.moves.splice(0..0, forced.iter().cloned());
        }
        Found { seat, best: forced.first().cloned(), call: None, ..self }
    }
}

/// Searches for the seat to move; `None` if nobody is. If the position was reached by a ply that
/// is played without asking, the answer is told for the position before it.
pub(crate) fn search(
    arbiter: &dyn Arbiter,
    memory: &mut Workspace,
    limits: &Limits,
    heard: &mut dyn FnMut(&Found),
) -> Option<Found> {
    let Some((seat, forced)) = forced(arbiter) else {
        return think(arbiter, memory, limits, heard);
    };
    let heard = &mut |found: &Found| heard(&found.clone().before(seat, &forced));
    think(arbiter, memory, limits, heard).map(|found| found.before(seat, &forced))
}

/// Searches for the seat to move; `None` if nobody is.
pub(crate) fn think(
    arbiter: &dyn Arbiter,
    memory: &mut Workspace,
    limits: &Limits,
    heard: &mut dyn FnMut(&Found),
) -> Option<Found> {
    let seat = to_move(arbiter)?;
    let mut found = Found { seat, best: None, call: None, depth: 0, nodes: 0, lines: Vec::new() };
    let job = arbiter.ask(seat);
    let entry = job(memory, limits.clone(), &mut |report: Report| {
        let Report { depth, nodes, lines, call, .. } = report;
        let best = lines.first().and_then(|line| line.moves.first()).cloned();
        found = Found { seat, best, call, depth, nodes, lines };
        heard(&found);
    });
    match entry {
        Entry { act: Act::Move(text), .. } => found.best = Some(text),
        Entry { act: Act::Call(call), .. } => found.call = Some(call),
        _ => {}
    }
    Some(found)
}

/// Whether Ctrl-C was pressed where it throws a switch.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed where it throws a switch; for what waits without one.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A switch that Ctrl-C throws; a second Ctrl-C ends the program.
pub(crate) fn stopped_by_ctrl_c() -> Stop {
    let stop = Stop::default();
    let switch = stop.clone();
    let handler = move || {
        if switch.stopped() {
            // The status of a program ended by this key.
            std::process::exit(130);
        }
        switch.stop();
        INTERRUPTED.store(true, Ordering::Relaxed);
    };
    // Without a handler Ctrl-C simply ends the program, as anywhere else.
    let _ = ctrlc::set_handler(handler);
    stop
}
