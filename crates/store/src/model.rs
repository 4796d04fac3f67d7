//! What goes into the store and what comes out. Times are Unix milliseconds and the caller's:
//! the store has no clock.

/// A game to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The game's id; the server uses 128 random bits as text.
    pub id: String,
    /// When it was made.
    pub created_ms: i64,
    /// What never changes: game, variant, start, conduct, clock, players. JSON by custom.
    pub head: String,
}

/// An event to be put at the end of a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The sender's own id of this event, unique per game and seat; `None` is never a repeat.
    pub key: Option<String>,
    /// Whose event it is; `None` is the server or the referee.
    pub seat: Option<u8>,
    /// When it happened.
    pub at_ms: i64,
    /// What happened. JSON by custom.
    pub body: String,
}

/// How an append went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The events are in the log, numbered from `first` to `last` inclusive.
    New {
        /// The number of the first event.
        first: u32,
        /// The number of the last event.
        last: u32,
    },
    /// An event of the same seat and key was there before, with this number. Nothing was written.
    Already(u32),
}

/// An event of a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number in the log: 1 for the first, without gaps.
    pub n: u32,
    /// The sender's own id of it.
    pub key: Option<String>,
    /// Whose event it is; `None` is the server or the referee.
    pub seat: Option<u8>,
    /// When it happened.
    pub at_ms: i64,
    /// What happened.
    pub body: String,
}

/// A game without its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The game's id.
    pub id: String,
    /// When it was made.
    pub created_ms: i64,
    /// When the latest event happened, or the game was made or marked as over.
    pub updated_ms: i64,
    /// What was written at creation.
    pub head: String,
    /// Whether it was marked as over.
    pub over: bool,
}

impl GameInfo {
    /// The place of this game in a [list](crate::Store::list), to ask for what follows it.
    pub fn cursor(&self) -> Cursor {
        Cursor { created_ms: self.created_ms, id: self.id.clone() }
    }
}

/// A place in the list of games. The id decides between games made in the same millisecond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// When the game at this place was made.
    pub created_ms: i64,
    /// Its id.
    pub id: String,
}

/// A game with its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// All but the log.
    pub info: GameInfo,
    /// The log in order: `events[i].n == i + 1`.
    pub events: Vec<Event>,
}

impl StoredGame {
    /// The number the next event will get: the `first` of the next append.
    pub fn next(&self) -> u32 {
        self.events.last().map_or(1, |event| event.n + 1)
    }
}
