//! Which files are opened, which are refused and how, and who may read them.

use std::fs;
use std::path::Path;

use kiban_store::{NewGame, OpenError, SqliteStore, Store, StoreError};

fn refusal(path: &Path) -> OpenError {
    let error = SqliteStore::open(path).expect_err("a refusal");
    let text = error.to_string();
    assert!(
        !text.contains('\n')
            && text.contains(&*path.file_name().expect("a name").to_string_lossy()),
        "{text}"
    );
    error
}

fn make(path: &Path) {
    let store = SqliteStore::open(path).expect("a store");
    let game = NewGame { id: "g".into(), created_ms: 1, head: "{}".into() };
    store.create(game).wait().expect("a game");
}

#[test]
fn a_second_open_is_refused_until_the_first_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    make(&path);
    let first = SqliteStore::open(&path).expect("a store");
    for _ in 0..2 {
        let error = refusal(&path);
        let pid = std::process::id();
        assert!(matches!(error, OpenError::InUse { pid: Some(p), .. } if p == pid), "{error:?}");
    }
    assert!(first.load("g").wait().expect("a read").is_some(), "the first goes on");
    drop(first);
    let again = SqliteStore::open(&path).expect("the store again");
    assert!(again.load("g").wait().expect("a read").is_some());
}

#[cfg(unix)]
#[test]
fn another_name_of_the_same_file_is_the_same_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    let first = SqliteStore::open(&link).expect("a store, made where the link points");
    assert!(path.is_file());
    assert!(matches!(SqliteStore::open(&path), Err(OpenError::InUse { .. })));
    drop(first);
    SqliteStore::open(&path).expect("the store again");
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    make(&path);
    let db = rusqlite::Connection::open(&path).expect("the database");
    db.execute("UPDATE meta SET value = '4711' WHERE key = 'schema'", []).expect("an update");
    drop(db);
    let before = fs::read(&path).expect("the file");
    let error = refusal(&path);
    assert!(matches!(error, OpenError::NewerSchema { found: 4711, known: 1, .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("4711") && text.contains(" 1 "), "both numbers: {text}");
    assert_eq!(fs::read(&path).expect("the file"), before);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("short", "kifu".to_owned()), ("long", "kifu ".repeat(5000))] {
        let path = folder.path().join(name);
        fs::write(&path, &text).expect("a file");
        let error = refusal(&path);
        assert!(matches!(error, OpenError::NotADatabase { .. }), "{error:?}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    }
    let error = refusal(folder.path());
    assert!(matches!(error, OpenError::NotADatabase { .. }), "a folder: {error:?}");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let sql = ["CREATE TABLE meta (key, value)", "PRAGMA application_id = 77"];
    for (name, sql) in ["places.db", "empty.db"].iter().zip(sql) {
        let path = folder.path().join(name);
        rusqlite::Connection::open(&path).and_then(|db| db.execute_batch(sql)).expect("a database");
        let before = fs::read(&path).expect("the file");
        let error = refusal(&path);
        assert!(matches!(error, OpenError::Foreign { .. }), "{error:?}");
        assert_eq!(fs::read(&path).expect("the file"), before);
    }
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    fs::write(&path, "").expect("a file");
    make(&path);
}

#[test]
fn a_damaged_database_is_an_error_not_a_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    make(&path);
    let mut bytes = fs::read(&path).expect("the file");
    bytes[100..4096].fill(0xAA);
    fs::write(&path, bytes).expect("a damaged file");
    let error = refusal(&path);
    assert!(matches!(error, OpenError::Database { .. }), "{error:?}");
}

/// Tests may run as root, whom modes do not stop; no one can write below a file or in `/proc`.
#[test]
fn a_folder_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    let mut places = vec![file.join("kiban.db"), file.join("deeper").join("kiban.db")];
    if cfg!(target_os = "linux") {
        places.push("/proc/kiban/kiban.db".into());
        places.push("/proc/self/kiban.db".into());
    }
    for path in places {
        let error = SqliteStore::open(&path).expect_err("a refusal");
        assert!(matches!(error, OpenError::NotWritable { .. }), "{error:?}");
        assert!(error.to_string().contains("choose another place"), "{error}");
    }
}

#[cfg(unix)]
mod modes {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("the file").permissions().mode() & 0o777
    }

    fn modes(folder: &Path) -> Vec<(String, u32)> {
        let entries =
            fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path());
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut modes: Vec<_> = entries.map(|path| (name(&path), mode(&path))).collect();
        modes.sort();
        modes
    }

    const PRIVATE: [&str; 4] = ["kiban.db", "kiban.db-shm", "kiban.db-wal", "kiban.db.lock"];

    #[test]
    fn what_is_made_is_for_its_owner_alone() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("share").join("kiban");
        let path = folder.join("kiban.db");
        make(&path);
        let store = SqliteStore::open(&path).expect("a store");
        store.mark_over("g", 1).wait().expect("a write");
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&outer.path().join("share")), 0o700);
        assert_eq!(modes(&folder), PRIVATE.map(|name| (name.to_owned(), 0o600)));
    }

    #[test]
    fn a_readable_database_is_taken_from_the_eyes_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
        let path = folder.path().join("kiban.db");
        make(&path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("a mode");
        let store = SqliteStore::open(&path).expect("a store");
        store.mark_over("g", 1).wait().expect("a write");
        assert_eq!(modes(folder.path()), PRIVATE.map(|name| (name.to_owned(), 0o600)));
        assert_eq!(mode(folder.path()), 0o755, "a folder that was there is not ours to change");
    }
}

#[cfg(unix)]
#[test]
fn a_database_that_was_taken_away_acknowledges_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    let store = SqliteStore::open(&path).expect("a store");
    let create = |id: &str| {
        let game = NewGame { id: id.into(), created_ms: 1, head: "{}".into() };
        store.create(game).wait()
    };
    create("a").expect("a game");
    for name in ["kiban.db", "kiban.db-wal"] {
        let (file, away) = (folder.path().join(name), folder.path().join("away"));
        fs::rename(&file, &away).expect("it is moved");
        assert!(matches!(create(name), Err(StoreError::Gone { .. })), "{name}");
        fs::write(&file, "another file").expect("a file of the same name");
        assert!(matches!(create(name), Err(StoreError::Gone { .. })));
        fs::rename(&away, &file).expect("it is put back");
        create(name).expect("a game");
    }
    drop(store);
    let store = SqliteStore::open(&path).expect("the store again");
    assert_eq!(store.list(9, None).wait().expect("a list").len(), 3);
}
