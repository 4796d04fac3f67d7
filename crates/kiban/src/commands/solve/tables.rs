//! Tables of exact values in the data folder.

use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::machine;
use crate::output;
use crate::output::grouped;
use crate::registry;
use crate::terminal;
use kiban_core::{BuildLimits, GameSpec, SectorSpec, Tables, Variant};
use kiban_solve::{Header, TableFile};
use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Instant;

/// Positions of each table that a check looks at.
const SAMPLE: u32 = 20_000;
/// Characters of a bar.
const BAR: usize = 24;

/// Sectors of a game to be built or looked at.
pub(super) struct Work<'a> {
    spec: &'a GameSpec,
    tables: &'a Tables,
    variant: &'a Variant,
    sectors: Vec<SectorSpec>,
    folder: PathBuf,
}

impl<'a> Work<'a> {
    /// The sectors of a size, given with the name of its option; without one the largest size.
    pub(super) fn of(
        spec: &'a GameSpec,
        variant: &'a Variant,
        size: Option<(&str, u8)>,
    ) -> Result<Work<'a>, Failure> {
        let name = spec.names.en;
        let Some(tables) = &spec.tables else {
            let having = kiban_games::all().filter(|g| g.tables.is_some()).map(|g| g.id);
            let having = having.collect::<Vec<_>>().join(", ");
            let message = format!("{name} has no tables; games that have some: {having}.");
            return Err(Failure::no_answer("no-tables", message));
        };
        let (least, most) = tables.sizes;
        let (unit, size) = size.unwrap_or((tables.unit, most));
        if unit != tables.unit || !(least..=most).contains(&size) {
            let message = format!(
                "Tables of {name} are built by --{} {least} to {most}, not by --{unit} {size}.",
                tables.unit
            );
            return Err(Failure::no_answer("bad-size", message));
        }
        let sectors = (tables.sectors)(variant, size);
        let folder = machine::tables_folder().ok_or_else(machine::no_data_folder)?;
        Ok(Work { spec, tables, variant, sectors, folder })
    }

    /// The header of a table, if it is there and whole.
    fn header(&self, sector: &SectorSpec) -> Option<Header> {
        let file = TableFile::open(&self.folder.join(&sector.file)).ok()??;
        Some(file.header().clone()).filter(|header| header.entries == sector.entries)
    }

    /// Holds the folder for this run alone: two at once would do the same work.
    fn lock(&self) -> Result<File, Failure> {
        let path = self.folder.join(".lock");
        let failed = |e: std::io::Error| {
            let message = format!(
                "Tables cannot be kept in {}: {e}; set KIBAN_DATA to a folder that can be written.",
                self.folder.display()
            );
            Failure::no_answer("output", message)
        };
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let file = File::create(&path).map_err(failed)?;
        file.try_lock().map_err(|_| {
            let folder = self.folder.display();
            let message = format!("Another run is building tables in {folder}; wait for it.");
            Failure::no_answer("busy", message)
        })?;
        Ok(file)
    }

    /// Builds the tables that are not there.
    pub(super) fn build(&self, memory: Option<u64>) -> Result<(), Failure> {
        let _lock = self.lock()?;
        let missing: Vec<_> = self.sectors.iter().filter(|s| self.header(s).is_none()).collect();
        let bytes = memory.or_else(machine::free_memory).unwrap_or(u64::MAX);
        if let Some(large) = missing.iter().find(|sector| sector.needed > bytes) {
            let message = format!(
                "Sector {} has {} positions and needs {} MiB of memory, but {} MiB are allowed; \
                 allow more with --memory, or choose a smaller size.",
                large.name,
                grouped(large.entries),
                large.needed >> 20,
                bytes >> 20
            );
            return Err(Failure::no_answer("too-large", message));
        }
        let limits = BuildLimits { bytes, stop: stopped_by_ctrl_c() };
        let mut bar = Bar::new(missing.iter().map(|sector| sector.entries).sum());
        for sector in &missing {
            let mut tell = |part: f32| bar.show(sector, part);
            let build = self.tables.build;
            build(self.variant, &sector.name, &self.folder, &limits, &mut tell)
                .inspect_err(|_| bar.clear())?;
            bar.finish(sector, self.header(sector).as_ref());
        }
        let tables: Vec<Header> = self.sectors.iter().filter_map(|s| self.header(s)).collect();
        let positions = tables.iter().flat_map(|h| h.tallies).map(|t| t.positions()).sum();
        output::text(&format!(
            "{} in {}, {} of them built now; {} positions. They serve the rules {}.",
            self.count(tables.len()),
            self.folder.join(self.spec.id).display(),
            missing.len(),
            grouped(positions),
            self.rules()
        ))
    }

    /// `1 table of Dou Shou Qi is`, `7 tables of Dou Shou Qi are`.
    fn count(&self, tables: usize) -> String {
        let are = if tables == 1 { "is" } else { "are" };
        let tables = output::counted(tables as u64, "table", "tables");
        format!("{tables} of {} {are}", self.spec.names.en)
    }

    /// The rules that the values of the tables hang on, which name the folder they lie in.
    fn rules(&self) -> String {
        let folder = self.sectors.first().and_then(|sector| sector.file.parent()?.file_name());
        let rules = folder.map_or(String::new(), |name| name.to_string_lossy().into_owned());
        registry::rules_name(self.spec, &rules)
    }

    /// Looks at the tables that are there.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let there = |s: &&SectorSpec| self.folder.join(&s.file).exists();
        let there: Vec<_> = self.sectors.iter().filter(there).collect();
        if there.is_empty() {
            let message = format!(
                "No tables of {} under the rules {} are in {}; build them with \"kiban solve {} \
                 --{} N\".",
                self.spec.names.en,
                self.rules(),
                self.folder.display(),
                self.spec.id,
                self.tables.unit
            );
            return Err(Failure::no_answer("no-table", message));
        }
        let mut looked = 0;
        for sector in &there {
            let check = self.tables.check;
            looked += check(self.variant, &sector.name, &self.folder, SAMPLE)?;
        }
        output::text(&format!(
            "{} sound: the checksums hold, and {} positions are worth what their moves are. They \
             serve the rules {}.",
            self.count(there.len()),
            grouped(looked),
            self.rules()
        ))
    }
}

