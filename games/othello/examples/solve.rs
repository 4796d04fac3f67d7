//! Solves the positions of a problem file, one thread, and measures it:
//! `cargo run --release -p kiban-othello --example solve -- FILE.obf [FROM TO [MIB]]`, rows
//! counted from 1.

// A tool's output is its purpose.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{Act, Limits, Opening, Problem, Report, Score, Workspace};
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let usage = "usage: solve FILE.obf [FROM TO [MIB]]";
    let path = args.next().unwrap_or_else(|| {
        eprintln!("{usage}");
        std::process::exit(2)
    });
    let mut numbers = args.map(|a| a.parse::<usize>().expect(usage));
    let (from, to) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(usize::MAX));
    let hash = numbers.next().map(|mib| mib as u32);
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    let (_, read) = kiban_othello::GAME.problems[0];
    let problems = read(&text).expect("the file is well-formed");
    let (mut all, mut right, mut memory) = (Vec::new(), 0, Workspace::new());
    let mut nodes = 0;
    for (n, problem) in (1usize..).zip(&problems).filter(|(n, _)| (from..=to).contains(n)) {
        let begun = (Instant::now(), cpu_seconds());
        let (found, report) = solved(problem, &mut memory, hash);
        let (wall, cpu) = (begun.0.elapsed().as_secs_f64(), cpu_seconds() - begun.1);
        let Score::Estimate { points, .. } = report.lines[0].score else {
            panic!("with no limits the points are known")
        };
        let ok = problem.points.is_none_or(|wanted| wanted * 100 == points)
            && problem.moves.as_ref().is_none_or(|moves| moves.contains(&found));
        let empties = problem.position.chars().filter(|c| *c == '-').count();
        println!(
            "{n:3} {empties:2} empties  {found} {:+3}  {}  {:11} nodes  {cpu:7.2} CPU s  {wall:7.2} s",
            points / 100,
            if ok { "right" } else { "WRONG" },
            report.nodes,
        );
        all.push((cpu, wall));
        right += usize::from(ok);
        nodes += report.nodes;
    }
    let of = |pick: fn(&(f64, f64)) -> f64| {
        let mut times: Vec<f64> = all.iter().map(pick).collect();
        times.sort_by(f64::total_cmp);
        let (worst, median) = (times.last().copied().unwrap_or(0.0), times[times.len() / 2]);
        format!("sum {:.2}, median {median:.2}, worst {worst:.2}", times.iter().sum::<f64>())
    };
    println!("{right} of {} right, {nodes} nodes", all.len());
    println!("CPU s: {}", of(|t| t.0));
    println!("wall s: {}", of(|t| t.1));
}

fn solved(problem: &Problem, memory: &mut Workspace, hash: Option<u32>) -> (String, Report) {
    let game = &kiban_othello::GAME;
    let variant = game.variant(&problem.variant).expect("a variant of the game");
    let start = Some(problem.position.clone());
    let opening = Opening::new(variant, start);
    let game = (game.open)(&opening).expect("it opens");
    let seat = game.waiting_for().only().expect("somebody is to move");
    let mut last = None;
    let limits = Limits { hash, ..Limits::default() };
    let entry = game.ask(seat)(memory, limits, &mut |report| last = Some(report));
    let Act::Move(text) = entry.act else { panic!("the engine moves") };
    (text, last.expect("a report"))
}

/// Time this process has run, in seconds to a hundredth, from Linux's account of it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has /proc/self/stat");
    let after_name = stat.rsplit(')').next().expect("the name is in parentheses");
    let ticks = |n: usize| after_name.split_whitespace().nth(n).and_then(|t| t.parse::<f64>().ok());
    (ticks(11).expect("user time") + ticks(12).expect("system time")) / 100.0
}
