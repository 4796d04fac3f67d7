//! Plays levels against each other and prints the score: `ladder A B GAMES`, a player being
//! `1` to `10` (a level), `random`, `nodes:N` or `time:MILLISECONDS`. Both games of a pair begin
//! with the same plies of chance; a game of 400 plies is a draw.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Arbiter, Conduct, Entry, Limits, Opening, Seat, Workspace};
use kiban_search::Random;
use kiban_shogi::GAME;
use std::time::{Duration, Instant};

/// Plies of chance at the start.
const CHANCE: usize = 4;
const MOST_PLIES: usize = 400;

struct Player {
    /// `None` plays at random.
    limits: Option<Limits>,
    memory: Workspace,
    times: Vec<Duration>,
}

impl Player {
    fn new(text: &str) -> Player {
        let number = |text: &str| text.parse().expect("a number");
        let none = Limits::default();
        let limits = match text.split_once(':') {
            _ if text == "random" => None,
            Some(("nodes", n)) => Some(Limits { nodes: Some(number(n)), ..none }),
            Some(("time", n)) => {
                Some(Limits { time: Some(Duration::from_millis(number(n))), ..none })
            }
            _ => Some(Limits { level: Some(number(text) as u8), ..none }),
        };
        Player { limits, memory: Workspace::new(), times: Vec::new() }
    }

    fn choose(&mut self, game: &dyn Arbiter, seat: Seat, seed: u64) -> Entry {
        let Some(limits) = &self.limits else {
            return by_chance(game, seat, &mut Random::new(seed ^ game.log().len() as u64));
        };
        let limits = Limits { seed, ..limits.clone() };
        let begun = Instant::now();
        let entry = game.ask(seat)(&mut self.memory, limits, &mut |_| ());
        self.times.push(begun.elapsed());
        entry
    }

    fn speed(&self) -> String {
        let all: Duration = self.times.iter().sum();
        let mean = all / self.times.len().max(1) as u32;
        let longest = self.times.iter().max().copied().unwrap_or_default();
        format!("mean {mean:.1?}, longest {longest:.1?}")
    }
}

fn by_chance(game: &dyn Arbiter, seat: Seat, random: &mut Random) -> Entry {
    let choices = game.choices(seat);
    Entry::new_move(seat, choices[random.below(choices.len())].text.as_str())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [a, b, games] = args.as_slice() else {
        eprintln!("usage: ladder A B GAMES");
        std::process::exit(2);
    };
    let mut players = [Player::new(a), Player::new(b)];
    let games: u64 = games.parse().expect("a number of games");
    let (mut wins, mut draws, mut losses, mut plies) = (0, 0, 0, 0);
    for n in 0..games {
        let turned = n % 2 == 1;
        let game = play(&mut players, n, turned);
        plies += game.log().len();
        let seat = if turned { Seat::SECOND } else { Seat::FIRST };
        match game.ending().and_then(|ending| ending.outcome).map(|o| o.winners()) {
            Some(winners) if winners.has(seat) => wins += 1,
            Some(winners) if !winners.is_empty() => losses += 1,
            _ => draws += 1,
        }
    }
    let score = (f64::from(wins) + f64::from(draws) / 2.0) / games as f64;
    println!("{a} against {b}: +{wins} ={draws} -{losses}, {:.1} %", 100.0 * score);
    println!(
        "plies a game {}; a move: {}; {}",
        plies as u64 / games,
        players[0].speed(),
        players[1].speed()
    );
}

fn play(players: &mut [Player; 2], n: u64, turned: bool) -> Box<dyn Arbiter> {
    let variant = GAME.variant("").expect("the default variant");
    let mut random = Random::new(n / 2);
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
    let mut game = (GAME.open)(&opening).expect("it opens");
    players.iter_mut().for_each(|player| player.memory.clear());
    while let Some(seat) = game.waiting_for().only().filter(|_| game.log().len() < MOST_PLIES) {
        let entry = if game.log().len() < CHANCE {
            by_chance(game.as_ref(), seat, &mut random)
        } else {
            let player = &mut players[usize::from((seat == Seat::SECOND) != turned)];
            player.choose(game.as_ref(), seat, n)
        };
        game.put(&entry).expect("a legal move");
    }
    game
}
