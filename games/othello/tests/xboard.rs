//! Kiban as an engine of XBoard, line by line, with sane and with hostile users.
#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::Conversation;
use kiban_othello::GAME;
use kiban_wire::{LONGEST_LINE, Transcript};
use std::time::{Duration, Instant};

fn engine() -> Box<dyn Conversation> {
    let variant = GAME.variant("").unwrap();
    let protocol = GAME.protocols.iter().find(|p| p.id == "xboard").unwrap();
    protocol.engine.unwrap()(&variant)
}

fn talk() -> Transcript {
    let mut talk = Transcript::open(engine());
    for line in ["xboard", "protover 2", "accepted setboard", "new", "variant reversi", "sd 3"] {
        talk.send(line);
    }
    talk.expect("setup (").unwrap();
    talk
}

fn played(script: &str) {
    Transcript::play(engine(), script).unwrap_or_else(|fault| panic!("{fault}"));
}

/// The engine's move.
fn moved(talk: &mut Transcript, lines: &[&str]) -> String {
    for line in lines {
        talk.send(line);
    }
    talk.expect("move ").unwrap().last().unwrap()["move ".len()..].to_string()
}

#[test]
fn a_greeting_a_game_and_a_goodbye() {
    played(
        "> xboard\n> protover 2\n< feature done=0 myname=\"Kiban \n< feature option=\"Level \n\
         < feature done=1\n> accepted ping\n> rejected nps\n> new\n> random\n> variant reversi\n\
         < setup (P.....p.....) 8x8+1_crazyhouse 8/8/8/3Pp3/3pP3/8/8/8[PPP\n\
         > level 40 5 0\n> post\n> hard\n> easy\n> name A\u{3042}\n> sd 2\n> ping 1\n< pong 1\n\
         > usermove P@f5\n... move P@\n> force\n> result 1-0 {x}\n> quit\n.\n",
    );
}

#[test]
fn moves_are_dropped_pieces_and_thoughts_are_shown_when_wanted() {
    let mut talk = talk();
    let first = moved(&mut talk, &["go"]);
    assert!(["P@d3", "P@c4", "P@f5", "P@e6"].contains(&first.as_str()), "{first}");
    talk.send("post");
    talk.send("undo");
    talk.send("usermove P@f5");
    talk.send("go");
    let said = talk.expect("move ").unwrap();
    let thought: Vec<&str> = said[said.len() - 2].split(' ').collect();
    let numbers = thought[..4].iter().all(|n| n.parse::<i64>().is_ok());
    assert!(numbers && thought[4..].iter().all(|m| m.starts_with("P@")), "{said:?}");
    talk.send("nopost");
    talk.send("hint");
    talk.send("bk");
    talk.expect("").unwrap();
    assert!(talk.close().len() <= 2);
}

#[test]
fn bare_moves_and_other_sides_are_understood() {
    let mut talk = talk();
    // White in that protocol begins; the engine is Black after "new".
    let answer = moved(&mut talk, &["f5"]);
    assert!(["P@d6", "P@f4", "P@f6"].contains(&answer.as_str()), "{answer}");
    talk.send("remove");
    let answer = moved(&mut talk, &["p@e6"]);
    assert!(["P@d6", "P@f4", "P@f6"].contains(&answer.as_str()), "{answer}");
    talk.send("new");
    talk.send("sd 1");
    talk.send("playother");
    let _ = moved(&mut talk, &["usermove P@d3"]);
    talk.send("force");
    talk.send("new");
    talk.send("force");
    for m in ["P@f5", "P@d6", "P@c3"] {
        talk.send(&format!("usermove {m}"));
    }
    talk.send("ping 2");
    assert_eq!(talk.expect("pong 2").unwrap().len(), 1, "in force mode nothing is played");
    let answer = moved(&mut talk, &["sd 2", "go"]);
    assert!(answer.starts_with("P@"));
}

#[test]
fn passes_are_null_moves_and_the_end_is_claimed() {
    let mut talk = talk();
    // One square is left; White in that protocol, our Black, turns a row.
    talk.send("setboard pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/1ppppppP w");
    talk.send("go");
    let said = talk.expect("").unwrap();
    assert!(said[0].starts_with("move P@a1"), "{said:?}");
    assert_eq!(talk.expect("").unwrap(), ["0-1 {White wins 56-8}"]);
    talk.send("usermove @@@@");
    // The same with no move for White, who is ours.
    talk.send("setboard PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/1PPPPPPp w");
    talk.send("go");
    assert_eq!(talk.expect("").unwrap(), ["move @@@@"]);
    talk.send("usermove P@a1");
    assert_eq!(talk.expect("").unwrap(), ["1-0 {Black wins 56-8}"]);
    talk.send("usermove P@a1");
    assert_eq!(talk.expect("").unwrap(), ["Illegal move: P@a1"]);
}

#[test]
fn a_pass_is_understood_where_it_is_told_as_a_board_without_turned_discs() {
    let mut talk = talk();
    talk.send("setboard PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/1PPPPPPp w");
    talk.send("playother");
    talk.send(
        "setboard PpPpPpPp/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/pPPPPPPP/1PPPPPPp[Pp] b",
    );
    assert_eq!(talk.expect("").unwrap(), ["move P@a1"]);
    assert_eq!(talk.expect("").unwrap(), ["1-0 {Black wins 56-8}"]);
}

