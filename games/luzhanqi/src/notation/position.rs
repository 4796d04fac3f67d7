//! Positions: two players rank by rank as Red sees them, four arm by arm as their owners do.

use crate::board::{ARM, ARM_LETTERS, Board, FILES, Kind, RANKS, Station, centre};
use crate::known::NO_SIDE;
use crate::layout::{may_stand, piece_letter};
use crate::position::{Piece, Position};
use crate::{Luzhanqi, Options, Rank};
use kiban_core::{ReadError, Rules, Seat, Seats};

/// Counters larger than this are not read.
const MOST_PLIES: u16 = 9999;

/// The rows of a position's text: the stations of each.
fn rows(four: bool) -> Vec<Vec<Station>> {
    let row = |first: u8, n: u8| (first..first + n).collect();
    if !four {
        return (0..2 * RANKS).rev().map(|rank| row(rank * FILES, FILES)).collect();
    }
    let arms = (0..4).flat_map(|arm| (0..RANKS).rev().map(move |r| arm * ARM + r * FILES));
    let centres = [1, 4, 7].map(|number| row(centre(number), 3));
    arms.map(|first| row(first, FILES)).chain(centres).collect()
}

pub(crate) fn write(rules: Luzhanqi, p: &Position) -> String {
    let options = rules.options;
    let rows = rows(options.four).into_iter().map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for at in row {
            let Some(piece) = p.at(at) else {
                empty += 1;
                continue;
            };
            push_empty(&mut text, &mut empty);
            push_piece(&mut text, options.four, piece);
        }
        push_empty(&mut text, &mut empty);
        text
    });
    let rows: Vec<String> = rows.collect();
    let flags = flags_text(options, p);
    let side = match p.side(options, p.turn) {
        Some(side) => side_letter(options.four, side),
        None => '-',
    };
    let mut text = format!("{} {side} {} {} {flags}", rows.join("/"), p.quiet, p.ply);
    if options.four {
        let inside = Seats::first_n(4).iter().filter(|s| !p.out.has(*s));
        let inside: String = inside.map(|s| ARM_LETTERS[s.index()]).collect();
        text.push_str(&format!(" {}", if inside.is_empty() { "-" } else { &inside }));
    } else if options.flips() {
        let first = p.side(options, Seat::FIRST).map_or('-', |side| side_letter(false, side));
        text.push_str(&format!(" {first}"));
    }
    text
}

fn side_letter(four: bool, side: u8) -> char {
    if four { ARM_LETTERS[usize::from(side)] } else { ['r', 'b'][usize::from(side)] }
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

fn push_piece(text: &mut String, four: bool, piece: Piece) {
    match (piece.down, four) {
        (true, _) if piece.rank == Rank::Unknown => text.push('?'),
        (true, _) => text.extend(['~', piece_letter(piece.side, piece.rank)]),
        (false, true) => {
            text.extend([ARM_LETTERS[usize::from(piece.side)], piece.rank.letter()]);
        }
        (false, false) => text.push(piece_letter(piece.side, piece.rank)),
    }
}

fn flags_text(options: Options, p: &Position) -> String {
    let names = &Board::of(options.four).names;
    let flags: Vec<&str> =
        p.flags.iter().flatten().map(|at| names[usize::from(*at)].as_str()).collect();
    if flags.is_empty() { "-".to_string() } else { flags.join(",") }
}

fn bad(field: &str, message: impl Into<String>) -> ReadError {
    ReadError::new("bad-position", message).field(field)
}

pub(crate) fn read(rules: Luzhanqi, text: &str) -> Result<Position, ReadError> {
    let options = rules.options;
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (least, most) = match (options.four, options.flips()) {
        (true, _) | (_, true) => (6, 6),
        _ => (5, 5),
    };
    if fields.len() < least || fields.len() > most {
        let message = format!(
            "A position has {least} fields, this text {}; write {}, or {} for the usual start.",
            fields.len(),
            if options.four {
                "board, seat, quiet plies, ply, public flags and seats still in"
            } else if options.flips() {
                "board, side, quiet plies, ply, public flags and the first seat's colour"
            } else {
                "board, side, quiet plies, ply and public flags"
            },
            rules.arranged()
        );
        return Err(ReadError::new("bad-position", message));
    }
    let mut p = Position::empty();
    board(options, fields[0], &mut p)?;
    p.quiet = number(fields[2], "quiet")?;
    p.ply = number(fields[3], "ply")?;
    flags(options, fields[4], &mut p)?;
    turn(options, &fields, &mut p)?;
    let before = (1..=4).filter_map(|n| Seat::new((p.turn.index() + 4 - n) % 4));
    let seats = Seats::first_n(rules.seats());
    let mut before = before.filter(|s| seats.has(*s) && !p.out.has(*s));
    p.last = before.next().unwrap_or(p.turn);
    Ok(p)
}

fn number(text: &str, field: &str) -> Result<u16, ReadError> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|n| plain && *n <= MOST_PLIES);
    number.ok_or_else(|| bad(field, format!("Write a number from 0 to {MOST_PLIES}.")))
}

