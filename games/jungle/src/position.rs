//! The board, the moves it allows and what they do.

use crate::board::{self, LAKES, SQUARES, beside_of, den, jumps_from, squares, traps};
use crate::zobrist;
use crate::{Animal, Elephant, Equal, Landing, Move, Moves, Options, Square};
use kiban_core::Seat;

/// Animals, the side to move and the counters. The counters are no part of equality.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// By animal, both sides.
    kinds: [u64; 8],
    /// By seat.
    sides: [u64; 2],
    to_move: Seat,
    key: u64,
    quiet: u32,
    number: u32,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.kinds == other.kinds && self.sides == other.sides && self.to_move == other.to_move
    }
}

impl Eq for Position {}

impl Position {
    /// An empty board with these counters.
    pub(crate) fn empty(to_move: Seat, quiet: u32, number: u32) -> Position {
        let key = if to_move == Seat::FIRST { 0 } else { zobrist::BLACK_TO_MOVE };
        Position { kinds: [0; 8], sides: [0; 2], to_move, key, quiet, number }
    }

    /// A position of these animals, each on a square of its own.
    pub fn of(animals: &[(Seat, Animal, Square)], to_move: Seat) -> Position {
        let mut p = Position::empty(to_move, 0, 1);
        for (seat, animal, at) in animals {
            p.flip(*seat, *animal, *at);
        }
        p
    }

