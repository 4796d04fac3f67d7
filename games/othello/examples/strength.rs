//! Plays levels against each other and prints the score: `strength VARIANT A B GAMES`, a level
//! being 1 to 10 or `random`.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Conduct, Entry, Limits, Opening, Seat, Workspace};
use kiban_search::Random;
use std::time::{Duration, Instant};

struct Player {
    level: Option<u8>,
    memory: Workspace,
    longest: Duration,
    all: Duration,
    moves: u32,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, a, b, games] = args.as_slice() else {
        eprintln!("usage: strength VARIANT A B GAMES");
        std::process::exit(2);
    };
    let player = |text: &String| Player {
        level: text.parse().ok(),
        memory: Workspace::new(),
        longest: Duration::ZERO,
        all: Duration::ZERO,
        moves: 0,
    };
    let mut players = [player(a), player(b)];
    let games: u64 = games.parse().expect("a number of games");
    let (mut wins, mut draws, mut losses, mut lead) = (0, 0, 0, 0);
    for n in 0..games {
        let turned = n % 2 == 1;
        let (result, first, second) = play(variant, &mut players, n, turned);
        let seat = if turned { "second" } else { "first" };
        match result {
            "draw" => draws += 1,
            winner if winner == seat => wins += 1,
            _ => losses += 1,
        }
        lead += if turned { second - first } else { first - second };
    }
    let points = (f64::from(wins) + 0.5 * f64::from(draws)) / games as f64;
    println!("{variant} {a} against {b}: +{wins} ={draws} -{losses}, {points:.3}, {lead} discs");
    for (name, player) in [a, b].into_iter().zip(&players) {
        let mean = player.all.as_secs_f64() * 1000.0 / f64::from(player.moves.max(1));
        println!("  {name}: {mean:.1} ms a move, the longest {:?}", player.longest);
    }
}

fn play(
    variant: &str,
    players: &mut [Player; 2],
    n: u64,
    turned: bool,
) -> (&'static str, i64, i64) {
    let game = &kiban_othello::GAME;
    let variant = game.variant(variant).expect("a variant");
    // Both games of a pair start alike.
    let mut random = Random::new(n / 2);
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: Some(n / 2) };
    let mut game = (game.open)(&opening).expect("it opens");
    while let Some(seat) = game.waiting_for().only() {
        let player = &mut players[usize::from((seat == Seat::SECOND) != turned)];
        let by_chance = game.log().len() < 6;
        let entry = match player.level.filter(|_| !by_chance) {
            Some(level) => {
                let limits = Limits { level: Some(level), seed: n, ..Limits::default() };
                let begun = Instant::now();
                let entry = game.ask(seat)(&mut player.memory, limits, &mut |_| ());
                let spent = begun.elapsed();
                player.longest = player.longest.max(spent);
                player.all += spent;
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
    let (first, second) = game.score().expect("this game counts");
    (outcome.result(), first, second)
}
