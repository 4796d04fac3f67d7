//! SFEN with three ranks, hands included: `psk/3/KSP b - 1`.

use crate::moves::Square;
use crate::position::{Position, is_dead};
use kiban_core::ReadError;
use kiban_shogi::moves::{Color, Hand, Piece, PieceKind};

/// Pieces of a kind in the box.
const IN_THE_BOX: u8 = 2;
/// More of a kind in a hand is no text of this game.
const MOST_IN_HAND: u32 = 9;

fn bad(field: &str, column: usize, message: impl Into<String>) -> ReadError {
    ReadError::new("bad-position", message).field(field).column(column)
}

/// The words of a text with their columns, counted from 1.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    let column = move |word: &str| text[..word.as_ptr() as usize - start].chars().count() + 1;
    text.split_whitespace().map(move |word| (column(word), word))
}

/// Reads a position, admitted or not.
///
/// # Errors
/// The first thing that is wrong, and where.
pub(crate) fn read(text: &str) -> Result<Position, ReadError> {
    let end = text.chars().count() + 1;
    let mut words = words(text).skip_while(|(_, word)| *word == "sfen");
    let mut next = || words.next().unwrap_or((end, ""));
    let mut p = Position::empty();
    read_board(next(), &mut p)?;
    let (column, side) = next();
    let turn = match side {
        "b" => Color::Sente,
        "w" => Color::Gote,
        _ => return Err(bad("side to move", column, "The side to move must be b or w.")),
    };
    read_hands(next(), &mut p)?;
    let (column, number) = next();
    let read = if number.is_empty() { Some(1) } else { number.parse().ok() };
    let number = read.filter(|n| *n >= 1).ok_or_else(|| {
        bad("move number", column, "The move number must be a number from 1 on, in digits.")
    })?;
    p.set_turn(turn, number);
    match next() {
        (_, "") => Ok(p),
        (column, _) => Err(bad("move number", column, "Nothing may follow here.")),
    }
}

fn read_board((column, text): (usize, &str), p: &mut Position) -> Result<(), ReadError> {
    let (mut rank, mut filled, mut plus) = (1, 0, false);
    for (i, c) in text.chars().enumerate() {
        let bad = |message: String| Err(bad("board", column + i, message));
        let kind = PieceKind::from_letter(c.to_ascii_uppercase());
        if plus && kind.is_none_or(|kind| kind.promoted().is_none()) {
            return bad("A plus sign must stand before one of P, L, N, S, B, R.".into());
        }
        match (c, kind) {
            ('/', _) if filled < 3 => {
                return bad(format!("Rank {rank} has {filled} squares, not 3."));
            }
            ('/', _) if rank == 3 => return bad("There are more than three ranks.".into()),
            ('/', _) => (rank, filled) = (rank + 1, 0),
            ('+', _) => plus = true,
            ('1'..='3', _) => filled += c as u8 - b'0',
            (_, None) => return bad("This is no piece, number 1-3 or slash.".into()),
            (_, Some(kind)) => {
                filled += 1;
                if let Some(square) = Square::new(4_u8.saturating_sub(filled), rank) {
                    let side = if c.is_ascii_uppercase() { Color::Sente } else { Color::Gote };
                    let kind = kind.promoted().filter(|_| plus).unwrap_or(kind);
                    p.set(square, Some((side, kind)));
                }
                plus = false;
            }
        }
        if filled > 3 {
            return bad(format!("Rank {rank} has more than three squares."));
        }
    }
    let end = column + text.chars().count();
    match (plus, filled, rank) {
        (true, ..) => Err(bad("board", end, "A piece must follow the plus sign.")),
        (_, 3, 3) => Ok(()),
        (_, 3, _) => Err(bad("board", end, format!("There are {rank} ranks, not 3."))),
        _ => Err(bad("board", end, format!("Rank {rank} has {filled} squares, not 3."))),
    }
}

