//! All positions that can be reached, and the ways between them.

use super::packed::{Packed, bound, in_all};
use super::{Unsolved, Within};
use crate::Shogi3;
use crate::position::Position;

/// The clock and the stop switch are looked at once in so many positions.
const LOOK_EVERY: usize = 4096;
/// No position.
const NONE: u32 = u32::MAX;

/// Positions by number, in the order in which they were found; 0 is the first.
pub(super) struct Graph {
    in_all: [u8; 7],
    packed: Vec<u64>,
    /// Open addressing: numbers of positions by the hash of what is packed.
    index: Vec<u32>,
    /// The positions after each: from `first[i]` to `first[i + 1]` in `next`.
    first: Vec<u32>,
    next: Vec<u32>,
    bytes_to_settle: u64,
}

fn hash(packed: u64) -> usize {
    // Fibonacci hashing; the upper bits are the mixed ones.
    (packed ^ packed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(24) as usize
}

impl Graph {
    pub(super) fn explore(
        rules: Shogi3,
        start: &Position,
        within: &Within,
    ) -> Result<Graph, Unsolved> {
        let mut graph = Graph {
            in_all: in_all(start),
            packed: Vec::new(),
            index: vec![NONE; 1 << 12],
            first: vec![0],
            next: Vec::new(),
            bytes_to_settle: 0,
        };
        graph.number_of(Packed::of(start));
        let mut done = 0;
        while done < graph.packed.len() {
            if done.is_multiple_of(LOOK_EVERY) && within.is_over() {
                return Err(Unsolved::Stopped);
            }
            let p = Packed(graph.packed[done]).position(&graph.in_all);
            p.each_legal(rules.uchifuzume, &mut |m| {
                let mut after = p;
                after.play(m);
                let number = graph.number_of(Packed::of(&after));
                graph.next.push(number);
                true
            });
            graph.first.push(graph.next.len() as u32);
            done += 1;
            if graph.packed.len() as u64 > within.most {
                // Of what the pieces allow, far less can be reached; the mirror halves it again.
                return Err(Unsolved::TooMany(bound(start) / 2));
            }
        }
        Ok(graph)
    }

    pub(super) fn len(&self) -> usize {
        self.packed.len()
    }

    /// The memory taken at the fullest, with what settling took.
    pub(super) fn peak_bytes(&self) -> u64 {
        let kept = 8 * self.packed.capacity() + 4 * (self.index.len() + self.first.capacity());
        (kept + 4 * self.next.capacity()) as u64 + self.bytes_to_settle
    }

    /// The number of a position.
    pub(super) fn find(&self, packed: Packed) -> Option<u32> {
        let number = self.index[self.slot(packed)];
        (number != NONE).then_some(number)
    }

    /// The position of a number, sente to move.
    pub(super) fn position(&self, number: usize) -> Position {
        Packed(self.packed[number]).position(&self.in_all)
    }

    /// The positions after one.
    pub(super) fn after(&self, number: usize) -> &[u32] {
        &self.next[self.first[number] as usize..self.first[number + 1] as usize]
    }

    /// Where a position is in the index, or would be.
    fn slot(&self, packed: Packed) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash(packed.0) & mask;
        while self.index[slot] != NONE && self.packed[self.index[slot] as usize] != packed.0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of a position, a new one if it was not there.
    fn number_of(&mut self, packed: Packed) -> u32 {
        let slot = self.slot(packed);
        if self.index[slot] != NONE {
            return self.index[slot];
        }
        let number = self.packed.len() as u32;
        self.packed.push(packed.0);
        self.index[slot] = number;
        if self.packed.len() * 2 > self.index.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.index = vec![NONE; self.index.len() * 2];
        for number in 0..self.packed.len() {
            let slot = self.slot(Packed(self.packed[number]));
            self.index[slot] = number as u32;
        }
    }

    /// For each position where those before it begin in a list, and the list.
    pub(super) fn backwards(&self) -> (Vec<u32>, Vec<u32>) {
        let n = self.len();
        let mut first = vec![0_u32; n + 1];
        for after in &self.next {
            first[*after as usize + 1] += 1;
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut fill = first.clone();
        let mut before = vec![0_u32; self.next.len()];
        for number in 0..n {
            for after in self.after(number) {
                let place = &mut fill[*after as usize];
                before[*place as usize] = number as u32;
                *place += 1;
            }
        }
        (first, before)
    }

    /// The end of every position: 0 for a draw, else plies plus one. Wins and losses are found in
    /// the order of their length, so the first way found is the quickest win and the last one that
    /// closes a loss the slowest.
    pub(super) fn settle(&mut self, rules: Shogi3) -> Vec<u16> {
        let n = self.len();
        let (first, before) = self.backwards();
        self.bytes_to_settle = 4 * (2 * first.len() + before.len()) as u64 + 11 * n as u64;
        let mut ends = vec![0_u16; n];
        let mut open: Vec<u8> = (0..n).map(|i| self.after(i).len() as u8).collect();
        let stuck = |i: &usize| open[*i] == 0 && self.is_lost(rules, *i);
        let mut now: Vec<u32> = (0..n).filter(stuck).map(|i| i as u32).collect();
        now.iter().for_each(|lost| ends[*lost as usize] = 1);
        let mut end = 1;
        while !now.is_empty() {
            end += 1;
            let mut later = Vec::new();
            for settled in &now {
                let range = first[*settled as usize]..first[*settled as usize + 1];
                for i in range {
                    let earlier = before[i as usize] as usize;
                    if ends[earlier] != 0 {
                        continue;
                    }
                    open[earlier] -= 1;
                    // After a loss of the other side it is won; after all their wins, lost.
                    if end % 2 == 0 || open[earlier] == 0 {
                        ends[earlier] = end;
                        later.push(earlier as u32);
                    }
                }
            }
            now = later;
        }
        ends
    }

    /// Whether a position without a move is lost.
    fn is_lost(&self, rules: Shogi3, number: usize) -> bool {
        !rules.stalemate_draws || self.position(number).in_check()
    }
}
