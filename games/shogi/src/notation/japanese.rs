//! Moves written in Japanese, `７六歩(77)` or `同　銀右不成`, as KIF and its kin have them.

use super::names;
use super::text::{Cursor, digit, is_blank, kanji_digit, odd};
use super::tracker::Tracker;
use crate::moves::{Color, Move, Piece, PieceKind, Square};
use kiban_core::{ReadError, Warning};
use std::borrow::Cow;

const A_SQUARE: &str = "a square such as ７六, or 同";
const A_PIECE: &str = "a piece: 歩 香 桂 銀 金 角 飛 玉 と 成香 成桂 成銀 馬 龍";

/// The marks of sides before moves.
pub(super) const MARKS: &str = "▲△☗☖▼▽";

/// The pieces' names, the ones the writer uses first.
const PIECES: &[(&str, PieceKind)] = &[
    ("歩", PieceKind::Pawn),
    ("香", PieceKind::Lance),
    ("桂", PieceKind::Knight),
    ("銀", PieceKind::Silver),
    ("金", PieceKind::Gold),
    ("角", PieceKind::Bishop),
    ("飛", PieceKind::Rook),
    ("玉", PieceKind::King),
    ("王", PieceKind::King),
    ("と", PieceKind::PromotedPawn),
    ("成香", PieceKind::PromotedLance),
    ("成桂", PieceKind::PromotedKnight),
    ("成銀", PieceKind::PromotedSilver),
    ("馬", PieceKind::Horse),
    ("龍", PieceKind::Dragon),
    ("竜", PieceKind::Dragon),
    ("杏", PieceKind::PromotedLance),
    ("仝", PieceKind::PromotedLance),
    ("圭", PieceKind::PromotedKnight),
    ("今", PieceKind::PromotedKnight),
    ("全", PieceKind::PromotedSilver),
    ("个", PieceKind::PromotedPawn),
];

/// Takes a piece's name.
pub(super) fn piece(cursor: &mut Cursor<'_>) -> Option<PieceKind> {
    PIECES.iter().find(|(name, _)| cursor.eat(name)).map(|(_, kind)| *kind)
}

/// The one-character name of a piece, as diagrams have it.
pub(super) fn letter(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::PromotedLance => "杏",
        PieceKind::PromotedKnight => "圭",
        PieceKind::PromotedSilver => "全",
        kind => names::piece(kind),
    }
}

/// What a text says of a move.
#[derive(Clone, Debug)]
pub(super) struct Said<'a> {
    /// The destination; none for 同.
    pub(super) to: Option<Square>,
    pub(super) kind: PieceKind,
    /// 右, 左 or 直.
    pub(super) hand: Option<char>,
    /// 上, 寄 or 引.
    pub(super) way: Option<char>,
    pub(super) promotes: bool,
    pub(super) drops: bool,
    pub(super) from: Option<Square>,
    pub(super) place: (usize, usize),
    pub(super) text: Cow<'a, str>,
    /// The side whose mark stands before it.
    pub(super) by: Option<Color>,
}

fn coordinate(c: char) -> Option<u8> {
    digit(c).or_else(|| kanji_digit(c)).filter(|n| *n > 0)
}

/// Takes a square of two digits of any kind.
fn square(cursor: &mut Cursor<'_>) -> Option<Square> {
    let mut after = *cursor;
    let file = after.next().and_then(coordinate)?;
    let rank = after.next().and_then(coordinate)?;
    *cursor = after;
    Square::new(file, rank)
}

/// Takes the mark of a side.
fn mark(cursor: &mut Cursor<'_>) -> Option<Color> {
    let mark = cursor.eat_any(MARKS)?;
    Some(if "▲☗▼".contains(mark) { Color::Sente } else { Color::Gote })
}

/// Reads a move's text; what follows it is left.
///
/// # Errors
/// If it is not well-formed.
pub(super) fn read<'a>(cursor: &mut Cursor<'a>) -> Result<Said<'a>, ReadError> {
    let begin = *cursor;
    let by = mark(cursor);
    let to = if cursor.eat("同") {
        cursor.skip_blanks();
        None
    } else {
        Some(square(cursor).ok_or_else(|| cursor.expected(A_SQUARE))?)
    };
    let kind = piece(cursor).ok_or_else(|| cursor.expected(A_PIECE))?;
    let (mut hand, mut way, mut promotes, mut drops) = (None, None, false, false);
    loop {
        if let Some(c) = cursor.eat_any("右左直") {
            hand = Some(c);
        } else if let Some(c) = cursor.eat_any("上行入寄引") {
            way = Some(if "行入".contains(c) { '上' } else { c });
        } else if cursor.eat("成") {
            promotes = true;
        } else if cursor.eat("打") {
            drops = true;
        } else if !cursor.eat("不成") && !cursor.eat("生") {
            break;
        }
    }
    let from = origin(cursor)?;
    let length = begin.rest.len() - cursor.rest.len();
    let text = Cow::Borrowed(begin.rest[..length].trim_end_matches(is_blank));
    Ok(Said { to, kind, hand, way, promotes, drops, from, place: begin.place(), text, by })
}

