//! Every problem file reader.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for game in kiban_games::all() {
        for (_, read) in game.problems {
            let _ = read(&text);
        }
    }
});
