//! Games in the terminal under clocks.

mod common;

use common::{fed, file, kiban, program};
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Says these lines, waiting before each; gives what was answered.
fn slowly(arguments: &[&str], lines: &[(f64, &str)]) -> String {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    for (wait, line) in lines {
        std::thread::sleep(Duration::from_secs_f64(*wait));
        writeln!(stdin, "{line}").expect("it listens");
    }
    drop(stdin);
    let mut out = String::new();
    child.stdout.take().expect("it was piped").read_to_string(&mut out).expect("text");
    assert!(child.wait().expect("it ends").success());
    out
}

#[test]
fn whoever_does_not_move_in_time_loses() {
    let clock = ["play", "othello", "--side", "both", "--clock", "3"];
    let out = slowly(&clock, &[(0.0, "f5"), (0.0, "d6"), (4.0, "c5"), (0.0, "quit")]);
    assert!(out.contains("Clocks: Black 0:02."), "{out}");
    assert!(out.contains("Clocks: Black 0:00.0, White 0:0"), "{out}");
    assert!(out.contains("White wins: "), "{out}");
    assert!(out.contains("The game is over."), "{out}");
    // The flag falls while nothing is typed.
    let begun = Instant::now();
    let out = slowly(&["play", "othello", "--side", "both", "--byoyomi", "0.5"], &[(2.0, "moves")]);
    assert!(out.contains("White wins: "), "{out}");
    assert!(out.contains("0:00.0 and 0 s"), "{out}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_was_spent_is_kept_with_the_game() {
    let name = file("play-clocks.ggf", b"");
    let save = format!("save {name}");
    let clock = ["play", "othello", "--side", "both", "--clock", "60+1"];
    let lines =
        [(1.2, "f5"), (0.0, "d6"), (0.0, "undo"), (0.0, "f6"), (0.0, &*save), (0.0, "quit")];
    let out = slowly(&clock, &lines);
    // 60 s, an increment, and what the move took.
    assert!(out.contains("Clocks: Black 0:5") && out.contains("White 1:0"), "{out}");
    let record = std::fs::read_to_string(&name).expect("it was saved");
    let seconds = record.split("B[f5//").nth(1).and_then(|rest| rest.split(']').next());
    let seconds: f64 = seconds.and_then(|s| s.parse().ok()).expect("what the move took");
    assert!((1.1..30.0).contains(&seconds), "{record}");
}

#[test]
fn the_computer_plays_by_its_clock() {
    let clock = ["play", "othello", "--opponent", "clock", "--clock", "2+0.1", "--seed", "1"];
    let out = fed(&clock, b"f5\nquit\n").out;
    assert!(out.contains("White: ") && out.contains("Clocks: Black "), "{out}");
    let ran = kiban(&["play", "othello", "--opponent", "clock"]);
    assert!(ran.sentence(1).contains("add --clock 300+2 or --byoyomi 10"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_program_that_is_late_loses_on_time() {
    let slow = common::usi("play-slow", "sleep 1.5; echo bestmove 3c3d");
    let begun = Instant::now();
    for clock in ["--clock", "--byoyomi"] {
        let arguments = ["play", "shogi", "--opponent", &slow, clock, "0.4"];
        let out = fed(&arguments, b"7g7f\nquit\n").out;
        assert!(out.contains("Sente wins: "), "{out}");
        assert!(out.contains("Gote 0:00.0"), "{out}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
}
