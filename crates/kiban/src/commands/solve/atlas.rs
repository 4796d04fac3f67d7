//! The list of a game's set-ups, solved and written as CSV.

use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::{files, output};
use kiban_core::{Atlas, GameSpec, Stop, Variant};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

/// Solves every set-up of the game's list; rows that are there already are kept.
pub(super) fn write(spec: &GameSpec, variant: &Variant, path: &Path) -> Result<(), Failure> {
    let Some(atlas) = &spec.atlas else {
        let having = kiban_games::all().filter(|g| g.atlas.is_some()).map(|g| g.id);
        let having = having.collect::<Vec<_>>().join(", ");
        let message = format!("{} has no atlas; games that have one: {having}.", spec.names.en);
        return Err(Failure::no_answer("no-atlas", message));
    };
    let list = List {
        atlas,
        name: variant.canonical(spec.options, None),
        setups: (atlas.setups)(variant),
        path,
    };
    let mut file = list.open()?;
    let done = list.rows_done(&file)?;
    list.write(&mut file, variant, done)?;
    output::text(&format!("{} set-ups are in {}.", list.setups.len(), path.display()))
}

/// The set-ups of a variant and the file they are written to.
struct List<'a> {
    atlas: &'a Atlas,
    /// The variant's canonical text: each row begins with it.
    name: String,
    setups: Vec<String>,
    path: &'a Path,
}

impl List<'_> {
    fn failed(&self, e: &std::io::Error) -> Failure {
        let message = format!("{} could not be written: {e}.", self.path.display());
        Failure::no_answer("output", message)
    }

    fn header(&self) -> String {
        format!("variant,{}", self.atlas.header)
    }

    /// Opens the file for this run alone: two at once would mix their rows.
    fn open(&self) -> Result<File, Failure> {
        let file = OpenOptions::new().create(true).append(true).open(self.path);
        let file = file.map_err(|e| self.failed(&e))?;
        if !file.metadata().map_err(|e| self.failed(&e))?.is_file() {
            let message = format!("{} is no plain file; name another.", self.path.display());
            return Err(Failure::no_answer("not-a-file", message));
        }
        file.try_lock().map_err(|_| {
            let name = self.path.display();
            Failure::no_answer(
                "busy",
                format!("{name} is being written by another run; wait for it."),
            )
        })?;
        Ok(file)
    }

    /// How many whole rows the file has; one that holds something else is not touched.
    fn rows_done(&self, file: &File) -> Result<usize, Failure> {
        let text = files::text(self.path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        let fits = lines.next().is_none_or(|line| line == self.header());
        let rows: Vec<&str> = lines.collect();
        let start = |setup: &String| format!("\"{}\",{setup},", self.name);
        let mut pairs = rows.iter().zip(&self.setups);
        let known = rows.len() <= self.setups.len() && pairs.all(|(r, s)| r.starts_with(&start(s)));
        if !fits || !known {
            let message = format!(
                "{} holds something else, or set-ups under other rules; name another file.",
                self.path.display()
            );
            return Err(Failure::no_answer("not-an-atlas", message));
        }
        // A row that was being written when a run was broken off is written again.
        file.set_len(whole.len() as u64).map_err(|e| self.failed(&e))?;
        Ok(rows.len())
    }

    fn write(&self, file: &mut File, variant: &Variant, done: usize) -> Result<(), Failure> {
        let stop: Stop = stopped_by_ctrl_c();
        if file.metadata().map_err(|e| self.failed(&e))?.len() == 0 {
            writeln!(file, "{}", self.header()).map_err(|e| self.failed(&e))?;
        }
        for (i, setup) in self.setups.iter().enumerate().skip(done) {
            let row = (self.atlas.row)(variant, setup, &stop)?;
            let row = format!("\"{}\",{row}", self.name);
            writeln!(file, "{row}").map_err(|e| self.failed(&e))?;
            output::note(&format!("{} of {}: {row}", i + 1, self.setups.len()));
        }
        file.sync_all().map_err(|e| self.failed(&e))
    }
}
