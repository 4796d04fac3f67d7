//! Board diagrams as in books, with hands above and below.

use super::japanese;
use super::names;
use super::text::{Cursor, digit, is_blank, kanji_digit, kanji_number, wrong};
use crate::moves::{Color, Piece, PieceKind, Square};
use crate::sfen::Setup;
use kiban_core::ReadError;
use std::fmt::Write as _;

/// A diagram while its lines come.
#[derive(Default)]
pub(super) struct Diagram {
    board: Vec<[Option<Piece>; 9]>,
    hands: [Option<[u8; 7]>; 2],
    /// Where the last rank stands.
    place: (usize, usize),
}

impl Diagram {
    /// Whether there is a rank.
    pub(super) fn is_begun(&self) -> bool {
        !self.board.is_empty()
    }

    /// Whether pieces in hand were named.
    pub(super) fn has_hands(&self) -> bool {
        self.hands.iter().flatten().any(|hand| *hand != [0; 7])
    }

    /// Reads a rank: `|v香 ・ 歩 ...|一`.
    ///
    /// # Errors
    /// If a square holds no piece, or the ranks or squares are too many or too few.
    pub(super) fn rank(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let mut cursor = Cursor::new(number, line);
        cursor.skip_blanks();
        self.place = cursor.place();
        if self.board.len() == 9 {
            return Err(cursor.expected("no tenth rank"));
        }
        cursor.eat("|");
        let mut rank = [None; 9];
        for square in &mut rank {
            let color = match cursor.eat_any(" 　^vVｖ") {
                Some('v' | 'V' | 'ｖ') => Color::Gote,
                _ => Color::Sente,
            };
            if cursor.eat_any("・･.*").is_none() {
                let expected = "a square of the diagram: ・, a piece, or v and a piece";
                let kind = japanese::piece(&mut cursor).ok_or_else(|| cursor.expected(expected))?;
                *square = Some(Piece::new(color, kind));
            }
        }
        if !cursor.eat("|") {
            return Err(cursor.expected("the | behind nine squares"));
        }
        self.board.push(rank);
        Ok(())
    }

    /// Reads a hand: `飛　金二　歩十八`, `なし`.
    ///
    /// # Errors
    /// If there is something else in it.
    pub(super) fn hand(&mut self, side: Color, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        let mut hand = [0_u8; 7];
        loop {
            cursor.skip_blanks();
            if cursor.rest.is_empty() {
                break;
            }
            if cursor.eat("なし") || cursor.eat("無し") {
                continue;
            }
            let begin = cursor;
            let kind = japanese::piece(&mut cursor).filter(|kind| kind.index() < hand.len());
            let kind = kind.ok_or_else(|| begin.expected("a hand piece such as 金二, or なし"))?;
            let count = count(&mut cursor).ok_or_else(|| begin.expected("a number below 100"))?;
            let held = &mut hand[kind.index()];
            *held = held.saturating_add(count);
            if *held > 99 {
                return Err(begin.expected("fewer than 100 pieces of a kind"));
            }
        }
        self.hands[side.index()] = Some(hand);
        Ok(())
    }

    /// The position of the diagram.
    ///
    /// # Errors
    /// If ranks are missing.
    pub(super) fn setup(&self) -> Result<Setup, ReadError> {
        if self.board.len() < 9 {
            let found = format!("a diagram of {} ranks", self.board.len());
            return Err(wrong(self.place, &found, "nine ranks"));
        }
        let mut setup = Setup::empty();
        for (square, piece) in Square::all().map(|s| (s, self.at(s))) {
            setup.board[square.index()] = piece;
        }
        setup.hands = self.hands.map(Option::unwrap_or_default);
        Ok(setup)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.board[usize::from(square.rank()) - 1][9 - usize::from(square.file())]
    }
}

/// Takes a number of pieces in kanji or digits; none means one.
fn count(cursor: &mut Cursor<'_>) -> Option<u8> {
    let in_digits = cursor.peek().is_some_and(|c| digit(c).is_some());
    if in_digits {
        return cursor.number().and_then(|n| u8::try_from(n).ok()).filter(|n| *n < 100);
    }
    let ones = |cursor: &mut Cursor<'_>| {
        let n = cursor.peek().and_then(kanji_digit)?;
        cursor.next();
        Some(n)
    };
    let before = ones(cursor);
    if !cursor.eat("十") {
        return Some(before.unwrap_or(1));
    }
    Some(before.unwrap_or(1) * 10 + ones(cursor).unwrap_or(0))
}

/// Whether a line numbers the files: `９ ８ ７ ...`.
pub(super) fn is_file_line(line: &str) -> bool {
    let mut expected = (1..=9).rev();
    let digits = line.chars().filter(|c| !is_blank(*c));
    digits.map(digit).eq(expected.by_ref().map(Some))
}

/// Writes a diagram with both hands and the side to move.
pub(super) fn write(out: &mut String, setup: &Setup) {
    hand(out, "後手の持駒", &setup.hands[1]);
    out.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 1..=9 {
        out.push('|');
        for file in (1..=9).rev() {
            let square = Square::new(file, rank).expect("on the board");
            match setup.board[square.index()] {
                None => out.push_str(" ・"),
                Some(piece) => {
                    out.push(if piece.color() == Color::Gote { 'v' } else { ' ' });
                    out.push_str(japanese::letter(piece.kind()));
                }
            }
        }
        let square = names::square(Square::new(1, rank).expect("on the board"));
        writeln!(out, "|{}", square.trim_start_matches('１')).expect("a string takes everything");
    }
    out.push_str("+---------------------------+\n");
    hand(out, "先手の持駒", &setup.hands[0]);
    out.push_str(if setup.turn == Color::Sente { "先手番\n" } else { "後手番\n" });
}

fn hand(out: &mut String, name: &str, counts: &[u8; 7]) {
    out.push_str(name);
    out.push('：');
    let mut held = PieceKind::HAND.into_iter().rev().filter(|k| counts[k.index()] > 0).peekable();
    if held.peek().is_none() {
        out.push_str("なし");
    }
    for kind in held {
        out.push_str(names::piece(kind));
        if counts[kind.index()] > 1 {
            out.push_str(&kanji_number(counts[kind.index()]));
        }
        out.push('　');
    }
    out.push('\n');
}
