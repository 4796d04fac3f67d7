//! Files joined of several records: each keeps what is its own, whatever stands before and behind
//! it. A record may have no moves, be bad, be in another encoding, begin with a mark of its
//! encoding, or hold bytes that are no text.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

mod records;

use kiban_core::{ReadError, Record, Source};
use kiban_shogi::sfen::START_SFEN;
use records::*;
use std::ops::ControlFlow;

/// A record of a file, and what is to be read of it.
#[derive(Clone)]
struct Part {
    bytes: Vec<u8>,
    /// The headers, `key=value`; the start; the moves; or place and found text of the error, lines
    /// counted from the part's first.
    read: Result<(String, String, String), (usize, usize, String)>,
    /// Lines and beginnings of what is forgiven.
    odd: Vec<(usize, &'static str)>,
    lines: usize,
}

impl Part {
    /// What is read of a text alone, which is right.
    fn sound(id: &str, text: &str) -> Part {
        let record = read(id, text);
        assert_eq!(record.warnings, [], "{text}");
        let lines = text.matches('\n').count();
        Part { bytes: text.into(), read: Ok(own(&record)), odd: Vec::new(), lines }
    }

    /// A text that cannot be read, and why not.
    fn bad(text: &[u8], line: usize, column: usize, found: &str) -> Part {
        let lines = text.iter().filter(|b| **b == b'\n').count();
        let read = Err((line, column, found.into()));
        Part { bytes: text.into(), read, odd: Vec::new(), lines }
    }
}

/// What belongs to a record.
fn own(record: &Record) -> (String, String, String) {
    let headers = record.tags.iter().chain(&record.unknown).map(|(k, v)| format!("{k}={v}"));
    let headers = headers.collect::<Vec<_>>().join(" ");
    let head = format!("{headers} | {} | {}", record.nodes[0].comment, record.variant);
    (head, record.start.clone(), moves(record).join(" "))
}

/// What a file gives.
fn given(id: &str, bytes: &[u8]) -> Vec<Result<Record, ReadError>> {
    let mut given = Vec::new();
    format(id).stream.expect("it is read record by record")(
        Source { bytes, variant: None },
        &mut |read| {
            given.push(read);
            ControlFlow::Continue(())
        },
    );
    given
}

/// Reads the parts as one file.
fn check(id: &str, parts: &[&Part], joint: &str) {
    let bytes = parts.iter().map(|part| part.bytes.clone()).collect::<Vec<_>>();
    let bytes = bytes.join(joint.as_bytes());
    let shown = String::from_utf8_lossy(&bytes);
    let given = given(id, &bytes);
    let heads = || given.iter().map(|r| r.as_ref().map(own).map_err(ToString::to_string));
    assert_eq!(given.len(), parts.len(), "{id}: {:#?}\n{shown}", heads().collect::<Vec<_>>());
    let mut before = 0;
    for (part, given) in parts.iter().zip(given) {
        match (&part.read, given) {
            (Ok(want), Ok(record)) => {
                assert_eq!(own(&record), *want, "{id}: {shown}");
                let odd = record.warnings.iter().map(|w| (w.line - before, &*w.text));
                let odd = odd.collect::<Vec<_>>();
                assert_eq!(odd.len(), part.odd.len(), "{id}: {odd:?}\n{shown}");
                for (odd, want) in odd.iter().zip(&part.odd) {
                    assert!(odd.0 == want.0 && odd.1.starts_with(want.1), "{odd:?}\n{shown}");
                }
            }
            (Err((line, column, found)), Err(e)) => {
                let place = (e.at.line, e.at.column);
                assert_eq!(place, (Some(line + before), Some(*column)), "{id}: {e}\n{shown}");
                assert!(e.found.as_ref().unwrap().starts_with(found), "{id}: {e}\n{shown}");
            }
            (want, given) => panic!("{id}: {want:?}\n{given:?}\n{shown}"),
        }
        before += part.lines + joint.matches('\n').count();
    }
}

/// Reads a part before, between and behind sound ones, and twice, with and without a blank line.
fn everywhere(id: &str, part: &Part) {
    for joint in joints(id) {
        for sound in sound(id).iter().map(|text| Part::sound(id, text)) {
            check(id, &[part], joint);
            check(id, &[part, &sound], joint);
            check(id, &[&sound, part], joint);
            check(id, &[&sound, part, &sound], joint);
            check(id, &[part, &sound, part], joint);
            check(id, &[part, part, &sound, &sound], joint);
        }
    }
}

/// What stands between records.
fn joints(id: &str) -> &'static [&'static str] {
    if id == "csa" { &["", "\n", "/\n"] } else { &["", "\n", "\n\n"] }
}

