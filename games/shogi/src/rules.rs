//! The referee: options, endings, fouls. Hot paths are inherent methods of `Position`.

use crate::impasse::{self, Agreement, Declaration, POINTS_IN_A_SET};
use crate::moves::{Color, Move, PieceKind};
use crate::position::{Position, Undo};
use crate::sfen::Setup;
use crate::view::{View, view};
use kiban_core::{
    Call, Line, Outcome, Reason, Refusal, Rules, Ruling, Seat, Seats, Viewer, common_call,
};

/// The rules of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shogi {
    /// Whether sennichite is a draw; else the game is replayed.
    pub sennichite_draws: bool,
    /// Who may win by declaring.
    pub declaration: Declaration,
    /// Whether a handicap's missing pieces count for the giver.
    pub count_missing: bool,
    /// When players may agree to an impasse.
    pub agreement: Agreement,
    /// The last ply, if there is one.
    pub max_moves: Option<usize>,
}

/// Plies after which a game goes on while no king has entered the zone or a check stands
/// (Japan Shogi Association, rules of 2019).
const LENIENT_LIMIT: usize = 500;
/// How often a position must occur.
const REPETITIONS: usize = 4;

/// The fouls in the order in which they name one.
pub const FOULS: [Reason; 8] = [
    Reason("illegal-double-move"),
    Reason("illegal-drop"),
    Reason("illegal-piece-move"),
    Reason("illegal-dead-piece"),
    Reason("illegal-promotion"),
    Reason("illegal-nifu"),
    Reason("illegal-king-in-check"),
    Reason("illegal-uchifuzume"),
];

impl Color {
    /// Sente is `first`.
    pub fn seat(self) -> Seat {
        if self == Color::Sente { Seat::FIRST } else { Seat::SECOND }
    }

    /// `first` is sente.
    pub fn of(seat: Seat) -> Color {
        if seat == Seat::FIRST { Color::Sente } else { Color::Gote }
    }
}

impl Shogi {
    /// Points each side is given for pieces its handicap took off the board. Gote is the giver.
    pub fn missing(self, line: &Line<Shogi>) -> [u32; 2] {
        if !self.count_missing {
            return [0, 0];
        }
        let start = &line.positions()[0];
        let there: u32 =
            Color::BOTH.iter().map(|side| impasse::tally(start, *side, 0).all_points).sum();
        [0, POINTS_IN_A_SET.saturating_sub(there)]
    }

    /// Repetition: perpetual check when it is one, else sennichite.
    fn repetition(self, line: &Line<Shogi>) -> Option<Outcome> {
        let positions = line.positions();
        let now = line.position();
        let same: Vec<usize> = (0..positions.len())
            .filter(|i| positions[*i].key() == now.key() && positions[*i] == *now)
            .collect();
        if same.len() < REPETITIONS {
            return None;
        }
        // A check standing at the first occurrence is nobody's move: plies after it count.
        let after = &positions[same[0] + 1..];
        let checked_always = |side: Color| {
            // The ply that made a position was the side's that is not to move in it.
            let mut made = after.iter().filter(|p| p.turn() != side).peekable();
            made.peek().is_some() && made.all(Position::in_check)
        };
        let by = Reason("perpetual-check");
        Some(match Color::BOTH.map(checked_always) {
            [true, true] => Outcome::Draw { by },
            [true, false] => Outcome::Win { seats: Seat::SECOND.into(), by },
            [false, true] => Outcome::Win { seats: Seat::FIRST.into(), by },
            [false, false] if self.sennichite_draws => Outcome::Draw { by: Reason("sennichite") },
            [false, false] => Outcome::Replay { by: Reason("sennichite") },
        })
    }

    /// Whether the limit of plies ends the line now.
    fn at_the_limit(self, line: &Line<Shogi>) -> bool {
        let Some(limit) = self.max_moves else { return false };
        let plies = line.steps().len();
        if plies < limit || limit != LENIENT_LIMIT {
            return plies >= limit;
        }
        let p = line.position();
        let entered = |side: Color| p.king(side).is_some_and(|king| king.in_zone(side));
        // Past the limit a run of checks has ended once neither of the last two plies gave one.
        let positions = line.positions();
        let in_run = p.in_check() || plies > limit && positions[plies - 1].in_check();
        (entered(Color::Sente) || entered(Color::Gote)) && !in_run
    }

    fn can_agree_impasse(self, line: &Line<Shogi>) -> Option<Outcome> {
        if self.declaration == Declaration::None {
            return None;
        }
        impasse::agree(line.position(), self.agreement, self.missing(line))
    }

    fn can_declare(self) -> bool {
        matches!(self.declaration, Declaration::Points27 | Declaration::Points24)
    }
}

