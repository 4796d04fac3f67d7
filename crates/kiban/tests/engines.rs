//! Engines over pipes, both ways, and matches between them.

mod common;

#[cfg(unix)]
use common::usi;
use common::{Ran, fed, file, kiban, matched, program};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn own(protocol: &str) -> String {
    format!("{protocol}:'{}' engine {protocol}", env!("CARGO_BIN_EXE_kiban"))
}

#[test]
fn an_engine_speaks_until_its_input_ends() {
    let ran = fed(&["engine", "usi"], b"usi\nisready\nposition startpos\ngo infinite\n");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("usiok\n"), "{}", ran.out);
    assert!(ran.out.lines().last().is_some_and(|l| l.starts_with("bestmove ")), "{}", ran.out);
    let ran = fed(&["engine", "nboard", "--game", "othello"], b"nboard 2\nping 5\nquit\n");
    assert!(ran.out.contains("set myname Kiban\npong 5\n"), "{}", ran.out);
}

#[test]
fn an_unknown_protocol_is_told_with_those_there_are() {
    let ran = kiban(&["engine", "uci"]);
    assert!(ran.sentence(1).starts_with("There is no protocol \"uci\"; choose one of usi"));
    let ran = kiban(&["engine", "usi", "--game", "othello"]);
    assert!(ran.sentence(1).contains("of Othello; choose one of nboard"));
    let ran = kiban(&["match", "nboard:x", "random", "--game", "shogi"]);
    assert!(ran.sentence(1).contains("Shogi has no protocol \"nboard\"; it has usi."));
}

#[test]
fn a_match_is_the_same_for_the_same_seed_however_many_games_are_played_at_a_time() {
    let one = ["level:2", "nodes:50", "--game", "othello", "--games", "6", "--seed", "11"];
    let two = [&one[..], &["--concurrency", "2"]].concat();
    let (one, two) = (matched(&one), matched(&two));
    assert_eq!(one["games"], two["games"]);
    assert_eq!(one["pentanomial"], two["pentanomial"]);
    let other =
        matched(&["level:2", "nodes:50", "--game", "othello", "--games", "6", "--seed", "12"]);
    assert_ne!(one["games"], other["games"]);
}

#[test]
fn every_game_can_be_matched_also_with_secrets_and_four_seats() {
    for game in kiban_games::GAMES {
        for variant in game.variants {
            let spec = format!("--variant={}", variant.id);
            let found = matched(&[
                "random",
                "random",
                "--game",
                game.id,
                &spec,
                "--games",
                "2",
                "--seed",
                "3",
                "--max-plies",
                "300",
            ]);
            let games = found["games"].as_array().expect("a list");
            assert_eq!(games.len(), 2, "{} {}", game.id, variant.id);
            assert_eq!(games[0]["opening"], games[1]["opening"], "{} {}", game.id, variant.id);
        }
    }
}

#[test]
fn openings_come_from_a_file_in_any_of_three_forms() {
    let lines = "# comment\n7g7f 3c3d\nstartpos moves 2g2f 8c8d\n\
                 sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n";
    let name = file("engines-openings.txt", lines.as_bytes());
    let arguments = ["random", "random", "--game", "shogi", "--games", "6", "--max-plies", "10"];
    let found = matched(&[&arguments[..], &["--seed", "1", "--openings", &name]].concat());
    let games = found["games"].as_array().expect("a list").iter();
    let openings: std::collections::BTreeSet<&str> =
        games.map(|g| g["opening"].as_str().expect("a position")).collect();
    assert_eq!(openings.len(), 3, "each is used once: {openings:?}");
    let wrong = file("engines-wrong-openings.txt", b"7g7f 3c3d\n7g7f 7f7e\n");
    let ran = kiban(&[&["match"], &arguments[..], &["--openings", &wrong]].concat());
    assert!(
        ran.sentence(1).starts_with("Opening 2: The move 7f7e cannot be played"),
        "{}",
        ran.err
    );
}

fn resumed(log: &str, games: &str) -> Ran {
    let arguments = ["match", "level:1", "random", "--game", "othello", "--seed", "7", "--json"];
    kiban(&[&arguments[..], &["--games", games, "--resume", log]].concat())
}

