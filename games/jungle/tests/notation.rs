//! Texts of positions, moves and records.

mod common;

use common::{guided, open, put_all};
use kiban_core::{Call, Conduct, Entry, Notation, OpenError, Opening, Seat, Source, Viewer};
use kiban_jungle::{GAME, Jungle, Move};
use proptest::prelude::*;

const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

fn rules() -> Jungle {
    Jungle::of_variant(&GAME.variant("").expect("the default"))
}

fn error(text: &str) -> String {
    rules().read_setup(text).expect_err(text).to_string()
}

#[test]
fn the_start_is_that_of_the_page() {
    for variant in ["online", "classic"] {
        let game = guided(variant, None);
        assert_eq!(game.start(), START);
        assert_eq!(game.position(Viewer::Watcher), START);
    }
    assert_eq!(GAME.variants[0].id, "online");
}

#[test]
fn counters_come_both_or_not_at_all() {
    let game = guided("", Some(&format!("{START} 0 1")));
    assert_eq!(game.position(Viewer::Watcher), START);
    let mut game = guided("", Some(&format!("{START} 7 12")));
    put_all(&mut *game, "a3a4 a7a6");
    let after = "l5t/1d3c1/2p1w1e/r6/7/E6/2W1P1R/1C3D1/T5L w 9 13";
    assert_eq!(game.position(Viewer::Watcher), after);
    assert!(error(&format!("{START} 3")).contains("both counters or neither"));
}

#[test]
fn wrong_positions_say_where() {
    for (text, part) in [
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L", "side to move is missing"),
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r", "field side, column 43"),
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1 w", "8 ranks instead of 9"),
        ("l5t/1d3c1/r1p1w1e/7/7/8/E1W1P1R/1C3D1/T5L w", "\"8\" is no square"),
        ("l5t/1d3c1/r1p1w1e/7/6/7/E1W1P1R/1C3D1/T5L w", "Rank 5 has 6 squares"),
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5LL w", "column 42"),
        ("x5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w", "\"x\" is no square"),
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w -1 1", "\"-1\" is no counter"),
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w 0 0", "from 1"),
        ("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w 0 1 x", "leave it out"),
    ] {
        assert!(error(text).contains(part), "{text}: {}", error(text));
    }
}

#[test]
fn positions_that_cannot_be_are_not_admitted() {
    let faults = |position: &str| {
        let variant = GAME.variant("").expect("the default");
        let start = Some(position.to_string());
        let opening = Opening::new(variant, start);
        match (GAME.open)(&opening) {
            Err(OpenError::Faults(faults)) => faults.join(" "),
            Err(other) => panic!("{other}"),
            Ok(_) => String::new(),
        }
    };
    assert!(faults("7/7/7/7/7/7/7/7/CC5 w").contains("Red has 2 cats"));
    assert!(faults("7/7/7/7/1c5/7/7/7/C6 w").contains("cat on b5 stands in the water"));
    assert!(faults("3c3/7/7/7/7/7/7/7/C6 w").contains("On d9 stands"));
    assert_eq!(faults("7/7/7/7/1r5/7/7/7/C6 w"), "");
}

#[test]
fn moves_are_two_squares() {
    assert_eq!(Move::read(" A3a4 ").expect("a move").to_string(), "a3a4");
    for text in ["a3", "a3a4a5", "h3a4", "a0a1", "a3a:", "", "\u{e9}3a"] {
        let message = Move::read(text).expect_err(text).to_string();
        assert!(message.contains("like a3a4"), "{message}");
    }
}

#[test]
fn captures_name_what_fell() {
    let mut game = guided("", Some("2c4/7/1w5/7/7/7/1T5/7/7 w"));
    put_all(&mut *game, "b3b7");
    let seen = game.seen(Viewer::Watcher);
    assert_eq!(seen[0].fell, ["b7"]);
    assert_eq!(seen[0].western, "Tb3xb7");
    assert_eq!(seen[0].native, "\u{864e}b3xb7");
    let mut game = guided("equal=both-vanish", Some("2c4/7/7/7/7/7/wW5/7/2C4 w"));
    put_all(&mut *game, "b3a3");
    assert_eq!(game.seen(Viewer::Watcher)[0].fell, ["a3", "b3"]);
}

