//! The transposition table.

use kiban_core::Bound;

/// What a search found before in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The best move, in the game's own bits; 0 is none.
    pub best: u16,
    /// The score.
    pub score: i16,
    /// To which depth it was searched.
    pub depth: u8,
    /// Which side of the truth the score is.
    pub bound: Bound,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    hit: Hit,
    age: u8,
}

const EMPTY: Slot =
    Slot { key: 0, hit: Hit { best: 0, score: 0, depth: 0, bound: Bound::Upper }, age: u8::MAX };

/// A table of fixed size, kept by a worker between searches.
pub struct TranspositionTable {
    slots: Vec<Slot>,
    age: u8,
}

impl TranspositionTable {
    /// A table of two to the `bits` slots, 24 bytes each.
    pub fn new(bits: u32) -> TranspositionTable {
        TranspositionTable { slots: vec![EMPTY; 1 << bits], age: 0 }
    }

    /// Lets entries of searches before be replaced first.
    pub fn next_search(&mut self) {
        self.age = (self.age + 1) % u8::MAX;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// What is known of the position of this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Hit> {
        let slot = &self.slots[self.index(key)];
        (slot.key == key && slot.age != u8::MAX).then_some(slot.hit)
    }

    /// Remembers; a deeper entry of the same search stays.
    #[inline]
    pub fn store(&mut self, key: u64, hit: Hit) {
        let (index, age) = (self.index(key), self.age);
        let slot = &mut self.slots[index];
        if slot.age != age || slot.key == key || slot.hit.depth <= hit.depth {
            let best = if hit.best == 0 && slot.key == key { slot.hit.best } else { hit.best };
            *slot = Slot { key, hit: Hit { best, ..hit }, age };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(score: i16, depth: u8) -> Hit {
        Hit { best: 3, score, depth, bound: Bound::Exact }
    }

    #[test]
    fn deeper_entries_stay_until_the_next_search() {
        let mut table = TranspositionTable::new(4);
        assert_eq!(table.probe(0), None);
        table.store(5, hit(10, 6));
        table.store(5 + 16, hit(20, 2));
        assert_eq!(table.probe(5), Some(hit(10, 6)));
        table.next_search();
        table.store(5 + 16, hit(20, 2));
        assert_eq!(table.probe(5), None);
        assert_eq!(table.probe(5 + 16), Some(hit(20, 2)));
    }

    #[test]
    fn a_best_move_is_not_lost_to_an_entry_without_one() {
        let mut table = TranspositionTable::new(4);
        table.store(5, hit(10, 2));
        table.store(5, Hit { best: 0, ..hit(12, 3) });
        assert_eq!(table.probe(5).map(|h| h.best), Some(3));
    }
}
