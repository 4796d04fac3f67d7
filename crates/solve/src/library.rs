//! The tables of a game: in memory, in a folder, or solved when they are asked for.

use crate::file::{place, write};
use crate::waves::Solving;
use crate::{BYTES_AN_ENTRY, Header, Sector, SolveError, Table, TableFile, Worth};
use kiban_core::{
    BuildLimits, GameSpec, Limits, Probed, ProbedMove, Seat, SectorSpec, Stop, Variant,
};
use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a game is cut into sectors. The value carries the rules as far as the worth of positions
/// hangs on them.
pub trait Game: Clone + Send {
    /// A sector's name.
    type Key: Copy + Eq + Hash + Debug + Display + Send;
    /// A sector, its smaller ones in its hand.
    type Sector: Sector + Send;

    /// The game's id.
    fn id(&self) -> &'static str;

    /// The rules in a text that can be a folder's name.
    fn rules(&self) -> String;

    /// The sectors that moves out of this one lead to.
    fn below(&self, key: Self::Key) -> Vec<Self::Key>;

    /// How many numbers a sector has.
    fn entries(&self, key: Self::Key) -> u64;

    /// A sector. `tables` has those below.
    fn sector(&self, key: Self::Key, tables: &HashMap<Self::Key, Arc<Table>>) -> Self::Sector;
}

/// The part of its time in which an engine may solve tables: one so many-th.
const ENGINE_PART: u32 = 4;

/// What solving may take.
#[derive(Clone, Debug)]
pub struct Within {
    /// Numbers of all sectors that have to be solved, at most.
    pub entries: u64,
    /// Bytes for one sector, those below included.
    pub bytes: u64,
    /// Gives up then.
    pub deadline: Option<Instant>,
    /// Gives up when it is stopped.
    pub stop: Stop,
}

impl Within {
    /// So many numbers, and the memory these take.
    pub fn entries(entries: u64, stop: Stop) -> Within {
        Within { entries, bytes: u64::MAX, deadline: None, stop }
    }

    /// What a probe may take from now on: so many numbers, and the time and memory of its limits.
    pub fn probe(entries: u64, limits: &Limits) -> Within {
        let bytes = limits.hash.map_or(u64::MAX, |mib| u64::from(mib) << 20);
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Within { entries, bytes, deadline, stop: limits.stop.clone() }
    }

    /// What an engine may take before it searches: a part of its time, for it has to move whether
    /// the tables are ready or not.
    pub fn engine(entries: u64, limits: &Limits) -> Within {
        let share = |time: Duration| time / ENGINE_PART;
        let limits = Limits { time: limits.time.map(share), hash: None, ..limits.clone() };
        Within::probe(entries, &limits)
    }

    /// Whether to go on.
    pub(crate) fn look(&self) -> Result<(), SolveError> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.stop.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }
}

impl From<&BuildLimits> for Within {
    fn from(limits: &BuildLimits) -> Within {
        let BuildLimits { bytes, stop } = limits.clone();
        Within { entries: u64::MAX, bytes, deadline: None, stop }
    }
}

/// The tables of a game.
pub struct Library<G: Game> {
    game: G,
    folder: Option<PathBuf>,
    tables: HashMap<G::Key, Arc<Table>>,
    /// What the limits of an earlier call interrupted.
    under: Option<(G::Key, Solving<G::Sector>)>,
    /// Whether a table was read from a file.
    read: bool,
}

