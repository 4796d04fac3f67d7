//! What a store promises of games, asked through the trait as the server does.

use std::sync::Arc;

use kiban_store::{Appended, Cursor, GameInfo, NewEvent, NewGame, SqliteStore, Store, StoreError};

fn game(id: &str, created_ms: i64) -> NewGame {
    NewGame { id: id.into(), created_ms, head: format!("{{\"of\":\"{id}\"}}") }
}

fn event(body: &str) -> NewEvent {
    NewEvent { key: None, seat: None, at_ms: 7, body: body.into() }
}

fn keyed(seat: Option<u8>, key: &str, body: &str) -> NewEvent {
    NewEvent { key: Some(key.into()), seat, at_ms: 7, body: body.into() }
}

fn store_with(id: &str) -> Arc<dyn Store> {
    let store = SqliteStore::in_memory();
    store.create(game(id, 1)).wait().expect("a game");
    Arc::new(store)
}

fn bodies(store: &dyn Store, id: &str) -> Vec<String> {
    let game = store.load(id).wait().expect("a read").expect("the game");
    game.events.into_iter().map(|event| event.body).collect()
}

fn ids(games: Vec<GameInfo>) -> Vec<String> {
    games.into_iter().map(|game| game.id).collect()
}

#[test]
fn what_goes_in_comes_out() {
    let store = store_with("g");
    let odd = "王\u{0}\"\n";
    let sent = NewEvent { key: Some(odd.into()), seat: Some(255), at_ms: -3, body: odd.into() };
    let answer = store.append("g", 1, vec![sent, event("")]).wait();
    assert_eq!(answer, Ok(Appended::New { first: 1, last: 2 }));
    let game = store.load("g").wait().expect("a read").expect("the game");
    assert_eq!(game.next(), 3);
    assert_eq!(game.info.head, "{\"of\":\"g\"}");
    assert_eq!((game.info.created_ms, game.info.updated_ms, game.info.over), (1, 7, false));
    let [first, second] = &game.events[..] else { panic!("two events: {game:?}") };
    assert_eq!((first.n, first.seat, first.at_ms), (1, Some(255), -3));
    assert_eq!((first.key.as_deref(), first.body.as_str()), (Some(odd), odd));
    assert_eq!((second.n, second.seat, &second.key), (2, None, &None));
}

#[test]
fn a_game_is_made_once() {
    let store = store_with("g");
    assert_eq!(store.create(game("g", 9)).wait(), Err(StoreError::Exists));
    let info = store.load("g").wait().expect("a read").expect("the game").info;
    assert_eq!(info.created_ms, 1);
}

#[test]
fn without_a_game_there_is_nothing_to_do() {
    let store = store_with("g");
    assert_eq!(store.load("x").wait(), Ok(None));
    assert_eq!(store.events_after("x", 0).wait(), Err(StoreError::NoSuchGame));
    assert_eq!(store.mark_over("x", 1).wait(), Err(StoreError::NoSuchGame));
    assert_eq!(store.append("x", 1, vec![event("a")]).wait(), Err(StoreError::NoSuchGame));
}

#[test]
fn a_wrong_number_is_a_conflict() {
    let store = store_with("g");
    store.append("g", 1, vec![event("a")]).wait().expect("an append");
    for first in [0, 1, 3, u32::MAX] {
        let answer = store.append("g", first, vec![event("b")]).wait();
        assert_eq!(answer, Err(StoreError::Conflict { first, next: 2 }));
    }
    assert_eq!(bodies(&*store, "g"), ["a"]);
}

#[test]
fn the_same_key_is_stored_once() {
    let store = store_with("g");
    store.append("g", 1, vec![event("deal"), keyed(Some(0), "k", "a")]).wait().expect("an append");
    store.append("g", 3, vec![event("more")]).wait().expect("an append");
    for first in [1, 2, 4, 99] {
        let again = store.append("g", first, vec![event("new"), keyed(Some(0), "k", "a")]).wait();
        assert_eq!(again, Ok(Appended::Already(2)), "whatever number is expected");
    }
    assert_eq!(bodies(&*store, "g"), ["deal", "a", "more"]);
}

#[test]
fn a_key_counts_per_game_and_seat() {
    let store = store_with("g");
    store.create(game("h", 1)).wait().expect("a second game");
    let seats = [Some(0), Some(1), None];
    for (first, seat) in (1..).zip(seats) {
        let answer = store.append("g", first, vec![keyed(seat, "k", "a")]).wait();
        assert_eq!(answer, Ok(Appended::New { first, last: first }));
    }
    for (n, seat) in (1..).zip(seats) {
        let again = store.append("g", 4, vec![keyed(seat, "k", "a")]).wait();
        assert_eq!(again, Ok(Appended::Already(n)), "also without a seat");
    }
    let elsewhere = store.append("h", 1, vec![keyed(Some(0), "k", "a")]).wait();
    assert_eq!(elsewhere, Ok(Appended::New { first: 1, last: 1 }));
}

#[test]
fn a_repeat_that_waits_with_the_original_is_seen() {
    let store = store_with("g");
    let pending: Vec<_> =
        (0..50).map(|_| store.append("g", 1, vec![keyed(Some(0), "k", "a")])).collect();
    let answers: Vec<_> = pending.into_iter().map(|p| p.wait().expect("an answer")).collect();
    assert_eq!(answers[0], Appended::New { first: 1, last: 1 });
    assert!(answers[1..].iter().all(|answer| *answer == Appended::Already(1)));
    assert_eq!(bodies(&*store, "g"), ["a"]);
}

