//! Other programs that play and analyse: a good one and bad ones.

use super::client::{Browser, Server, id_of};
use crate::engines::{Check, EngineOption, MOST_ENGINES};
use kiban_store::SqliteStore;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A program that speaks just enough of USI and answers `go` with this shell command. It notes its
/// process in a file beside it.
fn usi(folder: &Path, name: &str, answer: &str) -> EngineOption {
    let path = folder.join(format!("{name}.sh"));
    let pids = folder.join(format!("{name}.pids"));
    let script = format!(
        "echo $$ >> '{}'\nwhile read line; do case \"$line\" in\n\
         usi) echo id name Fake; echo option name MultiPV type spin; echo usiok;;\n\
         isready) echo readyok;;\n\
         go*) {answer};;\n\
         quit) exit 0;;\n\
         esac; done\n",
        pids.display()
    );
    std::fs::write(&path, script).unwrap();
    let text = format!("{name}=usi:sh '{}'", path.display());
    EngineOption::read(&text, kiban_games::GAMES).unwrap()
}

fn server(engines: Vec<EngineOption>) -> Server {
    let server = Server::with(kiban_games::GAMES, Arc::new(SqliteStore::in_memory()), engines);
    server.app.engine_patience_ms.store(300, Ordering::Relaxed);
    server
}

async fn against(server: &Server, name: &str, more: Value) -> (Browser, String) {
    let mut person = server.browser();
    let mut wish = json!({
        "game": "shogi", "mode": "computer",
        "players": [{ "kind": "person" }, { "kind": "engine", "name": name }],
    });
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = person.create(wish).await;
    (person, id_of(&made))
}

/// Waits until all processes this program was started as are gone.
async fn gone(server: &Server, folder: &Path, name: &str) {
    let pids = std::fs::read_to_string(folder.join(format!("{name}.pids"))).unwrap();
    let runs = |pid: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    let began = Instant::now();
    while pids.lines().any(runs) || server.app.engine_places.available_permits() < MOST_ENGINES {
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert!(began.elapsed() < Duration::from_secs(10), "{name} still runs");
    }
}

#[tokio::test]
async fn a_program_plays_by_name_and_ends_with_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![usi(folder.path(), "Good", "echo bestmove 3c3d")]);
    let (mut person, id) = against(&server, "Good", json!({})).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "7g7f").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert_eq!(view["seen"][1]["text"], "3c3d");
    let player = &view["players"][1];
    let shown = (&player["kind"], &player["level"], &player["engine"]);
    assert_eq!(shown, (&json!("computer"), &Value::Null, &json!("Good")));
    assert_eq!(view["engine_failed"], Value::Null);
    assert_eq!(server.app.engine_places.available_permits(), MOST_ENGINES - 1);
    person.act(&id, json!({ "id": "r", "call": "resign" })).await.is(200);
    gone(&server, folder.path(), "Good").await;
}

