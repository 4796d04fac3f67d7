//! Games that begin with secret layouts: from laying them out to opening the commitments.

use super::client::{Browser, Server, id_of, secret_of};
use kiban_core::{GameSpec, Record, Source};
use kiban_luzhanqi::GAME;
use kiban_store::{SqliteStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

static GAMES: &[&GameSpec] = &[&GAME];

const LAYOUT: &str = "cehiakbcdikegfgjjdifhhglj";
const OTHER: &str = "aehickbcdikegfgjjdifhhglj";

fn server() -> Server {
    Server::of(GAMES, Arc::new(SqliteStore::in_memory()))
}

fn wish(more: Value) -> Value {
    let mut wish = json!({ "game": GAME.id, "mode": "online", "seat": "first" });
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    wish
}

/// People at browsers of their own, in the order of their seats.
async fn table(server: &Server, more: Value) -> (Vec<Browser>, Value) {
    let mut creator = server.browser();
    let made = creator.create(wish(more)).await;
    let mut people = vec![creator];
    let id = id_of(&made);
    while people[0].view(&id).await["links"]["join"] != Value::Null {
        let mut next = server.browser();
        next.form(made["join"].as_str().unwrap(), "").await.is(303);
        people.push(next);
    }
    (people, made)
}

async fn lay(browser: &mut Browser, id: &str, layout: &str) -> Value {
    let order = json!({ "id": format!("lay {layout}"), "layout": layout });
    browser.act(id, order).await.is(200).json()["view"].take()
}

#[tokio::test]
async fn layouts_are_laid_in_secret_and_once() {
    let server = server();
    let mut first = server.browser();
    let made = first.create(wish(json!({}))).await;
    let id = id_of(&made);
    first.act(&id, json!({ "id": "early", "move": "a6b5" })).await.fails(409, "not-begun");
    let mut second = server.browser();
    second.form(made["join"].as_str().unwrap(), "").await.is(303);
    let view = first.view(&id).await;
    assert_eq!(view["arranging"], json!({ "seat": "first", "laid": null, "left_ms": null }));
    assert_eq!((&view["laid"], &view["commitments"]), (&json!([]), &json!([])));
    assert_eq!((&view["hidden"], &view["curtain"]), (&json!(true), &json!(false)));
    for (i, (wrong, said)) in [
        ("cehiakbcdikegfgjjdifhhgl", "25 letters"),
        ("cehiakbcdikegfgjjdifhhglk", "stands"),
        ("kehiacbcdikegfgjjdifhhglj", "front rank"),
        ("lehiakbcdikegfgjjdifhhgcj", "headquarters"),
        ("jehiakbcdikegfgcjdifhhglj", "back ranks"),
        ("CEHIAKBCDIKEGFGJJDIFHHGLJ", "names no piece"),
        ("", "25 letters"),
    ]
    .into_iter()
    .enumerate()
    {
        let order = json!({ "id": format!("wrong {i}"), "layout": wrong });
        let told = first.act(&id, order).await.fails(409, "bad-layout");
        assert!(told["error"]["message"].as_str().unwrap().contains(said), "{told}");
    }
    let theirs = json!({ "id": "theirs", "seat": "second", "layout": LAYOUT });
    first.act(&id, theirs).await.fails(403, "not-your-seat");
    let view = lay(&mut first, &id, LAYOUT).await;
    assert_eq!(view["arranging"]["laid"], LAYOUT);
    assert_eq!(view["scene"]["pieces"].as_array().unwrap().len(), 25);
    first.act(&id, json!({ "id": "again", "layout": OTHER })).await.fails(409, "laid");
    first.act(&id, json!({ "id": "move", "move": "a6b5" })).await.fails(409, "wrong-stage");
    let view = second.view(&id).await;
    assert_eq!((&view["laid"], &view["arranging"]["laid"]), (&json!(["first"]), &Value::Null));
    assert_eq!(view["scene"]["pieces"], json!([]));
    assert_eq!(view["commitments"].as_array().unwrap().len(), 1);
    assert!(!view.to_string().contains(LAYOUT));
    let view = lay(&mut second, &id, OTHER).await;
    assert_eq!((&view["stage"], &view["arranging"]), (&json!("play"), &Value::Null));
    assert_eq!((&view["before_play"], &view["ply"]), (&json!(2), &json!(2)));
    assert_eq!(view["players"][0]["name"], "Red");
    second.act(&id, json!({ "id": "late", "layout": LAYOUT })).await.fails(409, "laid");
}

#[tokio::test]
async fn whoever_waits_may_lay_out_meanwhile() {
    let server = server();
    let mut first = server.browser();
    let made = first.create(wish(json!({ "layout_ms": 60_000 }))).await;
    let id = id_of(&made);
    let view = lay(&mut first, &id, LAYOUT).await;
    assert_eq!(view["arranging"], json!({ "seat": "first", "laid": LAYOUT, "left_ms": null }));
    server.app.skip(100_000);
    let mut second = server.browser();
    second.form(made["join"].as_str().unwrap(), "").await.is(303);
    let view = second.view(&id).await;
    assert_eq!((&view["laid"], &view["stage"]), (&json!(["first"]), &json!("layout")));
    assert!(view["arranging"]["left_ms"].as_u64().unwrap() > 50_000, "the time begins now");
    assert_eq!(lay(&mut second, &id, OTHER).await["stage"], "play");
}

#[tokio::test]
async fn what_may_not_be_done_is_refused() {
    let server = server();
    let (mut people, made) = table(&server, json!({})).await;
    let id = id_of(&made);
    for browser in &mut people {
        lay(browser, &id, LAYOUT).await;
    }
    let [first, second] = people.as_mut_slice() else { panic!("two people") };
    for (text, code) in [
        ("a7a6", "illegal-no-piece"),
        ("b5b6", "illegal-no-piece"),
        ("a2a3", "illegal-immovable"),
        ("d1d2", "illegal-immovable"),
        ("c6c9", "illegal-path"),
        ("a6b6", "illegal-own-piece"),
        ("z9a1", "bad-move"),
    ] {
        first.act(&id, json!({ "id": text, "move": text })).await.fails(409, code);
    }
    let order = json!({ "id": "a", "seat": "second", "move": "a7b8" });
    first.act(&id, order).await.fails(403, "not-your-seat");
    second.act(&id, json!({ "id": "b", "move": "a7b8" })).await.fails(409, "not-your-turn");
    second.act(&id, json!({ "id": "c", "move": "a6b5" })).await.fails(409, "not-your-turn");
    for path in ["", "/events", "/at/2", "/record", "/board.svg"] {
        for eyes in ["first", "referee", "watcher", "third", "nobody"] {
            let path = format!("/api/games/{id}{path}?as={eyes}");
            second.get(&path).await.fails(403, "viewer");
            server.browser().get(&path).await.fails(404, "not-found");
        }
    }
    let watch = secret_of(&made["watch"]);
    let as_second = format!("/api/games/{id}?watch={watch}&as=second");
    server.browser().get(&as_second).await.fails(403, "viewer");
    let own = second.get(&format!("/api/games/{id}?as=second")).await.is(200).json();
    assert_eq!(own["viewer"], "second");
    assert_eq!(first.view(&id).await["ply"], 2, "nothing has happened");
}

#[tokio::test]
async fn behind_the_curtain_nothing_hidden_is_shown() {
    let server = server();
    let mut both = server.browser();
    let made = both.create(wish(json!({ "mode": "screen" }))).await;
    let id = id_of(&made);
    let path = |query: &str| format!("/api/games/{id}?{query}");
    for (i, seat) in ["first", "second"].into_iter().enumerate() {
        let order = json!({ "id": "lay", "seat": seat, "layout": LAYOUT });
        let view = both.act(&id, order).await.is(200).json()["view"].take();
        assert_eq!((&view["viewer"], &view["curtain"]), (&json!("watcher"), &json!(true)));
        assert!(!view.to_string().contains(LAYOUT), "{view}");
        if i == 0 {
            assert_eq!(view["arranging"]["seat"], "second", "who still owes one");
            let own = both.get(&path("as=first")).await.is(200).json();
            assert_eq!(own["arranging"]["laid"], LAYOUT);
            let theirs = both.get(&path("as=second")).await.is(200).json();
            assert_eq!(theirs["arranging"]["laid"], Value::Null);
            assert_eq!(theirs["scene"]["pieces"], json!([]));
        }
    }
    let behind = both.view(&id).await;
    assert_eq!(behind["viewers"], json!(["first", "second", "watcher"]));
    for (field, empty) in [("choices", json!([])), ("calls", json!([])), ("may_offer", json!([]))] {
        assert_eq!(behind[field], empty, "{field}");
    }
    let faces: Vec<&Value> =
        behind["scene"]["pieces"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert!(faces.iter().all(|name| **name == "luzhanqi-piece-x"), "{faces:?}");
    let own = both.get(&path("as=first")).await.is(200).json();
    assert!(!own["choices"].as_array().unwrap().is_empty());
    let theirs = both.get(&path("as=second")).await.is(200).json();
    assert_eq!(theirs["choices"], json!([]), "it is not their turn");
    let first = both.follow(&id, "as=first").await.view().await;
    assert_eq!(first["position"], own["position"]);
    assert_ne!(first["position"], theirs["position"]);
    both.get(&path("as=referee")).await.fails(403, "viewer");
    let page = both.get(&format!("/g/{id}")).await.is(200).text();
    let shown = |name: &str| page.contains(&format!("\"name\":\"luzhanqi-piece-{name}\""));
    assert!(shown("x") && !shown("a"), "no rank is on the page");
}

#[tokio::test]
async fn the_end_opens_everything_and_the_commitments_hold() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    let server = Server::of(GAMES, Arc::clone(&store));
    let (mut people, made) = table(&server, json!({})).await;
    let id = id_of(&made);
    lay(&mut people[0], &id, LAYOUT).await;
    let promised = lay(&mut people[1], &id, OTHER).await["commitments"].take();
    let during = people[0].get(&format!("/api/games/{id}/record")).await.is(200).text();
    assert!(!during.contains("Salt") && !during.contains(OTHER), "{during}");
    people[0].plays(&id, 2, "a6b5").await;
    let again = Server::of(GAMES, store);
    let view = again.same(&people[1]).view(&id).await;
    assert_eq!(view["commitments"], promised, "a restart changes nothing");
    people[1].act(&id, json!({ "id": "end", "call": "resign" })).await.is(200);
    let view = people[0].view(&id).await;
    assert_eq!(view["viewers"], json!(["first", "second", "watcher", "referee"]));
    assert_eq!(view["ending"], "Red wins: resignation.", "{}", view["ending"]);
    // Each viewer at each ply saw what they saw.
    let mut then = Vec::new();
    for eyes in ["first", "second", "watcher", "referee"] {
        let path = format!("/api/games/{id}/at/2?as={eyes}");
        then.push(people[0].get(&path).await.is(200).json()["position"].to_string());
    }
    assert!(then[0].contains('X') != then[1].contains('X') || then[0] != then[1]);
    assert!(!then[3].to_ascii_lowercase().contains('x'), "{}", then[3]);
    let text = people[1].get(&format!("/api/games/{id}/record?format=pgn")).await.is(200).text();
    for promise in promised.as_array().unwrap() {
        assert!(text.contains(promise["sha256"].as_str().unwrap()), "{text}");
    }
    let judge = |text: &str| {
        let read = GAME.format("pgn").unwrap().read.unwrap();
        let records: Vec<Record> =
            read(Source { bytes: text.as_bytes(), variant: None }).expect("our own record");
        (GAME.judge)(&records[0]).expect("a possible game")
    };
    let judged = judge(&text);
    assert_eq!((judged.commitments, judged.error), (Some(true), None), "{text}");
    assert_eq!(judged.warnings, []);
    let changed = judge(&text.replace(OTHER, LAYOUT));
    assert_eq!(changed.commitments, Some(false));
    assert_eq!(changed.error.expect("a changed layout").code, "bad-commitment");
}

#[tokio::test]
async fn who_lets_the_time_pass_gets_a_layout() {
    let server = server();
    let (mut people, made) = table(&server, json!({ "layout_ms": 60_000 })).await;
    let id = id_of(&made);
    lay(&mut people[1], &id, LAYOUT).await;
    let left = people[0].view(&id).await["arranging"]["left_ms"].as_u64().unwrap();
    assert!((50_000..=60_000).contains(&left), "{left}");
    let mut stream = people[0].follow(&id, "").await;
    server.app.skip(60_000);
    people[1].view(&id).await;
    let view = stream.until(|v| v["stage"] == "play").await;
    assert_eq!(view["laid"], json!(["first", "second"]));
    let more = json!({ "layout_ms": 9_999 });
    people[0].post("/api/games", wish(more)).await.fails(400, "bad-layout-time");
}

#[tokio::test]
async fn a_skipped_turn_is_told() {
    let server = server();
    let clock = json!({ "main_ms": 0, "byoyomi_ms": 30_000, "periods": 1 });
    let more = json!({ "variant": "dark,clock=move", "clock": clock });
    let (mut people, made) = table(&server, more).await;
    let id = id_of(&made);
    for browser in &mut people {
        lay(browser, &id, LAYOUT).await;
    }
    server.app.skip(30_000);
    let view = people[1].view(&id).await;
    assert_eq!((&view["to_move"], &view["seen"][0]["text"]), (&json!("second"), &json!("skip")));
    let told = view["seen"][0]["told"][0].as_str().unwrap();
    assert!(told.starts_with("Red runs out of time"), "{told}");
    assert_eq!(view["clock"]["left"][0]["periods"], 1, "whole again");
    assert!(view["seen"][0]["spent_ms"].as_u64().unwrap() >= 30_000);
    people[1].plays(&id, 3, "a7b8").await;
    assert_eq!(people[0].view(&id).await["to_move"], "first");
}

#[tokio::test]
async fn a_deal_is_drawn_and_committed_to() {
    let server = server();
    let (mut people, made) = table(&server, json!({ "variant": "flip" })).await;
    let id = id_of(&made);
    let view = people[0].view(&id).await;
    assert_eq!((&view["stage"], &view["arranging"]), (&json!("play"), &Value::Null));
    assert_eq!(view["commitments"][0]["who"], "deal");
    assert_eq!((&view["before_play"], &view["free_taps"]), (&json!(1), &json!(1)));
    assert_eq!(view["players"][0]["name"], "First player");
    let view = people[0].plays(&id, 1, "a1").await;
    let told = view["seen"][0]["told"][0].as_str().unwrap();
    assert!(told.contains("is turned up") && !told.contains("luzhanqi"), "{told}");
    assert!(["Red", "Black"].contains(&view["players"][0]["name"].as_str().unwrap()));
    people[0].act(&id, json!({ "id": "end", "call": "resign" })).await.is(200);
    let text = people[1].get(&format!("/api/games/{id}/record")).await.is(200).text();
    assert!(text.contains("[SaltDeal ") && text.contains("[Deal "), "{text}");
}

#[tokio::test]
async fn computers_play_three_of_four_seats() {
    let server = server();
    let computer = json!({ "kind": "computer", "level": 1 });
    let players = json!([computer, { "kind": "person" }, computer, computer]);
    let more = json!({ "variant": "four-dark", "mode": "computer", "players": players });
    let mut person = server.browser();
    let made = person.create(wish(more)).await;
    let id = id_of(&made);
    let mut stream = person.follow(&id, "").await;
    let view = stream.until(|v| v["laid"].as_array().unwrap().len() == 3).await;
    assert_eq!(view["waiting_for"], json!(["second"]));
    lay(&mut person, &id, LAYOUT).await;
    for round in 0..2 {
        let mine = |v: &Value| v["stage"] == "over" || (v["to_move"] == "second" && v["ply"] != 0);
        let view = stream.until(mine).await;
        let ply = view["ply"].as_u64().unwrap() as usize;
        assert_eq!(ply, 4 + 4 * round + 1, "everybody has had a turn");
        let text = view["choices"][0]["text"].as_str().unwrap();
        person.plays(&id, ply, text).await;
    }
    person.act(&id, json!({ "id": "out", "call": "resign" })).await.is(200);
    let view = stream.until(|v| v["players"][1]["out"] == true).await;
    assert_eq!((&view["stage"], &view["calls"]), (&json!("play"), &json!([])), "it goes on");
    assert!(view["seen"].to_string().contains("East is out."), "{}", view["seen"]);
}

#[tokio::test]
async fn four_people_meet_and_meet_again() {
    let server = server();
    let more = json!({ "variant": "four-pair", "seat": "second" });
    let (mut people, made) = table(&server, more).await;
    let id = id_of(&made);
    let mut seats = Vec::new();
    for browser in &mut people {
        seats.push(browser.view(&id).await["seats"][0].as_str().unwrap().to_string());
        lay(browser, &id, LAYOUT).await;
    }
    assert_eq!(seats, ["second", "first", "third", "fourth"], "the next open seat each");
    let ally = people[0].view(&id).await;
    let known = |view: &Value, seat: &str| {
        let pieces = view["scene"]["pieces"].as_array().unwrap();
        pieces.iter().any(|p| p["seat"] == seat && p["name"] == "luzhanqi-piece-a")
    };
    assert!(known(&ally, "fourth") && !known(&ally, "first"), "allies see each other");
    people[1].act(&id, json!({ "id": "r", "call": "resign" })).await.is(200);
    people[2].act(&id, json!({ "id": "r", "call": "resign" })).await.is(200);
    let view = people[0].view(&id).await;
    assert!(
        view["ending"].as_str().unwrap().starts_with("East and West win: "),
        "{}",
        view["ending"]
    );
    let url = people[0].post(&format!("/api/games/{id}/rematch"), json!({})).await.is(200).json();
    let next = url["url"].as_str().unwrap().strip_prefix("/g/").unwrap().to_string();
    // Whoever comes first: everybody finds the seat kept for them.
    for i in [3, 1, 2] {
        let link = people[i].view(&id).await["rematch"]["url"].as_str().unwrap().to_string();
        people[i].form(&link, "").await.is(303);
    }
    let mut again = Vec::new();
    for browser in &mut people {
        again.push(browser.view(&next).await["seats"][0].as_str().unwrap().to_string());
    }
    assert_eq!(again, ["third", "second", "fourth", "first"]);
}

#[tokio::test]
async fn a_draw_of_four_is_not_told_as_one_of_both() {
    let server = server();
    let (mut people, made) = table(&server, json!({ "variant": "four-pair" })).await;
    let id = id_of(&made);
    for browser in &mut people {
        lay(browser, &id, LAYOUT).await;
    }
    for browser in &mut people {
        browser.act(&id, json!({ "id": "d", "offer": "draw" })).await.is(200);
    }
    assert_eq!(people[0].view(&id).await["ending"], "A draw: the players agreed.");
}

#[tokio::test]
async fn a_start_that_shows_ranks_is_no_start_of_a_hidden_game() {
    let server = server();
    let mut browser = server.browser();
    let start = "jlghh/fidjj/g1f1g/ek1id/c1b1k/aihec/CEHIA/K1B1C/DI1KE/G1F1G/JJDIF/HHGLJ r 0 0 -";
    let told = browser.post("/api/games", wish(json!({ "start": start }))).await;
    let told = told.fails(400, "start-shows");
    assert!(told["error"]["message"].as_str().unwrap().contains("leave the start out"), "{told}");
    browser.create(wish(json!({ "start": start, "variant": "open" }))).await;
    browser.create(wish(json!({ "start": "layouts" }))).await;
}

#[tokio::test]
async fn an_editor_of_layouts_is_told_what_it_needs() {
    let server = server();
    let mut browser = server.browser();
    let path = format!("/api/arrangement/{}", GAME.id);
    let answer = browser.get(&format!("{path}?seat=second")).await.is(200);
    assert!(answer.header("cache-control").starts_with("public"));
    let arrangement = answer.json();
    assert_eq!(arrangement["places"].as_array().unwrap().len(), 25);
    let flag = arrangement["kinds"].as_array().unwrap().iter().find(|k| k["letter"] == "l");
    let flag = flag.unwrap();
    assert_eq!((&flag["name"], &flag["count"]), (&json!("flag"), &json!(1)));
    assert_eq!(flag["places"].as_array().unwrap().len(), 2);
    assert_eq!(flag["why"], "The flag belongs in a headquarters.");
    let presets = arrangement["presets"].as_array().unwrap();
    assert!(presets.iter().any(|p| p["name"] == "Steady"), "{presets:?}");
    for none in ["?seat=third", "?variant=flip", "?seat=x"] {
        browser.get(&format!("{path}{none}")).await.fails(404, "not-found");
    }
    let four = format!("{path}?variant=four-dark&seat=fourth");
    assert_eq!(browser.get(&four).await.is(200).json()["places"][0], "Wa6");
}
