//! Rules one by one, and positions in which other programs went wrong.

mod common;

use common::{choices, guided, open, outcome, put, put_all, refusal};
use kiban_core::{Arbiter, Conduct};

/// The squares an animal may go to.
fn targets(game: &dyn Arbiter, from: &str) -> String {
    let texts = choices(game);
    let texts: Vec<&str> = texts.iter().filter(|t| t.starts_with(from)).map(|t| &t[2..]).collect();
    texts.join(" ")
}

fn from_position(variant: &str, position: &str, from: &str) -> String {
    targets(&*guided(variant, Some(position)), from)
}

#[test]
fn a_lion_behind_a_rat_in_the_river_still_has_its_steps() {
    // PyPI jungle-chess 1.0.0 never returns here, with either side's rat.
    for rat in ["r", "R"] {
        let position = format!("4d2/7/7/7/7/1{rat}5/1L5/7/7 w");
        assert_eq!(from_position("classic", &position, "b3"), "a3 b2 c3");
    }
    // Off the line the rat blocks nothing.
    assert_eq!(from_position("classic", "4d2/7/7/7/7/2r4/1L5/7/7 w", "b3"), "a3 b2 b7 c3");
}

#[test]
fn an_elephant_takes_the_rat_that_stands_in_its_trap() {
    // netcan/AnimalChess refuses it.
    let position = "7/7/7/7/7/7/c6/2Er3/7 w";
    assert_eq!(from_position("classic", position, "c2"), "b2 c1 c3 d2");
    assert_eq!(from_position("classic,elephant-takes-rat=never", position, "c2"), "b2 c1 c3");
    // Outside a trap only where it always may.
    let position = "7/7/7/7/7/7/c1r4/2E4/7 w";
    assert_eq!(from_position("classic", position, "c2"), "b2 c1 d2");
    assert_eq!(from_position("classic,elephant-takes-rat=always", position, "c2"), "b2 c1 c3 d2");
}

#[test]
fn a_rat_in_the_water_and_one_ashore() {
    // netcan/AnimalChess takes across the bank by the standard rules.
    let position = "2c4/7/7/7/rR5/7/7/7/2C4 w";
    assert_eq!(from_position("classic", position, "b5"), "b4 b6 c5");
    assert_eq!(from_position("", position, "b5"), "a5 b4 b6 c5");
    let ashore = "2c4/7/7/7/Rr5/7/7/7/2C4 w";
    assert_eq!(from_position("classic", ashore, "a5"), "a4 a6");
    assert_eq!(from_position("classic,enter-water=yes", ashore, "a5"), "a4 a6 b5");
    // No rule set but `any` lets it take the elephant from the water.
    let elephant = "2c4/7/7/7/eR5/7/7/7/2C4 w";
    assert_eq!(from_position("", elephant, "b5"), "b4 b6 c5");
    assert_eq!(from_position("leave-water=any", elephant, "b5"), "a5 b4 b6 c5");
    let wet = "2c4/7/7/7/7/1Rr4/7/7/2C4 w";
    assert_eq!(from_position("classic", wet, "b4"), "a4 b3 b5 c4", "rat takes rat in the water");
    let cat = "2c4/7/7/7/Cr5/7/7/7/2W4 b";
    assert_eq!(from_position("leave-water=any", cat, "b5"), "b4 b6 c5", "a cat is stronger");
}

#[test]
fn a_position_in_which_another_engine_says_no_move_has_moves() {
    // notune/jungine answers 0000.
    let game = guided("classic", Some("6t/2T2cL/2pe3/7/6R/7/1lWP3/2C2D1/7 b"));
    assert!(choices(&*game).len() > 5, "{:?}", choices(&*game));
    let mut memory = kiban_core::Workspace::new();
    let limits = kiban_core::Limits { nodes: Some(2_000), ..Default::default() };
    let seat = game.waiting_for().only().expect("Black");
    let entry = game.ask(seat)(&mut memory, limits, &mut |_| ());
    let mut game = game;
    game.put(&entry).expect("a legal move");
}

