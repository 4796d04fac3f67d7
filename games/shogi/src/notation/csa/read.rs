//! Reading CSA.

use super::divide::Records;
use super::{ENCODING, NUMBER_KEY, PIECES, SEPARATOR, VARIANT_KEY};
use crate::moves::{Color, Move, Piece, PieceKind, Square};
use crate::notation::endings;
use crate::notation::headers;
use crate::notation::stream::{self, LineReader};
use crate::notation::text::{Cursor, odd};
use crate::notation::tree::{Tree, append};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{ReadError, Record, Sink, Source};

const A_LINE: &str = "a line of CSA such as V2.2, N+, $EVENT:, PI, +7776FU, T12 or %TORYO";
const A_PIECE: &str = "a piece: FU KY KE GI KI KA HI OU TO NY NK NG UM RY";
const A_SQUARE: &str = "a square of two digits such as 77";

/// Reads a file record by record.
pub(super) fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let fresh = |number| Reader { head: Head::new(source.variant), tree: None, number };
    stream::stream(source, sink, Records::default(), fresh, || Cursor::new(1, "").expected(A_LINE));
}

/// Whether a line begins with a move.
pub(super) fn is_move(line: &str) -> bool {
    let mut cursor = Cursor::new(1, line);
    side(&mut cursor).is_some() && read_move(&mut cursor).is_ok()
}

fn side(cursor: &mut Cursor<'_>) -> Option<Color> {
    let sign = cursor.eat_any("+-")?;
    Some(if sign == '+' { Color::Sente } else { Color::Gote })
}

fn piece(cursor: &mut Cursor<'_>) -> Result<PieceKind, ReadError> {
    let kind = PIECES.iter().find(|(code, _)| cursor.eat(code)).map(|(_, kind)| *kind);
    kind.ok_or_else(|| cursor.expected(A_PIECE))
}

/// Takes a square; `None` is the hand, `00`.
fn square(cursor: &mut Cursor<'_>) -> Result<Option<Square>, ReadError> {
    let begin = *cursor;
    if cursor.eat("00") {
        return Ok(None);
    }
    let mut digit =
        || cursor.next().and_then(|c| c.to_digit(10)).and_then(|d| u8::try_from(d).ok());
    let at = digit().zip(digit()).and_then(|(file, rank)| Square::new(file, rank));
    at.map(Some).ok_or_else(|| begin.expected(A_SQUARE))
}

/// What a move's text says: origin, destination and the piece afterwards.
fn read_move(cursor: &mut Cursor<'_>) -> Result<(Option<Square>, Square, PieceKind), ReadError> {
    let from = square(cursor)?;
    let at = *cursor;
    let to = square(cursor)?.ok_or_else(|| at.expected(A_SQUARE))?;
    Ok((from, to, piece(cursor)?))
}

/// What stands before the moves.
struct Head {
    record: Record,
    board: Option<Setup>,
    turn: Option<Color>,
    number: u32,
    /// Whether anything of CSA was seen.
    seen: bool,
    /// Whether the variant was asked for from outside.
    asked: bool,
    /// Whether the comment has a line, which may be empty.
    commented: bool,
    /// Whether squares without their blanks were noted.
    narrow: bool,
}

impl Head {
    fn new(variant: Option<&str>) -> Head {
        Head {
            record: Record::new(GAME.id, variant.unwrap_or(GAME.id), ""),
            board: None,
            turn: None,
            number: 1,
            seen: false,
            asked: variant.is_some(),
            commented: false,
            narrow: false,
        }
    }

    fn header(&mut self, line: Cursor<'_>) -> Result<(), ReadError> {
        let Some((key, value)) = headers::split(line.rest) else {
            self.warn(&line, "This header has no colon; it is skipped.");
            return Ok(());
        };
        match (key, value.parse()) {
            (NUMBER_KEY, Ok(number)) if number > 0 => self.number = number,
            (VARIANT_KEY, _) if GAME.variant(value).is_ok() => {
                if !self.asked {
                    self.record.variant = value.to_string();
                }
            }
            _ => {
                let place = line.place();
                headers::add(&mut self.record, headers::of_csa(key), (key, value), place)?;
            }
        }
        Ok(())
    }

    /// A line of the position, behind its P.
    fn position(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        if cursor.eat("I") {
            return self.removed(cursor);
        }
        if let Some(rank) = cursor.eat_any("123456789") {
            let rank = rank.to_digit(10).and_then(|rank| u8::try_from(rank).ok());
            return self.rank(rank.expect("a digit"), cursor);
        }
        let at = cursor;
        let side = side(&mut cursor).ok_or_else(|| at.expected("PI, P1 to P9, P+ or P-"))?;
        self.pieces(side, cursor)
    }

    /// `PI82HI22KA`: the start position without these pieces.
    fn removed(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        let mut setup = Setup::start();
        while !cursor.rest.is_empty() {
            let at = cursor;
            let (from, kind) = (square(&mut cursor)?, piece(&mut cursor)?);
            let place = from.map(|from| &mut setup.board[from.index()]);
            match place.filter(|there| there.map(Piece::kind) == Some(kind)) {
                Some(there) => *there = None,
                None => return Err(at.expected("a piece of the start position and its square")),
            }
        }
        self.board = Some(setup);
        Ok(())
    }

