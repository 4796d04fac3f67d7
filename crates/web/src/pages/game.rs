//! The page of a game, for players and for watchers.

use super::Site;
use super::layout::{Frame, icon};
use super::texts::{data_block, for_scripts};
use kiban_core::GameSpec;
use maud::{Markup, html};
use serde_json::{Value, json};

/// What the bottom bar and the side offer; each is hidden until the game allows it.
const ACTIONS: [&str; 6] = ["take-back", "draw", "impasse", "declare", "claim-left", "resign"];

/// The page of a game as this view shows it. A watcher's page carries the watcher's secret.
pub(crate) fn page(
    site: &Site<'_>,
    spec: &'static GameSpec,
    view: &Value,
    watch: Option<&str>,
) -> Markup {
    let name = spec.names.en;
    let several = view["players"].as_array().is_some_and(|players| players.len() > 2);
    let others: &[&str] =
        if several { &["bar-left", "bar-rival", "bar-right"] } else { &["bar-rival"] };
    let main = html! {
        h1 .unseen { (name) }
        div .play .game .several[several] {
            div .rivals { @for id in others { (bar(site, id)) } }
            div .stage {
                div #board .board {
                    noscript { p .note { (site.say("game-no-script")) } }
                }
                div .below {
                    p #status role="status" {}
                    p #told {}
                    p #place {}
                    div #facts {}
                }
            }
            div .side {
                div #panel hidden {}
                section #arrange hidden aria-label=(site.say("layout-title")) {}
                (eyes(site))
                (record(site))
                (actions(site, spec, view, watch))
            }
            (bar(site, "bar-own"))
        }
        (data_block("page", &json!({ "watch": watch, "exact": spec.probe.is_some() })))
        (data_block("view", view))
        (data_block("words", &for_scripts(site, spec)))
    };
    Frame { title: name, class: "playing", script: Some("game.js"), here: "-", main }.page(site)
}

/// A player: whose turn it is shows by its light.
fn bar(site: &Site<'_>, id: &str) -> Markup {
    html! {
        section id=(id) .bar aria-label=(site.say(&format!("{id}-label"))) {
            span .lamp aria-hidden="true" {}
            span .name { b .seat {} span .who {} }
            span .turn .unseen {}
            ul .tray aria-label=(site.say("bar-tray")) {}
            span .clock hidden { span .time {} span .periods {} }
        }
    }
}

/// With whose eyes a game that is over is looked at.
fn eyes(site: &Site<'_>) -> Markup {
    html! {
        div #eyes .field hidden {
            label for="eyes-who" { (site.say("eyes-label")) }
            select #eyes-who {}
        }
    }
}

/// The moves, with the buttons to step through them.
pub(super) fn record(site: &Site<'_>) -> Markup {
    let steps = ["first", "back", "on", "last"];
    html! {
        section #record .record .empty aria-label=(site.say("record-label")) {
            div .head {
                button .opens type="button" aria-expanded="false" aria-controls="moves" {
                    span .line {}
                }
                button .notation type="button" title=(site.say("record-notation")) {}
                div .steps role="group" aria-label=(site.say("record-steps")) {
                    @for step in steps {
                        @let text = site.say(&format!("record-{step}"));
                        button .icon type="button" data-step=(step) title=(text)
                            aria-label=(text) { (icon(step)) }
                    }
                }
            }
            ol #moves {}
        }
    }
}

/// The rules of the variant that is played.
fn rules_of(spec: &GameSpec, view: &Value) -> String {
    let variant = view["variant"].as_str().unwrap_or("").replace(',', "%2C").replace('=', "%3D");
    format!("/{}/rules?variant={variant}", spec.id)
}

fn actions(site: &Site<'_>, spec: &GameSpec, view: &Value, watch: Option<&str>) -> Markup {
    let watch = watch.map_or(String::new(), |secret| format!("&watch={secret}"));
    let id = view["id"].as_str().unwrap_or("");
    let formats = view["formats"].as_array().map_or(&[][..], Vec::as_slice);
    let several = view["players"].as_array().is_some_and(|players| players.len() > 2);
    let formats: Vec<&str> = formats.iter().filter_map(|f| f["id"].as_str()).collect();
    let tool = |act: &str, text: &str| {
        html! {
            button .icon type="button" data-act=(act) title=(text) aria-label=(text) { (icon(act)) }
        }
    };
    html! {
        div #actions {
            @for act in ACTIONS {
                button type="button" data-act=(act) hidden {
                    (icon(act)) span { (site.say(&format!("act-{act}"))) }
                }
            }
        }
        div .tools {
            button type="button" data-act="hide" hidden {
                (icon("hide")) span { (site.say("act-hide")) }
            }
            (tool("flip", &site.say("act-flip")))
            button .icon type="button" data-act="faces" hidden title=(site.say("act-faces"))
                aria-label=(site.say("act-faces")) { (icon("faces")) }
            @if several { (tool("near", &site.say("act-near"))) }
            (tool("sound", &site.say("sound-on")))
            a .button .icon href=(rules_of(spec, view)) target="_blank" title=(site.say("act-rules"))
                aria-label=(site.say("act-rules")) { (icon("rules")) }
            @if !formats.is_empty() {
                details .menu {
                    summary .icon title=(site.say("act-download"))
                        aria-label=(site.say("act-download")) { (icon("download")) }
                    div {
                        @for format in formats {
                            a href=(format!("/api/games/{id}/record?format={format}{watch}"))
                                download { (format.to_uppercase()) }
                        }
                    }
                }
            }
        }
        (move_form(site, spec, true))
    }
}

/// A field for a move in the game's own notation.
pub(super) fn move_form(site: &Site<'_>, spec: &GameSpec, hidden: bool) -> Markup {
    html! {
        form #move-form hidden[hidden] {
            label for="move-text" { (site.say("game-move-label")) }
            div .row {
                input #move-text type="text" autocomplete="off" autocapitalize="off"
                    spellcheck="false" enterkeyhint="send"
                    placeholder=(site.say_or(&format!("{}-move-example", spec.id), ""));
                button type="submit" { (site.say("game-move-send")) }
            }
        }
    }
}
