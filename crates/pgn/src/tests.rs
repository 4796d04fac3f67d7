//! Records of a toy: what is written is read again, and what is wrong is told where it stands.

use super::Dialect;
use kiban_core::{Act, Node, ReadError, Record, Source};
use kiban_testkit::{Random, toys::trail::TRAIL};
use std::ops::ControlFlow;

const DIALECT: Dialect = Dialect { joins: |word| word.starts_with('x'), ..Dialect::new(TRAIL) };

fn reads(text: &str) -> Result<Vec<Record>, kiban_core::ReadError> {
    DIALECT.read(Source { bytes: text.as_bytes(), variant: None })
}

fn written(records: &[Record]) -> String {
    String::from_utf8(DIALECT.write(records).unwrap()).unwrap()
}

/// Without where the words stood.
fn plain(record: &Record) -> Record {
    let mut plain = record.clone();
    plain.nodes.iter_mut().for_each(|node| node.at = None);
    plain
}

fn moves() -> Vec<String> {
    let opening = kiban_core::Opening::new(TRAIL.variant("").unwrap(), None);
    let mut game = (TRAIL.open)(&opening).unwrap();
    let mut moves = Vec::new();
    for _ in 0..4 {
        let seat = game.waiting_for().only().unwrap();
        let text = game.choices(seat)[0].text.clone();
        game.put(&kiban_core::Entry::new_move(seat, text.as_str())).unwrap();
        moves.push(text);
    }
    moves
}

#[test]
fn comments_times_branches_calls_and_tags_survive() {
    let m = moves();
    let text = format!(
        "[Game \"trail\"]\n[First \"A \\\"B\\\" C\"]\n[Annotator \"x\"]\n[Result \"0-1\"]\n\
         [Termination \"resign\"]\n\n{{before}} 1. {} {{[%emt 1:02:03.5] well}} {} ; to the end\n\
         (1... {} {{instead}} 2. {} ({}) first-resign) 2.{} second-timeout 0-1\n",
        m[0], m[1], m[1], m[2], m[2], m[2]
    );
    assert_eq!(DIALECT.sniff(text.as_bytes()), 100);
    let records = reads(&text).unwrap();
    let record = &records[0];
    assert_eq!(record.tag("first"), Some("A \"B\" C"));
    assert_eq!(record.unknown, [("Annotator".to_string(), "x".to_string())]);
    assert_eq!(record.nodes[0].comment, "before");
    let first = record.main_line().next().unwrap();
    assert_eq!((first.spent_ms, first.comment.as_str()), (Some(3_723_500), "well"));
    assert_eq!(record.main_line().count(), 4);
    assert_eq!(first.children.len(), 2);
    let again = reads(&written(&records)).unwrap();
    assert_eq!(plain(&again[0]).nodes.len(), record.nodes.len());
    assert_eq!(plain(&again[0]).claimed, record.claimed);
    assert_eq!(written(&again), written(&records));
    let shape = |r: &Record| {
        let mut lines = Vec::new();
        let mut open = vec![(0, String::new())];
        while let Some((at, line)) = open.pop() {
            let node = &r.nodes[at];
            let line = match node.entry.as_ref() {
                Some(entry) => format!("{line} {:?} {:?} {}", entry.by, entry.act, node.comment),
                None => line,
            };
            open.extend(node.children.iter().map(|child| (*child, line.clone())));
            if node.children.is_empty() {
                lines.push(line);
            }
        }
        lines
    };
    assert_eq!(shape(&again[0]), shape(record));
}

#[test]
fn a_move_in_two_words_is_one_move() {
    let m = moves();
    let error = reads(&format!("[Game \"trail\"]\n\n1. {} {} xb4 *\n", m[0], m[1])).unwrap_err();
    assert_eq!(error.found, Some(format!("{}xb4", m[1])), "no move of this game, but one word");
    assert_eq!((error.at.line, error.at.column), (Some(3), Some(9)));
}

