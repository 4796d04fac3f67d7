//! USEN, the notation of shogi links: `POSITION~OFFSET.MOVES.END`, then `~OFFSET.MOVES.END` for
//! each branch; a record a line.
//!
//! The position is an SFEN without its number, `_` for `/`, `.` for a blank, `z` for `+`, empty in
//! an even game. An offset counts the plies of the game before the line, a move is three digits of
//! base 36, an end is one letter.

use super::endings::{self, Ending};
use super::stream::{self, EachLine, LineReader};
use super::text::{Cursor, cannot_hold, wrong};
use super::tracker::Tracker;
use super::tree::{LinesOfPlay, Told, Tree, ending_words, start_of, told};
use crate::moves::{Color, Move, PieceKind, Square};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{Format, Node, ReadError, Record, Sink, Source, gather};
use std::fmt::Write as _;

const NAME: &str = "USEN";
const FITS: &str = "a string takes everything";
const A_MOVE: &str = "a move of three digits of base 36, such as 7ku";
/// How much of a file tells its format.
const SAMPLE: usize = 1024;
const BASE: u32 = 36;
/// Digits of a move.
const DIGITS: usize = 3;
const SQUARES: u32 = 81;
/// The numbers of the pieces that are dropped stand behind those of the squares.
const DROPS: [(u32, PieceKind); 7] = [
    (9, PieceKind::Gold),
    (10, PieceKind::Pawn),
    (11, PieceKind::Lance),
    (12, PieceKind::Knight),
    (13, PieceKind::Silver),
    (14, PieceKind::Bishop),
    (15, PieceKind::Rook),
];

/// The format.
pub(super) const FORMAT: Format = Format {
    id: "usen",
    extensions: &["usen"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    write: Some(write),
    joint: Some(""),
    ..Format::NONE
};

/// How surely a text is USEN: its first line up to the first moves.
fn sniff(bytes: &[u8]) -> u8 {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SAMPLE)]);
    let line = text.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or_default();
    let Some((position, rest)) = line.split_once('~') else { return 0 };
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let played = rest[digits..].starts_with('.');
    if digits > 0 && played && position.chars().all(fits) { 90 } else { 0 }
}

/// Reads a file line by line.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let fresh = |_| Reader { asked: source.variant, read: None };
    let nothing = || wrong((1, 1), "no record", "a line of USEN such as ~0.7ku2jm.");
    stream::stream(source, sink, EachLine::default(), fresh, nothing);
}

/// A line.
struct Reader<'a> {
    asked: Option<&'a str>,
    read: Option<Record>,
}

impl LineReader for Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let mut cursor = Cursor::new(number, line.trim_end());
        cursor.skip_blanks();
        if !cursor.rest.is_empty() {
            self.read = Some(record(cursor, self.asked)?);
        }
        Ok(())
    }

    fn finish(self) -> Result<Option<Record>, ReadError> {
        Ok(self.read)
    }
}

fn record(mut cursor: Cursor<'_>, asked: Option<&str>) -> Result<Record, ReadError> {
    let mut setup = position(&mut cursor)?;
    let first = offset(&mut cursor)?;
    setup.number = u32::try_from(first + 1).unwrap_or(u32::MAX);
    let record = Record::new(GAME.id, asked.unwrap_or(GAME.id), "");
    let mut tree = Tree::new(record, setup)?;
    line(&mut tree, &mut cursor)?;
    while !cursor.rest.is_empty() {
        let begin = cursor;
        let plies = offset(&mut cursor)?.checked_sub(first).and_then(|n| usize::try_from(n).ok());
        let begun = plies.and_then(|plies| begin_branch(&mut tree, plies, cursor));
        begun.ok_or_else(|| begin.expected("~ and the number of plies before a branch"))?;
        line(&mut tree, &mut cursor)?;
    }
    Ok(tree.finish())
}

/// Begins a branch. Some programs count along the line before, others along the main line: what
/// its first move allows decides, else it is the line before.
fn begin_branch(tree: &mut Tree, plies: usize, mut moves: Cursor<'_>) -> Option<()> {
    tree.branch_behind(plies)?;
    let m = read_move(&mut moves);
    let allows = |board: &Tracker| m.as_ref().is_ok_and(|m| board.allows(board.turn(), *m));
    if !allows(tree.board()) && tree.main_board(plies).is_some_and(allows) {
        tree.branch_off_main(plies);
    }
    Some(())
}

/// Reads the start position.
fn position(cursor: &mut Cursor<'_>) -> Result<Setup, ReadError> {
    let begin = *cursor;
    let text = cursor.take_while(|c| c != '~');
    if text.is_empty() {
        return Ok(Setup::start());
    }
    let sfen: String = text
        .chars()
        .map(|c| match c {
            '_' => '/',
            '.' => ' ',
            'z' => '+',
            other => other,
        })
        .collect();
    Setup::from_sfen(&sfen).map_err(|e| {
        let error = super::read_error(&e).line(begin.line);
        error.column(begin.column + e.column - 1)
    })
}

