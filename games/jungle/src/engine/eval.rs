//! What a position is worth by looking at it: who can still take whom, how far it is to the dens,
//! who guards them, and the water.

use crate::board::{SQUARES, beside_of, den, jumps_from, squares};
use crate::{Animal, Elephant, Options, Position, Square};
use kiban_core::Seat;
use std::sync::LazyLock;

/// An animal for being there.
const PRESENCE: i32 = 180;
/// For each enemy animal it can take.
const PREY: i32 = 45;
/// For each enemy animal that can take it.
const PREDATOR: i32 = -25;
/// If none can.
const SAFE: i32 = 80;
/// For jumping over lakes.
const JUMPER: i32 = 80;
/// For swimming, which keeps jumpers at home.
const SWIMMER: i32 = 130;
/// For each jump that no rat blocks.
const OPEN_JUMP: i32 = 10;
/// A rat in the water.
const AFLOAT: i32 = 20;
/// For each free square beside an animal.
const FREEDOM: i32 = 2;
/// For being so many steps away from the enemy den. Beyond, nothing.
const NEAR_DEN: [i32; 16] = [0, 170, 130, 95, 74, 62, 54, 46, 40, 34, 28, 22, 16, 10, 5, 0];
/// For an enemy that is nearer to the own den than all who could guard it, and per step less.
const UNGUARDED: i32 = 150;
const UNGUARDED_STEP: i32 = 15;
/// For having the move.
const TEMPO: i32 = 12;
/// Farther than any square.
const FAR: u8 = 15;

/// How an animal moves.
#[derive(Clone, Copy)]
enum Gait {
    Swims,
    Walks,
    Jumps,
}

fn gait(animal: Animal) -> Gait {
    match animal {
        Animal::Rat => Gait::Swims,
        _ if animal.jumps() => Gait::Jumps,
        _ => Gait::Walks,
    }
}

/// Steps to a side's den on an empty board.
type Steps = [u8; SQUARES];

fn steps_to_den(of: Seat, gait: Gait) -> Steps {
    let mut steps = [FAR; SQUARES];
    let mut reached: Vec<Square> = squares(den(of)).collect();
    steps[reached[0].index()] = 0;
    let mut next = 0;
    while let Some(at) = reached.get(next).copied() {
        next += 1;
        let mut from = beside_of(at);
        match gait {
            Gait::Swims => {}
            Gait::Walks => from &= !crate::board::LAKES,
            Gait::Jumps => {
                from &= !crate::board::LAKES;
                from = jumps_from(at).fold(from, |set, jump| set | jump.to.bit());
            }
        }
        for square in squares(from & !den(of.other())) {
            if steps[square.index()] == FAR {
                steps[square.index()] = steps[at.index()] + 1;
                reached.push(square);
            }
        }
    }
    steps
}

/// By the den's side and gait.
static STEPS: LazyLock<[[Steps; 3]; 2]> = LazyLock::new(|| {
    [Seat::FIRST, Seat::SECOND]
        .map(|of| [Gait::Swims, Gait::Walks, Gait::Jumps].map(|gait| steps_to_den(of, gait)))
});

/// The judgement of one variant.
#[derive(Clone, Copy)]
pub(super) struct Judge {
    /// By animal, the animals it takes on open land; bits by index.
    prey: [u8; 8],
    /// By animal, the animals that take it there.
    predators: [u8; 8],
    steps: &'static [[Steps; 3]; 2],
}

impl Judge {
    pub(super) fn new(options: Options) -> Judge {
        let (mut prey, mut predators, mut weaker) = ([0; 8], [0; 8], 0);
        for animal in options.order() {
            weaker |= 1 << animal.index();
            prey[animal.index()] = weaker;
        }
        let (rat, elephant) = (Animal::Rat.index(), Animal::Elephant.index());
        prey[rat] |= 1 << elephant;
        if options.elephant != Elephant::Always {
            prey[elephant] &= !(1 << rat);
        }
        for (hunter, taken) in prey.iter().enumerate() {
            for (i, hunters) in predators.iter_mut().enumerate() {
                *hunters |= (taken >> i & 1) << hunter;
            }
        }
        Judge { prey, predators, steps: &STEPS }
    }

    /// What an animal is worth against these enemies.
    pub(super) fn animal(&self, animal: Animal, enemies: u8) -> i32 {
        let prey = (self.prey[animal.index()] & enemies).count_ones() as i32;
        let predators = (self.predators[animal.index()] & enemies).count_ones() as i32;
        let gait = match gait(animal) {
            Gait::Swims => SWIMMER,
            Gait::Walks => 0,
            Gait::Jumps => JUMPER,
        };
        let safe = if predators == 0 { SAFE } else { 0 };
        PRESENCE + PREY * prey + PREDATOR * predators + safe + gait
    }

    /// The animals of a side by index bits.
    pub(super) fn present(p: &Position, seat: Seat) -> u8 {
        let here = |a: &Animal| p.kind(*a) & p.side(seat) != 0;
        Animal::ALL.iter().filter(|a| here(a)).fold(0, |set, a| set | 1 << a.index())
    }

    /// The worth of a position for the side to move.
    pub(super) fn worth(&self, p: &Position) -> i32 {
        let seat = p.to_move();
        let (own, other) = (self.side(p, seat), self.side(p, seat.other()));
        let unguarded = |attack: u8, guard: u8| {
            let early = attack + 1 < guard;
            if early { UNGUARDED - UNGUARDED_STEP * i32::from(attack) } else { 0 }
        };
        own.points - other.points + unguarded(own.attack, other.guard).max(0)
            - unguarded(other.attack, own.guard).max(0)
            + TEMPO
    }

    fn side(&self, p: &Position, seat: Seat) -> Side {
        let enemies = Judge::present(p, seat.other());
        let mut side = Side { points: 0, attack: FAR, guard: FAR };
        let occupied = p.side(Seat::FIRST) | p.side(Seat::SECOND);
        for animal in Animal::ALL {
            for at in squares(p.kind(animal) & p.side(seat)) {
                let gait = gait(animal) as usize;
                let there = self.steps[seat.other().index()][gait][at.index()];
                let home = self.steps[seat.index()][gait][at.index()];
                side.attack = side.attack.min(there);
                side.guard = side.guard.min(home);
                side.points += self.animal(animal, enemies) + NEAR_DEN[usize::from(there)];
                side.points += FREEDOM * (beside_of(at) & !occupied).count_ones() as i32;
                if animal.jumps() {
                    let rats = p.kind(Animal::Rat);
                    let open = jumps_from(at).filter(|jump| jump.over & rats == 0).count();
                    side.points += OPEN_JUMP * open as i32;
                } else if at.is_water() {
                    side.points += AFLOAT;
                }
            }
        }
        side
    }
}

/// One side's part.
struct Side {
    points: i32,
    /// Steps of its nearest animal to the enemy den.
    attack: u8,
    /// Steps of its nearest animal to the own den.
    guard: u8,
}