/// Takes `(77)`; a time in parentheses is left.
fn origin(cursor: &mut Cursor<'_>) -> Result<Option<Square>, ReadError> {
    let inside = {
        let mut inside = *cursor;
        if inside.eat_any("(（").is_none() || inside.peek().and_then(digit).is_none() {
            return Ok(None);
        }
        inside
    };
    let mut after = inside;
    after.take_while(|c| digit(c).is_some());
    if after.peek() == Some(':') {
        return Ok(None);
    }
    after = inside;
    // Some programs write the origin of a drop as 00.
    let found = if after.eat("00") {
        None
    } else {
        let expected = || inside.expected("the square the piece comes from, such as 77");
        Some(square(&mut after).ok_or_else(expected)?)
    };
    if after.eat_any(")）").is_none() {
        return Err(after.expected("a closing parenthesis"));
    }
    *cursor = after;
    Ok(found)
}

/// The move of a side that a text says on this board, and what was odd about it.
///
/// # Errors
/// If it says no move, or more than one.
pub(super) fn resolve(
    board: &Tracker,
    by: Color,
    said: &Said<'_>,
) -> Result<(Move, Option<Warning>), ReadError> {
    let to = said.to.or(board.last).ok_or_else(|| {
        super::text::wrong(said.place, &said.text, "a square; no move before it stands for 同")
    })?;
    if said.drops {
        return drop(said, to).map(|m| (m, None));
    }
    if let Some(from) = said.from {
        return Ok(from_known(board, said, from, to));
    }
    let all = board.reaching(Piece::new(by, said.kind), to);
    let marked = said.hand.is_some() || said.way.is_some();
    let held = board.held(by, said.kind) > 0;
    // Where no piece can go there, legally at least, 打 may be left out.
    let drops = Move::drop(said.kind, to).filter(|_| held && !marked && !said.promotes);
    if let Some(m) = drops.filter(|_| all.is_empty()) {
        return Ok((m, None));
    }
    // The rules are asked only where there is a choice.
    let choice = all.len() > 1 || drops.is_some();
    let position = if choice { board.position(by) } else { None };
    let is_legal = |m| position.as_ref().is_some_and(|position| position.is_legal(m));
    let leads = |from: &Square| !choice || is_legal(Move::board(*from, to, said.promotes));
    let legal: Vec<Square> = all.iter().copied().filter(leads).collect();
    if let Some(m) = drops.filter(|m| legal.is_empty() && is_legal(*m)) {
        return Ok((m, None));
    }
    match *origins(by, said, to, (&all, &legal)) {
        [from] => Ok((Move::board(from, to, said.promotes), None)),
        [] => Err(super::text::wrong(said.place, &said.text, "a piece that can go there")),
        _ => {
            let expected = "the piece's origin in parentheses, as several can go there";
            Err(super::text::wrong(said.place, &said.text, expected))
        }
    }
}

/// The squares a move's marks leave, of all that reach its destination and of the legal ones.
/// Some programs mark a move against all pieces that reach the square, others against those that
/// may go there; marks that only the former need may tell an illegal move.
fn origins(
    by: Color,
    said: &Said<'_>,
    to: Square,
    (all, legal): (&[Square], &[Square]),
) -> Vec<Square> {
    let fitting = |squares: &[Square]| {
        let way = |from: &Square| way_fits(by, *from, to, said.way);
        hand_fits(by, squares.iter().copied().filter(way).collect(), to, said.hand)
    };
    let marked = said.hand.is_some() || said.way.is_some();
    let among_legal = fitting(legal);
    if among_legal.len() == 1 && (!marked || legal.len() > 1) {
        return among_legal;
    }
    let mut fit = fitting(all);
    if fit.len() > 1 {
        let also_legal: Vec<Square> = fit.iter().copied().filter(|f| legal.contains(f)).collect();
        fit = if also_legal.is_empty() { fit } else { also_legal };
    }
    fit
}

