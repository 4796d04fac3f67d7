//! Bad input: each test is named after the fault. Standard output stays empty, one sentence says
//! what, where and how to mend it, and the exit status is 1 (no answer) or 2 (wrong usage).

mod common;

use common::{fed, file, kiban, program};
use std::io::Read;
use std::process::Stdio;

#[test]
fn unknown_game() {
    let ran = kiban(&["show", "chess"]);
    assert!(ran.sentence(1).starts_with("There is no game \"chess\"; choose one of shogi"));
    let error = kiban(&["perft", "chess", "--depth", "1", "--json"]).error();
    assert_eq!(error["code"], "unknown-game");
    assert_eq!(error["where"]["field"], "game");
}

#[test]
fn unknown_variant() {
    let ran = kiban(&["moves", "othello", "--variant", "hexagonal"]);
    assert!(ran.sentence(1).contains("choose one of othello, anti, reversi, xot"));
}

#[test]
fn unknown_rule_option() {
    let error = kiban(&["moves", "othello", "--variant", "othello,colour=red", "--json"]).error();
    assert_eq!(error["code"], "unknown-option");
    assert_eq!(error["where"]["column"], 9);
    // An early fault in a long one is its own, too, not that of a binary format.
    let ran = fed(&["judge", "-", "--game", "othello", "--json"], b"f5d6x3d3c4f4f6f3e6e7d7c5");
    assert_eq!(ran.error()["where"]["column"], 5);
}

#[test]
fn unknown_value_of_a_rule_option() {
    let ran = kiban(&["moves", "shogi", "--variant", "sennichite=maybe"]);
    assert!(ran.sentence(1).contains("choose one of replay, draw"));
}

#[test]
fn unknown_viewer() {
    let ran = kiban(&["show", "shogi", "--viewer", "third"]);
    assert!(ran.sentence(1).contains("choose one of first, second, watcher, referee"));
}

#[test]
fn position_with_a_wrong_character() {
    let wrong = "lnsgkgsnl/1r5b1/pppppp?pp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let ran = kiban(&["moves", "shogi", "--position", wrong]);
    assert_eq!(ran.status, 1);
    let error = kiban(&["moves", "shogi", "--position", wrong, "--json"]).error();
    assert_eq!(error["where"]["field"], "board");
    assert_eq!(error["where"]["column"], 23);
    assert_eq!(error["found"], "?");
}

#[test]
fn position_of_the_wrong_size() {
    let error = kiban(&["show", "othello", "--position", "----X", "--json"]).error();
    assert_eq!(error["where"]["field"], "board");
}

#[test]
fn position_the_rules_do_not_admit() {
    // Two pawns of one side on a file.
    let nifu = "4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1";
    let error = kiban(&["moves", "shogi", "--position", nifu, "--json"]).error();
    assert_eq!(error["code"], "position-not-admitted");
}

#[test]
fn illegal_move_in_moves() {
    let ran = kiban(&["show", "shogi", "--moves", "7g7f 3c3d 9g9c"]);
    assert!(ran.sentence(1).starts_with("Ply 3, 9g9c, is not allowed: "));
    let error = kiban(&["show", "shogi", "--moves", "7g7f 3c3d 9g9c", "--json"]).error();
    assert_eq!(error["code"], "illegal-piece-move");
    assert_eq!(error["where"]["column"], 11);
}

#[test]
fn a_pass_said_twice() {
    // White has to pass, which the board does by itself; the pass may be said once.
    let board = format!("XO------{}XO------{} X", "-".repeat(8), "-".repeat(40));
    let pass = |moves| {
        let ran = kiban(&["moves", "othello", "--position", &board, "--moves", moves]);
        (ran.status, ran.err)
    };
    let once = pass("c1 pass");
    assert_eq!(once, (0, String::new()));
    let (status, told) = pass("c1 pass pass");
    assert_eq!(status, 1);
    assert!(told.starts_with("Ply 3, pass, is not allowed"), "{told}");
}