    /// Puts an animal onto an empty square, or takes it from there.
    pub(crate) fn flip(&mut self, seat: Seat, animal: Animal, at: Square) {
        self.kinds[animal.index()] ^= at.bit();
        self.sides[seat.index()] ^= at.bit();
        self.key ^= zobrist::ANIMALS[seat.index()][animal.index()][at.index()];
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Plies since the last capture.
    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    /// The number of the full move, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The key of board and side to move.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// What stands on a square.
    pub fn at(&self, square: Square) -> Option<(Seat, Animal)> {
        let bit = square.bit();
        let seat = [Seat::FIRST, Seat::SECOND].into_iter().find(|s| self.side(*s) & bit != 0)?;
        let kind = Animal::ALL.into_iter().find(|a| self.kind(*a) & bit != 0);
        Some((seat, kind.expect("a square that is occupied holds an animal")))
    }

    /// Where a side's animals stand.
    pub(crate) fn side(&self, seat: Seat) -> u64 {
        self.sides[seat.index()]
    }

    /// Where both animals of a kind stand.
    pub(crate) fn kind(&self, animal: Animal) -> u64 {
        self.kinds[animal.index()]
    }

    /// All animals, by square.
    pub fn animals(&self) -> impl Iterator<Item = (Seat, Animal, Square)> {
        squares(self.sides[0] | self.sides[1]).map(|square| {
            let (seat, animal) = self.at(square).expect("the square is occupied");
            (seat, animal, square)
        })
    }

    /// The side whose animal stands in the other's den; of two, the one that moved last.
    pub fn in_den(&self) -> Option<Seat> {
        let enters = |seat: &Seat| self.side(*seat) & den(seat.other()) != 0;
        [self.to_move.other(), self.to_move].into_iter().find(enters)
    }

    /// For each animal of a side what it may take by power alone, traps of its own included.
    fn prey(&self, options: Options, seat: Seat) -> [u64; 8] {
        let enemy = self.side(seat.other());
        let trapped = enemy & traps(seat);
        let (mut prey, mut weaker) = ([0; 8], 0);
        for animal in options.order() {
            weaker |= self.kind(*animal) & enemy;
            prey[animal.index()] = weaker | trapped;
        }
        prey[Animal::Rat.index()] |= self.kind(Animal::Elephant) & enemy;
        let rats = self.kind(Animal::Rat);
        prey[Animal::Elephant.index()] &= match options.elephant {
            Elephant::Always => u64::MAX,
            Elephant::Trapped => !rats | trapped,
            Elephant::Never => !rats,
        };
        prey
    }

    /// Where an animal may go, of all the squares its legs reach.
    fn reach(&self, options: Options, mover: (Seat, Animal, Square), prey: u64) -> u64 {
        let (seat, animal, from) = mover;
        let enemy = self.side(seat.other());
        let mut prey = prey;
        let mut to = beside_of(from);
        if animal == Animal::Rat {
            prey &= match (from.is_water(), options.landing) {
                (true, Landing::Nothing) => LAKES,
                (true, Landing::Rat) => LAKES | self.kind(Animal::Rat),
                (true, Landing::Anything) => u64::MAX,
                (false, _) if options.into_water => u64::MAX,
                (false, _) => !LAKES,
            };
        } else {
            to &= !LAKES;
        }
        if animal.jumps() {
            let rats = self.kind(Animal::Rat);
            to = jumps_from(from)
                .filter(|jump| jump.over & rats == 0)
                .fold(to, |to, jump| to | jump.to.bit());
        }
        if !options.trapped_takes && traps(seat.other()) & from.bit() != 0 {
            prey = 0;
        }
        to & !self.side(seat) & !den(seat) & (!enemy | prey)
    }

    /// The moves a side would have, were it its turn, whether or not the game is over.
    #[inline]
    pub(crate) fn moves_of(&self, options: Options, seat: Seat) -> Moves {
        let mut moves = Moves::default();
        let prey = self.prey(options, seat);
        for animal in Animal::ALL {
            for from in squares(self.kind(animal) & self.side(seat)) {
                let to = self.reach(options, (seat, animal, from), prey[animal.index()]);
                squares(to).for_each(|to| moves.push(Move { from, to }));
            }
        }
        moves
    }

    /// The moves a side would have onto enemies, were it its turn.
    pub(crate) fn captures_of(&self, options: Options, seat: Seat) -> Moves {
        let mut moves = Moves::default();
        let (prey, enemy) = (self.prey(options, seat), self.side(seat.other()));
        for animal in Animal::ALL {
            for from in squares(self.kind(animal) & self.side(seat)) {
                let to = self.reach(options, (seat, animal, from), prey[animal.index()]) & enemy;
                squares(to).for_each(|to| moves.push(Move { from, to }));
            }
        }
        moves
    }

    /// Whether the game is over whatever the side to move could do: a den is entered or a side has
    /// no animal left.
    pub(crate) fn decided(&self) -> bool {
        self.in_den().is_some() || self.sides[0] == 0 || self.sides[1] == 0
    }

    /// The legal moves, history aside; none when the game is over.
    pub fn moves(&self, options: Options) -> Moves {
        if self.decided() { Moves::default() } else { self.moves_of(options, self.to_move) }
    }

    /// Whether the enemy, were it its turn, could take what stands on this square of a side.
    pub(crate) fn is_chased(&self, options: Options, seat: Seat, at: Square) -> bool {
        self.captures_of(options, seat.other()).iter().any(|m| m.to == at)
    }

    /// Plays a legal move.
    pub fn play(&mut self, options: Options, m: Move) {
        let (seat, animal) = self.at(m.from).expect("a legal move moves an animal");
        self.flip(seat, animal, m.from);
        self.quiet += 1;
        let mut survives = true;
        if let Some((enemy, taken)) = self.at(m.to) {
            self.flip(enemy, taken, m.to);
            self.quiet = 0;
            // A trapped animal has no power, so its taker is the stronger.
            let trapped = traps(seat) & m.to.bit() != 0;
            let equal = taken == animal && !trapped;
            survives = !(equal && options.equal == Equal::BothVanish);
        }
        if survives {
            self.flip(seat, animal, m.to);
        }
        self.pass();
        debug_assert_eq!(self.key, self.computed_key(), "the key is kept while playing");
    }

    /// Gives the turn to the other side.
    pub(crate) fn pass(&mut self) {
        self.number += u32::from(self.to_move == Seat::SECOND);
        self.to_move = self.to_move.other();
        self.key ^= zobrist::BLACK_TO_MOVE;
    }

    fn computed_key(&self) -> u64 {
        let side = Position::empty(self.to_move, 0, 1).key;
        self.animals().fold(side, |key, (seat, animal, at)| {
            key ^ zobrist::ANIMALS[seat.index()][animal.index()][at.index()]
        })
    }

    /// The rules this arrangement breaks, a sentence each.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for seat in [Seat::FIRST, Seat::SECOND] {
            let name = if seat == Seat::FIRST { "Red" } else { "Black" };
            for animal in Animal::ALL {
                let own = self.kind(animal) & self.side(seat);
                if own.count_ones() > 1 {
                    let count = own.count_ones();
                    let kind = animal.name();
                    faults.push(format!("{name} has {count} {kind}s; leave one at most."));
                }
                if animal == Animal::Rat {
                    continue;
                }
                for square in squares(own & LAKES) {
                    let kind = animal.name();
                    faults.push(format!("{name}'s {kind} on {square} stands in the water."));
                }
            }
            if let Some(square) = squares(self.side(seat) & den(seat)).next() {
                faults.push(format!("On {square} stands an animal in its own den."));
            }
        }
        faults
    }

    /// Move paths of this many plies; a finished game is one path.
    pub fn perft(&self, options: Options, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(options);
        if depth == 1 || moves.is_empty() {
            return moves.len().max(1) as u64;
        }
        let below = |m: &Move| {
            let mut next = *self;
            next.play(options, *m);
            next.perft(options, depth - 1)
        };
        moves.iter().map(below).sum()
    }
}

/// Every square's terrain is reached by the loop over 63 bits only.
const _: () = assert!(SQUARES == 63 && board::ALL_TRAPS & LAKES == 0);
