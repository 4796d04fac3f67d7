//! The computer player.

mod common;

use common::{choices, guided, put};
use kiban_core::{Arbiter, Limits, Report, Score, Workspace};
use std::time::{Duration, Instant};

fn ask(game: &dyn Arbiter, limits: Limits) -> (String, Vec<Report>) {
    let seat = game.waiting_for().only().expect("somebody is to move");
    let mut reports = Vec::new();
    let job = game.ask(seat);
    let entry = job(&mut Workspace::new(), limits, &mut |report| reports.push(report));
    let kiban_core::Act::Move(text) = entry.act else { panic!("{entry:?} is no move") };
    (text, reports)
}

fn points(report: &Report) -> i32 {
    match report.lines[0].score {
        Score::Estimate { points, unit, .. } => {
            assert_eq!(unit, "centidisc");
            points
        }
        Score::Exact { .. } => panic!("results are given in points"),
    }
}

/// Exact results of positions late in a game, by trying every line.
fn brute(game: &mut dyn Arbiter) -> i64 {
    let sign = |game: &dyn Arbiter| {
        let (first, second) = game.score().expect("a score");
        first - second
    };
    let Some(seat) = game.waiting_for().only() else { return sign(game) };
    let anti = game.variant().starts_with("anti");
    let wants_more = (seat == kiban_core::Seat::FIRST) != anti;
    let values = choices(game).into_iter().map(|text| {
        put(game, &text).expect("legal");
        let value = brute(game);
        game.take_back().expect("a move");
        value
    });
    let values: Vec<i64> = values.collect();
    let best = if wants_more { values.iter().max() } else { values.iter().min() };
    *best.expect("a choice")
}

#[test]
fn the_end_is_solved_exactly_in_every_variant() {
    let cases =
        [("", 7), ("anti", 7), ("size=6", 7), ("size=10", 6), ("reversi", 7), ("size=4", 8)];
    for (variant, left) in cases {
        for seed in 0..6 {
            let mut random = kiban_testkit::Random::new(seed);
            let mut game = guided(variant, None);
            let empties = |game: &dyn Arbiter| {
                game.view(kiban_core::Viewer::Referee)["empties"].as_u64().expect("a count")
            };
            while game.ending().is_none() && empties(&*game) > left {
                let texts = choices(&*game);
                put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
            }
            if game.ending().is_some() {
                continue;
            }
            let first = game.waiting_for().only() == Some(kiban_core::Seat::FIRST);
            let (best, reports) = ask(&*game, Limits::default());
            let found = points(reports.last().expect("a report"));
            let lead = brute(&mut *game);
            let anti = variant == "anti";
            let wanted = if first != anti { lead } else { -lead };
            assert_eq!(i64::from(found), 100 * wanted, "{variant} {seed}");
            let chance = reports.last().expect("a report").lines[0].score.chance();
            assert_eq!(chance, (1.0 + found.signum() as f32) / 2.0);
            put(&mut *game, &best).expect("legal");
            assert_eq!(brute(&mut *game), lead, "{variant} {seed}: {best} keeps the result");
        }
    }
}

#[test]
fn four_by_four_is_solved_from_the_start() {
    let (_, reports) = ask(&*guided("size=4", None), Limits::default());
    // As the discs lie Black loses by eight, 3 to 11; the two empties go to White.
    assert_eq!(points(reports.last().expect("a report")), -1000);
}

/// FFO 40 of Edax's problem file: 20 empties, a2 wins by 38.
const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

