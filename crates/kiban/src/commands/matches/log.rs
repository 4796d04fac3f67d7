//! The file a match is resumed from: a line of JSON that says which match it is, then one for
//! each finished game. A line that was being written when the program ended is written anew.

use super::game::Row;
use crate::error::Failure;
use crate::output;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Which match it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) game: String,
    pub(super) variant: String,
    pub(super) a: String,
    pub(super) b: String,
    pub(super) seed: u64,
    /// Everything else that decides how a game goes.
    pub(super) how: Vec<String>,
}

/// The open file.
pub(super) struct Log(File);

impl Log {
    /// Opens or makes the file; gives the games it holds. Without a seed of the user's own the
    /// seed of the file is taken.
    pub(super) fn open(
        path: &Path,
        header: &mut Header,
        any_seed: bool,
    ) -> Result<(Log, Vec<Row>), Failure> {
        let name = path.display();
        let told = |e: std::io::Error| {
            Failure::no_answer("unwritable-file", format!("{name} cannot be written: {e}."))
        };
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(told)?;
        if !file.metadata().map_err(told)?.is_file() {
            let message = format!("{name} is no plain file; name another.");
            return Err(Failure::no_answer("not-a-file", message));
        }
        // Two matches that wrote into one file would leave what neither can go on from.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            let message = format!("{name} is being written by another match; name another file.");
            return Err(Failure::no_answer("other-match", message));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(told)?;
        // Only whole lines count.
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&bytes[..whole]).unwrap_or("?");
        let mut lines = text.lines();
        let broken = |line: usize| {
            let message = format!("{name} is no log of a match; name another file or remove it.");
            Failure::NoAnswer(kiban_core::ReadError::new("bad-log", message).line(line))
        };
        let mut rows: Vec<Row> = Vec::new();
        match lines.next() {
            None if bytes.is_empty() || whole == 0 && bytes.starts_with(b"{\"game\":") => {
                file.set_len(0).map_err(told)?;
            }
            first => {
                let known: Header = first
                    .and_then(|line| serde_json::from_str(line).ok())
                    .ok_or_else(|| broken(1))?;
                if any_seed {
                    header.seed = known.seed;
                }
                same(header, &known, &name.to_string())?;
                for (i, line) in lines.enumerate() {
                    let row = serde_json::from_str(line).ok().filter(Row::is_sound);
                    rows.push(row.ok_or_else(|| broken(i + 2))?);
                }
                file.set_len(whole as u64).map_err(told)?;
            }
        }
        file.seek(SeekFrom::End(0)).map_err(told)?;
        let mut log = Log(file);
        if whole == 0 {
            log.write(header).map_err(told)?;
        }
        Ok((log, each_once(rows, &name.to_string())))
    }

    /// Adds a finished game; it is on the disk when this returns.
    pub(super) fn add(&mut self, row: &Row) -> Result<(), Failure> {
        self.write(row).map_err(|e| {
            Failure::no_answer("unwritable-file", format!("The log cannot be written: {e}."))
        })
    }

    fn write(&mut self, line: &impl Serialize) -> std::io::Result<()> {
        let mut bytes = serde_json::to_vec(line).expect("lines are plain data");
        bytes.push(b'\n');
        self.0.write_all(&bytes)?;
        self.0.sync_data()
    }
}

/// Of lines that tell of the same game the first counts.
fn each_once(rows: Vec<Row>, name: &str) -> Vec<Row> {
    let (mut seen, all) = (HashSet::new(), rows.len());
    let rows: Vec<Row> = rows.into_iter().filter(|row| seen.insert(row.n)).collect();
    if rows.len() < all {
        let lines = output::counted((all - rows.len()) as u64, "line", "lines");
        let repeat = if all - rows.len() == 1 { "repeats a game" } else { "repeat games" };
        output::note(&format!("{lines} of {name} {repeat}; each game is counted once."));
    }
    rows
}

/// Refuses to go on with another match than the one that was begun.
fn same(wanted: &Header, known: &Header, name: &str) -> Result<(), Failure> {
    if wanted == known {
        return Ok(());
    }
    let pairs = [
        ("game is", &wanted.game, &known.game),
        ("variant is", &wanted.variant, &known.variant),
        ("first player is", &wanted.a, &known.a),
        ("second player is", &wanted.b, &known.b),
        ("seed is", &wanted.seed.to_string(), &known.seed.to_string()),
        ("limits and openings are", &wanted.how.join(", "), &known.how.join(", ")),
    ];
    let different = pairs.iter().find(|(_, wanted, known)| wanted != known);
    let why = different.map_or(String::new(), |(what, wanted, known)| {
        format!(": its {what} \"{known}\", not \"{wanted}\"")
    });
    let message = format!("{name} is of another match{why}; name another file.");
    Err(Failure::no_answer("other-match", message))
}
