//! GGF, the format of game servers: `(;GM[Othello]PB[..]PW[..]RE[+4.000]TY[8]BO[8 ...]B[d3]...;)`.
//!
//! A move may carry an evaluation and seconds, `B[d3/1.50/3.1]`: the one becomes the comment
//! `eval 1.50`, the others the time. Two games behind a `2` were played at once (synchro). A
//! result is positive where Black won.
//!
//! A komi (`KM`) is what Black is expected to win by: both players bid the result they expect for
//! Black (`KB`, `KW`), the komi is the mean of these bids, and who bids more plays Black. So the
//! result of such a game is the difference of the discs less the komi, and 0 where Black won by just
//! that. It is kept as an unknown header and claims nothing about the discs, but for a call it tells
//! of. A komi of 0 is none.
//!
//! Source: Buro, "Generic Game Format (GGF)", skatgame.net/mburo/ggsa/ggf: komi and result are in
//! view of the game's first color, in Othello Black; the help of the server, as quoted on the list
//! of gamerz.net's players in December 2001, on the bids. A game of the server that NBoard's tests
//! hold has bids of 2.00 and -8.27, a komi of -3.133, 19 discs to 45, and the result -22.87.

use super::MARK;
use super::properties::{self, Games, Part, Place, Property, Scanner, Value, put, wrong};
use super::results::{self, Style};
use crate::{Move, Options, Othello, Position};
use kiban_core::{
    Act, Entry, Format, Node, ReadError, Record, Seat, Sink, Source, Warning, gather,
};
use std::fmt::Write as _;

/// How much of a file is looked at to guess its format.
const SNIFFED: usize = 4096;
/// Which half of a synchro pair a game is.
const SYNCHRO: &str = "synchro";
/// The header of the result.
const RESULT: &str = "RE";
/// The header of a komi, and how far a result with one may be rounded.
const KOMI: &str = "KM";
const ROUNDING: f64 = 0.5;
/// Ids that are written from a record's other parts.
const OWN: &[&str] = &["GM", "TY", "BO", "B", "W", "C"];

pub(crate) const FORMAT: Format = Format {
    id: "ggf",
    extensions: &["ggf"],
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
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let start = head.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let begins = start.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'));
    if begins && start.contains("gm[othello]") { 98 } else { 0 }
}

/// A game being read: its moves are in the record already, its headers wait for one another.
struct Reading<'a> {
    record: Record,
    last: usize,
    kind: Option<Value<'a>>,
    board: Option<Value<'a>>,
    result: Option<Value<'a>>,
}

