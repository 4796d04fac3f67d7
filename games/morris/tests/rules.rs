//! The rules page, case by case, and faults other programs had.

mod common;

use common::{Men, choices, ending, guided, men, open, play, put};
use kiban_core::{Act, Arbiter, Call, Conduct, Entry, Refusal, Seat, Viewer};
use kiban_morris::GAME;

const WHITE: Seat = Seat::FIRST;
const BLACK: Seat = Seat::SECOND;

fn position(game: &dyn Arbiter) -> String {
    game.position(Viewer::Referee)
}

/// Of the choices, those that begin so.
fn beginning(game: &dyn Arbiter, start: &str) -> Vec<String> {
    choices(game).into_iter().filter(|text| text.starts_with(start)).collect()
}

/// What becomes of a move in official conduct.
fn foul(variant: &str, start: &str, text: &str) -> &'static str {
    let mut game = open(variant, Some(start), Conduct::Official);
    put(&mut *game, text).expect("official conduct judges");
    let foul = game.ending().and_then(|e| e.foul.clone()).expect("a foul");
    assert_eq!(foul.text, text);
    foul.reason.0
}

/// FreeBoardGames.org 901: the phase ended before the removal.
#[test]
fn the_last_placement_closes_a_mill_and_takes_a_man_itself() {
    let start = Men {
        white: "a1 d1 b2 d2 f4 e3 c5 e5",
        black: "a7 d7 b6 f6 d5 e4 c4",
        hand: [0, 1],
        slides: 0,
    };
    let mut game = start.game("nine", BLACK);
    let taking = beginning(&*game, "g7");
    assert_eq!(taking.len(), 8, "{taking:?}");
    assert!(!taking.contains(&"g7".to_string()));
    assert_eq!(foul("nine", &start.text("nine", BLACK), "g7"), "illegal-removal");
    put(&mut *game, "g7xe5").expect("legal");
    assert_eq!(game.waiting_for().only(), Some(WHITE));
    assert!(position(&*game).ends_with(" w m 7 0 8 0 0 21"), "{}", position(&*game));
}

/// Sanmill 615, FreeBoardGames.org 308: no man could be taken.
#[test]
fn when_all_men_stand_in_mills_any_may_be_taken() {
    let start = men("a1 d1 g4 b2", "a7 d7 g7");
    let takes = |variant: &str, start: &Men<'_>| beginning(&*start.game(variant, WHITE), "g4-g1");
    assert_eq!(takes("nine", &start), ["g4-g1xa7", "g4-g1xd7", "g4-g1xg7"]);
    assert_eq!(takes("nine,remove-from-mills=never", &start), ["g4-g1"]);
    let free = men("a1 d1 g4 b2", "a7 d7 g7 b6");
    assert_eq!(takes("nine", &free), ["g4-g1xb6"]);
    assert_eq!(takes("nine,remove-from-mills=always", &free).len(), 4);
    let mut game = start.game("nine", WHITE);
    put(&mut *game, "g4-g1xd7").expect("legal");
    assert_eq!(ending(&*game), Some(("first", "fewer-than-three")));
}

/// Sanmill 615: the blocked side played on.
#[test]
fn a_side_blocked_right_after_placing_loses() {
    let start = Men { white: "a7 g7 a1 g1", black: "d7 a4 g4", hand: [0, 1], slides: 0 };
    let blocked = |variant: &str| {
        let mut game = start.game(variant, BLACK);
        put(&mut *game, "d1").expect("legal");
        game
    };
    assert_eq!(ending(&*blocked("nine")), Some(("second", "blocked")));
    assert_eq!(ending(&*blocked("nine,blocked=draws")), Some(("draw", "blocked")));
    let game = blocked("nine,blocked=passes");
    assert_eq!(game.log().last(), Some(&Entry::new_move(WHITE, "pass")));
    assert_eq!(game.waiting_for().only(), Some(BLACK));
    assert!(position(&*game).ends_with(" b m 4 0 4 0 0 21"), "{}", position(&*game));
    // With four men they fly and are not blocked.
    assert_eq!(ending(&*blocked("nine,flying=at-four")), None);
}