/// The foul of a board move or drop by the side to move; `None` if it is legal.
fn foul_in_turn(p: &Position, m: Move) -> Option<Reason> {
    let side = p.turn();
    let to = m.to();
    let [_, drop, piece_move, dead, promotion, nifu, in_check, uchifuzume] = FOULS;
    if let Some(kind) = m.dropped() {
        if p.hand(side).count(kind) == 0 || p.piece_at(to).is_some() {
            return Some(drop);
        }
        if kind.is_dead_on(to, side) {
            return Some(dead);
        }
        if kind == PieceKind::Pawn && p.has_pawn_on_file(side, to.file()) {
            return Some(nifu);
        }
        if p.exposes_king(m) {
            return Some(in_check);
        }
        let mates = kind == PieceKind::Pawn && p.is_uchifuzume(to);
        return mates.then_some(uchifuzume);
    }
    let Some((from, piece)) = m.from().and_then(|from| Some((from, p.piece_at(from)?))) else {
        return Some(piece_move);
    };
    if piece.color() != side || !p.reaches(from, to) {
        return Some(piece_move);
    }
    if !m.promotes() && piece.kind().is_dead_on(to, side) {
        return Some(dead);
    }
    if m.promotes() && !piece.kind().may_promote(from, to, side) {
        return Some(promotion);
    }
    p.exposes_king(m).then_some(in_check)
}

impl Rules for Shogi {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Undo;
    type Setup = Setup;
    type Layout = ();
    type Deal = ();
    type Known = Line<Shogi>;
    type View = View;

    fn seats(self) -> u8 {
        2
    }

    fn start(self, setup: &Setup, _: &[Option<()>], _: Option<&()>) -> Position {
        Position::from_setup(setup).expect("a set-up is admitted before a line starts from it")
    }

    fn to_move(self, p: &Position) -> Seat {
        p.turn().seat()
    }

    fn moves(self, p: &Position) -> Vec<Move> {
        if self.ended(p).is_some() { Vec::new() } else { p.legal_moves().to_vec() }
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        if self.declaration == Declaration::Try
            && let Some(outcome) = impasse::tried(p)
        {
            return Some(outcome);
        }
        if p.has_legal_move() {
            return None;
        }
        let by = Reason(if p.in_check() { "checkmate" } else { "stalemate" });
        Some(Outcome::Win { seats: p.turn().other().seat().into(), by })
    }

    fn play(self, p: &mut Position, m: Move) -> Undo {
        p.play(m)
    }

    fn undo(self, p: &mut Position, m: Move, u: Undo) {
        p.undo(m, u);
    }

    fn legal(self, line: &Line<Shogi>) -> Vec<Move> {
        if line.outcome().is_some() { Vec::new() } else { self.moves(line.position()) }
    }

    fn verdict(self, line: &Line<Shogi>) -> Option<Outcome> {
        if let Some(outcome) = self.ended(line.position()) {
            return Some(outcome);
        }
        let repetition = self.repetition(line);
        let perpetual = repetition.filter(|o| o.reason() == Reason("perpetual-check"));
        if perpetual.is_none() && self.at_the_limit(line) {
            return Some(Outcome::Replay { by: Reason("max-moves") });
        }
        repetition
    }

    fn foul(self, line: &Line<Shogi>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        let just_moved = line.steps().last().map(|step| step.by);
        if seat != self.to_move(p) {
            return (just_moved == Some(seat)).then_some(FOULS[0]);
        }
        let piece = m.from().and_then(|from| p.piece_at(from));
        if piece.is_some_and(|piece| just_moved == Some(piece.color().seat())) {
            return Some(FOULS[0]);
        }
        foul_in_turn(p, m)
    }

    fn author(self, line: &Line<Shogi>, m: Move, turn: Seat) -> Seat {
        let owner = m.from().and_then(|from| line.position().piece_at(from));
        match (owner.map(|piece| piece.color().seat()), line.steps().last()) {
            // A piece of the side that has just moved: that side moved twice.
            (Some(owner), Some(last)) if owner == last.by => owner,
            _ => turn,
        }
    }

    fn call(self, line: &Line<Shogi>, by: Seats, call: Call) -> Result<Ruling<Move>, Refusal> {
        if let Some(ruling) = common_call(Seats::first_n(2), by, call) {
            return ruling;
        }
        let p = line.position();
        let outcome = match call {
            Call::Declare if self.can_declare() && by == Seats::from(self.to_move(p)) => {
                Some(impasse::declare(p, self.declaration, self.missing(line)))
            }
            Call::AgreeImpasse if by == Seats::first_n(2) => self.can_agree_impasse(line),
            _ => None,
        };
        outcome.map(Ruling::End).ok_or(Refusal::NoSuchCall(call))
    }

    fn calls(self, line: &Line<Shogi>, seat: Seat) -> Vec<Call> {
        let mut calls = vec![Call::Resign, Call::AgreeDraw];
        if self.can_declare() && seat == self.to_move(line.position()) {
            calls.push(Call::Declare);
        }
        if self.can_agree_impasse(line).is_some() {
            calls.push(Call::AgreeImpasse);
        }
        calls
    }

    fn known(self, line: &Line<Shogi>, _: Viewer) -> Line<Shogi> {
        line.clone()
    }

    fn view(self, k: &Line<Shogi>) -> View {
        view(k)
    }

    fn choices(self, k: &Line<Shogi>) -> Vec<Move> {
        self.legal(k)
    }

    fn may_take_back(self, _: &Line<Shogi>) -> bool {
        true
    }
}
