//! Possible worlds made ready for the search.

use super::belief::{Belief, counted};
use super::search::{Gains, Memory, gains};
use super::tracks::Tracks;
use super::world::{self, Act, Body, Ground, World};
use super::worth::{Scales, Worth};
use crate::board::{Board, Kind};
use crate::notation::own_half;
use crate::position::{Move, Position};
use crate::{Known, Luzhanqi, Rank};
use kiban_search::Random;
use std::cell::RefCell;

/// What it is worth to clear a station beside a flag whose place is public.
const GUARD: i32 = 180;
/// Worlds drawn to see how likely ranks are.
const POLLED: usize = 150;

/// A world with what its search hangs on.
pub(super) struct Truth {
    pub(super) ground: Ground,
    pub(super) world: World,
    pub(super) worth: Worth,
    pub(super) gains: Gains,
    pub(super) memory: RefCell<Memory>,
    /// The piece on each station.
    numbers: Vec<u8>,
}

/// Worlds that fit what is known.
pub(super) fn truths(
    rules: Luzhanqi,
    known: &Known,
    p: &Position,
    seed: u64,
    n: usize,
) -> Vec<Truth> {
    if rules.options.flips() {
        return flipped(rules, known, p, seed, n);
    }
    let tracks = Tracks::of(rules, known);
    let mut belief = Belief::new(rules, &tracks, seed);
    let mut likely = vec![[0.0f32; 12]; tracks.pieces.len()];
    let polled = if belief.is_certain() { 1 } else { POLLED };
    let mut worlds = Vec::new();
    let n = n.min(polled);
    for i in 0..polled {
        let ranks = belief.draw();
        for (likely, rank) in likely.iter_mut().zip(ranks) {
            likely[*rank as usize] += 1.0 / polled as f32;
        }
        // Worlds far apart in the series are the least alike.
        if i * n / polled != (i + 1) * n / polled {
            worlds.push(ranks.to_vec());
        }
    }
    let team = |side: u8| side % 2;
    let own = team(p.side(rules.options, p.turn).expect("it plays"));
    let truth = |ranks: Vec<Rank>| {
        let seen = counted(rules, &tracks, &ranks);
        let guessed: Vec<[f32; 12]> = tracks
            .pieces
            .iter()
            .enumerate()
            .map(|(id, piece)| if team(piece.side) == own { seen[id] } else { likely[id] })
            .collect();
        let alive: Vec<usize> =
            (0..ranks.len()).filter(|id| tracks.pieces[*id].now.is_some()).collect();
        let bodies =
            alive.iter().map(|id| Body { side: tracks.pieces[*id].side, rank: ranks[*id] });
        let guessed: Vec<[f32; 12]> = alive.iter().map(|id| guessed[*id]).collect();
        let at = |id: &usize| tracks.pieces[*id].now.expect("it is alive");
        let places: Vec<u8> = alive.iter().map(at).collect();
        let mut truth = build(rules, p, bodies.collect(), &places, &guessed, own);
        for (number, _) in (0u8..).zip(&alive).filter(|(_, id)| tracks.pieces[**id].shown) {
            truth.world.show(number);
        }
        truth
    };
    worlds.into_iter().map(truth).collect()
}

/// In flip: what lies face down is any of what has not been seen.
fn flipped(rules: Luzhanqi, known: &Known, p: &Position, seed: u64, n: usize) -> Vec<Truth> {
    let mut left: Vec<(u8, Rank)> = Vec::new();
    for side in 0..2 {
        for rank in Rank::ALL {
            let start = known.start.iter().flat_map(Position::pieces);
            let start = start.filter(|(_, q)| !q.down && (q.side, q.rank) == (side, rank)).count();
            let turned = known.events.iter().filter(|e| e.flipped == Some((side, rank))).count();
            let unseen = rank.count().saturating_sub(start + turned);
            left.extend(std::iter::repeat_n((side, rank), unseen));
        }
    }
    let mut random = Random::new(seed);
    let own = p.side(rules.options, p.turn).expect("it plays");
    let places: Vec<u8> = p.pieces().map(|(at, _)| at).collect();
    let mut truth = || {
        random.shuffle(&mut left);
        let mut hidden = left.iter();
        let bodies = p.pieces().map(|(_, piece)| {
            let (side, rank) = match piece.down {
                true => *hidden.next().unwrap_or(&(own, Rank::Lieutenant)),
                false => (piece.side, piece.rank),
            };
            Body { side, rank }
        });
        let bodies: Vec<Body> = bodies.collect();
        let sure = |body: &Body| {
            let mut sure = [0.0; 12];
            sure[body.rank as usize] = 1.0;
            sure
        };
        let guessed: Vec<[f32; 12]> = bodies.iter().map(sure).collect();
        build(rules, p, bodies, &places, &guessed, own)
    };
    (0..n).map(|_| truth()).collect()
}

