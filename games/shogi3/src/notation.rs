//! Texts: SFEN, USI, names of moves, taps, and the record format.

use crate::moves::{Move, Square};
use crate::position::{Position, is_dead, may_promote};
use crate::{Shogi3, sfen};
use kiban_core::{Line, Notation, ReadError, Scene, ScenePiece, Seen, Taps};
use kiban_shogi::moves::{Color, Piece, PieceKind};
use kiban_shogi::notation::names;

/// The set-up a game starts from where none is named.
pub(crate) const START: &str = "psk/3/KSP b - 1";

/// The tap that asks for promotion.
const PROMOTE: &str = "promote";
/// The tap that declines it.
const KEEP: &str = "keep";

/// The kind that moves, and where it comes from.
fn mover(p: &Position, m: Move) -> Option<(Square, Color, PieceKind)> {
    match m {
        Move::Board { from, .. } => p.piece_at(from).map(|(side, kind)| (from, side, kind)),
        Move::Drop { .. } => None,
    }
}

/// Whether the same piece could go to the same square promoted and unpromoted.
fn asks_promotion(p: &Position, m: Move) -> bool {
    mover(p, m).is_some_and(|(from, side, kind)| {
        may_promote(kind, from, m.to(), side) && !is_dead(kind, m.to().rank_for(side))
    })
}

/// The squares of a side's pieces of a kind that reach a square.
fn candidates(p: &Position, side: Color, kind: PieceKind, to: Square) -> Vec<Square> {
    let reaches = |from: &Square| p.piece_at(*from) == Some((side, kind)) && p.reaches(*from, to);
    Square::all().filter(reaches).collect()
}

/// As Japanese records write it: `☗２二銀成`.
fn japanese(p: &Position, m: Move, last: Option<Square>) -> String {
    let mark = names::mark(p.turn());
    let to = m.to().on_the_large_board();
    let square = if last == Some(m.to()) { "同　".to_string() } else { names::square(to) };
    if let Move::Drop { kind, .. } = m {
        let also = !candidates(p, p.turn(), kind, m.to()).is_empty();
        return format!("{mark}{square}{}{}", names::piece(kind), if also { "打" } else { "" });
    }
    let Some((from, side, kind)) = mover(p, m) else { return m.to_string() };
    let large = |square: &Square| square.on_the_large_board();
    let others: Vec<_> = candidates(p, side, kind, m.to()).iter().map(large).collect();
    let relative = names::relative(Piece::new(side, kind), from.on_the_large_board(), to, &others);
    let promotes = matches!(m, Move::Board { promotes: true, .. });
    let promotion = match (promotes, may_promote(kind, from, m.to(), side)) {
        (true, _) => "成",
        (false, true) => "不成",
        (false, false) => "",
    };
    format!("{mark}{square}{}{relative}{promotion}", names::piece(kind))
}

/// As it is written elsewhere: `Sx2b+`.
fn western(p: &Position, m: Move) -> String {
    let Some((from, side, kind)) = mover(p, m) else { return m.to_string() };
    let plus = if kind.is_promoted() { "+" } else { "" };
    let unclear = candidates(p, side, kind, m.to()).len() > 1;
    let origin = if unclear { from.to_string() } else { String::new() };
    let takes = if p.piece_at(m.to()).is_some() { "x" } else { "-" };
    let promotes = matches!(m, Move::Board { promotes: true, .. });
    let promotion = match (promotes, may_promote(kind, from, m.to(), side)) {
        (true, _) => "+",
        (false, true) => "=",
        (false, false) => "",
    };
    format!("{plus}{}{origin}{takes}{}{promotion}", kind.unpromoted().letter(), m.to())
}

/// The places a move touches, without what is asked about it.
fn taps_on_board(m: Move) -> Taps {
    match m {
        Move::Board { from, to, .. } => vec![from.to_string(), to.to_string()],
        Move::Drop { to, .. } => vec![to.to_string()],
    }
}

impl Notation for Shogi3 {
    fn read_setup(self, text: &str) -> Result<Position, ReadError> {
        sfen::read(if text.trim().is_empty() { START } else { text })
    }

    fn faults(self, setup: &Position) -> Vec<String> {
        sfen::faults(setup)
    }

    fn write_setup(self, setup: &Position) -> String {
        sfen::write(setup)
    }

    fn write_position(self, k: &Line<Shogi3>) -> String {
        sfen::write(k.position())
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        Move::read(text)
    }

    fn write_move(self, m: Move) -> String {
        m.to_string()
    }

