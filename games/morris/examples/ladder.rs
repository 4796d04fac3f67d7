//! Plays levels against each other and prints the score: `ladder VARIANT A B GAMES`, a level being
//! 1 to 10 or `random`.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Conduct, Entry, Limits, Opening, Seat, Workspace};
use kiban_search::Random;
use std::time::{Duration, Instant};

/// Plies by chance at the beginning; both games of a pair have the same.
const OPENING: usize = 4;

struct Player {
    level: Option<u8>,
    memory: Workspace,
    moves: u32,
    spent: Duration,
    longest: Duration,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, a, b, games] = args.as_slice() else {
        eprintln!("usage: ladder VARIANT A B GAMES");
        std::process::exit(2);
    };
    let player = |text: &String| Player {
        level: text.parse().ok(),
        memory: Workspace::new(),
        moves: 0,
        spent: Duration::ZERO,
        longest: Duration::ZERO,
    };
    let mut players = [player(a), player(b)];
    let games: u64 = games.parse().expect("a number of games");
    let (mut wins, mut draws, mut losses, mut plies) = (0, 0, 0, 0);
    for n in 0..games {
        let turned = n % 2 == 1;
        let (result, length) = play(variant, &mut players, n, turned);
        plies += length;
        match result {
            "draw" => draws += 1,
            winner if winner == if turned { "second" } else { "first" } => wins += 1,
            _ => losses += 1,
        }
    }
    let score = (f64::from(wins) + f64::from(draws) / 2.0) / games as f64;
    let mean = |p: &Player| p.spent.as_secs_f64() * 1000.0 / f64::from(p.moves.max(1));
    let [first, second] = &players;
    println!(
        "{variant} {a} against {b}: +{wins} ={draws} -{losses}, score {score:.3}, \
         {} plies a game; mean {:.1} and {:.1} ms a move, longest {:?} and {:?}",
        plies / games as usize,
        mean(first),
        mean(second),
        first.longest,
        second.longest
    );
}

fn play(variant: &str, players: &mut [Player; 2], n: u64, turned: bool) -> (&'static str, usize) {
    let game = &kiban_morris::GAME;
    let variant = game.variant(variant).expect("a variant");
    let mut random = Random::new(n / 2);
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
    let mut game = (game.open)(&opening).expect("it opens");
    while let Some(seat) = game.waiting_for().only() {
        let player = &mut players[usize::from((seat == Seat::SECOND) != turned)];
        let entry = match player.level.filter(|_| game.log().len() >= OPENING) {
            Some(level) => {
                let limits = Limits { level: Some(level), seed: n, ..Limits::default() };
                let begun = Instant::now();
                let entry = game.ask(seat)(&mut player.memory, limits, &mut |_| ());
                let spent = begun.elapsed();
                player.moves += 1;
                player.spent += spent;
                player.longest = player.longest.max(spent);
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
    (outcome.result(), game.log().len())
}
