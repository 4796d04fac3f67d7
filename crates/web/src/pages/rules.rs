//! A game's rules, from the same lists that judge it.

use super::layout::Frame;
use super::texts::keys;
use super::{Site, diagram};
use kiban_core::{ArrangedKind, Arrangement, GameSpec, OptionSpec, Reason, Seat, Shape, Variant};
use maud::{Markup, html};

/// The rules page; of a game that is played, its variant's text is given, and what holds in it is
/// marked.
pub(crate) fn page(site: &Site<'_>, spec: &'static GameSpec, variant: &str) -> Markup {
    let played = Some(variant).filter(|text| !text.is_empty());
    let played = played.and_then(|text| spec.variant(text).ok());
    let title = site.words.text("rules-title", &[("game", spec.names.en)]);
    let main = html! {
        article .prose .rules {
            h1 { (title) }
            p .lead { (site.say_or(&format!("{}-about", spec.id), "")) }
            p .row {
                a .button .primary href=(format!("/{}", spec.id)) { (site.say("home-play")) }
                a .button href=(format!("/analysis/{}", spec.id)) { (site.say("nav-analysis")) }
                @if !(spec.puzzles)().is_empty() {
                    a .button href=(format!("/{}/puzzles", spec.id)) { (site.say("nav-puzzles")) }
                }
            }
            figure .picture {
                @if spec.layouts.is_empty() {
                    @if let Some(board) = diagram::start(spec, "", None) { (board) }
                    figcaption { (site.say("rules-start")) }
                } @else {
                    @if let Some(board) = diagram::empty(spec) { (board) }
                    figcaption {
                        (site.say("rules-board"))
                        ul .legend {
                            @for text in texts_from(site, spec, "legend") { li { (text) } }
                        }
                    }
                }
            }
            (pieces(site, spec))
            (own_texts(site, spec))
            (endings(site, spec))
            (variants(site, spec, played.as_ref()))
            (options(site, spec, played.as_ref()))
            (setups(site, spec))
            (formats(site, spec))
        }
    };
    Frame { title: &title, class: "text", script: None, here: spec.id, main }.page(site)
}

/// The pieces that are laid out, those with a rank first, strongest on top.
fn pieces(site: &Site<'_>, spec: &GameSpec) -> Markup {
    let game = spec.variant("").ok().and_then(|v| diagram::opened(spec, &v, None));
    let arrangement = game.and_then(|game| game.arrangement(Seat::FIRST));
    let place = spec.variant("").ok().map(|v| (spec.picture)(&v, Shape::Wide));
    let size = place.and_then(|p| p.places.first().map(|p| (p.w, p.h))).unwrap_or((1.0, 1.0));
    html! {
        @if let Some(Arrangement { places, kinds, .. }) = arrangement {
            @let ranked = |kind: &&ArrangedKind| kind.places.len() == places.len();
            @let others = kinds.iter().filter(|kind| !ranked(kind));
            h2 { (site.say("rules-pieces")) }
            table .pieces {
                @for kind in kinds.iter().filter(ranked).chain(others) {
                    tr {
                        td { (diagram::piece(spec, &kind.face, size)) }
                        th scope="row" { (capital(&site.say(&kind.name))) }
                        td { "× " (kind.count) }
                        td .note { @if let Some(why) = kind.why { (site.say(why)) } }
                    }
                }
            }
        }
    }
}

/// The game's own words: `GAME-rules-...`, a heading where the key ends in `-title`.
fn own_texts(site: &Site<'_>, spec: &GameSpec) -> Markup {
    html! {
        @for key in keys_from(spec, "rules") {
            @let text = site.say(key);
            @if key.ends_with("-title") {
                h2 { (text) }
            } @else {
                @for block in text.split("\n\n") { (block_of(block)) }
            }
        }
    }
}

/// The keys of the game's own file that begin with `GAME-PART-`, in its order.
fn keys_from(spec: &GameSpec, part: &str) -> Vec<&'static str> {
    let start = format!("{}-{part}-", spec.id);
    let files = spec.messages.iter().filter(|(language, _)| *language == "en").map(|m| m.1);
    files.flat_map(keys).filter(|k| k.starts_with(&start)).collect()
}

fn texts_from(site: &Site<'_>, spec: &GameSpec, part: &str) -> Vec<String> {
    keys_from(spec, part).into_iter().map(|key| site.say(key)).collect()
}

