//! What archives hold: every feature that records of the community have, in a table of small files
//! of our own, and the formats BOD and USEN.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

mod records;

use kiban_core::{Act, Call, Claimed, Entry, Node, Record, Seat, Source};
use kiban_shogi::GAME;
use kiban_shogi::sfen::START_SFEN;
use records::*;
use std::ops::ControlFlow;

/// What a row expects of a record.
struct Row {
    what: &'static str,
    format: &'static str,
    text: &'static str,
    /// How the start's text begins.
    start: &'static str,
    moves: &'static str,
    result: Option<&'static str>,
    /// Places of what is forgiven.
    odd: &'static [(usize, usize)],
}

/// The board of an even game.
const EVEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row { what: "time and comment in the line of the move", format: "csa",
        text: "V2.2\nPI\n+\n+7776FU  ,T12  ,'book, T0\n-3334FU,T1\n%TORYO,'* over\n",
        start: EVEN, moves: "7g7f 3c3d", result: Some("second"), odd: &[] },
    Row { what: "everything in one line", format: "csa",
        text: "PI82HI22KA,-,-5142OU,T3,+7776FU,%CHUDAN\n",
        start: "lnsgkgsnl/9/ppppppppp/", moves: "5a4b 7g7f", result: Some("none"), odd: &[] },
    Row { what: "a header behind the moves", format: "csa",
        text: "V2.2\nPI\n+\n+7776FU\n%TORYO\n$END_TIME:2026/11/30 12:00:00\n",
        start: EVEN, moves: "7g7f", result: Some("first"), odd: &[(6, 1)] },
    Row { what: "marks behind the ninth square", format: "csa",
        text: "P1 *  *  *  * -OU *  *  *  *.\nP9 *  *  *  * +OU *  *  *  * \nP+00KI\n+\n+0052KI\n",
        start: "4k4/9/9/9/9/9/9/9/4K4 b G 1", moves: "G*5b", result: None, odd: &[(1, 29)] },
    Row { what: "squares without their blanks", format: "csa",
        text: "P1 * * * * -OU * * * *\nP9 * * * * +OU * * * *\n+\n+5958OU\n",
        start: "4k4/9/9/9/9/9/9/9/4K4 b - 1", moves: "5i5h", result: None, odd: &[(1, 6)] },
    Row { what: "keys of other programs", format: "jkf",
        text: "{\"header\": {}, \"version\": 2, \"moves\": [{},\n {\"special\": \"TORYO\", \"eval\": {\"x\": 1}}]}",
        start: EVEN, moves: "", result: Some("second"), odd: &[] },
    Row { what: "nobody says who begins", format: "csa", text: "PI\n+7776FU\n",
        start: EVEN, moves: "7g7f", result: None, odd: &[(2, 1)] },
    Row { what: "milliseconds of version 3", format: "csa",
        text: "'CSA encoding=UTF-8\nV3.0\n$JISHOGI:27\nPI\n+\n+7776FU\nT0.123\n%+ILLEGAL_ACTION\n",
        start: EVEN, moves: "7g7f", result: Some("second"), odd: &[] },
    Row { what: "a piece by piece start", format: "csa",
        text: "P-11OU21KE\nP+55UM00KI00FU\nP-00AL\n-\n-2133KE\n",
        start: "7nk/9/9/9/4+B4/9/9/9/9 w GP2rb3g4s3n4l17p 1", moves: "2a3c", result: None, odd: &[] },
    Row { what: "a move behind a diagram taken up by 同", format: "kif",
        text: "後手の持駒：なし\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
            | ・ ・ ・ ・ 歩 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
            | ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n先手の持駒：なし\n後手番\n手数＝31  ▲５二金  まで\n32 同玉(51)\n",
        start: "4k4/9/4P4/9/9/9/9/9/4K4 w - 32", moves: "5a5b", result: None, odd: &[] },
    Row { what: "同 with and without a blank", format: "kif",
        text: "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同銀(31)\n5 ３三角打\n6 同　桂(21)\n",
        start: EVEN, moves: "7g7f 3c3d 8h2b+ 3a2b B*3c 2a3c", result: None, odd: &[] },
    Row { what: "numbers that begin later", format: "kif",
        text: "手合割：平手\n手数----指手---------消費時間--\n  41 ７六歩(77)\n  42 中断\n",
        start: EVEN, moves: "7g7f", result: Some("none"), odd: &[] },
    Row { what: "a sealed move", format: "kif",
        text: "手合割：平手\n1 ７六歩(77)\n2 封じ手 ( 0:10/00:00:10)\n",
        start: EVEN, moves: "7g7f", result: Some("none"), odd: &[] },
    Row { what: "an ending in English", format: "kif",
        text: "手合割：平手\n1 ７六歩(77)\n2  Time-up   ( 0:0/)\n",
        start: EVEN, moves: "7g7f", result: Some("first"), odd: &[] },
    Row { what: "a foul by its short word", format: "kif",
        text: "手合割：平手\n1 ７六歩(77)\n2 反則手\n",
        start: EVEN, moves: "7g7f", result: Some("first"), odd: &[] },
    Row { what: "a repetition that is a foul", format: "ki2",
        text: "手合割：平手\n▲７六歩\nまで1手で連続王手の千日手により先手の勝ち\n",
        start: EVEN, moves: "7g7f", result: Some("first"), odd: &[] },
    Row { what: "a side that begins second", format: "ki2",
        text: "手合割：二枚落ち\n下手：甲\n上手：乙\n△６二銀 ▲７六歩\n",
        start: "lnsgkgsnl/9/ppppppppp/", moves: "7a6b 7g7f", result: None, odd: &[] },
    Row { what: "how other programs end a USI line", format: "usi",
        text: "position startpos moves 7g7f break\n",
        start: EVEN, moves: "7g7f", result: Some("none"), odd: &[] },
    Row { what: "a repetition in a USI line", format: "usi",
        text: "position startpos moves 7g7f rep_draw\n",
        start: EVEN, moves: "7g7f", result: Some("replay"), odd: &[] },
    Row { what: "keys of other programs at every level of a JKF record", format: "jkf",
        text: "{\"header\":{\"any\":\"header\"},\"app\":1,\"moves\":[{\"id\":2},\n\
            {\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6,\"z\":1},\n\
            \"piece\":\"FU\",\"eval\":30},\"time\":{\"now\":{\"m\":0,\"s\":1,\"ms\":5}}}]}\n",
        start: EVEN, moves: "7g7f", result: None,
        odd: &[] },
];

