//! The state machine: a referee, clocks, offers and seats. No input or output; time is passed in.

use crate::{Action, Clocks, Event, Head, Offer, Player, TimeLeft};
use kiban_core::{
    Act, Arbiter, Call, Conduct, Dice, Entry, GameSpec, OpenError, Opening, Refusal, Seat, Seats,
    Stage,
};

/// How long a seat may be away before its rival may claim a game with clocks.
pub const GRACE_MS: u64 = 60_000;
/// The same without clocks: nobody is held up, so a player may come back after a long weekend.
pub const GRACE_UNTIMED_MS: u64 = 4 * 24 * 60 * 60 * 1000;
/// Plies after which a game takes no more entries.
pub const LONGEST_GAME: usize = 5_000;
/// How often a seat may offer something before the next entry.
pub const MOST_OFFERS: u8 = 10;

/// Why an action was not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The rules or the referee refuse it.
    #[error("{0}")]
    Rules(#[from] Refusal),
    /// The game has moved on since the page was drawn.
    #[error("The game has moved on; look again.")]
    Stale,
    /// The clock has run out; the timeout is only not put in yet.
    #[error("The time is up.")]
    OutOfTime,
    /// A seat is still empty.
    #[error("The other player is not here yet.")]
    NotBegun,
    /// There is no such offer to answer, or none can be made now.
    #[error("There is no such offer now.")]
    NoOffer,
    /// A take back of another seat's stands: it means another move, so it is no assent to it.
    #[error("Another player's take back stands; accept or decline that one first.")]
    AnswerFirst,
    /// The seat, or all of them together, have offered too much.
    #[error("Too many offers were made; play on.")]
    TooManyOffers,
    /// The other player is here, or has not been away long enough.
    #[error("The other player has not been away long enough.")]
    StillHere,
    /// The seat is taken, or not for a person.
    #[error("This seat is taken.")]
    SeatTaken,
    /// A layout that lies is a promise.
    #[error("Your layout lies already; it cannot be changed.")]
    Laid,
    /// The log has reached its limit.
    #[error("This game has reached the longest length a game may have.")]
    TooLong,
    /// The stored events do not give a game.
    #[error("The stored game cannot be replayed: {0}")]
    Broken(String),
}

impl Refused {
    /// A slug for programs and translations.
    pub fn slug(&self) -> &'static str {
        match self {
            Refused::Rules(refusal) => refusal.slug(),
            Refused::Stale => "stale",
            Refused::OutOfTime => "out-of-time",
            Refused::NotBegun => "not-begun",
            Refused::NoOffer => "no-offer",
            Refused::AnswerFirst => "answer-first",
            Refused::TooManyOffers => "too-many-offers",
            Refused::StillHere => "still-here",
            Refused::SeatTaken => "seat-taken",
            Refused::Laid => "laid",
            Refused::TooLong => "too-long",
            Refused::Broken(_) => "broken",
        }
    }
}

fn open(head: &Head, spec: &'static GameSpec) -> Result<Box<dyn Arbiter>, OpenError> {
    let variant = spec.variant(&head.variant).map_err(OpenError::Variant)?;
    let conduct = Conduct::from_name(&head.conduct).unwrap_or(Conduct::Guided);
    let start = Some(head.start.clone());
    (spec.open)(&Opening { variant, start, conduct, seed: None })
}

/// How many entries of a referee's log were put before play: layouts and the deal.
pub fn before_play(referee: &dyn Arbiter) -> usize {
    let arranged = |e: &&Entry| matches!(e.act, Act::Layout(_) | Act::Deal(_));
    referee.log().iter().take_while(arranged).count()
}