const BOARD: &str = "\
後手の持駒：飛　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ と ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金　
後手番
手数＝57  まで
";

/// Records with moves of several shapes.
fn sound(id: &str) -> Vec<String> {
    let board = |head: &str, moves: &str| format!("{head}{BOARD}{moves}");
    match id {
        "kif" => vec![
            "手合割：平手\n先手：春\n後手：夏\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 投了\n".into(),
            "# ---- Kifu for somebody ----\n開始日時：2020/01/01\n棋戦：王位戦\n手合割：香落ち\n\
             下手：秋\n上手：冬\n手数----指手---------消費時間--\n1 ３四歩(33)\n*comment\n2 中断\n".into(),
            "開始日時：2020/01/02\n観戦：春\n先手：夏\n後手：秋\n   1 ２六歩(27)\n   2 投了\n\
             まで1手で先手の勝ち\n\n変化：1手\n   1 ７六歩(77)\n".into(),
            board("手合割：その他\n", "先手：冬\n後手：春\n手数----指手--\n58 ５二玉(51)\n"),
        ],
        "ki2" => vec![
            "手合割：平手\n先手：春\n後手：夏\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n".into(),
            "開始日時：2020/01/01\n棋戦：王位戦\n手合割：二枚落ち\n下手：秋\n上手：冬\n\n\
             △６二銀 ▲７六歩\n".into(),
            board("手合割：その他\n先手：冬\n", "△５二玉\n"),
        ],
        "bod" => vec![board("", ""), board("作品名：朝\n作者：春\n", ""), board("", "先手：冬\n後手：秋\n")],
        "csa" => vec![
            "V2.2\nN+春\nN-夏\n$EVENT:王位戦\nPI\n+\n+7776FU\nT3\n%TORYO\n".into(),
            "'CSA encoding=UTF-8\nV3.0\nPI82HI22KA\n-\n'* white\n-5142OU\n".into(),
            "N+春\nN-冬\nP-51OU\nP+53FU00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n".into(),
        ],
        "usi" => vec![
            "position startpos moves 7g7f 3c3d resign\n".into(),
            "# {\"tags\":[[\"first\",\"春\"]]}\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n".into(),
        ],
        "usen" => vec!["~0.7ku2jm.r\n".into(), "4k4_9_4zP4_9_9_9_9_9_9.b.G2r~0.b9q.\n".into()],
        other => panic!("{other}"),
    }
}