/// Reads the stations row by row.
fn board(options: Options, text: &str, p: &mut Position) -> Result<(), ReadError> {
    let rows = rows(options.four);
    let mut column = 1;
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != rows.len() {
        let message = format!("The board has {} rows, this text {}.", rows.len(), texts.len());
        return Err(bad("board", message));
    }
    for (row, text) in rows.iter().zip(texts) {
        let wide = |message: String| bad("board", message).column(column);
        let mut stations = row.iter();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if let Some(n) = c.to_digit(10) {
                let all = (0..n).all(|_| stations.next().is_some());
                if n == 0 || !all || chars.peek().is_some_and(char::is_ascii_digit) {
                    return Err(wide(format!("A row has {} stations; mend this one.", row.len())));
                }
                continue;
            }
            let piece = piece(options, c, &mut chars).map_err(wide)?;
            let Some(at) = stations.next() else {
                return Err(wide(format!("A row has {} stations; mend this one.", row.len())));
            };
            p.cells[usize::from(*at)] = Some(piece);
        }
        if stations.next().is_some() {
            return Err(wide(format!("A row has {} stations; mend this one.", row.len())));
        }
        column += text.chars().count() + 1;
    }
    Ok(())
}

/// Reads a piece that begins with this character.
fn piece(
    options: Options,
    first: char,
    rest: &mut impl Iterator<Item = char>,
) -> Result<Piece, String> {
    let unknown = |c: char| {
        let want =
            if options.four { "a seat S, E, N or W with a to l" } else { "a to l or A to L" };
        format!("\"{}\" is no piece; write {want}.", c.escape_debug())
    };
    let open = |side, rank| Piece { side, rank, down: false, told: false };
    if options.four {
        let side = ARM_LETTERS.iter().position(|l| *l == first).ok_or_else(|| unknown(first))?;
        let letter = rest.next().unwrap_or(' ');
        let rank = Rank::from_letter(letter).ok_or_else(|| unknown(letter))?;
        return Ok(open(side as u8, rank));
    }
    if options.flips() && first == '?' {
        return Ok(Piece { side: NO_SIDE, rank: Rank::Unknown, down: true, told: false });
    }
    let down = options.flips() && first == '~';
    let letter = if down { rest.next().unwrap_or(' ') } else { first };
    let rank = Rank::from_letter(letter.to_ascii_lowercase());
    let rank = rank.filter(|r| !down || *r != Rank::Unknown).ok_or_else(|| unknown(letter))?;
    Ok(Piece { down, ..open(u8::from(letter.is_ascii_lowercase()), rank) })
}

fn flags(options: Options, text: &str, p: &mut Position) -> Result<(), ReadError> {
    if text == "-" {
        return Ok(());
    }
    let board = Board::of(options.four);
    for name in text.split(',') {
        let at = board.station(name).ok_or_else(|| {
            bad("flags", "Write - or the stations of the flags made public, joined by commas.")
        })?;
        let flag = p.cells[usize::from(at)].as_mut().filter(|q| q.rank == Rank::Flag && !q.down);
        let Some(flag) = flag else {
            return Err(bad("flags", format!("No flag stands on {name}; mend the list.")));
        };
        flag.told = true;
        if p.flags[usize::from(flag.side)].replace(at).is_some() {
            return Err(bad("flags", "A side has one flag; name it once."));
        }
    }
    Ok(())
}

