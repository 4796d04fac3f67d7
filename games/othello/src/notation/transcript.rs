//! Plain transcripts: `f5d6c3...`, one game a line or wrapped over several.

use super::{MARK, lines};
use crate::{Move, Othello, Position};
use kiban_core::{Act, Entry, Format, Node, ReadError, Record, Rules, Seats, Source, Variant};

/// The longest game is 96 discs and the passes between them; more is not a game.
const MAX_MOVES: usize = 400;
/// Moves of a whole file, so that memory stays below a gigabyte.
const MAX_FILE_MOVES: usize = 2_000_000;
/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;

pub(crate) const FORMAT: Format =
    Format { id: "transcript", extensions: &["txt"], sniff, read: Some(read), write: Some(write) };

/// A move of the text with its column (from 1).
pub(super) struct Token {
    pub(super) m: Move,
    pub(super) column: usize,
}

fn sniff(bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let cut = head.len() < bytes.len();
    let mut moves = 0;
    let last = lines(head).count();
    for (number, line) in lines(head) {
        match tokens(line, number) {
            Ok(found) => moves += found.len(),
            // The last line may be cut in the middle of a move.
            Err(_) if cut && number == last && moves > 0 => {}
            Err(_) => return 0,
        }
    }
    match moves {
        0 => 0,
        1..4 => 60,
        _ => 90,
    }
}

/// The moves of one line.
fn tokens(line: &[u8], number: usize) -> Result<Vec<Token>, ReadError> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        if matches!(line[at], b' ' | b'\t' | b'\r') {
            at += 1;
            continue;
        }
        let length = token_length(&line[at..]);
        let text = std::str::from_utf8(&line[at..at + length]).unwrap_or("");
        let m = (length > 0).then(|| Move::read(text).ok()).flatten();
        let m = m.ok_or_else(|| unexpected(line, number, at))?;
        found.push(Token { m, column: at + 1 });
        if found.len() > MAX_MOVES {
            let message =
                format!("A game has at most {MAX_MOVES} moves; put each on its own line.");
            return Err(ReadError::new("too-long", message).line(number).column(at + 1));
        }
        at += length;
    }
    Ok(found)
}

/// Bytes of the move a text begins with; 0 if it begins with none.
fn token_length(text: &[u8]) -> usize {
    let passes: [&[u8]; 4] = [b"pass", b"pa", b"ps", b"--"];
    let is_pass = |pass: &&&[u8]| {
        text.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass))
    };
    if let Some(pass) = passes.iter().find(is_pass) {
        return pass.len();
    }
    match text {
        [file, b'1', b'0', ..] if file.is_ascii_alphabetic() => 3,
        [file, rank, ..] if file.is_ascii_alphabetic() && rank.is_ascii_digit() => 2,
        _ => 0,
    }
}

/// What stands where a move should. All before it is plain ASCII, so bytes count as columns.
fn unexpected(line: &[u8], number: usize, at: usize) -> ReadError {
    let rest = &line[at..line.len().min(at + 24)];
    let found: String = String::from_utf8_lossy(rest).chars().take(6).collect();
    let found: String = found.trim_end().escape_debug().collect();
    let message = format!("\"{found}\" is not a move; write squares like f5d6c3, or pass.");
    ReadError::new("bad-record", message)
        .line(number)
        .column(at + 1)
        .found(found, "a square a1-j10 or pass")
}

/// A game being read, with the board it has reached.
pub(super) struct Reading {
    pub(super) record: Record,
    rules: Othello,
    position: Position,
    last: usize,
    moves: usize,
}

impl Reading {
    pub(super) fn new(variant: &str, rules: Othello) -> Reading {
        let position = Position::start(rules.options);
        let record = Record::new(crate::GAME.id, variant, &position.write());
        Reading { record, rules, position, last: 0, moves: 0 }
    }

    /// The board after the passes that are played without asking.
    fn ready(&self) -> Position {
        let mut p = self.position;
        if p.must_pass() {
            p.play(Move::PASS);
        }
        p
    }

    fn fits(&self, m: Move) -> bool {
        match m {
            Move::PASS => self.position.must_pass(),
            _ => self.rules.moves(&self.ready()).contains(&m),
        }
    }