/// Records without moves.
fn without_moves(id: &str) -> Vec<String> {
    match id {
        "kif" => {
            let head = "手合割：香落ち\n下手：甲\n上手：乙\n";
            let kif = "手数----指手---------消費時間--\n";
            vec![
                format!("手合割：平手\n先手：甲\n後手：乙\n{kif}"),
                format!("{head}{kif}"),
                format!("開始日時：2021/01/01\n{head}{kif}*not played\n"),
                format!("#KIF version=2.0 encoding=UTF-8\n{head}{kif}"),
                format!("開始日時：2021/01/01\n終了日時：2021/01/02\n手合割：平手\n{kif}1 中断\n"),
                format!("手合割：詰将棋\n{BOARD}"),
            ]
        }
        "ki2" => vec![
            "#KI2 version=2.0 encoding=UTF-8\n手合割：平手\n先手：甲\n後手：乙\n*not played\n"
                .into(),
            "手合割：平手\nまで0手で中断\n".into(),
            format!("手合割：詰将棋\n{BOARD}"),
        ],
        "bod" => vec![BOARD.into(), BOARD.replace('金', "なし").replace("後手番\n", "")],
        "csa" => vec![
            "V2.2\nN+甲\nN-乙\n$EVENT:名人戦\nPI\n+\n".into(),
            "'CSA encoding=UTF-8\nV2.2\nN+甲\nPI82HI22KA\n-\n'* not played\n".into(),
            "V2.2\nPI\n+\n%CHUDAN\n".into(),
            "N+甲\n$EVENT:名人戦\nPI,-\n".into(),
            "P-51OU\nP+53FU00KI\nP-00AL\n+\n".into(),
        ],
        "usi" => vec!["position startpos\n".into(), "sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 5\n".into()],
        "usen" => vec!["~0.\n".into(), "4k4_9_4zP4_9_9_9_9_9_9.b.G2r~0..\n".into()],
        other => panic!("{other}"),
    }
}

const FORMATS: [&str; 6] = ["kif", "ki2", "bod", "csa", "usi", "usen"];

#[test]
fn a_game_without_moves_is_a_record_of_its_own() {
    for id in FORMATS {
        for text in without_moves(id) {
            everywhere(id, &Part::sound(id, &text));
        }
    }
}

/// Records without moves behind each other, of all shapes.
#[test]
fn games_without_moves_follow_each_other() {
    for id in FORMATS {
        let parts = without_moves(id).into_iter().map(|text| Part::sound(id, &text));
        let parts = parts.collect::<Vec<_>>();
        for joint in joints(id) {
            for one in &parts {
                for other in &parts {
                    check(id, &[one, other], joint);
                    check(id, &[one, other, one, one], joint);
                }
            }
        }
    }
}

/// Heads of which the first line is not what stands again.
#[test]
fn a_head_begins_with_its_first_line() {
    let before = [
        "手合割：平手\n先手：甲\n",
        "手合割：平手\n\n先手：甲\n後手：乙\n",
        "先手：甲\n手合割：平手\n*x\n",
    ];
    let heads = [
        "開始日時：2020/01/01\n手合割：平手\n先手：丙\n",
        "開始日時：2020/01/01\n棋戦：王位戦\n場所：東京\n先手：丙\n手合割：香落ち\n",
        "#KIF version=2.0\n観戦：丁\n手合割：平手\n先手：丙\n",
    ];
    for (joint, heads) in
        [("", &heads[..]), ("\n", &heads[..]), ("\n", &["観戦：丁\n手合割：平手\n"])]
    {
        for (before, head) in before.iter().flat_map(|b| heads.iter().map(move |head| (b, head))) {
            let moves = format!("{head}1 ７六歩(77)\n");
            let one = Part::sound("kif", before);
            for other in [*head, &*moves] {
                let other = Part::sound("kif", other);
                check("kif", &[&one, &other], joint);
                check("kif", &[&other, &one, &other], joint);
            }
        }
    }
}

