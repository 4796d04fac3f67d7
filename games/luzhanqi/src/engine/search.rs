//! Looking ahead in one world. A side attacks only what it can judge worth attacking by what it
//! knows; what comes of it is what would come of it in this world.

use super::world::{Act, Ground, World};
use super::worth::Worth;
use crate::board::MOST;
use crate::options::Quiet;
use crate::{Contact, Options, Rank, contact};
use kiban_search::{Budget, Random};

/// A won game, less a point for each ply to it.
pub(super) const WON: i32 = 20_000;
/// Above this a value is a won game.
pub(super) const SURE: i32 = WON - 1_000;
/// Beyond every value.
const ENDLESS: i32 = 30_000;
/// Attacks that may lose so much on average are looked at where play is full.
const DARING: i32 = -60;
/// Plies of attacks after the full ones.
const ATTACKS: u8 = 5;
/// The share of a strong piece's worth that every bomb of the rivals endangers once it has shown
/// itself, in hundredths.
const HUNTED: i32 = 5;
/// Plies whose good answers are kept.
const PLIES: usize = 32;
/// What it is worth that the other must break the quiet at the last.
const OBLIGED: i32 = 260;

/// What attacking a piece brings on average, by the attacker's rank: what the attacker's side can
/// know of it.
pub(super) type Gains = Vec<[i16; 12]>;

/// The gains of attacking a piece that is likely each of these ranks: by what the attacker's ranks
/// are worth, what its own are, and what it is worth that it is gone from its place.
pub(super) fn gains(
    options: Options,
    likely: &[f32; 12],
    attackers: &[i32; 12],
    its: &[i32; 12],
    place: i32,
) -> [i16; 12] {
    let gain = |attacker: Rank| {
        let mut sum = 0.0;
        for rank in Rank::ALL {
            let (cost, prize) = (attackers[attacker as usize], its[rank as usize] + place);
            let gain = match contact(attacker, rank, options) {
                Contact::Won => prize,
                Contact::Lost => -cost,
                Contact::Both => prize - cost,
            };
            sum += likely[rank as usize] * gain as f32;
        }
        sum as i16
    };
    Rank::ALL.map(gain)
}

/// Acts that were good answers before, in one world.
pub(super) struct Memory {
    /// By ply, the last act that refuted the one before.
    killers: [Option<Act>; PLIES],
    /// By piece and station, how often a step was best.
    history: Vec<[u16; MOST]>,
}

impl Memory {
    /// For so many pieces.
    pub(super) fn new(pieces: usize) -> Memory {
        Memory { killers: [None; PLIES], history: vec![[0; MOST]; pieces] }
    }

    fn keep(&mut self, act: Act, depth: u8, ply: u8) {
        if let Some(killer) = self.killers.get_mut(usize::from(ply)) {
            *killer = Some(act);
        }
        if let Act::Step { piece, to } = act {
            let count = &mut self.history[usize::from(piece)][usize::from(to)];
            *count = count.saturating_add(u16::from(depth) * u16::from(depth));
        }
    }

    fn key(&self, act: Act, ply: u8) -> i32 {
        let killer = self.killers.get(usize::from(ply)).is_some_and(|k| *k == Some(act));
        let history = match act {
            Act::Step { piece, to } => self.history[usize::from(piece)][usize::from(to)],
            Act::Flip(_) | Act::Pass => 0,
        };
        i32::from(killer) * 900 + i32::from(history.min(800))
    }
}

/// The search of one world.
pub(super) struct Search<'a> {
    pub(super) ground: &'a Ground,
    pub(super) worth: &'a Worth,
    pub(super) gains: &'a Gains,
    pub(super) budget: &'a mut Budget,
    pub(super) memory: &'a mut Memory,
    /// The share of replies to the own move that are overlooked, and for which seed.
    pub(super) overlooked: (f32, u64),
}

/// An act with the key it is ordered by.
type Rated = (i32, Act);

