//! Everything that is printed: one JSON document, or text. A closed pipe ends quietly.

use crate::error::Failure;
use kiban_core::{ReadError, Where};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// What every document begins with.
#[derive(Serialize)]
pub(crate) struct Head {
    schema: u8,
    command: &'static str,
    game: Option<&'static str>,
    variant: Option<String>,
}

impl Head {
    /// The head of a command's document; without a game where it is about none or several.
    pub(crate) fn new(
        command: &'static str,
        game: Option<&'static str>,
        variant: Option<String>,
    ) -> Head {
        Head { schema: 1, command, game, variant }
    }
}

/// `1 ply`, `7 plies`.
pub(crate) fn counted(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { more })
}

/// A number with commas: `19,861,490`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Prints one document on a line of its own.
pub(crate) fn json(document: &impl Serialize) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(document).expect("documents are plain data");
    line.push(b'\n');
    bytes(&line)
}

/// Prints a text; a line break is added where it lacks one.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    bytes(format!("{text}{end}").as_bytes())
}

/// Prints a text that waits for an answer on the same line.
pub(crate) fn prompt(text: &str) -> Result<(), Failure> {
    bytes(text.as_bytes())
}

/// Prints bytes and makes sure that they have left.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::no_answer("output", format!("The output could not be written: {e}.")),
    })
}

/// An error in one line: the sentence, what was found if it does not say so, and the place.
pub(crate) fn sentence(error: &ReadError) -> String {
    let mut told = error.clone();
    let found = error.found.as_ref().filter(|f| !f.is_empty() && !error.message.contains(*f));
    if let Some(found) = found {
        told.message.push_str(&format!(" Found \"{found}\"."));
    }
    plain(&told.to_string())
}

/// A text from outside on one line. What would command a terminal is shown as \u{fffd}.
pub(crate) fn plain(text: &str) -> String {
    let seen = |c: char| match c {
        '\n' | '\r' | '\t' => ' ',
        // Of the marks that turn the direction of writing none may turn what follows, either.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(seen).collect()
}

/// Says on standard error why there is no answer.
pub(crate) fn complain(error: &ReadError, json: bool) {
    #[derive(Serialize)]
    struct Line<'a> {
        error: Told<'a>,
    }
    #[derive(Serialize)]
    struct Told<'a> {
        code: &'a str,
        message: &'a str,
        r#where: Option<&'a Where>,
        found: Option<&'a str>,
        expected: Option<&'a str>,
    }
    note(&sentence(error));
    if json {
        let place = (error.at != Where::default()).then_some(&error.at);
        let ReadError { code, message, found, expected, .. } = error;
        let (found, expected) = (found.as_deref(), expected.as_deref());
        let told = Told { code, message, r#where: place, found, expected };
        note(&serde_json::to_string(&Line { error: told }).expect("an error is plain data"));
    }
}

/// Says something on standard error.
pub(crate) fn note(text: &str) {
    // Nobody is left to tell if standard error is closed too.
    let _ = writeln!(std::io::stderr(), "{text}");
}
