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
    assert!(sentence.contains("The format csa cannot hold branches."), "{sentence}");
    assert!(!sentence.contains("times") && !sentence.contains("comments"), "{sentence}");
    assert!(sentence.contains("--lossy"), "{sentence}");
    let error = fed(&["convert", "-", "--to", "usen"], GAME.as_bytes());
    for part in ["times", "comments", "headers"] {
        assert!(error.sentence(1).contains(&format!("The format usen cannot hold {part}.")));
    }
    assert!(!error.err.contains("branches") && !error.err.contains("ended"), "{}", error.err);
}

#[test]
fn what_it_cannot_hold_is_left_out_when_asked() {
    let csa = fed(&["convert", "-", "--to", "csa", "--lossy"], GAME.as_bytes());
    assert_eq!(
        (csa.status, csa.err.as_str()),
        (0, "The format csa cannot hold branches; left out.\n")
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
    assert!(bod.err.contains("moves; left out"), "{}", bod.err);
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