    /// Nine squares of three characters each; blanks at the end may be missing.
    fn rank(&mut self, rank: u8, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        let mut board = self.board.take().unwrap_or_else(Setup::empty);
        for file in (1..=9).rev() {
            let square = Square::new(file, rank).expect("on the board");
            if let Some(color) = side(&mut cursor) {
                board.board[square.index()] = Some(Piece::new(color, piece(&mut cursor)?));
                continue;
            }
            let at = cursor;
            if !cursor.eat(" ") && !self.narrow {
                self.narrow = true;
                self.warn(&at, "An empty square is \" * \", with a blank on each side.");
            }
            if !cursor.eat("*") {
                return Err(at.expected("a square: \" * \", or + or - and a piece"));
            }
            cursor.eat(" ");
        }
        self.board = Some(board);
        match cursor.peek() {
            None => {}
            Some(' ' | '*' | '+' | '-') => return Err(cursor.expected("no tenth square")),
            Some(_) => self.warn(&cursor, "What follows the ninth square is skipped."),
        }
        Ok(())
    }

    /// `63FU00KI`, `00AL`.
    fn pieces(&mut self, color: Color, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        let setup = self.board.get_or_insert_with(Setup::empty);
        while !cursor.rest.is_empty() {
            let at = cursor;
            let Some(to) = square(&mut cursor)? else {
                if cursor.eat("AL") {
                    take_all(setup, color);
                    continue;
                }
                let kind = piece(&mut cursor)?;
                let held = setup.hands[color.index()].get_mut(kind.index());
                let held = held.ok_or_else(|| at.expected("a hand piece: FU KY KE GI KI KA HI"))?;
                if *held == 99 {
                    return Err(at.expected("fewer than 100 pieces of a kind"));
                }
                *held += 1;
                continue;
            };
            setup.board[to.index()] = Some(Piece::new(color, piece(&mut cursor)?));
        }
        Ok(())
    }

    fn warn(&mut self, at: &Cursor<'_>, text: &str) {
        self.record.warnings.push(odd(at.place(), text));
    }

    /// The start position; the moves begin on this line.
    fn start(&mut self, line: usize) -> Setup {
        let mut setup = self.board.take().unwrap_or_else(Setup::start);
        setup.turn = self.turn.unwrap_or(Color::Sente);
        if self.turn.is_none() {
            let text = "No line with + or - says who begins; it is sente.";
            self.warn(&Cursor::new(line, ""), text);
        }
        setup.number = self.number;
        setup
    }
}

/// Puts all pieces of a set that are nowhere yet into a hand.
fn take_all(setup: &mut Setup, color: Color) {
    for kind in PieceKind::HAND {
        let on_board = setup.board.iter().flatten().filter(|p| p.kind().unpromoted() == kind);
        let held: usize = setup.hands.iter().map(|hand| usize::from(hand[kind.index()])).sum();
        let rest = usize::from(kind.in_a_set()).saturating_sub(on_board.count() + held);
        setup.hands[color.index()][kind.index()] += u8::try_from(rest).expect("at most a set");
    }
}

struct Reader {
    head: Head,
    tree: Option<Tree>,
    /// The line being read.
    number: usize,
}

impl LineReader for Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        self.number = number;
        if let Some(comment) = line.strip_prefix('\'') {
            let first = self.tree.is_none() && !self.head.seen;
            if !(first && line.starts_with(ENCODING)) {
                self.comment(comment);
            }
        } else if line.trim() != SEPARATOR {
            self.statement_line(Cursor::new(number, line.trim_end()))?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Option<Record>, ReadError> {
        if self.head.seen {
            self.moves()?;
        }
        Ok(self.tree.map(Tree::finish))
    }
}

impl Reader {
    /// Takes a comment without its apostrophe.
    fn comment(&mut self, text: &str) {
        let text = text.strip_prefix('*').unwrap_or(text);
        match &mut self.tree {
            Some(tree) => tree.comment(text),
            None => {
                let head = &mut self.head;
                append(&mut head.record.nodes[0].comment, text, head.commented);
                head.commented = true;
            }
        }
    }

    fn statement_line(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        match cursor.peek() {
            None => return Ok(()),
            Some('+' | '-' | '%' | 'T' | 'P') => return self.statements(cursor),
            // What a server says, in the log of a game.
            Some('#') => return self.skipped(cursor),
            _ => {}
        }
        let begin = cursor;
        if let Some(tree) = self.tree.as_mut().filter(|_| begin.rest.starts_with('$')) {
            tree.warn(begin.place(), "A header stands behind moves.")?;
            cursor.eat("$");
            let header = headers::split(cursor.rest);
            let (key, value) = header.ok_or_else(|| begin.expected(A_LINE))?;
            let canonical = headers::of_csa(key);
            return headers::add(&mut tree.record, canonical, (key, value), begin.place());
        }
        self.before_moves(&cursor)?;
        let head = &mut self.head;
        if cursor.eat("N+") {
            let header = ("N+", cursor.rest.trim());
            headers::add(&mut head.record, Some("first"), header, cursor.place())?;
        } else if cursor.eat("N-") {
            let header = ("N-", cursor.rest.trim());
            headers::add(&mut head.record, Some("second"), header, cursor.place())?;
        } else if cursor.eat("$") {
            head.header(cursor)?;
        } else if !(cursor.eat("V") && cursor.peek().is_some_and(|c| c.is_ascii_digit())) {
            return Err(begin.expected(A_LINE));
        }
        self.head.seen = true;
        Ok(())
    }

