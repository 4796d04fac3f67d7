//! A simple fair player: of what it may know, the move of the best expected exchange.

use crate::board::Board;
use crate::layout::may_stand;
use crate::notation::own_half;
use crate::position::{Move, Piece, Position};
use crate::{Contact, Known, Luzhanqi, Rank, contact};
use kiban_core::{BestLine, Bound, Limits, Notation, Report, Rules, Score};
use kiban_search::Random;

/// What a rank is worth, the flag most; from experience of the game, in hundredths of a captain.
const WORTH: [f32; 12] =
    [900.0, 750.0, 520.0, 400.0, 280.0, 180.0, 100.0, 70.0, 160.0, 140.0, 350.0, 5000.0];
/// How much chance is added a level below the tenth.
const NOISE: f32 = 25.0;

/// Chooses a move of the seat to move.
pub(crate) fn think(
    rules: Luzhanqi,
    known: &Known,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Move {
    let p = known.position.as_ref().expect("a seat with a choice is playing");
    let moved = known.moved();
    let mut random = Random::new(limits.seed);
    let noise = NOISE * f32::from(10 - limits.level.unwrap_or(10).clamp(1, 10)) + 1.0;
    let judged = Judging { rules, p, moved: &moved };
    let moves = rules.choices(known).into_iter();
    let mut rated: Vec<(Move, f32)> =
        moves.map(|m| (m, judged.worth(m) + noise * random.unit())).collect();
    rated.sort_by(|a, b| b.1.total_cmp(&a.1));
    let line = |(rank, (m, worth)): (u8, &(Move, f32))| BestLine {
        rank,
        score: Score::Estimate {
            points: *worth as i32,
            unit: "centi",
            chance: 1.0 / (1.0 + (-worth / 600.0).exp()),
            bound: Bound::Exact,
        },
        depth: 1,
        moves: vec![rules.write_move(*m)],
    };
    let lines = (1u8..).zip(&rated).take(limits.lines.max(1).into()).map(line).collect();
    report(Report { depth: 1, nodes: rated.len() as u64, lines, call: None });
    rated[0].0
}

struct Judging<'a> {
    rules: Luzhanqi,
    p: &'a Position,
    moved: &'a [u8],
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
        let weight = |rank: &Rank| self.weight(*rank, other, at);
        let total: f32 = Rank::ALL.iter().map(weight).sum();
        if total == 0.0 {
            return 0.0;
        }
        let gain = |rank: &Rank| {
            let (own, its) = (WORTH[mover.rank as usize], WORTH[*rank as usize]);
            let gain = match contact(mover.rank, *rank, self.rules.options) {
                Contact::Won => its,
                Contact::Lost => -own,
                Contact::Both => its - own,
            };
            weight(rank) * gain / total
        };
        Rank::ALL.iter().map(gain).sum()
    }

    /// How many of a rank this piece could be.
    fn weight(&self, rank: Rank, piece: Piece, at: u8) -> f32 {
        if piece.rank != Rank::Unknown {
            return f32::from(u8::from(rank == piece.rank));
        }
        let home = own_half(self.rules.options, piece.side, at);
        let fits = match rank {
            Rank::Flag | Rank::Mine => {
                !self.moved.contains(&at) && home.is_some_and(|station| may_stand(rank, station))
            }
            _ => true,
        };
        let open = self.p.pieces().filter(|(_, q)| (q.side, q.rank) == (piece.side, rank)).count();
        if fits { rank.count().saturating_sub(open) as f32 } else { 0.0 }
    }

    /// A small reward for going towards the enemy's headquarters and into camps.
    fn nearer(&self, mover: Piece, from: u8, to: u8) -> f32 {
        use crate::board::Kind::Camp;
        let board = Board::of(self.rules.options.four);
        let row = |at| own_half(self.rules.options, mover.side, at).map_or(7, |(_, rank)| rank);
        let ahead = f32::from(row(to)) - f32::from(row(from));
        let camp = |at| f32::from(u8::from(board.kind(at) == Camp));
        4.0 * ahead + 12.0 * (camp(to) - camp(from))
    }
}
