//! Wall time and the process's own time.

use std::time::Instant;

/// Measures from its making on.
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), cpu: process_seconds() }
    }

    /// Wall time in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        micros(self.wall.elapsed().as_secs_f64())
    }

    /// The process's user and system time in seconds; `None` where the system does not tell.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        Some(micros(process_seconds()? - self.cpu?))
    }
}

/// Rounded to what the clocks can tell.
fn micros(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(unix)]
fn process_seconds() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    Some(
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64
            / 1e6,
    )
}

#[cfg(not(unix))]
fn process_seconds() -> Option<f64> {
    None
}
