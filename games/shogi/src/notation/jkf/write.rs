//! Writing JKF.

use super::beside::Beside;
use super::places::Places;
use super::{
    BESIDE_KEY, Cell, Clock, Data, Document, Hand, Header, Initial, Kind, NAME, NUMBER_KEY, OTHER,
    PRESETS, Place, Play, Side, Step, Time, read,
};
use crate::moves::{Color, Move, Piece, PieceKind, Square};
use crate::notation::endings::{self, Ending};
use crate::notation::kif::VARIANT_KEY;
use crate::notation::text::cannot_hold;
use crate::notation::tracker::Tracker;
use crate::notation::tree::{Told, ending_words, start_of, told};
use crate::notation::{headers, names};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{Node, ReadError, Record};
use std::borrow::Cow;

/// Forks in forks, of which each takes three levels of the 127 that JSON readers take.
const MOST_DEPTH: usize = 40;
/// A preset that programs understand differently; its position is written instead.
const UNCLEAR: &str = "3";

/// Writes a document a line.
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = Vec::new();
    for record in records {
        let start = start_of(record)?;
        let (record, beside) = without_beside(record);
        let mut document = head(&record, &start);
        check_head(&document, &record, &start)?;
        let mut writer = Writer { record: &record, start: &start, claimed: false };
        document.moves = writer.whole()?;
        match beside {
            None => serde_json::to_writer(&mut out, &document).expect("a document is JSON"),
            Some(keys) => out.extend(keys.write(&document).map_err(no_place)?.into_bytes()),
        }
        out.push(b'\n');
    }
    Ok(out)
}

/// A record without the header that keeps other keys than those of JKF, and these keys.
fn without_beside(record: &Record) -> (Cow<'_, Record>, Option<Beside>) {
    let keys = |(i, (key, value)): (usize, &(String, String))| {
        let keys = if key == BESIDE_KEY { Beside::of_header(value) } else { None };
        Some((i, keys?))
    };
    let Some((index, keys)) = record.unknown.iter().enumerate().find_map(keys) else {
        return (Cow::Borrowed(record), None);
    };
    let mut record = record.clone();
    record.unknown.remove(index);
    (Cow::Owned(record), Some(keys))
}

fn no_place(pointer: String) -> ReadError {
    cannot_hold(NAME, &format!("the key {pointer}, whose place is gone"))
}

fn head(record: &Record, start: &Setup) -> Document {
    let even = Setup { number: 1, ..start.clone() };
    let presets = std::iter::once("HIRATE").chain(PRESETS.iter().map(|(name, _)| *name));
    let preset = presets.filter(|name| *name != UNCLEAR);
    let preset = preset.into_iter().find(|name| read::preset(name).as_ref() == Some(&even));
    let mut header = Vec::new();
    if start.number != 1 {
        header.push((NUMBER_KEY.to_string(), (start.number - 1).to_string()));
    }
    if !["", GAME.id].contains(&record.variant.as_str()) {
        header.push((VARIANT_KEY.to_string(), record.variant.clone()));
    }
    let handicap = headers::handicap_name(&even).is_some_and(|name| name != "平手");
    let tags = record.tags.iter().map(|(k, v)| (headers::kif_key(k, handicap), v));
    let unknown = record.unknown.iter().map(|(k, v)| (k.as_str(), v));
    header.extend(tags.chain(unknown).map(|(k, v)| (k.to_string(), v.clone())));
    let initial = Initial {
        preset: preset.unwrap_or(OTHER).to_string(),
        data: preset.is_none().then(|| data(start)),
    };
    Document { header: Header(header), initial: Some(initial), moves: Vec::new() }
}

fn data(start: &Setup) -> Data {
    let mut board = [[Cell::default(); 9]; 9];
    for square in Square::all() {
        let piece = start.board[square.index()];
        board[usize::from(square.file()) - 1][usize::from(square.rank()) - 1] = Cell {
            color: piece.map(|piece| Side(piece.color())),
            kind: piece.map(|piece| Kind(piece.kind())),
        };
    }
    let hands = start.hands.map(|[fu, ky, ke, gi, ki, ka, hi]| Hand { fu, ky, ke, gi, ki, ka, hi });
    Data { color: Side(start.turn), board, hands }
}

/// Reads the head again: what comes out otherwise cannot be held.
fn check_head(document: &Document, record: &Record, start: &Setup) -> Result<(), ReadError> {
    let cannot = |what: &str| Err(cannot_hold(NAME, what));
    let places = Places { begin: (1, 1), ..Places::default() };
    let Ok(read) = read::record(document, &places, None) else { return cannot("these headers") };
    if let Some(what) = headers::difference(record, &read) {
        return cannot(&what);
    }
    if read.start != start.to_sfen() {
        return cannot("this start position or these headers");
    }
    if ![record.variant.as_str(), GAME.id].contains(&read.variant.as_str()) {
        return cannot("this variant");
    }
    Ok(())
}

/// What is kept of the node before.
#[derive(Clone)]
struct Kept {
    board: Tracker,
    /// Time spent so far by each side, in milliseconds.
    spent: [u64; 2],
}

struct Writer<'a> {
    record: &'a Record,
    start: &'a Setup,
    /// Whether the claim has been written.
    claimed: bool,
}

