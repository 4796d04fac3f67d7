//! Classes of material: which animals either side has, as far as it matters. How an animal moves
//! and whom of the other side it takes decides everything; so a wolf and a dog against a lion are
//! as good as two cats against an elephant would be.

use crate::board::{LAKES, den, traps};
use crate::{Animal, Equal, Move, Options, Position, Square};
use kiban_core::Seat;
use std::collections::HashMap;
use std::fmt;

/// The animals of two sides, as bits by index; either may be to move. Of all material of its class
/// the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Class(pub(super) [u8; 2]);

/// The animals of a side.
pub(super) fn animals(side: u8) -> impl Iterator<Item = Animal> {
    Animal::ALL.into_iter().filter(move |animal| side >> animal.index() & 1 == 1)
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |side: u8| animals(side).map(Animal::letter).collect::<String>();
        write!(f, "{}-{}", letters(self.0[0]), letters(self.0[1]))
    }
}

/// The most animals of an ending.
pub(super) const MOST: usize = 5;

/// Where material has its place: its class, and in the order of the class's animals, those of its
/// first side before those of its second, the animals that stand for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) class: Class,
    /// Whether the side to move is the class's second.
    pub(super) second: bool,
    /// Whose animal it is, 0 for the side to move, and which.
    pub(super) order: [(u8, Animal); MOST],
    pub(super) count: usize,
}

impl Place {
    /// The animals in their order: whose, and which.
    #[inline]
    pub(super) fn animals(
        &self,
    ) -> impl DoubleEndedIterator<Item = (u8, Animal)> + ExactSizeIterator {
        self.order[..self.count].iter().copied()
    }
}

/// The classes of up to so many animals.
pub(crate) struct Classes {
    /// By the animals of the side to move and the other's.
    places: HashMap<[u8; 2], Place>,
    /// Whether two animals can leave the board at once.
    vanish: bool,
}

/// What matters of material in one order of its animals.
type Form = Vec<u8>;

/// An order of material: the form it gives, whose animals stand in it, and whether the first of them
/// are the other side's.
type Ordered = (Form, Vec<(u8, Animal)>, bool);

impl Classes {
    pub(super) fn new(options: Options, most: u32) -> Classes {
        let relations = Relations::of(options);
        let mut first: HashMap<Form, Place> = HashMap::new();
        let mut places = HashMap::new();
        for sides in material(most) {
            let (form, order, second) = relations.form(sides);
            let count = order.len();
            let mut all = [(0, Animal::Rat); MOST];
            all[..count].copy_from_slice(&order);
            let class = Class(if second { [sides[1], sides[0]] } else { sides });
            let place = Place { class, second, order: all, count };
            // The first material of a form is its class; the order of its animals is this one.
            let class = first.entry(form).or_insert(place).class;
            places.insert(sides, Place { class, ..place });
        }
        Classes { places, vanish: options.equal == Equal::BothVanish }
    }

    /// All classes, those of fewer animals first.
    pub(super) fn all(&self) -> Vec<Class> {
        let mut all: Vec<Class> = self.places.values().map(|place| place.class).collect();
        all.sort_unstable_by_key(|class| (class.0.map(u8::count_ones).iter().sum::<u32>(), *class));
        all.dedup();
        all
    }

    /// How many animals each material has, and its place.
    #[cfg(test)]
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, &Place)> {
        let count = |sides: &[u8; 2]| sides.map(u8::count_ones).iter().sum();
        self.places.iter().map(move |(sides, place)| (count(sides), place))
    }

    /// The places of a class's own animals, with its first side to move and with its second.
    pub(super) fn of(&self, class: Class) -> [Place; 2] {
        let [a, b] = class.0;
        [self.places[&[a, b]], self.places[&[b, a]]]
    }

    /// 2, or 1 where the sides of a class are alike, so that it does not matter which is to move.
    pub(super) fn parts(&self, class: Class) -> u32 {
        1 + u32::from(self.of(class)[1].second)
    }

    /// The classes after a capture.
    pub(super) fn below(&self, class: Class) -> Vec<Class> {
        let [a, b] = class.0;
        let mut below = Vec::new();
        let mut add = |sides: [u8; 2]| below.extend(self.places.get(&sides).map(|p| p.class));
        for lost in animals(b) {
            let left = b & !(1 << lost.index());
            add([a, left]);
            if self.vanish && a >> lost.index() & 1 == 1 {
                add([a & !(1 << lost.index()), left]);
            }
        }
        animals(a).for_each(|lost| add([a & !(1 << lost.index()), b]));
        below.sort_unstable();
        below.dedup();
        below
    }

    /// The place of a position's material; `None` if it has too many animals.
    #[inline]
    pub(super) fn place(&self, p: &Position) -> Option<&Place> {
        let mover = p.to_move();
        let side = |seat: Seat| {
            let here = |a: &Animal| p.kind(*a) & p.side(seat) != 0;
            Animal::ALL.iter().filter(|a| here(a)).fold(0, |set, a| set | 1 << a.index())
        };
        self.places.get(&[side(mover), side(mover.other())])
    }
}

