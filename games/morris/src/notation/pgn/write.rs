//! Writes records.

use super::{GAME, KEYS, result_text};
use crate::Morris;
use kiban_core::{Act, Entry, Notation, ReadError, Record, Seat};

/// Columns of a line of moves.
const WIDTH: usize = 80;

/// Writes a game after the other, an empty line between them. The time spent on moves is left out.
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = String::new();
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        put_game(&mut out, record).map_err(|message| {
            let which =
                if records.len() > 1 { format!("Game {}: {message}", i + 1) } else { message };
            ReadError::new("not-held", which)
        })?;
    }
    Ok(out.into_bytes())
}

fn put_tag(out: &mut String, key: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    out.push_str(&format!("[{key} \"{value}\"]\n"));
}

fn put_game(out: &mut String, record: &Record) -> Result<(), String> {
    let variant = GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let rules = Morris::of_variant(&variant);
    let setup = rules.read_setup(&record.start).map_err(|e| e.to_string())?;
    let judged = (GAME.judge)(record).map_err(|e| e.to_string())?;
    put_tag(out, "Game", GAME.id);
    put_tag(out, "Variant", &variant.canonical(GAME.options, None));
    for (key, value) in &record.tags {
        match KEYS.iter().find(|(known, _)| known == key) {
            Some((_, tag)) => put_tag(out, tag, value),
            None => put_tag(out, &plain_key(key), value),
        }
    }
    for (key, value) in &record.unknown {
        put_tag(out, &plain_key(key), value);
    }
    let start = rules.write_setup(&setup);
    if start != rules.write_setup(&rules.read_setup("").map_err(|e| e.to_string())?) {
        put_tag(out, "SetUp", "1");
        put_tag(out, "FEN", &start);
    }
    let result = result_text(judged.outcome, record.claimed.as_ref());
    put_tag(out, "Result", result);
    let claimed = record.claimed.as_ref().and_then(|claimed| claimed.reason.clone());
    if let Some(reason) = judged.outcome.map(|o| o.reason().to_string()).or(claimed) {
        put_tag(out, "Termination", &reason);
    }
    out.push('\n');
    let first = setup.position.to_move;
    let mut moves = Moves { out, column: 0, number: setup.position.number, turn: first };
    moves.put_tree(record)?;
    moves.put_word(result);
    out.push('\n');
    Ok(())
}

/// A key without what a tag cannot hold.
fn plain_key(key: &str) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || "_-".contains(*c);
    let plain: String = key.chars().filter(plain).collect();
    if plain.is_empty() { "Tag".to_string() } else { plain }
}

/// What is still to be written of a tree.
enum Work {
    /// A node, and whether its number must be written.
    Node(usize, bool),
    /// What follows a node but the main move: its variations, then the rest of the main line.
    After(usize, bool),
    Open,
    Close,
    /// Goes back to this number and turn.
    Back(u32, Seat),
}

/// Moves being written.
struct Moves<'a> {
    out: &'a mut String,
    column: usize,
    number: u32,
    turn: Seat,
}

impl Moves<'_> {
    fn put_word(&mut self, word: &str) {
        let length = word.chars().count();
        let opens = self.out.ends_with('(') || word == ")";
        if self.column > 0 && !opens {
            let wraps = self.column + length >= WIDTH;
            self.out.push(if wraps { '\n' } else { ' ' });
            self.column = if wraps { 0 } else { self.column + 1 };
        }
        self.out.push_str(word);
        self.column += length;
    }

    /// Writes the nodes depth first, without recursion since a line may be long.
    fn put_tree(&mut self, record: &Record) -> Result<(), String> {
        let mut work = vec![Work::Node(0, true)];
        while let Some(next) = work.pop() {
            match next {
                Work::Open => self.put_word("("),
                Work::Close => self.put_word(")"),
                Work::Back(number, turn) => (self.number, self.turn) = (number, turn),
                Work::Node(index, numbered) => {
                    let numbered = self.put_node(record, index, numbered)?;
                    work.push(Work::After(index, numbered));
                }
                Work::After(index, numbered) => {
                    let children = &record.nodes[index].children;
                    let Some((main, others)) = children.split_first() else { continue };
                    let before = (self.number, self.turn);
                    if others.is_empty() {
                        work.push(Work::Node(*main, numbered));
                        continue;
                    }
                    self.put_node(record, *main, numbered)?;
                    let after = (self.number, self.turn);
                    work.push(Work::After(*main, true));
                    work.push(Work::Back(after.0, after.1));
                    for other in others.iter().rev() {
                        work.push(Work::Close);
                        work.push(Work::Node(*other, true));
                        work.push(Work::Open);
                        work.push(Work::Back(before.0, before.1));
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a node; whether the move after it needs its number.
    fn put_node(&mut self, record: &Record, index: usize, numbered: bool) -> Result<bool, String> {
        let node = &record.nodes[index];
        let mut after = index == 0 || numbered;
        match &node.entry {
            None => {}
            Some(Entry { act: Act::Call(_), .. }) => {
                // The result tells of it, where it ends the game.
                let ends = node.children.is_empty();
                let main = record.main_line().last().is_some_and(|last| std::ptr::eq(last, node));
                if !ends || !main {
                    let message = "A call stands beside the end of the game; \
                                   choose another format.";
                    return Err(message.to_string());
                }
            }
            Some(Entry { act: Act::Move(text), .. }) => {
                if self.turn == Seat::FIRST {
                    self.put_word(&format!("{}.", self.number));
                } else if numbered {
                    self.put_word(&format!("{}...", self.number));
                }
                self.put_word(text);
                self.number = self.number.saturating_add(self.turn.index() as u32);
                self.turn = self.turn.other();
                after = false;
            }
            Some(_) => return Err("This game has no layouts and no deal.".to_string()),
        }
        if !node.comment.is_empty() {
            // A brace would end the comment.
            self.put_word(&format!("{{{}}}", node.comment.replace(['{', '}'], "|")));
            after = true;
        }
        Ok(after)
    }
}
