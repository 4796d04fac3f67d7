//! The frame around every page.

use super::Site;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style sheets, the one that changes the others last.
const SHEETS: [&str; 6] = ["kiban", "board", "secret", "pages", "analysis", "phone"];

/// What a page is put together from.
pub(super) struct Frame<'a> {
    /// The title, without the program's name.
    pub(super) title: &'a str,
    /// A class of the body.
    pub(super) class: &'a str,
    /// Its main module, if it has one.
    pub(super) script: Option<&'a str>,
    /// Where in the site it stands: a game's id, `about` or nothing.
    pub(super) here: &'a str,
    /// What stands in `main`.
    pub(super) main: Markup,
}

impl Frame<'_> {
    /// The whole page.
    pub(super) fn page(self, site: &Site<'_>) -> Markup {
        let name = site.say("site-name");
        let title = if self.title.is_empty() { name } else { format!("{} · {name}", self.title) };
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) }
                    link rel="icon" href="/static/icon.svg" type="image/svg+xml";
                    @for sheet in SHEETS {
                        link rel="stylesheet" href=(format!("/static/{sheet}.css"));
                    }
                    script src="/static/theme.js" {}
                    @if let Some(script) = self.script {
                        script type="module" src=(format!("/static/{script}")) {}
                    }
                }
                body class=(self.class) {
                    a .skip href="#main" { (site.say("nav-skip")) }
                    (header(site, self.here))
                    main id="main" { (self.main) }
                    (footer(site))
                    div id="live" .unseen aria-live="polite" {}
                }
            }
        }
    }
}

fn header(site: &Site<'_>, here: &str) -> Markup {
    let current = |id: &str| (id == here).then_some("page");
    html! {
        header .site {
            a .mark href="/" aria-current=[current("")] {
                (icon("board")) span { (site.say("site-name")) }
            }
            button #menu type="button" aria-expanded="false" aria-controls="nav" {
                (site.say("nav-label")) (icon("down"))
            }
            nav #nav aria-label=(site.say("nav-label")) {
                @for spec in site.games {
                    a .to-game href=(format!("/{}", spec.id)) aria-current=[current(spec.id)] {
                        (spec.names.en)
                    }
                    // Only the menu of narrow windows has room for it.
                    @if !(spec.puzzles)().is_empty() {
                        a .to-puzzles href=(format!("/{}/puzzles", spec.id)) {
                            span .unseen { (spec.names.en) " " } (site.say("nav-puzzles"))
                        }
                    }
                }
                a .to-game href="/about" aria-current=[current("about")] { (site.say("nav-about")) }
            }
            button #theme .icon type="button" title=(site.say("nav-theme"))
                aria-label=(site.say("nav-theme")) { (icon("theme")) }
        }
    }
}

fn footer(site: &Site<'_>) -> Markup {
    html! {
        footer .site {
            p { (site.say("footer-words")) }
            p {
                @for spec in site.games {
                    a href=(format!("/{}/rules", spec.id)) {
                        (site.words.text("footer-rules", &[("game", spec.names.en)]))
                    }
                }
                a href="/about" { (site.say("nav-about")) }
            }
        }
    }
}

/// A small line drawing, 24 units a side, in the colour of the text.
pub(super) fn icon(name: &str) -> Markup {
    let path = match name {
        "board" => "M8.5 3v18M15.5 3v18M3 8.5h18M3 15.5h18",
        "theme" => "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
        "flip" => "M7 20V5M3.5 8.5L7 5l3.5 3.5M17 4v15M13.5 15.5L17 19l3.5-3.5",
        "sound" => "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
        "first" => "M6 5v14M18 5l-8 7 8 7",
        "back" => "M15 5l-8 7 8 7",
        "on" => "M9 5l8 7-8 7",
        "last" => "M18 5v14M6 5l8 7-8 7",
        "take-back" => "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4",
        "resign" => "M6 21V4M6 4.5h11l-2.5 3.5L17 11.500H6",
        "draw" => "M5 9.500h14M5 14.500h14",
        "impasse" => "M4 12h6M14 12h6M10 7v10M14 7v10",
        "declare" => {
            "M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1 5.900L12 16.900 6.800 19.700l1-5.900-4.300-4.100 5.900-.8z"
        }
        "claim-left" => "M14 4H5v16h9M10 12h11M17.500 8.500L21 12l-3.500 3.500",
        "hide" => "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6zM4.500 20L19.500 4",
        "faces" => {
            "M4 5h16M12 2.500V5M6.500 9.500h11M9 9.500c0 5-1.500 8-5 11M15 9.500V19q0 1.500 1.500 1.500h4"
        }
        "link" => {
            "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1.200 1.200M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1.200-1.200"
        }
        "down" => "M6 9.500l6 6 6-6",
        "rules" => {
            "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.01M12 3a9 9 0 1 0 .01 0"
        }
        "near" => {
            "M10.500 4a6.500 6.500 0 1 0 .01 0M15.500 15.500L21 21M7.500 10.500h6M10.500 7.500v6"
        }
        "download" => "M12 4v11M7.500 10.500L12 15l4.500-4.500M5 20h14",
        _ => "M5 12h14",
    };
    html! {
        svg .ic viewBox="0 0 24 24" aria-hidden="true" {
            path d=(PreEscaped(path)) {}
        }
    }
}
