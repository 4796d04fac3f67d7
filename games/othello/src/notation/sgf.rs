//! SGF, `(;GM[2]SZ[8];B[fe];W[fd])`, with variations and comments. A square is two letters, file
//! and rank from a; a pass is an empty value. `RU` names the variant where it is not Othello.
//! `AB` and `AW` of the root make the whole board, and `PL` says who moves.

use super::MARK;
use super::properties::{self, Part, Place, Property, Scanner, Value, put, wrong};
use super::results::{self, Style};
use crate::{Move, Options, Othello, Position};
use kiban_core::{
    Act, Entry, Format, Node, ReadError, Record, Seat, Sink, Source, Variant, Warning, gather,
};

/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;
/// Variations of variations of variations.
const MAX_DEPTH: usize = 10_000;
/// Ids that are written from a record's other parts.
const OWN: &[&str] =
    &["GM", "FF", "CA", "AP", "SZ", "RU", "RE", "AB", "AW", "AE", "PL", "B", "W", "C"];

pub(crate) const FORMAT: Format = Format {
    id: "sgf",
    extensions: &["sgf"],
    sniff,
    read: Some(|source| gather(stream, source)),
    stream: Some(stream),
    write: Some(write),
    joint: Some(""),
    ..Format::NONE
};

fn sniff(bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let head = String::from_utf8_lossy(head);
    let begins =
        head.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'));
    if begins && head.contains("GM[2]") { 98 } else { 0 }
}

/// Squares of a set-up property, from one corner to the other.
struct Patch {
    disc: char,
    corners: [(u8, u8); 2],
    place: Place,
}

/// A game being read: its tree is in the record already, its headers wait for one another.
struct Reading<'a> {
    record: Record,
    /// The node properties belong to; none before the first semicolon.
    at: Option<usize>,
    /// Where the open variations branched off, the game itself not among them.
    forks: Vec<usize>,
    /// Whether a parenthesis has just been opened.
    opened: bool,
    /// Whether the node of the last semicolon can still take a move.
    fresh: bool,
    /// Whether a move was read.
    moved: bool,
    patches: Vec<Patch>,
    side: Option<Seat>,
    kind: Option<Value<'a>>,
    size: Option<Value<'a>>,
    variant: Option<Value<'a>>,
    result: Option<Value<'a>>,
}

