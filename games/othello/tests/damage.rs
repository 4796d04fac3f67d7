//! Files of several records of which one is damaged: it is counted, and costs no other.

mod common;

use kiban_core::{Format, ReadError, Record, Source, Viewer};
use kiban_othello::GAME;
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

fn format(id: &str) -> &'static Format {
    GAME.format(id).expect("a listed format")
}

/// Everything a file gives.
fn stream(id: &str, bytes: &[u8]) -> Vec<Result<Record, ReadError>> {
    let mut all = Vec::new();
    format(id).stream.expect("a stream")(Source { bytes, variant: None }, &mut |read| {
        all.push(read);
        ControlFlow::Continue(())
    });
    all
}

/// The moves or the comment of each record, or the place of an error.
fn told(id: &str, bytes: &[u8]) -> Vec<String> {
    let told = |read: &Result<Record, ReadError>| match read {
        Ok(record) if id == "obf" => record.nodes[0].comment.clone(),
        Ok(record) => record.moves().collect::<Vec<_>>().join(" "),
        Err(e) => format!("{}:{}", e.at.line.expect("a line"), e.at.column.expect("a column")),
    };
    stream(id, bytes).iter().map(told).collect()
}

/// A game of one move.
fn game(id: &str, m: &str) -> String {
    match id {
        "ggf" => format!("(;GM[Othello]TY[8]B[{m}];)"),
        _ => format!("(;GM[2]SZ[8];B[{m}])"),
    }
}

#[test]
fn a_damaged_game_in_parentheses_costs_no_other() {
    for id in ["ggf", "sgf"] {
        let [a, b, c] = ["f5", "d3", "c4"].map(|m| game(id, m));
        let open = format!("{}PB[x", &a[..a.find("]").expect("a value") + 1]);
        let cut = a.trim_end_matches(')').to_string();
        let bad = game(id, "f5").replace("f5", "z9");
        let long = bad.trim_end_matches(')').to_string() + "\n;\n)";
        for (fault, text, want) in [
            ("first", format!("{bad}\n{b}\n{c}"), vec!["1:_", "d3", "c4"]),
            ("middle", format!("{a}\n{bad}\n{c}"), vec!["f5", "2:_", "c4"]),
            ("last", format!("{a}\n{b}\n{bad}"), vec!["f5", "d3", "3:_"]),
            ("on several lines", format!("{long}\n{b}"), vec!["1:_", "d3"]),
            ("on one line", format!("{a}{bad}{c}"), vec!["f5", "1:_", "c4"]),
            ("cut off", format!("{cut}\n{b}\n{c}"), vec!["1:_", "d3", "c4"]),
            ("cut off again", format!("{cut}\n{cut}\n{c}"), vec!["1:_", "2:_", "c4"]),
            ("cut off last", format!("{a}\n{b}\n{cut}"), vec!["f5", "d3", "3:_"]),
            ("a value open", format!("{open}\n{b}\n{c}"), vec!["1:_", "d3", "c4"]),
            ("a value open last", format!("{a}\n{open}"), vec!["f5", "2:_"]),
            ("a parenthesis too many", format!("{a})\n{b}"), vec!["f5", "1:_", "d3"]),
            ("two too few", format!("({a}\n{b}"), vec!["1:_", "d3"]),
            ("a stray line", format!("junk\n{a}\n)\n\n{b}\n"), vec!["1:_", "f5", "3:_", "d3"]),
            ("a zero byte", format!("{}\n{b}", a.replace("B[", "\0B[")), vec!["1:_", "d3"]),
            (
                "marks",
                format!("\u{feff}{a}\u{feff}{b}\n\u{feff}{c}\u{feff}\n"),
                vec!["f5", "d3", "c4"],
            ),
            ("a mark behind", format!("{cut}\u{feff}\n\u{feff}{b}"), vec!["1:_", "d3"]),
        ] {
            let told = told(id, text.as_bytes());
            let line = |told: &String| told.split_once(':').map(|(line, _)| format!("{line}:_"));
            let told: Vec<_> = told.iter().map(|one| line(one).unwrap_or(one.clone())).collect();
            assert_eq!(told, want, "{id}, {fault}: {:?}", stream(id, text.as_bytes()));
        }
    }
}

