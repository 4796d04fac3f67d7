//! The computer's seats.

use super::client::{Browser, Server, id_of};
use crate::pool::{Purpose, Wish};
use kiban_core::Stop;
use kiban_testkit::toys::stones;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

async fn against(server: &Server, level: u8, more: Value) -> (Browser, String) {
    let mut person = server.browser();
    let mut wish = json!({
        "game": "stones", "mode": "computer",
        "players": [{ "kind": "person" }, { "kind": "computer", "level": level }],
    });
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = person.create(wish).await;
    (person, id_of(&made))
}

#[tokio::test]
async fn the_computer_answers() {
    let server = Server::new();
    let (mut person, id) = against(&server, 7, json!({})).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "take2").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert_eq!(view["seen"][1]["text"], "take2", "it leaves a multiple of four");
    assert_eq!(view["players"][1]["level"], 7);
    let back = json!({ "id": "back", "ply": 2, "offer": "take-back" });
    let view = person.act(&id, back).await.is(200).json()["view"].take();
    assert_eq!(view["ply"], 0, "its answer goes with the move");
    assert_eq!(view["may_offer"], json!([]));
}

#[tokio::test]
async fn the_computer_begins_where_it_moves_first() {
    let server = Server::new();
    let players = json!([{ "kind": "computer", "level": 9 }, { "kind": "person" }]);
    let (person, id) = against(&server, 9, json!({ "players": players })).await;
    let view = person.follow(&id, "").await.until(|v| v["ply"] == 1).await;
    assert_eq!((&view["viewer"], &view["to_move"]), (&json!("second"), &json!("second")));
}

#[tokio::test]
async fn an_engine_that_falls_over_is_tried_again() {
    let server = Server::new();
    let (mut person, id) = against(&server, stones::PANICS_ONCE, json!({})).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "take1").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert_eq!(view["seen"][1]["text"], "take3", "its own move, not the first there is");
    assert!(server.logged("falls over once"));
}

#[tokio::test]
async fn the_game_goes_on_without_an_engine() {
    for level in [stones::PANICS, stones::CHEATS] {
        let server = Server::new();
        let (mut person, id) = against(&server, level, json!({})).await;
        let mut stream = person.follow(&id, "").await;
        person.plays(&id, 0, "take1").await;
        let view = stream.until(|v| v["ply"] == 2).await;
        assert_eq!(view["seen"][1]["text"], "take1", "the first legal move");
        assert!(server.logged("engine"));
    }
}

#[tokio::test]
async fn a_search_ends_when_the_game_moves_on() {
    let server = Server::new();
    let (mut person, id) = against(&server, stones::SLOW, json!({})).await;
    let view = person.plays(&id, 0, "take1").await;
    assert_eq!(view["thinking"], true);
    while server.app.pool.running() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let back = json!({ "id": "back", "ply": 1, "offer": "take-back" });
    let view = person.act(&id, back).await.is(200).json()["view"].take();
    assert_eq!((&view["ply"], &view["thinking"]), (&json!(0), &json!(false)));
    stops(&server).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(person.view(&id).await["ply"], 0, "what it found is not played");
}

/// Waits for the search to end, long before it would by itself.
pub(super) async fn stops(server: &Server) {
    let began = Instant::now();
    while server.app.pool.running() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(began.elapsed() < Duration::from_secs(3), "the search goes on");
    }
}

#[tokio::test]
async fn a_search_ends_with_its_game() {
    let server = Server::new();
    let (mut person, id) = against(&server, stones::SLOW, json!({})).await;
    person.plays(&id, 0, "take1").await;
    while server.app.pool.running() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    person.act(&id, json!({ "id": "r", "call": "resign" })).await.is(200);
    stops(&server).await;
}

#[tokio::test]
async fn with_a_clock_the_computer_keeps_within_it() {
    let server = Server::new();
    let clock = json!({ "clock": { "main_ms": 3_000 } });
    let (mut person, id) = against(&server, stones::SLOW, clock).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "take1").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert!(view["seen"][1]["spent_ms"].as_u64().unwrap() < 1_500, "{view}");
}

/// Has the pool do something for this purpose until the switch is thrown.
async fn occupy(server: &Server, purpose: Purpose) -> Stop {
    let stop = Stop::default();
    let wish = Wish { purpose, owner: "somebody".to_string(), stop: stop.clone() };
    let (seen, running) = (stop.clone(), server.app.pool.running());
    let endless = move |_: &mut _| {
        while !seen.stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let answer = server.app.pool.submit(wish, endless).unwrap();
    tokio::spawn(answer);
    while server.app.pool.running() == running {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop
}

#[tokio::test]
async fn an_open_analysis_does_not_stop_the_computer() {
    let server = Server::new();
    let _study = occupy(&server, Purpose::Study).await;
    let (mut person, id) = against(&server, 7, json!({ "clock": { "main_ms": 20_000 } })).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "take2").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert!(view["seen"][1]["spent_ms"].as_u64().unwrap() < 5_000, "{view}");
}

#[tokio::test]
async fn the_clock_of_a_computer_stands_until_it_can_think() {
    let server = Server::new();
    let busy = [occupy(&server, Purpose::Game).await, occupy(&server, Purpose::Game).await];
    let (mut person, id) = against(&server, 7, json!({ "clock": { "main_ms": 20_000 } })).await;
    let mut stream = person.follow(&id, "").await;
    // What the server itself takes is not what is measured here.
    let now = server.app.now_ms();
    server.app.stand_still(now);
    let view = person.plays(&id, 0, "take2").await;
    assert_eq!((&view["thinking"], &view["clock"]["running"]), (&json!(true), &Value::Null));
    server.app.stand_still(now + 60_000);
    let view = person.view(&id).await;
    assert_eq!((&view["stage"], &view["ply"]), (&json!("play"), &json!(1)));
    assert_eq!(view["clock"]["left"][1]["main_ms"], 20_000);
    busy.iter().for_each(Stop::stop);
    let view = stream.until(|v| v["ply"] == 2).await;
    assert!(view["seen"][1]["spent_ms"].as_u64().unwrap() < 10_000, "{view}");
}
