//! WTHOR game bases, `.wtb` (`.wtd` for 10x10): a head of 16 bytes, then a row a game. Players and
//! tournaments are numbers into name files that lie beside the base, `.jou` and `.trn`; without
//! those they stay numbers here: `#123`, and 0 is nobody. A game's score counts empty squares for
//! the winner; its second score is that of best play from the base's depth on.
//!
//! Source: Quin and Nicolet, "Format de la base WThor", Fédération française d'Othello.

mod names;
pub(crate) mod solitaires;
mod write;

use super::MAX_BYTES;
use super::transcript::{Reading, Token};
use crate::{Move, Othello};
use kiban_core::{Beside, Claimed, Format, ReadError, Record, Sink, Source, Warning, gather};
use std::ops::ControlFlow;

/// Bytes of a head, which is the same in all files of this kind.
const HEAD: usize = 16;
/// Bytes of a row before its moves.
const FACTS: usize = 8;
/// Unknown headers, named so that GGF and SGF hold them: the base's depth (0 is 22), and a game's
/// score by best play from there.
const DEPTH: &str = "THORDEPTH";
const BEST: &str = "THORBEST";
/// What Edax fills a row with behind the last move, instead of zeros.
const EDAX_PADDING: u8 = 92;
/// The numbers of a row, by the tags they become.
const NUMBERS: [&str; 3] = ["event", "first", "second"];

pub(crate) const FORMAT: Format = Format {
    id: "wthor",
    extensions: &["wtb", "wtd"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    write: Some(write::write),
    beside: Some(Beside {
        extensions: &["jou", "trn"],
        complete: names::complete,
        write: names::write,
    }),
    ..Format::NONE
};

/// What a base's head says.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Head {
    games: usize,
    year: u16,
    size: u8,
    depth: u8,
}

/// An error at a byte, which stands as the column of the only line.
fn wrong(byte: usize, found: &str, expected: &str) -> ReadError {
    let message = format!(
        "Here is {found}, where a WTHOR base has {expected}; columns count its bytes from 1."
    );
    let error = ReadError::new("bad-record", message).line(1).column(byte + 1);
    error.found(found, expected)
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// How many games a head tells of.
fn count(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]])
}

impl Head {
    fn read(bytes: &[u8]) -> Result<Head, ReadError> {
        if bytes.len() < HEAD {
            let found = format!("the end of {} bytes", bytes.len());
            return Err(wrong(bytes.len(), &found, "a head of 16 bytes"));
        }
        let size = if bytes[12] == 0 { 8 } else { bytes[12] };
        if !matches!(size, 8 | 10) {
            return Err(wrong(12, &format!("a board of {size}"), "8 or 10 squares a side"));
        }
        match bytes[13] {
            0 => {}
            1 => {
                let found = "the mark of a file of solitaires (positions; name its format, pzz)";
                return Err(wrong(13, found, "the mark of games, 0"));
            }
            other => return Err(wrong(13, &other.to_string(), "the mark of games, 0")),
        }
        let (games, names) = (count(bytes), word(bytes, 8));
        if games == 0 && names > 0 {
            let found = format!("the head of a list of {names} names");
            return Err(wrong(4, &found, "the number of its games"));
        }
        let games = usize::try_from(games).unwrap_or(usize::MAX);
        Ok(Head { games, year: word(bytes, 10), size, depth: bytes[14] })
    }

    fn squares(self) -> u8 {
        self.size * self.size
    }

    /// The most moves a row holds: one for each square that is empty at the start.
    fn moves(self) -> usize {
        usize::from(self.squares()) - 4
    }

    /// The bytes of a row.
    fn row(self) -> usize {
        FACTS + self.moves()
    }

    /// What a rank adds to a square's number; files count from 1.
    fn stride(self) -> u8 {
        self.size + 2
    }

    /// The bytes the games need.
    fn bytes(self) -> usize {
        HEAD.saturating_add(self.row().saturating_mul(self.games))
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let fits = |head: Head| head.games > 0 && head.bytes() == bytes.len();
    if Head::read(bytes).is_ok_and(fits) { 95 } else { 0 }
}

/// Reads a base game by game. A row that cannot be read costs no other.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    // Whoever takes the records may have had enough.
    let _ = match open(source) {
        Ok((head, fresh)) => games(source.bytes, head, &fresh, sink),
        Err(e) => sink(Err(e)),
    };
}

