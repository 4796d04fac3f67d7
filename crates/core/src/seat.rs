//! Seats, sets of seats, and who is looking.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A player's place in a game, 0 to 3. `first` is always sente, Black (Othello), White (morris),
/// Red (jungle, luzhanqi), even where the other side moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The first seat.
    pub const FIRST: Seat = Seat(0);
    /// The second seat.
    pub const SECOND: Seat = Seat(1);
    /// The third seat (four-player games).
    pub const THIRD: Seat = Seat(2);
    /// The fourth seat (four-player games).
    pub const FOURTH: Seat = Seat(3);
    /// All seats there can be.
    pub const ALL: [Seat; 4] = [Seat(0), Seat(1), Seat(2), Seat(3)];
    const NAMES: [&'static str; 4] = ["first", "second", "third", "fourth"];

    /// The seat with this index, if it is 0 to 3.
    pub fn new(index: usize) -> Option<Seat> {
        Seat::ALL.get(index).copied()
    }

    /// 0 to 3.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// `first`, `second`, `third` or `fourth`.
    pub fn name(self) -> &'static str {
        Seat::NAMES[self.index()]
    }

    /// Reads a seat's name.
    pub fn from_name(name: &str) -> Option<Seat> {
        Seat::NAMES.iter().position(|n| *n == name).and_then(Seat::new)
    }

    /// Whether two seats play together: themselves, and of four those opposite.
    pub fn plays_with(self, other: Seat) -> bool {
        self.index() % 2 == other.index() % 2
    }

    /// The seats a seat plays against in a game for so many.
    pub fn rivals(self, seats: u8) -> Seats {
        Seats::first_n(seats).iter().filter(|s| !self.plays_with(*s)).collect()
    }

    /// By how many quarter turns clockwise the board of a game for so many seats is turned for this
    /// seat to sit at the bottom. Four sit anticlockwise.
    pub fn turns(self, seats: u8) -> u8 {
        if seats > 2 { self.0 } else { 2 * self.0 }
    }

    /// The other seat of a two-player game.
    pub fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Seat, D::Error> {
        let name = String::deserialize(d)?;
        Seat::from_name(&name).ok_or_else(|| serde::de::Error::custom("no such seat"))
    }
}

/// A set of seats. In JSON a list of seat names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seats(u8);

impl Seats {
    /// No seat; as the author of an entry this means the referee.
    pub const NONE: Seats = Seats(0);

    /// The first `n` seats.
    pub fn first_n(n: u8) -> Seats {
        debug_assert!(n <= 4, "a game has at most four seats");
        Seats(((1u16 << n) - 1) as u8)
    }

    /// The set with one seat more.
    #[must_use]
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// The set without this seat.
    #[must_use]
    pub fn without(self, seat: Seat) -> Seats {
        Seats(self.0 & !(1 << seat.0))
    }

    /// Whether the seat is in the set.
    pub fn has(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats the set holds.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The only seat of the set, if it holds exactly one.
    pub fn only(self) -> Option<Seat> {
        if self.len() == 1 { Seat::new(self.0.trailing_zeros() as usize) } else { None }
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |s| self.has(*s))
    }
}

impl From<Seat> for Seats {
    fn from(seat: Seat) -> Seats {
        Seats::NONE.with(seat)
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<T: IntoIterator<Item = Seat>>(iter: T) -> Seats {
        iter.into_iter().fold(Seats::NONE, Seats::with)
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::name)).finish()
    }
}

impl Serialize for Seats {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Seats {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Seats, D::Error> {
        Ok(Vec::<Seat>::deserialize(d)?.into_iter().collect())
    }
}

/// Who is looking at a game. Decides what may be known; see [`crate::Rules::known`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// Somebody watching.
    Watcher,
    /// The referee, who sees everything.
    Referee,
}

impl Viewer {
    /// `first` .. `fourth`, `watcher` or `referee`.
    pub fn name(self) -> &'static str {
        match self {
            Viewer::Seat(s) => s.name(),
            Viewer::Watcher => "watcher",
            Viewer::Referee => "referee",
        }
    }

    /// Reads a viewer's name.
    pub fn from_name(name: &str) -> Option<Viewer> {
        match name {
            "watcher" => Some(Viewer::Watcher),
            "referee" => Some(Viewer::Referee),
            _ => Seat::from_name(name).map(Viewer::Seat),
        }
    }
}
