//! How far shallow searches are from deep ones and from the end, and a linear model of it.

use crate::sample::{self, Sample};
use crate::{Outcome, number, weights};
use kiban_othello::Study;

/// The depths compared.
const DEPTHS: std::ops::RangeInclusive<u8> = 4..=9;
/// Empties of the positions that are solved.
const SOLVED: [u32; 2] = [14, 16];
/// Slots of the table, as a power of two.
const BITS: u32 = 20;

/// A spread in hundredths of a disc, with what it may hang on.
struct Row {
    facts: Vec<f64>,
    spread: f64,
}

/// Measures on every so many-th sample, and prints the numbers for the engine.
pub(crate) fn measure(path: &str, games: &str, count: &str) -> Outcome {
    let count: usize = number(count)?;
    let mut study = Study::new(weights(path)?, BITS);
    let samples = sample::read(&[games])?;
    let of_empties = |low: u32, high: u32| {
        let fits = samples.iter().filter(|s| (low..high).contains(&s.empties())).copied();
        let fits: Vec<Sample> = fits.collect();
        let every = (fits.len() / count).max(1);
        fits.into_iter().step_by(every).take(count).collect::<Vec<Sample>>()
    };
    let mut rows = Vec::new();
    for low in [20u32, 28, 36, 44] {
        let chosen = of_empties(low, low + 4);
        for depth in DEPTHS {
            let shallow = 2 * (depth / 4) + (depth & 1);
            let apart = chosen.iter().map(|sample| {
                study.clear();
                // The shallow one first: what it leaves in the table is of no use to the deep one.
                let shallow = study.search(sample.board, shallow, false).points;
                f64::from(study.search(sample.board, depth, false).points - shallow)
            });
            let spread = spread(apart.collect());
            println!("{low}-{} empties, {shallow} for {depth}: {spread:.0}", low + 3);
            let facts = vec![f64::from(shallow), f64::from(depth), f64::from(low) + 1.5];
            rows.push(Row { facts, spread });
        }
    }
    println!("SPREAD {:.1?}", fitted(&rows));
    rows.clear();
    for empties in SOLVED {
        for shallow in 3u8..=8 {
            let apart = of_empties(empties, empties + 1).into_iter().map(|sample| {
                study.clear();
                let shallow = study.search(sample.board, shallow, false).points;
                f64::from(study.solve(sample.board).points - shallow)
            });
            let spread = spread(apart.collect());
            println!("{empties} empties, {shallow} for the end: {spread:.0}");
            rows.push(Row { facts: vec![f64::from(shallow), f64::from(empties)], spread });
        }
    }
    println!("SPREAD_TO_END {:.1?}", fitted(&rows));
    Ok(())
}

/// The root of the mean square.
fn spread(apart: Vec<f64>) -> f64 {
    let squares: f64 = apart.iter().map(|x| x * x).sum();
    (squares / apart.len().max(1) as f64).sqrt()
}

/// Least squares: a constant, then a factor for each fact.
fn fitted(rows: &[Row]) -> Vec<f64> {
    let unknowns = rows.first().map_or(0, |row| row.facts.len()) + 1;
    let fact = |row: &Row, i: usize| if i == 0 { 1.0 } else { row.facts[i - 1] };
    let mut system = vec![vec![0.0; unknowns + 1]; unknowns];
    for row in rows {
        for (i, equation) in system.iter_mut().enumerate() {
            for (j, cell) in equation.iter_mut().enumerate() {
                *cell += fact(row, i) * if j < unknowns { fact(row, j) } else { row.spread };
            }
        }
    }
    // The least bit of damping: depths may go along with each other.
    (0..unknowns).for_each(|i| system[i][i] += 1e-6);
    for i in 0..unknowns {
        let pivot = system[i].clone();
        for (_, equation) in system.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = equation[i] / pivot[i];
            equation.iter_mut().zip(&pivot).for_each(|(cell, p)| *cell -= factor * p);
        }
    }
    (0..unknowns).map(|i| system[i][unknowns] / system[i][i]).collect()
}
