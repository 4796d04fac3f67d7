//! The rules as the referee and the search see them.

use crate::bans::{Bans, LONGEST_WINDOW, Past};
use crate::board::{beside_of, den, jumps_from};
use crate::{Animal, Move, Moves, Options, Position};
use kiban_core::{Line, Outcome, Reason, Rules, Seat, Variant, Viewer};
use serde::Serialize;

const DEN: Reason = Reason("den");
const ALL_CAPTURED: Reason = Reason("all-captured");
const BLOCKED: Reason = Reason("blocked");
const NO_CAPTURE: Reason = Reason("no-capture");
const REPETITION: Reason = Reason("repetition");
const ILLEGAL_NO_ANIMAL: Reason = Reason("illegal-no-animal");
const ILLEGAL_STEP: Reason = Reason("illegal-step");
const ILLEGAL_WATER: Reason = Reason("illegal-water");
const ILLEGAL_JUMP_BLOCKED: Reason = Reason("illegal-jump-blocked");
const ILLEGAL_OWN_DEN: Reason = Reason("illegal-own-den");
const ILLEGAL_OWN_PIECE: Reason = Reason("illegal-own-piece");
const ILLEGAL_CAPTURE: Reason = Reason("illegal-capture");
const ILLEGAL_SEVEN: Reason = Reason("illegal-anti-chase-7-3");
const ILLEGAL_SEVENTEEN: Reason = Reason("illegal-anti-chase-17-5");

/// Every reason of this game, for its registry entry.
pub(crate) const REASONS: &[Reason] = &[
    DEN,
    ALL_CAPTURED,
    BLOCKED,
    NO_CAPTURE,
    REPETITION,
    ILLEGAL_NO_ANIMAL,
    ILLEGAL_STEP,
    ILLEGAL_WATER,
    ILLEGAL_JUMP_BLOCKED,
    ILLEGAL_OWN_DEN,
    ILLEGAL_OWN_PIECE,
    ILLEGAL_CAPTURE,
    ILLEGAL_SEVEN,
    ILLEGAL_SEVENTEEN,
];

/// Occurrences of a position that make a draw.
const OCCURRENCES: usize = 3;

/// The rules of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jungle {
    /// What the options say.
    pub options: Options,
}

/// An animal on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Standing {
    /// Its square.
    pub at: String,
    /// Its letter, upper case for both sides.
    pub animal: char,
    /// Its power by the variant's order, 1 to 8.
    pub power: u8,
    /// Its owner.
    pub seat: Seat,
}

/// A move that history forbids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Banned {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The rule.
    pub reason: &'static str,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The position's text.
    pub position: String,
    /// Whose turn it is; nobody's once the game is over.
    pub to_move: Option<Seat>,
    /// The animals on the board, from a1 along the ranks.
    pub animals: Vec<Standing>,
    /// The legal moves of the side to move.
    pub legal: Vec<String>,
    /// Moves of the position that the anti-chase rules forbid.
    pub banned: Vec<Banned>,
    /// Plies since the last capture.
    pub quiet: u32,
    /// The last move.
    pub last: Option<String>,
    /// How the game came out by moves or by a call.
    pub outcome: Option<Outcome>,
}

impl Jungle {
    /// The rules of a variant.
    pub fn of_variant(variant: &Variant) -> Jungle {
        Jungle { options: Options::of(variant) }
    }

    /// What the anti-chase rules forbid the side to move.
    pub(crate) fn bans(self, line: &Line<Jungle>) -> Option<Bans> {
        let seat = line.position().to_move();
        Bans::of(line.position(), self.options, seat, &past(line, seat))
    }

    /// Why a move of the position is forbidden by history. If all are, none is.
    fn banned(self, line: &Line<Jungle>, m: Move) -> Option<Reason> {
        let bans = self.bans(line)?;
        let p = line.position();
        let why = why_banned(&bans, p, m)?;
        let moves = p.moves(self.options);
        moves.iter().any(|m| why_banned(&bans, p, *m).is_none()).then_some(why)
    }

    /// The first rule of the position that a move of the side to move breaks.
    fn fault(self, p: &Position, m: Move) -> Option<Reason> {
        let seat = p.to_move();
        let Some((_, animal)) = p.at(m.from).filter(|(owner, _)| *owner == seat) else {
            return Some(ILLEGAL_NO_ANIMAL);
        };
        let step = beside_of(m.from) & m.to.bit() != 0;
        let jump = jumps_from(m.from).find(|jump| animal.jumps() && jump.to == m.to);
        let rats = p.kind(Animal::Rat);
        if !step && jump.is_none() {
            Some(ILLEGAL_STEP)
        } else if m.to.is_water() && animal != Animal::Rat {
            Some(ILLEGAL_WATER)
        } else if jump.is_some_and(|jump| jump.over & rats != 0) {
            Some(ILLEGAL_JUMP_BLOCKED)
        } else if m.to.bit() & den(seat) != 0 {
            Some(ILLEGAL_OWN_DEN)
        } else if m.to.bit() & p.side(seat) != 0 {
            Some(ILLEGAL_OWN_PIECE)
        } else {
            let legal = p.moves_of(self.options, seat).contains(&m);
            (!legal).then_some(ILLEGAL_CAPTURE)
        }
    }
}