impl Writer<'_> {
    fn whole(&mut self) -> Result<Vec<Step>, ReadError> {
        let kept = Kept { board: Tracker::new(self.start.clone()), spent: [0; 2] };
        let (mut steps, end) = self.line(0, kept, 0)?;
        if self.record.claimed.is_some() && !self.claimed {
            steps.extend(self.ending(&end.board, None, true)?);
        }
        Ok(steps)
    }

    /// A line from its first node to its end, with the lines that replace its later nodes.
    fn line(
        &mut self,
        first: usize,
        mut kept: Kept,
        depth: usize,
    ) -> Result<(Vec<Step>, Kept), ReadError> {
        if depth > MOST_DEPTH {
            let what = format!("branches in branches deeper than {MOST_DEPTH}");
            return Err(cannot_hold(NAME, &what));
        }
        let (mut steps, mut at, mut others) = (Vec::new(), Some(first), &[][..]);
        let nodes = &self.record.nodes;
        while let Some(index) = at {
            let before = kept.clone();
            let mut told = self.node(index, &mut kept, depth == 0)?;
            for other in others {
                let (fork, _) = self.line(*other, before.clone(), depth + 1)?;
                told[0].forks.push(fork);
            }
            steps.extend(told);
            let children = &nodes[index].children;
            (at, others) = (children.first().copied(), children.get(1..).unwrap_or_default());
        }
        Ok((steps, kept))
    }

    /// The node's steps, at least one.
    fn node(&mut self, index: usize, kept: &mut Kept, main: bool) -> Result<Vec<Step>, ReadError> {
        let node: &Node = &self.record.nodes[index];
        let claims = main && self.record.claimed.is_some() && !self.claimed;
        let turn = kept.board.turn();
        let (mut steps, by) = if index == 0 {
            if node.entry.is_some() || node.spent_ms.is_some() {
                return Err(cannot_hold(NAME, "a move before the first"));
            }
            (vec![Step::default()], turn)
        } else {
            match told(NAME, node, &kept.board)? {
                Told::Move(by, m) => {
                    let play = Some(play(&kept.board, by, m));
                    kept.board.play(by, m, PieceKind::Pawn);
                    (vec![Step { play, ..Step::default() }], by)
                }
                Told::Ending(ending) => (self.ending(&kept.board, Some(ending), main)?, turn),
                Told::Nothing if claims && node.children.is_empty() => {
                    (self.ending(&kept.board, None, main)?, turn)
                }
                Told::Nothing => return Err(cannot_hold(NAME, "a node without a move")),
            }
        };
        if !node.comment.is_empty() {
            steps[0].comments = node.comment.split('\n').map(str::to_string).collect();
        }
        if let Some(ms) = node.spent_ms {
            let total = &mut kept.spent[by.index()];
            *total = total.saturating_add(ms);
            let (h, m) = (*total / 3_600_000, *total / 60_000 % 60);
            let total = Clock { h: Some(h), m, s: seconds(*total) };
            let now = Clock { h: None, m: ms / 60_000, s: seconds(ms) };
            steps[0].time = Some(Time { now, total: Some(total) });
        }
        Ok(steps)
    }

    /// The steps of an ending; the main line's first is written in the words of the claim.
    fn ending(
        &mut self,
        board: &Tracker,
        call: Option<Ending>,
        main: bool,
    ) -> Result<Vec<Step>, ReadError> {
        let words = if !main || self.claimed {
            let word = call.and_then(|ending| ending.word(endings::JKF, board.turn()));
            vec![word.ok_or_else(|| cannot_hold(NAME, "this ending"))?.to_string()]
        } else {
            self.claimed = true;
            ending_words(NAME, endings::JKF, self.record, call, (self.start, board))?
        };
        Ok(words.into_iter().map(|w| Step { special: Some(w), ..Step::default() }).collect())
    }
}

fn play(board: &Tracker, by: Color, m: Move) -> Play {
    let to = m.to();
    let there = m.from().and_then(|from| board.piece_at(from));
    // A foul may start from an empty square; the origin tells it, not the name.
    let named = m.dropped().unwrap_or(PieceKind::Pawn);
    let piece = there.unwrap_or(Piece::new(by, named));
    let reaching = board.reaching(piece, to);
    let relative = match m.from() {
        Some(from) => letters(&names::relative(piece, from, to, &reaching)),
        None if reaching.is_empty() && board.held(by, named) > 0 => String::new(),
        None => "H".to_string(),
    };
    let choice = m.from().is_some_and(|from| piece.kind().may_promote(from, to, piece.color()));
    let taken = board.piece_at(to).filter(|_| !m.is_drop());
    Play {
        color: Some(Side(by)),
        from: m.from().map(Place),
        to: Some(Place(to)),
        piece: Kind(piece.kind()),
        same: (board.last == Some(to)).then_some(true),
        promote: (choice || m.promotes()).then_some(m.promotes()),
        capture: taken.map(|taken| Kind(taken.kind())),
        relative: Some(relative).filter(|marks| !marks.is_empty()),
    }
}

/// Relative marks as JKF has them.
fn letters(marks: &str) -> String {
    let letter = |mark| match mark {
        '左' => 'L',
        '直' => 'C',
        '右' => 'R',
        '上' => 'U',
        '寄' => 'M',
        _ => 'D',
    };
    marks.chars().map(letter).collect()
}

/// The seconds of a time beside its minutes.
fn seconds(ms: u64) -> serde_json::Number {
    let rest = ms % 60_000;
    let fraction = || serde_json::Number::from_f64(rest as f64 / 1000.0);
    let whole = rest.is_multiple_of(1000).then(|| serde_json::Number::from(rest / 1000));
    whole.or_else(fraction).expect("a number below 60 is finite")
}