/// A game with clocks and people.
pub struct Room {
    head: Head,
    referee: Box<dyn Arbiter>,
    /// The clocks before each log entry, so that a take back restores them.
    before: Vec<Option<Clocks>>,
    spent: Vec<u64>,
    clocks: Option<Clocks>,
    /// When what the game waits for began to count: the ply that is being thought about, or the
    /// layouts.
    since_ms: u64,
    /// Since when nobody has been thinking about that ply: its clock stands meanwhile.
    held_ms: Option<u64>,
    holders: Vec<Option<String>>,
    away_since: Vec<Option<u64>>,
    offers: Vec<(Seat, Offer)>,
    /// How many each seat has made since the log changed last.
    offered: Vec<u8>,
    rematch: Option<(Seat, String)>,
}

impl Room {
    /// A new game at this time.
    ///
    /// # Errors
    /// If the head's variant or start is wrong.
    pub fn new(head: Head, spec: &'static GameSpec, now_ms: u64) -> Result<Room, OpenError> {
        let referee = open(&head, spec)?;
        let seats = head.players.len();
        let clocks = head.clock.map(|control| Clocks::new(control, seats as u8));
        let mut room = Room {
            head,
            referee,
            before: Vec::new(),
            spent: Vec::new(),
            clocks,
            since_ms: now_ms,
            held_ms: None,
            holders: vec![None; seats],
            away_since: vec![None; seats],
            offers: Vec::new(),
            offered: vec![0; seats],
            rematch: None,
        };
        room.note_entries(0);
        Ok(room)
    }

    /// The game as its events left it. The clock of the ply being thought about starts anew: the
    /// time the server was down is charged to nobody.
    ///
    /// # Errors
    /// [`Refused::Broken`] if they do not give a game.
    pub fn replay(
        head: Head,
        spec: &'static GameSpec,
        events: impl IntoIterator<Item = Event>,
        now_ms: u64,
    ) -> Result<Room, Refused> {
        let broken = |e: &dyn std::fmt::Display| Refused::Broken(e.to_string());
        let mut room = Room::new(head, spec, now_ms).map_err(|e| broken(&e))?;
        for event in events {
            room.apply(&event, now_ms).map_err(|e| broken(&e))?;
        }
        Ok(room)
    }

    /// A referee of the same game with the first `ply` entries of its log.
    ///
    /// # Errors
    /// [`Refused::Broken`] if the log does not go that far.
    pub fn referee_at(&self, ply: usize) -> Result<Box<dyn Arbiter>, Refused> {
        let broken = |e: &dyn std::fmt::Display| Refused::Broken(e.to_string());
        let log = self.referee.log().get(..ply).ok_or_else(|| broken(&"the log is shorter"))?;
        let mut referee = open(&self.head, self.referee.spec()).map_err(|e| broken(&e))?;
        for entry in log {
            referee.put(entry)?;
        }
        Ok(referee)
    }

    /// How the game was set up.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The referee, to look at.
    pub fn referee(&self) -> &dyn Arbiter {
        self.referee.as_ref()
    }

    /// Time spent on each log entry.
    pub fn spent(&self) -> &[u64] {
        &self.spent
    }

    /// The same for each ply that was seen to happen: moves, and calls that the game went on with.
    pub fn spent_on_plies(&self) -> Vec<u64> {
        let plies = self.referee.log().iter().zip(&self.spent);
        let plies = plies.filter(|(e, _)| matches!(e.act, Act::Move(_) | Act::Call(_)));
        plies.map(|(_, ms)| *ms).collect()
    }

    /// How many entries of the log were put before play: layouts and the deal.
    pub fn before_play(&self) -> usize {
        before_play(self.referee())
    }

    /// Who holds a seat: the hash given when it was taken.
    pub fn holder(&self, seat: Seat) -> Option<&str> {
        self.holders.get(seat.index())?.as_deref()
    }

    /// The seats this holder has.
    pub fn seats_of(&self, holder: &str) -> Seats {
        Seat::ALL.into_iter().filter(|s| self.holder(*s) == Some(holder)).collect()
    }

    /// Seats for people that nobody has taken.
    pub fn open_seats(&self) -> Seats {
        let open = |s: &Seat| {
            self.head.players.get(s.index()) == Some(&Player::Person) && self.holder(*s).is_none()
        };
        Seat::ALL.into_iter().filter(open).collect()
    }

