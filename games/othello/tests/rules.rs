//! Each rule of the game.

mod common;

use common::{choices, guided, open, put};
use kiban_core::{Call, Conduct, Entry, Refusal, Seat, Seats, Stage, Viewer};
use kiban_othello::GAME;

/// Result and reason of an ended game.
fn outcome(game: &dyn kiban_core::Arbiter) -> (&'static str, &'static str) {
    let outcome = game.ending().and_then(|e| e.outcome).expect("the game has ended");
    (outcome.result(), outcome.reason().0)
}

/// A position whose first squares are these, with the rest empty.
fn corner(discs: &str, side: char) -> String {
    format!("{discs:-<64} {side}")
}

#[test]
fn black_begins_and_turns_what_it_encloses() {
    let mut game = guided("", None);
    assert_eq!(choices(&*game), ["c4", "d3", "e6", "f5"]);
    put(&mut *game, "f5").expect("legal");
    assert_eq!(
        game.position(Viewer::Watcher),
        "---------------------------OX------XXX-------------------------- O"
    );
    assert_eq!(game.score(), Some((4, 1)));
    assert_eq!(choices(&*game), ["d6", "f4", "f6"]);
    let view = game.view(Viewer::Watcher);
    assert_eq!(view["last"]["turned"], serde_json::json!(["e5"]));
    assert_eq!(view["to_move"], "second");
}

#[test]
fn discs_turn_in_all_eight_directions_the_nearest_first() {
    let board = "X--X--X-\
                 -O-O-O--\
                 --OOO---\
                 XOO-OOOX\
                 --OOO---\
                 -O-O-O--\
                 X--O--X-\
                 ---X---X";
    let mut game = guided("", Some(&format!("{board} X")));
    put(&mut *game, "d4").expect("legal");
    let view = game.view(Viewer::Referee);
    let turned = view["last"]["turned"].as_array().expect("a list");
    // Two each in six directions, three towards d8 and h4.
    assert_eq!(turned.len(), 18);
    let near: Vec<&str> = turned[..8].iter().filter_map(|t| t.as_str()).collect();
    assert!(near.iter().all(|t| ["c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"].contains(t)));
}

#[test]
fn a_side_without_a_move_passes_by_itself_and_the_pass_is_taken_back_with_the_move() {
    // After e1 White has one disc, beside a black one at the edge; Black can still play c6.
    let start = corner("XOOO------------------------------------XO", 'X');
    let mut game = guided("", Some(&start));
    let before = game.position(Viewer::Referee);
    put(&mut *game, "e1").expect("legal");
    let texts: Vec<String> = game.seen(Viewer::Watcher).into_iter().map(|s| s.text).collect();
    assert_eq!(texts, ["e1", "pass"]);
    assert_eq!(game.log().len(), 2);
    assert_eq!(game.log()[1], Entry::new_move(Seat::SECOND, "pass"));
    assert_eq!(game.waiting_for().only(), Some(Seat::FIRST));
    assert_eq!(game.before_forced().expect("a forced ply").forced().as_deref(), Some("pass"));
    // A transcript that writes the pass is not refused.
    game.put(&Entry::new_move(Seat::SECOND, "pass")).expect("an echo");
    assert_eq!(game.log().len(), 2);
    game.take_back().expect("there is a move");
    assert_eq!((game.position(Viewer::Referee), game.log().len()), (before, 0));
}

#[test]
fn the_game_ends_when_neither_side_can_move() {
    let mut game = guided("", Some(&corner("XO", 'X')));
    put(&mut *game, "c1").expect("legal");
    assert_eq!(game.stage(), Stage::Over);
    assert_eq!(outcome(&*game), ("first", "more-discs"));
    // Wiped out: all empty squares are counted to the winner.
    assert_eq!(game.score(), Some((64, 0)));
    assert!(put_refused(&mut *game, "a5") == Refusal::Over);
    game.take_back().expect("the last move");
    assert_eq!(game.stage(), Stage::Play);
}

fn put_refused(game: &mut dyn kiban_core::Arbiter, text: &str) -> Refusal {
    game.put(&Entry::new_move(Seat::FIRST, text)).expect_err("refused")
}

#[test]
fn a_draw_shares_the_empty_squares() {
    let start = corner("XX------------------------------------------------------------OO", 'X');
    let game = guided("", Some(&start));
    assert_eq!(outcome(&*game), ("draw", "equal-discs"));
    assert_eq!(game.score(), Some((32, 32)));
    let game = guided("anti", Some(&start));
    assert_eq!(outcome(&*game), ("draw", "equal-discs"));
    assert_eq!(game.score(), Some((2, 2)));
}

