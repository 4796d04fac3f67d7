//! WTHOR game bases, `.wtb`: a head of 16 bytes, then 68 bytes a game. Players and tournaments are
//! numbers into name files of their own, and stay numbers here: `#123`. A game's score counts
//! empty squares for the winner; its second score is that of best play from the base's depth on.

use super::MAX_BYTES;
use super::properties::not_held;
use super::transcript::{Reading, Token};
use crate::{Move, Options, Othello, Position};
use kiban_core::{Act, Claimed, Format, ReadError, Record, Source};

const HEAD: usize = 16;
const ROW: usize = 68;
const MOVES: usize = 60;
/// Games of a whole file, so that memory stays below a gigabyte.
const MAX_GAMES: usize = 33_000;
/// Unknown headers: the base's depth, a game's score by best play from there.
const DEPTH: &str = "WTHOR-depth";
const BEST: &str = "WTHOR-best-score";
/// The numbers of a row, by the tags they become.
const NUMBERS: [&str; 3] = ["event", "first", "second"];

pub(crate) const FORMAT: Format =
    Format { id: "wthor", extensions: &["wtb"], sniff, read: Some(read), write: Some(write) };

/// What a file's head says.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Head {
    games: usize,
    year: u16,
    size: u8,
    depth: u8,
}

