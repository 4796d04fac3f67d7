//! The pages: plain data in, HTML out. All text comes from the message files.

pub(crate) mod about;
pub(crate) mod analysis;
mod diagram;
pub(crate) mod error;
mod form;
pub(crate) mod game;
pub(crate) mod home;
pub(crate) mod join;
mod layout;
pub(crate) mod puzzles;
mod routes;
pub(crate) mod rules;
mod setups;
pub(crate) mod start;
#[cfg(test)]
mod tests;
mod texts;

pub(crate) use routes::routes;

use crate::engines::EngineOption;
use kiban_core::GameSpec;
use kiban_words::Words;

/// What every page needs.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The texts: of the page's game where it has one, else the common ones.
    pub(crate) words: &'a Words,
    /// The registry.
    pub(crate) games: &'static [&'static GameSpec],
    /// Other programs that may play and analyse.
    pub(crate) engines: &'a [EngineOption],
}

impl Site<'_> {
    /// A text without variables.
    fn say(&self, key: &str) -> String {
        self.words.get(key)
    }

    /// The programs that can play a game, by name.
    fn engines_for(&self, spec: &GameSpec) -> Vec<&str> {
        self.engines.iter().filter(|e| e.plays(spec)).map(|e| e.name.as_str()).collect()
    }

    /// A text, or something else where no file has it.
    fn say_or(&self, key: &str, otherwise: &str) -> String {
        if self.words.has(key) { self.words.get(key) } else { otherwise.to_string() }
    }
}
