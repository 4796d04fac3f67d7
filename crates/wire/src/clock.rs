//! How much time to take for a move.

use kiban_core::Pace;
use std::time::Duration;

/// What a clock leaves a player for the move to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Main time.
    pub left: Duration,
    /// Given with every move and kept if not used.
    pub increment: Duration,
    /// Given with every move and lost if not used.
    pub byoyomi: Duration,
    /// The moves the main time has to last for, where more is given after them.
    pub moves: Option<u32>,
}

/// Own moves a game is thought to last from its beginning, and those still to come at least.
const MOVES: u32 = 55;
const MOVES_TO_COME: u32 = 25;
/// However late it is, a move takes this long.
const LEAST: Duration = Duration::from_millis(10);

impl Clock {
    /// The soft and the hard time for a move after so many plies; `delay` is what is lost on the
    /// way to the clock.
    pub fn pace(self, ply: u32, delay: Duration) -> Pace {
        let given = self.increment.saturating_add(self.byoyomi);
        let all = self.left.saturating_add(given).saturating_sub(delay).max(LEAST);
        if self.left.is_zero() {
            return Pace { soft: None, hard: Some(all), held: false };
        }
        let to_come = MOVES.saturating_sub(ply / 2).max(MOVES_TO_COME);
        let moves = self.moves.map_or(to_come, |moves| moves.clamp(1, to_come));
        let fair = (self.left / moves).saturating_add(given);
        // A depth begun after the half of the fair share would seldom end within it.
        let soft = (fair / 2).saturating_add(self.byoyomi / 4).min(all);
        let most = (self.left / 5).saturating_add(given).min(fair.saturating_mul(4));
        let hard = most.saturating_sub(delay);
        let hard = hard.clamp(LEAST, all);
        Pace { soft: Some(soft.min(hard)), hard: Some(hard), held: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(s: u64) -> Duration {
        Duration::from_secs(s)
    }

    #[test]
    fn byoyomi_alone_is_used_up_but_for_the_delay() {
        let clock = Clock { byoyomi: seconds(10), ..Clock::default() };
        let pace = clock.pace(30, Duration::from_millis(200));
        assert_eq!((pace.soft, pace.hard), (None, Some(Duration::from_millis(9_800))));
    }

    #[test]
    fn no_time_at_all_still_gives_a_move() {
        assert_eq!(Clock::default().pace(0, seconds(1)).hard, Some(LEAST));
    }

    #[test]
    fn a_game_of_any_length_is_never_lost_on_time() {
        for (increment, byoyomi) in [(0, 0), (2, 0), (0, 3)] {
            let mut clock = Clock {
                left: seconds(60),
                increment: seconds(increment),
                byoyomi: seconds(byoyomi),
                moves: None,
            };
            for ply in (0..800).step_by(2) {
                let pace = clock.pace(ply, Duration::from_millis(100));
                let hard = pace.hard.expect("there is always a hard time");
                assert!(pace.soft.is_none_or(|soft| soft <= hard));
                let available = clock.left + clock.increment + clock.byoyomi;
                assert!(hard <= available.max(LEAST), "{clock:?} {pace:?}");
                // The worst case: every move takes the hard time.
                let paid = hard.saturating_sub(clock.byoyomi);
                clock.left = (clock.left + clock.increment).saturating_sub(paid);
            }
        }
    }

    #[test]
    fn a_session_of_few_moves_is_used_up_and_no_number_is_too_large() {
        let clock = Clock { left: seconds(60), moves: Some(3), ..Clock::default() };
        assert_eq!(clock.pace(70, Duration::ZERO).soft, Some(seconds(10)));
        let most = Duration::MAX;
        let clock = Clock { left: most, increment: most, byoyomi: most, moves: Some(0) };
        assert!(clock.pace(u32::MAX, most).hard.expect("hard") >= LEAST);
    }

    #[test]
    fn the_first_move_of_a_long_game_takes_about_its_share() {
        let clock = Clock { left: seconds(600), ..Clock::default() };
        let pace = clock.pace(0, Duration::ZERO);
        assert!(pace.soft.expect("soft") > seconds(3) && pace.soft.expect("soft") < seconds(12));
        assert!(pace.hard.expect("hard") < seconds(60));
    }
}
