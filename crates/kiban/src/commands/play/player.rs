//! A computer player, by its specification.

use crate::engine::{self, seconds};
use kiban_core::{Arbiter, Entry, Limits, Score, Seat, Workspace};
use std::time::Duration;

/// `level:N`, `nodes:N`, `time:S` or `random`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Player {
    Level(u8),
    Nodes(u64),
    Time(Duration),
    Random,
}

/// The longest a level thinks about a move; it is the nodes that limit all but the highest.
const LEVEL_TIME: Duration = Duration::from_secs(5);

impl Player {
    /// Reads a specification.
    pub(crate) fn read(text: &str) -> Result<Player, String> {
        let kinds = || "choose level:1 to level:10, nodes:N, time:SECONDS or random".to_string();
        match text.split_once(':') {
            None if text == "random" => Ok(Player::Random),
            Some(("level", n)) => {
                let level = n.parse().ok().filter(|n| (1..=10).contains(n));
                level.map(Player::Level).ok_or_else(kinds)
            }
            Some(("nodes", n)) => {
                n.parse().ok().filter(|n| *n > 0).map(Player::Nodes).ok_or_else(kinds)
            }
            Some(("time", s)) => seconds(s).map(Player::Time),
            _ => Err(kinds()),
        }
    }

    fn limits(self, seed: u64) -> Limits {
        let limits = Limits { seed, ..Limits::default() };
        match self {
            Player::Level(level) => Limits { level: Some(level), time: Some(LEVEL_TIME), ..limits },
            Player::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
            Player::Time(time) => Limits { time: Some(time), ..limits },
            Player::Random => limits,
        }
    }

    /// What this player does when it is the seat's turn, and what it thinks of its game.
    pub(crate) fn choose(
        self,
        arbiter: &dyn Arbiter,
        seat: Seat,
        memory: &mut Workspace,
        seed: u64,
    ) -> (Entry, Option<Score>) {
        let choices = arbiter.choices(seat);
        let any = &choices[usize::try_from(scattered(seed)).unwrap_or(0) % choices.len()];
        if self == Player::Random {
            return (Entry::new_move(seat, &*any.text), None);
        }
        let found = engine::think(arbiter, memory, &self.limits(seed), &mut |_| {});
        let found = found.expect("it is this seat's turn");
        let entry = match (found.call, &found.best) {
            (Some(call), _) => Entry::new_call(seat, call),
            (None, best) => Entry::new_move(seat, best.as_deref().unwrap_or(&any.text)),
        };
        (entry, found.score())
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Player::Level(level) => write!(f, "level {level}"),
            Player::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Player::Time(time) => write!(f, "{} s", time.as_secs_f64()),
            Player::Random => f.write_str("random"),
        }
    }
}

/// A well-mixed number for each seed (the SplitMix64 finaliser), below 2^31.
fn scattered(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_read_and_others_refused() {
        assert_eq!(Player::read("level:10"), Ok(Player::Level(10)));
        assert_eq!(Player::read("nodes:5000"), Ok(Player::Nodes(5000)));
        assert_eq!(Player::read("time:0.5"), Ok(Player::Time(Duration::from_millis(500))));
        assert_eq!(Player::read("random"), Ok(Player::Random));
        for wrong in ["", "level", "level:0", "level:11", "nodes:0", "time:-1", "time:NaN", "x:1"] {
            assert!(Player::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scattered_numbers_differ_for_neighbouring_seeds() {
        let firsts: std::collections::BTreeSet<_> = (0..100).map(|s| scattered(s) % 1000).collect();
        assert!(firsts.len() > 80);
    }
}
