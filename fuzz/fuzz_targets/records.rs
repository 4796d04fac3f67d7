//! Every record reader of every game: the first byte chooses the format, the rest is the file.
//! What can be read is judged, and written back where the format is written.
#![no_main]

use kiban_core::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let formats: Vec<_> =
        kiban_games::all().flat_map(|g| g.formats.iter().map(move |f| (g, f))).collect();
    let (game, format) = formats[usize::from(*first) % formats.len()];
    let sureness = (format.sniff)(bytes);
    assert!(sureness <= 100);
    let Some(read) = format.read else { return };
    let Ok(records) = read(Source { bytes, variant: None }) else { return };
    for record in &records {
        let _ = (game.judge)(record);
    }
    if let Some(write) = format.write
        && let Ok(text) = write(&records)
    {
        let again = read(Source { bytes: &text, variant: None }).expect("what is written is read");
        assert_eq!(again.len(), records.len());
    }
});
