//! The rules as the referee and the search see them.

use crate::board::{Board, Kind};
use crate::known::{Known, View};
use crate::layout::{Deal, Layout, deal_stations, on_board, stations};
use crate::options::Quiet;
use crate::position::{LAST_SKIP, Move, Piece, Position};
use crate::{Options, Rank};
use kiban_core::{
    Call, Line, Outcome, Reason, Refusal, Rules, Ruling, Seat, Seats, Viewer, common_call,
};

pub(crate) const FLAG_TAKEN: Reason = Reason("flag-taken");
pub(crate) const NO_MOVE: Reason = Reason("no-move");
pub(crate) const SKIPS: Reason = Reason("skips");
pub(crate) const QUIET: Reason = Reason("quiet");
pub(crate) const CAP: Reason = Reason("cap");
pub(crate) const TEAM_OUT: Reason = Reason("team-out");
const NO_PIECE: Reason = Reason("illegal-no-piece");
const IMMOVABLE: Reason = Reason("illegal-immovable");
const PATH: Reason = Reason("illegal-path");
const CAMP: Reason = Reason("illegal-camp");
const OWN_PIECE: Reason = Reason("illegal-own-piece");

/// Every reason of this game.
pub(crate) const REASONS: &[Reason] =
    &[FLAG_TAKEN, NO_MOVE, SKIPS, QUIET, CAP, TEAM_OUT, NO_PIECE, IMMOVABLE, PATH, CAMP, OWN_PIECE];

/// The game is drawn when it is so many plies long.
const LONGEST: u16 = 1000;

/// The rules of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Luzhanqi {
    /// The variant's options.
    pub options: Options,
    /// Whether the start is a position, so that nobody owes a layout or a deal.
    pub placed: bool,
}

/// How a game begins.
#[derive(Clone, Debug)]
pub enum Setup {
    /// By layouts or a deal.
    Arranged,
    /// From a position.
    Placed(Box<Position>),
}

impl Luzhanqi {
    /// The outcomes that are decided before it is asked who can move.
    fn decided(self, p: &Position) -> Option<Outcome> {
        let options = self.options;
        if options.four {
            let lost = [Seat::FIRST, Seat::SECOND];
            let lost = lost.into_iter().find(|s| p.out.has(*s) && p.out.has(partner(*s)))?;
            return Some(Outcome::Win { seats: lost.rivals(self.seats()), by: TEAM_OUT });
        }
        let lost = p.out.iter().next()?;
        let skipped = p.skips[lost.index()] >= LAST_SKIP;
        let by = if skipped { SKIPS } else { FLAG_TAKEN };
        Some(Outcome::Win { seats: lost.rivals(self.seats()), by })
    }

    /// The outcomes that stand behind having no move.
    fn worn_out(self, p: &Position) -> Option<Outcome> {
        match self.options.quiet {
            Quiet::Draws(most) if p.quiet > most => Some(Outcome::Draw { by: QUIET }),
            Quiet::Loses(from) if p.quiet >= from => {
                Some(Outcome::Win { seats: p.last.rivals(self.seats()), by: QUIET })
            }
            _ => (p.ply >= LONGEST).then_some(Outcome::Draw { by: CAP }),
        }
    }

    /// What a call leads to before play: whoever stops loses, with the ally.
    fn call_before_play(self, by: Seats, call: Call) -> Result<Ruling<Move>, Refusal> {
        let reason = match call {
            Call::Resign => Reason::RESIGN,
            Call::Timeout => Reason::TIMEOUT,
            Call::Left => Reason::ABANDONED,
            _ => return Err(Refusal::NoSuchCall(call)),
        };
        let all = Seats::first_n(self.seats());
        let seat = by.only().filter(|s| all.has(*s)).ok_or(Refusal::NoSuchCall(call))?;
        Ok(Ruling::End(Outcome::Win { seats: seat.rivals(self.seats()), by: reason }))
    }

    fn foul_of_step(self, p: &Position, side: u8, m: Move) -> Option<Reason> {
        let Move::Step(from, to) = m else { return Some(NO_PIECE) };
        let board = Board::of(self.options.four);
        let stands = |at| (usize::from(at) < board.len()).then(|| p.at(at)).flatten();
        let own = stands(from).filter(|piece: &Piece| !piece.down && piece.side == side);
        let Some(piece) = own else { return Some(NO_PIECE) };
        if p.is_fixed(board, self.options, from) {
            return Some(IMMOVABLE);
        }
        if from == to || !p.reach(board, from, piece.rank == Rank::Engineer).has(to) {
            return Some(PATH);
        }
        match p.at(to) {
            Some(_) if board.kind(to) == Kind::Camp => Some(CAMP),
            Some(other) if !other.down && self.options.allied(side, other.side) => Some(OWN_PIECE),
            _ if p.may_meet(board, self.options, piece, to) => None,
            // Face down, or a flag this piece may not take: no way leads there.
            _ => Some(PATH),
        }
    }
}

fn partner(seat: Seat) -> Seat {
    Seat::ALL[(seat.index() + 2) % 4]
}

impl Rules for Luzhanqi {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Position;
    type Setup = Setup;
    type Layout = Layout;
    type Deal = Deal;
    type Known = Known;
    type View = View;

    fn seats(self) -> u8 {
        if self.options.four { 4 } else { 2 }
    }

    fn arranging(self) -> Seats {
        let none = self.placed || self.options.flips();
        if none { Seats::NONE } else { Seats::first_n(self.seats()) }
    }

