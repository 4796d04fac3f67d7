//! Games over the API.

use super::client::{Server, id_of, pair, secret_of};
use serde_json::{Value, json};

#[tokio::test]
async fn a_whole_game_between_two_browsers_and_a_watcher() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let watch = secret_of(&made["watch"]);
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
    let late = json!({ "id": "late", "move": "take1" });
    second.act(&id, late).await.fails(409, "over");
}

#[tokio::test]
async fn nobody_plays_before_everybody_is_there() {
    let server = Server::new();
    let mut first = server.browser();
    let made = first.create(json!({ "game": "stones", "mode": "online", "seat": "second" })).await;
    let id = id_of(&made);
    let view = first.view(&id).await;
    assert_eq!(view["players"][0]["seated"], false);
    assert_eq!(view["links"]["join"], made["join"]);
    first.act(&id, json!({ "id": "a", "move": "take1" })).await.fails(409, "not-begun");
    let mut second = server.browser();
    second.form(made["join"].as_str().unwrap(), "").await.is(303);
    let view = second.plays(&id, 0, "take1").await;
    assert_eq!(view["seats"], json!(["first"]));
    assert_eq!(view["links"], Value::Null, "links are the creator's");
    let links = &first.view(&id).await["links"];
    assert_eq!((&links["join"], &links["watch"]), (&Value::Null, &made["watch"]));
}

#[tokio::test]
async fn sent_again_an_action_is_not_done_again() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let order = json!({ "id": "once", "ply": 0, "move": "take1" });
    let done = first.act(&id, order.clone()).await.is(200).json();
    second.plays(&id, 1, "take2").await;
    let again = first.act(&id, order).await.is(200).json();
    assert_eq!(again["n"], done["n"]);
    assert_eq!((&again["view"]["ply"], &again["view"]["n"]), (&json!(2), &json!(4)));
    // Another seat may use the same id for an action of its own.
    second.act(&id, json!({ "id": "once", "offer": "draw" })).await.is(200);
}

#[tokio::test]
async fn one_person_at_one_screen_plays_all_seats() {
    let server = Server::new();
    let mut both = server.browser();
    let made = both.create(json!({ "game": "stones", "mode": "screen" })).await;
    assert_eq!((&made["join"], &made["seats"]), (&Value::Null, &json!(["first", "second"])));
    let id = id_of(&made);
    let order = json!({ "id": "one", "ply": 0, "seat": null, "move": "take1" });
    let done = both.act(&id, order.clone()).await.is(200).json();
    let again = both.act(&id, order).await.is(200).json();
    assert_eq!((&again["n"], &again["view"]["ply"]), (&done["n"], &json!(1)), "not done by second");
    let view = both.plays(&id, 1, "take2").await;
    assert_eq!((&view["viewer"], &view["choices"][0]["text"]), (&json!("first"), &json!("take1")));
    // Nobody else is to be asked.
    let order = json!({ "id": "back", "offer": "take-back" });
    let view = both.act(&id, order).await.is(200).json()["view"].take();
    assert_eq!((&view["ply"], &view["to_move"]), (&json!(1), &json!("second")));
    let resigned = json!({ "id": "enough", "call": "resign" });
    let view = both.act(&id, resigned).await.is(200).json()["view"].take();
    assert_eq!(view["outcome"]["winners"], json!(["first"]), "second was to move");
}

#[tokio::test]
async fn a_page_that_is_behind_is_told_so() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    first.plays(&id, 0, "take1").await;
    second.plays(&id, 1, "take1").await;
    let stale = json!({ "id": "stale", "ply": 0, "move": "take2" });
    let answer = first.act(&id, stale).await.fails(409, "stale");
    assert_eq!(answer["view"]["ply"], 2);
}

#[tokio::test]
async fn a_refused_text_is_not_told_back_whole_nor_with_what_cannot_be_seen() {
    let server = Server::new();
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let long = "x".repeat(500_000);
    let words = "x ".repeat(250_000);
    let hidden = "a\u{202e}b\u{1b}[31m\u{200f}";
    for (i, text) in [long.as_str(), &words, hidden].into_iter().enumerate() {
        let order = |field: &str, value: Value| json!({ "id": format!("{i} {}", field.len()), (field): value });
        let bodies = [
            order("move", json!(text)),
            order("taps", json!([text])),
            order("layout", json!(text)),
            order("call", json!(text)),
            order(text, json!(1)),
        ];
        let mut answers = Vec::new();
        for body in bodies {
            answers.push(first.act(&id, body).await.json());
        }
        for asked in [
            json!({ "position": "9 first", "moves": [text] }),
            json!({ "position": text }),
            json!({ "variant": text }),
            json!({ "record": text }),
        ] {
            answers.push(first.post("/api/analysis/stones", asked).await.json());
        }
        for answer in answers {
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.chars().count() < 600, "{message}");
            assert!(!message.contains(&"x".repeat(60)), "{message}");
            let unseen = |c: char| c.is_control() || "\u{202e}\u{200f}".contains(c);
            assert!(!message.contains(unseen), "{message:?}");
        }
    }
    first.plays(&id, 0, "take1").await;
}

