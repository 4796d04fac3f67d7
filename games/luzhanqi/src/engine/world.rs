//! One possible truth, as the search plays on in it: small, copied at every ply.

use crate::board::{Board, Kind, MOST, Station};
use crate::options::{FlagTaker, Quiet};
use crate::position::Position;
use crate::{Contact, Options, Rank, contact};

/// Pieces on a board at most.
pub(super) const PIECES: usize = 100;
/// No piece stands here, or the piece stands nowhere.
pub(super) const NONE: u8 = u8::MAX;

/// A piece's facts that no move changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// Whose.
    pub(super) side: u8,
    /// What it is in this world.
    pub(super) rank: Rank,
}

/// What a search step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    /// A piece goes to a station.
    Step {
        /// The piece.
        piece: u8,
        /// Where to.
        to: Station,
    },
    /// A face-down piece is turned up.
    Flip(u8),
    /// Some face-down piece is turned up, wherever it does not matter.
    Pass,
}

/// The changing part of a world.
#[derive(Clone)]
pub(super) struct World {
    /// The piece on each station.
    cells: [u8; MOST],
    /// Where each piece stands.
    at: [u8; PIECES],
    /// Pieces face down.
    down: u64,
    /// Pieces that came out of a contact alive.
    shown: u128,
    /// The side to move.
    pub(super) turn: u8,
    /// Sides that are out.
    out: u8,
    /// Mines left by side.
    mines: [u8; 4],
    /// Quiet plies in a row.
    pub(super) quiet: u16,
    /// Who made the last ply.
    last: u8,
}

/// What the search of one world hangs on and does not change.
pub(super) struct Ground {
    pub(super) board: &'static Board,
    pub(super) options: Options,
    /// The pieces, by number.
    pub(super) bodies: Vec<Body>,
}

impl Ground {
    /// Whether two sides play for one team.
    pub(super) fn team(&self, side: u8) -> u8 {
        side % 2
    }

    fn rank(&self, piece: u8) -> Rank {
        self.bodies[usize::from(piece)].rank
    }

    /// Whether two pieces never fight.
    fn friends(&self, a: u8, b: u8) -> bool {
        let side = |piece: u8| self.bodies[usize::from(piece)].side;
        self.team(side(a)) == self.team(side(b))
    }
}

impl World {
    /// The world of a position. `number` gives each station's piece its number.
    pub(super) fn of(ground: &Ground, p: &Position, number: impl Fn(Station) -> u8) -> World {
        let turn = p.side(ground.options, p.turn).unwrap_or(0);
        let side_of = |seat| p.side(ground.options, seat).unwrap_or(0);
        let mut world = World {
            cells: [NONE; MOST],
            at: [NONE; PIECES],
            down: 0,
            shown: 0,
            turn,
            out: p.out.iter().map(|seat| 1 << side_of(seat)).sum(),
            mines: [0; 4],
            quiet: p.quiet,
            last: if p.ply == 0 { turn ^ 1 } else { side_of(p.last) },
        };
        for (at, piece) in p.pieces() {
            let id = number(at);
            world.cells[usize::from(at)] = id;
            world.at[usize::from(id)] = at;
            let body = ground.bodies[usize::from(id)];
            world.mines[usize::from(body.side)] += u8::from(body.rank == Rank::Mine);
            if piece.down {
                world.down |= 1 << id;
            }
        }
        world
    }

    /// The piece on a station.
    pub(super) fn on(&self, at: Station) -> Option<u8> {
        Some(self.cells[usize::from(at)]).filter(|id| *id != NONE)
    }

    /// Where a piece stands.
    pub(super) fn place(&self, piece: u8) -> Option<Station> {
        Some(self.at[usize::from(piece)]).filter(|at| *at != NONE)
    }

    /// Whether a piece lies face down.
    pub(super) fn is_down(&self, piece: u8) -> bool {
        piece < 64 && self.down >> piece & 1 == 1
    }

    /// Whether a piece has come out of a contact alive, so that all guess at its strength.
    pub(super) fn is_shown(&self, piece: u8) -> bool {
        self.shown >> piece & 1 == 1
    }

    /// A piece came out of a contact alive.
    pub(super) fn show(&mut self, piece: u8) {
        self.shown |= 1 << piece;
    }

    /// Whether any piece lies face down.
    pub(super) fn any_down(&self) -> bool {
        self.down != 0
    }

    /// Whether a piece can never move again where it stands.
    fn is_fixed(&self, ground: &Ground, piece: u8, at: Station) -> bool {
        let held = !ground.options.hq_free && ground.board.kind(at) == Kind::Headquarters;
        held || ground.rank(piece).is_fixed() || self.is_down(piece)
    }

    /// Whether a piece may end its way on a station where another stands.
    fn may_meet(&self, ground: &Ground, piece: u8, other: u8, to: Station) -> bool {
        if ground.board.kind(to) == Kind::Camp
            || self.is_down(other)
            || ground.friends(piece, other)
        {
            return false;
        }
        let options = ground.options;
        if ground.rank(other) != Rank::Flag {
            return true;
        }
        let mines = self.mines[usize::from(ground.bodies[usize::from(other)].side)];
        match (ground.rank(piece), options.flag_taker) {
            (Rank::Bomb, _) => options.bomb_flag,
            (_, FlagTaker::Anyone) => true,
            (rank, FlagTaker::NotMarshal) => rank != Rank::Marshal,
            (rank, FlagTaker::EngineerAfterMines) => rank == Rank::Engineer && mines == 0,
        }
    }

