//! Which worlds are possible, and how likely: assignments of ranks that fit all that is known.

use super::tracks::{Ranks, Tracks};
use crate::layout::{mix, stations};
use crate::notation::own_half;
use crate::{Contact, Layout, Luzhanqi, PIECES, Rank, contact};
use kiban_search::Random;
use std::sync::LazyLock;

/// Changes tried before the first world, for each piece that is not known.
const WARM_UP: usize = 60;
/// Changes tried between two worlds, for each piece that is not known.
const BETWEEN: usize = 6;
/// Changes tried to mend contacts at most.
const MENDING: usize = 3_000;
/// How likely a change is kept that breaks one more contact than it mends.
const BROKEN: f32 = 0.01;

/// How often each rank stands on each place of a layout, in the layouts players like.
static HABITS: LazyLock<Vec<[f32; 12]>> = LazyLock::new(|| {
    const DRAWN: usize = 600;
    let mut random = Random::new(1);
    let mut counts = vec![[0.0f32; 12]; PIECES];
    let mut add = |layout: Layout, weight: f32| {
        for (place, rank) in layout.0.into_iter().enumerate() {
            counts[place][rank as usize] += weight;
        }
    };
    for _ in 0..DRAWN {
        add(mix::draw(&mut || random.next_u64()), 1.0);
    }
    let mut other = Random::new(2);
    for _ in 0..DRAWN {
        // Not everybody has our taste.
        add(Layout::random(&mut || other.next_u64()), 0.7);
    }
    for place in &mut counts {
        for (rank, count) in Rank::ALL.into_iter().zip(place) {
            *count /= rank.count() as f32;
        }
    }
    counts
});

/// Draws worlds. A world is a rank for each piece of the tracks.
pub(super) struct Belief<'a> {
    rules: Luzhanqi,
    tracks: &'a Tracks,
    /// By side, the pieces whose rank is open.
    open: Vec<Vec<usize>>,
    /// How well a rank suits a piece.
    suits: Vec<[f32; 12]>,
    /// By piece, the contacts in which the partner's rank is open too.
    bound: Vec<Vec<usize>>,
    /// The world now.
    ranks: Vec<Rank>,
    random: Random,
}

