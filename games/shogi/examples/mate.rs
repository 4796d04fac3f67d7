//! Solves mates: `mate NODES SFEN...` or `mate NODES < FILE`, a position a line.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::Limits;
use kiban_shogi::mate::solve;
use kiban_shogi::position::Position;
use kiban_shogi::sfen::Setup;
use std::io::BufRead;

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(nodes) = args.next().and_then(|n| n.parse().ok()) else {
        eprintln!("usage: mate NODES SFEN...");
        std::process::exit(2);
    };
    let mut texts: Vec<String> = args.collect();
    if texts.is_empty() {
        texts = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    }
    for text in texts {
        let setup = Setup::from_sfen(&text).expect("a position");
        let p = Position::from_setup(&setup).expect("a possible position");
        let begun = std::time::Instant::now();
        let answer = solve(&p, &Limits { nodes: Some(nodes), ..Limits::default() });
        let line: Vec<String> = answer.line.iter().map(|m| m.to_usi()).collect();
        println!(
            "{text}: {:?} in {:?} {:?}, {} nodes, {:.2?}: {}",
            answer.mate,
            answer.plies,
            answer.proved,
            answer.nodes,
            begun.elapsed(),
            line.join(" ")
        );
    }
}
