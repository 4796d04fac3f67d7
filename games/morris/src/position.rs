//! A position, and what a move does to it.

use crate::{Move, Point};
use kiban_core::Seat;

/// The men on the board and in hand, and the side to move. Two positions are equal when these
/// are: the counters are left out.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Points with men of either seat.
    pub men: [u32; 2],
    /// Men in hand of either seat.
    pub hand: [u8; 2],
    /// Whose turn it is.
    pub to_move: Seat,
    /// Slides since the last removal or placing, of both seats together.
    pub slides: u16,
    /// The number of the move, one more after each ply of the second seat.
    pub number: u32,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Position {}

impl Position {
    /// The empty board, all men in hand.
    pub fn start(men: u8) -> Position {
        Position { men: [0, 0], hand: [men, men], to_move: Seat::FIRST, slides: 0, number: 1 }
    }

    /// All that makes positions equal, in one number: 24 bits of men and 4 of hand a seat, and the
    /// side to move.
    pub fn key(&self) -> u64 {
        let side = |i: usize| u64::from(self.men[i]) | u64::from(self.hand[i]) << 24;
        side(0) | side(1) << 28 | (self.to_move.index() as u64) << 56
    }

    /// The men of the side to move and of the other.
    #[inline]
    pub fn sides(&self) -> (u32, u32) {
        let own = self.to_move.index();
        (self.men[own], self.men[1 - own])
    }

    /// Points without a man, of these points.
    #[inline]
    pub fn empties(&self, all: u32) -> u32 {
        all & !(self.men[0] | self.men[1])
    }

    /// Men on the board and in hand.
    #[inline]
    pub fn count(&self, seat: Seat) -> u32 {
        self.men[seat.index()].count_ones() + u32::from(self.hand[seat.index()])
    }

    /// Whether a man is still in somebody's hand.
    pub fn placing(&self) -> bool {
        self.hand != [0, 0]
    }

    /// Whose man stands on a point.
    pub fn at(&self, point: Point) -> Option<Seat> {
        [Seat::FIRST, Seat::SECOND].into_iter().find(|s| self.men[s.index()] >> point & 1 == 1)
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        let (own, enemy) = (self.to_move.index(), self.to_move.other().index());
        match (m.from, m.to) {
            (Some(from), Some(to)) => {
                self.men[own] ^= 1 << from | 1 << to;
                self.slides = self.slides.saturating_add(1);
            }
            (None, Some(to)) => {
                self.men[own] |= 1 << to;
                self.hand[own] -= 1;
                self.slides = 0;
            }
            (_, None) => {}
        }
        for point in m.taken() {
            self.men[enemy] &= !(1 << point);
            self.slides = 0;
        }
        self.to_move = self.to_move.other();
        self.number = self.number.saturating_add(own as u32);
    }
}