fn read_hands((column, text): (usize, &str), p: &mut Position) -> Result<(), ReadError> {
    let mut count = None;
    let mut hands = [Hand::EMPTY; 2];
    for (i, c) in text.chars().enumerate() {
        let bad = |message: &str| Err(bad("hands", column + i, message));
        if let Some(digit) = c.to_digit(10) {
            let more = count.unwrap_or(0) * 10 + digit;
            if !(1..=MOST_IN_HAND).contains(&more) {
                return bad("A number of pieces in hand must be 1 to 9.");
            }
            count = Some(more);
            continue;
        }
        let kind = PieceKind::from_letter(c.to_ascii_uppercase());
        match kind.filter(|kind| *kind != PieceKind::King) {
            None if c == '-' && text == "-" => return Ok(()),
            None => return bad("This is none of P, L, N, S, G, B, R."),
            Some(kind) => {
                let side = if c.is_ascii_uppercase() { Color::Sente } else { Color::Gote };
                for _ in 0..count.take().unwrap_or(1) {
                    let hand = &mut hands[side.index()];
                    if hand.count(kind) > IN_THE_BOX {
                        return bad("There are too many pieces of a kind.");
                    }
                    *hand = hand.with(kind);
                }
            }
        }
    }
    if count.is_some() {
        let end = column + text.chars().count();
        return Err(bad("hands", end, "A piece must follow the number."));
    }
    for side in Color::BOTH {
        p.set_hand(side, hands[side.index()]);
    }
    Ok(())
}

/// The position in SFEN with all four fields.
pub(crate) fn write(p: &Position) -> String {
    let mut text = String::with_capacity(24);
    for rank in 1..=3 {
        let mut empty = 0;
        let flush = |text: &mut String, empty: &mut u8| {
            if *empty > 0 {
                text.push(char::from(b'0' + *empty));
                *empty = 0;
            }
        };
        for file in (1..=3).rev() {
            let square = Square::new(file, rank).expect("on the board");
            match p.piece_at(square) {
                None => empty += 1,
                Some((side, kind)) => {
                    flush(&mut text, &mut empty);
                    text.push_str(&Piece::new(side, kind).to_string());
                }
            }
        }
        flush(&mut text, &mut empty);
        text.push(if rank < 3 { '/' } else { ' ' });
    }
    text.push_str(if p.turn() == Color::Sente { "b " } else { "w " });
    if Color::BOTH.iter().all(|side| p.hand(*side).is_empty()) {
        text.push('-');
    }
    for side in Color::BOTH {
        for kind in PieceKind::HAND.into_iter().rev() {
            let count = p.hand(side).count(kind);
            if count > 1 {
                text.push(char::from(b'0' + count));
            }
            if count > 0 {
                text.push_str(&Piece::new(side, kind).to_string());
            }
        }
    }
    format!("{text} {}", p.number())
}

/// What keeps an arrangement from being a position of the game, a sentence each.
pub(crate) fn faults(p: &Position) -> Vec<String> {
    let mut faults = Vec::new();
    let men: Vec<(Square, Color, PieceKind)> = Square::all()
        .filter_map(|square| p.piece_at(square).map(|(side, kind)| (square, side, kind)))
        .collect();
    for side in Color::BOTH {
        let kings = men.iter().filter(|man| (man.1, man.2) == (side, PieceKind::King)).count();
        if kings != 1 {
            faults.push(format!("{side} has {kings} kings; each side has exactly one."));
        }
    }
    for kind in PieceKind::HAND {
        let on_board = men.iter().filter(|man| man.2.unpromoted() == kind).count();
        let held: u8 = Color::BOTH.iter().map(|side| p.hand(*side).count(kind)).sum();
        let all = on_board + usize::from(held);
        if all > usize::from(IN_THE_BOX) {
            let letter = kind.letter();
            faults.push(format!("There are {all} pieces {letter}; the box has {IN_THE_BOX}."));
        }
    }
    for (square, side, kind) in &men {
        if is_dead(*kind, square.rank_for(*side)) {
            faults.push(format!("The {} on {square} could never move.", Piece::new(*side, *kind)));
        }
        let same = |other: &&(Square, Color, PieceKind)| {
            other.0.file() == square.file() && (other.1, other.2) == (*side, *kind)
        };
        if *kind == PieceKind::Pawn && men.iter().rfind(same).is_some_and(|m| m.0 != *square) {
            faults.push(format!("{side} has two pawns on file {} (nifu).", square.file()));
        }
    }
    if faults.is_empty() && p.is_checked(p.turn().other()) {
        faults.push(format!("{}'s king could be taken at once.", p.turn().other()));
    }
    faults
}
