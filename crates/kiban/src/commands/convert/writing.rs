//! A file's records in their new format, written as they are read.

use super::{Args, Converted, cannot_hold, dropped};
use crate::bulk::Item;
use crate::error::Failure;
use crate::records::{self, Known, TOLD};
use crate::{encoding, lossy, output};
use kiban_core::{Beside, Companion, ReadError, Record, Seat, Warning};

/// Nodes that are written at once, about, where a file can be written in parts.
const BATCH: usize = 20_000;
/// Where it cannot, more are not kept, so that memory stays below a gigabyte.
const MOST_NODES: usize = 2_000_000;
/// What is written so far, and the records that wait.
pub(super) struct Writing<'a> {
    args: &'a Args,
    item: &'a Item,
    /// The game and the format that is written.
    target: Known,
    /// What completes the records that are read, and the contents of these files.
    beside: Option<(Beside, Vec<Companion>)>,
    /// Whether files can be written beside the new one.
    named: bool,
    waiting: Vec<Record>,
    /// Nodes of these.
    nodes: usize,
    /// Their numbers in the file.
    numbers: Vec<usize>,
    /// How many records of the file there were so far.
    seen: usize,
    /// Records that were left out, and what is told of the first.
    left_out: usize,
    why: Option<(usize, ReadError)>,
    forgiven: usize,
    done: Converted,
}

