//! What is pushed.

use super::client::{Server, id_of, pair, secret_of};
use crate::limits::MOST_SEAT_STREAMS;
use serde_json::json;
use std::sync::atomic::Ordering;

#[tokio::test]
async fn who_comes_back_gets_the_newest_view_at_once() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let mut stream = second.follow(&id, "").await;
    let known = stream.view().await["n"].clone();
    drop(stream);
    first.plays(&id, 0, "take1").await;
    second.plays(&id, 1, "take1").await;
    let mut stream = second.follow(&id, &format!("after={known}")).await;
    let view = stream.view().await;
    assert_eq!(view["ply"], 2, "one whole view, not each step of the way");
    let now = view["n"].clone();
    drop(stream);
    let mut stream = second.follow(&id, &format!("after={now}")).await;
    assert_eq!(stream.message().await.unwrap().event, "ping", "nothing is new");
    first.plays(&id, 2, "take1").await;
    assert_eq!(stream.view().await["ply"], 3);
}

#[tokio::test]
async fn a_view_is_made_once_for_a_class_of_viewers() {
    let server = Server::new();
    let (mut first, second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let watch = format!("watch={}", secret_of(&made["watch"]));
    let mut streams = vec![first.follow(&id, "").await, second.follow(&id, "").await];
    for _ in 0..20 {
        streams.push(server.browser().follow(&id, &watch).await);
    }
    for stream in &mut streams {
        stream.view().await;
    }
    let before = server.app.views_made.load(Ordering::Relaxed);
    first.plays(&id, 0, "take2").await;
    for stream in &mut streams {
        stream.until(|v| v["ply"] == 1).await;
    }
    let made = server.app.views_made.load(Ordering::Relaxed) - before;
    assert_eq!(made, 3, "first, second, watchers");
}

#[tokio::test]
async fn streams_of_a_seat_are_bounded() {
    let server = Server::new();
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let mut open = Vec::new();
    for _ in 0..MOST_SEAT_STREAMS {
        open.push(first.follow(&id, "").await);
    }
    let path = format!("/api/games/{id}/events");
    first.get(&path).await.fails(429, "too-many-lines");
    open.pop();
    open.push(first.follow(&id, "").await);
}

#[tokio::test]
async fn streams_end_when_the_server_stops() {
    let server = Server::new();
    let (first, _, made) = pair(&server, json!({})).await;
    let mut stream = first.follow(&id_of(&made), "").await;
    stream.view().await;
    server.app.rooms.close();
    while stream.message().await.is_some() {}
}
