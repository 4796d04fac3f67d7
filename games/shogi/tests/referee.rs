//! Every row of the referee's table: endings, fouls with their slugs, impasse, handicaps.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{
    Act, Arbiter, Call, Conduct, Entry, Opening, Outcome, Refusal, Seat, Seats, Viewer,
};
use kiban_shogi::GAME;

fn open(variant: &str, start: &str, conduct: Conduct) -> Box<dyn Arbiter> {
    let variant = GAME.variant(variant).unwrap();
    let start = (!start.is_empty()).then(|| start.to_string());
    (GAME.open)(&Opening { variant, start, conduct, seed: None }).unwrap()
}

fn put(game: &mut dyn Arbiter, text: &str) -> Result<(), Refusal> {
    let seat = game.waiting_for().only().unwrap();
    game.put(&Entry::new_move(seat, text))
}

fn play(variant: &str, start: &str, moves: &str) -> Box<dyn Arbiter> {
    let mut game = open(variant, start, Conduct::Guided);
    for m in moves.split_whitespace() {
        assert!(game.ending().is_none(), "over before {m}");
        put(game.as_mut(), m).unwrap_or_else(|e| panic!("{m}: {e}"));
    }
    game
}

/// `first checkmate`, `replay sennichite`, or `-` where play goes on.
fn told(game: &dyn Arbiter) -> String {
    match game.ending().and_then(|e| e.outcome) {
        Some(outcome) => format!("{} {}", outcome.result(), outcome.reason()),
        None => "-".to_string(),
    }
}

fn call(variant: &str, start: &str, by: impl Into<Seats>, call: Call) -> Result<String, Refusal> {
    let mut game = open(variant, start, Conduct::Guided);
    game.put(&Entry::new_call(by, call))?;
    Ok(told(game.as_ref()))
}

