//! A line on the terminal that says how far a long run is.

use crate::{output, terminal};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The line is drawn at most this often.
const EVERY: Duration = Duration::from_millis(100);
/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// Characters of the bar, where there is room.
const WIDTH: usize = 24;
/// A shorter one says nothing.
const SHORTEST: usize = 4;
/// Columns of a terminal that does not tell.
const COLUMNS: usize = 80;

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
        let columns = terminal::width_of_errors().unwrap_or(COLUMNS);
        let line = self.line(now - self.begun, columns);
        // Nobody is left to see it if standard error is closed.
        let _ = write!(std::io::stderr(), "\r\u{1b}[K{line}");
    }

    /// Takes the line away, so that something else can be printed.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }

    /// The line, one character shorter than the terminal: what is longer would be wrapped, and
    /// could not be taken away again. Where there is little room the bar goes first, then the time.
    fn line(&self, passed: Duration, columns: usize) -> String {
        let room = columns.saturating_sub(1);
        let share = if self.total == 0 { 0.0 } else { self.done as f64 / self.total as f64 };
        let share = share.min(1.0);
        let records = output::counted(self.records as u64, "record", "records");
        let told = format!("{:3.0} %, {records}", share * 100.0);
        let left = passed.as_secs_f64() * (1.0 - share) / share.max(1e-9);
        let left = if share < 0.01 { String::new() } else { format!(", {left:.0} s left") };
        let whole = format!("{told}{left}");
        // The bar has its brackets and a space behind it.
        let width = room.saturating_sub(whole.len() + 3).min(WIDTH);
        if width >= SHORTEST {
            let full = (share * width as f64) as usize;
            return format!("[{}{}] {whole}", "#".repeat(full), "-".repeat(width - full));
        }
        let alone = format!("{:3.0} %", share * 100.0);
        let fitting = [whole, told, alone].into_iter().find(|text| text.len() <= room);
        fitting.unwrap_or_default()
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
        let line = half.line(Duration::from_secs(3), 80);
        assert_eq!(line, "[############------------]  50 %, 7 records, 3 s left");
        let unknown = Progress { total: 0, ..half };
        assert!(unknown.line(Duration::from_secs(3), 80).ends_with("0 %, 7 records"));
    }

    #[test]
    fn the_line_is_never_wrapped() {
        let now = Instant::now();
        let (total, done, records) = (10_000_000, 4_000_000, 12_345_678);
        let run =
            Progress { shown: true, drawn: false, begun: now, last: now, total, done, records };
        for columns in 0..120 {
            let line = run.line(Duration::from_secs(5000), columns);
            assert!(line.len() < columns.max(1), "{columns}: {line}");
        }
        let narrow = run.line(Duration::from_secs(5000), 40);
        assert_eq!(narrow, " 40 %, 12,345,678 records, 7500 s left");
        let wider = run.line(Duration::from_secs(5000), 60);
        assert_eq!(wider, "[#######-----------]  40 %, 12,345,678 records, 7500 s left");
        assert_eq!(run.line(Duration::from_secs(5000), 30), " 40 %, 12,345,678 records");
        assert_eq!(run.line(Duration::from_secs(5000), 20), " 40 %");
    }
}