/// Reads `~12.`, the plies before a line.
fn offset(cursor: &mut Cursor<'_>) -> Result<u64, ReadError> {
    let begin = *cursor;
    let expected = || begin.expected("~ and the number of plies before a line, such as ~0.");
    if !cursor.eat("~") {
        return Err(expected());
    }
    let number = cursor.number().ok_or_else(expected)?;
    if !cursor.eat(".") {
        return Err(cursor.expected("a full stop before the moves"));
    }
    Ok(number)
}

/// Reads the moves of a line and its end.
fn line(tree: &mut Tree, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
    while !cursor.rest.is_empty() && !cursor.rest.starts_with(['.', '~']) {
        play(tree, cursor)?;
    }
    if !cursor.eat(".") {
        return Ok(());
    }
    let begin = *cursor;
    let Some(letter) = cursor.next().filter(|c| *c != '~') else {
        *cursor = begin;
        return Ok(());
    };
    let mut text = [0; 4];
    let letter = &*letter.encode_utf8(&mut text);
    let ending = endings::find(words(tree.may_declare()), letter);
    let mut ending = ending.ok_or_else(|| begin.expected("an end: r, t, j, p, i or nothing"))?;
    if ending == Ending::LostByFoul && !cursor.rest.is_empty() && !cursor.rest.starts_with('~') {
        // The move that was the foul.
        play(tree, cursor)?;
        ending = Ending::WonByFoul;
    }
    let word = ending.name(tree.board().turn());
    tree.end(ending, word, begin.place())
}

/// What the letters say where the side to move may, or may not, declare its win.
fn words(declares: bool) -> &'static [(&'static str, Ending)] {
    if declares { endings::USEN_DECLARING } else { endings::USEN }
}

fn play(tree: &mut Tree, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
    let place = cursor.place();
    let m = read_move(cursor)?;
    let by = tree.board().author(m);
    tree.play(by, m, PieceKind::Pawn, place)
}

fn read_move(cursor: &mut Cursor<'_>) -> Result<Move, ReadError> {
    let begin = *cursor;
    let mut number = 0;
    for _ in 0..DIGITS {
        let digit = cursor.next().filter(|c| !c.is_ascii_uppercase());
        let digit = digit.and_then(|c| c.to_digit(BASE)).ok_or_else(|| begin.expected(A_MOVE))?;
        number = number * BASE + digit;
    }
    let (from, to, promotes) = (number / 2 / SQUARES, number / 2 % SQUARES, number % 2 == 1);
    let m = match from.checked_sub(SQUARES) {
        None => Some(Move::board(square(from), square(to), promotes)),
        Some(_) if promotes => None,
        Some(piece) => {
            let kind = DROPS.iter().find(|(number, _)| *number == piece).map(|(_, kind)| *kind);
            kind.and_then(|kind| Move::drop(kind, square(to)))
        }
    };
    m.ok_or_else(|| begin.expected(A_MOVE))
}

/// The square of a number, counted along the ranks from the right.
fn square(number: u32) -> Square {
    let part = |n: u32| u8::try_from(n + 1).expect("below ten");
    Square::new(part(number % 9), part(number / 9)).expect("both are from 1 to 9")
}

fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = String::new();
    for record in records {
        let start = start_of(record)?;
        if !["", GAME.id].contains(&record.variant.as_str()) {
            return Err(cannot_hold(NAME, "this variant"));
        }
        if !record.tags.is_empty() || !record.unknown.is_empty() {
            return Err(cannot_hold(NAME, "headers"));
        }
        Writer { record, start: &start, out: &mut out, claimed: false }.write()?;
        out.push('\n');
    }
    Ok(out.into_bytes())
}

/// What is kept of the node before.
#[derive(Clone)]
struct Kept {
    board: Tracker,
    /// The last move, its side and the board before it.
    last: Option<(Tracker, Color, Move)>,
    /// Plies of the game before the next node.
    plies: u64,
    /// Whether the line has an end.
    ended: bool,
}

struct Writer<'a> {
    record: &'a Record,
    start: &'a Setup,
    out: &'a mut String,
    /// Whether the claim has been written.
    claimed: bool,
}

