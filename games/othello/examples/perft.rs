//! Measures perft of the start position on every instruction set of this processor:
//! `cargo run --release -p kiban-othello --example perft -- DEPTH [RUNS]`.
#![allow(clippy::print_stdout)]

use kiban_othello::bitboard::AnyIsa;
use kiban_othello::perft::perft_on;
use kiban_othello::{Options, Position};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let depth = numbers.next().unwrap_or(11);
    let runs = numbers.next().unwrap_or(5);
    let options = Options { fewest: false, free_centre: false, size: 8, handicap: 0 };
    let start = Position::start(options);
    for isa in AnyIsa::available() {
        let mut best = f64::INFINITY;
        let mut leaves = 0;
        for _ in 0..runs {
            let before = cpu_seconds();
            leaves = perft_on(isa, &start, depth);
            best = best.min(cpu_seconds() - before);
        }
        let rate = leaves as f64 / best / 1e6;
        println!("{:8} depth {depth}: {leaves} leaves, {best:.2} CPU s, {rate:.0} M/s", isa.name());
    }
}

/// Time this process has run, in seconds to a hundredth, from Linux's account of it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has /proc/self/stat");
    let after_name = stat.rsplit(')').next().expect("the name is in parentheses");
    let ticks = |n: usize| after_name.split_whitespace().nth(n).and_then(|t| t.parse::<f64>().ok());
    (ticks(11).expect("user time") + ticks(12).expect("system time")) / 100.0
}
