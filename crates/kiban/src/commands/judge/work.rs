//! The work of judging: files are read and cut into jobs on one thread, judged on all.

use super::Style;
use super::report::Told;
use super::row::Row;
use crate::bulk::{Feed, Item, Sources};
use crate::records::{self, Known, Wanted};
use crate::registry;
use kiban_core::{Companion, GameSpec, ReadError, Record, Variant};
use kiban_words::Words;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files up to this size are read by the threads that judge; larger ones are cut into batches.
const SMALL: u64 = 256 * 1024;
/// Nodes of a batch, about.
const BATCH: usize = 20_000;

thread_local! {
    /// Messages by game and whether it is one of four seats.
    static WORDS: RefCell<HashMap<(&'static str, bool), Words>> = RefCell::default();
}

/// What is asked of every record.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) wanted: Wanted<'static>,
    pub(super) strict: bool,
    pub(super) style: Style,
    /// Whether there may be several files.
    pub(super) many: bool,
}

/// A piece of the work.
pub(super) enum Job {
    /// A whole file.
    File(Item),
    /// Records of a file.
    Batch(Batch),
    /// A file that cannot be read.
    Unread(PathBuf, u64, ReadError),
}

/// Some of the records of a file.
pub(super) struct Batch {
    file: Arc<Path>,
    known: Known,
    /// The number of the first.
    index: usize,
    records: Vec<Result<Record, ReadError>>,
    nodes: usize,
    /// Whether they are all there are.
    whole: bool,
    /// The bytes of the file that are done with it.
    size: u64,
    beside: Arc<Vec<Companion>>,
}

impl Task {
    /// Gives the jobs for all files.
    pub(super) fn give_all(&self, files: &[PathBuf], feed: &mut Feed<Job>) {
        for item in Sources::new(files) {
            let wanted =
                if item.exceeds(SMALL) { self.cut(item, feed) } else { feed.give(Job::File(item)) };
            if !wanted {
                return;
            }
        }
    }

