//! Makes the weights of the evaluation, from nothing but our own play:
//!
//! - `tune start OUT` writes weights by hand to begin with;
//! - `tune play OUT GAMES NODES SEED` plays games of the engine as it is built against itself, and
//!   writes a line for each quiet position: the score the search gave sente, the result for sente,
//!   the position;
//! - `tune fit OUT EPOCHS SHARE FILE...` fits the weights as they are built in to such files by
//!   logistic regression: the target is the result and the search's score, SHARE (0 to 1) of the
//!   result.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Limits, Opening, Score, Seat, Value, Workspace};
use kiban_search::Random;
use kiban_shogi::GAME;
use kiban_shogi::engine::eval::{self, COUNT, SCALE, Slot, VALUES, features, slot_of};
use kiban_shogi::moves::Move;
use kiban_shogi::position::Position;
use kiban_shogi::sfen::Setup;
use std::io::Write;

/// Points at which a side wins about three games of four, as the engine has it.
const ODDS: f32 = 600.0;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["start", out] => save(out, &by_hand()),
        ["play", out, games, nodes, seed] => play(out, number(games), number(nodes), number(seed)),
        ["fit", out, epochs, share, files @ ..] if !files.is_empty() => {
            let share = share.parse().expect("a share from 0 to 1");
            fit(out, number(epochs), share, files);
        }
        _ => {
            eprintln!(
                "usage: tune start OUT | play OUT GAMES NODES SEED | fit OUT EPOCHS SHARE FILE..."
            );
            std::process::exit(2);
        }
    }
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn save(out: &str, weights: &[f32]) {
    let round = |w: &f32| w.round().clamp(-32_000.0, 32_000.0) as i16;
    let weights: Vec<i16> = weights.iter().map(round).collect();
    std::fs::write(out, eval::write(&weights)).expect("the file can be written");
}

// Weights to begin with.

/// File and rank from 0 of a square's number, ranks from the far side.
fn place(square: usize) -> (i32, i32) {
    ((square / 9) as i32, (square % 9) as i32)
}

fn by_hand() -> Vec<f32> {
    let weights = (0..COUNT).map(|i| match slot_of(i) {
        Slot::Piece { king, enemy, kind, square } => of_piece(king, enemy, kind, square),
        Slot::Hand { enemy, kind, .. } => side(enemy) * VALUES[kind] as f32 * 0.54,
        Slot::Other(i) => of_other(i),
    });
    weights.map(|w| w * SCALE as f32).collect()
}

fn side(enemy: bool) -> f32 {
    if enemy { -1.0 } else { 1.0 }
}

fn of_piece(king: usize, enemy: bool, kind: usize, square: usize) -> f32 {
    let ((kf, kr), (f, r)) = (place(king), place(square));
    let distance = (kf - f).abs().max((kr - r).abs());
    let forward = if enemy { r } else { 8 - r };
    let advance = match kind {
        0 => 3 * forward,
        3 => 2 * forward,
        _ => 0,
    };
    let mut worth = side(enemy) * (VALUES[kind] + advance) as f32 / 2.0;
    match (kind, enemy) {
        (7, false) => worth += ((4 - f).abs() * 9 - (8 - r).min(4) * 14) as f32,
        (7, true) => {}
        (3 | 4, false) => worth += 12.0 * (4 - distance).max(0) as f32,
        (0, true) => worth -= 2.0 * (5 - distance).max(0) as f32,
        (_, true) => worth -= 7.0 * (5 - distance).max(0) as f32,
        _ => {}
    }
    worth
}

/// In the order of the evaluation's layout: held, zone, flight, hanging, pawned, mobility, tempo.
fn of_other(i: usize) -> f32 {
    let (held, zone, flight, kinds) = (7 * 19, 8 * 24, 36, 16);
    let mut i = i;
    if i < held {
        return 0.0;
    }
    i -= held;
    if i < zone {
        let (attackers, defenders) = ((i / 6 % 4) as f32, (i / 2 % 3) as f32);
        return if attackers > 0.0 { 5.0 * defenders - 14.0 * attackers } else { 2.0 * defenders };
    }
    i -= zone;
    if i < flight {
        let (flights, hand) = ((i / 4) as f32, (i % 4) as f32);
        return -(3.0 - flights).max(0.0) * (4.0 + 6.0 * hand);
    }
    i -= flight;
    if i < 2 * kinds {
        return -VALUES[i % kinds] as f32 / if i < kinds { 10.0 } else { 14.0 };
    }
    i -= 2 * kinds;
    if i < 90 { (i % 18) as f32 * 2.0 - 12.0 } else { 12.0 }
}