#[test]
fn unreadable_move_in_moves() {
    let ran = kiban(&["show", "othello", "--moves", "f5 z9"]);
    assert!(ran.sentence(1).starts_with("Ply 2, z9: "));
}

#[test]
fn missing_file() {
    let ran = kiban(&["judge", "no-such-file.txt"]);
    assert_eq!(ran.sentence(1), "There is no file no-such-file.txt; check its name.");
}

#[test]
fn folder_as_file() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let error = kiban(&["show", "othello", "--record", folder, "--json"]).error();
    assert_eq!(error["code"], "is-folder");
    // Judging looks into it.
    let empty = format!("{folder}/empty-folder");
    std::fs::create_dir_all(&empty).expect("our own folder");
    assert_eq!(kiban(&["judge", &empty, "--json"]).error()["code"], "empty-input");
    let ran = kiban(&["convert", &empty, "--to", "sgf", "-o", &format!("{folder}/empty-too")]);
    assert!(ran.sentence(1).contains("no file"));
}

#[cfg(unix)]
#[test]
fn file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let name = file("secret.txt", b"f5d6");
    std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o0)).expect("our own file");
    let ran = kiban(&["judge", &name]);
    // The superuser reads it all the same.
    if ran.status == 1 {
        assert!(ran.sentence(1).ends_with("may not be read; check its permissions."));
    }
    std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o600)).expect("our own file");
}

#[test]
fn file_of_100_megabytes() {
    let name = file("large.txt", b"f5d6");
    let large = std::fs::OpenOptions::new().write(true).open(&name).expect("our own file");
    large.set_len(100 * 1024 * 1024).expect("a sparse file");
    let started = std::time::Instant::now();
    let error = kiban(&["judge", &name, "--json"]).error();
    assert_eq!(error["code"], "too-large");
    // It is refused before it is read, which takes no time at all.
    assert!(started.elapsed().as_secs() < 5);
    std::fs::remove_file(&name).expect("our own file");
}

#[test]
fn endless_standard_input() {
    let mut child = program()
        .args(["judge", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut endless = std::io::repeat(b'a');
    // Ends with an error once the program has read its fill and is gone.
    let written = std::io::copy(&mut endless, child.stdin.as_mut().expect("piped"));
    assert!(written.is_err());
    let done = child.wait_with_output().expect("the program ends");
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stderr).contains("too-large"));
}

#[test]
fn empty_standard_input() {
    let ran = fed(&["judge", "-"], b"");
    assert_eq!(ran.sentence(1), "Standard input is empty; give a game record.");
    assert!(fed(&["suite", "-", "--game", "othello"], b" \n").sentence(1).contains("is empty"));
}

#[test]
fn binary_record() {
    let name = file("binary.txt", b"f5d6\n\0\x01\x02\xff\xfe");
    let error = kiban(&["judge", &name, "--json"]).error();
    assert_eq!((&error["where"]["line"], &error["where"]["column"]), (&2.into(), &1.into()));
}

#[test]
fn every_byte_as_a_record_never_panics() {
    let all: Vec<u8> = (0..=255u8).cycle().take(4096).collect();
    for start in [0, 1, 32, 65, 128, 200] {
        let ran = fed(&["judge", "-"], &all[start..]);
        assert!(!ran.sentence(1).contains("fault of its own"));
    }
}

/// Whether a text could command a terminal or break its line.
fn commands(text: &str) -> bool {
    text.contains(|c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}'))
}

#[test]
fn control_characters_in_a_name_or_text() {
    for odd in ["a\u{1b}[31mred", "a\rb", "a\nb", "\u{9b}2J", "\u{202e}txt"] {
        for arguments in [
            vec!["show", odd],
            vec!["judge", odd],
            vec!["show", "shogi", "--moves", odd],
            vec!["show", "othello", "--position", odd],
            vec!["show", "othello", "--variant", odd],
            vec![odd],
        ] {
            let ran = kiban(&arguments);
            assert!(!commands(ran.err.trim_end_matches('\n')), "{arguments:?}: {}", ran.err);
        }
    }
}

