//! Texts of positions and moves, records with their commitments, and replays read.

use kiban_core::{Act, Arbiter, Call, Entry, Judged, Opening, Record, Seat, Seats, Source, Viewer};
use kiban_luzhanqi::board::FOUR;
use kiban_luzhanqi::notation::commitment::{commitment, commitment_key, salt_key};
use kiban_luzhanqi::{Deal, GAME, Layout};
use kiban_testkit::Random;

type Game = Box<dyn Arbiter>;

fn open(variant: &str, start: Option<&str>) -> Result<Game, String> {
    let variant = GAME.variant(variant).expect("listed");
    let start = start.map(str::to_string);
    let opening = Opening::new(variant, start);
    (GAME.open)(&opening).map_err(|e| e.to_string())
}

/// A game of so many plies by chance.
fn played(variant: &str, plies: usize, seed: u64) -> Game {
    let mut game = open(variant, None).expect("a listed variant opens");
    let mut random = Random::new(seed);
    let mut seeded = kiban_search::Random::new(seed);
    for seat in game.waiting_for().iter() {
        let layout = Layout::random(&mut || seeded.next_u64()).letters();
        game.put(&Entry { by: seat.into(), act: Act::Layout(layout) }).expect("a legal layout");
    }
    if game.owes_deal() {
        let deal = Deal::random(&mut || seeded.next_u64()).letters();
        game.put(&Entry { by: Seats::NONE, act: Act::Deal(deal) }).expect("a legal deal");
    }
    for _ in 0..plies {
        let Some(seat) = game.waiting_for().only() else { break };
        let choices = game.choices(seat);
        let choice = random.pick(&choices).expect("the seat to move can move");
        game.put(&Entry::new_move(seat, choice.text.as_str())).expect("a choice is legal");
    }
    game
}

fn write(record: &Record) -> String {
    let write = GAME.format("pgn").and_then(|f| f.write).expect("it is written");
    String::from_utf8(write(std::slice::from_ref(record)).expect("it can be held")).expect("text")
}

fn read(text: &str) -> Result<Record, String> {
    let read = GAME.format("pgn").and_then(|f| f.read).expect("it is read");
    let records = read(Source { bytes: text.as_bytes(), variant: None });
    records.map(|mut all| all.remove(0)).map_err(|e| e.to_string())
}

fn judged(record: &Record) -> Judged {
    (GAME.judge)(record).expect("its variant and start are right")
}

#[test]
fn positions_are_read_and_written() {
    for (variant, text) in [
        ("open", "jlghh/fidjj/g1f1g/ek1id/c1b1k/aihec/CEHIA/K1B1C/DI1KE/G1F1G/JJDIF/HHGLJ r 0 0 -"),
        ("dark", "1l3/5/5/5/5/5/A4/4a/5/5/5/3L1 b 69 998 d1,b12"),
        ("flip", "~A4/5/5/5/5/5/B4/4a/5/5/5/~l2L1 b 3 12 - b"),
        (
            "four-dark",
            "5/5/5/5/5/1Sl2Sa/5/5/5/5/5/5/5/5/5/5/5/3NlNb/5/5/5/5/5/1Wl2Wk/2Ni/3/3 N 1 2 Sb1,Nd1 SNW",
        ),
    ] {
        let game = open(variant, Some(text)).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((game.start(), game.position(Viewer::Referee)), (text, text.to_string()));
    }
}

