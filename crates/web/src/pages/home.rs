//! The first page.

use super::layout::Frame;
use super::{Site, diagram};
use kiban_core::GameSpec;
use maud::{Markup, html};

/// The games, each with its board.
pub(crate) fn page(site: &Site<'_>) -> Markup {
    let main = html! {
        section .hero {
            h1 { (site.say("home-title")) }
            p { (site.say("home-words")) }
        }
        section .games {
            @for spec in site.games { (card(site, spec)) }
        }
        section .points {
            @for point in ["exact", "study", "own"] {
                div {
                    h2 { (site.say(&format!("home-{point}-title"))) }
                    p { (site.say(&format!("home-{point}"))) }
                }
            }
        }
    };
    Frame { title: "", class: "home", script: None, here: "", main }.page(site)
}

fn card(site: &Site<'_>, spec: &'static GameSpec) -> Markup {
    let start = format!("/{}", spec.id);
    let name = spec.names.en;
    html! {
        article .card {
            a .picture href=(start) tabindex="-1" aria-hidden="true" {
                @if let Some(board) = diagram::start(spec, "", None) { (board) }
            }
            div .text {
                h2 { a href=(start) { (name) } }
                p { (site.say_or(&format!("{}-about", spec.id), "")) }
                div .row {
                    a .button .primary href=(start) { (site.say("home-play")) }
                    a .button href=(format!("/{}/rules", spec.id)) {
                        (site.say("nav-rules"))
                        span .unseen { (name) }
                    }
                    a .button href=(format!("/analysis/{}", spec.id)) {
                        (site.say("nav-analysis"))
                        span .unseen { (name) }
                    }
                    @if !(spec.puzzles)().is_empty() {
                        a .button href=(format!("/{}/puzzles", spec.id)) {
                            (site.say("nav-puzzles"))
                            span .unseen { (name) }
                        }
                    }
                }
            }
        }
    }
}
