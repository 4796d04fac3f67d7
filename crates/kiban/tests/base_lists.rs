//! Bases whose names lie in lists beside them: what is written never changes the names that other
//! bases in the folder are read with.

mod common;

use common::{Ran, kiban};
use std::fs;
use std::path::{Path, PathBuf};

/// A game of these players at this event, as SGF.
fn game(first: &str, second: &str, event: &str) -> String {
    format!(
        "(;GM[2]PB[{first}]PW[{second}]EV[{event}]DT[2024];B[ef];W[fd];B[ec];W[ff];B[ge];W[df];\
         B[eg];W[fe];B[ce])"
    )
}

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("our own folder");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a text")
}

/// Converts a game of these players into a base of this path.
fn write(base: &Path, first: &str, second: &str) -> Ran {
    let source = base.with_extension("source.sgf");
    fs::write(&source, game(first, second, "Cup")).expect("our own file");
    let ran = kiban(&["convert", text(&source), "--to", "wthor", "-o", text(base)]);
    fs::remove_file(source).expect("our own file");
    ran
}

/// The players a base is read with.
fn players(base: &Path) -> String {
    let ran = kiban(&["convert", text(base), "--to", "sgf"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let value = |key: &str| {
        let rest = ran.out.split(&format!("{key}[")).nth(1).unwrap_or("?]");
        rest.split(']').next().unwrap_or_default().to_string()
    };
    format!("{}-{}", value("PB"), value("PW"))
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("our own folder");
    let mut names: Vec<_> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("a text")).collect();
    names.sort();
    names
}

/// A folder as the bases are given out: two years, and one list of names of all of them.
fn years(name: &str) -> PathBuf {
    let path = folder(name);
    let base = path.join("WTHOR.wtb");
    assert_eq!(write(&base, "Ann", "Ben").status, 0);
    fs::copy(&base, path.join("WTH_2003.WTB")).expect("our own file");
    fs::rename(&base, path.join("WTH_2004.WTB")).expect("our own file");
    fs::rename(path.join("WTHOR.jou"), path.join("WTHOR.JOU")).expect("our own file");
    fs::rename(path.join("WTHOR.trn"), path.join("WTHOR.TRN")).expect("our own file");
    path
}

/// A new base brought its own lists, and the others took them for theirs or lost their names.
#[test]
fn a_new_base_leaves_the_names_of_the_others() {
    let path = years("lists-new");
    assert_eq!(players(&path.join("WTH_2003.WTB")), "Ann-Ben");
    let new = path.join("new.wtb");
    let ran = write(&new, "Cyd", "Dan");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for (base, read) in
        [("WTH_2003.WTB", "Ann-Ben"), ("WTH_2004.WTB", "Ann-Ben"), ("new.wtb", "Cyd-Dan")]
    {
        assert_eq!(players(&path.join(base)), read, "{base}");
    }
    // Once more, over its own lists.
    assert_eq!(write(&new, "Eve", "Fay").status, 0);
    assert_eq!(players(&new), "Eve-Fay");
    assert_eq!(players(&path.join("WTH_2004.WTB")), "Ann-Ben");
}

/// A list of that name was written over without a word.
#[test]
fn a_list_of_others_is_not_written_over() {
    let path = years("lists-over");
    let before = names(&path);
    for name in ["WTHOR.wtb", "wthor.WTB"] {
        let ran = write(&path.join(name), "Cyd", "Dan");
        let said = ran.sentence(1);
        assert!(said.contains("WTHOR.JOU is there already and would become the list of"), "{said}");
        assert!(said.contains("name another file or folder"), "{said}");
    }
    assert_eq!(names(&path), before);
    // Two bases of one name share their list.
    let other = path.join("WTHOR.wtd");
    fs::copy(path.join("WTH_2003.WTB"), path.join("WTHOR.wtb")).expect("our own file");
    fs::copy(path.join("WTH_2003.WTB"), &other).expect("our own file");
    let ran = write(&other, "Cyd", "Dan");
    assert!(ran.sentence(1).contains("is the list of"), "{}", ran.err);
    assert_eq!(players(&path.join("WTHOR.wtb")), "Ann-Ben");
}

/// The base had been replaced when its list turned out not to be writable.
#[test]
fn nothing_is_replaced_if_a_list_cannot_be_written() {
    let path = folder("lists-half");
    let base = path.join("y.wtb");
    assert_eq!(write(&base, "Ann", "Ben").status, 0);
    let read = |name: &str| fs::read(path.join(name)).expect("it was written");
    let before = (read("y.wtb"), read("y.trn"));
    // A folder in the list's place.
    fs::remove_file(path.join("y.jou")).expect("our own file");
    fs::create_dir(path.join("y.jou")).expect("our own folder");
    let ran = write(&base, "Cyd", "Dan");
    assert!(ran.sentence(1).contains("y.jou is a folder"), "{}", ran.err);
    assert_eq!((read("y.wtb"), read("y.trn")), before);
    assert_eq!(names(&path), ["y.jou", "y.trn", "y.wtb"], "nothing is left beside them");
}

#[cfg(unix)]
#[test]
fn a_list_that_is_a_pipe_is_not_replaced() {
    let folder = folder("lists-pipe");
    let (base, pipe) = (folder.join("n.wtb"), folder.join("n.trn"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let ran = write(&base, "A", "B");
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("n.trn"), "{}", ran.err);
    assert!(!base.exists() && !fs::metadata(&pipe).expect("it is there").is_file());
}

#[test]
fn a_base_has_a_name_that_shows_it_as_one() {
    let path = folder("lists-name");
    for name in ["new.jou", "new", "new.txt"] {
        let ran = write(&path.join(name), "Ann", "Ben");
        assert!(ran.sentence(1).contains("end it in .wtb or .wtd."), "{}", ran.err);
    }
    assert_eq!(names(&path), [""; 0]);
    // Names have no place beside a device.
    let source = path.join("game.sgf");
    fs::write(&source, game("Ann", "Ben", "Cup")).expect("our own file");
    let ran = kiban(&["convert", text(&source), "--to", "wthor", "-o", "/dev/null"]);
    assert!(ran.sentence(1).contains("cannot hold headers"), "{}", ran.err);
}

/// Numbers without a list were read as those into the list of other bases.
#[test]
fn numbers_without_names_take_no_names_of_others() {
    let alone = folder("lists-alone");
    let year = years("lists-numbers");
    fs::copy(year.join("WTH_2003.WTB"), alone.join("a.wtb")).expect("our own file");
    assert_eq!(players(&alone.join("a.wtb")), "#1-#2");
    let new = year.join("a.wtb");
    let ran = kiban(&["convert", text(&alone.join("a.wtb")), "--to", "wthor", "-o", text(&new)]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(players(&new), "#1-#2");
    assert_eq!(players(&year.join("WTH_2004.WTB")), "Ann-Ben");
}

#[test]
fn lists_of_which_none_is_surely_meant_are_told() {
    let path = years("lists-several");
    fs::copy(path.join("WTHOR.JOU"), path.join("others.jou")).expect("our own file");
    let ran = kiban(&["convert", text(&path.join("WTH_2003.WTB")), "--to", "sgf"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("PB[#1]") && ran.out.contains("EV[Cup]"), "{}", ran.out);
    assert!(ran.err.contains("Several .jou files lie beside it; the names stay numbers."));
    assert!(
        ran.err.trim_end().ends_with("Call the one that is meant WTH_2003.jou."),
        "{}",
        ran.err
    );
}

#[test]
fn a_converted_archive_has_lists_of_its_own_each() {
    let from = folder("lists-archive");
    for (name, first) in [("a", "Ann"), ("b", "Ben"), ("c", "Cyd")] {
        fs::write(from.join(format!("{name}.sgf")), game(first, "Zoe", "Cup")).expect("our file");
    }
    // The folder has a base already, and lists that c would take over.
    let to = years("lists-archived");
    for kind in ["JOU", "TRN"] {
        let list = to.join("WTHOR").with_extension(kind);
        fs::rename(list, to.join("c").with_extension(kind)).expect("our own file");
    }
    let ran = kiban(&["convert", text(&from), "--to", "wthor", "-o", text(&to)]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("c.JOU is there already"), "{}", ran.err);
    assert!(ran.err.contains("2 files written"), "{}", ran.err);
    assert_eq!(players(&to.join("a.wtb")), "Ann-Zoe");
    assert_eq!(players(&to.join("b.wtb")), "Ben-Zoe");
    assert_eq!(players(&to.join("WTH_2003.WTB")), "Ann-Ben");
    // Once more: now they are their own.
    let ran = kiban(&["convert", text(&from), "--to", "wthor", "-o", text(&to)]);
    assert!(ran.err.contains("2 files written"), "{}", ran.err);
}
