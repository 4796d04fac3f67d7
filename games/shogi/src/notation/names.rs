//! Names of moves: Japanese with relative marks, as in newspapers and KI2, and Western.

use crate::moves::{Color, Move, Piece, PieceKind, Square};
use crate::position::Position;

const FULL_WIDTH: [&str; 10] = ["０", "１", "２", "３", "４", "５", "６", "７", "８", "９"];
const KANJI: [&str; 10] = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// A square as records write it: `７六`.
pub fn square(square: Square) -> String {
    let digit = |n: u8| usize::from(n.min(9));
    format!("{}{}", FULL_WIDTH[digit(square.file())], KANJI[digit(square.rank())])
}

/// A piece as records name it.
pub fn piece(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::PromotedPawn => "と",
        PieceKind::PromotedLance => "成香",
        PieceKind::PromotedKnight => "成桂",
        PieceKind::PromotedSilver => "成銀",
        PieceKind::Horse => "馬",
        PieceKind::Dragon => "龍",
    }
}

/// The mark of a side.
pub fn mark(side: Color) -> &'static str {
    if side == Color::Sente { "☗" } else { "☖" }
}

/// `☗７六歩`, `☖同　銀右不成`: `last` is where the move before ended.
pub fn japanese(p: &Position, m: Move, last: Option<Square>) -> String {
    format!("{}{}", mark(p.turn()), unmarked(p, m, last))
}

/// The same without the side's mark.
pub fn unmarked(p: &Position, m: Move, last: Option<Square>) -> String {
    let to = if last == Some(m.to()) { "同　".to_string() } else { square(m.to()) };
    if let Some(kind) = m.dropped() {
        let moved = Piece::new(p.turn(), kind);
        let dropped = if candidates(p, moved, m.to()).is_empty() { "" } else { "打" };
        return format!("{to}{}{dropped}", piece(kind));
    }
    let Some((from, moved)) = m.from().and_then(|from| Some((from, p.piece_at(from)?))) else {
        return m.to_usi();
    };
    let promotion = match (m.promotes(), moved.kind().may_promote(from, m.to(), moved.color())) {
        (true, _) => "成",
        (false, true) => "不成",
        (false, false) => "",
    };
    let marks = relative(moved, from, m.to(), &candidates(p, moved, m.to()));
    format!("{to}{}{marks}{promotion}", piece(moved.kind()))
}

/// The squares of a side's pieces of a kind that reach a square, pinned or not: a reader looks at
/// the board, not at pins.
fn candidates(p: &Position, moved: Piece, to: Square) -> Vec<Square> {
    let own = p.pieces(moved.color(), moved.kind());
    own.into_iter().filter(|from| p.reaches(*from, to)).collect()
}

/// Which way a piece goes, as its owner sees it.
pub(super) fn way(side: Color, from: Square, to: Square) -> &'static str {
    match from.rank_for(side).cmp(&to.rank_for(side)) {
        std::cmp::Ordering::Greater => "上",
        std::cmp::Ordering::Equal => "寄",
        std::cmp::Ordering::Less => "引",
    }
}

/// 右 左 直 上 引 寄, where several pieces of a kind reach the square (Japan Shogi Association's
/// guide to writing records). `candidates` are these pieces' squares.
pub fn relative(moved: Piece, from: Square, to: Square, candidates: &[Square]) -> String {
    let side = moved.color();
    let others: Vec<Square> = candidates.iter().copied().filter(|other| *other != from).collect();
    if others.is_empty() {
        return String::new();
    }
    let own_way = way(side, from, to);
    let same_way: Vec<Square> =
        others.iter().copied().filter(|other| way(side, *other, to) == own_way).collect();
    if same_way.is_empty() {
        return own_way.to_string();
    }
    let long = matches!(moved.kind(), PieceKind::Horse | PieceKind::Dragon);
    if !long && own_way == "上" && from.file() == to.file() {
        return "直".to_string();
    }
    match (hand(side, from, &others), hand(side, from, &same_way)) {
        (Some(hand), _) => hand.to_string(),
        (None, Some(hand)) => format!("{hand}{own_way}"),
        (None, None) => own_way.to_string(),
    }
}

/// 右 or 左 if the square lies to that side of all others, as the owner sees it.
fn hand(side: Color, from: Square, others: &[Square]) -> Option<&'static str> {
    // Files count from sente's right.
    let (low, high) = if side == Color::Sente { ("右", "左") } else { ("左", "右") };
    if others.iter().all(|other| from.file() < other.file()) {
        Some(low)
    } else if others.iter().all(|other| from.file() > other.file()) {
        Some(high)
    } else {
        None
    }
}

/// `P-7f`, `Bx2b+`, `G6i-5h`, `P*5e`, `Sx4c=`: the origin where it is needed.
pub fn western(p: &Position, m: Move) -> String {
    if let Some(kind) = m.dropped() {
        return format!("{}*{}", kind.letter(), m.to());
    }
    let Some((from, moved)) = m.from().and_then(|from| Some((from, p.piece_at(from)?))) else {
        return m.to_usi();
    };
    let kind = moved.kind();
    let plus = if kind.is_promoted() { "+" } else { "" };
    let unclear = candidates(p, moved, m.to()).len() > 1;
    let origin = if unclear { from.to_string() } else { String::new() };
    let takes = if p.piece_at(m.to()).is_some() { "x" } else { "-" };
    let promotion = match (m.promotes(), kind.may_promote(from, m.to(), moved.color())) {
        (true, _) => "+",
        (false, true) => "=",
        (false, false) => "",
    };
    format!("{plus}{}{origin}{takes}{}{promotion}", kind.unpromoted().letter(), m.to())
}
