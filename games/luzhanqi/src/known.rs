//! The keyhole: what a viewer may know, and what is shown of it.

use crate::board::{Board, Station};
use crate::layout::{Deal, Layout, piece_letter};
use crate::options::Sight;
use crate::position::{Move, Piece, Position};
use crate::{Contact, Luzhanqi, Rank};
use kiban_core::{Line, Notation, Outcome, Rules, Seat, Seats, Viewer};
use serde::Serialize;

/// The side of a face-down piece for those who do not know it.
pub(crate) const NO_SIDE: u8 = 9;

/// One ply as a viewer knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Whose ply it was.
    pub by: Seat,
    /// What was done.
    pub m: Move,
    /// The stations on the way, both ends included, where it is not straight.
    pub path: Vec<Station>,
    /// What came of an attack.
    pub contact: Option<Contact>,
    /// The ranks of attacker and attacked, or of the piece that moved; unknown where not told.
    pub ranks: (Rank, Rank),
    /// What a flip turned up.
    pub flipped: Option<(u8, Rank)>,
    /// Flags made public: side and station.
    pub flags: Vec<(u8, u8)>,
    /// Seats that went out.
    pub out: Seats,
    /// Whether it ended the game.
    pub ends: bool,
}

/// All a viewer may know: what was public at any time, and the own pieces. Ranks that are hidden
/// from the viewer are [`Rank::Unknown`] everywhere.
#[derive(Clone, Debug)]
pub struct Known {
    /// Who looks.
    pub who: Viewer,
    /// The position now; `None` before play.
    pub position: Option<Position>,
    /// The position play began from.
    pub start: Option<Position>,
    /// Every ply.
    pub events: Vec<Event>,
    /// Seats whose layouts lie.
    pub placed: Seats,
    /// The layouts the viewer knows, by seat.
    pub layouts: Vec<Option<Layout>>,
    /// The deal, for the referee and after the end.
    pub deal: Option<Deal>,
    /// How the game came out.
    pub outcome: Option<Outcome>,
}

/// Decides which ranks a viewer knows.
struct Eyes {
    rules: Luzhanqi,
    who: Viewer,
    /// The referee, and everybody once the game is over.
    all: bool,
}

impl Eyes {
    /// Whether the viewer sees the ranks of this side.
    fn sees_side(&self, side: u8) -> bool {
        let Viewer::Seat(seat) = self.who else { return false };
        // In flip ranks do not hang on who looks, so the side of a seat is always its own here.
        match self.rules.options.sight {
            Sight::Own => seat.index() == usize::from(side),
            Sight::Pair => self.rules.options.allied(seat.index() as u8, side),
            Sight::All | Sight::Flipped => false,
        }
    }

    fn sees(&self, piece: Piece) -> bool {
        match self.rules.options.sight {
            _ if self.all => true,
            Sight::All => true,
            Sight::Flipped => !piece.down,
            Sight::Own | Sight::Pair => piece.told || self.sees_side(piece.side),
        }
    }

    fn rank(&self, piece: Piece) -> Rank {
        if self.sees(piece) { piece.rank } else { Rank::Unknown }
    }

    fn position(&self, p: &Position) -> Position {
        let mut seen = *p;
        for piece in seen.cells.iter_mut().flatten() {
            if !self.sees(*piece) {
                piece.rank = Rank::Unknown;
                if piece.down {
                    piece.side = NO_SIDE;
                }
            }
        }
        if !self.all && !self.rules.options.ranks_are_public() {
            seen.mines = [0; 4];
        }
        seen
    }

