//! One game's task: it alone holds the game's state machine. What it is asked is done in order;
//! an action is answered and pushed only once the store has it.

use crate::app::Shared;
use crate::engines::Foreign;
use crate::errors::Failure;
use crate::guard::{derive, random_bits, same_secret};
use crate::rooms::Inbox;
use crate::view::View;
use axum::http::StatusCode;
use kiban_core::{Arbiter, Choice, Entry, Format, GameSpec, Seat, Seats, Shape, Stage, Viewer};
use kiban_play::{Event, Head, Room};
use kiban_store::{Appended, NewEvent};
use kiban_words::Words;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, oneshot, watch};

mod act;
mod engine;
mod feed;

#[cfg(test)]
pub(crate) use act::MOST_EVENTS;
pub(crate) use act::{Done, Order, create};
use engine::Thinking;
pub(crate) use feed::{Follower, Pushed};

/// What was due and could not be stored is tried again this much later.
const DUE_AGAIN_MS: u64 = 1_000;

/// How the people of a game sit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// One person against the computer.
    Computer,
    /// All at one screen.
    Screen,
    /// Each at a browser of their own.
    Online,
}

impl Mode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Computer => "computer",
            Mode::Screen => "screen",
            Mode::Online => "online",
        }
    }
}

/// What the store keeps as a game's head.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) head: Head,
    pub(crate) mode: Mode,
    /// The hash of the creator's cookie.
    pub(crate) creator: String,
    /// The secret links and the salts of commitments follow from it; it is never shown.
    pub(crate) key: String,
    /// Whose seats are kept for them: the players of the game before.
    #[serde(default)]
    pub(crate) kept: Vec<(Seat, String)>,
}

impl Stored {
    pub(crate) fn join_secret(&self) -> String {
        derive(&self.key, "join")
    }

    pub(crate) fn watch_secret(&self) -> String {
        derive(&self.key, "watch")
    }

    /// The key of the game that follows this one, so that its links are known here.
    pub(crate) fn next_key(&self) -> String {
        derive(&self.key, "rematch")
    }
}

/// Who asks: by cookie, by a watcher's link, or both; and with whose eyes to look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    pub(crate) holder: Option<String>,
    pub(crate) watch: Option<String>,
    pub(crate) eyes: Option<String>,
}

/// All that decides what a viewer sees of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Class {
    pub(crate) seats: Seats,
    pub(crate) creator: bool,
    /// With whose eyes, where that was asked for and may be.
    pub(crate) eyes: Option<Viewer>,
}

impl Class {
    /// Those with a watcher's link.
    pub(crate) const WATCHER: Class = Class { seats: Seats::NONE, creator: false, eyes: None };
}

type Reply<T> = oneshot::Sender<Result<T, Failure>>;

/// What a game's task can be asked.
pub(crate) enum Ask {
    /// To be looked at.
    Read(Box<dyn FnOnce(&mut Live) + Send>),
    /// To do something for a seat.
    Act(Caller, Order, Reply<Done>),
    /// To give a seat to who has the link.
    Join { holder: String, secret: String, reply: Reply<()> },
    /// To open the game that follows.
    Rematch(Caller, Reply<String>),
    /// To send views from now on; the view at once if there are events after this number.
    Follow(Caller, Option<u32>, Reply<Follower>),
}

impl Ask {
    /// To be looked at by this function.
    pub(crate) fn read<T: Send + 'static>(
        reply: Reply<T>,
        look: impl FnOnce(&Live) -> Result<T, Failure> + Send + 'static,
    ) -> Ask {
        Ask::Read(Box::new(move |live| {
            // Whoever asked may have gone.
            let _ = reply.send(look(live));
        }))
    }
}

/// A game in memory.
pub(crate) struct Live {
    app: Shared,
    id: String,
    spec: &'static GameSpec,
    stored: Stored,
    room: Room,
    /// The number of the last event.
    n: u32,
    /// The senders' own ids of the events so far.
    keys: HashMap<(Seat, String), u32>,
    feeds: HashMap<Class, watch::Sender<Pushed>>,
    /// Rung when a stream ends.
    left: Arc<Notify>,
    /// When to look who is still here.
    roll_call_ms: Option<u64>,
    thinking: Option<Thinking>,
    /// The program that plays here, once it has been asked something.
    foreign: Option<Foreign>,
    /// What befell it, in one sentence.
    engine_failed: Option<String>,
    /// Why it is about to give up.
    given_up: Option<&'static str>,
    /// Faults of the engine at the ply being thought about.
    faults: u8,
    /// When to ask a busy engine again.
    ask_again_ms: Option<u64>,
    /// Who may claim the game, as last pushed.
    claimants: Seats,
    free_taps: usize,
    formats: Vec<&'static Format>,
    idle_since_ms: u64,
    /// Since when the ply of the last stored event is being thought about.
    clock_since_ms: u64,
    marked_over: bool,
    last_event_ms: u64,
    /// When to try again to store what was due.
    due_again_ms: u64,
    /// What is in memory is not what the store has, and could not be mended.
    broken: bool,
}

