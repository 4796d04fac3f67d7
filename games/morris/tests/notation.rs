//! Positions, moves, taps, records and what is drawn.

mod common;

use common::{Men, choices, guided, men, play, put, try_open};
use kiban_core::{Act, Call, Conduct, Entry, Format, Record, Seat, Seats, Source, Viewer};
use kiban_morris::{GAME, Morris, joined, tokens};
use kiban_testkit::Random;
use proptest::prelude::*;

fn format() -> &'static Format {
    GAME.format("pgn").expect("a listed format")
}

fn read(text: &str) -> Result<Vec<Record>, kiban_core::ReadError> {
    format().read.expect("it is read")(Source { bytes: text.as_bytes(), variant: None })
}

fn write(records: &[Record]) -> Result<String, kiban_core::ReadError> {
    let bytes = format().write.expect("it is written")(records)?;
    Ok(String::from_utf8(bytes).expect("plain text"))
}

fn moves(record: &Record) -> String {
    record.moves().collect::<Vec<_>>().join(" ")
}

fn start_of(variant: &str, text: &str) -> String {
    try_open(variant, Some(text), Conduct::Guided).expect("it opens").start().to_string()
}

fn refused(variant: &str, text: &str) -> kiban_core::ReadError {
    let game = try_open(variant, Some(text), Conduct::Guided);
    game.err().expect("refused").into_read_error()
}

#[test]
fn positions_are_read_and_faults_are_placed() {
    for text in [
        "********/********/******** w p 0 9 0 9 0 1",
        "**O***@*/O*@*O*@*/******** w p 3 6 3 6 0 4",
        "O*O*****/@***O***/@**@**@* w m 3 0 4 0 3 30",
    ] {
        assert_eq!(start_of("nine", text), text);
    }
    assert_eq!(
        start_of("six", "O*******/*******@ b p 1 5 1 4 0 2"),
        "O*******/*******@ b p 1 5 1 4 0 2"
    );
    let place = |text: &str| {
        let error = refused("nine", text);
        (error.at.field.expect("a field"), error.at.column.expect("a column"))
    };
    let at = |field: &str, column: usize| (field.to_string(), column);
    assert_eq!(place("***X****/********/******** w p 0 9 0 9 0 1"), at("board", 4));
    assert_eq!(place("*********/********/******** w p 0 9 0 9 0 1"), at("board", 9));
    assert_eq!(place("********/******** w p 0 9 0 9 0 1"), at("board", 18));
    assert_eq!(place("********/********/******** x p 0 9 0 9 0 1"), at("side", 28));
    assert_eq!(place("********/********/******** w z 0 9 0 9 0 1"), at("phase", 30));
    assert_eq!(place("********/********/******** w p 0 -9 0 9 0 1"), at("white men in hand", 34));
    assert_eq!(place("********/********/******** w p 0 9 0 9 0"), at("move number", 41));
    assert_eq!(place("********/********/******** w p 0 9 0 9 0 1 more"), at("end", 44));
}

#[test]
fn phase_and_counts_agree_with_the_board() {
    for text in [
        "O*******/********/******** b p 2 8 0 9 0 1",
        "********/********/******** w m 0 9 0 9 0 1",
        "O*O*****/@***O***/@**@**@* w p 3 0 4 0 3 30",
        "********/********/******** w p 0 10 0 9 0 1",
        "O*O*****/@*******/******** w m 2 0 1 0 0 30",
        "O*******/********/******** b p 1 8 0 9 3 1",
    ] {
        assert_eq!(refused("nine", text).code, "position-not-admitted", "{text}");
    }
}

/// The strings of Sanmill, new and old; a man still to be taken is refused.
#[test]
fn strings_of_sanmill_are_read() {
    let empty = "********/********/******** w p 0 9 0 9 0 1";
    for tail in [
        "0 0 -1 -1 -1 -1 0 0 1",
        "0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
        "0 0 0 0 0 0 0 0 1",
        "0 0 0 1",
        "0 0 1",
        "0 0",
    ] {
        let text = format!("********/********/******** w p p 0 9 0 9 {tail}");
        assert_eq!(start_of("nine", &text), empty, "{text}");
    }
    let moving = "O*O*****/@***O***/@**@**@* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 7 30 ids:nodes";
    assert_eq!(start_of("nine", moving), "O*O*****/@***O***/@**@**@* w m 3 0 4 0 7 30");
    for due in [
        "OOO*****/@@******/******** w p r 3 6 2 7 1 0 -1 -1 -1 -1 0 0 5",
        "OOO*****/@@******/******** w p p 3 6 2 7 1 0 0 5",
    ] {
        let error = refused("nine", due);
        assert!(error.message.contains("still to be taken"), "{error}");
    }
}

