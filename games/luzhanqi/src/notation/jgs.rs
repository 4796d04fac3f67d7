//! `.jgs` replays of four players, read only: 88 bytes a player with its layout, then ten bytes an
//! event on a grid of 17 x 17. Names are 20 bytes of GBK. The format was worked out from public
//! replays; each of its contacts is checked by the rules when the record is judged.

use super::record::referee;
use crate::board::{ARM, Board, FILES, RANKS, Station, centre};
use crate::layout::stations;
use crate::{GAME, Luzhanqi, Rank};
use kiban_core::{
    Act, Arbiter, Call, Claimed, Entry, Format, Node, ReadError, Record, Seat, Seats, Source,
    Table, Warning,
};

pub(crate) const FORMAT: Format =
    Format { id: "jgs", extensions: &["jgs"], sniff, read: Some(read), ..Format::NONE };

const MAGIC: &[u8] = b"QQGame JQS\0";
/// Where the number of events stands.
const COUNT: usize = 0x1a;
/// Where the players begin, and the bytes of each.
const PLAYERS: (usize, usize) = (0x20, 88);
/// Where in a player's bytes its name stands, and its longest length.
const NAME: (usize, usize) = (8, 20);
/// Where in a player's bytes its layout begins: thirty stations, front first, 0 in camps.
const LAYOUT: usize = 28;
/// Where the events begin, and the bytes of each.
const EVENTS: (usize, usize) = (0x19c, 10);
/// How a variant is named where nothing else is asked for.
const VARIANT: &str = "four-dark,clock=move";

fn sniff(bytes: &[u8]) -> u8 {
    if bytes.starts_with(MAGIC) { 100 } else { 0 }
}

fn bad(message: impl Into<String>) -> ReadError {
    ReadError::new("bad-record", message)
}

/// The file's byte of a rank.
const RANK_BYTES: [(u8, Rank); 12] = [
    (0x02, Rank::Flag),
    (0x03, Rank::Mine),
    (0x04, Rank::Bomb),
    (0x05, Rank::Marshal),
    (0x06, Rank::General),
    (0x07, Rank::MajorGeneral),
    (0x08, Rank::Brigadier),
    (0x09, Rank::Colonel),
    (0x0a, Rank::Major),
    (0x0b, Rank::Captain),
    (0x0c, Rank::Lieutenant),
    (0x0d, Rank::Engineer),
];

/// The letters of a player's layout.
fn layout(bytes: &[u8]) -> Option<String> {
    let own = stations().map(|(file, rank)| usize::from((RANKS - 1 - rank) * FILES + file));
    let letter = |at: usize| {
        let byte = bytes.get(at)?;
        RANK_BYTES.iter().find(|(b, _)| b == byte).map(|(_, rank)| rank.letter())
    };
    own.map(letter).collect()
}

/// A player's name: up to the first zero; what is no text is left out.
fn player_name(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let (text, _) = encoding_rs::GBK.decode_without_bom_handling(bytes);
    let plain = |c: &char| !c.is_control() && *c != char::REPLACEMENT_CHARACTER;
    text.trim().chars().filter(plain).collect()
}

/// A file being read: the colour that moved first sits South.
struct Replay<'a> {
    bytes: &'a [u8],
    /// The file's number of the first seat's colour; turns go downwards.
    first: u8,
}

impl Replay<'_> {
    /// The bytes of an event.
    fn event(&self, i: usize) -> Option<&[u8]> {
        let from = EVENTS.0 + EVENTS.1 * i;
        self.bytes.get(from..from + EVENTS.1)
    }

    fn seat(&self, colour: u8) -> Seat {
        Seat::ALL[usize::from((self.first + 4 - colour % 4) % 4)]
    }

    /// The station at a point of the grid.
    fn station(&self, x: u8, y: u8) -> Option<Station> {
        // Colours 1, 0, 3 and 2 have their backs at y 16, x 16, y 0 and x 0.
        let (colour, file, back) = match (x, y) {
            (6..=10, 11..=16) => (1, x - 6, 16 - y),
            (11..=16, 6..=10) => (0, 10 - y, 16 - x),
            (6..=10, 0..=5) => (3, 10 - x, y),
            (0..=5, 6..=10) => (2, y - 6, x),
            (6 | 8 | 10, 6 | 8 | 10) => {
                let (mut column, mut row) = ((x - 6) / 2, (y - 6) / 2);
                // A quarter turn brings the next colour to the bottom.
                for _ in 0..(5 - self.first) % 4 {
                    (column, row) = (2 - row, column);
                }
                return Some(centre(3 * row + column + 1));
            }
            _ => return None,
        };
        Some(self.seat(colour).index() as u8 * ARM + back * FILES + file)
    }

    /// The text of a move event.
    fn step(&self, event: &[u8]) -> Option<String> {
        let names = &Board::of(true).names;
        let name = |x, y| Some(names[usize::from(self.station(x, y)?)].as_str());
        Some(format!("{}{}", name(event[2], event[3])?, name(event[4], event[5])?))
    }
}

