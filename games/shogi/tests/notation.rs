//! Record formats: files of many kinds are read as they are meant, and what is wrong with a file
//! is said.

mod records;

use kiban_core::{Act, Call, Claimed, Entry, Node, Record, Seat, Source};
use kiban_shogi::GAME;
use kiban_shogi::sfen::START_SFEN;
use records::*;

#[test]
fn a_kif_game() {
    let record = read("kif", GAME_KIF);
    assert_eq!(moves(&record), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    assert_eq!(calls(&record), [Call::Resign]);
    assert_eq!(claim(&record), ("first", Some("resign"), "投了"));
    assert_eq!(record.start, START_SFEN);
    for (key, value) in [
        ("first", "甲 太郎"),
        ("second", "乙 花子"),
        ("date", "2024/01/02 10:00:00"),
        ("ended", "2024/01/02 18:00:00"),
        ("event", "名人戦"),
        ("opening", "角換わり"),
        ("place", "東京"),
        ("time", "6時間"),
    ] {
        assert_eq!(record.tag(key), Some(value));
    }
    assert_eq!(record.unknown, [("観戦記者".to_string(), "丙".to_string())]);
    assert_eq!(record.nodes[0].comment, "対局前のコメント");
    let main: Vec<&Node> = record.main_line().collect();
    assert_eq!(main[0].comment, "一手目\n  二行目");
    assert_eq!(main[1].comment, "&しおり");
    assert_eq!(main[3].spent_ms, Some(75 * 60_000));
    assert_eq!(main[0].at, Some((14, 6)));
    assert_eq!(main[5].entry, Some(Entry::new_call(Seat::SECOND, Call::Resign)));
    // Three continuations behind the first move; the second has a branch of its own.
    let first = &record.nodes[record.nodes[0].children[0]];
    let text = |i: &usize| match &record.nodes[*i].entry.as_ref().expect("a move").act {
        Act::Move(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(first.children.iter().map(text).collect::<Vec<_>>(), ["3c3d", "8c8d", "5c5d"]);
    let second = &record.nodes[first.children[1]];
    assert_eq!(second.children.iter().map(text).collect::<Vec<_>>(), ["2g2f", "2h6h"]);
    assert_eq!(record.nodes[second.children[0]].comment, "中断");
    assert_eq!(record.warnings.len(), 1, "{:?}", record.warnings);
    survives("kif", &record);
    let judged = (GAME.judge)(&record).expect("it is judged");
    assert_eq!((judged.plies, judged.agrees, judged.error), (5, Some(true), None));
}

#[test]
fn encodings() {
    let want = bare(read("kif", GAME_KIF));
    for encoding in
        [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::ISO_2022_JP, encoding_rs::UTF_8]
    {
        let (bytes, _, lost) = encoding.encode(GAME_KIF);
        assert!(!lost);
        let records = read_bytes("kif", &bytes).unwrap_or_else(|e| panic!("{encoding:?}: {e}"));
        assert_eq!(bare(records[0].clone()), want, "{encoding:?}");
        assert!((format("kif").sniff)(&bytes) > 80, "{encoding:?}");
    }
    let marked = format!("\u{feff}{}", GAME_KIF.replace('\n', "\r\n"));
    assert_eq!(bare(read("kif", &marked)), want);
    let units = |order: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(order).collect();
    let both: [Vec<u8>; 2] = [units(u16::to_le_bytes), units(u16::to_be_bytes)];
    for bytes in both {
        assert_eq!(bare(read_bytes("kif", &bytes).expect("UTF-16")[0].clone()), want);
    }
    let old = GAME_KIF.replace('\n', "\r");
    assert_eq!(bare(read("kif", &old)), want);
}

#[test]
fn a_file_cut_in_a_character_is_forgiven() {
    let end = GAME_KIF.find("一手目").expect("it is there") + 4;
    let records = read_bytes("kif", &GAME_KIF.as_bytes()[..end]).expect("forgiven");
    assert_eq!(moves(&records[0]), ["7g7f"]);
    assert_eq!(records[0].warnings.len(), 1);
}

#[test]
fn kif_handicaps() {
    for (name, id) in [
        ("香落ち", "lance"),
        ("右香落ち", "right-lance"),
        ("角落ち", "bishop"),
        ("飛車落ち", "rook"),
        ("飛香落ち", "rook-lance"),
        ("二枚落ち", "two"),
        ("三枚落ち", "three"),
        ("四枚落ち", "four"),
        ("五枚落ち", "five"),
        ("左五枚落ち", "left-five"),
        ("六枚落ち", "six"),
        ("左七枚落ち", "left-seven"),
        ("右七枚落ち", "right-seven"),
        ("八枚落ち", "eight"),
        ("十枚落ち", "ten"),
        ("歩三兵", "three-pawns"),
        ("裸玉", "naked-king"),
    ] {
        let text = format!(
            "手合割：{name}\n下手：甲\n上手：乙\n手数----指手--\n1 ５二玉(51)\n2 ７六歩(77)\n3 投了\n"
        );
        let record = read("kif", &text);
        assert_eq!(Some(record.start.as_str()), GAME.setup_position(id), "{name}");
        let by: Vec<_> = record.entries().map(|e| e.by.only().expect("one")).collect();
        assert_eq!(by, [Seat::SECOND, Seat::FIRST, Seat::SECOND]);
        assert_eq!((record.tag("first"), record.tag("second")), (Some("甲"), Some("乙")));
        assert_eq!(claim(&record).0, "first");
        let written = write("kif", &record);
        let official = if ["歩三兵", "裸玉"].contains(&name) { "その他" } else { name };
        assert!(
            written.contains(&format!("手合割：{official}\n下手：甲\n上手：乙\n")),
            "{written}"
        );
        // Programs that do not know a name look at the diagram.
        let seldom = ["三枚落ち", "五枚落ち", "左五枚落ち", "左七枚落ち", "右七枚落ち", "その他"];
        assert_eq!(written.contains("後手番\n手数--"), seldom.contains(&official), "{written}");
        assert!(written.contains("まで2手で下手の勝ち"), "{written}");
        survives("kif", &record);
        survives("csa", &read("csa", &write("csa", &record)));
    }
    let error = read_error("kif", "先手：甲\n手合割：九枚落ち\n手数--\n1 ５二玉(51)\n");
    assert_eq!((error.at.line, error.at.column), (Some(2), Some(5)), "{error}");
    assert_eq!(error.found.as_deref(), Some("九枚落ち"));
}

#[test]
fn kif_diagrams() {
    let record = read("kif", DIAGRAM);
    let start = "4k4/9/4P4/7+l1/5+S3/9/9/9/3+R+n4 b G2Prb3g4s4n4l17p 23";
    assert_eq!(record.start, start);
    assert_eq!(moves(&record), ["G*5b"]);
    assert_eq!(claim(&record), ("first", Some("checkmate"), "詰み"));
    assert_eq!(record.warnings.len(), 1, "盤面回転: {:?}", record.warnings);
    survives("kif", &record);
    survives("csa", &bare(read("csa", &write("csa", &record))));
    // Without a move the position alone is read.
    let alone = &DIAGRAM[..DIAGRAM.find("手数----").expect("it is there")];
    assert_eq!(read("kif", alone).start, start);
    // The first move tells the side to move, if nothing else does.
    let turned = DIAGRAM.replace("23 ５二金打", "23 ４一玉(51)");
    assert!(read("kif", &turned).start.contains(" w "), "gote's king moves");
    let said = DIAGRAM.replace("盤面回転", "後手番");
    assert!(read("kif", &said).start.contains(" w "));
    let error = read_error("kif", &DIAGRAM.replace(" ・ 全 ・", " ・ 犬 ・"));
    assert_eq!((error.at.line, error.at.column), (Some(9), Some(13)), "{error}");
}

#[test]
fn a_handicap_with_a_diagram() {
    let record =
        read("kif", &DIAGRAM.replace("詰将棋", "六枚落ち").replace("５二金打", "４二玉(51)"));
    assert!(record.start.starts_with("4k4/9/4P4/7+l1/5+S3/9/9/9/3+R+n4 w "), "{}", record.start);
}

#[test]
fn kif_texts_of_moves() {
    let start = "手合割：その他\n\
        後手の持駒：歩\n\
        | ・ ・ ・ ・v玉 ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ 銀 ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ 竜 ・ ・ ・ と ・|\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | 金 ・ 金 ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ 王 ・ 馬 ・ ・|\n\
        先手の持駒：金 歩\n";
    for (text, want) in [
        ("８二銀成(83)", "8c8b+"),
        ("８二銀不成(83)", "8c8b"),
        ("８二銀(83)", "8c8b"),
        ("82銀生（８３）", "8c8b"),
        ("８二全(83)", "8c8b+"),
        ("▲６一龍(64)", "6d6a"),
        ("61竜", "6d6a"),
        ("5八玉(59)", "5i5h"),
        ("５八王", "5i5h"),
        ("２三と(24)", "2d2c"),
        ("５四金", "G*5d"),
        ("８八金右(78)", "7h8h"),
        ("８八金右", "7h8h"),
        ("８八金左", "9h8h"),
        ("８八金打(00)", "G*8h"),
        ("８八金打", "G*8h"),
        ("５五歩", "P*5e"),
        ("４八馬上", "3i4h"),
    ] {
        let record = read("kif", &format!("{start}手数--\n1 {text}\n"));
        assert_eq!(moves(&record), [want], "{text}");
    }
    for (text, found, column) in [
        ("８八金", "８八金", 3),
        ("５五犬(54)", "犬(54)", 5),
        ("５歩(54)", "５歩(54)", 3),
        ("同　歩(54)", "同　歩(54)", 3),
        ("５五歩(5x)", "5x)", 7),
        ("５五歩(55", "the end of the line", 9),
        ("５五角", "５五角", 3),
        ("５八玉打", "５八玉打", 3),
        ("５八玉(59) x", "x", 11),
        ("５八玉(59) (a", "a", 12),
        ("", "the end of the line", 3),
    ] {
        let error = read_error("kif", &format!("{start}手数--\n1 {text}\n"));
        let place = (error.at.line, error.at.column, error.found.as_deref());
        assert_eq!(place, (Some(14), Some(column), Some(found)), "{text}: {error}");
        assert!(error.expected.is_some(), "{text}");
    }
}

#[test]
fn kif_keeps_illegal_moves() {
    // A second pawn, a move from an empty square, a move of the side that has just moved.
    let text = "手合割：平手\n手数--\n1 ７六歩(77)\n2 ５五銀(44)\n3 ６五歩打\n4 ６六歩(67)\n";
    let record = read("kif", text);
    assert_eq!(moves(&record), ["7g7f", "4d5e", "P*6e", "6g6f"]);
    assert_eq!(record.warnings.len(), 1);
    let by: Vec<_> = record.entries().map(|e| e.by.only().expect("one")).collect();
    assert_eq!(by, [Seat::FIRST, Seat::SECOND, Seat::FIRST, Seat::FIRST]);
    let judged = (GAME.judge)(&record).expect("it is judged");
    assert_eq!(judged.foul.map(|(ply, f)| (ply, f.reason.0)), Some((2, "illegal-piece-move")));
    let again = read("kif", &write("kif", &record));
    assert_eq!(bare(again), bare(record));
}

#[test]
fn kif_endings() {
    let kif = |end: &str| read("kif", &format!("手合割：平手\n1 ７六歩(77)\n{end}\n"));
    for (word, call, result, reason) in [
        ("投了", Some(Call::Resign), "first", Some("resign")),
        ("切れ負け", Some(Call::Timeout), "first", Some("timeout")),
        ("時間切れ", Some(Call::Timeout), "first", Some("timeout")),
        ("入玉勝ち", Some(Call::Declare), "second", Some("impasse")),
        ("宣言勝ち", Some(Call::Declare), "second", Some("impasse")),
        ("入玉宣言", Some(Call::Declare), "second", Some("impasse")),
        ("勝ち宣言", Some(Call::Declare), "second", Some("impasse")),
        ("不戦敗", Some(Call::Left), "first", Some("abandoned")),
        ("不戦勝", Some(Call::Left), "second", Some("abandoned")),
        ("最大手数", None, "replay", Some("max-moves")),
        ("勝ち", None, "second", None),
        ("引き分け", Some(Call::AgreeDraw), "draw", Some("agreement")),
        ("持将棋", None, "replay", Some("impasse")),
        ("千日手", None, "replay", Some("sennichite")),
        ("反則勝ち", None, "second", None),
        ("反則負け", None, "first", None),
        ("詰み", None, "first", Some("checkmate")),
        ("不詰", None, "none", None),
        ("中断", None, "none", None),
        ("封じ手", None, "none", None),
    ] {
        let record = kif(&format!("2 {word} ( 0:05/00:00:05)\n*終わり"));
        assert_eq!(calls(&record), Vec::from_iter(call), "{word}");
        assert_eq!(claim(&record), (result, reason, word));
        let last = record.main_line().last().expect("a node");
        assert_eq!((last.spent_ms, last.comment.as_str()), (Some(5000), "終わり"), "{word}");
        let told = usize::from(word == "持将棋");
        assert_eq!(record.warnings.len(), told, "{word}: {:?}", record.warnings);
        let again = read("kif", &write("kif", &record));
        assert_eq!(bare(again), bare(record), "{word}");
    }
    let summed = kif("まで1手で先手の勝ち");
    assert_eq!(calls(&summed), [Call::Resign]);
    assert_eq!(claim(&summed), ("first", Some("resign"), "まで1手で先手の勝ち"));
    a_summary_is_numbered(&summed, "投了");
    assert_eq!(claim(&kif("まで1手で千日手")).1, Some("sennichite"));
    assert_eq!(claim(&kif("まで1手で後手の反則負け")).0, "first");
    let turned = kif("まで1手で後手の勝ち");
    assert_eq!(calls(&turned), []);
    assert_eq!(claim(&turned), ("second", None, "まで1手で後手の勝ち"));
    a_summary_is_numbered(&turned, "勝ち");
    // No word says this.
    let perpetual = kif("まで1手で連続王手の千日手により先手の勝ち");
    assert_eq!(claim(&perpetual).1, Some("perpetual-check"));
    survives("kif", &perpetual);
    let odd = kif("2 投了\nまで1手で後手の勝ち");
    assert_eq!((claim(&odd).0, odd.warnings.len()), ("first", 1));
    let variant = Source {
        bytes: "手合割：平手\n1 千日手\n".as_bytes(),
        variant: Some("shogi,sennichite=draw"),
    };
    let records = (format("kif").read.expect("it is read"))(variant).expect("it is a record");
    assert_eq!(claim(&records[0]).0, "draw");
}

/// Other programs read the endings that KIF numbers, so one that is only summed up is written both
/// ways: the claim is the same, in the other word.
fn a_summary_is_numbered(summed: &Record, word: &str) {
    let text = write("kif", summed);
    let summary = &summed.claimed.as_ref().expect("a claim").text;
    assert!(text.ends_with(&format!("\n   2 {word}\n{summary}\n")), "{text}");
    let numbered = read("kif", &text);
    let claimed = summed.claimed.clone().map(|claimed| Claimed { text: word.into(), ..claimed });
    assert_eq!(bare(numbered.clone()), bare(Record { claimed, ..summed.clone() }));
    survives("kif", &numbered);
}

#[test]
fn ki2_sums_endings_up_in_branches_too() {
    for word in [
        "投了",
        "切れ負け",
        "入玉勝ち",
        "不戦敗",
        "不戦勝",
        "最大手数",
        "勝ち",
        "引き分け",
        "千日手",
        "反則勝ち",
        "反則負け",
        "詰み",
        "不詰み",
        "中断",
        "封じ手",
        "トライ",
    ] {
        let record = read("kif", &format!("手合割：平手\n1 ７六歩(77)\n2 {word}\n"));
        let text = write("ki2", &record);
        assert!(text.contains("▲７六歩\nまで1手で"), "{text}");
        let back = read("ki2", &text);
        assert_eq!((calls(&back), back.warnings.len()), (calls(&record), 0), "{text}");
        let (now, before) = (claim(&back), claim(&record));
        assert_eq!((now.0, now.1), (before.0, before.1), "{text}");
        survives("ki2", &back);
    }
    let head = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n変化：2手\n2 ８四歩(83)\n";
    let branched = read("kif", &format!("{head}3 切れ負け\n"));
    let text = write("ki2", &branched);
    assert!(text.contains("変化：2手\n△８四歩\nまで2手で時間切れにより後手の勝ち\n"), "{text}");
    let back = read("ki2", &text);
    assert_eq!(bare(Record { claimed: None, ..back }), bare(Record { claimed: None, ..branched }));
}

#[test]
fn a_summary_behind_branches_belongs_to_what_it_counts() {
    let head = "手合割：平手\n▲７六歩 △３四歩 ▲２六歩\n変化：2手\n△８四歩\n";
    let own = read("ki2", &format!("{head}まで2手で後手の勝ち\n"));
    assert_eq!((own.nodes.len(), own.claimed.is_none(), own.warnings.len()), (6, true, 0));
    let other = read("ki2", &format!("{head}まで3手で先手の勝ち\n"));
    assert_eq!((other.nodes.len(), other.warnings.len()), (5, 1), "{:?}", other.warnings);
    // A branch that has told its ending is not told it twice.
    let twice = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n変化：2手\n2 ８四歩(83)\n\
                 3 中断\nまで2手で中断\n";
    let twice = read("kif", twice);
    assert_eq!((twice.nodes[4].comment.as_str(), twice.warnings.len()), ("中断", 1));
}

#[test]
fn csa_names_the_players_first() {
    let text = "手合割：平手\n開始日時：2024/01/02\n先手：甲\n後手：乙\n1 ７六歩(77)\n2 投了\n";
    let written = write("csa", &read("kif", text));
    assert!(written.contains("\nN+甲\nN-乙\n$START_TIME:2024/01/02\nPI\n"), "{written}");
    survives("csa", &read("csa", &written));
}

#[test]
fn an_agreed_impasse_is_a_call_where_the_kings_stand_so() {
    let sfen = "K8/9/9/9/9/9/9/9/8k b RB2G2S2N2L9Prb2g2s2n2l9p 1";
    let mut record = Record::new("shogi", "shogi", sfen);
    record.add(
        0,
        Node {
            entry: Some(Entry::new_call(kiban_core::Seats::first_n(2), Call::AgreeImpasse)),
            ..Node::default()
        },
    );
    for id in ["kif", "ki2", "jkf", "csa", "usi"] {
        let back = read(id, &write(id, &record));
        assert_eq!(calls(&back), [Call::AgreeImpasse], "{id}");
        let judged = (GAME.judge)(&back).expect("it is judged");
        assert_eq!(judged.agrees, Some(true), "{id}");
        survives(id, &back);
    }
}

#[test]
fn a_declaration_that_fails_is_told() {
    let mut record = Record::new("shogi", "shogi", START_SFEN);
    record.add(
        0,
        Node { entry: Some(Entry::new_call(Seat::FIRST, Call::Declare)), ..Node::default() },
    );
    for id in ["kif", "ki2", "jkf", "csa", "usi"] {
        let text = write(id, &record);
        let back = read(id, &text);
        assert_eq!((calls(&back), claim(&back).0), (vec![Call::Declare], "second"), "{text}");
        let judged = (GAME.judge)(&back).expect("it is judged");
        assert_eq!(judged.agrees, Some(true), "{id}");
        survives(id, &back);
    }
    // A record that says the declaration won is contradicted.
    let judged = (GAME.judge)(&read("csa", "PI\n+\n%KACHI\n")).expect("it is judged");
    assert_eq!(judged.agrees, Some(false));
}

#[test]
fn kif_oddities() {
    let record = read(
        "kif",
        "Kifu\n手合割:平手\n手数---\n 10 ７六歩(77)\n１１ ３四歩(33)\n13 ２六歩(27)\n中断\n14 ８四歩(83)\n",
    );
    assert_eq!(moves(&record), ["7g7f", "3c3d", "2g2f", "8c8d"]);
    assert!(record.start.ends_with(" b - 10"));
    assert_eq!(record.claimed, None);
    assert_eq!(record.main_line().nth(2).expect("a node").comment, "中断");
    let text: Vec<_> = record.warnings.iter().map(|w| (w.line, w.column)).collect();
    assert_eq!(text, [(1, 1), (6, 4), (8, 4), (8, 4)], "{:?}", record.warnings);
    survives("kif", &bare(record));
    // Branches in the wrong order.
    let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：1手\n1 ２六歩(27)\n変化：3手\n3 ６六歩(67)\n";
    let record = read("kif", text);
    assert_eq!(record.nodes[2].children, [3, 4]);
    assert_eq!(record.warnings.len(), 1);
    survives("kif", &record);
    let error = read_error("kif", "手合割：平手\n1 ７六歩(77)\n変化：5手\n");
    assert_eq!((error.at.line, error.at.column), (Some(3), Some(4)), "{error}");
    let error = read_error("kif", "手合割：平手\n1 ７六歩(77)\nなにか\n");
    assert_eq!((error.at.line, error.found.as_deref()), (Some(3), Some("なにか")), "{error}");
}

#[test]
fn several_records() {
    let one = read("kif", GAME_KIF);
    let mut two = read("kif", DIAGRAM);
    two.nodes[0].comment = "第二局".to_string();
    for id in ["kif", "ki2", "jkf", "csa", "usi"] {
        let mut records = [one.clone(), two.clone(), one.clone()];
        match id {
            "kif" | "jkf" => {}
            "ki2" => records.iter_mut().for_each(|r| *r = timeless(r)),
            _ => records.iter_mut().for_each(|r| *r = main_line_only(r)),
        }
        let text = try_write(id, &records).unwrap_or_else(|e| panic!("{id}: {e}"));
        let back = read_bytes(id, text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(back.len(), 3, "{text}");
        for (back, record) in back.iter().zip(&records) {
            assert_eq!(moves(back), moves(record));
            assert_eq!((&back.tags, &back.start), (&record.tags, &record.start));
            assert_eq!(back.nodes[0].comment, record.nodes[0].comment, "{text}");
        }
    }
}

#[test]
fn a_csa_game() {
    let record = read("csa", GAME_CSA);
    assert_eq!(moves(&record), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    assert_eq!(calls(&record), [Call::Resign]);
    assert_eq!(claim(&record), ("first", Some("resign"), "%TORYO"));
    assert_eq!(record.start, START_SFEN);
    assert_eq!(record.tag("first"), Some("甲"));
    assert_eq!(record.tag("time"), Some("06:00+60"));
    assert_eq!(record.unknown, [("MAX_MOVES".to_string(), "256".to_string())]);
    assert_eq!(record.nodes[0].comment, " before");
    let main: Vec<&Node> = record.main_line().collect();
    assert_eq!((main[0].spent_ms, main[1].spent_ms), (Some(12_000), Some(6_500)));
    assert_eq!((main[1].comment.as_str(), main[2].comment.as_str()), ("* 30 +8822UM", "comment"));
    assert_eq!(main[5].spent_ms, Some(3000));
    assert_eq!(record.warnings, []);
    survives("csa", &record);
    assert!(write("csa", &record).contains("V3.0"));
    // Through KIF and USI lines and back nothing is lost but the words of the ending.
    for id in ["kif", "usi"] {
        let there = read(id, &write(id, &record));
        assert_eq!(moves(&there), moves(&record));
        let back = read("csa", &write("csa", &there));
        let same = |r: &Record| (r.nodes.clone(), r.tags.clone(), r.unknown.clone());
        assert_eq!(same(&bare(back)), same(&bare(record.clone())), "{id}");
    }
}

#[test]
fn csa_positions() {
    for (text, want) in [
        ("PI\n+\n", START_SFEN),
        ("PI82HI22KA\n-\n", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("P-51OU\nP+53FU00KI\nP-00AL\n+\n", "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"),
        ("P-51OU11RY\nP+00FU00FU00HI99UM\n-\n", "4k3+r/9/9/9/9/9/9/9/+B8 w R2P 1"),
        ("+\n", START_SFEN),
    ] {
        let record = read("csa", text);
        assert_eq!(record.start, want, "{text}");
        survives("csa", &record);
    }
    for (text, line, column, found) in [
        ("PI82KA\n+\n", 1, 3, "82KA"),
        ("P1-KY-KE\n", 1, 9, "the end of the line"),
        ("P1 * XX\n", 1, 6, "XX"),
        ("V2.2\nP+00OU\n", 2, 3, "00OU"),
        ("V2.2\nP+63XX\n", 2, 5, "XX"),
        ("V2.2\nhello\n", 2, 1, "hello"),
        ("PI\n+\n+7776XX\n", 3, 6, "XX"),
        ("PI\n+\n+7006FU\n", 3, 2, "7006FU"),
        ("PI\n+\n+0076TO\n", 3, 1, "+0076TO"),
        ("PI\n+\n+7776FU;T1\n", 3, 8, ";T1"),
        ("PI\n+\n%WHAT\n", 3, 1, "%WHAT"),
        ("PI\n+\n+7776FU\nT\n", 4, 2, "the end of the line"),
        ("PI\n+\n+7776FU\nX\n", 4, 1, "X"),
        ("", 1, 1, "the end of the line"),
    ] {
        let error = read_error("csa", text);
        let place = (error.at.line, error.at.column, error.found.as_deref());
        assert_eq!(place, (Some(line), Some(column), Some(found)), "{text}: {error}");
    }
}

#[test]
fn csa_endings() {
    for (word, call, result) in [
        ("%TORYO", Some(Call::Resign), "first"),
        ("%TIME_UP", Some(Call::Timeout), "first"),
        ("%KACHI", Some(Call::Declare), "second"),
        ("%HIKIWAKE", Some(Call::AgreeDraw), "draw"),
        ("%JISHOGI", None, "replay"),
        ("%SENNICHITE", None, "replay"),
        ("%ILLEGAL_MOVE", None, "first"),
        ("%+ILLEGAL_ACTION", None, "second"),
        ("%-ILLEGAL_ACTION", None, "first"),
        ("%MAX_MOVES", None, "replay"),
        ("%TSUMI", None, "first"),
        ("%FUZUMI", None, "none"),
        ("%CHUDAN", None, "none"),
        ("%MATTA", None, "none"),
        ("%ERROR", None, "none"),
    ] {
        let record = read("csa", &format!("V2.2\nPI\n+\n+7776FU\n{word}\n"));
        assert_eq!(calls(&record), Vec::from_iter(call), "{word}");
        assert_eq!((claim(&record).0, claim(&record).2), (result, word));
        let again = read("csa", &write("csa", &record));
        assert_eq!(bare(again), bare(record.clone()), "{word}");
        if !["%MATTA", "%ERROR"].contains(&word) {
            let kif = read("kif", &write("kif", &record));
            assert_eq!((calls(&kif), claim(&kif).0), (Vec::from_iter(call), result), "{word}");
            let again = read("csa", &write("csa", &kif));
            assert_eq!(claim(&again).0, result, "{word}");
        }
    }
}

#[test]
fn csa_tells_who_moves() {
    let record = read("csa", "PI\n+\n+7776FU\n+2726FU\n");
    let judged = (GAME.judge)(&record).expect("it is judged");
    let foul = judged.foul.map(|(ply, foul)| (ply, foul.seat, foul.reason.0));
    assert_eq!(foul, Some((2, Seat::FIRST, "illegal-double-move")));
    for id in ["csa", "kif", "usi"] {
        let back = read(id, &write(id, &record));
        assert_eq!(bare(back).nodes, bare(record.clone()).nodes, "{id}");
    }
}

#[test]
fn usi_lines() {
    let middle = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 8";
    for (text, start, want) in [
        ("position startpos moves 7g7f 3c3d", START_SFEN, vec!["7g7f", "3c3d"]),
        ("startpos moves 7g7f", START_SFEN, vec!["7g7f"]),
        ("startpos 7g7f", START_SFEN, vec!["7g7f"]),
        ("position startpos", START_SFEN, vec![]),
        ("  7g7f 3c3d 8h2b+", START_SFEN, vec!["7g7f", "3c3d", "8h2b+"]),
        (&format!("position sfen {middle} moves 3c3d"), middle, vec!["3c3d"]),
        (&format!("sfen {middle}"), middle, vec![]),
        (&format!("{middle} moves 3c3d P*5e"), middle, vec!["3c3d", "P*5e"]),
    ] {
        let record = read("usi", text);
        assert_eq!((record.start.as_str(), moves(&record)), (start, want), "{text}");
        assert!((format("usi").sniff)(text.as_bytes()) > 50, "{text}");
        survives("usi", &record);
    }
    assert_eq!(calls(&read("usi", "startpos moves 7g7f resign")), [Call::Resign]);
    for (text, line, column, found) in [
        ("position startpos moves 7g7f 0a1b", 1, 30, "0a1b"),
        ("\nhello world", 2, 1, "hello"),
        ("startpos moves resign 7g7f", 1, 23, "7g7f"),
        ("position sfen 9/9 b - 1", 1, 18, " "),
        ("", 1, 1, "no record"),
    ] {
        let error = read_error("usi", text);
        let place = (error.at.line, error.at.column, error.found.as_deref());
        assert_eq!(place, (Some(line), Some(column), Some(found)), "{text}: {error}");
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let branching = read("kif", GAME_KIF);
    let error = try_write("csa", std::slice::from_ref(&branching)).expect_err("branches");
    assert!(error.to_string().contains("branches (there is one at ply 2)"), "{error}");
    assert!(try_write("usi", std::slice::from_ref(&branching)).is_err());
    let with = |change: fn(&mut Record)| {
        let mut record = read("csa", GAME_CSA);
        change(&mut record);
        record
    };
    for (record, id) in [
        (with(|r| r.tags.push(("x".into(), "a\nb".into()))), "kif"),
        (with(|r| r.tags.push(("x".into(), "a\nb".into()))), "csa"),
        (with(|r| r.unknown.push(("a:b".into(), "c".into()))), "csa"),
        (with(|r| r.unknown.push(("*a".into(), "c".into()))), "kif"),
        (with(|r| r.unknown.push(("手合割".into(), "香落ち".into()))), "kif"),
        (with(|r| r.unknown.push(("まで".into(), "x".into()))), "kif"),
        (with(|r| r.nodes[1].comment = "a\rb".into()), "kif"),
        (with(|r| r.nodes[1].comment = "a\0b".into()), "csa"),
        (with(|r| r.nodes[1].entry = Some(Entry::new_call(Seat::SECOND, Call::Resign))), "kif"),
        (with(|r| r.nodes[1].entry = Some(Entry::new_call(Seat::FIRST, Call::Left))), "csa"),
        (with(|r| r.nodes[1].entry = None), "kif"),
        (with(|r| r.nodes[1].entry = Some(Entry::new_move(Seat::SECOND, "3c3d"))), "kif"),
        (with(|r| r.start = "nonsense".into()), "kif"),
        (with(|r| r.claimed.as_mut().expect("a claim").text = "%CHUDAN".into()), "csa"),
    ] {
        let error = try_write(id, std::slice::from_ref(&record)).expect_err(&format!("{record:?}"));
        assert!(error.to_string().len() > 20, "{error}");
    }
}

#[test]
fn variants_are_kept() {
    for id in ["kif", "ki2", "jkf", "csa", "usi"] {
        let mut record = read("csa", GAME_CSA);
        if id == "ki2" {
            record = timeless(&record);
        }
        record.variant = "shogi,impasse=none,max-moves=256".to_string();
        let back = read(id, &write(id, &record));
        assert_eq!(back.variant, record.variant, "{id}");
        survives(id, &back);
    }
}

#[test]
fn junk_is_refused_quickly() {
    let noise = |n: usize| {
        let mut x = 88172645463325252_u64;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        (0..n / 8).flat_map(|_| next().to_le_bytes()).collect::<Vec<u8>>()
    };
    let size = 64 << 20;
    let odd = noise(size).iter().map(|b| 128 | b).collect::<Vec<u8>>();
    for junk in
        [noise(size), odd, vec![b'a'; size], b"a\n".repeat(size / 2), b"1 ".repeat(size / 2)]
    {
        for id in ["kif", "ki2", "jkf", "csa", "usi"] {
            let begun = std::time::Instant::now();
            assert!(read_bytes(id, &junk).is_err(), "{id}");
            // Generous: a refusal takes milliseconds, a parse of it all or worse does not.
            assert!(begun.elapsed().as_secs() < 20, "{id}");
            assert_eq!((format(id).sniff)(&junk), 0, "{id}");
        }
    }
}

#[test]
fn endless_files_are_refused() {
    let (records, oddities, headers) =
        ("too many to be read at once", "at most a thousand of them", "at most a thousand headers");
    for (id, text, times, told) in [
        ("csa", "+\n/\n", 1 << 20, records),
        ("usi", "startpos\n", 1 << 20, records),
        ("kif", "先手：a\n1 投了\n", 1 << 20, records),
        ("kif", "1 ７六歩(77)\n", 1 << 20, records),
        ("kif", "2 ７六歩(77)\n", 200_000, oddities),
        ("csa", "+7776FU\n", 200_000, oddities),
        ("kif", "a:b\n", 2000, headers),
        ("ki2", "先手：a\n投了\n", 1 << 20, records),
        ("ki2", "▲７六歩(77)\n", 200_000, oddities),
        ("jkf", "{\"moves\":[]}\n", 1 << 18, records),
        ("csa", "$A:b\n", 2000, headers),
    ] {
        let error = read_error(id, &text.repeat(times));
        assert!(error.message.contains(told), "{id}: {error}");
        assert_eq!(error.code == "too-long", told == records, "{id}: {error}");
    }
}

/// Branches in branches, as deep as a record goes.
#[test]
fn moves_of_ki2_in_a_kif_record() {
    let error = read_error("kif", "手合割：平手\n▲７六歩 △３四歩\n");
    assert_eq!((error.at.line, error.at.column), (Some(2), Some(1)));
    assert!(error.message.contains("KI2"), "{error}");
}

#[test]
fn line_longer_than_any_game() {
    let cycle = ["7g7f", "3c3d"].into_iter().chain(["2h3h", "8b7b", "3h2h", "7b8b"].repeat(5_000));
    let moves: Vec<_> = cycle.collect();
    let text = |plies| format!("position startpos moves {}", moves[..plies].join(" "));
    assert_eq!(read("usi", &text(20_000)).entries().count(), 20_000);
    assert!(read_error("usi", &text(20_001)).message.contains("at most 20,000 in a line"));
}

#[test]
fn deep_branches() {
    let mut record = Record::new("shogi", "shogi", START_SFEN);
    let rows = [["2h3h", "2h4h"], ["8b7b", "8b6b"], ["4h3h", "4h2h"], ["6b7b", "6b8b"]];
    let mut at = 0;
    for ply in 0..20_000 {
        let seat = if ply % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
        let [other, next] = rows[ply % 4]
            .map(|text| Node { entry: Some(Entry::new_move(seat, text)), ..Node::default() });
        record.add(at, other);
        at = record.add(at, next);
    }
    let back = read("kif", &write("kif", &record));
    assert_eq!(back.nodes.len(), record.nodes.len());
    survives("kif", &back);
}

#[test]
fn formats_know_their_own() {
    let record = timeless(&main_line_only(&read("kif", GAME_KIF)));
    for id in ["kif", "ki2", "jkf", "csa", "usi"] {
        let text = write(id, &record);
        let best = GAME.formats.iter().max_by_key(|f| (f.sniff)(text.as_bytes())).expect("formats");
        assert_eq!(best.id, id);
    }
}
