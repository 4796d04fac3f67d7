//! KI2: marked moves, several a line.

mod records;

use kiban_core::{Act, Call, Entry, Node, Record, Seat};
use kiban_shogi::GAME;
use kiban_shogi::position::Position;
use kiban_shogi::sfen::Setup;
use records::*;

/// The moves of a record of one line from a position.
fn line_from(start: &str, text: &str) -> Vec<String> {
    let head = Record::new("shogi", "shogi", start);
    let record = read("ki2", &format!("{}{text}\n", write("ki2", &head)));
    record.moves().map(str::to_string).collect()
}

#[test]
fn a_ki2_game() {
    let record = read("ki2", GAME_KI2);
    let main = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "6a5b", "4e3d", "2b3c"];
    assert_eq!(moves(&record), main);
    assert_eq!(calls(&record), [Call::Resign]);
    assert_eq!(claim(&record), ("second", Some("resign"), "まで8手で後手の勝ち"));
    assert_eq!((record.tag("first"), record.tag("event")), (Some("甲 太郎"), Some("名人戦")));
    assert_eq!(record.unknown, [("観戦記者".to_string(), "丙".to_string())]);
    assert_eq!(record.nodes[0].comment, "対局前のコメント");
    assert_eq!(record.nodes[2].comment, "二手目\n  二行目");
    assert_eq!((record.nodes[1].at, record.nodes[4].at), (Some((9, 1)), Some((12, 6))));
    let act = |i: &usize| match &record.nodes[*i].entry.as_ref().expect("an entry").act {
        Act::Move(text) => text.clone(),
        Act::Call(call) => call.slug().to_string(),
        other => panic!("{other:?}"),
    };
    let next = |at: usize| record.nodes[at].children.iter().map(act).collect::<Vec<_>>();
    assert_eq!(next(1), ["3c3d", "8c8d"]);
    assert_eq!(next(5), ["6a5b", "4a5b"]);
    let branch = record.nodes[5].children[1];
    assert_eq!(next(branch), ["4e3d", "4e6c+"]);
    let deeper = record.nodes[branch].children[1];
    assert_eq!(
        (next(deeper), record.nodes[deeper].comment.as_str()),
        (vec!["5b6c".into()], "枝のコメント")
    );
    assert_eq!(next(record.nodes[1].children[1]), ["resign"]);
    assert_eq!(record.warnings, []);
    survives("ki2", &record);
    let judged = (GAME.judge)(&record).expect("it is judged");
    assert_eq!((judged.plies, judged.agrees, judged.error), (8, Some(true), None));
    // Through KIF and back nothing is lost.
    let back = read("ki2", &write("ki2", &read("kif", &write("kif", &record))));
    assert_eq!(bare(back), bare(record));
}

#[test]
fn encodings() {
    let want = bare(read("ki2", GAME_KI2));
    // The marks of shogi pieces are not in the older encodings.
    let old = GAME_KI2.replace('☗', "▲").replace('☖', "△");
    for encoding in
        [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::ISO_2022_JP, encoding_rs::UTF_8]
    {
        let (bytes, _, lost) = encoding.encode(&old);
        assert!(!lost);
        let records = read_bytes("ki2", &bytes).unwrap_or_else(|e| panic!("{encoding:?}: {e}"));
        assert_eq!(bare(records[0].clone()), want, "{encoding:?}");
        assert!((format("ki2").sniff)(&bytes) > (format("kif").sniff)(&bytes), "{encoding:?}");
    }
}

#[test]
fn what_is_written() {
    let record = read("ki2", "手合割：平手\n▲７六歩△３四歩▲２二角成△同銀\nまで4手で中断\n");
    let text = write("ki2", &record);
    let row = "▲７六歩     △３四歩     ▲２二角成   △同　銀\n";
    assert_eq!(
        text,
        format!("#KI2 version=2.0 encoding=UTF-8\n手合割：平手\n{row}まで4手で中断\n")
    );
}

