//! The analysis page.

use super::Site;
use super::game::{move_form, record};
use super::layout::{Frame, icon};
use super::texts::{data_block, for_scripts};
use kiban_core::GameSpec;
use maud::{Markup, html};
use serde_json::json;

/// Reads a record or a position, steps through it, tries moves.
pub(crate) fn page(site: &Site<'_>, spec: &'static GameSpec) -> Markup {
    let title = site.words.text("analysis-title", &[("game", spec.names.en)]);
    let extensions: Vec<String> =
        spec.formats.iter().flat_map(|f| f.extensions).map(|e| format!(".{e}")).collect();
    let main = html! {
        div .play .analysis {
            div .stage {
                div #board .board { noscript { p .note { (site.say("game-no-script")) } } }
                div .below { p #status role="status" {} p #place {} div #facts {} }
            }
            div .side {
                (head(site, &title))
                (actions(site, spec))
                (engine(site, spec))
                section #values aria-label=(site.say("exact-label")) hidden {}
                div #verdict hidden {}
                p #tried .note hidden {
                    (site.say("analysis-tried")) " "
                    button #restore type="button" { (site.say("analysis-restore")) }
                }
                (record(site))
                p #comment {}
                (move_form(site, spec, false))
            }
            (review(site))
            div .texts {
                (load(site, &extensions.join(",")))
                div .field {
                    label for="position" { (site.say("analysis-position")) }
                    div #copy-position .copy { input #position type="text" readonly; }
                }
            }
        }
        (data_block("page", &json!({ "game": spec.id, "usual": spec.variants[0].id })))
        (data_block("words", &for_scripts(site, spec)))
    };
    Frame { title: &title, class: "playing", script: Some("analysis.js"), here: spec.id, main }
        .page(site)
}

/// The title, and how the board is looked at.
fn head(site: &Site<'_>, title: &str) -> Markup {
    let tool = |id: &str, name: &str, key: &str, hidden: bool| {
        let text = site.say(key);
        html! {
            button id=(id) .icon type="button" title=(text) aria-label=(text) hidden[hidden] {
                (icon(name))
            }
        }
    };
    html! {
        div .head {
            h1 { (title) }
            span .tools {
                (tool("faces", "faces", "act-faces", true))
                (tool("flip", "flip", "act-flip", false))
                (tool("link", "link", "analysis-link", false))
            }
        }
    }
}

/// What the computer may be asked, and what may be done from here.
fn actions(site: &Site<'_>, spec: &GameSpec) -> Markup {
    html! {
        div #actions {
            button #think type="button" aria-pressed="false" { (site.say("engine-think")) }
            @if spec.probe.is_some() {
                button #exact type="button" { (site.say("exact-button")) }
            }
            button #judge type="button" hidden { (site.say("review-start")) }
            a #play-here .button href=(format!("/{}", spec.id)) { (site.say("analysis-play")) }
        }
    }
}

/// Best moves, and what is proved of the position.
fn engine(site: &Site<'_>, spec: &GameSpec) -> Markup {
    let others = site.engines_for(spec);
    html! {
        section #engine aria-label=(site.say("engine-label")) hidden {
            div .head {
                @if !others.is_empty() {
                    label .unseen for="engine-name" { (site.say("engine-which")) }
                    select #engine-name {
                        option value="" { (site.say("engine-own")) }
                        @for name in others { option value=(name) { (name) } }
                    }
                }
                p .note {}
                label .switch {
                    input #engine-arrows type="checkbox";
                    span { (site.say("engine-arrows")) }
                }
            }
            div .proofs {}
            ol {}
        }
    }
}

/// The whole game judged: a graph one can walk along, the same in words, and a table.
fn review(site: &Site<'_>) -> Markup {
    html! {
        section #review aria-label=(site.say("review-label")) hidden {
            div .graph role="slider" tabindex="0" aria-label=(site.say("review-graph"))
                aria-valuemin="0" hidden {}
            p .told {}
            div .counts {}
            p .note role="status" {}
            details hidden {
                summary { (site.say("review-table")) }
                div .scroll {
                    table {
                        thead {
                            tr {
                                th scope="col" { (site.say("review-column-move")) }
                                th scope="col" { (site.say("review-column-chance")) }
                                th scope="col" { (site.say("review-column-remark")) }
                            }
                        }
                        tbody {}
                    }
                }
            }
        }
    }
}

fn load(site: &Site<'_>, accept: &str) -> Markup {
    html! {
        form #load .field {
            label for="text" { (site.say("analysis-text")) }
            textarea #text rows="4" spellcheck="false" autocomplete="off" {}
            div .row {
                button .primary type="submit" { (site.say("analysis-read")) }
                label .button for="file" { (site.say("analysis-open")) }
                input #file .unseen type="file" accept=(accept);
            }
        }
    }
}
