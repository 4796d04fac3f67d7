//! The rules as the referee and the search see them.

use crate::{Move, Options, Position};
use kiban_core::{Line, Outcome, Reason, Rules, Seat, Variant, Viewer};
use serde::Serialize;

/// The side with more discs won.
pub(crate) const MORE_DISCS: Reason = Reason("more-discs");
/// The side with fewer discs won (anti-reversi).
pub(crate) const FEWER_DISCS: Reason = Reason("fewer-discs");
/// Both sides have as many discs.
pub(crate) const EQUAL_DISCS: Reason = Reason("equal-discs");
/// A disc was placed on a disc.
pub(crate) const ILLEGAL_OCCUPIED: Reason = Reason("illegal-occupied");
/// A disc was placed where it turns none, or beside the board.
pub(crate) const ILLEGAL_NO_FLIP: Reason = Reason("illegal-no-flip");
/// A pass although a disc can be placed.
pub(crate) const ILLEGAL_PASS: Reason = Reason("illegal-pass");

/// The rules of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello {
    /// Board, start and aim.
    pub options: Options,
    /// Whether a drawn start is one of the list of openings.
    pub drawn_opening: bool,
}

/// Disc counts of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Discs {
    /// The first player's, black.
    pub first: u32,
    /// The second player's, white.
    pub second: u32,
}

/// The last placed disc.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LastMove {
    /// Who placed it.
    pub by: Seat,
    /// Its square.
    pub at: String,
    /// The discs it turned, the nearest first.
    pub turned: Vec<String>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The position's text.
    pub position: String,
    /// Squares a side.
    pub size: u8,
    /// Whose turn it is; nobody's once the game is over.
    pub to_move: Option<Seat>,
    /// Disc counts as they lie.
    pub discs: Discs,
    /// Empty squares.
    pub empties: u32,
    /// The legal moves of the side to move.
    pub legal: Vec<String>,
    /// Whether the centre is still being filled (1890s Reversi).
    pub placing_freely: bool,
    /// The last placed disc.
    pub last: Option<LastMove>,
    /// Whether the last ply was a pass.
    pub passed: bool,
    /// How the game came out by moves or by a call.
    pub outcome: Option<Outcome>,
}

impl Othello {
    /// The rules of a variant.
    pub fn of_variant(variant: &Variant) -> Othello {
        let number = |key| {
            let text = variant.option(key, crate::spec::OPTIONS, None);
            text.parse().expect("the listed values are numbers")
        };
        let options = Options {
            fewest: variant.id() == "anti",
            free_centre: variant.id() == "reversi",
            size: number("size"),
            handicap: number("handicap"),
        };
        Othello { options, drawn_opening: variant.id() == "xot" }
    }

    /// The score of a finished game in squares: empty ones go to the winner, half each in a draw;
    /// in anti-reversi the discs as they lie.
    pub fn final_score(self, p: &Position) -> (i64, i64) {
        let (first, second) = counts(p);
        if self.options.fewest {
            return (first, second);
        }
        let empty = self.squares() - first - second;
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => (first + empty, second),
            std::cmp::Ordering::Less => (first, second + empty),
            std::cmp::Ordering::Equal => (first + empty / 2, second + empty / 2),
        }
    }

    /// The recorded score of a game that a call or a foul ended: all squares to the winner (in
    /// anti-reversi to the loser), half each in a draw.
    pub(crate) fn called_score(self, outcome: Outcome) -> (i64, i64) {
        let all = self.squares();
        match outcome {
            Outcome::Win { seats, .. } if seats.has(Seat::FIRST) != self.options.fewest => (all, 0),
            Outcome::Win { .. } => (0, all),
            Outcome::Draw { .. } | Outcome::Replay { .. } => (all / 2, all / 2),
        }
    }

    fn squares(self) -> i64 {
        i64::from(self.options.size) * i64::from(self.options.size)
    }
}

