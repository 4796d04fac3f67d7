//! Every position reader: the first byte chooses game and variant, the rest is the text. An
//! admitted position is written and read again as itself.
#![no_main]

use kiban_core::{Conduct, Opening, Viewer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest).into_owned();
    let games: Vec<_> = kiban_games::all().collect();
    let game = games[usize::from(*first) % games.len()];
    let _ = game.variant(&text);
    let variants: Vec<_> = game.variants.iter().collect();
    let name = variants[usize::from(*first / 7) % variants.len()].id;
    let variant = game.variant(name).expect("a listed variant");
    let open = |start: String| {
        let opening = Opening {
            variant: variant.clone(),
            start: Some(start),
            conduct: Conduct::Guided,
            seed: None,
        };
        (game.open)(&opening)
    };
    let Ok(table) = open(text) else { return };
    let start = table.start().to_string();
    let again = open(start.clone()).expect("a written position is read");
    assert_eq!(again.start(), start);
    assert_eq!(again.position(Viewer::Referee), table.position(Viewer::Referee));
});
