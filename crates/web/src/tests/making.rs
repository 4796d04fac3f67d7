//! Making games, and joining them.

use super::client::{Server, id_of, secret_of};
use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

#[tokio::test]
async fn what_cannot_be_played_is_refused_with_a_sentence() {
    let server = Server::new();
    let mut browser = server.browser();
    let base = json!({ "game": "stones", "mode": "online" });
    let person = json!({ "kind": "person" });
    let computer = |level: i32| json!({ "kind": "computer", "level": level });
    let cases = [
        (json!({ "game": "chess" }), "no-such-game-kind"),
        (json!({ "variant": "closed" }), "unknown-variant"),
        (json!({ "variant": "open,size=3" }), "unknown-option"),
        (json!({ "start": "many first" }), "bad-position"),
        (json!({ "start": "0 first" }), "position-not-admitted"),
        (json!({ "conduct": "archive" }), "bad-conduct"),
        (json!({ "clock": { "main_ms": 0 } }), "bad-clock"),
        (json!({ "clock": { "main_ms": -5 } }), "bad-json"),
        (json!({ "players": [person] }), "bad-players"),
        (json!({ "players": [person, computer(0)] }), "bad-level"),
        (json!({ "players": [person, computer(11)] }), "bad-level"),
        (json!({ "players": [computer(1), computer(1)] }), "no-person"),
        (json!({ "mode": "computer" }), "no-computer"),
        (json!({ "mode": "screen", "players": [person, computer(1)] }), "screen-persons"),
        (json!({ "layout_ms": 5 }), "bad-layout-time"),
        (json!({ "players": [person, computer(1)], "seat": "second" }), "seat-not-a-persons"),
        (json!({ "seat": "third" }), "seat-not-a-persons"),
        (json!({ "mode": "post" }), "bad-json"),
        (json!({ "surprise": 1 }), "bad-json"),
    ];
    for (change, code) in cases {
        let mut wish = base.clone();
        wish.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        browser.post("/api/games", wish).await.fails(400, code);
    }
    let answer = browser
        .post(
            "/api/games",
            json!({ "game": "stones", "mode": "screen",
        "start": "many first" }),
        )
        .await
        .fails(400, "bad-position");
    assert_eq!(answer["error"]["where"]["column"], 1);
    assert!(browser.cookie.is_none(), "nothing was made, so nothing is remembered");
}

#[tokio::test]
async fn a_link_gives_one_seat_once() {
    let server = Server::new();
    let mut creator = server.browser();
    let made = creator.create(json!({ "game": "stones", "mode": "online" })).await;
    let (id, join) = (id_of(&made), made["join"].as_str().unwrap().to_string());
    let mut friend = server.browser();
    let page = friend.get(&join).await.is(200);
    assert!(page.text().contains("<form") && friend.cookie.is_none(), "looking takes nothing");
    assert_eq!(creator.get(&join).await.is(303).header("location"), format!("/g/{id}"));
    creator.form(&join, "").await.is(303);
    assert_eq!(creator.view(&id).await["seats"], json!(["first"]), "not both");
    assert_eq!(friend.form(&join, "").await.is(303).header("location"), format!("/g/{id}"));
    friend.get(&format!("/g/{id}")).await.is(200);
    friend.form(&join, "").await.is(303);
    let mut third = server.browser();
    assert!(third.form(&join, "").await.is(409).text().contains("taken"));
    assert!(third.get(&join).await.is(409).text().contains("taken"));
    third.get(&format!("/g/{id}")).await.is(404);
}

#[tokio::test]
async fn the_form_makes_a_game_or_says_what_is_wrong() {
    let server = Server::new();
    let mut browser = server.browser();
    let fields = "opponent=computer&side=second&level=3&variant=open&clock=none&conduct=guided";
    let made = browser.form("/stones", fields).await.is(303);
    let id = made.header("location").strip_prefix("/g/").unwrap().to_string();
    let view = browser.view(&id).await;
    assert_eq!((&view["seats"], &view["mode"]), (&json!(["second"]), &json!("computer")));
    let wrong = browser.form("/stones", "opponent=online&position=many+stones").await.is(400);
    assert!(wrong.text().contains("Write a number and a seat"), "{}", wrong.text());
    browser.form("/chess", fields).await.is(404);
}

