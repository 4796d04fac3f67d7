//! Real output of every command against docs/cli.schema.json.

mod common;

use common::{Ran, fed, file, kiban};
use jsonschema::Validator;
use serde_json::{Value, json};

/// A finished game: nothing is left of White after nine plies.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";
/// Black's eleventh move turns no disc.
const FOUL: &str = "f5d6c3d3c4f4f6f3e6e7a1";
const PASS: &str = "OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXX- X";

/// The validator of one definition of the schema.
fn validator(name: &str) -> Validator {
    let mut schema: Value = serde_json::from_str(include_str!("../../../docs/cli.schema.json"))
        .expect("the schema is JSON");
    if !name.is_empty() {
        let schema = schema.as_object_mut().expect("an object");
        schema.remove("oneOf");
        schema.insert("$ref".to_string(), json!(format!("#/$defs/{name}")));
    }
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

fn assert_valid(validator: &Validator, document: &Value) {
    let faults: Vec<String> =
        validator.iter_errors(document).map(|e| format!("{e} at {}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{document}");
}

/// The document of a run, which its command's definition and the whole schema accept, and which
/// neither accepts without any one of its keys that CLI.md lists.
fn document(ran: &Ran, command: &str, keys: &[&str]) -> Value {
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let document = ran.json();
    let one = validator(command);
    assert_valid(&one, &document);
    assert_valid(&validator(""), &document);
    for key in ["schema", "command", "game", "variant"].iter().chain(keys) {
        let mut without = document.clone();
        let gone = without.as_object_mut().expect("an object").remove(*key);
        assert!(gone.is_some(), "{command} has {key}");
        assert!(!one.is_valid(&without), "{command} needs {key}");
    }
    document
}

#[test]
fn games() {
    let games = document(&kiban(&["games", "--json"]), "games", &["games"]);
    assert!(games["games"].as_array().expect("a list").len() >= 2);
}

const MOVES: [&str; 8] =
    ["position", "to_move", "moves", "banned", "forced", "in_check", "calls", "outcome"];

#[test]
fn moves() {
    let start = document(&kiban(&["moves", "othello", "--json"]), "moves", &MOVES);
    assert_eq!(start["moves"], json!(["c4", "d3", "e6", "f5"]));
    assert_eq!(start["to_move"], "first");
    let shogi = document(&kiban(&["moves", "shogi", "--json"]), "moves", &MOVES);
    assert_eq!(shogi["moves"].as_array().expect("a list").len(), 30);
    assert_eq!(shogi["in_check"], false);
}

#[test]
fn moves_where_a_side_must_pass() {
    let pass = kiban(&["moves", "othello", "--position", PASS, "--json"]);
    let pass = document(&pass, "moves", &MOVES);
    assert_eq!(pass["position"], PASS);
    assert_eq!((&pass["to_move"], &pass["forced"]), (&json!("first"), &json!("pass")));
    assert_eq!(pass["moves"], json!(["pass"]));
}

#[test]
fn moves_of_a_finished_game() {
    let name = file("schema-over.txt", WIPE_OUT.as_bytes());
    let over = kiban(&["moves", "othello", "--record", &name, "--json"]);
    let over = document(&over, "moves", &MOVES);
    assert_eq!((&over["to_move"], &over["moves"]), (&Value::Null, &json!([])));
    assert_eq!(over["outcome"]["reason"], "more-discs");
}

#[test]
fn show() {
    let keys = ["viewer", "stage", "view", "seen", "outcome"];
    let ran = kiban(&["show", "othello", "--moves", "f5 d6", "--viewer", "second", "--json"]);
    let shown = document(&ran, "show", &keys);
    assert_eq!((&shown["viewer"], &shown["stage"]), (&json!("second"), &json!("play")));
    assert_eq!(shown["seen"], json!(["f5", "d6"]));
}

const PERFT: [&str; 8] =
    ["position", "depth", "nodes", "leaf", "threads", "seconds", "cpu_seconds", "divide"];

#[test]
fn perft() {
    let ran = kiban(&["perft", "shogi", "--depth", "4", "--threads", "2", "--json"]);
    let count = document(&ran, "perft", &PERFT);
    assert_eq!((&count["nodes"], &count["leaf"]), (&json!(719_731), &json!("path")));
    let ran = kiban(&["perft", "othello", "--depth", "6", "--divide", "--json"]);
    let divided = document(&ran, "perft", &PERFT);
    let rows = divided["divide"].as_array().expect("asked for");
    let sum: u64 = rows.iter().map(|r| r["nodes"].as_u64().expect("a count")).sum();
    assert_eq!((sum, &divided["nodes"]), (8200, &json!(8200)));
    assert!(rows.is_sorted_by_key(|r| r["move"].as_str().expect("a text").to_string()));
}

#[test]
fn judge() {
    let keys = ["records", "summary", "seconds", "cpu_seconds", "interrupted"];
    let over = file("schema-judge-over.txt", WIPE_OUT.as_bytes());
    let foul = file("schema-judge-foul.txt", FOUL.as_bytes());
    let ran = kiban(&["judge", "--game", "othello", &over, &foul, "missing.txt", "--json"]);
    let judged = document(&ran, "judge", &keys);
    let records = judged["records"].as_array().expect("a list");
    assert_eq!(records.len(), 3);
    assert_eq!(records[0]["outcome"]["result"], "first");
    assert_eq!(records[0]["score"], json!({"first": 64, "second": 0}));
    assert_eq!(records[1]["foul"]["ply"], 11);
    assert_eq!(records[1]["foul"]["reason"], "illegal-no-flip");
    assert_eq!(records[1]["outcome"], Value::Null);
    assert_eq!(records[2]["error"]["code"], "unreadable-file");
    let summary = json!({
        "records": 3, "judged": 2, "unreadable": 1, "disagree": 0,
        "by_reason": {"more-discs": 1, "illegal-no-flip": 1},
        "by_result": {"first": 1, "none": 1},
        "by_foul": {"illegal-no-flip": 1},
        "by_error": {"unreadable-file": 1},
    });
    assert_eq!(judged["summary"], summary);
}

#[test]
fn judge_line_by_line() {
    let ran = fed(&["judge", "--game", "othello", "-", "missing.txt", "--jsonl"], FOUL.as_bytes());
    assert_eq!(ran.status, 0);
    let lines: Vec<Value> =
        ran.out.lines().map(|l| serde_json::from_str(l).expect("a document")).collect();
    assert_eq!(lines.len(), 3);
    assert_valid(&validator("judged-record"), &lines[0]);
    assert_valid(&validator("judged-record"), &lines[1]);
    assert_valid(&validator("judge-summary"), &lines[2]);
}

const ANALYZE: [&str; 12] = [
    "position",
    "to_move",
    "best",
    "call",
    "depth",
    "nodes",
    "threads",
    "seconds",
    "cpu_seconds",
    "lines",
    "proofs",
    "plies",
];

#[test]
fn analyze() {
    let ran = kiban(&["analyze", "shogi", "--nodes", "3000", "--lines", "2", "--json"]);
    let found = document(&ran, "analyze", &ANALYZE);
    assert!(found["best"].is_string());
    assert_eq!(found["best"], found["lines"][0]["moves"][0]);
    assert_eq!(found["proofs"], json!([]));
    let threatened = ["analyze", "shogi", "--position", "4k4/9/4P4/9/9/9/9/9/4K4 w G 1"];
    let asked = [&threatened[..], &["--nodes", "1000", "--json"]].concat();
    let found = document(&kiban(&asked), "analyze", &ANALYZE);
    let proof = json!({"what": "threatmate", "seat": "first", "plies": 1, "moves": ["G*5b"]});
    assert_eq!(found["proofs"], json!([proof]));
    let told = kiban(&[&threatened[..], &["--nodes", "1000"]].concat()).out;
    assert!(told.contains("\nThreatmate (tsumero): if the side to move passed, "), "{told}");
    let ran = kiban(&["analyze", "othello", "--position", PASS, "--json"]);
    let found = document(&ran, "analyze", &ANALYZE);
    assert_eq!((&found["best"], &found["to_move"]), (&json!("pass"), &json!("first")));
}

#[test]
fn analyze_every_ply_of_a_record() {
    let name = file("schema-review.txt", WIPE_OUT.as_bytes());
    let ran = kiban(&["analyze", "othello", "--record", &name, "--depth", "4", "--json"]);
    let found = document(&ran, "analyze", &ANALYZE);
    let plies = found["plies"].as_array().expect("a list");
    assert_eq!(plies.len(), 9);
    assert_eq!(plies[8]["after"], json!({"kind": "exact", "value": "win", "distance": 0}));
    // Black wins by White's errors, so White has marks.
    assert!(plies.iter().any(|p| p["seat"] == "second" && p["mark"].is_string()));
    for ply in plies.iter().filter(|p| p["move"] == p["best"]) {
        assert_eq!(ply["loss"], 0.0);
    }
}

const SUITE: [&str; 3] = ["file", "rows", "total"];

#[test]
fn suite_of_counts() {
    let name = file("schema.perft", b" ;D1 4 ;D2 12 ;D3 57 ;D9 3005288\n");
    let arguments = ["suite", &name, "--game", "othello", "--max-nodes", "1000", "--json"];
    let rows = document(&kiban(&arguments), "suite", &SUITE);
    let ok: Vec<_> = rows["rows"].as_array().expect("a list").iter().map(|r| &r["ok"]).collect();
    assert_eq!(ok, [true, true, false]);
    let checked = kiban(&[&arguments[..], &["--check"]].concat());
    assert_eq!(checked.status, 1);
    assert_valid(&validator("suite"), &checked.json());
}

#[test]
fn suite_of_best_moves() {
    let name = file("schema.epd", format!("{PASS} bm pass; id \"forced\";\n").as_bytes());
    let ran = kiban(&["suite", &name, "--game", "othello", "--depth", "3", "--json"]);
    let rows = document(&ran, "suite", &SUITE);
    assert_eq!((&rows["rows"][0]["ok"], &rows["rows"][0]["id"]), (&json!(true), &json!("forced")));
}

#[test]
fn suite_of_endgames() {
    let obf = "OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXX- O; h8:+64;\n";
    let name = file("schema.obf", obf.as_bytes());
    let ran = kiban(&["suite", &name, "--game", "othello", "--time", "1", "--json"]);
    let rows = document(&ran, "suite", &SUITE);
    assert_eq!(rows["rows"][0]["found"]["move"], "h8");
    assert_eq!(rows["rows"][0]["expected"]["score"]["points"], 6400);
    assert_eq!(rows["rows"][0]["ok"], true);
}

#[test]
fn suite_of_mates() {
    let name = file("schema.mates", b"sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1 1\n");
    let ran = kiban(&["suite", &name, "--game", "shogi", "--depth", "3", "--json"]);
    let rows = document(&ran, "suite", &SUITE);
    let score = json!({"kind": "exact", "value": "win", "distance": 1});
    assert_eq!(rows["rows"][0]["expected"]["score"], score);
    assert_eq!(rows["rows"][0]["found"]["score"], score);
    assert_eq!(rows["rows"][0]["ok"], true);
}

#[test]
fn doctor() {
    let keys = ["version", "features", "threads", "memory_bytes", "data", "tables", "games"];
    document(&kiban(&["doctor", "--json"]), "doctor", &keys);
}

#[test]
fn errors() {
    for arguments in [&["show", "chess", "--json"][..], &["show", "--json"], &["--json"]] {
        let ran = kiban(arguments);
        assert_valid(&validator("error"), &json!({"error": ran.error()}));
    }
}

const MATCH: [&str; 10] =
    ["a", "b", "seed", "total", "faults", "pentanomial", "score", "elo", "sprt", "games"];

#[test]
fn matches() {
    let arguments = ["match", "level:1", "random", "--game", "othello", "--seed", "5", "--json"];
    let found = document(&kiban(&[&arguments[..], &["--games", "4"]].concat()), "match", &MATCH);
    assert_eq!(found["total"]["games"], 4);
    assert_eq!(found["b"], json!({"spec": "random", "name": "Kiban random"}));
    assert_eq!(found["sprt"], Value::Null);
    let games = found["games"].as_array().expect("a list");
    assert_eq!(games[0]["opening"], games[1]["opening"]);
    assert_ne!(games[1]["opening"], games[2]["opening"]);
    assert_eq!((&games[0]["first"], &games[1]["first"]), (&json!("a"), &json!("b")));
    let tested = ["--games", "2", "--sprt", "-5", "5"];
    let found = document(&kiban(&[&arguments[..], &tested].concat()), "match", &MATCH);
    assert_eq!(
        (&found["sprt"]["elo0"], &found["sprt"]["state"]),
        (&json!(-5.0), &json!("running"))
    );
}

const BENCH: [&str; 8] = [
    "signature",
    "nodes",
    "seconds",
    "cpu_seconds",
    "nodes_per_cpu_second",
    "threads",
    "features",
    "version",
];

#[test]
fn bench() {
    for game in kiban_games::all().filter(|g| g.bench.is_some()) {
        let arguments = ["bench", game.id, "--depth", "2", "--json"];
        let once = document(&kiban(&arguments), "bench", &BENCH);
        let twice = document(&kiban(&arguments), "bench", &BENCH);
        assert_eq!(once["signature"], twice["signature"]);
        assert!(once["signature"].as_u64().expect("a number") > 0);
    }
}

const PROBE: [&str; 12] = [
    "position",
    "to_move",
    "value",
    "distance",
    "source",
    "history",
    "moves",
    "positions",
    "seconds",
    "cpu_seconds",
    "peak_bytes",
    "notes",
];

#[test]
fn probe() {
    let arguments = ["probe", "shogi3", "--json", "--position"];
    let probed =
        |position: &str| document(&kiban(&[&arguments[..], &[position]].concat()), "probe", &PROBE);
    let won = probed("glk/3/KLG b - 1");
    assert_eq!((&won["value"], &won["distance"]), (&json!("win"), &json!(9)));
    assert_eq!(won["moves"][0], json!({ "move": "2c2a+", "value": "win", "distance": 9 }));
    assert_eq!(won["moves"].as_array().map(Vec::len), Some(4));
    let drawn = probed("2K/2G/+lk1 b lg 1");
    assert_eq!((&drawn["value"], &drawn["distance"]), (&json!("draw"), &Value::Null));
    assert_eq!(drawn["notes"].as_array().map(Vec::len), Some(1));
}

const MATE: [&str; 8] =
    ["position", "mate", "plies", "moves", "proved", "nodes", "seconds", "cpu_seconds"];

#[test]
fn mate() {
    let arguments = ["mate", "shogi", "--time", "20", "--json", "--position"];
    let solved =
        |position: &str| document(&kiban(&[&arguments[..], &[position]].concat()), "mate", &MATE);
    let one = solved("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    assert_eq!((&one["mate"], &one["plies"]), (&json!(true), &json!(1)));
    assert_eq!((&one["moves"], &one["proved"]), (&json!(["G*5b"]), &json!("shortest")));
    let none = solved("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1");
    assert_eq!((&none["mate"], &none["plies"]), (&json!(false), &Value::Null));
}
