//! Kiban as an engine of Cassio, line by line, with sane and with hostile users.
#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::Conversation;
use kiban_othello::GAME;
use kiban_wire::{LONGEST_LINE, Transcript};
use std::time::Duration;

fn engine() -> Box<dyn Conversation> {
    let variant = GAME.variant("").unwrap();
    let protocol = GAME.protocols.iter().find(|p| p.id == "cassio").unwrap();
    protocol.engine.unwrap()(&variant)
}

fn talk() -> Transcript {
    Transcript::open(engine())
}

fn played(script: &str) {
    Transcript::play(engine(), script).unwrap_or_else(|fault| panic!("{fault}"));
}

const START: &str = "---------------------------OX------XO---------------------------X";
/// Black has no move and must pass; then White takes h8.
const PASS: &str = "OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO**-*";

/// The result of a search, as Cassio takes it apart.
struct Said {
    position: String,
    first: String,
    depth: u32,
    sure: u32,
    low: f64,
    high: f64,
    line: String,
}

fn parsed(line: &str) -> Said {
    let fields: Vec<&str> = line.split(", ").collect();
    let [position, first, depth, sure, value, moves, nodes, time] = fields[..] else {
        panic!("eight fields are expected: {line}");
    };
    let number = |text: &str| text.trim_start_matches(['B', 'W']).parse::<f64>().unwrap();
    let (low, high) = value.split_once(" <= v <= ").unwrap();
    assert!(nodes.strip_prefix("node ").unwrap().parse::<u64>().is_ok(), "{line}");
    assert!(time.strip_prefix("time ").unwrap().parse::<f64>().is_ok(), "{line}");
    Said {
        position: position.to_string(),
        first: first.strip_prefix("move ").unwrap().to_string(),
        depth: depth.strip_prefix("depth ").unwrap().parse().unwrap(),
        sure: sure.trim_matches(['@', '%']).parse().unwrap(),
        low: number(low),
        high: number(high),
        line: moves.to_string(),
    }
}

fn searched(talk: &mut Transcript, request: &str) -> Said {
    talk.send(&format!("ENGINE-PROTOCOL {request}"));
    let said = talk.expect("ready.").unwrap();
    assert_eq!(said.len(), 2, "{said:?}");
    parsed(&said[0])
}

#[test]
fn the_greeting_is_as_the_user_sends_it() {
    played(
        "> ENGINE-PROTOCOL get-version\n< version: Kiban \n< ready.\n> ENGINE-PROTOCOL init\n\
         < ready.\n> \n< ready.\n> ENGINE-PROTOCOL  get-search-infos\n< ready.\n\
         > ENGINE-PROTOCOL new-position\n< ready.\n> ENGINE-PROTOCOL empty-hash\n\
         > ENGINE-PROTOCOL stop\n< ready.\n> ENGINE-PROTOCOL quit\n< bye bye.\n.\n",
    );
}

#[test]
fn a_search_of_the_middle_game_is_answered_with_a_line_and_ready() {
    let mut talk = talk();
    let said = searched(&mut talk, &format!("midgame-search {START} -64.00 64.00 8 73"));
    assert_eq!((said.position.as_str(), said.depth, said.sure), (START, 8, 73));
    assert!(["D3", "C4", "F5", "E6"].contains(&said.first.as_str()));
    assert!(said.line.starts_with(&said.first) && said.low == said.high);
    // The side may stand apart, and the numbers may be written in other ways.
    let (board, side) = START.split_at(64);
    let again = searched(&mut talk, &format!(" midgame-search {board} {side} -0.51 2.3 8 90"));
    assert_eq!((again.first, again.low), (said.first, said.low));
}

#[test]
fn an_end_is_solved_and_a_pass_told() {
    let mut talk = talk();
    let passed = searched(&mut talk, &format!("endgame-search {PASS} -64 64 100"));
    assert_eq!((passed.sure, passed.first.as_str(), passed.line.as_str()), (100, "PA", "PAH8"));
    let white = PASS.replace("-*", "-O");
    let said = searched(&mut talk, &format!("endgame-search {white} -64 64 100"));
    assert_eq!((said.sure, said.first.as_str(), said.line.as_str()), (100, "H8", "H8"));
    assert_eq!((passed.low, passed.high), (-said.high, -said.low));
    assert!(passed.position.ends_with('X') && said.position.ends_with('O'));
}

