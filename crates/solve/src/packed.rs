//! Small numbers, as many bits each as the largest needs.

/// A list of numbers below `1 << bits`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Packed {
    bits: u32,
    length: u64,
    words: Vec<u64>,
}

impl Packed {
    /// Packs a list.
    pub(crate) fn of(list: &[u16]) -> Packed {
        let largest = list.iter().copied().max().unwrap_or(0);
        let bits = (16 - largest.leading_zeros()).max(1);
        let mut packed = Packed::empty(bits, list.len() as u64);
        for (i, number) in list.iter().enumerate() {
            let at = i * bits as usize;
            let (word, shift) = (at / 64, at % 64);
            packed.words[word] |= u64::from(*number) << shift;
            if shift + bits as usize > 64 {
                packed.words[word + 1] |= u64::from(*number) >> (64 - shift);
            }
        }
        packed
    }

    fn empty(bits: u32, length: u64) -> Packed {
        let words = words(bits, length);
        Packed { bits, length, words: vec![0; words] }
    }

    /// A list read from its words; `None` if they are not as many as it needs.
    pub(crate) fn of_words(bits: u32, length: u64, words: Vec<u64>) -> Option<Packed> {
        (self::words(bits, length) == words.len()).then_some(Packed { bits, length, words })
    }

    /// A number of the list.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> u16 {
        debug_assert!(u64::from(index) < self.length, "the list is not so long");
        let at = index as usize * self.bits as usize;
        let (word, shift) = (at / 64, at % 64);
        let mut number = self.words[word] >> shift;
        if shift + self.bits as usize > 64 {
            number |= self.words[word + 1] << (64 - shift);
        }
        (number & ((1 << self.bits) - 1)) as u16
    }

    /// Bits a number, 1 to 16.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// How many numbers it holds.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The words behind it.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

/// Words for so many numbers of so many bits.
pub(crate) fn words(bits: u32, length: u64) -> usize {
    (length * u64::from(bits)).div_ceil(64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_come_back() {
        for bits in 1..=16_u32 {
            let most = ((1_u32 << bits) - 1) as u16;
            let list: Vec<u16> = (0..1000_u32).map(|i| ((i * 40_503) >> 3) as u16 & most).collect();
            let list: Vec<u16> = list.into_iter().chain([most]).collect();
            let packed = Packed::of(&list);
            assert_eq!(packed.bits(), bits);
            assert!((0..).zip(&list).all(|(i, number)| packed.get(i) == *number), "{bits}");
            let words = packed.words().to_vec();
            assert_eq!(Packed::of_words(bits, 1001, words), Some(packed));
        }
        assert_eq!(Packed::of_words(3, 64, vec![0; 2]), None);
    }
}
