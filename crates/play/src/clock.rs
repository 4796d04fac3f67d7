//! Clocks. Time is always passed in, in milliseconds; nothing here looks at a watch.

use kiban_core::Seat;
use serde::{Deserialize, Serialize};

/// A time control: sudden death, then byoyomi periods, with an increment after each ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Main time of each seat.
    pub main_ms: u64,
    /// Length of a byoyomi period; 0 is none.
    #[serde(default)]
    pub byoyomi_ms: u64,
    /// How many byoyomi periods; a period that is used up is lost.
    #[serde(default = "one")]
    pub periods: u8,
    /// Added to the main time after each ply, before byoyomi has begun.
    #[serde(default)]
    pub increment_ms: u64,
}

fn one() -> u8 {
    1
}

/// A day: no part of a time control may be longer.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;

impl TimeControl {
    /// What is wrong with it, in a sentence.
    pub fn fault(&self) -> Option<&'static str> {
        if self.main_ms > LONGEST_MS
            || self.byoyomi_ms > LONGEST_MS
            || self.increment_ms > LONGEST_MS
        {
            Some("No part of a clock may be longer than a day.")
        } else if self.main_ms == 0 && self.byoyomi_ms == 0 && self.increment_ms == 0 {
            Some("A clock needs main time, byoyomi or an increment; leave it out to play without.")
        } else if self.byoyomi_ms > 0 && !(1..=20).contains(&self.periods) {
            Some("Byoyomi needs 1 to 20 periods.")
        } else {
            None
        }
    }
}

/// What one seat has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TimeLeft {
    /// Main time left; 0 once byoyomi has begun.
    pub main_ms: u64,
    /// Byoyomi periods left, the current one included.
    pub periods: u8,
    /// What is left of the current period if byoyomi has begun, else a whole period.
    pub byoyomi_ms: u64,
}

impl TimeLeft {
    fn at_start(control: &TimeControl) -> TimeLeft {
        let periods = if control.byoyomi_ms > 0 { control.periods } else { 0 };
        // With an increment and no main time, the first ply gets one increment.
        let main_ms = if control.main_ms == 0 { control.increment_ms } else { control.main_ms };
        TimeLeft { main_ms, periods, byoyomi_ms: control.byoyomi_ms }
    }

    /// What may be spent on one ply before time is out.
    fn budget(&self, control: &TimeControl) -> u64 {
        self.main_ms + u64::from(self.periods) * control.byoyomi_ms
    }

    /// What is shown after `spent` of the current ply, without ending it.
    fn after(&self, spent: u64, control: &TimeControl) -> TimeLeft {
        if spent <= self.main_ms {
            return TimeLeft { main_ms: self.main_ms - spent, ..*self };
        }
        if control.byoyomi_ms == 0 {
            return TimeLeft { main_ms: 0, periods: 0, byoyomi_ms: 0 };
        }
        let over = spent - self.main_ms;
        // A period is lost when it is used up to its last millisecond.
        let used = over / control.byoyomi_ms;
        let periods = u64::from(self.periods).saturating_sub(used) as u8;
        let byoyomi_ms =
            if periods == 0 { 0 } else { control.byoyomi_ms - over % control.byoyomi_ms };
        TimeLeft { main_ms: 0, periods, byoyomi_ms }
    }

    /// What is left once a ply that took `spent` is done.
    fn done(&self, spent: u64, control: &TimeControl) -> TimeLeft {
        let left = self.after(spent, control);
        let main_ms =
            if spent <= self.main_ms { left.main_ms + control.increment_ms } else { left.main_ms };
        TimeLeft { main_ms, byoyomi_ms: control.byoyomi_ms, ..left }
    }
}

/// The clocks of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: Vec<TimeLeft>,
}

impl Clocks {
    /// Full clocks for this many seats.
    pub fn new(control: TimeControl, seats: u8) -> Clocks {
        let left = vec![TimeLeft::at_start(&control); usize::from(seats)];
        Clocks { control, left }
    }

    /// The time control.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// What a seat may spend on the current ply.
    pub fn budget(&self, seat: Seat) -> u64 {
        self.left[seat.index()].budget(&self.control)
    }

    /// What each seat has left to show, `running` having spent `spent` on its ply.
    pub fn shown(&self, running: Option<Seat>, spent: u64) -> Vec<TimeLeft> {
        let each = self.left.iter().enumerate();
        each.map(|(i, left)| match running {
            Some(seat) if seat.index() == i => left.after(spent, &self.control),
            _ => *left,
        })
        .collect()
    }

    /// Gives a seat the whole of its time again.
    pub fn refill(&mut self, seat: Seat) {
        self.left[seat.index()] = TimeLeft::at_start(&self.control);
    }

    /// Charges a finished ply.
    pub fn charge(&mut self, seat: Seat, spent: u64) {
        let left = &mut self.left[seat.index()];
        *left = left.done(spent, &self.control);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(main: u64, byoyomi: u64, periods: u8, increment: u64) -> Clocks {
        let control =
            TimeControl { main_ms: main, byoyomi_ms: byoyomi, periods, increment_ms: increment };
        Clocks::new(control, 2)
    }

    #[test]
    fn sudden_death_ends_with_the_main_time() {
        let mut c = clocks(1000, 0, 1, 0);
        c.charge(Seat::FIRST, 400);
        assert_eq!(c.budget(Seat::FIRST), 600);
        assert_eq!(c.budget(Seat::SECOND), 1000);
    }

    #[test]
    fn a_period_is_kept_when_the_ply_ends_within_it() {
        let mut c = clocks(1000, 500, 3, 0);
        c.charge(Seat::FIRST, 1499);
        assert_eq!(c.shown(None, 0)[0], TimeLeft { main_ms: 0, periods: 3, byoyomi_ms: 500 });
        c.charge(Seat::FIRST, 500);
        assert_eq!(c.shown(None, 0)[0].periods, 2);
        assert_eq!(
            c.shown(Some(Seat::FIRST), 700)[0],
            TimeLeft { main_ms: 0, periods: 1, byoyomi_ms: 300 }
        );
        assert_eq!(c.budget(Seat::FIRST), 1000);
    }

    #[test]
    fn the_increment_is_added_after_each_ply() {
        let mut c = clocks(1000, 0, 1, 200);
        c.charge(Seat::FIRST, 300);
        assert_eq!(c.budget(Seat::FIRST), 900);
        let c = clocks(0, 0, 1, 200);
        assert_eq!(c.budget(Seat::FIRST), 200);
    }

    #[test]
    fn impossible_controls_are_named() {
        assert!(clocks(0, 0, 1, 0).control().fault().is_some());
        assert!(clocks(0, 500, 0, 0).control().fault().is_some());
        assert!(clocks(u64::MAX, 0, 1, 0).control().fault().is_some());
        assert!(clocks(600_000, 30_000, 1, 0).control().fault().is_none());
    }
}
