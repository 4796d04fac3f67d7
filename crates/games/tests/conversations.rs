//! Whatever lines a user sends, no engine's side of any protocol falls over or hangs.
#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{GameSpec, Protocol};
use kiban_wire::Transcript;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};

/// First words of lines, of all protocols.
const COMMANDS: &[&str] = &[
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "go",
    "ponderhit",
    "stop",
    "gameover",
    "nboard",
    "set",
    "move",
    "hint",
    "analyze",
    "ping",
    "learn",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "loadsgf",
    "set_game",
    "list_commands",
    "known_command",
    "kiban-level",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
    "# interrupt",
    "ENGINE-PROTOCOL",
    "protover",
    "new",
    "variant",
    "force",
    "playother",
    "usermove",
    "?",
    "result",
    "setboard",
    "remove",
    "exit",
    "level",
    "st",
    "sd",
    "time",
    "otim",
    "post",
    "memory",
    "cores",
    "option",
    ".",
    "bk",
    "INFO",
    "START",
    "GO",
    "RESULT",
    "END",
    "quit",
];
/// Words that follow them.
const WORDS: &[&str] = &[
    "name",
    "value",
    "MultiPV",
    "Threads",
    "USI_Hash",
    "startpos",
    "sfen",
    "moves",
    "7g7f",
    "3c3d",
    "8h2b+",
    "P*5e",
    "resign",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "nodes",
    "depth",
    "movetime",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "game",
    "(;GM[Othello]TY[8]BO[8 ",
    "F5",
    "d6",
    "PA",
    "f5/1.5/2",
    "black",
    "white",
    "b",
    "pass",
    "P@f5",
    "@@@@",
    "reversi",
    "Level=1",
    "w",
    "-",
    "X",
    "midgame-search",
    "endgame-search",
    "feed-hash",
    "get-search-infos",
    "init",
    "---------------------------OX------XO---------------------------X",
    "8/8/8/3Pp3/3pP3/8/8/8",
    "4k4/9/4P4/9/9/9/9/9/9",
    "A0B0",
    "00",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "0.2",
    "1e308",
    "NaN",
    "99999999999999999999",
    "\u{5c07}\u{68cb}",
    "\u{0}",
    "\t",
    "[",
    "%s",
    "=1",
];

fn word(list: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(list).prop_map(str::to_string)
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::collection::vec(word(WORDS), 0..6);
    let sane = (word(COMMANDS), words)
        .prop_map(|(command, words)| format!("{command} {}\n", words.join(" ")).into_bytes());
    let odd = prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![12 => sane, 1 => odd]
}

/// What has fallen over, in whatever thread.
static FALLEN: AtomicUsize = AtomicUsize::new(0);

fn spoken(game: &GameSpec, protocol: &Protocol, cases: u32) {
    let Some(make) = protocol.engine else { return };
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let lines = prop::collection::vec(line(), 1..25);
    let held = runner.run(&lines, |lines| {
        let before = FALLEN.load(Ordering::Relaxed);
        let mut talk = Transcript::open(make(&game.variant("").unwrap()));
        for line in &lines {
            talk.send_bytes(line);
        }
        talk.close();
        prop_assert_eq!(FALLEN.load(Ordering::Relaxed), before, "a thread has fallen over");
        Ok(())
    });
    held.unwrap_or_else(|fault| panic!("{} of {}: {fault}", protocol.id, game.id));
}

#[test]
fn random_lines_do_no_harm() {
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        FALLEN.fetch_add(1, Ordering::Relaxed);
        usual(info);
    }));
    let mut count = 0;
    for game in kiban_games::all() {
        for protocol in game.protocols {
            spoken(game, protocol, 100);
            count += 1;
        }
    }
    assert!(count > 4, "there are protocols to try");
}
