//! The computer player.

mod common;

use common::{choices, guided, men, put};
use kiban_core::{Act, Arbiter, Limits, Report, Score, Seat, Value, Viewer, Workspace};
use kiban_morris::{GAME, Morris, Position};
use kiban_search::Signature;
use kiban_testkit::Random;
use std::time::{Duration, Instant};

fn ask(game: &dyn Arbiter, limits: Limits) -> (String, Vec<Report>) {
    let seat = game.waiting_for().only().expect("somebody is to move");
    let mut reports = Vec::new();
    let entry = game.ask(seat)(&mut Workspace::new(), limits, &mut |report| reports.push(report));
    let Act::Move(text) = entry.act else { panic!("{entry:?} is no move") };
    (text, reports)
}

fn depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn a_win_is_found_and_called_exact() {
    let game = men("a1 d1 g4 b2", "a7 d7 f6").game("nine", Seat::FIRST);
    let (text, reports) = ask(&*game, depth(4));
    assert!(text.starts_with("g4-g1x"), "{text}");
    let score = reports.last().expect("a report").lines[0].score;
    assert_eq!(score, Score::Exact { value: Value::Win, distance: Some(1) });
}

/// A position lost in two: every move leaves one of two mills open to be closed.
#[test]
fn a_loss_is_seen() {
    let game = men("a7 d7 f2", "a1 d1 b2 d2 g4 f4").game("nine,flying=never", Seat::FIRST);
    let (_, reports) = ask(&*game, depth(4));
    let score = reports.last().expect("a report").lines[0].score;
    assert_eq!(score, Score::Exact { value: Value::Loss, distance: Some(2) });
}

#[test]
fn lines_are_ranked_and_legal() {
    let game = men("a1 d1 g4 b2 e3", "a7 d7 f6 b4 c5").game("nine", Seat::FIRST);
    let (text, reports) = ask(&*game, Limits { lines: 3, ..depth(5) });
    let last = reports.last().expect("a report");
    assert_eq!(last.lines.len(), 3);
    assert_eq!(last.lines[0].moves[0], text);
    for line in &last.lines {
        let mut game = guided("nine", Some(&game.position(Viewer::Referee)));
        line.moves.iter().for_each(|text| put(&mut *game, text).expect("legal"));
    }
    let chances: Vec<f32> = last.lines.iter().map(|l| l.score.chance()).collect();
    assert!(chances.is_sorted_by(|a, b| a >= b), "{chances:?}");
    let only = Limits { only: vec!["b2-d2".to_string()], ..depth(3) };
    assert_eq!(ask(&*game, only).0, "b2-d2");
}

/// The men a side is ahead after the best play of so many plies, within bounds, by trying
/// everything.
fn material(rules: Morris, p: &Position, depth: u32, mut low: i32, high: i32) -> i32 {
    let moves = rules.moves(p);
    if depth == 0 || moves.is_empty() {
        return p.count(p.to_move) as i32 - p.count(p.to_move.other()) as i32;
    }
    for m in moves {
        let mut next = *p;
        next.play(m);
        low = low.max(-material(rules, &next, depth - 1, -high, -low));
        if low >= high {
            break;
        }
    }
    low
}

/// What the whole engine thinks a first move is worth, or the best one, in hundredths of a man.
fn worth(game: &dyn Arbiter, only: Option<&str>) -> f32 {
    let only = only.into_iter().map(str::to_string).collect();
    let (_, reports) = ask(game, Limits { only, ..depth(9) });
    match reports.last().expect("a report").lines[0].score {
        Score::Estimate { points, .. } => points as f32,
        decided => 10_000.0 * (decided.chance() - 0.5),
    }
}

/// Level 5 may give a man for something, but not for nothing. A man is given for nothing where the
/// rival can take it at once, none comes back within two moves of the best play, another move keeps
/// more, and a deep search sees nothing for it either.
#[test]
fn level_five_leaves_no_man_to_be_taken_for_nothing() {
    let rules = Morris::of_variant(&GAME.variant("nine").expect("listed"));
    let (mut tried, mut seed, mut given) = (0, 0, Vec::new());
    while tried < 200 {
        seed += 1;
        let mut random = Random::new(seed);
        let mut game = guided("nine", None);
        let plies = 6 + random.below(30);
        while game.log().len() < plies && game.ending().is_none() {
            let texts = choices(&*game);
            put(&mut *game, random.pick(&texts).expect("a choice")).expect("legal");
        }
        if game.ending().is_some() {
            continue;
        }
        tried += 1;
        let p = rules.read(&game.position(Viewer::Referee)).expect("its own text").position;
        let limits = Limits { level: Some(5), seed, ..Limits::default() };
        let m = rules.move_of(&ask(&*game, limits).0).expect("a move");
        let mut next = p;
        next.play(m);
        let now = p.count(p.to_move) as i32 - p.count(p.to_move.other()) as i32;
        let kept = |plies: u32| -material(rules, &next, plies, -99, 99);
        let lost = kept(1) < now && kept(4) < now;
        if lost && kept(4) < material(rules, &p, 5, -99, 99) {
            let text = rules.move_text(m);
            if worth(&*game, Some(&text)) < worth(&*game, None) - 50.0 {
                given.push(format!("{} {text}", rules.write(&p)));
            }
        }
    }
    assert!(given.is_empty(), "{given:#?}");
}

/// The share of the first player given, of games from random openings with colours swapped.
fn match_of(a: Option<u8>, b: Option<u8>, pairs: u64) -> f32 {
    let mut won = 0.0;
    for n in 0..2 * pairs {
        let mut random = Random::new(n / 2);
        let mut game = guided("nine", None);
        let mut memory = Workspace::new();
        while let Some(seat) = game.waiting_for().only() {
            let of_a = (seat == Seat::FIRST) == (n % 2 == 0);
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
        won += match game.ending().and_then(|e| e.outcome).expect("it is over").result() {
            "draw" => 0.5,
            result => f32::from(u8::from((result == "first") == (n % 2 == 0))),
        };
    }
    won / (2 * pairs) as f32
}

#[test]
fn levels_are_stronger_than_chance_and_than_lower_levels() {
    assert!(match_of(Some(1), None, 10) >= 0.9);
    assert!(match_of(Some(5), Some(1), 5) >= 0.8);
}

/// The nodes and moves of the benchmark: they change when the engine searches differently.
#[test]
fn the_benchmark_has_its_signature() {
    let bench = GAME.bench.expect("a benchmark");
    let mut signature = Signature::default();
    for position in bench.positions {
        let game = guided("nine", Some(position));
        let (best, reports) = ask(&*game, depth(bench.depth));
        signature.add(reports.last().expect("a report").nodes, &best);
    }
    assert_eq!((signature.nodes, signature.value()), (1_256_145, 59_288_952_660_022_969));
}

/// The tables of these rules take many seconds: two engines at once, and neither is late.
#[test]
fn an_engine_moves_in_time_whether_its_tables_are_ready_or_not() {
    let think = || {
        let men = men("a7 g7 a1 g1", "b6 f6 b2 f2");
        let game = men.game("nine,flying=at-four", Seat::FIRST);
        let time = Some(Duration::from_millis(400));
        let began = Instant::now();
        let (_, reports) = ask(&*game, Limits { level: Some(8), time, ..Limits::default() });
        assert!(!reports.is_empty(), "it has searched");
        assert!(began.elapsed() < Duration::from_millis(1_200), "{:?}", began.elapsed());
    };
    std::thread::scope(|scope| {
        scope.spawn(think);
        scope.spawn(think);
    });
}
