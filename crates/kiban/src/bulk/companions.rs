//! Which of the files in a folder completes a base: its own list of names, or the only one that is
//! no other base's own. What is written keeps to it, so that no base takes another's names.

use kiban_core::{Format, ReadError};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether a path ends in one of these extensions, in capitals or not.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let own = path.extension().and_then(OsStr::to_str);
    own.is_some_and(|own| extensions.iter().any(|e| own.eq_ignore_ascii_case(e)))
}

/// Whether a path is that of a file that completes others.
pub(super) fn is_companion(path: &Path) -> bool {
    let all = kiban_games::all().flat_map(|game| game.formats).filter_map(|f| f.beside);
    all.into_iter().any(|beside| has_extension(path, beside.extensions))
}

/// Whether a path is that of a file that lists of this extension complete.
fn is_base(path: &Path, extension: &str) -> bool {
    let mut formats = kiban_games::all().flat_map(|game| game.formats);
    formats.any(|format| {
        format.beside.is_some_and(|beside| beside.extensions.contains(&extension))
            && has_extension(path, format.extensions)
    })
}

/// Whether a path is that of a file that others complete.
pub(super) fn is_completed(path: &Path) -> bool {
    let mut formats = kiban_games::all().flat_map(|game| game.formats);
    formats.any(|format| format.beside.is_some() && has_extension(path, format.extensions))
}

/// A file's name without its extension, as names are compared: capitals tell nothing apart.
fn stem(path: &Path) -> String {
    path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().to_lowercase())
}

/// The files of a folder that complete others, and those they may complete.
#[derive(Default)]
pub(super) struct Folder {
    /// By stem.
    lists: HashMap<String, Vec<PathBuf>>,
    bases: HashMap<String, Vec<PathBuf>>,
    /// Lists that are no base's own, by the extensions of all there are.
    free: HashMap<String, Vec<PathBuf>>,
}

impl Folder {
    /// The folder of these paths, of which those that are neither are left out.
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Folder {
        let mut folder = Folder::default();
        let mut paths: Vec<_> = paths.into_iter().collect();
        paths.sort();
        for path in paths {
            if is_companion(&path) {
                folder.lists.entry(stem(&path)).or_default().push(path);
            } else if is_completed(&path) {
                folder.bases.entry(stem(&path)).or_default().push(path);
            }
        }
        for (stem, lists) in &folder.lists {
            let bases = folder.bases.get(stem);
            for list in lists {
                let extension = extension(list);
                let owned = bases.into_iter().flatten().any(|base| is_base(base, &extension));
                let free = folder.free.entry(extension).or_default();
                free.extend((!owned).then(|| list.clone()));
            }
        }
        folder
    }

    /// The folder a file lies in.
    pub(super) fn of(path: &Path) -> Folder {
        let folder = path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        // Some systems leave notes beside files, of the same name but for a dot.
        let seen = entries.filter(|e| !e.file_name().as_encoded_bytes().starts_with(b"."));
        // What is no plain file is never read here.
        let plain = |path: &PathBuf| !is_companion(path) || path.is_file();
        Folder::new(seen.map(|entry| entry.path()).filter(plain))
    }

    /// A base's own list.
    fn own(&self, base: &Path, extension: &str) -> Option<&Path> {
        let lists = self.lists.get(&stem(base))?.iter();
        let fits = lists.filter(|list| has_extension(list, &[extension]));
        // Where capitals tell files apart, the name as it is written comes first.
        fits.min_by_key(|list| list.file_stem() != base.file_stem()).map(PathBuf::as_path)
    }

    /// The list a base takes its names from.
    ///
    /// # Errors
    /// A sentence where there are lists and none is surely meant.
    pub(super) fn list(&self, base: &Path, extension: &str) -> Result<Option<&Path>, String> {
        if let Some(own) = self.own(base, extension) {
            return Ok(Some(own));
        }
        let why = match self.free.get(extension).map(Vec::as_slice) {
            None => return Ok(None),
            Some([only]) => return Ok(Some(only)),
            Some([]) => format!("The .{extension} files beside it are those of others"),
            Some(_) => format!("Several .{extension} files lie beside it"),
        };
        let own = base.with_extension(extension);
        let own = own.file_name().unwrap_or_default().to_string_lossy();
        Err(format!("{why}; the names stay numbers. Call the one that is meant {own}."))
    }
}

