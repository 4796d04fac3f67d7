//! Counts lines and measures: `perft VARIANT DEPTH [POSITION]`.
#![allow(clippy::print_stdout)]

use kiban_core::Opening;
use kiban_morris::GAME;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant = GAME.variant(&arguments.next().unwrap_or_default())?;
    let deepest: u32 = arguments.next().unwrap_or_default().parse()?;
    let opening = Opening::new(variant, arguments.next());
    for depth in 1..=deepest {
        let begun = Instant::now();
        let nodes = (GAME.perft)(&opening, depth, false, 1)?.nodes;
        println!("{depth} {nodes} {:.3} s", begun.elapsed().as_secs_f64());
    }
    Ok(())
}
