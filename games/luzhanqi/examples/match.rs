//! Matches of the computer player against simple opponents, or against itself with other limits.
//!
//! Every layout is played twice, with sides swapped.

// A match is told on the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../tests/common/arena.rs"]
mod arena;
#[path = "../tests/common/greedy.rs"]
mod greedy;

use arena::{Layouts, Played, Player};
use kiban_core::{Limits, Outcome};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const USAGE: &str = "\
Usage: match [OPTION=VALUE]...
Plays a match of the computer player; every layout is played with both sides.

  variant=V    dark (default), open, contest, flip, four-dark, four-pair, four-open, with options
  games=N      how many games (default 20)
  nodes=N      nodes a move of the computer (default 10000)
  ms=N         milliseconds a move instead of nodes
  level=N      a level from 1 to 10 instead of nodes
  against=P    greedy (default), chance, nodes:N, ms:N or level:N
  layouts=L    mix: for both from the computer's mix (default); random: any legal ones for both;
               own: the computer's mix against any legal ones
  seed=N       for everything random (default 1)
  threads=N    games at a time (default 2)

Example: match variant=contest games=400 ms=25 against=greedy";

struct Args {
    variant: String,
    games: u64,
    computer: Player,
    against: Player,
    layouts: Layouts,
    seed: u64,
    threads: u64,
}

fn limits(kind: &str, n: &str) -> Option<Player> {
    let n: u64 = n.parse().ok()?;
    let mut limits = Limits::default();
    match kind {
        "nodes" => limits.nodes = Some(n),
        "ms" => limits.time = Some(Duration::from_millis(n)),
        "level" => limits.level = Some(u8::try_from(n).ok()?),
        _ => return None,
    }
    Some(Player::Computer(Box::new(limits)))
}

fn args() -> Option<Args> {
    let mut args = Args {
        variant: String::from("dark"),
        games: 20,
        computer: limits("nodes", "10000")?,
        against: Player::Greedy,
        layouts: Layouts::Mix,
        seed: 1,
        threads: 2,
    };
    for arg in std::env::args().skip(1) {
        let (key, value) = arg.split_once('=')?;
        match key {
            "variant" => args.variant = value.to_owned(),
            "games" => args.games = value.parse().ok()?,
            "nodes" | "ms" | "level" => args.computer = limits(key, value)?,
            "against" => {
                args.against = match value.split_once(':') {
                    Some((kind, n)) => limits(kind, n)?,
                    None if value == "greedy" => Player::Greedy,
                    None => (value == "chance").then_some(Player::Chance)?,
                }
            }
            "layouts" => {
                args.layouts = match value {
                    "mix" => Layouts::Mix,
                    "random" => Layouts::Random,
                    _ => (value == "own").then_some(Layouts::Own)?,
                }
            }
            "seed" => args.seed = value.parse().ok()?,
            "threads" => args.threads = value.parse().ok()?,
            _ => return None,
        }
    }
    kiban_luzhanqi::GAME.variant(&args.variant).ok()?;
    Some(args)
}

/// What a match adds up.
#[derive(Default)]
struct Sums {
    won: u64,
    drawn: u64,
    lost: u64,
    plies: usize,
    reasons: BTreeMap<String, u64>,
    thought: Duration,
    moves: u32,
    longest: Duration,
}

impl Sums {
    fn add(&mut self, played: &Played, computer_first: bool) {
        let how = match played.outcome {
            Some(outcome @ Outcome::Win { by, .. }) => {
                let won = (outcome.result() == "first") == computer_first;
                *(if won { &mut self.won } else { &mut self.lost }) += 1;
                format!("{} by {by}", if won { "won" } else { "lost" })
            }
            Some(outcome) => {
                self.drawn += 1;
                format!("drawn by {}", outcome.reason())
            }
            None => String::from("spoilt"),
        };
        *self.reasons.entry(how).or_default() += 1;
        self.plies += played.plies;
        let (thought, moves, longest) = played.thought;
        self.thought += thought;
        self.moves += moves;
        self.longest = self.longest.max(longest);
    }

    fn print(&self) {
        let all = self.won + self.drawn + self.lost;
        let share = (self.won as f64 + self.drawn as f64 / 2.0) / all.max(1) as f64;
        let error = 1.96 * (share * (1.0 - share) / all.max(1) as f64).sqrt();
        println!(
            "{} won, {} drawn, {} lost: wins {:.1}%, score {:.1}% (+-{:.1}); {} plies a game",
            self.won,
            self.drawn,
            self.lost,
            100.0 * self.won as f64 / all.max(1) as f64,
            100.0 * share,
            100.0 * error,
            self.plies as u64 / all.max(1),
        );
        println!(
            "{:.1} ms a move, the longest {:.1} ms; {:?}",
            1e3 * self.thought.as_secs_f64() / f64::from(self.moves.max(1)),
            1e3 * self.longest.as_secs_f64(),
            self.reasons
        );
    }
}

fn main() {
    let Some(args) = args() else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let (next, sums) = (AtomicU64::new(0), Mutex::new(Sums::default()));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= args.games {
                        break;
                    }
                    let first = game % 2 == 0;
                    let players = if first {
                        [&args.computer, &args.against]
                    } else {
                        [&args.against, &args.computer]
                    };
                    let seed = args.seed * 1_000_000 + game / 2;
                    let played = arena::play(&args.variant, players, args.layouts, seed);
                    sums.lock().expect("no game panics").add(&played, first);
                }
            });
        }
    });
    sums.lock().expect("no game panics").print();
}
