//! Converting many files, each into one of its own.

use super::{Args, convert};
use crate::bulk::{self, Feed, Item, Progress, Sources, Targets};
use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::lossy::Lost;
use crate::records::{self, Wanted};
use crate::{files, output};
use kiban_core::ReadError;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A file and where it goes, or why it cannot go there.
struct Job {
    item: Item,
    to: Result<PathBuf, ReadError>,
}

/// What was left out of a file, and what was forgiven as it was read.
struct Done {
    missing: Vec<Lost>,
    forgiven: Vec<String>,
}

/// What came of a file: the parts that had to be left out, or why it could not be converted.
struct Told {
    result: Result<Done, ReadError>,
    size: u64,
}

/// Converts them all.
pub(super) fn run(args: &'static Args, wanted: Wanted<'static>) -> Result<(), Failure> {
    let extension = extension(&args.to, wanted)?;
    let places = Places::new(args, extension)?;
    let (targets, stop) = (Targets::default(), stopped_by_ctrl_c());
    let mut progress = Progress::new(|| Sources::bytes(&args.files));
    let (mut written, mut failed) = (0, 0);
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    let produce = move |feed: &mut Feed<Job>| places.give_all(&args.files, feed);
    let done = bulk::in_order(
        bulk::threads(),
        &stop,
        produce,
        move |job| work(args, wanted, &targets, job),
        |told: Told| {
            match told.result {
                Ok(done) => {
                    written += 1;
                    progress.clear();
                    done.forgiven.iter().for_each(|sentence| output::note(sentence));
                    done.missing
                        .into_iter()
                        .for_each(|lost| *missing.entry(lost.part).or_default() += 1);
                }
                Err(error) => {
                    failed += 1;
                    progress.clear();
                    output::note(&output::sentence(&error));
                }
            }
            progress.add(told.size, 1);
            Ok(())
        },
    );
    files::settle();
    done?;
    progress.clear();
    for (part, files) in missing {
        let files = count(files);
        output::note(&format!("The format {} cannot hold {part}; left out of {files}.", args.to));
    }
    if stop.stopped() {
        return Err(interrupted(args, written, failed));
    }
    if written == 0 && failed == 0 {
        let message = "There is no file in what was named; name another.";
        return Err(Failure::no_answer("empty-input", message));
    }
    if written == 0 && failed > 0 {
        let message = format!("None of {} could be converted; see above.", count(failed));
        return Err(Failure::no_answer("none-converted", message));
    }
    let name = args.output.display();
    let text = output::plain(&format!("{} written to {name} as {}", count(written), args.to));
    if failed > 0 {
        let message = format!("{text}, {failed} could not be converted; see above.");
        return Err(Failure::no_answer("not-all-converted", message));
    }
    output::text(&format!("{text}."))
}

fn interrupted(args: &Args, written: usize, failed: usize) -> Failure {
    let name = args.output.display();
    let failed = match failed {
        0 => String::new(),
        n => format!(", {n} could not be converted"),
    };
    let message = format!(
        "Interrupted; {} written to {name} as {}{failed}. Start again to convert the rest.",
        count(written),
        args.to
    );
    Failure::no_answer("interrupted", message)
}

fn count(files: usize) -> String {
    output::counted(files as u64, "file", "files")
}