impl<'a> Reading<'a> {
    fn new() -> Reading<'a> {
        Reading {
            record: Record::new(crate::GAME.id, "", ""),
            at: None,
            forks: Vec::new(),
            opened: true,
            fresh: false,
            moved: false,
            patches: Vec::new(),
            side: None,
            kind: None,
            size: None,
            variant: None,
            result: None,
        }
    }

    fn node(&mut self, place: Place) {
        self.opened = false;
        match self.at {
            None => {
                self.at = Some(0);
                self.record.nodes[0].at = Some(place);
            }
            Some(parent) => {
                let node = Node { at: Some(place), ..Node::default() };
                self.at = Some(self.record.add(parent, node));
                self.fresh = true;
            }
        }
    }

    /// Takes one part; says whether the game goes on.
    fn part(
        &mut self,
        part: Option<Part<'a>>,
        place: Place,
        ahead: &str,
    ) -> Result<bool, ReadError> {
        match (part, self.at) {
            (Some(Part::Node), _) => self.node(place),
            (Some(Part::Property(property)), Some(at)) if !self.opened => {
                self.property(&property, at)?;
            }
            (Some(Part::Open), Some(at)) if !self.opened => {
                if self.forks.len() >= MAX_DEPTH {
                    let message = format!(
                        "Variations lie deeper than {MAX_DEPTH} in one another; cut some of them."
                    );
                    let error = ReadError::new("too-long", message);
                    return Err(error.line(place.0).column(place.1));
                }
                self.forks.push(at);
                self.opened = true;
                self.fresh = false;
            }
            (Some(Part::Close), Some(_)) if !self.opened => {
                self.fresh = false;
                match self.forks.pop() {
                    None => return Ok(false),
                    fork => self.at = fork,
                }
            }
            _ if self.opened => return Err(wrong(place, ahead, "; and a node behind a (")),
            _ => return Err(wrong(place, ahead, "; and a node, or ) at the end of the game")),
        }
        Ok(true)
    }

    fn property(&mut self, property: &Property<'a>, at: usize) -> Result<(), ReadError> {
        match property.id.as_str() {
            "B" => self.add(Seat::FIRST, property, at)?,
            "W" => self.add(Seat::SECOND, property, at)?,
            "C" => {
                let comment = &mut self.record.nodes[at].comment;
                if !comment.is_empty() {
                    comment.push('\n');
                }
                comment.push_str(&property.text());
            }
            "AB" => self.patch('X', property)?,
            "AW" => self.patch('O', property)?,
            "AE" => self.patch('-', property)?,
            "PL" if !self.moved => self.side = Some(side(property)?),
            "GM" => self.kind = Some(property.only()?),
            "SZ" => self.size = Some(property.only()?),
            "RU" => self.variant = Some(property.only()?),
            "RE" => self.result = Some(property.only()?),
            "FF" | "CA" | "AP" => {}
            id if at == 0 => {
                let key = properties::key_of(id);
                let list = key.map_or(&mut self.record.unknown, |_| &mut self.record.tags);
                let key = key.unwrap_or(id);
                list.extend(property.values.iter().map(|v| (key.to_string(), v.text())));
            }
            id if self.record.warnings.is_empty() => {
                let text = format!("{id} and other marks of nodes are left out.");
                let (line, column) = property.place;
                self.record.warnings.push(Warning { line, column, text });
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, seat: Seat, property: &Property<'a>, at: usize) -> Result<(), ReadError> {
        let value = property.only()?;
        let m = square_or_pass(value.raw())
            .ok_or_else(|| wrong(value.place(0), value.raw(), "a square such as fe, or nothing"))?;
        let entry = Some(Entry::new_move(seat, m.to_string()));
        if self.fresh && at != 0 {
            self.record.nodes[at].entry = entry;
        } else {
            let node = Node { entry, at: Some(property.place), ..Node::default() };
            self.at = Some(self.record.add(at, node));
        }
        (self.fresh, self.moved) = (false, true);
        Ok(())
    }

    fn patch(&mut self, disc: char, property: &Property<'a>) -> Result<(), ReadError> {
        if self.moved {
            let found = property.id.as_str();
            return Err(wrong(property.place, found, "discs before the first move only"));
        }
        for value in &property.values {
            let (one, other) = value.raw().split_once(':').unwrap_or((value.raw(), value.raw()));
            let corner = |text| square_or_pass(text).and_then(Move::square);
            let corners = corner(one).zip(corner(other));
            let (one, other) =
                corners.ok_or_else(|| wrong(value.place(0), value.raw(), "a square such as fe"))?;
            self.patches.push(Patch { disc, corners: [one, other], place: value.place(0) });
        }
        Ok(())
    }

    fn finish(mut self, asked: Option<&str>) -> Result<Record, ReadError> {
        match self.kind {
            Some(kind) if kind.raw().trim() != "2" => {
                return Err(wrong(kind.place(0), kind.raw(), "2, the number of Othello"));
            }
            Some(_) => {}
            None => {
                let (line, column) = self.record.nodes[0].at.unwrap_or((1, 1));
                let text = "GM[2] is missing; the game is taken for Othello.".to_string();
                self.record.warnings.push(Warning { line, column, text });
            }
        }
        let variant = self.variant(asked)?;
        let options = Othello::of_variant(&variant).options;
        self.record.variant = variant.canonical(crate::GAME.options, None);
        self.record.start = self.start(options)?;
        if let Some(result) = self.result {
            let (text, place) = (result.text(), result.place(0));
            results::claim(&mut self.record, Style::Sgf, &text, place);
        }
        Ok(self.record)
    }

    /// The variant that was asked for, else what `RU` and `SZ` say.
    fn variant(&mut self, asked: Option<&str>) -> Result<Variant, ReadError> {
        let said = self.variant.map(|value| value.text());
        let named = said.as_ref().map(|text| text.trim().to_ascii_lowercase());
        let rules = named.as_ref().and_then(|text| crate::GAME.variant(text).ok());
        if let (None, Some(text)) = (&rules, said) {
            self.record.unknown.push(("RU".to_string(), text));
        }
        let size = self.size.map(size_of).transpose()?;
        let size_in = |variant: &Variant| Othello::of_variant(variant).options.size;
        let variant = match (asked, rules, size) {
            (Some(asked), ..) => crate::GAME.variant(asked)?,
            (None, Some(rules), Some(size)) if size_in(&rules) == 8 && size != 8 => {
                crate::GAME.variant(&format!("{},size={size}", named.unwrap_or_default()))?
            }
            (None, Some(rules), _) => rules,
            (None, None, size) => crate::GAME.variant(&format!("size={}", size.unwrap_or(8)))?,
        };
        match self.size {
            Some(value) if size != Some(size_in(&variant)) => {
                let expected = format!("{}, the size of the variant", size_in(&variant));
                Err(wrong(value.place(0), value.raw(), &expected))
            }
            _ => Ok(variant),
        }
    }

    fn start(&self, options: Options) -> Result<String, ReadError> {
        let usual = Position::start(options);
        let size = options.size;
        let mut squares: Vec<char> = if self.patches.is_empty() {
            usual.write().chars().take(usize::from(size) * usize::from(size)).collect()
        } else {
            vec!['-'; usize::from(size) * usize::from(size)]
        };
        for Patch { disc, corners: [one, other], place } in &self.patches {
            let ((left, top), (right, bottom)) = (
                (one.0.min(other.0), one.1.min(other.1)),
                (one.0.max(other.0), one.1.max(other.1)),
            );
            if right >= size || bottom >= size {
                let expected = format!("a square of the board of {size} squares a side");
                return Err(wrong(*place, &letters(right, bottom), &expected));
            }
            for rank in top..=bottom {
                for file in left..=right {
                    squares[usize::from(rank) * usize::from(size) + usize::from(file)] = *disc;
                }
            }
        }
        // Files that set discs up and do not say who moves let the first move say it.
        let mover = || self.record.entries().next().and_then(|entry| entry.by.only());
        let mover = if self.patches.is_empty() { None } else { mover() };
        let side = self.side.or(mover).unwrap_or(usual.to_move());
        let side = if side == Seat::FIRST { " X" } else { " O" };
        Ok(squares.into_iter().collect::<String>() + side)
    }
}

fn side(property: &Property<'_>) -> Result<Seat, ReadError> {
    let value = property.only()?;
    match value.raw().trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Seat::FIRST),
        "w" | "white" => Ok(Seat::SECOND),
        _ => Err(wrong(value.place(0), value.raw(), "B or W, the side to move")),
    }
}

