//! Ctrl-C in what works through files: it ends within moments, whatever is in hand, and tells what
//! was done.
#![cfg(unix)]

mod common;

use common::started;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("our own folder");
    path
}

/// Runs, sends an interrupt after this time, and says how long the end took from there.
fn interrupted(arguments: &[&str], after: Duration) -> (Output, Duration) {
    let mut child = started(arguments);
    let mut pipe = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || {
        let mut out = Vec::new();
        pipe.read_to_end(&mut out).expect("bytes");
        out
    });
    std::thread::sleep(after);
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().expect("a system with signals");
    assert!(sent.success());
    let begun = Instant::now();
    // The open standard input keeps whoever reads it waiting.
    let stdin = child.stdin.take();
    let mut out = child.wait_with_output().expect("it ends");
    let took = begun.elapsed();
    drop(stdin);
    out.stdout = reader.join().expect("it was read");
    (out, took)
}

/// As long as a loaded machine may take beyond half a second.
const SOON: Duration = Duration::from_secs(3);

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).trim_end().to_string()
}

/// What was in hand was waited for, however long it took; standard input that stays open takes for
/// ever.
#[test]
fn an_interrupt_does_not_wait_for_what_is_in_hand() {
    let file = folder("interrupt-long").join("a.txt");
    fs::write(&file, "e6f4e3f6g5d6e7f5c5\n").expect("our own file");
    let file = file.to_str().expect("a text");
    let (out, took) = interrupted(&["judge", file, "-", "--jsonl"], Duration::from_millis(400));
    assert!(took < SOON, "{took:?}");
    assert_eq!(out.status.code(), Some(1), "{}", said(&out));
    // What was judged is told, and how far it goes.
    let told = String::from_utf8(out.stdout.clone()).expect("text");
    let lines: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert_eq!(lines[0]["outcome"]["reason"], "more-discs");
    assert_eq!(
        (&lines[1]["interrupted"], &lines[1]["summary"]["records"]),
        (&true.into(), &1.into())
    );
    let said = said(&out);
    assert!(said.starts_with("Interrupted; what is told covers the first record.\n{"), "{said}");
}

#[test]
fn an_interrupt_before_anything_was_judged_leaves_the_output_empty() {
    for command in [&["judge", "-"][..], &["convert", "-", "--to", "kif"]] {
        let (out, took) = interrupted(command, Duration::from_millis(300));
        assert!(took < SOON, "{command:?} {took:?}");
        assert_eq!(out.status.code(), Some(1), "{command:?}: {}", said(&out));
        assert_eq!(out.stdout, b"", "{command:?}");
        assert!(said(&out).starts_with("Interrupted before "), "{command:?}: {}", said(&out));
        assert_eq!(said(&out).lines().count(), 1, "{}", said(&out));
    }
}

#[test]
fn an_interrupted_conversion_leaves_whole_files_alone_behind() {
    let from = folder("interrupt-convert");
    for n in 0..1500 {
        let name = from.join(format!("{n:04}.txt"));
        fs::write(name, "e6f4e3f6g5d6e7f5c5\n".repeat(20)).expect("our own file");
    }
    let to = folder("interrupt-converted");
    let (from, to) = (from.to_str().expect("a text"), to.to_str().expect("a text"));
    let arguments = ["convert", from, "--game", "othello", "--to", "ggf", "-o", to];
    let (out, took) = interrupted(&arguments, Duration::from_millis(200));
    assert!(took < SOON, "{took:?}");
    assert_eq!(out.status.code(), Some(1), "{}", said(&out));
    assert!(said(&out).starts_with("Interrupted; "), "{}", said(&out));
    let mut files = 0;
    for entry in fs::read_dir(to).expect("our own folder") {
        let path = entry.expect("an entry").path();
        assert!(path.extension().is_some_and(|e| e == "ggf"), "{}", path.display());
        let text = fs::read_to_string(&path).expect("a text");
        assert_eq!(text.lines().count(), 20, "{}", path.display());
        files += 1;
    }
    assert!(files < 1500, "it was interrupted");
}