fn turn(options: Options, fields: &[&str], p: &mut Position) -> Result<(), ReadError> {
    if options.four {
        let seat = ARM_LETTERS.iter().position(|l| fields[1] == l.to_string());
        p.turn = seat
            .and_then(Seat::new)
            .ok_or_else(|| bad("side", "Write the seat to move: S, E, N or W."))?;
        return inside(fields[5], p);
    }
    let side = |text: &str, field: &str| match text {
        "r" => Ok(Some(0)),
        "b" => Ok(Some(1)),
        "-" if options.flips() => Ok(None),
        _ => Err(bad(field, "Write r for Red or b for Black.")),
    };
    let to_move = side(fields[1], "side")?;
    let first = if options.flips() { side(fields[5], "colour")? } else { Some(0) };
    p.red = first.map(|side| if side == 0 { Seat::FIRST } else { Seat::SECOND });
    p.turn = match (to_move, first) {
        (Some(side), Some(first)) if side == first => Seat::FIRST,
        (Some(_), Some(_)) => Seat::SECOND,
        // Before the first flip only skipped turns can have passed.
        (None, None) if p.ply.is_multiple_of(2) => Seat::FIRST,
        (None, None) => Seat::SECOND,
        _ => return Err(bad("colour", "Side and colour are both - before the first flip.")),
    };
    Ok(())
}

/// Reads the seats still in.
fn inside(text: &str, p: &mut Position) -> Result<(), ReadError> {
    let letters: Vec<char> = if text == "-" { Vec::new() } else { text.chars().collect() };
    let seats: Option<Vec<usize>> =
        letters.iter().map(|c| ARM_LETTERS.iter().position(|l| l == c)).collect();
    let seats = seats.filter(|seats| seats.windows(2).all(|pair| pair[0] < pair[1]));
    let seats = seats.ok_or_else(|| {
        bad("seats", "Write the seats still in, each once, in the order S, E, N, W.")
    })?;
    p.out = Seat::ALL.into_iter().filter(|s| !seats.contains(&s.index())).collect();
    Ok(())
}

/// The rules a read position breaks.
pub(crate) fn faults(options: Options, p: &Position) -> Vec<String> {
    let board = Board::of(options.four);
    let names = &board.names;
    let mut faults = Vec::new();
    if p.pieces().any(|(_, piece)| piece.rank == Rank::Unknown) {
        faults.push("Some pieces are unknown; to play on, say what every piece is.".to_string());
    }
    for (at, piece) in p.pieces() {
        let name = &names[usize::from(at)];
        if piece.down && board.kind(at) == Kind::Camp {
            faults.push(format!("A face-down piece lies in the camp {name}."));
        }
        let fixed = !options.flips() && piece.rank.is_fixed();
        if fixed && !own_half(options, piece.side, at).is_some_and(|s| may_stand(piece.rank, s)) {
            let what = if piece.rank == Rank::Flag { "flag" } else { "mine" };
            faults.push(format!("A {what} can never have come to {name}."));
        }
    }
    for side in 0..if options.four { 4 } else { 2 } {
        side_faults(options, p, side, &mut faults);
    }
    let open = p.pieces().any(|(_, piece)| !piece.down);
    if options.flips() && p.red.is_none() && open {
        faults.push("Pieces lie open and nobody has a colour.".to_string());
    }
    if p.out.has(p.turn) {
        faults.push("The seat to move is out.".to_string());
    }
    faults
}

fn side_faults(options: Options, p: &Position, side: u8, faults: &mut Vec<String>) {
    let whose = crate::known::side_name(options.four, side);
    let seat = Seat::new(side.into()).expect("a side is a seat's");
    let own: Vec<Rank> =
        p.pieces().filter(|(_, piece)| piece.side == side).map(|(_, piece)| piece.rank).collect();
    if options.four && p.out.has(seat) {
        if !own.is_empty() {
            faults.push(format!("The {whose} seat is out and has pieces."));
        }
        return;
    }
    for rank in Rank::ALL {
        let n = own.iter().filter(|r| **r == rank).count();
        if n > rank.count() {
            faults.push(format!(
                "The {whose} side has {n} pieces {}; there are {}.",
                rank.letter(),
                rank.count()
            ));
        }
    }
    let unknown = p.pieces().any(|(_, piece)| piece.rank == Rank::Unknown);
    if !own.contains(&Rank::Flag) && !unknown {
        faults.push(format!("The {whose} side has no flag; put one into a headquarters."));
    }
}

/// File and rank of a station as this side sees its own half; `None` outside it.
pub(crate) fn own_half(options: Options, side: u8, at: Station) -> Option<(u8, u8)> {
    let own = match (options.four, side) {
        (true, _) => at.checked_sub(side * ARM)?,
        (false, 0) => at,
        (false, _) => (2 * ARM - 1).checked_sub(at)?,
    };
    (own < ARM).then_some((own % FILES, own / FILES))
}
