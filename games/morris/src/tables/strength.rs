//! Won positions of the tables, played out against a defender who never errs.

use super::*;
use kiban_core::{Arbiter, Entry, Seat, Viewer, Workspace};
use kiban_testkit::Random;

/// The longest win that is asked for, in plies.
const LONGEST: u16 = 30;
/// Won positions in all, of the four kinds of sectors alike.
const POSITIONS: usize = 200;

fn rules() -> Morris {
    Morris::of_variant(&GAME.variant("").expect("the default variant"))
}

fn opened(text: &str) -> Box<dyn Arbiter> {
    let variant = GAME.variant("").expect("the default variant");
    let opening = Opening::new(variant, Some(text.to_string()));
    (GAME.open)(&opening).expect("it opens")
}

/// Won positions of a part of a sector, drawn by chance.
fn won(library: &mut Library<Moving>, own: u8, other: u8, wanted: usize) -> Vec<Position> {
    let pair = Pair([own.min(other), own.max(other)]);
    let within = Within::entries(LIVE, kiban_core::Stop::default());
    let table = library.get(&[pair], &within).expect("small enough").remove(0);
    let space = Space::new(rules(), pair);
    let quick = |worth: Worth| {
        worth.value == kiban_core::Value::Win && worth.distance.is_some_and(|d| d <= LONGEST)
    };
    let all = 0..space.entries() as u32;
    let all = all.filter(|number| quick(table.worth(*number)));
    let mut found: Vec<Position> = all.map(|number| space.position(number)).collect();
    found.retain(|p| p.men[0].count_ones() == u32::from(own));
    Random::new(u64::from(own) * 10 + u64::from(other)).shuffle(&mut found);
    found.truncate(wanted);
    found
}

/// Whether a level wins against the best defence: a draw wherever there is one, else the longest
/// way.
fn wins(p: &Position, level: u8, seed: u64, memory: &mut Workspace) -> bool {
    let (rules, mut game) = (rules(), opened(&rules().write(p)));
    while let Some(seat) = game.waiting_for().only() {
        let limits = Limits { level: Some(level), seed, ..Limits::default() };
        let entry = if seat == Seat::FIRST {
            game.ask(seat)(memory, limits, &mut |_| {})
        } else {
            let here = rules.read(&game.position(Viewer::Referee)).expect("its own text").position;
            let best = small(rules, &here, &Limits::default()).expect("few men")[0].0;
            Entry::new_move(seat, rules.move_text(best))
        };
        game.put(&entry).expect("legal");
    }
    game.ending().and_then(|e| e.outcome).is_some_and(|outcome| outcome.result() == "first")
}

/// "From 200 won positions of the tables, distance at most 30, level 8 wins at least 95 % against
/// the perfect defender." `MORRIS_LEVEL` asks another level and only tells.
#[test]
fn level_eight_wins_won_positions_of_up_to_four_men() {
    let asked = std::env::var("MORRIS_LEVEL").ok().and_then(|text| text.parse().ok());
    let mut library = Library::new(Moving::of(rules()), None);
    let (mut won_games, mut played, mut memory) = (0, 0, Workspace::new());
    for (own, other) in [(3, 3), (3, 4), (4, 3), (4, 4)] {
        let positions = won(&mut library, own, other, POSITIONS / 4);
        let wins = |(seed, p): (u64, &Position)| wins(p, asked.unwrap_or(8), seed, &mut memory);
        let count = (0..).zip(&positions).map(wins).filter(|won| *won).count();
        println!("{own} against {other}: {count} of {}", positions.len());
        (won_games, played) = (won_games + count, played + positions.len());
    }
    assert!(played >= POSITIONS - 20, "{played} positions were found");
    assert!(asked.is_some() || won_games * 100 >= played * 95, "{won_games} of {played}");
}