#[test]
fn control_characters_in_a_record() {
    let ran = fed(&["judge", "-"], "手合割：平手\n▲\u{1b}[2J\n".as_bytes());
    assert!(!commands(ran.sentence(1)));
    // What a record claims is told, too.
    let claim = "手合割：平手\n   1 ７六歩(77)\nまで1手で\u{1b}[2J先手の反則勝ち\n".as_bytes();
    let ran = fed(&["judge", "-"], claim);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(!commands(ran.out.trim_end_matches('\n')), "{}", ran.out);
}

#[test]
fn lines_that_end_in_a_carriage_return() {
    let kif = "先手：甲\r手合割：平手\r   1 ７六歩(77)\r   2 ３四歩(33)\r".as_bytes();
    assert_eq!(fed(&["judge", "-"], kif).out, "No result after 2 plies.\n");
    let two = fed(&["judge", "-", "--json"], b"f5d6c3\rf5f6e6\r").json();
    assert_eq!(two["summary"]["records"], 2);
    let start = "---------------------------OX------XO--------------------------- X;";
    let obf = format!("% two boards\r{start}\r{start}\r");
    assert_eq!(fed(&["judge", "-", "--json"], obf.as_bytes()).json()["summary"]["records"], 2);
    let counts = format!("{start}D1 4\r{start}D2 12\r").replace(" X;", " X ;");
    let suite = fed(&["suite", "-", "--game", "othello", "--json"], counts.as_bytes()).json();
    assert_eq!(suite["total"]["rows"], 2);
}

#[test]
fn problems_behind_a_byte_order_mark() {
    let board = "---------------------------OX------XO--------------------------- X;\n";
    let ran = fed(&["judge", "-", "--json"], format!("\u{feff}{board}").as_bytes());
    assert_eq!(ran.json()["records"][0]["format"], "obf");
}

#[test]
fn truncated_record() {
    // The last move lost a character.
    let ran = fed(&["judge", "-", "--game", "othello", "--json"], b"f5d6c3d3c");
    let error = ran.error();
    assert_eq!(error["where"]["line"], 1);
    assert_eq!(error["where"]["column"], 9);
}

#[test]
fn record_in_a_wrong_encoding() {
    // UTF-16, as some editors save text.
    let utf16: Vec<u8> = "f5d6c3".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = fed(&["judge", "-", "--json"], &[&[0xff, 0xfe], &utf16[..]].concat()).error();
    assert_eq!((&error["where"]["line"], &error["where"]["column"]), (&1.into(), &1.into()));
}

#[test]
fn suite_in_a_wrong_encoding() {
    let name = file("latin.perft", b"# counts\n\xe9 ;D1 4\n");
    let error = kiban(&["suite", &name, "--game", "othello", "--json"]).error();
    assert_eq!(error["code"], "wrong-encoding");
    assert_eq!((&error["where"]["line"], &error["where"]["column"]), (&2.into(), &1.into()));
}

#[test]
fn suite_with_a_count_that_is_none() {
    let ran = fed(&["suite", "-", "--game", "othello"], b" ;D1 4 ;D2 twelve\n");
    assert!(ran.sentence(1).contains("line 1"));
}

#[test]
fn target_format_that_does_not_exist() {
    let ran = fed(&["convert", "-", "--game", "othello", "--to", "docx"], b"f5d6");
    assert!(ran.sentence(1).contains("choose one of"));
}

#[test]
fn target_format_that_cannot_hold_the_record() {
    let ran = fed(&["convert", "-", "--game", "othello", "--to", "obf"], b"f5d6");
    assert!(!ran.sentence(1).is_empty());
}

#[test]
fn ply_beyond_the_end() {
    let name = file("short.txt", b"f5d6c3");
    let ran = kiban(&["show", "othello", "--record", &name, "--ply", "4"]);
    assert_eq!(ran.sentence(1), "The record has 3 plies; --ply 4 is beyond its end.");
}