/// What names the format is no record alone.
#[test]
fn games_without_heads_begin_with_their_first_moves() {
    let told = |id: &str, file: &str| -> Vec<String> {
        given(id, file.as_bytes()).into_iter().map(|read| moves(&read.unwrap()).join(" ")).collect()
    };
    let game = "1 ２六歩(27)\n2 ３四歩(33)\n";
    let ended = format!("{game}3 投了\nまで2手で後手の勝ち\n");
    for (one, two) in [(game, game), (&ended, game), (game, &ended), (&ended, &ended)] {
        assert_eq!(told("kif", &format!("{one}{two}\n*註\n{one}")), ["2g2f 3c3d"; 3]);
    }
    // A branch from the first move is announced.
    let branched = format!("{ended}\n変化：1手\n1 ７六歩(77)\n変化：1手\n1 ５六歩(57)\n");
    assert_eq!(told("kif", &format!("{branched}{game}")), ["2g2f 3c3d"; 2]);
    let game = "▲２六歩 △３四歩\nまで2手で後手の勝ち\n";
    assert_eq!(told("ki2", &format!("{game}{game}変化：1手\n▲７六歩\n")), ["2g2f 3c3d"; 2]);
    // A header of the next game is.
    let file = format!("手合割：平手\n{ended}開始日時：2024/01/02\n{ended}");
    let dates = given("kif", file.as_bytes());
    let dates: Vec<_> = dates.iter().map(|r| r.as_ref().unwrap().tag("date")).collect();
    assert_eq!(dates, [None, Some("2024/01/02")]);
}

#[test]
fn the_move_before_a_diagram_comes_back() {
    let board = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n".to_string()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n";
    let record = read("bod", &format!("{board}先手の持駒：歩\n手数＝4  △５一玉  まで\n"));
    for id in ["bod", "kif", "ki2"] {
        assert!(write(id, &record).contains("手数＝4  △５一玉  まで\n"), "{id}");
        survives(id, &record);
    }
    survives("jkf", &record);
    let odd = Record { unknown: vec![("最終手".into(), "なし".into())], ..record };
    survives("bod", &odd);
}

#[test]
fn a_record_of_another_format_is_told_and_costs_no_other() {
    let kif = "手合割：平手\n先手：甲\n1 ７六歩(77)\n2 投了\n";
    for foreign in ["{\"header\":{\"先手\":\"乙\"},\"moves\":[{}]}\n", "(;GM[Othello]B[f5];)\n"]
    {
        for (file, bad) in [
            (format!("{foreign}{kif}"), 0),
            (format!("{kif}{foreign}"), 1),
            (format!("{kif}{foreign}{kif}"), 1),
        ] {
            let all = given("kif", file.as_bytes());
            assert_eq!(all.len(), file.matches("手合割").count() + 1, "{file}: {all:?}");
            assert!(all[bad].is_err(), "{file}");
            let sound = all.iter().filter_map(|read| read.as_ref().ok());
            assert!(sound.clone().count() + 1 == all.len(), "{file}");
            assert!(sound.clone().all(|r| r.tag("first") == Some("甲") && r.warnings.is_empty()));
        }
    }
}

#[test]
fn a_head_is_not_torn_from_its_start() {
    let board = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n".to_string()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n";
    for head in ["先手：甲\n開始日時：2024/05/01\n", "開始日時：2024/05/01\n先手：甲\n"]
    {
        let one = format!("{head}{board}先手の持駒：歩\n手数＝0  まで\n");
        let read = read("bod", &one);
        let written = write("bod", &read);
        for file in [one.repeat(3), written.repeat(3)] {
            let all = given("bod", file.as_bytes());
            assert_eq!(all.len(), 3, "{file}");
            assert!(all.iter().all(|r| r.as_ref().is_ok_and(|r| own(r) == own(&read))), "{file}");
        }
    }
}

#[test]
fn a_comment_above_a_csa_head_is_of_it() {
    let game = "V2.2\nN+甲\nPI\n+\n+7776FU\n%TORYO\n";
    let file = format!("'one\n{game}'*good\n'two\n{game}");
    let comments = |record: &Record| -> Vec<String> {
        record.nodes.iter().map(|node| node.comment.clone()).collect()
    };
    let records: Vec<_> = given("csa", file.as_bytes()).into_iter().map(Result::unwrap).collect();
    assert_eq!(comments(&records[0]), comments(&read("csa", &format!("'one\n{game}'*good\n"))));
    assert_eq!(comments(&records[1]), comments(&read("csa", &format!("'two\n{game}"))));
}