    /// Calls `found` with every step of a piece: where to, and who stands there.
    fn steps_of(
        &self,
        ground: &Ground,
        piece: u8,
        at: Station,
        found: &mut impl FnMut(Station, Option<u8>),
    ) {
        let mut look = |to: Station| {
            let other = self.on(to);
            if other.is_none_or(|other| self.may_meet(ground, piece, other, to)) {
                found(to, other);
            }
            other.is_none()
        };
        for to in &ground.board.roads[usize::from(at)] {
            look(*to);
        }
        if ground.rank(piece) == Rank::Engineer {
            let (mut seen, mut open, mut n) = ([0u64; 3], [0u8; MOST], 0);
            let mut new = |at: Station| {
                let (word, bit) = (usize::from(at / 64), 1u64 << (at % 64));
                let new = seen[word] & bit == 0;
                seen[word] |= bit;
                new
            };
            new(at);
            (open[0], n) = (at, n + 1);
            while n > 0 {
                n -= 1;
                for to in &ground.board.rails[usize::from(open[n])] {
                    if new(*to) && look(*to) {
                        open[n] = *to;
                        n += 1;
                    }
                }
            }
            return;
        }
        for ray in &ground.board.rays[usize::from(at)] {
            for to in ray {
                if !look(*to) {
                    break;
                }
            }
        }
    }

    /// Calls `found` with every step of the side to move: piece, where to, and who stands there.
    pub(super) fn steps(&self, ground: &Ground, mut found: impl FnMut(u8, Station, Option<u8>)) {
        for (id, body) in (0u8..).zip(&ground.bodies) {
            let at = self.at[usize::from(id)];
            if body.side != self.turn || at == NONE || self.is_fixed(ground, id, at) {
                continue;
            }
            self.steps_of(ground, id, at, &mut |to, other| found(id, to, other));
        }
    }

    /// Plays an act of the side to move; whether a flag falls by it.
    pub(super) fn play(&mut self, ground: &Ground, act: Act) -> bool {
        let mut flag = false;
        self.last = self.turn;
        match act {
            Act::Step { piece, to } => flag = self.step(ground, piece, to),
            Act::Flip(piece) => {
                self.down &= !(1 << piece);
                self.quiet = 0;
            }
            Act::Pass => self.quiet = 0,
        }
        self.pass_turn(ground);
        flag
    }

    fn step(&mut self, ground: &Ground, piece: u8, to: Station) -> bool {
        let from = self.at[usize::from(piece)];
        self.cells[usize::from(from)] = NONE;
        let Some(other) = self.on(to) else {
            self.cells[usize::from(to)] = piece;
            self.at[usize::from(piece)] = to;
            self.quiet += 1;
            return false;
        };
        self.quiet = 0;
        let contact = contact(ground.rank(piece), ground.rank(other), ground.options);
        self.show(if contact == Contact::Lost { other } else { piece });
        if contact != Contact::Lost {
            self.at[usize::from(other)] = NONE;
            self.cells[usize::from(to)] = NONE;
        }
        if contact == Contact::Won {
            self.cells[usize::from(to)] = piece;
            self.at[usize::from(piece)] = to;
        } else {
            self.at[usize::from(piece)] = NONE;
        }
        let body = ground.bodies[usize::from(other)];
        let fell = |rank| contact != Contact::Lost && body.rank == rank;
        if fell(Rank::Mine) {
            self.mines[usize::from(body.side)] -= 1;
        }
        if fell(Rank::Flag) {
            self.put_out(ground, body.side);
        }
        fell(Rank::Flag)
    }

    /// Takes a side out of the game; of four sides its pieces vanish.
    pub(super) fn put_out(&mut self, ground: &Ground, side: u8) {
        self.out |= 1 << side;
        if ground.options.four {
            for (id, body) in ground.bodies.iter().enumerate() {
                if body.side == side && self.at[id] != NONE {
                    self.cells[usize::from(self.at[id])] = NONE;
                    self.at[id] = NONE;
                }
            }
            self.mines[usize::from(side)] = 0;
        }
    }

    /// Gives the turn to the next side that is in.
    pub(super) fn pass_turn(&mut self, ground: &Ground) {
        let sides = if ground.options.four { 4 } else { 2 };
        let next = (1..=sides).map(|n| (self.turn + n) % sides);
        self.turn = next.into_iter().find(|s| self.out >> s & 1 == 0).unwrap_or(self.turn);
    }

    /// The team that has lost, if one has.
    pub(super) fn lost(&self, ground: &Ground) -> Option<u8> {
        let all = if ground.options.four { [0b0101, 0b1010] } else { [0b01, 0b10] };
        (0u8..).zip(all).find(|(_, sides)| self.out & sides == *sides).map(|(team, _)| team)
    }

    /// What quiet play has led to: the team that lost by it, or nobody.
    pub(super) fn worn_out(&self, ground: &Ground) -> Option<Option<u8>> {
        match ground.options.quiet {
            Quiet::Draws(most) if self.quiet > most => Some(None),
            Quiet::Loses(from) if self.quiet >= from => Some(Some(ground.team(self.last))),
            _ => None,
        }
    }
}
