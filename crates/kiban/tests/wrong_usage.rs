//! Exit statuses of the commands that play and serve: 2 for wrong usage, 1 for what cannot be.

mod common;

use common::{fed, kiban};

#[test]
fn wrong_usage_ends_with_2_and_what_cannot_be_with_1() {
    let usage: [&[&str]; 22] = [
        &["match", "level:1", "random"],
        &["match", "level:0", "random", "--game", "othello"],
        &["match", "usi:", "random", "--game", "shogi"],
        &["match", "random", "random", "--game", "othello", "--sprt", "5", "0"],
        &["match", "random", "random", "--game", "othello", "--sprt", "0", "0"],
        &["match", "random", "random", "--game", "othello", "--clock", "0+0"],
        &["match", "random", "random", "--game", "othello", "--clock", "1e9"],
        &["match", "random", "random", "--game", "othello", "--games", "0"],
        &["match", "random", "random", "--game", "othello", "--option-b", "A=1"],
        &["match", "random", "random", "--game", "othello", "--option-b", "A"],
        &["match", "clock", "random", "--game", "othello"],
        &["play"],
        &["play", "othello", "--side", "up"],
        &["play", "othello", "--opponent", "clock"],
        &["engine"],
        &["engine", "usi", "more"],
        &["analyze", "othello", "--time", "0"],
        &["analyze", "othello", "--lines", "256"],
        &["serve", "--listen", "8080"],
        &["serve", "--engine", "A"],
        &["serve", "--engine-time", "A=1"],
        &["serve", "more"],
    ];
    for arguments in usage {
        assert!(kiban(arguments).sentence(2).len() > 20, "{arguments:?}");
    }
    let nowhere = format!("{}/nowhere/games.db", env!("CARGO_TARGET_TMPDIR"));
    let cannot: [&[&str]; 8] = [
        &["match", "random", "random", "--game", "chess"],
        &["match", "random", "random", "--game", "othello", "--resume", "/nowhere/log"],
        &["play", "othello", "--side", "third"],
        &["play", "othello", "--variant", "round"],
        &["engine", "uci"],
        &["analyze", "othello", "--position", "x"],
        &["serve", "--database", "mysql:games"],
        &["serve", "--database", &nowhere],
    ];
    for arguments in cannot {
        assert!(kiban(arguments).sentence(1).len() > 20, "{arguments:?}");
    }
}

#[test]
fn a_database_in_a_folder_that_is_not_there_is_no_new_one() {
    let folder = format!("{}/no-such-folder", env!("CARGO_TARGET_TMPDIR"));
    for spec in ["sqlite:", ""] {
        let spec = format!("{spec}{folder}/games.db");
        let ran = kiban(&["serve", "--listen", "127.0.0.1:0", "--database", &spec]);
        let wanted = format!("There is no folder {folder} for the database {folder}/games.db;");
        assert!(ran.sentence(1).starts_with(&wanted), "{}", ran.err);
        assert!(!std::path::Path::new(&folder).exists());
    }
}

#[test]
fn the_tail_of_a_line_too_long_is_no_line() {
    let line = format!("{}\nquit\n", " ".repeat(4096 * 3) + "f5");
    let out = fed(&["play", "othello", "--side", "both"], line.as_bytes()).out;
    assert!(!out.contains("Black: f5"), "{out}");
    let line = format!("{}\nf5\nquit\n", "x".repeat(100_000));
    let out = fed(&["play", "othello", "--side", "both"], line.as_bytes()).out;
    assert_eq!(out.matches("is not a move").count(), 1, "{out}");
    assert!(out.contains("Black: f5"), "{out}");
}
