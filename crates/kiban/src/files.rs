//! Reading and writing files without ever holding too much or leaving half a file.

use crate::engine::interrupted;
use crate::error::Failure;
use crate::output;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
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

/// Writes a whole file or nothing: beside it first, then renamed over it. `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return output::bytes(bytes);
    }
    let told = |e: std::io::Error| {
        let name = path.display();
        Failure::no_answer("unwritable-file", format!("{name} cannot be written: {e}."))
    };
    // A link stays one, and what is no plain file (a pipe, a device) is never replaced.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = std::fs::metadata(path).ok();
    if old.as_ref().is_some_and(|facts| !facts.is_file() && !facts.is_dir()) {
        return std::fs::write(path, bytes).map_err(told);
    }
    let name = path.file_name().ok_or_else(|| {
        let message = format!("{} is not a file's name.", path.display());
        Failure::no_answer("unwritable-file", message)
    })?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = std::fs::File::create_new(&beside)
        .and_then(|mut file| {
            if let Some(old) = &old {
                file.set_permissions(old.permissions())?;
            }
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|e| {
        // The half-written file is ours; if it cannot go either, the first error still says why.
        let _ = std::fs::remove_file(&beside);
        told(e)
    })
}
