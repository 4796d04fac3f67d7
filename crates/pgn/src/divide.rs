//! Dividing a file into its games by the looks of its lines, before any is read: so what is wrong
//! with one costs no other.

use crate::{RESULTS, words::read_tag};

/// The byte order mark some editors put before a text; files put together have it between them.
pub(crate) const MARK: char = '\u{feff}';
/// The tag that is the first of a game.
const FIRST: &str = "Game";

/// The lines of each game of a text with their numbers, blank ones before it left out.
///
/// A game begins with a tag behind the moves of another, and behind a result and a blank line with
/// anything. Where there are no moves yet, it begins behind a blank line with a tag that is the first
/// of a game, or is there already, or has a broken one before it. In a comment that is not closed it
/// begins behind a blank line with what is a tag and nothing else.
pub fn divide(text: &str) -> impl Iterator<Item = Vec<(usize, &str)>> {
    let parts = |(i, line): (usize, _)| str::split(line, MARK).map(move |part| (i + 1, part));
    let mut lines = text.lines().enumerate().flat_map(parts);
    let mut next = lines.next();
    std::iter::from_fn(move || {
        let mut game = Game::default();
        while let Some((number, line)) = next.take_if(|(_, line)| !game.ends_before(line)) {
            game.take(number, line);
            next = lines.next();
        }
        Some(game.lines).filter(|lines| !lines.is_empty())
    })
}

/// The lines of a game so far.
#[derive(Default)]
struct Game<'a> {
    lines: Vec<(usize, &'a str)>,
    tags: Vec<&'a str>,
    /// Whether one of them is none.
    broken: bool,
    /// Whether there are lines behind the tags, and whether a comment is open in them.
    words: bool,
    comment: bool,
    /// Whether they end with a result.
    over: bool,
    /// Whether the last line is blank.
    blank: bool,
}

impl<'a> Game<'a> {
    fn ends_before(&self, line: &str) -> bool {
        if self.blank && self.over && !line.trim().is_empty() {
            return true;
        }
        let Some(name) = tag_name(line) else { return false };
        if self.comment {
            return (self.blank || name == FIRST) && read_tag(line, 0).is_ok();
        }
        let again = self.tags.contains(&name);
        let apart = self.blank && (again || self.broken || name == FIRST);
        self.words || !self.tags.is_empty() && (apart || again && name == FIRST)
    }

    fn take(&mut self, number: usize, line: &'a str) {
        self.blank = line.trim().is_empty();
        if self.blank && self.lines.is_empty() {
            return;
        }
        self.lines.push((number, line));
        match tag_name(line).filter(|_| !self.comment) {
            Some(name) => {
                self.tags.push(name);
                self.broken |= read_tag(line.trim(), number).is_err();
            }
            None => {
                let last = line.split_whitespace().next_back();
                self.comment = in_comment(self.comment, line);
                self.words |= last.is_some();
                self.over = last.map_or(self.over, |last| is_result(last) && !self.comment);
            }
        }
    }
}

/// The name of the tag that a line begins like.
fn tag_name(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('[')?.split_whitespace().next()
}

fn is_result(word: &str) -> bool {
    RESULTS.iter().any(|(_, token)| *token == word)
}

/// Whether a comment is open behind a line.
fn in_comment(before: bool, line: &str) -> bool {
    let mut open = before;
    for c in line.chars() {
        match (c, open) {
            ('{', false) => open = true,
            ('}', true) => open = false,
            // The rest of the line is a comment.
            (';', false) => break,
            _ => {}
        }
    }
    open
}