// Games.

fn sente_score(score: Score, sente: bool) -> f32 {
    let points = match score {
        Score::Exact { value: Value::Win, .. } => 3000,
        Score::Exact { value: Value::Loss, .. } => -3000,
        Score::Exact { .. } => 0,
        Score::Estimate { points, .. } => points.clamp(-3000, 3000),
    };
    if sente { points as f32 } else { -points as f32 }
}

fn play(out: &str, games: u64, nodes: u64, seed: u64) {
    let mut file = std::io::BufWriter::new(std::fs::File::create(out).expect("a file to write"));
    let mut memory = Workspace::new();
    let mut written = 0;
    for n in 0..games {
        let (rows, result) = one_game(nodes, seed << 32 | n, &mut memory);
        for (score, sfen) in &rows {
            writeln!(file, "{score} {result} {sfen}").expect("the file can be written");
        }
        written += rows.len();
    }
    println!("{games} games, {written} positions");
}

/// A game that begins with some plies of a player who wavers much.
fn one_game(nodes: u64, seed: u64, memory: &mut Workspace) -> (Vec<(f32, String)>, f32) {
    let mut random = Random::new(seed);
    let variant = GAME.variant("").expect("the default variant");
    let opening = Opening::new(variant, None);
    let mut game = (GAME.open)(&opening).expect("it opens");
    let mut p = Position::start();
    let (by_chance, wavering) = (random.below(5), 6 + random.below(20));
    let (mut rows, mut lead) = (Vec::new(), 0);
    while let Some(seat) = game.waiting_for().only().filter(|_| game.log().len() < 320) {
        let ply = game.log().len();
        if ply < by_chance {
            let moves = p.legal_moves();
            let m = moves[random.below(moves.len())];
            let _undo = p.play(m);
            let entry = kiban_core::Entry::new_move(seat, m.to_usi().as_str());
            game.put(&entry).expect("a legal move");
            continue;
        }
        let level = (ply < wavering).then_some(1 + (seed % 3) as u8);
        let limits =
            Limits { nodes: Some(nodes), level, seed: seed + ply as u64, ..Limits::default() };
        let mut last = None;
        let entry = game.ask(seat)(memory, limits, &mut |report| last = Some(report));
        let report = last.expect("a report for each depth");
        let Some(best) = report.lines.first() else {
            game.put(&entry).expect("a declaration");
            break;
        };
        let m = Move::from_usi(&best.moves[0]).expect("a move");
        let score = sente_score(best.score, seat == Seat::FIRST);
        let noisy = m.promotes() || p.piece_at(m.to()).is_some();
        if level.is_none() && !p.in_check() && !noisy && score.abs() < 2500.0 {
            rows.push((score, p.to_sfen()));
        }
        lead = if score.abs() > 2000.0 { lead + 1 } else { 0 };
        let _undo = p.play(m);
        game.put(&entry).expect("a legal move");
        if lead >= 6 {
            return (rows, if score > 0.0 { 1.0 } else { 0.0 });
        }
    }
    let outcome = game.ending().and_then(|ending| ending.outcome);
    let result = match outcome.map(|o| o.result()) {
        Some("first") => 1.0,
        Some("second") => 0.0,
        _ => 0.5,
    };
    (rows, result)
}

// The fit.

/// A position: what is seen in it, and what it should be worth.
struct Sample {
    /// The weight's place and how often it counts, packed.
    seen: Vec<u32>,
    target: f32,
}

fn sigmoid(points: f32) -> f32 {
    1.0 / (1.0 + (-points / ODDS).exp())
}

fn sample(line: &str, share: f32) -> Option<Sample> {
    let mut fields = line.splitn(3, ' ');
    let score: f32 = fields.next()?.parse().ok()?;
    let result: f32 = fields.next()?.parse().ok()?;
    let p = Position::from_setup(&Setup::from_sfen(fields.next()?).ok()?).ok()?;
    let mut seen = Vec::with_capacity(160);
    features(&p, &mut |index, count| seen.push((index as u32) << 8 | (count + 128) as u32));
    seen.shrink_to_fit();
    Some(Sample { seen, target: share * result + (1.0 - share) * sigmoid(score) })
}

/// What the weights are made of: a weight of a piece is the sum of what holds for the piece
/// wherever the king is, for the way it stands to the king, and for just this case, so that rare
/// cases learn from common ones.
struct Parts {
    of: Vec<[u32; 3]>,
    count: usize,
}

const NONE: u32 = u32::MAX;

