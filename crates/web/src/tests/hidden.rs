//! Hidden information never leaves the server.

use super::client::{Browser, Server, id_of, pair, secret_of};
use serde_json::{Value, json};

/// All that a viewer can get of a game after one ply or more, as one text.
async fn all_of(browser: &mut Browser, id: &str, query: &str) -> String {
    let mut all = String::new();
    for path in ["", "/at/0", "/at/1", "/record", "/board.svg"] {
        all += &browser.get(&format!("/api/games/{id}{path}?{query}")).await.is(200).text();
    }
    all + &browser.follow(id, query).await.view().await.to_string()
}

#[tokio::test]
async fn games_that_look_equal_to_a_watcher_are_equal_in_every_byte() {
    let server = Server::new();
    let mut seen = Vec::new();
    for hidden in ["take1", "take3"] {
        let (mut first, mut second, made) = pair(&server, json!({ "variant": "veiled" })).await;
        let id = id_of(&made);
        let watch = secret_of(&made["watch"]);
        let query = format!("watch={watch}");
        let mut watcher = server.browser();
        let mut stream = watcher.follow(&id, &query).await;
        let mut text = stream.view().await.to_string();
        first.plays(&id, 0, hidden).await;
        text += &stream.until(|v| v["ply"] == 1).await.to_string();
        second.act(&id, json!({ "id": "d", "offer": "draw" })).await.is(200);
        text += &stream.until(|v| v["offers"] != json!([])).await.to_string();
        text += &all_of(&mut watcher, &id, &query).await;
        text += &watcher.get(made["watch"].as_str().unwrap()).await.is(200).text();
        assert!(!text.contains("take1") && !text.contains("take3"), "{text}");
        // Ids, secrets and times differ from game to game; nothing else may.
        seen.push(without_times(&text.replace(&id, "-").replace(&watch, "-")));
    }
    assert_eq!(seen[0], seen[1]);
}

fn without_times(text: &str) -> String {
    let mut parts = text.split("\"spent_ms\":");
    let head = parts.next().unwrap_or_default().to_string();
    parts.fold(head, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

#[tokio::test]
async fn the_taker_sees_their_own_and_the_end_shows_all() {
    let server = Server::new();
    let start = json!({ "variant": "veiled", "start": "4 first" });
    let (mut first, mut second, made) = pair(&server, start).await;
    let id = id_of(&made);
    let view = first.plays(&id, 0, "take3").await;
    assert_eq!((&view["seen"][0]["text"], &view["score"]), (&json!("take3"), &Value::Null));
    let view = second.view(&id).await;
    assert_eq!(view["seen"][0]["text"], "hidden");
    assert_eq!(view["position"], "1 second");
    let view = second.plays(&id, 1, "take1").await;
    assert_eq!((&view["stage"], &view["seen"][0]["text"]), (&json!("over"), &json!("take3")));
    // Looking back still shows what second knew then.
    let then = second.get(&format!("/api/games/{id}/at/1")).await.is(200).json();
    assert_eq!(then["position"], "1 second");
}

#[tokio::test]
async fn secrets_of_others_are_in_nobodys_answers() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let (join, watch) = (secret_of(&made["join"]), secret_of(&made["watch"]));
    let cookies = [first.cookie.clone().unwrap(), second.cookie.clone().unwrap()];
    let mut watcher = server.browser();
    first.plays(&id, 0, "take1").await;
    second.plays(&id, 1, "take1").await;
    let query = format!("watch={watch}");
    let theirs = all_of(&mut second, &id, "").await;
    let watchers = all_of(&mut watcher, &id, &query).await;
    let creators = all_of(&mut first, &id, "").await;
    assert!(creators.contains(&watch));
    for text in [&theirs, &watchers] {
        assert!(!text.contains(&join) && !text.contains(&watch), "{text}");
    }
    for text in [&theirs, &watchers, &creators] {
        for cookie in &cookies {
            assert!(!text.contains(cookie) && !text.contains(&crate::guard::hash(cookie)));
        }
    }
    let stored = server.app.store.load(&id).await.unwrap().unwrap();
    let stored = format!("{stored:?}");
    assert!(cookies.iter().all(|cookie| !stored.contains(cookie)), "only hashes are kept");
    assert!(stored.contains(&crate::guard::hash(&cookies[0])));
}
