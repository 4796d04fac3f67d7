//! Reading and writing files without ever holding too much or leaving half a file.

use crate::engine::interrupted;
use crate::error::Failure;
use crate::output;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The largest input that is read, in bytes.
pub(crate) const LIMIT: u64 = 64 * 1024 * 1024;

/// How often it is looked whether who waits for a pipe still does.
const LOOK: Duration = Duration::from_millis(50);

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        return take(std::io::stdin().lock(), "Standard input");
    }
    let name = path.display().to_string();
    let facts = std::fs::metadata(path).map_err(|e| unreadable(&name, &e))?;
    if facts.is_dir() {
        return Err(Failure::no_answer(
            "is-folder",
            format!("{name} is a folder; name a file in it."),
        ));
    }
    if facts.len() > LIMIT {
        return Err(too_large(&name));
    }
    if !facts.is_file() {
        return piped(path.to_path_buf(), name);
    }
    take(std::fs::File::open(path).map_err(|e| unreadable(&name, &e))?, &name)
}

/// Reads a pipe or a device. It may wait for ever for somebody to write, so a thread of its own
/// waits, which is left alone when Ctrl-C is pressed.
fn piped(path: PathBuf, name: String) -> Result<Vec<u8>, Failure> {
    let (tell, told) = mpsc::channel();
    let shown = name.clone();
    std::thread::spawn(move || {
        // What is no plain file may tell no length, so the limit holds while reading too.
        let file = std::fs::File::open(path).map_err(|e| unreadable(&name, &e));
        let _ = tell.send(file.and_then(|file| take(file, &name)));
    });
    loop {
        match told.recv_timeout(LOOK) {
            Ok(read) => return read,
            Err(RecvTimeoutError::Timeout) if !interrupted() => {}
            Err(_) => {
                let message = format!("{shown} was not read to its end; nobody wrote to it.");
                return Err(Failure::no_answer("interrupted", message));
            }
        }
    }
}

fn take(from: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    from.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|e| unreadable(name, &e))?;
    if bytes.len() as u64 > LIMIT { Err(too_large(name)) } else { Ok(bytes) }
}

fn unreadable(name: &str, e: &std::io::Error) -> Failure {
    let why = match e.kind() {
        ErrorKind::NotFound => format!("There is no file {name}; check its name."),
        ErrorKind::PermissionDenied => format!("{name} may not be read; check its permissions."),
        _ => format!("{name} cannot be read: {e}."),
    };
    Failure::no_answer("unreadable-file", why)
}

fn too_large(name: &str) -> Failure {
    let limit = LIMIT / (1024 * 1024);
    let message = format!("{name} is larger than {limit} MiB; split it into smaller files.");
    Failure::no_answer("too-large", message)
}

/// A text file: UTF-8, with or without a byte order mark.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let bytes = read(path)?;
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = text.trim_start_matches('\u{feff}');
            // A bare carriage return ended lines once.
            Ok(if text.contains('\n') { text.to_string() } else { text.replace('\r', "\n") })
        }
        Err(e) => {
            let (line, column) = place(e.as_bytes(), e.utf8_error().valid_up_to());
            let message = format!("{} is not UTF-8 text; save it as UTF-8.", path.display());
            let error = kiban_core::ReadError::new("wrong-encoding", message);
            Err(Failure::NoAnswer(error.line(line).column(column)))
        }
    }
}

/// Line and column, both from 1, of a byte offset; columns count characters where the text is
/// UTF-8 and bytes where it is not.
pub(crate) fn place(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset.min(bytes.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let column = std::str::from_utf8(&before[start..])
        .map_or(before.len() - start, |text| text.chars().count());
    (line, column + 1)
}

/// Held to read by whoever writes files, to write once no more may be begun.
static WRITING: RwLock<()> = RwLock::new(());

/// Waits for the files that are being written, and lets no more be begun: the program is about to
/// end, and would leave them half.
pub(crate) fn settle() {
    std::mem::forget(WRITING.write());
}

/// Whether a path is that of a pipe or a device, which is written to and never replaced.
pub(crate) fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|facts| !facts.is_file() && !facts.is_dir())
}

/// Writes a whole file or nothing: beside it first, then renamed over it. `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_together(&[(path.to_path_buf(), bytes)])
}

/// Writes files that belong together: none takes its place before all are written whole. They take
/// it in this order, and where one cannot those before it give theirs back.
pub(crate) fn write_together(files: &[(PathBuf, &[u8])]) -> Result<(), Failure> {
    if let [(path, bytes)] = files {
        if path == Path::new("-") {
            return output::bytes(bytes);
        }
        if is_special(path) {
            return std::fs::write(path, bytes).map_err(|e| unwritable(path, &e));
        }
    }
    let _writing = WRITING.read();
    let new = files.iter().map(|(path, bytes)| New::write(path, bytes));
    take_places(new.collect::<Result<_, _>>()?)
}

