//! Files of solitaires, `.pzz`: endings from the games of the base in which one move alone wins or
//! draws, each with that move and its result. A head as a base's, a table that repeats its numbers,
//! then 36 bytes a position. They are read as positions without moves, and the move and its result
//! as OBF has them.
//!
//! Source: Quin and Nicolet, "Format de la base WThor", Fédération française d'Othello. It gives the
//! table 512 bytes and calls it 64 numbers of four, which Cassio writes; the length of the file
//! tells. The order of the squares within a byte, which it leaves open, is as Cassio writes it: the
//! first in the high bits.

use super::{HEAD, NUMBERS, count, names, word, wrong};
use crate::{Move, Options, Position, notation::obf};
use kiban_core::{Beside, Format, ReadError, Record, Sink, Source, gather};

/// Bytes of the table behind the head, and of a row.
const TABLES: [usize; 2] = [512, 256];
const ROW: usize = 36;
/// What the head's type is, and where it stands.
const TYPE: u8 = 1;
const TYPE_AT: usize = 13;
/// Squares a byte tells of.
const A_BYTE: usize = 4;
/// Unknown headers: Black's score in the game, and its 25th move.
const SCORE: &str = "THORSCORE";
const MOVE: &str = "THORMOVE";

pub(crate) const FORMAT: Format = Format {
    id: "pzz",
    extensions: &["pzz"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    beside: Some(Beside {
        extensions: &["jou", "trn"],
        complete: names::complete,
        write: names::write,
    }),
    ..Format::NONE
};

/// The bytes of a file of so many positions behind a table.
fn bytes_of(table: usize, positions: usize) -> usize {
    (HEAD + table).saturating_add(ROW.saturating_mul(positions))
}

/// The table with which a file has the length its head tells.
fn table(bytes: &[u8]) -> Option<usize> {
    TABLES.into_iter().find(|table| bytes.len() == bytes_of(*table, positions(bytes)))
}

fn positions(bytes: &[u8]) -> usize {
    usize::try_from(count(bytes)).unwrap_or(usize::MAX)
}

fn sniff(bytes: &[u8]) -> u8 {
    let fits = bytes.len() >= HEAD
        && bytes[TYPE_AT] == TYPE
        && matches!(bytes[TYPE_AT - 1], 0 | 8)
        && table(bytes).is_some();
    if fits { 95 } else { 0 }
}

/// Reads a file position by position. One that cannot be read costs no other.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let bytes = source.bytes;
    // Whoever takes the records may have had enough.
    let _ = match check(source) {
        Ok(table) => bytes[HEAD + table..]
            .chunks_exact(ROW)
            .take(positions(bytes))
            .enumerate()
            .try_for_each(|(i, row)| sink(position(row, bytes_of(table, i)))),
        Err(e) => sink(Err(e)),
    };
}

/// The bytes of its table.
fn check(source: Source<'_>) -> Result<usize, ReadError> {
    let bytes = source.bytes;
    // A content without the mark is none of these, so its fault is not one that lies deep in it.
    if bytes.get(TYPE_AT) != Some(&TYPE) {
        let expected = "a head of 16 bytes with the mark of solitaires, 1, in the fourteenth";
        return Err(wrong(0, "no such head", expected));
    }
    // What follows the last position is nobody's.
    let table = table(bytes).unwrap_or(TABLES[0]);
    if bytes.len() < HEAD + table {
        let found = format!("the end of {} bytes", bytes.len());
        let expected = format!("a head of 16 bytes and a table of {table}");
        return Err(wrong(bytes.len(), &found, &expected));
    }
    if positions(bytes) == 0 || bytes.len() < bytes_of(table, positions(bytes)) {
        let found = format!("the end of the file, short of {} positions", count(bytes));
        return Err(wrong(bytes.len(), &found, "at least one, and all of them"));
    }
    match source.variant.map(|text| crate::GAME.variant(text)).transpose()? {
        Some(variant) if crate::Othello::of_variant(&variant).options != plain() => {
            let message = "Solitaires are of Othello on 8x8; leave out the variant.";
            Err(ReadError::new("bad-record", message).line(1).column(1))
        }
        _ => Ok(table),
    }
}

fn plain() -> Options {
    Options { fewest: false, free_centre: false, size: 8, handicap: 0 }
}

/// The square of this code, 10 x rank + file; 0 is none.
fn square(code: u8, byte: usize) -> Result<Option<Move>, ReadError> {
    let (rank, file) = (code / 10, code % 10);
    match (1..=8).contains(&rank) && (1..=8).contains(&file) {
        true => Ok(Some(Move::place(file - 1, rank - 1))),
        false if code == 0 => Ok(None),
        false => Err(wrong(byte, &code.to_string(), "10 x rank + file of a square")),
    }
}

/// Reads the position that begins at this byte.
fn position(row: &[u8], at: usize) -> Result<Record, ReadError> {
    let mut text = String::with_capacity(66);
    for (i, byte) in row[12..28].iter().enumerate() {
        for shift in (0..A_BYTE).rev() {
            text.push(match byte >> (2 * shift) & 3 {
                0 => '-',
                3 => 'X',
                2 => 'O',
                _ => return Err(wrong(at + 12 + i, "a square of code 1", "0, 2 or 3")),
            });
        }
    }
    text.push_str(match row[29] {
        1 => " X",
        2 => " O",
        other => return Err(wrong(at + 29, &other.to_string(), "1 for Black or 2 for White")),
    });
    let mut record =
        Record::new(crate::GAME.id, "othello", &Position::read(&text, plain())?.write());
    record.nodes[0].at = Some((1, at + 1));
    let solution = square(row[31], at + 31)?;
    let solution = solution.ok_or_else(|| wrong(at + 31, "0", "the move that solves it"))?;
    let points = i32::from(row[30].cast_signed());
    record.nodes[0].comment = obf::results_text(&[(solution, Some(points))]);
    // The event is a word as in a base, the players have twice as many bytes.
    for (key, number) in NUMBERS.into_iter().zip([2, 4, 8].map(|at| word(row, at))) {
        if number != 0 {
            record.tags.push((key.to_string(), format!("#{number}")));
        }
    }
    if word(row, 0) != 0 {
        record.tags.push(("date".to_string(), word(row, 0).to_string()));
    }
    if row[32] != 0 {
        record.unknown.push((SCORE.to_string(), row[32].to_string()));
    }
    if let Some(m) = square(row[33], at + 33)? {
        record.unknown.push((MOVE.to_string(), m.to_string()));
    }
    Ok(record)
}