#[test]
fn traps_weaken_intruders_and_not_their_owner() {
    // AloysHF/childhood weakened the owner.
    let own = "2c4/7/7/7/7/7/3w3/3L3/7 b";
    assert_eq!(from_position("", own, "d3"), "c3 d4 e3", "a lion in its own trap is a lion");
    let intruder = "2c4/7/7/7/7/7/3C3/3l3/7 w";
    assert_eq!(from_position("", intruder, "d3"), "c3 d2 d4 e3");
    // It still takes where the rules let it, and goes on into the den.
    let attack = "c6/7/7/7/7/7/7/3lC2/7 b";
    assert_eq!(from_position("", attack, "d2"), "c2 d1 d3");
    assert_eq!(from_position("classic", attack, "d2"), "c2 d1 d3 e2");
}

#[test]
fn jumps_take_by_the_usual_rule() {
    let game =
        |landing: &str| from_position("", &format!("2c4/7/1{landing}5/7/7/7/1T5/7/7 w"), "b3");
    assert_eq!(game("w"), "a3 b2 b7 c3");
    assert_eq!(game("t"), "a3 b2 b7 c3");
    assert_eq!(game("l"), "a3 b2 c3");
    assert_eq!(from_position("", "2c4/7/7/7/T5p/7/7/7/7 w", "a5"), "a4 a6 d5", "one lake a jump");
}

#[test]
fn equal_animals_and_the_order_of_dog_and_wolf() {
    let wolves = "2c4/7/7/7/7/7/wW5/7/2C4 w";
    let mut game = guided("equal=both-vanish", Some(wolves));
    put_all(&mut *game, "b3a3");
    assert_eq!(game.position(kiban_core::Viewer::Watcher), "2c4/7/7/7/7/7/7/7/2C4 b");
    let last = "7/7/7/7/7/7/wW5/7/7 w";
    let mut game = guided("equal=both-vanish", Some(last));
    put_all(&mut *game, "b3a3");
    assert_eq!(outcome(&*game), Some(("draw", "all-captured")));
    let mut game = guided("equal=both-vanish", Some("2c4/7/7/7/7/7/wW5/7/7 w"));
    put_all(&mut *game, "b3a3");
    assert_eq!(outcome(&*game), Some(("second", "all-captured")), "the mover has none left");
    // A trapped animal has no power: its taker survives.
    let mut game = guided("equal=both-vanish", Some("2c4/7/7/7/7/7/7/2Ww3/7 w"));
    put_all(&mut *game, "c2d2");
    assert_eq!(outcome(&*game), None);
    let dog = "2c4/7/7/7/7/7/wD5/7/7 w";
    assert_eq!(from_position("", dog, "b3"), "b2 c3");
    assert_eq!(from_position("order=wolf-below-dog", dog, "b3"), "a3 b2 c3");
}

#[test]
fn ends_come_in_their_order() {
    let mut game = guided("", Some("7/3C3/7/7/7/7/7/7/c6 w 199 150"));
    put_all(&mut *game, "d8d9");
    assert_eq!(outcome(&*game), Some(("first", "den")), "before the draw");
    let mut game = guided("", Some("c6/7/7/7/7/7/7/7/C6 w 199 150"));
    put_all(&mut *game, "a1a2");
    assert_eq!(outcome(&*game), Some(("draw", "no-capture")));
    let mut game = guided("", Some("7/7/7/7/7/7/7/c6/C6 w"));
    put_all(&mut *game, "a1a2");
    assert_eq!(outcome(&*game), Some(("first", "all-captured")));
    let mut game = guided("", Some("c6/D6/7/7/7/7/7/L6/1T5 w"));
    put_all(&mut *game, "b1b2");
    assert_eq!(outcome(&*game), None, "the cat has b9");
    let mut game = guided("", Some("cD5/7/L6/7/7/7/7/7/1T5 w"));
    put_all(&mut *game, "a7a8");
    assert_eq!(outcome(&*game), Some(("first", "blocked")));
}

