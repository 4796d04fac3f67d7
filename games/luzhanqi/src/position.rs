//! What stands where, whose turn it is, and where a piece can go.

use crate::board::{Board, Kind, MOST, Station};
use crate::options::FlagTaker;
use crate::{Contact, Event, Options, Rank};
use kiban_core::{Call, Seat, Seats};

/// A piece on a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose: 0 Red and 1 Black, or the arm of four players.
    pub side: u8,
    /// Its rank, as far as it is known.
    pub rank: Rank,
    /// Whether it lies face down; then its side is not known either to those who do not know it.
    pub down: bool,
    /// Whether its rank has been told to everybody.
    pub told: bool,
}

/// A move, or what takes the place of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// From a station to another.
    Step(Station, Station),
    /// A face-down piece is turned up.
    Flip(Station),
    /// The time for the turn ran out.
    Skip,
    /// A seat of four leaves the game by this call, with its pieces.
    Out(Seat, Call),
}

/// A skipped turn of this number loses.
pub(crate) const LAST_SKIP: u8 = 5;

/// A position, complete or as a viewer knows it (unknown ranks are [`Rank::Unknown`]).
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The pieces.
    pub cells: [Option<Piece>; MOST],
    /// Whose turn it is.
    pub turn: Seat,
    /// Which of two seats plays Red; `None` before the first flip.
    pub red: Option<Seat>,
    /// Seats that are out. Of two, the one that lost its flag or skipped too often.
    pub out: Seats,
    /// By side, where a flag was made public.
    pub flags: [Option<Station>; 4],
    /// By side, mines left; all zero where that is not public.
    pub mines: [u8; 4],
    /// Quiet plies in a row.
    pub quiet: u16,
    /// Plies so far.
    pub ply: u16,
    /// By seat, turns skipped.
    pub skips: [u8; 4],
    /// Who made the last ply.
    pub last: Seat,
    /// What came of it, if it was an attack.
    pub contact: Option<Contact>,
}

impl PartialEq for Position {
    /// The pieces and the turn; counters are outside.
    fn eq(&self, other: &Position) -> bool {
        (self.cells, self.turn, self.red, self.out)
            == (other.cells, other.turn, other.red, other.out)
    }
}

impl Eq for Position {}

/// A set of stations.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stations([u64; 3]);

impl Stations {
    /// Adds a station; false if it was there.
    fn add(&mut self, at: Station) -> bool {
        let (word, bit) = (usize::from(at / 64), 1u64 << (at % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Whether it holds this one.
    pub(crate) fn has(self, at: Station) -> bool {
        self.0[usize::from(at / 64)] >> (at % 64) & 1 == 1
    }

    /// The stations in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Station> {
        (0u8..).zip(self.0).flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let at = word * 64 + bits.trailing_zeros() as u8;
                    bits &= bits - 1;
                    at
                })
            })
        })
    }
}

impl Position {
    /// A board without pieces, the first seat to move.
    pub fn empty() -> Position {
        Position {
            cells: [None; MOST],
            turn: Seat::FIRST,
            red: Some(Seat::FIRST),
            out: Seats::NONE,
            flags: [None; 4],
            mines: [0; 4],
            quiet: 0,
            ply: 0,
            skips: [0; 4],
            last: Seat::FOURTH,
            contact: None,
        }
    }

    /// What stands on a station.
    pub fn at(&self, at: Station) -> Option<Piece> {
        self.cells[usize::from(at)]
    }

    /// The pieces with their stations.
    pub fn pieces(&self) -> impl Iterator<Item = (Station, Piece)> {
        (0u8..).zip(&self.cells).filter_map(|(at, piece)| Some((at, (*piece)?)))
    }

    /// The side a seat plays; `None` before the first flip.
    pub fn side(&self, options: Options, seat: Seat) -> Option<u8> {
        match self.red {
            _ if options.four => Some(seat.index() as u8),
            red => red.map(|red| u8::from(red != seat)),
        }
    }

    /// The seat that plays a side; `None` before the first flip.
    pub fn seat(&self, options: Options, side: u8) -> Option<Seat> {
        match self.red {
            _ if options.four => Seat::new(side.into()),
            red => red.map(|red| if side == 0 { red } else { red.other() }),
        }
    }