impl Writer<'_> {
    fn write(&mut self) -> Result<(), ReadError> {
        let start = self.start;
        let even = Setup { number: start.number, ..Setup::start() };
        if *start != even {
            let sfen = Setup { number: 1, ..start.clone() }.to_sfen();
            let sfen = sfen.strip_suffix(" 1").expect("an SFEN ends with its number");
            let safe = sfen.replace('/', "_").replace(' ', ".").replace('+', "z");
            self.out.push_str(&safe);
        }
        let plies = u64::from(start.number) - 1;
        let board = Tracker::new(start.clone());
        let mut end = Kept { board, last: None, plies, ended: false };
        write!(self.out, "~{plies}.").expect(FITS);
        let mut lines = LinesOfPlay::new(self.record, end.clone());
        lines.next(|node, kept, _| {
            end = self.node(node, kept, true)?;
            Ok::<_, ReadError>(end.clone())
        })?;
        if self.record.claimed.is_some() && !self.claimed {
            self.ending(&mut end, None, true)?;
        }
        self.close(&end);
        loop {
            let mut end = None;
            let any = lines.next(|node, kept, first| {
                if first {
                    self.check_first(node, &kept.board)?;
                    write!(self.out, "~{}.", kept.plies).expect(FITS);
                }
                let kept = self.node(node, kept, false)?;
                end = Some(kept.clone());
                Ok::<_, ReadError>(kept)
            })?;
            if !any {
                return Ok(());
            }
            self.close(&end.expect("a line has a node"));
        }
    }

    /// A reader tells by a branch's first move where it begins, so that has to be a legal one.
    fn check_first(&self, node: usize, board: &Tracker) -> Result<(), ReadError> {
        match told(NAME, &self.record.nodes[node], board)? {
            Told::Move(by, m) if !board.allows(by, m) => {
                Err(cannot_hold(NAME, "a branch that begins with a foul"))
            }
            _ => Ok(()),
        }
    }

    /// The full stop that stands before an end stands without one, too.
    fn close(&mut self, end: &Kept) {
        if !end.ended {
            self.out.push('.');
        }
    }

    fn node(&mut self, index: usize, mut kept: Kept, main: bool) -> Result<Kept, ReadError> {
        let node: &Node = &self.record.nodes[index];
        if !node.comment.is_empty() {
            return Err(cannot_hold(NAME, "comments"));
        }
        if node.spent_ms.is_some() {
            return Err(cannot_hold(NAME, "times"));
        }
        if index == 0 {
            return match node.entry {
                None => Ok(kept),
                Some(_) => Err(cannot_hold(NAME, "a move before the first")),
            };
        }
        if kept.ended {
            return Err(cannot_hold(NAME, "anything behind the end of the game"));
        }
        let claims = main && self.record.claimed.is_some() && !self.claimed;
        match told(NAME, node, &kept.board)? {
            Told::Move(by, m) if by == kept.board.author(m) => {
                self.out.push_str(&move_text(m)?);
                kept.last = Some((kept.board.clone(), by, m));
                kept.board.play(by, m, PieceKind::Pawn);
                kept.plies += 1;
            }
            Told::Move(..) => {
                return Err(cannot_hold(NAME, "a move of a side that is not to move"));
            }
            Told::Ending(ending) => self.ending(&mut kept, Some(ending), main)?,
            Told::Nothing if claims && node.children.is_empty() => {
                self.ending(&mut kept, None, main)?;
            }
            Told::Nothing => return Err(cannot_hold(NAME, "a node without a move")),
        }
        Ok(kept)
    }

    /// Whether the claim says that the last move lost by a foul.
    fn lost_by_last(&self, kept: &Kept) -> bool {
        let claim = |claimed| endings::of_claim(claimed, kept.board.turn());
        let claimed = self.record.claimed.as_ref().and_then(claim);
        let won = [Ending::WonByFoul, Ending::FoulOf(!kept.board.turn())];
        let foul = |(board, by, m): &(Tracker, Color, Move)| !board.allows(*by, *m);
        claimed.is_some_and(|c| won.contains(&c)) && kept.last.as_ref().is_some_and(foul)
    }

    fn ending(
        &mut self,
        kept: &mut Kept,
        call: Option<Ending>,
        main: bool,
    ) -> Result<(), ReadError> {
        kept.ended = true;
        let claims = main && !self.claimed;
        if claims && call.is_none() && self.lost_by_last(kept) {
            // The last move stands behind the letter.
            self.out.insert_str(self.out.len() - DIGITS, ".i");
            self.claimed = true;
            return Ok(());
        }
        let board = &kept.board;
        let rules = endings::rules_of(&self.record.variant, self.start)?;
        let words = words(endings::may_declare(rules, self.start, board));
        let word = if claims {
            let said = ending_words(NAME, words, self.record, call, (self.start, board))?;
            match &said[..] {
                [word] => word.clone(),
                _ => return Err(cannot_hold(NAME, "a declaration that failed")),
            }
        } else {
            let word = call.and_then(|ending| ending.word(words, board.turn()));
            word.ok_or_else(|| cannot_hold(NAME, "this ending"))?.to_string()
        };
        self.claimed |= main;
        write!(self.out, ".{word}").expect(FITS);
        Ok(())
    }
}

fn move_text(m: Move) -> Result<String, ReadError> {
    let number = |s: Square| u32::from(s.rank() - 1) * 9 + u32::from(s.file() - 1);
    let from = match (m.from(), m.dropped()) {
        (Some(from), _) => number(from),
        (None, kind) => {
            let found = DROPS.iter().find(|(_, k)| Some(*k) == kind);
            SQUARES + found.ok_or_else(|| cannot_hold(NAME, "this drop"))?.0
        }
    };
    let mut rest = (from * SQUARES + number(m.to())) * 2 + u32::from(m.promotes());
    let mut digits = ['0'; DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = char::from_digit(rest % BASE, BASE).expect("a digit of the base");
        rest /= BASE;
    }
    Ok(digits.iter().collect())
}
