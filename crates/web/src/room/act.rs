//! What people do.

use super::{Caller, Class, Event, Live, Mode, Stored};
use crate::errors::Failure;
use crate::guard::random_id;
use axum::http::StatusCode;
use kiban_core::{Call, Seat, Seats};
use kiban_play::{Action, LONGEST_GAME, Offer, Player, Refused};
use kiban_store::{NewEvent, NewGame};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::json;
use std::sync::Arc;

/// Longest id a client may give an action.
const LONGEST_ID: usize = 64;
/// Events of a game after which nothing is offered any more: moves are at most so many, but offers
/// and moves taken back would let it grow for ever.
pub(crate) const MOST_EVENTS: u32 = 4 * LONGEST_GAME as u32;

/// An action as a client wants it.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Sent")]
pub(crate) struct Order {
    /// Made by the client, unique for its seat; the same again is not done again.
    pub(crate) id: String,
    /// `None` is the caller's seat whose turn it is, else their first.
    pub(crate) seat: Option<Seat>,
    /// How many log entries the client knew.
    pub(crate) ply: Option<usize>,
    pub(crate) action: Action,
}

/// An action as it is sent: which of its fields is there says what is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "an action")]
struct Sent {
    id: String,
    seat: Option<Seat>,
    ply: Option<usize>,
    r#move: Option<String>,
    taps: Option<Vec<String>>,
    layout: Option<String>,
    call: Option<Call>,
    offer: Option<Offer>,
    accept: Option<Offer>,
    decline: Option<Offer>,
    #[serde(default, deserialize_with = "given")]
    claim_left: bool,
}

/// Whatever it is, it is there.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl TryFrom<Sent> for Order {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Order, &'static str> {
        let wanted = [
            sent.r#move.map(Action::Move),
            sent.taps.map(Action::Taps),
            sent.layout.map(Action::Layout),
            sent.call.map(Action::Call),
            sent.offer.map(Action::Offer),
            sent.accept.map(Action::Accept),
            sent.decline.map(Action::Decline),
            sent.claim_left.then_some(Action::ClaimLeft),
        ];
        let mut wanted = wanted.into_iter().flatten();
        match (wanted.next(), wanted.next()) {
            (Some(action), None) => {
                Ok(Order { id: sent.id, seat: sent.seat, ply: sent.ply, action })
            }
            _ => Err("an action is one of move, taps, layout, call, offer, accept, decline and \
                      claim-left"),
        }
    }
}

/// An action that is in the store.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) n: u32,
    pub(crate) view: Arc<str>,
}

impl Live {
    /// Does what a seat wants; the answer comes once it is stored.
    pub(super) async fn act(&mut self, caller: &Caller, order: Order) -> Result<Done, Failure> {
        let class = self.class(caller)?;
        if let Some(n) = self.done_before(class, &order) {
            return Ok(Done { n, view: self.view_text(class) });
        }
        let seat = self.acting_seat(class, &order)?;
        if let Action::Taps(taps) = &order.action {
            self.check_path(seat, taps)?;
        }
        let offers = matches!(order.action, Action::Offer(_) | Action::Decline(_));
        if offers && self.n >= MOST_EVENTS {
            return Err(Failure::refused(&Refused::TooManyOffers, self.words()));
        }
        let now = self.app.now_ms();
        let event = self.room.act(seat, &order.action, order.ply, now).map_err(|refused| {
            Failure::refused(&refused, self.words()).with("view", self.view(class))
        })?;
        let n = self.commit(event, Some((seat, Some(order.id)))).await?;
        Ok(Done { n, view: self.pushed(class) })
    }

    /// A client that heard no answer sends again, perhaps when it is another seat's turn already.
    fn done_before(&self, class: Class, order: &Order) -> Option<u32> {
        let mut seats = class.seats.iter().filter(|s| order.seat.is_none_or(|seat| seat == *s));
        seats.find_map(|seat| self.keys.get(&(seat, order.id.clone())).copied())
    }

    fn acting_seat(&self, class: Class, order: &Order) -> Result<Seat, Failure> {
        let words = self.words();
        if order.id.is_empty() || order.id.chars().count() > LONGEST_ID {
            return Err(Failure::bad("bad-id", words, &[]));
        }
        let waiting_for = self.room.referee().waiting_for();
        let turn = class.seats.iter().find(|s| waiting_for.has(*s));
        let seat = order.seat.or(turn).or_else(|| class.seats.iter().next());
        match seat {
            Some(seat) if class.seats.has(seat) => Ok(seat),
            Some(_) if !class.seats.is_empty() => {
                Err(Failure::new(StatusCode::FORBIDDEN, "not-your-seat", words, &[]))
            }
            _ => Err(Failure::new(StatusCode::FORBIDDEN, "watchers-only-look", words, &[])),
        }
    }

