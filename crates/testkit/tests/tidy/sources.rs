//! What stands in the sources.

use crate::{File, manifests, text};

/// Lines of a function at most.
const FUNCTION: usize = 60;
/// Lines of a file at most.
const FILE: usize = 800;

/// Functions that may be longer, by file and name: search nodes, which are one thought.
const LONG_FUNCTIONS: &[(&str, &str)] = &[];

/// Files with `unsafe` code, each block with a SAFETY note.
const UNSAFE: &[&str] = &[
    "games/othello/src/bitboard/avx2.rs",
    "games/othello/src/bitboard/avx512.rs",
    "games/shogi/src/perft/cpu.rs",
];

/// Places where a game's id may stand outside its folder: file, id, why.
const NAMED: &[(&str, &str, &str)] = &[];

fn is_test(path: &str) -> bool {
    let folders = ["/tests/", "/benches/", "/examples/"];
    folders.iter().any(|folder| path.contains(folder)) || path.ends_with("/tests.rs")
}

fn rust(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|f| f.has_extension(&["rs"]))
}

/// Code of a file that is shipped: no tests, comments or strings.
fn shipped(file: &File) -> String {
    let code = text::rust_code(&file.text);
    text::without_tests(&code, &code)
}

/// Game ids in code, strings, styles and messages outside `games/` and the registry. Comments
/// may name a game as an example.
pub(crate) fn game_ids(files: &[File]) -> Vec<String> {
    let ids = manifests::game_ids(files);
    let mut faults = Vec::new();
    for file in files {
        let general = file.path.starts_with("crates/") && !file.path.starts_with("crates/games/");
        if !general || is_test(&file.path) || !file.has_extension(&["rs", "js", "css", "ftl"]) {
            continue;
        }
        let said = match file.path.rsplit_once('.') {
            Some((_, "rs")) => {
                let code = text::rust_code(&file.text);
                text::without_tests(&code, &text::rust_without_comments(&file.text))
            }
            Some((_, extension)) => text::without_other_comments(&file.text, extension),
            None => continue,
        };
        for id in &ids {
            if NAMED.iter().any(|(path, named, _)| *path == file.path && named == id) {
                continue;
            }
            for line in text::lines_with(&said, id) {
                faults.push(format!("{}:{line} names the game {id}", file.path));
            }
        }
    }
    faults
}

/// Functions and files that are too long.
pub(crate) fn lengths(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|f| f.has_extension(&["rs", "js", "css"])) {
        let lines = file.text.lines().count();
        if lines > FILE {
            faults.push(format!("{} has {lines} lines; {FILE} is the most", file.path));
        }
    }
    for file in rust(files) {
        for (name, line, lines) in text::functions(&text::rust_code(&file.text)) {
            let listed = LONG_FUNCTIONS.contains(&(file.path.as_str(), name.as_str()));
            if lines > FUNCTION && !listed {
                let path = &file.path;
                faults.push(format!(
                    "{path}:{line} {name} has {lines} lines; {FUNCTION} is the most"
                ));
            }
        }
    }
    faults
}

/// Stubs, tests left out, and `unwrap` in code that is shipped.
pub(crate) fn left_undone(files: &[File]) -> Vec<String> {
    const NEVER: [&str; 4] = ["todo!", "unimplemented!", "dbg!", "#[ignore"];
    let mut faults = Vec::new();
    for file in rust(files) {
        let code = text::rust_code(&file.text);
        let mut look = |code: &str, words: &[&str]| {
            for (i, line) in code.lines().enumerate() {
                let found = words.iter().find(|word| line.contains(*word));
                faults.extend(found.map(|word| format!("{}:{} has {word}", file.path, i + 1)));
            }
        };
        look(&code, &NEVER);
        if !is_test(&file.path) {
            look(&shipped(file), &[".unwrap()"]);
        }
    }
    faults
}

/// `unsafe` outside the listed files, and listed files without it.
pub(crate) fn unsafe_code(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in rust(files) {
        // The keyword, or the lint lifted; not a name that has the word in it.
        let code = text::rust_code(&file.text).replace('_', "x");
        let lifted = |line: &&str| {
            ["allow", "expect"].iter().any(|w| line.contains(&format!("{w}(unsafexcode")))
        };
        let lint = code.lines().position(|line| lifted(&line)).map(|i| i + 1);
        let first = text::lines_with(&code, "unsafe").first().copied().or(lint);
        let listed = UNSAFE.contains(&file.path.as_str());
        match first {
            Some(line) if !listed => {
                faults.push(format!("{}:{line} is unsafe and the file is not listed", file.path));
            }
            None if listed => faults.push(format!("{} is listed and not unsafe", file.path)),
            _ => {}
        }
    }
    faults
}

/// Absolute paths of somebody's machine, in any text file.
pub(crate) fn machine_paths(files: &[File]) -> Vec<String> {
    // Said in pieces, so that this file passes.
    let roots =
        [["/wo", "rk/"], ["/ho", "me/"], ["/Us", "ers/"], ["/ro", "ot/"], [":\\Us", "ers\\"]];
    let roots = roots.map(|halves| halves.concat());
    let mut faults = Vec::new();
    for file in files {
        for (i, line) in file.text.lines().enumerate() {
            let begins = |root: &String| {
                line.match_indices(root.as_str()).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| {
                        root.starts_with(':') || !c.is_alphanumeric() && !"._-~/}$".contains(c)
                    })
                })
            };
            if roots.iter().any(begins) {
                faults.push(format!("{}:{} has a path of one machine", file.path, i + 1));
            }
        }
    }
    faults
}