impl Parts {
    fn new() -> Parts {
        let (squares, relations, hands) = (32 * 81, 32 * 17 * 17, 14);
        let of = |index: usize| {
            let own = index as u32;
            match slot_of(index) {
                Slot::Piece { king, enemy, kind, square } => {
                    let row = usize::from(enemy) * 16 + kind;
                    let ((kf, kr), (f, r)) = (place(king), place(square));
                    let relation = ((f - kf + 8) * 17 + r - kr + 8) as usize;
                    let at = COUNT + row * 81 + square;
                    let to = COUNT + squares + row * 289 + relation;
                    [own, at as u32, to as u32]
                }
                Slot::Hand { enemy, kind, .. } => {
                    let all = COUNT + squares + relations + usize::from(enemy) * 7 + kind;
                    [own, all as u32, NONE]
                }
                Slot::Other(_) => [own, NONE, NONE],
            }
        };
        Parts { of: (0..COUNT).map(of).collect(), count: COUNT + squares + relations + hands }
    }

    fn each(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.of[index].iter().filter(|part| **part != NONE).map(|part| *part as usize)
    }
}

const BATCH: usize = 4096;

fn fit(out: &str, epochs: u64, share: f32, files: &[&str]) {
    let built_in = eval::read(include_bytes!("../data/eval.bin")).expect("whole weights");
    let mut weights: Vec<f32> = built_in.iter().map(|w| f32::from(*w)).collect();
    let mut samples = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file to read");
        samples.extend(text.lines().filter_map(|line| sample(line, share)));
    }
    let mut random = Random::new(1);
    for i in (1..samples.len()).rev() {
        samples.swap(i, random.below(i + 1));
    }
    let kept = samples.len() / 20;
    let (held_back, used) = samples.split_at(kept);
    println!("{} positions, {kept} of them held back", samples.len());
    let parts = Parts::new();
    let mut adam = Adam::new(parts.count);
    println!("before: {:.5}", loss(held_back, &weights));
    for epoch in 0..epochs {
        let rate = 24.0 * (1.0 - epoch as f32 / epochs as f32).max(0.05);
        for batch in used.chunks(BATCH) {
            let mut slopes = vec![0.0f32; parts.count];
            for one in batch {
                let slope = sigmoid(points(one, &weights)) - one.target;
                for (index, count) in seen(one) {
                    let slope = slope * count;
                    parts.each(index).for_each(|part| slopes[part] += slope);
                }
            }
            let steps = adam.steps(&slopes, batch.len(), rate);
            for (index, weight) in weights.iter_mut().enumerate() {
                *weight += parts.each(index).map(|part| steps[part]).sum::<f32>();
            }
        }
        println!("epoch {epoch}: {:.5} {:.5}", loss(used, &weights), loss(held_back, &weights));
    }
    save(out, &weights);
}

fn seen(one: &Sample) -> impl Iterator<Item = (usize, f32)> + '_ {
    one.seen.iter().map(|packed| ((packed >> 8) as usize, (packed & 255) as f32 - 128.0))
}

fn points(one: &Sample, weights: &[f32]) -> f32 {
    seen(one).map(|(index, count)| weights[index] * count).sum::<f32>() / SCALE as f32
}

/// The cross entropy beyond that of the targets themselves.
fn loss(samples: &[Sample], weights: &[f32]) -> f64 {
    let bits =
        |p: f32, q: f32| -f64::from(p * q.max(1e-6).ln() + (1.0 - p) * (1.0 - q).max(1e-6).ln());
    let of = |one: &Sample| {
        let q = sigmoid(points(one, weights));
        bits(one.target, q) - bits(one.target, one.target)
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

/// The method of Kingma and Ba, 2014.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    step: i32,
}

impl Adam {
    fn new(count: usize) -> Adam {
        Adam { means: vec![0.0; count], squares: vec![0.0; count], step: 0 }
    }

    fn steps(&mut self, slopes: &[f32], batch: usize, rate: f32) -> Vec<f32> {
        self.step += 1;
        let (first, second) = (1.0 - 0.9f32.powi(self.step), 1.0 - 0.999f32.powi(self.step));
        let moments = self.means.iter_mut().zip(&mut self.squares).zip(slopes);
        let step = |((mean, square), slope): ((&mut f32, &mut f32), &f32)| {
            let slope = slope / batch as f32;
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            // Cases seen hardly ever stay where they are.
            -rate * (*mean / first) / ((*square / second).sqrt() + 3e-5)
        };
        moments.map(step).collect()
    }
}
