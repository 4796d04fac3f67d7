//! Records of games in GGF, SGF and WTHOR.

mod common;

use kiban_core::{Act, Call, Entry, Format, ReadError, Record, Seat, Seats, Source, Viewer};
use kiban_othello::GAME;
use proptest::prelude::*;

const IDS: [&str; 3] = ["ggf", "sgf", "wthor"];

fn format(id: &str) -> &'static Format {
    GAME.format(id).expect("a listed format")
}

fn read(id: &str, bytes: impl AsRef<[u8]>) -> Result<Vec<Record>, ReadError> {
    format(id).read.expect("it is read")(Source { bytes: bytes.as_ref(), variant: None })
}

fn one(id: &str, text: &str) -> Record {
    let mut records = read(id, text).expect("readable");
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn bytes(id: &str, records: &[Record]) -> Result<Vec<u8>, ReadError> {
    format(id).write.expect("it is written")(records)
}

fn text(id: &str, records: &[Record]) -> String {
    String::from_utf8(bytes(id, records).expect("held")).expect("plain text")
}

fn refusal(id: &str, record: &Record) -> String {
    bytes(id, std::slice::from_ref(record)).expect_err("not held").message
}

fn moves(record: &Record) -> String {
    record.moves().collect::<Vec<_>>().join(" ")
}

fn entries(record: &Record) -> Vec<Entry> {
    record.entries().cloned().collect()
}

/// A record without what hangs on the text it was read from.
fn bare(mut record: Record) -> Record {
    record.warnings.clear();
    record.nodes.iter_mut().for_each(|node| node.at = None);
    record
}

/// What is read and written reads as the same again.
fn comes_back(id: &str, records: Vec<Record>) {
    let written = bytes(id, &records).expect("what was read can be written");
    let mut again = read(id, &written).expect("what was written can be read");
    // A finished game without a result is written with the one on the board.
    for (again, record) in again.iter_mut().zip(&records) {
        if record.claimed.is_none() && again.claimed.is_some() {
            let judged = (GAME.judge)(again).expect("judged");
            assert_eq!(judged.agrees, Some(true));
            again.claimed = None;
        }
    }
    let bare = |records: Vec<Record>| records.into_iter().map(bare).collect::<Vec<_>>();
    assert_eq!(bare(again), bare(records), "{}", String::from_utf8_lossy(&written));
}

const GGF: &str = "(;GM[Othello]PC[GGS/os]DT[2003.05.01]PB[one]PW[two]RB[1800.5]RW[1700]TI[15:00]\
    TY[8r20]RE[-64.000:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- \
    -------- *]B[F5/1.50/3.1]C[a good\\] move]W[d6//12.345]B[c3/-2]W[d3];)\n";

#[test]
fn ggf_is_read_with_headers_evaluations_times_and_result() {
    let record = one("ggf", GGF);
    assert_eq!((moves(&record).as_str(), record.variant.as_str()), ("f5 d6 c3 d3", "othello"));
    assert_eq!(record.start, common::guided("", None).start());
    assert_eq!(record.tag("place"), Some("GGS/os"));
    assert_eq!(record.tag("first").zip(record.tag("second")), Some(("one", "two")));
    let unknown: Vec<_> = record.unknown.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(unknown, ["RB=1800.5", "RW=1700", "TI=15:00", "TY=8r20"]);
    let nodes: Vec<_> = record.main_line().collect();
    let times: Vec<_> = nodes.iter().map(|node| node.spent_ms).collect();
    assert_eq!(times, [Some(3100), Some(12345), None, None, None]);
    assert_eq!(nodes[0].comment, "eval 1.50\na good] move");
    assert_eq!(nodes[2].comment, "eval -2");
    let resigns = Entry::new_call(Seat::FIRST, Call::Resign);
    assert_eq!(nodes[4].entry, Some(resigns));
    let claimed = record.claimed.clone().expect("a result");
    assert_eq!((claimed.result.as_str(), claimed.reason.as_deref()), ("second", Some("resign")));
    let judged = (GAME.judge)(&record).expect("judged");
    assert_eq!((judged.agrees, judged.score), (Some(true), Some((0, 64))));
    comes_back("ggf", vec![record]);
}

#[test]
fn ggf_games_come_alone_in_matches_and_in_pairs() {
    let game = |m: &str| format!("(;GM[Othello]TY[8]B[{m}];)");
    let (f5, d3) = (game("f5"), game("d3"));
    let file = format!("1 {f5}\n2 {f5}{d3}\n{d3}");
    let records = read("ggf", &file).expect("readable");
    let all: Vec<_> = records.iter().map(moves).collect();
    assert_eq!(all, ["f5", "f5", "d3", "d3"]);
    let halves: Vec<_> = records.iter().map(|record| record.tag("synchro")).collect();
    assert_eq!(halves, [None, Some("1"), Some("2"), None]);
    let written = text("ggf", &records);
    assert_eq!(written.lines().filter(|line| line.starts_with("2 (;")).count(), 1);
    assert_eq!(written.lines().count(), 3);
    comes_back("ggf", records);
    let error = read("ggf", format!("2 {f5}")).expect_err("half a pair");
    assert_eq!((error.at.line, error.found.as_deref()), (Some(1), Some("the end of the file")));
}

#[test]
fn ggf_results_become_claims_and_calls() {
    let read = |result: &str| one("ggf", &format!("(;GM[Othello]RE[{result}]B[f5]W[d6];)"));
    let cases: [(&str, &str, Option<Entry>); 7] = [
        ("+4.000", "first", None),
        ("0", "draw", None),
        ("-12.5:s", "second", None),
        ("?", "none", None),
        ("+64:t", "first", Some(Entry::new_call(Seat::SECOND, Call::Timeout))),
        ("-2:r", "second", Some(Entry::new_call(Seat::FIRST, Call::Resign))),
        ("0.000:s", "draw", Some(Entry::new_call(Seats::first_n(2), Call::AgreeDraw))),
    ];
    for (said, result, call) in cases {
        let record = read(said);
        assert_eq!(record.claimed.as_ref().map(|c| c.result.as_str()), Some(result), "{said}");
        assert_eq!(entries(&record).into_iter().nth(2), call, "{said}");
        assert!(text("ggf", std::slice::from_ref(&record)).contains(&format!("RE[{said}]")));
        comes_back("ggf", vec![record]);
    }
    // A result with komi is not one of discs.
    let record = one("ggf", "(;GM[Othello]KB[-2]KW[-4]KM[-3]RE[+4.000]B[f5];)");
    assert_eq!(record.claimed, None);
    assert!(record.unknown.contains(&("RE".to_string(), "+4.000".to_string())));
    comes_back("ggf", vec![record]);
}

#[test]
fn ggf_knows_sizes_anti_and_other_starts() {
    let record = one("ggf", "(;GM[Othello]TY[6a]B[d2];)");
    assert_eq!(record.variant, "anti,size=6");
    comes_back("ggf", vec![record]);
    let record = one("ggf", "(;GM[Othello]BO[4 *-- - -O*- -*O- ---- O]W[pa];)");
    assert_eq!(
        (record.variant.as_str(), record.start.as_str()),
        ("othello,size=4", "X----OX--XO----- O")
    );
    assert_eq!(entries(&record), [Entry::new_move(Seat::SECOND, "pass")]);
    comes_back("ggf", vec![record]);
}

#[test]
fn faults_of_ggf_are_placed() {
    let fault = |text: &str| {
        let error = read("ggf", text).expect_err("unreadable");
        assert!(!error.message.is_empty() && error.expected.is_some(), "{error}");
        (error.at.line.expect("a line"), error.at.column.expect("a column"), error.found.unwrap())
    };
    let at = |line, column, found: &str| (line, column, found.to_string());
    assert_eq!(fault("(;GM[Othello]\nB[f5]W[z9];)"), at(2, 8, "z9"));
    assert_eq!(fault("(;GM[Othello]B[f5/x];)"), at(1, 19, "x"));
    assert_eq!(fault("(;GM[Othello]B[f5//-1];)"), at(1, 20, "-1"));
    assert_eq!(fault("(;GM[Othello]B[f5/1/2/3];)"), at(1, 23, "3"));
    assert_eq!(fault("(;GM[Othello]TY[7];)"), at(1, 17, "7"));
    assert_eq!(fault("(;GM[Chess];)"), at(1, 6, "Chess"));
    assert_eq!(fault("(;GM[Othello]B[f5"), at(1, 15, "[f5"));
    assert_eq!(fault("(;GM[Othello]B[f5]"), at(1, 19, "the end of the file"));
    assert_eq!(fault("(;GM[Othello]TY[8]BO[6 --];)"), at(1, 22, "6"));
    assert_eq!(fault("(;GM[Othello]BO[4 -- --\n--?- ---- ---- *];)"), at(2, 3, "?"));
    assert_eq!(fault("3 (;GM[Othello];)").2.chars().next(), Some('3'));
    assert_eq!(fault(""), at(1, 1, "the end of the file"));
}

const SGF: &str = "(;FF[4]GM[2]CA[UTF-8]SZ[8]PB[黑]PW[O\\]ne]DT[2020-01-02]EV[Cup]PC[Hall]RO[3]\
    C[Opening\\\\\nwords];B[fe];W[fd]C[parallel](;B[ff](;W[fg])(;))(;B[de];W[df]))\n";

#[test]
fn sgf_is_read_as_a_tree_with_comments_and_headers() {
    let record = one("sgf", SGF);
    assert_eq!(moves(&record), "f5 f4 f6 f7");
    assert_eq!(record.tag("event").zip(record.tag("place")), Some(("Cup", "Hall")));
    assert_eq!(record.tag("first").zip(record.tag("second")), Some(("黑", "O]ne")));
    assert_eq!(record.unknown, [("RO".to_string(), "3".to_string())]);
    assert_eq!(record.nodes[0].comment, "Opening\\\nwords");
    let forks: Vec<_> = record.nodes.iter().map(|node| node.children.len()).collect();
    assert_eq!(forks, [1, 1, 2, 2, 0, 0, 1, 0]);
    assert_eq!(record.nodes[6].entry, Some(Entry::new_move(Seat::FIRST, "d5")));
    assert_eq!(record.nodes[5].entry, None);
    comes_back("sgf", vec![record]);
    let two = format!("{SGF}{SGF}");
    assert_eq!(read("sgf", &two).expect("readable").len(), 2);
    comes_back("sgf", read("sgf", two).expect("readable"));
}

#[test]
fn sgf_passes_setups_and_variants_are_read() {
    for pass in ["", "tt", "pass"] {
        let record = one("sgf", &format!("(;GM[2];B[{pass}])"));
        assert_eq!(entries(&record), [Entry::new_move(Seat::FIRST, "pass")]);
    }
    let record = one("sgf", "(;GM[2]AB[aa:bb][dd]AW[cc];W[f5])");
    let start = "XX------XX--------O--------X------------------------------------ O";
    assert_eq!((record.start.as_str(), moves(&record).as_str()), (start, "f5"));
    comes_back("sgf", vec![record]);
    let record = one("sgf", "(;GM[2]PL[White])");
    assert!(record.start.ends_with(" O") && record.start.contains("OX"));
    comes_back("sgf", vec![record]);
    for (headers, variant) in [
        ("RU[anti]SZ[6]", "anti,size=6"),
        ("RU[Reversi]", "reversi"),
        ("SZ[10]RU[Japanese]", "othello,size=10"),
        ("RU[handicap=2]", "othello,handicap=2"),
    ] {
        let record = one("sgf", &format!("(;GM[2]{headers})"));
        assert_eq!(record.variant, variant);
        comes_back("sgf", vec![record]);
    }
    // An empty board is another one than the usual.
    comes_back("sgf", vec![one("sgf", "(;GM[2]AE[aa]PL[W])")]);
}

#[test]
fn sgf_results_become_claims_and_calls() {
    for (said, result, call) in [
        ("B+4", "first", None),
        ("0", "draw", None),
        ("?", "none", None),
        ("W+", "second", None),
        ("W+Resign", "second", Some(Entry::new_call(Seat::FIRST, Call::Resign))),
        ("B+T", "first", Some(Entry::new_call(Seat::SECOND, Call::Timeout))),
        ("B+F", "first", Some(Entry::new_call(Seat::SECOND, Call::Left))),
        ("Draw", "draw", Some(Entry::new_call(Seats::first_n(2), Call::AgreeDraw))),
    ] {
        let record = one("sgf", &format!("(;GM[2]RE[{said}];B[fe](;W[fd])(;W[ff]))"));
        assert_eq!(record.claimed.as_ref().map(|c| c.result.as_str()), Some(result), "{said}");
        assert_eq!(entries(&record).into_iter().nth(2), call, "{said}");
        comes_back("sgf", vec![record]);
    }
}

#[test]
fn faults_and_oddities_of_sgf_are_placed() {
    let fault = |text: &str| {
        let error = read("sgf", text).expect_err("unreadable");
        assert!(!error.message.is_empty() && error.expected.is_some(), "{error}");
        (error.at.line.expect("a line"), error.at.column.expect("a column"), error.found.unwrap())
    };
    let at = |line, column, found: &str| (line, column, found.to_string());
    assert_eq!(fault("(;GM[2]\n;B[fe];W[zz])"), at(2, 10, "zz"));
    assert_eq!(fault("(;GM[1];B[dd])"), at(1, 6, "1"));
    assert_eq!(fault("(GM[2])"), at(1, 2, "GM[2])"));
    assert_eq!(fault("(;GM[2](B[fe]))"), at(1, 9, "B[fe]))"));
    assert_eq!(fault("(;GM[2];B[fe]"), at(1, 14, "the end of the file"));
    assert_eq!(fault("(;GM[2];B[fe]AB[aa])"), at(1, 14, "AB"));
    assert_eq!(fault("(;GM[2]AB[aj])"), at(1, 11, "aj"));
    assert_eq!(fault("(;GM[2]SZ[9])"), at(1, 11, "9"));
    assert_eq!(fault("(;GM[2]RU[anti,size=6]SZ[10])"), at(1, 26, "10"));
    assert_eq!(fault("(;GM[2];B[fe][fd])"), at(1, 15, "fd"));
    assert_eq!(fault("game"), at(1, 1, "game"));
    let record = one("sgf", "(;SZ[8];B[fe]\nTR[fe])");
    let places: Vec<_> = record.warnings.iter().map(|w| (w.line, w.column)).collect();
    assert_eq!(places, [(2, 1), (1, 2)]);
    let deep = format!("(;GM[2]{}", "(;".repeat(20_000));
    assert_eq!(read("sgf", deep).expect_err("too deep").code, "too-long");
}

/// A base of one game: the shortest, won by Black 13-0, which counts 64-0.
fn base() -> Vec<u8> {
    let mut base = vec![20, 24, 5, 6, 1, 0, 0, 0, 0, 0];
    base.extend(2024u16.to_le_bytes());
    base.extend([8, 0, 24, 0]);
    base.extend([7, 0, 1, 1, 2, 0, 64, 40]);
    base.extend([65, 46, 35, 66, 57, 64, 75, 56, 53]);
    base.resize(16 + 68, 0);
    base
}

#[test]
fn wthor_is_read_and_written() {
    let records = read("wthor", base()).expect("readable");
    assert_eq!(moves(&records[0]), "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    let tag = |key| records[0].tag(key).expect("a tag");
    assert_eq!(
        [tag("event"), tag("first"), tag("second"), tag("date")],
        ["#7", "#257", "#2", "2024"]
    );
    let judged = (GAME.judge)(&records[0]).expect("judged");
    assert_eq!((judged.agrees, judged.score, judged.plies), (Some(true), Some((64, 0)), 9));
    let written = bytes("wthor", &records).expect("held");
    // Only the date of making and the spelling of the usual size differ.
    assert_eq!((&written[4..12], &written[13..]), (&base()[4..12], &base()[13..]));
    assert!((format("wthor").sniff)(&written) > 90);
    let mut two = records.clone();
    two.extend(records);
    comes_back("wthor", two);
}

#[test]
fn faults_of_wthor_are_placed_by_byte() {
    let fault = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut base = base();
        change(&mut base);
        let error = read("wthor", &base).expect_err("unreadable");
        assert!(error.found.is_some() && error.expected.is_some(), "{error}");
        error.at.column.expect("a column") - 1
    };
    assert_eq!(fault(&|base| base.truncate(10)), 10);
    assert_eq!(fault(&|base| base.truncate(80)), 80);
    assert_eq!(fault(&|base| base[7] = 255), 84);
    assert_eq!(fault(&|base| base[12] = 9), 12);
    assert_eq!(fault(&|base| base[22] = 65), 22);
    assert_eq!(fault(&|base| base[25] = 99), 25);
    assert_eq!(fault(&|base| base[26] = 0), 27);
    assert_eq!(read("wthor", [0; 16]).expect_err("no game").code, "empty");
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let branched = one("sgf", SGF);
    assert!(refusal("ggf", &branched).contains("variations"));
    assert!(refusal("wthor", &branched).contains("variations"));
    let left = one("sgf", "(;GM[2]RE[B+F];B[fe])");
    assert!(refusal("ggf", &left).contains("left"));
    let free = one("sgf", "(;GM[2]RU[reversi];B[ee])");
    assert!(refusal("ggf", &free).contains("variant"));
    let open = one("ggf", "(;GM[Othello]B[f5];)");
    assert!(refusal("wthor", &open).contains("not finished"));
    let resigned = one("ggf", GGF);
    assert!(refusal("wthor", &resigned).contains("given up"));
    let handicap = one("sgf", "(;GM[2]RU[handicap=2])");
    assert!(refusal("wthor", &handicap).contains("start"));
}

#[test]
fn results_go_from_one_format_to_another() {
    let resigned = one("ggf", GGF);
    assert!(text("sgf", std::slice::from_ref(&resigned)).contains("RE[W+R]"));
    let won = one("sgf", "(;GM[2]RE[B+4];B[fe])");
    assert!(text("ggf", std::slice::from_ref(&won)).contains("RE[+4.000]"));
    let base = read("wthor", base()).expect("readable");
    assert!(text("sgf", &base).contains("RE[B+64]"), "with the margin of its score");
    let transcript = read("transcript", "e6f4e3f6g5d6e7f5c5").expect("readable");
    assert!(text("ggf", &transcript).contains("RE[+64.000]"));
    assert_eq!(bytes("wthor", &transcript).expect("held")[22], 64);
}

#[test]
fn formats_are_told_apart() {
    let looks = |bytes: &[u8]| {
        let best = GAME.formats.iter().max_by_key(|format| (format.sniff)(bytes));
        best.expect("there are formats").id
    };
    assert_eq!(looks(GGF.as_bytes()), "ggf");
    assert_eq!(looks(format!("2 {GGF}{GGF}").as_bytes()), "ggf");
    assert_eq!(looks(SGF.as_bytes()), "sgf");
    assert_eq!(looks(&base()), "wthor");
    for id in IDS {
        assert_eq!((format(id).sniff)(b"f5d6c3d3c4"), 0);
    }
    assert_eq!((format("sgf").sniff)(b"(;GM[1]SZ[19];B[dd])"), 0);
}

#[test]
fn latin_1_is_read_where_a_file_is_no_utf_8() {
    let record = read("sgf", b"(;GM[2]PB[Andr\xe9])").expect("readable").remove(0);
    assert_eq!(record.tag("first"), Some("André"));
    comes_back("sgf", vec![record]);
}

#[test]
fn junk_is_refused_at_once_however_long() {
    for junk in [b"(;".as_slice(), b"(;GM[2]", b"(;)", b"(;A[]", b"[", b"\\", b"2 (;)(;)", b"\0"] {
        for bytes in [1_000_000, 100_000_000] {
            let junk = junk.repeat(bytes / junk.len());
            for id in IDS {
                assert!(read(id, &junk).is_err() || bytes < 10_000_000);
                let _ = (format(id).sniff)(&junk);
            }
        }
    }
}

/// A random game of at most this many plies, with a call at the end if it is not over by then.
fn random_game(variant: &str, seed: u64, plies: usize, call: Option<Entry>) -> Record {
    let mut random = kiban_testkit::Random::new(seed);
    let mut game = common::guided(variant, None);
    while game.ending().is_none() && game.log().len() < plies {
        let texts = common::choices(&*game);
        common::put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
    }
    if let Some(call) = call.filter(|_| game.ending().is_none()) {
        game.put(&call).expect("it can be said");
    }
    game.record(Viewer::Referee)
}

fn any_call() -> impl Strategy<Value = Option<Entry>> {
    let seat = prop::sample::select(vec![Seat::FIRST, Seat::SECOND]);
    prop_oneof![
        Just(None),
        Just(Some(Entry::new_call(Seats::first_n(2), Call::AgreeDraw))),
        seat.prop_flat_map(|seat| {
            prop::sample::select(vec![Call::Resign, Call::Timeout])
                .prop_map(move |call| Some(Entry::new_call(seat, call)))
        }),
    ]
}

/// Whatever is read without an error must be written so that it reads the same.
fn stays_itself(id: &str, bytes: &[u8]) {
    let _ = (format(id).sniff)(bytes);
    match read(id, bytes) {
        Ok(records) => {
            records.iter().for_each(|record| drop((GAME.judge)(record)));
            comes_back(id, records);
        }
        Err(error) => assert!(error.at.line.is_some() && error.at.column.is_some(), "{error}"),
    }
}

proptest! {
    #[test]
    fn games_come_back(
        variant in prop::sample::select(vec!["", "anti", "size=6", "size=10", "handicap=2", "reversi"]),
        seed in any::<u64>(),
        plies in 0usize..80,
        call in any_call(),
    ) {
        let record = random_game(variant, seed, plies, call);
        for id in ["ggf", "sgf"] {
            if id == "ggf" && variant == "reversi" {
                continue;
            }
            let back = one(id, &text(id, std::slice::from_ref(&record)));
            prop_assert_eq!(entries(&back), entries(&record));
            prop_assert_eq!(&back.start, &record.start);
            let judged = |record| (GAME.judge)(record).expect("judged");
            let (ours, theirs) = (judged(&record), judged(&back));
            prop_assert_eq!(ours.outcome, theirs.outcome);
            prop_assert_eq!(theirs.agrees, ours.outcome.map(|_| true));
            comes_back(id, vec![back]);
        }
    }

    #[test]
    fn finished_games_come_back_from_wthor(seed in any::<u64>()) {
        let record = random_game("", seed, 1000, None);
        let back = read("wthor", bytes("wthor", std::slice::from_ref(&record)).expect("held"));
        let back = back.expect("readable");
        let without_passes = |record: &Record| {
            let mut entries = entries(record);
            entries.retain(|entry| entry.act != Act::Move("pass".to_string()));
            entries
        };
        prop_assert_eq!(without_passes(&back[0]), without_passes(&record));
        prop_assert_eq!((GAME.judge)(&back[0]).expect("judged").agrees, Some(true));
        comes_back("wthor", back);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        IDS.into_iter().for_each(|id| stays_itself(id, &bytes));
    }

    #[test]
    fn no_mutation_panics(
        which in 0..3usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let mut bytes = [GGF.as_bytes().to_vec(), SGF.as_bytes().to_vec(), base()][which].clone();
        for (index, byte, how) in changes {
            let at = index.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        IDS.into_iter().for_each(|id| stays_itself(id, &bytes));
    }

    #[test]
    fn no_likely_text_panics(
        ggf in r"(\(;GM\[Othello\]((B|W|C|RE|TY|BO|KM|PB|XY)\[([a-h][1-8]|PA|8|8a|\+4:r|0:s|eval 3|/1|//2|\n|\\\\| )*\])*;\)){1,3}",
        sgf in r"\(;GM\[2\]((RE|RU|SZ|PL|AB|AW|AE|XY|C)\[(aa:cc|ed|B\+R|0|Draw|6|anti|W|)\]){0,4}(;|;?(B|W|C)\[([a-h][a-h]|tt|\n|\\\\|x)?\]|\(;\)){0,8}\)",
    ) {
        stays_itself("ggf", ggf.as_bytes());
        stays_itself("sgf", sgf.as_bytes());
    }
}
