//! JKF: records as JSON.

mod records;

use kiban_core::{Act, Call, Entry, Node, Record, Seat};
use kiban_shogi::GAME;
use kiban_shogi::sfen::START_SFEN;
use records::*;
use serde_json::{Value, json};

fn value(record: &Record) -> Value {
    serde_json::from_str(&write("jkf", record)).expect("it is JSON")
}

#[test]
fn a_jkf_game() {
    let record = read("jkf", GAME_JKF);
    assert_eq!(moves(&record), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "4a5b"]);
    assert_eq!(calls(&record), [Call::Resign]);
    assert_eq!(claim(&record), ("second", Some("resign"), "TORYO"));
    assert_eq!((record.start.as_str(), record.tag("first")), (START_SFEN, Some("甲 太郎")));
    assert_eq!(record.unknown, [("観戦記者".to_string(), "丙".to_string())]);
    assert_eq!(record.nodes[0].comment, "対局前のコメント");
    assert_eq!(record.nodes[2].comment, "二手目\n  二行目");
    let spent: Vec<_> = record.main_line().filter_map(|node| node.spent_ms).collect();
    assert_eq!(spent, [12_000, 4_506_500, 3000]);
    assert_eq!((record.nodes[1].at, record.nodes[3].at), (Some((6, 5)), Some((18, 5))));
    let act = |i: &usize| match &record.nodes[*i].entry.as_ref().expect("an entry").act {
        Act::Move(text) => text.clone(),
        Act::Call(call) => call.slug().to_string(),
        other => panic!("{other:?}"),
    };
    let next = |at: usize| record.nodes[at].children.iter().map(act).collect::<Vec<_>>();
    assert_eq!(next(1), ["3c3d", "8c8d", "5c5d"]);
    let (second, third) = (record.nodes[1].children[1], record.nodes[1].children[2]);
    assert_eq!(next(second), ["2g2f", "2h6h"]);
    assert_eq!(next(record.nodes[second].children[0]), ["resign"]);
    assert_eq!(record.nodes[record.nodes[second].children[1]].at, Some((13, 21)));
    assert_eq!(
        (record.nodes[third].comment.as_str(), record.nodes[third].at),
        ("枝", Some((15, 9)))
    );
    assert_eq!(record.warnings, []);
    survives("jkf", &record);
    let judged = (GAME.judge)(&record).expect("it is judged");
    assert_eq!((judged.plies, judged.agrees, judged.error), (6, Some(true), None));
    // Through KIF and back nothing is lost but the word of the ending.
    let mut back = bare(read("jkf", &write("jkf", &read("kif", &write("kif", &record)))));
    back.claimed.clone_from(&record.claimed);
    assert_eq!(back, bare(record));
}

#[test]
fn what_is_written() {
    let text = "手合割：平手\n先手：甲\n1 ７六歩(77) (0:12/)\n2 ３四歩(33) (1:05/)\n*あ\n*い\n\
        3 ２二角成(88)\n4 同　銀(31)\n5 ４五角打\n6 ５二金(41)\n7 中断\n変化：2手\n2 ８四歩(83)\n";
    let fu = |color: u8, x: u8, y: u8, to: u8| json!({"color": color, "from": {"x": x, "y": y}, "to": {"x": x, "y": to}, "piece": "FU"});
    let time = |m: u64, s: u64| json!({"now": {"m": m, "s": s}, "total": {"h": 0, "m": m, "s": s}});
    let want = json!({
        "header": {"先手": "甲"},
        "initial": {"preset": "HIRATE"},
        "moves": [
            {},
            {"move": fu(0, 7, 7, 6), "time": time(0, 12)},
            {"move": fu(1, 3, 3, 4), "time": time(1, 5), "comments": ["あ", "い"],
             "forks": [[{"move": fu(1, 8, 3, 4)}]]},
            {"move": {"color": 0, "from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "piece": "KA",
                "promote": true, "capture": "KA"}},
            {"move": {"color": 1, "from": {"x": 3, "y": 1}, "to": {"x": 2, "y": 2}, "piece": "GI",
                "same": true, "capture": "UM"}},
            {"move": {"color": 0, "to": {"x": 4, "y": 5}, "piece": "KA"}},
            {"move": {"color": 1, "from": {"x": 4, "y": 1}, "to": {"x": 5, "y": 2}, "piece": "KI",
                "relative": "L"}},
            {"special": "CHUDAN"},
        ],
    });
    assert_eq!(value(&read("kif", text)), want);
}

