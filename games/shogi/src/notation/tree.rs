//! A record while it is read: the tree of its nodes, and the board at each ply of the main line
//! and of the branch being read.

use super::endings::{self, Ending};
use super::text::{odd, wrong};
use super::tracker::Tracker;
use crate::moves::{Color, Move, PieceKind, Square};
use crate::rules::Shogi;
use crate::sfen::Setup;
use kiban_core::{Act, Claimed, Entry, Node, ReadError, Record};

/// A record with more nodes is not read.
const MOST_NODES: usize = 100_000;
/// So is one with a longer line: the referee compares each position with all before it.
const MOST_PLIES: usize = 20_000;
/// More oddities than this and the file is something else.
const MOST_ODDITIES: usize = 1000;

/// A node and the board behind it.
struct Step {
    node: usize,
    board: Tracker,
}

/// A record being read.
pub(super) struct Tree {
    pub(super) record: Record,
    rules: Shogi,
    start: Tracker,
    main: Vec<Step>,
    /// How many plies of the main line the branch begins behind.
    base: usize,
    branch: Vec<Step>,
    branching: bool,
    /// Whether the branch has told its ending.
    branch_over: bool,
    /// The node comments belong to.
    last: usize,
    /// Whether that comment has a line, which may be empty.
    commented: bool,
    /// The node that carries an ending which is no entry.
    ended: Option<usize>,
    /// Whether the main line ended by a declaration.
    declared: bool,
}

impl Tree {
    /// A record from a start; what was read before it is taken over from `record`.
    ///
    /// # Errors
    /// If the variant is unknown.
    pub(super) fn new(mut record: Record, start: Setup) -> Result<Tree, ReadError> {
        let rules = endings::rules_of(&record.variant, &start)?;
        record.start = start.to_sfen();
        Ok(Tree {
            record,
            rules,
            start: Tracker::new(start),
            main: Vec::new(),
            base: 0,
            branch: Vec::new(),
            branching: false,
            branch_over: false,
            last: 0,
            commented: false,
            ended: None,
            declared: false,
        })
    }

    /// Says where the last move before the start ended.
    pub(super) fn begin_behind(&mut self, last: Square) {
        self.start.last = Some(last);
    }

    /// The board where the next move is made.
    pub(super) fn board(&self) -> &Tracker {
        let main = || self.main[..self.base].last();
        self.branch.last().or_else(main).map_or(&self.start, |step| &step.board)
    }

    fn tip(&self) -> usize {
        let main = || self.main[..self.base].last();
        self.branch.last().or_else(main).map_or(0, |step| step.node)
    }

    /// The board behind this many plies of the main line.
    pub(super) fn main_board(&self, plies: usize) -> Option<&Tracker> {
        match plies.checked_sub(1) {
            None => Some(&self.start),
            Some(last) => self.main.get(last).map(|step| &step.board),
        }
    }

    /// Whether the side to move wins by a declaration now.
    pub(super) fn may_declare(&self) -> bool {
        endings::may_declare(self.rules, &self.start.setup, self.board())
    }

    /// How many plies lead to the board.
    pub(super) fn plies(&self) -> usize {
        self.base + self.branch.len()
    }

    /// Whether a branch is being read.
    pub(super) fn branching(&self) -> bool {
        self.branching
    }

    /// Whether the branch being read has told its ending.
    pub(super) fn branch_over(&self) -> bool {
        self.branch_over
    }

    /// Notes something forgiven.
    ///
    /// # Errors
    /// If there is too much of it.
    pub(super) fn warn(
        &mut self,
        place: (usize, usize),
        text: impl Into<String>,
    ) -> Result<(), ReadError> {
        if self.record.warnings.len() >= MOST_ODDITIES {
            return Err(wrong(place, "one more oddity", "at most a thousand of them"));
        }
        self.record.warnings.push(odd(place, text));
        Ok(())
    }

