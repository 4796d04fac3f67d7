//! The clocks of a game, as flags say them.

use crate::engine::seconds;
use kiban_core::{Clocks, Record};
use std::time::Duration;

/// Flags that put both sides on clocks.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// Seconds each side has for the game, and seconds added with each move: 60, 60+0.5
    #[arg(long, value_name = "MAIN[+INCREMENT]", value_parser = main_time)]
    pub(crate) clock: Option<(Duration, Duration)>,
    /// Seconds for each move once the main time is over; alone there is no main time
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) byoyomi: Option<Duration>,
}

impl Timing {
    /// Whether there are clocks at all.
    pub(crate) fn is_set(self) -> bool {
        self.clock.is_some() || self.byoyomi.is_some()
    }

    /// Full clocks, if there are some, for so many seats after so many entries.
    pub(crate) fn clocks(self, seats: u8, entries: usize) -> Option<Clocks> {
        let (main, increment) = self.clock.unwrap_or_default();
        let byoyomi = self.byoyomi.unwrap_or_default();
        self.is_set().then(|| Clocks::new(main, increment, byoyomi, seats, entries))
    }
}

fn main_time(text: &str) -> Result<(Duration, Duration), String> {
    let (main, increment) = text.split_once('+').map_or((text, None), |(m, i)| (m, Some(i)));
    // One of the two may be nothing.
    let is_nothing = |text: &str| text.trim().parse() == Ok(0.0);
    let increment = match increment {
        Some(text) if !is_nothing(text) => seconds(text)?,
        _ => Duration::ZERO,
    };
    let none = is_nothing(main) && !increment.is_zero();
    let main = if none { Duration::ZERO } else { seconds(main)? };
    Ok((main, increment))
}

/// Writes into a record what each of its entries took.
pub(crate) fn note_times(record: &mut Record, clocks: &Clocks) {
    let entries = record.nodes.iter_mut().filter(|node| node.entry.is_some());
    for (node, took) in entries.zip(&clocks.spent) {
        node.spent_ms = u64::try_from(took.as_millis()).ok().filter(|ms| *ms > 0);
    }
}

/// `4:32`, `0:07.3`: minutes and seconds, near the end with tenths.
pub(crate) fn shown(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    let tenths = time.subsec_millis() / 100;
    let fine = if time < Duration::from_secs(10) { format!(".{tenths}") } else { String::new() };
    format!("{minutes}:{seconds:02}{fine}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_shown() {
        let s = Duration::from_secs_f64;
        assert_eq!(main_time("60+0.5"), Ok((s(60.0), s(0.5))));
        assert_eq!(main_time("0+2"), Ok((s(0.0), s(2.0))));
        assert_eq!(main_time("300+0"), Ok((s(300.0), s(0.0))));
        for wrong in ["", "0", "0+0", "60+", "+1", "-1", "x"] {
            assert!(main_time(wrong).is_err(), "{wrong}");
        }
        let all = [0.0, 7.39, 10.0, 61.9, 3600.0].map(|t| shown(s(t)));
        assert_eq!(all, ["0:00.0", "0:07.3", "0:10", "1:01", "60:00"]);
    }
}