/// What is done and how long the rest may take, on standard error: on a terminal as a line that
/// changes, else a line for each sector.
struct Bar {
    terminal: bool,
    since: Instant,
    done: u64,
    all: u64,
    shown: Option<u64>,
}

impl Bar {
    fn new(all: u64) -> Bar {
        let terminal = std::io::stderr().is_terminal();
        Bar { terminal, since: Instant::now(), done: 0, all, shown: None }
    }

    fn show(&mut self, sector: &SectorSpec, part: f32) {
        let done = self.done as f64 + sector.entries as f64 * f64::from(part);
        let permille = (1000.0 * done / self.all as f64) as u64;
        if !self.terminal || self.shown == Some(permille) {
            return;
        }
        self.shown = Some(permille);
        let full = permille as usize * BAR / 1000;
        let seconds = self.since.elapsed().as_secs_f64();
        let left = if done > 0.0 { seconds * (self.all as f64 / done - 1.0) } else { 0.0 };
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(BAR - full));
        let percent = permille as f64 / 10.0;
        let text = format!("[{bar}] {percent:5.1} %  {}  {left:.0} s left", sector.name);
        // What is as long as the terminal is wide would be wrapped and stay there.
        let room = terminal::width_of_errors().map_or(usize::MAX, |columns| columns.max(1) - 1);
        let text: String = text.chars().take(room).collect();
        // Nobody is left to tell if standard error is closed.
        let _ = std::io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
    }

    fn clear(&self) {
        if self.terminal {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }

    fn finish(&mut self, sector: &SectorSpec, header: Option<&Header>) {
        self.done += sector.entries;
        self.clear();
        let Some(header) = header else { return };
        let parts = by_turn(header);
        let (name, seconds) = (&sector.name, self.since.elapsed().as_secs_f64());
        let deepest = output::counted(header.deepest.into(), "ply", "plies");
        output::note(&format!("{name}: {parts}; longest {deepest} ({seconds:.1} s)"));
    }
}

/// A table's counts for the side to move: `T to move: 905 won, 1,292 lost, 155 drawn; L to move:
/// ...`. A sector is named by what its two sides have; where that is the same there is one part.
fn by_turn(header: &Header) -> String {
    let tally = |t: &kiban_solve::Tally| {
        let [wins, losses, draws] = [t.wins, t.losses, t.draws].map(grouped);
        format!("{wins} won, {losses} lost, {draws} drawn")
    };
    let (first, second) = header.sector.split_once('-').unwrap_or(("the first", "the second"));
    match &header.tallies {
        [all, none] if none.positions() == 0 => format!("side to move: {}", tally(all)),
        [a, b] => {
            format!("{first} to move: {}; {second} to move: {}", tally(a), tally(b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_turn;
    use kiban_solve::{Header, Tally};

    #[test]
    fn both_counts_of_a_table_say_whose_turn_they_are_of() {
        let tally = |wins, losses, draws| Tally { wins, losses, draws };
        let mut header = Header {
            game: String::new(),
            rules: String::new(),
            sector: "T-L".to_string(),
            entries: 0,
            second: 0,
            bits: 16,
            deepest: 26,
            tallies: [tally(905, 1292, 155), tally(1676, 542, 134)],
            checksum: String::new(),
        };
        let both = "T to move: 905 won, 1,292 lost, 155 drawn; \
                    L to move: 1,676 won, 542 lost, 134 drawn";
        assert_eq!(by_turn(&header), both);
        header.tallies[1] = tally(0, 0, 0);
        assert_eq!(by_turn(&header), "side to move: 905 won, 1,292 lost, 155 drawn");
    }
}
