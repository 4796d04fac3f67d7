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
        let fault = &found["games"][0]["fault"];
        assert_eq!((&fault["by"], &fault["kind"]), (&json!("a"), &json!("crash")), "{name}");
        assert!(fault["why"].as_str().is_some_and(|why| why.ends_with('.')), "{name}: {fault}");
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

/// Names with what turns the direction of writing, commands a terminal, or is not seen.
#[test]
fn a_name_holds_nothing_that_cannot_be_seen() {
    let hidden = "Str\u{202e}ong\u{200b} \u{1b}[31mOne\u{feff}";
    let shown = "Strong [31mOne";
    let usi = format!(
        "while read line; do case \"$line\" in\n\
         usi) echo 'id name {hidden}'; echo usiok;;\n\
         isready) echo readyok;;\n\
         go*) echo bestmove resign;;\n\
         quit) exit 0;;\nesac; done\n"
    );
    let nboard = format!(
        "while read a b c; do case \"$a\" in\n\
         nboard) echo 'set myname {hidden}';;\nping) echo pong $b;;\ngo) echo '=== xx';;\n\
         quit) exit 0;;\nesac; done\n"
    );
    let gtp = format!(
        "while read a; do case \"$a\" in\n\
         name) echo '= {hidden}';;\ngenmove*) echo '= resign';;\n*) echo '=';;\nesac; echo; done\n"
    );
    for (protocol, game, script) in
        [("usi", "shogi", usi), ("nboard", "othello", nboard), ("gtp", "othello", gtp)]
    {
        let script = file(&format!("bad-engines-name.{protocol}"), script.as_bytes());
        let spec = format!("{protocol}:sh {script}");
        let folder = format!("{}/bad-engines-{protocol}", env!("CARGO_TARGET_TMPDIR"));
        let _ = std::fs::remove_dir_all(&folder);
        let usual = ["match", &spec, "random", "--game", game, "--games", "1"];
        let ran = kiban(&[&usual[..], &["--records", &folder]].concat());
        assert!(ran.out.starts_with(&format!("{shown} (a) against ")), "{protocol}: {}", ran.out);
        let found = matched(&[&spec, "random", "--game", game, "--games", "1"]);
        assert_eq!(found["a"]["name"], shown, "{protocol}");
        let record = std::fs::read_dir(&folder).expect("it was made").next().expect("a record");
        let bytes = std::fs::read(record.expect("an entry").path()).expect("readable");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(text.contains("Strong"), "{protocol}: {text}");
        assert!(
            !text.contains(['\u{202e}', '\u{200b}', '\u{1b}', '\u{feff}']),
            "{protocol}: {text}"
        );
        let ran = kiban(&["play", game, "--opponent", &spec]);
        assert!(ran.out.contains(&format!("against {shown}.")), "{protocol}: {}", ran.out);
    }
}

