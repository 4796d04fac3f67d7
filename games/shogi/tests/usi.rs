//! Kiban as a USI engine, line by line, with sane and with hostile users.

use kiban_core::{Conversation, Variant};
use kiban_shogi::GAME;
use kiban_wire::{LONGEST_LINE, Transcript};

fn engine_of(variant: &str) -> Box<dyn Conversation> {
    let variant: Variant = GAME.variant(variant).expect("a variant");
    let protocol = GAME.protocols.iter().find(|p| p.id == "usi").expect("usi is spoken");
    protocol.engine.expect("as an engine")(&variant)
}

fn played(script: &str) {
    Transcript::play(engine_of(""), script).unwrap_or_else(|fault| panic!("{fault}"));
}

fn talk() -> Transcript {
    Transcript::open(engine_of(""))
}

/// Everything said from a `go` to its `bestmove`.
fn asked(talk: &mut Transcript, lines: &[&str]) -> Vec<String> {
    for line in lines {
        talk.send(line);
    }
    talk.expect("bestmove").expect("a move")
}

#[test]
fn a_greeting_a_game_and_a_goodbye() {
    played(
        "> usi\n< id name Kiban \n< id author \n... option name USI_Hash type spin \n\
         ... option name EnteringKingRule type combo default CSARule27 var NoEnteringKing \n\
         ... option name MaxMovesToDraw type spin default 0 \n... usiok\n\
         > isready\n< readyok\n> usinewgame\n> position startpos\n> go nodes 500\n\
         < info depth 1 seldepth \n... bestmove \n\
         > position startpos moves 7g7f 3c3d\n> go depth 2\n... bestmove \n\
         > gameover win\n> quit\n.\n",
    );
}

#[test]
fn every_kind_of_clock_gives_a_move() {
    let mut talk = talk();
    for go in [
        "go btime 2000 wtime 2000",
        "go btime 500 wtime 0 byoyomi 200",
        "go btime 0 wtime 0 byoyomi 150",
        "go btime 0 wtime 0 binc 200 winc 200",
        "go movetime 100",
        "go movetime 100 depth 1",
        "go nodes 1",
        "go depth 1",
        "go btime -30 wtime -30",
    ] {
        let said = asked(&mut talk, &["position startpos", go]);
        assert!(said.last().expect("a line").len() > "bestmove 7g7".len(), "{go}: {said:?}");
    }
    assert!(talk.close().is_empty());
}

#[test]
fn infinite_and_ponder_wait_for_their_word() {
    // A mate in one is proved at once, yet nothing is said before the word.
    let mate = "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    let mut talk = talk();
    for (go, word) in [
        ("go infinite", "stop"),
        ("go ponder byoyomi 50", "ponderhit"),
        ("go ponder", "stop"),
        ("go", "stop"),
    ] {
        talk.send(mate);
        talk.send(go);
        talk.expect("info depth 1").expect("it thinks");
        talk.send("isready");
        let said = talk.expect("readyok").expect("it answers while it thinks");
        assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{go}: {said:?}");
        talk.send(word);
        assert_eq!(talk.expect("bestmove").expect("a move").last().expect("it"), "bestmove G*5b");
    }
    assert!(talk.close().is_empty());
}

#[test]
fn a_ponder_move_is_told_only_to_who_ponders() {
    let mut talk = talk();
    let said = asked(&mut talk, &["position startpos", "go depth 4"]);
    assert!(!said.last().expect("a line").contains("ponder"));
    talk.send("setoption name USI_Ponder value true");
    let said = asked(&mut talk, &["go depth 4"]);
    let last = said.last().expect("a line");
    let pv = said.iter().rev().find(|l| l.starts_with("info depth")).expect("it reports");
    let pv: Vec<&str> = pv.split(" pv ").nth(1).expect("a line").split(' ').collect();
    assert_eq!(*last, format!("bestmove {} ponder {}", pv[0], pv[1]));
}

#[test]
fn several_lines_are_ranked() {
    let mut talk = talk();
    let said =
        asked(&mut talk, &["setoption name MultiPV value 3", "position startpos", "go depth 3"]);
    for rank in 1..=3 {
        let rank = format!(" multipv {rank} score ");
        let told = |l: &String| l.starts_with("info depth 3 ") && l.contains(&rank);
        assert!(said.iter().any(told), "{rank}: {said:?}");
    }
}

#[test]
fn only_the_moves_asked_for_are_looked_at() {
    let mut talk = talk();
    for only in ["1g1f", "9g9f"] {
        let go = format!("go depth 3 searchmoves {only}");
        let said = asked(&mut talk, &["position startpos", &go]);
        assert_eq!(*said.last().expect("a line"), format!("bestmove {only}"));
    }
    // What is not legal restricts nothing.
    asked(&mut talk, &["position startpos", "go depth 1 searchmoves 5e5d"]);
}

/// Sente's king is in the zone with enough pieces and points.
const DECLARABLE: &str = "position sfen +R+R+B+B1GGGG/1K7/SSS6/9/9/9/9/9/8k b NNNLLLL10P 1";

#[test]
fn a_declaration_wins_where_the_rule_allows_it() {
    let mut talk = talk();
    let last = |said: Vec<String>| said.last().expect("a line").clone();
    assert_eq!(last(asked(&mut talk, &[DECLARABLE, "go depth 1"])), "bestmove win");
    talk.send("setoption name EnteringKingRule value NoEnteringKing");
    assert_ne!(last(asked(&mut talk, &["go depth 1"])), "bestmove win");
    talk.send("setoption name EnteringKingRule value CSARule24");
    assert_eq!(last(asked(&mut talk, &["go depth 1"])), "bestmove win");
    let mut other = Transcript::open(engine_of("impasse=none"));
    other.send("usi");
    other
        .expect("option name EnteringKingRule type combo default NoEnteringKing")
        .expect("the variant's rule is the default");
}