#[test]
fn every_fault_is_told_where_it_stands() {
    let m = &moves()[0];
    for (text, line, column) in [
        ("hello", 1, 1),
        ("", 1, 1),
        ("[Game \"other\"]\n\n*", 1, 1),
        ("[Game \"trail\"]\n[Broken]\n", 2, 1),
        ("[Game \"trail\"]\n\n1. ** *\n", 3, 4),
        ("[Game \"trail\"]\n\n{open", 3, 1),
        ("[Game \"trail\"]\n\n1. ) *", 3, 4),
        ("[Game \"trail\"]\n\n(1. a) *", 3, 1),
        ("[Game \"trail\"]\n[Variant \"none\"]\n\n*", 2, 1),
    ] {
        let error = reads(text).unwrap_err();
        let found = (error.at.line.unwrap_or(0), error.at.column.unwrap_or(0));
        assert_eq!(found, (line, column), "{text}: {error}");
    }
    let error = reads(&format!("[Game \"trail\"]\n\n1. {m} 1-0 {m}\n")).unwrap_err();
    assert!(error.to_string().contains("follows the result"), "{error}");
    let deep = format!("[Game \"trail\"]\n\n1. {m} {}", "(".repeat(1000));
    assert!(reads(&deep).is_err());
}

#[test]
fn a_node_that_only_comments_is_passed_over() {
    let mut record = Record::new("trail", "three", "");
    let node = Node { comment: "a {brace}".into(), ..Node::default() };
    record.add(0, node);
    let again = reads(&written(&[record])).unwrap();
    assert_eq!(again[0].nodes[0].comment, "a (brace)");
    let mut laid = Record::new("trail", "three", "");
    let entry = kiban_core::Entry { by: kiban_core::Seats::NONE, act: Act::Deal("x".into()) };
    laid.add(0, Node { entry: Some(entry), ..Node::default() });
    assert!(DIALECT.write(&[laid]).is_err());
}

/// Everything a file gives.
fn stream(bytes: &[u8]) -> Vec<Result<Record, ReadError>> {
    let mut all = Vec::new();
    DIALECT.stream(Source { bytes, variant: None }, &mut |read| {
        all.push(read);
        ControlFlow::Continue(())
    });
    all
}

/// The first player's name of each record, or the line of an error.
fn told(bytes: &[u8]) -> Vec<String> {
    let told = |read: &Result<Record, ReadError>| match read {
        Ok(record) => record.tag("first").unwrap_or("-").to_string(),
        Err(e) => e.at.line.expect("a line").to_string(),
    };
    stream(bytes).iter().map(told).collect()
}

/// A game of five lines with this name.
fn game(name: &str) -> String {
    let m = moves();
    format!("[Game \"trail\"]\n[First \"{name}\"]\n\n1. {} {{well}} {} *\n\n", m[0], m[1])
}

