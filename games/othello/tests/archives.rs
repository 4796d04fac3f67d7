//! Archives: what is read record by record, what lies beside a base, and records that go from
//! format to format.

mod common;

use kiban_core::{Act, Entry, Format, ReadError, Record, Seat, Source, Viewer, Warning};
use kiban_othello::GAME;
use proptest::prelude::*;
use std::ops::ControlFlow;

fn format(id: &str) -> &'static Format {
    GAME.format(id).expect("a listed format")
}

/// Everything a stream gives.
fn stream(id: &str, bytes: impl AsRef<[u8]>) -> Vec<Result<Record, ReadError>> {
    let mut all = Vec::new();
    let source = Source { bytes: bytes.as_ref(), variant: None };
    format(id).stream.expect("it is read record by record")(source, &mut |read| {
        all.push(read);
        ControlFlow::Continue(())
    });
    all
}

fn read(id: &str, bytes: impl AsRef<[u8]>) -> Vec<Record> {
    let source = Source { bytes: bytes.as_ref(), variant: None };
    format(id).read.expect("it is read")(source).expect("readable")
}

fn write(id: &str, records: &[Record]) -> Vec<u8> {
    format(id).write.expect("it is written")(records).expect("held")
}

fn moves(record: &Record) -> String {
    record.moves().collect::<Vec<_>>().join(" ")
}

/// What each gives in short: its moves, or where its error stands.
fn told(all: &[Result<Record, ReadError>]) -> Vec<String> {
    let one = |read: &Result<Record, ReadError>| match read {
        Ok(record) => moves(record),
        Err(e) => format!("{}:{}", e.at.line.expect("a line"), e.at.column.expect("a column")),
    };
    all.iter().map(one).collect()
}

#[test]
fn a_bad_record_costs_no_other() {
    let text = "f5d6c3d3\nf5f6e6f4\nf5d6z9\nc4c3\nc4e3f6\n";
    assert_eq!(
        told(&stream("transcript", text)),
        ["f5 d6 c3 d3", "f5 f6 e6 f4", "3:5", "c4 c3", "c4 e3 f6"]
    );
    // A line that goes on with the bad game goes with it, up to the next game or a blank line.
    let text = "f5d6c3\nz9\nf6c4\n\nd3c5d6\n";
    assert_eq!(told(&stream("transcript", text)), ["2:1", "d3 c5 d6"]);
    let game = |m: &str| format!("(;GM[Othello]TY[8]B[{m}];)");
    let text = format!("{}\n{}\n1 {}\n", game("f5"), game("x9"), game("d3"));
    assert_eq!(told(&stream("ggf", text)), ["f5", "2:21", "d3"]);
    let text = "(;GM[2];B[fe])\n(;GM[2];B[zz]\n;W[fd])\n(;GM[2];B[dc])\n";
    assert_eq!(told(&stream("sgf", text)), ["f5", "2:11", "d3"]);
    let board = "---------------------------OX------XO--------------------------- X;";
    let text = format!("{board}\n{board} f5:x;\n{board} f5:+0;\n");
    assert_eq!(told(&stream("obf", text)), ["", "2:69", ""]);
}

#[test]
fn a_problems_value_that_is_no_result_is_left_out() {
    let board = "---------------------------OX------XO--------------------------- X;";
    let record = &read("obf", format!("{board} F5:+0; --:-127;\n"))[0];
    assert_eq!(record.nodes[0].comment, "f5:+0;");
    assert_eq!((record.warnings.len(), record.warnings[0].column), (1, 76));
}

