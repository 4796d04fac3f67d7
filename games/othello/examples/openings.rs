//! Makes the list of openings that starts are drawn from: `openings COUNT > data/openings.txt`.
//! Random lines of eight plies are kept if the engine finds them even; lines that lead to the same
//! position, seen from any side of the board, are kept once. The same count gives the same list.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Arbiter, Bound, Entry, Limits, Opening, Report, Score, Viewer, Workspace};
use kiban_search::Random;
use std::collections::HashSet;

/// Plies of an opening.
const PLIES: usize = 8;
/// Hundredths of a disc that an even opening may be away from nothing.
const EVEN: i32 = 200;
/// The first look sorts out what is far from even.
const FIRST_LOOK: (u64, i32) = (10_000, 500);
/// Nodes of the second look.
const NODES: u64 = 400_000;
const SEED: u64 = 8;

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or_else(|| {
        eprintln!("usage: openings COUNT > data/openings.txt");
        std::process::exit(2)
    });
    let mut random = Random::new(SEED);
    let (mut seen, mut memory) = (HashSet::new(), Workspace::new());
    let (mut kept, mut depths) = (Vec::new(), 0);
    while kept.len() < count {
        let Some((game, moves)) = random_line(&mut random) else { continue };
        if !seen.insert(canonical(&game.position(Viewer::Referee))) {
            continue;
        }
        if judged(&*game, &mut memory, FIRST_LOOK.0).0.abs() > FIRST_LOOK.1 {
            continue;
        }
        let (points, depth) = judged(&*game, &mut memory, NODES);
        if points.abs() <= EVEN {
            kept.push(moves);
            depths += usize::from(depth);
        }
    }
    let depth = depths as f32 / kept.len().max(1) as f32;
    println!(
        "# {count} openings of {PLIES} plies: random lines (seed {SEED}) whose score is within"
    );
    println!(
        "# {EVEN} hundredths of a disc by our engine, which gave {NODES} nodes to each and came"
    );
    println!("# {depth:.1} plies deep on average.");
    println!("# Remake the list when the engine improves:");
    println!("# cargo run --release -p kiban-othello --example openings {count}");
    kept.iter().for_each(|moves| println!("{moves}"));
}

fn random_line(random: &mut Random) -> Option<(Box<dyn Arbiter>, String)> {
    let game = &kiban_othello::GAME;
    let variant = game.variant("").expect("the default variant");
    let opening = Opening::new(variant, None);
    let (mut game, mut moves) = ((game.open)(&opening).expect("it opens"), String::new());
    for _ in 0..PLIES {
        let seat = game.waiting_for().only()?;
        let choices = game.choices(seat);
        let text = &choices[random.below(choices.len())].text;
        moves.push_str(text);
        game.put(&Entry::new_move(seat, text.as_str())).expect("a legal move");
    }
    (game.log().len() == PLIES).then_some((game, moves))
}

/// What the engine makes of a position for the side to move, in hundredths of a disc, and how many
/// plies deep.
fn judged(game: &dyn Arbiter, memory: &mut Workspace, nodes: u64) -> (i32, u8) {
    let seat = game.waiting_for().only().expect("eight plies end no game");
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut found = None;
    game.ask(seat)(memory, limits, &mut |report: Report| {
        // A depth that was not finished gives a lower bound only.
        if let Score::Estimate { points, bound: Bound::Exact, .. } = report.lines[0].score {
            found = Some((points, report.depth));
        }
    });
    found.expect("depth 1 is done")
}

/// The least text of a position among its eight images.
fn canonical(position: &str) -> String {
    let cells = position.as_bytes();
    let image = |turn: usize| -> String {
        let source = |i: usize| {
            let (mut file, mut rank) = (i % 8, i / 8);
            if turn & 1 != 0 {
                file = 7 - file;
            }
            if turn & 2 != 0 {
                rank = 7 - rank;
            }
            if turn & 4 != 0 { file * 8 + rank } else { rank * 8 + file }
        };
        (0..64).map(|i| char::from(cells[source(i)])).collect()
    };
    (0..8).map(image).min().expect("there are eight")
}
