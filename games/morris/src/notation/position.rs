//! A position's text: `********/********/******** w p 0 9 0 9 0 1`. Sanmill's strings are read
//! too; they name an action after the phase and more numbers.

use crate::{Morris, Position};
use kiban_core::{ReadError, Seat};

/// An arrangement as a text describes it, admitted or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The position.
    pub position: Position,
    /// Whether the text says that men are placed.
    placing: bool,
    /// Men on the board as the text counts them.
    counted: [u8; 2],
    /// Whether the text says that a man is still to be taken.
    removal_due: bool,
}

impl From<Position> for Setup {
    fn from(position: Position) -> Setup {
        Setup {
            position,
            placing: position.placing(),
            counted: position.men.map(|men| men.count_ones() as u8),
            removal_due: false,
        }
    }
}

/// A word of a text with its column, from 1.
type Word<'a> = (usize, &'a str);

/// The words of a text, and the column after its end.
fn words(text: &str) -> (Vec<Word<'_>>, usize) {
    let mut words = Vec::new();
    let mut column = 1;
    for part in text.split(|c: char| c.is_whitespace()) {
        if !part.is_empty() {
            words.push((column, part));
        }
        column += part.chars().count() + 1;
    }
    (words, column.saturating_sub(1).max(1))
}

fn bad(field: &str, column: usize, message: impl Into<String>) -> ReadError {
    ReadError::new("bad-position", message).field(field).column(column)
}

/// The words that are still to be read.
struct Words<'a> {
    left: std::vec::IntoIter<Word<'a>>,
    end: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self, field: &str, what: &str) -> Result<Word<'a>, ReadError> {
        self.left.next().ok_or_else(|| {
            bad(field, self.end, format!("The {field} is missing; write {what}.")).found("", what)
        })
    }

    /// A word that is one of these letters: its index.
    fn letter(&mut self, field: &str, letters: &[&str], what: &str) -> Result<usize, ReadError> {
        let (column, word) = self.next(field, what)?;
        letters.iter().position(|letter| *letter == word).ok_or_else(|| {
            let word: String = word.chars().take(20).collect();
            let message = format!("\"{word}\" is no {field}; write {what}.");
            bad(field, column, message).found(word, what)
        })
    }

    fn number<T: std::str::FromStr>(&mut self, field: &str) -> Result<T, ReadError> {
        let (column, word) = self.next(field, "a whole number")?;
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        word.parse().ok().filter(|_| digits).ok_or_else(|| {
            let word: String = word.chars().take(20).collect();
            let message = format!("\"{word}\" cannot be the {field}; write a whole number.");
            bad(field, column, message).found(word, "a whole number")
        })
    }

    /// The numbers that are left, at most so many; other words from there on are an error.
    fn rest(&mut self) -> Result<Vec<i64>, ReadError> {
        let mut numbers = Vec::new();
        for (column, word) in self.left.by_ref() {
            if word.starts_with("ids:") {
                continue;
            }
            let number = word.parse().ok().filter(|_| numbers.len() < SANMILL_NUMBERS);
            numbers.push(number.ok_or_else(|| unexpected(column, word))?);
        }
        Ok(numbers)
    }
}

fn unexpected(column: usize, word: &str) -> ReadError {
    let word: String = word.chars().take(20).collect();
    let message = format!("\"{word}\" does not belong here; leave it out.");
    bad("end", column, message).found(word, "the end")
}

/// The numbers of Sanmill's newer strings behind the hands: men to take of both sides, the points
/// of both sides' last mills, marks of mills, slides, the move.
const SANMILL_NUMBERS: usize = 9;

impl Morris {
    /// Reads a position's text.
    ///
    /// # Errors
    /// Says which field and column is wrong.
    pub fn read(self, text: &str) -> Result<Setup, ReadError> {
        let (list, end) = words(text);
        let mut words = Words { left: list.into_iter(), end };
        let men = self.read_board(words.next("board", "the rings of the board")?)?;
        let side = words.letter("side", &["w", "b"], "w for white or b for black")?;
        let phase =
            words.letter("phase", &["p", "m", "r", "o", "n"], "p while men are placed, else m")?;
        let foreign = words
            .left
            .as_slice()
            .first()
            .is_some_and(|(_, word)| ["p", "s", "r", "?"].contains(word));
        if !foreign && phase > 1 {
            let message = "The phase is written p while men are placed, else m.";
            return Err(bad("phase", end, message));
        }
        let removes = foreign && words.letter("action", &["p", "s", "r", "?"], "p, s or r")? == 2;
        let mut count = |field| words.number::<u8>(field);
        let counted_white = count("white men on the board")?;
        let white = count("white men in hand")?;
        let counted_black = count("black men on the board")?;
        let black = count("black men in hand")?;
        let mut setup = Setup {
            position: Position {
                men,
                hand: [white.min(15), black.min(15)],
                to_move: if side == 0 { Seat::FIRST } else { Seat::SECOND },
                slides: 0,
                number: 1,
            },
            placing: phase == 0,
            counted: [counted_white, counted_black],
            removal_due: removes,
        };
        if foreign {
            if phase > 1 {
                setup.placing = setup.position.placing();
            }
            let numbers = words.rest()?;
            setup.read_sanmill_end(&numbers, end)?;
            return Ok(setup);
        }
        setup.position.slides = words.number("slides")?;
        setup.position.number = words.number("move number")?;
        match words.left.next() {
            Some((column, word)) => Err(unexpected(column, word)),
            None => Ok(setup),
        }
    }

