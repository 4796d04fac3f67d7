//! Who looks on, and what is sent to them: one view per class of viewers and action, however many
//! sockets there are. A slow socket misses views, never the newest.

use super::{Caller, Class, Live};
use crate::errors::Failure;
use crate::limits::{MOST_SEAT_STREAMS, MOST_WATCHERS};
use axum::http::StatusCode;
use kiban_core::{Seat, Seats};
use std::sync::Arc;
use tokio::sync::{Notify, watch};

/// Somebody whose last stream ended is still here for so long: a page that is loaded anew.
const BLINK_MS: u64 = 2_000;

/// A view on its way.
#[derive(Clone, Debug)]
pub(crate) struct Pushed {
    /// The number of the last event it shows.
    pub(crate) n: u32,
    pub(crate) view: Arc<str>,
}

/// A stream's end of a game's feed.
pub(crate) struct Follower {
    /// What to send at once.
    pub(crate) first: Option<Pushed>,
    // Dropped before `_left`, so that the game counts without it when it is told.
    pub(crate) feed: watch::Receiver<Pushed>,
    _left: Left,
}

/// Rings when dropped.
struct Left(Arc<Notify>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Live {
    /// Adds a stream.
    pub(super) fn follow(
        &mut self,
        caller: &Caller,
        after: Option<u32>,
    ) -> Result<Follower, Failure> {
        let class = self.class(caller)?;
        let most = if class.seats.is_empty() { MOST_WATCHERS } else { MOST_SEAT_STREAMS };
        let feed = self
            .feeds
            .entry(class)
            .or_insert_with(|| watch::channel(Pushed { n: self.n, view: Arc::from("") }).0);
        if feed.receiver_count() >= most {
            let words = self.app.common_words();
            return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too-many-lines", words, &[]));
        }
        let receiver = feed.subscribe();
        let now = self.app.now_ms();
        let mut came = false;
        for seat in class.seats.iter() {
            came |= !self.room.is_here(seat);
            self.room.set_here(seat, true, now);
        }
        if came {
            self.push();
        }
        let current = |live: &Live| Pushed { n: live.n, view: live.view_text(class) };
        let first = after.is_none_or(|after| self.n > after).then(|| current(self));
        let mut feed = receiver;
        if first.is_some() {
            feed.mark_unchanged();
        }
        Ok(Follower { first, feed, _left: Left(Arc::clone(&self.left)) })
    }

    /// Sends everybody the newest view of their class.
    pub(super) fn push(&mut self) {
        self.claimants = self.may_claim_now();
        self.feeds.retain(|_, feed| feed.receiver_count() > 0);
        for (class, feed) in &self.feeds {
            feed.send_replace(Pushed { n: self.n, view: self.view_text(*class) });
        }
    }

    /// What was pushed to a class with the last event; made now if nobody of it has a stream.
    pub(super) fn pushed(&self, class: Class) -> Arc<str> {
        let feed = self.feeds.get(&class).map(|feed| feed.borrow());
        match feed {
            Some(pushed) if pushed.n == self.n && !pushed.view.is_empty() => {
                Arc::clone(&pushed.view)
            }
            _ => self.view_text(class),
        }
    }

    pub(super) fn is_followed(&self) -> bool {
        self.feeds.values().any(|feed| feed.receiver_count() > 0)
    }

    /// A stream ended.
    pub(super) fn on_left(&mut self) {
        let now = self.app.now_ms();
        self.idle_since_ms = now;
        self.roll_call_ms = Some(now + BLINK_MS);
    }

    /// Looks who is still here.
    pub(super) fn roll_call(&mut self, now_ms: u64) {
        self.roll_call_ms = None;
        let mut gone = false;
        for seat in Seat::ALL {
            let streams = |(class, feed): (&Class, &watch::Sender<Pushed>)| {
                if class.seats.has(seat) { feed.receiver_count() } else { 0 }
            };
            let here = self.feeds.iter().map(streams).sum::<usize>() > 0;
            if self.room.is_here(seat) && !here {
                self.room.set_here(seat, false, now_ms - BLINK_MS);
                gone = true;
            }
        }
        if gone {
            self.push();
        }
    }

    /// Nobody has a stream yet. With clocks, being away counts from now: after a restart everybody
    /// gets the time to come back. Without, from the last event: games leave memory between plies.
    pub(super) fn nobody_is_here(&mut self, now_ms: u64) {
        let since = if self.stored.head.clock.is_some() { now_ms } else { self.last_event_ms };
        Seat::ALL.into_iter().for_each(|seat| self.room.set_here(seat, false, since));
    }

    pub(super) fn may_claim_now(&self) -> Seats {
        let now = self.app.now_ms();
        Seat::ALL.into_iter().filter(|s| self.may_claim(*s, now)).collect()
    }

    fn may_claim(&self, seat: Seat, now_ms: u64) -> bool {
        seat.index() < self.stored.head.players.len() && self.room.may_claim(seat, now_ms)
    }
}
