//! `kiban doctor`: what this machine has.

use crate::error::Failure;
use crate::machine;
use crate::output::grouped;
use crate::output::{self, Head};
use crate::registry::{examples, rules_name};
use kiban_solve::TableFile;
use serde::Serialize;
use std::path::Path;

/// Says what this machine has: CPU features, memory, the data folder, tables
#[derive(clap::Args)]
#[command(after_help = examples(&["doctor", "doctor --json"]))]
pub(crate) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    version: &'static str,
    system: &'static str,
    architecture: &'static str,
    features: Vec<&'static str>,
    threads: Option<usize>,
    memory_bytes: Option<u64>,
    data: Option<DataFolder>,
    tables: Vec<String>,
    table_files: Vec<TableFacts>,
    games: Vec<&'static str>,
}

#[derive(Serialize)]
struct DataFolder {
    path: String,
    exists: bool,
    writable: bool,
}

/// A table in the data folder.
#[derive(Serialize)]
struct TableFacts {
    /// Its path below the folder of tables.
    file: String,
    /// The rules its values hang on, as a variant's text says them.
    rules: Option<String>,
    positions: u64,
    checksum: Option<String>,
    /// Whether it was read whole and every checksum fits.
    sound: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let folder = machine::data_folder();
    let table_files = machine::tables_folder().map(|f| tables(&f)).unwrap_or_default();
    let document = Document {
        head: Head::new("doctor", None, None),
        version: env!("CARGO_PKG_VERSION"),
        system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        features: features(),
        threads: std::thread::available_parallelism().ok().map(usize::from),
        memory_bytes: machine::memory(),
        tables: table_files.iter().map(|table| table.file.clone()).collect(),
        table_files,
        data: folder.map(|path| DataFolder {
            exists: path.is_dir(),
            writable: writable(&path),
            path: path.display().to_string(),
        }),
        games: kiban_games::all().map(|g| g.id).collect(),
    };
    if args.json { output::json(&document) } else { output::text(&text(&document)) }
}

fn text(d: &Document) -> String {
    let unknown = || "unknown".to_string();
    let list = |items: &[&str]| if items.is_empty() { "none".into() } else { items.join(", ") };
    let threads = d.threads.map_or_else(unknown, |n| n.to_string());
    let memory = d
        .memory_bytes
        .map_or_else(unknown, |bytes| format!("{:.1} GiB", bytes as f64 / f64::from(1u32 << 30)));
    let folder = d.data.as_ref().map_or_else(unknown, |folder| {
        let state = match (folder.exists, folder.writable) {
            (true, true) => "writable",
            (true, false) => "not writable; change its permissions or set KIBAN_DATA",
            (false, true) => "not there yet; it will be made when it is needed",
            (false, false) => "cannot be made; set KIBAN_DATA to a folder that can",
        };
        format!("{} ({state})", folder.path)
    });
    let tables = match d.table_files.len() {
        0 => "none".to_string(),
        n => format!("{n}, {} damaged", d.table_files.iter().filter(|t| !t.sound).count()),
    };
    let rows = [
        ("version", d.version.to_string()),
        ("system", format!("{} {}", d.system, d.architecture)),
        ("features", list(&d.features)),
        ("threads", threads),
        ("memory", memory),
        ("data", folder),
        ("tables", tables),
        ("games", list(&d.games)),
    ];
    let mut text: String =
        rows.iter().map(|(name, value)| format!("{name:<10} {value}\n")).collect();
    let mut last = None;
    for table in &d.table_files {
        let place = Path::new(&table.file);
        let rules = table.rules.as_deref().unwrap_or("unknown");
        if last.replace((place.parent(), rules)) != Some((place.parent(), rules)) {
            let game = place.iter().next().unwrap_or_default().to_string_lossy();
            let spec = kiban_games::all().find(|g| g.id == game);
            let rules = spec.map_or(rules.to_string(), |spec| rules_name(spec, rules));
            text.push_str(&format!("  tables of {game} for the rules {rules}:\n"));
        }
        let checksum = table.checksum.as_deref().unwrap_or("-");
        let state = if table.sound { "sound" } else { "damaged; delete it and build it again" };
        let positions = grouped(table.positions);
        let file = &table.file;
        text.push_str(&format!("    {file}  {positions} positions  {checksum} {state}\n"));
    }
    text
}

/// Whether a file can be made in the folder, or the folder itself below one that is there.
fn writable(folder: &Path) -> bool {
    let Some(there) = folder.ancestors().find(|f| f.exists()) else { return false };
    let probe = there.join(format!(".kiban-{}.part", std::process::id()));
    let made = std::fs::File::create_new(&probe).is_ok();
    made && std::fs::remove_file(&probe).is_ok()
}

/// The tables below the folder, every one read.
fn tables(folder: &Path) -> Vec<TableFacts> {
    let facts = |path: std::path::PathBuf| {
        let mut file = TableFile::open(&path).ok().flatten();
        let whole = file.as_mut().is_some_and(|file| file.load().is_ok());
        let header = file.as_ref().map(TableFile::header);
        // A file under the name of other rules is whole, and yet not what it is taken for.
        let sound = header
            .filter(|_| whole)
            .is_some_and(|h| kiban_solve::place(folder, &h.game, &h.rules, &h.sector) == path);
        let positions = header.iter().flat_map(|h| h.tallies).map(|t| t.positions()).sum();
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        TableFacts {
            file: name,
            rules: header.map(|h| h.rules.clone()),
            positions,
            checksum: header.map(|h| h.checksum.clone()),
            sound,
        }
    };
    kiban_solve::list(folder).into_iter().map(facts).collect()
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn features() -> Vec<&'static str> {
    let known = [
        ("popcnt", is_x86_feature_detected!("popcnt")),
        ("bmi1", is_x86_feature_detected!("bmi1")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
    ];
    known.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

#[cfg(target_arch = "aarch64")]
pub(crate) fn features() -> Vec<&'static str> {
    let known = [
        ("neon", std::arch::is_aarch64_feature_detected!("neon")),
        ("dotprod", std::arch::is_aarch64_feature_detected!("dotprod")),
    ];
    known.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn features() -> Vec<&'static str> {
    Vec::new()
}