impl<'a> Reading<'a> {
    fn property(&mut self, property: &Property<'a>) -> Result<(), ReadError> {
        match property.id.as_str() {
            "GM" => {
                let value = property.only()?;
                if !value.raw().trim().eq_ignore_ascii_case("othello") {
                    return Err(wrong(value.place(0), value.raw(), "Othello, the game read here"));
                }
            }
            "TY" => self.kind = Some(property.only()?),
            "BO" => self.board = Some(property.only()?),
            RESULT => self.result = Some(property.only()?),
            "B" => self.add(Seat::FIRST, property)?,
            "W" => self.add(Seat::SECOND, property)?,
            "C" => self.comment(property.text().trim()),
            id => {
                let key = properties::key_of(id);
                let list = key.map_or(&mut self.record.unknown, |_| &mut self.record.tags);
                let key = key.unwrap_or(id);
                list.extend(property.values.iter().map(|v| (key.to_string(), v.text())));
            }
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let comment = &mut self.record.nodes[self.last].comment;
        if !comment.is_empty() && !text.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Adds `d3`, `d3/eval`, `d3/eval/seconds`.
    fn add(&mut self, seat: Seat, property: &Property<'a>) -> Result<(), ReadError> {
        let value = property.only()?;
        let mut index = 0;
        let mut fields = value.raw().split('/').map(|field| {
            let start = index + field.chars().take_while(|c| c.is_whitespace()).count();
            index += field.chars().count() + 1;
            (field.trim(), value.place(start))
        });
        let (text, at) = fields.next().expect("a split gives a part");
        let m = Move::read(text).map_err(|_| wrong(at, text, "a square such as f5, or PA"))?;
        let (eval, eval_at) = fields.next().unwrap_or(("", at));
        let (time, time_at) = fields.next().unwrap_or(("", at));
        if let Some((more, at)) = fields.next() {
            return Err(wrong(at, more, "at most a move, an evaluation and a time"));
        }
        let mut node = Node { at: Some(property.place), ..Node::default() };
        node.entry = Some(Entry::new_move(seat, m.to_string()));
        if !eval.is_empty() {
            if !is_number(eval) {
                return Err(wrong(eval_at, eval, "an evaluation as a number, or nothing"));
            }
            node.comment = format!("eval {eval}");
        }
        if !time.is_empty() {
            let spent = milliseconds(time);
            node.spent_ms = Some(spent.ok_or_else(|| wrong(time_at, time, "seconds such as 3.1"))?);
        }
        self.last = self.record.add(self.last, node);
        Ok(())
    }

    fn finish(mut self, asked: Option<&str>) -> Result<Record, ReadError> {
        let kind = self.kind.map(kind_of).transpose()?;
        let board_size = self.board.map(size_of).transpose()?;
        let named = match (asked, kind) {
            (Some(asked), _) => asked.to_string(),
            (None, Some((size, anti))) => {
                format!("{},size={size}", if anti { "anti" } else { "othello" })
            }
            (None, None) => format!("size={}", board_size.unwrap_or(8)),
        };
        let variant = crate::GAME.variant(&named)?;
        let options = Othello::of_variant(&variant).options;
        self.record.variant = variant.canonical(crate::GAME.options, None);
        let start = match self.board {
            Some(value) => board_of(value, options)?,
            None => Position::start(options),
        };
        self.record.start = start.write();
        // Flags that no variant has are kept with the type.
        if let Some(value) = self.kind
            && kind == Some((options.size, options.fewest))
            && value.text() != kind_text(options)
        {
            self.record.unknown.push(("TY".to_string(), value.text()));
        }
        if let Some(value) = self.result {
            let text = value.text();
            match komi_of(&self.record) {
                Some(komi) if !ended_by_call(&self.record, &text) => {
                    self.record.warnings.extend(contradiction(&self.record, &text, komi, value));
                    self.record.unknown.push((RESULT.to_string(), text));
                }
                _ => results::claim(&mut self.record, Style::Ggf, &text, value.place(0)),
            }
        }
        Ok(self.record)
    }
}

/// What Black gives in a game with komi.
fn komi_of(record: &Record) -> Option<f64> {
    let komi = record.unknown.iter().find(|(key, _)| key == KOMI).map(|(_, value)| value.trim());
    komi?.parse().ok().filter(|komi: &f64| komi.is_finite() && *komi != 0.0)
}

/// Whether a result tells of a call that ended the game before the board did.
fn ended_by_call(record: &Record, result: &str) -> bool {
    results::tells_of_call(Style::Ggf, result)
        && (crate::GAME.judge)(record).is_ok_and(|judged| judged.outcome.is_none())
}

/// What is odd about a result with komi: it is the difference of the discs less the komi, but for
/// its rounding and for what players gave up or agreed upon.
fn contradiction(record: &Record, result: &str, komi: f64, at: Value<'_>) -> Option<Warning> {
    if result.contains(':') {
        return None;
    }
    let said = results::margin(result)? + komi;
    let judged = (crate::GAME.judge)(record).ok()?;
    let (first, second) = judged.outcome.and(judged.score)?;
    let board = (first - second) as f64;
    let (line, column) = at.place(0);
    ((said - board).abs() > ROUNDING).then(|| {
        let text = format!(
            "The result {result} with a komi of {komi} says {said:+} discs for Black; the board \
             says {board:+}."
        );
        Warning { line, column, text }
    })
}

/// The result to write, but for one that is kept among the headers.
fn result_of(record: &Record) -> Result<Option<String>, String> {
    let result = results::written(record, Style::Ggf)?;
    let Some((komi, text)) = komi_of(record).zip(result.as_deref()) else { return Ok(result) };
    if results::tells_of_call(Style::Ggf, text) {
        return Ok(result);
    }
    // A claim is of another format, and about the discs.
    let claims = record.claimed.is_some() && !has_result(record);
    let less_komi = |margin| format!("{:+.3}", margin - komi);
    Ok(result.filter(|_| claims).map(|text| results::margin(&text).map_or(text, less_komi)))
}

/// Whether a result is kept among the headers.
fn has_result(record: &Record) -> bool {
    record.unknown.iter().any(|(key, _)| key == RESULT)
}

fn is_number(text: &str) -> bool {
    text.parse().is_ok_and(|number: f64| number.is_finite())
}

/// Seconds, or minutes and seconds with a colon, or hours too.
fn milliseconds(text: &str) -> Option<u64> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let part: f64 = part.parse().ok().filter(|s| (0.0..1e9).contains(s))?;
        seconds = seconds * 60.0 + part;
    }
    (seconds < 1e9).then(|| (seconds * 1000.0).round() as u64)
}