#[test]
fn a_full_board_blocks_both_sides() {
    let grid = kiban_morris::Morris::of_variant(&GAME.variant("twelve").expect("listed")).grid();
    let mut names: Vec<String> = (0..grid.points).map(|p| grid.name(p)).collect();
    // The last man goes to d7, where a7 and d6 of the other side leave it without a mill.
    names.retain(|name| !["d7", "a7", "d6"].contains(&name.as_str()));
    let white = format!("a7 d6 {}", names[..10].join(" "));
    let start = Men { white: &white, black: &names[10..].join(" "), hand: [0, 1], slides: 0 };
    let full = |variant: &str| {
        let mut game = start.game(variant, BLACK);
        put(&mut *game, "d7").expect("legal");
        ending(&*game)
    };
    assert_eq!(full("twelve"), Some(("second", "blocked")));
    assert_eq!(full("twelve,blocked=draws"), Some(("draw", "blocked")));
    assert_eq!(full("twelve,blocked=passes"), Some(("draw", "blocked")));
}

/// Sanmill 617: after a replay 14 men stood on the board and -6 and -4 were in hand.
#[test]
fn hand_counts_are_right_after_a_replay_and_after_taking_back() {
    let mut game = guided("nine", None);
    play(&mut *game, "a1 a7 d1 d7 g1xa7 a7 d2 g7xd2 b2 f6 f4 b6 d3 e3");
    let text = position(&*game);
    assert!(text.ends_with(" w p 6 2 6 2 0 8"), "{text}");
    let mut again = guided("nine", None);
    game.log().iter().for_each(|entry| again.put(entry).expect("it was taken before"));
    assert_eq!(position(&*again), text);
    for _ in 0..6 {
        again.take_back().expect("an open game");
    }
    game.log()[8..].iter().for_each(|entry| again.put(entry).expect("it was taken before"));
    assert_eq!(position(&*again), text);
    let on = guided("nine", Some(&text));
    assert_eq!((position(&*on), choices(&*on)), (text, choices(&*game)));
}

/// Sanmill 728: with ten men and flying at four the engine had no move after eight placements.
#[test]
fn the_computer_always_answers_with_ten_men_that_fly_at_four() {
    let mut game = guided("lasker,flying=at-four,blocked=passes", None);
    let mut memory = kiban_core::Workspace::new();
    while let Some(seat) = game.waiting_for().only() {
        let limits = kiban_core::Limits { nodes: Some(150), ..Default::default() };
        let entry = game.ask(seat)(&mut memory, limits, &mut |_| {});
        game.put(&entry).expect("a legal move");
    }
    assert!(game.log().len() > 8);
}

/// Sanmill 783: where the rules give the choice to the one who closes the mill, it is theirs.
#[test]
fn the_side_that_closes_a_mill_chooses_what_it_takes() {
    let mut game = guided("twelve", None);
    play(&mut *game, "a1 a7 d1 d7");
    assert_eq!(beginning(&*game, "g1"), ["g1xa7", "g1xd7"]);
}

/// Sanmill 392: "the same mill three times" bound one side only. Here it binds none.
#[test]
fn a_mill_may_be_opened_and_closed_again_and_again() {
    let mut game = men("a1 d1 g1 b2", "a7 b6 f6 d5 e4 c3 f2").game("nine", WHITE);
    play(&mut *game, "g1-g4 e4-e3 g4-g1xa7 e3-e4 g1-g4 e4-e3 g4-g1xb6 e3-e4 g1-g4 e4-e3 g4-g1xd5");
    assert_eq!(ending(&*game), None);
}

/// Malom 5: counters tick on the completed move, and a win is looked for before the draw.
#[test]
fn the_hundredth_slide_draws_only_if_it_does_not_win() {
    let start = Men { slides: 99, ..men("a1 d1 g4 b2", "a7 d7 f6") };
    let after = |text: &str| {
        let mut game = start.game("nine", WHITE);
        put(&mut *game, text).expect("legal");
        ending(&*game)
    };
    assert_eq!(after("b2-d2"), Some(("draw", "no-removal")));
    assert_eq!(after("g4-g1xa7"), Some(("first", "fewer-than-three")));
    let start = Men { slides: 99, ..men("d7 a4 g4 d2", "a7 g7 a1 g1") };
    let mut game = start.game("nine", WHITE);
    put(&mut *game, "d2-d1").expect("legal");
    assert_eq!(ending(&*game), Some(("first", "blocked")));
    // A removal begins the count anew.
    let start = Men { slides: 99, ..men("a1 d1 g4 b2", "a7 d7 f6 e5") };
    let mut game = start.game("nine", WHITE);
    put(&mut *game, "g4-g1xa7").expect("legal");
    assert_eq!(ending(&*game), None);
    assert!(position(&*game).ends_with(" b m 4 0 3 0 0 20"), "{}", position(&*game));
}

