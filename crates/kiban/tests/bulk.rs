//! Archives of records: folders, patterns and zip archives, judged and converted.

mod common;

use common::{kiban, program};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use zip::write::SimpleFileOptions;

const OVER: &str = "e6f4e3f6g5d6e7f5c5\n";
const OPEN: &str = "f5d6c3d3c4\n";
const FOUL: &str = "f5d6a1\n";
const KIF: &str = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("our own folder");
    path
}

/// A folder with records of two games in it and in a folder of it, and what is none.
fn archive(name: &str) -> PathBuf {
    let path = folder(name);
    fs::create_dir_all(path.join("b/.git")).expect("our own folder");
    for (file, text) in [
        ("a.txt", format!("{OVER}\n{OPEN}")),
        ("b/2.kif", KIF.to_string()),
        ("b/1.txt", FOUL.to_string()),
        ("b/.git/x.txt", OVER.to_string()),
        ("c.txt", "no record at all\n".to_string()),
        ("d.jou", "names".to_string()),
    ] {
        fs::write(path.join(file), text).expect("our own file");
    }
    path
}

fn zipped(name: &str, entries: &[(&str, &[u8])]) -> String {
    let path = folder(name).join("archive.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).expect("our own file"));
    for (entry, bytes) in entries {
        zip.start_file(*entry, SimpleFileOptions::default()).expect("an entry");
        zip.write_all(bytes).expect("an entry");
    }
    zip.finish().expect("an archive");
    path.to_str().expect("a text").to_string()
}

/// The files of the rows without the folder, and their result, foul or error.
fn told(document: &serde_json::Value, folder: &str) -> Vec<String> {
    let rows = document["records"].as_array().expect("a list");
    let one = |row: &serde_json::Value| {
        let file = row["file"].as_str().expect("a name").trim_start_matches(folder);
        let texts = [&row["outcome"]["reason"], &row["foul"]["reason"], &row["error"]["code"]];
        let text = texts.iter().find_map(|t| t.as_str()).unwrap_or("none");
        format!("{} {} {text}", file.trim_start_matches('/'), row["index"])
    };
    rows.iter().map(one).collect()
}

const ALL: [&str; 5] = [
    "a.txt 1 more-discs",
    "a.txt 2 none",
    "b/1.txt 1 illegal-no-flip",
    "b/2.kif 1 resign",
    "c.txt 1 bad-record",
];

#[test]
fn a_folder_is_judged_in_order_and_a_bad_file_stops_nothing() {
    let path = archive("bulk-folder");
    let path = path.to_str().expect("a text");
    let ran = kiban(&["judge", path, "--json"]);
    assert_eq!(ran.status, 0);
    let document = ran.json();
    assert_eq!(told(&document, path), ALL);
    let summary = serde_json::json!({
        "records": 5, "judged": 4, "unreadable": 1, "disagree": 0,
        "by_reason": {"more-discs": 1, "illegal-no-flip": 1, "resign": 1},
        "by_result": {"first": 1, "second": 1, "none": 2},
        "by_foul": {"illegal-no-flip": 1},
        "by_error": {"bad-record": 1},
    });
    assert_eq!((&document["summary"], &document["interrupted"]), (&summary, &false.into()));
    assert_eq!(document["game"], serde_json::Value::Null);
    let lines = kiban(&["judge", path, "--jsonl"]).out;
    assert_eq!(lines.lines().count(), 6);
    let text = kiban(&["judge", path, "--summary"]).out;
    assert_eq!(text.lines().count(), 2 + 6, "the foul, the unreadable one and the counts: {text}");
    assert!(text.contains("\nResults: first 1, none 2, second 1.\n"), "{text}");
}

#[test]
fn patterns_and_zip_archives_are_looked_into() {
    let path = archive("bulk-pattern");
    let path = path.to_str().expect("a text");
    let files = |ran: common::Ran| told(&ran.json(), path);
    let pattern = format!("{path}/b/*.t?t");
    assert_eq!(files(kiban(&["judge", &pattern, "--json"])), [ALL[2]]);
    let none = kiban(&["judge", &format!("{path}/*.none")]);
    assert!(none.sentence(1).starts_with("No file fits "), "{}", none.err);
    let zip = zipped(
        "bulk-zip",
        &[
            ("b/2.kif", KIF.as_bytes()),
            ("a.txt", format!("{OVER}\n{OPEN}").as_bytes()),
            ("c.txt", b"no record at all"),
            ("b/1.txt", FOUL.as_bytes()),
            ("__MACOSX/a.txt", b"\0\0"),
        ],
    );
    assert_eq!(told(&kiban(&["judge", &zip, "--json"]).json(), &zip), ALL);
    // Several arguments keep their order.
    let both = kiban(&["judge", &zip, &pattern, "--json"]).json();
    assert_eq!(both["records"].as_array().expect("a list").len(), 6);
}

/// Programs of Windows write names in Shift_JIS and say nothing of it; one of its bytes may be a
/// backslash.
#[test]
fn names_in_an_archive_are_read_in_their_encoding() {
    let named = |raw: &[u8]| {
        let zip = zipped("bulk-names-coded", &[(&*"@".repeat(raw.len()), KIF.as_bytes())]);
        let mut bytes = fs::read(&zip).expect("our own file");
        let holder = b"@".repeat(raw.len());
        while let Some(at) = bytes.windows(raw.len()).position(|part| part == holder) {
            bytes[at..at + raw.len()].copy_from_slice(raw);
        }
        fs::write(&zip, bytes).expect("our own file");
        let ran = kiban(&["judge", &zip, "--json"]).json();
        let file = ran["records"][0]["file"].as_str().expect("a name").to_string();
        file.trim_start_matches(&*zip).trim_start_matches('/').to_string()
    };
    for name in ["棋譜/表.kif", "第１局.kif", "ソフト.kif", "名人戦ﾐｽ.kif"] {
        let (sjis, _, lost) = encoding_rs::SHIFT_JIS.encode(name);
        assert!(!lost);
        assert_eq!(named(&sjis), name);
        assert_eq!(named(name.as_bytes()), name);
    }
    assert_eq!(named("Müller.kif".as_bytes()), "Müller.kif");
    // The code page of old machines elsewhere.
    assert_eq!(named(b"M\x81ller.kif"), "Müller.kif");
    assert_eq!(named(b"\xff\xfe.kif"), "\u{a0}■.kif");
}

/// A pattern that goes down folders followed links in a circle, and counted what lay in a folder once
/// more for each folder above it; hidden files were records.
#[cfg(unix)]
#[test]
fn a_pattern_that_goes_down_finds_every_file_once() {
    let path = archive("bulk-down");
    std::os::unix::fs::symlink(&path, path.join("b/circle")).expect("a system with links");
    fs::write(path.join(".hidden.txt"), OVER).expect("our own file");
    let path = path.to_str().expect("a text");
    for pattern in ["**", "**/*"] {
        let ran = kiban(&["judge", &format!("{path}/{pattern}"), "--json"]);
        assert_eq!(told(&ran.json(), path), ALL, "{pattern}");
    }
    let texts = kiban(&["judge", &format!("{path}/**/*.txt"), "--json"]);
    assert_eq!(told(&texts.json(), path), [ALL[0], ALL[1], ALL[2], ALL[4]]);
    let here = kiban(&["judge", &format!("{path}/*"), "--json"]);
    assert_eq!(told(&here.json(), path), ALL);
}

/// An archive in an archive was taken for a damaged text.
#[test]
fn an_archive_in_an_archive_is_told_for_what_it_is() {
    let inner = fs::read(zipped("bulk-inner", &[("a.txt", OVER.as_bytes())])).expect("our own");
    let outer = zipped("bulk-outer", &[("a.txt", OVER.as_bytes()), ("inner.zip", &inner)]);
    let ran = kiban(&["judge", &outer]);
    let name = format!("{outer}/inner.zip");
    let said = format!("\n{name} is an archive in an archive; unpack the outer one.\n");
    assert!(ran.out.contains(&said), "{}", ran.out);
}

#[test]
fn zip_archives_that_are_traps_are_refused() {
    let huge = vec![0; 300 * 1024 * 1024];
    let part = vec![0; 65 * 1024 * 1024];
    for (name, entries, said) in [
        ("up", vec![("a.txt", OVER.as_bytes()), ("../evil.txt", b"x".as_slice())], "leads out"),
        ("root", vec![("/etc/evil.txt", b"x".as_slice())], "leads out"),
        ("drive", vec![("C:\\evil.txt", b"x".as_slice())], "leads out"),
        ("back", vec![("..\\evil.txt", b"x".as_slice())], "leads out"),
        ("bomb", vec![("bomb.txt", huge.as_slice())], "unpack to more than 256 MiB"),
        ("large", vec![("large.txt", part.as_slice())], "unpack to more than 64 MiB"),
    ] {
        let zip = zipped(&format!("bulk-trap-{name}"), &entries);
        let ran = kiban(&["judge", &zip]);
        assert!(ran.sentence(1).contains(said), "{name}: {}", ran.err);
    }
    // The writer of archives takes no name twice, so one is made of two of one length.
    let twice = zipped("bulk-trap-twice", &[("a.txt", OVER.as_bytes()), ("b.txt", b"x")]);
    let mut bytes = fs::read(&twice).expect("our own file");
    while let Some(at) = bytes.windows(5).position(|part| part == b"b.txt") {
        bytes[at] = b'a';
    }
    fs::write(&twice, bytes).expect("our own file");
    let ran = kiban(&["judge", &twice]);
    assert!(ran.sentence(1).contains("entries of the same name"), "{}", ran.err);
    let broken = folder("bulk-broken").join("broken.zip");
    fs::write(&broken, b"PK\x03\x04 and no more").expect("our own file");
    let ran = kiban(&["judge", broken.to_str().expect("a text")]);
    assert!(ran.sentence(1).contains("is no zip archive that can be read"), "{}", ran.err);
}

/// A pipe that nobody writes to was waited for whatever signal came.
#[test]
fn a_pipe_without_a_writer_is_left_when_it_is_stopped() {
    let pipe = folder("bulk-pipe").join("pipe.csa");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("a system with pipes");
    assert!(made.success());
    let mut judge = program();
    let judge = judge.arg("judge").arg(&pipe).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(500));
    let id = judge.id().to_string();
    assert!(Command::new("kill").arg(id).status().expect("a system with signals").success());
    let out = judge.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("nobody wrote to it"), "{said}");
}

