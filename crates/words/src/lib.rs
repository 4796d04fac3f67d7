//! Message files: every text a user reads, by language.
//!
//! Texts are Fluent files. The common ones are in this crate's `messages/`; a game brings its own
//! in its `GameSpec` (its name, pieces, reasons, options), an edge (web, command line) adds its own.
//! Keys of games' texts: `reason-SLUG`, `GAME-piece-X`, `GAME-option-KEY`, `GAME-setup-ID`.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use kiban_core::GameSpec;
use unic_langid::LanguageIdentifier;

const ENGLISH: &str = include_str!("../messages/en.ftl");

/// The texts of one language.
pub struct Words {
    bundle: FluentBundle<FluentResource>,
}

impl Words {
    /// English: the common texts and those of these games and further files.
    pub fn english(games: &[&GameSpec], further: &[&str]) -> Words {
        let language: LanguageIdentifier = "en".parse().expect("a language tag");
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Isolation marks are meant for mixed directions; they show as boxes in a terminal.
        bundle.set_use_isolating(false);
        let of_games =
            games.iter().flat_map(|g| g.messages).filter(|(lang, _)| *lang == "en").map(|m| m.1);
        for text in std::iter::once(ENGLISH).chain(of_games).chain(further.iter().copied()) {
            // A broken line loses its own message only; a test reads every file strictly.
            let resource = FluentResource::try_new(text.to_string()).unwrap_or_else(|(r, _)| r);
            bundle.add_resource_overriding(resource);
        }
        Words { bundle }
    }

    /// Whether there is a message of this key.
    pub fn has(&self, key: &str) -> bool {
        self.bundle.get_message(key).is_some_and(|m| m.value().is_some())
    }

    /// A message with its variables filled in. A key without a message gives the key itself.
    pub fn text(&self, key: &str, values: &[(&str, &str)]) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|m| m.value()) else {
            return key.to_string();
        };
        let mut args = FluentArgs::new();
        for (name, value) in values {
            args.set(*name, *value);
        }
        let mut errors = Vec::new();
        self.bundle.format_pattern(pattern, Some(&args), &mut errors).into_owned()
    }

    /// A message without variables.
    pub fn get(&self, key: &str) -> String {
        self.text(key, &[])
    }

    /// A message without variables, or else this text.
    pub fn get_or(&self, key: &str, otherwise: &str) -> String {
        if self.has(key) { self.get(key) } else { otherwise.to_string() }
    }

    /// What a reason's slug means, as a short phrase; the slug itself if no file names it.
    pub fn reason(&self, slug: &str) -> String {
        self.get_or(&format!("reason-{slug}"), slug)
    }
}

/// The faults of a Fluent file, a sentence each: for tests that read every file strictly.
pub fn faults(text: &str) -> Vec<String> {
    match FluentResource::try_new(text.to_string()) {
        Ok(_) => Vec::new(),
        Err((_, errors)) => errors.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_file_has_no_faults() {
        assert_eq!(faults(ENGLISH), Vec::<String>::new());
        assert!(!faults("key = {").is_empty());
    }

    #[test]
    fn a_later_file_adds_and_overrides() {
        let words = Words::english(&[], &["greeting = Hello { $name }\nseat-first = Black\n"]);
        assert_eq!(words.text("greeting", &[("name", "Aya")]), "Hello Aya");
        assert_eq!(words.get("seat-first"), "Black");
        assert_eq!(words.get("no-such-key"), "no-such-key");
    }

    #[test]
    fn every_common_reason_and_call_is_named() {
        let words = Words::english(&[], &[]);
        for reason in kiban_core::Reason::COMMON {
            assert_ne!(words.reason(reason.0), reason.0);
        }
        for call in kiban_core::Call::ALL {
            assert!(words.has(&format!("call-{}", call.slug())), "{}", call.slug());
        }
    }
}
