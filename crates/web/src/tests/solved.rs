//! Exact values and puzzles over HTTP.

use super::client::{Browser, Server};
use crate::pages::start;
use kiban_core::{GameSpec, Limits, Opening};
use kiban_store::SqliteStore;
use serde_json::{Value, json};
use std::sync::Arc;

fn server() -> Server {
    Server::of(kiban_games::GAMES, Arc::new(SqliteStore::in_memory()))
}

/// A game with puzzles, and so with a probe.
fn game() -> &'static GameSpec {
    let solved = |spec: &&&GameSpec| !(spec.puzzles)().is_empty();
    kiban_games::GAMES.iter().find(solved).unwrap()
}

fn path(variant: &str, position: &str) -> String {
    let position = position.replace(' ', "%20").replace('+', "%2b");
    format!("/api/values/{}?variant={variant}&position={position}", game().id)
}

#[tokio::test]
async fn values_of_a_position_and_its_moves_come_best_first_with_their_rules() {
    let server = server();
    let mut browser = server.browser();
    for (variant, distance, stalemate) in [("", 9, "loses"), ("shogi3,stalemate=draw", 17, "draws")]
    {
        let found = browser.get(&path(variant, "glk/3/KLG b - 1")).await.is(200).json();
        assert_eq!((&found["value"], &found["distance"]), (&json!("win"), &json!(distance)));
        assert_eq!(found["to_move"], "first");
        let moves = found["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 4);
        assert_eq!(moves[0]["distance"], distance);
        assert_eq!(moves[0]["text"], "2c2a+");
        assert_eq!(moves[0]["taps"], json!(["2c", "2a"]));
        assert_eq!(moves[0]["western"], "Lx2a+");
        let rules = found["rules"].as_array().unwrap();
        let says = |rule: &Value| rule.as_str().unwrap().ends_with(&format!(": {stalemate}"));
        assert!(rules.iter().any(says), "{rules:?}");
    }
    // A draw that the rules of repetition do not let stand has its note.
    let found = browser.get(&path("", "2K/2G/+lk1 b lg 1")).await.is(200).json();
    assert_eq!(found["value"], "draw");
    assert!(found["notes"][0].as_str().unwrap().contains("giving check for ever"));
}

#[tokio::test]
async fn what_has_no_exact_value_here_is_said() {
    let server = server();
    let mut browser = server.browser();
    let large = "gsk/3/KSG b Pp 1";
    let told = browser.get(&path("", large)).await.fails(400, "exact-too-large");
    assert!(told["error"]["message"].as_str().unwrap().contains("MiB"), "{told}");
    browser.get(&path("", "what%20is%20this")).await.is(400);
    browser.get(&path("shogi3,stalemate=maybe", "")).await.is(400);
    browser.get("/api/values/othello").await.fails(404, "not-found");
    browser.get("/api/values/chess").await.fails(404, "not-found");
    // Nothing of all this has kept a thread busy.
    browser.get(&path("", "")).await.is(200);
}

/// The best move, or the worst.
fn pick(position: &str, best: bool) -> String {
    let opening = Opening::new(game().variant("").unwrap(), Some(position.to_string()));
    let probed = game().probe.unwrap()(&opening, &Limits::default()).unwrap();
    let m = if best { probed.moves.first() } else { probed.moves.last() };
    m.unwrap().text.clone()
}

async fn attempt(browser: &mut Browser, n: usize, moves: &[String]) -> Value {
    let path = format!("/api/puzzles/{}/{n}", game().id);
    browser.post(&path, json!({ "moves": moves })).await.is(200).json()
}

/// Finds the way to the end of a puzzle.
async fn solve(browser: &mut Browser, n: usize) -> Value {
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..20 {
        let mut table = open(n);
        for text in &moves {
            let seat = table.waiting_for().only().unwrap();
            table.put(&kiban_core::Entry::new_move(seat, text)).unwrap();
        }
        moves.push(pick(&table.position(kiban_core::Viewer::Referee), true));
        let answer = attempt(browser, n, &moves).await;
        assert_eq!(answer["verdict"], "right", "{n}: {answer}");
        if answer["solved"] == true {
            return answer;
        }
        assert!(!answer["choices"].as_array().unwrap().is_empty());
        moves.push(answer["plies"][1]["text"].as_str().unwrap().to_string());
    }
    panic!("puzzle {n} never ends");
}

fn open(n: usize) -> Box<dyn kiban_core::Arbiter> {
    let puzzle = &(game().puzzles)()[n - 1];
    let opening =
        Opening::new(game().variant(&puzzle.variant).unwrap(), Some(puzzle.position.clone()));
    (game().open)(&opening).unwrap()
}

#[tokio::test]
async fn a_puzzle_is_solved_move_by_move_and_a_wrong_try_is_refuted() {
    let server = server();
    let mut browser = server.browser();
    let puzzles = (game().puzzles)();
    let of =
        |kind: fn(&kiban_core::Aim) -> bool| puzzles.iter().position(|p| kind(&p.aim)).unwrap() + 1;
    let win = of(|aim| matches!(aim, kiban_core::Aim::Win(_)));
    let hold = of(|aim| matches!(aim, kiban_core::Aim::Hold(kiban_core::Value::Draw)));
    let shown = browser.get(&format!("/api/puzzles/{}/{win}", game().id)).await.is(200).json();
    assert_eq!((&shown["aim"], &shown["to_move"]), (&json!("win"), &json!("first")));
    for n in [win, hold] {
        let answer = solve(&mut browser, n).await;
        assert!(answer["message"].as_str().unwrap().len() > 5);
        let wrong = pick(&puzzles[n - 1].position, false);
        let answer = attempt(&mut browser, n, &[wrong]).await;
        assert_eq!((&answer["verdict"], &answer["solved"]), (&json!("fails"), &json!(false)));
        assert!(answer["message"].as_str().unwrap().starts_with("This l"), "{answer}");
        assert!(answer["plies"].as_array().unwrap().len() >= 2, "the refutation is shown");
    }
    let show = json!({ "moves": [], "show": true });
    let answer = browser.post(&format!("/api/puzzles/{}/{win}", game().id), show).await.is(200);
    assert_eq!(answer.json()["plies"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn what_is_no_try_is_refused() {
    let server = server();
    let mut browser = server.browser();
    let base = format!("/api/puzzles/{}", game().id);
    for path in [format!("{base}/0"), format!("{base}/99999"), format!("{base}/x")] {
        browser.get(&path).await.fails(404, "not-found");
    }
    browser.get("/api/puzzles/othello/1").await.fails(404, "not-found");
    for moves in [json!(["1a1b"]), json!(["nonsense"]), json!(vec!["1a1b"; 100])] {
        let tried = json!({ "moves": moves });
        browser.post(&format!("{base}/1"), tried).await.fails(400, "puzzle-move");
    }
    browser.get("/othello/puzzles").await.is(404);
    let page = browser.get(&format!("/{}/puzzles", game().id)).await.is(200).text();
    assert!(!page.contains(" bm "), "a page knows no answers");
}

#[tokio::test]
async fn set_ups_are_chosen_by_grade_and_their_value_is_not_told_unasked() {
    let server = server();
    let mut browser = server.browser();
    let page = browser.get(&format!("/{}", game().id)).await.is(200).text();
    for setup in game().setups {
        assert!(page.contains(&format!("value=\"{}\"", setup.id)), "{}", setup.id);
    }
    let told = page.matches("<details><summary>Its value</summary>").count();
    assert_eq!(told, game().setups.len());
    // Drawn with shared symbols, or the page would be megabytes long.
    assert!(page.len() < 600_000, "{}", page.len());
    let asked = start::read_fields("setup=own&position=2k%2F3%2FK2+b+Pp+1");
    assert_eq!(start::request(game(), &asked).unwrap()["start"], "2k/3/K2 b Pp 1");
}

#[test]
fn thirty_seconds_a_move_go_with_the_rule_that_skips() {
    let skips = |spec: &&&GameSpec| spec.options.iter().any(|o| o.key == "clock");
    let spec = kiban_games::GAMES.iter().find(skips).unwrap();
    for query in ["clock=turn", "option-clock=move"] {
        let request = start::request(spec, &start::read_fields(query)).unwrap();
        assert!(request["variant"].as_str().unwrap().contains("clock=move"), "{query}: {request}");
        assert_eq!(request["clock"]["byoyomi_ms"], 30_000, "{query}");
    }
    let request = start::request(spec, &start::read_fields("clock=half-hour")).unwrap();
    assert!(!request["variant"].as_str().unwrap().contains("clock="), "{request}");
}