#[tokio::test]
async fn a_bad_program_resigns_and_everybody_is_told_why() {
    for (name, answer, told) in [
        ("Crash", "exit 3", "ended by itself"),
        ("Foul", "echo bestmove 8b8h", "answered 8b8h, which the rules forbid"),
        ("Nonsense", "echo bestmove zz", "answered zz, which the rules forbid"),
        ("Mute", "echo bestmove", "without a move"),
        ("Stall", "sleep 600", "in time"),
        ("Chatter", "while :; do echo info string x; done", "in time"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = server(vec![usi(folder.path(), name, answer)]);
        let (mut person, id) = against(&server, name, json!({})).await;
        let mut stream = person.follow(&id, "").await;
        person.plays(&id, 0, "7g7f").await;
        let view = stream.until(|v| v["stage"] == "over").await;
        let sentence = view["engine_failed"].as_str().unwrap();
        assert!(sentence.starts_with(name) && sentence.contains(told), "{sentence}");
        assert!(sentence.ends_with("; it resigns."), "{sentence}");
        let analyze = json!({ "analyze": { "time_ms": 5, "engine": name } });
        let told_there = person.lines("/api/analysis/shogi/lines", analyze).await;
        let error = &told_there.last().unwrap()["error"];
        let there = error["message"].as_str().unwrap();
        let expected = if name == "Foul" { "answered 8b8h" } else { told };
        assert!(there.starts_with(name) && there.contains(expected), "{there}");
        let outcome = (&view["outcome"]["winners"], &view["outcome"]["reason"]);
        assert_eq!(outcome, (&json!(["first"]), &json!("resign")));
        gone(&server, folder.path(), name).await;
    }
}

/// What is said of a program that never gets ready, in a game and in analysis.
#[tokio::test]
async fn a_program_that_is_silent_from_the_start_is_waited_for_once() {
    let silent = |name: &str, command: &str| {
        EngineOption::read(&format!("{name}=usi:{command}"), kiban_games::GAMES).unwrap()
    };
    let server = server(vec![silent("Silent", "sleep 600"), silent("None", "/nowhere/engine")]);
    server.app.engine_starting_ms.store(400, Ordering::Relaxed);
    for (name, told) in [("Silent", "did not get ready"), ("None", "cannot be started")] {
        let (mut person, id) = against(&server, name, json!({})).await;
        let mut stream = person.follow(&id, "").await;
        let begun = Instant::now();
        person.plays(&id, 0, "7g7f").await;
        let view = stream.until(|v| v["stage"] == "over").await;
        let sentence = view["engine_failed"].as_str().unwrap();
        assert!(sentence.starts_with(&format!("{name} {told}")), "{sentence}");
        assert!(begun.elapsed() < Duration::from_secs(5), "it is started once");
        let asked = json!({ "analyze": { "time_ms": 5, "engine": name } });
        let lines = person.lines("/api/analysis/shogi/lines", asked).await;
        let error = &lines.last().unwrap()["error"];
        assert!(error["message"].as_str().unwrap().starts_with(&format!("{name} {told}")));
        assert!(server.logged(&format!("\"{name}\": The engine \"")));
    }
}

#[tokio::test]
async fn a_program_of_another_protocol_is_told_of_when_the_server_starts() {
    let folder = tempfile::tempdir().unwrap();
    let ended = EngineOption::read("Ended=usi:sh -c 'exit 3'", kiban_games::GAMES).unwrap();
    let engines = vec![usi(folder.path(), "Good", "echo bestmove 3c3d"), ended];
    let server = server(engines);
    let check = Check::begin(&server.app);
    let begun = Instant::now();
    while !server.logged("\"Ended\": ") && begun.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(server.logged("Nobody will be able to play \"Ended\": The engine \"sh -c"));
    assert!(!server.logged("Good"));
    drop(check);
    gone(&server, folder.path(), "Good").await;
    // It is over as soon as the server is, whatever a program does.
    let slow = EngineOption::read("Slow=usi:sleep 600", kiban_games::GAMES).unwrap();
    let server = self::server(vec![slow]);
    let begun = Instant::now();
    drop(Check::begin(&server.app));
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(!server.logged("Slow"));
}

/// A program that thinks until it is told to stop, and tells what it was asked.
#[tokio::test]
async fn a_program_gets_the_time_and_the_options_of_the_operator() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    let path = folder.path().join("Own.sh");
    let script = format!(
        "while read line; do echo \"$line\" >> '{}'; case \"$line\" in\n\
         usi) echo usiok;;\nisready) echo readyok;;\nstop) echo bestmove 3c3d;;\n\
         quit) exit 0;;\nesac; done\n",
        told.display()
    );
    std::fs::write(&path, script).unwrap();
    let text = format!("Own: b=usi:sh '{}'", path.display());
    let mut engines = vec![EngineOption::read(&text, kiban_games::GAMES).unwrap()];
    for option in ["Own: b:USI_Hash=64", " Own: b : Book File = a=b "] {
        EngineOption::set_option(&mut engines, option).unwrap();
    }
    EngineOption::set_time(&mut engines, "Own: b=0.25").unwrap();
    let server = server(engines);
    let (mut person, id) = against(&server, "Own: b", json!({})).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "7g7f").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert_eq!(view["engine_failed"], Value::Null, "it answers when it is hurried");
    let told = std::fs::read_to_string(told).unwrap();
    for line in [
        "setoption name USI_Hash value 64",
        "setoption name Book File value a=b",
        "go btime 0 wtime 0 byoyomi 250",
        "stop",
    ] {
        assert!(told.lines().any(|l| l == line), "{line}: {told}");
    }
}

#[tokio::test]
async fn a_program_that_breaks_down_once_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("flag");
    let answer = format!(
        "if [ -e '{0}' ]; then echo bestmove 3c3d; else touch '{0}'; exit 1; fi",
        flag.display()
    );
    let server = server(vec![usi(folder.path(), "Once", &answer)]);
    let (mut person, id) = against(&server, "Once", json!({})).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "7g7f").await;
    let view = stream.until(|v| v["ply"] == 2).await;
    assert_eq!((&view["seen"][1]["text"], &view["engine_failed"]), (&json!("3c3d"), &Value::Null));
    assert!(server.logged("ended by itself"));
}

