//! `kiban games`: what there is to play.

use crate::error::Failure;
use crate::output::{self, Head};
use crate::registry::examples;
use crate::score;
use kiban_core::{Format, GameSpec, Grade, OptionSpec, Reason, SetupSpec, Value, VariantSpec};
use serde::Serialize;
use std::fmt::Write;

/// Lists games, variants, options, set-ups, formats and protocols
#[derive(clap::Args)]
#[command(after_help = examples(&["games", "games --json"]))]
pub(crate) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The commands that take every game.
const OF_RULES: [&str; 6] = ["show", "render", "moves", "perft", "judge", "convert"];
/// The commands of games that can be played, too.
const OF_PLAY: [&str; 4] = ["play", "analyze", "suite", "match"];

fn commands(spec: &GameSpec) -> Vec<&'static str> {
    let played = kiban_games::GAMES.iter().any(|g| g.id == spec.id);
    let more: &[&str] = if played { &OF_PLAY } else { &[] };
    let mut commands: Vec<&str> = OF_RULES.iter().chain(more).copied().collect();
    let speaks = spec.protocols.iter().any(|p| p.engine.is_some());
    let own = [
        ("engine", speaks),
        ("mate", spec.mate.is_some()),
        ("probe", spec.probe.is_some()),
        ("solve", spec.atlas.is_some() || spec.tables.is_some()),
        ("bench", spec.bench.is_some()),
    ];
    commands.extend(own.iter().filter(|(_, has)| *has).map(|(name, _)| *name));
    commands
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    games: Vec<Game>,
}

#[derive(Serialize)]
struct Game {
    id: &'static str,
    names: Names,
    variants: Vec<Variant>,
    options: Vec<Choice>,
    setups: Vec<Setup>,
    formats: Vec<FormatFacts>,
    protocols: Vec<&'static str>,
    reasons: Vec<&'static str>,
    commands: Vec<&'static str>,
}

#[derive(Serialize)]
struct Names {
    en: &'static str,
    #[serde(rename = "zh-Hans")]
    zh_hans: &'static str,
    #[serde(rename = "zh-Hant")]
    zh_hant: &'static str,
    ja: &'static str,
}

#[derive(Serialize)]
struct Variant {
    id: &'static str,
    default: bool,
    seats: u8,
    hidden: bool,
    start: Option<&'static str>,
    conducts: [&'static str; 2],
}

#[derive(Serialize)]
struct Choice {
    key: &'static str,
    values: &'static [&'static str],
    default: &'static str,
}

#[derive(Serialize)]
struct Setup {
    id: &'static str,
    name: &'static str,
    position: &'static str,
    /// How hard it is to play well.
    grade: Option<&'static str>,
    /// Its exact value for the side to move, and the plies to the end.
    value: Option<Value>,
    distance: Option<u32>,
}

#[derive(Serialize)]
struct FormatFacts {
    id: &'static str,
    extensions: &'static [&'static str],
    read: bool,
    write: bool,
}

fn variant((i, spec): (usize, &VariantSpec)) -> Variant {
    let VariantSpec { id, seats, hidden, start } = *spec;
    Variant { id, default: i == 0, seats, hidden, start, conducts: ["guided", "official"] }
}

fn option(spec: &OptionSpec) -> Choice {
    Choice { key: spec.key, values: spec.values, default: spec.default }
}

fn format(format: &Format) -> FormatFacts {
    let Format { id, extensions, read, write, .. } = format;
    FormatFacts { id, extensions, read: read.is_some(), write: write.is_some() }
}

fn setup(spec: &SetupSpec) -> Setup {
    let SetupSpec { id, name, position, grade, worth } = *spec;
    let (value, distance) = worth.unzip();
    let grade = grade.map(Grade::name);
    Setup { id, name, position, grade, value, distance: distance.flatten() }
}

/// `id`, and in parentheses its grade and what it is worth, where these are known.
fn setup_text(setup: &Setup) -> String {
    let worth = setup.value.map(|value| score::worth(value, setup.distance));
    let known: Vec<_> = setup.grade.map(str::to_string).into_iter().chain(worth).collect();
    let known = if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) };
    format!("{}{known}", setup.id)
}

fn game(spec: &GameSpec) -> Game {
    let names = spec.names;
    let setups = spec.setups.iter().map(setup);
    let mut reasons: Vec<_> = spec.reasons.iter().chain(&Reason::COMMON).map(|r| r.0).collect();
    reasons.dedup();
    Game {
        id: spec.id,
        names: Names { en: names.en, zh_hans: names.zh_hans, zh_hant: names.zh_hant, ja: names.ja },
        variants: spec.variants.iter().enumerate().map(variant).collect(),
        options: spec.options.iter().map(option).collect(),
        setups: setups.collect(),
        formats: spec.formats.iter().map(format).collect(),
        protocols: spec.protocols.iter().filter(|p| p.engine.is_some()).map(|p| p.id).collect(),
        reasons,
        commands: commands(spec),
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let games = kiban_games::all().map(game);
    if args.json {
        let head = Head::new("games", None, None);
        return output::json(&Document { head, games: games.collect() });
    }
    let texts: Vec<String> = games.map(|g| text(&g)).collect();
    output::text(&texts.join("\n"))
}

fn text(game: &Game) -> String {
    let mut text = format!("{}  {}  {}\n", game.id, game.names.en, game.names.ja);
    let mut row = |name: &str, values: Vec<String>| {
        if !values.is_empty() {
            let _ = writeln!(text, "  {name:<10} {}", values.join(", "));
        }
    };
    row("variants", game.variants.iter().map(|v| v.id.to_string()).collect());
    for Choice { key, values, default } in &game.options {
        let mark = |v: &&str| if v == default { format!("{v} (default)") } else { v.to_string() };
        row(
            "option",
            vec![format!("{key}={}", values.iter().map(mark).collect::<Vec<_>>().join("|"))],
        );
    }
    row("set-ups", game.setups.iter().map(setup_text).collect());
    let way = |f: &FormatFacts| match (f.read, f.write) {
        (true, true) => f.id.to_string(),
        (true, false) => format!("{} (read only)", f.id),
        _ => format!("{} (write only)", f.id),
    };
    row("formats", game.formats.iter().map(way).collect());
    row("protocols", game.protocols.iter().map(|p| p.to_string()).collect());
    row("commands", game.commands.iter().map(|c| c.to_string()).collect());
    text
}