#[test]
fn a_decided_game_gives_the_empty_squares_to_the_winner_on_every_size() {
    let game =
        guided("", Some("OOO----------------------------------------------------------XX- X"));
    assert_eq!(outcome(&*game), ("second", "more-discs"));
    assert_eq!(game.score(), Some((2, 62)));
    let game = guided("size=4", Some("OOO------------X O"));
    assert_eq!(game.score(), Some((1, 15)));
    let game = guided("reversi,size=6", Some("OO------------XX--XX---------------- X"));
    assert_eq!(game.score(), Some((4, 2)), "the centre is not full: play goes on");
}

#[test]
fn fewer_discs_win_in_anti_reversi_and_count_as_they_lie() {
    let mut game = guided("anti", Some(&corner("XO", 'X')));
    put(&mut *game, "c1").expect("legal");
    assert_eq!(outcome(&*game), ("second", "fewer-discs"));
    assert_eq!(game.score(), Some((3, 0)));
}

#[test]
fn stopping_loses_every_square() {
    let cases = [
        (Call::Timeout, "timeout", "", (0, 64)),
        (Call::Resign, "resign", "reversi", (0, 64)),
        (Call::Left, "abandoned", "size=10", (0, 100)),
        (Call::Timeout, "timeout", "anti", (64, 0)),
        (Call::Resign, "resign", "anti,size=6", (36, 0)),
    ];
    for (call, reason, variant, score) in cases {
        let mut game = guided(variant, None);
        game.put(&Entry::new_call(Seat::FIRST, call)).expect("may be called");
        assert_eq!(outcome(&*game), ("second", reason), "{variant}");
        assert_eq!(game.score(), Some(score), "{variant}");
        game.take_back().expect("a call");
        assert_eq!(game.stage(), Stage::Play);
    }
    let mut game = guided("", None);
    game.put(&Entry::new_call(Seats::first_n(2), Call::AgreeDraw)).expect("both agree");
    assert_eq!(outcome(&*game), ("draw", "agreement"));
    assert_eq!(game.score(), Some((32, 32)));
    let mut game = guided("", None);
    for call in [Call::Declare, Call::AgreeImpasse, Call::AgreeDraw] {
        let refused = game.put(&Entry::new_call(Seat::FIRST, call));
        assert_eq!(refused, Err(Refusal::NoSuchCall(call)));
    }
}

#[test]
fn fouls_are_named_refused_judged_and_left_open() {
    let cases = [
        ("d4", "illegal-occupied"),
        ("a1", "illegal-no-flip"),
        ("j10", "illegal-no-flip"),
        ("i1", "illegal-no-flip"),
        ("pass", "illegal-pass"),
    ];
    for (text, reason) in cases {
        let mut game = guided("", None);
        let refusal = put(&mut *game, text).expect_err("refused");
        assert_eq!(refusal.slug(), reason, "{text}");
        let mut game = open("", None, Conduct::Official);
        put(&mut *game, text).expect("judged");
        assert_eq!(outcome(&*game), ("second", reason), "{text}");
        assert_eq!(game.score(), Some((0, 64)));
        // Federations take the move back: the record has no result.
        let record = kiban_core::Record::of_line(
            "othello",
            "othello",
            "",
            &[Entry::new_move(Seat::FIRST, text)],
        );
        let judged = (GAME.judge)(&record).expect("judged");
        assert_eq!(judged.outcome, None);
        let (ply, foul) = judged.foul.expect("a foul");
        assert_eq!((ply, foul.reason.0, foul.seat), (1, reason, Seat::FIRST));
        assert_eq!(judged.score, Some((2, 2)));
    }
}

#[test]
fn playing_out_of_turn_is_refused_in_every_conduct() {
    for conduct in [Conduct::Guided, Conduct::Official] {
        let mut game = open("", None, conduct);
        for text in ["f5", "a1", "d4", "pass"] {
            let answer = game.put(&Entry::new_move(Seat::SECOND, text));
            assert_eq!(answer, Err(Refusal::NotYourTurn), "{text}");
        }
    }
}