#[test]
fn records_are_read_as_they_were_written() {
    let mut game = open("classic,leave-water=any", None, Conduct::Official);
    put_all(&mut *game, "a3a4 a7a6 a4a5");
    game.put(&Entry::new_call(Seat::SECOND, Call::Resign)).expect("a resignation");
    let format = GAME.format("pgn").expect("the format");
    let record = game.record(Viewer::Referee);
    let bytes = format.write.expect("it writes")(std::slice::from_ref(&record)).expect("written");
    let text = String::from_utf8(bytes.clone()).expect("text");
    assert!(text.contains("[Variant \"classic,leave-water=any\"]"), "{text}");
    assert!(text.contains("1. a3a4 a7a6 2. a4a5 second-resign 1-0"), "{text}");
    assert_eq!((format.sniff)(&bytes), 100);
    let source = Source { bytes: &bytes, variant: None };
    let back = format.read.expect("it reads")(source).expect("read");
    assert_eq!(back[0].entries().collect::<Vec<_>>(), record.entries().collect::<Vec<_>>());
    let judged = (GAME.judge)(&back[0]).expect("judged");
    assert_eq!(judged.outcome.map(|o| (o.result(), o.reason().0)), Some(("first", "resign")));
    assert_eq!(judged.agrees, Some(true));
}

#[test]
fn a_foul_in_a_record_loses_the_game() {
    let text = b"[Game \"jungle\"]\n\n1. a3b3 a7b7 2. b3b4 *\n";
    let read = GAME.format("pgn").expect("the format").read.expect("it reads");
    let records = read(Source { bytes: text, variant: None }).expect("read");
    let judged = (GAME.judge)(&records[0]).expect("judged");
    let outcome = judged.outcome.map(|o| (o.result(), o.reason().0));
    assert_eq!(outcome, Some(("second", "illegal-water")));
    assert_eq!(judged.foul.map(|(ply, _)| ply), Some(3));
}

#[test]
fn openings_are_played_and_leave_nothing_to_take() {
    let openings = (GAME.openings)();
    assert!(openings.len() >= 50, "{}", openings.len());
    for opening in openings {
        let mut game = guided("", None);
        put_all(&mut *game, &opening);
        assert!(game.ending().is_none());
        let board = |text: &str| text.split(' ').next().expect("a board").to_string();
        let men = |text: &str| text.chars().filter(char::is_ascii_alphabetic).count();
        assert_eq!(men(&board(&game.position(Viewer::Watcher))), 16, "{opening}");
    }
}

#[test]
fn setups_of_the_benchmark_are_admitted() {
    let bench = GAME.bench.as_ref().expect("there is one");
    for position in bench.positions {
        assert!(guided("", Some(position)).ending().is_none(), "{position}");
    }
}

proptest! {
    /// Whatever is typed is read calmly, and what is read is written so that it is read again.
    #[test]
    fn any_text_is_met_calmly(text in "\\PC{0,60}") {
        if let Ok(position) = rules().read_setup(&text) {
            let written = rules().write_setup(&position);
            let again = rules().read_setup(&written).expect("its own text");
            prop_assert_eq!(rules().write_setup(&again), written);
        }
        if let Ok(m) = Move::read(&text) {
            prop_assert_eq!(Move::read(&m.to_string()).expect("its own text"), m);
        }
    }

    /// Arrangements of all kinds go through text and back.
    #[test]
    fn arrangements_are_read_as_they_were_written(
        animals in proptest::collection::btree_map(0usize..63, 0usize..16, 0..16),
        quiet in 0u32..500, number in 1u32..500, black in any::<bool>(),
    ) {
        let letters: Vec<char> = "RCDWPTLErcdwptle".chars().collect();
        let mut text = String::new();
        for rank in (0..9).rev() {
            for file in 0..7 {
                let animal = animals.get(&(rank * 7 + file)).map(|i| letters[*i]);
                text.push(animal.unwrap_or('1'));
            }
            if rank > 0 { text.push('/'); }
        }
        let text = format!("{text} {} {quiet} {number}", if black { 'b' } else { 'w' });
        let position = rules().read_setup(&text).expect("an arrangement");
        let written = rules().write_setup(&position);
        let again = rules().read_setup(&written).expect("its own text");
        prop_assert!(again == position);
        prop_assert_eq!((again.quiet(), again.number()), (quiet, number));
        prop_assert_eq!(rules().write_setup(&again), written);
    }
}