#[test]
fn names_beside_a_base_are_found_in_folders_and_archives() {
    let path = folder("bulk-names");
    let record = path.join("game.sgf");
    fs::write(
        &record,
        "(;GM[2]PB[Ann]PW[Ben]EV[Cup]DT[2024];B[ef];W[fd];B[ec];W[ff];B[ge];W[df];\
        B[eg];W[fe];B[ce])",
    )
    .expect("our own file");
    let base = path.join("base.wtb");
    let (record, text) = (record.to_str().expect("a text"), base.to_str().expect("a text"));
    let ran = kiban(&["convert", record, "--to", "wthor", "-o", text]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let back = kiban(&["convert", text, "--to", "ggf"]).out;
    assert!(back.contains("PB[Ann]PW[Ben]") && back.contains("EV[Cup]"), "{back}");
    // Without a file there is no place for names.
    let alone = kiban(&["convert", record, "--to", "wthor"]);
    assert!(alone.sentence(1).contains("cannot hold headers"), "{}", alone.err);
    let read = |name: &str| fs::read(path.join(name)).expect("it was written");
    let (wtb, jou, trn) = (read("base.wtb"), read("base.jou"), read("base.trn"));
    let zip = zipped("bulk-names-zip", &[("x/b.wtb", &wtb), ("x/N.JOU", &jou), ("x/N.TRN", &trn)]);
    let to = folder("bulk-names-out");
    let to = to.to_str().expect("a text");
    assert_eq!(kiban(&["convert", &zip, "--to", "ggf", "-o", to]).status, 0);
    assert_eq!(fs::read_to_string(format!("{to}/x/b.ggf")).expect("written"), back);
}

#[test]
fn a_folder_is_converted_file_by_file() {
    let path = archive("bulk-convert");
    fs::write(path.join("b/1.sgf"), "(;GM[2];B[fe];W[fd])").expect("our own file");
    let from = path.to_str().expect("a text");
    let to = folder("bulk-converted");
    let to = to.to_str().expect("a text");
    let ran = kiban(&["convert", from, "--game", "othello", "--to", "ggf", "-o", to]);
    // That not all is there must not go unseen by a script.
    assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{}", ran.err);
    let said = format!("3 files written to {to} as ggf, 2 could not be converted; see above.");
    assert_eq!(ran.err.lines().last(), Some(said.as_str()));
    assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
    let read = |name: &str| fs::read_to_string(format!("{to}/{name}")).unwrap_or_default();
    assert_eq!(read("a.ggf").lines().count(), 2);
    // Two files of one name both find a place.
    assert!(read("b/1.ggf").contains("W[f4]") && read("b/1.txt.ggf").contains("B[a1]"));
    let again = kiban(&["judge", to, "--summary"]).out;
    assert!(again.contains("4 records: 0 unreadable"), "{again}");
}

#[test]
fn what_is_converted_is_never_written_over() {
    let path = archive("bulk-over");
    let from = path.to_str().expect("a text");
    let inside = format!("{from}/new");
    for to in [from, &inside] {
        let ran = kiban(&["convert", from, "--to", "transcript", "-o", to]);
        assert!(ran.sentence(1).contains("is being converted"), "{}", ran.err);
    }
    assert!(!path.join("new").exists());
    let (a, b) = (format!("{from}/a.txt"), format!("{from}/b/1.txt"));
    let ran = kiban(&["convert", &a, &b, "--to", "transcript", "-o", from]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("a.txt would be written over"), "{}", ran.err);
    assert_eq!(fs::read_to_string(path.join("1.txt")).expect("written"), FOUL);
    assert_eq!(fs::read_to_string(&a).expect("as it was"), format!("{OVER}\n{OPEN}"));
    let nowhere = kiban(&["convert", &a, &b, "--to", "transcript"]);
    assert!(nowhere.sentence(2).contains("-o FOLDER"), "{}", nowhere.err);
}

#[test]
fn what_a_format_drops_without_a_word_is_told_too() {
    let named = "(;GM[Othello]PB[Ann]PW[Ben]TY[8]B[f5/1.5/3]C[good]W[d6];)";
    let path = folder("bulk-dropped").join("game.ggf");
    fs::write(&path, named).expect("our own file");
    let path = path.to_str().expect("a text");
    let ran = kiban(&["convert", path, "--to", "transcript"]);
    let parts = "cannot hold times (line 1), comments (line 1), headers (\"first\").";
    assert!(ran.sentence(1).contains(parts), "{}", ran.err);
    let lossy = kiban(&["convert", path, "--to", "transcript", "--lossy"]);
    assert_eq!((lossy.status, lossy.out.as_str()), (0, "f5d6\n"));
    assert_eq!(kiban(&["convert", path, "--to", "sgf", "--lossy"]).err.lines().count(), 1);
}

#[test]
fn strict_lists_what_is_forgiven() {
    let path = folder("bulk-strict").join("game.txt");
    fs::write(&path, "1. f5 d6\n").expect("our own file");
    let path = path.to_str().expect("a text");
    assert_eq!(kiban(&["judge", path]).status, 0);
    let ran = kiban(&["judge", path, "--strict"]);
    let sentence = ran.sentence(1);
    assert!(sentence.contains("Forgiven without --strict: The numbers of moves"), "{sentence}");
    assert!(sentence.ends_with(" (line 1, column 1)"), "{sentence}");
}

#[test]
fn a_large_file_is_judged_in_batches_and_keeps_its_numbers() {
    let path = folder("bulk-large").join("games.txt");
    let text = format!("{}{FOUL}\n{}", OVER.repeat(40_000), "e6f4z9\n");
    fs::write(&path, text).expect("our own file");
    let path = path.to_str().expect("a text");
    let ran = kiban(&["judge", path, "--jsonl"]);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines.len(), 40_003);
    let index = |n: usize| lines[n]["index"].as_u64().expect("a number");
    assert!((0..40_002).all(|n| index(n) == n as u64 + 1));
    assert_eq!(lines[40_000]["foul"]["reason"], "illegal-no-flip");
    assert_eq!(lines[40_001]["error"]["column"], 5);
    assert_eq!(lines[40_002]["summary"]["by_error"], serde_json::json!({"bad-record": 1}));
}

