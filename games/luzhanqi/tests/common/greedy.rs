//! Opponents to measure the computer player by: chance, and the best expected exchange of one ply.
//! Both get what a seat may know and nothing else.

use kiban_core::Rules;
use kiban_luzhanqi::board::{Board, Kind};
use kiban_luzhanqi::{Contact, Known, Luzhanqi, Move, Piece, Position, Rank, contact, may_stand};
use kiban_search::Random;

/// What a rank is worth, in hundredths of a captain.
const WORTH: [f32; 12] =
    [900.0, 750.0, 520.0, 400.0, 280.0, 180.0, 100.0, 70.0, 160.0, 140.0, 350.0, 5000.0];

/// Any move.
pub(crate) fn random(rules: Luzhanqi, known: &Known, random: &mut Random) -> Move {
    let moves = rules.choices(known);
    moves[random.below(moves.len())]
}

/// The move of the best expected exchange, by counts of what is left; else it goes forward.
pub(crate) fn greedy(rules: Luzhanqi, known: &Known, random: &mut Random) -> Move {
    let p = known.position.as_ref().expect("play has begun");
    let judging = Judging { rules, p, moved: moved(known) };
    let moves = rules.choices(known).into_iter();
    let rated = moves.map(|m| (m, judging.worth(m) + random.unit()));
    rated.max_by(|a, b| a.1.total_cmp(&b.1)).expect("the seat to move can move").0
}

/// Stations whose pieces have moved.
fn moved(known: &Known) -> Vec<u8> {
    let mut moved: Vec<u8> = Vec::new();
    for event in &known.events {
        let Move::Step(from, to) = event.m else { continue };
        moved.retain(|at| *at != from);
        match event.contact {
            None | Some(Contact::Won) => moved.push(to),
            Some(Contact::Both) => moved.retain(|at| *at != to),
            Some(Contact::Lost) => {}
        }
    }
    moved
}

struct Judging<'a> {
    rules: Luzhanqi,
    p: &'a Position,
    moved: Vec<u8>,
}

impl Judging<'_> {
    fn worth(&self, m: Move) -> f32 {
        let Move::Step(from, to) = m else { return 20.0 };
        let Some(mover) = self.p.at(from) else { return 0.0 };
        match self.p.at(to) {
            Some(other) => self.exchange(mover, other, to),
            None => self.nearer(mover, from, to),
        }
    }

    /// The expected exchange over all that the attacked piece can still be.
    fn exchange(&self, mover: Piece, other: Piece, at: u8) -> f32 {
        let weights = Rank::ALL.map(|rank| self.weight(rank, other, at));
        let total: f32 = weights.iter().sum();
        let gain = |(rank, weight): (Rank, f32)| {
            let (own, its) = (WORTH[mover.rank as usize], WORTH[rank as usize]);
            let gain = match contact(mover.rank, rank, self.rules.options) {
                Contact::Won => its,
                Contact::Lost => -own,
                Contact::Both => its - own,
            };
            weight * gain / total.max(1.0)
        };
        Rank::ALL.into_iter().zip(weights).map(gain).sum()
    }

    /// How many of a rank this piece could be.
    fn weight(&self, rank: Rank, piece: Piece, at: u8) -> f32 {
        if piece.rank != Rank::Unknown {
            return f32::from(u8::from(rank == piece.rank));
        }
        let fixed = matches!(rank, Rank::Flag | Rank::Mine);
        let home = self.own_half(piece.side, at);
        let fits = !fixed
            || !self.moved.contains(&at) && home.is_some_and(|station| may_stand(rank, station));
        let open = self.p.pieces().filter(|(_, q)| (q.side, q.rank) == (piece.side, rank)).count();
        if fits { rank.count().saturating_sub(open) as f32 } else { 0.0 }
    }

    /// A small reward for going towards the enemy's headquarters and into camps.
    fn nearer(&self, mover: Piece, from: u8, to: u8) -> f32 {
        let board = Board::of(self.rules.options.four);
        let row = |at| self.own_half(mover.side, at).map_or(7, |(_, rank)| rank);
        let ahead = f32::from(row(to)) - f32::from(row(from));
        let camp = |at| f32::from(u8::from(board.kind(at) == Kind::Camp));
        4.0 * ahead + 12.0 * (camp(to) - camp(from))
    }

    /// File and rank as a side sees its own half.
    fn own_half(&self, side: u8, at: u8) -> Option<(u8, u8)> {
        let own = match (self.rules.options.four, side) {
            (true, _) => at.checked_sub(side * 30)?,
            (false, 0) => at,
            (false, _) => 59u8.checked_sub(at)?,
        };
        (own < 30).then_some((own % 5, own / 5))
    }
}
