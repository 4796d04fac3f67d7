//! A position's text: the board from rank 9 down, Red's animals in upper case, the side to move,
//! then plies since the last capture and the number of the full move.

use crate::board::{FILES, RANKS};
use crate::{Animal, Position, Square};
use kiban_core::{ReadError, Seat};
use std::fmt::Write as _;

/// Counters beyond this are no game's.
const MOST_PLIES: u32 = 1_000_000;

fn bad(field: &str, column: usize, message: impl Into<String>) -> ReadError {
    ReadError::new("bad-position", message).field(field).column(column)
}

/// The fields of a text with the column of each.
fn fields(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut column, mut start) = (0, None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        column += 1;
        match (c.is_whitespace(), start) {
            (false, None) => start = Some((column, at)),
            (true, Some((first, from))) => {
                found.push((first, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Reads a position.
pub(crate) fn read(text: &str) -> Result<Position, ReadError> {
    let fields = fields(text);
    let Some(&(column, board)) = fields.first() else {
        return Err(bad("board", 1, "The position is empty; write nine ranks, then w or b."));
    };
    let to_move = match fields.get(1) {
        Some((_, "w")) => Seat::FIRST,
        Some((_, "b")) => Seat::SECOND,
        Some((column, other)) => {
            let found: String = other.chars().take(20).collect();
            let message = format!("\"{found}\" is no side to move; write w for Red, b for Black.");
            return Err(bad("side", *column, message).found(found, "w or b"));
        }
        None => {
            let column = text.trim_end().chars().count() + 2;
            let message = "The side to move is missing; add w for Red or b for Black.";
            return Err(bad("side", column, message));
        }
    };
    let (quiet, number) = match fields.get(2..) {
        None | Some([]) => (0, 1),
        Some([quiet, number]) => (counter("quiet", *quiet, 0)?, counter("number", *number, 1)?),
        Some([(column, _)]) => {
            let message = "The number of the full move is missing; write both counters or neither.";
            return Err(bad("number", *column, message));
        }
        Some([_, _, (column, _), ..]) => {
            let message = "There is more than board, side and two counters; leave it out.";
            return Err(bad("number", *column, message));
        }
    };
    let mut p = Position::empty(to_move, quiet, number);
    read_board(&mut p, board, column)?;
    Ok(p)
}

fn counter(field: &str, (column, text): (usize, &str), least: u32) -> Result<u32, ReadError> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|n| plain && (least..=MOST_PLIES).contains(n));
    number.ok_or_else(|| {
        let found: String = text.chars().take(20).collect();
        let message =
            format!("\"{found}\" is no counter; write a number from {least} to {MOST_PLIES}.");
        bad(field, column, message).found(found, "a number")
    })
}

fn read_board(p: &mut Position, board: &str, first: usize) -> Result<(), ReadError> {
    let (mut file, mut rank) = (0, RANKS - 1);
    let short = |rank: u8, file: u8, column| {
        let message = format!("Rank {} has {file} squares instead of {FILES}.", rank + 1);
        bad("board", column, message)
    };
    let mut column = first;
    for c in board.chars() {
        if c == '/' {
            if file != FILES {
                return Err(short(rank, file, column));
            }
            rank = rank.checked_sub(1).ok_or_else(|| {
                bad(
                    "board",
                    column,
                    format!("There are more than {RANKS} ranks; end after rank 1."),
                )
            })?;
            file = 0;
        } else if let Some(empty) = c.to_digit(10).filter(|n| (1..=u32::from(FILES)).contains(n)) {
            file += empty as u8;
        } else if let Some(animal) = Animal::from_letter(c) {
            let square = Square::new(file, rank).ok_or_else(|| short(rank, file + 1, column))?;
            let seat = if c.is_ascii_uppercase() { Seat::FIRST } else { Seat::SECOND };
            p.flip(seat, animal, square);
            file += 1;
        } else {
            let message = format!(
                "\"{c}\" is no square; write an animal (E L T P W D C R, Black's in lower case) or \
                 a number of empty squares."
            );
            return Err(bad("board", column, message).found(c, "an animal or 1-7"));
        }
        if file > FILES {
            return Err(short(rank, file, column));
        }
        column += 1;
    }
    if file != FILES {
        return Err(short(rank, file, column));
    }
    if rank != 0 {
        let ranks = RANKS - rank;
        let message = format!("There are {ranks} ranks instead of {RANKS}; write the others too.");
        return Err(bad("board", column, message));
    }
    Ok(())
}

/// Writes a position. The counters are left out where they are those of a fresh start.
pub(crate) fn write(p: &Position) -> String {
    let mut text = String::new();
    for rank in (0..RANKS).rev() {
        let mut empty = 0;
        for file in 0..FILES {
            let square = Square::new(file, rank).expect("the square is on the board");
            let Some((seat, animal)) = p.at(square) else {
                empty += 1;
                continue;
            };
            push_number(&mut text, &mut empty);
            let letter = animal.letter();
            let red = seat == Seat::FIRST;
            text.push(if red { letter } else { letter.to_ascii_lowercase() });
        }
        push_number(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text.push_str(if p.to_move() == Seat::FIRST { " w" } else { " b" });
    if (p.quiet(), p.number()) != (0, 1) {
        write!(text, " {} {}", p.quiet(), p.number()).expect("a string takes any text");
    }
    text
}

fn push_number(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