#[test]
fn bad_positions_say_what_and_where() {
    let page = "1l3/5/5/5/5/5/A4/4a/5/5/5/3L1 r 0 0 -";
    for (variant, text, word) in [
        ("dark", "1l3/5/5 r 0 0 -", "12 rows"),
        ("dark", "hello", "5 fields"),
        ("dark", &page.replace("A4", "A5"), "5 stations"),
        ("dark", &page.replace("A4", "z4"), "is no piece"),
        ("dark", &page.replace(" r ", " w "), "r for Red"),
        ("dark", &page.replace(" 0 0", " -1 0"), "from 0 to"),
        ("dark", &page.replace("0 -", "0 a6"), "No flag stands"),
        ("dark", &page.replace("1l3", "5"), "no flag"),
        ("dark", &page.replace("A4", "X4"), "unknown"),
        ("dark", &page.replace("A4", "AA3"), "2 pieces a"),
        ("dark", &page.replace("A4", "J4"), "mine can never"),
        ("flip", "1l3/5/~a4/5/5/5/5/5/5/5/5/3L1 r 0 0 - -", "both -"),
        ("flip", "1l3/1~a3/1~b3/5/5/5/5/5/5/5/5/3L1 r 0 0 - r", "camp b10"),
        ("four-dark", page, "6 fields"),
    ] {
        let error = open(variant, Some(text)).err().unwrap_or_else(|| panic!("{text} opens"));
        assert!(error.contains(word), "{text}: {error}");
    }
}

#[test]
fn records_tell_what_came_of_each_move() {
    for (seed, variant) in ["dark", "flip", "four-dark", "open", "contest"].into_iter().enumerate()
    {
        let game = played(variant, 150, seed as u64);
        let text = write(&game.record(Viewer::Referee));
        assert!(text.contains(['>', '<', '=']), "{text}");
        let record = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
        let judged = judged(&record);
        assert_eq!(judged.last, game.position(Viewer::Referee));
        assert_eq!(judged.outcome, game.ending().and_then(|e| e.outcome));
        assert_eq!(write(&record), text);
    }
}

#[test]
fn wrong_marks_are_noticed() {
    let game = played("dark", 150, 3);
    let text = write(&game.record(Viewer::Referee));
    let at = text.find('>').expect("somebody won a contact");
    let mut wrong = text.clone();
    wrong.replace_range(at..=at, "<");
    let record = read(&wrong).expect("it is read");
    assert_eq!(record.warnings.len(), 1, "{:?}", record.warnings);
    assert!(judged(&record).warnings[0].text.contains("by the rules"));
}

#[test]
fn a_game_given_up_in_the_middle_is_held() {
    let mut game = played("four-dark,clock=move", 20, 5);
    game.put(&Entry::new_call(Seat::THIRD, Call::Resign)).expect("it may give up");
    let turn = game.waiting_for();
    game.put(&Entry::new_call(turn, Call::Timeout)).expect("the turn is skipped");
    let inside: Seats = [0, 1, 3].into_iter().filter_map(Seat::new).collect();
    game.put(&Entry::new_call(inside, Call::AgreeDraw)).expect("all agree");
    let text = write(&game.record(Viewer::Referee));
    assert!(text.contains("third-resign skip agree-draw"), "{text}");
    let judged = judged(&read(&text).expect("it is read"));
    assert_eq!((judged.outcome, judged.agrees), (game.ending().unwrap().outcome, Some(true)));
}

#[test]
fn a_partial_record_holds_no_secret() {
    let game = played("dark", 30, 8);
    let record = game.record(Viewer::Seat(Seat::FIRST));
    let text = write(&record);
    assert!(!text.contains("Layout"), "{text}");
    assert_eq!(read(&text).expect("it is read").moves().count(), 30);
}