impl<'a> Belief<'a> {
    /// The belief of who has these tracks.
    pub(super) fn new(rules: Luzhanqi, tracks: &'a Tracks, seed: u64) -> Belief<'a> {
        let is_open = |id: usize| tracks.pieces[id].ranks.single().is_none();
        let mut open = vec![Vec::new(); 4];
        for id in (0..tracks.pieces.len()).filter(|id| is_open(*id)) {
            open[usize::from(tracks.pieces[id].side)].push(id);
        }
        let mut bound = vec![Vec::new(); tracks.pieces.len()];
        for (i, m) in tracks.meetings.iter().enumerate() {
            if is_open(m.attacker) && is_open(m.attacked) {
                bound[m.attacker].push(i);
                bound[m.attacked].push(i);
            }
        }
        let places: Vec<(u8, u8)> = stations().collect();
        let suits = tracks.pieces.iter().map(|piece| {
            let home = piece.home.and_then(|at| own_half(rules.options, piece.side, at));
            let place = home.and_then(|home| places.iter().position(|p| *p == home));
            let habit = place.filter(|_| tracks.laid).map_or([1.0; 12], |place| HABITS[place]);
            let mut suits = habit;
            for (rank, suit) in Rank::ALL.into_iter().zip(&mut suits) {
                *suit *= conduct(rank, piece.moved, piece.attacks);
            }
            suits
        });
        let suits = suits.collect();
        let random = Random::new(seed);
        let ranks = vec![Rank::Unknown; tracks.pieces.len()];
        let mut belief = Belief { rules, tracks, open, suits, bound, ranks, random };
        belief.begin();
        belief.stir(WARM_UP);
        belief
    }

    /// Whether anything is open.
    pub(super) fn is_certain(&self) -> bool {
        self.open.iter().all(Vec::is_empty)
    }

    /// Another world.
    pub(super) fn draw(&mut self) -> &[Rank] {
        self.stir(BETWEEN);
        &self.ranks
    }

    /// A first world that fits the numbers of pieces; contacts between open pieces are mended by
    /// the changes that follow.
    fn begin(&mut self) {
        for (id, piece) in self.tracks.pieces.iter().enumerate() {
            if let Some(rank) = piece.ranks.single() {
                self.ranks[id] = rank;
            }
        }
        for side in 0..4u8 {
            let mut open = self.open[usize::from(side)].clone();
            self.random.shuffle(&mut open);
            let mut left = self.left(side);
            self.random.shuffle(&mut left);
            let matched = matched(&open, &left, |id, rank| self.tracks.pieces[id].ranks.has(rank));
            for (id, slot) in open.iter().zip(matched) {
                let any = || {
                    let ranks = self.tracks.pieces[*id].ranks;
                    Rank::ALL.into_iter().find(|r| ranks.has(*r)).unwrap_or(Rank::Lieutenant)
                };
                // Of an odd set-up that no numbers fit, each piece is taken for itself.
                self.ranks[*id] = slot.map_or_else(any, |slot| left[slot]);
            }
        }
    }

    /// The ranks of a side that no known piece has.
    fn left(&self, side: u8) -> Vec<Rank> {
        let known = |rank: Rank| {
            let own = self.tracks.pieces.iter().filter(|p| p.side == side);
            own.filter(|p| p.ranks.single() == Some(rank)).count()
        };
        let left = |rank: Rank| std::iter::repeat_n(rank, rank.count().saturating_sub(known(rank)));
        Rank::ALL.into_iter().flat_map(left).collect()
    }

    /// Lets pieces of a side change ranks, so many tries for each open piece (Metropolis).
    fn stir(&mut self, times: usize) {
        for side in 0..4 {
            let n = self.open[side].len();
            if n < 2 {
                continue;
            }
            for _ in 0..times * n {
                let (i, j) = (self.random.below(n), self.random.below(n));
                let (i, j) = (self.open[side][i], self.open[side][j]);
                self.change(i, j);
            }
        }
        self.mend();
    }

    /// Lets pieces of contacts that cannot have come out as they did change ranks until none are
    /// left, or so many tries are made.
    fn mend(&mut self) {
        for _ in 0..MENDING {
            let ends = |id: &usize| self.broken(*id) > 0;
            let broken: Vec<usize> = self.open.iter().flatten().copied().filter(ends).collect();
            if broken.is_empty() {
                return;
            }
            let i = broken[self.random.below(broken.len())];
            let side = &self.open[usize::from(self.tracks.pieces[i].side)];
            let j = side[self.random.below(side.len())];
            self.change(i, j);
        }
    }

    fn change(&mut self, i: usize, j: usize) {
        let (a, b) = (self.ranks[i], self.ranks[j]);
        let may = |id: usize, rank: Rank| self.tracks.pieces[id].ranks.has(rank);
        if a == b || !may(i, b) || !may(j, a) {
            return;
        }
        let suit = |id: usize, rank: Rank| self.suits[id][rank as usize];
        let mut keep = suit(i, b) * suit(j, a) / (suit(i, a) * suit(j, b)).max(f32::MIN_POSITIVE);
        let before = self.broken(i) + self.broken(j);
        (self.ranks[i], self.ranks[j]) = (b, a);
        let after = self.broken(i) + self.broken(j);
        keep *= BROKEN.powi(after as i32 - before as i32);
        if self.random.unit() >= keep {
            (self.ranks[i], self.ranks[j]) = (a, b);
        }
    }

    /// How many contacts of this piece cannot have come out as they did.
    fn broken(&self, id: usize) -> usize {
        let broken = |i: &&usize| {
            let m = self.tracks.meetings[**i];
            let came = contact(self.ranks[m.attacker], self.ranks[m.attacked], self.rules.options);
            came != m.contact
        };
        self.bound[id].iter().filter(broken).count()
    }
}

/// How a rank fits what a piece has done.
fn conduct(rank: Rank, moved: bool, attacks: u8) -> f32 {
    let mut fits = 1.0;
    if moved && rank == Rank::Bomb {
        fits *= 0.8;
    }
    if attacks > 0 && matches!(rank, Rank::Engineer | Rank::Bomb) {
        fits *= 0.7;
    }
    fits
}

/// For each piece a slot that suits it, each slot once (augmenting paths); `None` where there is no
/// such choice for all.
fn matched(
    pieces: &[usize],
    slots: &[Rank],
    fits: impl Fn(usize, Rank) -> bool,
) -> Vec<Option<usize>> {
    let mut owner: Vec<Option<usize>> = vec![None; slots.len()];
    for i in 0..pieces.len() {
        let mut tried = vec![false; slots.len()];
        place(i, pieces, slots, &fits, &mut owner, &mut tried);
    }
    let mut chosen = vec![None; pieces.len()];
    for (slot, owner) in owner.into_iter().enumerate() {
        if let Some(i) = owner {
            chosen[i] = Some(slot);
        }
    }
    chosen
}

fn place(
    i: usize,
    pieces: &[usize],
    slots: &[Rank],
    fits: &impl Fn(usize, Rank) -> bool,
    owner: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for slot in 0..slots.len() {
        if tried[slot] || !fits(pieces[i], slots[slot]) {
            continue;
        }
        tried[slot] = true;
        let free = match owner[slot] {
            None => true,
            Some(other) => place(other, pieces, slots, fits, owner, tried),
        };
        if free {
            owner[slot] = Some(i);
            return true;
        }
    }
    false
}

/// How likely each rank is for each piece, as somebody thinks who knows the ranks of all pieces
/// that met it, and counts.
pub(super) fn counted(rules: Luzhanqi, tracks: &Tracks, ranks: &[Rank]) -> Vec<[f32; 12]> {
    let homes = |id: usize| {
        let piece = &tracks.pieces[id];
        if let Some(rank) = piece.public {
            return Ranks::only(rank);
        }
        let home = piece.home.and_then(|at| own_half(rules.options, piece.side, at));
        Ranks::that(|rank| match home {
            _ if rank.is_fixed() && piece.moved => false,
            Some(home) => rank == Rank::Bomb && !tracks.laid || crate::may_stand(rank, home),
            None => !rank.is_fixed(),
        })
    };
    let mut could: Vec<Ranks> = (0..ranks.len()).map(homes).collect();
    for m in &tracks.meetings {
        let came = |a: Rank, b: Rank| contact(a, b, rules.options) == m.contact;
        could[m.attacker].keep(Ranks::that(|rank| came(rank, ranks[m.attacked])));
        could[m.attacked].keep(Ranks::that(|rank| came(ranks[m.attacker], rank)));
        if m.contact != Contact::Both || tracks.pieces[m.attacked].now.is_some() {
            could[m.attacked].keep(Ranks::that(|rank| rank != Rank::Flag));
        }
    }
    let likely = |could: Ranks| {
        let mut likely = [0.0; 12];
        for rank in Rank::ALL.into_iter().filter(|rank| could.has(*rank)) {
            likely[rank as usize] = rank.count() as f32;
        }
        let sum: f32 = likely.iter().sum();
        likely.map(|n| n / sum.max(1.0))
    };
    could.into_iter().map(likely).collect()
}
