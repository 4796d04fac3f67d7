//! Kiban as a GTP engine, line by line, with sane and with hostile users.
#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::Conversation;
use kiban_othello::GAME;
use kiban_wire::{LONGEST_LINE, Transcript};

fn engine_of(variant: &str) -> Box<dyn Conversation> {
    let variant = GAME.variant(variant).unwrap();
    let protocol = GAME.protocols.iter().find(|p| p.id == "gtp").unwrap();
    protocol.engine.unwrap()(&variant)
}

fn played(script: &str) {
    Transcript::play(engine_of(""), script).unwrap_or_else(|fault| panic!("{fault}"));
}

/// Sends a command and gives the lines of its answer.
fn asked(talk: &mut Transcript, command: &str) -> Vec<String> {
    talk.send(command);
    let mut said = Vec::new();
    loop {
        let line = talk.expect("").unwrap().remove(0);
        if line.is_empty() {
            return said;
        }
        said.push(line);
    }
}

fn one(talk: &mut Transcript, command: &str) -> String {
    asked(talk, command).join("|")
}

/// Nothing is left of White after these.
const WIPED_OUT: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

#[test]
fn the_whole_of_the_protocol_is_there() {
    let mut talk = Transcript::open(engine_of(""));
    assert_eq!(one(&mut talk, "protocol_version"), "= 2");
    assert_eq!(one(&mut talk, "1 name"), "=1 Kiban");
    assert_eq!(one(&mut talk, "0002 version"), format!("=0002 {}", env!("CARGO_PKG_VERSION")));
    let commands = asked(&mut talk, "list_commands");
    assert!(commands.len() > 25, "{commands:?}");
    for command in commands.iter().map(|c| c.trim_start_matches("= ")) {
        assert_eq!(one(&mut talk, &format!("known_command {command}")), "= true");
        let answer = one(&mut talk, &format!("7 {command} \u{3042} -1 x y z"));
        assert!(!answer.contains("unknown command"), "{command}: {answer}");
        if command == "quit" {
            break;
        }
    }
    let mut talk = Transcript::open(engine_of(""));
    assert_eq!(one(&mut talk, "known_command fixed_handicap"), "= false");
    assert_eq!(one(&mut talk, "fixed_handicap 2"), "? unknown command");
    assert_eq!(one(&mut talk, "3 quit"), "=3");
    assert!(talk.close().is_empty());
}

#[test]
fn a_game_is_played_taken_back_and_counted() {
    let mut talk = Transcript::open(engine_of(""));
    for command in ["boardsize 8", "clear_board", "komi 6.5", "set_game Othello"] {
        assert_eq!(one(&mut talk, command), "=");
    }
    assert_eq!(one(&mut talk, "gogui-rules_legal_moves"), "= D3 C4 F5 E6");
    let first = one(&mut talk, "genmove b");
    assert!(["= D3", "= C4", "= F5", "= E6"].contains(&first.as_str()), "{first}");
    assert_eq!(one(&mut talk, "gogui-rules_side_to_move"), "= white");
    assert_eq!(one(&mut talk, "undo"), "=");
    assert_eq!(one(&mut talk, "undo"), "? cannot undo");
    assert_eq!(one(&mut talk, "play black F5"), "=");
    assert_eq!(one(&mut talk, "play W d6"), "=");
    let board = asked(&mut talk, "9 showboard");
    assert_eq!((board[0].as_str(), board.len()), ("=9", 11));
    assert_eq!(board[6], " 5 - - * X X X - -".replace("X X X", "O X X"), "{board:?}");
    assert_eq!(one(&mut talk, "reg_genmove black").len(), 4);
    assert_eq!(one(&mut talk, "gogui-rules_side_to_move"), "= black");
    assert_eq!(one(&mut talk, "final_score"), "? cannot score");
    assert_eq!(one(&mut talk, "gogui-rules_final_result"), "= unknown");
    assert_eq!(one(&mut talk, "clear_board"), "=");
    for (i, m) in WIPED_OUT.split(' ').enumerate() {
        let colour = if i % 2 == 0 { "b" } else { "w" };
        assert_eq!(one(&mut talk, &format!("play {colour} {m}")), "=", "{m}");
    }
    assert_eq!(one(&mut talk, "final_score"), "= B+64");
    assert_eq!(
        one(&mut talk, "gogui-rules_final_result"),
        "= Black wins. Final score is B 64 and W 0"
    );
    for command in ["genmove w", "play w pass", "play b pass", "genmove b"] {
        assert!(["=", "= pass"].contains(&one(&mut talk, command).as_str()), "{command}");
    }
    assert_eq!(one(&mut talk, "play w a1"), "? illegal move");
}