    /// Whether one person holds every seat that a person has: two people at one screen, or
    /// somebody against the computer. Nobody is left to be asked then.
    fn alone(&self, seat: Seat) -> bool {
        let holder = self.holder(seat);
        let players = self.head.players.iter().zip(&self.holders);
        players.filter(|(p, _)| **p == Player::Person).all(|(_, h)| h.as_deref() == holder)
    }

    /// The computer's level, if it is the computer's turn.
    pub fn computer_to_move(&self) -> Option<(Seat, u8)> {
        self.to_move_of(|player| match player {
            Player::Computer { level } => Some(*level),
            Player::Person | Player::Engine { .. } => None,
        })
    }

    /// The name of another program, if it is that program's turn.
    pub fn engine_to_move(&self) -> Option<(Seat, &str)> {
        self.to_move_of(|player| match player {
            Player::Engine { name } => Some(name.as_str()),
            Player::Person | Player::Computer { .. } => None,
        })
    }

    fn to_move_of<'a, T>(&'a self, of: impl Fn(&'a Player) -> Option<T>) -> Option<(Seat, T)> {
        if !self.open_seats().is_empty() || self.referee.stage() != Stage::Play {
            return None;
        }
        let waiting = self.referee.waiting_for();
        waiting.iter().find_map(|s| Some((s, of(self.head.players.get(s.index())?)?)))
    }

    /// The offers that stand.
    pub fn offers(&self) -> &[(Seat, Offer)] {
        &self.offers
    }

    /// The game that follows this one, and who opened it.
    pub fn rematch(&self) -> Option<&(Seat, String)> {
        self.rematch.as_ref()
    }

    /// The offers a seat could make now.
    pub fn may_offer(&self, seat: Seat) -> Vec<Offer> {
        if self.referee.stage() != Stage::Play || !self.open_seats().is_empty() {
            return Vec::new();
        }
        let inside = self.inside();
        if !inside.has(seat) {
            return Vec::new();
        }
        let mut may = Vec::new();
        if !inside.iter().any(|s| self.is_computer(s)) {
            may.push(Offer::Draw);
            if self.referee.calls(seat).contains(&Call::AgreeImpasse) {
                may.push(Offer::Impasse);
            }
        }
        let asked = self.stands_of_another(seat, Offer::TakeBack);
        if !asked && self.referee.may_take_back() && self.take_back_to(seat).is_some() {
            may.push(Offer::TakeBack);
        }
        may.retain(|what| !self.offers.contains(&(seat, *what)));
        may
    }

    fn stands_of_another(&self, seat: Seat, what: Offer) -> bool {
        self.offers.iter().any(|(s, w)| *s != seat && *w == what)
    }

    /// The seats still in the game: those whose consent a draw needs.
    fn inside(&self) -> Seats {
        let agrees = |s: &Seat| self.referee.calls(*s).contains(&Call::AgreeDraw);
        self.seats().iter().filter(agrees).collect()
    }

    fn seats(&self) -> Seats {
        Seats::first_n(self.head.players.len() as u8)
    }

    fn is_computer(&self, seat: Seat) -> bool {
        let player = self.head.players.get(seat.index());
        matches!(player, Some(Player::Computer { .. } | Player::Engine { .. }))
    }

    /// The calls a seat may make by itself now: agreements are offered, not called.
    pub fn may_call(&self, seat: Seat) -> Vec<Call> {
        if !self.open_seats().is_empty() {
            return Vec::new();
        }
        let own = |c: &Call| matches!(c, Call::Resign | Call::Declare);
        self.referee.calls(seat).into_iter().filter(own).collect()
    }

    fn computer_plays(&self) -> bool {
        self.seats().iter().any(|s| self.is_computer(s))
    }

    /// How many entries stay if `seat` takes its last move back.
    fn take_back_to(&self, seat: Seat) -> Option<usize> {
        // On one screen the last move is meant, whoever made it.
        let shared = self.alone(seat) && !self.computer_plays();
        let log = self.referee.log();
        let own = |e: &Entry| {
            let played = matches!(e.act, Act::Move(_)) && !e.by.is_empty();
            played && (shared || e.by.has(seat))
        };
        log.iter().rposition(own)
    }

