//! A game's entry in the registry: everything the rest of the program knows of it.

use crate::{
    Arbiter, Atlas, Bench, Game, Grade, Judged, Limits, Mate, OpenError, OptionSpec, PerftCount,
    Picture, Probe, Proof, Protocol, Puzzle, ReadError, Reason, Record, Shape, Table, Tables,
    Value, Variant, VariantSpec,
};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How an illegal move is met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conduct {
    /// It is refused.
    Guided,
    /// It ends the game as a foul of the seat that made it.
    Official,
    /// As official, for records: their text may not say who moved.
    Archive,
}

impl Conduct {
    /// `guided` or `official`.
    pub fn from_name(name: &str) -> Option<Conduct> {
        match name {
            "guided" => Some(Conduct::Guided),
            "official" => Some(Conduct::Official),
            _ => None,
        }
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        if self == Conduct::Guided { "guided" } else { "official" }
    }
}

/// How a game is opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The variant.
    pub variant: Variant,
    /// A set-up's id or a position's text; `None` for the variant's own start.
    pub start: Option<String>,
    /// How an illegal move is met.
    pub conduct: Conduct,
    /// For a start that is drawn.
    pub seed: Option<u64>,
}

impl Opening {
    /// A guided game from this start, nothing of it drawn.
    pub fn new(variant: Variant, start: Option<String>) -> Opening {
        Opening { variant, start, conduct: Conduct::Guided, seed: None }
    }
}

/// A game's names.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// English.
    pub en: &'static str,
    /// 简体中文
    pub zh_hans: &'static str,
    /// 繁體中文
    pub zh_hant: &'static str,
    /// 日本語
    pub ja: &'static str,
}

/// A named start position: a handicap, a well-known problem.
#[derive(Debug)]
pub struct SetupSpec {
    /// The id, usable wherever a position's text is.
    pub id: &'static str,
    /// Its English name.
    pub name: &'static str,
    /// The position's text.
    pub position: &'static str,
    /// How hard it is to play well, in games that grade their set-ups.
    pub grade: Option<Grade>,
    /// Its exact value for the side to move under the usual rules, with the plies to the end,
    /// where it is known.
    pub worth: Option<(Value, Option<u32>)>,
}

impl SetupSpec {
    /// A set-up that is neither graded nor solved.
    pub const fn new(id: &'static str, name: &'static str, position: &'static str) -> SetupSpec {
        SetupSpec { id, name, position, grade: None, worth: None }
    }
}

/// A layout to begin with, for any seat.
#[derive(Debug)]
pub struct LayoutSpec {
    /// The id; its name is the message `GAME-layout-ID`.
    pub id: &'static str,
    /// Its English name.
    pub name: &'static str,
    /// The layout's text, as its owner sees it.
    pub text: &'static str,
}

/// A file to be read: its bytes, and what is known of it from outside.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The content.
    pub bytes: &'a [u8],
    /// The variant that was asked for, if any.
    pub variant: Option<&'a str>,
}

/// Reads the records of a file.
pub type ReadRecords = fn(Source<'_>) -> Result<Vec<Record>, ReadError>;
/// Takes the records of a file one by one, or why one cannot be read; says whether to go on.
pub type Sink<'a> = dyn FnMut(Result<Record, ReadError>) -> ControlFlow<()> + 'a;
/// Reads the records of a file one by one and goes on behind a bad one where it finds the next.
pub type StreamRecords = fn(Source<'_>, &mut Sink<'_>);
/// Writes records; an error says what the format cannot hold.
pub type WriteRecords = fn(&[Record]) -> Result<Vec<u8>, ReadError>;

/// Writes the contents of several files for records; an error says what they cannot hold.
pub type WriteBeside = fn(&[Record]) -> Result<Vec<Vec<u8>>, ReadError>;

/// What lies beside a record file: nothing, a content, or a sentence that says why it is of no use.
pub type Companion = Option<Result<Arc<[u8]>, String>>;

/// Files that lie beside a record file and complete it, such as the names its numbers mean.
#[derive(Clone, Copy)]
pub struct Beside {
    /// Their extensions without the dot, in the order of the contents below.
    pub extensions: &'static [&'static str],
    /// Completes a record by those there are; one it would need that is of no use is a warning.
    pub complete: fn(&mut Record, &[Companion]),
    /// Writes their contents, which belong to what `Format::write` makes of the same records. An
    /// empty one is not needed.
    pub write: WriteBeside,
}