#[test]
fn commitments_show_that_nothing_was_changed() {
    // The digest of this text by another program (sha256sum).
    assert_eq!(
        commitment(&"0".repeat(64), "g", "first", "abc"),
        "e79a3958e189e5eec7788221d007a7a9a3e55ea357b61c6a096147250837cfe6"
    );
    let mut game = played("dark", 40, 9);
    game.put(&Entry::new_call(Seat::FIRST, Call::Resign)).expect("it may give up");
    let mut record = game.record(Viewer::Referee);
    let layouts: Vec<(Seat, String)> = record
        .entries()
        .filter_map(|entry| match &entry.act {
            Act::Layout(text) => Some((entry.by.only()?, text.clone())),
            _ => None,
        })
        .collect();
    record.tags.push(("id".to_string(), "4f2a".to_string()));
    for (i, (seat, layout)) in layouts.iter().enumerate() {
        let salt = format!("{:064x}", 77 + i);
        let promised = commitment(&salt, "4f2a", seat.name(), layout);
        record.tags.push((commitment_key(seat.name()), promised));
        record.tags.push((salt_key(seat.name()), salt));
    }
    let text = write(&record);
    let fine = judged(&read(&text).expect("it is read"));
    assert_eq!((fine.error, fine.warnings), (None, Vec::new()));
    let mirrored = Layout::read(&layouts[1].1).unwrap().mirrored().letters();
    let changed = read(&text.replace(&layouts[1].1, &mirrored)).expect("it is read");
    let error = judged(&changed).error.expect("the change is seen");
    assert_eq!(error.code, "bad-commitment");
    let unopened = text.replace("SaltFirst", "Pepper");
    let warnings = judged(&read(&unopened).expect("it is read")).warnings;
    assert!(warnings.iter().any(|w| w.text.contains("not opened")), "{warnings:?}");
}

#[test]
fn bad_records_say_what_and_where() {
    for (text, word) in [
        ("", "no game"),
        ("c6c7", "begins with the tag"),
        ("[Game \"chess\"]", "Write the tag"),
        ("[Game luzhanqi]", "Write a tag as"),
        ("[Game \"luzhanqi\"]\n[Variant \"grey\"]", "no variant"),
        ("[Game \"luzhanqi\"]\n\n1. c6c7 hello", "line 3, column 9"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(word), "{text}: {error}");
    }
}

/// A replay of four players as the server that had them wrote it, with this colour moving first.
fn jgs(game: &Game, first: u8) -> Vec<u8> {
    let mut bytes = vec![0; 0x19c];
    bytes[..11].copy_from_slice(b"QQGame JQS\0");
    let colour = |seat: usize| (usize::from(first) + 4 - seat) % 4;
    let point = |name: &str| -> (u8, u8) {
        let name = name.as_bytes();
        if name[0] == b'm' {
            let (mut column, mut row) = ((name[1] - b'1') % 3, (name[1] - b'1') / 3);
            // Back from South's eyes to the file's: a quarter turn the other way for each colour.
            for _ in 0..(5 - first) % 4 {
                (column, row) = (row, 2 - column);
            }
            return (6 + 2 * column, 6 + 2 * row);
        }
        let seat = b"SENW".iter().position(|arm| *arm == name[0]).expect("an arm");
        let (file, back) = (name[1] - b'a', name[2] - b'1');
        match colour(seat) {
            1 => (6 + file, 16 - back),
            0 => (16 - back, 10 - file),
            3 => (10 - file, back),
            _ => (back, 6 + file),
        }
    };
    let mut events = Vec::new();
    for entry in game.log() {
        match &entry.act {
            Act::Layout(letters) => {
                let seat = entry.by.only().expect("a seat").index();
                let mut rows = letters.bytes();
                for i in 0..30 {
                    let camp = matches!(i, 6 | 8 | 12 | 16 | 18);
                    let byte = match (!camp).then(|| rows.next().expect("25 letters")) {
                        None => 0,
                        Some(letter @ b'a'..=b'i') => 5 + letter - b'a',
                        Some(b'j') => 3,
                        Some(b'k') => 4,
                        Some(_) => 2,
                    };
                    bytes[0x20 + 88 * colour(seat) + 28 + i] = byte;
                }
            }
            Act::Move(text) => {
                let cut = if text.starts_with('m') { 2 } else { 3 };
                let ((x, y), (u, v)) = (point(&text[..cut]), point(&text[cut..]));
                events.push([0x5f, 0, x, y, u, v, 0, 0, 0, 0]);
            }
            Act::Call(Call::Timeout) => events.push([0xf5, 2, 0, 1, 0, 0, 0, 0, 0, 0]),
            Act::Call(Call::Resign) => {
                let colour = colour(entry.by.only().expect("a seat").index()) as u8;
                events.push([0xf5, 3, colour, 4, 0, 0, 0, 0, 0, 0]);
            }
            Act::Call(_) => events.push([0xf5, 5, 0, 2, 0xff, 0, 0, 0, 0, 0]),
            Act::Deal(_) => {}
        }
    }
    bytes[0x1a..0x1c].copy_from_slice(&(events.len() as u16).to_le_bytes());
    bytes.extend(events.concat());
    bytes
}