#[test]
fn a_single_game_is_not_torn() {
    let moves = "1 ６二銀(71)\n2 ７六歩(77)\n3 投了\n";
    let board = "| ・ ・ ・ ・v玉 ・ ・v銀 ・|\n".to_string()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n";
    let commented = board.replacen('\n', "\n*註\n", 1).replacen("|\n|", "|\n&印\n|", 1);
    let tail = "1 ３二銀(21)\n2 ５八玉(59)\n3 投了\n";
    for (game, head) in [
        (
            format!("表題：甲\n手合割：二枚落ち\n*前書き\n表題：乙\n上手：丙\n下手：丁\n{moves}"),
            "丁",
        ),
        (format!("作品名：甲\n上手：丙\n下手：丁\n手合割：二枚落ち\n*註\n表題：乙\n{moves}"), "丁"),
        (format!("備考：甲\n手合割：二枚落ち\n下手：丁\n\n備考：乙\n場所：丙\n{moves}"), "丁"),
        (format!("{commented}先手：丁\n{tail}"), "丁"),
        (format!("手合割：二枚落ち\n下手：丁\n{moves}下手：庚\n"), "丁"),
        (format!("手合割：二枚落ち\n下手：丁\n{moves}*註\n\n先手：庚\n終了日時：2024\n"), "丁"),
        (format!("手合割：二枚落ち\n下手：丁\n{moves}\u{1a}"), "丁"),
    ] {
        let all = given("kif", game.as_bytes());
        assert_eq!(all.len(), 1, "{game}");
        let record = all[0].as_ref().unwrap();
        assert_eq!((record.tag("first"), record.main_line().count()), (Some(head), 3), "{game}");
    }
    let two = format!(
        "手合割：二枚落ち\n下手：丁\n{moves}\u{1a}手合割：二枚落ち\n下手：丁\n{moves}\u{1a}"
    );
    assert_eq!(given("kif", two.as_bytes()).len(), 2);
    let csa = "V2.2\nN+丁\nP1 *  *  *  * -OU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \n\
               '先手の持駒\nP+00HI\n'後手の持駒\nP-00FU\n+\n+5958OU\n%TORYO\n\u{1a}";
    let all = given("csa", csa.as_bytes());
    assert_eq!(all.len(), 1);
    assert!(all[0].as_ref().unwrap().start.ends_with(" b Rp 1"), "{:?}", all[0]);
}

#[test]
fn names_alone_begin_the_game_below_them() {
    let game = |name: &str| format!("先手：{name}\n後手：乙\n\n▲２六歩 △３四歩\n");
    let file = game("甲") + &game("丙") + "まで2手で後手の勝ち\n" + &game("丁");
    let names: Vec<_> = given("ki2", file.as_bytes())
        .into_iter()
        .map(|read| read.unwrap().tag("first").unwrap().to_string())
        .collect();
    assert_eq!(names, ["甲", "丙", "丁"]);
    // Behind a game without an ending nothing but a head stands between moves.
    let file =
        "先手：甲\n▲７六歩 △３四歩\n開始日時：2002/02/02\n\n▲２六歩 △８四歩\nまで2手で後手の勝ち\n";
    let games = given("ki2", file.as_bytes());
    let games: Vec<_> = games.iter().map(|read| moves(read.as_ref().unwrap()).join(" ")).collect();
    assert_eq!(games, ["7g7f 3c3d", "2g2f 8c8d"]);
}

