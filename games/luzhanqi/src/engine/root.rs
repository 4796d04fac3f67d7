//! The choice among the moves: each is valued by the chance to win, averaged over the worlds.

use super::search::{SURE, Search, WON};
use super::truth::Truth;
use crate::notation::own_half;
use crate::position::Move;
use crate::{Known, Luzhanqi};
use kiban_core::{BestLine, Bound, Limits, Notation, Report, Score, Value};
use kiban_search::{Budget, Random};

/// Moves that go on to each depth, from the second.
const SHORT: [usize; 4] = [14, 9, 6, 5];
/// How far the careless misjudge a move, as a share of the game.
const CARELESS: f32 = 0.25;
/// Values that differ so much from the best of a world are not told apart.
const MARGIN: i32 = 400;
/// Points that make a win e times as likely as a loss.
const SCALE: f64 = 700.0;

/// A move with what is thought of it.
#[derive(Clone)]
pub(super) struct Rated {
    pub(super) m: Move,
    /// The chance to win, with what the search does not see.
    chance: f64,
    /// Points on average.
    points: f64,
    /// What the search does not see.
    bias: f64,
}

/// The moves to choose from, best first.
pub(super) struct Root {
    pub(super) rated: Vec<Rated>,
    depth: u8,
}

impl Root {
    /// The moves, put in order by a glance at what each brings at once.
    pub(super) fn new(
        rules: Luzhanqi,
        known: &Known,
        moves: Vec<Move>,
        truths: &[Truth],
        (careless, seed): (f32, u64),
    ) -> Root {
        let mut random = Random::new(seed ^ 0x5eed);
        let p = known.position.as_ref().expect("play has begun");
        let moved = known.moved();
        let mut before = known.events.iter().rev().filter(|e| e.by == p.turn);
        let last = before.next().map(|e| e.m);
        let rated = |m: Move| {
            // Who is careless also misjudges.
            let mut bias = f64::from(careless * CARELESS * (random.unit() - 0.5));
            if let Move::Step(from, to) = m {
                // What has not moved may still be taken for a mine or the flag.
                let row = own_half(rules.options, p.turn.index() as u8, from);
                if !moved.contains(&from) && row.is_some_and(|(_, row)| row < 2) {
                    bias -= 0.006;
                }
                if last == Some(Move::Step(to, from)) && p.at(to).is_none() {
                    bias -= 0.004;
                }
            }
            let sum: i32 = truths.iter().map(|truth| truth.glance(m)).sum();
            let points = f64::from(sum) / truths.len() as f64;
            Rated { m, chance: chance(points as i32) + bias, points, bias }
        };
        let mut rated: Vec<Rated> = moves.into_iter().map(rated).collect();
        rated.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        Root { rated, depth: 0 }
    }

    /// Searches the moves in every world to a depth; whether it came to the end.
    pub(super) fn deepen(
        &mut self,
        truths: &[Truth],
        depth: u8,
        budget: &mut Budget,
        overlooked: (f32, u64),
    ) -> bool {
        let short = match depth {
            1 => self.rated.len(),
            _ => SHORT[usize::from(depth - 2).min(SHORT.len() - 1)].min(self.rated.len()),
        };
        let mut sums = vec![(0.0, 0.0); short];
        let mut done = 0;
        for truth in truths {
            let mut values = Vec::with_capacity(short);
            let mut best = -WON;
            for rated in &self.rated[..short] {
                let act = truth.act(rated.m);
                let (ground, worth, gains) = (&truth.ground, &truth.worth, &truth.gains);
                let memory = &mut *truth.memory.borrow_mut();
                let budget = &mut *budget;
                let mut search = Search { ground, worth, gains, budget, memory, overlooked };
                let value = search.after(&truth.world, act, depth, best - MARGIN);
                values.push(value);
                best = best.max(value);
            }
            if budget.is_out() {
                break;
            }
            for (sum, value) in sums.iter_mut().zip(values) {
                sum.0 += chance(value);
                sum.1 += f64::from(value);
            }
            done += 1;
        }
        let whole = done == truths.len();
        if done > 0 && (2 * done >= truths.len() || self.depth == 0) {
            for (rated, (chance, points)) in self.rated.iter_mut().zip(sums) {
                rated.chance = chance / done as f64 + rated.bias;
                rated.points = points / done as f64;
            }
            self.rated[..short].sort_by(|a, b| b.chance.total_cmp(&a.chance));
            self.depth = depth;
        }
        whole
    }

    /// Whether looking further changes nothing.
    pub(super) fn is_decided(&self, truths: &[Truth]) -> bool {
        truths.len() == 1 && self.rated[0].points >= f64::from(SURE)
    }

    pub(super) fn report(&self, rules: Luzhanqi, limits: &Limits, depth: u8, nodes: u64) -> Report {
        let line = |(rank, rated): (u8, &Rated)| {
            let points = rated.points.round() as i32;
            let score = if points.abs() > SURE {
                let value = if points > 0 { Value::Win } else { Value::Loss };
                Score::Exact { value, distance: Some((WON - points.abs()) as u32 + 1) }
            } else {
                let chance = rated.chance.clamp(0.0, 1.0) as f32;
                Score::Estimate { points, unit: "centi", chance, bound: Bound::Exact }
            };
            let moves = vec![rules.write_move(rated.m)];
            BestLine { rank, score, depth: self.depth, moves }
        };
        let lines = (1u8..).zip(&self.rated).take(limits.lines.max(1).into()).map(line).collect();
        Report { depth, seldepth: None, nodes, lines, call: None }
    }
}

/// The chance to win that a value means.
fn chance(value: i32) -> f64 {
    if value.abs() > SURE {
        let plies = f64::from(WON - value.abs());
        let sure = 1.02 - 0.002 * plies.min(20.0);
        return if value > 0 { sure } else { 1.0 - sure };
    }
    1.0 / (1.0 + (-f64::from(value) / SCALE).exp())
}
