//! The whole of USI, form by form: what a user may send, and what must be answered.

use kiban_core::Conversation;
use kiban_shogi::GAME;
use kiban_wire::Transcript;

fn engine() -> Box<dyn Conversation> {
    let variant = GAME.variant("").expect("the default");
    let protocol = GAME.protocols.iter().find(|p| p.id == "usi").expect("usi is spoken");
    protocol.engine.expect("as an engine")(&variant)
}

const MATE_IN_ONE: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
const NO_MATE: &str = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1";
const MATED: &str = "position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1";
const DECLARABLE: &str = "position sfen +R+R+B+B1GGGG/1K7/SSS6/9/9/9/9/9/8k b NNNLLLL10P 1";

/// The form, and a script: `>` is sent, `<` comes next, `...` comes at some time.
fn forms() -> Vec<(&'static str, String)> {
    let go =
        |form: &'static str| (form, format!("> position startpos\n> go {form}\n... bestmove "));
    let option = |line: &'static str| (line, format!("> usi\n... option name {line}\n... usiok"));
    let set = |line: &'static str| {
        let script = format!("> setoption name {line}\n> isready\n< readyok");
        (line, script)
    };
    let mut forms = vec![
        // Options of each kind, as others name them.
        option("USI_Hash type spin default 64 min 1 max 65536"),
        option("USI_Ponder type check default false"),
        option("Threads type spin default 1 min 1 max "),
        option("MultiPV type spin default 1 min 1 max "),
        option(
            "EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 \
             var CSARule24H var CSARule27 var CSARule27H var TryRule",
        ),
        option("MaxMovesToDraw type spin default 0 min 0 max 100000"),
        option("NetworkDelay type spin default 100 min 0 max 10000"),
        option("ResignValue type spin default 99999 min 1 max 99999"),
        option("Level type spin default 0 min 0 max 10"),
        option("ClearHash type button"),
        set("USI_Hash value 8"),
        set("USI_Ponder value true"),
        set("EnteringKingRule value TryRule"),
        set("MaxMovesToDraw value 320"),
        set("ClearHash"),
        // Every form of go.
        go("btime 300 wtime 300"),
        go("btime 300 wtime 300 byoyomi 100"),
        go("btime 0 wtime 0 byoyomi 150"),
        go("btime 300 wtime 300 binc 100 winc 100"),
        go("binc 100 winc 100 btime 0 wtime 0"),
        go("movetime 100"),
        go("nodes 300"),
        go("depth 2"),
        go("depth 3 nodes 100000 btime 60000 wtime 60000"),
        go("depth 2 searchmoves 2g2f 7g7f"),
    ];
    forms.extend(conversations());
    forms
}

/// Forms of more than one line.
fn conversations() -> Vec<(&'static str, String)> {
    let more = |what: &'static str, script: String| (what, script);
    vec![
        more("go infinite", "> go infinite\n< info depth 1 \n> stop\n... bestmove ".into()),
        more("go alone", "> go\n< info depth 1 \n> stop\n... bestmove ".into()),
        more(
            "ponderhit",
            "> go ponder btime 300 wtime 300 byoyomi 100\n< info depth 1 \n> isready\n\
             ... readyok\n> ponderhit\n... bestmove "
                .into(),
        ),
        more(
            "ponder missed",
            "> go ponder byoyomi 60000\n< info depth 1 \n> stop\n... bestmove ".into(),
        ),
        more("go mate", format!("> {MATE_IN_ONE}\n> go mate infinite\n< checkmate G*5b")),
        more("go mate in time", format!("> {MATE_IN_ONE}\n> go mate 10000\n< checkmate G*5b")),
        more("no mate", format!("> {NO_MATE}\n> go mate 10000\n< checkmate nomate")),
        more("mate not found", "> position startpos\n> go mate 0\n< checkmate ".into()),
        more("bestmove resign", format!("> {MATED}\n> go depth 3\n< bestmove resign")),
        more("bestmove win", format!("> {DECLARABLE}\n> go depth 3\n... bestmove win")),
        more("mate score", format!("> {MATE_IN_ONE}\n> go depth 3\n< info depth 1 score mate 1 ")),
        more("usinewgame", "> usinewgame\n> isready\n< readyok".into()),
        more("gameover win", "> gameover win\n> isready\n< readyok".into()),
        more("gameover lose", "> go infinite\n> gameover lose\n> isready\n... readyok".into()),
        more("gameover draw", "> gameover draw\n> isready\n< readyok".into()),
        more("quit", "> go infinite\n< info depth 1 \n> quit".into()),
    ]
}

#[test]
fn every_form_is_understood() {
    for (form, script) in forms() {
        // After the answer nothing more is said.
        let ended = if script.contains("... bestmove") || script.ends_with("> quit") {
            format!("{script}\n> quit\n")
        } else {
            format!("{script}\n> stop\n> quit\n")
        };
        let mut talk = Transcript::open(engine());
        for line in ended.lines() {
            let (kind, text) = line.split_once(' ').expect("a kind and a text");
            let heard = match kind {
                ">" => {
                    talk.send(text);
                    continue;
                }
                "<" => talk.expect("").and_then(|said| {
                    if said[0].starts_with(text) { Ok(said) } else { Err(said.join("|")) }
                }),
                _ => talk.expect(text),
            };
            heard.unwrap_or_else(|said| panic!("{form}: \"{text}\" was expected: {said}"));
        }
        drop(talk.close());
    }
}

#[test]
fn the_moves_asked_for_are_the_only_ones_and_the_deepest_line_is_told() {
    let mut talk = Transcript::open(engine());
    talk.send("position startpos");
    talk.send("go depth 5 searchmoves 2g2f 1g1f");
    let said = talk.expect("bestmove ").expect("a move");
    let best = said.last().expect("it is there");
    assert!(["bestmove 2g2f", "bestmove 1g1f"].contains(&best.as_str()), "{best}");
    for line in &said[..said.len() - 1] {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |key: &str| -> u32 {
            let at = words.iter().position(|w| *w == key).expect("every line tells it");
            words[at + 1].parse().expect("a number")
        };
        assert!(number("seldepth") >= number("depth"), "{line}");
        assert!(number("nodes") > 0 && words.contains(&"nps") && words.contains(&"time"));
    }
}