#[test]
fn a_header_behind_the_moves_is_of_their_game() {
    let game = "手合割：平手\n先手：甲\n1 ７六歩(77)\n2 投了\nまで1手で先手の勝ち\n";
    let end = "終了日時：2024/01/01\n備考：雨\n対局：丙\n";
    let told = |file: &str| -> Vec<String> {
        let heads = given("kif", file.as_bytes()).into_iter().map(|read| own(&read.unwrap()).0);
        heads.map(|head| head.split(" | ").next().unwrap().to_string()).collect()
    };
    let one = "first=甲 ended=2024/01/01 note=雨 対局=丙";
    for apart in ["", "\n", "*註\n"] {
        assert_eq!(told(&format!("{game}{apart}{end}")), [one], "{apart:?}");
    }
    let record = &given("kif", format!("{game}{end}").as_bytes())[0].clone().unwrap();
    assert_eq!(record.warnings.iter().map(|w| w.line).collect::<Vec<_>>(), [6, 7, 8]);
    // What follows a blank may be of the next game, if there is one.
    assert_eq!(told(&format!("{game}{end}\n{game}")), [one, "first=甲"]);
    let next = "first=甲 date=2024/01/02";
    for apart in ["", "\n"] {
        let file = format!("{game}\n開始日時：2024/01/02\n{apart}{game}");
        assert_eq!(told(&file), ["first=甲", next], "{file}");
    }
    // A head of nothing else.
    let file = format!("{game}\n開始日時：2024/01/02\n1 ２六歩(27)\n");
    assert_eq!(told(&file), ["first=甲", "date=2024/01/02"]);
    let branched = format!("{game}備考：雨\n変化：1手\n1 ２六歩(27)\n");
    assert_eq!(told(&branched), ["first=甲 note=雨"]);
}

#[test]
fn an_empty_file_adds_no_game() {
    for (id, text) in
        [("kif", "#KIF version=2.0 encoding=UTF-8\n"), ("csa", "'CSA encoding=UTF-8\n")]
    {
        for sound in sound(id).iter().map(|text| Part::sound(id, text)) {
            let empty = sound.bytes.clone();
            check(id, &[&Part { bytes: [&empty[..], text.as_bytes()].concat(), ..sound }], "");
        }
        assert_eq!(given(id, text.as_bytes()).len(), 1);
        assert!(given(id, text.as_bytes())[0].is_err());
    }
}

/// What some programs write twice tears no game apart.
#[test]
fn a_header_that_stands_twice_is_no_further_game() {
    for (id, text) in [
        ("kif", "棋戦：王位戦\n手合割：平手\n先手：甲\n棋戦：竜王戦\n後手：乙\n1 ７六歩(77)\n"),
        ("kif", "開始日時：2020\n\n開始日時：2021\n手合割：平手\n先手：甲\n1 ７六歩(77)\n"),
        (
            "kif",
            "棋戦：王位戦\n\n棋戦：竜王戦\n手合割：平手\n\n先手：甲\n\n後手：乙\n\n1 ７六歩(77)\n",
        ),
        ("kif", "手合割：平手\n開始日時：2020\n先手：甲\n開始日時：2020\n1 ７六歩(77)\n"),
        ("kif", &format!("手合割：その他\n{}1 ５三玉(51)\n", BOARD.replace('\n', "\n\n"))),
        ("csa", "PI\n+\nN+甲\n$EVENT:a\n+7776FU\n"),
        ("csa", "V2.2\nN+甲\n$EVENT:a\n$EVENT:b\n\nN-乙\n'x\n$EVENT:c\nPI\n+\n+7776FU\n"),
    ] {
        let given = given(id, text.as_bytes());
        assert_eq!(given.len(), 1, "{text}: {given:?}");
        assert_eq!(moves(given[0].as_ref().unwrap()).len(), 1, "{text}");
    }
}

#[test]
fn a_bad_game_costs_no_other_wherever_it_stands() {
    for (id, text, line, column, found) in [
        ("kif", "手合割：平手\n先手：甲\n1 ７六歩(77)\n2 ３四(33)\n3 ２六歩(27)\n", 4, 5, "(33)"),
        ("kif", "手合割：其他\n先手：甲\n手数----指手--\n", 1, 5, "其他"),
        ("kif", &*format!("手合割：詰将棋\n{}", BOARD.replace('と', "ど")), 7, 11, "ど"),
        ("ki2", "手合割：平手\n▲７六歩 △３四\n▲２六歩\n", 2, 9, "\u{0}"),
        ("bod", &BOARD.replace("金　", "王"), 14, 7, "王"),
        (
            "bod",
            &BOARD.replace("| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n", ""),
            11,
            1,
            "a diagram of 8 ranks",
        ),
        ("csa", "V2.2\nN+甲\nPI\n+\n+7776FU\n-33FU\n+2726FU\n", 6, 4, "FU"),
        ("csa", "V2.2\nPI82KA\n+\n", 2, 3, "82KA"),
        ("usi", "# {}\nstartpos moves 7g7\n", 2, 16, "7g7"),
        ("usen", "~0.7k\n", 1, 4, "7k"),
    ] {
        let found = if found == "\u{0}" { "" } else { found };
        everywhere(id, &Part::bad(text.as_bytes(), line, column, found));
    }
}