#[test]
fn whoever_has_enough_is_given_no_more() {
    let mut taken = 0;
    let text = "f5d6c3\n\n".repeat(1000);
    let source = Source { bytes: text.as_bytes(), variant: None };
    format("transcript").stream.expect("a stream")(source, &mut |_| {
        taken += 1;
        if taken < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(taken, 3);
}

#[test]
fn transcripts_may_number_their_moves() {
    let records = read("transcript", "1. F5 d6 2. c3 D3\n3.c4\n");
    assert_eq!((records.len(), moves(&records[0]).as_str()), (1, "f5 d6 c3 d3 c4"));
    let told: Vec<_> = records[0].warnings.iter().map(|w| (w.line, w.column)).collect();
    assert_eq!(told, [(1, 1)]);
}

#[test]
fn short_games_in_a_transcript_stay_apart() {
    // Each of these lines fits behind the one above it.
    let games = ["f5 d6", "c4", "a1 f5 d6", "e6 f4", "f5 d6 c3 d3 c4"];
    let record = |text: &&str| {
        let entries: Vec<_> = text.split(' ').map(|m| Entry::new_move(Seat::FIRST, m)).collect();
        Record::of_line("othello", "othello", "", &entries)
    };
    let records: Vec<_> = games.iter().map(record).collect();
    let again: Vec<_> =
        read("transcript", write("transcript", &records)).iter().map(moves).collect();
    assert_eq!(again, games);
}

#[test]
fn ggf_types_have_flags_before_and_behind_the_size() {
    for (kind, variant) in
        [("s8kr20", "othello"), ("8b", "othello"), ("a10", "anti,size=10"), ("6ar4", "anti,size=6")]
    {
        let record = &read("ggf", format!("(;GM[Othello]TY[{kind}]RE[?];)"))[0];
        assert_eq!(record.variant, variant, "{kind}");
        let written = String::from_utf8(write("ggf", std::slice::from_ref(record)));
        assert!(written.expect("text").contains(&format!("TY[{kind}]")));
    }
    let all = stream("ggf", "(;GM[Othello]TY[r20];)");
    assert_eq!(told(&all), ["1:18"], "a number of random discs is no size");
    for kind in ["", "komi", "88"] {
        assert!(stream("ggf", format!("(;GM[Othello]TY[{kind}];)"))[0].is_err(), "{kind}");
    }
}

#[test]
fn ggf_times_passes_and_adjourned_games() {
    let text = "(;GM[Othello]RE[-12.00:l]B[f5/0.5/1:02.5]W[PA//3.1]B[--//4]W[pass/1];)";
    let record = &read("ggf", text)[0];
    assert_eq!(moves(record), "f5 pass pass pass");
    let times: Vec<_> = record.main_line().map(|node| node.spent_ms).collect();
    assert_eq!(times, [Some(62_500), Some(3100), Some(4000), None]);
    // An adjourned game has no result yet.
    assert_eq!(record.claimed.as_ref().map(|c| c.result.as_str()), Some("none"));
}

/// A base of this size with these rows of moves, the score of each 0 for Black.
fn base(size: u8, rows: &[&[u8]], tail: &[u8]) -> Vec<u8> {
    let count = u32::try_from(rows.len()).expect("few");
    let mut base = vec![20, 24, 5, 6];
    base.extend(count.to_le_bytes());
    base.extend([0, 0, 0, 0, size, 0, 22, 0]);
    let moves = if size == 10 { 96 } else { 60 };
    for row in rows {
        let end = base.len() + 8 + moves;
        base.extend([1, 0, 2, 0, 3, 0, 0, 0]);
        base.extend(*row);
        base.resize(end, 0);
    }
    base.extend(tail);
    base
}

#[test]
fn wthor_of_ten_squares_a_side() {
    // Files and ranks count from 1; a rank is worth 12. g6 opens, j10 is the last square.
    let bytes = base(10, &[&[12 * 6 + 7, 12 * 7 + 5, 12 * 10 + 10]], &[]);
    assert_eq!(bytes.len(), 16 + 104);
    assert!((format("wthor").sniff)(&bytes) > 90);
    let records = read("wthor", &bytes);
    assert_eq!(records[0].variant, "othello,size=10");
    assert_eq!(moves(&records[0]), "g6 e7 j10");
    assert_eq!(write("wthor", &records)[16..], bytes[16..]);
    assert_eq!(told(&stream("wthor", base(10, &[&[11]], &[]))), ["1:25"], "a rank 0");
}

#[test]
fn wthor_rows_filled_up_by_edax() {
    let mut bytes = base(8, &[&[65]], &[]);
    let plain = read("wthor", &bytes);
    bytes[16 + 8 + 1..].fill(92);
    let filled = read("wthor", &bytes);
    assert_eq!((filled[0].warnings.len(), filled[0].warnings[0].column), (1, 16 + 8 + 2));
    assert_eq!(filled[0].moves().collect::<Vec<_>>(), plain[0].moves().collect::<Vec<_>>());
    // Anything else behind it is damage.
    *bytes.last_mut().expect("a row") = 0;
    assert_eq!(told(&stream("wthor", &bytes)), ["1:26"]);
}

#[test]
fn wthor_heads_of_every_kind() {
    for (place, value, found) in
        [(13, 1, "solitaires"), (13, 7, "7"), (12, 9, "a board of 9"), (8, 3, "")]
    {
        let mut bytes = base(8, &[&[65]], &[]);
        bytes[place] = value;
        let all = stream("wthor", &bytes);
        match &all[0] {
            Err(e) => assert!(e.message.contains(found) && !found.is_empty(), "{e}"),
            // The number of names means nothing in a base of games.
            Ok(_) => assert_eq!((place, all.len()), (8, 1)),
        }
    }
    let mut names = vec![0; 16 + 2 * 20];
    names[8] = 2;
    assert!(stream("wthor", names)[0].as_ref().is_err_and(|e| e.message.contains("2 names")));
    // Bytes behind the games are forgiven, a base that ends early gives what it has.
    let more = stream("wthor", base(8, &[&[65], &[56]], &[1, 2, 3]));
    let warnings = |read: &Result<Record, ReadError>| {
        read.as_ref().expect("readable").warnings.iter().map(|w| w.column).collect::<Vec<_>>()
    };
    assert_eq!((warnings(&more[0]), warnings(&more[1])), (vec![16 + 2 * 68 + 1], vec![]));
    let mut less = base(8, &[&[65], &[56]], &[]);
    less.truncate(16 + 68 + 20);
    assert_eq!(told(&stream("wthor", less)), ["e6", "1:105"]);
}

#[test]
fn a_score_that_is_not_the_boards_is_told() {
    let shortest = [65, 46, 35, 66, 57, 64, 75, 56, 53];
    let record = &read("wthor", base(8, &[&shortest], &[]))[0];
    let Warning { line, column, text } = &record.warnings[0];
    assert_eq!((*line, *column), (1, 23));
    assert_eq!(text, "The base says 0 for Black; the board says 64:0.");
}

/// A name file: rows of this length.
fn list(row: usize, names: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![0; 16];
    bytes[8] = u8::try_from(names.len()).expect("few");
    for name in names {
        let end = bytes.len() + row;
        bytes.extend(*name);
        bytes.resize(end, 0);
    }
    bytes
}

#[test]
fn names_lie_beside_a_base() {
    let beside = format("wthor").beside.expect("name files");
    assert_eq!(beside.extensions, ["jou", "trn"]);
    let players = list(20, &[b"???", b"Cup", b"Andr\xe9", b""]);
    let complete = |jou: Option<Vec<u8>>, trn: Option<Vec<u8>>| {
        let mut record = read("wthor", base(8, &[&[65]], &[])).remove(0);
        let content = |bytes: Vec<u8>| Ok(bytes.into());
        (beside.complete)(&mut record, &[jou.map(content), trn.map(content)]);
        record
    };
    let events = list(26, &[b"?", b"A cup of twenty-five chars"]);
    let record = complete(Some(players.clone()), Some(events));
    let tags: Vec<_> = record.tags.iter().map(|(k, v)| format!("{k}={v}")).collect();
    // The third player has no name, and keeps the number.
    assert_eq!(tags, ["event=A cup of twenty-five chars", "first=André", "second=#3"]);
    let damaged = complete(Some(players[1..].to_vec()), None);
    assert_eq!(damaged.tag("first"), Some("#2"));
    assert!(damaged.warnings[0].text.contains(".jou file is damaged"));
}

proptest! {
    #[test]
    fn names_come_back_from_the_files_beside(
        names in prop::collection::vec(
            (prop::option::of("[A-Za-zéü][ -~é]{0,17}[a-z]|#[1-9][0-9]{0,3}"),
             prop::option::of("[A-Z][a-zé ]{0,22}[a-z]")),
            1..8,
        ),
    ) {
        let record = |(player, event): &(Option<String>, Option<String>)| {
            let mut record = read("transcript", "e6f4e3f6g5d6e7f5c5").remove(0);
            let tags = [("second", player), ("event", event)];
            for (key, value) in tags {
                record.tags.extend(value.as_ref().map(|v| (key.to_string(), v.clone())));
            }
            record
        };
        let records: Vec<_> = names.iter().map(record).collect();
        let beside = format("wthor").beside.expect("name files");
        let contents: Vec<_> = (beside.write)(&records).expect("held");
        let contents: Vec<_> = contents
            .into_iter()
            .map(|c| (!c.is_empty()).then(|| Ok(c.into())))
            .collect();
        let mut again = read("wthor", write("wthor", &records));
        for (record, before) in again.iter_mut().zip(&records) {
            (beside.complete)(record, &contents);
            prop_assert_eq!(&record.warnings, &[]);
            for key in ["first", "second", "event"] {
                prop_assert_eq!(record.tag(key), before.tag(key));
            }
        }
    }

    #[test]
    fn games_go_from_any_format_to_any(
        size in prop::sample::select(vec!["8", "10"]),
        seed in any::<u64>(),
        order in Just(["transcript", "ggf", "sgf", "wthor"]).prop_shuffle(),
    ) {
        let mut random = kiban_testkit::Random::new(seed);
        let mut game = common::guided(&format!("size={size}"), None);
        while game.ending().is_none() {
            let texts = common::choices(&*game);
            common::put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
        }
        let first = game.record(Viewer::Referee);
        let judged = (GAME.judge)(&first).expect("judged");
        let mut records = vec![first];
        for id in order {
            let bytes = write(id, &records);
            // A transcript alone does not tell its variant.
            let variant = Some(records[0].variant.clone());
            let source = Source { bytes: &bytes, variant: variant.as_deref() };
            records = format(id).read.expect("it is read")(source).expect("what was written");
            prop_assert_eq!(records.len(), 1);
            let again = (GAME.judge)(&records[0]).expect("judged");
            prop_assert_eq!((again.plies, &again.last), (judged.plies, &judged.last), "{}", id);
            prop_assert_eq!((again.outcome, again.score), (judged.outcome, judged.score));
            prop_assert!(again.agrees != Some(false) && again.warnings.is_empty());
        }
    }

    #[test]
    fn transcripts_come_back_with_all_their_games(
        games in prop::collection::vec((any::<u64>(), 1usize..70), 1..6),
    ) {
        let played = |(seed, plies): &(u64, usize)| {
            let mut random = kiban_testkit::Random::new(*seed);
            let mut game = common::guided("", None);
            while game.ending().is_none() && game.log().len() < *plies {
                let texts = common::choices(&*game);
                common::put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
            }
            game.record(Viewer::Referee)
        };
        let records: Vec<_> = games.iter().map(played).collect();
        let again = read("transcript", write("transcript", &records));
        let placed = |record: &Record| {
            let mut entries: Vec<Entry> = record.entries().cloned().collect();
            entries.retain(|entry| entry.act != Act::Move("pass".to_string()));
            entries
        };
        let both = |records: &[Record]| records.iter().map(placed).collect::<Vec<_>>();
        prop_assert_eq!(both(&again), both(&records));
    }

    #[test]
    fn problems_come_back(
        squares in prop::collection::vec(prop::sample::select(vec!['X', 'O', '-']), 64),
        side in prop::sample::select(vec!["X", "O"]),
        results in prop::collection::vec(("[a-h][1-8]|pass", prop::option::of(-64i32..65)), 0..9),
        words in prop::option::of("[a-z0-9 +:;]{0,12}[a-z]"),
    ) {
        let results: Vec<_> = results.iter().map(|(m, points)| match points {
            Some(points) => format!("{m}:{points:+};"),
            None => format!("{m};"),
        }).collect();
        let board: String = squares.into_iter().collect();
        let words = words.map_or(String::new(), |words| format!(" % {words}"));
        let text = format!("{board} {side}; {}{words}\n", results.join(" "));
        let records = read("obf", &text);
        let written = write("obf", &records);
        prop_assert_eq!(read("obf", &written), records, "{}", String::from_utf8_lossy(&written));
    }
}

#[test]
fn contents_written_one_after_the_other_are_one_file() {
    for (id, texts) in [
        ("transcript", vec!["f5d6", "d3", "c4e3f6"]),
        ("ggf", vec!["(;GM[Othello]TY[8]B[f5];)", "(;GM[Othello]TY[6]B[d2];)"]),
        ("sgf", vec!["(;GM[2];B[fe])", "(;GM[2];B[dc])"]),
        ("obf", vec!["---------------------------OX------XO--------------------------- X;"]),
    ] {
        let part =
            |text: &&str| String::from_utf8(write(id, &read(id, text))).expect("they are texts");
        let parts: Vec<_> = texts.iter().chain(&texts).map(part).collect();
        let joined = read(id, parts.join(format(id).joint.expect("they can be joined")));
        let apart: Vec<_> = texts.iter().chain(&texts).flat_map(|text| read(id, text)).collect();
        let all = |records: &[Record]| records.iter().map(moves).collect::<Vec<_>>();
        assert_eq!(all(&joined), all(&apart), "{id}");
    }
}

/// A game that breaks off, of which a base knows the score alone.
#[test]
fn a_score_without_an_end_is_a_result_in_ggf_and_sgf() {
    let bytes = base(8, &[&[65, 64]], &[]);
    let mut record = read("wthor", bytes).remove(0);
    let score = |first: i64| format!("{first}-{}", 64 - first);
    for (first, ggf, sgf, result) in [
        (12, "RE[-40.000]", "RE[W+40]", "second"),
        (32, "RE[0.000]", "RE[0]", "draw"),
        (33, "RE[+2.000]", "RE[B+2]", "first"),
    ] {
        let claim = record.claimed.as_mut().expect("a base has scores");
        (claim.result, claim.text) = (result.to_string(), score(first));
        for (id, said) in [("ggf", ggf), ("sgf", sgf)] {
            let written = String::from_utf8(write(id, &[record.clone()])).expect("a text");
            assert!(written.contains(said), "{written}");
            let back = read(id, &written);
            assert_eq!(back[0].claimed.as_ref().map(|c| c.result.as_str()), Some(result));
            // The score goes back into a base.
            let again = read("wthor", write("wthor", &back));
            assert_eq!(again[0].claimed.as_ref().map(|c| c.text.clone()), Some(score(first)));
        }
    }
}

#[test]
fn a_komi_that_contradicts_the_board_is_told() {
    let board = "BO[4 **** **OO **OO **OO *]";
    for (result, odd) in
        [("+7.13", false), ("+7.00", false), ("+4.00", true), ("-2.00", true), ("+16.000:r", false)]
    {
        let text = format!("(;GM[Othello]TY[4]RE[{result}]KM[-3.133]{board};)");
        let record = read("ggf", &text).remove(0);
        assert_eq!(!record.warnings.is_empty(), odd, "{result}: {:?}", record.warnings);
        let back = read("ggf", write("ggf", std::slice::from_ref(&record))).remove(0);
        assert_eq!((&back.unknown, &back.claimed), (&record.unknown, &record.claimed));
    }
    let told = read("ggf", format!("(;GM[Othello]TY[4]RE[+4]KM[-3]{board};)")).remove(0);
    let said = "The result +4 with a komi of -3 says +1 discs for Black; the board says +4.";
    assert_eq!(told.warnings[0].text, said);
}

/// A file of solitaires as its format's description has it.
fn solitaires(rows: &[[u8; 36]]) -> Vec<u8> {
    let count = u32::try_from(rows.len()).expect("few");
    let mut bytes = vec![20, 24, 5, 6];
    bytes.extend(count.to_le_bytes());
    bytes.extend([8, 0, 0, 0, 8, 1, 0, 0]);
    bytes.resize(16 + 512, 0);
    rows.iter().for_each(|row| bytes.extend(row));
    bytes
}

#[test]
fn a_file_of_solitaires_is_read_as_positions_with_their_solutions() {
    // X on a1 to d1, O on e1, X on f1; g1 and h1 are empty, and so is all else but O on h8.
    let mut row = [0; 36];
    (row[0], row[1]) = (0xd0, 7); // 2000
    (row[2], row[4], row[8]) = (3, 1, 2);
    (row[12], row[13], row[27]) = (0b1111_1111, 0b1011_0000, 0b0000_0010);
    (row[28], row[29], row[30], row[31]) = (57, 2, 0xfe, 17);
    (row[32], row[33]) = (30, 56);
    let bytes = solitaires(&[row, [0; 36]]);
    assert!((format("pzz").sniff)(&bytes) > 90 && (format("wthor").sniff)(&bytes) == 0);
    let all = stream("pzz", &bytes);
    assert_eq!(told(&all[1..]), [format!("1:{}", 16 + 512 + 36 + 29 + 1)], "nobody is to move");
    let record = all[0].as_ref().expect("readable");
    assert_eq!(record.start, format!("XXXXOX--{}O O", "-".repeat(55)));
    assert_eq!(record.nodes[0].comment, "g1:-2;");
    let tag = |key| record.tag(key).unwrap_or_default();
    assert_eq!(
        [tag("event"), tag("first"), tag("second"), tag("date")],
        ["#3", "#1", "#2", "2000"]
    );
    let other = |key: &str, value: &str| (key.to_string(), value.to_string());
    assert_eq!(record.unknown, [other("THORSCORE", "30"), other("THORMOVE", "f5")]);
    // As a problem file they can be solved.
    let obf = String::from_utf8(write("obf", std::slice::from_ref(record))).expect("a text");
    assert!(obf.ends_with("O O; g1:-2;\n"), "{obf}");
    // Cassio writes a shorter table.
    let shorter = [&bytes[..16 + 256], &bytes[16 + 512..]].concat();
    assert!((format("pzz").sniff)(&shorter) > 90);
    let shorter = stream("pzz", &shorter);
    assert_eq!(shorter[0].as_ref().expect("readable").start, record.start);
    assert_eq!(told(&shorter[1..]), [format!("1:{}", 16 + 256 + 36 + 29 + 1)]);
    // Cut short, or of another kind.
    assert!(
        stream("pzz", &bytes[..590])[0].as_ref().is_err_and(|e| e.message.contains("2 positions"))
    );
    assert!(stream("pzz", base(8, &[&[65]], &[]))[0].is_err());
    let told = stream("wthor", &bytes);
    assert!(told[0].as_ref().is_err_and(|e| e.message.contains("name its format, pzz")));
}
