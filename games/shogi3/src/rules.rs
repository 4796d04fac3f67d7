//! The referee: options, endings, fouls.

use crate::moves::{Move, Square};
use crate::position::{Position, is_dead, may_promote};
use kiban_core::{Line, Outcome, Reason, Rules, Seat, Viewer};
use kiban_shogi::FOULS;
use kiban_shogi::moves::{Color, PieceKind};
use serde::Serialize;

pub(crate) const CHECKMATE: Reason = Reason("checkmate");
pub(crate) const STALEMATE: Reason = Reason("stalemate");
pub(crate) const SENNICHITE: Reason = Reason("sennichite");
pub(crate) const PERPETUAL_CHECK: Reason = Reason("perpetual-check");

/// How often a position must occur.
const REPETITIONS: usize = 4;

/// The rules of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shogi3 {
    /// Whether a side without a move and not in check draws; else it loses.
    pub stalemate_draws: bool,
    /// Whether mating by a pawn drop is allowed.
    pub uchifuzume: bool,
    /// Whether a repetition by checks alone is a draw; else who checks loses.
    pub perpetual_draws: bool,
}

/// What anybody sees: nothing is hidden.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The position.
    pub sfen: String,
    /// Whose turn it is.
    pub to_move: Seat,
    /// Whether the side to move is in check.
    pub in_check: bool,
}

impl Shogi3 {
    /// Repetition: perpetual check where that loses, else sennichite.
    fn repetition(self, line: &Line<Shogi3>) -> Option<Outcome> {
        let (positions, now) = (line.positions(), line.position());
        let same: Vec<usize> = (0..positions.len()).filter(|i| positions[*i] == *now).collect();
        if same.len() < REPETITIONS {
            return None;
        }
        let after = &positions[same[0] + 1..];
        let checked_always = |side: Color| {
            // The ply that made a position was the side's that is not to move in it.
            let mut made = after.iter().filter(|p| p.turn() != side).peekable();
            made.peek().is_some() && made.all(Position::in_check)
        };
        let lost =
            |side: Color| Outcome::Win { seats: side.other().seat().into(), by: PERPETUAL_CHECK };
        Some(match Color::BOTH.map(|side| !self.perpetual_draws && checked_always(side)) {
            [true, false] => lost(Color::Sente),
            [false, true] => lost(Color::Gote),
            _ => Outcome::Draw { by: SENNICHITE },
        })
    }

    /// The outcome for a side to move that has no move.
    fn stuck(self, p: &Position) -> Outcome {
        let wins = |by| Outcome::Win { seats: p.turn().other().seat().into(), by };
        match (p.in_check(), self.stalemate_draws) {
            (true, _) => wins(CHECKMATE),
            (false, true) => Outcome::Draw { by: STALEMATE },
            (false, false) => wins(STALEMATE),
        }
    }

    /// The foul of a move by the side to move; `None` if it is legal.
    fn foul_in_turn(self, p: &Position, m: Move) -> Option<Reason> {
        let side = p.turn();
        let [_, drop, piece_move, dead, promotion, nifu, in_check, uchifuzume] = FOULS;
        match m {
            Move::Drop { kind, to } => {
                let pawn = kind == PieceKind::Pawn;
                if p.hand(side).count(kind) == 0 || p.piece_at(to).is_some() {
                    Some(drop)
                } else if is_dead(kind, to.rank_for(side)) {
                    Some(dead)
                } else if pawn && p.has_pawn_on_file(side, to.file()) {
                    Some(nifu)
                } else if p.exposes_king(m) {
                    Some(in_check)
                } else {
                    (pawn && !self.uchifuzume && p.pawn_drop_mates(to)).then_some(uchifuzume)
                }
            }
            Move::Board { from, to, promotes } => {
                let Some(kind) = own_piece(p, from) else { return Some(piece_move) };
                if !p.reaches(from, to) || own_piece(p, to).is_some() {
                    Some(piece_move)
                } else if !promotes && is_dead(kind, to.rank_for(side)) {
                    Some(dead)
                } else if promotes && !may_promote(kind, from, to, side) {
                    Some(promotion)
                } else {
                    p.exposes_king(m).then_some(in_check)
                }
            }
        }
    }
}

fn own_piece(p: &Position, square: Square) -> Option<PieceKind> {
    p.piece_at(square).filter(|(side, _)| *side == p.turn()).map(|(_, kind)| kind)
}

fn owner(p: &Position, m: Move) -> Option<Seat> {
    match m {
        Move::Board { from, .. } => p.piece_at(from).map(|(side, _)| side.seat()),
        Move::Drop { .. } => None,
    }
}

impl Rules for Shogi3 {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Position;
    type Setup = Position;
    type Layout = ();
    type Deal = ();
    type Known = Line<Shogi3>;
    type View = View;

    fn seats(self) -> u8 {
        2
    }

    fn start(self, setup: &Position, _: &[Option<()>], _: Option<&()>) -> Position {
        *setup
    }

    fn to_move(self, p: &Position) -> Seat {
        p.turn().seat()
    }

    fn moves(self, p: &Position) -> Vec<Move> {
        p.legal_moves(self.uchifuzume)
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        (!p.has_legal_move(self.uchifuzume)).then(|| self.stuck(p))
    }

    fn play(self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        p.play(m);
        before
    }

    fn undo(self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn legal(self, line: &Line<Shogi3>) -> Vec<Move> {
        if line.outcome().is_some() { Vec::new() } else { self.moves(line.position()) }
    }

    fn verdict(self, line: &Line<Shogi3>) -> Option<Outcome> {
        self.ended(line.position()).or_else(|| self.repetition(line))
    }

    fn foul(self, line: &Line<Shogi3>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        let just_moved = line.steps().last().map(|step| step.by);
        if seat != self.to_move(p) {
            return (just_moved == Some(seat)).then_some(FOULS[0]);
        }
        if owner(p, m).is_some_and(|owner| just_moved == Some(owner)) {
            return Some(FOULS[0]);
        }
        self.foul_in_turn(p, m)
    }

    fn author(self, line: &Line<Shogi3>, m: Move, turn: Seat) -> Seat {
        match (owner(line.position(), m), line.steps().last()) {
            // A piece of the side that has just moved: that side moved twice.
            (Some(owner), Some(last)) if owner == last.by => owner,
            _ => turn,
        }
    }

    fn known(self, line: &Line<Shogi3>, _: Viewer) -> Line<Shogi3> {
        line.clone()
    }

    fn view(self, k: &Line<Shogi3>) -> View {
        let p = k.position();
        View { sfen: crate::sfen::write(p), to_move: p.turn().seat(), in_check: p.in_check() }
    }

    fn choices(self, k: &Line<Shogi3>) -> Vec<Move> {
        self.legal(k)
    }

    fn may_take_back(self, _: &Line<Shogi3>) -> bool {
        true
    }
}
