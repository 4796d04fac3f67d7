//! What the server refuses, and what it says with every answer.

use super::client::{Answer, Browser, HOST, Server, id_of, pair, secret_of};
use crate::limits::{MOST_BODY, MOST_LARGE_BODIES, SMALL_BODY};
use axum::body::Body;
use axum::http::Request;
use futures_util::{StreamExt, stream};
use serde_json::json;
use std::convert::Infallible;
use std::sync::atomic::Ordering;

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_string())).unwrap()
}

async fn send(server: &Server, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut nobody = server.browser();
    nobody.send(request(method, path, headers, "{}")).await
}

#[tokio::test]
async fn only_our_own_names_are_answered() {
    let server = Server::new();
    for host in [
        "localhost",
        "LOCALHOST:8080",
        "127.0.0.1:1",
        "[::1]:8080",
        "[::1]",
        "club.example",
        "Club.Example:443",
    ] {
        send(&server, "GET", "/", &[("host", host)]).await.is(200);
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:8080",
        "club.example.evil:80",
        "192.168.0.7:8080",
        "[::2]:8080",
        "",
    ] {
        send(&server, "GET", "/", &[("host", host)]).await.fails(403, "host");
    }
    send(&server, "GET", "/", &[]).await.fails(403, "host");
    let two = [("host", HOST), ("host", "evil.example")];
    send(&server, "GET", "/", &two).await.fails(403, "host");
}