/// A text in another encoding.
fn encoded(text: &str, name: &str) -> Vec<u8> {
    let wide = |order: fn(u16) -> [u8; 2]| {
        format!("\u{feff}{text}").encode_utf16().flat_map(order).collect()
    };
    match name {
        "utf-16le" => wide(u16::to_le_bytes),
        "utf-16be" => wide(u16::to_be_bytes),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
            let (bytes, _, lost) = encoding.encode(text);
            assert!(!lost, "{text}");
            bytes.into_owned()
        }
    }
}

#[test]
fn a_game_in_another_encoding_is_read_in_it() {
    for id in FORMATS {
        for text in sound(id).into_iter().chain(without_moves(id)) {
            for (name, spring) in [("shift_jis", "ﾊﾙ"), ("euc-jp", "はる"), ("iso-2022-jp", "春")]
            {
                // Half-width kana alone may be kanji of EUC-JP, and the other way round.
                let told = ["kif", "ki2", "bod"].contains(&id);
                let text = text.replace('春', if told { spring } else { "はる" });
                let text = text.replace('甲', if told { "甲" } else { "はな" });
                let sound = Part::sound(id, &text);
                everywhere(id, &Part { bytes: encoded(&text, name), ..sound });
            }
        }
    }
}

/// Two games in different encodings, neither of them UTF-8, behind each other.
#[test]
fn every_game_has_an_encoding_of_its_own() {
    let names = ["utf-8", "shift_jis", "euc-jp", "iso-2022-jp"];
    for id in ["kif", "ki2", "csa", "usi"] {
        // Kana tell EUC-JP from Shift_JIS, where kanji alone may be either.
        for text in sound(id).into_iter().map(|text| text.replace('春', "はる")) {
            let sound = Part::sound(id, &text);
            let parts = names.map(|name| Part { bytes: encoded(&text, name), ..sound.clone() });
            for (a, b, c) in [(0, 1, 2), (2, 1, 0), (1, 2, 3), (3, 2, 1), (1, 0, 1), (2, 0, 1)] {
                for joint in joints(id) {
                    check(id, &[&parts[a], &parts[b], &parts[c]], joint);
                }
            }
        }
    }
}

#[test]
fn what_is_told_of_utf_16_is_told_of_its_games() {
    for id in FORMATS {
        for text in sound(id) {
            let plain = Part::sound(id, &text);
            for name in ["utf-16le", "utf-16be"] {
                let wide = || Part { odd: vec![(1, "The file is UTF-16")], ..plain.clone() };
                let wide = Part { bytes: encoded(&text, name), ..wide() };
                for parts in [
                    [&wide, &plain, &plain],
                    [&plain, &wide, &plain],
                    [&plain, &plain, &wide],
                    [&wide, &wide, &plain],
                ] {
                    check(id, &parts, "");
                }
            }
            let twice = encoded(&format!("{text}{text}"), "utf-16le");
            let told = given(id, &twice).into_iter().map(|read| read.unwrap().warnings.len());
            assert_eq!(told.collect::<Vec<_>>(), [1, 1], "{text}");
        }
    }
}

