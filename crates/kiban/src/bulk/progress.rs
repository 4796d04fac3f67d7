//! A line on the terminal that says how far a long run is.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The line is drawn at most this often.
const EVERY: Duration = Duration::from_millis(100);
/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// Characters of the bar.
const WIDTH: usize = 24;

/// How far a run is; draws nothing where standard error is no terminal.
pub(crate) struct Progress {
    shown: bool,
    drawn: bool,
    begun: Instant,
    last: Instant,
    total: u64,
    done: u64,
    records: usize,
}

impl Progress {
    /// A run over so many bytes, which are counted only where somebody sees the bar.
    pub(crate) fn new(total: impl FnOnce() -> u64) -> Progress {
        let shown = std::io::stderr().is_terminal();
        let (begun, total) = (Instant::now(), if shown { total() } else { 0 });
        Progress { shown, drawn: false, begun, last: begun, total, done: 0, records: 0 }
    }

    /// So many bytes and records more are done.
    pub(crate) fn add(&mut self, bytes: u64, records: usize) {
        self.done += bytes;
        self.records += records;
        let now = Instant::now();
        if !self.shown || now - self.begun < PATIENCE || now - self.last < EVERY {
            return;
        }
        (self.last, self.drawn) = (now, true);
        let line = self.line(now - self.begun);
        // Nobody is left to see it if standard error is closed.
        let _ = write!(std::io::stderr(), "\r\u{1b}[K{line}");
    }

    /// Takes the line away, so that something else can be printed.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }

    fn line(&self, passed: Duration) -> String {
        let share = if self.total == 0 { 0.0 } else { self.done as f64 / self.total as f64 };
        let share = share.min(1.0);
        let full = (share * WIDTH as f64) as usize;
        let bar = format!("{}{}", "#".repeat(full), "-".repeat(WIDTH - full));
        let left = passed.as_secs_f64() * (1.0 - share) / share.max(1e-9);
        let left = if share < 0.01 { String::new() } else { format!(", {left:.0} s left") };
        format!("[{bar}] {:3.0} %, {} records{left}", share * 100.0, self.records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_share_records_and_time_left() {
        let now = Instant::now();
        let half = Progress {
            shown: true,
            drawn: false,
            begun: now,
            last: now,
            total: 200,
            done: 100,
            records: 7,
        };
        let line = half.line(Duration::from_secs(3));
        assert_eq!(line, "[############------------]  50 %, 7 records, 3 s left");
        let unknown = Progress { total: 0, ..half };
        assert!(unknown.line(Duration::from_secs(3)).ends_with("0 %, 7 records"));
    }
}