    fn taps(self, k: &Line<Shogi3>, m: Move) -> Taps {
        match m {
            Move::Drop { kind, to } => vec![format!("hand:{}", kind.letter()), to.to_string()],
            Move::Board { promotes, .. } => {
                let mut taps = taps_on_board(m);
                if asks_promotion(k.position(), m) {
                    taps.push(if promotes { PROMOTE } else { KEEP }.to_string());
                }
                taps
            }
        }
    }

    fn read_taps(self, k: &Line<Shogi3>, taps: &[String]) -> Result<Move, ReadError> {
        let read = || {
            let (from, to, option) = match taps {
                [from, to] => (from, to, None),
                [from, to, option] if option == PROMOTE || option == KEEP => {
                    (from, to, Some(option == PROMOTE))
                }
                _ => return None,
            };
            let to = Square::read(to)?;
            if let Some(letter) = from.strip_prefix("hand:") {
                let kind = letter.parse().ok().and_then(PieceKind::from_letter)?;
                return Some(Move::Drop { kind, to }).filter(|_| kind != PieceKind::King);
            }
            let from = Square::read(from)?;
            // A piece that must promote does so without being asked.
            let must = k.position().piece_at(from).is_some_and(|(side, kind)| {
                is_dead(kind, to.rank_for(side)) && may_promote(kind, from, to, side)
            });
            Some(Move::Board { from, to, promotes: option.unwrap_or(must) })
        };
        read().ok_or_else(|| {
            let message = "Tap a piece and then where it goes; then promote or keep if asked.";
            ReadError::new("bad-taps", message)
        })
    }

    fn seen(self, k: &Line<Shogi3>) -> Vec<Seen> {
        let mut last = None;
        let plies = k.steps().iter().zip(k.positions());
        plies
            .map(|(step, before)| {
                let taken = before.piece_at(step.m.to()).map(|_| step.m.to().to_string());
                let native = japanese(before, step.m, last);
                last = Some(step.m.to());
                Seen {
                    by: step.by.into(),
                    text: step.m.to_string(),
                    native,
                    western: western(before, step.m),
                    taps: taps_on_board(step.m),
                    fell: taken.into_iter().collect(),
                    ..Seen::default()
                }
            })
            .collect()
    }

    fn scene(self, k: &Line<Shogi3>) -> Scene {
        let p = k.position();
        let mut scene = Scene::default();
        let mut add = |at: String, side: Color, kind: PieceKind, count: u8| {
            let (face, name) = kiban_shogi::face(kind, side);
            let face = if at.contains('/') { kiban_shogi::in_hand(&face) } else { face };
            let (seat, turned) = (Some(side.seat()), side == Color::Gote);
            scene.pieces.push(ScenePiece { at, face, seat, turned, upright: false, count, name });
        };
        for square in Square::all() {
            if let Some((side, kind)) = p.piece_at(square) {
                add(square.to_string(), side, kind, 1);
            }
        }
        for side in Color::BOTH {
            for (kind, count) in p.hand(side).iter() {
                add(format!("{}/hand:{}", side.seat(), kind.letter()), side, kind, count);
            }
        }
        if let Some(step) = k.steps().last() {
            scene.last = taps_on_board(step.m);
        }
        if p.in_check() {
            scene.check.extend(p.king(p.turn()).map(|king| king.to_string()));
            scene.facts.push(("shogi-check".to_string(), String::new()));
        }
        scene
    }

    fn text(self, k: &Line<Shogi3>) -> String {
        let p = k.position();
        let hand = |side: Color| {
            let men: Vec<String> =
                p.hand(side).iter().map(|(kind, n)| format!("{}{n}", kind.letter())).collect();
            if men.is_empty() { "-".to_string() } else { men.join(" ") }
        };
        let mut text = format!("gote   {}\n\n    3  2  1\n", hand(Color::Gote));
        for rank in 1..=3 {
            text.push_str("  ");
            for file in (1..=3).rev() {
                let piece = Square::new(file, rank).and_then(|square| p.piece_at(square));
                let cell =
                    piece.map_or(".".into(), |(side, kind)| Piece::new(side, kind).to_string());
                text.push_str(&format!(" {cell:>2}"));
            }
            text.push_str(&format!("  {}\n", char::from(b'a' + rank - 1)));
        }
        let check = if p.in_check() { ", in check" } else { "" };
        text + &format!("\nsente  {}\n{} to move{check}\n", hand(Color::Sente), p.turn())
    }

    fn in_check(self, k: &Line<Shogi3>) -> Option<bool> {
        Some(k.position().in_check())
    }
}
