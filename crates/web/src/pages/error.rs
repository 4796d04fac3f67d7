//! The page that says what went wrong.

use super::Site;
use super::layout::{Frame, icon};
use maud::{Markup, html};

/// One calm sentence and a way on.
pub(crate) fn page(site: &Site<'_>, status: u16, message: &str) -> Markup {
    let title = match status {
        404 => site.say("error-404"),
        403 => site.say("error-403"),
        _ => site.say("error-other"),
    };
    let main = html! {
        article .prose .mistake {
            (icon("board"))
            h1 { (title) }
            p { (message) }
            p { a .button .primary href="/" { (site.say("error-home")) } }
        }
    };
    Frame { title: &title, class: "text", script: None, here: "-", main }.page(site)
}