    /// Says whether a seat is connected; being away counts from now.
    pub fn set_here(&mut self, seat: Seat, here: bool, now_ms: u64) {
        if let Some(away) = self.away_since.get_mut(seat.index()) {
            *away = if here { None } else { away.or(Some(now_ms)) };
        }
    }

    /// Whoever acts was there at that moment, connected or not: being away counts from then.
    fn stirs(&mut self, seat: Seat, now_ms: u64) {
        let own = self.holder(seat).map_or(Seats::NONE, |holder| self.seats_of(holder));
        for seat in own.iter() {
            let away = &mut self.away_since[seat.index()];
            *away = away.map(|_| now_ms);
        }
    }

    /// Whether somebody sits here and is connected.
    pub fn is_here(&self, seat: Seat) -> bool {
        self.holder(seat).is_some() && self.away_since[seat.index()].is_none()
    }

    /// When this seat will have been away too long.
    pub fn grace_ends_ms(&self, seat: Seat) -> Option<u64> {
        let person = self.head.players.get(seat.index()) == Some(&Player::Person);
        let grace = if self.clocks.is_some() { GRACE_MS } else { GRACE_UNTIMED_MS };
        self.away_since.get(seat.index()).copied().flatten().filter(|_| person).map(|t| t + grace)
    }

    /// Whether a seat could claim now that a rival left.
    pub fn may_claim(&self, seat: Seat, now_ms: u64) -> bool {
        self.gone_rival(seat, now_ms).is_some()
    }

    /// A rival of this seat that has been away too long; of several the first.
    fn gone_rival(&self, seat: Seat, now_ms: u64) -> Option<Seat> {
        let inside = |s: Seat| !self.referee.calls(s).is_empty();
        if !self.open_seats().is_empty() || self.alone(seat) || !inside(seat) {
            return None;
        }
        let gone = |s: &Seat| self.grace_ends_ms(*s).is_some_and(|end| now_ms >= end);
        let rival = |s: &Seat| !s.plays_with(seat) && inside(*s);
        self.seats().iter().filter(rival).find(gone)
    }

    /// The seat that the game waits for, with all that is needed to play.
    fn at_move(&self) -> Option<Seat> {
        let begun = self.open_seats().is_empty() && self.referee.stage() == Stage::Play;
        if begun { self.referee.waiting_for().only() } else { None }
    }

    /// The seat whose clock runs, and since when.
    pub fn running(&self) -> Option<(Seat, u64)> {
        self.at_move().filter(|_| self.held_ms.is_none()).map(|seat| (seat, self.since_ms))
    }

    /// Stops the clock of the ply that is to be played: a computer that waits for its turn to
    /// compute does not think yet.
    pub fn hold(&mut self, now_ms: u64) {
        self.held_ms.get_or_insert(now_ms);
    }

    /// Lets it go on from where it was.
    pub fn release(&mut self, now_ms: u64) {
        if let Some(held) = self.held_ms.take() {
            self.since_ms += now_ms.saturating_sub(held);
        }
    }

    /// What has been spent on the ply that is to be played.
    fn spent_ms(&self, now_ms: u64) -> u64 {
        self.held_ms.unwrap_or(now_ms).saturating_sub(self.since_ms)
    }

    fn count_from(&mut self, now_ms: u64) {
        (self.since_ms, self.held_ms) = (now_ms, None);
    }

    /// When the ply that is being thought about, or the time for layouts, began to count.
    pub fn since_ms(&self) -> u64 {
        self.since_ms
    }

    /// What each seat has left, to show.
    pub fn time_left(&self, now_ms: u64) -> Option<Vec<TimeLeft>> {
        let clocks = self.clocks.as_ref()?;
        Some(clocks.shown(self.at_move(), self.spent_ms(now_ms)))
    }