#[test]
fn record_number_that_does_not_exist() {
    let name = file("single.txt", b"f5d6c3");
    let ran = kiban(&["show", "othello", "--record", &name, "--index", "2"]);
    assert!(ran.sentence(1).contains("holds 1 record"));
}

#[test]
fn diagram_of_an_unknown_kind() {
    let ran = kiban(&["render", "othello", "-o", "board.gif"]);
    assert!(ran.sentence(1).contains("end it in .svg or .png"));
}

#[test]
fn diagram_into_a_folder_that_does_not_exist() {
    let ran = kiban(&["render", "othello", "-o", "no/such/folder/board.svg"]);
    assert!(ran.sentence(1).contains("cannot be written"));
}

#[test]
fn unknown_option() {
    let ran = kiban(&["moves", "othello", "--postion", "x"]);
    assert!(ran.sentence(2).contains("did you mean --position?"));
    let ran = kiban(&["moves", "othello", "--postion", "x", "--json"]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.error()["code"], "unknown-argument");
}

#[test]
fn unknown_command() {
    let ran = kiban(&["frobnicate"]);
    assert!(ran.sentence(2).starts_with("There is no command \"frobnicate\""));
}

#[test]
fn missing_command() {
    assert!(kiban(&[]).sentence(2).contains("kiban --help"));
}

#[test]
fn missing_argument() {
    assert!(kiban(&["perft", "othello"]).sentence(2).starts_with("--depth <N> is missing."));
}

#[test]
fn value_that_is_no_number() {
    let ran = kiban(&["perft", "othello", "--depth", "deep"]);
    assert!(ran.sentence(2).starts_with("\"deep\" is not a value of --depth <N>: give a whole"));
    assert!(kiban(&["analyze", "othello", "--time=-1"]).sentence(2).contains("--time"));
    assert!(kiban(&["play", "othello", "--level", "11"]).sentence(2).contains("--level"));
}

#[test]
fn number_outside_its_range() {
    let advice = |arguments: &[&str]| {
        let ran = kiban(arguments);
        ran.sentence(2).split(": ").nth(1).expect("an advice").to_string()
    };
    let lines = ["analyze", "othello", "--lines", "0"];
    assert!(advice(&lines).starts_with("give a whole number from 1 to 255."));
    let nodes = ["analyze", "othello", "--nodes", "0"];
    assert!(advice(&nodes).starts_with("give 1 or more."));
    let seed = ["show", "othello", "--seed", "18446744073709551616"];
    assert!(advice(&seed).starts_with("give a smaller whole number."));
    assert!(advice(&["perft", "othello", "--depth", ""]).starts_with("give a whole number."));
}

#[cfg(unix)]
#[test]
fn argument_that_is_not_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = std::ffi::OsStr::from_bytes(b"\xff");
    let done = program().args(["show", "othello", "--moves"]).arg(bytes).output().expect("it runs");
    assert_eq!(done.status.code(), Some(2));
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(told.starts_with("An argument is not UTF-8 text; "), "{told}");
}

#[test]
fn arguments_that_exclude_each_other() {
    let ran = kiban(&["show", "othello", "--record", "a", "--position", "b"]);
    assert!(ran.sentence(2).contains("cannot be given together"));
}

#[test]
fn argument_given_twice() {
    let ran = kiban(&["perft", "othello", "--depth", "1", "--depth", "2"]);
    assert!(ran.sentence(2).contains("given twice"));
}

#[test]
fn closed_pipe() {
    let mut child = program()
        .args(["perft", "othello", "--depth", "9"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = [0u8; 8];
    child.stdout.take().expect("piped").read_exact(&mut first).expect("it begins to tell");
    // The pipe is closed here; the program finds out at its next line.
    let done = child.wait_with_output().expect("the program ends");
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let done = program().args(["games"]).stdout(full).output().expect("the program runs");
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stderr).starts_with("The output could not be written"));
}