/// The extension of the format's files.
fn extension(to: &str, wanted: Wanted<'_>) -> Result<&'static str, Failure> {
    let writable = || records::formats(wanted.game).filter(|k| k.format.write.is_some());
    let found = writable().find(|k| k.format.id == to);
    let found = found
        .ok_or_else(|| records::unknown_format(to, "write", writable().map(|k| k.format.id)))?;
    Ok(found.format.extensions.first().copied().unwrap_or(found.format.id))
}

fn work(args: &Args, wanted: Wanted<'_>, targets: &Targets, Job { item, to }: Job) -> Told {
    let name = |mut error: ReadError| {
        let file = item.path.display().to_string();
        if !error.message.contains(&file) {
            error.message = format!("{file}: {}", error.message);
        }
        error
    };
    let result = to.map_err(Failure::NoAnswer).and_then(|to| {
        let converted = convert(args, &item, wanted, true)?;
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).map_err(|e| {
                let message = format!("{} cannot be made: {e}.", folder.display());
                Failure::no_answer("unwritable-file", message)
            })?;
        }
        converted.write(&to, targets)?;
        Ok(Done { missing: converted.missing, forgiven: converted.forgiven })
    });
    Told { result: result.map_err(|failure| name(failure.into_read_error())), size: item.size }
}

/// Where files go.
struct Places {
    folder: &'static Path,
    extension: &'static str,
    /// What is converted, by its real path; nothing of it may be written over.
    inputs: Vec<PathBuf>,
}

impl Places {
    fn new(args: &'static Args, extension: &'static str) -> Result<Places, Failure> {
        let folder = args.output.as_path();
        if folder == Path::new("-") {
            let message = "Several files are converted into a folder; name it with -o FOLDER.";
            return Err(Failure::Usage(ReadError::new("usage", message)));
        }
        if folder.exists() && !folder.is_dir() {
            let message = format!("{} is a file; name a folder with -o.", folder.display());
            return Err(Failure::no_answer("unwritable-file", message));
        }
        let inputs: Vec<_> = args.files.iter().filter_map(|f| f.canonicalize().ok()).collect();
        // A folder that is being read must not grow under the reader.
        let own = real(folder);
        if let Some(input) = inputs.iter().find(|input| input.is_dir() && own.starts_with(input)) {
            let message = format!(
                "{} lies in {}, which is being converted; name a folder outside of it.",
                folder.display(),
                input.display()
            );
            return Err(Failure::no_answer("unwritable-file", message));
        }
        Ok(Places { folder, extension, inputs })
    }

    fn give_all(&self, files: &[PathBuf], feed: &mut Feed<Job>) {
        // Hashes of the paths given out, so that memory stays small.
        let mut taken = HashSet::new();
        for item in Sources::new(files) {
            let to = self.place(&item, &mut taken);
            if !feed.give(Job { item, to }) {
                return;
            }
        }
    }

    /// Where a file goes: the same name with another extension, or with both where that is taken.
    fn place(&self, item: &Item, taken: &mut HashSet<u64>) -> Result<PathBuf, ReadError> {
        let plain = if item.below.as_os_str().is_empty() || item.below == Path::new("-") {
            PathBuf::from("records")
        } else {
            item.below.clone()
        };
        let mut both = plain.clone().into_os_string();
        both.push(format!(".{}", self.extension));
        for below in [plain.with_extension(self.extension), PathBuf::from(both)] {
            let to = self.folder.join(below);
            if self.is_input(&to) {
                let message = format!(
                    "{} would be written over, and is being converted; choose another folder.",
                    to.display()
                );
                return Err(ReadError::new("unwritable-file", message));
            }
            let mut hasher = DefaultHasher::new();
            to.to_string_lossy().to_lowercase().hash(&mut hasher);
            if taken.insert(hasher.finish()) {
                return Ok(to);
            }
        }
        let message = format!("Two files would become {}; rename one.", plain.display());
        Err(ReadError::new("unwritable-file", message))
    }

    fn is_input(&self, to: &Path) -> bool {
        let Ok(to) = to.canonicalize() else { return false };
        self.inputs.iter().any(|input| to == *input || (input.is_dir() && to.starts_with(input)))
    }
}

/// The real path of something that need not exist yet.
fn real(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(real), ..) => real,
        (Err(_), Some(parent), Some(name)) if parent != Path::new("") => real(parent).join(name),
        (Err(_), _, Some(name)) => real(Path::new(".")).join(name),
        _ => path.to_path_buf(),
    }
}
