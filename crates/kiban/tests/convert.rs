//! `convert` and what `--strict` makes of forgiven oddities: what a format cannot hold is said,
//! left out only when asked, and a text is written in the encoding that is asked for.

mod common;

use common::{fed, file, kiban};

/// A branch, a comment, a time, a header and an ending.
const GAME: &str = "手合割：平手\n先手：甲\n*始め\n   1 ７六歩(77)   ( 0:12/00:00:12)\n   \
                    2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n";

#[test]
fn what_the_target_cannot_hold_is_told() {
    let ran = fed(&["convert", "-", "--to", "csa"], GAME.as_bytes());
    let sentence = ran.sentence(1);
    assert!(sentence.contains("The format csa cannot hold branches (line 9)."), "{sentence}");
    assert!(!sentence.contains("times") && !sentence.contains("comments"), "{sentence}");
    assert!(sentence.contains("--lossy"), "{sentence}");
    let error = fed(&["convert", "-", "--to", "usen"], GAME.as_bytes());
    for part in ["times", "comments", "headers"] {
        assert!(error.sentence(1).contains(part), "{}", error.err);
    }
    assert!(!error.err.contains("branches") && !error.err.contains("ended"), "{}", error.err);
}

#[test]
fn what_it_cannot_hold_is_left_out_when_asked() {
    let csa = fed(&["convert", "-", "--to", "csa", "--lossy"], GAME.as_bytes());
    assert_eq!(
        (csa.status, csa.err.as_str()),
        (0, "The format csa cannot hold branches (line 9); left out.\n")
    );
    for kept in ["N+甲", "+7776FU\nT12\n", "-3334FU", "%TORYO", "'*始め"] {
        assert!(csa.out.contains(kept), "{}", csa.out);
    }
    let usen = fed(&["convert", "-", "--to", "usen", "--lossy"], GAME.as_bytes());
    assert_eq!((usen.status, usen.out.as_str()), (0, "~0.7ku2jm.r~1.36e.\n"));
    assert_eq!(usen.err.lines().count(), 3, "{}", usen.err);
    // A diagram of the last position.
    let bod = fed(&["convert", "-", "--to", "bod", "--lossy"], GAME.as_bytes());
    assert!(bod.out.contains("先手番\n手数＝2") && bod.out.contains("先手：甲"), "{}", bod.out);
    assert!(bod.err.contains("moves (line 4); left out"), "{}", bod.err);
    let back = fed(&["convert", "-", "--to", "usi"], bod.out.as_bytes());
    assert!(back.out.contains("sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/"), "{} {}", back.out, back.err);
    // What holds all loses nothing.
    let kif = fed(&["convert", "-", "--to", "kif", "--lossy"], GAME.as_bytes());
    assert_eq!((kif.status, kif.err.as_str()), (0, ""));
}