#[test]
fn the_third_occurrence_is_a_draw_where_it_is_one() {
    let there_and_back = "a3a4 a7a6 a4a3 a6a7";
    let mut game = guided("classic", None);
    put_all(&mut *game, there_and_back);
    put_all(&mut *game, "a3a4 a7a6 a4a3");
    assert_eq!(outcome(&*game), None);
    put_all(&mut *game, "a6a7");
    assert_eq!(outcome(&*game), Some(("draw", "repetition")), "the start counts");
    let mut game = guided("anti-chase=off", None);
    (0..4).for_each(|_| put_all(&mut *game, there_and_back));
    assert_eq!(outcome(&*game), None);
}

#[test]
fn fouls_are_named_by_the_first_rule_they_break() {
    let mut game = guided("", Some("2c4/7/1l5/7/1r5/7/TL5/E2d3/W1C1P2 w"));
    for (text, slug) in [
        ("d2d3", "illegal-no-animal"),
        ("g5g6", "illegal-no-animal"),
        ("a3a5", "illegal-step"),
        ("a2c2", "illegal-step"),
        ("b3b4", "illegal-water"),
        ("b3b7", "illegal-jump-blocked"),
        ("b3a3", "illegal-own-piece"),
        ("a3b3", "illegal-own-piece"),
    ] {
        assert_eq!(refusal(&mut *game, text), slug, "{text}");
    }
    let mut game = guided("", Some("2c4/7/1l5/7/7/7/1T5/7/2C4 w"));
    assert_eq!(refusal(&mut *game, "b3b7"), "illegal-capture");
    assert_eq!(refusal(&mut *game, "c1d1"), "illegal-own-den");
    let mut game = open("", Some("2c4/7/7/7/7/7/1T5/7/2C4 w"), Conduct::Official);
    put_all(&mut *game, "c1d1");
    assert_eq!(outcome(&*game), Some(("second", "illegal-own-den")));
}

/// Red's tiger goes to and fro; Black's far cat too.
const TO_AND_FRO: &str = "6c/7/7/7/7/7/1T5/7/6R w";

#[test]
fn seven_three_forbids_the_fourth_entry() {
    let mut game = guided("", Some(TO_AND_FRO));
    put_all(&mut *game, "b3a3 g9g8 a3b3 g8g9 b3a3 g9g8 a3b3 g8g9 b3a3 g9f9 a3b3 f9g9");
    // Three entries into a3, three into b3: the tiger on b3 may not go to a3.
    let banned = game.banned();
    assert_eq!(banned.len(), 1);
    assert_eq!((banned[0].0.as_str(), banned[0].1.0), ("b3a3", "illegal-anti-chase-7-3"));
    assert_eq!(refusal(&mut *game, "b3a3"), "illegal-anti-chase-7-3");
    put_all(&mut *game, "b3b2 g9g8");
    // Entries older than seven own moves are forgotten one by one.
    assert_eq!(game.banned().len(), 1, "b3 was entered three times in the last seven");
    let mut game = guided("anti-chase=off", Some(TO_AND_FRO));
    put_all(&mut *game, "b3a3 g9g8 a3b3 g8g9 b3a3 g9g8 a3b3 g8g9 b3a3 g9f9 a3b3 f9g9");
    assert!(game.banned().is_empty());
}

#[test]
fn seven_three_spares_whoever_is_chased() {
    // Black's lion beside the tiger on b3 would take it.
    let chased = "6c/7/7/7/7/7/1T5/7/6R w";
    let mut game = guided("", Some(chased));
    put_all(&mut *game, "b3a3 g9g8 a3b3 g8g9 b3a3 g9g8 a3b3 g8g9 b3a3 g9f9 a3b3 f9g9");
    assert!(!game.banned().is_empty());
    let beside = "6c/7/7/7/7/7/1Tl4/7/6R w";
    let mut game = guided("", Some(beside));
    put_all(&mut *game, "b3a3 g9g8 a3b3 g8g9 b3a3 g9g8 a3b3 g8g9 b3a3 g9f9 a3b3 f9g9");
    assert!(game.banned().is_empty(), "{:?}", game.banned());
}