#[tokio::test]
async fn what_is_refused_changes_nothing() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let before = first.view(&id).await;
    let cases = [
        (json!({ "id": "1", "move": "take7" }), "too-many-stones"),
        (json!({ "id": "2", "move": "nonsense" }), "bad-move"),
        (json!({ "id": "3", "taps": ["table"] }), "bad-move"),
        (json!({ "id": "4", "taps": ["pile"] }), "path-continues"),
        (json!({ "id": "5", "call": "declare" }), "no-such-call"),
        (json!({ "id": "6", "call": "timeout" }), "no-such-call"),
        (json!({ "id": "7", "offer": "impasse" }), "no-offer"),
        (json!({ "id": "8", "offer": "take-back" }), "no-offer"),
        (json!({ "id": "9", "decline": "draw" }), "no-offer"),
        (json!({ "id": "10", "claim-left": null }), "still-here"),
    ];
    for (order, code) in cases {
        first.act(&id, order).await.fails(409, code);
    }
    second.act(&id, json!({ "id": "11", "move": "take1" })).await.fails(409, "not-your-turn");
    let taken = json!({ "id": "12", "seat": "first", "move": "take1" });
    second.act(&id, taken).await.fails(403, "not-your-seat");
    for order in
        [json!({ "id": "", "move": "take1" }), json!({ "id": "x".repeat(65), "move": "take1" })]
    {
        first.act(&id, order).await.fails(400, "bad-id");
    }
    for body in [json!({ "id": "13" }), json!({ "move": "take1" }), json!([1]), json!("x")] {
        first.act(&id, body).await.fails(400, "bad-json");
    }
    assert_eq!(first.view(&id).await, before);
}

#[tokio::test]
async fn official_conduct_judges_what_is_played() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({ "conduct": "official" })).await;
    let id = id_of(&made);
    let view = first.view(&id).await;
    assert_eq!((&view["free"], &view["free_taps"]), (&json!(true), &json!(1)));
    assert_eq!(view["choices"], json!([]));
    let begun = json!({ "id": "begun", "ply": 0, "taps": ["pile"] });
    let answer = first.act(&id, begun).await.fails(409, "path-continues");
    assert_eq!(answer["next"], json!(["1", "2", "3"]));
    first.act(&id, json!({ "id": "t", "ply": 0, "taps": ["pile", "2"] })).await.is(200);
    assert_eq!(first.view(&id).await["free"], false, "it is not first's turn");
    let foul = json!({ "id": "f", "ply": 1, "taps": ["pile", "8"] });
    let view = second.act(&id, foul).await.is(200).json()["view"].take();
    let expected =
        json!({ "ply": 2, "seat": "second", "move": "take8", "reason": "too-many-stones" });
    assert_eq!(view["foul"], expected);
    assert_eq!(view["outcome"]["winners"], json!(["first"]));
    assert!(view["ending"].as_str().unwrap().starts_with("take8 is a foul by Second"));
    assert!(view["ending"].as_str().unwrap().ends_with(". First wins."), "{}", view["ending"]);
}