#[test]
fn encodings_of_what_is_written() {
    let source = file("encodings.kif", GAME.as_bytes());
    let plain = fed(&["convert", "-", "--to", "kif"], GAME.as_bytes()).out;
    for (encoding, first) in [
        ("shift_jis", &b"#KIF version=2.0 encoding=Shift_JIS\n"[..]),
        ("euc-jp", b"#KIF version=2.0 encoding=EUC-JP\n"),
        ("utf-8-bom", b"\xef\xbb\xbf#KIF"),
    ] {
        let target = file(&format!("encodings-{encoding}.kif"), b"");
        let ran =
            kiban(&["convert", &source, "--to", "kif", "--encoding", encoding, "-o", &target]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let bytes = std::fs::read(&target).expect("it was written");
        assert!(bytes.starts_with(first), "{encoding}");
        assert_eq!(std::str::from_utf8(&bytes).is_err(), encoding != "utf-8-bom");
        assert_eq!(kiban(&["convert", &target, "--to", "kif"]).out, plain, "{encoding}");
    }
    let ran = fed(
        &["convert", "-", "--to", "kif", "--encoding", "shift_jis"],
        "手合割：平手\n先手：☗\n1 投了\n".as_bytes(),
    );
    assert!(
        ran.sentence(1).contains("Shift_JIS has no character \"☗\". (line 3, column 4)"),
        "{}",
        ran.err
    );
    let ran = fed(&["convert", "-", "--to", "kif", "--encoding", "latin1"], GAME.as_bytes());
    assert_eq!(ran.status, 2, "{}", ran.err);
}

#[test]
fn strictly_nothing_is_forgiven() {
    let odd = "手合割：平手\n1 ７六歩(77)\n3 ３四歩(33)\n4 投了\n";
    let forgiving = fed(&["convert", "-", "--to", "usi"], odd.as_bytes());
    let told = "Standard input: Line 3, column 3: The move is numbered 3; it is number 2.\n\
                Standard input: Line 4, column 3: The move is numbered 4; it is number 3.\n";
    assert_eq!((forgiving.status, forgiving.err.as_str()), (0, told));
    let ran = fed(&["convert", "-", "--to", "usi", "--strict"], odd.as_bytes());
    let told = "Standard input: 2 things are forgiven without --strict: line 4, column 3: The move is \
                numbered 4; it is number 3. The first: The move is numbered 3; it is number 2. \
                (line 3, column 3)";
    assert_eq!(ran.sentence(1), told);
    assert_eq!(fed(&["convert", "-", "--to", "kif", "--strict"], GAME.as_bytes()).status, 0);
    // Judging goes on with the other records.
    let (bad, good) =
        (file("strict-bad.kif", odd.as_bytes()), file("strict-good.kif", GAME.as_bytes()));
    let judged = kiban(&["judge", "--strict", "--json", &bad, &good]).json();
    let rows = &judged["records"];
    assert_eq!(rows[0]["error"]["code"], "not-strict");
    assert_eq!(
        (&rows[0]["error"]["line"], &rows[0]["warnings"][1]["line"]),
        (&3.into(), &4.into())
    );
    assert_eq!(rows[0]["outcome"], serde_json::Value::Null);
    assert_eq!(rows[1]["outcome"]["reason"], "resign");
    assert_eq!(judged["summary"]["unreadable"], 1);
    let alone = kiban(&["judge", "--strict", &bad]);
    assert!(alone.sentence(1).contains("forgiven without --strict"), "{}", alone.err);
}

#[test]
fn a_file_written_in_parts_holds_every_record_once() {
    // More nodes than are written at once.
    let (games, shogi) =
        ("e6f4e3f6g5d6e7f5c5\n".repeat(2500), "startpos moves 7g7f\n".repeat(11_000));
    for (text, formats) in [
        (games, ["ggf", "sgf", "transcript"].as_slice()),
        (shogi, ["csa", "kif", "jkf"].as_slice()),
    ] {
        let number = |text: &str| {
            let ran = fed(&["judge", "-", "--jsonl"], text.as_bytes());
            let last: serde_json::Value =
                serde_json::from_str(ran.out.lines().last().expect("a summary")).expect("JSON");
            (last["summary"]["judged"].clone(), last["summary"]["unreadable"].clone())
        };
        let expected = number(&text);
        for format in formats {
            let ran = fed(&["convert", "-", "--to", format, "--lossy"], text.as_bytes());
            assert_eq!(ran.status, 0, "{}", ran.err);
            assert_eq!(number(&ran.out), expected, "{format}");
        }
    }
}

/// The part alone was named, and nobody knew of which record or move, or why.
#[test]
fn what_cannot_be_held_is_told_with_its_place_and_why() {
    let told = |to: &str, text: &str| {
        let ran = fed(&["convert", "-", "--to", to], text.as_bytes());
        ran.sentence(1).to_string()
    };
    let branch = told("csa", GAME);
    assert!(branch.contains("The format csa cannot hold branches (line 9)."), "{branch}");
    // A record of two moves of one side.
    let twice = "V2.2\nPI\n+\n+7776FU\n+2726FU\n-3334FU\n%TORYO\n";
    let moves = told("bod", twice);
    assert!(moves.contains("moves (line 4)"), "{moves}");
    assert!(moves.contains("how the game ended (line 7: A BOD diagram cannot hold a result)"));
    let headers = told("usen", GAME);
    assert!(headers.contains("headers (\"first\")") && headers.contains("times (line 4)"));
    // The third of three games.
    let games = "(;GM[Othello]B[f5]W[d6];)\n".repeat(2) + "(;GM[Othello]B[f5/1.5/3]W[d6];)\n";
    let third = told("sgf", &games);
    assert!(third.contains("cannot hold times (record 3, line 3)."), "{third}");
    // What cannot be helped is told of its record, too.
    let open = "e6f4e3f6g5d6e7f5c5\nf5d6\n";
    let score = told("wthor", open);
    assert!(score.starts_with("Standard input: Record 2: The game is not finished"), "{score}");
}

/// What a record forgives was told without an end.
#[test]
fn many_forgiven_things_are_told_in_bounds() {
    // Pawns of all files, each move with a wrong number.
    let pawns = ('１'..='９')
        .zip(1..)
        .flat_map(|(name, file)| [format!("{name}六歩({file}7)"), format!("{name}四歩({file}3)")]);
    let moves: String =
        pawns.enumerate().map(|(n, text)| format!("{} {text}\n", 2 * n + 2)).collect();
    let odd = format!("手合割：平手\n{moves}");
    let file = file("many-odd.kif", odd.as_bytes());
    let judged = kiban(&["judge", &file]);
    assert_eq!(judged.status, 0, "{}", judged.err);
    assert_eq!(judged.out.matches("is numbered").count(), 5, "{}", judged.out);
    assert!(judged.out.contains(" more were forgiven; --json lists them all."), "{}", judged.out);
    let strict = kiban(&["judge", "--strict", &file]);
    assert_eq!(strict.sentence(1).matches("is numbered").count(), 5, "{}", strict.err);
    let all = kiban(&["judge", "--json", &file]).json();
    assert!(all["records"][0]["warnings"].as_array().expect("a list").len() > 15);
    let converted = kiban(&["convert", &file, "--to", "usi"]);
    assert_eq!(converted.err.lines().count(), 6, "{}", converted.err);
}

/// The log of a match was taken for a broken JKF.
#[test]
fn the_log_of_a_match_is_told_for_what_it_is() {
    let log = file("match-log.jsonl", b"");
    std::fs::remove_file(&log).expect("our own file");
    let arguments = ["random", "random", "--game", "morris", "--games", "2", "--resume", &log];
    common::matched(&arguments);
    for command in [&["judge", &*log][..], &["convert", &log, "--to", "pgn"]] {
        let ran = kiban(command);
        let said = ran.sentence(1);
        assert!(said.contains("is the log that a match is resumed from"), "{said}");
        assert!(said.contains("--records FOLDER"), "{said}");
    }
}

/// The formats of another game were offered without a word on which game it was.
#[test]
fn a_format_of_another_game_is_refused_with_the_game() {
    let ran = fed(&["convert", "-", "--to", "pgn"], b"f5d6");
    let said = ran.sentence(1);
    assert!(said.contains("There is no format \"pgn\" to write Othello in; choose"), "{said}");
}

/// A text in Japanese was read furthest as a damaged base.
#[test]
fn a_text_is_no_damaged_base() {
    let ran =
        fed(&["judge", "-", "--game", "othello"], "手合割：平手\n   1 ７六歩(77)\n".as_bytes());
    let said = ran.sentence(1);
    assert!(said.contains("is no game record of Othello") && !said.contains("WTHOR"), "{said}");
    let mark = fed(&["judge", "-"], "\u{feff}\n".as_bytes());
    assert_eq!(mark.sentence(1), "Standard input is empty; give a game record.");
}

#[test]
fn lossy_leaves_out_records_and_says_which() {
    let game = "手合割：平手\n1 ７六歩(77)\n2 投了\n\n";
    let bad = "手合割：平手\n1 ７六(77)\n\n";
    let joined = common::file("some-bad.kif", format!("{game}{bad}{game}{bad}").as_bytes());
    let strict = kiban(&["convert", &joined, "--to", "csa"]);
    assert_eq!((strict.status, strict.out.as_str()), (1, ""));
    assert!(strict.err.contains("(line 6, column"), "{}", strict.err);
    assert!(strict.err.contains("left out with --lossy"), "{}", strict.err);
    let lossy = kiban(&["convert", &joined, "--to", "csa", "--lossy"]);
    assert_eq!((lossy.status, lossy.out.matches("%TORYO").count()), (0, 2), "{}", lossy.out);
    assert!(lossy.err.contains("2 records are left out; the first of them, record 2: "));
    // Nothing is left.
    let only = common::file("only-bad.kif", bad.as_bytes());
    let none = kiban(&["convert", &only, "--to", "csa", "--lossy"]);
    assert_eq!((none.status, none.out.as_str()), (1, ""), "{}", none.err);
    // A base of games wants them finished.
    let games = common::file("unfinished.txt", b"f5d6c3d3c4\n\ne6f4e3f6g5d6e7f5c5\n\n");
    let base = common::file("unfinished.wtb", b"");
    let ran = kiban(&["convert", &games, "--to", "wthor", "--lossy", "-o", &base]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("Record 1 is left out: "), "{}", ran.err);
    let judged = kiban(&["judge", &base, "--jsonl"]);
    assert_eq!(judged.out.lines().count(), 2, "a record and the summary: {}", judged.out);
}

#[test]
fn what_goes_with_branches_is_not_told_of_the_main_line() {
    let text = "手合割：平手\n   1 ７六歩(77)   ( 0:10/00:00:10)\n*main\n   2 投了\n\n変化：1手\n   \
                1 ２六歩(27)   ( 0:05/00:00:05)\n*branch\n";
    let file = common::file("branch-times.kif", text.as_bytes());
    let ran = kiban(&["convert", &file, "--to", "csa", "--lossy"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("T10") && ran.out.contains("main"), "{}", ran.out);
    assert!(ran.err.contains("cannot hold branches"), "{}", ran.err);
    assert!(!ran.err.contains("times") && !ran.err.contains("comments"), "{}", ran.err);
}