pub(crate) fn counts(p: &Position) -> (i64, i64) {
    (i64::from(p.count(Seat::FIRST)), i64::from(p.count(Seat::SECOND)))
}

impl Rules for Othello {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Position;
    type Setup = Position;
    type Layout = ();
    type Deal = ();
    type Known = Line<Othello>;
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

    fn moves(self, p: &Position) -> Vec<Move> {
        p.moves()
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        if !p.over() {
            return None;
        }
        let (first, second) = counts(p);
        let by = if self.options.fewest { FEWER_DISCS } else { MORE_DISCS };
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Equal => Outcome::Draw { by: EQUAL_DISCS },
            order => {
                let first_wins = order.is_gt() != self.options.fewest;
                let winner = if first_wins { Seat::FIRST } else { Seat::SECOND };
                Outcome::Win { seats: winner.into(), by }
            }
        })
    }

    fn play(self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        p.play(m);
        before
    }

    fn undo(self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn legal(self, line: &Line<Othello>) -> Vec<Move> {
        if line.called().is_some() { Vec::new() } else { line.position().moves() }
    }

    fn verdict(self, line: &Line<Othello>) -> Option<Outcome> {
        self.ended(line.position())
    }

    fn forced(self, line: &Line<Othello>) -> Option<Move> {
        line.position().must_pass().then_some(Move::PASS)
    }

    fn foul(self, line: &Line<Othello>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        // Playing out of turn breaks no rule of this game; the referee just refuses it.
        if seat != p.to_move() {
            return None;
        }
        let Some((file, rank)) = m.square() else {
            return (p.placements(seat) != 0).then_some(ILLEGAL_PASS);
        };
        if file >= p.size() || rank >= p.size() {
            Some(ILLEGAL_NO_FLIP)
        } else if p.at(file, rank).is_some() {
            Some(ILLEGAL_OCCUPIED)
        } else {
            (p.placements(seat) & p.bit(file, rank) == 0).then_some(ILLEGAL_NO_FLIP)
        }
    }

    fn fouls_decide_records(self) -> bool {
        false
    }

    fn known(self, line: &Line<Othello>, _: Viewer) -> Line<Othello> {
        line.clone()
    }

    fn view(self, line: &Line<Othello>) -> View {
        let p = line.position();
        let outcome = line.outcome();
        View {
            position: p.write(),
            size: p.size(),
            to_move: outcome.is_none().then(|| p.to_move()),
            discs: Discs { first: p.count(Seat::FIRST), second: p.count(Seat::SECOND) },
            empties: p.empties().count_ones(),
            legal: self.legal(line).into_iter().map(|m| m.to_string()).collect(),
            placing_freely: p.placing_freely(),
            last: last_move(line),
            passed: line.steps().last().is_some_and(|s| s.m == Move::PASS),
            outcome,
        }
    }

    fn choices(self, line: &Line<Othello>) -> Vec<Move> {
        self.legal(line)
    }

    fn may_take_back(self, _: &Line<Othello>) -> bool {
        true
    }
}

/// The last placed disc of a line, passes after it or not.
pub(crate) fn last_move(line: &Line<Othello>) -> Option<LastMove> {
    let index = line.steps().iter().rposition(|s| s.m != Move::PASS)?;
    let (step, before) = (line.steps()[index], line.positions()[index]);
    let (file, rank) = step.m.square()?;
    let mut turned: Vec<Move> = bits(before.turned(step.m)).map(|i| before.move_to(i)).collect();
    turned.sort_by_key(|m| {
        let (f, r) = m.square().expect("a turned disc lies on a square");
        f.abs_diff(file).max(r.abs_diff(rank))
    });
    let turned = turned.into_iter().map(|m| m.to_string()).collect();
    Some(LastMove { by: step.by, at: step.m.to_string(), turned })
}

/// The indices of a set's bits, lowest first.
pub(crate) fn bits(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let index = set.trailing_zeros();
            set &= set - 1;
            index
        })
    })
}