    fn event(&self, by: Seat, m: Move, before: &Position, after: &Position) -> Event {
        let mut event = Event {
            by,
            m,
            path: match m {
                Move::Step(from, to) => before.way(Board::of(self.rules.options.four), from, to),
                _ => Vec::new(),
            },
            contact: after.contact,
            ranks: (Rank::Unknown, Rank::Unknown),
            flipped: None,
            flags: Vec::new(),
            out: after.out.iter().filter(|s| !before.out.has(*s)).collect(),
            ends: false,
        };
        let told = after.contact.is_some() && self.rules.options.announce_ranks;
        let rank = |piece: Option<Piece>| match piece {
            Some(piece) if told => piece.rank,
            Some(piece) => self.rank(piece),
            None => Rank::Unknown,
        };
        match m {
            Move::Step(from, to) => event.ranks = (rank(before.at(from)), rank(before.at(to))),
            Move::Flip(at) => event.flipped = after.at(at).map(|piece| (piece.side, piece.rank)),
            Move::Skip | Move::Out(..) => {}
        }
        for (side, (old, new)) in (0u8..).zip(before.flags.iter().zip(after.flags)) {
            event.flags.extend(new.filter(|_| old.is_none()).map(|at| (side, at)));
        }
        event
    }
}

impl Known {
    pub(crate) fn of(rules: Luzhanqi, line: &Line<Luzhanqi>, who: Viewer) -> Known {
        let outcome = line.outcome();
        let eyes = Eyes { rules, who, all: who == Viewer::Referee || outcome.is_some() };
        let plies = line.steps().iter().zip(line.positions()).zip(line.positions().iter().skip(1));
        let mut events: Vec<Event> = plies
            .map(|((step, before), after)| eyes.event(step.by, step.m, before, after))
            .collect();
        if let Some(last) = events.last_mut() {
            last.ends = line.called().is_none() && outcome.is_some();
        }
        let open = line.begun() && rules.options.sight == Sight::All;
        let shown = |(side, layout): (u8, &Option<Layout>)| {
            layout.filter(|_| eyes.all || open || eyes.sees_side(side) || own(who, side))
        };
        let seats = Seats::first_n(rules.seats()).iter();
        Known {
            who,
            position: line.begun().then(|| eyes.position(line.position())),
            start: line.positions().first().map(|p| eyes.position(p)),
            events,
            placed: seats.filter(|s| line.layouts()[s.index()].is_some()).collect(),
            layouts: (0u8..).zip(line.layouts()).map(shown).collect(),
            deal: line.deal().filter(|_| eyes.all).cloned(),
            outcome,
        }
    }

    /// The stations whose pieces have moved.
    pub(crate) fn moved(&self) -> Vec<u8> {
        let mut moved: Vec<u8> = Vec::new();
        for event in &self.events {
            let Move::Step(from, to) = event.m else { continue };
            moved.retain(|at| *at != from);
            match event.contact {
                None | Some(Contact::Won) if !moved.contains(&to) => moved.push(to),
                Some(Contact::Both) => moved.retain(|at| *at != to),
                _ => {}
            }
        }
        let stands = |at: &u8| self.position.as_ref().is_some_and(|p| p.at(*at).is_some());
        moved.retain(stands);
        moved.sort_unstable();
        moved
    }

    /// The pieces lost, as far as the viewer knows their ranks: side and rank.
    pub(crate) fn lost(&self) -> Vec<(u8, Rank)> {
        let Some(start) = &self.start else { return Vec::new() };
        let mut sides: Vec<Option<u8>> = start.cells.iter().map(|c| c.map(|p| p.side)).collect();
        let mut lost = Vec::new();
        for event in &self.events {
            match event.m {
                Move::Flip(at) => sides[usize::from(at)] = event.flipped.map(|(side, _)| side),
                Move::Step(from, to) => {
                    let attacker = sides[usize::from(from)].take();
                    let attacked = sides[usize::from(to)];
                    if event.contact.is_some_and(|c| c != Contact::Won) {
                        lost.extend(attacker.map(|side| (side, event.ranks.0)));
                    }
                    if event.contact.is_some_and(|c| c != Contact::Lost) {
                        lost.extend(attacked.map(|side| (side, event.ranks.1)));
                        sides[usize::from(to)] = None;
                    }
                    if matches!(event.contact, None | Some(Contact::Won)) {
                        sides[usize::from(to)] = attacker;
                    }
                }
                Move::Skip | Move::Out(..) => {}
            }
        }
        lost
    }
}