/// A paragraph, or a list where every line begins with a dash.
fn block_of(block: &str) -> Markup {
    let lines: Vec<&str> = block.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let items: Option<Vec<&str>> = lines.iter().map(|l| l.strip_prefix("- ")).collect();
    html! {
        @match items {
            Some(items) if !items.is_empty() => ul { @for item in items { li { (item) } } },
            _ => p { (lines.join(" ")) },
        }
    }
}

fn endings(site: &Site<'_>, spec: &GameSpec) -> Markup {
    let foul = |r: &&Reason| r.0.starts_with("illegal-");
    let fouls: Vec<&Reason> = spec.reasons.iter().filter(foul).collect();
    let ends: Vec<&Reason> = spec.reasons.iter().filter(|r| !foul(r)).collect();
    html! {
        h2 { (site.say("rules-endings")) }
        (reasons(site, &ends))
        @if !fouls.is_empty() {
            h2 { (site.say("rules-fouls")) }
            p { (site.say("rules-fouls-words")) }
            (reasons(site, &fouls))
        }
    }
}

fn reasons(site: &Site<'_>, reasons: &[&Reason]) -> Markup {
    html! {
        ul .reasons {
            @for reason in reasons {
                li { (capital(&site.words.reason(reason.0))) }
            }
        }
    }
}

/// With a capital first letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn variants(site: &Site<'_>, spec: &GameSpec, played: Option<&Variant>) -> Markup {
    html! {
        @if spec.variants.len() > 1 {
            h2 { (site.say("rules-variants")) }
            dl {
                @for variant in spec.variants {
                    @let key = format!("{}-variant-{}", spec.id, variant.id);
                    dt {
                        (site.say_or(&key, variant.id)) " " code { (variant.id) }
                        @if played.is_some_and(|played| played.id() == variant.id) { (here(site)) }
                    }
                    dd { (site.say_or(&format!("{key}-about"), "")) }
                }
            }
        }
    }
}

/// Says that this is what the game being played has.
fn here(site: &Site<'_>) -> Markup {
    html! { " " span .tag .here { (site.say("rules-here")) } }
}

fn options(site: &Site<'_>, spec: &GameSpec, played: Option<&Variant>) -> Markup {
    html! {
        @if !spec.options.is_empty() {
            h2 { (site.say("rules-options")) }
            p { (site.say("rules-options-words")) }
            dl {
                @for option in spec.options { (option_rows(site, spec, option, played)) }
            }
        }
    }
}

fn option_rows(
    site: &Site<'_>,
    spec: &GameSpec,
    option: &OptionSpec,
    played: Option<&Variant>,
) -> Markup {
    let holds = played.map(|played| played.get(option, None));
    html! {
        dt {
            (site.say_or(&format!("{}-option-{}", spec.id, option.key), option.key))
            " " code { (option.key) }
        }
        dd {
            ul {
                @for value in option.values {
                    li {
                        (value_name(site, spec, option, value))
                        @if *value == option.default {
                            " " span .tag { (site.say("rules-default")) }
                        }
                        @if holds == Some(*value) { (here(site)) }
                    }
                }
            }
        }
    }
}

/// An option's value in words, or as it is written.
pub(super) fn value_name(
    site: &Site<'_>,
    spec: &GameSpec,
    option: &OptionSpec,
    value: &str,
) -> String {
    site.say_or(&format!("{}-option-{}-{value}", spec.id, option.key), value)
}

fn setups(site: &Site<'_>, spec: &GameSpec) -> Markup {
    html! {
        @if !spec.setups.is_empty() {
            h2 { (site.say("rules-setups")) }
            ul .setups {
                @for setup in spec.setups {
                    @let name = site.say_or(&format!("{}-setup-{}", spec.id, setup.id), setup.name);
                    li { a href=(format!("/{}?setup={}", spec.id, setup.id)) { (name) } }
                }
            }
        }
    }
}

fn formats(site: &Site<'_>, spec: &GameSpec) -> Markup {
    let list = |pick: fn(&kiban_core::Format) -> bool| {
        let ids: Vec<_> = spec.formats.iter().filter(|f| pick(f)).map(|f| f.id).collect();
        ids.join(", ")
    };
    let (read, written) = (list(|f| f.read.is_some()), list(|f| f.write.is_some()));
    html! {
        @if !spec.formats.is_empty() {
            h2 { (site.say("rules-formats")) }
            p { (site.words.text("rules-formats-words", &[("read", &read), ("written", &written)])) }
        }
    }
}
