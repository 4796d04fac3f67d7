//! Records in formats that hold less than they do: which parts must go.

use crate::records::Known;
use kiban_core::{Act, Claimed, Node, ReadError, Record};

/// A part of a record: its name in a sentence, and how to take it out.
type Part = (&'static str, fn(&mut Record, Known));

/// The parts, the ones that are missed least first.
const PARTS: &[Part] = &[
    ("times", |record, _| record.nodes.iter_mut().for_each(|node| node.spent_ms = None)),
    ("comments", |record, _| record.nodes.iter_mut().for_each(|node| node.comment.clear())),
    ("headers that Kiban does not know", |record, _| record.unknown.clear()),
    ("headers", |record, _| record.tags.clear()),
    ("branches", |record, _| without_branches(record)),
    ("the move that was a foul", without_foul),
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

/// A part that is left out, and the words on the first of its kind: ` (record 3, line 40: why)`.
#[derive(Clone)]
pub(crate) struct Lost {
    pub(crate) part: &'static str,
    pub(crate) detail: String,
}

/// What is lost of a record: its place among those of its file, where in it, and why.
pub(crate) fn lost(
    part: &'static str,
    (number, several): (usize, bool),
    line: Option<usize>,
    why: &str,
) -> Lost {
    let number = several.then(|| format!("record {number}"));
    let line = line.map(|line| format!("line {line}"));
    let place: Vec<_> = number.into_iter().chain(line).collect();
    let place = place.join(", ");
    let detail = match (place.as_str(), why) {
        ("", "") => String::new(),
        (place, "") => format!(" ({place})"),
        ("", why) => format!(" ({why})"),
        (place, why) => format!(" ({place}: {why})"),
    };
    Lost { part, detail }
}

/// The line of a record's file where the first of a part stands.
pub(crate) fn line_of(part: &str, record: &Record) -> Option<usize> {
    let line = |node: Option<&Node>| node.and_then(|node| node.at).map(|(line, _)| line);
    match part {
        "times" => line(record.nodes.iter().find(|node| node.spent_ms.is_some())),
        "comments" => line(record.nodes.iter().find(|node| !node.comment.is_empty())),
        "branches" => {
            let second = record.nodes.iter().find_map(|node| node.children.get(1));
            line(second.map(|second| &record.nodes[*second]))
        }
        "how the game ended" => line(record.main_line().last()),
        _ => None,
    }
}

/// A record without these parts.
pub(crate) fn without(record: &Record, known: Known, parts: &[&str]) -> Record {
    let mut record = record.clone();
    let gone = PARTS.iter().filter(|(name, _)| parts.contains(name));
    gone.for_each(|(_, take_out)| take_out(&mut record, known));
    record
}

/// Why a format cannot hold a part of these records, told of the first of which it is so. `missing`
/// is all it cannot hold of them, and `numbers` are theirs in their file.
pub(crate) fn told(
    part: &'static str,
    records: &[Record],
    known: Known,
    missing: &[&str],
    numbers: &[usize],
) -> Lost {
    let write = known.format.write.expect("only writable formats are targets");
    let others: Vec<&str> = missing.iter().copied().filter(|name| *name != part).collect();
    let alone = |record: &Record| without(record, known, &others);
    let several = numbers != [1];
    let found = records.iter().enumerate().find_map(|(i, record)| {
        let record = alone(record);
        let error = write(std::slice::from_ref(&record)).err()?;
        Some((i, record, error))
    });
    let Some((i, stripped, error)) = found else {
        // They can be held one by one, and not together.
        let why = write(&records.iter().map(alone).collect::<Vec<_>>()).err();
        let why = why.map_or(String::new(), |error| reason(part, &error));
        return lost(part, (numbers[0], false), None, &why);
    };
    let record = &records[i];
    let (line, error) = match part {
        "moves" => first_move(&stripped, known).unwrap_or((None, error)),
        _ => (line_of(part, record), error),
    };
    let why = match (reason(part, &error), part) {
        (why, "headers") if why.is_empty() => named(record.tags.first()),
        (why, "headers that Kiban does not know") if why.is_empty() => {
            named(record.unknown.first())
        }
        (why, _) => why,
    };
    lost(part, (numbers[i], several), line, &why)
}

/// A header's name as it is told.
pub(crate) fn named(header: Option<&(String, String)>) -> String {
    header.map_or(String::new(), |(key, _)| format!("\"{key}\""))
}

/// The error of records that cannot be written whatever is left out, told of the first of which it
/// is so alone; `numbers` are theirs in their file.
pub(crate) fn unheld(
    records: &[Record],
    known: Known,
    numbers: &[usize],
    mut error: ReadError,
) -> ReadError {
    if numbers != [1] {
        let alone = |record: &Record| write(std::slice::from_ref(record), known).err();
        let found = records.iter().enumerate().find_map(|(i, record)| Some((i, alone(record)?)));
        if let Some((i, alone)) = found {
            error = alone;
            error.message = format!("Record {}: {}", numbers[i], error.message);
        }
    }
    error
}

/// The line of the first move of a main line that cannot be held, and why.
fn first_move(record: &Record, known: Known) -> Option<(Option<usize>, ReadError)> {
    let write = known.format.write?;
    let line: Vec<&Node> = record.main_line().collect();
    let until = |plies: usize| {
        let mut part =
            Record { nodes: vec![record.nodes[0].clone()], claimed: None, ..record.clone() };
        part.nodes[0].children.clear();
        let nodes =
            line[..plies].iter().map(|node| Node { children: Vec::new(), ..(*node).clone() });
        nodes.fold(0, |at, node| part.add(at, node));
        write(&[part]).err()
    };
    let (mut held, mut not) = (0, line.len());
    let mut error = until(not)?;
    while held + 1 < not {
        let middle = held.midpoint(not);
        match until(middle) {
            Some(sooner) => (not, error) = (middle, sooner),
            None => held = middle,
        }
    }
    Some((line[not - 1].at.map(|(line, _)| line), error))
}

/// A format's words without the advice, which is another where a part may be left out; nothing if
/// they say no more than the part's name.
fn reason(part: &str, error: &ReadError) -> String {
    let said = error.message.split("; choose another format").next().unwrap_or_default();
    let said = said.trim_end_matches('.');
    let no_more = part == "branches" || said.ends_with(&format!("cannot hold {part}"));
    if no_more { String::new() } else { said.to_string() }
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

/// Ends the main line before the move that was a foul and ended the game; what came of it is claimed.
fn without_foul(record: &mut Record, known: Known) {
    let judged = (known.spec.judge)(record).ok();
    let Some(judged) = judged.filter(|judged| judged.foul.is_some()) else { return };
    without_branches(record);
    let moves = |node: &Node| matches!(node.entry.as_ref().map(|e| &e.act), Some(Act::Move(_)));
    let foul = (1..record.nodes.len()).filter(|i| moves(&record.nodes[*i])).nth(judged.plies);
    record.nodes.truncate(foul.unwrap_or(record.nodes.len()));
    record.nodes.last_mut().expect("the root is there").children.clear();
    if let (None, Some(outcome)) = (&record.claimed, judged.outcome) {
        let (result, reason) = (outcome.result().to_string(), Some(outcome.reason().0.to_string()));
        record.claimed = Some(Claimed { result, reason, text: String::new() });
    }
}

/// Leaves the last position alone.
fn without_moves(record: &mut Record, known: Known) {
    if let Ok(judged) = (known.spec.judge)(record) {
        record.start = judged.last;
    }
    record.nodes.truncate(1);
    record.nodes[0].children.clear();
}