    /// Reads a large file and gives its records in batches; says whether more jobs are wanted.
    fn cut(&self, item: Item, feed: &mut Feed<Job>) -> bool {
        let read = item.read().and_then(|bytes| {
            let known = records::known(&bytes, &item.path, self.wanted)?;
            Ok((bytes, known))
        });
        let (bytes, known) = match read {
            Ok(read) => read,
            Err(failure) => {
                return feed.give(Job::Unread(item.path, item.size, failure.into_read_error()));
            }
        };
        if known.format.stream.is_none() && item.path != Path::new("-") {
            drop(bytes);
            return feed.give(Job::File(item));
        }
        let mut batch = Batch::new(&item, known);
        let whole = records::each(&bytes, &item.path, known, self.wanted, &mut |read| {
            batch.nodes += read.as_ref().map_or(1, |record| record.nodes.len());
            batch.records.push(read);
            if batch.nodes < BATCH {
                return ControlFlow::Continue(());
            }
            let next = batch.after();
            match feed.give(Job::Batch(std::mem::replace(&mut batch, next))) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        batch.whole = batch.index == 1;
        batch.size = item.size;
        whole.is_continue() && feed.give(Job::Batch(batch)) && feed.wanted()
    }

    /// Does a job.
    pub(super) fn work(&self, job: Job) -> Told {
        match job {
            Job::Unread(path, size, error) => {
                let mut told = Told { size, ..Told::default() };
                self.tell(&mut told, Row::unread(&path, 1, None, error), false);
                told
            }
            Job::Batch(batch) => self.judge(batch),
            Job::File(item) => {
                let read = item.read().and_then(|bytes| {
                    let known = records::known(&bytes, &item.path, self.wanted)?;
                    let mut batch = Batch::new(&item, known);
                    batch.size = item.size;
                    let _ = records::each(&bytes, &item.path, known, self.wanted, &mut |read| {
                        batch.records.push(read);
                        ControlFlow::Continue(())
                    });
                    Ok(batch)
                });
                match read {
                    Ok(batch) => self.judge(batch),
                    Err(failure) => {
                        self.work(Job::Unread(item.path, item.size, failure.into_read_error()))
                    }
                }
            }
        }
    }

    fn judge(&self, batch: Batch) -> Told {
        let Batch { file, known, index, records, whole, size, beside, .. } = batch;
        let mut told = Told { size, ..Told::default() };
        let many = !whole || records.len() > 1;
        for (i, read) in records.into_iter().enumerate() {
            let row = match read {
                Ok(mut record) => {
                    if let Some(known) = known.format.beside {
                        (known.complete)(&mut record, &beside);
                    }
                    self.row(&file, index + i, known, record)
                }
                Err(error) => Row::unread(&file, index + i, Some(known), error),
            };
            self.tell(&mut told, row, many);
        }
        told
    }

    fn row(&self, file: &Path, index: usize, known: Known, record: Record) -> Row {
        if self.strict
            && let Err(error) = records::strictly(&record.warnings)
        {
            let mut row = Row::unread(file, index, Some(known), error);
            row.warnings = record.warnings;
            return row;
        }
        match (known.spec.judge)(&record) {
            Ok(judged) => Row::judged(file, index, known, record.claimed, judged),
            Err(error) => Row::unread(file, index, Some(known), error.into_read_error()),
        }
    }

    /// Adds a row to what is told.
    fn tell(&self, told: &mut Told, mut row: Row, many_records: bool) {
        let json = matches!(self.style, Style::Json | Style::Lines);
        let key = row.spec.map(|spec| (spec, key(spec, &row.variant)));
        WORDS.with_borrow_mut(|all| {
            let wordy = !json || row.foul.is_some();
            let words = key.filter(|_| wordy).map(|(spec, key)| {
                &*all.entry(key).or_insert_with(|| words_for(spec, &row.variant))
            });
            if let (Some(words), Some(foul)) = (words, &mut row.foul) {
                foul.detail = words.reason(foul.reason);
            }
            if json {
                if self.style == Style::Json && !told.text.is_empty() {
                    told.text.push(b',');
                }
                serde_json::to_writer(&mut told.text, &row).expect("a row is plain data");
                if self.style == Style::Lines {
                    told.text.push(b'\n');
                }
            } else if self.style == Style::Text || !row.in_order() {
                let name = row.name(self.many, many_records);
                let sentence = row.sentence(words);
                // An error may name its file already.
                let said = row.name(true, false);
                let subject = said.replace(": ", " ");
                let line = match sentence.strip_prefix(&*said) {
                    Some(rest) => format!("{name}{rest}\n"),
                    None if row.error.is_some() && sentence.starts_with(&subject) => {
                        format!("{sentence}\n")
                    }
                    None => format!("{name}{sentence}\n"),
                };
                told.text.extend(line.into_bytes());
            }
        });
        told.summary.count(&row);
        told.readable |= row.readable();
        told.games.extend(row.game);
        if told.variants.len() < 2 {
            told.variants.extend(row.variant);
        }
        if told.error.is_none() {
            told.error = row.error.map(|error| error.whole);
        }
    }
}

impl Batch {
    fn new(item: &Item, known: Known) -> Batch {
        let beside = known.format.beside.map_or(Vec::new(), |beside| item.beside(&beside));
        Batch {
            file: Arc::from(item.path.as_path()),
            known,
            index: 1,
            records: Vec::new(),
            nodes: 0,
            whole: true,
            size: 0,
            beside: Arc::new(beside),
        }
    }

    /// The batch that follows this one, which is not all there is then.
    fn after(&mut self) -> Batch {
        self.whole = false;
        Batch {
            file: self.file.clone(),
            index: self.index + self.records.len(),
            records: Vec::new(),
            nodes: 0,
            beside: self.beside.clone(),
            ..*self
        }
    }
}

fn variant_of(spec: &GameSpec, text: &Option<String>) -> Option<Variant> {
    text.as_deref().and_then(|text| spec.variant(text).ok())
}

/// Seats are named by how many there are.
fn key(spec: &'static GameSpec, variant: &Option<String>) -> (&'static str, bool) {
    let several = spec.variants.iter().any(|v| v.seats == 4);
    let four = || variant_of(spec, variant).is_some_and(|v| spec.variant_spec(&v).seats == 4);
    (spec.id, several && four())
}

fn words_for(spec: &GameSpec, variant: &Option<String>) -> Words {
    match variant_of(spec, variant) {
        Some(variant) => registry::words_of(spec, &variant),
        None => registry::words(spec),
    }
}