#[test]
fn moves_are_read_in_either_case_and_written_in_one_way() {
    let rules = Morris::of_variant(&GAME.variant("nine").expect("listed"));
    let again = |text: &str| rules.move_of(text).map(|m| rules.move_text(m));
    for (text, written) in [
        ("D6", "d6"),
        (" d6-D5 ", "d6-d5"),
        ("d6xb4", "d6xb4"),
        ("d6-d5Xb4", "d6-d5xb4"),
        ("d6xf2xb4", "d6xb4xf2"),
        ("PASS", "pass"),
    ] {
        assert_eq!(again(text).as_deref(), Ok(written));
    }
    let column = |text: &str| again(text).expect_err("refused").at.column.expect("a column");
    for (text, at) in
        [("", 1), ("d4", 1), ("d6-d4", 4), ("d6xb4xb5", 7), ("d6!", 3), ("d6xb4xb4", 7)]
    {
        assert_eq!(column(text), at, "{text}");
    }
    let six = Morris::of_variant(&GAME.variant("six").expect("listed"));
    assert!(six.move_of("d6").is_err() && six.move_of("c4").is_ok());
}

#[test]
fn removals_can_be_tokens_of_their_own() {
    assert_eq!(tokens("d6-d5xb4xf2"), ["d6-d5", "xb4", "xf2"]);
    assert_eq!(tokens("pass"), ["pass"]);
    assert_eq!(joined("d6 d6-d5 xb4 xf2 pass".split(' ')), ["d6", "d6-d5xb4xf2", "pass"]);
    assert_eq!(joined(["xb4"]), ["xb4"]);
    let game = &read("1. a1 a7 2. d1 d7 3. g1 xa7 g7").expect("readable")[0];
    assert_eq!(moves(game), "a1 a7 d1 d7 g1xa7 g7");
}

#[test]
fn a_path_of_taps_is_from_to_and_what_is_taken() {
    let start = men("a1 d1 g4 b2", "a7 d7 f6 e5");
    let game = start.game("nine", Seat::FIRST);
    let taps: Vec<Vec<String>> = game
        .choices(Seat::FIRST)
        .into_iter()
        .filter(|c| c.text.contains('x'))
        .map(|c| c.taps)
        .collect();
    assert_eq!(taps[0], ["g4", "g1", "a7"]);
    let said = |taps: &[&str]| {
        let taps: Vec<String> = taps.iter().map(ToString::to_string).collect();
        game.read_taps(Seat::FIRST, &taps)
    };
    assert_eq!(said(&["a1", "a4"]).as_deref(), Ok("a1-a4"));
    assert_eq!(said(&["a4"]).as_deref(), Ok("a4"));
    assert_eq!(
        said(&["a4", "a7"]).as_deref(),
        Ok("a4xa7"),
        "placed, as it begins on an empty point"
    );
    assert!(said(&[]).is_err() && said(&["d4"]).is_err());
    assert!(said(&["a4", "a7", "d7", "f6"]).is_err());
}

#[test]
fn the_scene_shows_men_trays_and_the_closed_mill() {
    let mut game = guided("nine", None);
    play(&mut *game, "a1 a7 d1 d7 g1xa7");
    let scene = game.scene(Viewer::Watcher);
    let on: Vec<&str> = scene.pieces.iter().map(|p| p.at.as_str()).collect();
    assert_eq!(on, ["g1", "d1", "a1", "first/hand", "d7", "second/hand"]);
    let tray = scene.pieces.iter().find(|p| p.at == "second/hand").expect("a tray");
    assert_eq!((tray.count, tray.face.as_str()), (7, "B-hand-7"));
    assert_eq!(scene.last, ["g1"]);
    assert_eq!(scene.glow, [["a1", "d1", "g1"]]);
    let seen = game.seen(Viewer::Watcher);
    assert_eq!(seen.last().expect("moves").taps, ["g1", "a7"]);
    assert_eq!(seen.last().expect("moves").fell, ["a7"]);
    put(&mut *game, "a7").expect("legal");
    assert!(game.scene(Viewer::Watcher).glow.is_empty());
    let text = game.text(Viewer::Watcher);
    assert!(text.contains("7  @-----------@-----------.\n"), "{text}");
    assert!(text.contains("1  O-----------O-----------O\n"), "{text}");
    let twelve = guided("twelve", None).text(Viewer::Watcher);
    assert!(twelve.contains("   | \\         |         / |\n"), "{twelve}");
}

