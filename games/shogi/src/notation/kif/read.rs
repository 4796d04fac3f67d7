//! Reading KIF.

use super::divide::Records;
use super::{LAST_MOVE_KEY, SPENT, Style, VARIANT_KEY, is_marked};
use crate::moves::{Color, Piece, Square};
use crate::notation::diagram::{self, Diagram};
use crate::notation::endings::{self, SUMMARY};
use crate::notation::headers;
use crate::notation::japanese::{self, Said};
use crate::notation::stream::{self, LineReader};
use crate::notation::text::{Cursor, digit, is_blank, odd, wrong};
use crate::notation::tree::{Tree, append};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{ReadError, Record, Sink, Source};

/// Lines before the moves that say nothing known: more of them and it is no KIF.
const MOST_ODD_LINES: usize = 20;
/// Names the start.
pub(super) const NAME_KEY: &str = "手合割";
/// Announces a branch: `変化：12手`.
pub(super) const BRANCH: &str = "変化";
const A_MOVE: &str = "a move such as 1 ７六歩(77), or an ending such as 投了";
const A_MARKED_MOVE: &str = "a marked move of KI2 such as ▲７六歩 (KIF numbers its moves)";
const A_TIME: &str = "a time such as ( 0:12/00:00:12)";

/// Reads a file record by record.
pub(super) fn stream(style: Style, source: Source<'_>, sink: &mut Sink<'_>) {
    let fresh = |begin| Reader { style, begin, head: Head::new(source.variant), tree: None };
    stream::stream(source, sink, Records::new(style), fresh, || {
        no_record(style, (1, 1), "no record")
    });
}

/// The error of a text that holds nothing of the format.
fn no_record(style: Style, place: (usize, usize), found: &str) -> ReadError {
    let expected = format!("a {} record, beginning like 手合割：平手", style.name());
    wrong(place, found, &expected)
}

/// Whether a line is a numbered Japanese move or ending.
pub(super) fn is_move_line(line: &str) -> bool {
    let mut cursor = Cursor::new(1, line);
    cursor.skip_blanks();
    if cursor.number().is_none() {
        return false;
    }
    cursor.skip_blanks();
    endings::find(endings::KIF, word(cursor)).is_some() || japanese::read(&mut cursor).is_ok()
}

/// Whether a line behind a head begins the moves: one that is marked is not meant. Whether anything
/// of a record was `seen` before tells numbers of moves from others.
pub(super) fn begins_moves(body: &str, seen: bool) -> bool {
    if body.starts_with(|c| digit(c).is_some()) {
        return !diagram::is_file_line(body) && (seen || is_move_line(body));
    }
    body.starts_with(SUMMARY)
        || body.starts_with(BRANCH)
        || endings::find(endings::KIF, word(Cursor::new(1, body))).is_some()
}

/// Whether a line begins a record of another format, JSON or SGF and its kin.
pub(super) fn is_foreign(body: &str) -> bool {
    body.starts_with("{\"") || body.starts_with("(;")
}

/// Whose hand a header is.
pub(super) fn hand_of(key: &str) -> Option<Color> {
    match key {
        "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => {
            Some(Color::Sente)
        }
        "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => {
            Some(Color::Gote)
        }
        _ => None,
    }
}

/// The word that stands here.
fn word(mut cursor: Cursor<'_>) -> &str {
    cursor.take_while(|c| !is_blank(c) && !"(（".contains(c))
}

/// What stands before the moves.
struct Head {
    record: Record,
    diagram: Diagram,
    /// The position of 手合割, and whether it is a handicap.
    preset: Option<Setup>,
    /// A 手合割 that names no position.
    unnamed: Option<((usize, usize), String)>,
    /// Where a hand stands.
    hand_at: Option<(usize, usize)>,
    turn: Option<Color>,
    /// The number of the next move, from 手数＝.
    number: Option<u32>,
    /// Where the move before ended.
    last: Option<Square>,
    odd_lines: usize,
    /// Whether anything of KIF was seen.
    seen: bool,
    first_odd: Option<((usize, usize), String)>,
    /// Whether the variant was asked for from outside.
    asked: bool,
    /// Whether the comment has a line, which may be empty.
    commented: bool,
}

impl Head {
    fn new(variant: Option<&str>) -> Head {
        Head {
            record: Record::new(GAME.id, variant.unwrap_or(GAME.id), ""),
            diagram: Diagram::default(),
            preset: None,
            unnamed: None,
            hand_at: None,
            turn: None,
            number: None,
            last: None,
            odd_lines: 0,
            seen: false,
            first_odd: None,
            asked: variant.is_some(),
            commented: false,
        }
    }