/// An error at a byte, which stands as the column of the only line.
fn wrong(byte: usize, found: &str, expected: &str) -> ReadError {
    let message = format!("At byte {byte} is {found}; a WTHOR base has {expected} there.");
    let error = ReadError::new("bad-record", message).line(1).column(byte + 1);
    error.found(found, expected)
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

impl Head {
    fn read(bytes: &[u8]) -> Result<Head, ReadError> {
        if bytes.len() < HEAD {
            let found = format!("the end of {} bytes", bytes.len());
            return Err(wrong(bytes.len(), &found, "a head of 16 bytes"));
        }
        let games = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        let size = if bytes[12] == 0 { 8 } else { bytes[12] };
        if !matches!(size, 8 | 10) {
            return Err(wrong(12, &format!("a board of {size}"), "8 or 10 squares a side"));
        }
        let wanted = HEAD as u64 + ROW as u64 * u64::from(games);
        if bytes.len() as u64 != wanted {
            let found = format!("{games} games in {} bytes", bytes.len());
            return Err(wrong(4, &found, &format!("16 + 68 x {games} = {wanted} bytes for them")));
        }
        let games = usize::try_from(games).expect("they lie in memory");
        Ok(Head { games, year: word(bytes, 10), size, depth: bytes[14] })
    }

    fn write(self, out: &mut Vec<u8>) {
        let games = u32::try_from(self.games).expect("games of a file are few");
        // The date of making is left blank, so that the same games give the same file.
        out.extend([0; 4]);
        out.extend(games.to_le_bytes());
        out.extend([0; 2]);
        out.extend(self.year.to_le_bytes());
        out.extend([if self.size == 8 { 0 } else { self.size }, 0, self.depth, 0]);
    }

    fn squares(self) -> u8 {
        self.size * self.size
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    if Head::read(bytes).is_ok_and(|head| head.games > 0) { 95 } else { 0 }
}

fn read(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let bytes = source.bytes;
    if bytes.len() > MAX_BYTES {
        let message = "The file is larger than 64 MiB; split it.";
        return Err(ReadError::new("too-long", message).line(1).column(1));
    }
    // A head holds a date and counts, never letters alone: a text is no damaged base.
    if bytes.iter().take(16).all(|b| matches!(b, b' '..=b'~' | b'\t' | b'\r' | b'\n')) {
        let message = "This is a text; a WTHOR base begins with a head of 16 bytes.";
        let error = ReadError::new("bad-record", message).line(1).column(1);
        return Err(error.found("a text", "a head of 16 bytes"));
    }
    let head = Head::read(bytes)?;
    if head.games == 0 {
        let message = "The base holds no game.";
        return Err(ReadError::new("empty", message).line(1).column(5));
    }
    if head.games > MAX_GAMES {
        let message = format!("The base has more than {MAX_GAMES} games; split it.");
        return Err(ReadError::new("too-long", message).line(1).column(5));
    }
    let named = source.variant.map_or_else(|| format!("size={}", head.size), str::to_string);
    let variant = crate::GAME.variant(&named)?;
    let rules = Othello::of_variant(&variant);
    if rules.options.size != head.size {
        let expected = format!("{}, the size of the variant", rules.options.size);
        return Err(wrong(12, &format!("a board of {}", head.size), &expected));
    }
    let name = variant.canonical(crate::GAME.options, None);
    let row = |(i, row)| game(row, HEAD + i * ROW, head, Reading::new(&name, rules));
    bytes[HEAD..].chunks_exact(ROW).enumerate().map(row).collect()
}

/// Reads the game that begins at this byte.
fn game(row: &[u8], at: usize, head: Head, mut reading: Reading) -> Result<Record, ReadError> {
    reading.record.nodes[0].at = Some((1, at + 1));
    for (i, code) in row[8..].iter().enumerate() {
        let byte = at + 8 + i;
        if *code == 0 {
            if let Some(more) = row[8 + i..].iter().position(|code| *code != 0) {
                let found = format!("{} behind a 0", row[8 + i + more]);
                return Err(wrong(byte + more, &found, "zeros behind the last move"));
            }
            break;
        }
        let (rank, file) = ((code - 1) / 10, (code - 1) % 10);
        if rank == 0 || rank > head.size || file >= head.size {
            let expected = "10 x rank + file of a square of the board";
            return Err(wrong(byte, &code.to_string(), expected));
        }
        reading.add(&Token { m: Move::place(file, rank - 1), column: byte + 1 }, 1)?;
    }
    let mut record = reading.record;
    for (i, key) in NUMBERS.into_iter().enumerate() {
        record.tags.push((key.to_string(), format!("#{}", word(row, 2 * i))));
    }
    if head.year != 0 {
        record.tags.push(("date".to_string(), head.year.to_string()));
    }
    let squares = head.squares();
    for (i, score) in [row[6], row[7]].into_iter().enumerate() {
        if score > squares {
            let expected = format!("a score of 0 to {squares}");
            return Err(wrong(at + 6 + i, &score.to_string(), &expected));
        }
    }
    let text = format!("{}-{}", row[6], squares - row[6]);
    let result = match row[6].cmp(&(squares / 2)) {
        std::cmp::Ordering::Greater => "first",
        std::cmp::Ordering::Equal => "draw",
        std::cmp::Ordering::Less => "second",
    };
    record.claimed = Some(Claimed { result: result.to_string(), reason: None, text });
    record.unknown.push((DEPTH.to_string(), head.depth.to_string()));
    record.unknown.push((BEST.to_string(), row[7].to_string()));
    Ok(record)
}

/// Writes games from the start that were played out. Names, times and comments are left out, and
/// so are the passes the board makes by itself. All games of a base are of one year.
fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let (mut out, mut rows) = (Vec::new(), Vec::new());
    let mut first = None;
    for (i, record) in records.iter().enumerate() {
        let head = put_game(&mut rows, record).map_err(|e| not_held(&e, i, records.len()))?;
        if *first.get_or_insert(head) != head {
            let message = "It is of another year, size or depth than the first; \
                           a base has one of each.";
            return Err(not_held(message, i, records.len()));
        }
    }
    let Some(first) = first else { return Err(not_held("There is no game to write.", 0, 0)) };
    Head { games: records.len(), ..first }.write(&mut out);
    out.extend(rows);
    Ok(out)
}

fn unknown<T: std::str::FromStr>(record: &Record, key: &str) -> Option<T> {
    record.unknown.iter().find(|(known, _)| known == key)?.1.parse().ok()
}

/// The year a date begins with: `2024`, `2024-05-01`, `20240501`.
fn year_of(date: &str) -> Option<u16> {
    let digits = date.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().or_else(|_| digits.get(..4).unwrap_or("").parse()).ok()
}

/// Writes a row; gives the head it belongs under.
fn put_game(out: &mut Vec<u8>, record: &Record) -> Result<Head, String> {
    let variant = crate::GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let options = Othello::of_variant(&variant).options;
    if options.fewest || options.free_centre || !matches!(options.size, 8 | 10) {
        return Err("WTHOR holds Othello on 8x8 and 10x10 only; choose another format.".into());
    }
    let plain = Position::start(Options { handicap: 0, ..options });
    let start = match record.start.as_str() {
        "" => Position::start(options).write(),
        start => start.to_string(),
    };
    if start != plain.write() {
        return Err("WTHOR holds games from the start only; choose another format.".into());
    }
    if record.nodes.iter().any(|node| node.children.len() > 1) {
        return Err("WTHOR holds no variations; choose another format.".into());
    }
    let moves = codes(record, plain)?;
    let head = Head {
        games: 0,
        year: record.tag("date").and_then(year_of).unwrap_or(0),
        size: options.size,
        depth: unknown(record, DEPTH).unwrap_or(0),
    };
    let score = score(record, head.squares())?;
    for key in NUMBERS {
        let number = record.tag(key).and_then(|name| name.strip_prefix('#')?.parse().ok());
        out.extend(number.unwrap_or(0u16).to_le_bytes());
    }
    let best = unknown(record, BEST).filter(|best| *best <= head.squares());
    out.extend([score, best.unwrap_or(score)]);
    out.extend(moves);
    Ok(head)
}

/// The moves of a game from this start, filled up with zeros.
fn codes(record: &Record, mut position: Position) -> Result<Vec<u8>, String> {
    let size = position.size();
    let mut codes = Vec::with_capacity(MOVES);
    for entry in record.entries() {
        let Act::Move(text) = &entry.act else {
            let message = "WTHOR does not hold how a game was given up; choose another format.";
            return Err(message.into());
        };
        let m = Move::read(text).map_err(|e| e.to_string())?;
        if m != Move::PASS && position.must_pass() {
            position.play(Move::PASS);
        }
        match m.square() {
            Some((file, rank)) if file < size && rank < size => {
                codes.push(10 * (rank + 1) + file + 1);
            }
            None if position.must_pass() => {}
            _ => return Err(format!("WTHOR does not hold {text} here; choose another format.")),
        }
        if position.moves().contains(&m) {
            position.play(m);
        }
    }
    if codes.len() > MOVES {
        return Err(format!("WTHOR holds at most {MOVES} moves a game; choose another format."));
    }
    codes.resize(MOVES, 0);
    Ok(codes)
}

/// The first player's score: the one the record claims, else the one on the board.
fn score(record: &Record, squares: u8) -> Result<u8, String> {
    let claimed = record.claimed.as_ref().and_then(|claimed| {
        let (first, second) = claimed.text.split_once('-')?;
        let (first, second): (u8, u8) = (first.parse().ok()?, second.parse().ok()?);
        (first.checked_add(second) == Some(squares)).then_some(first)
    });
    if let Some(score) = claimed {
        return Ok(score);
    }
    let judged = (crate::GAME.judge)(record).map_err(|e| e.to_string())?;
    let played_out = judged.outcome.and(judged.score);
    played_out
        .and_then(|(first, _)| u8::try_from(first).ok())
        .ok_or_else(|| "The game is not finished, and WTHOR wants its score.".to_string())
}