#[test]
fn an_append_is_all_or_nothing() {
    let store = store_with("g");
    let twice = vec![event("a"), keyed(Some(1), "k", "b"), keyed(Some(1), "k", "c")];
    assert!(matches!(store.append("g", 1, twice).wait(), Err(StoreError::Invalid { .. })));
    assert!(matches!(store.append("g", 1, vec![]).wait(), Err(StoreError::Invalid { .. })));
    let stale = vec![event("a"), event("b")];
    assert!(matches!(store.append("g", 2, stale).wait(), Err(StoreError::Conflict { .. })));
    assert_eq!(bodies(&*store, "g"), [""; 0]);
}

#[test]
fn events_after_a_number() {
    let store = store_with("g");
    assert_eq!(store.events_after("g", 0).wait(), Ok(vec![]));
    let three = ["a", "b", "c"].map(event).to_vec();
    store.append("g", 1, three).wait().expect("an append");
    let after = |n| -> Vec<u32> {
        store.events_after("g", n).wait().expect("a read").iter().map(|event| event.n).collect()
    };
    assert_eq!(after(0), [1, 2, 3]);
    assert_eq!(after(2), [3]);
    assert_eq!(after(3), [0; 0]);
    assert_eq!(after(u32::MAX), [0; 0]);
}

#[test]
fn lists_are_paged_newest_first() {
    let store = SqliteStore::in_memory();
    for (id, created_ms) in [("a", 5), ("b", 5), ("c", 4), ("d", 9), ("e", -2)] {
        store.create(game(id, created_ms)).wait().expect("a game");
    }
    let all = ids(store.list(100, None).wait().expect("a list"));
    assert_eq!(all, ["d", "b", "a", "c", "e"]);
    let mut paged = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let page = store.list(2, cursor.as_ref()).wait().expect("a page");
        let Some(last) = page.last() else { break };
        cursor = Some(last.cursor());
        paged.extend(ids(page));
    }
    assert_eq!(paged, all);
}

#[test]
fn a_game_marked_as_over_is_not_unfinished() {
    let store = SqliteStore::in_memory();
    for (id, created_ms) in [("a", 5), ("b", 3), ("c", 4)] {
        store.create(game(id, created_ms)).wait().expect("a game");
    }
    for _ in 0..2 {
        assert_eq!(store.mark_over("c", 8).wait(), Ok(()));
    }
    assert_eq!(ids(store.unfinished().wait().expect("a list")), ["b", "a"]);
    let info = store.load("c").wait().expect("a read").expect("the game").info;
    assert_eq!((info.over, info.updated_ms), (true, 8));
}

#[test]
fn a_thousand_appends_of_eight_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    let store = SqliteStore::open(&path).expect("a store");
    let name = |thread: usize| format!("game-{thread}");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let store = &store;
            scope.spawn(move || {
                // Asked for without waiting, as many games at once would: they share commits.
                let made = store.create(game(&name(thread), 1));
                let pending: Vec<_> = (1..=125)
                    .map(|n| store.append(&name(thread), n, vec![event(&n.to_string())]))
                    .collect();
                assert_eq!(made.wait(), Ok(()));
                for (n, pending) in (1..).zip(pending) {
                    assert_eq!(pending.wait(), Ok(Appended::New { first: n, last: n }));
                }
            });
        }
    });
    drop(store);
    let store = SqliteStore::open(&path).expect("the store again");
    for thread in 0..8 {
        let expected: Vec<_> = (1..=125).map(|n| n.to_string()).collect();
        assert_eq!(bodies(&store, &name(thread)), expected);
    }
    assert_eq!(store.check().wait(), Ok(vec![]));
}

#[test]
fn what_was_asked_for_is_done_before_the_store_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kiban.db");
    let store = SqliteStore::open(&path).expect("a store");
    let made = store.create(game("g", 1));
    let pending: Vec<_> = (1..=300).map(|n| store.append("g", n, vec![event("a")])).collect();
    drop(store);
    assert_eq!(made.wait(), Ok(()));
    assert!(pending.into_iter().all(|pending| pending.wait().is_ok()));
    let store = SqliteStore::open(&path).expect("the store again");
    assert_eq!(bodies(&store, "g").len(), 300);
}

#[test]
fn answers_can_be_awaited() {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
    let store = store_with("g");
    let task = runtime.spawn(async move {
        store.append("g", 1, vec![event("a")]).await?;
        store.load("g").await
    });
    let game = runtime.block_on(task).expect("the task ends").expect("a read").expect("the game");
    assert_eq!(game.events.len(), 1);
}

#[test]
fn too_much_at_once_is_refused_and_what_was_taken_is_done() {
    let store = store_with("g");
    let large = "x".repeat(1 << 20);
    let pending: Vec<_> =
        (0..200).map(|_| store.append("g", 1, vec![keyed(Some(0), "k", &large)])).collect();
    let mut refused = 0;
    for (i, pending) in pending.into_iter().enumerate() {
        match pending.wait() {
            Ok(Appended::New { first: 1, last: 1 }) => assert_eq!(i, 0),
            Ok(Appended::Already(1)) => {}
            Err(StoreError::Overloaded) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    // How many depends on the machine's speed; the queue must take the next one all the same.
    assert!(refused < 200);
    let after = store.append("g", 2, vec![event("b")]).wait();
    assert_eq!(after, Ok(Appended::New { first: 2, last: 2 }));
}