impl Live {
    /// Opens a game from the store.
    pub(crate) async fn load(app: Shared, id: String) -> Result<Live, Failure> {
        let now = app.now_ms();
        let loaded = load(&app, &id, now).await?;
        let Loaded { spec, stored, room, n, keys, last_event_ms, over } = loaded;
        let (free_taps, formats) = tried(&room);
        let mut live = Live {
            app,
            id,
            spec,
            stored,
            room,
            n,
            keys,
            feeds: HashMap::new(),
            left: Arc::default(),
            roll_call_ms: None,
            thinking: None,
            foreign: None,
            engine_failed: None,
            given_up: None,
            faults: 0,
            ask_again_ms: None,
            claimants: Seats::NONE,
            free_taps,
            formats,
            idle_since_ms: now,
            clock_since_ms: now,
            marked_over: over,
            last_event_ms,
            due_again_ms: 0,
            broken: false,
        };
        live.nobody_is_here(now);
        Ok(live)
    }

    /// Takes questions until nobody looks any more.
    pub(crate) async fn run(mut self, mut inbox: Inbox) {
        self.after_event();
        self.settle().await;
        let left = Arc::clone(&self.left);
        while !self.broken {
            let wait = Duration::from_millis(self.wake_ms().saturating_sub(self.app.now_ms()));
            tokio::select! {
                ask = inbox.recv() => {
                    let Some(ask) = ask else { break };
                    self.settle().await;
                    self.on_time().await;
                    self.answer(ask).await;
                    self.settle().await;
                }
                () = left.notified() => self.on_left(),
                thought = Thinking::answer(&mut self.thinking) => self.on_thought(thought).await,
                () = tokio::time::sleep(wait) => self.on_time().await,
            }
            if self.may_leave() && self.app.rooms.leave(&self.id, &inbox) {
                return;
            }
        }
        drop(inbox);
        self.app.rooms.forget(&self.id);
    }

    async fn answer(&mut self, ask: Ask) {
        // Whoever asked may have gone by now; what was done stays done.
        match ask {
            Ask::Read(look) => look(self),
            Ask::Act(caller, order, reply) => {
                let _ = reply.send(self.act(&caller, order).await);
            }
            Ask::Join { holder, secret, reply } => {
                let _ = reply.send(self.join(&holder, &secret).await);
            }
            Ask::Rematch(caller, reply) => {
                let _ = reply.send(self.open_rematch(&caller).await);
            }
            Ask::Follow(caller, after, reply) => {
                let _ = reply.send(self.follow(&caller, after));
            }
        }
        self.idle_since_ms = self.app.now_ms();
    }

    /// Puts all that is due: the deal, layouts, timeouts.
    async fn settle(&mut self) {
        while !self.broken {
            let now = self.app.now_ms();
            match self.room.tick(now, &mut random_bits) {
                Ok(None) => return,
                Ok(Some(event)) => {
                    if self.commit(event, None).await.is_ok() {
                        continue;
                    }
                }
                // What was drawn is hidden from whoever reads the log.
                Err(refused) => {
                    let slug = refused.slug();
                    (self.app.log)(&format!("What was due was refused: {slug}."));
                }
            }
            self.due_again_ms = now + DUE_AGAIN_MS;
            return;
        }
    }

    /// Does what the time asks for.
    async fn on_time(&mut self) {
        if self.app.now_ms() >= self.due_again_ms {
            self.settle().await;
        }
        let now = self.app.now_ms();
        if self.roll_call_ms.is_some_and(|at| now >= at) {
            self.roll_call(now);
        }
        if self.ask_again_ms.is_some_and(|at| now >= at) {
            self.ask_again_ms = None;
            self.think_again().await;
        }
        if self.claimants != self.may_claim_now() {
            self.push();
        }
    }