/// A record format. Others are made of [`Format::NONE`].
#[derive(Clone, Copy)]
pub struct Format {
    /// The id: `kif`, `csa`, ...
    pub id: &'static str,
    /// File name extensions without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a text looks like this format: 0 not at all, 100 surely.
    pub sniff: fn(&[u8]) -> u8,
    /// Reads it.
    pub read: Option<ReadRecords>,
    /// Reads it record by record, where a file may hold more than memory should.
    pub stream: Option<StreamRecords>,
    /// Writes it.
    pub write: Option<WriteRecords>,
    /// What stands between two contents that were written one after the other so that they read
    /// as one file; `None` where only records written together do.
    pub joint: Option<&'static str>,
    /// What lies beside its files.
    pub beside: Option<Beside>,
}

impl Format {
    /// A format that is neither read nor written.
    pub const NONE: Format = Format {
        id: "",
        extensions: &[],
        sniff: |_| 0,
        read: None,
        stream: None,
        write: None,
        joint: None,
        beside: None,
    };
}

/// Nodes of a whole file read at once, so that memory stays below a gigabyte.
const MAX_NODES: usize = 2_000_000;
/// What a record takes beside its nodes, in nodes.
const OF_RECORD: usize = 10;

/// Reads a file at once by a format's stream.
///
/// # Errors
/// The first of a record, or that the file is too long for reading it at once.
pub fn gather(stream: StreamRecords, source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let (mut records, mut nodes, mut error) = (Vec::new(), 0, None);
    stream(source, &mut |read| {
        match read {
            Ok(record) => {
                nodes += record.nodes.len() + OF_RECORD;
                if nodes <= MAX_NODES {
                    records.push(record);
                    return ControlFlow::Continue(());
                }
                let (line, column) = record.nodes.iter().find_map(|n| n.at).unwrap_or((1, 1));
                let message = format!(
                    "The file has more than {} records and {} moves, too many to be read at once; \
                     split it.",
                    records.len(),
                    nodes - OF_RECORD * (records.len() + 1) - record.nodes.len()
                );
                error = Some(ReadError::new("too-long", message).line(line).column(column));
            }
            Err(e) => error = Some(e),
        }
        ControlFlow::Break(())
    });
    error.map_or(Ok(records), Err)
}

/// What a problem file says is right.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Problem {
    /// Its name or number.
    pub id: String,
    /// The position's text.
    pub position: String,
    /// The variant's text.
    pub variant: String,
    /// Best moves.
    pub moves: Option<Vec<String>>,
    /// The value of the best move, in the game's own points, for the side to move.
    pub points: Option<i32>,
    /// A mate in this many plies.
    pub mate: Option<u32>,
}

/// Reads a problem file of the game's own kind.
pub type ReadProblems = fn(&str) -> Result<Vec<Problem>, ReadError>;

/// Solves a mate: a position's text, and limits of which nodes, time, depth (plies of the mate),
/// threads, hash and stop are meant.
pub type SolveMate = fn(&str, &Limits) -> Result<Mate, ReadError>;

/// Proves what a player would like to know of a position besides its worth: a position's text, and
/// limits of which nodes, time (of all together) and stop are meant.
pub type FindProofs = fn(&str, &Limits) -> Result<Vec<Proof>, ReadError>;

