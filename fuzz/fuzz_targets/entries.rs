//! Moves and taps of any text in a game under way: refused, or judged, never a panic.
#![no_main]

use kiban_core::{Conduct, Entry, Opening};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let games: Vec<_> = kiban_games::all().collect();
    let game = games[usize::from(*first) % games.len()];
    let conduct = if first & 0x80 == 0 { Conduct::Guided } else { Conduct::Archive };
    let variant = game.variant("").expect("the default variant");
    let opening = Opening { variant, start: None, conduct, seed: None };
    let mut table = (game.open)(&opening).expect("the start opens");
    for line in text.lines() {
        let Some(seat) = table.waiting_for().only() else { break };
        let taps: Vec<String> = line.split(' ').map(str::to_string).collect();
        let _ = table.read_taps(seat, &taps);
        // A number picks a legal move, so that games get somewhere.
        let choices = table.choices(seat);
        let entry = match line.parse::<usize>() {
            Ok(n) if !choices.is_empty() => choices[n % choices.len()].text.clone(),
            _ => line.to_string(),
        };
        let before = table.log().len();
        if table.put(&Entry::new_move(seat, entry)).is_err() {
            assert_eq!(table.log().len(), before);
        }
    }
});
