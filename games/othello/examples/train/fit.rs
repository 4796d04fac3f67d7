//! Fits the weights to samples: phase by phase from the end of the game backwards, each beginning
//! with the weights of the one after it, by stochastic gradient descent on the squared error.

use crate::sample::{self, Sample};
use crate::{Outcome, number, write};
use kiban_othello::bitboard::{Board8, Isa, Portable};
use kiban_othello::evaluation::{LANES, Layout, MOBILITIES, PHASES, UNIT, Weights, phase_of};
use kiban_search::Random;

/// A phase learns from samples of so many plies around it, too.
const AROUND: u32 = 2;
/// Rounds over the samples of a phase, and the step of the first and the last of them.
const ROUNDS: usize = 12;
const STEPS: (f32, f32) = (0.6, 0.06);
/// A weight seen so often moves half as far as one always seen.
const SELDOM: f32 = 8.0;
/// Samples in a row of which all or none are held out, and which part of these rows is.
const ROW: usize = 2000;
const HELD_OUT: usize = 20;
/// Numbers of empties.
const EMPTIES: usize = 61;

/// The weights of a phase, in units of a weight.
#[derive(Clone)]
struct Phase {
    weights: Vec<f32>,
    empties: [f32; EMPTIES],
}

/// A sample as the fit sees it.
struct Example {
    shapes: [u32; LANES],
    own_moves: u32,
    enemy_moves: u32,
    empties: u32,
    wanted: f32,
}

impl Example {
    fn of(sample: &Sample, share: f32) -> Example {
        let layout = Layout::get();
        let moves = |board: Board8| Portable.moves(board).count_ones().min(MOBILITIES as u32 - 1);
        let first = layout.weights() as u32;
        let result = f32::from(sample.result) * 100.0;
        let wanted = share * result + (1.0 - share) * f32::from(sample.points);
        Example {
            shapes: layout.weights_of(sample.board),
            own_moves: first + moves(sample.board),
            enemy_moves: first + MOBILITIES as u32 + moves(sample.board.pass()),
            empties: sample.empties(),
            wanted: wanted / UNIT as f32,
        }
    }

    fn indices(&self) -> impl Iterator<Item = usize> {
        let moves = [self.own_moves, self.enemy_moves];
        self.shapes.iter().copied().chain(moves).map(|index| index as usize)
    }
}

impl Phase {
    fn worth(&self, example: &Example) -> f32 {
        let sum: f32 = example.indices().map(|index| self.weights[index]).sum();
        sum + self.empties[example.empties as usize]
    }

    fn learn(&mut self, examples: &[Example], random: &mut Random) {
        let mut seen = vec![0f32; self.weights.len()];
        for example in examples {
            example.indices().for_each(|index| seen[index] += 1.0);
        }
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        for round in 0..ROUNDS {
            for i in (1..order.len()).rev() {
                order.swap(i, random.below(i + 1));
            }
            let part = round as f32 / (ROUNDS - 1) as f32;
            let step = STEPS.0 * (STEPS.1 / STEPS.0).powf(part) / (LANES + 3) as f32;
            for i in &order {
                let example = &examples[*i as usize];
                let step = step * (example.wanted - self.worth(example));
                for index in example.indices() {
                    self.weights[index] += step * seen[index] / (seen[index] + SELDOM);
                }
                self.empties[example.empties as usize] += step;
            }
        }
    }

    /// The mean error in discs.
    fn error(&self, examples: &[Example]) -> f32 {
        let errors = examples.iter().map(|example| (example.wanted - self.worth(example)).abs());
        errors.sum::<f32>() / examples.len().max(1) as f32 * UNIT as f32 / 100.0
    }

    fn rounded(&self) -> Phase {
        let round = |w: &f32| w.round().clamp(-127.0, 127.0);
        Phase {
            weights: self.weights.iter().map(round).collect(),
            empties: std::array::from_fn(|i| round(&self.empties[i])),
        }
    }
}

/// Fits weights to files of games.
pub(crate) fn fit(old: &str, new: &str, share: &str, games: &[&str]) -> Outcome {
    crate::weights(old)?;
    let share: f32 = number(share)?;
    let samples = sample::read(games)?;
    let mut phase = Phase { weights: vec![0.0; Weights::phase_length()], empties: [0.0; EMPTIES] };
    let mut random = Random::new(1);
    let mut bytes = vec![0u8; Weights::length()];
    println!("phase  examples  held out  mean error in discs: learned, held out, rounded");
    for index in (0..PHASES).rev() {
        let of_phase = |sample: &Sample, around: u32| {
            let empties = sample.empties();
            (empties.saturating_sub(around)..=empties + around).any(|e| phase_of(e) == index)
        };
        let examples = |held: bool, around: u32| -> Vec<Example> {
            let numbered = samples.iter().enumerate();
            let chosen = numbered.filter(|(i, sample)| {
                (i / ROW).is_multiple_of(HELD_OUT) == held && of_phase(sample, around)
            });
            chosen.map(|(_, sample)| Example::of(sample, share)).collect()
        };
        let (learned, held) = (examples(false, AROUND), examples(true, 0));
        phase.learn(&learned, &mut random);
        let rounded = phase.rounded();
        println!(
            "{index:5} {:9} {:9}  {:.2} {:.2} {:.2}",
            learned.len(),
            held.len(),
            phase.error(&learned),
            phase.error(&held),
            rounded.error(&held),
        );
        let start = index * Weights::phase_length();
        for (i, weight) in rounded.weights.iter().enumerate() {
            bytes[start + i] = *weight as i8 as u8;
        }
        for empties in (0..EMPTIES).filter(|empties| phase_of(*empties as u32) == index) {
            bytes[PHASES * Weights::phase_length() + empties] =
                rounded.empties[empties] as i8 as u8;
        }
    }
    write(new, &bytes)
}

/// Weights by rule of thumb: corners are good, the squares beside empty corners bad, and so is
/// having fewer moves than the other side.
pub(crate) fn start(path: &str) -> Outcome {
    let layout = Layout::get();
    let mut phase = vec![0i8; Weights::phase_length()];
    // Lane 4 is the first corner of three squares a side; its weights are met on boards with
    // nothing else.
    for number in 0..3usize.pow(9) {
        let digit = |i: u32| number / 3usize.pow(i) % 3;
        let squares = [0, 1, 2, 8, 9, 10, 16, 17, 18];
        let side = |digit_of: usize| {
            let of_side = (0u32..9).filter(|i| digit(*i) == digit_of);
            of_side.fold(0u64, |set, i| set | 1 << squares[i as usize])
        };
        let board = Board8 { own: side(1), enemy: side(2) };
        let sign = |i: u32| [0, 1, -1][digit(i)];
        let beside = if digit(0) == 0 { -35 * sign(4) - 12 * (sign(1) + sign(3)) } else { 0 };
        phase[layout.weights_of(board)[4] as usize] = (70 * sign(0) + beside) as i8;
    }
    for moves in 0..MOBILITIES {
        let worth = (moves * 8).min(100) as i8;
        phase[layout.weights() + moves] = worth;
        phase[layout.weights() + MOBILITIES + moves] = -worth;
    }
    let phase: Vec<u8> = phase.into_iter().map(|weight| weight as u8).collect();
    let mut bytes = phase.repeat(PHASES);
    bytes.resize(Weights::length(), 0);
    write(path, &bytes)
}