#[test]
fn presets_and_positions() {
    for (preset, id) in [
        ("KY", "lance"),
        ("KY_R", "right-lance"),
        ("KA", "bishop"),
        ("HI", "rook"),
        ("HIKY", "rook-lance"),
        ("2", "two"),
        ("3", "three"),
        ("4", "four"),
        ("5", "five"),
        ("5_L", "left-five"),
        ("6", "six"),
        ("7_L", "left-seven"),
        ("7_R", "right-seven"),
        ("8", "eight"),
        ("10", "ten"),
    ] {
        let text = json!({"header": {"下手": "甲"}, "initial": {"preset": preset}, "moves": [{}]});
        let record = read("jkf", &text.to_string());
        assert_eq!(Some(record.start.as_str()), GAME.setup_position(id), "{preset}");
        assert_eq!(record.tag("first"), Some("甲"));
        // Programs differ in what three pieces are.
        let written = if preset == "3" { "OTHER" } else { preset };
        assert_eq!(value(&record)["initial"]["preset"], written);
        survives("jkf", &record);
    }
    let named = json!({"header": {"手合割": "二枚落ち"}, "moves": []}).to_string();
    assert_eq!(Some(read("jkf", &named).start.as_str()), GAME.setup_position("two"));
    let middle = "4k4/9/4P4/7+l1/5+S3/9/9/9/3+R+n4 w G2Prb3g4s4n4l17p 23";
    let record = Record::new("shogi", "shogi", middle);
    let data = &value(&record)["initial"]["data"];
    assert_eq!(data["color"], 1);
    assert_eq!(data["board"][4][0], json!({"color": 1, "kind": "OU"}));
    assert_eq!(data["board"][3][4], json!({"color": 0, "kind": "NG"}));
    assert_eq!(data["board"][0][0], json!({}));
    assert_eq!((&data["hands"][0]["FU"], &data["hands"][1]["FU"]), (&json!(2), &json!(17)));
    assert_eq!(read("jkf", &write("jkf", &record)).start, middle);
}