/// The fortieth problem of the FFO suite: Black wins by 38.
const FFO: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------X";

#[test]
fn as_sure_as_is_asked_for_and_no_surer() {
    let mut talk = talk();
    let unsure = searched(&mut talk, &format!("endgame-search {FFO} -64 64 73"));
    assert_eq!((unsure.depth, unsure.sure), (20, 73));
    assert!((unsure.low - 38.0).abs() < 6.0, "{}", unsure.low);
}

#[test]
fn a_search_is_stopped_and_asked_about() {
    let mut talk = talk();
    talk.send(&format!("ENGINE-PROTOCOL endgame-search {START} -64 64 100"));
    std::thread::sleep(Duration::from_millis(200));
    talk.send("ENGINE-PROTOCOL get-search-infos");
    assert!(talk.expect("node ").unwrap().len() == 1);
    talk.send("");
    assert_eq!(talk.expect("ok.").unwrap().len(), 1);
    talk.send("ENGINE-PROTOCOL new-position");
    talk.send("ENGINE-PROTOCOL stop");
    let said = talk.expect("ready.").unwrap();
    assert_ne!(parsed(&said[0]).sure, 100, "{said:?}");
    // What waited was dropped with the search.
    talk.send("ENGINE-PROTOCOL get-version");
    assert_eq!(talk.expect("ready.").unwrap().len(), 2);
    talk.send(&format!("ENGINE-PROTOCOL endgame-search {START} -64 64 100"));
    talk.send("ENGINE-PROTOCOL quit");
    assert_eq!(talk.close(), ["bye bye."]);
}

#[test]
fn commands_wait_for_the_end_of_a_search() {
    let mut talk = talk();
    talk.send(&format!("ENGINE-PROTOCOL midgame-search {START} -64 64 6 100"));
    talk.send("ENGINE-PROTOCOL get-version");
    let said = talk.expect("version: ").unwrap();
    assert!(said[0].starts_with(START) && said[1] == "ready.", "{said:?}");
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    let mut talk = talk();
    for _ in 0..3 {
        talk.send(&format!("ENGINE-PROTOCOL endgame-search {START} -64 64 100"));
    }
    std::thread::sleep(Duration::from_millis(100));
    let said = talk.close();
    assert!(said.len() <= 2, "{said:?}");
}

#[test]
fn what_cannot_be_is_told_and_the_engine_is_ready_again() {
    let mut talk = talk();
    let huge = format!("midgame-search {START} 1e308 -1e308 99999999999999999999 -7");
    assert_eq!(searched(&mut talk, &huge.replace("99999999999999999999", "1")).depth, 1);
    let over = "X".repeat(64) + "O";
    for wrong in [
        "midgame-search",
        "endgame-search",
        "midgame-search X -64 64 4 100",
        &format!("midgame-search {START} -64 64 4"),
        &format!("midgame-search {START} -64 64 4 100 5"),
        &format!("midgame-search {START} a b c d"),
        &format!("midgame-search {START} NaN inf 4 100"),
        &format!("midgame-search {} -64 64 4 100", START.replace('X', "\u{5f71}")),
        &format!("endgame-search {over} -64 64 100"),
        "hello",
        "\u{3042}\u{3044}",
    ] {
        talk.send(&format!("ENGINE-PROTOCOL {wrong}"));
        let said = talk.expect("ready.").unwrap();
        assert!(said.len() == 2 && said[0].starts_with("ERROR: "), "{wrong}: {said:?}");
        assert!(said[0].len() < 400);
    }
    for silent in ["feed-hash", "feed-hash x 1 2", "empty-hash"] {
        talk.send(&format!("ENGINE-PROTOCOL {silent}"));
    }
    talk.send_bytes(&[0, 255, 254, 10]);
    talk.send_bytes("x".repeat(2 * LONGEST_LINE).as_bytes());
    talk.send("\nuci");
    talk.send_bytes(b"ENGINE-PROT");
    talk.send_bytes(b"OCOL init\n");
    let said = talk.expect("ready.").unwrap();
    assert!(said.iter().all(|line| line.len() < 400), "{said:?}");
}
