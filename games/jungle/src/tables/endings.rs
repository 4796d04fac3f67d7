//! A sector: all positions of a class of material, seen by the side to move, mirror images once.

use super::classes::{Class, Classes, MOST, Place};
use super::stands;
use crate::board::{SQUARES, den};
use crate::{Animal, Options, Position, Square};
use kiban_core::Seat;
use kiban_solve::{Sector, Start, Table, Worth};
use std::sync::{Arc, LazyLock};

/// The file that is its own mirror image.
const MIDDLE: u8 = 3;

/// The squares an animal can stand on, numbered: those on the left first, then those in the middle.
struct Ground {
    squares: Vec<Square>,
    numbers: [u8; SQUARES],
    /// How many are not on the right.
    folded: u32,
}

impl Ground {
    fn of(animal: Animal) -> Ground {
        let mut squares: Vec<Square> =
            Square::all().filter(|square| stands(animal, square.index())).collect();
        squares.sort_by_key(|square| match square.file() {
            file if file < MIDDLE => 0,
            MIDDLE => 1,
            _ => 2,
        });
        let mut numbers = [u8::MAX; SQUARES];
        for (number, square) in (0..).zip(&squares) {
            numbers[square.index()] = number;
        }
        let folded = squares.iter().filter(|square| square.file() <= MIDDLE).count() as u32;
        Ground { squares, numbers, folded }
    }
}

/// For animals that do not swim, and for rats.
static GROUNDS: LazyLock<[Ground; 2]> =
    LazyLock::new(|| [Animal::Cat, Animal::Rat].map(Ground::of));

fn ground(animal: Animal) -> &'static Ground {
    &GROUNDS[usize::from(animal == Animal::Rat)]
}

fn mirrored(square: Square) -> Square {
    Square::new(2 * MIDDLE - square.file(), square.rank()).expect("on the board")
}

/// A square as the second seat sees it.
fn seen(square: Square, by: Seat) -> Square {
    let rank = if by == Seat::FIRST { square.rank() } else { 8 - square.rank() };
    Square::new(square.file(), rank).expect("on the board")
}

/// Of mirror images the one whose first animal off the middle stands on the left.
fn folded(squares: &mut [Square]) {
    let off = squares.iter().find(|square| square.file() != MIDDLE);
    if off.is_some_and(|square| square.file() > MIDDLE) {
        squares.iter_mut().for_each(|square| *square = mirrored(*square));
    }
}

/// How a position ended that a move led to; `None` if the game goes on.
pub(super) fn over(p: &Position) -> Option<Worth> {
    let mover = p.to_move();
    let own = |seat: Seat| if seat == mover { Worth::win(0) } else { Worth::loss(0) };
    if let Some(winner) = p.in_den() {
        return Some(own(winner));
    }
    match (p.side(mover), p.side(mover.other())) {
        (0, 0) => Some(Worth::DRAW),
        (0, _) => Some(Worth::loss(0)),
        (_, 0) => Some(Worth::win(0)),
        _ => None,
    }
}

/// How many numbers the squares of an animal take, by its place in the order.
fn size(i: usize, animal: Animal) -> u32 {
    let ground = ground(animal);
    if i == 0 { ground.folded } else { ground.squares.len() as u32 }
}

/// How many numbers a class has with one side to move.
pub(super) fn part(place: &Place) -> u64 {
    let sizes = place.animals().enumerate().map(|(i, (_, animal))| u64::from(size(i, animal)));
    sizes.product()
}

/// The number of a position in its class: the place of each animal, mirror images folded.
#[inline]
pub(super) fn number(place: &Place, p: &Position) -> u32 {
    let mover = p.to_move();
    let mut squares = [Square::at(0); MOST];
    for (square, (side, animal)) in squares.iter_mut().zip(place.animals()) {
        let seat = if side == 0 { mover } else { mover.other() };
        let at = (p.side(seat) & p.kind(animal)).trailing_zeros() as usize;
        *square = seen(Square::at(at), mover);
    }
    let squares = &mut squares[..place.count];
    folded(squares);
    let (mut number, mut part) = (0, 1);
    for (i, (square, (_, animal))) in squares.iter().zip(place.animals()).enumerate() {
        let size = size(i, animal);
        number = number * size + u32::from(ground(animal).numbers[square.index()]);
        part *= size;
    }
    if place.second { number + part } else { number }
}

