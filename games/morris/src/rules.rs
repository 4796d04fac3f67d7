//! The rules as the referee and the search see them.

use crate::board::bits;
use crate::{Blocked, Morris, Move, Position, Setup};
use kiban_core::{Line, Outcome, Reason, Rules, Seat, Viewer};
use serde::Serialize;

/// A side has fewer than three men left.
pub(crate) const FEWER_THAN_THREE: Reason = Reason("fewer-than-three");
/// The side to move has no move.
pub(crate) const BLOCKED: Reason = Reason("blocked");
/// A position has occurred for the third time.
pub(crate) const REPETITION: Reason = Reason("repetition");
/// Too many slides in a row took nothing.
pub(crate) const NO_REMOVAL: Reason = Reason("no-removal");
/// No man of one's own that may move stands there, or none is in hand.
pub(crate) const ILLEGAL_NO_MAN: Reason = Reason("illegal-no-man");
/// The man would come to stand on another.
pub(crate) const ILLEGAL_OCCUPIED: Reason = Reason("illegal-occupied");
/// The man cannot go that far.
pub(crate) const ILLEGAL_NOT_ADJACENT: Reason = Reason("illegal-not-adjacent");
/// What is taken is not what is due.
pub(crate) const ILLEGAL_REMOVAL: Reason = Reason("illegal-removal");

/// Slides in a row without removal or placing that draw.
const QUIET_SLIDES: u16 = 100;
/// The same in morabaraba once both sides are down to three men.
const QUIET_SLIDES_OF_THREE: u16 = 20;
/// How often a position occurs until the game is drawn.
const OCCURRENCES: usize = 3;

/// A side's men.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// On the board.
    pub on_board: u32,
    /// In hand.
    pub in_hand: u8,
    /// Whether they may move to any empty point.
    pub flies: bool,
}

/// The last move that was no pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LastMove {
    /// Who made it.
    pub by: Seat,
    /// Where the man came from; null for one that was in hand.
    pub from: Option<String>,
    /// Where it went.
    pub to: String,
    /// The men it took.
    pub taken: Vec<String>,
    /// The mills it closed, by the names of their points along the line.
    pub mills: Vec<Vec<String>>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The position's text.
    pub position: String,
    /// Whose turn it is; nobody's once the game is over.
    pub to_move: Option<Seat>,
    /// Whether men are still placed.
    pub placing: bool,
    /// The first seat's men, white.
    pub first: Side,
    /// The second seat's men, black.
    pub second: Side,
    /// Slides since the last removal or placing.
    pub slides: u16,
    /// The legal moves of the side to move.
    pub legal: Vec<String>,
    /// The last move that was no pass.
    pub last: Option<LastMove>,
    /// Whether the last ply was a pass.
    pub passed: bool,
    /// How the game came out by moves or by a call.
    pub outcome: Option<Outcome>,
}

impl Morris {
    /// How many slides in a row without removal or placing draw.
    pub(crate) fn quiet_limit(self, p: &Position) -> u16 {
        let three = |seat| p.count(seat) == 3;
        let short = self.short_endgame && three(Seat::FIRST) && three(Seat::SECOND);
        if short { QUIET_SLIDES_OF_THREE } else { QUIET_SLIDES }
    }

    /// Whether so many slides in a row took nothing that the game is drawn.
    pub(crate) fn quiet_too_long(self, p: &Position) -> bool {
        p.slides >= self.quiet_limit(p)
    }

    fn side(self, p: &Position, seat: Seat) -> Side {
        Side {
            on_board: p.men[seat.index()].count_ones(),
            in_hand: p.hand[seat.index()],
            flies: self.flies(p, seat),
        }
    }

    /// The mills a move closes, each as the set of its points.
    pub(crate) fn mills_closed(self, before: &Position, m: Move) -> Vec<u32> {
        let Some(to) = m.to else { return Vec::new() };
        let mut after = *before;
        after.play(m);
        let men = after.men[before.to_move.index()];
        let closed = |mill: &&u32| **mill >> to & 1 == 1 && **mill & men == **mill;
        self.grid().mills().iter().filter(closed).copied().collect()
    }

    /// The names of a mill's points from one end to the other: in the order of names.
    fn along(self, mill: u32) -> Vec<String> {
        let mut names: Vec<String> = bits(mill).map(|point| self.grid().name(point)).collect();
        names.sort();
        names
    }

