//! Wins and losses from the ends backwards, in waves of equal distance.

use crate::packed::Packed;
use crate::{Sector, SolveError, Start, Within, Worth};
use kiban_core::Value;
use serde::{Deserialize, Serialize};

/// Bytes a number of a sector takes while it is solved: two for its worth, one for the moves still
/// open, and its places in two waves with the room their lists grow by.
pub const BYTES_AN_ENTRY: u64 = 15;
/// The limits and the listener are looked at once in so many positions: a few hundredths of a
/// second.
const LOOK_EVERY: u32 = 1 << 14;
/// Not settled: what is left at the end is a draw.
const UNSETTLED: u16 = 0;
/// No position.
const HOLE: u16 = u16::MAX;

/// Wins, losses and draws for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Won by the side to move.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// Neither.
    pub draws: u64,
}

impl Tally {
    /// All of them.
    pub fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// A solved sector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub(crate) codes: Packed,
    /// The first number of the second part.
    pub second: u32,
    /// The counts of both parts.
    pub tallies: [Tally; 2],
    /// The longest distance.
    pub deepest: u16,
}

impl Table {
    /// A position's worth; a draw for numbers without a position.
    #[inline]
    pub fn worth(&self, number: u32) -> Worth {
        Worth::of_code(self.codes.get(number))
    }
}

/// The positions of a wave and those of later ones, by distance.
#[derive(Default)]
struct Waves(Vec<Vec<u32>>);

impl Waves {
    fn add(&mut self, distance: u16, number: u32) {
        let distance = usize::from(distance);
        if self.0.len() <= distance {
            self.0.resize_with(distance + 1, Vec::new);
        }
        self.0[distance].push(number);
    }

    fn pop(&mut self, distance: u16) -> Option<u32> {
        self.0.get_mut(usize::from(distance))?.pop()
    }

    /// Gives back the memory of a wave that is over.
    fn free(&mut self, distance: u16) {
        if let Some(wave) = self.0.get_mut(usize::from(distance)) {
            *wave = Vec::new();
        }
    }
}

/// A sector that is being solved. What its limits interrupt goes on from there.
pub(crate) struct Solving<S> {
    sector: S,
    /// The numbers whose moves have been looked at, and the wave that is under way after that.
    begun: u32,
    distance: u16,
    codes: Vec<u16>,
    /// Moves inside not known to lose, and one more where a move out does not lose: it keeps the
    /// position from ever being lost.
    open: Vec<u8>,
    /// Won by moves out of the sector, unless a move inside wins sooner.
    leaving: Waves,
    /// Won by moves inside: settled, what they decide not yet looked at.
    wins: Waves,
    /// Lost: settled in the same way, or to be settled then.
    losses: Waves,
    settled: u64,
    /// Room for the positions before one.
    before: Vec<u32>,
}

/// Solves a sector. `tell` is given the part that is done, 0 to 1; a draw is only known at the end.
///
/// # Errors
/// If it is stopped, or its time is up.
pub fn solve<S: Sector>(
    sector: S,
    within: &Within,
    tell: &mut dyn FnMut(f32),
) -> Result<Table, SolveError> {
    let mut solving = Solving::new(sector);
    solving.go_on(within, tell)?;
    Ok(solving.finish())
}

impl<S: Sector> Solving<S> {
    pub(crate) fn new(sector: S) -> Solving<S> {
        let entries = sector.entries() as usize;
        Solving {
            sector,
            begun: 0,
            distance: 0,
            codes: vec![UNSETTLED; entries],
            open: vec![0; entries],
            leaving: Waves::default(),
            wins: Waves::default(),
            losses: Waves::default(),
            settled: 0,
            before: Vec::new(),
        }
    }

    /// Goes on until all is settled that can be.
    pub(crate) fn go_on(
        &mut self,
        within: &Within,
        tell: &mut dyn FnMut(f32),
    ) -> Result<(), SolveError> {
        within.look()?;
        let entries = self.sector.entries();
        while self.begun < entries {
            self.begin(self.begun);
            self.begun += 1;
            if self.begun.is_multiple_of(LOOK_EVERY) {
                within.look()?;
                tell(self.begun as f32 / entries as f32 / 2.0);
            }
        }
        while self.lasts_to(self.distance) {
            self.wave(self.distance, within)?;
            tell(0.5 + self.settled as f32 / entries as f32 / 2.0);
            self.distance += 1;
        }
        Ok(())
    }