    fn read_board(self, (column, text): Word<'_>) -> Result<[u32; 2], ReadError> {
        let mut men = [0, 0];
        let (rings, mut ring) = (usize::from(self.grid().points / 8), 0);
        let mut k = 0;
        for (i, c) in text.chars().enumerate() {
            let at = column + i;
            if c == '/' && k == 8 && ring + 1 < rings {
                (ring, k) = (ring + 1, 0);
                continue;
            }
            if k == 8 {
                let message = format!(
                    "The board is longer than {rings} rings of eight points, separated by /."
                );
                return Err(bad("board", at, message));
            }
            let bit = 1u32 << (8 * ring + k);
            match c {
                'O' => men[0] |= bit,
                '@' => men[1] |= bit,
                '*' => {}
                _ => {
                    let message = format!(
                        "\"{c}\" is no point; write O for white, @ for black, * for empty."
                    );
                    return Err(bad("board", at, message).found(c, "O, @ or *"));
                }
            }
            k += 1;
        }
        if k < 8 || ring + 1 < rings {
            let found = 8 * ring + k;
            let message = format!(
                "The board has {found} points instead of {}; write rings of eight, separated by /.",
                self.grid().points
            );
            return Err(bad("board", column + text.chars().count(), message));
        }
        Ok(men)
    }

    /// A position's text.
    pub fn write(self, p: &Position) -> String {
        let mut text = String::with_capacity(48);
        for point in 0..self.grid().points {
            if point > 0 && point % 8 == 0 {
                text.push('/');
            }
            text.push(match p.at(point) {
                Some(Seat::FIRST) => 'O',
                Some(_) => '@',
                None => '*',
            });
        }
        let side = if p.to_move == Seat::FIRST { 'w' } else { 'b' };
        let phase = if p.placing() { 'p' } else { 'm' };
        let [white, black] = p.men.map(u32::count_ones);
        let [in_white, in_black] = p.hand;
        let Position { slides, number, .. } = p;
        format!("{text} {side} {phase} {white} {in_white} {black} {in_black} {slides} {number}")
    }

    /// The rules an arrangement breaks, a sentence each.
    pub(crate) fn faults_of(self, setup: &Setup) -> Vec<String> {
        let p = &setup.position;
        let mut faults = Vec::new();
        if setup.removal_due {
            faults.push("A man is still to be taken; write the position after that.".to_string());
        }
        for (seat, side) in [(Seat::FIRST, "white"), (Seat::SECOND, "black")] {
            let (here, said) = (p.men[seat.index()].count_ones(), setup.counted[seat.index()]);
            if here != u32::from(said) {
                faults.push(format!(
                    "There are {here} {side} men on the board, and the text says {said}."
                ));
            }
            let (all, most) = (p.count(seat), self.men);
            if all > u32::from(most) {
                faults.push(format!(
                    "There are {all} {side} men with those in hand; a side has {most} at most."
                ));
            }
        }
        if setup.placing != p.placing() {
            faults.push(if p.placing() {
                "Men are in hand, so the phase is p.".to_string()
            } else {
                "No man is in hand, so the phase is m.".to_string()
            });
        }
        if self.places(p, p.to_move.other()) && p.slides > 0 && !self.early_slides {
            faults.push("The last ply placed a man, so there are 0 slides since.".to_string());
        }
        if p.count(Seat::FIRST) < 3 && p.count(Seat::SECOND) < 3 {
            faults.push("Both sides have fewer than three men; one of them had lost.".to_string());
        }
        faults
    }
}

impl Setup {
    /// What stands behind the hands in Sanmill's strings. Older ones have fewer numbers there.
    fn read_sanmill_end(&mut self, numbers: &[i64], end: usize) -> Result<(), ReadError> {
        let (due, tail) = match numbers {
            [] => (&numbers[..0], None),
            [one] => (std::slice::from_ref(one), None),
            [due @ .., slides, number] if numbers.len() <= 3 => (due, Some((*slides, *number))),
            [due @ .., slides, number] => (&due[..2], Some((*slides, *number))),
        };
        self.removal_due |= due.iter().any(|men| *men != 0);
        let Some((slides, number)) = tail else { return Ok(()) };
        let wrong = || bad("slides", end, "Slides and move number are whole numbers.");
        self.position.slides = u16::try_from(slides).map_err(|_| wrong())?;
        self.position.number = u32::try_from(number).map_err(|_| wrong())?.max(1);
        Ok(())
    }
}
