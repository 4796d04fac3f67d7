//! `kill -9` at any moment: what was acknowledged is there, and no log has a gap.
//!
//! This shows that acknowledgements follow the commit and that the log recovers. That they follow
//! the sync, too, a killed process cannot show, since the system's page cache survives it.
#![cfg(unix)]

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kiban_store::{NewEvent, NewGame, OpenError, SqliteStore, Store, StoreError};

const CHILD: &str = "KIBAN_STORE_TEST_CHILD";
const GAMES: usize = 6;
const ROUNDS: usize = 10;

fn name(game: usize) -> String {
    format!("game-{game}")
}

fn body(game: usize, n: u32) -> String {
    format!("event {n} of {game}")
}

/// Plays on in each game and prints each number once it is acknowledged, until it is killed. Does
/// nothing when run as a test of its own.
#[test]
fn child() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let store = SqliteStore::open(path).expect("the lock of a killed process is free at once");
    std::thread::scope(|scope| {
        for game in 0..GAMES {
            let store = &store;
            scope.spawn(move || play(store, game));
        }
    });
}

fn play(store: &dyn Store, game: usize) {
    let head = String::new();
    match store.create(NewGame { id: name(game), created_ms: 0, head }).wait() {
        Ok(()) | Err(StoreError::Exists) => {}
        Err(error) => panic!("{error}"),
    }
    let next = store.load(&name(game)).wait().expect("a read").expect("the game").next();
    // Three at once, so that a torn append would show.
    for n in (next..).step_by(3) {
        let events = (n..n + 3).map(|n| NewEvent {
            key: Some(n.to_string()),
            seat: Some(0),
            at_ms: 0,
            body: body(game, n),
        });
        store.append(&name(game), n, events.collect()).wait().expect("an append");
        let mut out = std::io::stdout().lock();
        writeln!(out, "acknowledged {game} {}", n + 2).and_then(|()| out.flush()).expect("a pipe");
    }
}

fn start(path: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child")
}

/// Runs a child for that long and kills it; gives the last acknowledged number of each game.
fn run_and_kill(path: &Path, after: Duration) -> [u32; GAMES] {
    let mut child = start(path);
    let out = BufReader::new(child.stdout.take().expect("its output"));
    let reader = std::thread::spawn(move || {
        let mut last = [0; GAMES];
        for line in out.lines().map_while(Result::ok) {
            // The last line may be torn: it says nothing then, and its event is a bonus.
            let mut words = line.split(' ').skip_while(|word| *word != "acknowledged").skip(1);
            let game = words.next().and_then(|word| word.parse::<usize>().ok());
            let n = words.next().and_then(|word| word.parse::<u32>().ok());
            if let (Some(game), Some(n)) = (game, n) {
                last[game] = last[game].max(n);
            }
        }
        last
    });
    std::thread::sleep(after);
    child.kill().expect("SIGKILL is sent");
    let status = child.wait().expect("its end");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "{status}");
    reader.join().expect("the reader ends")
}

/// Checks each log against what was acknowledged; gives how many events are stored.
fn check(path: &Path, acknowledged: [u32; GAMES]) -> usize {
    let store = SqliteStore::open(path).expect("the store after a kill");
    assert_eq!(store.check().wait(), Ok(vec![]));
    let logs = acknowledged.into_iter().enumerate().map(|(game, last)| {
        // A gap would make the load itself fail.
        let log = store.load(&name(game)).wait().expect("a whole log");
        let events = log.map(|game| game.events).unwrap_or_default();
        assert!(events.len() >= last as usize, "game {game}: {last} was acknowledged");
        assert_eq!(events.len() % 3, 0, "game {game}: a torn append");
        for event in &events {
            assert_eq!(event.body, body(game, event.n));
        }
        events.len()
    });
    logs.sum()
}

#[test]
fn no_acknowledged_event_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    let mut stored = 0;
    for round in 0..ROUNDS {
        let chance = RandomState::new().hash_one(round) % 300;
        let last = run_and_kill(&path, Duration::from_millis(5 + chance));
        let now = check(&path, last);
        println!(
            "round {round}: killed after {} ms, {last:?} acknowledged, {now} stored",
            5 + chance
        );
        assert!(now >= stored, "round {round}: the logs never shrink");
        stored = now;
    }
    assert!(stored > 0, "the children got to write");
}

#[test]
fn another_process_is_refused_until_the_first_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    let mut child = start(&path);
    let out = BufReader::new(child.stdout.take().expect("its output"));
    let mut lines = out.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("acknowledged")), "the child got to write");
    let refused = SqliteStore::open(&path).map(drop);
    child.kill().expect("SIGKILL is sent");
    child.wait().expect("its end");
    let holder = Some(child.id());
    assert!(matches!(refused, Err(OpenError::InUse { pid, .. }) if pid == holder), "{refused:?}");
    SqliteStore::open(&path).expect("the lock of a killed process is free at once");
}
