//! When something breaks, nothing acknowledged is lost and nothing else is acknowledged.

use super::client::{Server, id_of, pair};
use kiban_store::{
    Appended, Cursor, Event, GameInfo, NewEvent, NewGame, Pending, SqliteStore, Store, StoreError,
    StoredGame,
};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A store whose disk is full at will.
struct Flaky {
    store: SqliteStore,
    full: AtomicBool,
    /// Writes, then says that it did not.
    lies: AtomicBool,
}

impl Flaky {
    fn new() -> Arc<Flaky> {
        let (full, lies) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Flaky { store: SqliteStore::in_memory(), full, lies })
    }

    fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::SeqCst);
    }

    fn check<T>(&self, pending: impl FnOnce() -> Pending<T>) -> Pending<T> {
        if self.full.load(Ordering::SeqCst) {
            return Pending::ready(Err(StoreError::DiskFull));
        }
        pending()
    }
}

impl Store for Flaky {
    fn create(&self, game: NewGame) -> Pending<()> {
        self.check(|| self.store.create(game))
    }
    fn append(&self, game: &str, first: u32, events: Vec<NewEvent>) -> Pending<Appended> {
        let answer = self.check(|| self.store.append(game, first, events));
        if self.lies.swap(false, Ordering::SeqCst) {
            answer.wait().unwrap();
            return Pending::ready(Err(StoreError::Io { what: "pulled plug".into() }));
        }
        answer
    }
    fn mark_over(&self, game: &str, at_ms: i64) -> Pending<()> {
        self.check(|| self.store.mark_over(game, at_ms))
    }
    fn load(&self, game: &str) -> Pending<Option<StoredGame>> {
        self.store.load(game)
    }
    fn events_after(&self, game: &str, n: u32) -> Pending<Vec<Event>> {
        self.store.events_after(game, n)
    }
    fn list(&self, limit: u32, before: Option<&Cursor>) -> Pending<Vec<GameInfo>> {
        self.store.list(limit, before)
    }
    fn unfinished(&self) -> Pending<Vec<GameInfo>> {
        self.store.unfinished()
    }
}

#[tokio::test]
async fn what_is_not_stored_did_not_happen() {
    let store = Flaky::new();
    let server = Server::on(store.clone());
    let clock = json!({ "clock": { "main_ms": 600_000 } });
    let (mut first, mut second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    let mut stream = second.follow(&id, "").await;
    stream.view().await;
    server.app.skip(20_000);
    store.set_full(true);
    let order = json!({ "id": "m", "ply": 0, "move": "take1" });
    first.act(&id, order.clone()).await.fails(503, "not-stored");
    let view = first.view(&id).await;
    assert_eq!((&view["ply"], &view["position"]), (&json!(0), &json!("12 first")));
    let left = view["clock"]["left"][0]["main_ms"].as_u64().unwrap();
    assert!(left <= 580_000, "the clock went on: {left}");
    store.set_full(false);
    first.act(&id, order).await.is(200);
    let pushed = stream.until(|v| v["ply"] != 0).await;
    assert_eq!(pushed["ply"], 1);
    second.plays(&id, 1, "take1").await;
    store.set_full(true);
    first
        .post("/api/games", json!({ "game": "stones", "mode": "screen" }))
        .await
        .fails(503, "not-stored");
    assert!(server.logged("disk"));
}

#[tokio::test]
async fn what_was_stored_after_all_is_not_done_twice() {
    let store = Flaky::new();
    let server = Server::on(store.clone());
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    store.lies.store(true, Ordering::SeqCst);
    let order = json!({ "id": "m", "ply": 0, "move": "take1" });
    first.act(&id, order.clone()).await.fails(503, "not-stored");
    let again = first.act(&id, order).await.is(200).json();
    assert_eq!((&again["n"], &again["view"]["ply"]), (&json!(3), &json!(1)));
}

#[tokio::test]
async fn a_task_that_falls_over_is_opened_again_from_its_log() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    first.plays(&id, 0, "take1").await;
    let mut stream = second.follow(&id, "").await;
    let before = stream.view().await;
    let boom = json!({ "id": "b", "ply": 1, "move": "boom" });
    second.act(&id, boom).await.fails(500, "stumbled");
    while stream.message().await.is_some() {}
    assert!(server.logged("fell over"));
    let mut stream = second.follow(&id, "").await;
    assert_eq!(stream.view().await["seen"], before["seen"]);
    second.plays(&id, 1, "take2").await;
    assert_eq!(first.view(&id).await["ply"], 2);
}