    /// What the seat to move may still take for its ply; `None` where there are no clocks.
    pub fn left_ms(&self, now_ms: u64) -> Option<u64> {
        let budget = self.clocks.as_ref()?.budget(self.at_move()?);
        Some(budget.saturating_sub(self.spent_ms(now_ms)))
    }

    /// When the time of those the game waits for is up.
    pub fn deadline_ms(&self) -> Option<u64> {
        if let Some((seat, since)) = self.running() {
            return Some(since + self.clocks.as_ref()?.budget(seat));
        }
        let arranging = self.referee.stage() == Stage::Layout && self.open_seats().is_empty();
        self.head.layout_ms.filter(|_| arranging).map(|ms| self.since_ms + ms)
    }

    /// One thing that is due now: the deal, a computer's layout, one for somebody who let the time
    /// pass, a timeout. The event is already applied; ask again until nothing is due.
    ///
    /// # Errors
    /// If the referee refuses it.
    pub fn tick(&mut self, now_ms: u64, dice: Dice<'_>) -> Result<Option<Event>, Refused> {
        if !self.open_seats().is_empty() {
            return Ok(None);
        }
        let late = self.deadline_ms().is_some_and(|deadline| now_ms >= deadline);
        let due = match (self.referee.stage(), self.running()) {
            (Stage::Layout, _) => self.arrangement_due(late, dice),
            (_, Some((seat, _))) if late => Some(Entry::new_call(seat, Call::Timeout)),
            _ => None,
        };
        let Some(entry) = due else { return Ok(None) };
        let spent_ms = now_ms.saturating_sub(self.since_ms);
        self.commit(Event::Put { entry, spent_ms }, now_ms).map(Some)
    }

    fn arrangement_due(&self, late: bool, dice: Dice<'_>) -> Option<Entry> {
        let due = |s: &Seat| late || self.is_computer(*s);
        match self.referee.draw(dice) {
            Some(deal) => Some(deal),
            None => self.referee.arrange(self.referee.waiting_for().iter().find(due)?, dice),
        }
    }

    /// Lets somebody take a seat.
    ///
    /// # Errors
    /// [`Refused::SeatTaken`].
    pub fn sit(&mut self, seat: Seat, holder: &str, now_ms: u64) -> Result<Event, Refused> {
        if !self.open_seats().has(seat) {
            return Err(Refused::SeatTaken);
        }
        let event = self.commit(Event::Sat { seat, holder: holder.to_string() }, now_ms)?;
        self.stirs(seat, now_ms);
        Ok(event)
    }

    /// Notes the game that follows this one.
    ///
    /// # Errors
    /// [`Refused::NoOffer`] if this game is not over or another follows it already.
    pub fn set_rematch(&mut self, seat: Seat, game: &str, now_ms: u64) -> Result<Event, Refused> {
        if self.referee.stage() != Stage::Over || self.rematch.is_some() {
            return Err(Refused::NoOffer);
        }
        self.commit(Event::Rematch { seat, game: game.to_string() }, now_ms)
    }

