//! What a format took without a word and does not give back: found by reading what was written.

use crate::lossy::{self, Lost};
use crate::records::Known;
use kiban_core::{Companion, Judged, Node, Record, Source};

/// The parts of records that do not come back, but those known to be missing. `numbers` are those of
/// these records in their file.
pub(super) fn parts(
    records: &[Record],
    written: &[u8],
    beside: &[Vec<u8>],
    known: Known,
    missing: &[&'static str],
    numbers: &[usize],
) -> Vec<Lost> {
    let mut gone: Vec<Lost> = Vec::new();
    if missing.contains(&"moves") {
        // What is left is another game.
        return gone;
    }
    let Some(again) = read(written, None, beside, known) else { return gone };
    let variant = records.first().map(|record| record.variant.as_str());
    let told = |again: &[Record]| {
        again.iter().zip(records).all(|(again, record)| again.variant == record.variant)
    };
    let again = if told(&again) {
        again
    } else {
        let part = "the variant, which has to be named when it is read";
        gone.push(lossy::lost(part, (numbers[0], false), None, ""));
        read(written, variant, beside, known).unwrap_or_default()
    };
    let several = numbers != [1];
    for (i, (record, after)) in records.iter().zip(&again).enumerate() {
        // What goes with a part that is known to be missing is not told again.
        let held = (!missing.is_empty()).then(|| lossy::without(record, known, missing));
        let before = held.as_ref().unwrap_or(record);
        let mut add = |part, is_lost: bool, why: &str| {
            if is_lost && !missing.contains(&part) && gone.iter().all(|lost| lost.part != part) {
                let line = lossy::line_of(part, before);
                gone.push(lossy::lost(part, (numbers[i], several), line, why));
            }
        };
        add("times", times(before) != times(after), "");
        add("comments", !holds(&comments(before), &comments(after)), "");
        for (part, headers) in
            [("headers", &before.tags), ("headers that Kiban does not know", &before.unknown)]
        {
            let header = headers.iter().find(|header| !has_header(after, header));
            add(part, header.is_some(), &lossy::named(header));
        }
        add("branches", forks(before) != forks(after), "");
        let judged = |record| (known.spec.judge)(record).ok();
        if let (Some(a), Some(b)) = (judged(before), judged(after)) {
            add("how the game ended", ending(before, &a) != ending(after, &b), "");
            add("moves", (a.plies, &a.last) != (b.plies, &b.last), "");
        }
    }
    gone
}

fn read(
    written: &[u8],
    variant: Option<&str>,
    beside: &[Vec<u8>],
    known: Known,
) -> Option<Vec<Record>> {
    let mut records = known.format.read?(Source { bytes: written, variant }).ok()?;
    if let Some(format) = known.format.beside {
        let content = |bytes: &Vec<u8>| (!bytes.is_empty()).then(|| Ok(bytes.as_slice().into()));
        let contents: Vec<Companion> = beside.iter().map(content).collect();
        records.iter_mut().for_each(|record| (format.complete)(record, &contents));
    }
    Some(records)
}

/// The nodes, each before what follows it.
fn in_order(record: &Record) -> Vec<&Node> {
    let (mut nodes, mut waiting) = (Vec::new(), vec![0]);
    while let Some(index) = waiting.pop() {
        let node = &record.nodes[index];
        waiting.extend(node.children.iter().rev());
        nodes.push(node);
    }
    nodes
}

fn times(record: &Record) -> Vec<u64> {
    in_order(record).iter().filter_map(|node| node.spent_ms).collect()
}

fn comments(record: &Record) -> Vec<&str> {
    let lines = in_order(record).into_iter().flat_map(|node| node.comment.split_whitespace());
    lines.collect()
}

/// Whether all these words stand among those, in this order.
fn holds(words: &[&str], among: &[&str]) -> bool {
    let mut among = among.iter();
    words.iter().all(|word| among.any(|other| other == word))
}

/// Whether a header is there, under whatever name.
fn has_header(record: &Record, (_, value): &(String, String)) -> bool {
    let all = record.tags.iter().chain(&record.unknown);
    value.trim().is_empty() || all.into_iter().any(|(_, other)| other.trim() == value.trim())
}

fn forks(record: &Record) -> usize {
    record.nodes.iter().filter(|node| node.children.len() > 1).count()
}

/// How a record ends: by the rules and its calls, or else as it claims.
fn ending<'a>(record: &'a Record, judged: &Judged) -> Option<&'a str> {
    let claimed = record.claimed.as_ref().map(|claimed| claimed.result.as_str());
    let claimed = claimed.filter(|result| *result != "none");
    judged.outcome.map(|outcome| outcome.result()).or(claimed)
}
