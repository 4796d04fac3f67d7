//! Counts of lines from the data file.

use kiban_core::Opening;
use kiban_morris::GAME;

fn perft(variant: &str, start: &str, depth: u32, threads: u8) -> u64 {
    let variant = GAME.variant(variant).expect("a variant");
    let start = (!start.is_empty()).then(|| start.to_string());
    let opening = Opening::new(variant, start);
    (GAME.perft)(&opening, depth, false, threads).expect("it opens").nodes
}

#[test]
fn counts_are_those_of_the_data_file() {
    let rows =
        include_str!("data/perft.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let mut counted = 0;
    for row in rows {
        let mut parts = row.split(';').map(str::trim);
        let mut part = || parts.next().expect("three parts");
        let (variant, start, counts) = (part(), part(), part());
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            let count: u64 = count.parse().expect("a number");
            assert_eq!(perft(variant, start, depth, 1), count, "{row}, depth {depth}");
            counted += 1;
        }
    }
    assert!(counted >= 20, "{counted} counts");
}

#[test]
fn threads_count_alike() {
    assert_eq!(perft("nine", "", 4, 2), 255_024);
}