fn size_of(value: Value<'_>) -> Result<u8, ReadError> {
    let size = value.raw().trim().parse().ok().filter(|size| matches!(size, 4 | 6 | 8 | 10));
    size.ok_or_else(|| wrong(value.place(0), value.raw(), "4, 6, 8 or 10 squares a side"))
}

/// Reads `fe`, `f5`, and for a pass nothing, `tt` or a word for it.
fn square_or_pass(text: &str) -> Option<Move> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_bytes() {
        [] | b"tt" => Some(Move::PASS),
        [file @ b'a'..=b'j', rank @ b'a'..=b'j'] => Some(Move::place(file - b'a', rank - b'a')),
        _ => Move::read(&text).ok(),
    }
}

fn letters(file: u8, rank: u8) -> String {
    [file, rank].map(|n| char::from(b'a' + n)).iter().collect()
}

/// Reads a file game by game.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    let one = |scanner: &mut Scanner<'_>, asked: Option<&str>, any| {
        game(scanner, asked, any).transpose().into_iter().collect()
    };
    properties::stream(source, one, sink);
}

/// Reads the game that follows; nothing at the end of the file where there were games before.
fn game(
    scanner: &mut Scanner<'_>,
    asked: Option<&str>,
    any: bool,
) -> Result<Option<Record>, ReadError> {
    let place = scanner.place();
    let ahead = scanner.ahead();
    match scanner.next()? {
        Some(Part::Open) => {}
        None if any => return Ok(None),
        _ => return Err(wrong(place, ahead, "( and a game such as (;GM[2];B[fe])")),
    }
    let mut reading = Reading::new();
    loop {
        let place = scanner.place();
        let ahead = scanner.ahead();
        let part = scanner.next()?;
        if !reading.part(part, place, ahead)? {
            return reading.finish(asked).map(Some);
        }
    }
}