#[test]
fn replays_of_four_players_are_read() {
    assert_eq!(FOUR.len(), 129);
    let format = GAME.format("jgs").expect("it is listed");
    let read = format.read.expect("it is read");
    for first in 0..4 {
        let mut game = played("four-dark,clock=move", 60, 20 + u64::from(first));
        let turn = game.waiting_for();
        game.put(&Entry::new_call(turn, Call::Timeout)).expect("skipped");
        game.put(&Entry::new_call(Seat::SECOND, Call::Resign)).expect("it may give up");
        let inside: Seats = [0, 2, 3].into_iter().filter_map(Seat::new).collect();
        game.put(&Entry::new_call(inside, Call::AgreeDraw)).expect("all agree");
        let mut bytes = jgs(&game, first);
        // The third seat's name: 甲 in GBK, and junk behind its end.
        let at = 0x20 + 88 * ((usize::from(first) + 2) % 4) + 8;
        bytes[at..at + 5].copy_from_slice(b"\xbc\xd7\0\xff\xff");
        assert_eq!((format.sniff)(&bytes), 100);
        let records = read(Source { bytes: &bytes, variant: None }).expect("it is read");
        assert_eq!((records[0].tag("third"), records[0].tags.len()), (Some("甲"), 1));
        let entries: Vec<&Entry> = records[0].entries().collect();
        assert_eq!(entries, game.log().iter().collect::<Vec<_>>());
        let judged = judged(&records[0]);
        assert_eq!((judged.agrees, judged.error), (Some(true), None));
        for end in [0, 5, 0x19c, bytes.len() - 3] {
            assert!(read(Source { bytes: &bytes[..end], variant: None }).is_err());
        }
    }
}

#[test]
fn a_damaged_game_of_a_file_costs_no_other() {
    let text = |seed: u64| write(&played("dark", 12, seed).record(Viewer::Referee)) + "\n";
    let [a, b, c] = [1, 2, 3].map(text);
    let told = |text: &str| {
        let mut told = Vec::new();
        let stream = GAME.format("pgn").and_then(|f| f.stream).expect("it is a stream");
        stream(Source { bytes: text.as_bytes(), variant: None }, &mut |read| {
            told.push(read.map(|record| write(&record) + "\n").unwrap_or_default());
            std::ops::ControlFlow::Continue(())
        });
        told
    };
    assert_eq!(told(&format!("{a}{b}{c}")), [&a[..], &b, &c]);
    for (fault, bad) in [
        ("no move", b.replacen("1. ", "1. x9 ", 1)),
        ("a comment open", b.replacen("1. ", "1. {", 1)),
        ("a broken tag", b.replacen("\"]", "]", 1)),
        ("no game said", b.replacen("[Game", "[Name", 1)),
        ("a zero byte", b.replacen("1. ", "1. \0", 1)),
        ("a stray line", "junk\n\n".to_string()),
    ] {
        assert_eq!(told(&format!("{a}{bad}{c}")), [&a[..], "", &c], "middle: {fault}");
        assert_eq!(told(&format!("{bad}{a}{c}")), ["", &a, &c], "first: {fault}");
        assert_eq!(told(&format!("{a}{c}{bad}")), [&a[..], &c, ""], "last: {fault}");
    }
    assert_eq!(told(&format!("\u{feff}{a}\u{feff}{c}")), [&a[..], &c]);
}