    /// Where a piece of this kind could go from here if whatever stands at the end did not matter.
    pub(crate) fn reach(&self, board: &Board, from: Station, engineer: bool) -> Stations {
        let mut reached = Stations::default();
        for to in &board.roads[usize::from(from)] {
            reached.add(*to);
        }
        if engineer {
            let mut seen = Stations::default();
            seen.add(from);
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                for to in &board.rails[usize::from(at)] {
                    if seen.add(*to) {
                        reached.add(*to);
                        if self.at(*to).is_none() {
                            open.push(*to);
                        }
                    }
                }
            }
            return reached;
        }
        for ray in &board.rays[usize::from(from)] {
            for to in ray {
                reached.add(*to);
                if self.at(*to).is_some() {
                    break;
                }
            }
        }
        reached
    }

    /// The stations a piece goes over, both ends included, where its way is not a straight line:
    /// along a curve, or the shortest free railway of an engineer. Where a straight way is free it
    /// is taken, so the way says no more than its ends do.
    pub(crate) fn way(&self, board: &Board, from: Station, to: Station) -> Vec<Station> {
        if board.roads[usize::from(from)].contains(&to) {
            return Vec::new();
        }
        for ray in &board.rays[usize::from(from)] {
            let Some(end) = ray.iter().position(|at| *at == to) else { continue };
            if ray[..end].iter().all(|at| self.at(*at).is_none()) {
                let whole: Vec<Station> =
                    std::iter::once(from).chain(ray[..=end].iter().copied()).collect();
                return if board.is_curved(&whole) { whole } else { Vec::new() };
            }
        }
        let mut before = [None; MOST];
        let mut open = std::collections::VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            if at == to {
                let back = std::iter::successors(Some(at), |at| before[usize::from(*at)]);
                let mut way: Vec<Station> = back.take_while(|at| *at != from).collect();
                way.push(from);
                way.reverse();
                return way;
            }
            if at != from && self.at(at).is_some() {
                continue;
            }
            for next in &board.rails[usize::from(at)] {
                if *next != from && before[usize::from(*next)].is_none() {
                    before[usize::from(*next)] = Some(at);
                    open.push_back(*next);
                }
            }
        }
        Vec::new()
    }

    /// Whether a piece stays where it stands.
    pub(crate) fn is_fixed(&self, board: &Board, options: Options, at: Station) -> bool {
        let held = !options.hq_free && board.kind(at) == Kind::Headquarters;
        held || self.at(at).is_none_or(|piece| piece.down || piece.rank.is_fixed())
    }

    /// Whether a piece may end its way where another stands (or nothing).
    pub(crate) fn may_meet(
        &self,
        board: &Board,
        options: Options,
        piece: Piece,
        to: Station,
    ) -> bool {
        let Some(other) = self.at(to) else { return true };
        if board.kind(to) == Kind::Camp || other.down || options.allied(piece.side, other.side) {
            return false;
        }
        match piece.rank {
            // Where this says no, ranks are public: a refusal tells nothing.
            _ if other.rank != Rank::Flag => true,
            Rank::Bomb => options.bomb_flag,
            rank => match options.flag_taker {
                FlagTaker::Anyone => true,
                FlagTaker::NotMarshal => rank != Rank::Marshal,
                FlagTaker::EngineerAfterMines => {
                    rank == Rank::Engineer && self.mines[usize::from(other.side)] == 0
                }
            },
        }
    }

    /// The stations a movable piece may go to.
    fn targets(
        &self,
        board: &Board,
        options: Options,
        (from, piece): (Station, Piece),
    ) -> impl Iterator<Item = Station> {
        let reach = self.reach(board, from, piece.rank == Rank::Engineer);
        reach.iter().filter(move |to| self.may_meet(board, options, piece, *to))
    }

    /// The movable pieces of a side.
    fn movable(
        &self,
        board: &Board,
        options: Options,
        side: u8,
    ) -> impl Iterator<Item = (Station, Piece)> {
        let own = self.pieces().filter(move |(_, piece)| piece.side == side);
        own.filter(move |(at, _)| !self.is_fixed(board, options, *at))
    }

    /// The moves of the seat to move, by station; flips first.
    pub fn moves(&self, options: Options) -> Vec<Move> {
        let board = Board::of(options.four);
        let down = self.pieces().filter(|(_, piece)| piece.down);
        let mut moves: Vec<Move> = down.map(|(at, _)| Move::Flip(at)).collect();
        if let Some(side) = self.side(options, self.turn) {
            for (from, piece) in self.movable(board, options, side) {
                let to = self.targets(board, options, (from, piece));
                moves.extend(to.map(|to| Move::Step(from, to)));
            }
        }
        moves
    }

    /// Whether a seat could move if it were its turn.
    pub fn can_move(&self, options: Options, seat: Seat) -> bool {
        let board = Board::of(options.four);
        let steps = |side| {
            let mut movable = self.movable(board, options, side);
            movable.any(|from| self.targets(board, options, from).next().is_some())
        };
        self.pieces().any(|(_, piece)| piece.down) || self.side(options, seat).is_some_and(steps)
    }

    /// Plays a legal move, or what a call led to.
    pub(crate) fn play(&mut self, options: Options, m: Move) {
        self.contact = None;
        if let Move::Out(seat, _) = m {
            self.put_out(options, seat);
            if seat == self.turn {
                self.pass_turn(options);
            }
            return self.settle(options);
        }
        self.ply += 1;
        self.last = self.turn;
        match m {
            Move::Step(from, to) => self.step(options, from, to),
            Move::Flip(at) => self.flip(at),
            Move::Skip => {
                let skips = &mut self.skips[self.turn.index()];
                *skips += 1;
                if *skips >= LAST_SKIP {
                    self.put_out(options, self.turn);
                }
            }
            Move::Out(..) => {}
        }
        self.pass_turn(options);
        self.settle(options);
    }

    /// Takes a ply over as a viewer is told of it, who need not know the ranks.
    pub(crate) fn follow(&mut self, options: Options, event: &Event) {
        self.contact = event.contact;
        if !matches!(event.m, Move::Out(..)) {
            self.ply += 1;
            self.last = event.by;
        }
        match event.m {
            Move::Step(from, to) => {
                let mover = self.cells[usize::from(from)].take();
                let stays = &mut self.cells[usize::from(to)];
                match event.contact {
                    None | Some(Contact::Won) => *stays = mover,
                    Some(Contact::Lost) => {}
                    Some(Contact::Both) => *stays = None,
                }
                self.quiet = if event.contact.is_some() { 0 } else { self.quiet + 1 };
            }
            Move::Flip(at) => self.flip(at),
            Move::Skip | Move::Out(..) => {}
        }
        for (side, at) in &event.flags {
            self.flags[usize::from(*side)] = Some(*at);
            if let Some(flag) = &mut self.cells[usize::from(*at)] {
                (flag.rank, flag.told) = (Rank::Flag, true);
            }
        }
        for seat in event.out.iter() {
            self.put_out(options, seat);
        }
        self.pass_turn(options);
    }

    fn flip(&mut self, at: Station) {
        if let Some(piece) = &mut self.cells[usize::from(at)] {
            piece.down = false;
            let turn = self.turn;
            self.red.get_or_insert(if piece.side == 0 { turn } else { turn.other() });
        }
        self.quiet = 0;
    }

    fn step(&mut self, options: Options, from: Station, to: Station) {
        let mover = self.cells[usize::from(from)].take().expect("a step begins on a piece");
        let Some(other) = self.at(to) else {
            self.cells[usize::from(to)] = Some(mover);
            self.quiet += 1;
            return;
        };
        self.quiet = 0;
        let contact = crate::contact(mover.rank, other.rank, options);
        self.contact = Some(contact);
        self.cells[usize::from(to)] = match contact {
            Contact::Won => Some(mover),
            Contact::Lost => Some(other),
            Contact::Both => None,
        };
        if let Some(left) = &mut self.cells[usize::from(to)] {
            left.told |= options.announce_ranks;
        }
        if contact != Contact::Won {
            self.fallen(options, mover);
        }
        if contact != Contact::Lost {
            self.fallen(options, other);
        }
    }

    /// What a piece's end leads to.
    fn fallen(&mut self, options: Options, piece: Piece) {
        let side = usize::from(piece.side);
        match piece.rank {
            Rank::Mine => self.mines[side] = self.mines[side].saturating_sub(1),
            Rank::Marshal if options.marshal_reveals => {
                let flag = |(_, p): &(Station, Piece)| (p.side, p.rank) == (piece.side, Rank::Flag);
                let found = self.pieces().find(flag);
                if let Some((at, _)) = found {
                    self.flags[side] = Some(at);
                    if let Some(flag) = &mut self.cells[usize::from(at)] {
                        flag.told = true;
                    }
                }
            }
            Rank::Flag => {
                let seat = self.seat(options, piece.side).expect("an open piece has a player");
                self.put_out(options, seat);
            }
            _ => {}
        }
    }

    /// Marks a seat out; of four seats its pieces vanish.
    fn put_out(&mut self, options: Options, seat: Seat) {
        self.out = self.out.with(seat);
        let side = seat.index() as u8;
        if options.four {
            for cell in &mut self.cells {
                if cell.is_some_and(|piece| piece.side == side) {
                    *cell = None;
                }
            }
            (self.flags[seat.index()], self.mines[seat.index()]) = (None, 0);
        }
    }

    fn pass_turn(&mut self, options: Options) {
        if !options.four {
            self.turn = self.turn.other();
            return;
        }
        let after = (1..=4).filter_map(|n| Seat::new((self.turn.index() + n) % 4));
        self.turn = after.into_iter().find(|s| !self.out.has(*s)).unwrap_or(self.turn);
    }

    /// Of four seats, one that has no move when its turn comes goes out.
    pub(crate) fn settle(&mut self, options: Options) {
        while options.four
            && !self.team_out(options)
            && (self.out.has(self.turn) || !self.can_move(options, self.turn))
        {
            self.put_out(options, self.turn);
            self.pass_turn(options);
        }
    }

    /// Whether all seats of a team are out.
    pub fn team_out(&self, options: Options) -> bool {
        [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .any(|s| team(options, s).iter().all(|ally| self.out.has(ally)))
    }
}

/// The seats that play together with this one, itself among them.
pub fn team(options: Options, seat: Seat) -> Seats {
    let mates = Seat::ALL.into_iter().filter(|s| s.plays_with(seat));
    if options.four { mates.collect() } else { seat.into() }
}
