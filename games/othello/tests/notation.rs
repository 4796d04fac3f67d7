//! Positions, moves, transcripts and problem files.

mod common;

use kiban_core::{Arbiter, Conduct, Entry, Format, Opening, Record, Source, Viewer};
use kiban_othello::GAME;
use proptest::prelude::*;

fn format(id: &str) -> &'static Format {
    GAME.format(id).expect("a listed format")
}

fn read(id: &str, text: &[u8]) -> Result<Vec<Record>, kiban_core::ReadError> {
    format(id).read.expect("it is read")(Source { bytes: text, variant: None })
}

fn write(id: &str, records: &[Record]) -> Result<String, kiban_core::ReadError> {
    let bytes = format(id).write.expect("it is written")(records)?;
    Ok(String::from_utf8(bytes).expect("plain text"))
}

fn moves(record: &Record) -> String {
    record.moves().collect::<Vec<_>>().join(" ")
}

#[test]
fn positions_are_read_in_every_usual_way_and_faults_are_placed() {
    let start = "---------------------------OX------XO--------------------------- X";
    let open = |text: &str| common::guided("", Some(text)).start().to_string();
    assert_eq!(open("---------------------------ox------xo---------------------------x;"), start);
    assert_eq!(open("...........................O*......*O...........................*"), start);
    let fault = |text: &str| {
        let variant = GAME.variant("").expect("the default variant");
        let conduct = Conduct::Guided;
        let start = Some(text.to_string());
        let opening = kiban_core::Opening { variant, start, conduct, seed: None };
        let error = (GAME.open)(&opening).err().expect("refused").into_read_error();
        (error.at.field.clone().expect("a field"), error.at.column.expect("a column"))
    };
    assert_eq!(fault(&start[..40]), ("board".to_string(), 41));
    assert_eq!(fault(&start.replacen("--OX", "-?OX", 1)), ("board".to_string(), 27));
    assert_eq!(fault(&start[..64]), ("side".to_string(), 65));
    assert_eq!(fault(&start.replace(" X", " W")), ("side".to_string(), 66));
}

#[test]
fn transcripts_are_read_with_any_case_spaces_lines_and_passes() {
    let wanted = "f5 d6 c3 d3 c4";
    for text in ["f5d6c3d3c4", "F5D6C3D3C4\r\n", "f5 d6\nc3 d3 c4\n", "\u{feff}f5\nd6\nc3\nd3\nc4"]
    {
        let records = read("transcript", text.as_bytes()).expect("readable");
        assert_eq!(records.len(), 1, "{text:?}");
        assert_eq!(moves(&records[0]), wanted);
    }
    let records =
        read("transcript", b"f5d6c3\nf5f6e6f4\n\nf5d6\n\nc4c3c2\nc4e3f6\n").expect("readable");
    let all: Vec<String> = records.iter().map(moves).collect();
    assert_eq!(all, ["f5 d6 c3", "f5 f6 e6 f4", "f5 d6", "c4 c3 c2", "c4 e3 f6"]);
    let at = records[1].main_line().nth(1).and_then(|node| node.at);
    assert_eq!(at, Some((2, 3)));
}

/// A game of 9 plies that Black wins by leaving White none: a known shortest game.
const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn a_transcript_is_judged() {
    let records = read("transcript", SHORTEST.as_bytes()).expect("readable");
    let judged = (GAME.judge)(&records[0]).expect("judged");
    assert_eq!(judged.error, None);
    assert_eq!((judged.plies, judged.score), (9, Some((64, 0))));
    let records = read("transcript", b"f5d6a1").expect("readable");
    let judged = (GAME.judge)(&records[0]).expect("judged");
    let (ply, foul) = judged.foul.expect("a foul");
    assert_eq!((ply, foul.reason.0), (3, "illegal-no-flip"));
    assert_eq!(judged.outcome, None);
}

/// A random game that holds a pass, as a table plays it.
fn game_with_pass() -> Box<dyn Arbiter> {
    (0..)
        .map(|seed| {
            let mut random = kiban_testkit::Random::new(seed);
            let mut game = common::guided("", None);
            while game.ending().is_none() {
                let texts = common::choices(&*game);
                common::put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
            }
            game
        })
        .find(|game| {
            game.log().iter().any(|e| *e == Entry::new_move(e.by.only().expect("one"), "pass"))
        })
        .expect("some random game has a pass")
}

#[test]
fn passes_are_left_out_when_written_and_come_back_when_read() {
    let game = game_with_pass();
    let record = game.record(Viewer::Referee);
    let text = write("transcript", std::slice::from_ref(&record)).expect("held");
    assert!(!text.contains("pa") && text.ends_with('\n'));
    // The same game with its passes said, in every usual spelling.
    let said = |pass: &str| moves(&record).replace("pass", pass).replace(' ', "");
    for text in [text.clone(), said("pass"), said("PA"), said("ps"), said("--")] {
        let back = read("transcript", text.as_bytes()).expect("readable");
        assert_eq!(back.len(), 1);
        let judged = (GAME.judge)(&back[0]).expect("judged");
        assert_eq!((judged.error, judged.foul), (None, None), "{text}");
        assert_eq!(judged.plies, game.log().len());
        assert_eq!(judged.last, game.position(Viewer::Referee));
        assert_eq!(
            write("transcript", &back).expect("held"),
            write("transcript", std::slice::from_ref(&record)).expect("held")
        );
    }
    // A pass that was not due stays, since it is a foul.
    let back = read("transcript", b"f5passd6").expect("readable");
    assert_eq!(write("transcript", &back).expect("held"), "f5passd6\n");
    let judged = (GAME.judge)(&back[0]).expect("judged");
    assert_eq!(judged.foul.expect("a foul").1.reason.0, "illegal-pass");
}

