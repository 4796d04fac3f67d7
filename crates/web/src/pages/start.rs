//! The page that sets up a game.

use super::form::{Fields, PRESETS};
use super::layout::Frame;
use super::rules::value_name;
use super::texts::{data_block, for_scripts};
use super::{Site, diagram, form, setups};
use kiban_core::{GameSpec, OptionSpec, Seat, Stage, VariantSpec, Viewer};
use maud::{Markup, html};
use serde_json::{Value, json};

/// Reads the fields of a query or a form.
pub(crate) fn read_fields(query: &str) -> Vec<(String, String)> {
    form::parse(query)
}

/// The body of `POST /api/games` that the fields of the form come to.
///
/// # Errors
/// A sentence on the field that cannot be read.
pub(crate) fn request(spec: &GameSpec, fields: &[(String, String)]) -> Result<Value, String> {
    Fields::new(fields).request(spec)
}

/// The form, with what was said already and what was wrong with it.
pub(crate) fn page(
    site: &Site<'_>,
    spec: &'static GameSpec,
    fields: &[(String, String)],
    error: Option<&str>,
) -> Markup {
    let fields = Fields::new(fields);
    let levels: Vec<String> = (1..=10).map(|n| site.say(&format!("level-{n}"))).collect();
    let data = json!({ "game": spec.id, "filled": !fields.is_empty(), "levels": levels });
    let board = diagram::start(spec, &fields.variant(spec), fields.start())
        .or_else(|| diagram::start(spec, "", None));
    let main = html! {
        div .play {
            div .stage {
                div #board .board { @if let Some(board) = board { (board) } }
                p #status role="status" {}
            }
            form #start .side method="post" action=(format!("/{}", spec.id)) {
                div .intro {
                    h1 { (spec.names.en) }
                    p .lead { (site.say_or(&format!("{}-about", spec.id), "")) }
                    p .links {
                        a href=(format!("/{}/rules", spec.id)) { (site.say("nav-rules")) }
                        a href=(format!("/analysis/{}", spec.id)) { (site.say("nav-analysis")) }
                        @if !(spec.puzzles)().is_empty() {
                            a href=(format!("/{}/puzzles", spec.id)) { (site.say("nav-puzzles")) }
                        }
                    }
                }
                @if let Some(error) = error { p .fault role="alert" { (error) } }
                @if seats_differ(spec) { (variant(site, spec, &fields)) }
                (opponent(site, spec, &fields))
                (places(site, spec, &fields))
                @if !seats_differ(spec) { (variant(site, spec, &fields)) }
                (setup(site, spec, &fields))
                (clock(site, &fields))
                (layout_time(site, spec, &fields))
                (more(site, spec, &fields))
                button .primary .wide type="submit" { (site.say("start-go")) }
            }
        }
        (data_block("page", &data))
        (data_block("words", &for_scripts(site, spec)))
    };
    let title = spec.names.en;
    Frame { title, class: "start", script: Some("start.js"), here: spec.id, main }.page(site)
}

/// One of a few, each seen at once.
fn radios(name: &str, chosen: &str, options: &[(&str, String)]) -> Markup {
    html! {
        div .choices {
            @for (value, text) in options {
                label {
                    input type="radio" name=(name) value=(value) checked[*value == chosen];
                    span { (text) }
                }
            }
        }
    }
}