#[test]
fn every_kind_of_clock_gives_a_move_in_time() {
    for control in [
        &["level 0 0:02 0"][..],
        &["level 40 0:03 0", "time 300", "otim 300"],
        &["level 0 0 1"],
        &["level 0 1 0.5", "time 50", "otim 5"],
        &["st 1"],
        &["st 0.2"],
        &["level 0 5 0", "time -20"],
    ] {
        let mut talk = talk();
        talk.send("new");
        for line in control {
            talk.send(line);
        }
        let begun = Instant::now();
        moved(&mut talk, &["usermove P@f5"]);
        assert!(begun.elapsed() < Duration::from_secs(4), "{control:?}");
    }
}

#[test]
fn a_search_can_be_hurried_and_pings_wait_for_its_move() {
    let mut talk = talk();
    talk.send("new");
    talk.send("st 600");
    talk.send("usermove P@f5");
    talk.send("ping 8");
    talk.send("usermove P@d6");
    assert!(talk.expect("").unwrap()[0].starts_with("Illegal move (it is not your turn)"));
    std::thread::sleep(Duration::from_millis(50));
    talk.send("?");
    let said = talk.expect("pong 8").unwrap();
    assert!(said.len() == 2 && said[0].starts_with("move P@"), "{said:?}");
    talk.send("go");
    for stop in
        ["force", "result *", "new", "setboard 8/8/8/3Pp3/3pP3/8/8/8[PPpp] w - - 0 1", "undo"]
    {
        talk.send("st 600");
        talk.send("go");
        talk.send("ping 9");
        std::thread::sleep(Duration::from_millis(20));
        talk.send(stop);
        assert_eq!(talk.expect("pong 9").unwrap(), ["pong 9"], "{stop}");
    }
}

#[test]
fn positions_are_analysed() {
    let mut talk = talk();
    talk.send("analyze");
    talk.expect("5 ").unwrap();
    talk.send(".");
    let said = talk.expect("stat01: ").unwrap();
    assert_eq!(said.last().unwrap().split(' ').count(), 6, "{said:?}");
    talk.send("usermove P@f5");
    talk.expect("3 ").unwrap();
    talk.send("undo");
    talk.send("usermove P@f5");
    talk.send("setboard pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/1ppppppP w");
    talk.send("ping 3");
    talk.expect("pong 3").unwrap();
    talk.send("exit");
    talk.send("ping 4");
    talk.expect("pong 4").unwrap();
    talk.send("hint");
    assert!(talk.close().is_empty());
}

#[test]
fn what_cannot_be_is_told_and_changes_nothing() {
    let mut talk = talk();
    talk.send("force");
    for (wrong, answer) in [
        ("usermove P@a1", "Illegal move: P@a1"),
        ("usermove e2e4", "Illegal move: e2e4"),
        ("usermove", "Illegal move: "),
        ("usermove @@@@", "Illegal move: @@@@"),
        ("setboard", "tellusererror Illegal position"),
        ("setboard 8/8/8[Pp] w", "tellusererror Illegal position"),
        ("setboard 9/8/8/8/8/8/8/8 w", "tellusererror Illegal position"),
        ("setboard rnbqkbnr/8/8/8/8/8/8/8 w", "tellusererror Illegal position"),
        ("setboard 8/8/8/8/8/8/8/8 x", "tellusererror Illegal position"),
        ("setboard 99999999999999999999/8/8/8/8/8/8/8 w", "tellusererror Illegal position"),
        ("variant chess", "Error (unknown variant): chess"),
        ("level", "Error (not understood): level"),
        ("level 0 x 0", "Error (not understood): level"),
        ("level -1 99999999999 0", "Error (not understood): level"),
        ("st soon", "Error (not understood): st"),
        ("sd -1", "Error (not understood): sd"),
        ("time late", "Error (not understood): time"),
        ("memory much", "Error (not understood): memory"),
        ("option Level=11", "Error (unknown option): Level=11"),
        ("option \u{3042}", "Error (unknown option): \u{3042}"),
        ("edit", "Error (unknown command): edit"),
        ("\u{3042}", "Error (unknown command): \u{3042}"),
    ] {
        talk.send(wrong);
        let said = talk.expect("").unwrap();
        assert!(said[0].starts_with(answer), "{wrong}: {said:?}");
    }
    for quiet in ["sd 999999", "memory 0", "cores 100000", "time 9223372036854775807", "remove"] {
        talk.send(quiet);
    }
    talk.send_bytes(&[0, 255, 254, 10, 13, 10, 9, 10]);
    talk.send_bytes("x".repeat(2 * LONGEST_LINE).as_bytes());
    talk.send(&format!("\nusermove {}", "z".repeat(100_000)));
    talk.send("option Level=1");
    talk.send("cores 1");
    let said = talk.expect("Illegal move").unwrap();
    assert!(said.iter().all(|line| line.len() < 400), "{said:?}");
    assert!(moved(&mut talk, &["usermove P@f5", "go"]).starts_with("P@"));
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    for line in ["go", "analyze"] {
        let mut talk = talk();
        talk.send("new");
        talk.send("st 600");
        talk.send(line);
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        drop(talk.close());
        assert!(begun.elapsed() < Duration::from_secs(5), "{line}");
    }
}
