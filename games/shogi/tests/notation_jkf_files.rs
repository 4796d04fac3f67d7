//! Files of several JKF documents: what is wrong with one costs no other. Keys that are not of JKF.

mod records;

use kiban_core::{ReadError, Record, Source};
use kiban_shogi::GAME;
use proptest::prelude::*;
use records::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Everything a file gives.
fn streamed(bytes: &[u8]) -> Vec<Result<Record, ReadError>> {
    let mut given = Vec::new();
    let source = Source { bytes, variant: None };
    format("jkf").stream.expect("it is read record by record")(source, &mut |read| {
        given.push(read);
        ControlFlow::Continue(())
    });
    given
}

/// The first player's name of each record, or the place of an error.
fn told(bytes: &[u8]) -> Vec<String> {
    let told = |read: &Result<Record, ReadError>| match read {
        Ok(record) => record.tag("first").unwrap_or("-").to_string(),
        Err(e) => format!("{}:{}", e.at.line.unwrap_or(0), e.at.column.unwrap_or(0)),
    };
    streamed(bytes).iter().map(told).collect()
}

/// A document of one line with this name.
fn document(name: &str) -> String {
    format!("{{\"header\":{{\"先手\":\"{name}\"}},\"moves\":[{{}},{{\"special\":\"TORYO\"}}]}}")
}

#[test]
fn a_bad_document_is_one_error_and_reading_goes_on() {
    let (a, b, c) = (document("a"), document("b"), document("c"));
    let pretty = "{\n  \"header\": {\n    \"先手\": \"p\"\n  },\n  \"moves\": [\n    {}\n  ]\n}";
    for (fault, text, want) in [
        ("a value missing", format!("{a}\n{{\"moves\":}}\n{c}"), vec!["a", "2:10", "c"]),
        ("cut off in a list", format!("{a}\n{{\"moves\":[\n{c}"), vec!["a", "2:10", "c"]),
        ("cut off behind a comma", format!("{{\"moves\":[{{}},\n{b}\n{c}"), vec!["1:13", "b", "c"]),
        ("cut off behind a key", format!("{{\"initial\":\n{b}\n{c}"), vec!["1:11", "b", "c"]),
        ("cut off in a string", format!("{{\"header\":{{\"先\n{b}\n{c}"), vec!["1:13", "b", "c"]),
        ("cut off in a number", format!("{{\"moves\":[1\n{b}"), vec!["1:11", "b"]),
        ("cut off last", format!("{a}\n{b}\n{}", &c[..40]), vec!["a", "b", "3:36"]),
        ("one bracket too many", format!("{{\"moves\":[{{}}]]}}\n{b}"), vec!["1:14", "b"]),
        ("the wrong bracket", format!("{{\"moves\":[{{}}}}\n{b}"), vec!["1:13", "b"]),
        ("a stray line first", format!("junk\n{a}\n{b}"), vec!["1:1", "a", "b"]),
        ("stray lines", format!("{a}\n  junk\nmore\n{b}"), vec!["a", "2:3", "b"]),
        ("a stray line last", format!("{a}\n{b}\n]\n"), vec!["a", "b", "3:1"]),
        ("a list of documents", format!("[\n{a},\n{b}\n]"), vec!["1:1", "a", "2:55", "b", "4:1"]),
        ("a zero byte", format!("{a}\n{{\"mo\0ves\":[]}}\n{c}"), vec!["a", "2:5", "c"]),
        ("a zero byte between", format!("{a}\n\0\n{c}"), vec!["a", "2:1", "c"]),
        ("no such piece", format!("{}\n{b}", piece("XX")), vec!["1:55", "b"]),
        (
            "a fault on many lines",
            format!("{}\n{b}", pretty.replace("{}", "{},")),
            vec!["7:3", "b"],
        ),
        ("cut off on many lines", format!("{}\n{b}", &pretty[..40]), vec!["4:4", "b"]),
        ("too deep", format!("{{\"x\":{}\n{b}", "[".repeat(200)), vec!["1:132", "b"]),
        (
            "of many moves",
            format!("{{\"moves\":[{}\n{b}", "{},".repeat(200_000)),
            vec!["1:330011", "b"],
        ),
        ("nothing wrong", format!("{a}{b} {c}\n\n{pretty}\r\n"), vec!["a", "b", "c", "p"]),
        (
            "marks of files joined",
            format!("\u{feff}{a}\u{feff}{b}\n\u{feff}{c}"),
            vec!["a", "b", "c"],
        ),
        ("a mark behind a fault", format!("{{\"moves\":[\n\u{feff}{b}"), vec!["1:10", "b"]),
    ] {
        assert_eq!(told(text.as_bytes()), want, "{fault}: {:?}", streamed(text.as_bytes()));
    }
}