/// Whether a viewer is the seat of this side, where sides and seats are one.
fn own(who: Viewer, side: u8) -> bool {
    matches!(who, Viewer::Seat(seat) if seat.index() == usize::from(side))
}

/// A seat's facts in the view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// What it plays: `red` or `black`, or its arm; nothing before the first flip.
    pub side: Option<&'static str>,
    /// Whether its layout lies.
    pub placed: bool,
    /// Its layout, if the viewer knows it.
    pub layout: Option<String>,
    /// Whether it is out.
    pub out: bool,
    /// Turns skipped.
    pub skips: u8,
    /// Pieces of it that are seen on the board; those face down belong to nobody yet.
    pub left: usize,
    /// Letters of the pieces it lost, as far as they are known; `x` for others.
    pub lost: String,
    /// Where its flag is, once that is public.
    pub flag: Option<String>,
}

/// The last ply in the view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LastView {
    /// Whose ply.
    pub by: Seat,
    /// Its text with what came of it.
    pub text: String,
    /// What came of an attack.
    pub contact: Option<Contact>,
}

/// What a viewer sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The position's text.
    pub position: String,
    /// Whose turn it is.
    pub to_move: Option<Seat>,
    /// Quiet plies in a row.
    pub quiet: u16,
    /// Plies so far.
    pub ply: u16,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// Stations whose pieces have moved.
    pub moved: Vec<String>,
    /// The last ply.
    pub last: Option<LastView>,
    /// The deal, after the end.
    pub deal: Option<String>,
    /// How the game came out.
    pub outcome: Option<Outcome>,
}

/// The name of a side.
pub(crate) fn side_name(four: bool, side: u8) -> &'static str {
    match (four, side) {
        (false, 0) => "red",
        (false, _) => "black",
        (true, side) => ["south", "east", "north", "west"][usize::from(side) % 4],
    }
}

impl View {
    pub(crate) fn of(rules: Luzhanqi, k: &Known) -> View {
        let board = Board::of(rules.options.four);
        let name = |at: u8| board.names[usize::from(at)].clone();
        let p = k.position.as_ref();
        let lost = k.lost();
        let seat_view = |seat: Seat| {
            let side = match p {
                Some(p) => p.side(rules.options, seat),
                None if rules.options.flips() => None,
                None => Some(seat.index() as u8),
            };
            let of_side = |s: &u8| Some(*s) == side;
            let fallen = lost.iter().filter(|(s, _)| of_side(s));
            SeatView {
                seat,
                side: side.map(|side| side_name(rules.options.four, side)),
                placed: k.placed.has(seat),
                layout: k.layouts[seat.index()].map(Layout::letters),
                out: p.is_some_and(|p| p.out.has(seat)),
                skips: p.map_or(0, |p| p.skips[seat.index()]),
                left: p.map_or(0, |p| p.pieces().filter(|(_, q)| of_side(&q.side)).count()),
                lost: fallen.map(|(_, rank)| piece_letter(1, *rank)).collect(),
                flag: p.and_then(|p| p.flags[usize::from(side?)]).map(name),
            }
        };
        let last = k.events.last().map(|event| LastView {
            by: event.by,
            text: crate::notation::event_text(rules, event),
            contact: event.contact,
        });
        View {
            position: rules.write_position(k),
            to_move: p.filter(|_| k.outcome.is_none()).map(|p| p.turn),
            quiet: p.map_or(0, |p| p.quiet),
            ply: p.map_or(0, |p| p.ply),
            seats: Seats::first_n(rules.seats()).iter().map(seat_view).collect(),
            moved: k.moved().into_iter().map(name).collect(),
            last,
            deal: k.deal.as_ref().map(Deal::letters),
            outcome: k.outcome,
        }
    }
}
