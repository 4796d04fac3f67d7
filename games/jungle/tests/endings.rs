//! Two-piece endings solved by retrograde propagation and counted: the numbers of the rules page.

use kiban_core::Seat;
use kiban_jungle::{Animal, GAME, Jungle, Options, Position, Square};
use std::collections::BTreeMap;

fn options(text: &str) -> Options {
    Jungle::of_variant(&GAME.variant(text).expect("a variant")).options
}

/// Wins, losses and draws for the side to move.
type Count = (usize, usize, usize);

/// Every ending of one animal a side, the mover seen as Red; by the mover's animal, the other's,
/// and their squares.
struct Endings {
    options: Options,
    /// 0 is no position.
    values: Vec<i8>,
}

const DRAW: i8 = 1;
const WIN: i8 = 2;
const LOSS: i8 = 3;

fn index(own: Animal, other: Animal, at: Square, there: Square) -> usize {
    ((own.index() * 8 + other.index()) * 63 + at.index()) * 63 + there.index()
}

fn mirrored(square: Square) -> Square {
    Square::new(square.file(), 8 - square.rank()).expect("a square")
}

fn stands(animal: Animal, at: Square) -> bool {
    at.den_of().is_none() && (animal == Animal::Rat || !at.is_water())
}

impl Endings {
    fn solve(options: Options) -> Endings {
        let mut endings = Endings { options, values: vec![0; 64 * 63 * 63] };
        let mut nodes: Vec<(usize, Vec<usize>, bool)> = Vec::new();
        for own in Animal::ALL {
            for other in Animal::ALL {
                for at in Square::all().filter(|at| stands(own, *at)) {
                    for there in Square::all().filter(|there| stands(other, *there) && *there != at)
                    {
                        let node = endings.node((own, at), (other, there));
                        endings.values[index(own, other, at, there)] = DRAW;
                        nodes.push(node);
                    }
                }
            }
        }
        endings.propagate(&nodes);
        endings
    }

    /// A position's index, where its moves lead, and whether one of them wins at once.
    fn node(
        &self,
        (own, at): (Animal, Square),
        (other, there): (Animal, Square),
    ) -> (usize, Vec<usize>, bool) {
        let animals = [(Seat::FIRST, own, at), (Seat::SECOND, other, there)];
        let p = Position::of(&animals, Seat::FIRST);
        let (mut next, mut wins) = (Vec::new(), false);
        for m in p.moves(self.options) {
            if m.to == there || m.to.den_of() == Some(Seat::SECOND) {
                wins = true;
            } else {
                next.push(index(other, own, mirrored(there), mirrored(m.to)));
            }
        }
        (index(own, other, at, there), next, wins)
    }

    /// From what is decided back to what it decides, until nothing changes.
    fn propagate(&mut self, nodes: &[(usize, Vec<usize>, bool)]) {
        let mut parents: Vec<Vec<u32>> = vec![Vec::new(); self.values.len()];
        let mut left: Vec<usize> = vec![0; self.values.len()];
        let mut decided = Vec::new();
        for (at, next, wins) in nodes {
            next.iter().for_each(|child| parents[*child].push(*at as u32));
            left[*at] = next.len();
            if *wins || next.is_empty() {
                self.values[*at] = if *wins { WIN } else { LOSS };
                decided.push(*at);
            }
        }
        while let Some(at) = decided.pop() {
            for parent in &parents[at] {
                let parent = *parent as usize;
                left[parent] -= 1;
                let value = match self.values[at] {
                    LOSS => WIN,
                    _ if left[parent] == 0 => LOSS,
                    _ => continue,
                };
                if self.values[parent] == DRAW {
                    self.values[parent] = value;
                    decided.push(parent);
                }
            }
        }
    }

    fn count(&self, own: Animal, other: Animal) -> Count {
        let from = (own.index() * 8 + other.index()) * 63 * 63;
        let values = &self.values[from..from + 63 * 63];
        let of = |value| values.iter().filter(|v| **v == value).count();
        (of(WIN), of(LOSS), of(DRAW))
    }
}

fn sum(counts: impl Iterator<Item = Count>) -> Count {
    counts.fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2))
}

fn pairs() -> impl Iterator<Item = (Animal, Animal)> {
    Animal::ALL.into_iter().flat_map(|own| Animal::ALL.map(|other| (own, other)))
}

/// What matters of a pair: how each moves, and who takes whom.
fn class(options: Options, own: Animal, other: Animal) -> (u8, u8, bool, bool) {
    let kind = |a: Animal| if a == Animal::Rat { 0 } else { 1 + u8::from(a.jumps()) };
    let takes = |a: Animal, b: Animal| {
        let (here, there) = (Square::new(0, 0), Square::new(0, 1));
        let (here, there) = (here.expect("a1"), there.expect("a2"));
        let animals = [(Seat::FIRST, a, here), (Seat::SECOND, b, there)];
        let moves = Position::of(&animals, Seat::FIRST).moves(options);
        moves.iter().any(|m| m.to == there)
    };
    (kind(own), kind(other), takes(own, other), takes(other, own))
}

fn by_class(text: &str) -> (usize, Count) {
    let options = options(text);
    let endings = Endings::solve(options);
    let mut classes = BTreeMap::new();
    for (own, other) in pairs() {
        let count = endings.count(own, other);
        let known = *classes.entry(class(options, own, other)).or_insert(count);
        // Where elephants and rats meet in traps a class is one by the page's definition only.
        if !(own == Animal::Elephant && other == Animal::Rat
            || own == Animal::Rat && other == Animal::Elephant)
        {
            assert_eq!(known, count, "{own:?} against {other:?} in {text}");
        }
    }
    (classes.len(), sum(classes.into_values()))
}

#[test]
fn classes_of_two_piece_endings() {
    for (text, expected) in [
        ("classic", (22_928, 17_382, 4_510)),
        ("classic,elephant-takes-rat=always", (22_720, 17_023, 5_077)),
        ("classic,leave-water=any", (22_972, 17_424, 4_424)),
        ("classic,enter-water=yes", (22_997, 17_438, 4_385)),
        (
            "classic,elephant-takes-rat=always,leave-water=any,enter-water=yes",
            (23_063, 17_422, 4_335),
        ),
        ("classic,leave-water=rat,enter-water=yes", (23_271, 17_781, 3_768)),
    ] {
        let (_, count) = by_class(text);
        assert_eq!(count, expected, "{text}");
    }
    let (classes, count) = by_class("classic");
    assert_eq!(classes, 17);
    assert_eq!(count.0 + count.1 + count.2, 44_820);
}

#[test]
fn all_two_piece_endings() {
    let endings = Endings::solve(options("classic"));
    let count = sum(pairs().map(|(own, other)| endings.count(own, other)));
    assert_eq!(count, (82_717, 64_461, 12_890));
    assert_eq!(count.0 + count.1 + count.2, 160_068);
}
