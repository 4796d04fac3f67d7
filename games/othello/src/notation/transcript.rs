//! Plain transcripts: `f5d6c3...`, one game a line or wrapped over several.

use super::{MARK, lines, properties};
use crate::{Move, Othello, Position};
use kiban_core::{Act, Entry, Format, Node, ReadError, Record, Sink, Source, Warning, gather};
use std::ops::ControlFlow;

/// The longest game is 96 discs and the passes between them; more is not a game.
const MAX_MOVES: usize = 400;
/// Nodes a game usually has.
const NODES: usize = 64;
/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;

pub(crate) const FORMAT: Format = Format {
    id: "transcript",
    extensions: &["txt"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    write: Some(write),
    joint: Some("\n"),
    ..Format::NONE
};

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
        let found = tokens(line, number);
        moves += found.moves.len();
        // The last line may be cut in the middle of a move.
        if found.error.is_some() && !(cut && number == last && moves > 0) {
            return 0;
        }
    }
    match moves {
        0 => 0,
        1..4 => 60,
        _ => 90,
    }
}

/// The moves of one line, up to what is none.
#[derive(Default)]
struct Tokens {
    moves: Vec<Token>,
    /// Where the first number of a move stands (`1.`), which says nothing.
    numbered: Option<usize>,
    error: Option<ReadError>,
}