#[test]
fn in_morabaraba_twenty_slides_of_three_against_three_draw() {
    let start = Men { slides: 19, ..men("a1 d2 g4", "a7 d7 f6") };
    for (variant, result) in [("morabaraba", Some(("draw", "no-removal"))), ("twelve", None)] {
        let mut game = start.game(variant, WHITE);
        put(&mut *game, "a1-d1").expect("legal");
        assert_eq!(ending(&*game), result, "{variant}");
    }
    let four = Men { slides: 19, ..men("a1 d2 g4 e4", "a7 d7 f6") };
    let mut game = four.game("morabaraba", WHITE);
    put(&mut *game, "a1-d1").expect("legal");
    assert_eq!(ending(&*game), None);
}

#[test]
fn the_start_counts_as_the_first_occurrence() {
    let mut game = men("a1 d2 f4 c5", "g7 b6 e3 d5").game("nine", WHITE);
    play(&mut *game, "a1-a4 g7-d7 a4-a1 d7-g7 a1-a4 g7-d7 a4-a1");
    assert_eq!(ending(&*game), None);
    put(&mut *game, "d7-g7").expect("legal");
    assert_eq!(ending(&*game), Some(("draw", "repetition")));
    assert_eq!(game.log().len(), 8);
}

#[test]
fn exactly_three_men_fly_and_none_that_are_still_in_hand() {
    let three = men("a1 d1 b2", "a7 d7 b6 f6");
    let flying = |variant: &str, start: &Men<'_>| {
        beginning(&*start.game(variant, WHITE), "a1-").iter().any(|m| m.starts_with("a1-e5"))
    };
    assert!(flying("nine", &three));
    assert!(!flying("nine,flying=never", &three));
    assert_eq!(choices(&*three.game("nine,remove-from-mills=never", WHITE)).len(), 54);
    let four = men("a1 d1 b2 f4", "a7 d7 b6 f6");
    assert!(!flying("nine", &four));
    assert!(flying("nine,flying=at-four", &four));
    assert!(flying("nine,flying=at-four", &three), "with fewer too");
    let in_hand = Men { white: "a1 d1", black: "a7 d7 b6", hand: [1, 1], slides: 0 };
    assert!(!flying("nine", &in_hand));
    assert!(choices(&*in_hand.game("nine", WHITE)).iter().all(|m| !m.contains('-')));
    assert!(!flying("six", &men("a1 c1 b2", "a5 c5 e5 e1")), "six men's morris has no flying");
}

#[test]
fn two_mills_at_once_take_one_man_or_two() {
    let start = men("b6 f6 d5 d7 e3", "a1 g1 b2 f2 c3");
    let placed = Men { hand: [1, 0], ..start };
    let takes = |variant: &str, start: &Men<'_>| beginning(&*start.game(variant, WHITE), "d6");
    assert_eq!(takes("nine", &placed), ["d6xa1", "d6xb2", "d6xc3", "d6xf2", "d6xg1"]);
    let two = takes("nine,double-mill=two", &placed);
    assert_eq!(two.len(), 10);
    assert_eq!(two[0], "d6xa1xb2");
    assert!(two.contains(&"d6xc3xf2".to_string()) && !two.contains(&"d6xf2xc3".to_string()));
    // Written the other way round it is the same move.
    let mut game = placed.game("nine,double-mill=two", WHITE);
    put(&mut *game, "d6xf2xc3").expect("legal");
    assert_eq!(game.log()[0].act, Act::Move("d6xc3xf2".to_string()));
    // What protects is judged before either goes; if only one may go, one goes.
    let mill = |black| Men { black, ..Men { hand: [1, 0], ..men("b6 f6 d5 d7 e3", "") } };
    assert_eq!(takes("nine,double-mill=two", &mill("a1 d1 g1 b2")), ["d6xb2"]);
    assert_eq!(takes("nine,double-mill=two", &mill("a1 d1 g1 b2 f2")), ["d6xb2xf2"]);
    assert_eq!(takes("nine,double-mill=two", &mill("a1 d1 g1")).len(), 3);
    assert_eq!(takes("nine,double-mill=two,remove-from-mills=never", &mill("a1 d1 g1")), ["d6"]);
}