fn opponent(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    let ways = ["computer", "screen", "online"];
    let ways = ways.map(|way| (way, site.say(&format!("start-{way}"))));
    let sides = [
        ("first", site.say("seat-first")),
        ("random", site.say("start-random")),
        ("second", site.say("seat-second")),
    ];
    let level = fields.get("level", "3");
    let engines = site.engines_for(spec);
    html! {
        fieldset .ways {
            legend .unseen { (site.say("start-opponent")) }
            (radios("opponent", fields.get("opponent", "computer"), &ways))
        }
        @if !engines.is_empty() {
            div .field .for-computer {
                label for="engine" { (site.say("start-engine")) }
                select #engine name="engine" {
                    option value="" { (site.say("start-engine-own")) }
                    @for name in &engines {
                        option value=(name) selected[*name == fields.get("engine", "")] { (name) }
                    }
                }
            }
        }
        div .field .for-computer .for-level {
            label for="level" {
                (site.say("start-level")) " " b #level-shown { (level) }
                " " span #level-words .muted {}
            }
            input #level type="range" name="level" min="1" max="10" step="1" value=(level);
            div .ends aria-hidden="true" {
                span { (site.say("start-level-low")) } span { (site.say("start-level-high")) }
            }
        }
        fieldset .field .for-sides .for-two {
            legend { (site.say("start-side")) }
            (radios("side", fields.get("side", "first"), &sides))
        }
        p .note .for-online { (site.say("start-online-words")) }
        p .note .for-screen { (site.say("start-screen-words")) }
    }
}

/// Whether a variant has another number of seats than two, so that it is asked for first.
fn seats_differ(spec: &GameSpec) -> bool {
    spec.variants.iter().any(|variant| variant.seats > 2)
}

/// The variants, in groups where their numbers of seats differ.
fn variant(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    let usual = spec.variants.first().map_or("", |v| v.id);
    let chosen = fields.get("variant", usual);
    let option = |variant: &VariantSpec| {
        html! {
            option value=(variant.id) data-seats=(variant.seats)
                data-layout[arranged(spec, variant)] selected[variant.id == chosen] {
                (site.say_or(&format!("{}-variant-{}", spec.id, variant.id), variant.id))
            }
        }
    };
    html! {
        @if spec.variants.len() > 1 {
            div .field {
                label for="variant" { (site.say("start-variant")) }
                select #variant name="variant" {
                    @if seats_differ(spec) {
                        @for seats in [2, 4] {
                            optgroup label=(site.say(&format!("start-seats-{seats}"))) {
                                @for of in spec.variants.iter().filter(|v| v.seats == seats) {
                                    (option(of))
                                }
                            }
                        }
                    } @else {
                        @for of in spec.variants { (option(of)) }
                    }
                }
            }
        }
    }
}

/// Whether a variant begins with layouts.
fn arranged(spec: &GameSpec, variant: &VariantSpec) -> bool {
    let game = spec.variant(variant.id).ok().and_then(|v| diagram::opened(spec, &v, None));
    game.is_some_and(|game| !game.waiting_for().is_empty() && game.stage() == Stage::Layout)
}

