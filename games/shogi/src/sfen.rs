//! Setups, arrangements of pieces of any kind, and their SFEN text.

use crate::moves::{Color, Piece, PieceKind, Square};
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

/// The start position of an even game.
pub const START_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Any arrangement of pieces, legal or not. [`Setup::faults`] says what keeps it from being a
/// [`Position`](crate::position::Position).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The pieces by [`Square::index`].
    pub board: [Option<Piece>; Square::COUNT],
    /// The hands by [`Color::index`] and kind in the order of [`PieceKind::HAND`].
    pub hands: [[u8; 7]; 2],
    /// The side to move.
    pub turn: Color,
    /// The number of the next move, from 1.
    pub number: u32,
}

/// A part of an SFEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SfenField {
    /// The nine ranks.
    Board,
    /// The side to move.
    Side,
    /// The pieces in hand.
    Hands,
    /// The move number.
    Number,
}

impl fmt::Display for SfenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Side => "side to move",
            Self::Hands => "hands",
            Self::Number => "move number",
        })
    }
}

/// Why a text is no SFEN: one sentence, with the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}, column {column}: {message}")]
pub struct SfenError {
    /// The part of the text.
    pub field: SfenField,
    /// Where in the text, in bytes.
    pub offset: usize,
    /// Where in the text, in characters, from 1.
    pub column: usize,
    /// The character there; none at the end of the text.
    pub found: Option<char>,
    /// What is wrong there.
    pub message: String,
}

/// A field of the text and where it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    text: &'a str,
    whole: &'a str,
    field: SfenField,
    start: usize,
}

impl Field<'_> {
    /// An error `at` bytes behind the beginning of the field.
    fn error(&self, at: usize, message: impl Into<String>) -> SfenError {
        let offset = self.start + at;
        SfenError {
            field: self.field,
            offset,
            column: self.whole[..offset].chars().count() + 1,
            found: self.whole[offset..].chars().next(),
            message: message.into(),
        }
    }

    fn chars(&self) -> impl Iterator<Item = (usize, char)> {
        self.text.char_indices()
    }
}

/// The words of a text with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - start, word))
}

impl Setup {
    /// No piece at all, sente to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self { board: [None; Square::COUNT], hands: [[0; 7]; 2], turn: Color::Sente, number: 1 }
    }

    /// The start position of an even game.
    #[must_use]
    pub fn start() -> Self {
        Self::from_sfen(START_SFEN).expect("the start position is well-formed")
    }

    /// Reads an SFEN: `startpos`, or board, side, hands and move number, after an optional word
    /// `sfen`. Missing hands are empty, a missing number is 1. Hand pieces may come in any order,
    /// and more than once. Blanks between the fields may be of any length.
    ///
    /// # Errors
    /// The first thing that is wrong, and where.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let mut words = words(text).peekable();
        let mut next = |field| match words.next() {
            Some((start, word)) => Field { text: word, whole: text, field, start },
            None => Field { text: "", whole: text, field, start: text.len() },
        };
        let mut setup = Self::empty();
        let mut field = next(SfenField::Board);
        if field.text == "sfen" {
            field = next(SfenField::Board);
        }
        if field.text == "startpos" {
            setup = Self::start();
        } else {
            read_board(&field, &mut setup)?;
            setup.turn = read_side(&next(SfenField::Side))?;
            read_hands(&next(SfenField::Hands), &mut setup)?;
            setup.number = read_number(&next(SfenField::Number))?;
        }
        let rest = next(SfenField::Number);
        if rest.text.is_empty() {
            Ok(setup)
        } else {
            Err(rest.error(0, "Nothing may follow here."))
        }
    }

    /// The setup in SFEN with all four fields.
    #[must_use]
    pub fn to_sfen(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in 1..=9 {
            let mut empty = 0;
            for file in (1..=9).rev() {
                let square = Square::new(file, rank).expect("on the board");
                match self.board[square.index()] {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut text, empty, 0);
                        empty = 0;
                        push(&mut text, piece);
                    }
                }
            }
            push_count(&mut text, empty, 0);
            text.push(if rank < 9 { '/' } else { ' ' });
        }
        text.push_str(if self.turn == Color::Sente { "b " } else { "w " });
        if self.hands == [[0; 7]; 2] {
            text.push('-');
        }
        for color in Color::BOTH {
            for kind in PieceKind::HAND.into_iter().rev() {
                let count = self.hands[color.index()][kind.index()];
                if count > 0 {
                    push_count(&mut text, count, 1);
                    push(&mut text, Piece::new(color, kind));
                }
            }
        }
        text.push(' ');
        push(&mut text, self.number);
        text
    }
}

impl FromStr for Setup {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        Self::from_sfen(text)
    }
}