/// Reads the head, and the variant the games are of.
fn open(source: Source<'_>) -> Result<(Head, Reading), ReadError> {
    let bytes = source.bytes;
    if bytes.len() > MAX_BYTES {
        let message = "The file is larger than 64 MiB; split it.";
        return Err(ReadError::new("too-long", message).line(1).column(1));
    }
    // Of every head the fourteenth byte is 0 or 1: what has no such bytes is no damaged base but a
    // text, in whatever encoding.
    let is_text = |b: &u8| !b.is_ascii_control() || matches!(b, b'\t' | b'\r' | b'\n');
    if bytes.iter().take(HEAD).all(is_text) {
        let message = "This is a text; a WTHOR base begins with a head of 16 bytes.";
        let error = ReadError::new("bad-record", message).line(1).column(1);
        return Err(error.found("a text", "a head of 16 bytes"));
    }
    let head = Head::read(bytes)?;
    if head.games == 0 {
        let message = "The base holds no game.";
        return Err(ReadError::new("empty", message).line(1).column(5));
    }
    let named = source.variant.map_or_else(|| format!("size={}", head.size), str::to_string);
    let size = Othello::of_variant(&crate::GAME.variant(&named)?).options.size;
    if size != head.size {
        let expected = format!("{size}, the size of the variant");
        return Err(wrong(12, &format!("a board of {}", head.size), &expected));
    }
    Ok((head, Reading::new(Some(&named))?))
}

fn games(bytes: &[u8], head: Head, fresh: &Reading, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let rows = bytes[HEAD..].chunks_exact(head.row()).take(head.games);
    let told = rows.len();
    for (i, row) in rows.enumerate() {
        let mut read = game(row, HEAD + i * head.row(), head, fresh.again());
        if let (Ok(record), 0, true) = (&mut read, i, bytes.len() > head.bytes()) {
            let text = "Bytes follow the last game; they are left out.".to_string();
            record.warnings.push(Warning { line: 1, column: head.bytes() + 1, text });
        }
        sink(read)?;
    }
    if told < head.games {
        let found = format!("the end of the file, behind {told} of {} games", head.games);
        sink(Err(wrong(bytes.len(), &found, "all of them")))?;
    }
    ControlFlow::Continue(())
}

/// Reads the game that begins at this byte.
fn game(row: &[u8], at: usize, head: Head, mut reading: Reading) -> Result<Record, ReadError> {
    reading.record.nodes[0].at = Some((1, at + 1));
    for (i, code) in row[FACTS..].iter().enumerate() {
        let byte = at + FACTS + i;
        if *code == 0 {
            if let Some(more) = row[FACTS + i..].iter().position(|code| *code != 0) {
                let found = format!("{} behind a 0", row[FACTS + i + more]);
                return Err(wrong(byte + more, &found, "zeros behind the last move"));
            }
            break;
        }
        let (rank, file) = (code / head.stride(), code % head.stride());
        if !(1..=head.size).contains(&rank) || !(1..=head.size).contains(&file) {
            if row[FACTS + i..].iter().all(|code| *code == EDAX_PADDING) {
                let text = format!("The row is filled up with {EDAX_PADDING} instead of 0.");
                reading.record.warnings.push(Warning { line: 1, column: byte + 1, text });
                break;
            }
            let expected = format!("{} x rank + file of a square of the board", head.stride());
            return Err(wrong(byte, &code.to_string(), &expected));
        }
        reading.add(&Token { m: Move::place(file - 1, rank - 1), column: byte + 1 }, 1)?;
    }
    let squares = head.squares();
    for (i, score) in [row[6], row[7]].into_iter().enumerate() {
        if score > squares {
            let expected = format!("a score of 0 to {squares}");
            return Err(wrong(at + 6 + i, &score.to_string(), &expected));
        }
    }
    if let Some((first, second)) = reading.final_score()
        && first != i64::from(row[6])
    {
        let text = format!("The base says {} for Black; the board says {first}:{second}.", row[6]);
        reading.record.warnings.push(Warning { line: 1, column: at + 7, text });
    }
    Ok(with_facts(reading.record, row, head))
}

fn with_facts(mut record: Record, row: &[u8], head: Head) -> Record {
    for (i, key) in NUMBERS.into_iter().enumerate() {
        let number = word(row, 2 * i);
        if number != 0 {
            record.tags.push((key.to_string(), format!("#{number}")));
        }
    }
    if head.year != 0 {
        record.tags.push(("date".to_string(), head.year.to_string()));
    }
    let squares = head.squares();
    let text = format!("{}-{}", row[6], squares - row[6]);
    let result = match row[6].cmp(&(squares / 2)) {
        std::cmp::Ordering::Greater => "first",
        std::cmp::Ordering::Equal => "draw",
        std::cmp::Ordering::Less => "second",
    };
    record.claimed = Some(Claimed { result: result.to_string(), reason: None, text });
    record.unknown.push((DEPTH.to_string(), head.depth.to_string()));
    record.unknown.push((BEST.to_string(), row[7].to_string()));
    record
}
