//! What the course of a game tells of every piece: which ranks it can still have.

use crate::board::{Board, Station};
use crate::layout::may_stand;
use crate::notation::own_half;
use crate::position::{Move, Position};
use crate::{Contact, Known, Luzhanqi, Rank, contact};

/// A set of ranks, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ranks(pub(super) u16);

impl Ranks {
    /// Every rank.
    pub(super) const ALL: Ranks = Ranks(0xfff);

    /// One rank.
    pub(super) fn only(rank: Rank) -> Ranks {
        Ranks(1 << rank as u16)
    }

    /// Those of which this is true.
    pub(super) fn that(fits: impl Fn(Rank) -> bool) -> Ranks {
        Ranks(Rank::ALL.into_iter().filter(|r| fits(*r)).map(|r| 1 << r as u16).sum())
    }

    /// Whether it holds this one.
    pub(super) fn has(self, rank: Rank) -> bool {
        self.0 >> rank as u16 & 1 == 1
    }

    /// The one rank it holds, if it holds just one.
    pub(super) fn single(self) -> Option<Rank> {
        (self.0.count_ones() == 1).then(|| Rank::ALL[self.0.trailing_zeros() as usize])
    }

    /// Those in both; if that is none, the evidence is at odds and this stays as it is.
    pub(super) fn keep(&mut self, other: Ranks) {
        if self.0 & other.0 != 0 {
            self.0 &= other.0;
        }
    }
}

/// A piece from the start of play on.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// Whose.
    pub(super) side: u8,
    /// Where it stood at the start; `None` for one that had gone before.
    pub(super) home: Option<Station>,
    /// Where it stands; `None` once it is gone.
    pub(super) now: Option<Station>,
    /// What it can be.
    pub(super) ranks: Ranks,
    /// What everybody knows it to be.
    pub(super) public: Option<Rank>,
    /// Whether it has moved.
    pub(super) moved: bool,
    /// Whether it has come out of a contact alive.
    pub(super) shown: bool,
    /// How many enemy pieces it attacked.
    pub(super) attacks: u8,
}

impl Trace {
    /// Everybody learns what it is.
    fn tell(&mut self, rank: Rank) {
        self.ranks.keep(Ranks::only(rank));
        self.public = Some(rank);
    }
}

/// Two pieces of unknown ranks met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) attacker: usize,
    pub(super) attacked: usize,
    pub(super) contact: Contact,
}

/// Every piece of a game, with what there is to know of it.
pub(super) struct Tracks {
    pub(super) pieces: Vec<Trace>,
    /// Every contact.
    pub(super) meetings: Vec<Meeting>,
    /// Whether the start was by layouts, so that homes are places of layouts.
    pub(super) laid: bool,
}

impl Tracks {
    /// What a seat can conclude from all it knows.
    pub(super) fn of(rules: Luzhanqi, known: &Known) -> Tracks {
        let empty = Position::empty();
        let start = known.start.as_ref().unwrap_or(&empty);
        let mut tracks = Tracks { pieces: Vec::new(), meetings: Vec::new(), laid: !rules.placed };
        let mut board: Vec<Option<usize>> = vec![None; start.cells.len()];
        for (at, piece) in start.pieces() {
            board[usize::from(at)] = Some(tracks.pieces.len());
            let ranks = tracks.at_home(rules, piece.side, piece.rank, at);
            tracks.pieces.push(Trace {
                side: piece.side,
                home: Some(at),
                now: Some(at),
                ranks,
                public: None,
                moved: false,
                shown: false,
                attacks: 0,
            });
        }
        tracks.add_fallen(rules);
        let mut p = *start;
        for event in &known.events {
            tracks.follow(rules, &p, event, &mut board);
            p.follow(rules.options, event);
        }
        if let Some(p) = &known.position {
            tracks.see(p, rules.options.ranks_are_public());
        }
        tracks.weed(rules);
        tracks
    }