fn kind_text(options: Options) -> String {
    format!("{}{}", options.size, if options.fewest { "a" } else { "" })
}

fn known_size(digits: &str, at: Place, found: &str) -> Result<u8, ReadError> {
    let size = digits.parse().ok().filter(|size| matches!(size, 4 | 6 | 8 | 10));
    size.ok_or_else(|| wrong(at, found, "a board of 4, 6, 8 or 10 squares a side"))
}

/// The digits a value begins with, and where they begin, in characters and bytes.
fn leading_digits(raw: &str) -> (usize, &str, &str) {
    let start = raw.trim_start();
    let digits = start.len() - start.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let blanks = raw.chars().take_while(|c| c.is_whitespace()).count();
    (blanks, &start[..digits], &start[digits..])
}

/// Size and whether fewer discs win, of `8`, `8r20`, `8a`, `s8kr20`: the first number is the size,
/// one behind an `r` that of discs placed by chance.
fn kind_of(value: Value<'_>) -> Result<(u8, bool), ReadError> {
    let before = value.raw().chars().take_while(|c| c.is_alphabetic() || c.is_whitespace());
    let skipped = before.count();
    let rest: String = value.raw().chars().skip(skipped).collect();
    let (_, digits, flags) = leading_digits(&rest);
    let before = &value.raw()[..value.raw().len() - rest.len()];
    let size = known_size(digits, value.place(skipped), value.raw())?;
    Ok((size, before.contains('a') || flags.contains('a')))
}

fn size_of(value: Value<'_>) -> Result<u8, ReadError> {
    let (blanks, digits, _) = leading_digits(value.raw());
    known_size(digits, value.place(blanks), value.raw())
}

/// Reads `8 ---...--- *`, with blanks anywhere.
fn board_of(value: Value<'_>, options: Options) -> Result<Position, ReadError> {
    let (blanks, digits, rest) = leading_digits(value.raw());
    let size = size_of(value)?;
    if size != options.size {
        let expected = format!("{}, the size of the variant", options.size);
        return Err(wrong(value.place(blanks), digits, &expected));
    }
    let skipped = blanks + digits.len();
    let squares: Vec<(usize, char)> =
        rest.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).collect();
    let text: String = squares.iter().map(|(_, c)| c).collect();
    Position::read(&text, options).map_err(|e| {
        let end = rest.chars().count();
        let column = e.at.column.unwrap_or(1) - 1;
        let index = squares.get(column).map_or(end, |(index, _)| *index);
        let (line, column) = value.place(skipped + index);
        ReadError { code: "bad-record", ..e }.line(line).column(column)
    })
}

/// Reads a file game by game.
fn stream(source: Source<'_>, sink: &mut Sink<'_>) {
    properties::stream(source, games, sink);
}

/// Reads the game that follows, or the synchro pair; nothing at the end of the file where there
/// were games before.
fn games(scanner: &mut Scanner<'_>, asked: Option<&str>, any: bool) -> Games {
    let at = scanner.place();
    let ahead = scanner.ahead();
    let count = scanner.digits();
    let halves: &[&str] = match count {
        "" | "1" => &[],
        "2" => &["1", "2"],
        _ => return vec![Err(wrong(at, ahead, "1 before a game or 2 before a synchro pair"))],
    };
    let mut games = Games::new();
    for i in 0..halves.len().max(1) {
        scanner.begin();
        let at = scanner.place();
        let ahead = scanner.ahead();
        let game = match scanner.next() {
            Ok(Some(Part::Open)) => game(scanner, asked),
            Ok(None) if any && count.is_empty() => break,
            Ok(_) if i > 0 => Err(wrong(at, ahead, "( and the second game of the pair")),
            Ok(_) => Err(wrong(at, ahead, "( and a game such as (;GM[Othello]...;)")),
            Err(e) => Err(e),
        };
        let half = halves.get(i).map(|half| (SYNCHRO.to_string(), half.to_string()));
        games.push(game.map(|mut record| {
            record.tags.extend(half);
            record
        }));
        if games.last().is_some_and(Result::is_err) {
            break;
        }
    }
    games
}