#[test]
fn seven_three_is_lifted_by_a_move_into_a_trap() {
    let mut game = guided("", Some("6c/7/7/7/7/7/7/3T3/6R w"));
    put_all(&mut *game, "d2d3 g9g8 d3d2 g8g9 d2d3 g9g8 d3d2 g8g9 d2d3 g9f9 d3d2 f9g9");
    assert!(game.banned().is_empty(), "d2 is a trap");
}

#[test]
fn seventeen_five_forbids_the_squares_of_a_long_walk() {
    // Round four squares: no square is entered three times in seven moves.
    let mut game = guided("", Some(TO_AND_FRO));
    let (red, black) = (["b3a3", "a3a2", "a2b2", "b2b3"], ["g9f9", "f9f8", "f8g8", "g8g9"]);
    for i in 0..16 {
        put_all(&mut *game, &format!("{} {}", red[i % 4], black[i % 4]));
        assert!(game.banned().is_empty(), "after {} moves each", i + 1);
    }
    put(&mut *game, "b3a3").expect("the seventeenth");
    put(&mut *game, "g9f9").expect("the seventeenth");
    let banned: Vec<(String, &str)> = game.banned().into_iter().map(|(t, r)| (t, r.0)).collect();
    let rule = "illegal-anti-chase-17-5";
    assert_eq!(banned, [("a3a2".to_string(), rule), ("a3b3".to_string(), rule)]);
    // The rat has not moved: it is free.
    assert!(choices(&*game).iter().any(|t| t.starts_with("g1")));
    put_all(&mut *game, "g1g2");
    // Black's cat is bound in the same way, and has f7 and e8 left only.
    assert_eq!(game.banned().len(), 2, "{:?}", game.banned());
    put_all(&mut *game, "f9e9");
    assert!(game.banned().is_empty(), "one move of the rat breaks the row");
}

/// After seventeen moves each, in which Red's cat goes to and fro between a3 and a2.
fn penned(position: &str) -> Box<dyn Arbiter> {
    let mut game = guided("", Some(position));
    for i in 0..17 {
        put_all(&mut *game, if i % 2 == 0 { "a3a2" } else { "a2a3" });
        let (there, back) = ([("g4g5"), ("g5g6"), ("g6g7"), ("g7g8"), ("g8f8"), ("f8f7")], "f7g7");
        // Black's rat walks on without coming back soon.
        let walk: Vec<&str> = there.into_iter().chain([back]).collect();
        let round = ["g7g8", "g8f8", "f8f7", "f7g7"];
        let step = walk.get(i).copied().unwrap_or(round[(i + 1) % 4]);
        put_all(&mut *game, step);
    }
    game
}

#[test]
fn if_everything_is_banned_nothing_is() {
    // The cat is penned in by stronger animals; to go back is all it can do.
    let game = penned("7/7/7/7/7/l5r/Ct5/1p5/w6 w");
    assert_eq!((choices(&*game), game.banned()), (vec!["a2a3".to_string()], Vec::new()));
    // With a dog that could move instead, the cat must rest.
    let game = penned("7/7/7/7/7/l5r/Ct5/1p5/w5D w");
    let banned: Vec<(String, &str)> = game.banned().into_iter().map(|(t, r)| (t, r.0)).collect();
    assert_eq!(banned, [("a2a3".to_string(), "illegal-anti-chase-17-5")]);
    assert_eq!(choices(&*game), ["g1f1", "g1g2"]);
}

#[test]
fn a_line_from_a_position_starts_with_empty_windows() {
    let mut game = guided("", Some(TO_AND_FRO));
    put_all(&mut *game, "b3a3 g9g8 a3b3 g8g9 b3a3 g9g8 a3b3 g8g9 b3a3 g9f9 a3b3 f9g9");
    let position = game.position(kiban_core::Viewer::Watcher);
    assert_eq!(position, "6c/7/7/7/7/7/1T5/7/6R w 12 7");
    assert!(guided("", Some(&position)).banned().is_empty());
}