/// Which colour moved first: that of the first move, or one before it for each turn skipped.
fn first_colour(bytes: &[u8], count: usize) -> Option<u8> {
    let replay = Replay { bytes, first: 0 };
    let mut skipped = 0;
    for i in 0..count {
        let event = replay.event(i)?;
        match (event[0], event[1]) {
            (0x5f, _) => {
                let at = replay.station(event[2], event[3])?;
                let colour = (4 - at / ARM) % 4;
                return Some((colour + skipped) % 4);
            }
            (0xf5, 0x02) => skipped += 1,
            _ => {}
        }
    }
    Some(0)
}

fn read(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let bytes = source.bytes;
    if !bytes.starts_with(MAGIC) || bytes.len() < EVENTS.0 {
        return Err(bad("This is no .jgs replay: its first bytes are others."));
    }
    let count = usize::from(u16::from_le_bytes([bytes[COUNT], bytes[COUNT + 1]]));
    let first = first_colour(bytes, count)
        .ok_or_else(|| bad("The replay is cut short, or its first move leaves the board."))?;
    let replay = Replay { bytes, first };
    let variant = GAME.variant(source.variant.unwrap_or(VARIANT))?;
    if GAME.variant_spec(&variant).seats != 4 {
        return Err(bad("A .jgs replay is a game of four; choose a variant of four players."));
    }
    let mut record = Record::new(GAME.id, &variant.canonical(GAME.options, None), "");
    let table = referee(&record).ok_or_else(|| bad("This variant cannot be played."))?;
    record.start = table.start().to_string();
    let mut game = Game { record, last: 0, table };
    for seat in Seat::ALL {
        let colour = usize::from(first + 4 - seat.index() as u8) % 4;
        let from = PLAYERS.0 + PLAYERS.1 * colour;
        let letters = bytes.get(from + LAYOUT..from + LAYOUT + usize::from(ARM)).and_then(layout);
        let name = player_name(&bytes[from + NAME.0..from + NAME.0 + NAME.1]);
        if !name.is_empty() {
            game.record.tags.push((seat.name().to_string(), name));
        }
        let letters = letters.ok_or_else(|| {
            bad("A player's layout is not whole; replays of fewer than four are not read.")
        })?;
        game.add(Entry { by: seat.into(), act: Act::Layout(letters) });
    }
    for i in 0..count {
        let event = replay
            .event(i)
            .ok_or_else(|| bad(format!("The replay ends before event {} of {count}.", i + 1)))?;
        game.event(&replay, event, i)?;
    }
    Ok(vec![game.record])
}

/// A game being read, with its referee.
struct Game {
    record: Record,
    last: usize,
    table: Table<Luzhanqi>,
}

impl Game {
    fn add(&mut self, entry: Entry) {
        // What the rules refuse is for the judge to name.
        let _ = self.table.put(&entry);
        let node = Node { entry: Some(entry), ..Node::default() };
        self.last = self.record.add(self.last, node);
    }

    fn claim(&mut self, result: &str) {
        let (result, text) = (result.to_string(), String::new());
        self.record.claimed = Some(Claimed { result, reason: None, text });
    }

    /// What an event puts into the log.
    fn event(&mut self, replay: &Replay<'_>, event: &[u8], i: usize) -> Result<(), ReadError> {
        let turn = self.table.waiting_for();
        match (event[0], event[1]) {
            (0x5f, _) => {
                let text = replay.step(event);
                let text = text.ok_or_else(|| bad(format!("Event {} leaves the board.", i + 1)))?;
                self.add(Entry { by: turn, act: Act::Move(text) });
            }
            (0xf5, 0x02) => self.add(Entry::new_call(turn, Call::Timeout)),
            (0xf5, 0x03) => {
                let seat = replay.seat(event[2]);
                self.claim(if seat.index().is_multiple_of(2) { "second" } else { "first" });
                self.out(seat, event[3], i);
            }
            (0xf5, 0x05) if event[3] == 0x02 => {
                self.claim("draw");
                let seats = Seat::ALL.into_iter();
                let seats: Seats =
                    seats.filter(|s| self.table.calls(*s).contains(&Call::AgreeDraw)).collect();
                // A draw that no rule gives was agreed by the seats still in.
                if !seats.is_empty() {
                    self.add(Entry::new_call(seats, Call::AgreeDraw));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A seat went out. That a flag was taken follows from the moves, and so does that a seat
    /// cannot move; but the server that wrote these files does not wait for its turn to come.
    fn out(&mut self, seat: Seat, why: u8, i: usize) {
        let inside = self.table.ending().is_none()
            && self.table.line().begun()
            && !self.table.line().position().out.has(seat);
        match why {
            0x04 => self.add(Entry::new_call(seat, Call::Resign)),
            0x01 | 0x02 if !inside => {}
            _ => {
                if why == 0x02 {
                    let text = format!(
                        "Event {}: {seat} cannot move and was taken off before its turn.",
                        i + 1
                    );
                    self.record.warnings.push(Warning { line: 1, column: 1, text });
                }
                self.add(Entry::new_call(seat, Call::Left));
            }
        }
    }
}
