//! Moves and their text: `f5`, `pass`.

use kiban_core::ReadError;

/// A disc placed on a square, or a pass. Squares count from a1 along the ranks of a board of
/// [`Move::STRIDE`] files, so that a move's text needs no board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(u8);

impl Move {
    /// The pass, a ply of its own.
    pub const PASS: Move = Move(u8::MAX);
    /// Squares per rank in a move's number: the widest board has ten files.
    const STRIDE: u8 = 10;

    /// A disc on this file and rank, both from 0 (a1 is 0, 0) and below 10.
    pub fn place(file: u8, rank: u8) -> Move {
        debug_assert!(file < Move::STRIDE && rank < Move::STRIDE);
        Move(rank * Move::STRIDE + file)
    }

    /// File and rank from 0; none for a pass.
    pub fn square(self) -> Option<(u8, u8)> {
        (self != Move::PASS).then_some((self.0 % Move::STRIDE, self.0 / Move::STRIDE))
    }

    /// Reads `f5`, `F5`, `j10`, `pass`, `pa`, `ps`, `--`.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn read(text: &str) -> Result<Move, ReadError> {
        let bad = |column: usize, expected: &str| {
            let message =
                format!("\"{}\" is not a move; write a square like f5, or pass.", clip(text));
            ReadError::new("bad-move", message).column(column).found(clip(text), expected)
        };
        let text = text.trim();
        // Archives are made of these.
        if let [file, rank @ b'1'..=b'9'] = text.as_bytes()
            && let file @ b'a'..=b'j' = file.to_ascii_lowercase()
        {
            return Ok(Move::place(file - b'a', rank - b'1'));
        }
        let lower = text.to_ascii_lowercase();
        if matches!(lower.as_str(), "pass" | "pa" | "ps" | "--") {
            return Ok(Move::PASS);
        }
        let mut letters = lower.chars();
        let file = letters.next().filter(|c| ('a'..='j').contains(c));
        let file = file.ok_or_else(|| bad(1, "a file a-j"))? as u8 - b'a';
        let digits = letters.as_str();
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let rank: Option<u8> = if plain { digits.parse().ok() } else { None };
        let rank = rank.filter(|r| (1..=10).contains(r)).ok_or_else(|| bad(2, "a rank 1-10"))?;
        Ok(Move::place(file, rank - 1))
    }

    /// The text, as `Display` writes it.
    pub(crate) fn text(self) -> String {
        let Some((file, rank)) = self.square() else { return "pass".to_string() };
        let mut text = String::with_capacity(3);
        text.push(char::from(b'a' + file));
        if rank == 9 {
            text.push_str("10");
        } else {
            text.push(char::from(b'1' + rank));
        }
        text
    }
}

/// At most the first few characters of a text, for messages.
fn clip(text: &str) -> String {
    text.chars().take(20).collect()
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}
