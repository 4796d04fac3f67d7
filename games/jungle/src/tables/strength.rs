//! Won endings of the tables, played out against a defender who never errs.

use super::*;
use kiban_core::{Arbiter, Entry, Value, Viewer, Workspace};
use kiban_testkit::Random;

/// The longest win that is asked for, in plies.
const LONGEST: u16 = 30;
/// Won positions in all, of both variants alike.
const POSITIONS: usize = 200;

fn options(variant: &str) -> Options {
    Options::of(&GAME.variant(variant).expect("a variant"))
}

fn opened(variant: &str, p: &Position) -> Box<dyn Arbiter> {
    let opening =
        Opening::new(GAME.variant(variant).expect("a variant"), Some(notation::write_position(p)));
    (GAME.open)(&opening).expect("it opens")
}

/// Two or three animals thrown onto the board, Red to move.
fn any(random: &mut Random) -> Position {
    let mut squares: Vec<usize> = (0..SQUARES).collect();
    random.shuffle(&mut squares);
    let mut all: Vec<(Seat, Animal, crate::Square)> = Vec::new();
    let count = 2 + random.below(2);
    while all.len() < count {
        let animal = *random.pick(&Animal::ALL).expect("there are animals");
        let seat = match all.len() {
            0 => Seat::FIRST,
            1 => Seat::SECOND,
            _ => *random.pick(&[Seat::FIRST, Seat::SECOND]).expect("two seats"),
        };
        let square = squares.pop().expect("more squares than animals");
        if stands(animal, square) && all.iter().all(|other| (other.0, other.1) != (seat, animal)) {
            all.push((seat, animal, crate::Square::at(square)));
        }
    }
    Position::of(&all, Seat::FIRST)
}

/// Won positions that do not win at once.
fn won(variant: &str, wanted: usize) -> Vec<Position> {
    let (mut random, mut found) = (Random::new(1), Vec::new());
    while found.len() < wanted {
        let p = any(&mut random);
        let valued = small(options(variant), &p, &Limits::default()).unwrap_or_default();
        let Some((_, worth)) = valued.first() else { continue };
        let long = worth.distance.is_some_and(|plies| (3..=LONGEST).contains(&plies));
        if worth.value == Value::Win && long {
            found.push(p);
        }
    }
    found
}

/// How a game ends for a level against the best defence the rules allow: a draw wherever there is
/// one, else the longest way.
fn result(variant: &str, p: &Position, level: u8, seed: u64) -> &'static str {
    let (mut game, mut memory) = (opened(variant, p), Workspace::new());
    while let Some(seat) = game.waiting_for().only() {
        let limits = Limits { level: Some(level), seed, ..Limits::default() };
        let entry = if seat == Seat::FIRST {
            game.ask(seat)(&mut memory, limits, &mut |_| {})
        } else {
            let here = notation::read_position(&game.position(Viewer::Referee)).expect("its text");
            let valued = small(options(variant), &here, &Limits::default()).expect("few animals");
            let legal: Vec<String> = game.choices(seat).into_iter().map(|c| c.text).collect();
            let best = valued.iter().map(|(m, _)| m.to_string()).find(|m| legal.contains(m));
            Entry::new_move(seat, best.expect("some move is legal"))
        };
        game.put(&entry).expect("legal");
    }
    game.ending().and_then(|e| e.outcome).expect("it is over").result()
}

/// "From 200 won positions of the tables, distance at most 30, level 8 wins at least 95 % against
/// the perfect defender." `JUNGLE_LEVEL` asks another level and only tells.
#[test]
fn level_eight_wins_won_endings_of_up_to_three_animals() {
    let asked = std::env::var("JUNGLE_LEVEL").ok().and_then(|text| text.parse().ok());
    let mut all = 0;
    for variant in ["online", "classic"] {
        let positions = won(variant, POSITIONS / 2);
        let wins =
            |(seed, p): &(u64, &Position)| result(variant, p, asked.unwrap_or(8), *seed) == "first";
        let count = (0..).zip(&positions).filter(wins).count();
        println!("{variant}: {count} of {}", positions.len());
        all += count;
    }
    assert!(asked.is_some() || all * 100 >= POSITIONS * 95, "{all} of {POSITIONS}");
}