impl Search<'_> {
    /// The worth of the world after an act, for the team that acts.
    pub(super) fn after(&mut self, world: &World, act: Act, depth: u8, least: i32) -> i32 {
        self.child(world, act, depth, 0, (least, ENDLESS))
    }

    fn child(&mut self, world: &World, act: Act, depth: u8, ply: u8, window: (i32, i32)) -> i32 {
        let mut next = world.clone();
        let flag = next.play(self.ground, act);
        let (alpha, beta) = window;
        if let Some(value) = self.ended(&next, flag, self.ground.team(world.turn), ply) {
            return value;
        }
        if self.ground.team(next.turn) == self.ground.team(world.turn) {
            self.value(&next, depth - 1, ply + 1, (alpha, beta))
        } else {
            -self.value(&next, depth - 1, ply + 1, (-beta, -alpha))
        }
    }

    /// The value of a game that is over, for `team`; `flag` says whether a flag fell just now.
    fn ended(&self, next: &World, flag: bool, team: u8, ply: u8) -> Option<i32> {
        let won = |lost: u8| {
            let value = WON - i32::from(ply);
            if lost == team { -value } else { value }
        };
        if flag && let Some(lost) = next.lost(self.ground) {
            return Some(won(lost));
        }
        Some(next.worn_out(self.ground)?.map_or(0, won))
    }

    /// The worth of a world for the team to move.
    fn value(&mut self, world: &World, depth: u8, ply: u8, (mut alpha, beta): (i32, i32)) -> i32 {
        if depth == 0 {
            return self.settle(world, ATTACKS, ply, (alpha, beta));
        }
        if !self.budget.spend() {
            return self.judge(world);
        }
        let mut acts = self.acts(world, ply);
        if acts.is_empty() {
            return self.stuck(world, depth, ply, (alpha, beta));
        }
        acts.sort_unstable_by_key(|(key, _)| -key);
        let mut best = -ENDLESS;
        for (_, act) in acts {
            let value = self.child(world, act, depth, ply, (alpha, beta));
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                self.memory.keep(act, depth, ply);
            }
            if alpha >= beta || self.budget.is_out() {
                break;
            }
        }
        best
    }

    /// The acts that are looked at where play is full.
    fn acts(&self, world: &World, ply: u8) -> Vec<Rated> {
        let mut acts: Vec<Rated> = Vec::with_capacity(48);
        world.steps(self.ground, |piece, to, other| {
            let body = self.ground.bodies[usize::from(piece)];
            let key = match other {
                Some(other) => {
                    let gain = i32::from(self.gains[usize::from(other)][body.rank as usize]);
                    if gain < DARING {
                        return;
                    }
                    1000 + gain
                }
                None => {
                    let from = world.place(piece).expect("who steps stands somewhere");
                    let nearer = self.worth.placed(body, to) - self.worth.placed(body, from);
                    nearer + self.memory.key(Act::Step { piece, to }, ply)
                }
            };
            acts.push((key, Act::Step { piece, to }));
        });
        if world.any_down() {
            acts.push((0, Act::Pass));
        }
        if acts.is_empty() {
            // Then it must be something daring.
            world.steps(self.ground, |piece, to, _| acts.push((0, Act::Step { piece, to })));
        }
        if ply == 1 && self.overlooked.0 > 0.0 && acts.len() > 1 {
            let seen = |act: &Rated| !self.overlooks(act.1);
            let first = acts[0];
            acts.retain(seen);
            if acts.is_empty() {
                acts.push(first);
            }
        }
        acts
    }

    fn overlooks(&self, act: Act) -> bool {
        let key = match act {
            Act::Step { piece, to } => u64::from(piece) << 8 | u64::from(to),
            Act::Flip(_) | Act::Pass => return false,
        };
        Random::new(self.overlooked.1 ^ key << 20).unit() < self.overlooked.0
    }

    /// A side that cannot move has lost, or is out.
    fn stuck(&mut self, world: &World, depth: u8, ply: u8, window: (i32, i32)) -> i32 {
        let (alpha, beta) = window;
        let mut next = world.clone();
        let team = self.ground.team(world.turn);
        if !self.ground.options.four {
            next.pass_turn(self.ground);
            let mut moves = false;
            next.steps(self.ground, |_, _, _| moves = true);
            return if moves { i32::from(ply) - WON } else { 0 };
        }
        next.put_out(self.ground, world.turn);
        if next.lost(self.ground).is_some() {
            return i32::from(ply) - WON;
        }
        next.pass_turn(self.ground);
        if self.ground.team(next.turn) == team {
            self.value(&next, depth - 1, ply + 1, (alpha, beta))
        } else {
            -self.value(&next, depth - 1, ply + 1, (-beta, -alpha))
        }
    }

    /// Attacks until it is quiet; a side may always leave it as it is.
    fn settle(&mut self, world: &World, left: u8, ply: u8, (mut alpha, beta): (i32, i32)) -> i32 {
        let mut best = self.judge(world);
        if !self.budget.spend() || left == 0 || best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut acts: Vec<Rated> = Vec::with_capacity(8);
        world.steps(self.ground, |piece, to, other| {
            let Some(other) = other else { return };
            let rank = self.ground.bodies[usize::from(piece)].rank;
            let gain = i32::from(self.gains[usize::from(other)][rank as usize]);
            let act = Act::Step { piece, to };
            let overlooked = ply == 1 && self.overlooked.0 > 0.0 && self.overlooks(act);
            if gain > 0 && !overlooked {
                acts.push((gain, act));
            }
        });
        acts.sort_unstable_by_key(|(key, _)| -key);
        for (_, act) in acts {
            let mut next = world.clone();
            let flag = next.play(self.ground, act);
            let team = self.ground.team(world.turn);
            let value = match self.ended(&next, flag, team, ply) {
                Some(value) => value,
                None if self.ground.team(next.turn) == team => {
                    self.settle(&next, left - 1, ply + 1, (alpha, beta))
                }
                None => -self.settle(&next, left - 1, ply + 1, (-beta, -alpha)),
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The worth of a world as it stands, for the team to move.
    fn judge(&self, world: &World) -> i32 {
        let team = self.ground.team(world.turn);
        let (mut sum, mut bombs, mut shown) = (0, [0; 2], [0; 2]);
        for (id, body) in (0u8..).zip(&self.ground.bodies) {
            if let Some(at) = world.place(id) {
                let worth = if world.is_down(id) {
                    self.worth.rank(body.side, body.rank)
                } else {
                    self.worth.placed(*body, at)
                };
                let of = usize::from(self.ground.team(body.side) != team);
                sum += if of == 0 { worth } else { -worth };
                bombs[of] += i32::from(body.rank == Rank::Bomb);
                if body.rank <= Rank::Brigadier && world.is_shown(id) {
                    shown[of] += worth;
                }
            }
        }
        sum += (shown[1] * bombs[0] - shown[0] * bombs[1]) * HUNTED / 100;
        let quiet = i32::from(world.quiet);
        match self.ground.options.quiet {
            // Who makes the plies of the last one's parity must break the quiet in time.
            Quiet::Loses(from) => {
                let from = i32::from(from);
                let obliged = OBLIGED * quiet * quiet / (from * from);
                let mine = (from - quiet - 1) % 2 == 0;
                if mine { sum - obliged } else { sum + obliged }
            }
            Quiet::Draws(most) => {
                let most = i32::from(most);
                sum - sum * quiet * quiet / (2 * most * most)
            }
            Quiet::Off => sum,
        }
    }
}