fn push(text: &mut String, what: impl fmt::Display) {
    write!(text, "{what}").expect("a string takes everything");
}

/// Appends a count that is above the one left unsaid.
fn push_count(text: &mut String, count: u8, unsaid: u8) {
    if count > unsaid {
        push(text, count);
    }
}

/// The piece of an SFEN letter.
fn piece_of(letter: char) -> Option<(Color, PieceKind)> {
    let color = if letter.is_ascii_uppercase() { Color::Sente } else { Color::Gote };
    PieceKind::from_letter(letter.to_ascii_uppercase()).map(|kind| (color, kind))
}

fn read_board(field: &Field<'_>, setup: &mut Setup) -> Result<(), SfenError> {
    if field.text.is_empty() {
        return Err(field.error(0, "The board is missing."));
    }
    let (mut rank, mut filled, mut plus) = (1, 0, false);
    for (at, c) in field.chars() {
        if plus && piece_of(c).is_none_or(|(_, kind)| kind.promoted().is_none()) {
            return Err(field.error(at, "A plus sign must stand before one of P, L, N, S, B, R."));
        }
        match c {
            '/' if filled < 9 => {
                let message = format!("Rank {rank} has only {filled} squares.");
                return Err(field.error(at, message));
            }
            '/' if rank == 9 => return Err(field.error(at, "There are more than nine ranks.")),
            '/' => (rank, filled) = (rank + 1, 0),
            '+' => plus = true,
            '1'..='9' => filled += c as u8 - b'0',
            _ => {
                let Some((color, kind)) = piece_of(c) else {
                    return Err(field.error(at, "This is no piece, number 1-9 or slash."));
                };
                filled += 1;
                if filled <= 9 {
                    let square = Square::new(10 - filled, rank).expect("on the board");
                    let kind = kind.promoted().filter(|_| plus).unwrap_or(kind);
                    setup.board[square.index()] = Some(Piece::new(color, kind));
                }
                plus = false;
            }
        }
        if filled > 9 {
            return Err(field.error(at, format!("Rank {rank} has more than nine squares.")));
        }
    }
    let end = field.text.len();
    if plus {
        return Err(field.error(end, "A piece must follow the plus sign."));
    }
    if filled < 9 {
        return Err(field.error(end, format!("Rank {rank} has only {filled} squares.")));
    }
    if rank < 9 {
        return Err(field.error(end, format!("There are only {rank} ranks.")));
    }
    Ok(())
}

fn read_side(field: &Field<'_>) -> Result<Color, SfenError> {
    match field.text {
        "b" => Ok(Color::Sente),
        "w" => Ok(Color::Gote),
        "" => Err(field.error(0, "The side to move is missing.")),
        text => {
            let at = if text.starts_with(['b', 'w']) { 1 } else { 0 };
            Err(field.error(at, "The side to move must be b or w."))
        }
    }
}

fn read_hands(field: &Field<'_>, setup: &mut Setup) -> Result<(), SfenError> {
    if field.text.is_empty() || field.text == "-" {
        return Ok(());
    }
    let (mut count, mut digits) = (0_u32, None);
    for (at, c) in field.chars() {
        if let Some(digit) = c.to_digit(10) {
            count = count.saturating_mul(10).saturating_add(digit);
            digits = digits.or(Some(at));
            continue;
        }
        let Some((color, kind)) = piece_of(c).filter(|&(_, kind)| kind != PieceKind::King) else {
            return Err(field.error(at, "This is none of P, L, N, S, G, B, R."));
        };
        let count_at = digits.take().unwrap_or(at);
        let more = if count_at == at { 1 } else { std::mem::take(&mut count) };
        if more == 0 {
            return Err(field.error(count_at, "A number of pieces must be at least 1."));
        }
        let held = &mut setup.hands[color.index()][kind.index()];
        match u8::try_from(u32::from(*held).saturating_add(more)) {
            Ok(sum) if sum < 100 => *held = sum,
            _ => return Err(field.error(count_at, "There are too many pieces of a kind.")),
        }
    }
    match digits {
        None => Ok(()),
        Some(_) => Err(field.error(field.text.len(), "A piece must follow the number.")),
    }
}

fn read_number(field: &Field<'_>) -> Result<u32, SfenError> {
    if field.text.is_empty() {
        return Ok(1);
    }
    if let Some((at, _)) = field.chars().find(|(_, c)| !c.is_ascii_digit()) {
        return Err(field.error(at, "The move number must consist of digits."));
    }
    match field.text.parse() {
        Ok(number) if number >= 1 => Ok(number),
        Ok(_) => Err(field.error(0, "The move number must be at least 1.")),
        Err(_) => Err(field.error(0, "The move number is too large.")),
    }
}