#[test]
fn relative_marks() {
    let golds = "8k/9/9/9/9/9/9/9/K1GGG4 b S 1";
    for (text, want) in [
        ("▲６八金左", "7i6h"),
        ("▲６八金直", "6i6h"),
        ("▲６八金右", "5i6h"),
        ("▲６八金右上", "5i6h"),
        ("▲７八銀", "S*7h"),
        ("▲７八銀打", "S*7h"),
        ("▲８八金", "7i8h"),
        ("▲４八金", "5i4h"),
    ] {
        assert_eq!(line_from(golds, text), [want], "{text}");
    }
    let silvers = "8k/9/9/1S7/9/1S7/9/9/K8 b - 1";
    assert_eq!(line_from(silvers, "▲７五銀引"), ["8d7e"]);
    assert_eq!(line_from(silvers, "▲７五銀上"), ["8f7e"]);
    let zone = "8k/9/2S1S4/9/9/9/9/9/K8 b - 1";
    assert_eq!(line_from(zone, "▲６二銀左成"), ["7c6b+"]);
    assert_eq!(line_from(zone, "▲６二銀右不成△２一玉"), ["5c6b", "1a2a"]);
    assert_eq!(line_from(zone, "▲６二銀右生"), ["5c6b"]);
    let error = read_error("ki2", "手合割：平手\n▲７六歩 △３四歩\n▲５八金\n");
    let place = (error.at.line, error.at.column, error.found.as_deref());
    assert_eq!(place, (Some(3), Some(1), Some("▲５八金")), "{error}");
}

#[test]
fn illegal_candidates_do_not_confuse() {
    // The gold on 5h is pinned by the rook.
    let pinned = "4r3k/9/9/9/9/9/9/4G4/3GK4 b G 1";
    assert_eq!(line_from(pinned, "▲６八金"), ["6i6h"], "the pinned one may not go there");
    assert_eq!(line_from(pinned, "▲６八金上"), ["6i6h"]);
    assert_eq!(line_from(pinned, "▲６八金寄"), ["5h6h"], "the text is clear: a foul");
    assert_eq!(line_from(pinned, "▲４八金"), ["G*4h"], "nothing else is legal");
    assert_eq!(line_from(pinned, "▲４八金打"), ["G*4h"]);
    // Of three golds the one on the right is pinned: some programs leave it out of the marks.
    let three = "4r3k/9/9/9/2GGG4/9/4K4/9/9 b - 1";
    assert_eq!(line_from(three, "▲６四金右"), ["6e6d"]);
    assert_eq!(line_from(three, "▲６四金左"), ["7e6d"]);
    let mut foul = Record::new("shogi", "shogi", three);
    foul.add(0, Node { entry: Some(Entry::new_move(Seat::FIRST, "5e6d")), ..Node::default() });
    let text = write("ki2", &foul);
    assert!(text.contains("▲６四金(55)\n"), "{text}");
    survives("ki2", &read("ki2", &text));
}

#[test]
fn illegal_moves_are_kept() {
    let start = "手合割：平手\n";
    for (text, want) in [
        ("▲７六歩 △３四歩 ▲５五角打", ["7g7f", "3c3d", "B*5e"]),
        ("▲７六歩 ▲２六歩 ▲２五歩", ["7g7f", "2g2f", "2f2e"]),
        ("▲７六歩 △５五銀(44) ▲６六角", ["7g7f", "4d5e", "8h6f"]),
    ] {
        let record = read("ki2", &format!("{start}{text}\n"));
        assert_eq!(moves(&record), want, "{text}");
        let back = read("ki2", &write("ki2", &record));
        assert_eq!(bare(back), bare(record), "{text}");
    }
    let twice = read("ki2", &format!("{start}▲７六歩 ▲２六歩\n"));
    let judged = (GAME.judge)(&twice).expect("it is judged");
    assert_eq!(judged.foul.map(|(ply, f)| (ply, f.reason.0)), Some((2, "illegal-double-move")));
}

