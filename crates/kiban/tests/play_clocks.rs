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

/// What the clocks were last shown to have, Black's first.
fn shown(out: &str) -> Vec<&str> {
    let line = out.lines().rfind(|line| line.starts_with("Clocks: ")).expect("clocks");
    line.trim_end_matches('.').split(' ').filter(|word| word.contains(':')).skip(1).collect()
}

#[test]
fn a_move_taken_back_leaves_no_increment_behind() {
    let clock = ["play", "othello", "--side", "both", "--clock", "60+5"];
    let back = slowly(&clock, &[(0.0, "f5"), (0.0, "undo"), (0.0, "quit")]);
    // The clock that runs shows the increment of the move to come.
    let shown_back = shown(&back);
    assert!(["1:05,", "1:04,"].contains(&shown_back[0]), "{back}");
    assert_eq!(shown_back[1], "1:00", "{back}");
    // What the move took comes back as well, and so does what the other side's move did.
    let lines = [(2.5, "f5"), (0.0, "d6"), (0.0, "undo"), (0.0, "undo"), (0.0, "quit")];
    let back = slowly(&clock, &lines);
    let shown_back = shown(&back);
    assert!(["1:05,", "1:04,"].contains(&shown_back[0]), "{back}");
    assert_eq!(shown_back[1], "1:00", "{back}");
}

#[test]
fn a_flag_that_fell_can_be_taken_back_with_its_time() {
    let clock = ["play", "othello", "--side", "both", "--clock", "1.5"];
    let out = slowly(&clock, &[(2.5, "undo"), (0.0, "f5"), (0.0, "quit")]);
    let (_, after) = out.split_once("White wins: ").expect("the flag fell");
    assert!(after.contains("Black: f5"), "{out}");
    assert!(after.contains("The game stays unfinished."), "{out}");
}

#[test]
fn the_computer_plays_by_its_clock() {
    let clock = ["play", "othello", "--opponent", "clock", "--clock", "2+0.1", "--seed", "1"];
    let out = fed(&clock, b"f5\nquit\n").out;
    assert!(out.contains("White: ") && out.contains("Clocks: Black "), "{out}");
    let ran = kiban(&["play", "othello", "--opponent", "clock"]);
    assert!(ran.sentence(2).contains("add --clock 300+2 or --byoyomi 10"), "{}", ran.err);
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

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_program_behind() {
    let slow = common::usi("play-left", "sleep 617.25; echo bestmove 3c3d");
    let running = || {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        lines.filter(|line| line == b"sleep\x00617.25\x00").count()
    };
    let until = |wanted: usize| {
        let begun = Instant::now();
        while running() != wanted && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(running(), wanted);
    };
    let mut child = program()
        .args(["play", "shogi", "--opponent", &slow])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    writeln!(child.stdin.as_mut().expect("it was piped"), "7g7f").expect("it listens");
    if cfg!(target_os = "linux") {
        until(1);
    }
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill is there").success());
    let ended = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success() && out.ends_with("unfinished. Goodbye.\n"), "{out}");
    until(0);
}
