//! Every game of the registry, played by its taps.

use super::client::{Browser, Server, id_of};
use kiban_core::{Conduct, GameSpec, Shape};
use kiban_games::GAMES;
use kiban_store::{SqliteStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

/// Long enough for hands, promotions and passes.
const PLIES: usize = 120;

/// The layout every seat of these tests lays, where layouts are owed.
fn layout(spec: &GameSpec) -> &'static str {
    spec.layouts.first().expect("a game with layouts has some to begin with").text
}

/// All seats at one screen, with the layouts laid: the browser, the game and its seats.
async fn begun(server: &Server, spec: &'static GameSpec, wish: Value) -> (Browser, String) {
    let mut all = server.browser();
    let made = all.create(wish).await;
    let id = id_of(&made);
    let view = all.view(&id).await;
    for seat in view["waiting_for"].as_array().unwrap() {
        if view["stage"] == "layout" {
            let order = json!({ "id": "lay", "seat": seat, "layout": layout(spec) });
            all.act(&id, order).await.is(200);
        }
    }
    (all, id)
}

/// The game as the seat to move sees it.
async fn movers_view(all: &mut Browser, id: &str) -> Value {
    let view = all.view(id).await;
    match view["to_move"].as_str() {
        Some(seat) => all.get(&format!("/api/games/{id}?as={seat}")).await.is(200).json(),
        None => view,
    }
}

async fn play(spec: &'static GameSpec, variant: &str, conduct: Conduct) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    let server = Server::of(GAMES, Arc::clone(&store));
    let wish = json!({
        "game": spec.id, "variant": variant, "mode": "screen", "conduct": conduct.name(),
    });
    let (mut both, id) = begun(&server, spec, wish).await;
    let mut view = movers_view(&mut both, &id).await;
    for turn in 0..PLIES {
        if view["stage"] == "over" {
            break;
        }
        let seat = kiban_core::Seat::from_name(view["to_move"].as_str().unwrap()).unwrap();
        let choices = crate::api::read(&server.app, &id, both.caller(), move |live, _| {
            Ok(live.room().referee().choices(seat))
        });
        let choices = choices.await.unwrap();
        let choice = &choices[turn * 7919 % choices.len()];
        if conduct == Conduct::Guided {
            assert_eq!(view["choices"], json!(choices));
        }
        let order = json!({ "id": turn.to_string(), "ply": view["ply"], "taps": choice.taps });
        view = both.act(&id, order).await.is(200).json()["view"].take();
        assert_eq!(view["foul"], json!(null), "{choice:?}");
        view = movers_view(&mut both, &id).await;
    }
    assert!(view["ply"].as_u64() > Some(20) || view["stage"] == "over", "{view}");
    let formats = view["formats"].as_array().unwrap();
    // A variant that no format can name cannot be downloaded.
    assert!(!formats.is_empty() || variant != spec.variants[0].id);
    for format in formats {
        let format = format["id"].as_str().unwrap();
        let path = format!("/api/games/{id}/record?format={format}");
        assert!(!both.get(&path).await.is(200).body.is_empty());
    }
    both.get(&format!("/api/games/{id}/board.svg")).await.is(200);
    both.get(&format!("/g/{id}")).await.is(200);
    let again = Server::of(GAMES, store);
    let replayed = movers_view(&mut again.same(&both), &id).await;
    for field in ["n", "ply", "position", "seen", "outcome", "choices"] {
        assert_eq!(replayed[field], view[field], "{field}");
    }
}

#[tokio::test]
async fn every_game_can_be_played_by_its_taps() {
    for spec in GAMES {
        for variant in spec.variants {
            play(spec, variant.id, Conduct::Guided).await;
            play(spec, variant.id, Conduct::Official).await;
        }
    }
}

#[tokio::test]
async fn a_resigned_game_can_be_downloaded_in_every_format_it_is_offered_in() {
    for spec in GAMES {
        let server = Server::of(GAMES, Arc::new(SqliteStore::in_memory()));
        let wish = json!({ "game": spec.id, "mode": "screen" });
        let (mut both, id) = begun(&server, spec, wish).await;
        let view = movers_view(&mut both, &id).await;
        let ply = view["ply"].as_u64().unwrap() as usize;
        both.plays(&id, ply, view["choices"][0]["text"].as_str().unwrap()).await;
        both.act(&id, json!({ "id": "end", "ply": ply + 1, "call": "resign" })).await.is(200);
        let view = both.view(&id).await;
        assert_eq!(view["stage"], "over");
        let formats = view["formats"].as_array().unwrap();
        assert!(!formats.is_empty(), "{}", spec.id);
        for format in formats {
            let format = format["id"].as_str().unwrap();
            let path = format!("/api/games/{id}/record?format={format}");
            let file = both.get(&path).await.is(200);
            let Ok(text) = std::str::from_utf8(&file.body) else {
                continue;
            };
            let asked = json!({ "record": text, "format": format });
            let read = both.post(&format!("/api/analysis/{}", spec.id), asked).await.is(200);
            let plies = read.json()["record"]["plies"].take();
            assert_eq!(plies[1]["text"], view["seen"][0]["text"], "{format}: {text}");
        }
    }
}

#[tokio::test]
async fn every_game_has_its_pages_and_pictures() {
    let server = Server::of(GAMES, Arc::new(SqliteStore::in_memory()));
    let mut browser = server.browser();
    for spec in GAMES {
        for path in ["", "/rules"] {
            browser.get(&format!("/{}{path}", spec.id)).await.is(200);
        }
        browser.get(&format!("/analysis/{}", spec.id)).await.is(200);
        for (shape, name) in [(Shape::Wide, "wide"), (Shape::Tall, "tall")] {
            let path = format!("/api/picture/{}?shape={name}", spec.id);
            let picture = browser.get(&path).await.is(200).json();
            let variant = spec.variant("").unwrap();
            // Through text, as the answer went: there a number has the digits it was drawn with.
            let drawn = serde_json::to_string(&(spec.picture)(&variant, shape)).unwrap();
            assert_eq!(picture, serde_json::from_str::<Value>(&drawn).unwrap());
        }
        let study = browser.post(&format!("/api/analysis/{}", spec.id), json!({})).await;
        assert!(!study.is(200).json()["choices"].as_array().unwrap().is_empty());
    }
}