#[test]
fn what_a_transcript_cannot_hold_is_said() {
    let resigned = [
        Entry::new_move(kiban_core::Seat::FIRST, "f5"),
        Entry::new_call(kiban_core::Seat::SECOND, kiban_core::Call::Resign),
    ];
    let record = Record::of_line("othello", "othello", "", &resigned);
    assert!(write("transcript", &[record]).expect_err("not held").message.contains("moves only"));
    let elsewhere = common::guided("", Some("handicap-1")).record(Viewer::Referee);
    assert!(write("transcript", &[elsewhere]).expect_err("not held").message.contains("start"));
}

#[test]
fn faults_of_files_are_placed() {
    let fault = |id: &str, text: &str| {
        let error = read(id, text.as_bytes()).expect_err("unreadable");
        assert!(!error.message.is_empty());
        (error.at.line.expect("a line"), error.at.column.expect("a column"), error.found)
    };
    let found = |text: &str| Some(text.to_string());
    assert_eq!(fault("transcript", "f5d6\nf5 z9d3"), (2, 4, found("z9d3")));
    assert_eq!(fault("transcript", "f5d0"), (1, 3, found("d0")));
    assert_eq!(fault("transcript", ""), (1, 1, None));
    assert_eq!(fault("transcript", &"f5".repeat(500)).0, 1);
    let board = "-".repeat(64);
    assert_eq!(fault("obf", &format!("{board} X;\n{board} X; f5:+x;")), (2, 69, found("+x")));
    assert_eq!(fault("obf", &format!("{board} X; k5:+2;")).1, 69);
    assert_eq!(fault("obf", "---").0, 1);
}

const PROBLEM: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; \
                       A2:+38; C7:+36; D8:+34; %FFO 40\n";

#[test]
fn problem_files_give_the_best_moves_and_their_points() {
    let (_, read_problems) = GAME.problems[0];
    let text = format!("% a suite\n{PROBLEM}{}", PROBLEM.replace("+36", "+38"));
    let problems = read_problems(&text).expect("readable");
    assert_eq!(problems.len(), 2);
    assert_eq!(problems[0].points, Some(38));
    assert_eq!(problems[0].moves, Some(vec!["a2".to_string()]));
    assert_eq!(problems[1].moves, Some(vec!["a2".to_string(), "c7".to_string()]));
    assert!(
        (format("obf").sniff)(PROBLEM.as_bytes())
            > (format("transcript").sniff)(PROBLEM.as_bytes())
    );
}

#[test]
fn problem_files_are_positions_as_records() {
    let records = read("obf", PROBLEM.as_bytes()).expect("readable");
    assert_eq!(records[0].nodes[0].comment, "a2:+38; c7:+36; d8:+34;\nFFO 40");
    let text = write("obf", &records).expect("held");
    assert_eq!(read("obf", text.as_bytes()).expect("readable"), records);
    let small = read("obf", b"-----OX--XO----- X;").expect("readable");
    assert_eq!(small[0].variant, "othello,size=4");
}

#[test]
fn junk_is_refused_at_once_however_long() {
    for junk in [b"xyzzy ".as_slice(), b"\xff\x00", b"f5d6c3 ", b"\n\n", b"--", b"X"] {
        for bytes in [10_000_000, 100_000_000] {
            let junk = junk.repeat(bytes / junk.len());
            for id in ["transcript", "obf"] {
                read(id, &junk).expect_err("no file of ours");
                let _ = (format(id).sniff)(&junk);
            }
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for id in ["transcript", "obf"] {
            let _ = read(id, &bytes);
            let _ = (format(id).sniff)(&bytes);
        }
    }

    #[test]
    fn no_likely_text_panics(text in "([a-k][0-9]{1,2}|pass|PA|--|[XO*.-]{10,70}|[ ;:%+\n])*") {
        for id in ["transcript", "obf"] {
            let records = read(id, text.as_bytes());
            for record in records.into_iter().flatten() {
                let _ = (GAME.judge)(&record);
                let _ = write(id, &[record]);
            }
        }
    }
}

#[test]
fn column_of_a_wrong_side_to_move() {
    let board = "-".repeat(64);
    let column = |side: &str| {
        let opening =
            Opening::new(GAME.variant("").expect("the default"), Some(format!("{board}{side}")));
        let Err(error) = (GAME.open)(&opening) else { panic!("{side:?} is no side") };
        error.into_read_error().at.column
    };
    assert_eq!(column("Z"), Some(65));
    assert_eq!(column("  Z"), Some(67));
    assert_eq!(column(""), Some(65));
}
