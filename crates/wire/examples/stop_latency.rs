//! How long an engine of the UCI family takes from `stop` to `bestmove`.
//!
//! `stop_latency COUNT COMMAND...`: starts the command, then COUNT times `go infinite`, a pause
//! of 20 to 200 ms, `stop`. Prints the median, the 99th percentile and the longest in
//! milliseconds. Positions are given one a line on standard input, as `position` takes them;
//! without any it is `startpos`.
#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(200);
    let program = arguments.next().ok_or(io::ErrorKind::InvalidInput)?;
    let mut positions = String::new();
    io::stdin().read_to_string(&mut positions)?;
    let positions: Vec<&str> = positions.lines().filter(|line| !line.is_empty()).collect();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let mut output = BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?).lines();
    let mut until = |start: &str| -> io::Result<()> {
        for line in output.by_ref() {
            if line?.starts_with(start) {
                return Ok(());
            }
        }
        Err(io::ErrorKind::UnexpectedEof.into())
    };
    writeln!(input, "usi")?;
    until("usiok")?;
    writeln!(input, "isready")?;
    until("readyok")?;
    let mut taken = Vec::new();
    for i in 0..count {
        let position = positions.get(i as usize % positions.len().max(1));
        writeln!(input, "position {}", position.unwrap_or(&"startpos"))?;
        writeln!(input, "go infinite")?;
        std::thread::sleep(Duration::from_millis(20 + u64::from(i) * 37 % 181));
        let begun = Instant::now();
        writeln!(input, "stop")?;
        until("bestmove")?;
        taken.push(begun.elapsed());
    }
    writeln!(input, "quit")?;
    child.wait()?;
    taken.sort_unstable();
    let at = |share: f64| {
        let index = (taken.len() as f64 * share).ceil() as usize;
        taken.get(index.saturating_sub(1)).map_or(0.0, |d| d.as_secs_f64() * 1000.0)
    };
    println!(
        "{count} stops: median {:.2} ms, 99 % {:.2} ms, longest {:.2} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    Ok(())
}
