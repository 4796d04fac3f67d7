//! A file's tags and words.

use kiban_core::ReadError;

/// Branches within branches.
const DEEPEST: usize = 200;
/// Words of one game.
const MOST_WORDS: usize = 100_000;

/// A fault of a record at a line and column.
pub fn bad(message: impl Into<String>, (line, column): (usize, usize)) -> ReadError {
    ReadError::new("bad-record", message).line(line).column(column)
}

/// A tag: name, value and line.
pub type Tag = (String, String, usize);

/// A word behind the tags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// A move, a call, a number or a result.
    Plain(String),
    /// A comment, without its braces.
    Comment(String),
    /// A branch begins.
    Open,
    /// A branch ends.
    Close,
}

/// A game as it stands in the file.
#[derive(Default)]
pub(crate) struct Game {
    pub(crate) tags: Vec<Tag>,
    /// Words with their line and column.
    pub(crate) words: Vec<(Word, (usize, usize))>,
}

/// Whether a text is all of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Whole,
    /// Its beginning: what is open may be closed beyond.
    Head,
}

/// Splits the lines of a game into its tags and words. One without tags is a game too.
///
/// # Errors
/// Says what is no tag, what is not closed, or that there are too many words.
pub(crate) fn game(lines: &[(usize, &str)], extent: Extent) -> Result<Game, ReadError> {
    let (mut game, mut state) = (Game::default(), State::default());
    for (number, line) in lines {
        if !state.in_comment && line.trim_start().starts_with('[') {
            game.tags.push(read_tag(line.trim(), *number)?);
        } else {
            state.split(line, *number, &mut game.words)?;
        }
    }
    if extent == Extent::Whole {
        let last = lines.last().map_or(1, |(number, _)| *number);
        state.close(last, &game.words)?;
    }
    Ok(game)
}

/// Reads `[Name "value"]`, the line of this number.
///
/// # Errors
/// If it is none.
pub fn read_tag(line: &str, number: usize) -> Result<Tag, ReadError> {
    let error = || bad("Write a tag as [Name \"value\"].", (number, 1));
    let inside = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')).ok_or_else(error)?;
    let (name, value) = inside.trim().split_once(char::is_whitespace).ok_or_else(error)?;
    let value = value.trim().strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    let mut plain = String::new();
    let mut chars = value.ok_or_else(error)?.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(chars.next().ok_or_else(error)?),
            '"' => return Err(error()),
            c => plain.push(c),
        }
    }
    Ok((name.to_string(), plain, number))
}

/// Where a text of words stands between its lines.
#[derive(Default)]
struct State {
    in_comment: bool,
    depth: usize,
}

impl State {
    /// A game ends with this line; nothing may be open.
    fn close(&self, line: usize, words: &[(Word, (usize, usize))]) -> Result<(), ReadError> {
        if self.in_comment {
            let at = words.last().map_or((line, 1), |(_, at)| *at);
            return Err(bad("A comment is not closed; write } behind it.", at));
        }
        if self.depth > 0 {
            return Err(bad("A branch is not closed; write ) behind it.", (line, 1)));
        }
        Ok(())
    }

    fn split(
        &mut self,
        line: &str,
        number: usize,
        words: &mut Vec<(Word, (usize, usize))>,
    ) -> Result<(), ReadError> {
        let mut fresh = true;
        for (i, c) in line.chars().enumerate() {
            let at = (number, i + 1);
            let comment = if let Some((Word::Comment(text), _)) = words.last_mut() {
                Some(text)
            } else {
                None
            };
            match (c, self.in_comment, comment) {
                ('}', true, _) => (self.in_comment, fresh) = (false, true),
                (c, true, Some(text)) => text.push(c),
                ('{', ..) => {
                    words.push((Word::Comment(String::new()), at));
                    self.in_comment = true;
                }
                (';', ..) => {
                    words.push((Word::Comment(line.chars().skip(i + 1).collect()), at));
                    break;
                }
                ('(', ..) => {
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return Err(bad("There are too many branches within branches.", at));
                    }
                    words.push((Word::Open, at));
                    fresh = true;
                }
                (')', ..) => {
                    let error = || bad("Here a branch ends that did not begin.", at);
                    self.depth = self.depth.checked_sub(1).ok_or_else(error)?;
                    words.push((Word::Close, at));
                    fresh = true;
                }
                (c, ..) if c.is_whitespace() => fresh = true,
                (c, ..) => {
                    match words.last_mut() {
                        Some((Word::Plain(text), _)) if !fresh => text.push(c),
                        _ => words.push((Word::Plain(c.to_string()), at)),
                    }
                    fresh = false;
                }
            }
        }
        if self.in_comment
            && let Some((Word::Comment(text), _)) = words.last_mut()
        {
            text.push('\n');
        }
        if words.len() > MOST_WORDS {
            return Err(bad(format!("A game has at most {MOST_WORDS} words."), (number, 1)));
        }
        Ok(())
    }
}
