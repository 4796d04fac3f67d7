//! Games over the API.

use super::client::{Server, pair};
use serde_json::{Value, json};

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_string()
}

#[tokio::test]
async fn a_whole_game_between_two_browsers_and_a_watcher() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let watch = made["watch"].as_str().unwrap().rsplit('/').next().unwrap();
    let mut watcher = server.browser().follow(&id, &format!("watch={watch}")).await;
    let view = watcher.view().await;
    assert_eq!((&view["viewer"], &view["ply"]), (&json!("watcher"), &json!(0)));
    assert_eq!(view["choices"], json!([]));

    let view = first.view(&id).await;
    assert_eq!(view["seats"], json!(["first"]));
    assert_eq!(view["choices"][2], json!({ "text": "take3", "taps": ["pile", "3"] }));
    let view = first.plays(&id, 0, "take3").await;
    assert_eq!((&view["position"], &view["choices"]), (&json!("9 second"), &json!([])));
    let seen = watcher.until(|v| v["ply"] == 1).await;
    assert_eq!(seen["seen"][0]["text"], "take3");

    second.plays(&id, 1, "take1").await;
    let order = json!({ "id": "taps", "ply": 2, "taps": ["pile", "3"] });
    first.act(&id, order).await.is(200);
    second.plays(&id, 3, "take2").await;
    let view = first.plays(&id, 4, "take3").await;
    assert_eq!(view["stage"], "over");
    assert_eq!(view["outcome"]["result"], "first");
    assert_eq!(view["ending"], "First wins: the last stone was taken.");
    assert_eq!(view["score"], json!({ "first": 9, "second": 3 }));
    assert_eq!(watcher.until(|v| v["ply"] == 5).await["outcome"], view["outcome"]);
    assert_eq!(second.view(&id).await["outcome"], view["outcome"]);
}