#[test]
fn errors_are_told_as_the_protocol_wants_them() {
    let mut talk = Transcript::open(engine_of(""));
    for (command, answer) in [
        ("boardsize 19", "? unacceptable size"),
        ("boardsize", "? syntax error"),
        ("boardsize eight", "? syntax error"),
        ("boardsize 99999999999999999999", "? syntax error"),
        ("komi", "? syntax error"),
        ("play", "? syntax error"),
        ("play black", "? syntax error"),
        ("play red f5", "? syntax error"),
        ("play black z9", "? syntax error"),
        ("play black f5 f6", "? syntax error"),
        ("play black a1", "? illegal move"),
        ("play black pass", "? illegal move"),
        ("play white f5", "? illegal move"),
        ("genmove", "? syntax error"),
        ("genmove white", "? it is the other side's turn"),
        ("time_settings 1 2", "? syntax error"),
        ("time_left black x 1", "? syntax error"),
        ("set_game Go", "? unsupported game"),
        ("loadsgf", "? syntax error"),
        ("kiban-level 11", "? give a level from 0 to 10"),
        ("12345678901 name", "? unknown command"),
        ("77 nonsense", "?77 unknown command"),
    ] {
        assert_eq!(one(&mut talk, command), answer, "{command}");
    }
    assert!(one(&mut talk, "loadsgf /nowhere/x.sgf").starts_with("? cannot load file: "));
    assert!(one(&mut talk, "loadsgf /dev/zero").starts_with("? cannot load file: "));
}

/// Black has to pass after these.
const PASSING: &str = "d3 c3 e6 d2 d1 e1 b2 c1";

#[test]
fn passes_may_be_said_or_left_out_and_are_taken_back_with_their_move() {
    let mut talk = Transcript::open(engine_of(""));
    for (i, m) in PASSING.split(' ').enumerate() {
        let colour = if i % 2 == 0 { "b" } else { "w" };
        assert_eq!(one(&mut talk, &format!("play {colour} {m}")), "=", "{m}");
    }
    assert_eq!(one(&mut talk, "gogui-rules_legal_moves"), "= pass");
    assert_eq!(one(&mut talk, "play b a1"), "? illegal move");
    // Left out: the other side simply moves; taken back, the pass is due again.
    let asked_only = one(&mut talk, "reg_genmove w");
    assert_eq!(one(&mut talk, "gogui-rules_legal_moves"), "= pass");
    assert_eq!(one(&mut talk, "play w a1"), "? illegal move");
    assert_eq!(one(&mut talk, "gogui-rules_legal_moves"), "= pass");
    assert_eq!(one(&mut talk, "genmove w"), asked_only);
    assert_eq!(one(&mut talk, "gogui-rules_side_to_move"), "= black");
    assert_eq!(one(&mut talk, "undo"), "=");
    for said in ["genmove b", "play b pass"] {
        assert_eq!(one(&mut talk, "gogui-rules_legal_moves"), "= pass");
        assert!(["=", "= pass"].contains(&one(&mut talk, said).as_str()));
        assert_eq!(one(&mut talk, "gogui-rules_side_to_move"), "= white");
        assert_eq!(one(&mut talk, "undo"), "=");
    }
    let small = one(&mut talk, "boardsize 6");
    assert_eq!((small.as_str(), one(&mut talk, "gogui-rules_board_size").as_str()), ("=", "= 6"));
    assert!(one(&mut talk, "genmove b").starts_with("= "));
}

