//! The files a command line means: plain ones, standard input, all in a folder and its folders,
//! those a pattern fits, and those in a zip archive.

use super::companions::{Folder, has_extension, is_companion};
use super::zips::{Completing, Zip};
use crate::error::Failure;
use crate::files;
use kiban_core::{Beside, Companion, ReadError};
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What a zip archive begins with, and one without entries.
const MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// A file to read.
pub(crate) struct Item {
    /// Its path; that of an entry goes on behind the archive's.
    pub(crate) path: PathBuf,
    /// Its path below the argument that led to it.
    pub(crate) below: PathBuf,
    /// Bytes it takes on the disk.
    pub(crate) size: u64,
    content: Content,
}

enum Content {
    /// With what lies in its folder, which is looked at once for all of them that need it.
    Plain(Arc<OnceLock<Folder>>),
    Unpacked(Vec<u8>, PathBuf, Completing),
    Missing(ReadError),
}

impl Item {
    /// A plain file, or standard input.
    pub(crate) fn of(path: &Path) -> Item {
        let below = path.file_name().map_or(PathBuf::new(), PathBuf::from);
        Item::plain(path.to_path_buf(), below, Arc::default())
    }

    fn plain(path: PathBuf, below: PathBuf, folder: Arc<OnceLock<Folder>>) -> Item {
        let size = fs::metadata(&path).map_or(0, |facts| facts.len());
        Item { path, below, size, content: Content::Plain(folder) }
    }

    fn missing(path: &Path, error: ReadError) -> Item {
        let (path, below) = (path.to_path_buf(), PathBuf::new());
        Item { path, below, size: 0, content: Content::Missing(error) }
    }

    /// Whether it is larger than this, or nobody knows.
    pub(crate) fn exceeds(&self, bytes: u64) -> bool {
        match &self.content {
            Content::Plain(_) => self.size > bytes || self.path == Path::new("-"),
            Content::Unpacked(content, ..) => content.len() as u64 > bytes,
            Content::Missing(_) => false,
        }
    }

    /// Its content.
    ///
    /// # Errors
    /// If it cannot be read, or is too large.
    pub(crate) fn read(&self) -> Result<Cow<'_, [u8]>, Failure> {
        match &self.content {
            Content::Plain(_) => files::read(&self.path).map(Cow::Owned),
            Content::Unpacked(bytes, ..) => Ok(Cow::Borrowed(bytes)),
            Content::Missing(error) => Err(Failure::NoAnswer(error.clone())),
        }
    }

    /// The files that complete it: its own, or else the only ones beside it that are no other's.
    pub(crate) fn beside(&self, beside: &Beside) -> Vec<Companion> {
        let read = |path: &Path| match &self.content {
            Content::Unpacked(_, _, completing) => Ok(completing.contents[path].clone()),
            _ => match files::read(path) {
                Ok(bytes) => Ok(bytes.into()),
                Err(failure) => Err(failure.into_read_error().message),
            },
        };
        let (folder, base) = match &self.content {
            Content::Plain(folder) => (folder.get_or_init(|| Folder::of(&self.path)), &self.path),
            Content::Unpacked(_, base, completing) => {
                match base.parent().and_then(|folder| completing.folders.get(folder)) {
                    Some(folder) => (folder, base),
                    None => return Vec::new(),
                }
            }
            Content::Missing(_) => return Vec::new(),
        };
        let found = |extension: &&str| {
            folder.list(base, extension).transpose().map(|list| list.and_then(read))
        };
        beside.extensions.iter().map(found).collect()
    }
}

fn is_pattern(path: &Path) -> bool {
    !path.exists() && path.to_str().is_some_and(|text| text.contains(['*', '?', '[']))
}

/// Of sorted paths of a pattern that goes down folders, those that are looked into or lead through
/// a link (which may lead in a circle) are left out: what lies in a folder is found with it.
fn below_once(found: &mut Vec<PathBuf>) {
    let linked = |path: &Path| path.is_symlink() && path.is_dir();
    let mut kept: Option<PathBuf> = None;
    found.retain(|path| {
        let inside = kept.as_ref().is_some_and(|folder| path.starts_with(folder));
        if inside || path.ancestors().any(linked) {
            return false;
        }
        if path.is_dir() {
            kept = Some(path.clone());
        }
        true
    });
}

fn is_zip(path: &Path) -> bool {
    use std::io::Read;
    // What is no plain file (a pipe) must not be read twice.
    if !fs::metadata(path).is_ok_and(|facts| facts.is_file()) {
        return false;
    }
    let mut head = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && MAGIC.contains(&head.as_slice())
}

/// Whether an argument may mean several files.
pub(crate) fn is_archive(path: &Path) -> bool {
    path.is_dir() || is_pattern(path) || is_zip(path)
}

/// The files of a command line, in the order of the arguments, those of folders and archives by
/// name. They are looked up as they are asked for.
pub(crate) struct Sources {
    waiting: Vec<Waiting>,
    /// The folder of the last file.
    last: (PathBuf, Arc<OnceLock<Folder>>),
}

enum Waiting {
    /// An argument.
    Given(PathBuf),
    /// Something in a folder: its path, and that below the argument.
    Found(PathBuf, PathBuf),
    Zip(Box<Zip>, PathBuf),
}

impl Sources {
    /// The files these arguments mean.
    pub(crate) fn new(arguments: &[PathBuf]) -> Sources {
        let waiting = arguments.iter().rev().cloned().map(Waiting::Given).collect();
        Sources { waiting, last: Default::default() }
    }