#[test]
fn who_has_no_move_resigns() {
    let mated = "position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1";
    let mut talk = talk();
    assert_eq!(asked(&mut talk, &[mated, "go btime 0 wtime 0 byoyomi 100"]), ["bestmove resign"]);
    let hopeless = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1";
    talk.send("setoption name ResignValue value 1");
    let white = hopeless.replace(" b ", " w ");
    let said = asked(&mut talk, &[&white, "go depth 1"]);
    assert_ne!(said.last().expect("a line"), "bestmove resign", "it is gote who is ahead");
    let said = asked(&mut talk, &[hopeless, "go depth 1"]);
    assert_eq!(said.last().expect("a line"), "bestmove resign");
}

#[test]
fn a_game_that_a_referee_would_have_ended_goes_on() {
    let cycle = "2h3h 8b7b 3h2h 7b8b ";
    let moves = format!("position startpos moves {}", cycle.repeat(4));
    let mut talk = talk();
    let said = asked(&mut talk, &[moves.trim(), "go depth 2"]);
    assert_ne!(said.last().expect("a line"), "bestmove resign");
    talk.send("setoption name MaxMovesToDraw value 4");
    let said = asked(&mut talk, &["position startpos moves 2h3h 8b7b 3h2h 7b8b", "go depth 2"]);
    assert_ne!(said.last().expect("a line"), "bestmove resign");
}

#[test]
fn a_mate_is_looked_for() {
    let mut talk = talk();
    talk.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    talk.send("go mate infinite");
    let said = talk.expect("checkmate").expect("an answer");
    let answer = said.last().expect("a line");
    let wanted = if GAME.mate.is_some() { "checkmate G*5b" } else { "checkmate notimplemented" };
    assert_eq!(answer, wanted);
    talk.send("position startpos");
    talk.send("go mate 50");
    talk.expect("checkmate").expect("an answer");
    assert!(talk.close().is_empty());
}

#[test]
fn lines_out_of_order_do_no_harm() {
    played("> stop\n> ponderhit\n> gameover lose\n> go mate\n... checkmate \n> quit now\n.\n");
    let mut talk = talk();
    talk.send("go infinite");
    talk.send("go depth 1");
    talk.expect("info string Still thinking").expect("one search at a time");
    talk.send("position startpos moves 7g7f");
    talk.send("setoption name Threads value 1");
    talk.send("stop");
    talk.expect("bestmove").expect("of the first");
    let said = asked(&mut talk, &["go depth 1"]);
    assert!(
        said.iter().all(|line| !line.contains(" pv 7g7f")),
        "the new position counts: {said:?}"
    );
    talk.send("go infinite");
    talk.send("gameover draw");
    talk.send("stop");
    talk.send("isready");
    let said = talk.expect("readyok").expect("it is still there");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{said:?}");
    assert!(talk.close().is_empty());
}

#[test]
fn a_position_that_cannot_be_leaves_the_one_before() {
    let mut talk = talk();
    talk.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    for wrong in [
        "position",
        "position startpos moves 7g7e",
        "position startpos moves 7g7f 7f7e",
        "position startpos moves zz",
        "position sfen 9/9/9 b - 1",
        "position sfen 4k4/4k4/9/9/9/9/9/9/9 b - 1",
        "position sfen \u{5c07}\u{68cb} moves 7g7f",
    ] {
        talk.send(wrong);
        if wrong != "position" {
            let said = talk.expect("info string").expect(wrong);
            assert!(said[0].contains("The position stays as it was"), "{said:?}");
        }
    }
    let said = asked(
        &mut talk,
        &["position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "go depth 1"],
    );
    assert_eq!(said.last().expect("a line"), "bestmove G*5b");
}

#[test]
fn garbage_is_passed_over() {
    let mut talk = talk();
    talk.send_bytes(&[0, 255, 254, 10, 13, 10, 9, 9, 10]);
    talk.send_bytes("x".repeat(3 * LONGEST_LINE).as_bytes());
    talk.send("");
    talk.send(&format!("position startpos moves {}", "7g7f ".repeat(LONGEST_LINE / 6)));
    talk.expect("info string").expect("the second 7g7f is not legal");
    talk.send(&format!("setoption name {} value 1", "y".repeat(100_000)));
    let said = talk.expect("info string").expect("no such option");
    assert!(said.iter().all(|line| line.len() < 400), "a huge line is not echoed");
    talk.send("go btime btime wtime depth nodes searchmoves mate");
    talk.expect("checkmate").expect("an answer");
    let mut seed = 7u64;
    for _ in 0..2_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let words = [
            "position",
            "startpos",
            "moves",
            "7g7f",
            "sfen",
            "setoption",
            "name",
            "value",
            "Threads",
            "-1",
            "stop",
            "ponderhit",
            "gameover",
            "isready",
            "usi",
            "MultiPV",
            "\u{3042}",
            "0",
        ];
        let word = |shift: u32| words[(seed >> shift) as usize % words.len()];
        talk.send(&[word(20), word(28), word(36), word(44)].join(" "));
    }
    talk.send("isready");
    talk.expect("readyok").expect("it is still there");
}

#[test]
fn the_end_of_the_input_ends_a_search_with_its_move() {
    for go in ["go infinite", "go ponder", "go btime 600000 wtime 600000"] {
        let mut talk = talk();
        talk.send("position startpos");
        talk.send(go);
        talk.expect("info depth 1").expect("it thinks");
        let said = talk.close();
        assert!(said.last().is_some_and(|l| l.starts_with("bestmove ")), "{go}: {said:?}");
    }
}
