//! Positions looked at for as long as somebody looks, and games judged ply by ply.

use super::client::{Browser, Server};
use super::computer::stops;
use http_body_util::BodyExt;
use kiban_store::SqliteStore;
use kiban_testkit::toys::stones::SLOW_LINES;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LINES: &str = "/api/analysis/stones/lines";
const REVIEW: &str = "/api/analysis/stones/review";

fn real() -> Server {
    Server::of(kiban_games::GAMES, Arc::new(SqliteStore::in_memory()))
}

#[tokio::test]
async fn lines_are_told_until_the_last_with_names_and_ways() {
    let server = real();
    let mut browser = server.browser();
    let asked = json!({ "moves": ["7g7f"], "analyze": { "time_ms": 300, "lines": 2 } });
    let told = browser.lines("/api/analysis/shogi/lines", asked).await;
    assert_eq!(told.last(), Some(&json!({ "done": true })));
    assert!(told.iter().any(|line| line["proofs"] == json!([])), "nothing is proved: {told:?}");
    let with_lines: Vec<_> = told.iter().filter(|line| line["lines"].is_array()).collect();
    let end = with_lines.last().unwrap();
    assert_eq!((&end["final"], &end["to_move"]), (&json!(true), &json!("second")));
    let best = &end["lines"][0];
    assert_eq!((&best["rank"], &best["moves"][0]), (&json!(1), &end["best"]));
    assert_eq!(best["names"][0]["text"], end["best"]);
    assert!(best["names"][0]["western"].as_str().is_some_and(|name| name.contains('-')), "{best}");
    assert!(best["taps"].as_array().is_some_and(|taps| taps.len() >= 2), "{best}");
    assert_eq!(end["lines"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_proved_of_a_position_is_told_in_words() {
    let server = real();
    let asked =
        json!({ "position": "4k4/9/4P4/9/9/9/9/9/4K4 w G 1", "analyze": { "time_ms": 50 } });
    let told = server.browser().lines("/api/analysis/shogi/lines", asked).await;
    let proofs = told.iter().find(|line| line["proofs"].is_array()).unwrap()["proofs"].clone();
    assert_eq!(proofs[0]["what"], "threatmate");
    let text = proofs[0]["text"].as_str().unwrap();
    assert!(text.starts_with("Threatmate (tsumero)") && text.contains("in 1."), "{text}");
}

#[tokio::test]
async fn what_cannot_be_looked_at_is_refused_in_a_sentence() {
    let server = Server::new();
    let mut browser = server.browser();
    for path in [LINES, REVIEW] {
        let engine = json!({ "time_ms": 5, "engine": "none such" });
        for (asked, code) in [
            (json!({ "position": "many", "analyze": { "time_ms": 5 } }), "bad-position"),
            (json!({ "analyze": { "time_ms": -5 } }), "bad-json"),
            (json!({ "analyze": { "time_ms": 5, "threads": 99 } }), "bad-json"),
            (json!({ "analyze": { "time_ms": 5, "lines": 1000 } }), "bad-json"),
            (json!({ "analyze": engine }), "no-such-engine"),
            (json!({ "record": "nothing known" }), "unknown-format"),
        ] {
            browser.post(path, asked).await.fails(400, code);
        }
    }
    browser.post("/api/analysis/chess/lines", json!({})).await.fails(404, "not-found");
    browser.post("/api/analysis/chess/review", json!({})).await.fails(404, "not-found");
    assert_eq!(server.app.reviews.count(), 0, "what was refused takes no place");
    let over = json!({ "position": "1 first", "moves": ["take1"], "analyze": { "time_ms": 9 } });
    assert_eq!(browser.lines(LINES, over).await, [json!({ "done": true })]);
}

async fn running(server: &Server) {
    let began = Instant::now();
    while server.app.pool.running() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(began.elapsed() < Duration::from_secs(10), "the search does not begin");
    }
}

#[tokio::test]
async fn a_page_that_goes_ends_what_it_looked_at() {
    let server = Server::new();
    let browser = server.browser();
    let asked = json!({ "analyze": { "time_ms": 60_000, "lines": SLOW_LINES } });
    let unread = browser.unread(LINES, asked).await;
    running(&server).await;
    drop(unread);
    stops(&server).await;
}

#[tokio::test]
async fn a_silent_search_is_pinged() {
    let server = Server::new();
    let asked = json!({ "analyze": { "time_ms": 60_000, "lines": SLOW_LINES } });
    let mut body = server.browser().unread(LINES, asked).await.into_body();
    let frame = tokio::time::timeout(Duration::from_secs(10), body.frame()).await.unwrap();
    assert_eq!(frame.unwrap().unwrap().into_data().unwrap(), "\n");
}

/// A short game of the 4 by 4 board, with a pass or more.
async fn record(browser: &mut Browser) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for ply in 0..12 {
        let asked = json!({ "variant": "othello,size=4", "moves": moves });
        let answer = browser.post("/api/analysis/othello", asked).await.is(200).json();
        let Some(choices) = answer["choices"].as_array().filter(|c| !c.is_empty()) else { break };
        let choice = &choices[ply * 5 % choices.len()];
        moves.push(choice["text"].as_str().unwrap().to_string());
    }
    moves
}

#[tokio::test]
async fn every_position_of_a_game_is_judged_in_order() {
    let server = real();
    let mut browser = server.browser();
    let moves = record(&mut browser).await;
    let asked = json!({
        "variant": "othello,size=4", "moves": moves, "analyze": { "time_ms": 20 },
    });
    let told = browser.lines("/api/analysis/othello/review", asked).await;
    assert_eq!(told.last(), Some(&json!({ "done": true })));
    let positions = told[0]["positions"].as_u64().unwrap();
    let all = |field: &str| {
        let lists = told.iter().filter_map(|line| line[field].as_array());
        lists.flatten().map(|one| one["ply"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(all("moments"), (0..positions).collect::<Vec<_>>());
    assert_eq!(all("judged"), (1..positions).collect::<Vec<_>>());
    for line in told.iter().filter_map(|line| line["judged"].as_array()).flatten() {
        let loss = line["loss"].as_f64().unwrap();
        let mark = match line["mark"].as_str() {
            None => loss < 0.1,
            Some("inaccuracy") => (0.1..0.2).contains(&loss),
            Some("mistake") => (0.2..0.3).contains(&loss),
            Some(other) => other == "blunder" && loss >= 0.3,
        };
        assert!(mark, "{line}");
    }
    let moments = told.iter().filter_map(|line| line["moments"].as_array()).flatten();
    for moment in moments {
        assert!((0.0..=1.0).contains(&moment["chance"].as_f64().unwrap()), "{moment}");
        let same = moment["best"].is_null() || moment["name"].is_null();
        assert!(same || moment["name"]["text"] == moment["best"], "{moment}");
    }
    assert_eq!(server.app.reviews.count(), 0);
}

#[tokio::test]
async fn the_same_game_gets_the_same_marks() {
    let server = real();
    let mut browser = server.browser();
    let moves = record(&mut browser).await;
    let othello = json!({ "variant": "othello,size=4", "moves": moves, "analyze": {} });
    let shogi = json!({ "moves": ["7g7f", "3c3d", "8h3c", "2b3c"], "analyze": {} });
    for (game, asked) in [("othello", othello), ("shogi", shogi)] {
        let path = format!("/api/analysis/{game}/review");
        let told = browser.lines(&path, asked.clone()).await;
        assert_eq!(told.last(), Some(&json!({ "done": true })));
        // What others have had searched in between changes nothing.
        browser
            .post(&format!("/api/analysis/{game}"), json!({ "analyze": { "time_ms": 50 } }))
            .await;
        let again = browser.lines(&path, asked).await;
        let said = |told: &[Value]| told.iter().filter(|line| !line.is_null()).count();
        assert_eq!(said(&told), said(&again));
        assert_eq!(told, again);
    }
}

#[tokio::test]
async fn one_browser_has_two_games_judged_at_a_time_and_one_that_goes_makes_room() {
    let server = Server::new();
    let mut browser = server.browser();
    browser.create(json!({ "game": "stones", "mode": "screen" })).await;
    let asked = || json!({ "position": "90 first", "analyze": { "time_ms": 1000 } });
    let one = browser.unread(REVIEW, asked()).await;
    let two = browser.unread(REVIEW, asked()).await;
    assert_eq!((one.status().as_u16(), two.status().as_u16()), (200, 200));
    browser.post(REVIEW, asked()).await.fails(503, "busy");
    server.browser().lines(REVIEW, asked()).await;
    drop(one);
    browser.lines(REVIEW, asked()).await;
    drop(two);
    assert_eq!(server.app.reviews.count(), 0);
}

#[tokio::test]
async fn a_long_game_waits_its_turn_behind_others() {
    let server = Server::new();
    let mut browser = server.browser();
    let asked = json!({
        "position": "400 first", "moves": vec!["take1"; 150], "analyze": { "time_ms": 1 },
    });
    let told = browser.lines(REVIEW, asked).await;
    assert_eq!(told.iter().filter(|line| line["moments"].is_array()).count(), 151);
    assert_eq!(told[1]["moments"][0]["chance"], Value::Null, "this engine tells no score");
}