#[tokio::test]
async fn idle_games_leave_memory_and_come_back() {
    let server = Server::new();
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let view = first.plays(&id, 0, "take1").await;
    assert_eq!(server.app.rooms.count(), 1);
    let stream = first.follow(&id, "").await;
    server.app.idle_ms.store(30, Ordering::Relaxed);
    first.view(&id).await;
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(server.app.rooms.count(), 1, "somebody looks");
    drop(stream);
    while server.app.rooms.count() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let again = first.view(&id).await;
    assert_eq!((&again["n"], &again["seen"]), (&view["n"], &view["seen"]));
}

#[tokio::test]
async fn a_running_clock_keeps_a_game_in_memory_until_it_flags() {
    let server = Server::new();
    server.app.idle_ms.store(20, Ordering::Relaxed);
    let clock = json!({ "clock": { "main_ms": 300 } });
    let (_, _, made) = pair(&server, clock).await;
    assert_eq!(server.app.rooms.count(), 1);
    while server.app.rooms.count() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let stored = server.app.store.load(&id_of(&made)).await.unwrap().unwrap();
    assert!(stored.info.over && stored.events.last().unwrap().body.contains("timeout"));
}

#[tokio::test]
async fn a_restart_takes_up_running_clocks_and_charges_no_downtime() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    let server = Server::on(Arc::clone(&store));
    let clock = json!({ "clock": { "main_ms": 60_000 } });
    let (mut first, second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    server.app.skip(10_000);
    first.plays(&id, 0, "take1").await;
    drop(server);

    let again = Server::on(Arc::clone(&store));
    again.app.skip(24 * 60 * 60_000);
    crate::rooms::take_up(&again.app).await;
    assert_eq!(again.app.rooms.count(), 1);
    let mut back = again.same(&second);
    let view = back.view(&id).await;
    let left = |i: usize| view["clock"]["left"][i]["main_ms"].as_u64().unwrap();
    assert!((45_000..=50_000).contains(&left(0)), "{view}");
    assert!(left(1) > 59_000, "{view}");
    assert_eq!(view["may_claim"], false, "everybody gets the time to come back");
    again.app.skip(60_000);
    back.view(&id).await;
    assert_eq!(back.view(&id).await["outcome"]["reason"], "timeout");
}

#[tokio::test]
async fn a_timeout_that_cannot_be_stored_is_stored_later() {
    let store = Flaky::new();
    let server = Server::on(store.clone());
    let clock = json!({ "clock": { "main_ms": 300 } });
    let (_, mut second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    store.set_full(true);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let tries = server.log.lock().unwrap().iter().filter(|l| l.contains("disk")).count();
    assert!((1..=3).contains(&tries), "it waits before it tries again: {tries}");
    store.set_full(false);
    let mut stream = second.follow(&id, "").await;
    let view = stream.until(|v| v["stage"] == "over").await;
    assert_eq!(view["outcome"]["reason"], "timeout");
    second.view(&id).await;
}

#[tokio::test]
async fn a_log_cannot_grow_for_ever_and_moves_are_never_refused_for_offers() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    let before = Server::on(Arc::clone(&store));
    let (first, second, made) = pair(&before, json!({})).await;
    let id = id_of(&made);
    let body = r#"{"declined":{"seat":"first","what":"draw"}}"#.to_string();
    let event = NewEvent { key: None, seat: Some(0), at_ms: 0, body };
    let many = vec![event; crate::room::MOST_EVENTS as usize - 2];
    store.append(&id, 3, many).await.unwrap();
    let server = Server::on(store);
    let (mut first, mut second) = (server.same(&first), server.same(&second));
    let offer = json!({ "id": "o", "offer": "draw" });
    first.act(&id, offer).await.fails(409, "too-many-offers");
    first.act(&id, json!({ "id": "m", "move": "take1" })).await.is(200);
    second.act(&id, json!({ "id": "n", "move": "take1" })).await.is(200);
    second.act(&id, json!({ "id": "r", "call": "resign" })).await.is(200);
}