#[test]
fn diagrams_and_handicaps() {
    let start = DIAGRAM.split("手数----").next().expect("it is there");
    let record = read("ki2", &format!("{start}▲５二金打\nまで23手で詰み\n"));
    assert_eq!(record.start, "4k4/9/4P4/7+l1/5+S3/9/9/9/3+R+n4 b G2Prb3g4s4n4l17p 23");
    assert_eq!(claim(&record), ("first", Some("checkmate"), "まで23手で詰み"));
    survives("ki2", &record);
    // The first mark tells the side to move, if nothing else does.
    assert!(read("ki2", &format!("{start}△４一玉\n")).start.contains(" w "));
    for setup in GAME.setups {
        let mut record = Record::new("shogi", "shogi", setup.position);
        record
            .add(0, Node { entry: Some(Entry::new_move(Seat::SECOND, "5a5b")), ..Node::default() });
        let text = write("ki2", &record);
        assert!(text.contains("\n△５二玉\n"), "{text}");
        survives("ki2", &read("ki2", &text));
        assert_eq!(read("ki2", &text).start, setup.position);
    }
}

#[test]
fn endings() {
    let ki2 = |end: &str| read("ki2", &format!("手合割：平手\n▲７六歩\n{end}\n*終わり\n"));
    for (text, call, result, reason) in [
        ("まで1手で先手の勝ち", Some(Call::Resign), "first", Some("resign")),
        ("まで1手で後手の勝ち", None, "second", None),
        ("まで1手で時間切れにより先手の勝ち", Some(Call::Timeout), "first", Some("timeout")),
        ("まで1手で後手の入玉勝ち", Some(Call::Declare), "second", Some("impasse")),
        ("まで1手で千日手", None, "replay", Some("sennichite")),
        ("まで1手で中断", None, "none", None),
        ("まで1手で後手の反則負け", None, "first", None),
        ("まで1手で先手の反則負け", None, "second", None),
        ("まで1手で不戦敗", Some(Call::Left), "first", Some("abandoned")),
        ("まで1手で最大手数", None, "replay", Some("max-moves")),
        ("不戦敗", Some(Call::Left), "first", Some("abandoned")),
        ("最大手数", None, "replay", Some("max-moves")),
    ] {
        let record = ki2(text);
        assert_eq!(calls(&record), Vec::from_iter(call), "{text}");
        assert_eq!(claim(&record), (result, reason, text));
        assert_eq!(record.main_line().last().expect("a node").comment, "終わり", "{text}");
        if text.starts_with("まで") {
            survives("ki2", &record);
            continue;
        }
        // A bare word, which other programs do not read, comes back in a summary.
        let back = read("ki2", &write("ki2", &record));
        let summed = format!("まで1手で{text}");
        assert_eq!(claim(&back), (result, reason, summed.as_str()));
        assert_eq!(bare(Record { claimed: record.claimed.clone(), ..back }), bare(record));
    }
}

#[test]
fn a_summary_means_the_same_in_every_format() {
    for (word, csa) in [
        ("投了", "%TORYO"),
        ("切れ負け", "%TIME_UP"),
        ("入玉勝ち", "%KACHI"),
        ("不詰", "%FUZUMI"),
        ("千日手", "%SENNICHITE"),
        ("持将棋", "%JISHOGI"),
        ("詰み", "%TSUMI"),
        ("中断", "%CHUDAN"),
        ("引き分け", "%HIKIWAKE"),
        ("最大手数", "%MAX_MOVES"),
        ("反則負け", "%ILLEGAL_MOVE"),
        ("反則勝ち", "%+ILLEGAL_ACTION"),
    ] {
        let record = read("kif", &format!("手合割：平手\n1 ２六歩(27)\n2 {word}\n"));
        let summed = read("ki2", &write("ki2", &record));
        assert!(write("csa", &summed).contains(&format!("\n{csa}\n")), "{word}");
        let again = write("kif", &summed);
        assert!(again.contains(&format!("\n   2 {word}")), "{again}");
        assert_eq!(write("jkf", &summed), write("jkf", &record), "{word}");
    }
}

