//! The texts that go to the browser's modules.

use super::Site;
use kiban_core::GameSpec;
use kiban_words::Words;
use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value, json};

const OURS: &str = include_str!("../../messages/en.ftl");

/// Texts of ours that the modules use begin with one of these.
const SCRIPT_KEYS: [&str; 25] = [
    "act-",
    "analysis-",
    "ask-",
    "bar-",
    "board-",
    "curtain-",
    "engine-",
    "error-",
    "exact-",
    "eyes-",
    "invite",
    "layout-",
    "notation-",
    "note-",
    "offer-",
    "offered-",
    "option-",
    "player-",
    "puzzle-",
    "record-",
    "review-",
    "score",
    "sound-",
    "status-",
    "level-",
];

/// The keys of a message file, in its order.
pub(super) fn keys(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter_map(|line| {
        let (key, _) = line.split_once('=')?;
        let key = key.trim_end();
        let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        (plain && key.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(key)
    })
}

/// The names of the variables used in a message file.
fn variables(file: &str) -> Vec<&str> {
    let mut names: Vec<&str> = file
        .split('$')
        .skip(1)
        .map(|rest| rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next())
        .map(|name| name.unwrap_or(""))
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Adds texts whose variables are left as `{name}` for the browser to fill in.
fn add<'a>(table: &mut Map<String, Value>, words: &Words, file: &'a str, keys: Vec<&'a str>) {
    let names = variables(file);
    let holes: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    let values: Vec<(&str, &str)> =
        names.iter().copied().zip(holes.iter().map(String::as_str)).collect();
    for key in keys {
        table.insert(key.to_string(), json!(words.text(key, &values)));
    }
}

/// Texts of every game that the modules use, with the names of their variables.
const COMMON: [(&str, &[&str]); 5] = [
    ("outcome-win", &["winner", "reason"]),
    ("outcome-draw", &["reason"]),
    ("outcome-replay", &["reason"]),
    ("outcome-foul", &["move", "seat", "reason"]),
    ("outcome-foul-win", &["winner"]),
];

/// The texts the modules use on a game's pages.
pub(super) fn for_scripts(site: &Site<'_>, spec: &GameSpec) -> Value {
    let mut table = Map::new();
    let ours = keys(OURS).filter(|k| SCRIPT_KEYS.iter().any(|start| k.starts_with(start)));
    add(&mut table, site.words, OURS, ours.collect());
    let rules = format!("{}-rules-", spec.id);
    for (_, file) in spec.messages.iter().filter(|(language, _)| *language == "en") {
        add(&mut table, site.words, file, keys(file).filter(|k| !k.starts_with(&rules)).collect());
    }
    for (key, names) in COMMON {
        let holes: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
        let values: Vec<_> = names.iter().copied().zip(holes.iter().map(String::as_str)).collect();
        table.insert(key.to_string(), json!(site.words.text(key, &values)));
    }
    let seats = kiban_core::Seat::ALL.map(|seat| format!("seat-{}", seat.name()));
    let reasons = kiban_core::Reason::COMMON.map(|reason| format!("reason-{}", reason.0));
    for key in seats.into_iter().chain(reasons) {
        table.insert(key.clone(), json!(site.say(&key)));
    }
    Value::Object(table)
}

/// A block of data for the modules. It is never run, so the page needs no inline script.
pub(super) fn data_block(id: &str, data: &Value) -> Markup {
    // A `<` could close the block; JSON lets it be written otherwise.
    let text = data.to_string().replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_variables_of_a_file() {
        let file = "# a = comment\nscore = { $first } : { $second }\nlong =\n    Two = lines\n";
        assert_eq!(keys(file).collect::<Vec<_>>(), ["score", "long"]);
        assert_eq!(variables(file), ["first", "second"]);
    }

    #[test]
    fn our_file_has_no_faults_and_every_script_text_is_there() {
        assert_eq!(kiban_words::faults(OURS), Vec::<String>::new());
        let known: Vec<&str> = keys(OURS).collect();
        let modules = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/static")).unwrap();
        let names = modules.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        for asset in names.filter(|name| name.ends_with(".js")) {
            let asset = crate::assets::find(&asset).unwrap();
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for said in text.split("say(\"").skip(1) {
                let key = said.split('"').next().unwrap();
                if COMMON.iter().any(|(common, _)| *common == key) {
                    continue;
                }
                assert!(known.contains(&key), "no text for {key}");
                assert!(SCRIPT_KEYS.iter().any(|s| key.starts_with(s)), "{key} is not sent");
            }
        }
    }

    #[test]
    fn data_cannot_close_its_block() {
        let block = data_block("x", &json!({ "name": "</script><b>" })).into_string();
        assert_eq!(block.matches("</script>").count(), 1);
    }
}