fn extension(path: &Path) -> String {
    path.extension().map_or(String::new(), |e| e.to_string_lossy().to_lowercase())
}

/// Where bases are written, with the lists beside them. Each folder is looked at once, before
/// something is written into it: what is written later is of other names.
#[derive(Default)]
pub(crate) struct Targets(Mutex<HashMap<PathBuf, Arc<Folder>>>);

impl Targets {
    /// Where the lists of a base belong, by extension; those that are empty are not written.
    ///
    /// # Errors
    /// If a list is there that is not this base's alone, or the base's name does not show it as one.
    pub(crate) fn lists(
        &self,
        base: &Path,
        format: &Format,
        contents: &[(&'static str, Vec<u8>)],
    ) -> Result<Vec<PathBuf>, ReadError> {
        let lists = format.beside.map_or(&[][..], |beside| beside.extensions);
        let empty = contents.iter().all(|(_, content)| content.is_empty());
        let named = has_extension(base, format.extensions);
        if has_extension(base, lists) || !named && !empty {
            let (name, ends) = (base.display(), format.extensions.join(" or ."));
            let message = format!(
                "{name} is no name for this format, whose names of players and events lie in files \
                 beside it; end it in .{ends}."
            );
            return Err(ReadError::new("unwritable-file", message));
        }
        let folder = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let folder = base.parent().unwrap_or(Path::new("")).to_path_buf();
            known.entry(folder).or_insert_with(|| Arc::new(Folder::of(base))).clone()
        };
        let place = |(extension, content): &(&str, Vec<u8>)| {
            folder.place(base, extension, !content.is_empty())
        };
        contents.iter().map(place).collect()
    }
}

impl Folder {
    /// Where the list of a base belongs; `needed` says whether there is something to write.
    fn place(&self, base: &Path, extension: &str, needed: bool) -> Result<PathBuf, ReadError> {
        let Some(list) = self.own(base, extension) else {
            return Ok(base.with_extension(extension));
        };
        let refuse = |why: &str| {
            let (list, mend) = (list.display(), "name another file or folder with -o");
            ReadError::new("unwritable-file", format!("{list} {why}; {mend}."))
        };
        if !base.exists() {
            let name = base.display();
            return Err(refuse(&format!("is there already and would become the list of {name}")));
        }
        let is_other =
            |path: &&PathBuf| is_base(path, extension) && path.file_name() != base.file_name();
        match self.bases.get(&stem(base)).into_iter().flatten().find(is_other) {
            Some(other) if needed => {
                Err(refuse(&format!("is the list of {}, too", other.display())))
            }
            _ => Ok(list.to_path_buf()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list of this base in a folder of these files.
    fn list(base: &str, files: &[&'static str]) -> Result<Option<&'static str>, String> {
        let folder = Folder::new(files.iter().map(PathBuf::from));
        let list = folder.list(Path::new(base), "jou")?;
        Ok(list
            .map(|list| *files.iter().find(|file| Path::new(file) == list).expect("one of them")))
    }

    #[test]
    fn a_base_takes_its_own_list_or_the_only_one_that_is_no_others() {
        let year = ["WTHOR.JOU", "WTH_2003.WTB", "WTH_2004.WTB"];
        assert_eq!(list("WTH_2004.WTB", &year), Ok(Some("WTHOR.JOU")));
        let with_own = [&year[..], &["new.wtb", "new.jou"]].concat();
        assert_eq!(list("WTH_2004.WTB", &with_own), Ok(Some("WTHOR.JOU")));
        assert_eq!(list("new.wtb", &with_own), Ok(Some("new.jou")));
        assert_eq!(list("NEW.wtb", &with_own), Ok(Some("new.jou")));
        assert_eq!(list("a.wtb", &["A.jou", "a.JOU", "a.wtb"]), Ok(Some("a.JOU")));
        assert_eq!(list("a.wtb", &["a.wtb", "b.wtb"]), Ok(None));
        // Its own list belongs to no other, whatever kind of file it completes.
        for own in ["b.wtb", "b.wtd", "b.pzz"] {
            let said = list("a.wtb", &["a.wtb", own, "b.jou"]).expect_err(own);
            assert!(said.contains("those of others") && said.ends_with("a.jou."), "{said}");
        }
        let said = list("a.wtb", &["a.wtb", "b.jou", "c.jou"]).expect_err("two lists");
        assert!(said.starts_with("Several .jou files"), "{said}");
    }
}