#[test]
fn checkmate_and_stalemate_lose() {
    let mated = play("", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
    assert_eq!(told(mated.as_ref()), "first checkmate");
    let stuck = open("", "8k/9/6NG1/9/9/9/9/9/4K4 w - 1", Conduct::Guided);
    assert_eq!(told(stuck.as_ref()), "first stalemate");
    assert!(stuck.waiting_for().is_empty());
}

#[test]
fn each_foul_has_its_slug_and_loses_at_once() {
    let crowded = "4k4/9/4P4/9/9/9/9/9/4K4 b GP 1";
    let pinned = "4k4/4r4/9/9/9/9/9/4G4/4K4 b P 1";
    let knight = "4k4/9/4N4/9/9/9/9/9/4K4 b N 1";
    let pawn_mate = "7lk/9/8S/9/9/9/9/7L1/8K b P 1";
    let rows = [
        ("", "2g2h", "illegal-piece-move"),
        ("", "5e5d", "illegal-piece-move"),
        ("", "P*5e", "illegal-drop"),
        (crowded, "G*5c", "illegal-drop"),
        (crowded, "P*5e", "illegal-nifu"),
        (crowded, "P*4a", "illegal-dead-piece"),
        (knight, "5c4a", "illegal-dead-piece"),
        (knight, "N*3b", "illegal-dead-piece"),
        ("", "7g7f+", "illegal-promotion"),
        ("", "5i5h+", "illegal-promotion"),
        (pinned, "5h4h", "illegal-king-in-check"),
        (pawn_mate, "P*1b", "illegal-uchifuzume"),
        ("", "3c3d", "illegal-piece-move"),
    ];
    for (start, text, slug) in rows {
        let mut game = open("", start, Conduct::Official);
        put(game.as_mut(), text).unwrap();
        let ending = game.ending().unwrap();
        let foul = ending.foul.as_ref().unwrap();
        assert_eq!((foul.reason.0, foul.seat), (slug, Seat::FIRST), "{start} {text}");
        assert_eq!(told(game.as_ref()), format!("second {slug}"));

        let mut guided = open("", start, Conduct::Guided);
        let before = guided.view(kiban_core::Viewer::Referee);
        let refused = put(guided.as_mut(), text).unwrap_err();
        assert_eq!(refused.slug(), slug);
        assert_eq!(guided.view(kiban_core::Viewer::Referee), before);
    }
}

#[test]
fn a_legal_pawn_drop_may_give_check_and_a_pinned_taker_does_not_help() {
    let rows = [
        ("4kl3/9/4G4/9/7B1/9/9/9/4K4 b P 1", "P*5b", None),
        ("3lkg2R/9/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", Some("illegal-uchifuzume")),
    ];
    for (start, text, slug) in rows {
        let mut game = open("", start, Conduct::Official);
        put(game.as_mut(), text).unwrap();
        let foul = game.ending().and_then(|e| e.foul.as_ref()).map(|f| f.reason.0);
        assert_eq!(foul, slug, "{start}");
    }
}

#[test]
fn moving_twice_in_a_row_is_the_first_foul() {
    let mut game = play("", "", "7g7f");
    assert_eq!(game.put(&Entry::new_move(Seat::FIRST, "2g2f")), Err(Refusal::NotYourTurn));
    let mut game = open("", "", Conduct::Official);
    put(game.as_mut(), "7g7f").unwrap();
    game.put(&Entry::new_move(Seat::FIRST, "2g2f")).unwrap();
    assert_eq!(told(game.as_ref()), "second illegal-double-move");
    // A seat cannot lose the game for its rival by touching the rival's pieces.
    let mut game = open("", "", Conduct::Official);
    put(game.as_mut(), "7g7f").unwrap();
    put(game.as_mut(), "2g2f").unwrap();
    assert_eq!(told(game.as_ref()), "first illegal-double-move");
    // Nobody has moved yet: gote is simply not to move.
    let mut game = open("", "", Conduct::Official);
    assert_eq!(game.put(&Entry::new_move(Seat::SECOND, "3c3d")), Err(Refusal::NotYourTurn));
}

#[test]
fn the_fourth_time_is_sennichite() {
    let round = "2h3h 8b7b 3h2h 7b8b ";
    assert_eq!(told(play("", "", &round.repeat(2)).as_ref()), "-");
    let short = round.repeat(3);
    let before = short.trim_end().rsplit_once(' ').unwrap().0;
    assert_eq!(told(play("", "", before).as_ref()), "-");
    assert_eq!(told(play("", "", &short).as_ref()), "replay sennichite");
    assert_eq!(told(play("sennichite=draw", "", &short).as_ref()), "draw sennichite");
}

#[test]
fn sennichite_completed_by_either_side_ends_the_game() {
    // The start position comes back with gote to move too: sente completes the fourth.
    let moves = format!("7g7f {}", "8b7b 2h3h 7b8b 3h2h ".repeat(3));
    assert_eq!(told(play("", "", &moves).as_ref()), "replay sennichite");
}

#[test]
fn perpetual_check_loses_whoever_is_to_move() {
    let checker_to_move = "4k4/9/9/9/9/9/9/5R3/K8 b - 1";
    let round = "4h5h 5a4a 5h4h 4a5a ";
    assert_eq!(told(play("", checker_to_move, &round.repeat(2)).as_ref()), "-");
    let third = play("", checker_to_move, &round.repeat(3));
    assert_eq!(told(third.as_ref()), "second perpetual-check");
    // A check standing in the start position is nobody's move.
    let checked_to_move = "4k4/9/9/9/9/9/9/4R4/K8 w - 1";
    let round = "5a4a 5h4h 4a5a 4h5h ";
    let third = play("", checked_to_move, &round.repeat(3));
    assert_eq!(told(third.as_ref()), "second perpetual-check");
}

#[test]
fn one_quiet_move_makes_it_sennichite() {
    let start = "4k4/9/9/9/9/9/9/5R3/K8 b - 1";
    let (checks, quiet) = ("4h5h 5a4a 5h4h 4a5a ", "4h3h 5a6a 3h4h 6a5a ");
    let moves = format!("{checks}{quiet}{checks}");
    assert_eq!(told(play("", start, &moves).as_ref()), "replay sennichite");
    // Quiet moves before the first occurrence do not count.
    let late = "4k4/9/9/9/9/9/9/6R2/K8 b - 1";
    let moves = format!(
        "3h4h 5a5b 4h4i 5b5a 4i4h 5a6a 4h5h 6a6b 5h4h 6b6a 4h4g 6a5a {}",
        "4g5g 5a4a 5g4g 4a5a ".repeat(3)
    );
    assert_eq!(told(play("", late, &moves).as_ref()), "second perpetual-check");
}

const ENTERED: &str = "+B+B+R+RKGGGG/SSSS5/9/9/9/9/9/9/7k1 b";
/// The same for gote.
const GOTE_ENTERED: &str = "1K7/9/9/9/9/9/9/5ssss/ggggk+r+r+b+b w";

#[test]
fn declaring_by_27_points() {
    let rows = [
        (format!("{ENTERED} - 1"), Seat::FIRST, "first impasse"),
        (
            format!("{} - 1", ENTERED.replace("SSSS5", "SSS6")),
            Seat::FIRST,
            "second failed-declaration",
        ),
        (format!("{} P 1", ENTERED.replace("SSSS5", "SSS6")), Seat::FIRST, "first impasse"),
        // 27 are enough for gote.
        (format!("{} - 1", GOTE_ENTERED.replace("5ssss", "6sss")), Seat::SECOND, "second impasse"),
        (
            format!("{} - 1", GOTE_ENTERED.replace("5ssss", "7ss")),
            Seat::SECOND,
            "first failed-declaration",
        ),
        // Ten others in the zone are needed, points or not.
        ("+B+B+R+RKGGGG/SS7/9/9/9/9/9/9/7k1 b 10P 1".into(), Seat::FIRST, "first impasse"),
        (
            "+B+B+R+RKGGGG/S8/9/9/9/9/9/9/7k1 b 10P 1".into(),
            Seat::FIRST,
            "second failed-declaration",
        ),
        // In check, or the king outside.
        (
            "+B+B+R1KGGGG/SSSS5/9/9/4r4/9/9/9/7k1 b 10P 1".into(),
            Seat::FIRST,
            "second failed-declaration",
        ),
        (
            "+B+B+R+RGGGG1/SSSS5/9/4K4/9/9/9/9/7k1 b 10P 1".into(),
            Seat::FIRST,
            "second failed-declaration",
        ),
    ];
    for (start, seat, expected) in rows {
        let found = call("", &start, seat, Call::Declare);
        assert_eq!(found.as_deref(), Ok(expected), "{start}");
    }
    let start = format!("{ENTERED} - 1");
    let refused = call("", &start, Seat::SECOND, Call::Declare);
    assert_eq!(refused, Err(Refusal::NoSuchCall(Call::Declare)));
}

#[test]
fn declaring_by_24_points_by_try_or_not_at_all() {
    let rows = [
        ("impasse=points24", format!("{ENTERED} - 1"), Ok("replay impasse")),
        ("impasse=points24", format!("{ENTERED} 3P 1"), Ok("first impasse")),
        ("impasse=points24", format!("{ENTERED} 2P 1"), Ok("replay impasse")),
        (
            "impasse=points24",
            "+B1+R+RKGGGG/SSSS5/9/9/9/9/9/9/7k1 b P 1".into(),
            Ok("replay impasse"),
        ),
        (
            "impasse=points24",
            "+B1+R+RKGGGG/SSSS5/9/9/9/9/9/9/7k1 b - 1".into(),
            Ok("second failed-declaration"),
        ),
        ("impasse=none", format!("{ENTERED} - 1"), Err(Refusal::NoSuchCall(Call::Declare))),
        ("impasse=try", format!("{ENTERED} - 1"), Err(Refusal::NoSuchCall(Call::Declare))),
    ];
    for (variant, start, expected) in rows {
        let found = call(variant, &start, Seat::FIRST, Call::Declare);
        assert_eq!(found, expected.map(str::to_string), "{variant} {start}");
    }
    assert_eq!(
        told(play("impasse=try", "8k/3K5/9/9/9/9/9/9/9 b - 1", "6b5a").as_ref()),
        "first try"
    );
    assert_eq!(told(play("", "8k/3K5/9/9/9/9/9/9/9 b - 1", "6b5a").as_ref()), "-");
    let guarded = "4r3k/3K5/9/9/9/9/9/9/9 b - 1";
    let mut game = open("impasse=try", "3r4k/3PK4/9/9/9/9/9/9/9 b - 1", Conduct::Guided);
    assert_eq!(put(game.as_mut(), "5b5a").unwrap_err().slug(), "illegal-king-in-check");
    assert!(open("impasse=try", guarded, Conduct::Guided).ending().is_none());
}

#[test]
fn a_handicap_counts_what_the_giver_left_away() {
    let game = open("", "two", Conduct::Guided);
    assert_eq!(game.variant(), "shogi");
    assert_eq!(game.waiting_for().only(), Some(Seat::SECOND));
    // The choice against it stays written, as it is not the default there.
    assert_eq!(
        open("impasse=points27", "two", Conduct::Guided).variant(),
        "shogi,impasse=points27"
    );
    assert_eq!(open("impasse=points27h", "two", Conduct::Guided).variant(), "shogi");
    assert_eq!(open("impasse=points27", "", Conduct::Guided).variant(), "shogi");
    // Rook and bishop of a set are missing from the board: ten points for gote.
    let start = "K8/9/9/9/9/9/9/5ssss/ggggk2+r+b w 7p 1";
    assert_eq!(
        call("impasse=points27h", start, Seat::SECOND, Call::Declare).unwrap(),
        "second impasse"
    );
    let plain = "K8/9/9/9/9/9/9/5ssss/ggggk2+r+b w 3p 1";
    let found = call("impasse=points27", plain, Seat::SECOND, Call::Declare).unwrap();
    assert_eq!(found, "first failed-declaration");
    let found = call("impasse=points27h", plain, Seat::SECOND, Call::Declare).unwrap();
    assert_eq!(found, "second impasse");
}

#[test]
fn impasse_by_agreement() {
    let both = Seats::first_n(2);
    let both_entered = |hands: &str| format!("+B+B+R+RK4/9/9/9/9/9/9/9/4k4 b {hands} 1");
    // The enemy camp of gote's king is ranks g to i.
    let rows = [
        ("", both_entered("7P11p4g4s4n4l"), Ok("replay impasse")),
        ("", both_entered("6P12p4g4s4n4l"), Ok("second impasse")),
        ("", both_entered("8P10p4g4s4n4l"), Ok("first impasse")),
        ("agreement=agreed24", both_entered("4P14p4g4s4n4l"), Ok("replay impasse")),
        ("agreement=agreed24", both_entered("3P15p4g4s4n4l"), Ok("second impasse")),
        ("impasse=none", both_entered("7P11p"), Err(Refusal::NoSuchCall(Call::AgreeImpasse))),
    ];
    for (variant, start, expected) in rows {
        let found = call(variant, &start, both, Call::AgreeImpasse);
        assert_eq!(found, expected.map(str::to_string), "{variant} {start}");
    }
    let outside = "+B+B+R+RK4/9/9/5k3/9/9/9/9/9 b - 1";
    let refused = call("", outside, both, Call::AgreeImpasse);
    assert_eq!(refused, Err(Refusal::NoSuchCall(Call::AgreeImpasse)));
    assert!(call("agreement=agreed24", outside, both, Call::AgreeImpasse).is_ok());
    let alone = call("", &both_entered("7P11p"), Seat::FIRST, Call::AgreeImpasse);
    assert_eq!(alone, Err(Refusal::NoSuchCall(Call::AgreeImpasse)));
}

/// Plays on, visiting each position as seldom as possible, with moves `allowed` lets through.
fn wander(game: &mut dyn Arbiter, plies: usize, allowed: impl Fn(&str) -> bool) {
    let mut visits = std::collections::HashMap::<String, usize>::new();
    let key = |game: &dyn Arbiter| {
        let sfen = game.position(kiban_core::Viewer::Referee);
        sfen.rsplit_once(' ').unwrap().0.to_string()
    };
    while game.log().len() < plies && game.ending().is_none() {
        let seat = game.waiting_for().only().unwrap();
        let mut best: Option<(usize, String)> = None;
        for choice in game.choices(seat).into_iter().filter(|c| allowed(&c.text)) {
            game.put(&Entry::new_move(seat, choice.text.clone())).unwrap();
            let seen = visits.get(&key(game)).copied().unwrap_or(0);
            game.take_back().unwrap();
            if best.as_ref().is_none_or(|b| seen < b.0) {
                best = Some((seen, choice.text));
            }
        }
        game.put(&Entry::new_move(seat, best.unwrap().1)).unwrap();
        *visits.entry(key(game)).or_default() += 1;
    }
}

const TWO_KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1";

#[test]
fn the_longest_game_is_replayed() {
    for limit in [256, 320] {
        let mut game = open(&format!("max-moves={limit}"), TWO_KINGS, Conduct::Guided);
        wander(game.as_mut(), 1000, |_| true);
        assert_eq!((told(game.as_ref()).as_str(), game.log().len()), ("replay max-moves", limit));
    }
}

#[test]
fn at_500_play_goes_on_until_a_king_has_entered() {
    let mut game = open("max-moves=500", TWO_KINGS, Conduct::Guided);
    // Ranks a to c for gote, g to i for sente: nobody enters.
    let seat_rank = |text: &str| text.as_bytes()[3];
    wander(game.as_mut(), 520, |text| {
        let (from, to) = (text.as_bytes()[1], seat_rank(text));
        if from <= b'd' { to <= b'd' } else { to >= b'f' }
    });
    assert_eq!((told(game.as_ref()).as_str(), game.log().len()), ("-", 520));
    let mut entering = open("max-moves=500", "9/9/9/3k5/9/5K3/9/9/9 b - 1", Conduct::Guided);
    wander(entering.as_mut(), 600, |_| true);
    assert!(told(entering.as_ref()) == "replay max-moves" && entering.log().len() >= 500);
}

#[test]
fn mate_and_perpetual_check_go_before_the_longest_game() {
    let mut game = open("max-moves=256", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Conduct::Guided);
    // The king that is to be mated stays; sente's king wanders.
    wander(game.as_mut(), 254, |text| !text.starts_with("G*") && !text.starts_with("5c"));
    assert_eq!(told(game.as_ref()), "-");
    assert_eq!(game.log().len(), 254);
    assert!(game.waiting_for().has(Seat::FIRST));
}

#[test]
fn timeouts_resignations_and_leaving_lose() {
    for (by, said, expected) in [
        (Seats::from(Seat::FIRST), Call::Resign, "second resign"),
        (Seats::from(Seat::SECOND), Call::Timeout, "first timeout"),
        (Seats::from(Seat::FIRST), Call::Left, "second abandoned"),
        (Seats::first_n(2), Call::AgreeDraw, "draw agreement"),
    ] {
        assert_eq!(call("", "", by, said).unwrap(), expected);
    }
    let alone = call("", "", Seat::FIRST, Call::AgreeDraw);
    assert_eq!(alone, Err(Refusal::NoSuchCall(Call::AgreeDraw)));
}

#[test]
fn every_handicap_opens_with_the_giver_to_move() {
    assert_eq!(GAME.setups.len(), 17);
    for setup in GAME.setups {
        let game = open("", setup.id, Conduct::Guided);
        assert_eq!(game.waiting_for().only(), Some(Seat::SECOND), "{}", setup.id);
        assert!(!game.choices(Seat::SECOND).is_empty());
    }
}

#[test]
fn a_position_that_cannot_be_is_refused_with_the_fault_named() {
    let rows = [
        ("4k4/9/9/9/9/9/9/9/4KP3 b - 1", "4i", false),
        ("4k4/9/4P4/4P4/9/9/9/9/4K4 b - 1", "file 5", true),
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "9a", true),
        ("4k4/9/9/9/9/9/9/9/4R4 b - 1", "check", true),
        ("9/9/9/9/9/9/9/9/9 b - 1", "king", true),
    ];
    for (start, word, refused) in rows {
        let variant = GAME.variant("").unwrap();
        let start = Some(start.to_string());
        let opening = Opening::new(variant, start);
        match (GAME.open)(&opening) {
            Ok(_) => assert!(!refused, "{opening:?}"),
            Err(e) => assert!(refused && e.to_string().contains(word), "{e}"),
        }
    }
}

