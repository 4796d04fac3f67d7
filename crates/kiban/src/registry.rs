//! Finding games, and words for them.

use crate::error::Failure;
use kiban_core::{GameSpec, Seat, Variant, Viewer};
use kiban_words::Words;

/// The game of this id.
pub(crate) fn game(id: &str) -> Result<&'static GameSpec, Failure> {
    kiban_games::find(id).ok_or_else(|| {
        let known: Vec<_> = kiban_games::all().map(|g| g.id).collect();
        let known = known.join(", ");
        let message = format!("There is no game \"{id}\"; choose one of {known}.");
        let error = kiban_core::ReadError::new("unknown-game", message);
        Failure::NoAnswer(error.field("game").found(id, known))
    })
}

/// A viewer's name, for a game of this many seats.
pub(crate) fn viewer(name: &str, seats: u8) -> Result<Viewer, Failure> {
    let known = |v: &Viewer| match v {
        Viewer::Seat(seat) => seat.index() < usize::from(seats),
        _ => true,
    };
    Viewer::from_name(name).filter(known).ok_or_else(|| {
        let seats = kiban_core::Seats::first_n(seats);
        let seats: Vec<_> = seats.iter().map(|s| s.name()).collect();
        let message = format!(
            "There is no viewer \"{name}\"; choose one of {}, watcher, referee.",
            seats.join(", ")
        );
        Failure::no_answer("unknown-viewer", message)
    })
}

/// The English texts of one game.
pub(crate) fn words(spec: &GameSpec) -> Words {
    Words::english(&[spec], &[])
}

/// The English texts of one game, its seats named as in this variant: of four, by where they sit.
pub(crate) fn words_of(spec: &GameSpec, variant: &Variant) -> Words {
    let words = words(spec);
    if spec.variant_spec(variant).seats < 4 {
        return words;
    }
    let named = |seat: Seat| {
        let key = format!("{}-four-{seat}", spec.id);
        words.has(&key).then(|| format!("seat-{seat} = {}\n", words.get(&key)))
    };
    let names: String = Seat::ALL.into_iter().filter_map(named).collect();
    Words::english(&[spec], &[&names])
}

/// Examples for a command's help. What stands in braces is made a real one by [`filled`].
pub(crate) fn examples(lines: &[&str]) -> String {
    let mut text = "Examples:".to_string();
    for line in lines {
        text.push_str("\n  kiban ");
        text.push_str(&filled(line));
    }
    text
}

/// The same, with what the exit statuses mean below.
pub(crate) fn help(lines: &[&str], statuses: &str) -> String {
    format!("{}\n\nExit status: {statuses}", examples(lines))
}

/// What the rules are called that tables lie under: the variant they are those of, as far as values
/// hang on them, else the rules themselves.
pub(crate) fn rules_name(spec: &GameSpec, rules: &str) -> String {
    let folder = |id: &str| {
        let variant = spec.variant(id).ok()?;
        let tables = spec.tables.as_ref()?;
        let sectors = (tables.sectors)(&variant, tables.sizes.0);
        Some(sectors.first()?.file.parent()?.file_name()?.to_owned())
    };
    let same = spec.variants.iter().find(|v| folder(v.id).is_some_and(|name| name == rules));
    same.map_or(rules, |variant| variant.id).to_string()
}

/// An example that can be run: `{game}`, `{start}` and `{handicap}` stand for a real game, its start
/// and a set-up, `{format}`, `{protocol}` and `{engine}` for a format, a protocol and an engine of it, `{mate}`,
/// `{atlas}` and `{probe}` with its `{setup}` for games that have such things, and the unit of a
/// game's tables for that game.
fn filled(line: &str) -> String {
    let game = kiban_games::GAMES.first();
    let id = |has: fn(&GameSpec) -> bool| {
        kiban_games::GAMES.iter().find(|g| has(g)).map_or("", |g| g.id)
    };
    let format = game.and_then(|g| g.formats.iter().find(|f| f.write.is_some()));
    let protocol = game.and_then(|g| g.protocols.iter().find(|p| p.engine.is_some()));
    let protocol = protocol.map_or("", |p| p.id);
    let probe = kiban_games::GAMES.iter().find(|g| g.probe.is_some() && !g.setups.is_empty());
    let mut filled = line.to_string();
    for (name, value) in [
        ("game", game.map_or("", |g| g.id)),
        ("start", game.and_then(|g| g.variants[0].start).unwrap_or("")),
        ("handicap", game.and_then(|g| g.setups.first()).map_or("", |s| s.id)),
        ("format", format.map_or("", |f| f.id)),
        ("engine", &format!("{protocol}:kiban engine {protocol}")),
        ("protocol", protocol),
        ("mate", id(|g| g.mate.is_some())),
        ("atlas", id(|g| g.atlas.is_some())),
        ("probe", probe.map_or("", |g| g.id)),
        ("setup", probe.map_or("", |g| g.setups[0].id)),
    ] {
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    for game in kiban_games::GAMES {
        if let Some(tables) = &game.tables {
            filled = filled.replace(&format!("{{{}}}", tables.unit), game.id);
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn nothing_is_left_in_braces() {
        let all = "{game} {start} {handicap} {format} {engine} {protocol} {mate} {atlas} {probe} {setup} \
                   {men} {animals}";
        let filled = filled(all);
        assert!(!filled.contains(['{', '}']) && !filled.contains("  "), "{filled}");
    }
}