/// Puts all of them into their places, or none.
fn take_places(mut new: Vec<New>) -> Result<(), Failure> {
    if new.len() > 1 {
        new.iter_mut().try_for_each(New::keep_old)?;
    }
    for at in 0..new.len() {
        if let Err(e) = new[at].take_place() {
            new[..at].iter_mut().for_each(New::give_back);
            return Err(e);
        }
    }
    Ok(())
}

fn unwritable(path: &Path, e: &std::io::Error) -> Failure {
    let message = format!("{} cannot be written: {e}.", path.display());
    Failure::no_answer("unwritable-file", message)
}

/// A file that is written and lies beside its place; it is gone if it does not take it.
struct New {
    /// The name it is told by.
    path: PathBuf,
    place: PathBuf,
    lying: Option<PathBuf>,
    /// What stood in its place, until all that belong together have taken theirs.
    old: Option<PathBuf>,
}

impl New {
    fn write(path: &Path, bytes: &[u8]) -> Result<New, Failure> {
        let told = |e: std::io::Error| unwritable(path, &e);
        // A link stays one.
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let old = std::fs::metadata(&place).ok();
        if old.as_ref().is_some_and(std::fs::Metadata::is_dir) {
            let message = format!("{} is a folder; name a file in it.", path.display());
            return Err(Failure::no_answer("unwritable-file", message));
        }
        if is_special(&place) {
            let message = format!("{} is no plain file; name another.", path.display());
            return Err(Failure::no_answer("unwritable-file", message));
        }
        if place.file_name().is_none() {
            let message = format!("{} is not a file's name.", path.display());
            return Err(Failure::no_answer("unwritable-file", message));
        }
        let (mut file, lying) = New::create(&place).map_err(told)?;
        let new = New { path: path.to_path_buf(), place, lying: Some(lying), old: None };
        if let Some(old) = &old {
            file.set_permissions(old.permissions()).map_err(told)?;
        }
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(told)?;
        Ok(new)
    }

    /// Makes a file beside this place, of a name that is free: one of a program that was killed
    /// may still lie there.
    fn create(place: &Path) -> std::io::Result<(File, PathBuf)> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let lying =
                place.with_file_name(format!(".kiban-{}-{number}.part", std::process::id()));
            match File::create_new(&lying) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                made => return made.map(|file| (file, lying)),
            }
        }
    }

    /// Keeps what stands in its place under another name.
    fn keep_old(&mut self) -> Result<(), Failure> {
        if !self.place.exists() {
            return Ok(());
        }
        let told = |e: std::io::Error| unwritable(&self.path, &e);
        let (_, kept) = New::create(&self.place).map_err(told)?;
        self.old = Some(kept.clone());
        // Where there are no two names for a file a copy does.
        std::fs::remove_file(&kept)
            .and_then(|()| std::fs::hard_link(&self.place, &kept))
            .or_else(|_| std::fs::copy(&self.place, &kept).map(drop))
            .map_err(told)
    }

    fn take_place(&mut self) -> Result<(), Failure> {
        let Some(lying) = &self.lying else { return Ok(()) };
        std::fs::rename(lying, &self.place).map_err(|e| unwritable(&self.path, &e))?;
        self.lying = None;
        Ok(())
    }

    /// Puts back what stood in its place. If that fails too, the first error still says why.
    fn give_back(&mut self) {
        let _ = match self.old.take() {
            Some(old) => std::fs::rename(old, &self.place),
            None => std::fs::remove_file(&self.place),
        };
    }
}

impl Drop for New {
    fn drop(&mut self) {
        for ours in self.lying.iter().chain(&self.old) {
            // It is ours; if it cannot go either, the first error still says why.
            let _ = std::fs::remove_file(ours);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_belong_together_are_replaced_all_or_none() {
        let folder = std::env::temp_dir().join(format!("kiban-together-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("our own folder");
        let [first, second, third] = ["a", "b", "c"].map(|name| folder.join(name));
        std::fs::write(&first, b"old").expect("our own file");
        let write = |path: &PathBuf| New::write(path, b"new").expect("it is written beside");
        let new = vec![write(&first), write(&second), write(&third)];
        // A folder comes to stand where the last belongs.
        std::fs::create_dir(&third).expect("our own folder");
        assert!(take_places(new).is_err());
        assert_eq!(std::fs::read(&first).expect("it is there"), b"old");
        assert!(!second.exists());
        std::fs::remove_dir(&third).expect("our own folder");
        take_places(vec![write(&first), write(&second), write(&third)]).expect("nothing hinders");
        for path in [&first, &second, &third] {
            assert_eq!(std::fs::read(path).expect("it is there"), b"new");
        }
        let left = std::fs::read_dir(&folder).expect("our own folder").count();
        assert_eq!(left, 3, "nothing else lies there");
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