#[test]
fn a_match_goes_on_where_it_was_ended() {
    let log = file("engines-resumed.jsonl", b"");
    std::fs::remove_file(&log).expect("just made");
    let begun = resumed(&log, "4").json();
    let text = std::fs::read_to_string(&log).expect("it is there");
    assert_eq!(text.lines().count(), 5);
    // Ended in the middle of a line, as a killed program may leave it.
    std::fs::write(&log, &text[..text.len() - 30]).expect("it can be written");
    let whole = resumed(&log, "6").json();
    assert_eq!(whole["total"]["games"], 6);
    assert_eq!(
        whole["games"].as_array().expect("a list")[..4],
        begun["games"].as_array().expect("a list")[..]
    );
    let fresh = matched(&["level:1", "random", "--game", "othello", "--seed", "7", "--games", "6"]);
    assert_eq!(whole["games"], fresh["games"]);
    let text = std::fs::read_to_string(&log).expect("it is there");
    assert_eq!(text.lines().count(), 7);
    assert_eq!(resumed(&log, "6").json()["games"], fresh["games"]);
    assert_eq!(std::fs::read_to_string(&log).expect("it is there"), text, "nothing was played");
    let other = ["match", "level:2", "random", "--game", "othello", "--resume", &log];
    assert!(
        kiban(&other).sentence(1).contains("is of another match: its first player is \"level:1\"")
    );
    let junk = file("engines-junk.jsonl", b"junk\n");
    let other = ["match", "level:2", "random", "--game", "othello", "--resume", &junk];
    assert!(kiban(&other).sentence(1).contains("is no log of a match"));
    // Of two matches at a time with one file the second is refused.
    let held = std::fs::File::open(&log).expect("it is there");
    held.lock().expect("nobody else holds it");
    let again = ["match", "level:1", "random", "--game", "othello", "--resume", &log];
    assert!(kiban(&again).sentence(1).contains("is being written by another match"));
}

#[test]
fn the_file_of_an_older_version_is_read() {
    let log = file("engines-older.jsonl", b"");
    std::fs::remove_file(&log).expect("just made");
    let begun = resumed(&log, "2").json();
    let text = std::fs::read_to_string(&log).expect("it is there");
    let lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut row: Value = serde_json::from_str(&lines[1]).expect("a row");
    for new in ["start", "layouts", "moves"] {
        assert!(row.as_object_mut().expect("fields").remove(new).is_some(), "{new}");
    }
    std::fs::write(&log, format!("{}\n{row}\n{}\n", lines[0], lines[2])).expect("written");
    let found = resumed(&log, "3").json();
    assert_eq!(found["total"]["games"], 3);
    assert_eq!(found["games"][0]["moves"], Value::Null);
    assert_eq!(found["games"][1], begun["games"][1]);
}

#[test]
fn each_game_of_a_match_is_kept_and_written_as_a_record() {
    for game in kiban_games::GAMES {
        let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("engines-records-{}", game.id));
        let _ = std::fs::remove_dir_all(&folder);
        let folder = folder.display().to_string();
        let arguments = ["random", "level:1", "--game", game.id, "--games", "2", "--seed", "5"];
        let more = ["--records", &folder, "--max-plies", "60"];
        let ran = kiban(&[&["match"], &arguments[..], &more, &["--json"]].concat());
        let found = ran.json();
        let mut files: Vec<_> = std::fs::read_dir(&folder)
            .expect("it was made")
            .map(|file| file.expect("an entry").path().display().to_string())
            .collect();
        files.sort();
        assert_eq!(files.len(), 2, "{files:?}");
        for (file, row) in files.iter().zip(found["games"].as_array().expect("rows")) {
            let moves = row["moves"].as_array().expect("moves");
            assert_eq!(moves.len() as u64, row["plies"].as_u64().expect("a number"), "{}", game.id);
            let ran = kiban(&["judge", file, "--game", game.id, "--json"]);
            let judged = &ran.json()["records"][0];
            let same = ["plies", "outcome", "start"];
            // A game that was left undecided may be told as broken off.
            for field in same.iter().filter(|field| !row[**field].is_null()) {
                assert_eq!(judged[*field], row[*field], "{} {field}: {judged}", game.id);
            }
            assert_eq!(judged["error"], Value::Null, "{judged}");
            let text =
                String::from_utf8_lossy(&std::fs::read(file).expect("it is there")).to_string();
            assert!(text.contains("Kiban random"), "who played is kept: {text}");
        }
        let again = kiban(&[&["match"], &arguments[..], &more].concat());
        assert!(again.sentence(1).contains("is of another match"), "{}", again.err);
    }
}

