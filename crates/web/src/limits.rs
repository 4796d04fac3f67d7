//! How much one client may ask for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Largest body of a request, in bytes.
pub(crate) const MOST_BODY: usize = 1 << 20;
/// Bodies up to this size may be many at a time.
pub(crate) const SMALL_BODY: usize = 32 << 10;
/// Larger ones in memory at a time.
pub(crate) const MOST_LARGE_BODIES: usize = 32;
/// Answers longer than this wait for the client with a place for each so many bytes.
pub(crate) const SMALL_ANSWER: usize = 64 << 10;
/// Such places: 96 MiB in memory at a time.
pub(crate) const MOST_LARGE_ANSWERS: usize = (96 << 20) / SMALL_ANSWER;
/// Streams of one game held open by those who have a seat, per set of seats.
pub(crate) const MOST_SEAT_STREAMS: usize = 16;
/// Streams of one game held open by watchers.
pub(crate) const MOST_WATCHERS: usize = 200;
/// Connections in all.
pub(crate) const MOST_CONNECTIONS: usize = 10_000;

/// A bucket of tokens: so many at once, then one each so many milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Rate {
    most: f64,
    refill_ms: f64,
}

/// For one browser, known by its cookie.
pub(crate) const PER_BROWSER: Rate = Rate { most: 30.0, refill_ms: 2_000.0 };
/// For one address; many browsers may stand behind it.
pub(crate) const PER_ADDRESS: Rate = Rate { most: 120.0, refill_ms: 500.0 };

/// For one address that reads positions: stepping through a record asks about every ply.
pub(crate) const READS: Rate = Rate { most: 600.0, refill_ms: 100.0 };

/// Buckets kept at most; full ones are forgotten first.
const MOST_BUCKETS: usize = 20_000;

/// Token buckets by client.
#[derive(Default)]
pub(crate) struct Limits {
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    tokens: f64,
    at_ms: u64,
    rate: Rate,
}

impl Bucket {
    fn refill(&mut self, now_ms: u64) {
        let passed = now_ms.saturating_sub(self.at_ms) as f64;
        self.tokens = (self.tokens + passed / self.rate.refill_ms).min(self.rate.most);
        self.at_ms = now_ms;
    }
}

impl Limits {
    /// How many buckets are kept.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes a token from this client's bucket; false if it is empty.
    pub(crate) fn take(&self, client: &str, rate: Rate, now_ms: u64) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_BUCKETS && !buckets.contains_key(client) {
            buckets.retain(|_, bucket| {
                bucket.refill(now_ms);
                bucket.tokens < bucket.rate.most
            });
            if buckets.len() >= MOST_BUCKETS {
                return false;
            }
        }
        let full = || Bucket { tokens: rate.most, at_ms: now_ms, rate };
        let bucket = buckets.entry(client.to_string()).or_insert_with(full);
        bucket.refill(now_ms);
        let enough = bucket.tokens >= 1.0;
        if enough {
            bucket.tokens -= 1.0;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_refills() {
        let limits = Limits::default();
        let rate = Rate { most: 2.0, refill_ms: 100.0 };
        assert!(limits.take("a", rate, 0));
        assert!(limits.take("a", rate, 0));
        assert!(!limits.take("a", rate, 50));
        assert!(limits.take("b", rate, 50), "another client has a bucket of its own");
        assert!(limits.take("a", rate, 120));
        assert!(!limits.take("a", rate, 120));
    }

    #[test]
    fn buckets_are_bounded() {
        let limits = Limits::default();
        for i in 0..MOST_BUCKETS {
            assert!(limits.take(&i.to_string(), PER_BROWSER, 0));
        }
        assert!(!limits.take("one more", PER_BROWSER, 0), "all buckets are in use");
        assert!(limits.take("one more", PER_BROWSER, 10_000), "full buckets make room");
    }
}
