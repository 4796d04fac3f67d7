//! Random choices that a seed repeats.

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0, "there is no number below 0");
        (self.bits() % n as u64) as usize
    }

    /// One of these, or `None` of an empty list.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { Some(&from[self.below(from.len())]) }
    }

    /// Up to `n` of these, in a random order.
    pub fn some<T>(&mut self, mut from: Vec<T>, n: usize) -> Vec<T> {
        self.shuffle(&mut from);
        from.truncate(n);
        from
    }

    /// Brings them in a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }

    /// A text that is nearly this one: a character left out, doubled, replaced, moved or added.
    pub fn mutate(&mut self, text: &str) -> String {
        const ODD: [char; 16] =
            ['0', '9', 'a', 'z', 'K', '+', '-', '*', '/', ' ', '=', ',', '\n', '\u{0}', '歩', '😀'];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(3) {
            let odd = ODD[self.below(ODD.len())];
            if chars.is_empty() {
                chars.push(odd);
                continue;
            }
            let (at, other) = (self.below(chars.len()), self.below(chars.len()));
            match self.below(6) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, chars[at]),
                2 => chars[at] = odd,
                3 => chars.swap(at, other),
                4 => chars.insert(at, odd),
                _ => chars.truncate(at),
            }
        }
        chars.into_iter().collect()
    }

    /// A short text of anything.
    pub fn text(&mut self) -> String {
        let length = self.below(12);
        let any = |r: &mut Random| match r.below(4) {
            0 => char::from_u32(r.bits() as u32 % 0x11_0000).unwrap_or('\u{fffd}'),
            _ => char::from(32 + r.below(95) as u8),
        };
        (0..length).map(|_| any(self)).collect()
    }
}