#[test]
fn what_archives_hold() {
    for row in ROWS {
        let record = read(row.format, row.text);
        assert!(record.start.starts_with(row.start), "{}", row.what);
        assert_eq!(moves(&record).join(" "), row.moves, "{}", row.what);
        let result = record.claimed.as_ref().map(|claimed| claimed.result.as_str());
        assert_eq!(result, row.result, "{}", row.what);
        let odd: Vec<_> = record.warnings.iter().map(|w| (w.line, w.column)).collect();
        assert_eq!(odd, row.odd, "{}: {:?}", row.what, record.warnings);
        survives(row.format, &record);
    }
}

#[test]
fn comments_in_a_line_are_kept() {
    let record = read("csa", ROWS[0].text);
    let main: Vec<&Node> = record.main_line().collect();
    assert_eq!((main[0].spent_ms, main[0].comment.as_str()), (Some(12_000), "book, T0"));
    assert_eq!(main[2].comment, " over");
    let late = read("csa", ROWS[2].text);
    assert_eq!(late.tag("ended"), Some("2026/11/30 12:00:00"));
}

/// A record of one line from the even start.
fn line(moves: &str) -> Record {
    let mut record = Record::new("shogi", "shogi", START_SFEN);
    let mut at = 0;
    for (i, text) in moves.split_whitespace().enumerate() {
        let seat = if i % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
        let entry = Some(Entry::new_move(seat, text));
        at = record.add(at, Node { entry, ..Node::default() });
    }
    record
}

fn claimed(record: &mut Record, result: &str, reason: &str) {
    let (result, reason) = (result.to_string(), Some(reason.to_string()));
    record.claimed = Some(Claimed { result, reason, text: String::new() });
}

/// What the rules call by a name that records have not is told by the nearest word.
#[test]
fn claims_of_rules_that_records_do_not_know() {
    let mut perpetual = line("7g7f 3c3d 2g2f");
    claimed(&mut perpetual, "first", "perpetual-check");
    for (id, word) in [("kif", "反則負け"), ("ki2", "反則負け"), ("jkf", "ILLEGAL_MOVE")] {
        let text = write(id, &perpetual);
        assert!(text.contains(word), "{text}");
        assert_eq!(claim(&read(id, &text)).0, "first");
    }
    assert!(write("csa", &perpetual).contains("%ILLEGAL_MOVE"));
    let summary = "手合割：平手\n1 ７六歩(77)\nまで1手で連続王手の千日手により後手の反則負け\n";
    let record = read("kif", summary);
    assert_eq!((claim(&record).0, claim(&record).1), ("first", Some("perpetual-check")));
    let mut reached = line("7g7f");
    reached.variant = "shogi,impasse=try".to_string();
    claimed(&mut reached, "first", "try");
    for id in ["kif", "ki2", "jkf"] {
        let back = read(id, &write(id, &reached));
        assert_eq!((claim(&back).0, claim(&back).1), ("first", Some("try")), "{id}");
        survives(id, &back);
    }
    assert!(try_write("csa", &[reached]).unwrap_err().message.contains("the ending"));
}

