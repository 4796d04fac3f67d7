//! Records in the manner of PGN: tags, numbered moves, comments in braces, variations in
//! parentheses, a result. Removals may be tokens of their own, `d6 xb4`; they are written as part
//! of the move. A call that ended the game is told by the tags `Result` and `Termination`.

mod scan;
mod write;

use crate::{GAME, Morris};
use kiban_core::{
    Act, Call, Claimed, Entry, Format, Node, Notation, Outcome, ReadError, Reason, Record, Seat,
    Seats, Source,
};
use scan::{Part, Place, Scanner, wrong};

/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;
/// Larger files are refused unread, so that memory and time stay bounded.
const MAX_BYTES: usize = 64 << 20;
/// Moves and comments of a whole file, so that memory stays below a gigabyte.
const MAX_PARTS: usize = 2_000_000;
/// Variations of variations of variations.
const MAX_DEPTH: usize = 1000;
/// The byte order mark some editors put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// Canonical keys of headers and their tags.
const KEYS: [(&str, &str); 5] = [
    ("first", "White"),
    ("second", "Black"),
    ("date", "Date"),
    ("event", "Event"),
    ("place", "Site"),
];
/// Results and how they are written.
const RESULTS: [(&str, &str); 4] =
    [("first", "1-0"), ("second", "0-1"), ("draw", "1/2-1/2"), ("none", "*")];

pub(crate) const FORMAT: Format =
    Format { id: "pgn", extensions: &["pgn"], sniff, read: Some(read), write: Some(write::write) };

/// A file that names this game is one of its records; one with moves only may be.
fn sniff(bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let head = String::from_utf8_lossy(head.strip_prefix(MARK).unwrap_or(head));
    if head.contains(&format!("[Game \"{}\"]", GAME.id)) {
        return 98;
    }
    let rules = Morris::of_variant(&GAME.variant("").expect("the default variant"));
    let (mut scanner, mut tagged, mut moves) = (Scanner::new(&head), false, 0);
    while let Ok((part, _)) = scanner.next() {
        match part {
            Part::End => break,
            Part::Tag(..) => tagged = true,
            Part::Move(text) if rules.move_of(text.trim_start_matches('x')).is_ok() => moves += 1,
            Part::Move(_) if scanner.at_end() => {}
            Part::Move(_) => return 0,
            _ => {}
        }
    }
    match (tagged, moves) {
        (true, 1..) => 40,
        (false, 4..) => 20,
        _ => 0,
    }
}

/// A game being read.
struct Reading {
    record: Record,
    rules: Morris,
    /// The seat that moves first.
    begins: Seat,
    /// For each node the one before it, and how many plies lead to it.
    parents: Vec<(usize, usize)>,
    at: usize,
    /// Where the open variations branched off.
    forks: Vec<usize>,
    /// Whether moves have begun.
    moving: bool,
    result: Option<String>,
    termination: Option<String>,
    tags: Vec<(String, String, Place)>,
}