    fn deals(self) -> bool {
        !self.placed && self.options.flips()
    }

    fn start(self, setup: &Setup, layouts: &[Option<Layout>], deal: Option<&Deal>) -> Position {
        let mut p = Position::empty();
        if let Setup::Placed(placed) = setup {
            p = **placed;
        } else if self.options.flips() {
            p.red = None;
            let dealt = deal.map_or(&[][..], |deal| &deal.0);
            for (at, (side, rank)) in deal_stations().zip(dealt) {
                let piece = Piece { side: *side, rank: *rank, down: true, told: false };
                p.cells[usize::from(at)] = Some(piece);
            }
        } else {
            for (side, layout) in (0u8..).zip(layouts) {
                let layout = layout.expect("every seat has arranged");
                for (rank, station) in layout.0.into_iter().zip(stations()) {
                    let at = on_board(self.options.four, side, station);
                    let piece = Piece { side, rank, down: false, told: false };
                    p.cells[usize::from(at)] = Some(piece);
                }
            }
        }
        for piece in p.cells.iter().flatten().filter(|piece| piece.rank == Rank::Mine) {
            p.mines[usize::from(piece.side)] += 1;
        }
        p.settle(self.options);
        p
    }

    fn to_move(self, p: &Position) -> Seat {
        p.turn
    }

    fn moves(self, p: &Position) -> Vec<Move> {
        if self.decided(p).is_some() || self.worn_out(p).is_some() {
            return Vec::new();
        }
        p.moves(self.options)
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        if let Some(outcome) = self.decided(p) {
            return Some(outcome);
        }
        if !p.can_move(self.options, p.turn) {
            let others = p.turn.rivals(self.seats());
            let stuck = others.iter().all(|s| !p.can_move(self.options, s));
            return Some(if stuck {
                Outcome::Draw { by: NO_MOVE }
            } else {
                Outcome::Win { seats: others, by: NO_MOVE }
            });
        }
        self.worn_out(p)
    }

    fn play(self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        p.play(self.options, m);
        before
    }

    fn undo(self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn legal(self, line: &Line<Self>) -> Vec<Move> {
        if line.called().is_some() { Vec::new() } else { self.moves(line.position()) }
    }

    fn verdict(self, line: &Line<Self>) -> Option<Outcome> {
        self.ended(line.position())
    }

    /// Judged by what the mover knows: stations, camps, and its own pieces; where a flag or a mine
    /// of another side decides, ranks are public.
    fn foul(self, line: &Line<Self>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        // Moving out of turn breaks no rule of this game; the referee just refuses it.
        if seat != p.turn {
            return None;
        }
        if let Move::Flip(at) = m {
            let board = Board::of(self.options.four);
            let down = usize::from(at) < board.len() && p.at(at).is_some_and(|piece| piece.down);
            return (!down).then_some(NO_PIECE);
        }
        match p.side(self.options, seat) {
            Some(side) => self.foul_of_step(p, side, m),
            None => Some(NO_PIECE),
        }
    }

    fn call(self, line: &Line<Self>, by: Seats, call: Call) -> Result<Ruling<Move>, Refusal> {
        if !line.begun() {
            return self.call_before_play(by, call);
        }
        let p = line.position();
        let refusal = Refusal::NoSuchCall(call);
        if call == Call::Timeout && self.options.skips {
            let in_turn = by.only() == Some(p.turn);
            return if in_turn { Ok(Ruling::Goes(Move::Skip)) } else { Err(refusal) };
        }
        let inside: Seats =
            Seats::first_n(self.seats()).iter().filter(|s| !p.out.has(*s)).collect();
        if !self.options.four {
            return common_call(inside, by, call).unwrap_or(Err(refusal));
        }
        if call == Call::AgreeDraw && by == inside {
            return Ok(Ruling::End(Outcome::Draw { by: Reason::AGREEMENT }));
        }
        let seat = by.only().filter(|s| inside.has(*s)).ok_or(refusal.clone())?;
        match call {
            Call::Resign | Call::Left | Call::Timeout => Ok(Ruling::Goes(Move::Out(seat, call))),
            _ => Err(refusal),
        }
    }

    fn calls(self, line: &Line<Self>, seat: Seat) -> Vec<Call> {
        if !line.begun() {
            vec![Call::Resign]
        } else if line.position().out.has(seat) {
            Vec::new()
        } else {
            vec![Call::Resign, Call::AgreeDraw]
        }
    }

    fn known(self, line: &Line<Self>, who: Viewer) -> Known {
        Known::of(self, line, who)
    }

    fn view(self, k: &Known) -> View {
        View::of(self, k)
    }

    fn choices(self, k: &Known) -> Vec<Move> {
        match &k.position {
            Some(p) if k.outcome.is_none() && k.who == Viewer::Seat(p.turn) => {
                p.moves(self.options)
            }
            _ => Vec::new(),
        }
    }

    /// In hidden games every move tells something: that the piece is neither mine nor flag. The
    /// end tells all; so does, in an open game, the last layout put down.
    fn may_take_back(self, line: &Line<Self>) -> bool {
        use crate::options::Sight;
        let called = line.called().is_some();
        let over = line.outcome().is_some();
        match (self.options.sight, line.steps().last()) {
            (Sight::All, None) => self.placed || !line.begun() || called,
            (Sight::All, Some(_)) => true,
            (_, None) => !over,
            (Sight::Flipped, Some(step)) => !over && !matches!(step.m, Move::Flip(_)),
            (Sight::Own | Sight::Pair, Some(_)) => false,
        }
    }
}
