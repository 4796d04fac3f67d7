//! The help of each command: its examples run as they are written, and it says what its exit
//! statuses mean.

mod common;

use common::kiban;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use zip::write::SimpleFileOptions;

/// How long an example is watched. One that works on by then is well; a wrong one ends at once.
const WATCHED: Duration = Duration::from_millis(1500);
/// A build that another example needs is waited for.
const WAITED: Duration = Duration::from_secs(120);

/// A game of twenty plies.
const GAME: &str = "position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 1g1f 9c9d 9g9f 1c1d \
                    3g3f 7c7d 4g4f 6c6d 5g5f 5c5d 6g6f 4c4d 1i1h 9a9b 1h1i\n";
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The commands there are, as the help lists them.
fn commands() -> Vec<String> {
    let help = kiban(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).expect("commands are listed");
    let rows = list.lines().take_while(|line| !line.is_empty());
    rows.filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().expect("a name").to_string())
        .collect()
}

/// The examples of a help text.
fn examples(help: &str) -> Vec<String> {
    let list = help.split("Examples:\n").nth(1).unwrap_or_default();
    let rows = list.lines().take_while(|line| !line.is_empty());
    let row = |line: &str| {
        assert!(line.starts_with("  kiban "), "an example is a line that is not wrapped: {line}");
        line.trim().to_string()
    };
    rows.map(row).collect()
}

/// A folder with the files the examples speak of.
fn files() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("games")).expect("our own folder");
    let records = ["game", "game1", "game2", "games", "problem", "2024a", "games/a"];
    for name in records {
        fs::write(folder.join(format!("{name}.txt")), GAME).expect("our own file");
    }
    let problems = [
        ("counts.perft", format!("{START} ;D1 30 ;D2 900\n")),
        ("problems.epd", format!("{START} bm 7g7f;\n")),
    ];
    for (name, text) in problems {
        fs::write(folder.join(name), text).expect("our own file");
    }
    let archive = fs::File::create(folder.join("archive.zip")).expect("our own file");
    let mut zip = zip::ZipWriter::new(archive);
    zip.start_file("b.usi", SimpleFileOptions::default()).expect("an entry");
    zip.write_all(GAME.as_bytes()).expect("an entry");
    zip.finish().expect("an archive");
    folder
}

/// Runs an example in a folder; gives what it said if it ended badly.
fn failure(example: &str, folder: &Path) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_kiban")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("sh")
        // The shell becomes the program, so that it can be ended.
        .args(["-c", &format!("exec {example}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("KIBAN_DATA", folder.join("data"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let begun = Instant::now();
    // The tables that the next example looks at are built first.
    let built = example.contains(" solve ") && example.contains(" 2");
    let watched = if built { WAITED } else { WATCHED };
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break Some(status);
        }
        if begun.elapsed() > watched {
            break None;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    if status.is_none() {
        child.kill().expect("it can be ended");
    }
    let said = child.wait_with_output().expect("it has ended").stderr;
    status.filter(|status| !status.success())?;
    Some(format!("{example}\n{}", String::from_utf8_lossy(&said)))
}

#[test]
fn every_example_can_be_run_as_it_is_written() {
    let folder = files();
    let mut texts: Vec<String> = commands().iter().map(|c| kiban(&[c, "--help"]).out).collect();
    texts.insert(0, kiban(&["--help"]).out);
    let all: Vec<String> = texts.iter().flat_map(|text| examples(text)).collect();
    assert!(all.len() > 30, "{all:?}");
    // A server waits for a network, and the operator's engine of one example is not here.
    let run = all.iter().filter(|example| !example.starts_with("kiban serve"));
    let failures: Vec<String> = run.filter_map(|example| failure(example, &folder)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn examples_have_no_words_to_be_replaced() {
    for command in commands() {
        for example in examples(&kiban(&[&command, "--help"]).out) {
            let bare = |word: &str| {
                word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()) || word.contains('{')
            };
            let bare = example.split([' ', ':', '"']).find(|word| bare(word));
            assert_eq!(bare, None, "{example}");
        }
    }
}

#[test]
fn help_says_what_exit_statuses_mean() {
    let all = kiban(&["--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(all.contains("Exit status: 0 answered, whatever the answer"), "{all}");
    assert!(all.contains("1 no answer") && all.contains("2 wrong usage"), "{all}");
    for command in ["judge", "convert", "suite", "probe", "match"] {
        let help = kiban(&[command, "--help"]).out;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = help.split("Exit status: 0 if ").nth(1).unwrap_or_else(|| panic!("{help}"));
        assert!(said.contains("1 if ") && said.contains("2 for wrong usage."), "{help}");
    }
}