fn piece(code: &str) -> String {
    format!("{}{{\"move\":{{\"piece\":\"{code}\"}}}}]}}", document("x").trim_end_matches("]}"))
        .replace("{\"special\":\"TORYO\"}", "")
}

#[test]
fn an_unreadable_character_belongs_to_its_document() {
    let (a, c) = (document("甲"), document("丙"));
    let latin =
        [a.as_bytes(), b"\n", b"{\"header\":{\"x\":\"Ren\xe9\"},\"moves\":[]}\n", c.as_bytes()];
    let given = streamed(&latin.concat());
    let warnings: Vec<_> =
        given.iter().map(|read| read.as_ref().expect("a record").warnings.clone()).collect();
    assert_eq!((warnings[0].len(), warnings[1].len(), warnings[2].len()), (0, 1, 0));
    assert_eq!((warnings[1][0].line, warnings[1][0].column), (2, 20));
    assert_eq!(told(&latin.concat()), ["甲", "-", "丙"]);
    // Another encoding is understood where all of it is clean.
    let (sjis, ..) = encoding_rs::SHIFT_JIS.encode(&a);
    assert_eq!(told(&sjis), ["甲"]);
}

#[test]
fn hostile_files_take_no_long_time() {
    const BYTES: usize = 1 << 20;
    let cut_off = |line: &str| line.repeat(BYTES / line.len());
    for (name, text) in [
        ("lists", cut_off("{\"a\":[\n")),
        ("objects", cut_off("{\"a\":\n")),
        ("one line long", cut_off(&format!("{{\"a\":[{}\n", "{},".repeat(20_000)))),
        (
            "documents as parts",
            cut_off(&format!("{{\"moves\":[{}\n", "{\"x\":[]},\n".repeat(1000))),
        ),
        ("strings", cut_off("{\"\n")),
        ("stray", cut_off("x\n{")),
        ("one string", format!("{{\"{}", "{\\\"".repeat(BYTES / 3))),
        ("keys beside", format!("{{{}}}", cut_off("\"aa\":1,"))),
        ("whole ones", cut_off("{}")),
    ] {
        let begun = Instant::now();
        streamed(text.as_bytes());
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    }
}

fn jkf_header(record: &Record) -> Vec<&str> {
    record.unknown.iter().filter(|(key, _)| key == "JKF").map(|(_, value)| value.as_str()).collect()
}

#[test]
fn known_keys_may_be_written_with_escapes() {
    let escaped: String = GAME_JKF
        .split('"')
        .enumerate()
        .map(|(i, part)| match part {
            "header" | "initial" | "preset" | "moves" | "comments" | "move" | "color" | "from"
            | "to" | "x" | "y" | "piece" | "same" | "promote" | "capture" | "relative" | "time"
            | "now" | "total" | "h" | "m" | "s" | "special" | "forks"
                if i % 2 == 1 =>
            {
                format!("\\u{:04x}{}", u32::from(part.as_bytes()[0]), &part[1..])
            }
            part => part.to_string(),
        })
        .collect::<Vec<_>>()
        .join("\"");
    assert!(escaped.contains("\"\\u006doves\""));
    assert_eq!(bare(read("jkf", &escaped)), bare(read("jkf", GAME_JKF)));
}

#[test]
fn values_of_other_keys_keep_their_text() {
    for value in [
        "123456789012345678901234567890",
        "-9223372036854775809",
        "1e400",
        "1.0000000000000000001",
        "-0",
        "1E5",
        "\"\\ud800\"",
        "{\"\\udfff\":[1.50,{},[]]}",
        "\"a b\\\" c\\\\\"",
        "null",
    ] {
        let text =
            format!("{{\"header\":{{}},\"moves\":[{{\"n\" : {value} }}], \"n/~\":\t{value}}}");
        let record = read("jkf", &text);
        assert_eq!(record.warnings, []);
        let kept = format!("{{\"/moves/0/n\":{value},\"/n~1~0\":{value}}}");
        assert_eq!(jkf_header(&record), [kept]);
        let written = write("jkf", &record);
        assert!(written.contains(&format!("[{{\"n\":{value}}}]")), "{written}");
        assert!(written.contains(&format!("\"n/~\":{value}")), "{written}");
        survives("jkf", &record);
        survives("kif", &read("kif", &write("kif", &record)));
    }
}

