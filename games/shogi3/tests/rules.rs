//! The referee: fouls, repetition, endings, texts.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{Arbiter, Conduct, Entry, Limits, Opening, Outcome, Seat, Value, Viewer};
use kiban_shogi3::GAME;

fn game(variant: &str, start: &str, conduct: Conduct) -> Box<dyn Arbiter> {
    let variant = GAME.variant(variant).unwrap();
    let opening = Opening { variant, start: Some(start.to_string()), conduct, seed: None };
    (GAME.open)(&opening).unwrap_or_else(|e| panic!("{start}: {e}"))
}

fn play(game: &mut dyn Arbiter, moves: &str) {
    for text in moves.split_whitespace() {
        let seat = game.waiting_for().only().unwrap_or_else(|| panic!("{text}: it is over"));
        game.put(&Entry::new_move(seat, text)).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

/// How a game from this start ends by these moves.
fn ends(variant: &str, start: &str, moves: &str) -> (Option<&'static str>, &'static str) {
    let mut game = game(variant, start, Conduct::Official);
    play(game.as_mut(), moves);
    let outcome = game.ending().unwrap_or_else(|| panic!("{start} {moves} goes on")).outcome;
    match outcome.unwrap() {
        Outcome::Win { seats, by } => (seats.only().map(Seat::name), by.0),
        Outcome::Draw { by } | Outcome::Replay { by } => (None, by.0),
    }
}

#[test]
fn each_foul_has_its_name() {
    for (start, m, reason) in [
        ("2k/3/K2 b Pp 1", "S*2b", "illegal-drop"),
        ("2k/3/K2 b Pp 1", "P*1a", "illegal-drop"),
        ("2k/3/K2 b Pp 1", "3c3a", "illegal-piece-move"),
        ("2k/3/K2 b Pp 1", "1a1b", "illegal-piece-move"),
        ("2k/3/K2 b Pp 1", "P*3a", "illegal-dead-piece"),
        ("2k/3/K2 b Np 1", "N*3b", "illegal-dead-piece"),
        ("1k1/P2/1K1 b - 1", "3b3a", "illegal-dead-piece"),
        ("2k/3/KS1 b - 1", "2c2b+", "illegal-promotion"),
        ("2k/P2/1K1 b P 1", "P*3c", "illegal-nifu"),
        ("k2/3/r1K b P 1", "P*2b", "illegal-king-in-check"),
    ] {
        assert_eq!(ends("", start, m), (Some("second"), reason), "{start} {m}");
    }
    // 打ち歩詰め: the king in the corner, with its own lance beside it and the gold behind the pawn.
    let mate = "1lk/3/KG1 b P 1";
    let mut guided = game("", mate, Conduct::Guided);
    let refused = guided.put(&Entry::new_move(Seat::FIRST, "P*1b"));
    let allowed = ends("uchifuzume=allowed", mate, "P*1b");
    match refused {
        Err(refusal) => {
            assert_eq!(refusal.slug(), "illegal-uchifuzume");
            assert_eq!(allowed, (Some("first"), "checkmate"));
        }
        Ok(()) => panic!("the drop does not mate"),
    }
}

#[test]
fn a_pawn_must_promote_on_the_far_rank_and_a_silver_may() {
    let mut one = game("", "2k/P2/1SK b - 1", Conduct::Guided);
    let choices: Vec<String> = one.choices(Seat::FIRST).into_iter().map(|c| c.text).collect();
    assert!(choices.contains(&"3b3a+".to_string()) && !choices.contains(&"3b3a".to_string()));
    play(one.as_mut(), "3b3a+");
    assert_eq!(one.position(Viewer::Referee), "+P1k/3/1SK w - 2");
    let two = game("", "2k/S2/2K b - 1", Conduct::Guided);
    let paths: Vec<Vec<String>> = two.choices(Seat::FIRST).into_iter().map(|c| c.taps).collect();
    for option in ["promote", "keep"] {
        assert!(paths.contains(&["3b", "3a", option].map(String::from).to_vec()), "{option}");
    }
}

#[test]
fn the_fourth_time_draws_and_checks_alone_lose() {
    let rounds = "3c3b 1a1b 3b3c 1b1a ".repeat(3);
    assert_eq!(ends("", "2k/3/K2 b Gg 1", &rounds), (None, "sennichite"));
    // Held only by endless checks: whoever keeps the draw loses it by the rule of repetition.
    assert_eq!(held_for_ever(""), (Some("second"), "perpetual-check"));
    assert_eq!(held_for_ever("perpetual-check=draw"), (None, "sennichite"));
}

/// Both sides keep the draw of a position in which the first can do so by checks alone.
fn held_for_ever(variant: &str) -> (Option<&'static str>, &'static str) {
    let start = "2K/2G/+lk1 b lg 1";
    let variant = &format!("shogi3{}{variant}", if variant.is_empty() { "" } else { "," });
    let mut moves = Vec::new();
    for _ in 0..200 {
        let mut game = game(variant, start, Conduct::Official);
        play(game.as_mut(), &moves.join(" "));
        if game.ending().is_some() {
            return ends(variant, start, &moves.join(" "));
        }
        let opening = Opening {
            variant: GAME.variant(variant).unwrap(),
            start: Some(game.position(Viewer::Referee)),
            conduct: Conduct::Official,
            seed: None,
        };
        let probed = GAME.probe.unwrap()(&opening, &Limits::default()).unwrap();
        assert_eq!(probed.value, Value::Draw);
        moves.push(probed.moves.iter().find(|m| m.value == Value::Draw).unwrap().text.clone());
    }
    panic!("it goes on for ever: {}", moves.join(" "))
}
