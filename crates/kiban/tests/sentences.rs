//! What a person reads: each thing is said once, with its place, and nothing is left to guess.

mod common;

use common::{fed, file, kiban};

#[test]
fn strict_names_the_file_and_says_each_place_once() {
    let odd = "手合割：平手\n   1 ７六歩(77)\n   3 ３四歩(33)\n";
    let path = file("strict-once.kif", odd.as_bytes());
    let ran = kiban(&["convert", "--strict", &path, "--to", "csa"]);
    let sentence = ran.sentence(1);
    assert!(sentence.starts_with(&format!("{path}: Forgiven without --strict: ")), "{sentence}");
    assert_eq!(sentence.matches("line 3").count(), 1, "{sentence}");
    assert!(!sentence.contains("Line 3"), "{sentence}");
    let two = format!("{odd}   9 ２六歩(27)\n");
    let path = file("strict-twice.kif", two.as_bytes());
    let ran = kiban(&["convert", "--strict", &path, "--to", "csa"]);
    let sentence = ran.sentence(1);
    assert!(sentence.contains("2 things are forgiven without --strict: line 4, "), "{sentence}");
    for place in ["line 3", "line 4"] {
        assert_eq!(sentence.matches(place).count(), 1, "{sentence}");
    }
    // Judging tells it once, too.
    let judged = kiban(&["judge", "--strict", &path]);
    assert_eq!(judged.err.matches("line 3").count(), 1, "{}", judged.err);
    assert_eq!(judged.err.matches("it is number 2").count(), 1, "{}", judged.err);
}

#[test]
fn a_bad_move_says_which_character_of_which_text() {
    for (moves, said) in [
        ("7g7x", "The move \"7g7x\" has \"7x\" (character 3) where a square should be"),
        ("7g7f++", "The move \"7g7f++\" has \"+\" (character 6) behind its end; leave it out."),
        ("歩5e", "has \"歩5\" (character 1) where a square should be"),
    ] {
        let ran = kiban(&["moves", "shogi", "--moves", moves]);
        let sentence = ran.sentence(1);
        assert!(sentence.contains(said) && !sentence.contains("byte"), "{sentence}");
    }
}

#[test]
fn a_row_of_a_suite_says_its_number_once() {
    let position = "-----------O----O-OO-OXXXXOOOXXXOXOXXXXXXXOXXXXX--XXXO---OOOXO-- X";
    let path = file("once.obf", format!("{position}; c1:+2;\n").as_bytes());
    let ran = kiban(&["suite", &path, "--game", "othello", "--depth", "2"]);
    let row = ran.out.lines().next().expect("a row");
    assert!(row.starts_with("   1  ") && !row.contains("1: "), "{row}");
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let path = file("once.perft", format!("{start} ;D1 30 ;D2 900\n").as_bytes());
    let ran = kiban(&["suite", &path, "--game", "shogi"]);
    assert!(ran.out.lines().nth(1).expect("a row").ends_with("  line 1, D2: 900"), "{}", ran.out);
}

#[test]
fn a_foul_that_decides_nothing_is_told_as_such() {
    let ran = fed(&["judge", "-"], b"f5a1\n");
    assert!(ran.out.starts_with("Ply 2: a1 is a foul by White: "), "{}", ran.out);
    assert!(ran.out.contains("a foul decides nothing"), "{}", ran.out);
    let summary = fed(&["judge", "--summary", "-"], b"f5a1\n");
    assert!(summary.out.contains("Results: none 1."), "{}", summary.out);
    assert!(!summary.out.contains("Decided by"), "{}", summary.out);
    assert!(summary.out.contains("One foul ends its record without a result."), "{}", summary.out);
    // Where a foul decides, the winner is named.
    let foul = "position startpos moves 7g7f 3c3d 9g9c\n";
    let ran = fed(&["judge", "-"], foul.as_bytes());
    assert!(
        ran.out.contains("is a foul by Sente") && ran.out.contains("Gote wins."),
        "{}",
        ran.out
    );
}

#[test]
fn games_tell_the_grades_and_values_of_set_ups() {
    let text = kiban(&["games"]).out;
    for game in kiban(&["games", "--json"]).json()["games"].as_array().expect("games") {
        for setup in game["setups"].as_array().expect("set-ups") {
            let id = setup["id"].as_str().expect("an id");
            match (setup["grade"].as_str(), setup["value"].as_str(), setup["distance"].as_u64()) {
                (Some(grade), Some(value), Some(n)) => {
                    assert!(text.contains(&format!("{id} ({grade}, {value} in {n})")), "{text}");
                }
                (Some(grade), ..) => assert!(text.contains(&format!("{id} ({grade}")), "{text}"),
                (None, ..) => assert!(text.contains(id)),
            }
        }
    }
    assert!(text.contains("(beginner, win in "), "{text}");
}