/// Writes a game a line. The time spent on moves is left out.
fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = String::new();
    for (i, record) in records.iter().enumerate() {
        put_game(&mut out, record)
            .map_err(|message| properties::not_held(&message, i, records.len()))?;
        out.push('\n');
    }
    Ok(out.into_bytes())
}

fn put_game(out: &mut String, record: &Record) -> Result<(), String> {
    let variant = crate::GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let options = Othello::of_variant(&variant).options;
    out.push_str("(;");
    put(out, "FF", "4");
    put(out, "GM", "2");
    put(out, "CA", "UTF-8");
    put(out, "SZ", &options.size.to_string());
    if variant.id() != "othello" || options.handicap > 0 {
        put(out, "RU", &variant.canonical(crate::GAME.options, None));
    } else if let Some((_, rules)) = record.unknown.iter().find(|(key, _)| key == "RU") {
        put(out, "RU", rules);
    }
    properties::put_headers(out, record, OWN);
    if let Some(result) = results::written(record, Style::Sgf)? {
        put(out, "RE", &result);
    }
    if !record.start.is_empty() {
        let start = Position::read(&record.start, options).map_err(|e| e.to_string())?;
        put_start(out, &start, &Position::start(options));
    }
    put_tree(out, record)?;
    out.push(')');
    Ok(())
}

fn put_start(out: &mut String, start: &Position, usual: &Position) {
    if start == usual {
        return;
    }
    let discs = |seat| start.discs(seat);
    for (id, seat) in [("AB", Seat::FIRST), ("AW", Seat::SECOND)] {
        for (i, index) in crate::rules::bits(discs(seat)).enumerate() {
            let (file, rank) = start.move_to(index).square().expect("a disc lies on a square");
            put(out, if i == 0 { id } else { "" }, &letters(file, rank));
        }
    }
    if discs(Seat::FIRST) | discs(Seat::SECOND) == 0 {
        // Any set-up property means that the board is set up.
        put(out, "AE", "aa");
    }
    put(out, "PL", if start.to_move() == Seat::FIRST { "B" } else { "W" });
}

/// Writes the nodes depth first, without recursion since a line may be long.
fn put_tree(out: &mut String, record: &Record) -> Result<(), String> {
    enum Work {
        Node(usize),
        Text(&'static str),
    }
    let mut work = vec![Work::Node(0)];
    while let Some(next) = work.pop() {
        let index = match next {
            Work::Node(index) => index,
            Work::Text(text) => {
                out.push_str(text);
                continue;
            }
        };
        let node = &record.nodes[index];
        put_node(out, node, index == 0)?;
        match node.children.as_slice() {
            [] => {}
            [only] => work.push(Work::Node(*only)),
            several => {
                let is_call = |i: &usize| {
                    let entry = record.nodes[*i].entry.as_ref();
                    entry.is_some_and(|entry| matches!(entry.act, Act::Call(_)))
                };
                if several.iter().any(is_call) {
                    let message = "Variations stand beside the end of the game; \
                                   choose another format.";
                    return Err(message.to_string());
                }
                for child in several.iter().rev() {
                    work.extend([Work::Text(")"), Work::Node(*child), Work::Text("(")]);
                }
            }
        }
    }
    Ok(())
}

fn put_node(out: &mut String, node: &Node, root: bool) -> Result<(), String> {
    match &node.entry {
        // The result tells of it.
        Some(Entry { act: Act::Call(_), .. }) => return Ok(()),
        Some(Entry { by, act: Act::Move(text) }) => {
            let by = by.only().ok_or("It is not told who made a move; choose another format.")?;
            let square = Move::read(text).map_err(|e| e.to_string())?.square();
            let id = if by == Seat::FIRST { "B" } else { "W" };
            out.push(';');
            put(out, id, &square.map_or(String::new(), |(file, rank)| letters(file, rank)));
        }
        _ if root => {}
        _ => out.push(';'),
    }
    if !node.comment.is_empty() {
        put(out, "C", &node.comment);
    }
    Ok(())
}
