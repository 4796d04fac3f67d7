//! Why a request was not carried out, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kiban_core::{OpenError, ReadError, Where};
use kiban_play::Refused;
use kiban_words::Words;
use serde_json::{Value, json};

/// Characters a word may have, and what is kept of one that has more: what a client sent and what
/// is told back of it, so that nobody mistakes it.
const LONGEST_WORD: usize = 80;
const KEPT: usize = 40;
/// The same of a whole text, of which the end is kept too: it says how to mend what is wrong.
const LONGEST_TEXT: usize = 500;
const KEPT_HEAD: usize = 240;
const KEPT_END: usize = 160;

/// A text that may repeat what a client sent, shortened and without what cannot be seen.
pub(crate) fn brief(text: &str) -> String {
    let seen = |c: char| match c {
        c if c.is_whitespace() => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' => '\u{fffd}',
        '\u{61c}' | '\u{feff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    let word = |word: &str| match word.char_indices().nth(KEPT) {
        Some((end, _)) if word.chars().nth(LONGEST_WORD).is_some() => format!("{}…", &word[..end]),
        _ => word.to_string(),
    };
    let text: String = text.chars().map(seen).collect();
    let words: Vec<String> = text.split(' ').map(word).collect();
    let text: Vec<char> = words.join(" ").chars().collect();
    if text.len() <= LONGEST_TEXT {
        return text.into_iter().collect();
    }
    let (head, end) = (&text[..KEPT_HEAD], &text[text.len() - KEPT_END..]);
    head.iter().chain([&'…']).chain(end).collect()
}

/// A refusal with its status, a slug and a sentence.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    at: Option<Where>,
    /// Fields beside `error`: the caller's view, the taps that may follow.
    more: Vec<(&'static str, Value)>,
}

impl Failure {
    /// A refusal whose sentence is the message `error-CODE`.
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        words: &Words,
        values: &[(&str, &str)],
    ) -> Failure {
        let values: Vec<(&str, String)> = values.iter().map(|(k, v)| (*k, brief(v))).collect();
        let values: Vec<(&str, &str)> = values.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let message = words.text(&format!("error-{code}"), &values);
        Failure { status, code, message, at: None, more: Vec::new() }
    }

    /// The one answer to whoever may not know whether there is such a thing.
    pub(crate) fn not_found(words: &Words) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, "not-found", words, &[])
    }

    /// The answer when the store did not take or give something.
    pub(crate) fn not_stored(words: &Words) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "not-stored", words, &[])
    }

    pub(crate) fn busy(words: &Words) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", words, &[])
    }

    pub(crate) fn bad(code: &'static str, words: &Words, values: &[(&str, &str)]) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, code, words, values)
    }

    /// What a room refused.
    pub(crate) fn refused(refused: &Refused, words: &Words) -> Failure {
        if let Refused::Rules(kiban_core::Refusal::Unreadable(error)) = refused {
            let failure = Failure::unreadable(error.clone());
            return Failure { status: StatusCode::CONFLICT, ..failure };
        }
        let slug = refused.slug();
        let message = match refused {
            Refused::Rules(kiban_core::Refusal::Illegal(reason)) => {
                words.text("refusal-illegal", &[("reason", &words.reason(reason.0))])
            }
            _ => words.get_or(&format!("refusal-{slug}"), &brief(&refused.to_string())),
        };
        Failure { status: StatusCode::CONFLICT, code: slug, message, at: None, more: Vec::new() }
    }

    /// A text that could not be read.
    pub(crate) fn unreadable(error: ReadError) -> Failure {
        Failure {
            status: StatusCode::BAD_REQUEST,
            code: error.code,
            message: brief(&error.to_string()),
            at: Some(error.at),
            more: Vec::new(),
        }
    }

    /// A game that cannot be opened.
    pub(crate) fn open(error: OpenError) -> Failure {
        Failure::unreadable(error.into_read_error())
    }

    /// A time control that cannot be.
    pub(crate) fn clock(fault: &str) -> Failure {
        Failure {
            status: StatusCode::BAD_REQUEST,
            code: "bad-clock",
            message: fault.to_string(),
            at: None,
            more: Vec::new(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, value: Value) -> Failure {
        self.more.push((field, value));
        self
    }

    /// The body of the answer.
    pub(crate) fn json(&self) -> Value {
        let place = self.at.as_ref().filter(|at| **at != Where::default());
        let error = json!({ "code": self.code, "message": self.message, "where": place });
        let mut body = json!({ "error": error });
        for (field, value) in &self.more {
            body[*field] = value.clone();
        }
        body
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(self.json())).into_response()
    }
}