#[cfg(unix)]
#[test]
fn very_many_errors_are_told_as_they_come() {
    let bad = |lines: usize| common::file("bad.usi", "a\n".repeat(lines).as_bytes());
    let judge =
        |path: &str| kiban(&["judge", path, "--game", "shogi", "--format", "usi", "--jsonl"]);
    let ran = judge(&bad(3));
    assert_eq!((ran.status, ran.out.as_str()), (1, ""), "nothing was readable");
    let ran = judge(&bad(30_000));
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 30_001, "every error, and the summary");
    assert!(ran.out.ends_with("}\n") && ran.err.contains("(line 1, column 1)"), "{}", ran.err);
}

#[test]
fn an_interrupt_ends_with_what_was_done() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let path = folder("bulk-interrupt").join("games.txt");
    // More than a reader of one line lets the program tell.
    fs::write(&path, OVER.repeat(400_000)).expect("our own file");
    let mut child = program()
        .args(["judge", "--jsonl"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("a signal");
    assert!(killed.success());
    // The pipe is full until here, so the signal comes before the end.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let done = child.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(1));
    let end: serde_json::Value =
        serde_json::from_str(rest.lines().last().expect("a summary")).expect("JSON");
    assert_eq!(end["interrupted"], true);
    let records = end["summary"]["records"].as_u64().expect("a number");
    assert!(records > 0 && records < 400_000, "{records}");
    assert_eq!(records as usize, rest.lines().count(), "the first line is not in the rest");
    assert!(String::from_utf8_lossy(&done.stderr).contains("Interrupted"));
}
