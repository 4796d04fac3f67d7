//! Zip archives, read in memory within limits. Nothing is ever unpacked to where an entry says.

use super::companions::{Folder, is_companion, is_completed};
use encoding_rs::SHIFT_JIS;
use kiban_core::ReadError;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use zip::ZipArchive;
use zip::read::ZipFile;

/// What all entries of an archive may unpack to, in bytes.
const UNPACKED: u64 = 256 * 1024 * 1024;
/// Entries an archive may have.
const ENTRIES: usize = 1_000_000;

/// What completes entries, such as lists of names.
#[derive(Default)]
pub(super) struct Lists {
    /// The folders that hold such.
    pub(super) folders: HashMap<PathBuf, Folder>,
    /// Their contents, by path in the archive.
    pub(super) contents: HashMap<PathBuf, Arc<[u8]>>,
}

/// The same for all entries.
pub(super) type Completing = Arc<Lists>;

/// An archive whose entries are read one by one.
pub(super) struct Zip {
    /// Its own path.
    pub(super) path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    /// The entries still to be read: path and index.
    entries: VecDeque<(PathBuf, usize)>,
    /// What may still be unpacked.
    room: u64,
    /// Files that complete others.
    pub(super) completing: Completing,
}

/// An entry, unpacked.
pub(super) struct Entry {
    /// Its path in the archive.
    pub(super) path: PathBuf,
    /// Its content, or why it cannot be had.
    pub(super) content: Result<Vec<u8>, ReadError>,
    /// What it takes in the archive.
    pub(super) size: u64,
}

fn error(path: &Path, why: &str) -> ReadError {
    ReadError::new("bad-archive", format!("{} {why}", path.display()))
}

impl Zip {
    /// Opens an archive and looks at all its entries before anything is unpacked.
    ///
    /// # Errors
    /// If it is damaged, would unpack to too much, or an entry's path leads out of it.
    pub(super) fn open(path: &Path) -> Result<Zip, ReadError> {
        let unreadable = |e: std::io::Error| error(path, &format!("cannot be read: {e}."));
        let mut file = File::open(path).map_err(unreadable)?;
        let listed = listed(&mut file).map_err(unreadable)?;
        let mut archive = ZipArchive::new(BufReader::new(file))
            .map_err(|e| error(path, &format!("is no zip archive that can be read: {e}.")))?;
        // Of entries of one name the reader shows one.
        if listed.is_some_and(|listed| listed > archive.len()) {
            let why = "holds entries of the same name; name them apart.";
            return Err(error(path, why));
        }
        if archive.len() > ENTRIES {
            let why = format!("has more than {ENTRIES} entries; split it.");
            return Err(error(path, &why));
        }
        let (mut entries, mut total) = (Vec::new(), 0u64);
        for index in 0..archive.len() {
            let entry = archive
                .by_index_raw(index)
                .map_err(|e| error(path, &format!("is damaged at entry {}: {e}.", index + 1)))?;
            total = total.saturating_add(entry.size());
            let place = checked(path, &entry)?;
            let hidden = place.components().any(|c| c.as_os_str().as_encoded_bytes()[0] == b'.');
            // Archives made on a Mac carry a second tree of notes.
            if !entry.is_dir() && !hidden && !place.starts_with("__MACOSX") {
                entries.push((place, index));
            }
        }
        if total > UNPACKED {
            return Err(too_large(path));
        }
        entries.sort();
        let (lists, entries): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|(place, _)| is_companion(place));
        let bases = entries.iter().filter(|(place, _)| is_completed(place));
        let mut paths: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
        for (place, _) in lists.iter().chain(bases) {
            let folder = place.parent().unwrap_or(Path::new("")).to_path_buf();
            paths.entry(folder).or_default().push(place.clone());
        }
        let folders = paths.into_iter().map(|(folder, paths)| (folder, Folder::new(paths)));
        let folders = folders.collect();
        let mut zip = Zip {
            path: path.to_path_buf(),
            archive,
            entries: entries.into(),
            room: UNPACKED,
            completing: Arc::default(),
        };
        let read = lists.into_iter().map(|(place, index)| {
            zip.unpack(&place, index).map(|(bytes, _)| (place, bytes.into()))
        });
        let contents = read.collect::<Result<_, _>>()?;
        zip.completing = Arc::new(Lists { folders, contents });
        Ok(zip)
    }

    /// The next entry.
    pub(super) fn next(&mut self) -> Option<Entry> {
        let (path, index) = self.entries.pop_front()?;
        let (content, size) = match self.unpack(&path, index) {
            Ok((bytes, size)) => (Ok(bytes), size),
            Err(e) => (Err(e), 0),
        };
        Some(Entry { path, content, size })
    }

    fn unpack(&mut self, place: &Path, index: usize) -> Result<(Vec<u8>, u64), ReadError> {
        let name = self.path.join(place);
        let entry = self.archive.by_index(index);
        let entry = entry.map_err(|e| error(&name, &format!("cannot be unpacked: {e}.")))?;
        let (size, limit) = (entry.compressed_size(), self.room.min(crate::files::LIMIT));
        let mut bytes = Vec::new();
        // An entry may unpack to more than it says.
        let read = entry.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|e| error(&name, &format!("cannot be unpacked: {e}.")))?;
        if bytes.len() as u64 > limit {
            self.entries.clear();
            return Err(if limit == self.room { too_large(&self.path) } else { too_long(&name) });
        }
        self.room -= bytes.len() as u64;
        Ok((bytes, size))
    }
}