    /// The error of a line that stands behind moves and may not.
    fn before_moves(&self, at: &Cursor<'_>) -> Result<(), ReadError> {
        match self.tree {
            None => Ok(()),
            Some(_) => {
                Err(at.expected("a move such as +7776FU, T12, %TORYO, or / before a record"))
            }
        }
    }

    fn skipped(&mut self, cursor: Cursor<'_>) -> Result<(), ReadError> {
        let text = "This line says nothing of the game; it is skipped.";
        match &mut self.tree {
            Some(tree) => tree.warn(cursor.place(), text),
            None if self.head.record.warnings.len() > 20 => Err(cursor.expected(A_LINE)),
            None => {
                self.head.record.warnings.push(odd(cursor.place(), text));
                Ok(())
            }
        }
    }

    /// Positions, moves, times and endings, several to a line if separated by commas, and a
    /// comment behind them.
    fn statements(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        self.head.seen = true;
        loop {
            let place = cursor.place();
            match cursor.peek() {
                Some('+' | '-') => self.side_or_move(&mut cursor)?,
                Some('T') => self.time(&mut cursor)?,
                Some('P') => {
                    self.before_moves(&cursor)?;
                    let (line, column) = place;
                    let rest = cursor.take_while(|c| c != ',');
                    let mut position = Cursor { rest: rest.trim_end(), line, column };
                    position.eat("P");
                    self.head.position(position)?;
                }
                Some('\'') => {
                    self.comment(&cursor.rest[1..]);
                    return Ok(());
                }
                Some('%') => {
                    let at = cursor;
                    let word = cursor.take_while(|c| c != ',').trim_end();
                    let ending = endings::find(endings::CSA, word)
                        .ok_or_else(|| at.expected("an ending such as %TORYO or %CHUDAN"))?;
                    self.moves()?.end(ending, word, place)?;
                }
                _ => return Err(cursor.expected(A_LINE)),
            }
            cursor.skip_blanks();
            if !cursor.eat(",") {
                break;
            }
            cursor.skip_blanks();
        }
        if cursor.rest.is_empty() {
            Ok(())
        } else {
            Err(cursor.expected("a comma or nothing more"))
        }
    }

    fn side_or_move(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        let begin = *cursor;
        let place = begin.place();
        let by = side(cursor).expect("a sign stands here");
        if cursor.rest.is_empty() || cursor.rest.starts_with(',') {
            match &mut self.tree {
                Some(tree) => tree.warn(place, "The side to move stands behind moves; skipped.")?,
                None => self.head.turn = Some(by),
            }
            return Ok(());
        }
        let (from, to, named) = read_move(cursor)?;
        let Some(from) = from else {
            let m = Some(named).filter(|kind| !kind.is_promoted());
            let m = m.and_then(|kind| Move::drop(kind, to));
            let expected = "a piece that can be dropped: FU KY KE GI KI KA HI";
            let m = m.ok_or_else(|| begin.expected(expected))?;
            return self.moves()?.play(by, m, named, place);
        };
        let tree = self.moves()?;
        let there = tree.board().piece_at(from).map(Piece::kind);
        let promotes = there.map_or(named.is_promoted(), |kind| kind.promoted() == Some(named));
        if there.is_none() || !promotes && there != Some(named) {
            tree.warn(place, "The move names another piece than stands on its origin.")?;
        }
        tree.play(by, Move::board(from, to, promotes), named.unpromoted(), place)
    }

    /// `T12`, in version 3 also `T12.345`.
    fn time(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        let place = cursor.place();
        cursor.eat("T");
        let at = *cursor;
        let seconds = cursor.number().ok_or_else(|| at.expected("seconds, such as T12"))?;
        let mut ms = seconds * 1000;
        if cursor.eat(".") {
            let digits = cursor.take_while(|c| c.is_ascii_digit()).bytes();
            let digits = digits.map(|b| u64::from(b - b'0')).chain(std::iter::repeat(0));
            ms += digits.take(3).fold(0, |n, d| n * 10 + d);
        }
        let tree = self.moves()?;
        if !tree.spent(ms) {
            tree.warn(place, "A time before the first move is skipped.")?;
        }
        Ok(())
    }

    /// The record being read, begun where it was not.
    fn moves(&mut self) -> Result<&mut Tree, ReadError> {
        if self.tree.is_none() {
            let start = self.head.start(self.number);
            let record = std::mem::replace(&mut self.head, Head::new(None)).record;
            self.tree = Some(Tree::new(record, start)?);
            self.head.seen = true;
        }
        Ok(self.tree.as_mut().expect("begun above"))
    }
}