#[tokio::test]
async fn every_post_must_come_from_our_pages() {
    let server = Server::new();
    let (first, _, made) = pair(&server, json!({})).await;
    let (id, cookie) = (id_of(&made), format!("kiban={}", first.cookie.unwrap()));
    let join = made["join"].as_str().unwrap().to_string();
    let posts = [
        "/api/games".to_string(),
        format!("/api/games/{id}/entries"),
        format!("/api/games/{id}/rematch"),
        "/api/analysis/stones".to_string(),
        "/stones".to_string(),
        join,
    ];
    let (host, cookie) = (("host", HOST), ("cookie", cookie.as_str()));
    let refused: [&[(&str, &str)]; 9] = [
        &[("origin", "http://evil.example")],
        &[("origin", "http://127.0.0.1:9090")],
        &[("origin", "http://127.0.0.1:8080.evil.example")],
        &[("origin", "127.0.0.1:8080")],
        &[("origin", "null")],
        &[("origin", "null"), ("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[],
    ];
    for path in &posts {
        for more in refused {
            let headers = [&[host, cookie], more].concat();
            send(&server, "POST", path, &headers).await.fails(403, "origin");
        }
        for more in [
            &[("origin", "http://127.0.0.1:8080")][..],
            &[("origin", "null"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "same-origin")],
        ] {
            let answer = send(&server, "POST", path, &[&[host, cookie], more].concat()).await;
            assert_ne!(answer.status, 403, "{path} {more:?}");
        }
        let program = send(&server, "POST", path, &[host]).await;
        assert_ne!(program.status, 403, "no browser, and nobody's seat: {path}");
    }
}

#[tokio::test]
async fn streams_are_opened_by_our_pages_only() {
    let server = Server::new();
    let (_, _, made) = pair(&server, json!({})).await;
    let path = format!("/api/games/{}/events?watch={}", id_of(&made), secret_of(&made["watch"]));
    let base = [("host", HOST), ("accept", "text/event-stream")];
    for more in [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")] {
        let headers = [&base[..], &[more]].concat();
        send(&server, "GET", &path, &headers).await.fails(403, "origin");
    }
    // A link to a page is no stream: it may stand anywhere.
    let link = [("host", HOST), ("sec-fetch-site", "cross-site"), ("accept", "text/html")];
    send(&server, "GET", "/", &link).await.is(200);
}

#[tokio::test]
async fn pages_elsewhere_ask_for_nothing_by_get() {
    let server = Server::new();
    let (_, _, made) = pair(&server, json!({})).await;
    let game = format!("/api/games/{}?watch={}", id_of(&made), secret_of(&made["watch"]));
    for path in
        [game.as_str(), "/api/values/stones", "/api/puzzles/stones/1", "/api/picture/stones"]
    {
        for site in ["cross-site", "same-site"] {
            let image = [("host", HOST), ("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")];
            send(&server, "GET", path, &image).await.fails(403, "origin");
        }
        for more in [&[][..], &[("sec-fetch-site", "same-origin")], &[("sec-fetch-site", "none")]] {
            let answer = send(&server, "GET", path, &[&[("host", HOST)], more].concat()).await;
            assert_ne!(answer.status, 403, "{path} {more:?}");
        }
    }
}

#[tokio::test]
async fn every_answer_carries_the_headers() {
    let server = Server::new();
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let mut answers = Vec::new();
    for path in [
        "/",
        "/stones",
        "/stones/rules",
        "/analysis/stones",
        "/about",
        "/nothing/here",
        "/api/nothing",
        "/api/picture/stones",
        "/static/game.js",
        &format!("/g/{id}"),
        &format!("/api/games/{id}"),
        &format!("/api/games/{id}/board.svg"),
    ] {
        answers.push(first.get(path).await);
    }
    answers.push(send(&server, "GET", "/", &[("host", "evil.example")]).await);
    answers.push(first.post("/api/games", json!({})).await.is(400));
    let preflight = [
        ("host", HOST),
        ("origin", "http://127.0.0.1:8080"),
        ("access-control-request-method", "POST"),
    ];
    answers.push(send(&server, "OPTIONS", "/api/games", &preflight).await);
    for answer in answers {
        let csp = answer.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        ] {
            assert!(csp.contains(part), "{csp}");
        }
        assert!(!csp.contains("unsafe") && !csp.contains('*'), "{csp}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        assert!(!answer.headers.keys().any(|k| k.as_str().starts_with("access-control")));
        assert_ne!(answer.header("cache-control"), "");
    }
    for path in [format!("/g/{id}"), format!("/api/games/{id}")] {
        assert_eq!(first.get(&path).await.header("cache-control"), "no-store");
    }
}

/// Every GET of a game.
fn ways_to(id: &str) -> Vec<String> {
    let api = ["", "/events", "/at/0", "/record", "/board.svg"];
    let api = api.iter().map(|path| format!("/api/games/{id}{path}"));
    api.chain([format!("/g/{id}")]).collect()
}

#[tokio::test]
async fn a_game_is_nobody_elses_business() {
    let server = Server::new();
    let (_, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let none = crate::guard::random_id();
    let mut stranger = server.browser();
    stranger.cookie = Some(crate::guard::random_id());
    for (there, nowhere) in ways_to(&id).iter().zip(ways_to(&none)) {
        let (there, nowhere) = (stranger.get(there).await, stranger.get(&nowhere).await);
        assert_eq!((there.status.as_u16(), nowhere.status.as_u16()), (404, 404));
        assert_eq!(there.text(), nowhere.text(), "a stranger cannot tell whether there is a game");
        assert_eq!(there.headers, nowhere.headers);
    }
    let order = json!({ "id": "a", "move": "take1" });
    stranger.act(&id, order.clone()).await.fails(404, "not-found");
    stranger.act(&none, order.clone()).await.fails(404, "not-found");
    stranger.act("..%2f..", order).await.fails(404, "not-found");
    stranger.post(&format!("/api/games/{id}/rematch"), json!({})).await.fails(404, "not-found");
}

#[tokio::test]
async fn each_link_opens_its_own_door_only() {
    let server = Server::new();
    let mut creator = server.browser();
    let made = creator.create(json!({ "game": "stones", "mode": "online" })).await;
    let id = id_of(&made);
    let (join, watch) = (secret_of(&made["join"]), secret_of(&made["watch"]));
    let mut other = server.browser();
    for (path, secret) in [("join", &watch), ("watch", &join), ("join", &id), ("watch", &id)] {
        other.get(&format!("/g/{id}/{path}/{secret}")).await.is(404);
    }
    other.form(&format!("/g/{id}/join/{watch}"), "").await.is(404);
    other.get(&format!("/api/games/{id}?watch={join}")).await.fails(404, "not-found");
    other.get(&format!("/g/{id}/watch/{watch}")).await.is(200);
    assert!(other.cookie.is_none(), "watching needs no cookie");
    let view = other.get(&format!("/api/games/{id}?watch={watch}")).await.is(200).json();
    assert_eq!((&view["viewer"], &view["links"]), (&json!("watcher"), &json!(null)));
    other.act(&id, json!({ "id": "a", "move": "take1" })).await.fails(404, "not-found");
}

#[tokio::test]
async fn a_seat_belongs_to_the_cookie_that_took_it() {
    let server = Server::new();
    let (first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let theirs = json!({ "id": "a", "seat": "first", "move": "take1" });
    second.act(&id, theirs).await.fails(403, "not-your-seat");
    let mut thief = server.browser();
    for cookie in ["", "x", "00000000000000000000000000000000"] {
        thief.cookie = Some(cookie.to_string());
        thief.act(&id, json!({ "id": "a", "move": "take1" })).await.fails(404, "not-found");
    }
    // What the store keeps of a cookie is no cookie.
    let cookie = first.cookie.unwrap();
    thief.cookie = Some(crate::guard::hash(&cookie));
    thief.get(&format!("/api/games/{id}")).await.fails(404, "not-found");
    thief.cookie = Some(cookie);
    thief.plays(&id, 0, "take1").await;
}

#[tokio::test]
async fn a_browser_cannot_name_an_engine() {
    let server = Server::new();
    let mut browser = server.browser();
    for player in [
        json!({ "kind": "usi", "command": "/bin/sh" }),
        json!({ "kind": "usi:/bin/sh" }),
        json!("usi:/bin/sh"),
        json!({ "kind": "computer", "level": "usi:/bin/sh" }),
    ] {
        let wish = json!({
            "game": "stones", "mode": "computer", "players": [{ "kind": "person" }, player],
        });
        browser.post("/api/games", wish).await.fails(400, "bad-json");
    }
    for asked in [
        json!({ "analyze": { "time_ms": 5, "engine": { "command": "/bin/sh" } } }),
        json!({ "engine": "/bin/sh" }),
    ] {
        browser.post("/api/analysis/stones", asked).await.fails(400, "bad-json");
    }
    // A name is looked up among those of the operator, and here there are none.
    let asked = json!({ "analyze": { "time_ms": 5, "engine": "/bin/sh" } });
    browser.post("/api/analysis/stones", asked).await.fails(400, "no-such-engine");
    let players = json!([{ "kind": "person" }, { "kind": "engine", "name": "usi:/bin/sh" }]);
    let wish = json!({ "game": "stones", "mode": "computer", "players": players });
    browser.post("/api/games", wish).await.fails(400, "no-such-engine");
}

async fn post_of(browser: &mut Browser, path: &str, bytes: usize) -> Answer {
    let headers =
        [("host", HOST), ("origin", "http://127.0.0.1:8080"), ("content-type", "application/json")];
    let body = format!("\"{}\"", "x".repeat(bytes - 2));
    browser.send(request("POST", path, &headers, &body)).await
}

#[tokio::test]
async fn bodies_are_bounded() {
    let server = Server::new();
    let mut browser = server.browser();
    for path in ["/api/games", "/api/analysis/stones"] {
        post_of(&mut browser, path, MOST_BODY).await.fails(400, "bad-json");
        post_of(&mut browser, path, MOST_BODY + 1).await.fails(413, "too-large");
    }
    let form = "a=".to_string() + &"x".repeat(4 * MOST_BODY);
    browser.form("/stones", &form).await.is(413);
}

#[tokio::test]
async fn bodies_that_stall_hold_neither_time_nor_memory() {
    let server = Server::new();
    let stalled = |size: usize| {
        let sent = stream::iter([Ok::<_, Infallible>(vec![b' '; size])]);
        let body = Body::from_stream(sent.chain(stream::pending()));
        let request = Request::builder().method("POST").uri("/api/games").header("host", HOST);
        let mut nobody = server.browser();
        tokio::spawn(async move { nobody.send(request.body(body).unwrap()).await })
    };
    let small = stalled(SMALL_BODY);
    let large: Vec<_> = (0..MOST_LARGE_BODIES).map(|_| stalled(SMALL_BODY + 1)).collect();
    while server.app.large_bodies.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    stalled(SMALL_BODY + 1).await.unwrap().fails(503, "busy");
    assert!(!small.is_finished(), "a small one needs no place");
    large.iter().for_each(tokio::task::JoinHandle::abort);
    for gone in large {
        assert!(gone.await.is_err());
    }
    assert_eq!(server.app.large_bodies.available_permits(), MOST_LARGE_BODIES);
    server.app.slowest_body_ms.store(50, Ordering::Relaxed);
    stalled(10).await.unwrap().fails(408, "slow-body");
    small.abort();
}

#[tokio::test]
async fn what_the_router_refuses_is_said_in_our_words() {
    let server = Server::new();
    for (method, path, status, code) in [
        ("GET", "/api/games/%ff", 400, "bad-request"),
        ("GET", "/api/games/x?after=1&after=2", 400, "bad-request"),
        ("GET", "/api/picture/stones?variant=a&variant=b", 400, "bad-request"),
        ("GET", "/api/games", 405, "method"),
        ("DELETE", "/api/games/x", 405, "method"),
    ] {
        send(&server, method, path, &[("host", HOST)]).await.fails(status, code);
    }
    for (path, status) in
        [("/%ff", 400), ("/g/%ff", 400), ("/static/none.js", 404), ("/static/%ff", 400)]
    {
        let answer = send(&server, "GET", path, &[("host", HOST)]).await.is(status);
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        assert!(!answer.text().contains("Invalid"), "{path}: {}", answer.text());
    }
    let answer = send(&server, "PUT", "/about", &[("host", HOST)]).await.is(405);
    assert_eq!(answer.header("allow"), "GET,HEAD");
}

#[tokio::test]
async fn invented_cookies_fill_no_buckets() {
    let server = Server::new();
    let mut refused = 0;
    for i in 0..300 {
        let mut browser = server.browser();
        browser.cookie = Some(format!("{i:032x}"));
        let answer = browser.post("/api/analysis/stones", json!({ "analyze": { "time_ms": 0 } }));
        refused += usize::from(answer.await.status == 429);
    }
    assert!(refused > 100, "{refused}");
    assert!(server.app.limits.count() <= 300 - refused + 1, "{}", server.app.limits.count());
}