#[tokio::test]
async fn downloads_and_pictures() {
    let server = Server::new();
    let mut both = server.browser();
    let made = both.create(json!({ "game": "stones", "mode": "screen" })).await;
    let id = id_of(&made);
    both.plays(&id, 0, "take1").await;
    both.plays(&id, 1, "take2").await;
    assert_eq!(both.view(&id).await["formats"], json!([{ "id": "list", "extension": "stones" }]));
    let file = both.get(&format!("/api/games/{id}/record?format=list")).await.is(200);
    assert_eq!(file.text(), "stones\n12 first\ntake1\ntake2");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"stones.stones\"");
    let unknown = format!("/api/games/{id}/record?format=pdf");
    both.get(&unknown).await.fails(400, "format-unknown");
    let svg = both.get(&format!("/api/games/{id}/board.svg")).await.is(200);
    assert_eq!(svg.header("content-type"), "image/svg+xml");
    assert!(svg.text().starts_with("<svg"));
    let then = both.get(&format!("/api/games/{id}/at/1")).await.is(200).json();
    assert_eq!((&then["ply"], &then["position"]), (&json!(1), &json!("11 second")));
    both.get(&format!("/api/games/{id}/at/3")).await.fails(404, "ply");
    let picture = both.get("/api/picture/stones?shape=tall").await.is(200);
    assert!(picture.header("cache-control").starts_with("public"));
    assert_eq!(picture.json()["places"][0]["tap"], "pile");
    both.get("/api/picture/stones?shape=round").await.fails(400, "shape");
    both.get("/api/picture/stones?variant=closed").await.fails(400, "unknown-variant");
    both.get("/api/picture/chess").await.fails(404, "not-found");
}

#[tokio::test]
async fn making_many_games_is_slowed_down() {
    let server = Server::new();
    let mut browser = server.browser();
    let wish = json!({ "game": "stones", "mode": "screen" });
    browser.create(wish.clone()).await;
    let mut refused: Option<Value> = None;
    for _ in 0..40 {
        let answer = browser.post("/api/games", wish.clone()).await;
        if answer.status == 429 {
            refused = Some(answer.fails(429, "too-many"));
            break;
        }
    }
    assert!(refused.is_some());
    server.app.skip(10_000);
    browser.create(wish).await;
}

#[tokio::test]
async fn a_cookie_is_the_browsers_alone() {
    let server = Server::new();
    let mut browser = server.browser();
    let wish = json!({ "game": "stones", "mode": "online" });
    let made = browser.post("/api/games", wish).await.is(201);
    let cookie = made.headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "this one came without TLS");
    let over_tls = Request::post("/api/games")
        .header("host", "club.example")
        .header("origin", "https://club.example")
        .body(Body::from(json!({ "game": "stones", "mode": "online" }).to_string()));
    let made_over_tls = server.browser().send(over_tls.unwrap()).await.is(201);
    let set = made_over_tls.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(set.contains("; Secure"), "{set}");
    let token = browser.cookie.clone().unwrap();
    assert!(crate::guard::is_id(&token), "128 random bits: {token}");
    // Known already, it is not set again.
    let again = json!({ "game": "stones", "mode": "online" });
    let again = browser.post("/api/games", again).await.is(201);
    assert!(!again.headers.contains_key(header::SET_COOKIE));
    let ids: Vec<_> = [made.json(), again.json()].iter().map(id_of).collect();
    assert!(ids.iter().all(|id| crate::guard::is_id(id)) && ids[0] != ids[1], "{ids:?}");
    let secrets = [secret_of(&made.json()["join"]), secret_of(&made.json()["watch"])];
    assert!(secrets.iter().all(|s| crate::guard::is_id(s)) && secrets[0] != secrets[1]);
}