impl<G: Game> Library<G> {
    /// An empty library that looks into a folder of tables first, if there is one.
    pub fn new(game: G, folder: Option<&Path>) -> Library<G> {
        let folder = folder.map(Path::to_path_buf);
        Library { game, folder, tables: HashMap::new(), under: None, read: false }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Whether some table came from the folder.
    pub fn has_read(&self) -> bool {
        self.read
    }

    /// Bytes of the tables in memory.
    pub fn bytes(&self) -> u64 {
        self.tables.values().map(|table| 8 * table.codes.words().len() as u64).sum()
    }

    /// Numbers of the tables in memory.
    pub fn entries(&self) -> u64 {
        self.tables.values().map(|table| table.codes.length()).sum()
    }

    /// The sectors that have to be solved for these, each after those it needs.
    pub fn order(&self, keys: &[G::Key]) -> Vec<G::Key> {
        let mut order = Vec::new();
        keys.iter().for_each(|key| self.visit(*key, &mut order));
        order
    }

    fn visit(&self, key: G::Key, order: &mut Vec<G::Key>) {
        if !order.contains(&key) {
            self.game.below(key).into_iter().for_each(|below| self.visit(below, order));
            order.push(key);
        }
    }

    /// A sector's file.
    fn path(&self, key: G::Key) -> Option<PathBuf> {
        let folder = self.folder.as_deref()?;
        Some(place(folder, self.game.id(), &self.game.rules(), &key.to_string()))
    }

    /// The open file of a sector, if it has been built.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn file(&self, key: G::Key) -> Result<Option<TableFile>, SolveError> {
        let Some(path) = self.path(key) else { return Ok(None) };
        let Some(file) = TableFile::open(&path)? else { return Ok(None) };
        let Header { game, rules, sector, entries, .. } = file.header();
        let names = (game.as_str(), rules.as_str(), sector.as_str());
        let own = (self.game.id(), &*self.game.rules(), &*key.to_string());
        if names != own || *entries != self.game.entries(key) {
            return Err(SolveError::damaged(&path, "it holds another sector"));
        }
        Ok(Some(file))
    }

    /// A sector's table if it is in memory or in the folder.
    ///
    /// # Errors
    /// If its file is damaged.
    pub fn find(&mut self, key: G::Key) -> Result<Option<Arc<Table>>, SolveError> {
        if let Some(table) = self.tables.get(&key) {
            return Ok(Some(Arc::clone(table)));
        }
        let Some(mut file) = self.file(key)? else { return Ok(None) };
        let table = Arc::new(file.load()?);
        self.read = true;
        self.tables.insert(key, Arc::clone(&table));
        Ok(Some(table))
    }

    /// The tables of these sectors, solved where they are not there. Called again after its time
    /// was up, it goes on where it was.
    ///
    /// # Errors
    /// If that goes beyond the limits, or a file is damaged.
    pub fn get(&mut self, keys: &[G::Key], within: &Within) -> Result<Vec<Arc<Table>>, SolveError> {
        let mut missing = Vec::new();
        for key in keys {
            if self.find(*key)?.is_none() {
                missing.push(*key);
            }
        }
        let mut order = self.order(&missing);
        order.retain(|key| !matches!(self.find(*key), Ok(Some(_))));
        let entries: u64 = order.iter().map(|key| self.game.entries(*key)).sum();
        if entries > within.entries {
            let sector = keys.last().map(ToString::to_string).unwrap_or_default();
            return Err(SolveError::Missing(sector));
        }
        for key in order {
            let table = self.solve(key, within, &mut |_| {})?;
            self.tables.insert(key, Arc::new(table));
        }
        Ok(keys.iter().filter_map(|key| self.tables.get(key).cloned()).collect())
    }

    /// Bytes needed to solve a sector, those below included.
    pub fn needed(&self, key: G::Key) -> u64 {
        // Entries of those below are of two bytes at most.
        let below: u64 = self.game.below(key).iter().map(|key| 2 * self.game.entries(*key)).sum();
        BYTES_AN_ENTRY * self.game.entries(key) + below
    }

