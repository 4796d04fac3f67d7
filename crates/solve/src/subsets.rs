//! Dense numbers for sets of squares: the sets of `k` elements in the order of their bits
//! (the combinatorial number system), on the whole board or on what another set leaves free.

/// Elements at most.
pub const MOST: usize = 32;
/// Chosen at most.
const CHOSEN: usize = 16;

const fn binomials() -> [[u32; CHOSEN + 1]; MOST + 1] {
    let mut table = [[0; CHOSEN + 1]; MOST + 1];
    let mut n = 0;
    while n <= MOST {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= CHOSEN {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

static BINOMIALS: [[u32; CHOSEN + 1]; MOST + 1] = binomials();

/// Ways to choose `k` (16 at most) of `n` (32 at most).
pub fn choose(n: u32, k: u32) -> u32 {
    BINOMIALS[n as usize][k as usize]
}

/// The number of a set among those with as many elements.
#[inline]
pub fn rank(set: u32) -> u32 {
    rank_beside(set, 0)
}

/// The number of a set among those of as many elements that avoid `taken`.
#[inline]
pub fn rank_beside(mut set: u32, taken: u32) -> u32 {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        let bit = set & set.wrapping_neg();
        let place = bit.trailing_zeros() - (taken & (bit - 1)).count_ones();
        sum += BINOMIALS[place as usize][k];
        set ^= bit;
        k += 1;
    }
    sum
}

/// The set of `k` elements with this number.
pub fn set_of(mut rank: u32, k: u32) -> u32 {
    let mut set = 0;
    let mut place = MOST;
    for k in (1..=k as usize).rev() {
        place -= 1;
        while BINOMIALS[place][k] > rank {
            place -= 1;
        }
        rank -= BINOMIALS[place][k];
        set |= 1 << place;
    }
    set
}

/// The set of `k` elements with this number among those that avoid `taken`.
pub fn set_beside(rank: u32, k: u32, taken: u32) -> u32 {
    let (mut packed, mut set, mut free) = (set_of(rank, k), 0, !taken);
    while packed != 0 {
        let bit = free & free.wrapping_neg();
        if packed & 1 == 1 {
            set |= bit;
        }
        free ^= bit;
        packed >>= 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_lead_back() {
        assert_eq!([choose(24, 3), choose(24, 9), choose(21, 4)], [2024, 1_307_504, 5985]);
        for k in 0..=5 {
            let sets: Vec<u32> = (0..choose(12, k)).map(|rank| set_of(rank, k)).collect();
            assert!(sets.is_sorted() && sets.iter().all(|set| set.count_ones() == k));
            assert!((0..).zip(&sets).all(|(i, set)| rank(*set) == i));
            assert!(sets.iter().all(|set| *set < 1 << 12));
        }
    }

    #[test]
    fn what_is_taken_is_passed_over() {
        let taken = 0b1010_0110;
        let sets: Vec<u32> = (0..choose(8, 3)).map(|rank| set_beside(rank, 3, taken)).collect();
        assert!(sets.iter().all(|set| set & taken == 0 && set.count_ones() == 3));
        assert!((0..).zip(&sets).all(|(i, set)| rank_beside(*set, taken) == i));
        assert!(sets.iter().all(|set| *set < 1 << 12), "twelve places are enough");
    }
}