fn tokens(line: &[u8], number: usize) -> Tokens {
    let mut found = Tokens::default();
    let mut at = 0;
    while at < line.len() {
        if matches!(line[at], b' ' | b'\t' | b'\r') {
            at += 1;
            continue;
        }
        let digits = line[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && line.get(at + digits) == Some(&b'.') {
            found.numbered.get_or_insert(at + 1);
            at += digits + 1;
            continue;
        }
        let length = token_length(&line[at..]);
        let text = std::str::from_utf8(&line[at..at + length]).unwrap_or("");
        let Some(m) = (length > 0).then(|| Move::read(text).ok()).flatten() else {
            found.error = Some(unexpected(line, number, at));
            break;
        };
        if found.moves.len() == MAX_MOVES {
            let message =
                format!("A game has at most {MAX_MOVES} moves; put each on its own line.");
            let error = ReadError::new("too-long", message);
            found.error = Some(error.line(number).column(at + 1));
            break;
        }
        found.moves.push(Token { m, column: at + 1 });
        at += length;
    }
    found
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
#[derive(Clone)]
pub(super) struct Reading {
    pub(super) record: Record,
    rules: Othello,
    position: Position,
    /// Where a disc may go now, after the pass the board makes by itself if that is due.
    squares: u128,
    pass_due: bool,
    /// Whether a move did not fit.
    foul: bool,
    last: usize,
    moves: usize,
}

impl Reading {
    /// A game without moves of this variant, or of the default one.
    ///
    /// # Errors
    /// If the variant is unknown.
    pub(super) fn new(variant: Option<&str>) -> Result<Reading, ReadError> {
        let variant = crate::GAME.variant(variant.unwrap_or(""))?;
        let rules = Othello::of_variant(&variant);
        let position = Position::start(rules.options);
        let name = variant.canonical(crate::GAME.options, None);
        let record = Record::new(crate::GAME.id, &name, &position.write());
        let mut reading = Reading {
            record,
            rules,
            position,
            squares: 0,
            pass_due: false,
            foul: false,
            last: 0,
            moves: 0,
        };
        reading.look();
        Ok(reading)
    }

    /// A copy to read another game into.
    pub(super) fn again(&self) -> Reading {
        let mut reading = self.clone();
        reading.record.nodes.reserve_exact(NODES);
        reading
    }

    fn look(&mut self) {
        let mover = self.position.to_move();
        self.squares = self.position.placements(mover);
        self.pass_due = false;
        if self.squares == 0 {
            self.squares = self.position.placements(mover.other());
            self.pass_due = self.squares != 0;
        }
    }

    fn fits(&self, m: Move) -> bool {
        let size = self.position.size();
        match m.square() {
            None => self.pass_due,
            Some((file, rank)) => {
                file < size && rank < size && self.squares & self.position.bit(file, rank) != 0
            }
        }
    }

    /// The score of a game that is over, empty squares for the winner.
    pub(super) fn final_score(&self) -> Option<(i64, i64)> {
        self.over().then(|| self.rules.final_score(&self.position))
    }

    /// Whether neither side can place a disc.
    fn over(&self) -> bool {
        self.squares == 0
    }

    pub(super) fn add(&mut self, token: &Token, line: usize) -> Result<(), ReadError> {
        self.moves += 1;
        if self.moves > MAX_MOVES {
            let message = format!(
                "A game has at most {MAX_MOVES} moves; leave a blank line between two games."
            );
            return Err(ReadError::new("too-long", message).line(line).column(token.column));
        }
        let fits = self.fits(token.m);
        self.foul |= !fits;
        // A pass in the text is the pass the board makes by itself: it belongs to the same side.
        if self.pass_due && token.m != Move::PASS {
            self.position.play(Move::PASS);
            self.pass_due = false;
        }
        let by = self.position.to_move();
        let entry = Some(Entry::new_move(by, token.m.text()));
        let node = Node { entry, at: Some((line, token.column)), ..Node::default() };
        self.last = self.record.add(self.last, node);
        if fits {
            self.position.play(token.m);
            self.look();
        }
        Ok(())
    }
}

/// Reads every game of a text. A line that cannot be read spoils its game; the next begins behind
/// a blank line, or with a line whose first move opens a game.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let reading =
        super::text_of(&source).and_then(|text| Ok((text, Reading::new(source.variant)?)));
    // Whoever takes the records may have had enough.
    let _ = match reading {
        Ok((text, fresh)) => games(text, &fresh, sink),
        Err(e) => sink(Err(e)),
    };
}

fn games(text: &[u8], fresh: &Reading, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let (mut reading, mut any, mut spoiled) = (None::<Reading>, false, false);
    for (number, line) in lines(text) {
        let found = tokens(line, number);
        let blank = found.moves.is_empty() && found.error.is_none();
        spoiled &= !blank && !found.moves.first().is_some_and(|token| fresh.fits(token.m));
        if spoiled {
            continue;
        }
        if blank || reading.as_ref().is_some_and(|game| begins_anew(game, fresh, &found.moves)) {
            if let Some(game) = reading.take() {
                sink(Ok(game.record))?;
            }
            if blank {
                continue;
            }
        }
        any = true;
        let mut game = reading.take().unwrap_or_else(|| fresh.again());
        let added = found.moves.iter().try_for_each(|token| game.add(token, number));
        if let Some(column) = found.numbered
            && game.record.warnings.is_empty()
        {
            let text = "The numbers of moves are left out.".to_string();
            game.record.warnings.push(Warning { line: number, column, text });
        }
        match added.err().or(found.error) {
            Some(error) => {
                spoiled = true;
                sink(Err(error))?;
            }
            None => reading = Some(game),
        }
    }
    match reading {
        Some(game) => sink(Ok(game.record)),
        None if any => ControlFlow::Continue(()),
        None => {
            let message = "There is no move in this text; write squares like f5d6c3.";
            sink(Err(ReadError::new("empty", message).line(1).column(1)))
        }
    }
}

/// Whether a line begins another game or goes on with this one: what its first move fits decides.
/// Where it fits both, a line of several moves is taken for a game of its own, and one of a move
/// or two for a part of a list. Where it fits neither, it is a damaged game of its own, but behind a
/// foul it may be anything. A line without any move goes on with a game that is not over.
fn begins_anew(reading: &Reading, fresh: &Reading, tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return reading.over() };
    match (fresh.fits(first.m), reading.fits(first.m)) {
        (true, goes_on) => !goes_on || tokens.len() > 2,
        (false, goes_on) => reading.over() || !goes_on && !reading.foul,
    }
}

/// Writes one game a line, without the passes the board makes by itself. A transcript holds the
/// moves of a main line from a variant's own start: names, times and comments are left out.
fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::new();
    let fresh = Reading::new(records.first().map(|record| record.variant.as_str()))?;
    for (i, record) in records.iter().enumerate() {
        let line = line_of(record).map_err(|e| properties::not_held(&e, i, records.len()))?;
        // A short line, or one that begins like no game, would be read as part of the game above.
        let opens = tokens(line.as_bytes(), 1).moves;
        if i > 0 && (opens.len() <= 2 || !fresh.fits(opens[0].m)) {
            text.push('\n');
        }
        text.push_str(&line);
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
