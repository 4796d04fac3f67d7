//! Exit statuses as the command line promises them: 1 for a value that is not known, 2 for usage that
//! is wrong whatever the values mean.

mod common;

use common::{file, kiban};

/// Runs each line with `R` standing for a record, and compares the status.
fn all_end_with(status: i32, lines: &[&str]) {
    let record = file(&format!("statuses-{status}.txt"), b"f5d6c3");
    for line in lines {
        let arguments: Vec<_> =
            line.split_whitespace().map(|word| if word == "R" { &*record } else { word }).collect();
        let ran = kiban(&arguments);
        assert_eq!(ran.status, status, "{line}: {}{}", ran.out, ran.err);
        // With --jsonl or --json a line of JSON follows the sentence.
        let lines = 1 + usize::from(arguments.iter().any(|a| a.starts_with("--json")));
        assert_eq!((ran.out.as_str(), ran.err.lines().count()), ("", lines), "{line}: {}", ran.err);
    }
}

#[test]
fn values_that_are_not_known_end_with_1() {
    all_end_with(
        1,
        &[
            // Games.
            "show chess",
            "render chess -o x.svg",
            "moves chess",
            "perft chess --depth 1",
            "judge R --game chess",
            "convert R --game chess --to sgf",
            "play chess",
            "analyze chess",
            "mate chess",
            "solve chess --check",
            "probe chess",
            "bench chess",
            "suite R --game chess",
            "match random random --game chess",
            // Variants and their options.
            "show othello --variant hex",
            "render othello --variant hex -o x.svg",
            "moves othello --variant othello,size=9",
            "moves othello --variant othello,colour=red",
            "perft othello --variant hex --depth 1",
            "judge R --variant hex",
            "judge R --variant hex --game othello --json",
            "convert R --variant hex --to sgf",
            "play othello --variant hex",
            "analyze othello --variant hex",
            "mate othello --variant hex",
            "probe othello --variant hex",
            "suite R --game othello --variant hex",
            "match random random --game othello --variant hex",
            // Formats.
            "judge R --format docx",
            "judge R --format docx --jsonl",
            "judge R --format kif --game othello",
            "convert R --format docx --to sgf",
            "convert R --to docx",
            "convert R --to pzz",
            "convert R --to kif",
            // Protocols, viewers, positions, records.
            "engine chess",
            "show othello --viewer third",
            "show othello --position nowhere",
            "show othello --moves z9",
            "show othello --record R --index 2",
            "show othello --record R --ply 4",
            "judge no-such-file.txt",
            "suite no-such-file.txt --game othello",
            "render othello -o x.gif",
        ],
    );
}

#[test]
fn wrong_usage_ends_with_2() {
    all_end_with(
        2,
        &[
            "",
            "frobnicate",
            // Arguments there are not, or not here.
            "games chess",
            "games --nonsense",
            "show othello --nonsense",
            "judge R --to sgf",
            "judge R R --lossy",
            "doctor R",
            "bench othello --nodes 5",
            // Missing ones.
            "judge",
            "convert R",
            "convert --to sgf",
            "perft othello",
            "solve morris",
            "solve",
            "probe",
            "engine",
            "render othello",
            "suite R",
            "show othello --ply 3",
            "show othello --index 1",
            "convert R R --to sgf",
            // Those that contradict each other, or are given twice.
            "judge R --json --jsonl",
            "judge R --summary --jsonl",
            "convert R --to sgf --to ggf",
            "show othello --position start --record R",
            "show othello --moves f5 --record R",
            "solve jungle --animals 2 --men 3",
            // Numbers that are none, or out of range whatever is asked.
            "perft othello --depth deep",
            "perft othello --depth -1",
            "perft othello --depth 1 --threads 0",
            "show othello --record R --index 0",
            "show othello --record R --index one",
            "show othello --record R --ply -1",
            "show othello --seed 1.5",
            "analyze othello --depth 0",
            "analyze othello --nodes 0",
            "analyze othello --time 0",
            "analyze othello --time 1e9",
            "analyze othello --lines 0",
            "mate shogi --time soon",
            "probe morris --hash x",
            "play othello --level 11",
            "play othello --level 0",
            "render othello -o x.png --size 0",
            "suite R --game othello --depth 0",
            "serve --listen nowhere",
            "convert R --to sgf --encoding latin1",
        ],
    );
}

/// Of two arguments that were missing the names ran into one another.
#[test]
fn missing_arguments_are_named_one_by_one() {
    let said = kiban(&["solve"]).sentence(2).to_string();
    assert!(said.starts_with("One of --men <N>, --animals <N>, --check, --atlas and <GAME> are"));
    let said = kiban(&["convert"]).sentence(2).to_string();
    assert!(said.starts_with("--to <FORMAT> and <FILE>... are missing."), "{said}");
}
