//! Reading files of many records line by line: each is given as soon as it is whole, so that
//! memory holds one of them. One that cannot be read costs no other.
//!
//! Where a record ends is decided by the looks of the lines alone, before they are read: so neither
//! an error in a record nor the lack of moves blurs where the next begins.

use super::encoding::Text;
use super::text::lines;
use kiban_core::{ReadError, Record, Sink, Source};
use std::ops::{ControlFlow, Range};

/// Divides the lines of a file into those of its records.
pub(super) trait Divider {
    /// Takes the next line. Where it shows that another record has begun, how many lines before
    /// this one that was.
    fn begun(&mut self, line: &str) -> Option<usize>;
}

/// A record a line.
#[derive(Default)]
pub(super) struct EachLine {
    /// What begins lines that belong to the record behind them.
    comment: Option<char>,
    /// Whether the line before was a record.
    whole: bool,
}

impl EachLine {
    /// A record a line and the comments before it.
    pub(super) fn with_comments(begin: char) -> EachLine {
        EachLine { comment: Some(begin), whole: false }
    }
}

impl Divider for EachLine {
    fn begun(&mut self, line: &str) -> Option<usize> {
        let line = line.trim_start();
        let begun = self.whole.then_some(0);
        self.whole = line.chars().next().is_some_and(|c| Some(c) != self.comment);
        begun
    }
}

/// A reader of one record, which is told its lines in turn.
pub(super) trait LineReader {
    /// Takes a line with its number.
    ///
    /// # Errors
    /// If it cannot be read; the rest of the record is skipped.
    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError>;

    /// The record, if there was one.
    ///
    /// # Errors
    /// If the lines before make none.
    fn finish(self) -> Result<Option<Record>, ReadError>;
}

/// Reads a file. `fresh` makes a reader for a record that begins at a line, `nothing` the error of
/// a file without any.
pub(super) fn stream<R: LineReader>(
    source: Source<'_>,
    sink: &mut Sink<'_>,
    divider: impl Divider,
    fresh: impl Fn(usize) -> R,
    nothing: impl Fn() -> ReadError,
) {
    // Whoever takes the records may have had enough.
    let _ = match Text::of(source.bytes) {
        Ok(text) => Given { sink, text: &text, any: false }.read(divider, fresh, nothing),
        Err(e) => sink(Err(e)),
    };
}

/// What has been given of a file.
struct Given<'a, 's> {
    sink: &'a mut Sink<'s>,
    text: &'a Text<'a>,
    any: bool,
}

impl Given<'_, '_> {
    fn read<R: LineReader>(
        mut self,
        mut divider: impl Divider,
        fresh: impl Fn(usize) -> R,
        nothing: impl Fn() -> ReadError,
    ) -> ControlFlow<()> {
        let (mut begin, mut unread) = (1, lines(&self.text.text));
        for (number, line) in lines(&self.text.text) {
            if let Some(back) = divider.begun(line) {
                let end = number - back;
                let mut own = unread.by_ref().take(end - begin);
                let read = self.record(fresh(begin), &mut own, begin..end);
                // An error leaves lines.
                own.for_each(drop);
                self.give(read)?;
                begin = end;
            }
        }
        let read = self.record(fresh(begin), unread, begin..usize::MAX);
        self.give(read)?;
        if self.any { ControlFlow::Continue(()) } else { self.give(Err(nothing())) }
    }

    /// Reads a record.
    fn record<'t, R: LineReader>(
        &self,
        mut reader: R,
        lines: impl Iterator<Item = (usize, &'t str)>,
        numbers: Range<usize>,
    ) -> Result<Option<Record>, ReadError> {
        let begin = numbers.start;
        let unread = self.text.error(numbers.clone());
        let bad = unread.as_ref().and_then(|e| e.at.line);
        for (number, line) in lines {
            if Some(number) == bad {
                break;
            }
            reader.line(number, line)?;
        }
        if let Some(e) = unread {
            return Err(e);
        }
        let record = reader.finish()?;
        Ok(record.map(|mut record| {
            record.warnings.splice(0..0, self.text.told(numbers));
            record.nodes[0].at.get_or_insert((begin, 1));
            record
        }))
    }

    fn give(&mut self, read: Result<Option<Record>, ReadError>) -> ControlFlow<()> {
        let Some(read) = read.transpose() else { return ControlFlow::Continue(()) };
        self.any = true;
        (self.sink)(read)
    }
}
