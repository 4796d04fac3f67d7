//! The name files of a base: `.jou` for players, `.trn` for tournaments. A head as a base's, then
//! rows of Latin-1 ended by zeros. Name 0 stands for nobody.

use super::{HEAD, NUMBERS, word};
use kiban_core::{Companion, ReadError, Record, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// A name of nobody.
const NOBODY: &str = "???";

/// One of the name files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    extension: &'static str,
    /// Bytes of a row, the zero behind the name counted.
    row: usize,
    /// The tags that are numbers into it.
    keys: &'static [&'static str],
}

pub(super) const PLAYERS: List = List { extension: "jou", row: 20, keys: &["first", "second"] };
pub(super) const EVENTS: List = List { extension: "trn", row: 26, keys: &["event"] };

impl List {
    /// The list a tag belongs to.
    pub(super) fn of(key: &str) -> List {
        if EVENTS.keys.contains(&key) { EVENTS } else { PLAYERS }
    }

    /// The name of this number, if the content is such a file and has one.
    fn name(self, content: &[u8], number: u16) -> Result<Option<String>, String> {
        let fits = content.len() >= HEAD
            && content.len() == HEAD + self.row * usize::from(word(content, 8));
        if !fits {
            let Self { extension, row, .. } = self;
            return Err(format!(
                "The .{extension} file is damaged: it is not 16 + {row} x names long."
            ));
        }
        let Some(row) = content[HEAD..].chunks_exact(self.row).nth(usize::from(number)) else {
            return Ok(None);
        };
        let name: String = row.iter().take_while(|b| **b != 0).map(|b| char::from(*b)).collect();
        let name = name.trim();
        Ok((!name.is_empty() && name != NOBODY).then(|| name.to_string()))
    }

    /// The numbers of the names in these records: those that are numbers already keep them, the
    /// others take what is left in order.
    ///
    /// # Errors
    /// If there are too many.
    pub(super) fn numbers(self, records: &[Record]) -> Result<BTreeMap<&str, u16>, ReadError> {
        let (mut taken, mut names) = (BTreeSet::from([0]), BTreeSet::new());
        let all = records.iter().flat_map(|r| self.keys.iter().filter_map(|key| r.tag(key)));
        for text in all {
            match number_of(text) {
                Some(number) => drop(taken.insert(number)),
                None => drop(names.insert(text)),
            }
        }
        // The head counts the rows, nobody's among them, in 16 bits.
        let mut free = (1..u16::MAX).filter(|number| !taken.contains(number));
        let mut numbers = BTreeMap::new();
        for name in names {
            let number = free.next().ok_or_else(|| {
                let message = "A .jou or .trn file holds at most 65534 names; split the file.";
                ReadError::new("not-held", message)
            })?;
            numbers.insert(name, number);
        }
        Ok(numbers)
    }

    /// The file of these names. It is needed by numbers without a name too: where they had no list
    /// they would be taken for numbers into one of other bases.
    fn write(self, records: &[Record]) -> Result<Vec<u8>, ReadError> {
        let numbers = self.numbers(records)?;
        let Some(last) = numbers.values().copied().max() else {
            let numbered = records.iter().any(|r| self.keys.iter().any(|key| r.tag(key).is_some()));
            return Ok(if numbered { vec![0; HEAD] } else { Vec::new() });
        };
        let mut rows = vec![0; self.row * (usize::from(last) + 1)];
        let all = numbers.iter().map(|(name, number)| (*name, *number));
        for (name, number) in all.chain([(NOBODY, 0)]) {
            let at = self.row * usize::from(number);
            // What Latin-1 does not hold becomes a question mark; the last byte stays a zero.
            let bytes = name.chars().map(|c| u8::try_from(c).unwrap_or(b'?'));
            for (place, byte) in rows[at..at + self.row - 1].iter_mut().zip(bytes) {
                *place = byte;
            }
        }
        let mut out = vec![0; HEAD];
        out[8..10].copy_from_slice(&(last + 1).to_le_bytes());
        out.extend(rows);
        Ok(out)
    }
}

/// The number a tag gives instead of a name.
pub(super) fn number_of(text: &str) -> Option<u16> {
    text.strip_prefix('#')?.parse().ok()
}

/// Puts names for numbers.
pub(super) fn complete(record: &mut Record, contents: &[Companion]) {
    let content = |list: List| {
        let index = usize::from(list == EVENTS);
        contents.get(index).and_then(Option::as_ref)
    };
    for (key, value) in &mut record.tags {
        let list = List::of(key);
        if !NUMBERS.contains(&key.as_str()) {
            continue;
        }
        let (Some(number), Some(content)) = (number_of(value), content(list)) else { continue };
        let name = content.as_deref().map_err(Clone::clone);
        match name.and_then(|content| list.name(content, number)) {
            Ok(name) => *value = name.unwrap_or_else(|| value.clone()),
            Err(text) if record.warnings.iter().all(|w| w.text != text) => {
                let (line, column) = record.nodes[0].at.unwrap_or((1, 1));
                record.warnings.push(Warning { line, column, text });
            }
            Err(_) => {}
        }
    }
}

/// The contents of both files.
pub(super) fn write(records: &[Record]) -> Result<Vec<Vec<u8>>, ReadError> {
    [PLAYERS, EVENTS].into_iter().map(|list| list.write(records)).collect()
}
