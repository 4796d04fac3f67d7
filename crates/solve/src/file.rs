//! Tables on disk.
//!
//! A file begins with one line: `kiban-table 1`, a checksum of what follows in the line, and the
//! [`Header`] as JSON. Then come blocks of 65,536 entries, the last one shorter: the packed entries
//! as little-endian words of 64 bits, and the block's checksum. Every entry lies in one block at a
//! place that is known, so that single entries of large tables can be read and checked.

use crate::packed::{Packed, words};
use crate::{SolveError, Table, Tally, Worth};
use crc32fast::{Hasher, hash};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: &str = "kiban-table";
/// The version of this layout.
const VERSION: u32 = 1;
/// Entries of a block: with any width they fill whole words.
const BLOCK: u64 = 1 << 16;
/// The first line is never longer, in bytes.
const LINE: u64 = 1 << 12;
/// The ending of a table's file name.
const EXTENSION: &str = "table";

/// What a table's file says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The game's id.
    pub game: String,
    /// The rules its values hang on.
    pub rules: String,
    /// The sector's name.
    pub sector: String,
    /// How many numbers it has.
    pub entries: u64,
    /// The first number of the second part.
    pub second: u32,
    /// Bits an entry.
    pub bits: u32,
    /// The longest distance in plies.
    pub deepest: u16,
    /// The counts of both parts.
    pub tallies: [Tally; 2],
    /// The checksum of all the words.
    pub checksum: String,
}

/// Where a sector's table lies below the folder of tables.
pub fn place(folder: &Path, game: &str, rules: &str, sector: &str) -> PathBuf {
    folder.join(game).join(rules).join(format!("{sector}.{EXTENSION}"))
}

/// The files of tables below a folder, sorted.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.filter_map(|e| e.ok()).map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == EXTENSION) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Writes a table: under another name first, so that a file of its own name is always whole.
pub(crate) fn write(
    path: &Path,
    names: (&str, &str, &str),
    table: &Table,
) -> Result<Header, SolveError> {
    let failed = |source| SolveError::io(path, source);
    let bytes: Vec<u8> = table.codes.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    let header = Header {
        game: names.0.to_string(),
        rules: names.1.to_string(),
        sector: names.2.to_string(),
        entries: table.codes.length(),
        second: table.second,
        bits: table.codes.bits(),
        deepest: table.deepest,
        tallies: table.tallies,
        checksum: format!("{:08x}", hash(&bytes)),
    };
    let folder = path.parent().expect("a table lies in a folder");
    fs::create_dir_all(folder).map_err(failed)?;
    let part = path.with_extension("part");
    let json = serde_json::to_string(&header).expect("a header is plain data");
    let written = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(&part)?);
        writeln!(file, "{MAGIC} {VERSION} {:08x} {json}", hash(json.as_bytes()))?;
        for block in bytes.chunks(8 * words(header.bits, BLOCK)) {
            file.write_all(block)?;
            file.write_all(&hash(block).to_le_bytes())?;
        }
        file.into_inner().map_err(|e| e.into_error())?.sync_all()?;
        fs::rename(&part, path)?;
        // The new name is on the disk when the folder is.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    };
    written().map_err(|source| {
        // A disk that is full is not left fuller.
        let _ = fs::remove_file(&part);
        failed(source)
    })?;
    Ok(header)
}

/// An open table of which single entries are read.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    /// Where the blocks begin.
    from: u64,
}

impl TableFile {
    /// Opens a table and reads its header; `None` if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read or its header is not what was written.
    pub fn open(path: &Path) -> Result<Option<TableFile>, SolveError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(SolveError::io(path, e)),
        };
        let mut file = BufReader::new(file);
        let mut line = String::new();
        let read = file.by_ref().take(LINE).read_line(&mut line);
        read.map_err(|_| SolveError::damaged(path, "its first line is no text"))?;
        let header =
            header(&line).ok_or_else(|| SolveError::damaged(path, "its header is wrong"))?;
        let table = TableFile { path: path.to_path_buf(), file, header, from: line.len() as u64 };
        let length = table.file.get_ref().metadata().map_err(|e| SolveError::io(path, e))?.len();
        if length != table.from + table.length() {
            return Err(SolveError::damaged(path, "it has not the length its header says"));
        }
        Ok(Some(table))
    }

    /// What it says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of a whole block without its checksum.
    fn block_bytes(&self) -> u64 {
        8 * words(self.header.bits, BLOCK) as u64
    }

    /// Bytes of all blocks with their checksums.
    fn length(&self) -> u64 {
        let bytes = 8 * words(self.header.bits, self.header.entries) as u64;
        bytes + 4 * bytes.div_ceil(self.block_bytes())
    }

    /// The words of the next block.
    fn block(&mut self, entries: u64, sum: &mut Hasher) -> Result<Vec<u64>, SolveError> {
        let mut bytes = vec![0; 8 * words(self.header.bits, entries)];
        let mut checksum = [0; 4];
        let read =
            self.file.read_exact(&mut bytes).and_then(|()| self.file.read_exact(&mut checksum));
        read.map_err(|e| SolveError::io(&self.path, e))?;
        if hash(&bytes) != u32::from_le_bytes(checksum) {
            return Err(SolveError::damaged(&self.path, "a block has another checksum"));
        }
        sum.update(&bytes);
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        Ok(bytes.chunks_exact(8).map(word).collect())
    }

    fn seek(&mut self, block: u64) -> Result<(), SolveError> {
        let at = self.from + block * (self.block_bytes() + 4);
        let found = self.file.seek(SeekFrom::Start(at));
        found.map(|_| ()).map_err(|e| SolveError::io(&self.path, e))
    }

    /// A position's worth, from its block alone.
    ///
    /// # Errors
    /// If the block cannot be read or is damaged.
    pub fn worth(&mut self, number: u32) -> Result<Worth, SolveError> {
        let block = u64::from(number) / BLOCK;
        let entries = BLOCK.min(self.header.entries - block * BLOCK);
        self.seek(block)?;
        let words = self.block(entries, &mut Hasher::new())?;
        let packed = Packed::of_words(self.header.bits, entries, words).expect("a whole block");
        Ok(Worth::of_code(packed.get(number % BLOCK as u32)))
    }

    /// The whole table, every checksum looked at.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn load(&mut self) -> Result<Table, SolveError> {
        let Header { entries, bits, second, tallies, deepest, .. } = self.header;
        let (mut all, mut sum) = (Vec::with_capacity(words(bits, entries)), Hasher::new());
        self.seek(0)?;
        for block in 0..entries.div_ceil(BLOCK) {
            let here = BLOCK.min(entries - block * BLOCK);
            all.append(&mut self.block(here, &mut sum)?);
        }
        if format!("{:08x}", sum.finalize()) != self.header.checksum {
            return Err(SolveError::damaged(&self.path, "it has another checksum"));
        }
        let codes = Packed::of_words(bits, entries, all).expect("as many words as it needs");
        Ok(Table { codes, second, tallies, deepest })
    }
}

/// The header in a file's first line.
fn header(line: &str) -> Option<Header> {
    let rest = line.strip_suffix('\n')?.strip_prefix(&format!("{MAGIC} {VERSION} "))?;
    let (checksum, json) = rest.split_once(' ')?;
    let sound = checksum == format!("{:08x}", hash(json.as_bytes()));
    let header: Header = serde_json::from_str(json).ok().filter(|_| sound)?;
    let fits = (1..=16).contains(&header.bits) && header.entries <= u64::from(u32::MAX);
    fits.then_some(header)
}