#[test]
fn a_header_of_the_name_of_kept_keys_stays_a_header() {
    for value in [
        "xx",
        "{}",
        "{\"a\":1}",
        "{\"/moves/0/evil\":1}",
        "{\"/moves\":[]}",
        "{\"/moves/0/move\":{}}",
        "{\"/moves/999/x\":1}",
        "{\"/header/先手\":\"x\"}",
        "{\"/header/JKF\":\"{\\\"/x\\\":1}\"}",
    ] {
        for more in ["", ",\"k\":[1]"] {
            let text = serde_json::json!({"先手": "甲", "JKF": value});
            let text = format!("{{\"header\":{text},\"moves\":[{{}}]{more}}}");
            let record = read("jkf", &text);
            survives("jkf", &record);
            let back: serde_json::Value =
                serde_json::from_str(&write("jkf", &record)).expect("it is JSON");
            assert_eq!(back["header"]["JKF"], value, "{back}");
            assert_eq!(back.get("k").is_some(), !more.is_empty());
            assert_eq!(
                back.as_object().expect("an object").len(),
                3 + usize::from(back.get("k").is_some())
            );
        }
    }
    // What no document has stays refused.
    for header in
        ["{\"/moves/999/x\":1}", "{\"/moves\":[]}", "{\"/moves/0/move\":{}}", "{\"/header/x\":1}"]
    {
        let mut record = Record::new(GAME.id, "shogi", "");
        record.unknown.push(("JKF".to_string(), header.to_string()));
        assert!(try_write("jkf", &[record]).is_err(), "{header}");
    }
}

/// Damage done to a text.
#[derive(Clone, Debug)]
enum Damage {
    Cut(prop::sample::Index),
    Without(prop::sample::Index, usize),
    With(prop::sample::Index, char),
}

impl Damage {
    fn of(&self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let begin = |chars: &[char], n: usize| chars[..n].iter().collect::<String>();
        match self {
            Damage::Cut(at) => begin(&chars, at.index(chars.len())),
            Damage::Without(at, length) => {
                let at = at.index(chars.len());
                let rest = chars[chars.len().min(at + length)..].iter().collect::<String>();
                begin(&chars, at) + &rest
            }
            Damage::With(at, c) => {
                let at = at.index(chars.len());
                format!("{}{c}{}", begin(&chars, at), chars[at..].iter().collect::<String>())
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        at().prop_map(Damage::Cut),
        (at(), 1..40usize).prop_map(|(at, length)| Damage::Without(at, length)),
        (at(), prop::sample::select("{}[]\",:x\0\u{feff}\\ \n".chars().collect::<Vec<_>>()))
            .prop_map(|(at, c)| Damage::With(at, c)),
    ]
}

/// Documents of all sorts, on one line and on many.
fn documents() -> Vec<String> {
    let mut documents = vec![document("a"), GAME_JKF.trim_end().to_string()];
    let others = [read("kif", GAME_KIF), read("ki2", GAME_KI2), read("kif", DIAGRAM)];
    for record in others {
        let line = write("jkf", &record).trim_end().to_string();
        let value: serde_json::Value = serde_json::from_str(&line).expect("it is JSON");
        documents.extend([line, serde_json::to_string_pretty(&value).expect("it is JSON")]);
    }
    documents
}

proptest! {
    #[test]
    fn damage_to_one_document_leaves_the_others(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        which in any::<prop::sample::Index>(),
        damage in damage(),
    ) {
        let all = documents();
        let mut texts: Vec<String> = picks.iter().map(|pick| pick.get(&all).clone()).collect();
        let which = which.index(texts.len());
        let mut others: Vec<Record> = texts.iter().map(|text| bare(read("jkf", text))).collect();
        others.remove(which);
        texts[which] = damage.of(&texts[which]);
        let text = texts.join("\n");
        let given = streamed(text.as_bytes());
        let bad = given.iter().filter(|read| read.is_err()).count();
        let mut good: Vec<Record> = given.into_iter().flatten().map(bare).collect();
        prop_assert!(good.len() + bad >= picks.len() || texts[which].trim().is_empty(), "{}", text);
        if good.len() > others.len() {
            good.remove(which);
        }
        prop_assert_eq!(good, others, "{}", text);
    }
}