#[tokio::test]
async fn in_an_official_game_the_referee_judges_its_foul() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![usi(folder.path(), "Foul", "echo bestmove 8b8h")]);
    let (mut person, id) = against(&server, "Foul", json!({ "conduct": "official" })).await;
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "7g7f").await;
    let view = stream.until(|v| v["stage"] == "over").await;
    assert_eq!(view["foul"]["reason"], "illegal-piece-move", "{view}");
}

#[tokio::test]
async fn a_move_taken_back_ends_the_thought() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![usi(folder.path(), "Slow", "sleep 600")]);
    server.app.engine_patience_ms.store(600_000, Ordering::Relaxed);
    let (mut person, id) = against(&server, "Slow", json!({})).await;
    let view = person.plays(&id, 0, "7g7f").await;
    assert_eq!(view["thinking"], true);
    let began = Instant::now();
    while !folder.path().join("Slow.pids").exists() && began.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let back = json!({ "id": "back", "ply": 1, "offer": "take-back" });
    let view = person.act(&id, back).await.is(200).json()["view"].take();
    assert_eq!((&view["ply"], &view["thinking"]), (&json!(0), &json!(false)));
    gone(&server, folder.path(), "Slow").await;
}

#[tokio::test]
async fn who_is_not_set_up_cannot_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![usi(folder.path(), "Good", "echo bestmove 3c3d")]);
    let mut browser = server.browser();
    for (game, name) in [("shogi", "usi:/bin/sh"), ("shogi", "good"), ("othello", "Good")] {
        let players = json!([{ "kind": "person" }, { "kind": "engine", "name": name }]);
        let wish = json!({ "game": game, "mode": "computer", "players": players });
        browser.post("/api/games", wish).await.fails(400, "no-such-engine");
    }
    let page = browser.get("/shogi").await.is(200).text();
    assert!(page.contains("<option value=\"Good\">Good</option>"), "it can be chosen");
    assert!(!browser.get("/othello").await.is(200).text().contains("name=\"engine\""));
    let form = "opponent=computer&side=first&engine=Good&clock=none&conduct=guided";
    let made = browser.form("/shogi", form).await.is(303);
    let id = made.header("location").rsplit('/').next().unwrap().to_string();
    assert_eq!(browser.view(&id).await["players"][1]["engine"], "Good");
}

#[tokio::test]
async fn a_program_that_is_not_there_any_more_resigns() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::in_memory());
    let engine = usi(folder.path(), "Gone", "echo bestmove 3c3d");
    let first = Server::with(kiban_games::GAMES, store.clone(), vec![engine]);
    let (person, id) = against(&first, "Gone", json!({})).await;
    drop(first);
    let second = Server::with(kiban_games::GAMES, store, Vec::new());
    let mut person = second.same(&person);
    let mut stream = person.follow(&id, "").await;
    person.plays(&id, 0, "7g7f").await;
    let view = stream.until(|v| v["stage"] == "over").await;
    assert!(view["engine_failed"].as_str().unwrap().contains("not set up"), "{view}");
}

#[tokio::test]
async fn a_program_analyses_by_name_and_ends_with_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let info = "echo info depth 4 multipv 1 score cp 120 nodes 77 pv 7g7f 3c3d; \
                echo info depth 4 multipv 2 score mate 5 pv 2g2f; echo bestmove 7g7f";
    let engines = vec![
        usi(folder.path(), "Good", info),
        usi(folder.path(), "Stall", "sleep 600"),
        usi(folder.path(), "Crash", "exit 3"),
        usi(folder.path(), "Meek", "echo info depth 1 score cp -900 pv 1g1f; echo bestmove resign"),
    ];
    let server = server(engines);
    let mut browser = server.browser();
    let path = "/api/analysis/shogi/lines";
    let asked =
        |engine: &str| json!({ "analyze": { "time_ms": 60_000, "lines": 2, "engine": engine } });
    let told = browser.lines(path, asked("Good")).await;
    let end = told.iter().rfind(|line| line["final"] == true).unwrap();
    assert_eq!((&end["best"], &end["nodes"]), (&json!("7g7f"), &json!(77)));
    assert_eq!(end["lines"][1]["score"], json!({"kind":"exact","value":"win","distance":5}));
    assert_eq!(end["lines"][0]["names"][1]["text"], "3c3d");
    let told = browser.lines(path, asked("Crash")).await;
    let error = &told.last().unwrap()["error"];
    assert_eq!(error["code"], "engine-failed");
    let sentence = "Crash ended by itself; try again, or choose another engine.";
    assert_eq!(error["message"], sentence);
    let unread = browser.unread(path, asked("Stall")).await;
    let began = Instant::now();
    while !folder.path().join("Stall.pids").exists() && began.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(unread);
    for name in ["Good", "Stall", "Crash"] {
        gone(&server, folder.path(), name).await;
    }
    let moves =
        |name| json!({ "moves": ["7g7f", "3c3d"], "analyze": { "time_ms": 5, "engine": name } });
    let told = browser.lines("/api/analysis/shogi/review", moves("Meek")).await;
    assert_eq!(told.iter().filter(|line| line["moments"].is_array()).count(), 3);
    let told = browser.lines("/api/analysis/shogi/review", moves("Good")).await;
    let sentence = told.last().unwrap()["error"]["message"].as_str().unwrap();
    assert!(sentence.starts_with("Good answered 7g7f, which the rules forbid;"), "{sentence}");
    gone(&server, folder.path(), "Good").await;
}