impl<'a> Writing<'a> {
    /// Nothing is written yet of this file, which is of this game and format.
    ///
    /// # Errors
    /// If there is no such format to write.
    pub(super) fn new(
        args: &'a Args,
        item: &'a Item,
        known: Known,
        named: bool,
    ) -> Result<Writing<'a>, Failure> {
        let formats = || known.spec.formats.iter().filter(|f| f.write.is_some()).map(|f| f.id);
        let target = known.spec.format(&args.to).filter(|f| f.write.is_some());
        let target = target.ok_or_else(|| {
            let verb = format!("write {} in", known.spec.names.en);
            let failure = records::unknown_format(&args.to, &verb, formats());
            records::named(failure.into_read_error(), &item.path)
        })?;
        Ok(Writing {
            args,
            item,
            target: Known { format: target, ..known },
            beside: known.format.beside.map(|beside| (beside, item.beside(&beside))),
            named,
            waiting: Vec::new(),
            nodes: 0,
            numbers: Vec::new(),
            seen: 0,
            left_out: 0,
            why: None,
            forgiven: 0,
            done: Converted {
                target,
                written: Vec::new(),
                missing: Vec::new(),
                forgiven: Vec::new(),
                beside: Vec::new(),
            },
        })
    }

    /// Takes the next record.
    ///
    /// # Errors
    /// If it is not as strict as was asked for, cannot be held, or is one too many.
    pub(super) fn take(&mut self, mut record: Record) -> Result<(), Failure> {
        if let Some((beside, contents)) = &self.beside {
            (beside.complete)(&mut record, contents);
        }
        if self.args.no_names {
            record.tags.retain(|(key, _)| Seat::from_name(key).is_none());
        }
        if self.args.strict {
            records::strictly(&record.warnings).map_err(|e| records::named(e, &self.item.path))?;
        }
        self.forgive(&record.warnings);
        self.seen += 1;
        self.nodes += record.nodes.len();
        self.waiting.push(record);
        self.numbers.push(self.seen);
        let joint = self.target.format.joint.is_some();
        if joint && self.nodes >= BATCH {
            return self.write();
        }
        if !joint && self.nodes > MOST_NODES {
            let message = format!(
                "{} has more than {} moves, and {} is written at once; split the file.",
                records::name(&self.item.path),
                output::grouped(MOST_NODES as u64),
                self.target.format.id
            );
            return Err(Failure::no_answer("too-long", message));
        }
        Ok(())
    }

    /// Takes what cannot be read.
    ///
    /// # Errors
    /// The same, if nothing may be left out.
    pub(super) fn unreadable(&mut self, mut error: ReadError) -> Result<(), Failure> {
        if !self.args.lossy {
            if self.seen > 0 {
                error.message.push_str(" Such a record is left out with --lossy.");
            }
            return Err(Failure::NoAnswer(error));
        }
        self.seen += 1;
        self.leave_out(self.seen, error);
        Ok(())
    }

    fn leave_out(&mut self, number: usize, error: ReadError) {
        self.left_out += 1;
        self.why.get_or_insert((number, error));
    }

    /// Tells what was forgiven; of many things the first.
    fn forgive(&mut self, warnings: &[Warning]) {
        let name = records::name(&self.item.path);
        for Warning { line, column, text } in warnings {
            self.forgiven += 1;
            if self.forgiven <= TOLD {
                let told = output::plain(&format!("{name}: Line {line}, column {column}: {text}"));
                self.done.forgiven.push(told);
            }
        }
    }

    /// Leaves out those of these records that cannot be held whatever is left out of them.
    fn only_held(
        &mut self,
        records: Vec<Record>,
        numbers: Vec<usize>,
    ) -> (Vec<Record>, Vec<usize>) {
        let held = records.into_iter().zip(numbers).filter(|(record, number)| {
            let alone = lossy::write(std::slice::from_ref(record), self.target);
            let fault = alone.err().map(|e| records::named(e, &self.item.path));
            fault.is_none_or(|fault| {
                self.leave_out(*number, fault);
                false
            })
        });
        held.unzip()
    }

    /// Writes what waits.
    fn write(&mut self) -> Result<(), Failure> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut numbers = std::mem::take(&mut self.numbers);
        self.nodes = 0;
        let mut held = lossy::write(&waiting, self.target);
        if held.is_err() && self.args.lossy {
            (waiting, numbers) = self.only_held(waiting, numbers);
            if waiting.is_empty() {
                return Ok(());
            }
            held = lossy::write(&waiting, self.target);
        }
        let held = held.map_err(|error| {
            let error = lossy::unheld(&waiting, self.target, &numbers, error);
            records::named(error, &self.item.path)
        })?;
        let format = self.target.format;
        let beside = match format.beside.filter(|_| self.named) {
            Some(beside) => (beside.write)(&waiting)?,
            None => Vec::new(),
        };
        let new = |part: &&&str| self.done.missing.iter().all(|lost| lost.part != **part);
        let told =
            |part: &&'static str| lossy::told(part, &waiting, self.target, &held.missing, &numbers);
        let mut missing: Vec<_> = held.missing.iter().filter(new).map(told).collect();
        missing.extend(dropped::parts(
            &waiting,
            &held.written,
            &beside,
            self.target,
            &held.missing,
            &numbers,
        ));
        if !self.args.lossy && !missing.is_empty() {
            return Err(Failure::NoAnswer(records::named(
                cannot_hold(format.id, &missing),
                &self.item.path,
            )));
        }
        let done = &mut self.done;
        missing.retain(|lost| done.missing.iter().all(|known| known.part != lost.part));
        done.missing.extend(missing);
        if !done.written.is_empty() {
            done.written.extend_from_slice(format.joint.unwrap_or_default().as_bytes());
        }
        done.written.extend(held.written);
        let extensions = format.beside.map_or(&[][..], |beside| beside.extensions);
        done.beside.extend(extensions.iter().copied().zip(beside));
        Ok(())
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// If it cannot be held, or not in the encoding that was asked for.
    pub(super) fn finish(mut self) -> Result<Converted, Failure> {
        if !self.waiting.is_empty() {
            self.write()?;
        }
        let mut done = self.done;
        if let Some((number, error)) = self.why {
            if done.written.is_empty() {
                return Err(Failure::NoAnswer(error));
            }
            let told = output::sentence(&error);
            done.forgiven.push(match self.left_out {
                1 => format!("Record {number} is left out: {told}"),
                n => {
                    let n = output::grouped(n as u64);
                    format!("{n} records are left out; the first of them, record {number}: {told}")
                }
            });
        }
        done.written = encoding::encode(done.written, &self.args.encoding)?;
        if self.forgiven > TOLD {
            let (name, more) = (records::name(&self.item.path), self.forgiven - TOLD);
            let text = format!(
                "{name}: {more} more were forgiven; \"kiban judge --json\" lists them all."
            );
            done.forgiven.push(output::plain(&text));
        }
        Ok(done)
    }
}
