//! What pieces and places are worth, in hundredths of a captain.

use super::world::{Body, Ground};
use crate::board::{Board, Kind, MOST, Station};
use crate::notation::own_half;
use crate::{Contact, Options, Rank, contact};
use std::sync::LazyLock;

/// Places and ranks: an index of a table for each side.
const CELLS: usize = 12 * MOST;

/// What it is worth that a marshal's end does not show the flag.
const SECRET: i32 = 150;

/// What each piece is worth on each station, by side and rank; and what a rank is worth at all.
pub(super) struct Worth {
    places: Vec<i16>,
    ranks: [[i32; 12]; 4],
}

impl Worth {
    /// What a piece is worth where it stands.
    pub(super) fn placed(&self, body: Body, at: Station) -> i32 {
        let rank = usize::from(body.side) * CELLS + body.rank as usize * MOST;
        i32::from(self.places[rank + usize::from(at)])
    }

    /// What a rank of a side is worth.
    pub(super) fn rank(&self, side: u8, rank: Rank) -> i32 {
        self.ranks[usize::from(side)][rank as usize]
    }
}

/// What decides the worth of things: the pieces alive, and where flags are thought to be.
pub(super) struct Scales<'a> {
    pub(super) ground: &'a Ground,
    /// The pieces alive with their stations.
    pub(super) alive: &'a [(Body, Station)],
    /// Those that lie open.
    pub(super) seen: &'a [(Body, Station)],
    /// By side, the stations where its rivals look for its flag.
    pub(super) goals: &'a [Vec<Station>; 4],
}

/// The length of the shortest way between stations, a rail edge 1 and a road edge 2.
struct Ways(Vec<u8>);

static WAYS: [LazyLock<Ways>; 2] =
    [LazyLock::new(|| Ways::on(Board::of(false))), LazyLock::new(|| Ways::on(Board::of(true)))];

impl Ways {
    fn on(board: &Board) -> Ways {
        let n = board.len();
        let mut far = vec![u8::MAX; n * n];
        for from in 0..n {
            let far = &mut far[from * n..][..n];
            far[from] = 0;
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                let edges = board.rails[at].iter().map(|to| (to, 1));
                for (to, length) in edges.chain(board.roads[at].iter().map(|to| (to, 2))) {
                    let to = usize::from(*to);
                    if far[at] + length < far[to] {
                        far[to] = far[at] + length;
                        open.push(to);
                    }
                }
            }
        }
        Ways(far)
    }

    fn between(&self, board: &Board, a: Station, b: Station) -> i32 {
        i32::from(self.0[usize::from(a) * board.len() + usize::from(b)])
    }
}

/// A rank's worth to a side: it grows with the share of the rivals' pieces it beats.
fn rank_worth(options: Options, rank: Rank, rivals: &[Rank], own: &[Rank]) -> i32 {
    let count = |of: &[Rank], rank| of.iter().filter(|r| **r == rank).count() as i32;
    match rank {
        Rank::Flag => 5000,
        Rank::Mine => 130,
        Rank::Bomb => {
            // As good as what it can still stop.
            let best = rivals.iter().filter(|r| **r < Rank::Engineer).min();
            best.map_or(60, |best| 330 - 35 * (*best as i32).min(6))
        }
        Rank::Engineer => {
            let mines = count(rivals, Rank::Mine);
            let few = 4 - count(own, Rank::Engineer).min(3);
            70 + mines * 14 * few
        }
        _ => {
            let foes = rivals.iter().filter(|r| **r < Rank::Mine);
            let (mut beaten, mut all) = (0.0, 0.0f32);
            for foe in foes {
                all += 1.0;
                beaten += match contact(rank, *foe, options) {
                    Contact::Won => 1.0,
                    Contact::Both => 0.5,
                    Contact::Lost => 0.0,
                };
            }
            let share = if all > 0.0 { beaten / all } else { 1.0 };
            60 + (780.0 * share.powi(3)) as i32
        }
    }
}

impl Scales<'_> {
    /// Weighs every rank on every station.
    pub(super) fn weigh(&self) -> Worth {
        let options = self.ground.options;
        let sides = if options.four { 4 } else { 2 };
        let of = |wanted: &dyn Fn(u8) -> bool| -> Vec<Rank> {
            self.alive.iter().filter(|(b, _)| wanted(b.side)).map(|(b, _)| b.rank).collect()
        };
        let mut worth = Worth { places: vec![0; 4 * CELLS], ranks: [[0; 12]; 4] };
        for side in 0..sides {
            let team = self.ground.team(side);
            let rivals = of(&|s| self.ground.team(s) != team);
            let own = of(&|s| s == side);
            for rank in Rank::ALL {
                let mut value = rank_worth(options, rank, &rivals, &own);
                if rank == Rank::Marshal && options.marshal_reveals {
                    value += SECRET;
                }
                worth.ranks[usize::from(side)][rank as usize] = value;
                let row = usize::from(side) * CELLS + rank as usize * MOST;
                for at in 0..self.ground.board.len() {
                    let place = self.place(side, rank, at as Station, value);
                    worth.places[row + at] = (value + place) as i16;
                }
            }
        }
        worth
    }

    /// What a station adds to a rank of a side.
    fn place(&self, side: u8, rank: Rank, at: Station, value: i32) -> i32 {
        let own_flags = &self.goals[usize::from(side)];
        let guards =
            own_flags.iter().any(|flag| self.ground.board.roads[usize::from(*flag)].contains(&at));
        if rank.is_fixed() {
            return if guards && rank == Rank::Mine { 60 } else { 0 };
        }
        let (board, options) = (self.ground.board, self.ground.options);
        let ways = &WAYS[usize::from(options.four)];
        let far = |targets: &mut dyn Iterator<Item = Station>| {
            targets.map(|to| ways.between(board, at, to)).min()
        };
        let foe = |s: u8| self.ground.team(s) != self.ground.team(side);
        let goals = (0u8..).zip(self.goals).filter(|(s, _)| foe(*s));
        let goals: Vec<Station> = goals.flat_map(|(_, goals)| goals.iter().copied()).collect();
        let home = own_half(options, side, at).is_some();
        let mut sum = 0;
        if let Some(far) = far(&mut goals.iter().copied()) {
            let pull = match rank {
                Rank::Bomb => 2,
                Rank::Lieutenant | Rank::Captain => 3,
                Rank::Engineer => 1,
                _ => 4,
            };
            // Near a flag that all know of, every step counts.
            let near = if goals.len() == 1 { 14 } else { 4 };
            sum += pull * (16 - far.min(16)) + near * (5 - far).max(0);
        }
        if rank == Rank::Engineer {
            let mines = self.seen.iter().filter(|(b, _)| b.rank == Rank::Mine && foe(b.side));
            if let Some(far) = far(&mut mines.map(|(_, at)| *at)) {
                sum += 3 * (12 - far.min(12));
            }
        }
        match board.kind(at) {
            Kind::Camp if home => sum += 14,
            Kind::Camp => sum += 22,
            Kind::Headquarters if !options.hq_free && !home => sum -= value * 3 / 4,
            _ => {}
        }
        sum
    }
}