/// How many entries the end of an archive says it has; `None` if it says it elsewhere, being larger.
fn listed(file: &mut File) -> std::io::Result<Option<usize>> {
    /// The end's signature, its length, and the longest comment behind it.
    const END: (&[u8], usize, u64) = (b"PK\x05\x06", 22, 65_535);
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(END.1 as u64 + END.2)))?;
    let mut tail = Vec::new();
    file.by_ref().take(END.1 as u64 + END.2).read_to_end(&mut tail)?;
    file.rewind()?;
    let end = tail.windows(END.1).rfind(|end| end.starts_with(END.0));
    let count = end.map(|end| u16::from_le_bytes([end[10], end[11]]));
    Ok(count.filter(|count| *count < u16::MAX).map(usize::from))
}

fn too_large(path: &Path) -> ReadError {
    let limit = UNPACKED / (1024 * 1024);
    error(path, &format!("would unpack to more than {limit} MiB; split it."))
}

fn too_long(name: &Path) -> ReadError {
    let limit = crate::files::LIMIT / (1024 * 1024);
    error(name, &format!("would unpack to more than {limit} MiB; split it into smaller files."))
}

/// An entry's name. Older programs write it in the code page of their machine and say nothing of it:
/// what is no UTF-8 is Shift_JIS if it can be.
fn name_of<R: Read>(entry: &ZipFile<'_, R>) -> String {
    let raw = entry.name_raw();
    let japanese = |text: &str| text.contains(|c| ('\u{3041}'..='\u{9fff}').contains(&c));
    let sjis = || {
        let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(raw)?;
        Some(text.into_owned()).filter(|text| japanese(text))
    };
    let other = || entry.name().map_or_else(|_| lossy(raw), |name| name.into_owned());
    std::str::from_utf8(raw).map_or_else(|_| sjis().unwrap_or_else(other), str::to_string)
}

fn lossy(raw: &[u8]) -> String {
    String::from_utf8_lossy(raw).into_owned()
}

/// An entry's path, if it stays within the archive and is a plain file's or folder's.
fn checked<R: Read>(path: &Path, entry: &ZipFile<'_, R>) -> Result<PathBuf, ReadError> {
    let raw = name_of(entry);
    let name = raw.replace('\\', "/");
    let shown: String = raw.chars().take(60).collect();
    let refuse = |why: &str| error(path, &format!("holds an entry \"{shown}\" {why}"));
    let place = PathBuf::from(&name);
    let stays = place.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    let drive = name.as_bytes().get(1) == Some(&b':');
    if !stays || drive || name.is_empty() || name.contains('\0') {
        return Err(refuse("whose path leads out of it; such an archive is not opened."));
    }
    if entry.is_symlink() {
        return Err(refuse("that is a link; such an archive is not opened."));
    }
    Ok(place.components().filter(|c| matches!(c, Component::Normal(_))).collect())
}
