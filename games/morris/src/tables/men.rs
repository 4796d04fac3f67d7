//! A sector: all positions of the moving phase with so many men on either side.

use super::orbits::{Orbits, orbits};
use crate::board::bits;
use crate::{Blocked, Morris, Position};
use kiban_core::Seat;
use kiban_solve::subsets::{choose, rank_beside, set_beside};
use kiban_solve::{Sector, Start, Table, Worth};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// How many men the sides have, the smaller number first; either may be to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Pair(pub(super) [u8; 2]);

impl Pair {
    /// The pair of a position; `None` if a side has fewer than three men.
    pub(super) fn of(p: &Position) -> Option<Pair> {
        let men = p.men.map(|men| men.count_ones() as u8);
        men.iter().all(|men| *men >= super::FEWEST).then(|| Pair::new(men[0], men[1]))
    }

    fn new(a: u8, b: u8) -> Pair {
        Pair([a.min(b), a.max(b)])
    }

    /// The pairs after one side has lost so many men.
    pub(super) fn less(self, taken: u8) -> [Pair; 2] {
        let [a, b] = self.0;
        [Pair::new(a.saturating_sub(taken), b), Pair::new(a, b.saturating_sub(taken))]
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0[0], self.0[1])
    }
}

impl FromStr for Pair {
    type Err = ();

    fn from_str(text: &str) -> Result<Pair, ()> {
        let (a, b) = text.split_once('-').ok_or(())?;
        Ok(Pair::new(a.parse().map_err(|_| ())?, b.parse().map_err(|_| ())?))
    }
}

/// The positions of one part: so many men of the side to move, and of the other.
#[derive(Clone, Copy)]
struct Part {
    own: u8,
    other: u8,
    orbits: &'static Orbits,
    /// Ways to set the other's men beside the own.
    beside: u32,
    /// The first number.
    from: u32,
}

/// The numbers of a sector's positions: the orbit of the men of the side to move, and the place of
/// the other's on what these leave free.
#[derive(Clone, Copy)]
pub(super) struct Space {
    parts: [Part; 2],
    entries: u64,
}

impl Space {
    pub(super) fn new(rules: Morris, pair: Pair) -> Space {
        let points = u32::from(rules.grid().points);
        let part = |own: u8, other: u8, from: u32| Part {
            own,
            other,
            orbits: orbits(rules.board, own),
            beside: choose(points - u32::from(own), other.into()),
            from,
        };
        let size = |part: &Part| part.orbits.sets.len() as u64 * u64::from(part.beside);
        let [a, b] = pair.0;
        let first = part(a, b, 0);
        if a == b {
            return Space { parts: [first; 2], entries: size(&first) };
        }
        let second = part(b, a, size(&first) as u32);
        Space { parts: [first, second], entries: size(&first) + size(&second) }
    }

    /// The number of a position.
    #[inline]
    pub(super) fn number(&self, own: u32, other: u32) -> u32 {
        let part = &self.parts[usize::from(own.count_ones() != u32::from(self.parts[0].own))];
        let (orbit, symmetry) = part.orbits.way(own);
        let image = part.orbits.images.image(symmetry, other);
        let other = part.orbits.smallest(orbit, image);
        let own = part.orbits.sets[orbit as usize];
        part.from + orbit * part.beside + rank_beside(other, own)
    }

    /// How many numbers there are.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    fn second(&self) -> u32 {
        if self.parts[1].from > 0 { self.parts[1].from } else { self.entries as u32 }
    }

    /// A number's position, White to move.
    #[cfg(test)]
    pub(super) fn position(&self, number: u32) -> Position {
        let (own, other, ..) = self.men(number);
        position(own, other)
    }

    /// The men of the side to move and of the other, and the orbit of the former.
    #[inline]
    fn men(&self, number: u32) -> (u32, u32, u32, &Part) {
        let part = &self.parts[usize::from(number >= self.second())];
        let (orbit, place) =
            ((number - part.from) / part.beside, (number - part.from) % part.beside);
        let own = part.orbits.sets[orbit as usize];
        (own, set_beside(place, part.other.into(), own), orbit, part)
    }
}

/// A sector.
pub(crate) struct Men {
    rules: Morris,
    space: Space,
    below: Vec<(Pair, Space, Arc<Table>)>,
}

