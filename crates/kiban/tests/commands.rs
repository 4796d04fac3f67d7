//! What commands do beyond their documents: files, text, and a game at the terminal.

mod common;

use common::{fed, file, kiban};

fn play(arguments: &[&str], lines: &str) -> String {
    let ran = fed(&[&["play"], arguments].concat(), lines.as_bytes());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

#[test]
fn help_of_every_command_has_an_example() {
    let help = kiban(&["--help"]);
    let mut commands = Vec::new();
    let listed = help.out.lines().skip_while(|l| *l != "Commands:").skip(1);
    for line in listed.take_while(|l| !l.is_empty()) {
        commands.extend(line.split_whitespace().next());
    }
    assert!(commands.len() >= 11, "{commands:?}");
    for command in commands {
        let help = kiban(&[command, "--help"]);
        assert_eq!(help.status, 0);
        assert!(help.out.contains(&format!("Examples:\n  kiban {command}")), "{}", help.out);
    }
}

#[test]
fn play_takes_moves_numbers_and_commands() {
    let lines = "help\nmoves\n4\nundo\nf5\nboard\nhint\nquit\n";
    let out = play(&["othello", "--opponent", "random", "--seed", "7"], lines);
    assert!(out.contains("save FILE"));
    assert!(out.contains("1 c4"));
    assert_eq!(out.matches("Black: f5").count(), 2, "{out}");
    assert!(out.ends_with("The game stays unfinished. Goodbye.\n"));
}

#[test]
fn play_does_not_echo_what_would_command_a_terminal() {
    let out = play(&["morris", "--opponent", "random"], "\u{1b}[2J\u{7}xx\nquit\n");
    assert!(out.contains("is not a move"), "{out}");
    assert!(!out.contains(['\u{1b}', '\u{7}']), "{out:?}");
}

#[test]
fn play_refuses_what_the_rules_do_not_allow() {
    let out = play(&["shogi", "--side", "both"], "9g9c\n7g7f\n7f7e\nzz\n");
    assert_eq!(out.matches("Not allowed: ").count(), 2, "{out}");
    assert!(out.contains("Type \"moves\" for a list"));
}

#[test]
fn play_in_official_conduct_ends_with_a_foul() {
    let out = play(&["shogi", "--side", "both", "--conduct", "official"], "9g9c\nmoves\n");
    assert!(out.contains("9g9c is a foul by Sente"), "{out}");
    assert!(out.contains("Gote wins"), "{out}");
    assert!(out.contains("The game is over."));
}

#[test]
fn play_ends_politely_with_its_input() {
    let out = play(&["othello", "--side", "second", "--level", "1"], "");
    assert!(out.ends_with("The game stays unfinished. Goodbye.\n"), "{out}");
}

#[test]
fn play_resigns_and_takes_it_back() {
    let out = play(&["othello", "--side", "both"], "f5\nresign\nundo\nd6\n");
    assert!(out.contains("Black wins: resignation."), "{out}");
    assert!(out.contains("White: d6"), "{out}");
}

#[test]
fn play_agrees_to_a_draw_between_people() {
    let out = play(&["othello", "--side", "both"], "draw\n");
    assert!(out.contains("A draw: "), "{out}");
}

#[test]
fn play_saves_a_record_that_can_be_judged() {
    let name = file("played.txt", b"");
    let out = play(&["othello", "--side", "both"], &format!("f5\nd6\nsave {name}\nsave x.doc\n"));
    assert!(out.contains(&format!("Saved to {name} as transcript.")), "{out}");
    assert!(out.contains("one of these extensions"));
    let judged = kiban(&["judge", "--game", "othello", &name, "--json"]).json();
    assert_eq!(judged["records"][0]["plies"], 2);
}

#[test]
fn a_random_player_plays_a_whole_game_the_same_way_for_the_same_seed() {
    // Both sides move at random: the person by always taking the first move of the list.
    let lines = "1\n".repeat(40);
    let arguments = ["othello", "--variant", "size=4", "--opponent", "random", "--seed", "5"];
    let out = play(&arguments, &lines);
    assert!(out.contains(" wins: ") || out.contains("A draw: "), "{out}");
    assert_eq!(out, play(&arguments, &lines));
}

#[test]
fn render_draws_svg_and_png() {
    let svg = kiban(&["render", "shogi", "-o", "-", "--size", "300"]);
    assert_eq!(svg.status, 0);
    assert!(svg.out.starts_with("<svg ") && svg.out.contains("width=\"300\""));
    assert!(!svg.out.contains("var(--"), "a file knows no page's colours");
    let name = file("board.png", b"");
    let ran = kiban(&["render", "othello", "-o", &name, "--size", "240", "--flip"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let png = std::fs::read(&name).expect("it was drawn");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    // Width is the first number of the first chunk.
    assert_eq!(png[16..20], 240u32.to_be_bytes());
    // A drawn board is not one colour: it packs much worse than a blank picture.
    assert!(png.len() > 2000);
}

#[test]
fn solve_does_not_go_on_in_a_file_of_other_rules() {
    let game = kiban_games::find("shogi3").expect("it is listed");
    let atlas = game.atlas.expect("it has one");
    let variant = game.variant("").expect("the default");
    let setup = &(atlas.setups)(&variant)[0];
    let begun = format!("variant,{}\n\"shogi3\",{setup},win,1,,,,,\n", atlas.header);
    for (content, variant) in [(begun.as_str(), "stalemate=draw"), ("something else\n", "")] {
        let name = file("atlas.csv", content.as_bytes());
        let variant = format!("shogi3{}{variant}", if variant.is_empty() { "" } else { "," });
        let ran = kiban(&["solve", "shogi3", "--atlas", "-o", &name, "--variant", &variant]);
        assert!(ran.sentence(1).contains("under other rules"), "{}", ran.err);
        assert_eq!(std::fs::read_to_string(&name).expect("it is there"), content);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_plain_file_is_neither_completed_nor_resumed() {
    let solve = ["solve", "shogi3", "--atlas", "-o", "/dev/full"];
    let match_ = ["match", "random", "random", "--game", "othello", "--games", "2", "--resume"];
    for arguments in [&solve[..], &[&match_[..], &["/dev/full"]].concat()] {
        assert!(kiban(arguments).sentence(1).contains("no plain file"), "{arguments:?}");
    }
}

#[test]
fn judge_names_four_seats_by_where_they_sit_and_their_teams_as_two() {
    let record = "[Game \"luzhanqi\"]\n[Variant \"four-open\"]\n\
        [LayoutFirst \"cehiakbcdikegfgjjdifhhglj\"]\n[LayoutSecond \"cehiakbcdikegfgjjdifhhglj\"]\n\
        [LayoutThird \"cehiakbcdikegfgjjdifhhglj\"]\n[LayoutFourth \"cehiakbcdikegfgjjdifhhglj\"]\n\n\
        1. first-resign third-resign *\n";
    let ran = fed(&["judge", "-"], record.as_bytes());
    assert!(ran.out.starts_with("East and West win"), "{} {}", ran.out, ran.err);
}

#[test]
fn convert_writes_over_its_own_input() {
    let name = file("itself.txt", b"F5 D6\nC3");
    let ran = kiban(&["convert", &name, "--game", "othello", "--to", "transcript", "-o", &name]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&name).expect("it was written");
    assert_eq!(text.trim_end(), "f5d6c3");
}

#[test]
fn a_failed_convert_leaves_the_file_as_it_was() {
    let name = file("kept.txt", b"f5d6c3");
    let ran = kiban(&["convert", &name, "--game", "othello", "--to", "obf", "-o", &name]);
    assert_eq!(ran.status, 1);
    assert_eq!(std::fs::read(&name).expect("it is there"), b"f5d6c3");
}

#[test]
fn a_record_gives_the_position_after_any_ply() {
    let name = file("plies.txt", b"f5d6c3d3");
    let at = |ply: &str| {
        let ran = kiban(&["moves", "othello", "--record", &name, "--ply", ply, "--json"]);
        ran.json()["position"].clone()
    };
    let moved = |moves: &str| {
        kiban(&["moves", "othello", "--moves", moves, "--json"]).json()["position"].clone()
    };
    assert_eq!(at("0"), moved(""));
    assert_eq!(at("2"), moved("f5 d6"));
    assert_eq!(at("4"), moved("f5 d6 c3 d3"));
}

#[test]
fn a_pass_may_be_said_or_left_out() {
    let start = "OXXXXXX-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXX- X";
    let at = |moves: &str| {
        let ran = kiban(&["show", "othello", "--position", start, "--moves", moves, "--json"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.json()
    };
    assert_eq!(at("pass h8")["view"], at("h8")["view"]);
}

#[test]
fn judge_says_a_calm_sentence() {
    let over = fed(&["judge", "-", "--game", "othello"], b"e6f4e3f6g5d6e7f5c5");
    assert_eq!(over.out, "Black wins: more discs (9 plies). Score 64:0.\n");
    let foul = fed(&["judge", "-", "--game", "othello"], b"f5a1");
    assert!(foul.out.starts_with("Ply 2: a1 is a foul by White: "), "{}", foul.out);
    let open = fed(&["judge", "-", "--game", "othello"], b"f5d6");
    assert!(open.out.starts_with("No result after 2 plies."), "{}", open.out);
}

/// Sente drops a pawn on a file with an own pawn.
const NIFU: &str = "V2.2\nN+Aya\nPI\n+\n+7776FU\n-3334FU\n+7675FU\n-4344FU\n+7574FU\n-4445FU\n\
                    +7473TO\n-8173KE\n+0096FU\n";

#[test]
fn judge_names_the_ply_the_rule_and_the_winner_of_a_foul() {
    let ran = fed(&["judge", "-", "--json"], NIFU.as_bytes());
    let judged = ran.json();
    let record = &judged["records"][0];
    assert_eq!(record["format"], "csa");
    assert_eq!(record["plies"], 8);
    let foul = &record["foul"];
    assert_eq!((&foul["ply"], &foul["seat"]), (&9.into(), &"first".into()));
    assert_eq!((&foul["move"], &foul["reason"]), (&"P*9f".into(), &"illegal-nifu".into()));
    assert_eq!(record["outcome"]["winners"][0], "second");
    assert_eq!(judged["summary"]["by_reason"]["illegal-nifu"], 1);
}

#[test]
fn convert_leaves_names_out_when_asked() {
    let game = "先手：甲\n後手：乙\n手合割：平手\n   1 ７六歩(77)\n";
    let arguments = ["convert", "-", "--game", "shogi", "--format", "kif", "--to", "kif"];
    let named = fed(&arguments, game.as_bytes());
    assert!(named.out.contains('甲') && named.out.contains('乙'), "{}", named.out);
    let plain = fed(&[&arguments[..], &["--no-names"]].concat(), game.as_bytes());
    assert!(!plain.out.contains('甲') && !plain.out.contains('乙'), "{}", plain.out);
    assert!(plain.out.contains("７六歩"), "{}", plain.out);
}

#[test]
fn convert_goes_there_and_back() {
    let game = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e resign\n";
    let kif = fed(&["convert", "-", "--to", "kif"], game.as_bytes());
    assert_eq!((kif.status, kif.err.as_str()), (0, ""));
    let csa = fed(&["convert", "-", "--to", "csa"], kif.out.as_bytes());
    assert_eq!((csa.status, csa.err.as_str()), (0, ""));
    let back = fed(&["convert", "-", "--to", "usi"], csa.out.as_bytes());
    assert_eq!(back.out.lines().last(), Some(game.trim_end()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_the_analysis_and_prints_its_answer() {
    let mut child = common::program()
        .args(["analyze", "shogi", "--time", "600", "--json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill is there").success());
    let mut out = String::new();
    let mut pipe = child.stdout.take().expect("piped");
    std::io::Read::read_to_string(&mut pipe, &mut out).expect("text");
    assert!(child.wait().expect("it ends").success());
    let document: serde_json::Value = serde_json::from_str(&out).expect("a document");
    assert!(document["best"].is_string());
    assert!(document["seconds"].as_f64().expect("a number") < 60.0);
}

#[cfg(unix)]
#[test]
fn doctor_says_whether_the_data_folder_can_be_written() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let told = |folder: &str| {
        let mut program = common::program();
        let ran = program.args(["doctor", "--json"]).env("KIBAN_DATA", folder).output();
        let out = ran.expect("the program runs").stdout;
        serde_json::from_slice::<serde_json::Value>(&out).expect("a document")["data"].clone()
    };
    assert_eq!(told(folder)["writable"], true);
    assert_eq!(told(&format!("{folder}/not/yet"))["exists"], false);
    assert_eq!(told("/proc/nothing")["writable"], false);
}