#[test]
fn times_are_refused() {
    let error = try_write("ki2", &[read("kif", GAME_KIF)]).expect_err("times");
    assert!(error.to_string().contains("KI2 record cannot hold times"), "{error}");
    let record = timeless(&read("kif", GAME_KIF));
    let back = read("ki2", &write("ki2", &record));
    assert_eq!((back.nodes.len(), &back.tags), (record.nodes.len(), &record.tags));
    survives("ki2", &back);
}

#[test]
fn kif_and_ki2_are_told_apart() {
    let both =
        [("kif", GAME_KIF), ("kif", DIAGRAM), ("ki2", GAME_KI2), ("ki2", "▲７六歩△３四歩\n")];
    for (id, text) in both {
        let best = GAME.formats.iter().max_by_key(|f| (f.sniff)(text.as_bytes())).expect("formats");
        assert_eq!(best.id, id);
    }
    let error = read_error("kif", GAME_KI2);
    assert!(error.message.contains("KI2"), "{error}");
    let error = read_error("ki2", GAME_KIF);
    assert_eq!((error.at.line, error.at.column), (Some(14), Some(4)), "{error}");
    assert!(error.message.contains("KIF"), "{error}");
}

#[test]
fn errors_have_places() {
    for (text, line, column, found) in [
        ("▲７六", 2, 4, "the end of the line"),
        ("▲７六歩 ３四歩", 2, 6, "３四歩"),
        ("▲７六歩△犬", 2, 6, "犬"),
        ("▲同　歩", 2, 1, "▲同　歩"),
        ("▲５五角", 2, 1, "▲５五角"),
        ("▲７六歩\n変化：9手", 3, 4, "9手"),
        ("▲７六歩\nなにか", 3, 1, "なにか"),
        ("▲７六歩\n2 ３四歩(33)", 3, 1, "2 ３四歩(33)"),
    ] {
        let error = read_error("ki2", &format!("手合割：平手\n{text}\n"));
        let place = (error.at.line, error.at.column, error.found.as_deref());
        assert_eq!(place, (Some(line), Some(column), Some(found)), "{text}: {error}");
        assert!(error.expected.is_some(), "{text}");
    }
    let endless = "▲７六歩(77)".repeat(200_000);
    let error = read_error("ki2", &endless);
    assert!(error.expected.as_deref().is_some_and(|e| e.contains("at most")), "{error}");
}

/// Marks tell every legal move from every other, however many pieces could go there.
#[test]
fn every_legal_move_has_a_name() {
    let mut seed = 7_u64;
    for start in [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "8k/9/2+P+P+P4/2+P1+P4/2+P+P+P4/9/9/9/K8 b GS 1",
        "8k/9/1+N1+N5/9/1+L1+L5/2+S1+S4/1GG6/1G7/K8 b GS 1",
        "4r3k/9/2+B2+B3/9/6+R2/9/4G4/3GK4/4G4 b G 1",
        kiban_shogi::sfen::START_SFEN,
    ] {
        let setup = Setup::from_sfen(start).expect("a position");
        let mut position = Position::from_setup(&setup).expect("admitted");
        for _ in 0..60 {
            let legal = position.legal_moves().to_vec();
            if legal.is_empty() {
                break;
            }
            let sfen = position.to_sfen();
            for m in &legal {
                let entry = Some(Entry::new_move(position.turn().seat(), m.to_usi()));
                let mut record = Record::new("shogi", "shogi", &sfen);
                record.add(0, Node { entry, ..Node::default() });
                let text = write("ki2", &record);
                assert!(!text.contains('('), "{text}");
                assert_eq!(moves(&read("ki2", &text)), [m.to_usi()], "{text}");
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(legal[(seed >> 33) as usize % legal.len()]);
        }
    }
}