#[cfg(unix)]
#[test]
fn a_match_that_is_killed_goes_on() {
    let log = file("engines-killed.jsonl", b"");
    std::fs::remove_file(&log).expect("just made");
    let arguments = ["match", "level:1", "random", "--game", "othello", "--seed", "9"];
    let more = ["--games", "200", "--concurrency", "2", "--resume", &log];
    let mut child = program()
        .args([&arguments[..], &more].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    let lines = || std::fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    while lines() < 4 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let kept = lines();
    assert!(kept >= 4);
    let games = (kept + 5).to_string();
    let found = matched(&[&arguments[1..], &["--games", &games, "--resume", &log]].concat());
    let fresh = matched(&[&arguments[1..], &["--games", &games]].concat());
    assert_eq!(found["total"]["games"].to_string(), games);
    assert_eq!(found["games"], fresh["games"]);
}

#[cfg(unix)]
#[test]
fn every_fault_of_a_program_is_judged_and_never_a_hang() {
    let cases = [
        ("illegal", "echo bestmove 9i9a", "illegal", "illegal-"),
        ("garbage", "echo bestmove hello", "illegal", "abandoned"),
        ("none", "echo bestmove", "illegal", "abandoned"),
        ("crash", "exit 3", "crash", "abandoned"),
        ("stall", "sleep 600", "stall", "timeout"),
        ("late", "sleep 1; echo bestmove 7g7f", "timeout", "timeout"),
        ("noisy", "yes info string", "stall", "timeout"),
    ];
    for (name, answer, kind, reason) in cases {
        let begun = Instant::now();
        let spec = usi(name, answer);
        let limits = ["--time", "0.1", "--margin", "0.3", "--patience", "3"];
        let found =
            matched(&[&["random", &spec, "--game", "shogi", "--games", "2"], &limits[..]].concat());
        assert_eq!(found["faults"]["b"][kind], 2, "{name}: {found}");
        assert_eq!(found["total"]["a_wins"], 2, "{name}: {found}");
        let fault = &found["games"][0]["fault"];
        assert_eq!((&fault["by"], &fault["kind"]), (&json!("b"), &json!(kind)), "{name}");
        assert!(fault["why"].as_str().is_some_and(|why| why.ends_with('.')), "{name}: {fault}");
        let by = found["games"][0]["outcome"]["reason"].as_str().expect("a reason");
        assert!(by.starts_with(reason), "{name}: {found}");
        let ends = found["by_reason"].as_object().expect("counts").values();
        assert_eq!(ends.filter_map(Value::as_u64).sum::<u64>(), 2, "{name}: {found}");
        assert_eq!(found["b"]["name"], format!("Fake {name}"));
        assert!(begun.elapsed() < Duration::from_secs(60), "{name} took {:?}", begun.elapsed());
    }
}

#[cfg(unix)]
#[test]
fn a_resignation_is_no_fault_and_a_program_that_never_begins_is_told() {
    let found = matched(&["random", &usi("resign", "echo bestmove resign"), "--game", "shogi"]);
    assert_eq!(
        found["faults"],
        json!({
            "a": {"crash": 0, "illegal": 0, "timeout": 0, "stall": 0},
            "b": {"crash": 0, "illegal": 0, "timeout": 0, "stall": 0},
        })
    );
    assert_eq!(found["games"][0]["outcome"]["reason"], "resign");
    let ran = kiban(&["match", "random", "usi:/nowhere/engine", "--game", "shogi"]);
    assert!(ran.sentence(1).contains("cannot be started"));
    let ran = kiban(&["match", "random", "usi:sh -c 'exit 4'", "--game", "shogi"]);
    assert!(ran.sentence(1).contains("ended by itself (exit status: 4)"));
}

#[test]
fn kiban_plays_kiban_over_usi_and_nboard() {
    let limits =
        ["--games", "2", "--nodes", "200", "--max-plies", "30", "--option-a", "USI_Hash=1"];
    let found = matched(&[&[&own("usi"), "random", "--game", "shogi"], &limits[..]].concat());
    assert_eq!(found["faults"]["a"], json!({"crash": 0, "illegal": 0, "timeout": 0, "stall": 0}));
    assert!(found["a"]["name"].as_str().expect("a name").starts_with("Kiban "));
    let limits = ["--games", "2", "--depth", "2", "--seed", "4"];
    let found = matched(&[&[&own("nboard"), "random", "--game", "othello"], &limits[..]].concat());
    assert_eq!(found["faults"]["a"], json!({"crash": 0, "illegal": 0, "timeout": 0, "stall": 0}));
    assert_eq!(found["total"]["a_wins"], 2, "{found}");
}

/// A GTP engine that knows one line of moves and repeats what it is told to.
#[cfg(unix)]
const GTP: &str = "while read line; do case \"$line\" in\n\
    name) echo '= Fake'; echo;;\n\
    set_game*) echo '? unknown command'; echo;;\n\
    'play black f5') echo; echo '='; echo;;\n\
    genmove*) echo '= F6'; echo;;\n\
    quit) echo '='; exit 0;;\n\
    *) echo '='; echo;;\n\
    esac; done\n";

#[cfg(unix)]
#[test]
fn a_gtp_program_can_be_played_against() {
    let name = file("engine-gtp.sh", GTP.as_bytes());
    let spec = format!("gtp:sh {name}");
    let arguments = ["play", "othello", "--opponent", &spec];
    let ran = fed(&arguments, b"f5\nc3\nquit\n");
    assert!(ran.out.starts_with("Othello: you are Black against Fake."), "{}", ran.out);
    assert!(ran.out.contains("White: f6"), "{}", ran.out);
    // Its second answer is the same move, which is not legal then.
    let ran = fed(&arguments, b"f5\ne6\nquit\n");
    assert!(ran.out.contains("Fake gave F6: "), "{}", ran.out);
    assert!(ran.out.contains("Black wins: "), "{}", ran.out);
    let small = kiban(&["match", &spec, "random", "--game", "othello", "--variant", "size=6"]);
    assert!(small.sentence(1).contains("GTP knows only the usual board"));
}

#[cfg(unix)]
#[test]
fn no_program_is_left_behind() {
    let marked = "sleep 613.25";
    let spec = usi("left", &format!("{marked} & {marked}"));
    matched(&["random", &spec, "--game", "shogi", "--time", "0.1", "--patience", "1"]);
    let running = || {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        lines.filter(|l| l == b"sleep\x00613.25\x00").count()
    };
    let begun = Instant::now();
    while running() > 0 && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(running(), 0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_what_there_is() {
    let mut child = program()
        .args(["match", "time:5", "time:5", "--game", "shogi", "--games", "100", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_millis(700));
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill is there").success());
    let mut out = String::new();
    let mut pipe = child.stdout.take().expect("piped");
    std::io::Read::read_to_string(&mut pipe, &mut out).expect("text");
    assert!(child.wait().expect("it ends").success());
    let document: Value = serde_json::from_str(&out).expect("a document");
    assert_eq!(document["total"]["games"], 0);
}

#[cfg(unix)]
#[test]
fn clocks_are_told_kept_and_judged() {
    let told = file("engines-clocks.txt", b"");
    let answer = format!("echo \"$line\" >> '{told}'; sleep 0.2; echo bestmove resign");
    let spec = usi("clocks", &answer);
    let game = ["--game", "shogi", "--games", "2", "--seed", "1"];
    let found = matched(&[&[&*spec, "random"], &game[..], &["--clock", "60+1"]].concat());
    assert_eq!(found["faults"]["a"]["timeout"], 0, "{found}");
    let found = matched(&[&[&*spec, "random"], &game[..], &["--byoyomi", "2"]].concat());
    assert_eq!(found["faults"]["a"]["timeout"], 0, "{found}");
    let lines = std::fs::read_to_string(&told).expect("it is written");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "go btime 60000 wtime 60000 binc 1000 winc 1000");
    assert_eq!(lines[2], "go btime 0 wtime 0 byoyomi 2000");
    let slow = usi("slow", "sleep 0.7; echo bestmove resign");
    let limits = ["--clock", "0.2", "--margin", "0.1"];
    let found = matched(&[&["random", &*slow], &game[..], &limits].concat());
    assert_eq!(found["faults"]["b"]["timeout"], 2, "{found}");
    assert_eq!(found["games"][0]["outcome"]["reason"], "timeout");
}

/// A program that plays its only legal kind of move, and tells what its clock showed.
#[cfg(unix)]
#[test]
fn what_a_move_took_is_taken_off_and_the_increment_added() {
    let told = file("engines-taken.txt", b"");
    let script = format!(
        "n=0; while read line; do case \"$line\" in\n\
         usi) echo id name Taken; echo usiok;;\nisready) echo readyok;;\n\
         go*) echo \"$line\" >> '{told}'; sleep 0.3; n=$((n+1)); if [ $n = 1 ]; \
         then echo bestmove 9g9f; else echo bestmove resign; fi;;\n\
         quit) exit 0;;\nesac; done\n"
    );
    let spec = format!("usi:sh {}", file("engine-taken.sh", script.as_bytes()));
    let start = ["--position", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"];
    let limits = ["--game", "shogi", "--games", "1", "--random-plies", "0", "--clock", "10+2"];
    matched(&[&[&*spec, "random"], &limits[..], &start].concat());
    let lines = std::fs::read_to_string(&told).expect("it is written");
    let left = |line: &str| line.split(' ').nth(2).and_then(|n| n.parse::<u32>().ok());
    let left: Vec<u32> = lines.lines().filter_map(left).collect();
    assert_eq!(left[0], 10_000, "{lines}");
    assert!((10_000..=11_700).contains(&left[1]), "{lines}");
}

#[test]
fn own_players_and_own_engines_keep_to_their_clocks() {
    let faultless = json!({"crash": 0, "illegal": 0, "timeout": 0, "stall": 0});
    let (nboard, gtp) = (own("nboard"), own("gtp"));
    for (a, clock) in [
        ("clock", &["--clock", "1.5+0.02"][..]),
        ("clock", &["--byoyomi", "0.05"]),
        ("level:3", &["--clock", "0+0.05"]),
        (&nboard, &["--clock", "3+0.05"]),
        (&gtp, &["--clock", "5"]),
    ] {
        let game = ["random", "--game", "othello", "--games", "2", "--seed", "4"];
        let found = matched(&[&[a], &game[..], clock].concat());
        assert_eq!(found["faults"]["a"], faultless, "{a} {clock:?}: {found}");
        assert_eq!(found["total"]["a_wins"], 2, "{a} {clock:?}: {found}");
    }
    let ran = kiban(&["match", "clock", "random", "--game", "othello"]);
    assert!(ran.sentence(2).contains("needs one; add --clock"), "{}", ran.err);
    let ran = kiban(&["match", "random", "random", "--game", "othello", "--clock", "1+x"]);
    assert_eq!(ran.status, 2);
}

#[cfg(unix)]
#[test]
fn a_program_that_is_never_ready_is_named_and_not_waited_for_longer_than_asked() {
    let begun = Instant::now();
    let arguments = ["match", "random", "usi:sleep 611", "--game", "shogi", "--patience", "0.5"];
    let ran = kiban(&arguments);
    let sentence = ran.sentence(1);
    assert!(sentence.contains("\"sleep 611\" was not ready within 0.5 s"), "{sentence}");
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[cfg(unix)]
#[test]
fn what_is_said_of_a_program_that_is_not_served_is_refused() {
    let serve = |more: &[&str]| kiban(&[&["serve", "--engine", "A=usi:sh"], more].concat());
    let ran = serve(&["--engine-option", "B:Hash=1"]);
    assert!(ran.sentence(2).contains("--engine-option: \"B:Hash=1\" does not begin with"));
    let ran = serve(&["--engine-option", "A:Hash"]);
    assert!(ran.sentence(2).contains("write NAME:OPTION=VALUE"), "{}", ran.err);
    let ran = serve(&["--engine-time", "A=61"]);
    assert!(ran.sentence(2).contains("from 0.01 to 60"), "{}", ran.err);
    let ran = serve(&["--engine", "A=usi:sh -c x"]);
    assert!(ran.sentence(2).contains("two programs are named \"A\""), "{}", ran.err);
    assert_eq!(kiban(&["serve", "--engine-time", "A=1"]).status, 2);
}