#[test]
fn games_are_loaded_from_files() {
    let folder = std::env::temp_dir().join(format!("kiban-gtp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.join("a game.sgf");
    std::fs::write(&name, "(;GM[2]FF[4]SZ[8];B[f5];W[d6];B[c3];W[d3])").unwrap();
    let mut talk = Transcript::open(engine_of(""));
    let load = |n: &str| format!("loadsgf {}{n}", name.display());
    assert_eq!(one(&mut talk, &load("")), "=");
    assert_eq!(one(&mut talk, "gogui-rules_side_to_move"), "= black");
    assert_eq!(one(&mut talk, "undo"), "=");
    assert_eq!(one(&mut talk, "play w d3"), "=");
    assert_eq!(one(&mut talk, &load(" 2")), "=");
    assert_eq!(one(&mut talk, "play w d6"), "=");
    std::fs::write(&name, "no game at all").unwrap();
    assert!(one(&mut talk, &load("")).starts_with("? cannot load file: "));
    assert_eq!(one(&mut talk, "gogui-rules_side_to_move"), "= black", "the game stays");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_clock_is_kept() {
    for settings in ["time_settings 2 0 0", "time_settings 0 1 1", "time_settings 0 3 3"] {
        let mut talk = Transcript::open(engine_of(""));
        assert_eq!(one(&mut talk, settings), "=");
        let begun = std::time::Instant::now();
        assert!(one(&mut talk, "genmove b").starts_with("= "));
        assert!(begun.elapsed().as_secs_f64() < 3.0, "{settings}");
    }
    let mut talk = Transcript::open(engine_of(""));
    assert_eq!(one(&mut talk, "time_settings 600 0 0"), "=");
    assert_eq!(one(&mut talk, "time_left b 1 0"), "=");
    let begun = std::time::Instant::now();
    assert!(one(&mut talk, "genmove b").starts_with("= "));
    assert!(begun.elapsed().as_secs_f64() < 2.0);
    assert_eq!(one(&mut talk, "time_left w 99999999999999999999 0"), "=");
    assert_eq!(one(&mut talk, "kiban-level 1"), "=");
    assert!(one(&mut talk, "genmove w").starts_with("= "));
}

#[test]
fn commands_wait_for_their_turn_and_a_file_of_them_is_done_to_its_end() {
    let mut talk = Transcript::open(engine_of(""));
    talk.send("1 genmove b\n2 genmove w\n3 gogui-rules_side_to_move\n4 quit\n5 name");
    let said = talk.close();
    let said: Vec<&String> = said.iter().filter(|line| !line.is_empty()).collect();
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said[0].starts_with("=1 ") && said[1].starts_with("=2 "), "{said:?}");
    assert_eq!((said[2].as_str(), said[3].as_str()), ("=3 black", "=4"));
}

#[test]
fn a_search_can_be_interrupted() {
    let mut talk = Transcript::open(engine_of(""));
    assert_eq!(one(&mut talk, "time_settings 0 600 1"), "=");
    talk.send("genmove b");
    std::thread::sleep(std::time::Duration::from_millis(100));
    talk.send("# interrupt");
    assert!(talk.expect("= ").is_ok());
}

#[test]
fn comments_blanks_and_garbage_do_no_harm() {
    played("> # nothing\n>  \n> \tname # it\n< = Kiban\n< \n> 5 quit\n< =5\n< \n.\n");
    let mut talk = Transcript::open(engine_of(""));
    talk.send_bytes(&[0, 255, 254, 10, 13, 10, 9, 10]);
    talk.send_bytes("x".repeat(2 * LONGEST_LINE).as_bytes());
    talk.send("");
    talk.send(&format!("play b {}", "f".repeat(100_000)));
    talk.send(&"9".repeat(100_000));
    talk.send_bytes(b"na");
    talk.send_bytes(b"me\r\n");
    let said = talk.expect("= Kiban").unwrap();
    assert!(said.iter().all(|line| line.len() < 400));
    for _ in 0..1500 {
        talk.send("genmove b");
    }
    talk.send("undo");
    drop(talk.close());
}
