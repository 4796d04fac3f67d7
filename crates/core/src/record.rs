//! A game with its branches, as a record file holds it.

use crate::{Act, Entry};
use serde::{Deserialize, Serialize};

/// One node of a record's tree.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// What was put into the log; `None` for the root and for a node that only comments.
    pub entry: Option<Entry>,
    /// Time spent on it, in milliseconds.
    pub spent_ms: Option<u64>,
    /// A comment, lines separated by `\n`.
    pub comment: String,
    /// Where the text of this node stands in the file it was read from: line, column.
    pub at: Option<(usize, usize)>,
    /// Indices of what follows, the main line first.
    pub children: Vec<usize>,
}

/// What a record says of its result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claimed {
    /// `first`, `second`, `draw`, `replay`, or `none` (interrupted, unfinished).
    pub result: String,
    /// The slug of the reason, if the record names one.
    pub reason: Option<String>,
    /// The words of the record.
    pub text: String,
}

/// Something odd that was read and forgiven.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// One sentence.
    pub text: String,
}

/// A tree of entries from one start. Node 0 is the root.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The game's id.
    pub game: String,
    /// The variant's text.
    pub variant: String,
    /// Known headers by canonical key (`first`, `second`, `date`, `event`, `place`, ...).
    pub tags: Vec<(String, String)>,
    /// The start position's text.
    pub start: String,
    /// The nodes; 0 is the root.
    pub nodes: Vec<Node>,
    /// Headers this program does not know, kept as they were read.
    pub unknown: Vec<(String, String)>,
    /// The result the record states.
    pub claimed: Option<Claimed>,
    /// What was forgiven when it was read.
    pub warnings: Vec<Warning>,
}

impl Record {
    /// An empty record.
    pub fn new(game: &str, variant: &str, start: &str) -> Record {
        Record {
            game: game.to_string(),
            variant: variant.to_string(),
            tags: Vec::new(),
            start: start.to_string(),
            nodes: vec![Node::default()],
            unknown: Vec::new(),
            claimed: None,
            warnings: Vec::new(),
        }
    }

    /// A record of one line.
    pub fn of_line(game: &str, variant: &str, start: &str, log: &[Entry]) -> Record {
        let mut record = Record::new(game, variant, start);
        let mut at = 0;
        for entry in log {
            at = record.add(at, Node { entry: Some(entry.clone()), ..Node::default() });
        }
        record
    }

    /// Adds a node below `parent` and gives its index.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        self.nodes.push(node);
        let index = self.nodes.len() - 1;
        self.nodes[parent].children.push(index);
        index
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        let mut at = 0;
        std::iter::from_fn(move || {
            at = *self.nodes[at].children.first()?;
            Some(&self.nodes[at])
        })
    }

    /// The entries of the main line.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.main_line().filter_map(|n| n.entry.as_ref())
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.entries()
            .filter_map(|e| if let Act::Move(text) = &e.act { Some(text.as_str()) } else { None })
    }

    /// A tag's value.
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}