    pub(super) fn add(&mut self, token: &Token, line: usize) -> Result<(), ReadError> {
        self.moves += 1;
        if self.moves > MAX_MOVES {
            let message = format!(
                "A game has at most {MAX_MOVES} moves; leave a blank line between two games."
            );
            return Err(ReadError::new("too-long", message).line(line).column(token.column));
        }
        // A pass in the text is the pass the board makes by itself: it belongs to the same side.
        if token.m != Move::PASS || !self.position.must_pass() {
            self.position = self.ready();
        }
        let by: Seats = self.position.to_move().into();
        let entry = Entry { by, act: Act::Move(token.m.to_string()) };
        let at = Some((line, token.column));
        let node = Node { entry: Some(entry), at, ..Node::default() };
        self.last = self.record.add(self.last, node);
        if self.fits(token.m) {
            self.position.play(token.m);
        }
        Ok(())
    }
}

/// The variant that was asked for, else the default one; the text itself names none.
fn variant_of(source: &Source<'_>) -> Result<Variant, ReadError> {
    crate::GAME.variant(source.variant.unwrap_or(""))
}

/// Reads every game of a text.
fn read(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let variant = variant_of(&source)?;
    let name = variant.canonical(crate::GAME.options, None);
    let rules = Othello::of_variant(&variant);
    let bytes = super::text_of(&source)?;
    let (mut records, mut reading, mut total) = (Vec::new(), None::<Reading>, 0);
    for (number, line) in lines(bytes) {
        let tokens = tokens(line, number)?;
        if tokens.is_empty() {
            records.extend(reading.take().map(|r| r.record));
            continue;
        }
        total += tokens.len();
        if total > MAX_FILE_MOVES {
            let message = format!("The file has more than {MAX_FILE_MOVES} moves; split it.");
            return Err(ReadError::new("too-long", message).line(number).column(1));
        }
        if let Some(before) = reading.take_if(|r| begins_anew(r, &tokens)) {
            records.push(before.record);
        }
        let game = reading.get_or_insert_with(|| Reading::new(&name, rules));
        tokens.iter().try_for_each(|token| game.add(token, number))?;
    }
    records.extend(reading.map(|r| r.record));
    if records.is_empty() {
        let message = "There is no move in this text; write squares like f5d6c3.";
        return Err(ReadError::new("empty", message).line(1).column(1));
    }
    Ok(records)
}

/// Whether a line begins another game or goes on with this one: what its first move fits decides.
/// Where it fits both, a line of several moves is taken for a game of its own, and one of a move
/// or two for a part of a list.
fn begins_anew(reading: &Reading, tokens: &[Token]) -> bool {
    let first = tokens[0].m;
    let opens = Reading::new("", reading.rules).fits(first);
    match (opens, reading.fits(first)) {
        (true, goes_on) => !goes_on || tokens.len() > 2,
        (false, _) => reading.rules.ended(&reading.position).is_some(),
    }
}

/// Writes one game a line, without the passes the board makes by itself. A transcript holds the
/// moves of a main line from a variant's own start: names, times and comments are left out.
fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::new();
    for (i, record) in records.iter().enumerate() {
        text.push_str(&line_of(record).map_err(|message| {
            let which =
                if records.len() > 1 { format!("Game {}: {message}", i + 1) } else { message };
            ReadError::new("not-held", which)
        })?);
        text.push('\n');
    }
    Ok(text.into_bytes())
}

fn line_of(record: &Record) -> Result<String, String> {
    let variant = crate::GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let rules = Othello::of_variant(&variant);
    let mut position = Position::start(rules.options);
    if !record.start.is_empty() && record.start != position.write() {
        let message = "A transcript holds games from the start only; choose another format.";
        return Err(message.to_string());
    }
    if record.nodes.iter().any(|node| node.children.len() > 1) {
        return Err("A transcript holds no variations; choose another format.".to_string());
    }
    let mut text = String::new();
    for entry in record.entries() {
        let Act::Move(written) = &entry.act else {
            let message = "A transcript holds moves only, not how a game was given up; \
                           choose another format.";
            return Err(message.to_string());
        };
        let m = Move::read(written).map_err(|e| e.to_string())?;
        if m == Move::PASS && position.must_pass() {
            position.play(m);
            continue;
        }
        if position.must_pass() {
            position.play(Move::PASS);
        }
        text.push_str(&m.to_string());
        if position.moves().contains(&m) {
            position.play(m);
        }
    }
    if text.is_empty() {
        return Err("There is no move to write yet.".to_string());
    }
    Ok(text)
}
