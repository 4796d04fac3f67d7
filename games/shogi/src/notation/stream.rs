//! Reading files of many records line by line: each is given as soon as it is whole, so that
//! memory holds one of them. One that cannot be read costs no other.

use super::text::{decode, lines};
use kiban_core::{ReadError, Record, Sink, Source, Warning};
use std::ops::ControlFlow;

/// A reader of one record, which is told the lines of a file in turn.
pub(super) trait LineReader {
    /// Whether this line ends the record before it, which may have been `spoiled`: then the lines
    /// since its error have been told here and nowhere else.
    fn ends_before(&mut self, line: &str, spoiled: bool) -> bool;

    /// Takes a line with its number.
    ///
    /// # Errors
    /// If it cannot be read; the rest of its record is skipped.
    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError>;

    /// The record, if there was one.
    ///
    /// # Errors
    /// If the lines before make none.
    fn finish(self) -> Result<Option<Record>, ReadError>;
}

/// Reads a file. `fresh` makes a reader for each record, `nothing` the error of a file without any.
pub(super) fn stream<R: LineReader>(
    source: Source<'_>,
    sink: &mut Sink<'_>,
    fresh: impl Fn() -> R,
    nothing: impl Fn() -> ReadError,
) {
    // Whoever takes the records may have had enough.
    let _ = match decode(source.bytes) {
        Ok((text, told)) => Given { sink, told, any: false }.read(&text, fresh, nothing),
        Err(e) => sink(Err(e)),
    };
}

/// What has been given of a file.
struct Given<'a, 's> {
    sink: &'a mut Sink<'s>,
    /// A warning of the file's encoding, for its first record.
    told: Option<Warning>,
    any: bool,
}

impl Given<'_, '_> {
    fn read<R: LineReader>(
        mut self,
        text: &str,
        fresh: impl Fn() -> R,
        nothing: impl Fn() -> ReadError,
    ) -> ControlFlow<()> {
        let (mut reader, mut spoiled) = (fresh(), false);
        for (number, line) in lines(text) {
            if reader.ends_before(line, spoiled) {
                let before = std::mem::replace(&mut reader, fresh());
                if !std::mem::take(&mut spoiled) {
                    self.give(before.finish())?;
                }
            }
            if !spoiled && let Err(e) = reader.line(number, line) {
                spoiled = true;
                self.give(Err(e))?;
            }
        }
        if !spoiled {
            self.give(reader.finish())?;
        }
        if self.any { ControlFlow::Continue(()) } else { self.give(Err(nothing())) }
    }

    fn give(&mut self, read: Result<Option<Record>, ReadError>) -> ControlFlow<()> {
        let Some(mut read) = read.transpose() else { return ControlFlow::Continue(()) };
        self.any = true;
        if let Ok(record) = &mut read
            && let Some(told) = self.told.take()
        {
            record.warnings.insert(0, told);
        }
        (self.sink)(read)
    }
}