fn game_of(moves: &str) -> Record {
    let mut game = guided("nine", None);
    play(&mut *game, moves);
    game.record(Viewer::Referee)
}

#[test]
fn records_are_written_and_read_with_all_they_hold() {
    let mut record = game_of("a1 a7 d1 d7 g1xa7 g7");
    record.tags = vec![("date".into(), "2026.11.30".into()), ("first".into(), "Ann \"A\"".into())];
    record.unknown = vec![("Annotator".into(), "3".into())];
    record.nodes[0].comment = "From the start.".into();
    record.nodes[2].comment = "Over here.".into();
    let other = kiban_core::Node {
        entry: Some(Entry::new_move(Seat::SECOND, "b6")),
        comment: "Or so.".into(),
        ..Default::default()
    };
    let branch = record.add(1, other);
    let reply =
        kiban_core::Node { entry: Some(Entry::new_move(Seat::FIRST, "f4")), ..Default::default() };
    record.add(branch, reply);
    let text = write(std::slice::from_ref(&record)).expect("it is held");
    assert!(
        text.starts_with("[Game \"morris\"]\n[Variant \"nine\"]\n[Date \"2026.11.30\"]\n[White \"Ann \\\"A\\\"\"]\n"),
        "{text}"
    );
    let line =
        "{From the start.} 1. a1 a7 {Over here.} (1... b6 {Or so.} 2. f4) 2. d1 d7 3. g1xa7 g7\n*";
    assert!(text.replace('\n', " ").contains(&line.replace('\n', " ")), "{text}");
    let back = &read(&text).expect("its own file")[0];
    assert_eq!(
        (&back.tags, &back.unknown, moves(back)),
        (&record.tags, &record.unknown, moves(&record))
    );
    assert_eq!(write(std::slice::from_ref(back)).expect("it is held"), text);
    assert_eq!((format().sniff)(text.as_bytes()), 100);
    assert_eq!((format().sniff)(b"1. a1 a7 2. d1 d7"), 20);
    assert_eq!((format().sniff)(b"[White \"Ann\"]\n1. a1 a7"), 40);
    assert_eq!((format().sniff)(b"1. e2e4 e7e5 2. g1f3 b8c6"), 0);
}

#[test]
fn calls_and_starts_are_told_by_tags_and_words() {
    let start = Men { white: "a1 d2", black: "a7", hand: [7, 8], slides: 0 };
    let mut game = start.game("nine", Seat::SECOND);
    put(&mut *game, "g4").expect("legal");
    game.put(&Entry::new_call(Seat::FIRST, Call::Timeout)).expect("taken");
    let text = write(&[game.record(Viewer::Referee)]).expect("it is held");
    for part in [
        "[Position \"",
        "[Result \"0-1\"]",
        "[Termination \"timeout\"]",
        "1... g4 first-timeout 0-1",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let back = &read(&text).expect("its own file")[0];
    let last = back.entries().last().expect("a call");
    assert_eq!(*last, Entry::new_call(Seat::FIRST, Call::Timeout));
    let theirs = text.replace("Position", "FEN").replace("first-timeout ", "");
    let theirs = theirs.replace("\"timeout\"", "\"Time forfeit\"");
    let back = &read(&theirs).expect("another program's file")[0];
    assert_eq!(back.entries().last(), Some(last), "told by the tags alone");
    let agreed = read("[Result \"1/2-1/2\"]\n[Termination \"agreement\"]\n\n1. a1 a7 1/2-1/2")
        .expect("readable");
    let last = agreed[0].entries().last().expect("a call");
    assert_eq!(*last, Entry { by: Seats::first_n(2), act: Act::Call(Call::AgreeDraw) });
}

#[test]
fn several_games_and_odd_spacing_are_read_and_faults_are_placed() {
    let text =
        "[White \"Ann\"]\n1.a1 a7 2.d1! d7?? $4 1-0\n\n[White \"Bo\"]\n\n1. b2 ; a note\nb4 *";
    let games = read(text).expect("readable");
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["a1 a7 d1 d7", "b2 b4"]);
    assert_eq!(games[1].nodes[1].comment, "a note");
    let place = |text: &str| {
        let at = read(text).expect_err("refused").at;
        (at.line.expect("a line"), at.column.expect("a column"))
    };
    assert_eq!(place("1. a1\nd4"), (2, 1));
    assert_eq!(place("1. a1 (a7"), (1, 1));
    assert_eq!(place("1. a1 )"), (1, 7));
    assert_eq!(place("[White Ann]\n1. a1"), (1, 1));
    assert_eq!(place("[Game \"chess\"]\n1. a1"), (1, 1));
    assert_eq!(read(" \n").expect_err("refused").code, "empty");
}