    /// Does what a seat wants. `ply` is how many entries its page knew of. The event is already
    /// applied; if it cannot be stored, the room must be dropped and replayed.
    ///
    /// # Errors
    /// Why it was refused; nothing has changed then.
    pub fn act(
        &mut self,
        seat: Seat,
        action: &Action,
        ply: Option<usize>,
        now_ms: u64,
    ) -> Result<Event, Refused> {
        // Whoever waits for the others may lay out meanwhile.
        if !self.open_seats().is_empty() && !matches!(action, Action::Layout(_)) {
            return Err(Refused::NotBegun);
        }
        if self.referee.stage() == Stage::Over {
            return Err(Refusal::Over.into());
        }
        if self.deadline_ms().is_some_and(|deadline| now_ms >= deadline) {
            return Err(Refused::OutOfTime);
        }
        // These mean the same whatever the others did meanwhile.
        let timeless =
            matches!(action, Action::Call(Call::Resign) | Action::Decline(_) | Action::Layout(_));
        if !timeless && ply.is_some_and(|ply| ply != self.referee.log().len()) {
            return Err(Refused::Stale);
        }
        let event = match action {
            Action::Move(text) => self.put(seat, Act::Move(text.clone()), now_ms)?,
            Action::Taps(taps) => {
                let text = self.referee.read_taps(seat, taps)?;
                self.put(seat, Act::Move(text), now_ms)?
            }
            Action::Layout(text) => self.lay(seat, text, now_ms)?,
            Action::Call(call) if self.may_call(seat).contains(call) => {
                self.put(seat, Act::Call(*call), now_ms)?
            }
            Action::Call(call) => return Err(Refusal::NoSuchCall(*call).into()),
            Action::Offer(_) | Action::Accept(_) | Action::Decline(_)
                if !self.inside().has(seat) =>
            {
                return Err(Refused::NoOffer);
            }
            Action::Offer(Offer::TakeBack) if self.stands_of_another(seat, Offer::TakeBack) => {
                return Err(Refused::AnswerFirst);
            }
            Action::Offer(what) => self.offer(seat, *what)?,
            Action::Accept(what) if self.stands_of_another(seat, *what) => {
                self.offer(seat, *what)?
            }
            Action::Decline(what) if self.offers.iter().any(|(_, w)| w == what) => {
                Event::Declined { seat, what: *what }
            }
            Action::Accept(_) | Action::Decline(_) => return Err(Refused::NoOffer),
            Action::ClaimLeft => {
                let gone = self.gone_rival(seat, now_ms).ok_or(Refused::StillHere)?;
                Event::Put { entry: Entry::new_call(gone, Call::Left), spent_ms: 0 }
            }
        };
        let event = self.commit(event, now_ms)?;
        self.stirs(seat, now_ms);
        Ok(event)
    }

    fn put(&self, seat: Seat, act: Act, now_ms: u64) -> Result<Event, Refused> {
        let mover = self.at_move().filter(|at_move| *at_move == seat);
        let spent_ms = mover.map_or(0, |_| self.spent_ms(now_ms));
        if matches!(act, Act::Move(_)) && self.referee.log().len() >= LONGEST_GAME {
            return Err(Refused::TooLong);
        }
        Ok(Event::Put { entry: Entry { by: seat.into(), act }, spent_ms })
    }

    fn lay(&self, seat: Seat, text: &str, now_ms: u64) -> Result<Event, Refused> {
        let own = |e: &Entry| matches!(e.act, Act::Layout(_)) && e.by.has(seat);
        if self.referee.log().iter().any(own) {
            return Err(Refused::Laid);
        }
        let entry = Entry { by: seat.into(), act: Act::Layout(text.to_string()) };
        Ok(Event::Put { entry, spent_ms: now_ms.saturating_sub(self.since_ms) })
    }

    /// An offer stands until everybody else who is a person has made it too.
    fn offer(&self, seat: Seat, what: Offer) -> Result<Event, Refused> {
        let asker = self.offers.iter().find(|(_, w)| *w == what).map(|(s, _)| *s);
        if self.offers.contains(&(seat, what)) {
            return Err(Refused::NoOffer);
        }
        let accepts = asker.is_some_and(|asker| asker != seat);
        if !accepts && !self.may_offer(seat).contains(&what) {
            return Err(Refused::NoOffer);
        }
        if !accepts && self.offered[seat.index()] >= MOST_OFFERS {
            return Err(Refused::TooManyOffers);
        }
        let offered = self.offers.iter().filter(|(_, w)| *w == what).map(|(s, _)| *s);
        let consenting = offered.chain([seat]).collect();
        if !self.agreed(consenting) {
            return Ok(Event::Offered { seat, what });
        }
        match what.call() {
            Some(call) => {
                Ok(Event::Put { entry: Entry::new_call(self.inside(), call), spent_ms: 0 })
            }
            None => {
                let kept = self.take_back_to(asker.unwrap_or(seat)).ok_or(Refused::NoOffer)?;
                Ok(Event::TookBack { kept })
            }
        }
    }