#[test]
fn a_damaged_game_costs_no_other() {
    let [a, b, c] = ["a", "b", "c"].map(game);
    let tags = "[Game \"trail\"]\n[First \"t\"]\n";
    for (fault, text, want) in [
        ("no move first", format!("{}{b}{c}", a.replace("1.", "1. **")), vec!["4", "b", "c"]),
        ("no move last", format!("{a}{b}{}", c.replace("1.", "1. **")), vec!["a", "b", "14"]),
        ("a comment open", format!("{a}{}{c}", b.replace('}', "")), vec!["a", "9", "c"]),
        ("a branch open", format!("{a}{}{c}", b.replace(" *", " (")), vec!["a", "10", "c"]),
        (
            "a branch too many",
            format!("{a}{}{c}", b.replace(" *", " ) {x} *")),
            vec!["a", "9", "c"],
        ),
        ("a broken tag", format!("{a}{}{c}", b.replace("\"]", "]")), vec!["a", "6", "c"]),
        ("cut off in a tag", format!("{a}[Game \"tr\n{c}"), vec!["a", "6", "c"]),
        ("cut off behind tags", format!("{a}{tags}\n{c}"), vec!["a", "t", "c"]),
        ("cut off at once", format!("{a}{tags}{c}"), vec!["a", "t", "c"]),
        ("cut off in a move", format!("{}\n{c}", &a[..a.len() - 5]), vec!["4", "c"]),
        ("cut off in a comment", format!("{}\n\n{c}", &a[..a.len() - 13]), vec!["4", "c"]),
        ("no game said", format!("{a}{}{c}", b.replace("Game", "Name")), vec!["a", "6", "c"]),
        ("stray lines", format!("junk\n\n{a}junk\n\n{b}"), vec!["1", "a", "8", "b"]),
        ("a zero byte", format!("{a}{}{c}", b.replace("1. ", "1. \0")), vec!["a", "9", "c"]),
        ("marks", format!("\u{feff}{a}\u{feff}{b}\u{feff}{c}"), vec!["a", "b", "c"]),
        ("no end before a mark", format!("{}\u{feff}{b}", a.trim_end()), vec!["a", "b"]),
    ] {
        assert_eq!(told(text.as_bytes()), want, "{fault}: {:?}", stream(text.as_bytes()));
    }
    let latin = [game("黑").as_bytes(), b"[Game \"trail\"]\n[First \"Andr\xe9\"]\n\n*\n"].concat();
    assert_eq!(told(&latin), ["黑", "André"]);
    let marked = format!("{a}{}{c}", b.replace("*", "$1 *"));
    let warned: Vec<usize> =
        stream(marked.as_bytes()).into_iter().map(|read| read.unwrap().warnings.len()).collect();
    assert_eq!(warned, [0, 1, 0]);
}

#[test]
fn a_comment_may_look_like_tags() {
    let mut record = Record::new("trail", "three", "");
    record.nodes[0].comment = "one\n\n[Game \"trail\"]\n[First \"x\"]".to_string();
    let again = reads(&written(&[record.clone(), record])).unwrap();
    let comment = "one\n\n [Game \"trail\"]\n [First \"x\"]";
    assert_eq!(again.iter().map(|r| r.nodes[0].comment.as_str()).collect::<Vec<_>>(), [comment; 2]);
}

/// A text with one damage.
fn damaged(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.trim_end().as_bytes().to_vec();
    let at = random.below(bytes.len());
    let all: &[&[u8]] = &[
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b"\"",
        b";",
        b"\0",
        b"\xe9",
        b"\n",
        b"x",
        b"\xef\xbb\xbf",
    ];
    match random.below(3) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..(at + 1 + random.below(30)).min(text.trim_end().len()))),
        _ => {
            let more = *random.pick(all).expect("there are some");
            drop(bytes.splice(at..at, more.iter().copied()));
        }
    }
    bytes.extend(b"\n\n");
    bytes
}

#[test]
fn any_damage_to_one_game_leaves_the_others() {
    let texts: Vec<String> = ["a", "b", "c", "d"].iter().map(|name| game(name)).collect();
    let records: Vec<Record> = texts.iter().map(|text| plain(&reads(text).unwrap()[0])).collect();
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let which = random.below(4);
        let bad = damaged(&texts[which], &mut random);
        let parts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        let file = [&parts[..which], &[&bad[..]], &parts[which + 1..]].concat().concat();
        let given = stream(&file);
        let shown = String::from_utf8_lossy(&file);
        assert!(given.len() >= 4 || bad.trim_ascii().is_empty(), "{shown}");
        let mut good: Vec<Record> = given.iter().flatten().map(plain).collect();
        while good.len() > 3 {
            good.remove(which);
        }
        let mut others = records.clone();
        others.remove(which);
        assert_eq!(good, others, "{seed}: {shown}");
    }
}