/// A game of the registry.
pub struct GameSpec {
    /// The id, the same as its folder.
    pub id: &'static str,
    /// Its names.
    pub names: Names,
    /// Its variants, the default first.
    pub variants: &'static [VariantSpec],
    /// Its rule options.
    pub options: &'static [OptionSpec],
    /// Its named starts; where they are graded, the easiest first.
    pub setups: &'static [SetupSpec],
    /// Layouts to begin with, in games where seats arrange their pieces in secret.
    pub layouts: &'static [LayoutSpec],
    /// Its record formats.
    pub formats: &'static [Format],
    /// Its engine protocols.
    pub protocols: &'static [Protocol],
    /// Openings of the default variant, for matches: moves from its start, separated by spaces, or
    /// positions. Both games of a pair have the same one, so it need not be even.
    pub openings: fn() -> Vec<String>,
    /// Finds a mate for the side to move, in games that have such problems.
    pub mate: Option<SolveMate>,
    /// Proves threats and the like, in games that have words for them.
    pub proofs: Option<FindProofs>,
    /// Gives exact values, in games that are small enough or have tables.
    pub probe: Option<Probe>,
    /// The set-ups worth solving all.
    pub atlas: Option<Atlas>,
    /// Tables of exact values to be built.
    pub tables: Option<Tables>,
    /// Problems for people, which its probe can answer; the easiest first.
    pub puzzles: fn() -> Vec<Puzzle>,
    /// The engine's benchmark.
    pub bench: Option<Bench>,
    /// Every reason its games can end or its entries be refused by, without the common ones.
    pub reasons: &'static [Reason],
    /// Its message files: language and Fluent text.
    pub messages: &'static [(&'static str, &'static str)],
    /// What a perft leaf is: `path` or `finished`.
    pub perft_leaf: &'static str,
    /// Opens a game.
    pub open: fn(&Opening) -> Result<Box<dyn Arbiter>, OpenError>,
    /// Counts move paths from an opening's start: depth, divide, threads.
    pub perft: fn(&Opening, u32, bool, u8) -> Result<PerftCount, OpenError>,
    /// Judges a record.
    pub judge: fn(&Record) -> Result<Judged, OpenError>,
    /// The empty board of a variant.
    pub picture: fn(&Variant, Shape) -> Picture,
    /// Reads its problem files: extension and reader.
    pub problems: &'static [(&'static str, ReadProblems)],
}

impl GameSpec {
    /// The position of a named set-up.
    pub fn setup_position(&self, id: &str) -> Option<&'static str> {
        self.setups.iter().find(|s| s.id == id).map(|s| s.position)
    }

    /// Reads a variant's text.
    ///
    /// # Errors
    /// Says which name, key or value is unknown and which there are.
    pub fn variant(&self, text: &str) -> Result<Variant, ReadError> {
        Variant::read(text, self.variants, self.options)
    }

    /// The format of this id.
    pub fn format(&self, id: &str) -> Option<&'static Format> {
        self.formats.iter().find(|f| f.id == id)
    }

    /// The variant's facts.
    pub fn variant_spec(&self, variant: &Variant) -> &'static VariantSpec {
        self.variants.iter().find(|v| v.id == variant.id()).expect("variants are read from specs")
    }
}

/// `GameSpec::open` of a game.
///
/// # Errors
/// If the start is unreadable or not admitted.
pub fn open<R: Game>(opening: &Opening) -> Result<Box<dyn Arbiter>, OpenError> {
    Ok(Box::new(Table::<R>::open(opening)?))
}

/// `GameSpec::perft` of a game: one thread a root move where several threads are asked for.
///
/// # Errors
/// If the start is unreadable, not admitted or still waits for layouts.
pub fn perft<R: Game>(
    opening: &Opening,
    depth: u32,
    divide: bool,
    threads: u8,
) -> Result<PerftCount, OpenError> {
    let table = Table::<R>::open(opening)?;
    let line = table.line();
    let rules = line.rules();
    let start = line.positions().first().ok_or_else(|| {
        let text = "Play has not begun in this start, it waits for layouts; give a position.";
        OpenError::Start(ReadError::new("layouts-owed", text))
    })?;
    let moves: Vec<R::Move> = rules.moves(start).into_iter().collect();
    if threads <= 1 || depth < 2 || moves.is_empty() {
        return Ok(rules.perft(start, depth, divide));
    }
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(vec![0; moves.len()]));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(m) = moves.get(index) else { return };
                    let mut below = start.clone();
                    rules.play(&mut below, *m);
                    let count = rules.perft(&below, depth - 1, false).nodes;
                    counts.lock().expect("no counter panics")[index] = count;
                }
            });
        }
    });
    let counts = counts.into_inner().expect("no counter panics");
    let rows = || moves.iter().map(|m| rules.write_move(*m)).zip(counts.iter().copied()).collect();
    Ok(PerftCount { nodes: counts.iter().sum(), divide: divide.then(rows) })
}