#[test]
fn a_mark_before_a_game_is_skipped() {
    for id in FORMATS {
        for text in sound(id).into_iter().chain(without_moves(id)) {
            let part = Part::sound(id, &text);
            for mark in ["\u{feff}", "\u{feff}\u{feff}"] {
                everywhere(id, &Part { bytes: format!("{mark}{text}").into(), ..part.clone() });
            }
            let marked = [&b"\xef\xbb\xbf"[..], &encoded(&text, "shift_jis")].concat();
            everywhere(id, &Part { bytes: marked, ..part });
        }
    }
}

/// Puts bytes into a line of a text, behind its first character.
fn damaged(text: &str, line: usize, bytes: &[u8]) -> Vec<u8> {
    let begin = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let at = begin + text[begin..].chars().next().unwrap().len_utf8();
    [&text.as_bytes()[..at], bytes, &text.as_bytes()[at..]].concat()
}

#[test]
fn a_zero_byte_spoils_its_game_alone() {
    for id in FORMATS {
        for text in sound(id).into_iter().chain(without_moves(id)) {
            // Without its last line a head without moves may go on in the next.
            let line = text.lines().count() - usize::from(text.ends_with("--\n"));
            everywhere(id, &Part::bad(&damaged(&text, line, b"\0"), line, 2, "a zero byte"));
            let junk = vec![0xff; 64];
            let bad = Part::bad(&damaged(&text, line, &junk), line, 2, "bytes of no text");
            let sound = sound(id).into_iter().map(|text| Part::sound(id, &text));
            let [one, .., other] = &*sound.collect::<Vec<_>>() else { panic!("there are several") };
            for parts in [[&bad, one, other, one], [one, &bad, other, one], [one, other, one, &bad]]
            {
                check(id, &parts, "");
            }
        }
    }
}

/// What cannot be read is told of the game in which it stands.
#[test]
fn a_character_that_cannot_be_read_is_told_of_its_game() {
    for (id, text, line) in [
        ("kif", "手合割：平手\n先手：甲\n手数----指手--\n1 ７六歩(77)\n*読\n", 5),
        ("kif", "手合割：平手\n先手：甲\n手数----指手--\n*読\n", 4),
        ("ki2", "手合割：平手\n▲７六歩\n*読\n", 3),
        ("csa", "V2.2\nN+甲\nPI\n+\n'読\n+7776FU\n", 5),
        ("usi", "# 読\nstartpos moves 7g7f\n", 1),
    ] {
        for sort in ["utf-8", "shift_jis"] {
            let mut part = Part::sound(id, text);
            part.odd = vec![(line, "Some characters cannot be read")];
            part.bytes = encoded(&text.replace('読', "@"), sort);
            let at = part.bytes.iter().position(|b| *b == b'@').unwrap();
            part.bytes[at] = 0xff;
            if let Ok((head, ..)) = &mut part.read {
                *head = head.replace('読', "\u{fffd}");
            }
            everywhere(id, &part);
        }
    }
}

#[test]
fn a_file_of_no_text_is_refused_in_one_sentence() {
    let mut x = 88172645463325252_u64;
    let mut noise = |n: usize| {
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x.to_le_bytes()
        };
        (0..n / 8).flat_map(|_| next()).collect::<Vec<u8>>()
    };
    for size in [64, 1000, 10_000, 300_000] {
        let png = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &noise(size)[..]].concat();
        for bytes in [noise(size), png, vec![0; size], b"\0\n".repeat(size)] {
            for id in FORMATS {
                assert_eq!(given(id, &bytes).len(), 1, "{id} {size}");
            }
        }
    }
}

/// The root of a record stands where the record begins.
#[test]
fn a_file_too_long_is_refused_where_it_is() {
    let text = "position startpos\n".repeat(200_000);
    let error = read_bytes("usi", text.as_bytes()).unwrap_err();
    assert_eq!(error.code, "too-long");
    let line = error.at.line.unwrap();
    assert!(
        line > 100_000
            && given("usi", text.as_bytes())[line - 1].as_ref().unwrap().start == START_SFEN
    );
}