    /// The next moment at which something is to be done.
    fn wake_ms(&self) -> u64 {
        let now = self.app.now_ms();
        let graces = Seat::ALL.into_iter().filter_map(|s| self.room.grace_ends_ms(s));
        let flag = self.room.deadline_ms().map(|at| at.max(self.due_again_ms));
        let due = [flag, self.roll_call_ms, self.ask_again_ms];
        let due = due.into_iter().flatten().chain(graces.filter(|end| *end > now));
        let idle = self.idle_since_ms + self.app.idle_ms();
        // An idle game that may not leave is looked at again later.
        let idle = if idle > now { idle } else { now + self.app.idle_ms() };
        due.fold(idle, u64::min)
    }

    fn may_leave(&self) -> bool {
        let quiet = self.app.now_ms().saturating_sub(self.idle_since_ms) >= self.app.idle_ms();
        quiet
            && self.thinking.is_none()
            && self.ask_again_ms.is_none()
            && self.room.deadline_ms().is_none()
            && !self.is_followed()
    }

    /// Stores an event that the room has applied; then, and only then, tells of it.
    async fn commit(
        &mut self,
        event: Event,
        sender: Option<(Seat, Option<String>)>,
    ) -> Result<u32, Failure> {
        let (seat, key) = sender.map_or((None, None), |(seat, key)| (Some(seat), key));
        let body = serde_json::to_string(&event).expect("an event is plain data");
        let at_ms = self.app.now_ms() as i64;
        let number = seat.map(|s| s.index() as u8);
        let event = NewEvent { key: key.clone(), seat: number, at_ms, body };
        match self.app.store.append(&self.id, self.n + 1, vec![event]).await {
            Ok(Appended::New { last, .. }) => {
                self.n = last;
                if let (Some(seat), Some(key)) = (seat, key) {
                    self.keys.insert((seat, key), last);
                }
                self.after_event();
                Ok(last)
            }
            Ok(Appended::Already(n)) => {
                self.reload().await;
                Ok(n)
            }
            Err(error) => {
                (self.app.log)(&format!("An action was not stored: {error}."));
                self.reload().await;
                Err(Failure::not_stored(self.words()))
            }
        }
    }

    /// Drops what the store does not have. The clock goes on from where it was.
    async fn reload(&mut self) {
        let since = self.clock_since_ms;
        match load(&self.app, &self.id, since).await {
            Ok(loaded) => {
                let here: Vec<_> =
                    Seat::ALL.into_iter().filter(|s| self.room.is_here(*s)).collect();
                (self.room, self.n, self.keys) = (loaded.room, loaded.n, loaded.keys);
                let now = self.app.now_ms();
                self.nobody_is_here(now);
                here.into_iter().for_each(|s| self.room.set_here(s, true, now));
                self.after_event();
            }
            Err(_) => self.broken = true,
        }
    }

    /// What follows every event.
    fn after_event(&mut self) {
        self.stop_thinking();
        self.faults = 0;
        if self.stage() == Stage::Over {
            // The program that played has nothing left to do.
            self.foreign = None;
        }
        self.clock_since_ms = self.room.since_ms();
        self.think();
        self.push();
        if self.stage() == Stage::Over && !self.marked_over {
            self.marked_over = true;
            // The log stays the truth: a lost mark only means that a restart looks again.
            drop(self.app.store.mark_over(&self.id, self.app.now_ms() as i64));
        }
    }
}

/// A game as the store has it.
struct Loaded {
    spec: &'static GameSpec,
    stored: Stored,
    room: Room,
    n: u32,
    keys: HashMap<(Seat, String), u32>,
    last_event_ms: u64,
    over: bool,
}

async fn load(app: &Shared, id: &str, now_ms: u64) -> Result<Loaded, Failure> {
    let words = app.common_words();
    let game = app.store.load(id).await.map_err(|error| {
        (app.log)(&format!("A game could not be loaded: {error}."));
        Failure::not_stored(words)
    })?;
    let game = game.ok_or_else(|| Failure::not_found(words))?;
    let broken = |what: &dyn std::fmt::Display| {
        // Told to the operator alone: it may speak of what is hidden.
        (app.log)(&format!("A stored game cannot be opened: {what}."));
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "stumbled", words, &[])
    };
    let stored: Stored = serde_json::from_str(&game.info.head).map_err(|e| broken(&e))?;
    let spec = app.spec(&stored.head.game).ok_or_else(|| broken(&"its game is not known here"))?;
    let mut keys = HashMap::new();
    let mut events = Vec::with_capacity(game.events.len());
    for event in &game.events {
        let seat = event.seat.and_then(|s| Seat::new(usize::from(s)));
        if let (Some(seat), Some(key)) = (seat, &event.key) {
            keys.insert((seat, key.clone()), event.n);
        }
        events.push(serde_json::from_str(&event.body).map_err(|e| broken(&e))?);
    }
    let n = game.next() - 1;
    let room = Room::replay(stored.head.clone(), spec, events, now_ms).map_err(|e| broken(&e))?;
    let last_event_ms = u64::try_from(game.info.updated_ms).unwrap_or(now_ms);
    Ok(Loaded { spec, stored, room, n, keys, last_event_ms, over: game.info.over })
}

