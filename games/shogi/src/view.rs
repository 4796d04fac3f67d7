//! What a viewer sees, as JSON, and the scene and terminal text made from the same line.

use crate::impasse::{Declaration, tally};
use crate::moves::{Color, PieceKind, Square};
use crate::position::Position;
use crate::rules::Shogi;
use kiban_core::{Line, Scene, ScenePiece, Seat};
use serde::Serialize;
use std::collections::BTreeMap;

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceView {
    /// Its square, as in USI.
    pub square: String,
    /// Its kind, as in SFEN but always upper case: `P`, `+R`.
    pub piece: String,
    /// Its owner.
    pub seat: Seat,
}

/// A side's hand and what it has towards a declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideView {
    /// Pieces in hand by SFEN letter.
    pub hand: BTreeMap<char, u8>,
    /// Whether the king stands in the promotion zone.
    pub king_in_zone: bool,
    /// Other own pieces there.
    pub men_in_zone: u32,
    /// Points there and in hand.
    pub points: u32,
    /// Points of all own pieces.
    pub all_points: u32,
}

/// What anybody sees: nothing is hidden in shogi.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The position.
    pub sfen: String,
    /// Whose turn it is.
    pub to_move: Seat,
    /// Pieces on the board.
    pub board: Vec<PieceView>,
    /// Hands and points.
    pub first: SideView,
    /// Hands and points.
    pub second: SideView,
    /// 王手: the side to move is in check.
    pub in_check: bool,
    /// 逆王手: it was put in check by an answer to a check.
    pub counter_check: bool,
}

fn kind_text(kind: PieceKind) -> String {
    let letter = kind.unpromoted().letter();
    if kind.is_promoted() { format!("+{letter}") } else { letter.to_string() }
}

fn side_view(p: &Position, side: Color, missing: u32) -> SideView {
    let count = tally(p, side, missing);
    SideView {
        hand: p.hand(side).iter().map(|(kind, n)| (kind.letter(), n)).collect(),
        king_in_zone: count.king_in_zone,
        men_in_zone: count.men_in_zone,
        points: count.points,
        all_points: count.all_points,
    }
}

fn counter_check(line: &Line<Shogi>) -> bool {
    let mut back = line.positions().iter().rev();
    back.next().is_some_and(Position::in_check) && back.next().is_some_and(Position::in_check)
}

/// The view of a line.
pub(crate) fn view(line: &Line<Shogi>) -> View {
    let p = line.position();
    let missing = line.rules().missing(line);
    let pieces = Square::all().filter_map(|square| Some((square, p.piece_at(square)?)));
    View {
        sfen: p.to_sfen(),
        to_move: p.turn().seat(),
        board: pieces
            .map(|(square, piece)| PieceView {
                square: square.to_string(),
                piece: kind_text(piece.kind()),
                seat: piece.color().seat(),
            })
            .collect(),
        first: side_view(p, Color::Sente, missing[0]),
        second: side_view(p, Color::Gote, missing[1]),
        in_check: p.in_check(),
        counter_check: counter_check(line),
    }
}

/// The symbol and the message of a kind: `P`, `+P`; the king of gote is 王, of sente 玉.
pub fn face(kind: PieceKind, side: Color) -> (String, String) {
    let text = kind_text(kind);
    let name = format!("shogi-piece-{}", text.replace('+', "promoted-"));
    if kind == PieceKind::King && side == Color::Gote {
        return ("K2".to_string(), name);
    }
    (text.replace('+', "p"), name)
}

/// What to draw of a line.
pub(crate) fn scene(line: &Line<Shogi>) -> Scene {
    let p = line.position();
    let mut scene = Scene::default();
    let mut add = |at: String, kind: PieceKind, side: Color, count: u8| {
        let (face, name) = face(kind, side);
        let (seat, turned) = (Some(side.seat()), side == Color::Gote);
        scene.pieces.push(ScenePiece { at, face, seat, turned, upright: false, count, name });
    };
    for square in Square::all() {
        if let Some(piece) = p.piece_at(square) {
            add(square.to_string(), piece.kind(), piece.color(), 1);
        }
    }
    for side in Color::BOTH {
        for (kind, count) in p.hand(side).iter() {
            add(format!("{}/hand:{}", side.seat(), kind.letter()), kind, side, count);
        }
    }
    if let Some(step) = line.steps().last() {
        scene.last = taps_on_board(step.m);
    }
    if p.in_check() {
        scene.check.extend(p.king(p.turn()).map(|king| king.to_string()));
        let key = if counter_check(line) { "shogi-counter-check" } else { "shogi-check" };
        scene.facts.push((key.to_string(), String::new()));
    }
    scene.facts.extend(point_facts(line));
    scene
}

/// The places a move touches, without what is asked about it.
pub(crate) fn taps_on_board(m: crate::moves::Move) -> Vec<String> {
    let from = m.from().map(|from| from.to_string());
    from.into_iter().chain([m.to().to_string()]).collect()
}

/// Points are told as soon as a king has entered: they decide then.
fn point_facts(line: &Line<Shogi>) -> Vec<(String, String)> {
    let (p, missing) = (line.position(), line.rules().missing(line));
    let entered = |side: &Color| tally(p, *side, 0).king_in_zone;
    if line.rules().declaration == Declaration::None || !Color::BOTH.iter().any(entered) {
        return Vec::new();
    }
    let fact = |side: Color| {
        let points = tally(p, side, missing[side.index()]).points;
        (format!("shogi-points-{}", side.seat()), points.to_string())
    };
    Color::BOTH.map(fact).to_vec()
}

/// The board for a terminal: SFEN letters, gote's in small, promoted ones with a plus.
pub(crate) fn text(line: &Line<Shogi>) -> String {
    let p = line.position();
    let hand = |side: Color| {
        let men: Vec<String> =
            p.hand(side).iter().map(|(kind, n)| format!("{}{n}", kind.letter())).collect();
        if men.is_empty() { "-".to_string() } else { men.join(" ") }
    };
    let mut text = format!("gote   {}\n\n    9  8  7  6  5  4  3  2  1\n", hand(Color::Gote));
    for rank in 1..=9 {
        text.push_str("  ");
        for file in (1..=9).rev() {
            let piece = Square::new(file, rank).and_then(|square| p.piece_at(square));
            let cell = piece.map_or(" .".to_string(), |piece| {
                let letters = format!("{:>2}", kind_text(piece.kind()));
                if piece.color() == Color::Gote { letters.to_lowercase() } else { letters }
            });
            text.push_str(&format!(" {cell}"));
        }
        text.push_str(&format!("  {}\n", char::from(b'a' + rank - 1)));
    }
    let turn = if p.turn() == Color::Sente { "sente" } else { "gote" };
    let check = if p.in_check() { ", in check" } else { "" };
    text.push_str(&format!("\nsente  {}\n{turn} to move{check}\n", hand(Color::Sente)));
    text
}