#[test]
fn half_of_a_pair_is_kept_where_the_other_is_damaged() {
    let [a, b, bad] = ["f5", "d3", "z9"].map(|m| game("ggf", m));
    for (text, want) in [
        (format!("2 {a}{bad}\n{b}"), vec!["f5", "1:48", "d3"]),
        (format!("2 {bad}{a}\n{b}"), vec!["1:23", "f5", "d3"]),
        (format!("2 {a}\n{b}\n{a}"), vec!["f5", "d3", "f5"]),
        (format!("2\n{a}\n{b}"), vec!["f5", "d3"]),
        (format!("2 {a}\n"), vec!["f5", "2:1"]),
        (format!("3 {a}\n{b}"), vec!["1:1", "d3"]),
    ] {
        assert_eq!(told("ggf", text.as_bytes()), want, "{text}");
    }
}

#[test]
fn variations_are_no_games_where_the_game_is_damaged() {
    let tree = "(;GM[2]SZ[8]\n;B[zz]\n(;W[fd]\n;B[dc])\n(;W[fc])\n)";
    assert_eq!(told("sgf", format!("{tree}\n{}", game("sgf", "d3")).as_bytes()), ["2:4", "d3"]);
    let good = tree.replace("zz", "fe");
    assert_eq!(told("sgf", format!("{good}\n(;B[dc])").as_bytes()), ["f5 f4 d3", "d3"]);
    // A comment may look like a game; what is written of it does not.
    let text = "(;GM[2]C[one\n\\(;GM[2\\]]B[fe])";
    let records: Vec<Record> = stream("sgf", text.as_bytes()).into_iter().flatten().collect();
    assert_eq!(records[0].nodes[0].comment, "one\n(;GM[2]");
    let written = format("sgf").write.expect("written")(&records).expect("held");
    let again: Vec<Record> = stream("sgf", &written).into_iter().flatten().collect();
    assert_eq!(again[0].nodes[0].comment, records[0].nodes[0].comment);
}

#[test]
fn a_name_in_another_encoding_costs_no_other_name() {
    for (id, begin) in [("ggf", "(;GM[Othello]PB["), ("sgf", "(;GM[2]PB[")] {
        let game = |name: &[u8]| [begin.as_bytes(), name, b"])\n"].concat();
        let text = [game("黑".as_bytes()), game(b"Andr\xe9"), game("白".as_bytes())].concat();
        let records: Vec<Record> = stream(id, &text).into_iter().map(Result::unwrap).collect();
        let names: Vec<_> =
            records.iter().map(|record| record.tag("first").expect("one")).collect();
        assert_eq!(names, ["黑", "André", "白"]);
        let marked = ["\u{feff}".as_bytes(), &game(b"Andr\xe9")].concat().repeat(2);
        assert_eq!(told(id, &marked), ["", ""]);
    }
}

#[test]
fn a_warning_belongs_to_the_record_it_stands_in() {
    let places = |id: &str, text: &str| -> Vec<Vec<usize>> {
        let records = stream(id, text.as_bytes()).into_iter().map(|read| read.expect("readable"));
        records.map(|record| record.warnings.iter().map(|w| w.line).collect()).collect()
    };
    let sgf = "(;GM[2];B[fe])\n(;GM[2];B[fe]\nTR[fe])\n(;GM[2];B[dc])\n";
    assert_eq!(places("sgf", sgf), [vec![], vec![3], vec![]]);
    assert_eq!(places("transcript", "f5d6c3\n1. f5 d6 c3\nd3c5d6\n"), [vec![], vec![2], vec![]]);
    let board = "---------------------------OX------XO--------------------------- X;";
    let obf = format!("{board}\n{board} f5:-127;\n{board}\n");
    assert_eq!(places("obf", &obf), [vec![], vec![2], vec![]]);
    let finished = "BO[4 **** **OO **OO **OO *]";
    let ggf = [0, 9, 0].map(|more| format!("(;GM[Othello]RE[+{more}]KM[4]{finished};)\n")).concat();
    assert_eq!(places("ggf", &ggf), [vec![], vec![2], vec![]]);
}