    /// What a piece can be where it stands at the start.
    fn at_home(&self, rules: Luzhanqi, side: u8, rank: Rank, at: Station) -> Ranks {
        if rank != Rank::Unknown {
            return Ranks::only(rank);
        }
        let home = own_half(rules.options, side, at);
        Ranks::that(|rank| match (rank, home) {
            (Rank::Bomb, _) if !self.laid => true,
            (rank, Some(station)) => may_stand(rank, station),
            (rank, None) => !rank.is_fixed(),
        })
    }

    /// Fills the sides of a placed start up to 25 pieces: those that are missing had gone before.
    fn add_fallen(&mut self, rules: Luzhanqi) {
        for side in 0..if rules.options.four { 4 } else { 2 } {
            let standing = self.pieces.iter().filter(|piece| piece.side == side).count();
            for _ in standing..if standing == 0 { 0 } else { crate::PIECES } {
                let ranks = Ranks(Ranks::ALL.0 & !Ranks::only(Rank::Flag).0);
                let (home, now, public) = (None, None, None);
                let (moved, shown, attacks) = (true, false, 0);
                self.pieces.push(Trace { side, home, now, ranks, public, moved, shown, attacks });
            }
        }
    }

    /// Takes a ply into account; `p` is the position before it, as far as it is known.
    fn follow(
        &mut self,
        rules: Luzhanqi,
        p: &Position,
        event: &crate::Event,
        board: &mut [Option<usize>],
    ) {
        if let Move::Step(from, to) = event.m
            && let Some(mover) = board[usize::from(from)].take()
        {
            let piece = &mut self.pieces[mover];
            piece.moved = true;
            piece.ranks.keep(Ranks::that(|rank| !rank.is_fixed()));
            if !p.reach(Board::of(rules.options.four), from, false).has(to) {
                piece.ranks.keep(Ranks::only(Rank::Engineer));
            }
            match (event.contact, board[usize::from(to)]) {
                (Some(contact), Some(other)) => {
                    self.meet(rules, event, (mover, other), contact);
                    let stays = match contact {
                        Contact::Won => Some(mover),
                        Contact::Lost => Some(other),
                        Contact::Both => None,
                    };
                    board[usize::from(to)] = stays;
                    if let Some(stays) = stays {
                        self.pieces[stays].shown = true;
                    }
                    for gone in [mover, other] {
                        let now = (stays == Some(gone)).then_some(to);
                        self.pieces[gone].now = now;
                    }
                }
                _ => {
                    board[usize::from(to)] = Some(mover);
                    self.pieces[mover].now = Some(to);
                }
            }
        }
        for (_, at) in &event.flags {
            if let Some(flag) = board[usize::from(*at)] {
                self.pieces[flag].tell(Rank::Flag);
            }
        }
        if rules.options.four {
            for seat in event.out.iter() {
                for piece in &mut self.pieces {
                    if usize::from(piece.side) == seat.index() {
                        piece.now = None;
                    }
                }
                let side_of = |id: usize| usize::from(self.pieces[id].side);
                for cell in board.iter_mut() {
                    *cell = cell.filter(|id| side_of(*id) != seat.index());
                }
            }
        }
    }

    /// What a contact tells of both.
    fn meet(
        &mut self,
        rules: Luzhanqi,
        event: &crate::Event,
        (attacker, attacked): (usize, usize),
        contact: Contact,
    ) {
        let options = rules.options;
        self.pieces[attacker].attacks += 1;
        for (id, rank) in [(attacker, event.ranks.0), (attacked, event.ranks.1)] {
            if options.announce_ranks && rank != Rank::Unknown {
                self.pieces[id].tell(rank);
            }
        }
        // Of a side that went out by this ply nothing else can be told.
        let side_out = |side: u8| {
            event.ends || options.four && event.out.iter().any(|s| s.index() == usize::from(side))
        };
        if !side_out(self.pieces[attacked].side) {
            self.pieces[attacked].ranks.keep(Ranks::that(|rank| rank != Rank::Flag));
        }
        let fallen = match contact {
            Contact::Won => [Some(attacked), None],
            Contact::Lost => [Some(attacker), None],
            Contact::Both => [Some(attacker), Some(attacked)],
        };
        for id in fallen.into_iter().flatten() {
            let piece = &mut self.pieces[id];
            if event.flags.iter().any(|(side, _)| *side == piece.side) {
                piece.tell(Rank::Marshal);
            } else if options.marshal_reveals && !side_out(piece.side) {
                piece.ranks.keep(Ranks::that(|rank| rank != Rank::Marshal));
            }
        }
        self.meetings.push(Meeting { attacker, attacked, contact });
    }