#[test]
fn moves_without_origin_are_found() {
    let start = json!({"preset": "OTHER", "data": {
        "color": 0,
        "board": (1..=9).map(|x| (1..=9).map(|y| match (x, y) {
            (5..=7, 9) => json!({"color": 0, "kind": "KI"}),
            (1, 1) => json!({"color": 1, "kind": "OU"}),
            _ => json!({}),
        }).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "hands": [{"KI": 1}, {}],
    }});
    let text = |relative: &str| {
        let play = json!({"to": {"x": 6, "y": 8}, "piece": "KI", "relative": relative});
        json!({"initial": start, "moves": [{}, {"move": play}]}).to_string()
    };
    for (relative, want) in
        [("L", "7i6h"), ("C", "6i6h"), ("R", "5i6h"), ("RU", "5i6h"), ("H", "G*6h")]
    {
        assert_eq!(moves(&read("jkf", &text(relative))), [want], "{relative}");
    }
    assert!(read_error("jkf", &text("")).message.contains("several"));
    assert_eq!(read_error("jkf", &text("X")).found.as_deref(), Some("X"));
}

#[test]
fn illegal_moves_are_kept() {
    for (by, text) in [
        (Seat::FIRST, "P*5e"),
        (Seat::FIRST, "4d5e"),
        (Seat::FIRST, "3c3d"),
        (Seat::SECOND, "3c3d"),
        (Seat::FIRST, "7g7f+"),
        (Seat::FIRST, "8h2b"),
    ] {
        let mut record = Record::new("shogi", "shogi", START_SFEN);
        record.add(0, Node { entry: Some(Entry::new_move(by, text)), ..Node::default() });
        let back = read("jkf", &write("jkf", &record));
        assert_eq!(bare(back).nodes, record.nodes, "{text}");
    }
}

#[test]
fn endings() {
    for (special, call, result) in [
        ("TORYO", Some(Call::Resign), "first"),
        ("TIME_UP", Some(Call::Timeout), "first"),
        ("KACHI", Some(Call::Declare), "second"),
        ("HIKIWAKE", Some(Call::AgreeDraw), "draw"),
        ("JISHOGI", None, "replay"),
        ("SENNICHITE", None, "replay"),
        ("ILLEGAL_MOVE", None, "first"),
        ("ILLEGAL_ACTION", None, "second"),
        ("+ILLEGAL_ACTION", None, "second"),
        ("MAX_MOVES", None, "replay"),
        ("TSUMI", None, "first"),
        ("CHUDAN", None, "none"),
        ("不戦敗", Some(Call::Left), "first"),
        ("不戦勝", Some(Call::Left), "second"),
    ] {
        let fu = json!({"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"});
        let moves = json!([{}, {"move": fu}, {"special": special, "comments": ["終"]}]);
        let text = json!({"header": {}, "moves": moves}).to_string();
        let record = read("jkf", &text);
        assert_eq!(calls(&record), Vec::from_iter(call), "{special}");
        assert_eq!((claim(&record).0, claim(&record).2), (result, special));
        assert_eq!(record.main_line().last().expect("a node").comment, "終");
        let again = read("jkf", &write("jkf", &record));
        assert_eq!(bare(again), bare(record), "{special}");
    }
}

#[test]
fn errors_have_places() {
    let with = |from: &str, to: &str| {
        assert!(GAME_JKF.contains(from), "{from}");
        GAME_JKF.replacen(from, to, 1)
    };
    for (text, line, column, told) in [
        (String::new(), 1, 1, "beginning like"),
        ("[]".to_string(), 1, 1, "beginning like"),
        ("{\"header\": {}}".to_string(), 1, 14, "missing field `moves`"),
        (with("\"preset\": \"HIRATE\"", "\"preset\": \"XX\""), 1, 1, "a preset such as"),
        (with("\"preset\": \"HIRATE\"", "\"preset\": \"OTHER\""), 1, 1, "data beside"),
        (with("\"x\": 7, \"y\": 7", "\"x\": 0, \"y\": 7"), 6, 50, "x and y from 1 to 9"),
        (with("\"piece\": \"GI\"", "\"piece\": \"XX\""), 20, 65, "a piece is FU"),
        (with("\"color\": 0", "\"color\": 2"), 6, 24, "0 (sente) or 1"),
        (with("\"x\": 5, \"y\": 2", "\"x\": 5, \"y\": 5"), 22, 5, "a piece that can go there"),
        (
            with("\"special\": \"TORYO\", \"time\"", "\"special\": \"HELLO\", \"time\""),
            23,
            5,
            "TORYO",
        ),
        (with("\"s\": 6.5", "\"s\": -6.5"), 8, 5, "seconds from 0"),
    ] {
        let error = read_error("jkf", &text);
        assert!(error.message.contains(told), "{error}");
        assert_eq!((error.at.line, error.at.column), (Some(line), Some(column)), "{error}");
        assert!(error.found.is_some() && error.expected.is_some());
    }
}

#[test]
fn endless_files_are_refused() {
    let step = "{},".repeat(200_000);
    for (text, told) in [
        (format!("{{\"moves\": [{step}{{}}]}}"), "at most 100,000 moves in a record"),
        (
            format!("{{\"st\\u0065ps\": [{}{{}}]}}", step.repeat(6)),
            "at most a million brackets in a record",
        ),
        (format!("{{\"moves\": {}", "[".repeat(1 << 20)), "at most 127 levels of nesting"),
        ("{\"moves\":[]}\n".repeat(1 << 18), "too many to be read at once"),
        (
            format!(
                "{{\"header\": {{{}\"a\":\"b\"}}, \"moves\": []}}",
                "\"a\":\"b\",".repeat(2000)
            ),
            "at most a thousand headers",
        ),
    ] {
        let error = read_error("jkf", &text);
        assert!(error.message.contains(told), "{told}: {error}");
    }
}

#[test]
fn several_records_and_deep_branches() {
    let one = read("jkf", GAME_JKF);
    let two = bare(read("jkf", &write("jkf", &read("kif", DIAGRAM))));
    let text = try_write("jkf", &[one.clone(), two.clone()]).expect("it is written");
    let back = read_bytes("jkf", text.as_bytes()).expect("it is read");
    assert_eq!(back.into_iter().map(bare).collect::<Vec<_>>(), [bare(one), two]);
    let mut deep = Record::new("shogi", "shogi", START_SFEN);
    let rows = [["2h3h", "2h4h"], ["8b7b", "8b6b"], ["4h3h", "4h2h"], ["6b7b", "6b8b"]];
    let mut at = 0;
    for ply in 0..60 {
        let seat = if ply % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
        let [other, next] = rows[ply % 4]
            .map(|text| Node { entry: Some(Entry::new_move(seat, text)), ..Node::default() });
        deep.add(at, other);
        at = deep.add(at, next);
        match try_write("jkf", std::slice::from_ref(&deep)) {
            Ok(text) => assert_eq!(read("jkf", &text).nodes.len(), deep.nodes.len()),
            Err(e) => assert!(ply >= 40 && e.message.contains("branches in branches"), "{e}"),
        }
    }
}

#[test]
fn jkf_is_known() {
    for text in [GAME_JKF.to_string(), write("jkf", &read("kif", GAME_KIF))] {
        let best = GAME.formats.iter().max_by_key(|f| (f.sniff)(text.as_bytes())).expect("formats");
        assert_eq!(best.id, "jkf");
    }
}

#[test]
fn keys_of_other_programs_go_back_to_their_places() {
    let text = json!({
        "header": {"b": "1", "a": "2"},
        "app/1~": {"list": [1, null]},
        "moves": [
            {"id": 2},
            {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU", "eval": 30},
                "forks": [[{"move": {"from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6},
                    "piece": "FU"}, "tags": ["x"]}]]},
            {"special": "CHUDAN", "why": "rain"},
        ],
    });
    let ordered = text.to_string().replace("\"a\":\"2\",\"b\":\"1\"", "\"b\":\"1\",\"a\":\"2\"");
    let record = read("jkf", &ordered);
    assert_eq!(record.warnings, []);
    // Formats with headers of any name carry them along.
    for record in
        [read("kif", &write("kif", &record)), read("csa", &write("csa", &without_forks(&record)))]
    {
        let back = value(&record);
        assert_eq!(back["app/1~"], text["app/1~"]);
        assert_eq!(back["moves"][0]["id"], 2);
        assert_eq!(back["moves"][1]["move"]["eval"], 30);
    }
    let back = value(&record);
    assert_eq!(back["moves"][1]["forks"][0][0]["tags"], json!(["x"]));
    assert_eq!(back["moves"][2]["why"], "rain");
    let written = write("jkf", &record);
    assert!(written.starts_with("{\"header\":{\"b\":\"1\",\"a\":\"2\"},"), "{written}");
    survives("jkf", &record);
}

/// The record without its branches and with no key of theirs.
fn without_forks(record: &Record) -> Record {
    let mut record = main_line_only(record);
    for (_, value) in record.unknown.iter_mut().filter(|(key, _)| key == "JKF") {
        let mut keys: serde_json::Map<String, Value> = serde_json::from_str(value).expect("JSON");
        keys.retain(|key, _| !key.contains("forks"));
        *value = Value::Object(keys).to_string();
    }
    record
}

#[test]
fn a_key_whose_place_is_gone_is_told() {
    let mut record = read("jkf", "{\"moves\":[{},{\"special\":\"TORYO\",\"eval\":1}]}");
    record.nodes.truncate(1);
    record.nodes[0].children.clear();
    record.claimed = None;
    let error = try_write("jkf", &[record]).expect_err("the step is gone");
    assert!(error.message.contains("the key /moves/1/eval, whose place is gone"), "{error}");
    // A step that is written as two.
    let step =
        "{\"move\":{\"piece\":\"FU\",\"to\":{\"x\":7,\"y\":6}},\"special\":\"TORYO\",\"a\":1}";
    let record = read("jkf", &format!("{{\"moves\":[{{}},{step}]}}"));
    assert!(record.warnings[0].text.contains("\"/moves/1/a\""), "{:?}", record.warnings);
    assert_eq!(record.unknown, []);
}