/// Makes a world of the pieces alive.
fn build(
    rules: Luzhanqi,
    p: &Position,
    bodies: Vec<Body>,
    places: &[u8],
    guessed: &[[f32; 12]],
    own: u8,
) -> Truth {
    let options = rules.options;
    let board = Board::of(options.four);
    let ground = Ground { board, options, bodies };
    let mut numbers = vec![world::NONE; board.len()];
    for (id, at) in (0u8..).zip(places) {
        numbers[usize::from(*at)] = id;
    }
    let world = World::of(&ground, p, |at| numbers[usize::from(at)]);
    let open = (0u8..).zip(&ground.bodies).zip(places).filter(|((id, _), _)| !world.is_down(*id));
    let seen: Vec<(Body, u8)> = open.map(|((_, body), at)| (*body, *at)).collect();
    let all: Vec<(Body, u8)> = ground.bodies.iter().copied().zip(places.iter().copied()).collect();
    let goals = std::array::from_fn(|side| goals(&ground, p, &seen, side as u8, own));
    let worth = Scales { ground: &ground, alive: &all, seen: &seen, goals: &goals }.weigh();
    let table = |side: u8| Rank::ALL.map(|rank| worth.rank(side, rank));
    let gains = ground.bodies.iter().zip(places).zip(guessed).map(|((body, at), likely)| {
        // What the attacker would lose is weighed as of one rival; of two, both are much alike.
        let rival = body.side ^ 1;
        let flag = p.flags[usize::from(body.side)];
        let guards = flag.is_some_and(|flag| board.roads[usize::from(flag)].contains(at));
        let place = if guards { GUARD } else { 0 };
        gains(options, likely, &table(rival), &table(body.side), place)
    });
    let gains = gains.collect();
    let memory = RefCell::new(Memory::new(ground.bodies.len()));
    Truth { world, worth, gains, memory, numbers, ground }
}

/// Where the rivals of a side look for its flag.
fn goals(ground: &Ground, p: &Position, seen: &[(Body, u8)], side: u8, own: u8) -> Vec<u8> {
    let flags = seen.iter().filter(|(b, _)| (b.side, b.rank) == (side, Rank::Flag));
    let flag: Vec<u8> = flags.map(|(_, at)| *at).collect();
    let told = p.flags[usize::from(side)].is_some() || ground.options.ranks_are_public();
    if told || flag.is_empty() || ground.team(side) != own {
        return flag;
    }
    // They do not know which headquarters it is in.
    let half = |at: &u8| own_half(ground.options, side, *at).is_some();
    let headquarters =
        (0..ground.board.len() as u8).filter(|at| ground.board.kind(*at) == Kind::Headquarters);
    headquarters.filter(half).collect()
}

impl Truth {
    /// A move as this world's search plays it.
    pub(super) fn act(&self, m: Move) -> Act {
        match m {
            Move::Step(from, to) => Act::Step { piece: self.numbers[usize::from(from)], to },
            Move::Flip(at) => Act::Flip(self.numbers[usize::from(at)]),
            Move::Skip | Move::Out(..) => Act::Pass,
        }
    }

    /// What a move brings at once, for who moves.
    pub(super) fn glance(&self, m: Move) -> i32 {
        let Act::Step { piece, to } = self.act(m) else { return 0 };
        let body = self.ground.bodies[usize::from(piece)];
        match (self.world.on(to), self.world.place(piece)) {
            (Some(other), _) => i32::from(self.gains[usize::from(other)][body.rank as usize]),
            (None, Some(from)) => self.worth.placed(body, to) - self.worth.placed(body, from),
            (None, None) => 0,
        }
    }
}
