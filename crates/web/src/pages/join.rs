//! The page behind an invitation.

use super::Site;
use super::layout::Frame;
use kiban_core::GameSpec;
use maud::{Markup, html};
use serde_json::Value;

/// Asks whether to take the seat. `view` is the game as a watcher sees it, `action` where the
/// form is sent, `seat` the seat's name.
pub(crate) fn page(
    site: &Site<'_>,
    spec: &'static GameSpec,
    view: &Value,
    seat: &str,
    action: &str,
) -> Markup {
    let seat = seat_name(site, view, seat);
    let title = site.words.text("join-title", &[("game", spec.names.en)]);
    let conduct = view["conduct"].as_str().unwrap_or("guided");
    let main = html! {
        article .prose .join {
            h1 { (title) }
            p .lead { (site.words.text("join-words", &[("seat", &seat)])) }
            dl .facts {
                dt { (site.say("start-clock")) }
                dd { (clock(site, &view["clock"]["control"])) }
                dt { (site.say("start-conduct")) }
                dd { (site.say(&format!("conduct-{conduct}"))) " "
                    (site.say(&format!("conduct-{conduct}-words"))) }
                dt { (site.say("start-variant")) }
                dd { (variant(site, spec, view["variant"].as_str().unwrap_or(""))) }
                (company(site, view))
            }
            form method="post" action=(action) {
                button .primary .wide type="submit" {
                    (site.words.text("join-go", &[("seat", &seat)]))
                }
            }
            p .links { a href=(format!("/{}/rules", spec.id)) { (site.say("nav-rules")) } }
        }
    };
    Frame { title: &title, class: "text", script: None, here: spec.id, main }.page(site)
}

/// How a seat is called in this game.
fn seat_name(site: &Site<'_>, view: &Value, seat: &str) -> String {
    let players = view["players"].as_array().map_or(&[][..], Vec::as_slice);
    let name = players.iter().find(|p| p["seat"] == seat).and_then(|p| p["name"].as_str());
    name.map_or_else(|| site.say(&format!("seat-{seat}")), str::to_string)
}

/// Who else sits there, where there are more than two.
fn company(site: &Site<'_>, view: &Value) -> Markup {
    let players = view["players"].as_array().map_or(&[][..], Vec::as_slice);
    let who = |player: &Value| match player["kind"].as_str() {
        Some("computer") if player["engine"].is_string() => {
            player["engine"].as_str().unwrap_or("").to_string()
        }
        Some("computer") => {
            let level = player["level"].to_string();
            site.words.text("player-computer", &[("level", &level)])
        }
        _ if player["seated"] == true => site.say("player-person"),
        _ => site.say("player-open"),
    };
    html! {
        @if players.len() > 2 {
            dt { (site.say("join-company")) }
            dd {
                ul {
                    @for player in players {
                        li {
                            (seat_name(site, view, player["seat"].as_str().unwrap_or("")))
                            ": " (who(player))
                        }
                    }
                }
            }
        }
    }
}

/// A variant's name, and the options that differ from what is usual in it.
pub(super) fn variant(site: &Site<'_>, spec: &GameSpec, text: &str) -> String {
    let (id, options) = text.split_once(',').unwrap_or((text, ""));
    let name = site.say_or(&format!("{}-variant-{id}", spec.id), id);
    let option = |(key, value): (&str, &str)| {
        let named = site.say_or(&format!("{}-option-{key}", spec.id), key);
        let value = site.say_or(&format!("{}-option-{key}-{value}", spec.id), value);
        format!("{named}: {value}")
    };
    let options = options.split(',').filter_map(|option| option.split_once('=')).map(option);
    std::iter::once(name).chain(options).collect::<Vec<_>>().join(", ")
}

/// A time control in words.
fn clock(site: &Site<'_>, control: &Value) -> String {
    let seconds = |key: &str| control[key].as_u64().unwrap_or(0) / 1000;
    if !control.is_object() {
        return site.say("clock-none");
    }
    let (main, byoyomi) = (seconds("main_ms"), seconds("byoyomi_ms"));
    let mut parts = Vec::new();
    if main > 0 {
        let minutes = format!("{}:{:02}", main / 60, main % 60);
        parts.push(site.words.text("clock-words-main", &[("time", &minutes)]));
    }
    if byoyomi > 0 {
        let periods = control["periods"].as_u64().unwrap_or(1).to_string();
        let values = [("seconds", byoyomi.to_string()), ("periods", periods)];
        let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
        parts.push(site.words.text("clock-words-byoyomi", &values));
    }
    if seconds("increment_ms") > 0 {
        let more = seconds("increment_ms").to_string();
        parts.push(site.words.text("clock-words-increment", &[("seconds", &more)]));
    }
    parts.join(", ")
}
