//! Games between players, for the matches of tests and of the example.

use super::greedy;
use kiban_core::{
    Arbiter, Decision, Entry, Limits, Notation, Opening, Outcome, Rules, Seats, Secret, Table,
    Thinks, Viewer, Workspace,
};
use kiban_luzhanqi::{Deal, GAME, Layout, Luzhanqi};
use kiban_search::Random;
use std::time::{Duration, Instant};

/// Who plays a side.
#[derive(Clone)]
pub(crate) enum Player {
    /// The computer player within limits; the seed is set for each move.
    Computer(Box<Limits>),
    /// The best expected exchange of one ply.
    Greedy,
    /// Any move.
    Chance,
}

/// Where layouts come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layouts {
    /// From the computer's own mix, for every seat.
    Mix,
    /// Any legal ones, for every seat.
    Random,
    /// Each player its own: the computer's mix, and any legal ones for the others.
    Own,
}

/// What came of a game.
pub(crate) struct Played {
    /// The outcome; `None` if somebody made an illegal entry.
    pub outcome: Option<Outcome>,
    /// Plies.
    pub plies: usize,
    /// Time the computer thought, its moves, and the longest it took for one.
    pub thought: (Duration, u32, Duration),
}

/// Plays a game of a variant: the first team and the second. The layouts hang on `seed` alone, so
/// that games with sides swapped have the same.
pub(crate) fn play(variant: &str, players: [&Player; 2], layouts: Layouts, seed: u64) -> Played {
    let variant = GAME.variant(variant).expect("a variant");
    let opening = Opening::new(variant, None);
    let mut table = Table::<Luzhanqi>::open(&opening).expect("it opens");
    let rules = table.line().rules();
    let mut random = Random::new(seed);
    if table.owes_deal() {
        let deal = Deal::random(&mut || random.next_u64()).letters();
        let act = kiban_core::Act::Deal(deal);
        table.put(&Entry { by: Seats::NONE, act }).expect("a deal");
    }
    for seat in table.waiting_for().iter() {
        if table.stage() != kiban_core::Stage::Layout {
            break;
        }
        let computer = matches!(players[seat.index() % 2], Player::Computer(_));
        let mixed = layouts == Layouts::Mix || layouts == Layouts::Own && computer;
        let mut dice = || random.next_u64();
        let layout = if mixed { Layout::draw(&mut dice) } else { Layout::random(&mut dice) };
        let act = kiban_core::Act::Layout(layout.letters());
        table.put(&Entry { by: seat.into(), act }).expect("a layout");
    }
    let mut memory = Workspace::new();
    let mut thought = (Duration::ZERO, 0, Duration::ZERO);
    while let Some(seat) = table.waiting_for().only() {
        let known = rules.known(table.line(), Viewer::Seat(seat));
        let m = match players[seat.index() % 2] {
            Player::Greedy => greedy::greedy(rules, &known, &mut random),
            Player::Chance => greedy::random(rules, &known, &mut random),
            Player::Computer(limits) => {
                let limits = Limits { seed: random.next_u64(), ..Limits::clone(limits) };
                let begun = Instant::now();
                let decision = rules.think(&known, &mut memory, &limits, &mut |_| {});
                let took = begun.elapsed();
                thought = (thought.0 + took, thought.1 + 1, thought.2.max(took));
                match decision {
                    Decision::Move(m) => m,
                    Decision::Call(_) => return Played { outcome: None, plies: 0, thought },
                }
            }
        };
        if table.put(&Entry::new_move(seat, rules.write_move(m))).is_err() {
            return Played { outcome: None, plies: 0, thought };
        }
    }
    let outcome = table.ending().and_then(|ending| ending.outcome);
    Played { outcome, plies: table.line().steps().len(), thought }
}