const BOD: &str = "\
後手の持駒：飛二　歩三　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香 ・ ・ ・v玉 ・ ・v桂 ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ と ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ 馬 ・ ・v全 ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金四　銀　
後手番
手数＝57  ▲５三と  まで
";
const BOD_SFEN: &str = "l3k2n1/9/4+P4/9/2+B2+s3/9/9/9/4K4 w 4GS2r3p 58";

#[test]
fn diagrams() {
    let best =
        |text: &str| GAME.formats.iter().max_by_key(|f| (f.sniff)(text.as_bytes())).unwrap().id;
    assert_eq!(
        (best(BOD), best(&format!("{BOD}58 ５三玉(51)\n")), best(DIAGRAM)),
        ("bod", "kif", "kif")
    );
    let record = read("bod", BOD);
    assert_eq!((record.start.as_str(), record.nodes.len()), (BOD_SFEN, 1));
    assert_eq!(record.warnings, []);
    survives("bod", &record);
    let written = write("bod", &record);
    let position = |text: &str| text.replace("▲５三と  ", "");
    assert_eq!(position(&written), position(BOD), "the whole diagram");
    // Headers stand above it; the same diagram begins a record.
    let titled = read("bod", &format!("作品名：朝\n作者：甲\n{BOD}"));
    assert_eq!((titled.tag("title"), titled.tag("author")), (Some("朝"), Some("甲")));
    survives("bod", &titled);
    survives("kif", &titled);
    let even = Record::new("shogi", "shogi", START_SFEN);
    assert!(write("bod", &even).contains("手数＝0"));
    survives("bod", &read("bod", &write("bod", &even)));
}

/// Records without moves follow each other, too.
#[test]
fn several_positions() {
    let (even, diagram) = (Record::new("shogi", "shogi", START_SFEN), read("bod", BOD));
    let mut titled = diagram.clone();
    titled.tags.push(("title".to_string(), "朝".to_string()));
    titled.nodes[0].comment = "図".to_string();
    for id in ["kif", "ki2", "bod", "jkf", "csa", "usi"] {
        let records = [diagram.clone(), even.clone(), titled.clone(), diagram.clone()];
        let text = try_write(id, &records).unwrap();
        let back: Vec<_> = read_bytes(id, text.as_bytes()).unwrap().into_iter().map(bare).collect();
        assert_eq!(back, records.map(bare), "{text}");
    }
}

#[test]
fn diagrams_that_are_none() {
    for (text, line, column, expected) in [
        ("手合割：平手\n", 1, 1, "nine ranks"),
        (&*format!("{BOD}58 ５三玉(51)\n"), 1, 1, "a diagram alone"),
        (&BOD.replace(" 馬 ・", " 馬"), 8, 18, "a square of the diagram"),
        (&BOD.replace("歩三", "王"), 1, 10, "a hand piece"),
        (&BOD.replace("＝57", "＝x"), 16, 4, "the number of the last move"),
    ] {
        let error = read_error("bod", text);
        assert_eq!((error.at.line, error.at.column), (Some(line), Some(column)), "{error}");
        assert!(error.expected.unwrap().contains(expected));
    }
    let mut ended = read("bod", BOD);
    claimed(&mut ended, "first", "resign");
    for (records, what) in
        [(vec![read("bod", BOD), line("7g7f")], "moves"), (vec![ended], "a result")]
    {
        assert!(try_write("bod", &records).unwrap_err().message.contains(what));
    }
}

