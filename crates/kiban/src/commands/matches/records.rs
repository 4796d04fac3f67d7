//! The games of a match as records: a file each.

use super::game::{Row, Side};
use crate::error::Failure;
use crate::records::{Known, formats};
use crate::{files, lossy, output};
use kiban_core::{GameSpec, Record, Source};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where they are written.
pub(super) struct Records {
    folder: PathBuf,
    spec: &'static GameSpec,
    known: OnceLock<Known>,
    /// The games of which there was a record when the match began.
    there: HashSet<usize>,
    /// Whether it was told that something cannot be held.
    told: AtomicBool,
}

impl Records {
    /// A folder, made if need be. It may hold records only where the match goes on: those of another
    /// would be overwritten.
    pub(super) fn open(
        folder: &Path,
        spec: &'static GameSpec,
        played: &[Row],
    ) -> Result<Records, Failure> {
        let cannot = |e| {
            let message = format!("The folder {} cannot be made or read: {e}.", folder.display());
            Failure::no_answer("unwritable-file", message)
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let mut there = HashSet::new();
        for entry in std::fs::read_dir(folder).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse::<usize>().ok());
            there.extend(number);
            if number.is_some() && played.is_empty() {
                return Err(of_another(&path, folder));
            }
        }
        let folder = folder.to_path_buf();
        Ok(Records { folder, spec, known: OnceLock::new(), there, told: AtomicBool::new(false) })
    }

    /// Whether there was a record of this game when the match began.
    pub(super) fn has(&self, n: usize) -> bool {
        self.there.contains(&n)
    }

    /// Writes the record of a game, by its number from 1. What the format cannot hold is left out
    /// and told once.
    pub(super) fn write(&self, n: usize, record: &Record) -> Result<(), Failure> {
        let known = *self.known.get_or_init(|| best(self.spec, record));
        let held = lossy::write(std::slice::from_ref(record), known)?;
        let extension = known.format.extensions.first().copied().unwrap_or("txt");
        let path = self.folder.join(format!("{n:06}.{extension}"));
        // It came while this match was on.
        if !self.has(n) && path.exists() {
            return Err(of_another(&path, &self.folder));
        }
        if !held.missing.is_empty() && !self.told.swap(true, Ordering::Relaxed) {
            let (name, missing) = (path.display(), held.missing.join(", "));
            let id = known.format.id;
            output::note(&format!("{name} and maybe others lack what {id} cannot hold: {missing}"));
        }
        files::write(&path, &held.written)
    }
}

fn of_another(file: &Path, folder: &Path) -> Failure {
    let (file, folder) = (file.display(), folder.display());
    let message = format!("{file} is of another match; name another folder than {folder}.");
    Failure::no_answer("other-match", message)
}

/// The first of the game's formats that keeps who played, else the first.
fn best(spec: &'static GameSpec, record: &Record) -> Known {
    let mut writable = formats(Some(spec)).filter(|known| known.format.write.is_some());
    let keeps = |known: &Known| {
        let held = lossy::write(std::slice::from_ref(record), *known).ok();
        let read = held.zip(known.format.read).and_then(|(held, read)| {
            read(Source { bytes: &held.written, variant: Some(&record.variant) }).ok()
        });
        let names = |record: &Record| record.tag("first").map(str::to_string);
        read.is_some_and(|read| read.first().and_then(names) == names(record))
    };
    let first = formats(Some(spec)).find(|known| known.format.write.is_some());
    writable.find(keeps).or(first).expect("every game has a format for records")
}

/// The seat's name of the one who plays it, as records have it.
pub(super) fn tagged(record: &mut Record, seats: u8, first: Side, names: [String; 2]) {
    for (i, seat) in kiban_core::Seats::first_n(seats).iter().enumerate() {
        let a = (i % 2 == 0) == (first == Side::A);
        let name = if a { &names[0] } else { &names[1] };
        record.tags.push((seat.name().to_string(), name.clone()));
    }
}