#[test]
fn the_boards_have_the_mills_of_their_games() {
    let closes = |variant: &str, white: &str, to: &str| {
        let black = if variant == "six" { "a5 e5 e3" } else { "a7 g7 g4" };
        let start = Men { white, black, hand: [1, 1], slides: 0 };
        beginning(&*start.game(variant, WHITE), to).len() > 1
    };
    assert!(closes("nine", "d1 d2", "d3"));
    assert!(!closes("nine", "a1 b2", "c3"));
    assert!(closes("twelve", "a1 b2", "c3"));
    assert!(closes("morabaraba", "a1 b2", "c3"));
    assert!(closes("six", "a1 c1", "e1"));
    assert!(closes("six", "b4 c4", "d4"));
    assert!(!closes("six", "c1 c2", "c4"));
}

#[test]
fn in_lasker_morris_men_are_placed_or_slid() {
    let mut game = guided("lasker", None);
    play(&mut *game, "a1 a7");
    assert_eq!(beginning(&*game, "a1"), ["a1-a4", "a1-d1"]);
    play(&mut *game, "a1-a4");
    assert!(position(&*game).ends_with(" b p 1 9 1 9 1 2"), "{}", position(&*game));
    let mut nine = guided("nine", None);
    play(&mut *nine, "a1 a7");
    assert!(beginning(&*nine, "a1").is_empty());
    assert_eq!(
        put(&mut *nine, "a1-a4"),
        Err(Refusal::Illegal(kiban_core::Reason("illegal-no-man")))
    );
}

#[test]
fn the_first_rule_that_applies_names_a_foul() {
    let text = men("a1 d1 g4 b2", "a7 d7 f6 e5").text("nine", WHITE);
    for (m, reason) in [
        ("a4", "illegal-no-man"),
        ("e4-e3", "illegal-no-man"),
        ("a7-a4", "illegal-no-man"),
        ("pass", "illegal-no-man"),
        ("a1-d1", "illegal-occupied"),
        ("a1-e5", "illegal-occupied"),
        ("a1-g1xa7", "illegal-not-adjacent"),
        ("g4-g1", "illegal-removal"),
        ("g4-g1xa4", "illegal-removal"),
        ("g4-g1xa1", "illegal-removal"),
        ("g4-g1xa7xd7", "illegal-removal"),
        ("a1-a4xa7", "illegal-removal"),
    ] {
        assert_eq!(foul("nine", &text, m), reason, "{m}");
    }
    let start = "********/********/******** w p 0 9 0 9 0 1";
    assert_eq!(foul("nine", start, "a1-a4"), "illegal-no-man");
    let placed = "********/********/O******* b p 1 8 0 9 0 1";
    assert_eq!(foul("nine", placed, "d7"), "illegal-occupied");
}

#[test]
fn calls_end_the_game_for_both() {
    let mut game = guided("nine", None);
    assert_eq!(game.calls(WHITE), [Call::Resign, Call::AgreeDraw]);
    game.put(&Entry::new_call(BLACK, Call::Resign)).expect("taken");
    assert_eq!(ending(&*game), Some(("first", "resign")));
    assert!(choices(&*game).is_empty());
    let mut game = guided("nine", None);
    let both = kiban_core::Seats::first_n(2);
    game.put(&Entry::new_call(both, Call::AgreeDraw)).expect("taken");
    assert_eq!(ending(&*game), Some(("draw", "agreement")));
}

/// A cap on turns, as OpenSpiel has it, is no rule of the game.
#[test]
fn games_of_more_than_two_hundred_plies_are_played_to_their_end() {
    let mut longest = 0;
    for seed in 0..40 {
        let mut random = kiban_testkit::Random::new(seed);
        let mut game = guided("nine", None);
        while game.ending().is_none() {
            // Men are taken only when the quiet slides run out.
            let slides = game.view(Viewer::Watcher)["slides"].as_u64().expect("a number");
            let mut texts = choices(&*game);
            if texts.iter().any(|text| text.contains('x') == (slides > 60)) {
                texts.retain(|text| text.contains('x') == (slides > 60));
            }
            put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
        }
        longest = longest.max(game.log().len());
    }
    assert!(longest > 200, "{longest}");
}