fn drop(said: &Said<'_>, to: Square) -> Result<Move, ReadError> {
    let kind = Some(said.kind).filter(|kind| !kind.is_promoted() && !said.promotes);
    kind.and_then(|kind| Move::drop(kind, to)).ok_or_else(|| {
        super::text::wrong(said.place, &said.text, "a piece that can go there or be dropped")
    })
}

/// A move with its origin; what stands there may contradict the text.
fn from_known(
    board: &Tracker,
    said: &Said<'_>,
    from: Square,
    to: Square,
) -> (Move, Option<Warning>) {
    let there = board.piece_at(from).map(Piece::kind);
    let by_name = there.is_some_and(|kind| kind.promoted() == Some(said.kind));
    let m = Move::board(from, to, said.promotes || by_name);
    let told = match there {
        Some(kind) if kind == said.kind => None,
        Some(_) if by_name => Some("names the promoted piece; it is read as a promotion.".into()),
        Some(kind) => Some(format!("is made by another piece: {}.", names::piece(kind))),
        None => Some("starts from an empty square.".into()),
    };
    (m, told.map(|told: String| odd(said.place, format!("The move {} {told}", said.text))))
}

fn way_fits(side: Color, from: Square, to: Square, way: Option<char>) -> bool {
    way.is_none_or(|way| names::way(side, from, to).starts_with(way))
}

/// The origins a 右, 左 or 直 leaves.
fn hand_fits(side: Color, origins: Vec<Square>, to: Square, hand: Option<char>) -> Vec<Square> {
    let files = origins.iter().map(|from| from.file());
    let file = match (hand, side) {
        (Some('直'), _) => Some(to.file()),
        (Some('右'), Color::Sente) | (Some('左'), Color::Gote) => files.min(),
        (Some(_), _) => files.max(),
        (None, _) => return origins,
    };
    let straight = hand == Some('直');
    let fits = |from: &Square| {
        Some(from.file()) == file && (!straight || names::way(side, *from, to) == "上")
    };
    origins.into_iter().filter(fits).collect()
}

/// A move as KIF writes it: `７六歩(77)`, `同　角成(88)`, `５五角打`.
pub(super) fn kif(board: &Tracker, m: Move) -> String {
    let to = m.to();
    let square = if board.last == Some(to) { "同　".to_string() } else { names::square(to) };
    if let Some(kind) = m.dropped() {
        return format!("{square}{}打", names::piece(kind));
    }
    let from = m.from().expect("a move that is no drop has an origin");
    // A foul may start from an empty square; the origin tells it, not the name.
    let kind = board.piece_at(from).map_or(PieceKind::Pawn, Piece::kind);
    let promotes = if m.promotes() { "成" } else { "" };
    format!("{square}{}{promotes}({}{})", names::piece(kind), from.file(), from.rank())
}

/// A move of a side as KI2 writes it: `▲７六歩`, `△同　銀右不成`; with its origin if marks do not
/// tell a foul.
pub(super) fn ki2(board: &Tracker, by: Color, m: Move) -> String {
    let mark = if by == Color::Sente { '▲' } else { '△' };
    let said_so = |text: &str| {
        let said = read(&mut Cursor::new(1, text)).ok()?;
        resolve(board, by, &said).ok().filter(|(read, told)| *read == m && told.is_none())
    };
    let text = format!("{mark}{}", relative(board, by, m));
    if said_so(&text).is_some() { text } else { format!("{mark}{}", kif(board, m)) }
}

/// The same without the side's mark, where the move is one of a piece of that side.
fn relative(board: &Tracker, by: Color, m: Move) -> String {
    let to = m.to();
    let square = if board.last == Some(to) { "同　".to_string() } else { names::square(to) };
    if let Some(kind) = m.dropped() {
        let sure = board.held(by, kind) > 0 && board.reaching(Piece::new(by, kind), to).is_empty();
        let dropped = if sure { "" } else { "打" };
        return format!("{square}{}{dropped}", names::piece(kind));
    }
    let from = m.from().expect("a move that is no drop has an origin");
    let piece = board.piece_at(from).unwrap_or(Piece::new(by, PieceKind::Pawn));
    let marks = names::relative(piece, from, to, &board.reaching(piece, to));
    let may = piece.kind().may_promote(from, to, piece.color());
    let promotion = match (m.promotes(), may) {
        (true, _) => "成",
        (false, true) => "不成",
        (false, false) => "",
    };
    format!("{square}{}{marks}{promotion}", names::piece(piece.kind()))
}
