//! Every text the game shows has an English message.

use kiban_morris::GAME;

#[test]
fn every_key_has_a_message() {
    let words = kiban_words::Words::english(&[&GAME], &[]);
    assert_eq!(kiban_words::faults(GAME.messages[0].1), Vec::<String>::new());
    let id = GAME.id;
    let mut keys: Vec<String> = GAME.reasons.iter().map(|r| format!("reason-{}", r.0)).collect();
    keys.extend(GAME.variants.iter().map(|v| format!("{id}-variant-{}", v.id)));
    for option in GAME.options {
        keys.push(format!("{id}-option-{}", option.key));
        keys.extend(option.values.iter().map(|v| format!("{id}-option-{}-{v}", option.key)));
    }
    let own =
        ["piece-white", "piece-black", "men-white", "men-black", "slides", "about", "rules-1"];
    keys.extend(own.iter().map(|key| format!("{id}-{key}")));
    let missing: Vec<&String> = keys.iter().filter(|key| !words.has(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!GAME.messages[0].1.contains('!'));
}
