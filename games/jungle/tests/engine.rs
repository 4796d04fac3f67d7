//! The computer player.

mod common;

use common::{choices, guided, outcome, put};
use kiban_core::{Arbiter, Limits, Report, Score, Seat, Value, Workspace};
use kiban_jungle::GAME;
use kiban_search::Signature;
use kiban_testkit::Random;

fn ask(game: &dyn Arbiter, limits: Limits) -> (String, Vec<Report>) {
    let seat = game.waiting_for().only().expect("somebody is to move");
    let mut reports = Vec::new();
    let job = game.ask(seat);
    let entry = job(&mut Workspace::new(), limits, &mut |report| reports.push(report));
    let kiban_core::Act::Move(text) = entry.act else { panic!("{entry:?} is no move") };
    (text, reports)
}

fn level(level: u8, seed: u64) -> Limits {
    Limits { level: Some(level), seed, ..Limits::default() }
}

/// The value and distance the last report gives, if it is exact.
fn exact(reports: &[Report]) -> Option<(Value, Option<u32>)> {
    match reports.last()?.lines.first()?.score {
        Score::Exact { value, distance } => Some((value, distance)),
        Score::Estimate { .. } => None,
    }
}

#[test]
fn the_den_is_entered_at_once_at_every_level() {
    for variant in ["online", "classic"] {
        for number in 1..=10 {
            let game = guided(variant, Some("l6/3C3/7/7/7/7/7/7/6L w"));
            let (text, _) = ask(&*game, level(number, 3));
            assert_eq!(text, "d8d9", "level {number}");
        }
    }
}

#[test]
fn an_intruder_before_the_den_is_taken() {
    let game = guided("", Some("6t/7/7/7/7/7/7/2Rl3/6E w"));
    let (text, _) = ask(&*game, Limits { nodes: Some(5_000), ..Limits::default() });
    assert_eq!(text, "c2d2");
    let game = guided("", Some("6t/7/7/7/7/7/2R4/3l3/6E w"));
    let (_, reports) = ask(&*game, Limits { nodes: Some(5_000), ..Limits::default() });
    assert_eq!(exact(&reports), Some((Value::Loss, Some(2))));
}

#[test]
fn a_race_to_the_den_is_counted_out() {
    // Five steps to the den, and the lion is too far away to guard.
    let game = guided("classic", Some("7/7/7/3W3/7/7/7/7/l6 w"));
    let (_, reports) = ask(&*game, Limits { nodes: Some(200_000), ..Limits::default() });
    let (value, distance) = exact(&reports).expect("proved");
    assert_eq!(value, Value::Win, "{distance:?}");
    assert_eq!(distance, Some(5));
}

#[test]
fn bans_are_obeyed_at_the_root_and_foreseen() {
    let mut game = guided("", Some("6c/7/7/7/7/7/1T5/7/6R w"));
    common::put_all(&mut *game, "b3a3 g9g8 a3b3 g8g9 b3a3 g9g8 a3b3 g8g9 b3a3 g9f9 a3b3 f9g9");
    assert!(!game.banned().is_empty());
    let limits = Limits { nodes: Some(20_000), lines: 10, ..Limits::default() };
    let (_, reports) = ask(&*game, limits);
    for line in reports.iter().flat_map(|r| &r.lines) {
        assert_ne!(line.moves[0], "b3a3");
        let mut along = guided("", Some("6c/7/7/7/7/7/1T5/7/6R w"));
        for entry in game.log() {
            along.put(entry).expect("as before");
        }
        for text in &line.moves {
            put(&mut *along, text).unwrap_or_else(|e| panic!("{:?}: {text}: {e}", line.moves));
        }
    }
}