impl Reading {
    fn new() -> Reading {
        let rules = Morris::of_variant(&GAME.variant("").expect("the default variant"));
        Reading {
            record: Record::new(GAME.id, "", ""),
            rules,
            begins: Seat::FIRST,
            parents: vec![(0, 0)],
            at: 0,
            forks: Vec::new(),
            moving: false,
            result: None,
            termination: None,
            tags: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        !self.moving && self.tags.is_empty()
    }

    fn tag(&self, key: &str) -> Option<(&str, Place)> {
        let tag = self.tags.iter().find(|(k, ..)| k == key);
        tag.map(|(_, value, place)| (value.as_str(), *place))
    }

    /// Reads what the tags say, before the first move.
    fn begin(&mut self, asked: Option<&str>) -> Result<(), ReadError> {
        if std::mem::replace(&mut self.moving, true) {
            return Ok(());
        }
        let at = |e: ReadError, place: Place| e.line(place.0).column(place.1);
        if let Some((game, place)) = self.tag("Game").filter(|(game, _)| *game != GAME.id) {
            return Err(wrong(place, game, GAME.id));
        }
        let variant = match (asked, self.tag("Variant")) {
            (Some(asked), _) => GAME.variant(asked)?,
            (None, Some((said, place))) => GAME.variant(said).map_err(|e| at(e, place))?,
            (None, None) => GAME.variant("")?,
        };
        self.rules = Morris::of_variant(&variant);
        self.record.variant = variant.canonical(GAME.options, None);
        let (text, place) = self.tag("FEN").unwrap_or(("", (1, 1)));
        let setup = self.rules.read_setup(text).map_err(|e| at(e, place))?;
        let faults = self.rules.faults(&setup);
        if !faults.is_empty() {
            let message = format!("This position is not possible: {}", faults.join(" "));
            return Err(at(ReadError::new("position-not-admitted", message), place));
        }
        self.record.start = self.rules.write_setup(&setup);
        self.begins = setup.position.to_move;
        for (key, value, _) in &self.tags {
            match key.as_str() {
                "Game" | "Variant" | "FEN" | "SetUp" => {}
                "Result" => self.result = Some(value.clone()),
                "Termination" => self.termination = Some(value.clone()),
                _ => match KEYS.iter().find(|(_, tag)| tag == key) {
                    Some((known, _)) => self.record.tags.push((known.to_string(), value.clone())),
                    None => self.record.unknown.push((key.clone(), value.clone())),
                },
            }
        }
        Ok(())
    }

    fn add(&mut self, text: &str, place: Place) -> Result<(), ReadError> {
        let at = |e: ReadError| e.line(place.0).column(place.1);
        let taken = text.starts_with(['x', 'X']);
        if taken
            && let Some(Entry { by, act: Act::Move(before) }) = &self.record.nodes[self.at].entry
        {
            let m = self.rules.move_of(&format!("{before}{text}")).map_err(at)?;
            let entry = Entry { by: *by, act: Act::Move(self.rules.move_text(m)) };
            self.record.nodes[self.at].entry = Some(entry);
            return Ok(());
        }
        let m = self.rules.move_of(text).map_err(at)?;
        let (_, plies) = self.parents[self.at];
        let by = if plies % 2 == 0 { self.begins } else { self.begins.other() };
        let entry = Some(Entry::new_move(by, self.rules.move_text(m)));
        let node = Node { entry, at: Some(place), ..Node::default() };
        let parent = self.at;
        self.at = self.record.add(parent, node);
        self.parents.push((parent, plies + 1));
        Ok(())
    }

    fn part(&mut self, part: Part<'_>, place: Place) -> Result<(), ReadError> {
        match part {
            Part::Move(text) => self.add(text, place)?,
            Part::Comment(text) => {
                let comment = &mut self.record.nodes[self.at].comment;
                if !comment.is_empty() {
                    comment.push('\n');
                }
                comment.push_str(&text);
            }
            Part::Open if self.at == 0 => return Err(wrong(place, "(", "a move first")),
            Part::Open if self.forks.len() >= MAX_DEPTH => {
                let message =
                    format!("Variations lie deeper than {MAX_DEPTH} in one another; cut some.");
                return Err(ReadError::new("too-long", message).line(place.0).column(place.1));
            }
            Part::Open => {
                self.forks.push(self.at);
                self.at = self.parents[self.at].0;
            }
            Part::Close => {
                let fork = self.forks.pop();
                self.at = fork.ok_or_else(|| wrong(place, ")", "a ( before it"))?;
            }
            Part::Tag(..) | Part::Result(_) | Part::End => {}
        }
        Ok(())
    }

    /// Adds what the result says: the claim, and the call that ended the game where the board did
    /// not.
    fn finish(mut self, place: Place) -> Result<Record, ReadError> {
        if !self.forks.is_empty() {
            return Err(wrong(place, "the end of the game", "a ) for each ("));
        }
        let Some(text) = self.result else { return Ok(self.record) };
        let result = RESULTS.iter().find(|(_, written)| *written == text);
        let result = result.map_or("none", |(name, _)| name);
        let reason = self.termination.as_deref().map(termination);
        let call = reason.as_deref().and_then(call_of);
        self.record.claimed = Some(Claimed { result: result.to_string(), reason, text });
        let by: Seats = match (call, result) {
            (Some(Call::AgreeDraw), "draw") => Seats::first_n(2),
            (Some(Call::AgreeDraw), _) => return Ok(self.record),
            (Some(_), "first") => Seat::SECOND.into(),
            (Some(_), "second") => Seat::FIRST.into(),
            _ => return Ok(self.record),
        };
        let open =
            (GAME.judge)(&self.record).is_ok_and(|j| j.outcome.is_none() && j.error.is_none());
        if let (Some(call), true) = (call, open) {
            let mut last = 0;
            while let Some(next) = self.record.nodes[last].children.first() {
                last = *next;
            }
            let entry = Some(Entry::new_call(by, call));
            self.record.add(last, Node { entry, at: Some(place), ..Node::default() });
        }
        Ok(self.record)
    }
}

/// The slug of what `Termination` says; the words of chess where they have one.
fn termination(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "time forfeit" => Reason::TIMEOUT.0.to_string(),
        "resignation" => Reason::RESIGN.0.to_string(),
        other => other.to_string(),
    }
}