    fn solve(
        &mut self,
        key: G::Key,
        within: &Within,
        tell: &mut dyn FnMut(f32),
    ) -> Result<Table, SolveError> {
        let (entries, needed) = (self.game.entries(key), self.needed(key));
        if needed > within.bytes || entries > u64::from(u32::MAX) {
            let sector = key.to_string();
            return Err(SolveError::TooLarge { sector, entries, needed, allowed: within.bytes });
        }
        for below in self.game.below(key) {
            if self.find(below)?.is_none() {
                return Err(SolveError::Missing(below.to_string()));
            }
        }
        let under = self.under.take().filter(|(other, _)| *other == key);
        let mut solving = match under {
            Some((_, solving)) => solving,
            None => Solving::new(self.game.sector(key, &self.tables)),
        };
        if let Err(error) = solving.go_on(within, tell) {
            self.under = Some((key, solving));
            return Err(error);
        }
        Ok(solving.finish())
    }

    /// Solves a sector whose smaller ones are built and writes it into the folder, which there must
    /// be. What it needed is dropped from memory again.
    ///
    /// # Errors
    /// If it does not fit, is stopped, or cannot be written.
    pub fn build(
        &mut self,
        key: G::Key,
        within: &Within,
        tell: &mut dyn FnMut(f32),
    ) -> Result<Header, SolveError> {
        let path = self.path(key).expect("tables are built into a folder");
        let table = self.solve(key, within, tell)?;
        self.tables.clear();
        write(&path, (self.game.id(), &self.game.rules(), &key.to_string()), &table)
    }

    /// A sector with those below it in its hand, and its own table.
    ///
    /// # Errors
    /// If one of them has not been built or is damaged.
    pub(crate) fn opened(&mut self, key: G::Key) -> Result<(G::Sector, Arc<Table>), SolveError> {
        for key in self.game.below(key).into_iter().chain([key]) {
            self.find(key)?.ok_or_else(|| SolveError::Missing(key.to_string()))?;
        }
        Ok((self.game.sector(key, &self.tables), Arc::clone(&self.tables[&key])))
    }

    /// The file of a sector in words.
    pub(crate) fn path_or_name(&self, key: G::Key) -> PathBuf {
        self.path(key).unwrap_or_else(|| key.to_string().into())
    }

    /// A sector as tables are listed.
    pub fn spec(&self, key: G::Key) -> SectorSpec {
        let name = key.to_string();
        SectorSpec {
            file: place(Path::new(""), self.game.id(), &self.game.rules(), &name),
            name,
            entries: self.game.entries(key),
            needed: self.needed(key),
        }
    }

    /// What a probe of a position tells, with the text and the worth of each move.
    pub fn told(
        &self,
        position: String,
        to_move: Seat,
        worth: Worth,
        moves: Vec<(String, Worth)>,
    ) -> Probed {
        Probed {
            to_move: Some(to_move),
            source: if self.has_read() { "table" } else { "solver" },
            positions: Some(self.entries()),
            peak_bytes: self.bytes(),
            ..told(position, worth, moves)
        }
    }
}

/// What a user types to have the tables of a variant built up to a size.
pub fn command(spec: &GameSpec, variant: &Variant, size: u32) -> String {
    let unit = spec.tables.map_or("size", |tables| tables.unit);
    let variant = variant.canonical(spec.options, None);
    let usual = variant == spec.variants[0].id;
    let option = if usual { String::new() } else { format!(" --variant {variant}") };
    format!("kiban solve {} --{unit} {size}{option}", spec.id)
}

/// What a probe tells of a position that is over: its worth, and nothing solved for it.
pub fn over(position: String, worth: Worth) -> Probed {
    told(position, worth, Vec::new())
}

fn told(position: String, worth: Worth, mut moves: Vec<(String, Worth)>) -> Probed {
    moves.sort_by(|a, b| (-a.1.rank(), &a.0).cmp(&(-b.1.rank(), &b.0)));
    let told = |(text, worth): (String, Worth)| ProbedMove {
        text,
        value: worth.value,
        distance: worth.distance.map(u32::from),
    };
    Probed {
        position,
        to_move: None,
        value: worth.value,
        distance: worth.distance.map(u32::from),
        source: "solver",
        moves: moves.into_iter().map(told).collect(),
        positions: Some(1),
        peak_bytes: 0,
        notes: Vec::new(),
    }
}