    /// Takes over what lies open now.
    fn see(&mut self, p: &Position, public: bool) {
        for piece in &mut self.pieces {
            if let Some(seen) = piece.now.and_then(|at| p.at(at))
                && seen.rank != Rank::Unknown
                && seen.side == piece.side
            {
                piece.ranks.keep(Ranks::only(seen.rank));
                if seen.told || public {
                    piece.public = Some(seen.rank);
                }
            }
        }
    }

    /// Strikes out what cannot be, until nothing more follows: ranks no partner of a contact
    /// allows, and ranks whose pieces are all found.
    fn weed(&mut self, rules: Luzhanqi) {
        loop {
            let before: u32 = self.pieces.iter().map(|p| p.ranks.0.count_ones()).sum();
            for i in 0..self.meetings.len() {
                let m = self.meetings[i];
                let (a, b) = (self.pieces[m.attacker].ranks, self.pieces[m.attacked].ranks);
                let [a, b] = allowed(rules, m.contact, a, b);
                self.pieces[m.attacker].ranks.keep(a);
                self.pieces[m.attacked].ranks.keep(b);
            }
            for side in 0..4 {
                self.count(side);
            }
            let after: u32 = self.pieces.iter().map(|p| p.ranks.0.count_ones()).sum();
            if after == before {
                break;
            }
        }
    }

    /// What the numbers of pieces tell: a set of `n` places for `n` pieces is closed to others, for
    /// single ranks and for the fixed pieces together.
    fn count(&mut self, side: u8) {
        if self.pieces.iter().all(|p| p.side != side || p.ranks.single().is_some()) {
            return;
        }
        let closed = |ranks: Ranks| -> usize {
            Rank::ALL.into_iter().filter(|r| ranks.has(*r)).map(Rank::count).sum()
        };
        let mut sets: Vec<Ranks> = Rank::ALL.into_iter().map(Ranks::only).collect();
        sets.extend(self.pieces.iter().filter(|p| p.side == side).map(|p| p.ranks));
        sets.retain(|set| set.0 != Ranks::ALL.0);
        for set in sets {
            let own = |p: &&mut Trace| p.side == side;
            let inside = |p: &Trace| p.ranks.0 & !set.0 == 0;
            let n = self.pieces.iter().filter(|p| p.side == side && inside(p)).count();
            if n >= closed(set) {
                for piece in self.pieces.iter_mut().filter(own).filter(|p| !inside(p)) {
                    piece.ranks.keep(Ranks(!set.0));
                }
            }
            let could = |p: &Trace| p.ranks.0 & set.0 != 0;
            let n = self.pieces.iter().filter(|p| p.side == side && could(p)).count();
            if n <= closed(set) {
                for piece in self.pieces.iter_mut().filter(own).filter(|p| could(p)) {
                    piece.ranks.keep(set);
                }
            }
        }
    }
}

/// What each of two pieces that met can be, given what the other can be.
pub(super) fn allowed(rules: Luzhanqi, came: Contact, a: Ranks, b: Ranks) -> [Ranks; 2] {
    let options = rules.options;
    let fits = |x: Rank, y: Rank| contact(x, y, options) == came;
    let any = |of: Ranks, fits: &dyn Fn(Rank) -> bool| {
        Rank::ALL.into_iter().any(|rank| of.has(rank) && fits(rank))
    };
    [
        Ranks::that(|x| a.has(x) && any(b, &|y| fits(x, y))),
        Ranks::that(|y| b.has(y) && any(a, &|x| fits(x, y))),
    ]
}
