//! Kiban as an NBoard engine, line by line, with sane and with hostile users.

use kiban_core::Conversation;
use kiban_othello::GAME;
use kiban_wire::{LONGEST_LINE, Transcript};

fn engine() -> Box<dyn Conversation> {
    let variant = GAME.variant("").expect("the default");
    let protocol = GAME.protocols.iter().find(|p| p.id == "nboard").expect("nboard is spoken");
    protocol.engine.expect("as an engine")(&variant)
}

fn played(script: &str) {
    Transcript::play(engine(), script).unwrap_or_else(|fault| panic!("{fault}"));
}

/// The game of the protocol's own description.
const GAME_LINE: &str = "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]\
PW[chris]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";
/// White has no move and must pass.
const PASS_LINE: &str = "set game (;GM[Othello]TY[8]BO[8 \
OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO**- *];)";

#[test]
fn the_session_of_the_description() {
    played(&format!(
        "> nboard 2\n< set myname Kiban\n> {GAME_LINE}\n> set depth 6\n< set myname Kiban 6\n\
         > ping 1\n< pong 1\n> go\n< status Kiban is thinking\n< search \n< nodestats \n\
         ... === \n< status Kiban is waiting\n> quit\n.\n"
    ));
}

#[test]
fn the_engine_does_not_play_its_own_move() {
    let mut talk = Transcript::open(engine());
    let mut answer = |line: &str| {
        talk.send(line);
        talk.send("go");
        talk.expect("=== ").expect("a move").last().expect("it").clone()
    };
    let first = answer("set depth 3");
    let again = answer("set contempt 50");
    let text = |line: &str| line[4..].split('/').next().expect("a move").to_string();
    assert_eq!(text(&first), text(&again));
    assert!(["C4", "D3", "E6", "F5"].contains(&text(&first).as_str()), "{first}");
    let fields: Vec<&str> = first[4..].split('/').collect();
    assert!(fields[1].parse::<f64>().is_ok() && fields[2].parse::<f64>().is_ok(), "{first}");
    let after = answer("move F5/1.5/20");
    assert!(["D6", "F4", "F6"].contains(&text(&after).as_str()), "{after}");
}

#[test]
fn hints_are_ranked_and_a_solved_end_is_told() {
    let mut talk = Transcript::open(engine());
    talk.send("set depth 4");
    talk.send("hint 3");
    talk.expect("status Kiban is analysing").expect("it begins");
    let said = talk.expect("status").expect("it ends");
    let deep = said.iter().filter(|l| l.starts_with("search ") && l.ends_with(" 0 4")).count();
    assert_eq!(deep, 3, "{said:?}");
    // Two squares are left.
    talk.send(&PASS_LINE.replace("** - *", "**- *").replace("- *]", "- O]"));
    talk.send("hint 1");
    talk.expect("status Kiban").expect("it begins");
    let said = talk.expect("status").expect("it ends");
    assert!(said.iter().any(|l| l.starts_with("search H8") && l.ends_with(" 0 100%")), "{said:?}");
}

#[test]
fn a_pass_is_said_and_taken_and_may_be_left_out() {
    played(&format!(
        "> {PASS_LINE}\n> go\n< === PA\n> hint 1\n< search PA\n< status\n> move PA\n> go\n... === H8/\n< status\n.\n"
    ));
    played(&format!("> {PASS_LINE}\n> move H8\n> ping 3\n< pong 3\n.\n"));
}

#[test]
fn a_ping_stops_a_search_and_nothing_of_it_comes_after() {
    let mut talk = Transcript::open(engine());
    talk.send("set depth 60");
    talk.send("hint 8");
    talk.expect("search").expect("it thinks");
    talk.send("ping 7");
    talk.expect("pong 7").expect("at once");
    talk.send("move F5");
    talk.send("ping 8");
    assert_eq!(talk.expect("pong 8").expect("at once").len(), 1);
    assert!(talk.close().is_empty());
}

#[test]
fn a_whole_game_is_analysed_from_its_end_and_learnt() {
    let mut talk = Transcript::open(engine());
    talk.send("set depth 2");
    talk.send(GAME_LINE);
    talk.send("analyze");
    talk.expect("status Kiban").expect("it begins");
    let said = talk.expect("status").expect("it ends");
    let numbers: Vec<String> = said
        .iter()
        .filter_map(|l| l.strip_prefix("analysis "))
        .map(|l| l.split(' ').next().expect("a number").to_string())
        .collect();
    assert_eq!(numbers, ["8", "7", "6", "5", "4", "3", "2", "1", "0"]);
    talk.send("learn");
    talk.expect("learned").expect("it is");
}

#[test]
fn a_finished_game_is_told_by_its_discs() {
    // Nothing is left of White after nine plies.
    let moves = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
    let game = format!(
        "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{moves};)"
    );
    played(&format!(
        "> set depth 1\n< set myname\n> {game}\n> analyze\n< status\n< analysis 9 64.00\n... status\n\
         > hint 1\n< status The game is over\n> move a1\n< status The game stays\n.\n"
    ));
}

#[test]
fn the_clock_of_the_game_limits_a_move() {
    let mut talk = Transcript::open(engine());
    talk.send("set depth 60");
    talk.send(&GAME_LINE.replace("TI[15:00]", "TI[0:01]"));
    let begun = std::time::Instant::now();
    talk.send("go");
    talk.expect("=== ").expect("a move");
    assert!(begun.elapsed().as_secs() < 5);
}

#[test]
fn what_cannot_be_leaves_the_game_as_it_was() {
    let mut talk = Transcript::open(engine());
    talk.send("set depth 1");
    talk.send("move F5");
    for wrong in [
        "move F5",
        "move Z9",
        "move",
        "set game",
        "set game (;GM[Go];)",
        "set game (;GM[Othello]TY[8]BO[8 --- *];)",
        "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[A1];)",
        "set depth many",
        "set depth 0",
    ] {
        talk.send(wrong);
        talk.expect("status ").expect(wrong);
    }
    talk.send("go");
    let said = talk.expect("=== ").expect("a move");
    let text = &said.last().expect("it")[4..6];
    assert!(["D6", "F4", "F6"].contains(&text), "{text}");
}

#[test]
fn garbage_and_lines_out_of_order_do_no_harm() {
    let mut talk = Transcript::open(engine());
    talk.send_bytes(&[0, 255, 254, 10, 13, 10, 9, 10]);
    talk.send_bytes("x".repeat(2 * LONGEST_LINE).as_bytes());
    talk.send("");
    talk.send(&format!("ping {}", "9".repeat(10_000)));
    talk.expect("pong 9").expect("it answers");
    talk.send(&format!("move {}", "z".repeat(100_000)));
    assert!(talk.expect("status").expect("a word")[0].len() < 400);
    talk.send("set depth 30");
    for _ in 0..50 {
        talk.send("go");
        talk.send("hint -1");
        talk.send("analyze now");
        talk.send("go");
    }
    talk.send("ping 1");
    talk.expect("pong 1").expect("it is still there");
    assert!(talk.close().is_empty());
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    let mut talk = Transcript::open(engine());
    talk.send("set depth 60");
    talk.send("go");
    talk.expect("search").expect("it thinks");
    let said = talk.close();
    assert!(said.iter().any(|line| line.starts_with("=== ")), "{said:?}");
}