    /// Takes a line that is no move; false if it is nothing known.
    fn line(&mut self, number: usize, line: &str) -> Result<bool, ReadError> {
        let body = line.trim_matches(is_blank);
        if body.starts_with('|') {
            self.diagram.rank(number, line)?;
        } else if body.starts_with("+-") || diagram::is_file_line(body) {
            // The frame of the diagram.
        } else if let Some(turn) = turn_line(body) {
            self.turn = Some(turn);
        } else if body.starts_with("手数") && body.contains("--") {
            // The line above the moves.
        } else if body.starts_with("手数＝") || body.starts_with("手数=") {
            self.last_move(Cursor::new(number, line))?;
        } else if body.starts_with("盤面回転") {
            let text = "The board was shown turned (盤面回転); that is not kept.";
            self.record.warnings.push(odd((number, 1), text));
        } else if let Some((key, value)) = headers::split(body) {
            return self.header(number, line, key, value);
        } else {
            return Ok(false);
        }
        self.seen = true;
        Ok(true)
    }

    /// `手数＝22  ▲５三歩  まで`: the move need not be there.
    fn last_move(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        cursor.take_while(|c| c != '＝' && c != '=');
        cursor.next();
        let n = cursor.number().ok_or_else(|| cursor.expected("the number of the last move"))?;
        self.number = Some(number_of(n + 1));
        cursor.skip_blanks();
        let begin = cursor;
        let Ok(said) = japanese::read(&mut cursor) else { return Ok(()) };
        self.last = said.to;
        let text = &begin.rest[..begin.rest.len() - cursor.rest.len()];
        headers::add(&mut self.record, None, (LAST_MOVE_KEY, text), begin.place())
    }

    fn header(
        &mut self,
        number: usize,
        line: &str,
        key: &str,
        value: &str,
    ) -> Result<bool, ReadError> {
        let at = headers::value_at(number, line);
        if let Some(side) = hand_of(key) {
            self.diagram.hand(side, at)?;
            self.hand_at.get_or_insert((number, 1));
            self.seen = true;
            return Ok(true);
        }
        match key {
            NAME_KEY => {
                self.preset = headers::handicap(value);
                let unnamed = self.preset.is_none().then(|| (at.place(), value.to_string()));
                self.unnamed = unnamed.filter(|(_, name)| !name.is_empty());
            }
            VARIANT_KEY if GAME.variant(value).is_ok() => {
                if !self.asked {
                    self.record.variant = value.to_string();
                }
            }
            key => {
                let place = (number, 1);
                headers::add(&mut self.record, headers::of_kif(key), (key, value), place)?;
                self.seen |= headers::is_known_kif(key);
                return Ok(true);
            }
        }
        self.seen = true;
        Ok(true)
    }

    /// The error of a diagram that is none.
    fn only_a_diagram(&self, begin: usize, moves: bool) -> Result<(), ReadError> {
        if moves {
            return Err(wrong((begin, 1), "moves", "a diagram alone; with moves it is KIF or KI2"));
        }
        if !self.diagram.is_begun() {
            return Err(wrong((begin, 1), "no diagram", "nine ranks such as |v香v桂 ・ ... |一"));
        }
        Ok(())
    }

    /// The start position, as far as the first move tells it.
    fn start(&mut self, first: First) -> Result<Setup, ReadError> {
        let handicap = self.preset.as_ref().is_some_and(|p| p.turn == Color::Gote);
        let mut setup = if self.diagram.is_begun() {
            let mut setup = self.diagram.setup()?;
            let origin = first.from.and_then(|from| setup.board[from.index()]).map(Piece::color);
            let by = first.by.or(origin);
            if handicap || self.turn.is_none() && by == Some(Color::Gote) {
                setup.turn = Color::Gote;
            }
            setup
        } else if let Some((place, name)) = &self.unnamed {
            if name != "その他" {
                return Err(wrong(*place, name, headers::A_HANDICAP));
            }
            let text = "There is no diagram for その他; the game starts as an even game.";
            self.record.warnings.push(odd(*place, text));
            Setup::start()
        } else {
            self.preset.clone().unwrap_or_else(Setup::start)
        };
        if !self.diagram.is_begun() && self.diagram.has_hands() {
            let text = "Pieces in hand without a diagram are not kept.";
            self.record.warnings.push(odd(self.hand_at.expect("hands were read"), text));
        }
        setup.turn = self.turn.unwrap_or(setup.turn);
        setup.number = self.number.or(first.number.map(number_of)).unwrap_or(1).max(1);
        Ok(setup)
    }
}