/// Material of up to so many animals, neither side without any; fewer first.
fn material(most: u32) -> Vec<[u8; 2]> {
    let sides = || 1..=u8::MAX;
    let pairs = sides().flat_map(|a| sides().map(move |b| [a, b]));
    let count = |sides: &[u8; 2]| sides.map(u8::count_ones).iter().sum::<u32>();
    let mut all: Vec<[u8; 2]> = pairs.filter(|sides| count(sides) <= most).collect();
    all.sort_by_key(count);
    all
}

/// Who takes whom.
struct Relations {
    /// By taker and taken: on open land, in the taker's trap, and whether they are equal where that
    /// matters.
    takes: [[u8; 8]; 8],
}

impl Relations {
    fn of(options: Options) -> Relations {
        // Two squares side by side on open land, and one beside a trap of the first seat.
        let open = open_land();
        let trap = board_trap();
        let mut takes = [[0; 8]; 8];
        for taker in Animal::ALL {
            for taken in Animal::ALL {
                let can = |(from, to): (Square, Square)| {
                    let both = [(Seat::FIRST, taker, from), (Seat::SECOND, taken, to)];
                    let p = Position::of(&both, Seat::FIRST);
                    p.moves(options).contains(&Move { from, to })
                };
                let equal = options.equal == Equal::BothVanish && taker == taken;
                takes[taker.index()][taken.index()] =
                    u8::from(can(open)) | u8::from(can(trap)) << 1 | u8::from(equal) << 2;
            }
        }
        Relations { takes }
    }

    /// The smallest form of material over all orders of its animals, with that order, and whether
    /// its first side is the other's.
    fn form(&self, sides: [u8; 2]) -> Ordered {
        let mut best: Option<Ordered> = None;
        for second in [false, true] {
            let (first, other) = if second { (1, 0) } else { (0, 1) };
            for a in orders(sides[first]) {
                for b in orders(sides[other]) {
                    let form = self.form_of(&a, &b);
                    if best.as_ref().is_none_or(|(least, ..)| form < *least) {
                        let own = a.iter().map(|animal| (first as u8, *animal));
                        let theirs = b.iter().map(|animal| (other as u8, *animal));
                        best = Some((form, own.chain(theirs).collect(), second));
                    }
                }
            }
        }
        best.expect("both sides have animals")
    }

    fn form_of(&self, a: &[Animal], b: &[Animal]) -> Form {
        let gait = |animal: &Animal| match animal {
            Animal::Rat => 0,
            animal => 1 + u8::from(animal.jumps()),
        };
        let mut form = vec![a.len() as u8, b.len() as u8];
        form.extend(a.iter().chain(b).map(gait));
        for own in a {
            for other in b {
                let (own, other) = (own.index(), other.index());
                form.push(self.takes[own][other] << 3 | self.takes[other][own]);
            }
        }
        form
    }
}

/// Neighbours on land, far from water, traps and dens.
fn open_land() -> (Square, Square) {
    let square = |file, rank| Square::new(file, rank).expect("on the board");
    (square(0, 1), square(0, 2))
}

/// A neighbour of a trap of the first seat, and the trap.
fn board_trap() -> (Square, Square) {
    let square = |file, rank| Square::new(file, rank).expect("on the board");
    let (beside, trap) = (square(2, 1), square(3, 1));
    debug_assert!(
        traps(Seat::FIRST) & trap.bit() != 0 && (LAKES | den(Seat::FIRST)) & beside.bit() == 0
    );
    (beside, trap)
}

/// All orders of a side's animals.
fn orders(side: u8) -> Vec<Vec<Animal>> {
    let mut orders = vec![Vec::new()];
    for animal in animals(side) {
        let insert = |order: &Vec<Animal>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, animal);
                longer
            })
        };
        orders = orders.iter().flat_map(insert).collect();
    }
    orders
}