#[test]
fn limits_hold_and_lines_are_ranked() {
    let game = guided("", None);
    let (_, reports) = ask(&*game, Limits { depth: Some(4), ..Limits::default() });
    assert_eq!(reports.iter().map(|r| r.depth).max(), Some(4));
    let limits = Limits { nodes: Some(30_000), lines: 3, ..Limits::default() };
    let (text, reports) = ask(&*game, limits);
    assert!(reports.iter().all(|r| r.nodes <= 30_000));
    let last = reports.last().expect("a report");
    assert_eq!(last.lines[0].moves[0], text);
    let scores: Vec<f32> = last.lines.iter().map(|l| l.score.chance()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let only = vec!["a3a4".to_string()];
    let (text, _) = ask(&*game, Limits { nodes: Some(2_000), only, ..Limits::default() });
    assert_eq!(text, "a3a4");
}

#[test]
fn the_same_question_has_the_same_answer_whatever_was_asked_before() {
    let (game, other) = (guided("", None), guided("", Some("6c/7/7/7/7/7/1T5/7/6R w")));
    let mut memory = Workspace::new();
    let mut asked = |game: &dyn Arbiter| {
        let mut reports = Vec::new();
        let job = game.ask(Seat::FIRST);
        let entry = job(&mut memory, level(7, 5), &mut |report| reports.push(report));
        (entry, reports)
    };
    let first = asked(&*game);
    asked(&*other);
    assert_eq!(asked(&*game), first);
}

#[test]
fn several_threads_give_a_legal_answer() {
    let game = guided("", None);
    let limits = Limits { nodes: Some(20_000), threads: 2, ..Limits::default() };
    let (text, _) = ask(&*game, limits);
    assert!(choices(&*game).contains(&text));
}

/// Changes whenever the engine searches differently: then look whether that was meant, and take
/// over the new number.
#[test]
fn the_search_has_its_signature() {
    let bench = GAME.bench.as_ref().expect("there is one");
    let mut signature = Signature::default();
    for position in bench.positions {
        let game = guided("", Some(position));
        let (text, reports) = ask(&*game, Limits { depth: Some(6), ..Limits::default() });
        signature.add(reports.last().expect("a report").nodes, &text);
    }
    assert_eq!(signature.nodes, 51_993);
}

/// What stands on the board is worth this much, by side: a plain table, not the engine's.
fn material(game: &dyn Arbiter) -> [i32; 2] {
    let position = game.position(kiban_core::Viewer::Referee);
    let board = position.split(' ').next().expect("a board");
    let mut sums = [0; 2];
    for c in board.chars().filter(|c| c.is_ascii_alphabetic()) {
        let worth = match c.to_ascii_uppercase() {
            'E' => 10,
            'L' => 9,
            'T' => 8,
            'R' | 'P' => 5,
            'W' => 4,
            'D' => 3,
            _ => 2,
        };
        sums[usize::from(c.is_ascii_lowercase())] += worth;
    }
    sums
}

/// The best balance of material the side to move gets by captures of so many plies, or by none.
fn exchanged(game: &mut dyn Arbiter, seat: Seat, plies: u32) -> i32 {
    let balance = |game: &dyn Arbiter| {
        let [first, second] = material(game);
        if seat == Seat::FIRST { first - second } else { second - first }
    };
    let now = balance(game);
    let Some(mover) = game.waiting_for().only().filter(|_| plies > 0) else { return now };
    let mut best = now;
    for text in choices(game) {
        let before = material(game);
        put(game, &text).expect("legal");
        if material(game) != before {
            let value = exchanged(game, seat, plies - 1);
            best = if mover == seat { best.max(value) } else { best.min(value) };
        }
        game.take_back().expect("it is taken back");
    }
    best
}

#[test]
fn level_five_leaves_no_animal_to_be_taken_for_nothing() {
    let (mut asked, mut seed) = (0, 0);
    while asked < 200 {
        seed += 1;
        let mut random = Random::new(seed);
        let mut game = guided(if seed % 2 == 0 { "online" } else { "classic" }, None);
        for _ in 0..10 + random.below(50) {
            let Some(_) = game.waiting_for().only() else { break };
            // A plausible middle game: captures where there are any, else by chance.
            let texts = choices(&*game);
            let before = material(&*game).iter().sum::<i32>();
            let takes = |game: &mut dyn Arbiter, text: &String| {
                put(game, text).expect("legal");
                let taken = material(game).iter().sum::<i32>() < before;
                game.take_back().expect("it is taken back");
                taken
            };
            let wild = random.below(3) > 0;
            let taking: Vec<String> =
                texts.iter().filter(|t| wild && takes(&mut *game, t)).cloned().collect();
            let pick = if taking.is_empty() { &texts } else { &taking };
            put(&mut *game, random.pick(pick).expect("a choice")).expect("legal");
        }
        let Some(seat) = game.waiting_for().only() else { continue };
        let (text, reports) = ask(&*game, level(5, seed));
        // A win or a loss is in sight: material is not what counts.
        if exact(&reports).is_some() {
            continue;
        }
        let balance = |game: &mut dyn Arbiter, text: &str| {
            put(game, text).expect("legal");
            let value = exchanged(game, seat, 3);
            game.take_back().expect("it is taken back");
            value
        };
        asked += 1;
        let now = exchanged(&mut *game, seat, 0);
        let got = balance(&mut *game, &text);
        let best = choices(&*game).iter().map(|t| balance(&mut *game, t)).max().expect("a choice");
        // The smallest animal is worth two; one is the difference of two that were exchanged.
        let position = game.position(kiban_core::Viewer::Referee);
        assert!(best < now || got > now - 2, "{seed}: {text} {now} {got} {best} {position}");
    }
}

/// Points of the first player given, of games from random openings with sides swapped.
fn match_of(variant: &str, a: Option<u8>, b: Option<u8>, games: u64) -> f32 {
    let mut won = 0.0;
    for n in 0..games {
        let mut random = Random::new(n / 2);
        let mut game = guided(variant, None);
        let mut memory = Workspace::new();
        while let Some(seat) = game.waiting_for().only() {
            let of_a = (seat.index() == 0) == (n % 2 == 0);
            match (if of_a { a } else { b }).filter(|_| game.log().len() >= 6) {
                Some(number) => {
                    let entry = game.ask(seat)(&mut memory, level(number, n), &mut |_| {});
                    game.put(&entry).expect("legal");
                }
                None => {
                    let texts = choices(&*game);
                    put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
                }
            }
        }
        won += match outcome(&*game) {
            Some(("draw", _)) => 0.5,
            Some((result, _)) => f32::from(u8::from((result == "first") == (n % 2 == 0))),
            None => panic!("the game is over"),
        };
    }
    won
}

#[test]
fn levels_are_stronger_than_chance_and_than_lower_levels() {
    for variant in ["online", "classic"] {
        assert!(match_of(variant, Some(1), None, 10) >= 8.5, "{variant}");
        assert!(match_of(variant, Some(5), Some(1), 10) >= 7.0, "{variant}");
    }
}
