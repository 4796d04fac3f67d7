//! The `go` line.

use crate::moves::{Color, Move};
use kiban_core::{Limits, Pace};
use kiban_wire::Clock;
use std::time::Duration;

/// What a `go` line asks for. Times are those of sente and gote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    byoyomi: Option<Duration>,
    exactly: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u8>,
    /// To look for a mate, at most so long.
    pub(super) mate: Option<Option<Duration>>,
    /// On the other side's time.
    pub(super) ponder: bool,
    infinite: bool,
    /// The only moves to look at.
    pub(super) only: Vec<Move>,
}

/// Milliseconds; a clock that ran over shows less than nothing.
fn duration(word: Option<&str>) -> Option<Duration> {
    let ms: i64 = word?.parse().ok()?;
    Some(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
}

impl Go {
    /// Reads what follows `go`. Words that mean nothing are passed over.
    pub(super) fn read(text: &str) -> Go {
        let mut go = Go::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "btime" => go.left[0] = duration(words.next()),
                "wtime" => go.left[1] = duration(words.next()),
                "binc" => go.increment[0] = duration(words.next()).unwrap_or_default(),
                "winc" => go.increment[1] = duration(words.next()).unwrap_or_default(),
                "byoyomi" => go.byoyomi = duration(words.next()),
                "movetime" => go.exactly = duration(words.next()),
                "nodes" => go.nodes = words.next().and_then(|n| n.parse().ok()),
                "depth" => go.depth = words.next().map(|n| n.parse().unwrap_or(u8::MAX)),
                "mate" => go.mate = Some(duration(words.next())),
                "searchmoves" => {
                    while let Some(m) = words.peek().and_then(|w| Move::from_usi(w).ok()) {
                        go.only.push(m);
                        words.next();
                    }
                }
                _ => {}
            }
        }
        go
    }

    /// Whether nothing but `stop` ends it.
    fn endless(&self) -> bool {
        let timed = self.left.iter().any(Option::is_some) || self.byoyomi.is_some();
        let limited = self.exactly.is_some() || self.nodes.is_some() || self.depth.is_some();
        self.infinite || !(timed || limited)
    }

    /// When the search ends, for this side after so many plies.
    pub(super) fn pace(&self, side: Color, ply: u32, delay: Duration) -> Pace {
        let at = usize::from(side == Color::Gote);
        let timed =
            self.left[at].is_some() || self.byoyomi.is_some() || !self.increment[at].is_zero();
        let pace = if self.endless() {
            Pace::default()
        } else if let Some(time) = self.exactly {
            Pace { hard: Some(time), ..Pace::default() }
        } else if timed {
            let clock = Clock {
                left: self.left[at].unwrap_or_default(),
                increment: self.increment[at],
                byoyomi: self.byoyomi.unwrap_or_default(),
                moves: None,
            };
            clock.pace(ply, delay)
        } else {
            Pace::default()
        };
        Pace { held: self.ponder || self.endless(), ..pace }
    }

    /// The limits besides time.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes.map(|n| n.max(1)),
            depth: self.depth.map(|d| d.max(1)),
            only: self.only.iter().map(|m| m.to_usi()).collect(),
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Option<Duration> {
        Some(Duration::from_millis(n))
    }

    #[test]
    fn every_form_is_read() {
        let go = Go::read("btime 60000 wtime 50000 binc 1000 winc 2000");
        assert_eq!((go.left, go.increment[1]), ([ms(60_000), ms(50_000)], Duration::from_secs(2)));
        assert!(!go.pace(Color::Sente, 0, Duration::ZERO).held);
        let go = Go::read("ponder btime 0 wtime 0 byoyomi 3000");
        assert!(go.ponder && go.pace(Color::Gote, 9, Duration::ZERO).held);
        assert_eq!(go.pace(Color::Gote, 9, Duration::ZERO).hard, ms(3000));
        assert_eq!(Go::read("movetime 70").pace(Color::Sente, 0, Duration::ZERO).hard, ms(70));
        assert_eq!(Go::read("nodes 100 depth 7").limits().nodes, Some(100));
        assert_eq!(Go::read("depth 7").limits().depth, Some(7));
        assert_eq!(Go::read("mate infinite").mate, Some(None));
        assert_eq!(Go::read("mate 5000").mate, Some(ms(5000)));
        for endless in ["", "infinite", "searchmoves 7g7f", "infinite btime 1 wtime 1"] {
            let pace = Go::read(endless).pace(Color::Sente, 0, Duration::ZERO);
            assert_eq!(pace, Pace { held: true, ..Pace::default() }, "{endless}");
        }
        let go = Go::read("searchmoves 7g7f P*5e 8h2b+ depth 3");
        assert_eq!(go.limits().only, ["7g7f", "P*5e", "8h2b+"]);
        assert_eq!(go.depth, Some(3));
    }

    #[test]
    fn words_without_meaning_are_passed_over() {
        let go = Go::read("btime x wtime -5 nodes depth 0 nodes 99999999999999999999 byoyomi 10");
        assert_eq!(go.left, [None, ms(0)]);
        assert_eq!((go.nodes, go.byoyomi), (None, ms(10)));
        assert_eq!(Go::read("depth 300").limits().depth, Some(255));
        assert_eq!(Go::read("depth 0").limits().depth, Some(1));
    }
}
