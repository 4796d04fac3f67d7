//! The log of a match and the records beside it.

mod common;

use common::{file, kiban, usi};
use std::fs;
use std::path::{Path, PathBuf};

/// A log and a folder of records that are not there yet.
fn fresh(name: &str) -> (String, PathBuf) {
    let log = file(&format!("match-logs-{name}.jsonl"), b"");
    fs::remove_file(&log).expect("just made");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("match-logs-{name}"));
    let _ = fs::remove_dir_all(&folder);
    (log, folder)
}

/// The names of what is in a folder, in their order.
fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().map(|f| f.expect("an entry"));
    let mut all: Vec<_> = files.map(|f| f.file_name().to_string_lossy().into_owned()).collect();
    all.sort();
    all
}

/// The records of a folder: their names and bytes.
fn records(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).expect("readable"));
    names(folder).into_iter().map(read).collect()
}

#[test]
fn a_game_that_stands_twice_in_a_log_is_counted_once() {
    let (log, _) = fresh("twice");
    let run = |games: &str| {
        let usual = ["match", "level:1", "random", "--game", "othello", "--seed", "7", "--json"];
        kiban(&[&usual[..], &["--games", games, "--resume", &log]].concat())
    };
    let begun = run("4").json();
    let text = fs::read_to_string(&log).expect("it is there");
    let rows: Vec<&str> = text.lines().skip(1).collect();
    fs::write(&log, format!("{text}{}\n{}\n", rows[1], rows[3])).expect("written");
    let ran = run("4");
    assert_eq!(ran.json(), begun);
    let said = format!("2 lines of {log} repeat games; each game is counted once.");
    assert_eq!(ran.err.trim_end(), said);
    // The numbers of a line must be those of a game.
    for wrong in ["\"n\":0,", "\"n\":9,"] {
        let broken = text.replacen("\"n\":1,", wrong, 1);
        fs::write(&log, broken).expect("written");
        let ran = run("4");
        assert_eq!(ran.status, 1, "{wrong}");
        assert!(ran.err.contains("is no log of a match"), "{}", ran.err);
    }
}

#[test]
fn a_log_with_more_games_than_are_wanted_counts_the_first() {
    let (log, _) = fresh("longer");
    let run = |games: &str| {
        let usual = ["match", "level:1", "random", "--game", "othello", "--seed", "7"];
        kiban(&[&usual[..], &["--json", "--games", games, "--resume", &log]].concat())
    };
    run("6").json();
    let ran = run("2");
    let found = ran.json();
    assert_eq!(found["total"]["games"], 2);
    let numbers = |i: usize| found["games"][i]["n"].as_u64();
    assert_eq!((numbers(0), numbers(1), numbers(2)), (Some(1), Some(2), None));
    assert_eq!(ran.err, "The log holds 4 games beyond --games 2; not counted.\n");
    // They are kept for a longer match.
    let ran = run("6");
    assert_eq!((ran.json()["total"]["games"].as_u64(), ran.err.as_str()), (Some(6), ""));
}