#[test]
fn an_illegal_move_in_a_record_is_judged() {
    let record = &read("[Variant \"nine\"]\n1. a1 a7 2. d1 d7 3. g1 g7 *").expect("readable")[0];
    let judged = (GAME.judge)(record).expect("judged");
    let (ply, foul) = judged.foul.expect("a foul");
    assert_eq!((ply, foul.reason.0), (5, "illegal-removal"));
    assert_eq!(judged.outcome.map(|o| o.result()), Some("second"));
}

/// A game of chance moves, given by a seed.
fn any_game(seed: u64, plies: usize) -> Box<dyn kiban_core::Arbiter> {
    let mut random = Random::new(seed);
    let variant = random.pick(GAME.variants).expect("variants").id.to_string();
    let two = if random.below(2) == 0 { ",double-mill=two" } else { "" };
    let mut game = guided(&format!("{variant}{two}"), None);
    while game.log().len() < plies && game.ending().is_none() {
        let texts = choices(&*game);
        put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn games_are_read_back_as_they_were(seed: u64, plies in 0usize..120) {
        let game = any_game(seed, plies);
        let record = game.record(Viewer::Referee);
        let text = write(std::slice::from_ref(&record)).expect("it is held");
        let back = &read(&text).expect("its own file")[0];
        prop_assert_eq!(moves(back), moves(&record));
        prop_assert_eq!(&back.start, &record.start);
        // The same with every removal a token of its own.
        let (tags, line) = text.split_once("\n\n").expect("an empty line behind the tags");
        let split = format!("{tags}\n\n{}", line.replace('x', " x"));
        prop_assert_eq!(moves(&read(&split).expect("readable")[0]), moves(&record));
        let position = game.position(Viewer::Referee);
        prop_assert_eq!(start_of(&game.variant(), &position), position);
    }

    #[test]
    fn any_text_is_read_calmly(text in "\\PC{0,60}", odd in "[wpmxO@*/0-9 a-g.(){}\\[\\]\"-]{0,60}") {
        let rules = Morris::of_variant(&GAME.variant("nine").expect("listed"));
        for text in [&text, &odd] {
            let _ = read(text);
            let _ = rules.read(text);
            if let Ok(m) = rules.move_of(text) {
                prop_assert_eq!(rules.move_of(&rules.move_text(m)), Ok(m));
            }
            prop_assert!((format().sniff)(text.as_bytes()) <= 100);
        }
    }
}

#[test]
fn a_damaged_game_of_a_file_costs_no_other() {
    let told = |text: &str| {
        let mut told = Vec::new();
        let source = Source { bytes: text.as_bytes(), variant: None };
        format().stream.expect("it is a stream")(source, &mut |read| {
            told.push(read.map_or_else(|e| format!("{:?}", e.at.line), |r| moves(&r)));
            std::ops::ControlFlow::Continue(())
        });
        told
    };
    // Games of other programs need not name theirs, and may have no tags at all.
    let tagged = |m: &str| format!("[Event \"x\"]\n[White \"y\"]\n\n1. {m} 1-0\n\n");
    let bare = |m: &str| format!("1. {m} 1-0\n\n");
    for game in [&tagged as &dyn Fn(&str) -> String, &bare] {
        let [a, b, c] = ["d6 f4", "d2 b4", "f6 g7"].map(game);
        let bad = b.replace("1. ", "1. z9 ");
        assert_eq!(told(&format!("{a}{b}{c}")), ["d6 f4", "d2 b4", "f6 g7"]);
        let given = told(&format!("{a}{bad}{c}"));
        assert_eq!((given.len(), &given[0][..], &given[2][..]), (3, "d6 f4", "f6 g7"), "{given:?}");
        assert_eq!(told(&format!("{bad}{c}"))[1..], ["f6 g7"]);
        assert_eq!(told(&format!("{a}{bad}"))[..1], ["d6 f4"]);
    }
}