#[test]
fn in_reversi_the_centre_is_filled_freely() {
    let mut game = guided("reversi", None);
    for text in ["d4", "e4", "e5"] {
        let centre = ["d4", "e4", "d5", "e5"];
        assert!(choices(&*game).iter().all(|c| centre.contains(&c.as_str())));
        assert!(game.view(Viewer::Watcher)["placing_freely"] == true);
        put(&mut *game, text).expect("free");
    }
    assert_eq!(put(&mut *game, "c4").expect_err("not the centre").slug(), "illegal-no-flip");
    assert_eq!(put(&mut *game, "e5").expect_err("occupied").slug(), "illegal-occupied");
    put(&mut *game, "d5").expect("free");
    // Nothing turned on the way: black d4 e5, white e4 d5.
    assert_eq!(
        game.position(Viewer::Watcher),
        "---------------------------XO------OX--------------------------- X"
    );
    assert_eq!(choices(&*game), ["c5", "d6", "e3", "f4"]);
    // The phase is read from the board: the same position opened anew plays on alike.
    let again = guided("reversi", Some(&game.position(Viewer::Watcher)));
    assert_eq!(choices(&*again), choices(&*game));
}

#[test]
fn a_handicap_puts_corners_in_order_and_white_begins() {
    for (handicap, corners) in [(1, "a1"), (2, "a1 h8"), (3, "a1 h8 h1"), (4, "a1 h8 h1 a8")] {
        let variant = format!("handicap={handicap}");
        let game = guided(&variant, None);
        assert_eq!(game.waiting_for().only(), Some(Seat::SECOND));
        assert_eq!(game.score(), Some((2 + handicap, 2)));
        let scene = game.scene(Viewer::Watcher);
        for corner in corners.split(' ') {
            assert!(scene.pieces.iter().any(|p| p.at == corner && p.face == "X"), "{corner}");
        }
        let setup = guided("", Some(&format!("handicap-{handicap}")));
        assert_eq!(setup.start(), game.start());
    }
    assert_eq!(guided("size=4,handicap=1", None).start(), "X----OX--XO----- O");
}

#[test]
fn small_and_large_boards_start_in_the_middle() {
    assert_eq!(guided("size=6", None).start(), "--------------OX----XO-------------- X");
    assert_eq!(choices(&*guided("size=4", None)), ["a2", "b1", "c4", "d3"]);
    assert_eq!(choices(&*guided("size=10", None)), ["d5", "e4", "f7", "g6"]);
    assert_eq!(guided("anti,size=6", None).variant(), "anti,size=6");
}

#[test]
fn an_opening_is_drawn_by_seed_and_only_by_seed() {
    let start = |variant: &str, seed| {
        let variant = GAME.variant(variant).expect("a variant");
        let opening = kiban_core::Opening { variant, start: None, conduct: Conduct::Guided, seed };
        (GAME.open)(&opening).expect("it opens").start().to_string()
    };
    let ordinary = start("", Some(3));
    assert_eq!(start("xot", None), ordinary);
    assert_eq!(start("xot", Some(3)), start("xot", Some(3)));
    let drawn: std::collections::HashSet<String> =
        (0..40).map(|seed| start("xot", Some(seed))).collect();
    assert!(drawn.len() > 30, "{} openings of 40 draws", drawn.len());
    for text in &drawn {
        let discs = text.chars().filter(|c| matches!(c, 'X' | 'O')).count();
        // Twelve discs and the side to move.
        assert!(text.ends_with(" X") && discs == 13, "{text}");
    }
    assert_eq!(start("xot,size=6", Some(3)), start("size=6", None));
}

#[test]
fn twenty_random_games_of_each_kind_end_by_the_rules() {
    let variants =
        ["othello", "anti", "reversi", "xot", "size=4", "size=6", "anti,size=10", "handicap=4"];
    for variant in variants {
        for seed in 0..20 {
            let mut random = kiban_testkit::Random::new(seed);
            let mut game = guided(variant, None);
            while game.stage() == Stage::Play {
                let texts = choices(&*game);
                assert_ne!(texts, ["pass"], "a pass is never asked for");
                put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
            }
            let (result, reason) = outcome(&*game);
            let (first, second) = game.score().expect("a score");
            let anti = variant.starts_with("anti");
            let leader = match first.cmp(&second) {
                std::cmp::Ordering::Equal => "draw",
                order if order.is_gt() != anti => "first",
                _ => "second",
            };
            assert_eq!(result, leader, "{variant} {seed}");
            let named = if result == "draw" {
                "equal-discs"
            } else if anti {
                "fewer-discs"
            } else {
                "more-discs"
            };
            assert_eq!(reason, named);
        }
    }
}
