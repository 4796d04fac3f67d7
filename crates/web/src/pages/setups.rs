//! The choice of a set-up by grade, each with its diagram, in games that grade them.

use super::form::Fields;
use super::{Site, diagram};
use kiban_core::{GameSpec, Grade, SetupSpec, Value};
use maud::{Markup, html};

/// Whether the set-ups of a game are chosen by grade.
pub(super) fn are_graded(spec: &GameSpec) -> bool {
    spec.setups.iter().any(|setup| setup.grade.is_some())
}

/// A tab for each grade and one for a position of one's own.
pub(super) fn picker(site: &Site<'_>, spec: &GameSpec, fields: &Fields, own: &Markup) -> Markup {
    let usual = spec.variants.first().and_then(|variant| variant.start);
    let usual = spec.setups.iter().find(|setup| Some(setup.position) == usual);
    let chosen = match fields.get("setup", "") {
        "" => usual.map_or("", |setup| setup.id),
        id => id,
    };
    let grade = spec.setups.iter().find(|setup| setup.id == chosen).and_then(|setup| setup.grade);
    let tab = grade.map_or("own", Grade::name);
    html! {
        fieldset .field .setups {
            legend { (site.say("start-setup")) }
            div .choices .grades {
                @for name in Grade::ALL.map(Grade::name).into_iter().chain(["own"]) {
                    label {
                        input type="radio" name="grade" value=(name) checked[name == tab];
                        span { (site.say(&format!("grade-{name}"))) }
                    }
                }
            }
            (diagram::shared(spec))
            @for grade in Grade::ALL {
                div .cards data-grade=(grade.name()) {
                    @for setup in spec.setups.iter().filter(|s| s.grade == Some(grade)) {
                        (card(site, spec, setup, setup.id == chosen))
                    }
                }
            }
            div .own data-grade="own" {
                label .explained {
                    input type="radio" name="setup" value="own" checked[chosen == "own"];
                    span { (site.say("start-own")) }
                }
                (own)
            }
        }
    }
}

fn card(site: &Site<'_>, spec: &GameSpec, setup: &SetupSpec, chosen: bool) -> Markup {
    let name = site.say_or(&format!("{}-setup-{}", spec.id, setup.id), setup.name);
    html! {
        div .setup {
            label {
                input type="radio" name="setup" value=(setup.id) checked[chosen];
                span {
                    @if let Some(board) = diagram::small(spec, setup.position) { (board) }
                    b { (name) }
                }
            }
            @if let Some(worth) = setup.worth {
                details {
                    summary { (site.say("setup-show-worth")) }
                    p { (told(site, worth)) }
                }
            }
        }
    }
}

/// What a set-up is worth to the first player, whose turn it is.
fn told(site: &Site<'_>, (value, distance): (Value, Option<u32>)) -> String {
    let seat = match value {
        Value::Win => "seat-first",
        Value::Draw => return site.say("setup-worth-draw"),
        Value::Loss => "seat-second",
    };
    let (seat, n) = (site.say(seat), distance.unwrap_or(0).to_string());
    site.words.text("setup-worth-win", &[("seat", &seat), ("n", &n)])
}
