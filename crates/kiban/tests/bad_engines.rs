//! Programs that misbehave under the clocks of a match.
#![cfg(unix)]

mod common;

use common::{file, kiban, matched, usi};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The usual start as a position: nothing is played at random before.
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A program that counts its moves in `n`, has a legal one in `m` for the first two and then
/// resigns. It answers `go` with this shell command.
fn counting(name: &str, answer: &str) -> String {
    let answer = format!(
        "n=$((n+1)); case $n in 1) m=9g9f;; 2) m=1g1f;; *) m=resign;; esac; \
         echo \"$line\" >> '{}'; {answer}",
        told(name)
    );
    usi(name, &answer)
}

/// Where such a program notes how it was asked.
fn told(name: &str) -> String {
    std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("told-{name}.txt"))
        .display()
        .to_string()
}

/// One game in which it is first, under these clocks.
fn game(name: &str, answer: &str, clocks: &[&str]) -> Value {
    game_against("random", name, answer, clocks)
}

fn game_against(other: &str, name: &str, answer: &str, clocks: &[&str]) -> Value {
    let _ = std::fs::remove_file(told(name));
    let spec = counting(name, answer);
    let usual = ["--game", "shogi", "--games", "1", "--seed", "1", "--position", START];
    let more = ["--random-plies", "0", "--patience", "2"];
    matched(&[&[&*spec, other], &usual[..], &more, clocks].concat())
}

const CLOCK: &[&str] = &["--clock", "4", "--margin", "0.2"];
const BYOYOMI: &[&str] = &["--byoyomi", "0.5", "--margin", "0.2"];

/// Name, answer, clocks, fault, how the game ends, plies.
type Case = (&'static str, &'static str, &'static [&'static str], Value, &'static str, u64);

#[test]
fn what_a_program_does_with_its_clock_is_judged() {
    let cases: [Case; 8] = [
        ("in-time", "sleep 0.3; echo bestmove $m", CLOCK, Value::Null, "resign", 4),
        ("flag", "sleep 4.5; echo bestmove $m", CLOCK, json!("timeout"), "timeout", 0),
        ("never", ":", CLOCK, json!("stall"), "timeout", 0),
        ("byoyomi", "sleep 1.2; echo bestmove $m", BYOYOMI, json!("timeout"), "timeout", 0),
        ("stop-only", "read x; echo bestmove $m", CLOCK, json!("stall"), "timeout", 0),
        ("talk", "yes info depth 1", CLOCK, json!("stall"), "timeout", 0),
        ("ponder", "echo bestmove $m ponder 9z9z", CLOCK, Value::Null, "resign", 4),
        ("then-late", "echo bestmove $m; sleep 5", CLOCK, json!("timeout"), "timeout", 2),
    ];
    for (name, answer, clocks, fault, reason, plies) in cases {
        let begun = Instant::now();
        let found = game(name, answer, clocks);
        assert_eq!(found["games"][0]["fault"]["kind"], fault, "{name}: {found}");
        assert_eq!(found["by_reason"], json!({ reason: 1 }), "{name}: {found}");
        assert_eq!(found["games"][0]["plies"], plies, "{name}: {found}");
        assert!(begun.elapsed() < Duration::from_secs(40), "{name} took {:?}", begun.elapsed());
    }
}

#[test]
fn answers_that_nobody_asked_for_are_no_answers() {
    for (name, answer) in [
        ("twice", "echo bestmove $m; echo bestmove $m"),
        ("thrice", "printf 'bestmove %s\\nbestmove resign\\nbestmove win\\n' $m"),
        ("flood", "yes info depth 1 score cp 1 pv 9g9f | head -n 30000; echo bestmove $m"),
        ("long", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo bestmove $m"),
        ("bytes", "printf '\\377\\376\\n\\n\\0\\n'; echo bestmove $m; echo readyok; echo usiok"),
    ] {
        // The other side takes its time: what was said too much has come when it is done.
        let found = game_against("time:0.2", name, answer, &["--clock", "20"]);
        assert_eq!(found["games"][0]["fault"], Value::Null, "{name}: {found}");
        assert_eq!(found["games"][0]["moves"].as_array().expect("moves").len(), 4, "{name}");
        assert_eq!(found["by_reason"], json!({ "resign": 1 }), "{name}: {found}");
    }
}

#[test]
fn a_program_that_goes_after_its_move_has_crashed() {
    for (name, answer) in [
        ("dies", "echo bestmove $m; exit 0"),
        ("closes", "echo bestmove $m; exec >&-; sleep 600"),
        // What it leaves behind holds its output open.
        ("orphan", "echo bestmove $m; sleep 600 & exit 0"),
        ("killed", "echo bestmove $m; kill -9 $$"),
    ] {
        let begun = Instant::now();
        let found = game(name, answer, &["--clock", "30"]);
        assert_eq!(found["games"][0]["fault"], json!({ "by": "a", "kind": "crash" }), "{name}");
        assert_eq!(found["games"][0]["plies"], 2, "{name}: {found}");
        assert_eq!(found["by_reason"], json!({ "abandoned": 1 }), "{name}: {found}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_clock_never_shows_less_than_nothing() {
    let answer = "[ $n = 1 ] && sleep 0.8; echo bestmove $m";
    let found = game("owing", answer, &["--clock", "0.5", "--margin", "5"]);
    assert_eq!(found["games"][0]["fault"], Value::Null, "{found}");
    let lines = std::fs::read_to_string(told("owing")).expect("it was asked");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "go btime 500 wtime 500 byoyomi 0");
    assert!(lines[1].starts_with("go btime 0 wtime "), "{lines:?}");
}

#[test]
fn a_resumed_match_keeps_the_faults_it_has_judged() {
    let log = file("bad-engines.jsonl", b"");
    std::fs::remove_file(&log).expect("just made");
    let spec = usi("resumed", "[ -e /nowhere ] || exit 3");
    let run = |games: &str| {
        let usual = ["match", "random", &spec, "--game", "shogi", "--seed", "2"];
        let more = ["--concurrency", "2", "--games", games, "--resume", &log, "--json"];
        kiban(&[&usual[..], &more].concat()).json()
    };
    let (begun, whole) = (run("2"), run("4"));
    let rows = |found: &Value| found["games"].as_array().expect("rows").clone();
    assert_eq!(rows(&whole)[..2], rows(&begun)[..]);
    assert_eq!(whole["faults"]["b"]["crash"], 4);
    assert_eq!(whole["by_reason"], json!({ "abandoned": 4 }));
    let usual = ["match", "random", &spec, "--game", "shogi", "--seed", "2"];
    let ran = kiban(&[&usual[..], &["--games", "4", "--resume", &log]].concat());
    assert!(ran.out.contains("\nEnded by: abandoned 4.\nFaults of b: 4 crashes."), "{}", ran.out);
}