/// What the first line of the moves tells of the start.
#[derive(Clone, Copy, Default)]
struct First {
    number: Option<u64>,
    from: Option<Square>,
    by: Option<Color>,
}

/// A move's number as a position counts it.
fn number_of(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// `先手番` and its kin.
pub(super) fn turn_line(body: &str) -> Option<Color> {
    match body {
        "先手番" | "下手番" => Some(Color::Sente),
        "後手番" | "上手番" => Some(Color::Gote),
        _ => None,
    }
}

/// A record whose moves have begun.
struct Moves {
    tree: Tree,
    /// The number of the first move.
    first: u64,
    /// Whether the main line has been closed by まで.
    closed: bool,
}

struct Reader {
    style: Style,
    /// The line the record begins at.
    begin: usize,
    head: Head,
    tree: Option<Moves>,
}

impl LineReader for Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let body = line.trim_start_matches(is_blank);
        if let Some(text) = body.strip_prefix('*') {
            self.comment(text);
        } else if body.starts_with('&') {
            self.comment(body);
        } else if body.starts_with('#') {
            if let (Some(moves), Some(ms)) = (&mut self.tree, spent(body)) {
                moves.tree.spent(ms);
            }
        } else if is_foreign(body) {
            let expected = format!("a line of {}, as in the rest of the file", self.style.name());
            return Err(wrong((number, 1), body, &expected));
        } else if !body.is_empty() {
            if self.tree.is_some() || self.begins_moves(body) {
                return self.play_line(number, line);
            }
            if !self.head.line(number, line)? {
                self.odd_line(number, body)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Option<Record>, ReadError> {
        if self.tree.is_none() && !self.head.seen {
            let Head { record, first_odd, .. } = self.head;
            if first_odd.is_none() && record.unknown.is_empty() && record.tags.is_empty() {
                return Ok(None);
            }
            let begin = ((self.begin, 1), "no record".to_string());
            let (place, found) = first_odd.unwrap_or(begin);
            return Err(no_record(self.style, place, &found));
        }
        if self.style == Style::Bod {
            self.head.only_a_diagram(self.begin, self.tree.is_some())?;
        }
        self.moves(First::default())?;
        Ok(self.tree.map(|moves| moves.tree.finish()))
    }
}

impl Reader {
    fn comment(&mut self, text: &str) {
        match &mut self.tree {
            Some(moves) => moves.tree.comment(text),
            None => {
                let head = &mut self.head;
                append(&mut head.record.nodes[0].comment, text, head.commented);
                head.commented = true;
            }
        }
    }

    fn odd_line(&mut self, number: usize, body: &str) -> Result<(), ReadError> {
        // Moves that are skipped would make a game of nothing.
        if is_marked(body) {
            let expected = "a numbered move of KIF such as 1 ７六歩(77); moves like this are KI2";
            return Err(wrong((number, 1), body, expected));
        }
        let head = &mut self.head;
        head.odd_lines += 1;
        head.first_odd.get_or_insert_with(|| ((number, 1), body.chars().take(40).collect()));
        if head.odd_lines > MOST_ODD_LINES {
            return Err(wrong((number, 1), body, "a header, a diagram or a move of KIF"));
        }
        head.record.warnings.push(odd((number, 1), "This line says nothing known; it is skipped."));
        Ok(())
    }

    /// Whether a line behind the head begins the moves.
    fn begins_moves(&self, body: &str) -> bool {
        self.style == Style::Ki2 && is_marked(body) || begins_moves(body, self.head.seen)
    }

    /// The record being read, begun where it was not.
    fn moves(&mut self, first: First) -> Result<&mut Moves, ReadError> {
        if self.tree.is_none() {
            let start = self.head.start(first)?;
            let first = first.number.unwrap_or(u64::from(start.number));
            let Head { record, last, .. } = std::mem::replace(&mut self.head, Head::new(None));
            let mut tree = Tree::new(record, start)?;
            last.into_iter().for_each(|square| tree.begin_behind(square));
            self.tree = Some(Moves { tree, first, closed: false });
        }
        Ok(self.tree.as_mut().expect("begun above"))
    }

    /// A line of the moves.
    fn play_line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let mut cursor = Cursor::new(number, line);
        cursor.skip_blanks();
        let body = cursor.rest;
        if body.starts_with(SUMMARY) {
            return self.summary(cursor);
        }
        if cursor.eat(BRANCH) {
            return self.branch(cursor);
        }
        let begin = cursor;
        if self.style == Style::Ki2 && is_marked(body) {
            return self.marked_moves(cursor);
        } else if let Some(n) = cursor.number() {
            if self.style == Style::Ki2 {
                return Err(begin.expected(A_MARKED_MOVE));
            }
            return self.move_line(n, cursor);
        }
        if let Some(ending) = endings::find(endings::KIF, word(cursor)) {
            let moves = self.moves(First::default())?;
            return moves.tree.end(ending, word(cursor), cursor.place());
        }
        let moves = self.moves(First::default())?;
        let known = body.starts_with("手数") || turn_line(body.trim_end()).is_some();
        let over = moves.closed || moves.tree.record.claimed.is_some();
        let header = headers::split(body).filter(|_| !known);
        if let Some((key, value)) = header.filter(|(key, _)| over || headers::is_known_kif(key)) {
            let (record, canonical) = (&mut moves.tree.record, headers::of_kif(key));
            headers::add(record, canonical, (key, value), cursor.place())?;
            return moves.tree.warn(cursor.place(), "This header stands behind the moves.");
        }
        if known || over {
            return moves.tree.warn(cursor.place(), "This line behind the moves is skipped.");
        }
        Err(cursor.expected(if self.style == Style::Ki2 { A_MARKED_MOVE } else { A_MOVE }))
    }

    /// The moves of a line of KI2: `▲７六歩 △３四歩`, with or without blanks between them.
    fn marked_moves(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        while !cursor.rest.is_empty() {
            let begin = cursor;
            let said = japanese::read(&mut cursor)?;
            let by = said.by.ok_or_else(|| begin.expected(A_MARKED_MOVE))?;
            let moves = self.moves(First { from: said.from, by: Some(by), ..First::default() })?;
            moves.play(&said, Some(by), begin.place())?;
            cursor.skip_blanks();
        }
        Ok(())
    }

    /// A move or an ending with its number.
    fn move_line(&mut self, n: u64, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        cursor.skip_blanks();
        let place = cursor.place();
        let ending = word(cursor);
        if let Some(ending_said) = endings::find(endings::KIF, ending) {
            cursor.eat(ending);
            let moves = self.moves(First { number: Some(n), ..First::default() })?;
            moves.expect_number(n, place)?;
            moves.tree.end(ending_said, ending, place)?;
        } else {
            if cursor.rest.is_empty() {
                return Err(cursor.expected(A_MOVE));
            }
            let said = japanese::read(&mut cursor)?;
            let moves = self.moves(First { number: Some(n), from: said.from, by: None })?;
            moves.expect_number(n, place)?;
            moves.play(&said, None, place)?;
        }
        self.moves(First::default())?.time(cursor)
    }

    /// `変化：12手`.
    fn branch(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        cursor.take_while(|c| is_blank(c) || c == '：' || c == ':');
        let at = cursor;
        let n = cursor.number().ok_or_else(|| at.expected("the number of a move"))?;
        let moves = self.moves(First::default())?;
        let plies = n.checked_sub(moves.first).and_then(|n| usize::try_from(n).ok());
        match plies.and_then(|plies| moves.tree.branch_behind(plies)) {
            Some(true) => Ok(()),
            Some(false) => {
                let text = "The branch begins behind the end of the one before; \
                            it is read as one of the main line.";
                moves.tree.warn(at.place(), text)
            }
            None => Err(at.expected("the number of a move before, or the next")),
        }
    }

    /// `まで12手で先手の勝ち`: the ending of a record that has no word for it.
    fn summary(&mut self, cursor: Cursor<'_>) -> Result<(), ReadError> {
        let text = cursor.rest.trim_end_matches(is_blank);
        let moves = self.moves(First::default())?;
        if moves.tree.branching() {
            return moves.branch_summary(text, cursor.place());
        }
        moves.closed = true;
        let side = moves.tree.board().turn();
        let ending = endings::summed_up(text, side);
        let claimed = moves.tree.record.claimed.as_ref();
        match (ending, claimed.map(|claimed| (claimed.text.clone(), claimed.result.clone()))) {
            (Some(ending), None) => moves.tree.end(ending, text, cursor.place()),
            (Some(ending), Some((word, result))) => {
                let said = moves.tree.claim(ending, text).result;
                // A line that ended by a call has the same side to move as before it.
                if said == result {
                    return Ok(());
                }
                moves.tree.warn(cursor.place(), format!("{text} contradicts {word}."))
            }
            (None, _) => {
                let told = "This summary says no result that fits the side to move.";
                moves.tree.warn(cursor.place(), told)
            }
        }
    }
}

impl Moves {
    fn expect_number(&mut self, n: u64, place: (usize, usize)) -> Result<(), ReadError> {
        let expected = self.first + self.tree.plies() as u64;
        if n == expected {
            return Ok(());
        }
        self.tree.warn(place, format!("The move is numbered {n}; it is number {expected}."))
    }

    /// Plays a move of a side, or of the one that its piece and the turn tell.
    fn play(
        &mut self,
        said: &Said<'_>,
        by: Option<Color>,
        place: (usize, usize),
    ) -> Result<(), ReadError> {
        let board = self.tree.board();
        let (m, told) = japanese::resolve(board, by.unwrap_or(board.turn()), said)?;
        let by = by.unwrap_or_else(|| board.author(m));
        if let Some(told) = told {
            self.tree.warn((told.line, told.column), told.text)?;
        }
        self.tree.play(by, m, said.kind, place)
    }

    /// A summary behind a branch: its own if it counts the branch's plies, else that of the whole.
    fn branch_summary(&mut self, text: &str, place: (usize, usize)) -> Result<(), ReadError> {
        let mut count = Cursor::new(place.0, text);
        count.take_while(|c| digit(c).is_none());
        let plies = self.tree.plies() as u64;
        let own = count.number().is_none_or(|n| n == plies || n + 1 == self.first + plies);
        match endings::summed_up(text, self.tree.board().turn()).filter(|_| own) {
            // The numbered moves have told the ending already.
            _ if self.tree.branch_over() => Ok(()),
            Some(ending) => self.tree.end(ending, text, place),
            None if self.tree.record.claimed.is_some() => Ok(()),
            None => self.tree.warn(place, "This summary does not fit its branch; it is skipped."),
        }
    }

    /// What stands behind a move: a time, and a mark that branches follow.
    fn time(&mut self, mut cursor: Cursor<'_>) -> Result<(), ReadError> {
        cursor.skip_blanks();
        let timed = cursor.eat_any("(（").is_some();
        if timed {
            let ms = time(&mut cursor)?;
            self.tree.spent(ms);
        }
        cursor.skip_blanks();
        cursor.eat("+");
        cursor.skip_blanks();
        match (cursor.rest.is_empty(), timed) {
            (true, _) => Ok(()),
            (false, true) => self.tree.warn(cursor.place(), "What follows the time is skipped."),
            (false, false) => Err(cursor.expected(A_TIME)),
        }
    }
}

/// Reads `0:12/00:00:12)` in milliseconds; the total behind the slash is not kept.
fn time(cursor: &mut Cursor<'_>) -> Result<u64, ReadError> {
    let begin = *cursor;
    let mut seconds: u64 = 0;
    for part in 0.. {
        cursor.skip_blanks();
        let n = cursor.number().filter(|_| part < 3).ok_or_else(|| begin.expected(A_TIME))?;
        seconds = seconds.saturating_mul(60).saturating_add(n);
        cursor.skip_blanks();
        if cursor.eat_any(":：").is_none() {
            break;
        }
    }
    let mut ms = 0;
    if cursor.eat(".") {
        ms = thousandths(cursor.take_while(|c| digit(c).is_some()));
    }
    cursor.take_while(|c| !")）".contains(c));
    cursor.eat_any(")）").ok_or_else(|| begin.expected(A_TIME))?;
    Ok(seconds.saturating_mul(1000).saturating_add(ms))
}

/// The digits behind a decimal point, in thousandths.
fn thousandths(digits: &str) -> u64 {
    let digits = digits.chars().filter_map(digit).chain(std::iter::repeat(0)).take(3);
    digits.fold(0, |n, d| n * 10 + u64::from(d))
}

/// `# spent 12.345`: a time that KIF's own notation cannot hold.
fn spent(line: &str) -> Option<u64> {
    let (seconds, fraction) = line.strip_prefix(SPENT)?.split_once('.')?;
    let seconds: u64 = seconds.parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(thousandths(fraction))
}
