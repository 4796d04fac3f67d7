//! A move's text: `d6`, `d6-d5`, `d6xb4`, `d6-d5xb4xf2`, `pass`.

use crate::{Morris, Move, Point};
use kiban_core::ReadError;

pub(crate) const PASS: &str = "pass";

impl Morris {
    /// This move, taking these men: at most two, and not one twice. They are put into the order
    /// of their points' names.
    pub(crate) fn taking(self, m: Move, takes: &[Point]) -> Option<Move> {
        let place = |point: Point| self.grid().places[usize::from(point)];
        match *takes {
            [] => Some(m),
            [a] => Some(Move { takes: [Some(a), None], ..m }),
            [a, b] if a != b => {
                let (a, b) = if place(a) < place(b) { (a, b) } else { (b, a) };
                Some(Move { takes: [Some(a), Some(b)], ..m })
            }
            _ => None,
        }
    }

    /// A move's text.
    pub fn move_text(self, m: Move) -> String {
        let Some(to) = m.to else { return PASS.to_string() };
        let name = |point| self.grid().name(point);
        let from = m.from.map_or_else(String::new, |from| name(from) + "-");
        let takes: String = m.taken().map(|point| format!("x{}", name(point))).collect();
        from + &name(to) + &takes
    }

    /// Reads a move's text, in either case.
    ///
    /// # Errors
    /// Says which point is wrong.
    pub fn move_of(self, text: &str) -> Result<Move, ReadError> {
        let text = text.trim();
        if text.eq_ignore_ascii_case(PASS) {
            return Ok(Move::PASS);
        }
        let clipped: String = text.chars().take(20).collect();
        let bad = |column: usize, expected: &str| {
            let message =
                format!("\"{clipped}\" is not a move; write d6, d6-d5, d6xb4 or d6-d5xb4.");
            ReadError::new("bad-move", message).column(column).found(clipped.clone(), expected)
        };
        if !text.is_ascii() {
            return Err(bad(1, "a point such as d6"));
        }
        let mut column = 1;
        let mut take = |rest: &mut &str| {
            let name = rest.get(..2);
            let point = name.and_then(|name| self.grid().find(name));
            let point = point.ok_or_else(|| bad(column, "a point of this board such as d6"))?;
            *rest = &rest[2..];
            column += 3;
            Ok(point)
        };
        let mut rest = text;
        let first = take(&mut rest)?;
        let m = match rest.strip_prefix('-') {
            None => Move::quiet(None, first),
            Some(behind) => {
                rest = behind;
                Move::quiet(Some(first), take(&mut rest)?)
            }
        };
        let mut takes = Vec::new();
        while let Some(behind) = rest.strip_prefix(['x', 'X']) {
            rest = behind;
            takes.push(take(&mut rest)?);
        }
        if !rest.is_empty() {
            return Err(bad(column - 1, "x and a point, or the end"));
        }
        self.taking(m, &takes).ok_or_else(|| bad(column - 3, "two different men taken at most"))
    }
}

/// A move's text as protocols write it that make each removal a token of its own:
/// `d6-d5xb4` is `d6-d5` and `xb4`.
pub fn tokens(text: &str) -> Vec<String> {
    let mut parts = text.split('x');
    let step = parts.next().map(str::to_string);
    step.into_iter().chain(parts.map(|taken| format!("x{taken}"))).collect()
}

/// Puts removals that are tokens of their own behind the moves they belong to; the other way
/// round than [`tokens`], for a whole game. A removal without a move stays as it is.
pub fn joined<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for token in tokens {
        match moves.last_mut() {
            Some(last) if token.starts_with(['x', 'X']) => last.push_str(token),
            _ => moves.push(token.to_string()),
        }
    }
    moves
}
