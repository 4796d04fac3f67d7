//! Plays levels against each other and prints the score: `ladder VARIANT A B GAMES`, a level being
//! 1 to 10 or `random`.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Conduct, Entry, Limits, Opening, Seat, Workspace};
use kiban_jungle::GAME;
use kiban_search::Random;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Player {
    level: Option<u8>,
    memory: Workspace,
    spent: Duration,
    moves: u32,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, a, b, games] = args.as_slice() else {
        eprintln!("usage: ladder VARIANT A B GAMES");
        std::process::exit(2);
    };
    let player = |text: &String| Player { level: text.parse().ok(), ..Player::default() };
    let mut players = [player(a), player(b)];
    let games: u64 = games.parse().expect("a number of games");
    let (mut counts, mut reasons) = ([0; 3], std::collections::BTreeMap::new());
    for n in 0..games {
        let turned = n % 2 == 1;
        let (result, reason) = play(variant, &mut players, n, turned);
        let seat = if turned { "second" } else { "first" };
        let slot = match result {
            "draw" => 1,
            winner if winner == seat => 0,
            _ => 2,
        };
        counts[slot] += 1;
        *reasons.entry(reason).or_insert(0) += 1;
    }
    let mean = |p: &Player| p.spent / p.moves.max(1);
    let [wins, draws, losses] = counts;
    let score = 100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / games as f64;
    println!(
        "{variant} {a} against {b}: +{wins} ={draws} -{losses}, {score:.1} %, {:?} and {:?} a move, \
         {reasons:?}",
        mean(&players[0]),
        mean(&players[1])
    );
}

fn play(
    variant: &str,
    players: &mut [Player; 2],
    n: u64,
    turned: bool,
) -> (&'static str, &'static str) {
    let variant = GAME.variant(variant).expect("a variant");
    // Both games of a pair start alike.
    let mut random = Random::new(n / 2);
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
    let mut game = (GAME.open)(&opening).expect("it opens");
    while let Some(seat) = game.waiting_for().only() {
        let player = &mut players[usize::from((seat == Seat::SECOND) != turned)];
        let by_chance = game.log().len() < 6;
        let entry = match player.level.filter(|_| !by_chance) {
            Some(level) => {
                let limits = Limits { level: Some(level), seed: n, ..Limits::default() };
                let begun = Instant::now();
                let entry = game.ask(seat)(&mut player.memory, limits, &mut |_| ());
                player.spent += begun.elapsed();
                player.moves += 1;
                entry
            }
            None => {
                let choices = game.choices(seat);
                Entry::new_move(seat, choices[random.below(choices.len())].text.as_str())
            }
        };
        game.put(&entry).expect("a legal move");
    }
    let outcome = game.ending().and_then(|e| e.outcome).expect("it is over");
    (outcome.result(), outcome.reason().0)
}