/// A position with White to move.
fn position(own: u32, other: u32) -> Position {
    Position { men: [own, other], ..Position::start(0) }
}

impl Men {
    pub(super) fn new(
        rules: Morris,
        pair: Pair,
        below: impl Iterator<Item = (Pair, Arc<Table>)>,
    ) -> Men {
        let below = below.map(|(pair, table)| (pair, Space::new(rules, pair), table));
        Men { rules, space: Space::new(rules, pair), below: below.collect() }
    }

    /// What a position is worth that a removal led to.
    fn worth_below(&self, own: u32, other: u32) -> Worth {
        let Some(pair) = Pair::of(&position(own, other)) else { return Worth::loss(0) };
        let found = self.below.iter().find(|(key, ..)| *key == pair);
        let (_, space, table) = found.expect("removals lead to the sectors below");
        table.worth(space.number(own, other))
    }

    /// Calls `quiet` with the own men after each move without removal, and `taking` with both sides'
    /// men after each removal.
    fn each(&self, p: &Position, mut quiet: impl FnMut(u32), mut taking: impl FnMut(u32, u32)) {
        let (own, other) = p.sides();
        let removable = self.rules.removable(other);
        self.rules.each_step(p, |from, to, closed| {
            let own = own & !from.map_or(0, |from| 1 << from) | 1 << to;
            match self.rules.due(closed, removable.count_ones()) {
                0 => quiet(own),
                1 => bits(removable).for_each(|a| taking(own, other & !(1 << a))),
                _ => {
                    for a in bits(removable) {
                        let second = bits(removable & !((2 << a) - 1));
                        second.for_each(|b| taking(own, other & !(1 << a | 1 << b)));
                    }
                }
            }
        });
    }
}

impl Sector for Men {
    fn entries(&self) -> u32 {
        self.space.entries as u32
    }

    fn second(&self) -> u32 {
        self.space.second()
    }

    fn start(&self, number: u32) -> Option<Start> {
        let (own, other, orbit, part) = self.space.men(number);
        if part.orbits.smallest(orbit, other) != other {
            return None;
        }
        let p = position(own, other);
        if !self.rules.can_move(&p, Seat::FIRST) {
            return Some(match self.rules.blocked {
                Blocked::Loses => Start::over(Worth::loss(0)),
                Blocked::Passes if self.rules.can_move(&p, Seat::SECOND) => {
                    let mut start = Start::default();
                    start.stays();
                    start
                }
                Blocked::Draws | Blocked::Passes => Start::over(Worth::DRAW),
            });
        }
        let (mut start, mut left) = (Start::default(), Start::default());
        self.each(&p, |_| start.stays(), |own, other| left.leaves(self.worth_below(other, own)));
        Some(start.and(left))
    }

    fn after(&self, number: u32, into: &mut Vec<u32>) {
        let (own, other, ..) = self.space.men(number);
        let p = position(own, other);
        if self.rules.must_pass(&p) {
            into.push(self.space.number(other, own));
        }
        self.each(&p, |own| into.push(self.space.number(other, own)), |_, _| {});
    }

    fn before(&self, number: u32, into: &mut Vec<u32>) {
        let (own, other, ..) = self.space.men(number);
        let (grid, p) = (self.rules.grid(), position(own, other));
        let removable = self.rules.removable(own).count_ones();
        for to in bits(other) {
            let rest = other & !(1 << to);
            // What removes has left the sector.
            if self.rules.due(grid.closed(rest, to), removable) > 0 {
                continue;
            }
            for from in bits(self.rules.reach(&p, Seat::SECOND, to)) {
                into.push(self.space.number(rest | 1 << from, own));
            }
        }
        let mut passed = p;
        passed.to_move = Seat::SECOND;
        if self.rules.must_pass(&passed) {
            into.push(self.space.number(other, own));
        }
    }

    fn images(&self, number: u32) -> u32 {
        let (_, other, orbit, part) = self.space.men(number);
        let fixing = part.orbits.fixing[orbit as usize];
        if fixing == 1 {
            return 1;
        }
        let fixes = |symmetry: &usize| {
            fixing >> symmetry & 1 == 1 && part.orbits.images.image(*symmetry, other) == other
        };
        (0..crate::board::SYMMETRIES).filter(fixes).count() as u32
    }

    fn weight(&self, _: u32) -> u64 {
        1
    }
}