#[test]
fn a_record_that_moves_twice_in_a_row_is_the_movers_foul() {
    let judged = |by: Seats| {
        let first = Entry::new_move(Seat::FIRST, "7g7f");
        let second = Entry { by, act: Act::Move("2g2f".into()) };
        let record = kiban_core::Record::of_line("shogi", "", "", &[first, second]);
        (GAME.judge)(&record).unwrap()
    };
    // Where the text names no side the piece tells whose move it was; where it does, it is believed:
    // who takes the rival's piece for an own one has lost.
    for (by, loser) in [
        (Seats::NONE, Seat::FIRST),
        (Seat::FIRST.into(), Seat::FIRST),
        (Seat::SECOND.into(), Seat::SECOND),
    ] {
        let judged = judged(by);
        let (ply, foul) = judged.foul.unwrap();
        assert_eq!((ply, foul.seat, foul.reason.0), (2, loser, "illegal-double-move"));
        let winner = if loser == Seat::FIRST { Seat::SECOND } else { Seat::FIRST };
        assert!(matches!(judged.outcome, Some(Outcome::Win { seats, .. }) if seats.has(winner)));
    }
}

#[test]
fn a_game_that_ended_by_a_move_of_the_rivals_piece_has_records_that_name_the_loser() {
    let mut opening = Opening::new(GAME.variant("").unwrap(), None);
    opening.conduct = Conduct::Official;
    let mut game = (GAME.open)(&opening).unwrap();
    for (seat, text) in [(Seat::FIRST, "7g7f"), (Seat::SECOND, "2g2f")] {
        game.put(&Entry::new_move(seat, text)).unwrap();
    }
    let record = game.record(Viewer::Referee);
    for id in ["ki2", "csa", "jkf"] {
        let format = GAME.format(id).unwrap();
        let written = (format.write.unwrap())(std::slice::from_ref(&record)).unwrap();
        let source = kiban_core::Source { bytes: &written, variant: None };
        let read = (format.read.unwrap())(source).unwrap().remove(0);
        let judged = (GAME.judge)(&read).unwrap();
        assert_eq!(judged.foul.map(|(_, foul)| foul.seat), Some(Seat::SECOND), "{id}");
        assert_eq!(judged.agrees, Some(true), "{id}");
    }
}