    /// Whether with these seats every person still in the game has consented; one person may have
    /// several seats.
    fn agreed(&self, consenting: Seats) -> bool {
        let holders: Vec<_> = consenting.iter().map(|s| self.holder(s)).collect();
        let mut persons = self.inside().iter().filter(|s| !self.is_computer(*s));
        persons.all(|s| holders.contains(&self.holder(s)))
    }

    fn commit(&mut self, event: Event, now_ms: u64) -> Result<Event, Refused> {
        self.apply(&event, now_ms)?;
        Ok(event)
    }

    /// Applies an event: a new one, or one of the store when a game is replayed.
    fn apply(&mut self, event: &Event, now_ms: u64) -> Result<(), Refused> {
        match event {
            Event::Sat { seat, holder } => {
                let place = self.holders.get_mut(seat.index()).ok_or(Refused::SeatTaken)?;
                *place = Some(holder.clone());
                self.count_from(now_ms);
            }
            Event::Put { entry, spent_ms } => {
                let thinking = self.at_move().filter(|s| !entry.by.has(*s));
                self.apply_entry(entry, *spent_ms)?;
                // Whoever is at a ply stays at it when another goes out meanwhile.
                let goes_on = match self.at_move() {
                    Some(seat) => thinking == Some(seat),
                    None => self.referee.stage() == Stage::Layout,
                };
                if !goes_on {
                    self.count_from(now_ms);
                }
            }
            Event::Offered { seat, what } => {
                // Consent to another's is none of one's own.
                if !self.stands_of_another(*seat, *what) {
                    let made = self.offered.get_mut(seat.index()).ok_or(Refused::NoOffer)?;
                    *made = made.saturating_add(1);
                }
                self.offers.push((*seat, *what));
            }
            Event::Declined { what, .. } => self.offers.retain(|(_, w)| w != what),
            Event::TookBack { kept } => {
                self.apply_take_back(*kept)?;
                self.count_from(now_ms);
            }
            Event::Rematch { seat, game } => self.rematch = Some((*seat, game.clone())),
        }
        Ok(())
    }

    fn apply_entry(&mut self, entry: &Entry, spent_ms: u64) -> Result<(), Refused> {
        let before = self.referee.log().len();
        let mover = self.at_move().filter(|s| entry.by == Seats::from(*s));
        self.referee.put(entry)?;
        self.note_entries(spent_ms);
        let skipped = entry.act == Act::Call(Call::Timeout) && self.referee.ending().is_none();
        match (mover, self.clocks.as_mut()) {
            // Time that only costs the turn is whole again for the next one.
            (Some(seat), Some(clocks)) if skipped => clocks.refill(seat),
            (Some(seat), Some(clocks)) => clocks.charge(seat, spent_ms),
            _ => {}
        }
        debug_assert!(self.referee.log().len() > before, "an accepted entry is in the log");
        self.drop_offers();
        Ok(())
    }

    /// Keeps the clocks beside each new log entry; forced moves take no time.
    fn note_entries(&mut self, spent_ms: u64) {
        let mut spent_ms = spent_ms;
        while self.before.len() < self.referee.log().len() {
            self.before.push(self.clocks.clone());
            self.spent.push(spent_ms);
            spent_ms = 0;
        }
    }

    fn apply_take_back(&mut self, kept: usize) -> Result<(), Refused> {
        if kept >= self.referee.log().len() {
            return Err(Refusal::NoTakeBack.into());
        }
        // On a copy: a take back that is refused half way changes nothing.
        let mut referee = self.referee_at(self.referee.log().len())?;
        while referee.log().len() > kept {
            referee.take_back()?;
        }
        self.referee = referee;
        let kept = self.referee.log().len();
        self.clocks = self.before[kept].take();
        self.before.truncate(kept);
        self.spent.truncate(kept);
        self.drop_offers();
        Ok(())
    }

    fn drop_offers(&mut self) {
        self.offers.clear();
        self.offered.fill(0);
    }
}