#[tokio::test]
async fn a_clock_that_runs_out_ends_the_game_by_itself() {
    let server = Server::new();
    let clock = json!({ "clock": { "main_ms": 1500 } });
    let (mut first, second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    let mut stream = second.follow(&id, "").await;
    let view = stream.view().await;
    assert_eq!(view["clock"]["running"], "first");
    assert!(view["clock"]["left"][0]["main_ms"].as_u64().unwrap() <= 1500);
    assert_eq!(view["clock"]["left"][1]["main_ms"], 1500);
    let view = stream.until(|v| v["stage"] == "over").await;
    assert_eq!(view["outcome"]["reason"], "timeout");
    assert_eq!(view["outcome"]["winners"], json!(["second"]));
    first.act(&id, json!({ "id": "late", "move": "take1" })).await.fails(409, "over");
}

#[tokio::test]
async fn a_move_that_comes_too_late_is_not_played() {
    let server = Server::new();
    let clock = json!({ "clock": { "main_ms": 60_000, "byoyomi_ms": 10_000, "periods": 2 } });
    let (mut first, mut second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    server.app.skip(75_000);
    let view = first.view(&id).await;
    let left = &view["clock"]["left"][0];
    assert_eq!((&left["main_ms"], &left["periods"]), (&json!(0), &json!(1)));
    first.plays(&id, 0, "take1").await;
    server.app.skip(80_001);
    let late = json!({ "id": "late", "ply": 1, "move": "take1" });
    let answer = second.act(&id, late).await.fails(409, "over");
    assert_eq!(answer["view"]["outcome"]["reason"], "timeout");
    assert_eq!(answer["view"]["ply"], 2, "a take and a timeout");
}

#[tokio::test]
async fn taking_back_needs_the_others_consent_and_restores_the_clock() {
    let server = Server::new();
    let clock = json!({ "clock": { "main_ms": 60_000 } });
    let (mut first, mut second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    server.app.skip(10_000);
    first.plays(&id, 0, "take1").await;
    server.app.skip(5_000);
    let ask = json!({ "id": "ask", "offer": "take-back" });
    let view = first.act(&id, ask.clone()).await.is(200).json()["view"].take();
    assert_eq!(view["offers"], json!([{ "seat": "first", "what": "take-back" }]));
    assert_eq!(view["ply"], 1);
    let no = json!({ "id": "no", "decline": "take-back" });
    let view = second.act(&id, no).await.is(200).json()["view"].take();
    assert_eq!(view["offers"], json!([]));
    first.act(&id, json!({ "id": "ask 2", "offer": "take-back" })).await.is(200);
    let yes = json!({ "id": "yes", "accept": "take-back" });
    let view = second.act(&id, yes).await.is(200).json()["view"].take();
    assert_eq!((&view["ply"], &view["seen"]), (&json!(0), &json!([])));
    let left = |i: usize| view["clock"]["left"][i]["main_ms"].as_u64().unwrap();
    assert!(left(0) > 59_000 && left(1) > 59_000, "{view}");
}

#[tokio::test]
async fn a_draw_is_agreed_by_two() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let mut stream = second.follow(&id, "").await;
    first.act(&id, json!({ "id": "a", "offer": "draw" })).await.is(200);
    let asked = json!([{ "seat": "first", "what": "draw" }]);
    stream.until(|v| v["offers"] == asked).await;
    let accept = |id: &str| json!({ "id": id, "accept": "draw" });
    // It is withdrawn while the other says yes.
    first.act(&id, json!({ "id": "no", "decline": "draw" })).await.is(200);
    second.act(&id, accept("late")).await.fails(409, "no-offer");
    first.act(&id, json!({ "id": "again", "offer": "draw" })).await.is(200);
    let view = second.act(&id, accept("b")).await.is(200).json();
    assert_eq!(view["view"]["outcome"]["result"], "draw");
    assert_eq!(view["view"]["ending"], "A draw: the players agreed.");
}

#[tokio::test]
async fn resigning_needs_no_fresh_page_and_declaring_is_judged() {
    let server = Server::new();
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    first.plays(&id, 0, "take1").await;
    // The page of first has not seen its own move yet.
    let view = first.act(&id, json!({ "id": "r", "ply": 0, "call": "resign" })).await.is(200);
    assert_eq!(view.json()["view"]["outcome"]["winners"], json!(["second"]));

    let (mut first, _, made) = pair(&server, json!({ "start": "3 first" })).await;
    let id = id_of(&made);
    assert_eq!(first.view(&id).await["calls"], json!(["resign", "declare"]));
    let order = json!({ "id": "d", "ply": 0, "call": "declare" });
    let view = first.act(&id, order).await.is(200).json()["view"].take();
    assert_eq!(view["outcome"]["reason"], "declared");
}

#[tokio::test]
async fn a_rematch_swaps_the_seats() {
    let server = Server::new();
    let (mut first, mut second, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    let rematch = format!("/api/games/{id}/rematch");
    first.post(&rematch, json!({})).await.fails(409, "no-offer");
    first.act(&id, json!({ "id": "r", "call": "resign" })).await.is(200);
    let mut stream = second.follow(&id, "").await;
    let url = first.post(&rematch, json!({})).await.is(200).json()["url"].take();
    let view = stream.until(|v| v["rematch"] != Value::Null).await;
    let theirs = view["rematch"]["url"].as_str().unwrap().to_string();
    assert!(theirs.starts_with(&format!("{}/join/", url.as_str().unwrap())), "{theirs}");
    assert_eq!(second.post(&rematch, json!({})).await.is(200).json()["url"], theirs, "the same");
    assert_eq!(first.view(&id).await["rematch"]["url"], url);
    second.form(&theirs, "").await.is(303);
    let next = url.as_str().unwrap().strip_prefix("/g/").unwrap();
    assert_eq!(first.view(next).await["seats"], json!(["second"]));
    assert_eq!(second.view(next).await["seats"], json!(["first"]));
    second.plays(next, 0, "take1").await;
    // A watcher can follow, and only watch.
    let watch = secret_of(&made["watch"]);
    let mut watcher = server.browser();
    let view = watcher.get(&format!("/api/games/{id}?watch={watch}")).await.is(200).json();
    let link = view["rematch"]["url"].as_str().unwrap().to_string();
    assert!(link.contains("/watch/"));
    watcher.get(&link).await.is(200);
}

#[tokio::test]
async fn who_leaves_for_too_long_can_lose_the_game() {
    let server = Server::new();
    let clock = json!({ "clock": { "main_ms": 600_000 } });
    let (mut first, second, made) = pair(&server, clock).await;
    let id = id_of(&made);
    let mut stream = first.follow(&id, "").await;
    let theirs = second.follow(&id, "").await;
    stream.until(|v| v["players"][1]["here"] == true).await;
    drop(theirs);
    // A page that is loaded anew blinks; who stays away is away.
    let view = stream.until(|v| v["players"][1]["here"] == false).await;
    assert_eq!(view["may_claim"], false);
    let claim = json!({ "id": "early", "claim-left": null });
    first.act(&id, claim).await.fails(409, "still-here");
    server.app.skip(kiban_play::GRACE_MS);
    let claim = json!({ "id": "claim", "claim-left": null });
    let view = first.act(&id, claim).await.is(200).json()["view"].take();
    assert_eq!(view["outcome"]["reason"], "abandoned");
    assert_eq!(view["outcome"]["winners"], json!(["first"]));
}

#[tokio::test]
async fn an_action_says_one_thing() {
    let server = Server::new();
    let (mut first, _, made) = pair(&server, json!({})).await;
    let id = id_of(&made);
    for order in [
        json!({ "id": "a", "move": "take1", "call": "resign" }),
        json!({ "id": "b", "offer": "draw", "decline": "draw" }),
        json!({ "id": "c", "move": "take1", "claim-left": null }),
        json!({ "id": "d", "move": "take1", "surprise": 1 }),
        json!({ "id": "e" }),
    ] {
        let told = first.act(&id, order).await.fails(400, "bad-json");
        let text = told["error"]["message"].as_str().unwrap();
        assert!(!text.contains("enum") && !text.contains("struct"), "{text}");
    }
    assert_eq!(first.view(&id).await["ply"], 0);
    first.act(&id, json!({ "id": "f", "claim-left": null })).await.fails(409, "still-here");
    let long = "将".repeat(64);
    first.act(&id, json!({ "id": long, "move": "take1", "ply": 0 })).await.is(200);
}

#[tokio::test]
async fn what_history_forbids_is_told_with_the_reason() {
    static TRAILS: &[&kiban_core::GameSpec] = &[kiban_testkit::toys::trail::TRAIL];
    let store = std::sync::Arc::new(kiban_store::SqliteStore::in_memory());
    let server = Server::of(TRAILS, store);
    let mut both = server.browser();
    let made = both.create(json!({ "game": TRAILS[0].id, "mode": "screen" })).await;
    let id = id_of(&made);
    let mut view = both.view(&id).await;
    // Everybody goes to and fro until the position would come back.
    for ply in 0..20 {
        if view["banned"] != json!([]) {
            break;
        }
        let choices = view["choices"].as_array().unwrap();
        let mut back = view["seen"].as_array().unwrap().iter().rev().skip(1).map(|s| &s["taps"]);
        let back = back.next().map(|taps| json!([taps[1], taps[0]]));
        let choice = choices.iter().find(|c| Some(&c["taps"]) == back.as_ref());
        let text = choice.unwrap_or(&choices[0])["text"].as_str().unwrap().to_string();
        view = both.plays(&id, ply, &text).await;
    }
    let banned = &view["banned"][0];
    let order = json!({ "id": "banned", "taps": banned["taps"] });
    let told = both.act(&id, order).await.fails(409, banned["reason"].as_str().unwrap());
    assert_eq!(told["error"]["message"], banned["why"]);
    assert!(!view["choices"].to_string().contains(banned["text"].as_str().unwrap()));
}