    /// A path that is the beginning of longer ones is not judged: the board asks how it goes on.
    fn check_path(&self, seat: Seat, taps: &[String]) -> Result<(), Failure> {
        let choices = self.room.referee().choices(seat);
        let mut next: Vec<&str> = Vec::new();
        for choice in &choices {
            if let Some(tap) = choice.taps.get(taps.len())
                && choice.taps.starts_with(taps)
                && !next.contains(&tap.as_str())
            {
                next.push(tap);
            }
        }
        if next.is_empty() {
            return Ok(());
        }
        let failure = Failure::new(StatusCode::CONFLICT, "path-continues", self.words(), &[]);
        Err(failure.with("next", json!(next)))
    }

    /// Gives the next open seat to who has the link. Who has a seat keeps that one.
    pub(super) async fn join(&mut self, holder: &str, secret: &str) -> Result<(), Failure> {
        if !self.may_join(secret) {
            return Err(Failure::not_found(self.app.common_words()));
        }
        if !self.room.seats_of(holder).is_empty() {
            return Ok(());
        }
        let words = self.app.words(self.spec);
        let full = || Failure::new(StatusCode::CONFLICT, "no-open-seat", words, &[]);
        let seat = self.seat_for(Some(holder)).ok_or_else(full)?;
        let event = self.room.sit(seat, holder, self.app.now_ms());
        let event = event.map_err(|refused| Failure::refused(&refused, words))?;
        self.commit(event, Some((seat, None))).await?;
        Ok(())
    }

    /// Opens the game that follows, every player one seat further, so that allies who sit opposite
    /// stay allies; gives the caller's way to it.
    pub(super) async fn open_rematch(&mut self, caller: &Caller) -> Result<String, Failure> {
        let class = self.class(caller)?;
        let words = self.app.words(self.spec);
        let watcher = || Failure::new(StatusCode::FORBIDDEN, "watchers-only-look", words, &[]);
        let seat = class.seats.iter().next().ok_or_else(watcher)?;
        if let Some(url) = self.rematch_url(class) {
            return Ok(url);
        }
        let holder = caller.holder.clone().ok_or_else(watcher)?;
        let id = random_id();
        let event = self.room.set_rematch(seat, &id, self.app.now_ms());
        let event = event.map_err(|refused| Failure::refused(&refused, words))?;
        let next = self.next_game(holder);
        let seats = class.seats.iter().map(|s| self.next_seat(s)).collect();
        if let Err(failure) = create(&self.app, &id, &next, seats).await {
            self.reload().await;
            return Err(failure);
        }
        self.commit(event, Some((seat, None))).await?;
        Ok(format!("/g/{id}"))
    }

    fn next_seat(&self, seat: Seat) -> Seat {
        let seats = self.stored.head.players.len();
        Seat::new((seat.index() + 1) % seats).expect("a seat of this game")
    }

    fn next_game(&self, creator: String) -> Stored {
        let mut head = self.stored.head.clone();
        head.players.rotate_right(1);
        let seats = Seats::first_n(head.players.len() as u8);
        let kept = |s: Seat| Some((self.next_seat(s), self.room.holder(s)?.to_string()));
        let kept = seats.iter().filter_map(kept).collect();
        Stored { head, mode: self.stored.mode, creator, key: self.stored.next_key(), kept }
    }
}

/// Stores a new game in which its creator has these seats.
pub(crate) async fn create(
    app: &crate::app::Shared,
    id: &str,
    stored: &Stored,
    seats: Seats,
) -> Result<(), Failure> {
    debug_assert!(stored.mode == Mode::Online || !seats.is_empty());
    let now = app.now_ms() as i64;
    let failed = |error: kiban_store::StoreError| {
        (app.log)(&format!("A game was not created: {error}."));
        Failure::not_stored(app.common_words())
    };
    let head = serde_json::to_string(stored).expect("a head is plain data");
    let game = NewGame { id: id.to_string(), created_ms: now, head };
    app.store.create(game).await.map_err(failed)?;
    let person = |s: &Seat| stored.head.players.get(s.index()) == Some(&Player::Person);
    let sat = |seat: Seat| {
        let event = Event::Sat { seat, holder: stored.creator.clone() };
        let body = serde_json::to_string(&event).expect("an event is plain data");
        NewEvent { key: None, seat: Some(seat.index() as u8), at_ms: now, body }
    };
    let events: Vec<_> = seats.iter().filter(person).map(sat).collect();
    app.store.append(id, 1, events).await.map_err(failed)?;
    Ok(())
}
