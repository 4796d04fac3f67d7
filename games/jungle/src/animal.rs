//! The animals.

/// An animal, by the strength it has in the usual order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Animal {
    /// 鼠
    Rat,
    /// 貓
    Cat,
    /// 狗
    Dog,
    /// 狼
    Wolf,
    /// 豹
    Leopard,
    /// 虎
    Tiger,
    /// 獅
    Lion,
    /// 象
    Elephant,
}

impl Animal {
    /// All of them, the weakest first.
    pub const ALL: [Animal; 8] = [
        Animal::Rat,
        Animal::Cat,
        Animal::Dog,
        Animal::Wolf,
        Animal::Leopard,
        Animal::Tiger,
        Animal::Lion,
        Animal::Elephant,
    ];
    const LETTERS: &'static [u8; 8] = b"RCDWPTLE";

    /// 0 for the rat to 7 for the elephant.
    pub fn index(self) -> usize {
        self as usize
    }

    /// `R` for the rat, `E` for the elephant; the leopard is `P`.
    pub fn letter(self) -> char {
        char::from(Animal::LETTERS[self.index()])
    }

    /// The animal of a letter, upper or lower case.
    pub fn from_letter(letter: char) -> Option<Animal> {
        let upper = letter.to_ascii_uppercase();
        Animal::ALL.into_iter().find(|animal| animal.letter() == upper)
    }

    /// Its English name in small letters.
    pub fn name(self) -> &'static str {
        ["rat", "cat", "dog", "wolf", "leopard", "tiger", "lion", "elephant"][self.index()]
    }

    /// Whether it jumps over water.
    pub fn jumps(self) -> bool {
        matches!(self, Animal::Lion | Animal::Tiger)
    }
}