/// A sector.
pub(crate) struct Ending {
    options: Options,
    classes: Arc<Classes>,
    /// With the class's first side to move, and with its second.
    places: [Place; 2],
    part: u32,
    parts: u32,
    below: Vec<(Class, Arc<Table>)>,
}

impl Ending {
    pub(super) fn new(
        options: Options,
        classes: Arc<Classes>,
        class: Class,
        below: impl Iterator<Item = (Class, Arc<Table>)>,
    ) -> Ending {
        let places = classes.of(class);
        let (part, parts) = (part(&places[0]) as u32, classes.parts(class));
        Ending { options, classes, places, part, parts, below: below.collect() }
    }

    /// The squares of a number's position and the place of its material.
    fn squares(&self, number: u32) -> ([Square; MOST], &Place) {
        let place = &self.places[(number / self.part) as usize];
        let (mut squares, mut rest) = ([Square::at(0); MOST], number % self.part);
        for (i, (_, animal)) in place.animals().enumerate().rev() {
            let size = size(i, animal);
            squares[i] = ground(animal).squares[(rest % size) as usize];
            rest /= size;
        }
        (squares, place)
    }

    /// A number's position, Red to move; `None` if two animals stand on one square or the mirror
    /// image has the number.
    fn position(&self, number: u32) -> Option<Position> {
        let (squares, place) = self.squares(number);
        let squares = &squares[..place.count];
        let mut image = squares.to_vec();
        folded(&mut image);
        let mut taken = 0;
        squares.iter().for_each(|square| taken |= square.bit());
        if image != squares || taken.count_ones() as usize != place.count {
            return None;
        }
        let mut p = Position::empty(Seat::FIRST, 0, 1);
        for (square, (side, animal)) in squares.iter().zip(place.animals()) {
            p.flip(if side == 0 { Seat::FIRST } else { Seat::SECOND }, animal, *square);
        }
        Some(p)
    }

    /// The place of the material with the other side to move.
    fn turned(&self, number: u32) -> &Place {
        if self.parts == 1 {
            &self.places[0]
        } else {
            &self.places[1 - (number / self.part) as usize]
        }
    }

    /// What a position is worth that a capture led to.
    fn worth_below(&self, p: &Position) -> Worth {
        let place = self.classes.place(p).expect("a capture leaves fewer animals");
        let found = self.below.iter().find(|(class, _)| *class == place.class);
        found.expect("captures lead to the sectors below").1.worth(number(place, p))
    }
}

impl Sector for Ending {
    fn entries(&self) -> u32 {
        self.part * self.parts
    }

    fn second(&self) -> u32 {
        self.part
    }

    fn start(&self, number: u32) -> Option<Start> {
        let p = self.position(number)?;
        let moves = p.moves(self.options);
        if moves.is_empty() {
            return Some(Start::over(Worth::loss(0)));
        }
        let mut start = Start::default();
        for m in moves {
            if p.at(m.to).is_none() && m.to.bit() & den(Seat::SECOND) == 0 {
                start.stays();
                continue;
            }
            let mut next = p;
            next.play(self.options, m);
            start.leaves(over(&next).unwrap_or_else(|| self.worth_below(&next)));
        }
        Some(start)
    }

    fn after(&self, number: u32, into: &mut Vec<u32>) {
        let p = self.position(number).expect("the number has a position");
        let turned = self.turned(number);
        for m in p.moves(self.options) {
            if p.at(m.to).is_none() && m.to.bit() & den(Seat::SECOND) == 0 {
                let mut next = p;
                next.play(self.options, m);
                into.push(self::number(turned, &next));
            }
        }
    }

    fn before(&self, number: u32, into: &mut Vec<u32>) {
        let p = self.position(number).expect("the number has a position");
        let turned = self.turned(number);
        // A way without capture leads back as it leads there.
        for m in p.moves_of(self.options, Seat::SECOND) {
            if p.at(m.to).is_some() || m.to.bit() & den(Seat::FIRST) != 0 {
                continue;
            }
            let (seat, animal) = p.at(m.from).expect("a move moves an animal");
            let mut earlier = p;
            earlier.flip(seat, animal, m.from);
            earlier.flip(seat, animal, m.to);
            earlier.pass();
            into.push(self::number(turned, &earlier));
        }
    }

    fn images(&self, number: u32) -> u32 {
        let (squares, place) = self.squares(number);
        let middle = squares[..place.count].iter().all(|square| square.file() == MIDDLE);
        1 + u32::from(middle)
    }

    fn weight(&self, number: u32) -> u64 {
        2 / u64::from(self.images(number))
    }
}