#[test]
fn usen_lines() {
    let main = "7g7f 3c3d 2g2f 8c8d";
    let text = "~0.7ku2jm6y236e.r";
    let record = read("usen", text);
    assert_eq!(moves(&record).join(" "), main);
    assert_eq!((calls(&record), claim(&record).0), (vec![Call::Resign], "second"));
    assert_eq!(write("usen", &record), format!("{text}\n"));
    assert!((format("usen").sniff)(text.as_bytes()) > 80);
    for (text, start, want) in [
        ("~0.", START_SFEN, ""),
        ("~0..", START_SFEN, ""),
        ("~0.7ku", START_SFEN, "7g7f"),
        ("~7.7ku.", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 8", "7g7f"),
        (
            "lnsgkgsnl_9_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-~0.0rs7ku.",
            GAME.setup_position("two").unwrap(),
            "7a6b 7g7f",
        ),
        ("4k4_9_4zP4_9_9_9_9_9_9.b.G2r~0.b9q.", "4k4/9/4+P4/9/9/9/9/9/9 b G2r 1", "G*5b"),
    ] {
        let record = read("usen", text);
        assert_eq!(
            (record.start.as_str(), moves(&record).join(" ").as_str()),
            (start, want),
            "{text}"
        );
        survives("usen", &record);
    }
}

/// Files with a line each, behind each other, and their branches.
#[test]
fn usen_branches() {
    let record = read("usen", "~0.7ku2jm6y2.~1.36e6y2.r~2.7bq.");
    let next = |at: usize| {
        let act = |child: &usize| match &record.nodes[*child].entry.as_ref().unwrap().act {
            Act::Move(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        record.nodes[at].children.iter().map(act).collect::<Vec<_>>()
    };
    assert_eq!(next(1), ["3c3d", "8c8d"]);
    // The third line goes on along the second, as its move fits there.
    let second = record.nodes[1].children[1];
    assert_eq!(next(second).len(), 2, "{:?}", next(second));
    survives("usen", &record);
    // Where the move fits the main line alone, it is a branch of that: 8h2b takes a bishop there.
    let main = read("usen", "~0.7ku2jm6y2.~1.36e6y2.~2.8rk.");
    let behind = main.nodes[main.nodes[1].children[0]].children.len();
    assert_eq!(behind, 2, "{main:?}");
    survives("usen", &main);
    let several = format!("{}{}", write("usen", &record), write("usen", &line("7g7f")));
    assert_eq!(read_bytes("usen", several.as_bytes()).unwrap().len(), 2);
}

#[test]
fn usen_fouls() {
    // A bishop from its square to 5e over its own pawn.
    let mut foul = line("2g2f 3c3d 8h5e");
    claimed(&mut foul, "second", "illegal-piece-move");
    let text = write("usen", &foul);
    assert!(text.starts_with("~0.") && text.contains(".i"), "{text}");
    let back = read("usen", &text);
    assert_eq!((moves(&back), claim(&back).0), (moves(&foul), "second"));
    survives("usen", &back);
    let judged = (GAME.judge)(&back).unwrap();
    assert_eq!(
        judged.foul.map(|(ply, foul)| (ply, foul.reason.0)),
        Some((3, "illegal-piece-move"))
    );
    assert_eq!(judged.agrees, Some(true));
    // Without the move the letter says that the side to move made it.
    assert_eq!(claim(&read("usen", "~0.7ku.i")).0, "first");
}

#[test]
fn bad_usen_lines() {
    for (text, line, column, found) in [
        ("", 1, 1, "no record"),
        ("~0.7k", 1, 4, "7k"),
        ("~0.7ku2j!", 1, 7, "2j!"),
        ("~0.7KU", 1, 4, "7KU"),
        ("~0.zzz", 1, 4, "zzz"),
        ("\n~x.7ku", 2, 1, "~x.7ku"),
        ("~0,7ku", 1, 3, ",7ku"),
        ("~0.7ku.x", 1, 8, "x"),
        ("~0.7ku.r!", 1, 9, "!"),
        ("~0.7ku.~5.2jm.", 1, 8, "~5.2jm."),
        ("~3.7ku.~2.2jm.", 1, 8, "~2.2jm."),
    ] {
        let error = read_error("usen", text);
        let place = (error.at.line, error.at.column, error.found.as_deref());
        assert_eq!(place, (Some(line), Some(column), Some(found)), "{text}: {error}");
        assert!(error.expected.is_some(), "{text}");
    }
    let error = read_error("usen", "9_9.b.-~0.");
    assert_eq!((error.at.line, error.at.field.as_deref()), (Some(1), Some("board")), "{error}");
}

#[test]
fn what_usen_cannot_hold() {
    let with = |change: fn(&mut Record)| {
        let mut record = line("7g7f 3c3d");
        change(&mut record);
        record
    };
    for (record, what) in [
        (with(|r| r.nodes[1].comment = "a".into()), "comments"),
        (with(|r| r.nodes[1].spent_ms = Some(1)), "times"),
        (with(|r| r.tags.push(("first".into(), "a".into()))), "headers"),
        (with(|r| r.variant = "shogi,max-moves=256".into()), "this variant"),
        (with(|r| claimed(r, "replay", "sennichite")), "the ending"),
        (with(|r| r.nodes[2].entry = None), "a node without a move"),
    ] {
        let error = try_write("usen", &[record]).unwrap_err();
        assert!(error.message.contains(what), "{error}");
    }
}

#[test]
fn long_lines_are_known() {
    let cycle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let moves: Vec<_> = cycle.iter().cycle().take(2000).copied().collect();
    for (id, text) in [
        ("usi", format!("position startpos moves {}", moves.join(" "))),
        ("usen", write("usen", &line(&moves.join(" ")))),
    ] {
        assert!((format(id).sniff)(text.as_bytes()) > 50, "{id}");
    }
}

/// What a stream gives: the moves of a record, or the place of an error.
fn streamed(id: &str, text: &str) -> Vec<String> {
    let mut given = Vec::new();
    let source = Source { bytes: text.as_bytes(), variant: None };
    format(id).stream.expect("it is read record by record")(source, &mut |read| {
        given.push(match read {
            Ok(record) => moves(&record).join(" "),
            Err(e) => format!("{}:{}", e.at.line.unwrap_or(0), e.at.column.unwrap_or(0)),
        });
        ControlFlow::Continue(())
    });
    given
}

#[test]
fn a_bad_record_costs_no_other() {
    for (id, text, given) in [
        (
            "kif",
            "手合割：平手\n1 ７六歩(77)\n2 ３四(33)\n3 ２六歩(27)\n手合割：平手\n1 ２六歩(27)\n",
            ["3:5", "2g2f"],
        ),
        ("kif", "手合割：其他\n先手：甲\n1 ７六歩(77)\n先手：乙\n1 ２六歩(27)\n", ["1:5", "2g2f"]),
        ("kif", "手合割：其他\n手合割：平手\n1 ２六歩(27)\n", ["1:5", "2g2f"]),
        ("ki2", "手合割：平手\n▲７六歩 △３四\n▲２六歩\n\n手合割：平手\n▲２六歩\n", ["2:9", "2g2f"]),
        ("csa", "PI\n+\n+7776FU\n-33FU\n+2726FU\n/\nPI\n+\n+2726FU\n", ["4:4", "2g2f"]),
        ("usi", "startpos moves 7g7\n# {}\nstartpos moves 2g2f\n", ["1:16", "2g2f"]),
        ("usen", "~0.7k\n\n~0.6y2.\n", ["1:4", "2g2f"]),
    ] {
        assert_eq!(streamed(id, text), given, "{text}");
    }
    let texts = "{\"moves\":[{},{\"special\":\"HUH\"}]}\n{\"moves\":[{}]}\n{\"moves\":3}\n{}";
    assert_eq!(streamed("jkf", texts), ["1:14", "", "3:10", "4:2"]);
}

#[test]
fn contents_written_one_after_the_other_are_one_file() {
    let records = ["startpos moves 7g7f", "startpos moves 2g2f 8c8d", "startpos"];
    let records = records.map(|text| read("usi", text));
    for id in ["kif", "ki2", "csa", "usi", "usen", "jkf"] {
        let mut records = records.clone().map(bare);
        if !["ki2", "usen"].contains(&id) {
            records[1].nodes[1].spent_ms = Some(12_345);
        }
        let parts = records.iter().map(|record| write(id, record)).collect::<Vec<_>>();
        let text = parts.join(format(id).joint.expect("they can be joined"));
        let again = read_bytes(id, text.as_bytes()).expect(id);
        assert_eq!(again.into_iter().map(bare).collect::<Vec<_>>(), records, "{text}");
    }
}

#[test]
fn a_stream_ends_where_nobody_takes_more() {
    for id in ["kif", "ki2", "csa", "usi", "jkf"] {
        let record = read("usi", "startpos moves 7g7f");
        let text = try_write(id, &[record.clone(), record.clone(), record]).expect("it is held");
        let (mut taken, source) = (0, Source { bytes: text.as_bytes(), variant: None });
        format(id).stream.expect("it is a stream")(source, &mut |_| {
            taken += 1;
            ControlFlow::Break(())
        });
        assert_eq!(taken, 1, "{id}");
        assert_eq!(streamed(id, &text), ["7g7f", "7g7f", "7g7f"], "{id}");
    }
}
