//! The puzzles of a game.

use super::Site;
use super::game::move_form;
use super::layout::{Frame, icon};
use super::texts::{data_block, for_scripts};
use crate::puzzles::aim_name;
use kiban_core::{Aim, GameSpec, Grade, Puzzle};
use maud::{Markup, html};
use serde_json::{Value, json};

/// A board that answers each try, and the list of all.
pub(crate) fn page(site: &Site<'_>, spec: &'static GameSpec) -> Markup {
    let title = site.words.text("puzzle-title", &[("game", spec.names.en)]);
    let puzzles = (spec.puzzles)();
    let main = html! {
        div .play .puzzles {
            div .stage {
                div #board .board { noscript { p .note { (site.say("game-no-script")) } } }
                div .below { p #place {} }
            }
            div .side {
                div .intro {
                    h1 { (title) }
                    p .lead { (site.say("puzzle-words")) }
                }
                section #task aria-live="polite" {
                    h2 #number {}
                    p #aim {}
                    p #answer .note {}
                }
                (move_form(site, spec, false))
                div #actions {
                    button #again .primary type="button" hidden { (site.say("puzzle-again")) }
                    button #next type="button" { (site.say("puzzle-next")) }
                    button #show type="button" { (site.say("puzzle-show")) }
                    a #analyse .button href=(format!("/analysis/{}", spec.id)) {
                        (site.say("puzzle-analyse"))
                    }
                    span .tools {
                        button #faces .icon type="button" title=(site.say("act-faces"))
                            aria-label=(site.say("act-faces")) hidden { (icon("faces")) }
                        button #flip .icon type="button" title=(site.say("act-flip"))
                            aria-label=(site.say("act-flip")) { (icon("flip")) }
                    }
                }
                (list(site, &puzzles))
            }
        }
        (data_block("page", &json!({ "game": spec.id, "puzzles": data(&puzzles) })))
        (data_block("words", &for_scripts(site, spec)))
    };
    Frame { title: &title, class: "playing", script: Some("puzzles.js"), here: spec.id, main }
        .page(site)
}

/// All by grade, each a link to its number.
fn list(site: &Site<'_>, puzzles: &[Puzzle]) -> Markup {
    html! {
        nav #puzzles aria-label=(site.say("puzzle-list")) {
            @for grade in Grade::ALL {
                h2 { (site.say(&format!("grade-{}", grade.name()))) }
                ul {
                    @for (i, _) in puzzles.iter().enumerate().filter(|(_, p)| p.grade == grade) {
                        li { a href=(format!("#{}", i + 1)) { (i + 1) } }
                    }
                }
            }
        }
    }
}

fn data(puzzles: &[Puzzle]) -> Vec<Value> {
    let one = |puzzle: &Puzzle| {
        let plies = match puzzle.aim {
            Aim::Win(plies) => Some(plies),
            Aim::Hold(_) => None,
        };
        json!({ "aim": aim_name(puzzle.aim), "plies": plies })
    };
    puzzles.iter().map(one).collect()
}