    /// The last move of a line that was no pass.
    pub(crate) fn last_move(self, line: &Line<Morris>) -> Option<LastMove> {
        let index = line.steps().iter().rposition(|s| s.m != Move::PASS)?;
        let (step, before) = (line.steps()[index], &line.positions()[index]);
        let name = |point| self.grid().name(point);
        let mills = self.mills_closed(before, step.m);
        Some(LastMove {
            by: step.by,
            from: step.m.from.map(name),
            to: name(step.m.to?),
            taken: step.m.taken().map(name).collect(),
            mills: mills.into_iter().map(|mill| self.along(mill)).collect(),
        })
    }
}

impl Rules for Morris {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Position;
    type Setup = Setup;
    type Layout = ();
    type Deal = ();
    type Known = Line<Morris>;
    type View = View;

    fn seats(self) -> u8 {
        2
    }

    fn start(self, setup: &Setup, _: &[Option<()>], _: Option<&()>) -> Position {
        setup.position
    }

    fn to_move(self, p: &Position) -> Seat {
        p.to_move
    }

    fn moves(self, p: &Position) -> Vec<Move> {
        Morris::moves(self, p)
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        let lost = |seat: Seat, by| Some(Outcome::Win { seats: seat.other().into(), by });
        // The side to move comes first: a removal that is due was carried out before.
        let few = [p.to_move, p.to_move.other()].into_iter().find(|seat| p.count(*seat) < 3);
        if let Some(seat) = few {
            return lost(seat, FEWER_THAN_THREE);
        }
        if self.can_move(p, p.to_move) || self.must_pass(p) {
            return None;
        }
        match self.blocked {
            Blocked::Loses => lost(p.to_move, BLOCKED),
            Blocked::Draws | Blocked::Passes => Some(Outcome::Draw { by: BLOCKED }),
        }
    }

    fn play(self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        p.play(m);
        before
    }

    fn undo(self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn legal(self, line: &Line<Morris>) -> Vec<Move> {
        if line.outcome().is_some() { Vec::new() } else { self.moves(line.position()) }
    }

    fn verdict(self, line: &Line<Morris>) -> Option<Outcome> {
        let p = line.position();
        if let Some(outcome) = self.ended(p) {
            return Some(outcome);
        }
        let occurred = line.positions().iter().filter(|other| *other == p).count();
        if occurred >= OCCURRENCES {
            return Some(Outcome::Draw { by: REPETITION });
        }
        self.quiet_too_long(p).then_some(Outcome::Draw { by: NO_REMOVAL })
    }

    fn forced(self, line: &Line<Morris>) -> Option<Move> {
        self.must_pass(line.position()).then_some(Move::PASS)
    }

    fn foul(self, line: &Line<Morris>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        // Playing out of turn breaks no rule of this game; the referee just refuses it.
        if seat != p.to_move || self.moves(p).contains(&m) {
            return None;
        }
        let Some(to) = m.to else { return Some(ILLEGAL_NO_MAN) };
        let there = match m.from {
            None => self.places(p, seat),
            Some(from) => p.at(from) == Some(seat) && self.slides(p, seat),
        };
        if !there {
            Some(ILLEGAL_NO_MAN)
        } else if p.at(to).is_some() {
            Some(ILLEGAL_OCCUPIED)
        } else if m.from.is_some_and(|from| self.reach(p, seat, from) >> to & 1 == 0) {
            Some(ILLEGAL_NOT_ADJACENT)
        } else {
            Some(ILLEGAL_REMOVAL)
        }
    }

    fn known(self, line: &Line<Morris>, _: Viewer) -> Line<Morris> {
        line.clone()
    }

    fn view(self, line: &Line<Morris>) -> View {
        let p = line.position();
        let outcome = line.outcome();
        View {
            position: self.write(p),
            to_move: outcome.is_none().then_some(p.to_move),
            placing: p.placing(),
            first: self.side(p, Seat::FIRST),
            second: self.side(p, Seat::SECOND),
            slides: p.slides,
            legal: self.legal(line).into_iter().map(|m| self.move_text(m)).collect(),
            last: self.last_move(line),
            passed: line.steps().last().is_some_and(|s| s.m == Move::PASS),
            outcome,
        }
    }

    fn choices(self, line: &Line<Morris>) -> Vec<Move> {
        self.legal(line)
    }

    fn may_take_back(self, _: &Line<Morris>) -> bool {
        true
    }
}