/// The shortest game, which ends with it.
const OVER: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn a_damaged_line_of_a_list_of_games_costs_no_other() {
    let over: Vec<&str> = OVER.as_bytes().chunks(2).map(|m| str::from_utf8(m).unwrap()).collect();
    let over = over.join(" ");
    for (fault, text, want) in [
        ("first", format!("z{OVER}\nf5d6c3\nf5f6e6"), vec!["1:1", "f5 d6 c3", "f5 f6 e6"]),
        ("cut off", "f5d6c\nf5d6c3\nf5f6e6".into(), vec!["1:5", "f5 d6 c3", "f5 f6 e6"]),
        ("last", "f5d6c3\nf5f6e6\nf5x".into(), vec!["f5 d6 c3", "f5 f6 e6", "3:3"]),
        (
            "its opening gone",
            "f5d6c3d3\na1b2\nf5f6e6".into(),
            vec!["f5 d6 c3 d3", "a1 b2", "f5 f6 e6"],
        ),
        ("a foul in it", "f5d6c3\nf5a1f6\nf5f6e6".into(), vec!["f5 d6 c3", "f5 a1 f6", "f5 f6 e6"]),
        ("wrapped behind a foul", "f5a1c3\nc6b5".into(), vec!["f5 a1 c3 c6 b5"]),
        ("a zero byte", "f5d6c3\nf5\0d6\nf5f6e6".into(), vec!["f5 d6 c3", "2:3", "f5 f6 e6"]),
        ("a mark", "\u{feff}f5d6c3\n\u{feff}f5f6e6\n".into(), vec!["f5 d6 c3", "f5 f6 e6"]),
        ("no end before a mark", "f5d6c3\u{feff}f5f6e6\n".into(), vec!["f5 d6 c3", "f5 f6 e6"]),
        (
            "a stray line",
            format!("{OVER}\nAndré\nf5f6e6\n"),
            vec![over.as_str(), "2:1", "f5 f6 e6"],
        ),
    ] {
        assert_eq!(told("transcript", text.as_bytes()), want, "{fault}");
    }
}

#[test]
fn a_damaged_line_of_problems_costs_no_other() {
    let board = "---------------------------OX------XO--------------------------- X;";
    let row = |m: &str| format!("{board} {m};");
    for (fault, text, want) in [
        (
            "cut off",
            format!("{}\n{}\n{}", row("f5"), &board[..30], row("e6")),
            vec!["f5;", "2:1", "e6;"],
        ),
        ("first", format!("?{}\n{}", row("f5"), row("e6")), vec!["1:1", "e6;"]),
        ("last", format!("{}\n{}", row("f5"), row("z9")), vec!["f5;", "2:69"]),
        (
            "a zero byte",
            format!("{}\n{}\0\n{}", row("f5"), row("c4"), row("e6")),
            vec!["f5;", "2:72", "e6;"],
        ),
        ("marks", format!("\u{feff}{}\u{feff}{}\n", row("f5"), row("e6")), vec!["f5;", "e6;"]),
    ] {
        assert_eq!(told("obf", text.as_bytes()), want, "{fault}");
    }
    let latin = [format!("{} % Andr", row("f5")).as_bytes(), b"\xe9\n"].concat();
    let both = [&latin, format!("{} % 黑", row("e6")).as_bytes()].concat();
    assert_eq!(told("obf", &both), ["f5;\nAndré", "e6;\n黑"]);
}

#[test]
fn hostile_files_take_no_long_time() {
    const BYTES: usize = 2 << 20;
    for (id, junk) in [
        ("ggf", "(;GM[Othello]\n"),
        ("ggf", "(;GM[\n"),
        ("ggf", "(;\n"),
        ("ggf", "(;GM[Othello]C["),
        ("ggf", "2\n"),
        ("ggf", "\n\n \n"),
        ("sgf", "(;GM[2]\n"),
        ("sgf", "(;GM[\n"),
        ("sgf", "(;B[fe]\n"),
        ("sgf", "(\n"),
        ("sgf", "x\n(;)"),
        ("transcript", "f5\n"),
        ("transcript", "\u{feff}f5"),
        ("obf", "\u{feff}"),
    ] {
        let begun = Instant::now();
        let text = junk.repeat(BYTES / junk.len());
        let source = Source { bytes: text.as_bytes(), variant: None };
        format(id).stream.expect("a stream")(source, &mut |_| ControlFlow::Continue(()));
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(20), "{id} {junk:?}: {took:?}");
    }
}