/// How many taps of places a move of this game has at least (options, to promote or not, aside),
/// and the formats that can hold a game from this start: some hold positions only, or only some
/// variants. Tried once with one move of a game arranged by lot, since each view tells them.
fn tried(room: &Room) -> (usize, Vec<&'static Format>) {
    const USUAL: usize = 2;
    let spec = room.referee().spec();
    let mut taps = USUAL;
    let tried = room.referee_at(0).ok().and_then(|mut referee| {
        arrange(&mut *referee)?;
        let seat = referee.waiting_for().only()?;
        let choices = referee.choices(seat);
        taps = fewest_taps(&*referee, &choices).unwrap_or(USUAL);
        let text = choices.into_iter().next()?.text;
        referee.put(&Entry::new_move(seat, text)).ok()?;
        Some(referee.record(Viewer::Referee))
    });
    let record = tried.unwrap_or_else(|| room.referee().record(Viewer::Referee));
    let holds =
        |f: &&Format| f.write.is_some_and(|write| write(std::slice::from_ref(&record)).is_ok());
    (taps, spec.formats.iter().filter(holds).collect())
}

/// Puts whatever deal and layouts are owed.
pub(crate) fn arrange(referee: &mut dyn Arbiter) -> Option<()> {
    let mut state = 0u64;
    let mut dice = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        state ^ state >> 31
    };
    while referee.stage() == Stage::Layout {
        let layout = |dice| referee.arrange(referee.waiting_for().iter().next()?, dice);
        let entry = match referee.draw(&mut dice) {
            Some(deal) => deal,
            None => layout(&mut dice)?,
        };
        referee.put(&entry).ok()?;
    }
    Some(())
}

fn fewest_taps(referee: &dyn Arbiter, choices: &[Choice]) -> Option<usize> {
    let spec = referee.spec();
    let picture = (spec.picture)(&spec.variant(&referee.variant()).ok()?, Shape::Wide);
    let is_place = |tap: &&String| picture.places.iter().any(|place| place.tap == **tap);
    choices.iter().map(|c| c.taps.iter().filter(is_place).count()).min()
}

/// What others of the crate may see of a game in memory.
impl Live {
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn n(&self) -> u32 {
        self.n
    }