    fn add(&mut self, parent: usize, node: Node, place: (usize, usize)) -> Result<(), ReadError> {
        if self.record.nodes.len() > MOST_NODES {
            return Err(wrong(place, "a further move", "at most 100,000 in a record"));
        }
        if self.plies() >= MOST_PLIES {
            return Err(wrong(place, "a further move", "at most 20,000 in a line"));
        }
        self.last = self.record.add(parent, Node { at: Some(place), ..node });
        self.commented = false;
        Ok(())
    }

    fn push(
        &mut self,
        entry: Entry,
        board: Tracker,
        place: (usize, usize),
    ) -> Result<(), ReadError> {
        self.add(self.tip(), Node { entry: Some(entry), ..Node::default() }, place)?;
        let step = Step { node: self.last, board };
        if self.branching {
            self.branch.push(step);
        } else {
            self.main.push(step);
            self.base = self.main.len();
        }
        Ok(())
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If there are too many.
    pub(super) fn play(
        &mut self,
        by: Color,
        m: Move,
        named: PieceKind,
        place: (usize, usize),
    ) -> Result<(), ReadError> {
        if !self.branching {
            self.reopen(place)?;
        }
        let mut board = self.board().clone();
        board.play(by, m, named);
        self.push(Entry::new_move(by.seat(), m.to_usi()), board, place)
    }

    /// Moves that follow an ending which is no entry: the game went on.
    fn reopen(&mut self, place: (usize, usize)) -> Result<(), ReadError> {
        let Some(ended) = self.ended.take() else { return Ok(()) };
        let claimed = self.record.claimed.take().expect("an ending is claimed");
        self.warn(
            place,
            format!("Moves follow the ending {}; it is a comment now.", claimed.text),
        )?;
        let node = self.record.nodes.pop().expect("the ending's node is the last");
        let tip = &mut self.record.nodes[self.main.last().map_or(0, |step| step.node)];
        tip.children.retain(|child| *child != ended);
        for text in [claimed.text, node.comment].iter().filter(|text| !text.is_empty()) {
            let begun = !tip.comment.is_empty();
            append(&mut tip.comment, text, begun);
        }
        Ok(())
    }

    /// Takes an ending in the words of the record.
    ///
    /// # Errors
    /// If there is too much of it.
    pub(super) fn end(
        &mut self,
        ending: Ending,
        word: &str,
        place: (usize, usize),
    ) -> Result<(), ReadError> {
        let (board, rules) = (self.board().clone(), self.rules);
        let entry = ending.entry(rules, &self.start.setup, &board);
        if self.branching {
            self.branch_over = true;
            let Some(entry) = entry else {
                self.warn(place, format!("The ending {word} of a branch is a comment now."))?;
                self.comment(word);
                return Ok(());
            };
            return self.push(entry, board, place);
        }
        if self.declared && ending.answers_declaration() {
            let start = &self.start.setup;
            let claimed = Claimed { reason: None, ..ending.claim(rules, start, &board, word) };
            let replay = ending == Ending::Impasse;
            let result = if replay { "replay".to_string() } else { claimed.result };
            self.record.claimed = Some(Claimed { result, ..claimed });
            return Ok(());
        }
        if let Some(claimed) = &self.record.claimed {
            let text = format!("The game has ended already: {}.", claimed.text);
            return self.warn(place, text);
        }
        self.record.claimed = Some(self.claim(ending, word));
        self.declared = ending == Ending::Declare;
        if let Some(entry) = entry {
            return self.push(entry, board, place);
        }
        if ending == Ending::Impasse {
            let text = format!("{word} is a claim only: the kings do not stand as the rule wants.");
            self.warn(place, text)?;
        }
        self.add(self.tip(), Node::default(), place)?;
        self.ended = Some(self.last);
        Ok(())
    }

    /// What an ending at this board claims.
    pub(super) fn claim(&self, ending: Ending, word: &str) -> Claimed {
        ending.claim(self.rules, &self.start.setup, self.board(), word)
    }

    /// Adds a line to the comment of the last node.
    pub(super) fn comment(&mut self, line: &str) {
        append(&mut self.record.nodes[self.last].comment, line, self.commented);
        self.commented = true;
    }

    /// Sets the time spent on the last node; none is spent before the first.
    pub(super) fn spent(&mut self, ms: u64) -> bool {
        if self.last > 0 {
            self.record.nodes[self.last].spent_ms = Some(ms);
        }
        self.last > 0
    }

    /// Begins a branch behind this many plies of the current line, or of the main line where the
    /// current one is shorter. Whether it was the current line; `None` if neither is as long.
    pub(super) fn branch_behind(&mut self, plies: usize) -> Option<bool> {
        let current = plies <= self.plies();
        if plies <= self.base || !current {
            return self.branch_off_main(plies).then_some(current);
        }
        self.branch.truncate(plies - self.base);
        self.at_tip();
        Some(current)
    }

    /// Begins a branch behind this many plies of the main line; false if it is not as long.
    pub(super) fn branch_off_main(&mut self, plies: usize) -> bool {
        if plies > self.main.len() {
            return false;
        }
        self.base = plies;
        self.branch.clear();
        self.at_tip();
        true
    }

    /// What comes next belongs to a branch and to the node it begins behind.
    fn at_tip(&mut self) {
        self.branching = true;
        self.branch_over = false;
        self.last = self.tip();
        self.commented = !self.record.nodes[self.last].comment.is_empty();
    }

    /// The record, its nodes numbered in the order in which they are written.
    pub(super) fn finish(self) -> Record {
        let mut record = self.record;
        if self.branching {
            renumber(&mut record);
        }
        record
    }
}

/// Adds a line to a text of lines, where it is not the first.
pub(super) fn append(comment: &mut String, line: &str, begun: bool) {
    if begun {
        comment.push('\n');
    }
    comment.push_str(line);
}

/// The lines of play of a record in the order in which they are written: the main line, then from
/// its end back to its beginning the other continuations, each followed by its own. A line is its
/// first node, then first children to the end.
pub(super) struct LinesOfPlay<'a, T> {
    record: &'a Record,
    /// First nodes, and what the caller keeps of the node before them.
    waiting: Vec<(usize, T)>,
}

