//! Bad input, said in one sentence: what, where, how to mend it.

use serde::Serialize;

/// Where in a text something was wrong. Lines and columns count from 1, columns in characters.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Where {
    /// The line, in a text of several lines.
    pub line: Option<usize>,
    /// The column.
    pub column: Option<usize>,
    /// The field, e.g. `hands` of an SFEN.
    pub field: Option<String>,
}

/// A text that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// A stable slug, e.g. `bad-position`.
    pub code: &'static str,
    /// One sentence without the place.
    pub message: String,
    /// The place.
    pub at: Where,
    /// What stands there.
    pub found: Option<String>,
    /// What was expected there.
    pub expected: Option<String>,
}

impl ReadError {
    /// An error with a sentence and no place yet.
    pub fn new(code: &'static str, message: impl Into<String>) -> ReadError {
        let message = clipped(message.into());
        ReadError { code, message, at: Where::default(), found: None, expected: None }
    }

    /// Adds the line (from 1).
    #[must_use]
    pub fn line(mut self, line: usize) -> ReadError {
        self.at.line = Some(line);
        self
    }

    /// Adds the column (from 1).
    #[must_use]
    pub fn column(mut self, column: usize) -> ReadError {
        self.at.column = Some(column);
        self
    }

    /// Adds the field's name.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> ReadError {
        self.at.field = Some(field.into());
        self
    }

    /// Adds what was found and what was expected.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>, expected: impl Into<String>) -> ReadError {
        self.found = Some(clipped(found.into()));
        self.expected = Some(expected.into());
        self
    }
}

/// What is read may be quoted, but not by the megabyte.
const LONGEST_MESSAGE: usize = 1_000;

fn clipped(text: String) -> String {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Where { line, column, field } = &self.at;
        let mut place = Vec::new();
        place.extend(field.as_ref().map(|field| format!("field {field}")));
        place.extend(line.map(|line| format!("line {line}")));
        place.extend(column.map(|column| format!("column {column}")));
        f.write_str(&self.message)?;
        if !place.is_empty() {
            write!(f, " ({})", place.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadError {}

/// An arrangement that was read but is not admitted as a position, or a variant that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    /// The variant's text is wrong.
    #[error("{0}")]
    Variant(ReadError),
    /// The start position's text is wrong.
    #[error("{0}")]
    Start(ReadError),
    /// The start position breaks rules; each fault is one sentence.
    #[error("This position is not possible: {}", .0.join(" "))]
    Faults(Vec<String>),
}

impl OpenError {
    /// The same as a plain read error.
    pub fn into_read_error(self) -> ReadError {
        match self {
            OpenError::Variant(e) | OpenError::Start(e) => e,
            OpenError::Faults(_) => ReadError::new("position-not-admitted", self.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_text_is_not_echoed_by_the_megabyte() {
        let junk = "\u{5c06}".repeat(1_000_000);
        let error =
            ReadError::new("bad-move", format!("\"{junk}\" is no move.")).found(junk, "7g7f");
        assert!(error.to_string().len() < 4_000);
        assert!(error.found.is_some_and(|found| found.len() < 4_000));
    }
}