#[test]
fn more_lines_are_ranked_and_say_legal_moves() {
    let game = guided("", Some(FFO_40));
    let limits = Limits { nodes: Some(60_000), lines: 3, ..Limits::default() };
    let (text, reports) = ask(&*game, limits);
    let last = reports.last().expect("a report");
    assert_eq!(last.lines.len(), 3);
    assert_eq!(last.lines[0].moves[0], text);
    for (i, line) in last.lines.iter().enumerate() {
        assert_eq!(usize::from(line.rank), i + 1);
        let mut game = guided("", Some(FFO_40));
        for text in &line.moves {
            match game.log().last().map(|e| e.act.clone()) {
                // The table has passed by itself.
                Some(kiban_core::Act::Move(passed)) if passed == "pass" && text == "pass" => {}
                _ => put(&mut *game, text).expect("legal"),
            }
        }
    }
    let scores: Vec<f32> = last.lines.iter().map(|l| l.score.chance()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let depths: Vec<u8> = reports.iter().map(|r| r.depth).collect();
    assert!(depths.is_sorted() && depths[0] == 1, "{depths:?}");
}

#[test]
fn limits_hold() {
    let game = guided("", None);
    let (_, reports) = ask(&*game, Limits { depth: Some(4), ..Limits::default() });
    assert_eq!(reports.iter().map(|r| r.depth).max(), Some(4));
    let (_, reports) = ask(&*game, Limits { nodes: Some(3000), ..Limits::default() });
    assert!(reports.iter().all(|r| r.nodes <= 3000));
    let begun = Instant::now();
    ask(&*game, Limits { time: Some(Duration::from_millis(50)), ..Limits::default() });
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn the_same_question_has_the_same_answer_whatever_was_asked_before() {
    let (game, other) = (guided("", None), guided("", Some(FFO_40)));
    let seat = kiban_core::Seat::FIRST;
    let limits = || Limits { nodes: Some(20_000), level: Some(6), seed: 5, ..Limits::default() };
    let mut memory = Workspace::new();
    let mut asked = |game: &dyn Arbiter| {
        let mut reports = Vec::new();
        let entry = game.ask(seat)(&mut memory, limits(), &mut |report| reports.push(report));
        (entry, reports)
    };
    let first = asked(&*game);
    asked(&*other);
    assert_eq!(asked(&*game), first);
}

#[test]
fn the_end_of_the_ffo_suite_begins_with_a_win_by_38() {
    let (text, reports) = ask(&*guided("", Some(FFO_40)), Limits::default());
    let last = reports.last().expect("a report");
    assert_eq!((text.as_str(), points(last)), ("a2", 3800));
    assert_eq!((last.depth, last.lines[0].score.chance()), (20, 1.0));
    // Judged first, proved last.
    assert!(reports[0].lines[0].score.chance() < 1.0);
}

/// The first of a hundred named positions; all are right with `examples/solve`.
#[test]
fn eighteen_empties_are_solved() {
    let (_, read) = kiban_othello::GAME.problems[0];
    let problems = read(include_str!("data/eighteen.obf")).expect("the file is well-formed");
    assert_eq!(problems.len(), 100);
    for problem in &problems[..3] {
        assert_eq!(problem.position.matches('-').count(), 18);
        let (_, reports) = ask(&*guided("", Some(&problem.position)), Limits::default());
        let found = points(reports.last().expect("a report"));
        assert_eq!(Some(found / 100), problem.points, "{}", problem.position);
    }
}

#[test]
fn only_the_asked_moves_are_looked_at() {
    let game = guided("", None);
    let only = vec!["c4".to_owned(), "e6".to_owned()];
    let limits = Limits { only, nodes: Some(20_000), ..Limits::default() };
    let (text, reports) = ask(&*game, limits);
    assert!(["c4", "e6"].contains(&text.as_str()), "{text}");
    assert!(reports.iter().all(|report| report.lines[0].moves[0] != "d3"));
}

/// A number that changes when the search or the weights do: whoever changes them says so here.
#[test]
fn the_benchmark_has_its_signature() {
    let bench = kiban_othello::GAME.bench.expect("there is one");
    let nodes = bench.positions.iter().map(|position| {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let (_, reports) = ask(&*guided("", Some(position)), limits);
        reports.last().expect("a report").nodes
    });
    assert_eq!(nodes.sum::<u64>(), 78_515);
}

/// Points won by the first player given, of games played from random openings with colours swapped.
fn match_of(variant: &str, a: Option<u8>, b: Option<u8>, pairs: u64) -> f32 {
    let mut won = 0.0;
    for n in 0..2 * pairs {
        let mut random = kiban_testkit::Random::new(n / 2);
        let mut game = guided(variant, None);
        let mut memory = Workspace::new();
        while let Some(seat) = game.waiting_for().only() {
            let of_a = (seat.index() == 0) == (n % 2 == 0);
            match (if of_a { a } else { b }).filter(|_| game.log().len() >= 4) {
                Some(level) => {
                    let limits = Limits { level: Some(level), seed: n, ..Limits::default() };
                    let entry = game.ask(seat)(&mut memory, limits, &mut |_| {});
                    game.put(&entry).expect("legal");
                }
                None => {
                    let texts = choices(&*game);
                    put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
                }
            }
        }
        let result = game.ending().and_then(|e| e.outcome).expect("it is over").result();
        won += match result {
            "draw" => 0.5,
            result => f32::from(u8::from((result == "first") == (n % 2 == 0))),
        };
    }
    won
}

#[test]
fn levels_are_stronger_than_chance_and_than_lower_levels() {
    for variant in ["", "anti"] {
        assert!(match_of(variant, Some(6), None, 5) >= 9.0, "{variant}");
        assert!(match_of(variant, Some(6), Some(2), 5) >= 8.0, "{variant}");
    }
}