    pub(crate) fn spec(&self) -> &'static GameSpec {
        self.spec
    }

    pub(crate) fn mode(&self) -> Mode {
        self.stored.mode
    }

    pub(crate) fn stage(&self) -> Stage {
        self.room.referee().stage()
    }

    pub(crate) fn words(&self) -> &Words {
        self.app.words(self.spec)
    }

    pub(crate) fn thinking(&self) -> bool {
        self.thinking.is_some() || self.ask_again_ms.is_some()
    }

    pub(crate) fn engine_failed(&self) -> Option<&str> {
        self.engine_failed.as_deref()
    }

    pub(crate) fn free_taps(&self) -> usize {
        self.free_taps
    }

    /// The formats this game can be downloaded in.
    pub(crate) fn formats(&self) -> &[&'static Format] {
        &self.formats
    }

    pub(crate) fn join_url(&self) -> String {
        format!("/g/{}/join/{}", self.id, self.stored.join_secret())
    }

    pub(crate) fn watch_url(&self) -> String {
        format!("/g/{}/watch/{}", self.id, self.stored.watch_secret())
    }

    /// Where this class finds the game that follows.
    pub(crate) fn rematch_url(&self, class: Class) -> Option<String> {
        let (opener, game) = self.room.rematch()?;
        let key = self.stored.next_key();
        Some(if class.seats.has(*opener) {
            format!("/g/{game}")
        } else if class.seats.is_empty() {
            format!("/g/{game}/watch/{}", derive(&key, "watch"))
        } else {
            format!("/g/{game}/join/{}", derive(&key, "join"))
        })
    }

    /// Whether the variant hides something.
    pub(crate) fn hides(&self) -> bool {
        let variant = self.spec.variant(&self.room.head().variant);
        variant.is_ok_and(|variant| self.spec.variant_spec(&variant).hidden)
    }

    /// Whether this class holds seats that may not see each other's: nothing hidden is shown then
    /// unless it is asked for.
    pub(crate) fn curtain(&self, class: Class) -> bool {
        class.seats.len() > 1 && self.stage() != Stage::Over && self.hides()
    }

    /// With whose eyes this class looks. Of several own seats, with those of the one whose turn it
    /// is.
    pub(crate) fn viewer(&self, class: Class) -> Viewer {
        match class.eyes {
            Some(viewer) => viewer,
            None if self.curtain(class) => Viewer::Watcher,
            None => {
                let waiting_for = self.room.referee().waiting_for();
                let turn = class.seats.iter().find(|s| waiting_for.has(*s));
                let seat = turn.or_else(|| class.seats.iter().next());
                seat.map_or(Viewer::Watcher, Viewer::Seat)
            }
        }
    }

    /// With whose eyes this class may look.
    pub(crate) fn viewers(&self, class: Class) -> Vec<Viewer> {
        let own = class.seats.iter().map(Viewer::Seat);
        if self.stage() == Stage::Over {
            let seats = Seats::first_n(self.room.head().players.len() as u8);
            let seats = seats.iter().map(Viewer::Seat);
            seats.chain([Viewer::Watcher, Viewer::Referee]).collect()
        } else if self.curtain(class) {
            own.chain([Viewer::Watcher]).collect()
        } else {
            vec![self.viewer(Class { eyes: None, ..class })]
        }
    }

    fn eyes(&self, class: Class, name: &str) -> Result<Viewer, Failure> {
        let mut viewers = self.viewers(class);
        viewers.extend(class.seats.iter().map(Viewer::Seat));
        viewers.into_iter().find(|viewer| viewer.name() == name).ok_or_else(|| {
            let words = self.app.common_words();
            Failure::new(StatusCode::FORBIDDEN, "viewer", words, &[])
        })
    }

    /// What this caller may see.
    ///
    /// # Errors
    /// Not found, for those who may see nothing: they are not told that there is a game. Forbidden,
    /// with eyes that are not theirs.
    pub(crate) fn class(&self, caller: &Caller) -> Result<Class, Failure> {
        let holder = caller.holder.as_deref();
        let seats = holder.map_or(Seats::NONE, |holder| self.room.seats_of(holder));
        let creator = holder == Some(self.stored.creator.as_str());
        let secret = caller.watch.as_deref();
        let watches = secret.is_some_and(|s| same_secret(s, &self.stored.watch_secret()));
        if !seats.is_empty() || creator || watches {
            let class = Class { seats, creator, eyes: None };
            let eyes = caller.eyes.as_deref().map(|name| self.eyes(class, name)).transpose()?;
            Ok(Class { eyes, ..class })
        } else {
            Err(Failure::not_found(self.app.common_words()))
        }
    }

    /// Whether this is the secret of the link to a seat.
    pub(crate) fn may_join(&self, secret: &str) -> bool {
        same_secret(secret, &self.stored.join_secret())
    }

    /// The seat that the link gives this holder: the one kept for them, else the first open one,
    /// those kept for others last.
    pub(crate) fn seat_for(&self, holder: Option<&str>) -> Option<Seat> {
        let open = self.room.open_seats();
        let kept = |s: &Seat| {
            let mut kept = self.stored.kept.iter().filter(|(seat, _)| seat == s);
            kept.next().map(|(_, holder)| holder.as_str())
        };
        let own = open.iter().find(|s| holder.is_some() && kept(s) == holder);
        own.or_else(|| open.iter().find(|s| kept(s).is_none())).or_else(|| open.iter().next())
    }

    pub(crate) fn key(&self) -> &str {
        &self.stored.key
    }

    /// The game as this class sees it now, as JSON.
    pub(crate) fn view(&self, class: Class) -> serde_json::Value {
        serde_json::to_value(self.shown(class)).expect("a view is plain data")
    }

    /// The same as text.
    pub(crate) fn view_text(&self, class: Class) -> Arc<str> {
        serde_json::to_string(&self.shown(class)).expect("a view is plain data").into()
    }

    fn shown(&self, class: Class) -> View<'_> {
        self.app.count_view();
        View::of(self, class, self.app.now_ms())
    }
}