    /// What lies in a file's folder, the same for all files of it that come one after another.
    fn folder_of(&mut self, path: &Path) -> Arc<OnceLock<Folder>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if self.last.0 != folder {
            self.last = (folder.to_path_buf(), Arc::default());
        }
        self.last.1.clone()
    }

    /// The bytes of all of them on the disk.
    pub(crate) fn bytes(arguments: &[PathBuf]) -> u64 {
        let mut sources = Sources::new(arguments);
        let mut total = 0;
        while let Some(next) = sources.waiting.pop() {
            let path = match &next {
                Waiting::Given(path) | Waiting::Found(path, _) => path.clone(),
                Waiting::Zip(..) => continue,
            };
            if path.is_dir() || is_pattern(&path) {
                drop(sources.look(next));
            } else {
                total += fs::metadata(&path).map_or(0, |facts| facts.len());
            }
        }
        total
    }

    /// What waits first becomes a file, or others that wait.
    fn look(&mut self, next: Waiting) -> Option<Item> {
        match next {
            Waiting::Given(path) if path == Path::new("-") => {
                Some(Item::plain(path.clone(), path, Arc::default()))
            }
            Waiting::Given(path) if is_pattern(&path) => self.pattern(&path),
            Waiting::Given(path) if path.is_dir() => self.folder(&path, Path::new("")),
            Waiting::Given(path) if is_zip(&path) => self.zip(&path, PathBuf::new()),
            Waiting::Given(path) => {
                let below = path.file_name().map_or(PathBuf::new(), PathBuf::from);
                let folder = self.folder_of(&path);
                Some(Item::plain(path, below, folder))
            }
            Waiting::Found(path, below) if path.is_dir() => self.folder(&path, &below),
            Waiting::Found(path, below) if has_extension(&path, &["zip"]) => {
                self.zip(&path, below.with_extension(""))
            }
            Waiting::Found(path, below) => {
                let folder = self.folder_of(&path);
                Some(Item::plain(path, below, folder))
            }
            Waiting::Zip(mut zip, below) => {
                let entry = zip.next()?;
                let path = zip.path.join(&entry.path);
                let content = match entry.content {
                    Ok(bytes) if MAGIC.iter().any(|magic| bytes.starts_with(magic)) => {
                        let name = path.display();
                        let message =
                            format!("{name} is an archive in an archive; unpack the outer one.");
                        Content::Missing(ReadError::new("nested-archive", message))
                    }
                    Ok(bytes) => {
                        Content::Unpacked(bytes, entry.path.clone(), zip.completing.clone())
                    }
                    Err(e) => Content::Missing(e),
                };
                let item = Item { path, below: below.join(&entry.path), size: entry.size, content };
                self.waiting.push(Waiting::Zip(zip, below));
                Some(item)
            }
        }
    }

    fn pattern(&mut self, pattern: &Path) -> Option<Item> {
        let text = pattern.to_str().expect("a pattern is text");
        // Two stars alone would find folders only.
        let text = &if text.ends_with("**") { format!("{text}/*") } else { text.to_string() };
        // As in a folder, what is hidden is not meant.
        let options =
            glob::MatchOptions { require_literal_leading_dot: true, ..Default::default() };
        let mut found = match glob::glob_with(text, options) {
            // What cannot be looked into has no files for us.
            Ok(paths) => paths.filter_map(Result::ok).collect::<Vec<_>>(),
            Err(e) => {
                let message = format!("{text} is no pattern: {}; write for example *.txt.", e.msg);
                return Some(Item::missing(pattern, ReadError::new("bad-pattern", message)));
            }
        };
        found.retain(|path| !is_companion(path));
        if found.is_empty() {
            let message = format!("No file fits {text}; check the pattern.");
            return Some(Item::missing(pattern, ReadError::new("unreadable-file", message)));
        }
        found.sort();
        if text.contains("**") {
            below_once(&mut found);
        }
        self.waiting.extend(found.into_iter().rev().map(Waiting::Given));
        None
    }

    /// What lies in a folder, but what is hidden or lies beside records; links to folders are not
    /// followed, since they may lead in a circle.
    fn folder(&mut self, folder: &Path, below: &Path) -> Option<Item> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(e) => {
                let message = format!("{} cannot be read: {e}.", folder.display());
                return Some(Item::missing(folder, ReadError::new("unreadable-file", message)));
            }
        };
        let mut names: Vec<_> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let (kind, path, name) = (entry.file_type().ok()?, entry.path(), entry.file_name());
                let followed = if kind.is_symlink() { path.is_file() } else { true };
                let plain = kind.is_dir() || path.is_file();
                let hidden = name.as_encoded_bytes().first() == Some(&b'.');
                (followed && plain && !hidden && !is_companion(&path)).then_some(name)
            })
            .collect();
        names.sort();
        let found = names.into_iter().rev();
        self.waiting
            .extend(found.map(|name| Waiting::Found(folder.join(&name), below.join(&name))));
        None
    }

    fn zip(&mut self, path: &Path, below: PathBuf) -> Option<Item> {
        match Zip::open(path) {
            Ok(zip) => {
                self.waiting.push(Waiting::Zip(Box::new(zip), below));
                None
            }
            Err(e) => Some(Item::missing(path, e)),
        }
    }
}

impl Iterator for Sources {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let next = self.waiting.pop()?;
            if let Some(item) = self.look(next) {
                return Some(item);
            }
        }
    }
}
