//! The moves of a position, with the men they take; and how many lines there are.

use crate::board::bits;
use crate::{Blocked, Morris, Move, Point, Position, Take};
use kiban_core::Seat;

impl Morris {
    /// The enemy men that may be taken. What protects them is looked at before any goes.
    pub fn removable(self, enemy: u32) -> u32 {
        if self.take == Take::Always {
            return enemy;
        }
        let free = enemy & !self.grid().in_mills(enemy);
        if free == 0 && self.take == Take::WhenAllInMills { enemy } else { free }
    }

    /// Whether this seat has to place a man, if it were its turn.
    #[inline]
    pub(crate) fn places(self, p: &Position, seat: Seat) -> bool {
        p.hand[seat.index()] > 0
    }

    /// Whether this seat may slide men, if it were its turn.
    #[inline]
    pub(crate) fn slides(self, p: &Position, seat: Seat) -> bool {
        !self.places(p, seat) || self.early_slides
    }

    /// Whether men of this seat may move to any empty point.
    #[inline]
    pub fn flies(self, p: &Position, seat: Seat) -> bool {
        !self.places(p, seat) && p.men[seat.index()].count_ones() <= self.flies_with()
    }

    /// Where a man of this seat on `from` may go.
    #[inline]
    pub(crate) fn reach(self, p: &Position, seat: Seat, from: Point) -> u32 {
        let grid = self.grid();
        let empties = p.empties(grid.all());
        if self.flies(p, seat) { empties } else { empties & grid.neighbours[usize::from(from)] }
    }

    /// Whether this seat could place or slide a man, if it were its turn.
    pub fn can_move(self, p: &Position, seat: Seat) -> bool {
        if self.places(p, seat) && p.empties(self.grid().all()) != 0 {
            return true;
        }
        self.slides(p, seat) && bits(p.men[seat.index()]).any(|from| self.reach(p, seat, from) != 0)
    }

    /// Whether the side to move has no move and passes.
    pub fn must_pass(self, p: &Position) -> bool {
        self.blocked == Blocked::Passes
            && !self.can_move(p, p.to_move)
            && self.can_move(p, p.to_move.other())
            && !self.decided(p)
    }

    /// Whether a side has too few men to go on.
    #[inline]
    pub(crate) fn decided(self, p: &Position) -> bool {
        p.count(Seat::FIRST) < 3 || p.count(Seat::SECOND) < 3
    }

    /// Calls `step` with every placing and slide of the side to move: where the man comes from,
    /// where it goes, and how many mills that closes.
    #[inline]
    pub(crate) fn each_step(self, p: &Position, mut step: impl FnMut(Option<Point>, Point, u32)) {
        let (grid, seat) = (self.grid(), p.to_move);
        let own = p.men[seat.index()];
        if self.places(p, seat) {
            for to in bits(p.empties(grid.all())) {
                step(None, to, grid.closed(own, to));
            }
        }
        if self.slides(p, seat) {
            for from in bits(own) {
                for to in bits(self.reach(p, seat, from)) {
                    step(Some(from), to, grid.closed(own & !(1 << from), to));
                }
            }
        }
    }

    /// How many men a move takes that closes so many mills, of so many that may go.
    pub(crate) fn due(self, closed: u32, removable: u32) -> u32 {
        let due = if self.take_two { closed.min(2) } else { closed.min(1) };
        due.min(removable)
    }

    /// The legal moves: none when the game is over, the pass alone where one must be made.
    pub fn moves(self, p: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(32);
        if self.decided(p) {
            return moves;
        }
        let grid = self.grid();
        let mut takes: Vec<Point> = bits(self.removable(p.sides().1)).collect();
        takes.sort_unstable_by_key(|point| grid.places[usize::from(*point)]);
        self.each_step(p, |from, to, closed| {
            let quiet = Move::quiet(from, to);
            match self.due(closed, takes.len() as u32) {
                0 => moves.push(quiet),
                1 => moves.extend(takes.iter().map(|a| Move { takes: [Some(*a), None], ..quiet })),
                _ => {
                    for (i, a) in takes.iter().enumerate() {
                        let pair = |b: &Point| Move { takes: [Some(*a), Some(*b)], ..quiet };
                        moves.extend(takes[i + 1..].iter().map(pair));
                    }
                }
            }
        });
        if moves.is_empty() && self.must_pass(p) {
            moves.push(Move::PASS);
        }
        moves
    }

    /// How many legal moves there are.
    fn count_moves(self, p: &Position) -> u64 {
        let removable = u64::from(self.removable(p.sides().1).count_ones());
        let mut count = 0;
        self.each_step(p, |_, _, closed| {
            count += match self.due(closed, removable as u32) {
                0 => 1,
                1 => removable,
                _ => removable * (removable - 1) / 2,
            };
        });
        if count == 0 { u64::from(self.must_pass(p)) } else { count }
    }

    /// Lines of `depth` plies from a position; a game that ends earlier is one line.
    pub fn perft(self, p: &Position, depth: u32) -> u64 {
        if depth == 0 || self.decided(p) {
            return 1;
        }
        if depth == 1 {
            return self.count_moves(p).max(1);
        }
        let after = |m: Move| {
            let mut next = *p;
            next.play(m);
            self.perft(&next, depth - 1)
        };
        let moves = self.moves(p);
        if moves.is_empty() { 1 } else { moves.into_iter().map(after).sum() }
    }
}
