//! Every text that a game's listing calls for is there, in files that read without a fault.

use kiban_core::GameSpec;
use kiban_words::{Words, faults};

/// The keys of a game's reasons, variants, set-ups, layouts and options, and of its rules page.
fn keys(game: &GameSpec) -> Vec<String> {
    let own = |kind: &str, name: &str| format!("{}-{kind}-{name}", game.id);
    let mut keys: Vec<String> = game.reasons.iter().map(|r| format!("reason-{}", r.0)).collect();
    keys.extend(game.variants.iter().map(|variant| own("variant", variant.id)));
    keys.extend(game.setups.iter().map(|setup| own("setup", setup.id)));
    keys.extend(game.layouts.iter().map(|layout| own("layout", layout.id)));
    for option in game.options {
        keys.push(own("option", option.key));
        keys.extend(option.values.iter().map(|v| own(&format!("option-{}", option.key), v)));
    }
    keys.extend(["about", "rules-1"].map(|key| format!("{}-{key}", game.id)));
    keys
}

#[test]
fn every_key_has_a_message() {
    for game in kiban_games::all() {
        let words = Words::english(&[game], &[]);
        let missing: Vec<String> = keys(game).into_iter().filter(|key| !words.has(key)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", game.id);
        for (language, text) in game.messages {
            assert_eq!(faults(text), Vec::<String>::new(), "{} in {language}", game.id);
            assert!(!text.contains('!'), "{} in {language}", game.id);
        }
    }
}
