//! The transposition table, shared by threads without locks.

use kiban_core::{Bound, Workspace};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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

/// Entries that share a cache line.
const WAYS: usize = 4;
/// Searches told apart by age.
const AGES: u8 = 64;
/// Plies of depth an entry loses in worth with each search since.
const AGE_WEIGHT: i32 = 4;

/// Two words: what is remembered, and the key combined with it by exclusive or. Words of two
/// writers that met in one slot do not fit together, and are taken for no entry (Hyatt and Mann,
/// "A lock-less transposition table implementation for parallel search", 2002).
#[derive(Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

fn pack(hit: Hit, judged: i16, age: u8) -> u64 {
    // 0 is an empty slot.
    let bound = match hit.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(hit.best)
        | u64::from(hit.score as u16) << 16
        | u64::from(judged as u16) << 32
        | u64::from(hit.depth) << 48
        | bound << 56
        | u64::from(age) << 58
}

fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

fn unpack(data: u64) -> Option<Hit> {
    let bound = match data >> 56 & 3 {
        0 => return None,
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    let score = (data >> 16) as u16 as i16;
    Some(Hit { best: data as u16, score, depth: depth_of(data), bound })
}

/// A table of fixed size, kept by a worker between the searches of a game.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of two to the `bits` slots (4 at least), 16 bytes each; a smaller one where there is
    /// no memory for that many.
    pub fn new(bits: u32) -> TranspositionTable {
        let mut wanted = (1usize << bits).div_ceil(WAYS);
        let mut buckets: Vec<Bucket> = Vec::new();
        while wanted > 1 && buckets.try_reserve_exact(wanted).is_err() {
            wanted /= 2;
        }
        buckets.resize_with(wanted, Bucket::default);
        TranspositionTable { buckets: buckets.into(), age: AtomicU8::new(0) }
    }

    /// A worker's table of two to the `bits` slots, as if it were new: an answer must not hang on what
    /// was asked before.
    pub fn of_worker(memory: &mut Workspace, bits: u32) -> &mut TranspositionTable {
        struct Kept {
            bits: u32,
            table: TranspositionTable,
        }
        let made = || Kept { bits, table: TranspositionTable::new(bits) };
        let kept = memory.get_or(made);
        if kept.bits == bits {
            kept.table.clear();
        } else {
            *kept = made();
        }
        &mut kept.table
    }

    /// The bits of the largest table that fits into so many MiB, 1 at least.
    pub fn bits_of_mib(mib: u32) -> u32 {
        (u64::from(mib.max(1)) << 20 >> 4).ilog2()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.buckets.len() * WAYS
    }

    /// Lets entries of searches before be replaced first.
    pub fn next_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.age = AtomicU8::new(0);
    }

    fn bucket(&self, key: u64) -> &[Slot; WAYS] {
        &self.buckets[key as usize & (self.buckets.len() - 1)].0
    }

    fn find(&self, key: u64) -> Option<u64> {
        let data = self.bucket(key).iter().map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (data, slot.mixed.load(Ordering::Relaxed) ^ data)
        });
        data.into_iter().find(|(data, found)| *found == key && *data != 0).map(|(data, _)| data)
    }

    /// What is known of the position of this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Hit> {
        self.find(key).and_then(unpack)
    }

    /// The same with the judgement stored beside it.
    #[inline]
    pub fn probe_judged(&self, key: u64) -> Option<(Hit, i16)> {
        let data = self.find(key)?;
        Some((unpack(data)?, (data >> 32) as u16 as i16))
    }

    /// Remembers; a deeper entry of the same search stays.
    #[inline]
    pub fn store(&self, key: u64, hit: Hit) {
        self.store_judged(key, hit, 0);
    }

    /// The same with the position's static judgement.
    pub fn store_judged(&self, key: u64, hit: Hit, judged: i16) {
        let age = self.age.load(Ordering::Relaxed);
        let (mut place, mut least, mut hit) = (0, i32::MAX, hit);
        for (i, slot) in self.bucket(key).iter().enumerate() {
            let data = slot.data.load(Ordering::Relaxed);
            if data != 0 && slot.mixed.load(Ordering::Relaxed) ^ data == key {
                if hit.best == 0 {
                    hit.best = data as u16;
                }
                // A much deeper bound of this search is worth more than a fresh shallow one.
                let keeps = age_of(data) == age && depth_of(data) > hit.depth.saturating_add(3);
                if keeps && hit.bound != Bound::Exact {
                    return;
                }
                place = i;
                break;
            }
            let since = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = if data == 0 { -1000 } else { i32::from(depth_of(data)) };
            if worth - since * AGE_WEIGHT < least {
                (place, least) = (i, worth - since * AGE_WEIGHT);
            }
        }
        let data = pack(hit, judged, age);
        let slot = &self.bucket(key)[place];
        slot.data.store(data, Ordering::Relaxed);
        slot.mixed.store(key ^ data, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.map(|slot| slot.data.load(Ordering::Relaxed));
        let used = used.filter(|data| *data != 0 && age_of(*data) == age).count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(score: i16, depth: u8) -> Hit {
        Hit { best: 3, score, depth, bound: Bound::Exact }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(4);
        assert_eq!(table.probe(0), None);
        for (score, depth, bound) in [
            (-30_000, 0, Bound::Upper),
            (i16::MAX, u8::MAX, Bound::Lower),
            (i16::MIN, 17, Bound::Exact),
        ] {
            let hit = Hit { best: u16::MAX, score, depth, bound };
            table.store_judged(9, hit, score / 2);
            assert_eq!(table.probe_judged(9), Some((hit, score / 2)));
            assert_eq!(table.probe(9 + 16), None);
        }
    }

    #[test]
    fn shallow_entries_go_first_and_old_ones_before() {
        let table = TranspositionTable::new(2);
        for key in 1..=4 {
            table.store(key, hit(10, 10 + key as u8));
        }
        table.store(5, hit(20, 2));
        assert_eq!(table.probe(1), None);
        assert_eq!(table.probe(5), Some(hit(20, 2)));
        for _ in 0..4 {
            table.next_search();
        }
        table.store(5, hit(20, 2));
        table.store(6, hit(20, 2));
        assert_eq!(table.probe(2), None, "the shallowest of long ago");
        assert_eq!(table.probe(5), Some(hit(20, 2)));
    }

    #[test]
    fn a_best_move_is_not_lost_to_an_entry_without_one() {
        let mut table = TranspositionTable::new(4);
        table.store(5, hit(10, 2));
        table.store(5, Hit { best: 0, ..hit(12, 3) });
        assert_eq!(table.probe(5).map(|h| h.best), Some(3));
        table.clear();
        assert_eq!(table.probe(5), None);
    }

    #[test]
    fn a_workers_table_is_always_as_if_new() {
        let mut memory = Workspace::new();
        for bits in [4, 4, 6, 4] {
            let table = TranspositionTable::of_worker(&mut memory, bits);
            assert_eq!((table.slots(), table.probe(5)), (1 << bits, None));
            table.store(5, hit(10, 2));
        }
    }

    /// A key's entry can be told from the key, so that a torn one would show.
    #[test]
    fn threads_never_see_a_torn_entry() {
        let table = TranspositionTable::new(4);
        let of = |key: u64| Hit {
            best: (key * 7 % 9999) as u16 + 1,
            score: (key * 31 % 20_000) as i16,
            depth: (key % 60) as u8,
            bound: Bound::Lower,
        };
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..50_000u64 {
                        let key = (i * 2_654_435_761 + thread * 97) % 4096 + 1;
                        match table.probe(key) {
                            Some(found) => assert_eq!(found, of(key)),
                            None => table.store(key, of(key)),
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn mebibytes_become_slots() {
        assert_eq!(TranspositionTable::bits_of_mib(16), 20);
        assert_eq!(TranspositionTable::bits_of_mib(0), 16);
        assert_eq!(TranspositionTable::new(16).slots(), 1 << 16);
    }
}