#[test]
fn nothing_that_a_log_says_reaches_the_terminal_unseen() {
    let (log, folder) = fresh("escapes");
    let folder = folder.display().to_string();
    let usual = ["match", "level:1", "random", "--game", "othello", "--seed", "7", "--games", "2"];
    let usual = [&usual[..], &["--resume", &log]].concat();
    kiban(&usual);
    let text = fs::read_to_string(&log).expect("it is there");
    let (head, row) = text.split_once('\n').expect("two lines");
    let reason = row.split_once("\"reason\":\"").expect("a reason").1;
    let reason = &reason[..reason.find('"').expect("its end")];
    let foul = row.replace(&format!("\"reason\":\"{reason}"), "\"reason\":\"a\\u001b[31m\\u202eb");
    fs::write(&log, format!("{head}\n{foul}")).expect("written");
    let ran = kiban(&[&usual[..], &["--records", &folder]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("Ended by: a\u{fffd}[31m\u{fffd}b 2."), "{}", ran.out);
    let unseen = |c: char| c == '\u{1b}' || c == '\u{202e}';
    assert!(!ran.out.contains(unseen) && !ran.err.contains(unseen), "{}{}", ran.out, ran.err);
}

#[test]
fn records_that_are_missing_are_made_of_the_log() {
    for game in kiban_games::GAMES {
        for variant in game.variants {
            let name = format!("{}-{}", game.id, variant.id);
            let (log, folder) = fresh(&name);
            let folder_text = folder.display().to_string();
            let spec = format!("--variant={}", variant.id);
            let run = |games: &str| {
                let players = ["match", "random", "level:1", "--game", game.id, &spec];
                let usual = ["--seed", "5", "--max-plies", "60", "--json"];
                let kept = ["--games", games, "--resume", &log, "--records", &folder_text];
                let ran = kiban(&[&players[..], &usual, &kept].concat());
                assert_eq!(ran.status, 0, "{name}: {}", ran.err);
                ran
            };
            run("2");
            let whole = records(&folder);
            assert_eq!(whole.len(), 2, "{name}");
            fs::remove_file(folder.join(&whole[0].0)).expect("it was there");
            run("2");
            assert_eq!(records(&folder), whole, "{name}");
            // Those that are there are left as they are.
            fs::remove_dir_all(&folder).expect("it was there");
            let ran = run("2");
            assert_eq!(records(&folder), whole, "{name}: {}", ran.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn records_made_of_the_log_have_the_end_their_games_had() {
    let cases = [
        ("resign", "echo bestmove resign"),
        ("win", "echo bestmove win"),
        ("left", "exit 3"),
        ("late", "sleep 0.6; echo bestmove 9g9f"),
        ("foul", "echo bestmove 9i9a"),
        ("nonsense", "echo bestmove hello"),
    ];
    for (name, answer) in cases {
        let (log, folder) = fresh(name);
        let folder_text = folder.display().to_string();
        let spec = usi(&format!("logs-{name}"), answer);
        let run = || {
            let usual = ["match", "random", &spec, "--game", "shogi", "--seed", "2", "--json"];
            let more = ["--time", "0.2", "--margin", "0.2"];
            let kept = ["--resume", &log, "--records", &folder_text];
            let ran = kiban(&[&usual[..], &more, &kept].concat());
            assert_eq!(ran.status, 0, "{name}: {}", ran.err);
            assert!(!ran.err.contains("cannot be made"), "{name}: {}", ran.err);
        };
        run();
        let whole = records(&folder);
        assert_eq!(whole.len(), 2, "{name}");
        for (_, record) in &whole {
            let text = String::from_utf8_lossy(record).into_owned();
            assert!(text.contains(&format!("Fake logs-{name}")), "who played is kept: {text}");
        }
        fs::remove_dir_all(&folder).expect("it was there");
        run();
        assert_eq!(records(&folder), whole, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_foul_that_a_format_cannot_hold_costs_no_other_move() {
    let (_, folder) = fresh("fouls");
    let folder_text = folder.display().to_string();
    // As Gote this is a move of the rival's piece, for which KIF has no word.
    let spec = usi("logs-fouls", "echo bestmove 9i9a");
    let usual = ["match", "random", &spec, "--game", "shogi", "--seed", "2"];
    let ran = kiban(&[&usual[..], &["--records", &folder_text]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("cannot hold: the move that was a foul"), "{}", ran.err);
    let texts: Vec<_> =
        records(&folder).iter().map(|(_, text)| String::from_utf8_lossy(text).into()).collect();
    let held: Vec<&String> =
        texts.iter().filter(|text: &&String| text.contains("９一香")).collect();
    assert_eq!((texts.len(), held.len()), (2, 1), "{texts:?}");
    let other = texts.iter().find(|text| !text.contains("９一香")).expect("the other");
    assert!(other.contains(" 反則負け\nまで"), "{other}");
    let lines = other.lines().filter(|line| line.trim_start().starts_with(char::is_numeric));
    assert!(lines.count() > 1, "the moves before it: {other}");
}

#[test]
fn a_record_that_came_meanwhile_is_not_written_over() {
    let (_, folder) = fresh("meanwhile");
    let folder_text = folder.display().to_string();
    let players = ["match", "random", "random", "--game", "othello", "--games", "500"];
    let child = common::program()
        .args([&players[..], &["--records", &folder_text]].concat())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begun = std::time::Instant::now();
    let named = loop {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "it plays");
        // A file has another name until it is whole.
        let whole = |name: &String| name.starts_with("000001.") && !name.ends_with("part");
        if let Some(name) = names(&folder).into_iter().find(whole) {
            break name;
        }
    };
    let foreign = folder.join(named.replace("000001", "000500"));
    fs::write(&foreign, b"foreign").expect("written");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("is of another match; name another folder"), "{said}");
    assert_eq!(fs::read(&foreign).expect("it is there"), b"foreign");
}