/// Reads a game behind its opening parenthesis.
fn game<'a>(scanner: &mut Scanner<'a>, asked: Option<&str>) -> Result<Record, ReadError> {
    let mut record = Record::new(crate::GAME.id, "", "");
    record.nodes[0].at = Some(scanner.place());
    let mut reading = Reading { record, last: 0, kind: None, board: None, result: None };
    loop {
        let at = scanner.place();
        let ahead = scanner.ahead();
        match scanner.next()? {
            Some(Part::Node) => {}
            Some(Part::Property(property)) => reading.property(&property)?,
            Some(Part::Close) => return reading.finish(asked),
            Some(Part::Open) | None => {
                return Err(wrong(at, ahead, "a property such as B[f5], or ;) at the end"));
            }
        }
    }
}

/// Writes a game a line, a synchro pair on one.
fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut out = String::new();
    let half = |i: usize| records.get(i).and_then(|record| record.tag(SYNCHRO));
    let mut paired = false;
    for (i, record) in records.iter().enumerate() {
        let second = paired;
        paired = !second && half(i) == Some("1") && half(i + 1) == Some("2");
        if paired {
            out.push_str("2 ");
        }
        put_game(&mut out, record)
            .map_err(|message| properties::not_held(&message, i, records.len()))?;
        if !paired {
            out.push('\n');
        }
    }
    Ok(out.into_bytes())
}

fn put_game(out: &mut String, record: &Record) -> Result<(), String> {
    let variant = crate::GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let options = Othello::of_variant(&variant).options;
    if options.free_centre {
        return Err("GGF does not know this variant; choose another format.".to_string());
    }
    if record.nodes.iter().any(|node| node.children.len() > 1) {
        return Err("GGF holds no variations; choose another format.".to_string());
    }
    let start = match record.start.as_str() {
        "" => Position::start(options),
        start => Position::read(start, options).map_err(|e| e.to_string())?,
    };
    let unknown =
        |id: &str| record.unknown.iter().find(|(key, _)| key == id).map(|(_, v)| v.as_str());
    let result = result_of(record)?;
    out.push_str("(;");
    put(out, "GM", "Othello");
    let mut own = OWN.to_vec();
    if result.is_some() || komi_of(record).is_none() {
        own.push(RESULT);
    }
    properties::put_headers(out, record, &own);
    if let Some(result) = result {
        put(out, RESULT, &result);
    }
    put(out, "TY", unknown("TY").unwrap_or(&kind_text(options)));
    let board = start.write().replace('X', "*");
    put(out, "BO", &format!("{} {board}", options.size));
    put_comment(out, record.nodes[0].comment.trim());
    record.main_line().try_for_each(|node| put_node(out, node))?;
    out.push_str(";)");
    Ok(())
}

fn put_comment(out: &mut String, text: &str) {
    if !text.is_empty() {
        put(out, "C", text);
    }
}

fn put_node(out: &mut String, node: &Node) -> Result<(), String> {
    let comment = node.comment.trim();
    let Some(Entry { by, act: Act::Move(text) }) = &node.entry else {
        put_comment(out, comment);
        return Ok(());
    };
    let by = by.only().ok_or("It is not told who made a move; choose another format.")?;
    let m = Move::read(text).map_err(|e| e.to_string())?;
    let mut value = if m == Move::PASS { "PA".to_string() } else { m.to_string() };
    let (eval, words) = evaluation(comment);
    if !eval.is_empty() || node.spent_ms.is_some() {
        write!(value, "/{eval}").expect("a string takes any text");
    }
    if let Some(spent) = node.spent_ms {
        let seconds = format!("{}.{:03}", spent / 1000, spent % 1000);
        let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
        write!(value, "/{seconds}").expect("a string takes any text");
    }
    put(out, if by == Seat::FIRST { "B" } else { "W" }, &value);
    put_comment(out, words);
    Ok(())
}

/// The evaluation a comment begins with, and its other words.
fn evaluation(comment: &str) -> (&str, &str) {
    let (first, words) = comment.split_once('\n').unwrap_or((comment, ""));
    let eval = first.strip_prefix("eval ").filter(|eval| is_number(eval));
    match eval {
        Some(eval) if words == words.trim() => (eval, words),
        _ => ("", comment),
    }
}