#[tokio::test]
async fn only_so_many_programs_run_and_the_next_waits() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![usi(folder.path(), "Good", "echo bestmove 7g7f")]);
    let places = Arc::clone(&server.app.engine_places);
    let all = places.acquire_many_owned(MOST_ENGINES as u32).await.unwrap();
    let asked = json!({ "analyze": { "time_ms": 5, "engine": "Good" } });
    let mut browser = server.browser();
    browser.post("/api/analysis/shogi/lines", asked).await.fails(503, "busy");
    let players = json!([{ "kind": "engine", "name": "Good" }, { "kind": "person" }]);
    let (person, id) = against(&server, "Good", json!({ "players": players })).await;
    let mut stream = person.follow(&id, "").await;
    let view = stream.view().await;
    assert_eq!((&view["thinking"], &view["ply"]), (&json!(true), &json!(0)));
    drop(all);
    stream.until(|v| v["ply"] == 1).await;
}

#[test]
fn what_an_operator_writes_is_read_or_refused() {
    let read = |text: &str| EngineOption::read(text, kiban_games::GAMES);
    let engine = read("A b = usi: /opt/x/y --flag 'a b'").unwrap();
    assert_eq!((&*engine.name, &*engine.protocol), ("A b", "usi"));
    assert_eq!(engine.command, "/opt/x/y --flag 'a b'");
    let long = format!("{}=usi:x", "n".repeat(41));
    let unseen = ["a\nb=usi:x", "a\u{202e}b=usi:x", "a\u{200b}=usi:x", "a\u{1b}[1m=usi:x"];
    let wrong = ["", "usi:x", "=usi:x", "a=x", "a=uci:x", "a=usi:", "a=usi: ", &long];
    for wrong in wrong.into_iter().chain(unseen) {
        let sentence = read(wrong).unwrap_err();
        assert!(sentence.contains("NAME=PROTOCOL:COMMAND"), "{wrong}: {sentence}");
        assert!(sentence.contains("usi"), "{sentence}");
    }
}

#[test]
fn options_and_times_are_of_a_program_that_is_named() {
    let read = |text: &str| EngineOption::read(text, kiban_games::GAMES).unwrap();
    let mut engines = vec![read("A=usi:x"), read("A:b=usi:y")];
    EngineOption::set_option(&mut engines, "A:b:Hash=1").unwrap();
    EngineOption::set_option(&mut engines, "A:Threads=").unwrap();
    EngineOption::set_time(&mut engines, "A=60").unwrap();
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(engines[1].options, [pair("Hash", "1")], "the longest name is meant");
    assert_eq!(engines[0].options, [pair("Threads", "")]);
    assert_eq!([0, 1].map(|i| engines[i].time.as_secs()), [60, 1]);
    for wrong in ["", "B:x=1", "A=x", "A:x", "A:=1", "A:x=1\n"] {
        let sentence = EngineOption::set_option(&mut engines, wrong).unwrap_err();
        assert!(sentence.contains("NAME:OPTION=VALUE") || sentence.contains("(A, A:b)"), "{wrong}");
    }
    for wrong in ["", "B=1", "A:1", "A=", "A=0", "A=0.001", "A=61", "A=x", "A=NaN", "A=-1"] {
        let sentence = EngineOption::set_time(&mut engines, wrong).unwrap_err();
        assert!(sentence.contains("NAME=SECONDS") || sentence.contains("(A, A:b)"), "{wrong}");
    }
}