/// Who sits where in a game for four, and who plays the other seats.
fn places(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    let four = spec.variants.iter().find(|variant| variant.seats == 4);
    let game = four
        .and_then(|four| diagram::opened(spec, &spec.variant(four.id).ok()?, None))
        .map(|game| game.scene(Viewer::Watcher).sides);
    let Some(sides) = game else { return html! {} };
    let name = |seat: Seat| {
        let usual = format!("seat-{}", seat.name());
        site.say(sides.get(seat.index()).unwrap_or(&usual))
    };
    let own = Seat::ALL.map(|seat| (seat.name(), name(seat)));
    html! {
        div .for-four {
            fieldset .field .for-place {
                legend { (site.say("start-place")) }
                (radios("place", fields.get("place", "first"), &own))
            }
            p .note { (site.say("start-allies")) }
            fieldset .field .for-others {
                legend { (site.say("start-others")) }
                div .others {
                    @for seat in Seat::ALL {
                        @let field = format!("seat-{}", seat.name());
                        div data-place=(seat.name()) {
                            label for=(field) { (name(seat)) }
                            select id=(field) name=(field) {
                                @for kind in ["person", "computer"] {
                                    option value=(kind) selected[kind == fields.get(&field, "")] {
                                        (site.say(&format!("start-seat-{kind}")))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How long one may lay out.
fn layout_time(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    let chosen = fields.get("layout", "0");
    html! {
        @if !spec.layouts.is_empty() {
            div .field .for-layout {
                label for="layout" { (site.say("start-layout")) }
                select #layout name="layout" {
                    @for seconds in ["0", "60", "120", "300"] {
                        option value=(seconds) selected[seconds == chosen] {
                            (site.say(&format!("start-layout-{seconds}")))
                        }
                    }
                }
            }
        }
    }
}

/// The text of a position of one's own, and what is wrong with it.
fn own_position(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    html! {
        div .for-own {
            label .unseen for="own-position" { (site.say("start-own-label")) }
            input #own-position type="text" name="position" autocomplete="off" spellcheck="false"
                placeholder=(spec.variants.first().and_then(|v| v.start).unwrap_or(""))
                value=(fields.get("position", ""));
        }
        p #position-note .fault role="status" {}
    }
}

fn setup(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    let own = own_position(site, spec, fields);
    if setups::are_graded(spec) {
        return setups::picker(site, spec, fields, &own);
    }
    let chosen = fields.get("setup", "");
    html! {
        div .field {
            label for="setup" { (site.say("start-setup")) }
            select #setup name="setup" {
                option value="" { (site.say("start-usual")) }
                @for setup in spec.setups {
                    option value=(setup.id) selected[setup.id == chosen] {
                        (site.say_or(&format!("{}-setup-{}", spec.id, setup.id), setup.name))
                    }
                }
                option value="own" selected[chosen == "own"] { (site.say("start-own")) }
            }
            (own)
        }
    }
}

fn clock(site: &Site<'_>, fields: &Fields) -> Markup {
    let mut clocks = vec![("none", site.say("clock-none"))];
    clocks.extend(PRESETS.iter().map(|p| (p.id, site.say(&format!("clock-{}", p.id)))));
    clocks.push(("own", site.say("clock-own")));
    let number = |name: &str, default: &str| {
        let id = format!("clock-{name}");
        html! {
            div {
                label for=(id) { (site.say(&format!("clock-own-{name}"))) }
                input id=(id) type="number" name=(name) min="0" max="1440" inputmode="numeric"
                    value=(fields.get(name, default));
            }
        }
    };
    html! {
        div .field {
            label for="clock" { (site.say("start-clock")) }
            select #clock name="clock" {
                @for (id, text) in &clocks {
                    option value=(id) selected[*id == fields.get("clock", "none")] { (text) }
                }
            }
            div .own-clock .for-own-clock {
                (number("main", "10")) (number("byoyomi", "30"))
                (number("periods", "1")) (number("increment", "0"))
            }
        }
    }
}

fn more(site: &Site<'_>, spec: &GameSpec, fields: &Fields) -> Markup {
    let chosen =
        |option: &OptionSpec| fields.get(&format!("option-{}", option.key), "").to_string();
    let conduct = fields.get("conduct", "guided");
    let open = conduct != "guided" || spec.options.iter().any(|o| !chosen(o).is_empty());
    html! {
        details .more open[open] {
            summary { (site.say("start-more")) }
            fieldset .field {
                legend { (site.say("start-conduct")) }
                @for kind in ["guided", "official"] {
                    label .explained {
                        input type="radio" name="conduct" value=(kind) checked[kind == conduct];
                        span { b { (site.say(&format!("conduct-{kind}"))) } " "
                            (site.say(&format!("conduct-{kind}-words"))) }
                    }
                }
            }
            @for option in spec.options {
                @let id = format!("option-{}", option.key);
                div .field {
                    label for=(id) {
                        (site.say_or(&format!("{}-option-{}", spec.id, option.key), option.key))
                    }
                    select id=(id) name=(id) {
                        option value="" { (default_name(site, spec, option)) }
                        @for value in option.values {
                            @let usual = option.default_for.is_none() && *value == option.default;
                            @if !usual {
                                option value=(value) selected[*value == chosen(option)] {
                                    (value_name(site, spec, option, value))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The default's name; where it hangs on the start position, that it is the usual one.
fn default_name(site: &Site<'_>, spec: &GameSpec, option: &OptionSpec) -> String {
    match option.default_for {
        Some(_) => site.say("start-option-usual"),
        None => value_name(site, spec, option, option.default),
    }
}
