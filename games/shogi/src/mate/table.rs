//! What the solver knows of positions.

use crate::moves::Hand;

/// Plies of a mate. Beyond every mate: none is known.
pub(super) const NEVER: i16 = i16::MAX;
/// A search of this many plies reached every end: there is no mate at all.
pub(super) const FOREVER: i16 = i16::MAX - 1;
/// Slots looked at for a position.
const WINDOW: usize = 12;

/// Proof numbers, and how far the truth is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// How hard a proof is.
    pub(super) pn: u32,
    /// How hard a disproof is.
    pub(super) dn: u32,
    /// There is a mate within so many plies.
    pub(super) mate_in: i16,
    /// There is none within so many; -1 if nothing is known.
    pub(super) none_in: i16,
}

#[derive(Clone, Copy)]
struct Slot {
    /// Board and turn.
    key: u64,
    /// The attacker's hand; it and the board leave the rest to the defender.
    hand: Hand,
    pn: u32,
    dn: u32,
    /// Nodes spent below: what cost little goes first. 0 is an empty slot.
    work: u32,
    mate_in: i16,
    none_in: i16,
}

const EMPTY: Slot =
    Slot { key: 0, hand: Hand::EMPTY, pn: 1, dn: 1, work: 0, mate_in: NEVER, none_in: -1 };

/// A table of fixed size.
pub(super) struct Table(Vec<Slot>);

impl Table {
    /// A table of about so many MiB.
    pub(super) fn new(mib: u32) -> Table {
        let mut wanted = (mib.max(1) as usize * (1 << 20) / size_of::<Slot>()).max(4 * WINDOW);
        let mut slots = Vec::new();
        // A smaller one where there is no memory for that many.
        while wanted > 4 * WINDOW && slots.try_reserve_exact(wanted).is_err() {
            wanted /= 2;
        }
        slots.resize(wanted, EMPTY);
        Table(slots)
    }

    fn window(&self, key: u64) -> usize {
        // The high bits of the product spread over the table without a remainder.
        ((u128::from(key) * (self.0.len() - WINDOW) as u128) >> 64) as usize
    }

    /// What is known of a position, also from the same board with other hands: a mate stays one
    /// with more in hand, and what does not suffice does not with less.
    pub(super) fn get(&self, key: u64, hand: Hand) -> Option<Known> {
        let start = self.window(key);
        let mut found: Option<Known> = None;
        let (mut mate_in, mut none_in) = (NEVER, -1);
        for slot in &self.0[start..start + WINDOW] {
            if slot.key != key || slot.work == 0 {
                continue;
            }
            if slot.hand == hand {
                let Slot { pn, dn, .. } = *slot;
                found = Some(Known { pn, dn, mate_in: NEVER, none_in: -1 });
            }
            if hand.holds(slot.hand) {
                mate_in = mate_in.min(slot.mate_in);
            }
            if slot.hand.holds(hand) {
                none_in = none_in.max(slot.none_in);
            }
        }
        if found.is_none() && mate_in == NEVER && none_in == -1 {
            return None;
        }
        let known = found.unwrap_or(Known { pn: 1, dn: 1, mate_in, none_in });
        Some(Known { mate_in, none_in, ..known })
    }

    /// Remembers numbers, and what is proved beside what was.
    pub(super) fn put(&mut self, key: u64, hand: Hand, known: Known, work: u32) {
        let start = self.window(key);
        let window = &mut self.0[start..start + WINDOW];
        let same = window.iter().position(|s| s.work > 0 && s.key == key && s.hand == hand);
        let place = same.unwrap_or_else(|| {
            let places = 0..WINDOW;
            places.min_by_key(|i| window[*i].work).expect("a window has slots")
        });
        let old = if same.is_some() { window[place] } else { EMPTY };
        window[place] = Slot {
            key,
            hand,
            pn: known.pn,
            dn: known.dn,
            work: old.work.saturating_add(work).max(1),
            mate_in: old.mate_in.min(known.mate_in),
            none_in: old.none_in.max(known.none_in),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::PieceKind::{Gold, Pawn};

    #[test]
    fn more_in_hand_mates_too_and_less_does_not_either() {
        let mut table = Table::new(1);
        let (gold, pawn) = (Hand::EMPTY.with(Gold), Hand::EMPTY.with(Pawn));
        let both = gold.with(Pawn);
        table.put(7, gold, Known { pn: 0, dn: 9, mate_in: 5, none_in: 3 }, 10);
        assert_eq!(table.get(7, both).map(|k| k.mate_in), Some(5));
        assert_eq!(table.get(7, pawn), None);
        assert_eq!(table.get(7, Hand::EMPTY).map(|k| (k.mate_in, k.none_in)), Some((NEVER, 3)));
        assert_eq!(table.get(8, both), None);
        table.put(7, gold, Known { pn: 0, dn: 9, mate_in: 7, none_in: 4 }, 10);
        assert_eq!(table.get(7, gold).map(|k| (k.mate_in, k.none_in)), Some((5, 4)));
    }

    #[test]
    fn little_work_goes_first() {
        let mut table = Table(vec![EMPTY; WINDOW + 1]);
        let known = Known { pn: 2, dn: 3, mate_in: NEVER, none_in: -1 };
        for key in 1..=WINDOW as u64 {
            table.put(key, Hand::EMPTY, known, 100 + key as u32);
        }
        table.put(99, Hand::EMPTY, known, 1);
        assert_eq!(table.get(1, Hand::EMPTY), None);
        assert_eq!(table.get(2, Hand::EMPTY), Some(known));
        assert_eq!(table.get(99, Hand::EMPTY), Some(known));
    }
}