#[test]
fn an_option_that_a_program_does_not_have_is_told_with_the_nearest() {
    let script = "while read line; do case \"$line\" in\n\
        usi) echo id name Fake; echo option name Threads type spin default 1 min 1 max 8;\n\
        echo option name Clear Hash type button; echo usiok;;\n\
        isready) echo readyok;;\ngo*) echo bestmove resign;;\nquit) exit 0;;\nesac; done\n";
    let spec = format!("usi:sh {}", file("bad-engines-options.sh", script.as_bytes()));
    let run = |options: &[&str]| {
        let usual = ["match", "random", &spec, "--game", "shogi", "--games", "2", "--json"];
        let ran = kiban(&[&usual[..], &["--concurrency", "2"], options].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.err
    };
    let said = run(&["--option-b", "Thread=2"]);
    assert_eq!(
        said,
        "Player b: The engine has no option \"Thread\"; nearest to it are Threads and Clear Hash.\n"
    );
    // Case does not count, blanks belong to a name, and some options need not be declared.
    let known = ["threads=2", "Clear Hash=", "USI_Hash=16", "USI_Ponder=false"];
    let known: Vec<&str> = known.iter().flat_map(|option| ["--option-b", option]).collect();
    assert_eq!(run(&known), "");
    // A player of our own has none.
    let ran = kiban(&["match", "random", &spec, "--game", "shogi", "--option-a", "Threads=2"]);
    assert!(ran.sentence(2).contains("--option-a is for another program, and random is none"));
}

#[test]
fn an_option_that_a_gtp_program_refuses_is_a_doubt_and_costs_no_game() {
    let script = "while read a; do case \"$a\" in\n\
        name) echo '= Fake';;\nFoo*) printf '? unknown\\033[31m command\\n';;\n\
        genmove*) echo '= resign';;\n*) echo '=';;\nesac; echo; done\n";
    let spec = format!("gtp:sh {}", file("bad-engines-gtp-option.sh", script.as_bytes()));
    let usual = ["match", "random", &spec, "--game", "othello", "--games", "2", "--time", "1"];
    let ran = kiban(&[&usual[..], &["--json", "--option-b", "Foo=1"]].concat());
    assert_eq!(
        ran.err,
        "Player b: The engine does not take the option Foo: unknown\u{fffd}[31m command.\n"
    );
    let found = ran.json();
    assert_eq!(found["by_reason"], json!({ "resign": 2 }), "{found}");
    assert_eq!(found["faults"]["b"]["illegal"], 0, "{found}");
}

#[test]
fn what_made_a_program_lose_is_told() {
    let script = "while read a; do case \"$a\" in\n\
        name) echo '= Fake';;\ngenmove*) printf '? cannot\\033[2J think\\n';;\n\
        *) echo '=';;\nesac; echo; done\n";
    let spec = format!("gtp:sh {}", file("bad-engines-gtp-fault.sh", script.as_bytes()));
    let usual = ["match", "random", &spec, "--game", "othello", "--games", "1", "--time", "1"];
    let ran = kiban(&usual);
    let told = "Game 1, fault of b: The engine gave no move: cannot\u{fffd}[2J think.\n";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert!(ran.out.contains("Faults of b: 1 illegal move."), "{}", ran.out);
    let ran = kiban(&[&usual[..], &["--json"]].concat());
    let why = &ran.json()["games"][0]["fault"]["why"];
    assert_eq!(why, "The engine gave no move: cannot\u{1b}[2J think.");
}

#[test]
fn a_gtp_program_is_never_told_more_time_than_it_has() {
    let told = told("gtp");
    let script = format!(
        "while read a; do case \"$a\" in\n\
         name) echo '= Fake';;\ntime_*) echo \"$a\" >> '{told}'; echo '=';;\n\
         genmove*) echo '= resign';;\n*) echo '=';;\nesac; echo; done\n"
    );
    let spec = format!("gtp:sh {}", file("bad-engines-gtp.sh", script.as_bytes()));
    let run = |limits: &[&str]| {
        let _ = std::fs::remove_file(&told);
        let usual = ["match", &spec, "random", "--game", "othello", "--games", "1", "--json"];
        let ran = kiban(&[&usual[..], limits].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        (std::fs::read_to_string(&told).unwrap_or_default().replace('\n', "; "), ran.err)
    };
    let cases: [(&[&str], &str, &str); 7] = [
        (&["--byoyomi", "0.3"], "time_settings 0 1 4; time_left black 1 4; ", "4 moves in 1 s"),
        (&["--byoyomi", "2.9"], "time_settings 0 2 1; time_left black 2 1; ", ""),
        (&["--time", "0.5"], "time_settings 0 1 2; ", "2 moves in 1 s"),
        (&["--time", "1.9"], "time_settings 0 1 1; ", ""),
        (
            &["--clock", "60", "--byoyomi", "0.4"],
            "time_settings 60 1 3; time_left black 60 0; ",
            "3 moves in 1 s",
        ),
        (&["--clock", "0.9", "--byoyomi", "5"], "time_settings 0 5 1; time_left black 5 1; ", ""),
        (&["--nodes", "100"], "", "GTP can tell neither nodes nor a depth"),
    ];
    for (limits, lines, doubt) in cases {
        let (told, said) = run(limits);
        assert_eq!(told, lines, "{limits:?}");
        assert!(said.contains(doubt), "{limits:?}: {said}");
        assert_eq!(said.is_empty(), doubt.is_empty(), "{limits:?}: {said}");
    }
}

#[test]
fn a_folder_is_no_engine_and_is_called_one() {
    let spec = format!("usi:{}", env!("CARGO_TARGET_TMPDIR"));
    let ran = kiban(&["match", "random", &spec, "--game", "shogi"]);
    assert!(ran.sentence(1).contains("cannot be started: it is a folder"), "{}", ran.err);
}
