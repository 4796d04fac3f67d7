//! Records of a toy: what is written is read again, and what is wrong is told where it stands.

use super::Dialect;
use kiban_core::{Act, Node, Record, Source};
use kiban_testkit::toys::trail::TRAIL;

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