/// A side's last moves in a line, as far as rules look back, the oldest first.
pub(crate) fn past(line: &Line<Jungle>, seat: Seat) -> Vec<Past> {
    let steps = line.steps().iter().zip(line.positions()).rev();
    let own = steps.filter(|(step, _)| step.by == seat).take(LONGEST_WINDOW);
    let mut past: Vec<Past> = own
        .map(|(step, before)| {
            let (_, animal) = before.at(step.m.from).expect("an animal has moved");
            Past { animal, from: step.m.from, to: step.m.to }
        })
        .collect();
    past.reverse();
    past
}

/// The rule that forbids a move of the position, 7-3 before 17-5.
fn why_banned(bans: &Bans, p: &Position, m: Move) -> Option<Reason> {
    let (_, animal) = p.at(m.from)?;
    let (seven, seventeen) = (bans.seven[animal.index()], bans.seventeen[animal.index()]);
    if seven & m.to.bit() != 0 {
        Some(ILLEGAL_SEVEN)
    } else {
        (seventeen & m.to.bit() != 0).then_some(ILLEGAL_SEVENTEEN)
    }
}

/// The moves that bans leave; all of them, if they leave none.
pub(crate) fn allowed(moves: Moves, bans: Option<Bans>, p: &Position) -> Moves {
    let Some(bans) = bans else { return moves };
    let mut left = moves;
    left.retain(|m| why_banned(&bans, p, m).is_none());
    if left.is_empty() { moves } else { left }
}

impl Rules for Jungle {
    type Position = Position;
    type Move = Move;
    type Moves = Moves;
    type Undo = Position;
    type Setup = Position;
    type Layout = ();
    type Deal = ();
    type Known = Line<Jungle>;
    type View = View;

    fn seats(self) -> u8 {
        2
    }

    fn start(self, setup: &Position, _: &[Option<()>], _: Option<&()>) -> Position {
        *setup
    }

    fn to_move(self, p: &Position) -> Seat {
        p.to_move()
    }

    fn moves(self, p: &Position) -> Moves {
        p.moves(self.options)
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        let won = |seat: Seat, by| Some(Outcome::Win { seats: seat.into(), by });
        if let Some(winner) = p.in_den() {
            return won(winner, DEN);
        }
        match (p.side(Seat::FIRST), p.side(Seat::SECOND)) {
            (0, 0) => Some(Outcome::Draw { by: ALL_CAPTURED }),
            (0, _) => won(Seat::SECOND, ALL_CAPTURED),
            (_, 0) => won(Seat::FIRST, ALL_CAPTURED),
            _ if p.moves_of(self.options, p.to_move()).is_empty() => {
                won(p.to_move().other(), BLOCKED)
            }
            _ => None,
        }
    }

    fn play(self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        p.play(self.options, m);
        before
    }

    fn undo(self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn legal(self, line: &Line<Jungle>) -> Moves {
        if line.outcome().is_some() {
            return Moves::default();
        }
        let p = line.position();
        allowed(p.moves(self.options), self.bans(line), p)
    }

    fn verdict(self, line: &Line<Jungle>) -> Option<Outcome> {
        let p = line.position();
        if let Some(outcome) = self.ended(p) {
            return Some(outcome);
        }
        if self.options.no_capture.is_some_and(|most| p.quiet() >= u32::from(most)) {
            return Some(Outcome::Draw { by: NO_CAPTURE });
        }
        let occurred = || line.positions().iter().filter(|other| *other == p).count();
        let repeated = self.options.repetition && occurred() >= OCCURRENCES;
        repeated.then_some(Outcome::Draw { by: REPETITION })
    }

    fn foul(self, line: &Line<Jungle>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        // Playing out of turn breaks no rule of this game; the referee just refuses it.
        if seat != p.to_move() {
            return None;
        }
        self.fault(p, m).or_else(|| self.banned(line, m))
    }

    fn known(self, line: &Line<Jungle>, _: Viewer) -> Line<Jungle> {
        line.clone()
    }

    fn view(self, line: &Line<Jungle>) -> View {
        let p = line.position();
        let outcome = line.outcome();
        let standing = |(seat, animal, at): (Seat, Animal, crate::Square)| Standing {
            at: at.to_string(),
            animal: animal.letter(),
            power: self.options.power(animal),
            seat,
        };
        let banned = |m: &Move| {
            let why = self.banned(line, *m)?;
            Some(Banned { text: m.to_string(), reason: why.0 })
        };
        let moves = if outcome.is_some() { Moves::default() } else { p.moves(self.options) };
        View {
            position: crate::notation::write_position(p),
            to_move: outcome.is_none().then(|| p.to_move()),
            animals: p.animals().map(standing).collect(),
            legal: self.legal(line).iter().map(ToString::to_string).collect(),
            banned: moves.iter().filter_map(banned).collect(),
            quiet: p.quiet(),
            last: line.steps().last().map(|step| step.m.to_string()),
            outcome,
        }
    }

    fn choices(self, line: &Line<Jungle>) -> Vec<Move> {
        self.legal(line).to_vec()
    }

    fn may_take_back(self, _: &Line<Jungle>) -> bool {
        true
    }
}