/// Damage done to a text.
#[derive(Clone, Debug)]
enum Damage {
    Cut(prop::sample::Index),
    Without(prop::sample::Index, usize),
    With(prop::sample::Index, &'static [u8]),
}

impl Damage {
    fn of(&self, text: &[u8]) -> Vec<u8> {
        match self {
            Damage::Cut(at) => text[..at.index(text.len())].to_vec(),
            Damage::Without(at, length) => {
                let at = at.index(text.len());
                [&text[..at], &text[text.len().min(at + length)..]].concat()
            }
            Damage::With(at, more) => {
                let (before, behind) = text.split_at(at.index(text.len()));
                [before, more, behind].concat()
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    let bytes: Vec<&'static [u8]> = vec![
        b"(",
        b")",
        b"[",
        b"]",
        b";",
        b"\\",
        b"x",
        b"\0",
        b"\xe9",
        b"\xff",
        b" ",
        b"\n",
        b"-",
        b"X",
        b"\xef\xbb\xbf",
    ];
    prop_oneof![
        at().prop_map(Damage::Cut),
        (at(), 1..40usize).prop_map(|(at, length)| Damage::Without(at, length)),
        (at(), prop::sample::select(bytes)).prop_map(|(at, more)| Damage::With(at, more)),
    ]
}

/// A game to its end, with names.
fn random_game(seed: u64) -> Record {
    let mut random = kiban_testkit::Random::new(seed);
    let mut game = common::guided("", None);
    while game.ending().is_none() {
        let texts = common::choices(&*game);
        common::put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
    }
    let mut record = game.record(Viewer::Referee);
    record
        .tags
        .push(("first".to_string(), ["黑", "André", "(;GM[x"][seed as usize % 3].to_string()));
    record.nodes[0].comment = ["", "words", "some\n(;GM[2] words"][seed as usize % 3].to_string();
    record
}

/// Texts of one record each.
fn texts(id: &str) -> Vec<Vec<u8>> {
    let write = format(id).write.expect("it is written");
    let mut texts: Vec<Vec<u8>> = (0..6)
        .map(|seed| match id {
            "obf" => {
                let start = random_game(seed).start;
                let mut record = Record::new(GAME.id, "othello", &start);
                record.nodes[0].comment = format!("f5:+{seed};\nwords");
                write(&[record])
            }
            _ => write(&[random_game(seed)]),
        })
        .map(|text| text.expect("held").trim_ascii().to_vec())
        .collect();
    if id == "sgf" {
        texts.push(b"(;FF[4]GM[2]SZ[8]\n;B[fe]C[a\nb]\n(;W[fd]\n;B[dc])\n(;W[fc])\n)".to_vec());
    }
    texts
}

fn bare(mut record: Record) -> Record {
    record.nodes.iter_mut().for_each(|node| node.at = None);
    record.warnings.clear();
    record
}

proptest! {
    #[test]
    fn damage_to_one_record_leaves_the_others(
        id in prop::sample::select(vec!["ggf", "sgf", "transcript", "obf"]),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        which in any::<prop::sample::Index>(),
        damage in damage(),
    ) {
        let all = texts(id);
        let mut texts: Vec<Vec<u8>> = picks.iter().map(|pick| pick.get(&all).clone()).collect();
        let which = which.index(texts.len());
        let one = |text: &Vec<u8>| bare(stream(id, text).remove(0).expect("readable"));
        let mut others: Vec<Record> = texts.iter().map(one).collect();
        others.remove(which);
        texts[which] = damage.of(&texts[which]);
        let file = texts.join(&b'\n');
        let shown = String::from_utf8_lossy(&file);
        let given = stream(id, &file);
        let blank = texts[which].iter().all(|b| b.is_ascii_whitespace());
        prop_assert!(given.len() >= picks.len() || blank, "{}", shown);
        let mut good: Vec<Record> = given.into_iter().flatten().map(bare).collect();
        while good.len() > others.len() {
            good.remove(which);
        }
        prop_assert_eq!(good, others, "{}", shown);
    }
}