impl<'a, T: Clone> LinesOfPlay<'a, T> {
    /// From the root.
    pub(super) fn new(record: &'a Record, kept: T) -> LinesOfPlay<'a, T> {
        LinesOfPlay { record, waiting: vec![(0, kept)] }
    }

    /// Calls `visit` for each node of the next line with what is kept of the node before it; it
    /// gives what to keep of this one. False if there is no more line.
    ///
    /// # Errors
    /// What `visit` gives.
    pub(super) fn next<E>(
        &mut self,
        mut visit: impl FnMut(usize, T, bool) -> Result<T, E>,
    ) -> Result<bool, E> {
        let Some((first, mut kept)) = self.waiting.pop() else { return Ok(false) };
        let mut at = Some(first);
        while let Some(node) = at {
            kept = visit(node, kept, node == first)?;
            let children = &self.record.nodes[node].children;
            let others = children.iter().skip(1).rev();
            self.waiting.extend(others.map(|child| (*child, kept.clone())));
            at = children.first().copied();
        }
        Ok(true)
    }
}

/// Numbers the nodes in the order of [`LinesOfPlay`].
fn renumber(record: &mut Record) {
    let mut order = Vec::with_capacity(record.nodes.len());
    let mut lines = LinesOfPlay::new(record, ());
    let mut visit = |node, (), _| -> Result<(), std::convert::Infallible> {
        order.push(node);
        Ok(())
    };
    while let Ok(true) = lines.next(&mut visit) {}
    let mut new = vec![0; record.nodes.len()];
    for (index, old) in order.iter().enumerate() {
        new[*old] = index;
    }
    let mut nodes: Vec<Node> =
        order.iter().map(|old| std::mem::take(&mut record.nodes[*old])).collect();
    for child in nodes.iter_mut().flat_map(|node| &mut node.children) {
        *child = new[*child];
    }
    record.nodes = nodes;
}

/// The start of a record that is to be written.
///
/// # Errors
/// If its text is no position.
pub(super) fn start_of(record: &Record) -> Result<Setup, ReadError> {
    let start = crate::spec::GAME.setup_position(&record.start).unwrap_or(&record.start);
    if start.trim().is_empty() {
        return Ok(Setup::start());
    }
    Setup::from_sfen(start).map_err(|e| super::read_error(&e))
}

/// A node's move and who made it, on a board; a call's ending; nothing for a node without entry.
pub(super) enum Told {
    Move(Color, Move),
    Ending(Ending),
    Nothing,
}

/// What a node puts into a record.
///
/// # Errors
/// If no format for shogi can hold it.
pub(super) fn told(format: &str, node: &Node, board: &Tracker) -> Result<Told, ReadError> {
    let cannot = |what: String| Err(super::text::cannot_hold(format, &what));
    let Some(entry) = &node.entry else { return Ok(Told::Nothing) };
    match &entry.act {
        Act::Move(text) => {
            let m = Move::from_usi(text).map_err(|e| ReadError::new("bad-move", e.to_string()))?;
            match entry.by.only() {
                Some(seat) => Ok(Told::Move(Color::of(seat), m)),
                None if entry.by.is_empty() => Ok(Told::Move(board.author(m), m)),
                None => cannot("a move of several seats".into()),
            }
        }
        Act::Call(call) if endings::call_fits(*call, entry.by, board.turn()) => {
            Ok(Told::Ending(Ending::of_call(*call, entry.by, board.turn())))
        }
        Act::Call(call) => {
            cannot(format!("the call \"{}\" of a side that is not to move", call.slug()))
        }
        Act::Layout(_) | Act::Deal(_) => cannot("a layout or a deal".into()),
    }
}

/// The words a record's main line is to be ended with, taken from its call and its claim. There
/// is a second where a declaration did not win.
///
/// # Errors
/// If the format has no word for it, or call and claim differ.
pub(super) fn ending_words(
    format: &str,
    words: &'static [(&'static str, Ending)],
    record: &Record,
    call: Option<Ending>,
    (start, now): (&Setup, &Tracker),
) -> Result<Vec<String>, ReadError> {
    let cannot = |what: &str| Err(super::text::cannot_hold(format, what));
    let side = now.turn();
    let claim = match &record.claimed {
        Some(claimed) => match endings::of_claim(claimed, side) {
            Some(ending) => Some((ending, claimed.text.as_str())),
            None => return cannot(&format!("the claim \"{}\"", claimed.text)),
        },
        None => None,
    };
    let mut said: Vec<Ending> = call.into_iter().collect();
    match (call, claim) {
        (Some(Ending::Declare), None) => {
            said.extend(endings::answer(endings::rules_of(&record.variant, start)?, start, now));
        }
        (Some(Ending::Declare), Some((claimed, _))) if claimed.answers_declaration() => {
            said.push(claimed);
        }
        (Some(call), Some((claimed, text))) if call != claimed => {
            return cannot(&format!("the claim \"{text}\" beside another ending"));
        }
        (None, Some((claimed, _))) => said.push(claimed),
        _ => {}
    }
    let word = |ending: Ending| match claim {
        Some((claimed, text))
            if claimed == ending && endings::find(words, text) == Some(ending) =>
        {
            Ok(text.to_string())
        }
        _ => match ending.word(words, side) {
            Some(word) => Ok(word.to_string()),
            None => {
                let what = format!("the ending {}", ending.name(side));
                Err(super::text::cannot_hold(format, &what))
            }
        },
    };
    said.into_iter().map(word).collect()
}
