//! Solves every ending of so many animals by retrograde propagation and counts it, unreduced:
//! `endings ANIMALS [VARIANT]`, 2 or 3 animals. The history rules are left aside.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::Seat;
use kiban_jungle::{Animal, Equal, GAME, Jungle, Options, Position, Square};
use std::collections::HashMap;
use std::time::Instant;

const DRAW: u8 = 1;
const WIN: u8 = 2;
const LOSS: u8 = 3;
const SIDES: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

/// Animals of both sides, each list in ascending order: Red's, Black's.
type Material = [Vec<Animal>; 2];

/// The values of every position of a material for the side to move; 0 is no position.
struct Table {
    men: Vec<(Seat, Animal)>,
    values: Vec<u8>,
}

/// Squares and side to move as one number.
fn index(squares: &[Square], to_move: Seat) -> usize {
    squares.iter().fold(to_move.index(), |at, square| at * 63 + square.index())
}

fn stands(animal: Animal, at: Square) -> bool {
    at.den_of().is_none() && (animal == Animal::Rat || !at.is_water())
}

/// Solves materials of up to so many animals, those with fewer first.
struct Solver {
    options: Options,
    tables: HashMap<Material, Table>,
}

/// A material being solved.
struct Work<'a> {
    solver: &'a Solver,
    men: Vec<(Seat, Animal)>,
    values: Vec<u8>,
    left: Vec<u8>,
    decided: Vec<(Vec<Square>, Seat)>,
}

impl Work<'_> {
    fn position(&self, squares: &[Square], to_move: Seat) -> Position {
        let men: Vec<_> = self
            .men
            .iter()
            .zip(squares)
            .map(|((seat, animal), at)| (*seat, *animal, *at))
            .collect();
        Position::of(&men, to_move)
    }

    /// Looks at every position once: what is decided at once, and how many moves may still save.
    fn begin(&mut self, squares: &mut Vec<Square>) {
        if squares.len() < self.men.len() {
            let (_, animal) = self.men[squares.len()];
            for at in Square::all().filter(|at| stands(animal, *at)) {
                if !squares.contains(&at) {
                    squares.push(at);
                    self.begin(squares);
                    squares.pop();
                }
            }
            return;
        }
        for to_move in SIDES {
            let (value, left) = self.first_look(squares, to_move);
            let at = index(squares, to_move);
            (self.values[at], self.left[at]) = (value, left);
            if value != DRAW {
                self.decided.push((squares.clone(), to_move));
            }
        }
    }

    fn first_look(&self, squares: &[Square], to_move: Seat) -> (u8, u8) {
        let (mut left, mut value) = (0, LOSS);
        for m in self.position(squares, to_move).moves(self.solver.options) {
            let taken = squares.iter().position(|at| *at == m.to);
            let after = match taken {
                _ if m.to.den_of().is_some() => LOSS,
                None => DRAW,
                Some(taken) => {
                    let moved = squares.iter().map(|at| if *at == m.from { m.to } else { *at });
                    let rest: Vec<_> = (0..).zip(self.men.iter().zip(moved)).collect();
                    let rest = rest.into_iter().filter(|(i, _)| *i != taken).map(|(_, man)| man);
                    self.solver.value(rest.map(|((seat, a), at)| (*seat, *a, at)), to_move.other())
                }
            };
            match after {
                LOSS => return (WIN, 0),
                DRAW => (left, value) = (left + 1, DRAW),
                _ => {}
            }
        }
        (value, left)
    }

    /// From what is decided back to what it decides. A quiet move can be made backwards too.
    fn propagate(&mut self) {
        while let Some((squares, to_move)) = self.decided.pop() {
            let value = self.values[index(&squares, to_move)];
            let mover = to_move.other();
            for m in self.position(&squares, mover).moves(self.solver.options) {
                if m.to.den_of().is_some() || squares.contains(&m.to) {
                    continue;
                }
                let before: Vec<Square> =
                    squares.iter().map(|at| if *at == m.from { m.to } else { *at }).collect();
                let at = index(&before, mover);
                self.left[at] = self.left[at].wrapping_sub(1);
                let new = match value {
                    LOSS => WIN,
                    _ if self.left[at] == 0 => LOSS,
                    _ => continue,
                };
                if self.values[at] == DRAW {
                    self.values[at] = new;
                    self.decided.push((before, mover));
                }
            }
        }
    }
}

impl Solver {
    /// The value of a position with fewer animals.
    fn value(&self, men: impl Iterator<Item = (Seat, Animal, Square)>, to_move: Seat) -> u8 {
        let mut men: Vec<_> = men.collect();
        men.sort_unstable_by_key(|(seat, animal, _)| (*seat, *animal));
        let of = |side: Seat| men.iter().filter(|m| m.0 == side).map(|m| m.1).collect::<Vec<_>>();
        let material = SIDES.map(of);
        if material[to_move.index()].is_empty() {
            return LOSS;
        }
        let squares: Vec<Square> = men.iter().map(|m| m.2).collect();
        self.tables[&material].values[index(&squares, to_move)]
    }

    fn solve(&self, material: &Material) -> Table {
        let side = |seat: Seat| material[seat.index()].iter().map(move |animal| (seat, *animal));
        let men: Vec<_> = SIDES.into_iter().flat_map(side).collect();
        let size = 2 * 63usize.pow(men.len() as u32);
        let (values, left, decided) = (vec![0; size], vec![0; size], Vec::new());
        let mut work = Work { solver: self, men, values, left, decided };
        work.begin(&mut Vec::new());
        work.propagate();
        Table { men: work.men, values: work.values }
    }
}

/// Every set of so many animals.
fn sets(size: usize) -> Vec<Vec<Animal>> {
    let of = |set: u32| Animal::ALL.into_iter().filter(|a| set >> a.index() & 1 == 1).collect();
    (0u32..256).filter(|set| set.count_ones() as usize == size).map(of).collect()
}

fn main() {
    let mut args = std::env::args().skip(1);
    let most: usize =
        args.next().and_then(|n| n.parse().ok()).filter(|n| (2..=3).contains(n)).unwrap_or_else(
            || {
                eprintln!("usage: endings 2|3 [VARIANT]");
                std::process::exit(2);
            },
        );
    let variant = GAME.variant(&args.next().unwrap_or("classic".into())).expect("a variant");
    if Jungle::of_variant(&variant).options.equal == Equal::BothVanish {
        eprintln!("Captures after which both leave are not solved; choose another variant.");
        std::process::exit(2);
    }
    let mut solver =
        Solver { options: Jungle::of_variant(&variant).options, tables: HashMap::new() };
    for animals in 2..=most {
        let begun = Instant::now();
        let mut counts = [0u64; 4];
        for red in 1..animals {
            for (ours, theirs) in sets(red)
                .iter()
                .flat_map(|a| sets(animals - red).into_iter().map(move |b| (a.clone(), b)))
            {
                let table = solver.solve(&[ours.clone(), theirs.clone()]);
                debug_assert_eq!(table.men.len(), animals);
                // A material with the sides exchanged is another of the list: the mover is Red.
                let red_moves = table.values.len() / 2;
                table.values[..red_moves].iter().for_each(|v| counts[usize::from(*v)] += 1);
                if animals < most {
                    solver.tables.insert([ours, theirs], table);
                }
            }
        }
        let [_, draws, wins, losses] = counts;
        let all = draws + wins + losses;
        println!(
            "{animals} animals: {all} positions, {wins} wins, {losses} losses, {draws} draws, {:?}",
            begun.elapsed()
        );
    }
}
