//! The tidy test: the workspace keeps its own rules. Each check is a function from files to a
//! list of faults, so that `fixtures` can show that it fails where it should.

mod fixtures;
mod manifests;
mod sources;
mod text;

use std::path::Path;

/// A file of the workspace: its path from the root with `/`, and its text.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, e)| extensions.contains(&e))
    }
}

/// Every text file of the workspace, sorted by path.
fn workspace() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/testkit");
    let mut files = Vec::new();
    gather(root, root, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 50, "the workspace has more than {} files", files.len());
    files
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<File>) {
    for entry in std::fs::read_dir(folder).expect("the workspace is readable") {
        let path = entry.expect("the workspace is readable").path();
        let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
        let built = name.starts_with("target") || name == "node_modules";
        if path.is_symlink() || (path.is_dir() && (built || name.starts_with(".git"))) {
            continue;
        }
        if path.is_dir() {
            gather(root, &path, files);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let path = path.strip_prefix(root).expect("it is below the root");
            files.push(File { path: path.to_string_lossy().replace('\\', "/"), text });
        }
    }
}

fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn dependencies_follow_the_table() {
    none(manifests::dependencies(&workspace()));
}

#[test]
fn every_game_is_registered() {
    none(manifests::registered(&workspace()));
}

#[test]
fn the_lock_file_is_short() {
    none(manifests::lock(&workspace()));
}

#[test]
fn no_game_is_named_outside_its_folder() {
    none(sources::game_ids(&workspace()));
}

#[test]
fn functions_and_files_are_short() {
    none(sources::lengths(&workspace()));
}

#[test]
fn nothing_is_left_undone() {
    none(sources::left_undone(&workspace()));
}

#[test]
fn unsafe_code_is_where_it_is_listed() {
    none(sources::unsafe_code(&workspace()));
}

#[test]
fn no_path_of_one_machine_is_written_down() {
    none(sources::machine_paths(&workspace()));
}
