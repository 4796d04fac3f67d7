//! The analysis route.

use super::client::{HOST, Server};
use super::computer::stops;
use crate::limits::MOST_LARGE_ANSWERS;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use kiban_play::LONGEST_GAME;
use kiban_testkit::toys::stones::SLOW_LINES;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tower::ServiceExt;

const PATH: &str = "/api/analysis/stones";

#[tokio::test]
async fn a_position_with_moves_and_taps_put_after_it() {
    let server = Server::new();
    let mut browser = server.browser();
    let asked = json!({ "position": "9 second", "moves": ["take2"], "taps": ["pile", "3"] });
    let answer = browser.post(PATH, asked).await.is(200).json();
    assert_eq!(answer["position"], "4 second");
    assert_eq!(answer["to_move"], "second");
    assert_eq!(answer["choices"].as_array().unwrap().len(), 3);
    let plies = answer["record"]["plies"].as_array().unwrap();
    let texts: Vec<_> = plies.iter().map(|p| p["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["", "take2", "take3"]);
    let places: Vec<_> = plies.iter().map(|p| p["position"].as_str().unwrap()).collect();
    assert_eq!(places, ["9 second", "7 first", "4 second"]);
    assert_eq!((&answer["outcome"], &answer["error"]), (&Value::Null, &Value::Null));
    assert!(browser.cookie.is_none());
}

#[tokio::test]
async fn a_record_is_read_and_judged() {
    let server = Server::new();
    let mut browser = server.browser();
    let text = "stones\n6 first\ntake3\ntake1\ntake2";
    let answer = browser.post(PATH, json!({ "record": text })).await.is(200).json();
    assert_eq!(answer["outcome"]["winners"], json!(["first"]));
    assert_eq!((&answer["to_move"], &answer["choices"]), (&Value::Null, &json!([])));
    let cut = json!({ "record": text, "format": "list", "ply": 1, "moves": ["take3"] });
    let answer = browser.post(PATH, cut).await.is(200).json();
    assert_eq!(answer["outcome"]["winners"], json!(["second"]));
    let foul = json!({ "record": "stones\n6 first\ntake3\ntake9" });
    let answer = browser.post(PATH, foul).await.is(200).json();
    assert_eq!(answer["foul"]["reason"], "too-many-stones");
    assert_eq!(answer["foul"]["ply"], 2);
}

#[tokio::test]
async fn a_text_is_a_position_or_a_record_whichever_can_be_read_in_it() {
    let server = Server::new();
    let mut browser = server.browser();
    for (text, read, plies) in [
        ("9 second", "position", 1),
        ("  9 second\n", "position", 1),
        ("", "position", 1),
        ("stones\n6 first\ntake3\ntake1", "record", 3),
    ] {
        let answer = browser.post(PATH, json!({ "text": text })).await.is(200).json();
        assert_eq!(answer["read"], read, "{text}");
        assert_eq!(answer["record"]["plies"].as_array().unwrap().len(), plies, "{text}");
        assert_eq!(answer["record"]["usual"], text.is_empty(), "{text}");
    }
    browser.post(PATH, json!({ "text": "many" })).await.fails(400, "bad-position");
    browser.post(PATH, json!({ "text": "many\nmore" })).await.fails(400, "unknown-format");
    browser.post(PATH, json!({ "text": "", "record": "" })).await.fails(400, "analysis-input");
}

#[tokio::test]
async fn what_cannot_be_read_is_said_with_its_place() {
    let server = Server::new();
    let mut browser = server.browser();
    for (asked, code) in [
        (json!({ "position": "many" }), "bad-position"),
        (json!({ "position": "0 first" }), "position-not-admitted"),
        (json!({ "record": "what is this" }), "unknown-format"),
        (json!({ "record": "stones", "format": "kif" }), "unknown-format"),
        (json!({ "record": "stones", "position": "9 first" }), "analysis-input"),
        (json!({ "variant": "closed" }), "unknown-variant"),
    ] {
        browser.post(PATH, asked).await.fails(400, code);
    }
    // Where a line breaks off, all before it is still shown.
    let asked = json!({ "position": "9 first", "moves": ["take2", "nonsense", "take1"] });
    let answer = browser.post(PATH, asked).await.is(200).json();
    assert_eq!(answer["error"]["code"], "bad-move");
    assert_eq!(answer["position"], "7 second");
    browser.post("/api/analysis/chess", json!({})).await.fails(404, "not-found");
    browser.post(PATH, json!({ "moves": ["boom"] })).await.fails(500, "stumbled");
}

#[tokio::test]
async fn an_engine_looks_at_the_end_of_the_line() {
    let server = Server::new();
    let mut browser = server.browser();
    let asked = json!({ "position": "10 first", "analyze": { "time_ms": 100, "lines": 2 } });
    let found = browser.post(PATH, asked).await.is(200).json()["analyze"].take();
    assert_eq!((&found["best"], &found["depth"]), (&json!("take2"), &json!(1)));
    assert_eq!((&found["position"], &found["to_move"]), (&json!("10 first"), &json!("first")));
    let over = json!({ "position": "1 first", "moves": ["take1"], "analyze": { "time_ms": 9 } });
    assert_eq!(browser.post(PATH, over).await.is(200).json()["analyze"], Value::Null);
}

#[tokio::test]
async fn a_search_ends_when_its_page_goes() {
    let server = Server::new();
    let mut browser = server.browser();
    let asked = json!({ "analyze": { "time_ms": 60_000, "lines": SLOW_LINES } });
    {
        let answer = std::pin::pin!(browser.post(PATH, asked));
        let began = async {
            while server.app.pool.running() == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            answer = answer => panic!("it thinks for a minute, but says {answer:?}"),
            () = began => {}
        }
    }
    stops(&server).await;
}

#[tokio::test]
async fn stepping_through_a_long_record_is_not_slowed_down() {
    let server = Server::new();
    let mut browser = server.browser();
    browser.create(json!({ "game": "stones", "mode": "screen" })).await;
    for ply in 0..200 {
        let asked = json!({ "position": "9 first", "moves": ["take1"], "ply": ply });
        browser.post(PATH, asked).await.is(200);
    }
}

#[tokio::test]
async fn a_line_is_as_long_as_a_game_at_most() {
    let server = Server::new();
    let moves = vec!["take1"; LONGEST_GAME + 1];
    let asked = json!({ "position": "6000 first", "moves": moves });
    let answer = server.browser().post(PATH, asked).await.is(200).json();
    assert_eq!(answer["error"]["code"], "too-long");
    assert_eq!(answer["record"]["plies"].as_array().unwrap().len(), LONGEST_GAME + 1);
}

#[tokio::test]
async fn long_answers_count_until_they_are_read() {
    let server = Server::new();
    let asked = json!({ "position": "6000 first", "moves": vec!["take1"; 4000] });
    let free = || server.app.large_answers.available_permits();
    let request = |body: String| {
        let request = Request::builder().method("POST").uri(PATH).header("host", HOST);
        server.routes.clone().oneshot(request.body(Body::from(body)).unwrap())
    };
    let unread = request(asked.to_string()).await.unwrap();
    assert_eq!(unread.status(), 200);
    let all = free();
    assert!(all + 10 < MOST_LARGE_ANSWERS, "it counts by its length: {all} are free");
    let held = Arc::clone(&server.app.large_answers).acquire_many_owned(all as u32).await.unwrap();
    server.browser().post(PATH, asked.clone()).await.fails(503, "busy");
    drop(held);
    let text = unread.into_body().collect().await.unwrap().to_bytes();
    let answer: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(answer["position"], "2000 first");
    assert_eq!(free(), MOST_LARGE_ANSWERS);
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_its_place() {
    let server = Server::new();
    server.app.slowest_body_ms.store(50, Ordering::Relaxed);
    let asked = json!({ "position": "6000 first", "moves": vec!["take1"; 4000] });
    let request = Request::builder().method("POST").uri(PATH).header("host", HOST);
    let request = request.body(Body::from(asked.to_string())).unwrap();
    let answer = server.routes.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(server.app.large_answers.available_permits() < MOST_LARGE_ANSWERS);
    while server.app.large_answers.available_permits() < MOST_LARGE_ANSWERS {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(answer.into_body().collect().await.is_err(), "and what is cut is no whole answer");
}
