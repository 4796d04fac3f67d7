//! Records in several encodings, alone and joined: every word comes back, also where its bytes
//! mean something in another encoding.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

mod records;

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8};
use kiban_core::{Record, Source};
use proptest::prelude::*;
use records::format;
use std::ops::ControlFlow;

/// What is read of a record: headers and comments.
fn own(record: &Record) -> String {
    let headers = record.tags.iter().chain(&record.unknown).map(|(k, v)| format!("{k}={v}"));
    let comments = record.nodes.iter().map(|node| node.comment.clone());
    headers.chain(comments).collect::<Vec<_>>().join("|")
}

fn given(id: &str, bytes: &[u8]) -> Vec<String> {
    let mut given = Vec::new();
    let stream = format(id).stream.expect("it is read record by record");
    stream(Source { bytes, variant: None }, &mut |read| {
        given.push(read.as_ref().map_or_else(ToString::to_string, own));
        ControlFlow::Continue(())
    });
    given
}

/// The bytes of a text, if the encoding has all its characters.
fn held(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let (bytes, _, lost) = encoding.encode(text);
    let back = encoding.decode_without_bom_handling(&bytes).0;
    (!lost && back == text).then(|| bytes.to_vec())
}

/// Reads texts in their encodings as one file, against each read as UTF-8.
fn check(id: &str, parts: &[(&str, &'static Encoding)]) {
    let file = parts.iter().map(|(text, encoding)| held(text, encoding).unwrap());
    let file = file.collect::<Vec<_>>().concat();
    let want = parts.iter().flat_map(|(text, _)| given(id, text.as_bytes()));
    let names: Vec<_> = parts.iter().map(|(_, encoding)| encoding.name()).collect();
    assert_eq!(given(id, &file), want.collect::<Vec<_>>(), "{names:?}");
}

/// A text alone, and before and behind others in other encodings.
fn everywhere(id: &str, text: &str, encoding: &'static Encoding) {
    check(id, &[(text, encoding)]);
    let plain = game(id, "春日", "はるか", "飛車");
    for other in [UTF_8, SHIFT_JIS, EUC_JP, ISO_2022_JP] {
        check(id, &[(text, encoding), (&plain, other)]);
        check(id, &[(&plain, other), (text, encoding)]);
        check(id, &[(&plain, other), (text, encoding), (&plain, other)]);
    }
}

/// A game with words in a name, a header and comments. A name of CSA tells the encoding.
fn game(id: &str, name: &str, header: &str, comment: &str) -> String {
    match id {
        "kif" => format!(
            "手合割：平手\n先手：山田\n後手：{name}\n備考：{header}\n   1 ２六歩(27)\n*{comment}\n\
             *{name}\n   2 ８四歩(83)\n*{comment}\n   3 投了\n*{header}\n"
        ),
        "csa" => format!(
            "V2.2\nN+山田はなこ\nN-{name}\n$EVENT:{header}\nPI\n+\n'*{comment}\n+2726FU\n\
             '*{comment}\n'*{name}\n%TORYO\n"
        ),
        other => panic!("{other}"),
    }
}

#[test]
fn words_of_two_half_width_kana_come_back() {
    let kana = || "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞﾟ".chars();
    for one in kana() {
        for other in kana() {
            let word = format!("{one}{other}");
            for id in ["kif", "csa"] {
                check(id, &[(&game(id, &word, &word, &word), SHIFT_JIS)]);
            }
        }
        for word in [format!("ﾐ{one}"), format!("{one}ｼ"), format!("ﾄﾑ･{one}ｽ")] {
            for id in ["kif", "csa"] {
                everywhere(id, &game(id, &word, &word, &word), SHIFT_JIS);
            }
        }
    }
    for word in ["ﾐｽ", "ﾏｴ", "ﾅｼ", "ﾖｼ", "ﾎｺ", "ﾃﾞｽ", "ﾐｽ ﾏｴ", "ﾐｽ ok"]
    {
        for id in ["kif", "csa"] {
            everywhere(id, &game(id, word, word, word), SHIFT_JIS);
        }
    }
}

#[test]
fn words_of_euc_that_are_utf_8_too_come_back() {
    let words = ["同竜", "同馬", "同銀", "同角", "同", "竜", "馬", "左馬", "木の下", "一ノ瀬"];
    for word in words {
        for id in ["kif", "csa"] {
            everywhere(id, &game(id, word, word, word), EUC_JP);
        }
    }
    let game = "手合割：平手\n先手：山田\n1 ５六歩(57)\n2 ８四歩(83)\n3 ５八飛(28)\n4 ５二飛(82)\n\
                5 ５五歩(56)\n6 同飛(52)\n7 同飛(58)\n*同竜\n8 投了\n";
    everywhere("kif", game, EUC_JP);
    everywhere("kif", game, SHIFT_JIS);
}

#[test]
fn names_with_accents_stay_beside_other_encodings() {
    for word in ["Müller", "José", "Ångström", "Łódź", "Größe", "Čapek", "naïve à é"] {
        for id in ["kif", "csa"] {
            everywhere(id, &game(id, word, word, word), UTF_8);
        }
        // Nothing else tells the encoding.
        let ascii = format!("V2.2\nN+{word}\nN-Smith\nPI\n+\n+2726FU\n%TORYO\n");
        everywhere("csa", &ascii, UTF_8);
        check("csa", &[(&ascii, UTF_8), (&ascii, UTF_8)]);
    }
}

#[test]
fn a_line_that_says_its_encoding_tells_that_of_others() {
    let moves = "PI\n+\n+2726FU\n%TORYO\n";
    for (name, word, encoding) in [
        ("SHIFT_JIS", "ﾐｽ", SHIFT_JIS),
        ("Shift_JIS", "ﾏｴ", SHIFT_JIS),
        ("EUC-JP", "同竜", EUC_JP),
        ("UTF-8", "н", UTF_8),
        ("UTF-8", "Å", UTF_8),
    ] {
        let text = format!("'CSA encoding={name}\nV3.0\nN+Smith\nN-{word}\n{moves}");
        everywhere("csa", &text, encoding);
        check("csa", &[(&text, encoding), (&text, encoding)]);
        let text = format!("#KIF version=2.0 encoding={name}\n*{word}\n");
        let file = held(&text, encoding).unwrap();
        assert_eq!(given("kif", &file), given("kif", text.as_bytes()), "{text}");
    }
}

const ENCODINGS: [&Encoding; 4] = [UTF_8, SHIFT_JIS, EUC_JP, ISO_2022_JP];

/// Whether the bytes of a word look more like another encoding than like their own, so that no
/// reader can know: as long characters of UTF-8, as several kana or wide letters of EUC-JP, or as
/// accented letters in a word.
fn is_undecidable(text: &str, encoding: &'static Encoding) -> bool {
    let Some(bytes) = held(text, encoding) else { return true };
    if encoding == UTF_8 || encoding == ISO_2022_JP {
        return false;
    }
    let utf_8 = String::from_utf8_lossy(&bytes);
    let lost = utf_8.matches('\u{fffd}').count();
    let long = utf_8.chars().filter(|c| *c != '\u{fffd}' && c.len_utf8() > 2).count();
    let accents = lost == 0 && utf_8.contains(|c| ('\u{c0}'..'\u{250}').contains(&c));
    let mixed = accents && utf_8.contains(|c: char| c.is_ascii_lowercase());
    let wide = |c: &char| ('\u{3000}'..='\u{30ff}').contains(c) || ('！'..='～').contains(c);
    let euc = EUC_JP.decode_without_bom_handling_and_without_replacement(&bytes);
    let kana = euc.map_or(0, |text| text.chars().filter(wide).count());
    long > 2 * lost || mixed || (encoding == SHIFT_JIS && kana > 1)
}

fn word() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        "[ｦ-ﾟ]{1,6}",
        "[ｱ-ﾝ]{2}",
        "[ｱ-ﾝ]{2}･[ｱ-ﾝ]{2}",
        "[一-龠]{1,4}",
        "[ぁ-ん]{1,5}",
        "[ァ-ヶ]{1,5}",
        "(同|成|打|直|右|左)?[歩香桂銀金角飛玉竜馬龍]",
        "[A-Z]?[a-z]{1,3}[À-ÖØ-öø-ž]{1,2}[a-z]{0,3}",
        "[À-ÖØ-öø-ž]{1,2}",
        "[a-z]{1,4}",
    ];
    (prop::collection::vec(one, 1..4), prop_oneof!["", " "])
        .prop_map(|(words, joint)| words.join(&joint))
}

/// A word that an encoding can hold.
fn fitting(encoding: &'static Encoding) -> impl Strategy<Value = String> {
    word().prop_filter("undecidable", move |word| !is_undecidable(word, encoding))
}

fn part(id: &'static str) -> impl Strategy<Value = (String, &'static Encoding)> {
    prop::sample::select(&ENCODINGS[..]).prop_flat_map(move |encoding| {
        let words = (fitting(encoding), fitting(encoding), fitting(encoding));
        words.prop_map(move |(a, b, c)| (game(id, &a, &b, &c), encoding))
    })
}

fn file() -> impl Strategy<Value = (&'static str, Vec<(String, &'static Encoding)>)> {
    prop::sample::select(&["kif", "csa"][..])
        .prop_flat_map(|id| (Just(id), prop::collection::vec(part(id), 1..4)))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        max_local_rejects: 1 << 20,
        ..ProptestConfig::default()
    })]

    #[test]
    fn records_of_all_encodings_come_back((id, parts) in file()) {
        let parts: Vec<_> = parts.iter().map(|(text, encoding)| (&**text, *encoding)).collect();
        check(id, &parts);
    }
}