    fn begin(&mut self, number: u32) {
        let place = number as usize;
        let Some(start) = self.sector.start(number) else {
            self.codes[place] = HOLE;
            return;
        };
        let Start { over, inner, draws, wins, losses } = start;
        debug_assert!(inner < 255, "a position has fewer moves");
        self.open[place] = inner as u8 + u8::from(draws || wins.is_some());
        match over {
            Some(Worth { value: Value::Win, distance }) => {
                self.leaving.add(distance.unwrap_or(0), number);
            }
            Some(Worth { value: Value::Loss, distance }) => {
                self.losses.add(distance.unwrap_or(0), number);
            }
            Some(_) => {}
            None => match (wins, losses) {
                (Some(plies), _) => self.leaving.add(plies, number),
                (None, Some(plies)) if self.open[place] == 0 => self.losses.add(plies, number),
                _ => {}
            },
        }
    }

    /// Whether there are waves of this distance or more.
    fn lasts_to(&self, distance: u16) -> bool {
        let lists = [&self.leaving, &self.wins, &self.losses];
        lists.iter().any(|waves| usize::from(distance) < waves.0.len())
    }

    /// Finds what the positions decide that are won or lost in this distance.
    fn wave(&mut self, distance: u16, within: &Within) -> Result<(), SolveError> {
        let (won, lost) = (Worth::win(distance).code(), Worth::loss(distance).code());
        while let Some(number) = self.losses.pop(distance) {
            self.codes[number as usize] = lost;
            self.decide(number, Worth::loss(distance), within)?;
        }
        while let Some(number) = self.wins.pop(distance) {
            self.decide(number, Worth::win(distance), within)?;
        }
        while let Some(number) = self.leaving.pop(distance) {
            if self.codes[number as usize] == UNSETTLED {
                self.codes[number as usize] = won;
                self.decide(number, Worth::win(distance), within)?;
            }
        }
        for waves in [&mut self.losses, &mut self.wins, &mut self.leaving] {
            waves.free(distance);
        }
        Ok(())
    }

    /// Finds what a settled position decides, all of it, and only then looks at the limits.
    fn decide(&mut self, number: u32, worth: Worth, within: &Within) -> Result<(), SolveError> {
        self.settled += 1;
        let mut before = std::mem::take(&mut self.before);
        before.clear();
        self.sector.before(number, &mut before);
        let distance = worth.distance.map_or(0, |plies| plies + 1);
        if worth.value == Value::Loss {
            before.iter().for_each(|earlier| self.wins_before(*earlier, distance));
        } else {
            self.losses_before(number, &mut before, distance);
        }
        self.before = before;
        if self.settled.is_multiple_of(LOOK_EVERY.into()) { within.look() } else { Ok(()) }
    }

    /// A move to a lost position wins; no later wave wins sooner.
    fn wins_before(&mut self, earlier: u32, distance: u16) {
        if self.codes[earlier as usize] == UNSETTLED {
            self.codes[earlier as usize] = Worth::win(distance).code();
            self.wins.add(distance, earlier);
        }
    }

    /// Moves to a won position are no longer open. Counted from both ends, the moves between two
    /// positions with all their images are the same; so a move from an earlier position to this one
    /// stands for as many as that one has images alike, shared by as many as this one has.
    fn losses_before(&mut self, number: u32, before: &mut [u32], distance: u16) {
        let alike = self.sector.images(number);
        if alike > 1 {
            before.sort_unstable();
        }
        let mut rest = &*before;
        while let Some(earlier) = rest.first().copied() {
            let same =
                if alike > 1 { rest.iter().take_while(|n| **n == earlier).count() } else { 1 };
            rest = &rest[same..];
            if self.codes[earlier as usize] != UNSETTLED {
                continue;
            }
            let moves = same as u32 * self.sector.images(earlier) / alike;
            let open = &mut self.open[earlier as usize];
            debug_assert!(u32::from(*open) >= moves, "no more moves close than were open");
            *open -= moves as u8;
            if *open == 0 {
                let slowest = self.sector.start(earlier).and_then(|start| start.losses);
                let plies = distance.max(slowest.unwrap_or(0));
                self.codes[earlier as usize] = Worth::loss(plies).code();
                self.losses.add(plies, earlier);
            }
        }
    }

    /// The table of what has been settled; all else is drawn.
    pub(crate) fn finish(mut self) -> Table {
        let (second, mut tallies) = (self.sector.second(), [Tally::default(); 2]);
        let mut deepest = 0;
        for (number, code) in (0_u32..).zip(&mut self.codes) {
            if *code == HOLE {
                *code = UNSETTLED;
                continue;
            }
            let weight = self.sector.weight(number);
            let tally = &mut tallies[usize::from(number >= second)];
            let worth = Worth::of_code(*code);
            deepest = deepest.max(worth.distance.unwrap_or(0));
            match worth.value {
                Value::Win => tally.wins += weight,
                Value::Loss => tally.losses += weight,
                Value::Draw => tally.draws += weight,
            }
        }
        Table { codes: Packed::of(&self.codes), second, tallies, deepest }
    }
}
