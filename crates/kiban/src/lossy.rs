//! Records in formats that hold less than they do: which parts must go.

use crate::records::Known;
use kiban_core::{Act, Node, ReadError, Record};

/// A part of a record: its name in a sentence, and how to take it out.
type Part = (&'static str, fn(&mut Record, Known));

/// The parts, the ones that are missed least first.
const PARTS: &[Part] = &[
    ("times", |record, _| record.nodes.iter_mut().for_each(|node| node.spent_ms = None)),
    ("comments", |record, _| record.nodes.iter_mut().for_each(|node| node.comment.clear())),
    ("headers that Kiban does not know", |record, _| record.unknown.clear()),
    ("headers", |record, _| record.tags.clear()),
    ("branches", |record, _| without_branches(record)),
    ("how the game ended", |record, _| without_end(record)),
    ("moves", without_moves),
];

/// Records as a format holds them, and the names of what it cannot hold.
pub(crate) struct Held {
    /// The content of the file.
    pub(crate) written: Vec<u8>,
    /// The parts that were left out.
    pub(crate) missing: Vec<&'static str>,
}

/// Writes records, leaving out what the format cannot hold and nothing else.
///
/// # Errors
/// The format's own error where it cannot hold them whatever is left out.
pub(crate) fn write(records: &[Record], known: Known) -> Result<Held, ReadError> {
    let write = known.format.write.expect("only writable formats are targets");
    let error = match write(records) {
        Ok(written) => return Ok(Held { written, missing: Vec::new() }),
        Err(e) => e,
    };
    let without = |gone: &[bool]| {
        let mut records = records.to_vec();
        for record in &mut records {
            let parts = PARTS.iter().zip(gone).filter(|(_, gone)| **gone);
            parts.for_each(|((_, take_out), _)| take_out(record, known));
        }
        write(&records)
    };
    // From the poorest record that can be written to the richest, the dearest parts first.
    let poorest = (0..=PARTS.len()).map(|n| (0..PARTS.len()).map(|part| part < n).collect());
    let mut gone: Vec<bool> =
        poorest.into_iter().find(|gone: &Vec<bool>| without(gone).is_ok()).ok_or(error)?;
    for part in (0..PARTS.len()).rev().filter(|part| gone[*part]).collect::<Vec<_>>() {
        gone[part] = false;
        gone[part] = without(&gone).is_err();
    }
    let missing = PARTS.iter().zip(&gone).filter(|(_, gone)| **gone).map(|((name, _), _)| *name);
    Ok(Held { written: without(&gone)?, missing: missing.collect() })
}

fn without_branches(record: &mut Record) {
    let line: Vec<Node> = record.main_line().cloned().collect();
    record.nodes.truncate(1);
    record.nodes[0].children.clear();
    let mut at = 0;
    for node in line {
        at = record.add(at, Node { children: Vec::new(), ..node });
    }
}

/// Takes out the claim, and the nodes without a move at the ends of lines.
fn without_end(record: &mut Record) {
    record.claimed = None;
    let plays = |node: &Node| matches!(node.entry.as_ref().map(|e| &e.act), Some(Act::Move(_)));
    let kept: Vec<bool> = record.nodes.iter().map(plays).collect();
    for node in &mut record.nodes {
        node.children.retain(|child| kept[*child]);
    }
    // What no node leads to any more goes too.
    let mut whole = Record { nodes: vec![record.nodes[0].clone()], ..record.clone() };
    whole.nodes[0].children.clear();
    let mut waiting = vec![(0, 0)];
    while let Some((old, new)) = waiting.pop() {
        for child in &record.nodes[old].children {
            let node = Node { children: Vec::new(), ..record.nodes[*child].clone() };
            waiting.push((*child, whole.add(new, node)));
        }
    }
    *record = whole;
}

/// Leaves the last position alone.
fn without_moves(record: &mut Record, known: Known) {
    if let Ok(judged) = (known.spec.judge)(record) {
        record.start = judged.last;
    }
    record.nodes.truncate(1);
    record.nodes[0].children.clear();
}
