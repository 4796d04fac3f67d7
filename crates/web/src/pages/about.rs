//! What the program is, and the licences it owes.

use super::Site;
use super::layout::Frame;
use maud::{Markup, html};

/// The about page.
pub(crate) fn page(site: &Site<'_>) -> Markup {
    let title = site.say("nav-about");
    let main = html! {
        article .prose {
            h1 { (site.say("about-title")) }
            p { (site.say("about-words")) }
            p { (site.say("about-own")) }
            h2 { (site.say("about-keys-title")) }
            p { (site.say("about-keys")) }
            h2 { (site.say("about-licence-title")) }
            p { (site.words.text("about-licence", &[("version", env!("CARGO_PKG_VERSION"))])) }
            h2 { (site.say("about-face-title")) }
            p { (site.say("about-face")) }
            details {
                summary { (site.say("about-face-licence")) }
                pre tabindex="0" { (kiban_glyphs::LICENCE) }
            }
        }
    };
    Frame { title: &title, class: "text", script: None, here: "about", main }.page(site)
}
