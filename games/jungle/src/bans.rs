//! The anti-chase rules: squares an animal may not enter because of the side's own last moves.

use crate::board::{ALL_TRAPS, squares};
use crate::{Animal, Options, Position, Square};
use kiban_core::Seat;

/// One of a side's own moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Past {
    pub(crate) animal: Animal,
    pub(crate) from: Square,
    pub(crate) to: Square,
}

/// How many own moves the rules look back.
pub(crate) const LONGEST_WINDOW: usize = 17;
const SHORT_WINDOW: usize = 7;
/// Entries into one square within the short window that forbid the next.
const ENTRIES: usize = 3;
/// Squares to which a run of the long window is confined, at most.
const CONFINED: u32 = 5;

/// Forbidden squares by animal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bans {
    /// By rule 7-3.
    pub(crate) seven: [u64; 8],
    /// By rule 17-5.
    pub(crate) seventeen: [u64; 8],
}

impl Bans {
    /// What `seat` may not do in this position. `past` are its own moves in this line, the oldest
    /// first; more than the last 17 are not looked at. `None` if nothing is forbidden.
    pub(crate) fn of(p: &Position, options: Options, seat: Seat, past: &[Past]) -> Option<Bans> {
        if !options.anti_chase {
            return None;
        }
        let mut bans = Bans::default();
        let (mut any, mut repeats) = (false, [None; 2]);
        for (animal, entered) in repeated(past, &mut repeats) {
            let stands = squares(p.kind(animal) & p.side(seat)).next();
            if stands.is_some_and(|at| !p.is_chased(options, seat, at)) {
                bans.seven[animal.index()] |= entered.bit();
                any = true;
            }
        }
        if let Some((animal, confined)) = confined(past) {
            bans.seventeen[animal.index()] = confined;
            any = true;
        }
        any.then_some(bans)
    }
}

fn enters_trap(past: &Past) -> bool {
    ALL_TRAPS & past.to.bit() != 0
}

/// Animals that entered a square too often in the short window; two at most have room in it.
fn repeated<'a>(
    past: &[Past],
    found: &'a mut [Option<(Animal, Square)>; 2],
) -> impl Iterator<Item = (Animal, Square)> + 'a {
    let window = &past[past.len().saturating_sub(SHORT_WINDOW)..];
    let mut count = 0;
    if !window.iter().any(enters_trap) {
        for (i, first) in window.iter().enumerate() {
            let same = |p: &&Past| p.animal == first.animal && p.to == first.to;
            // The third from the last entry on tells of itself, so that each is found once.
            if window[i..].iter().filter(same).count() == ENTRIES {
                found[count] = Some((first.animal, first.to));
                count += 1;
            }
        }
    }
    found[..count].iter().flatten().copied()
}

/// The squares an animal was confined to throughout the long window.
fn confined(past: &[Past]) -> Option<(Animal, u64)> {
    let window = &past[past.len().checked_sub(LONGEST_WINDOW)?..];
    let animal = window[0].animal;
    if window.iter().any(|p| p.animal != animal || enters_trap(p)) {
        return None;
    }
    let stood = window.iter().fold(window[0].from.bit(), |set, p| set | p.to.bit());
    (stood.count_ones() <= CONFINED).then_some((animal, stood))
}