/// The call that ends games by this reason.
fn call_of(reason: &str) -> Option<Call> {
    [
        (Reason::RESIGN, Call::Resign),
        (Reason::TIMEOUT, Call::Timeout),
        (Reason::ABANDONED, Call::Left),
        (Reason::AGREEMENT, Call::AgreeDraw),
    ]
    .into_iter()
    .find(|(known, _)| known.0 == reason)
    .map(|(_, call)| call)
}

/// How a result is written.
fn result_text(outcome: Option<Outcome>, claimed: Option<&Claimed>) -> &'static str {
    let name = outcome.map(Outcome::result).or(claimed.map(|c| c.result.as_str()));
    RESULTS.iter().find(|(known, _)| Some(*known) == name).map_or("*", |(_, text)| text)
}

fn read(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    if source.bytes.len() > MAX_BYTES {
        let message = "The file is larger than 64 MiB; split it.";
        return Err(ReadError::new("too-long", message).line(1).column(1));
    }
    let text = String::from_utf8_lossy(source.bytes.strip_prefix(MARK).unwrap_or(source.bytes));
    let mut scanner = Scanner::new(&text);
    let (mut records, mut reading, mut parts) = (Vec::new(), Reading::new(), 0);
    loop {
        let (part, place) = scanner.next()?;
        parts += 1;
        if parts > MAX_PARTS {
            let message = format!("The file has more than {MAX_PARTS} moves and notes; split it.");
            return Err(ReadError::new("too-long", message).line(place.0).column(place.1));
        }
        let ends = match &part {
            Part::End | Part::Result(_) => true,
            Part::Tag(..) => reading.moving,
            _ => false,
        };
        if let Part::Result(text) = part {
            reading.begin(source.variant)?;
            reading.result.get_or_insert_with(|| text.to_string());
        }
        let last = part == Part::End;
        if ends && !reading.is_empty() {
            reading.begin(source.variant)?;
            records.push(std::mem::replace(&mut reading, Reading::new()).finish(place)?);
        }
        match part {
            Part::Tag(key, value) => reading.tags.push((key.to_string(), value, place)),
            Part::End | Part::Result(_) => {}
            part => {
                reading.begin(source.variant)?;
                reading.part(part, place)?;
            }
        }
        if last {
            break;
        }
    }
    if records.is_empty() {
        let message = "There is no game in this text; write moves such as 1. d6 f4.";
        return Err(ReadError::new("empty", message).line(1).column(1));
    }
    Ok(records)
}
