//! How well the computer plays: won positions against a defender who never errs, and pieces that
//! are not left to be taken.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{
    Act, Arbiter, Conduct, Entry, Limits, Opening, Probed, Report, Score, Seat, Value, Viewer,
    Workspace,
};
use kiban_shogi3::GAME;
use kiban_testkit::Random;

/// The longest win that is asked for, in plies.
const LONGEST: u32 = 30;
/// Positions of each test.
const POSITIONS: usize = 200;
/// Small, middling and large set-ups; quick wins, slow ones and draws.
const SETUPS: [&str; 4] =
    ["2k/3/K2 b Pp 1", "glk/3/KLG b - 1", "npk/3/KPN b - 1", "s1k/3/K1S b Pp 1"];

fn opening(start: &str) -> Opening {
    let variant = GAME.variant("").unwrap();
    Opening { variant, start: Some(start.to_string()), conduct: Conduct::Guided, seed: None }
}

fn open(start: &str) -> Box<dyn Arbiter> {
    (GAME.open)(&opening(start)).unwrap()
}

/// The exact values here. What was solved last is kept, so that asking for a set-up first makes
/// everything behind it quick.
fn probe(position: &str) -> Probed {
    GAME.probe.unwrap()(&opening(position), &Limits::default()).unwrap()
}

fn choices(game: &dyn Arbiter) -> Vec<String> {
    let Some(seat) = game.waiting_for().only() else { return Vec::new() };
    game.choices(seat).into_iter().map(|choice| choice.text).collect()
}

fn put(game: &mut dyn Arbiter, text: &str) {
    let seat = game.waiting_for().only().unwrap();
    game.put(&Entry::new_move(seat, text)).unwrap();
}

/// What a level plays, and whether it knows the exact value.
fn ask(game: &dyn Arbiter, level: u8, seed: u64, memory: &mut Workspace) -> (String, bool) {
    let seat = game.waiting_for().only().unwrap();
    let limits = Limits { level: Some(level), seed, ..Limits::default() };
    let mut exact = false;
    let entry = game.ask(seat)(memory, limits, &mut |report: Report| {
        exact = matches!(report.lines[0].score, Score::Exact { .. });
    });
    let Act::Move(text) = entry.act else { panic!("{entry:?} is no move") };
    (text, exact)
}

/// A position some plies of chance away from a set-up, if the game goes on there.
fn wander(setup: &str, random: &mut Random) -> Option<Box<dyn Arbiter>> {
    let mut game = open(setup);
    for _ in 0..random.below(30) {
        let moves = choices(&*game);
        put(&mut *game, random.pick(&moves)?);
        game.ending().is_none().then_some(())?;
    }
    Some(game)
}

/// Whether a level wins from here against the best defence.
fn wins(start: &str, level: u8, memory: &mut Workspace) -> bool {
    let mut game = open(start);
    let hero = game.waiting_for().only().unwrap();
    while let Some(seat) = game.waiting_for().only() {
        if seat == hero {
            let text = ask(&*game, level, 1, memory).0;
            put(&mut *game, &text);
        } else {
            let best = probe(&game.position(Viewer::Referee)).moves[0].text.clone();
            put(&mut *game, &best);
        }
    }
    let result = game.ending().unwrap().outcome.unwrap().result();
    result == if hero == Seat::FIRST { "first" } else { "second" }
}

/// "From 200 won positions, distance at most 30, level 8 wins at least 95 % against the perfect
/// defender." `SHOGI3_LEVEL` asks another level and only tells.
#[test]
fn level_eight_wins_won_positions() {
    let asked = std::env::var("SHOGI3_LEVEL").ok().and_then(|text| text.parse().ok());
    let mut all = 0;
    for setup in SETUPS {
        probe(setup);
        let (mut random, mut memory) = (Random::new(7), Workspace::new());
        // The whole set-up is solved once for all the games.
        ask(&*open(setup), 8, 1, &mut memory);
        let (mut played, mut won) = (0, 0);
        while played < POSITIONS / SETUPS.len() {
            let Some(game) = wander(setup, &mut random) else { continue };
            let start = game.position(Viewer::Referee);
            let probed = probe(&start);
            if probed.value == Value::Win && probed.distance.is_some_and(|plies| plies <= LONGEST) {
                won += usize::from(wins(&start, asked.unwrap_or(8), &mut memory));
                played += 1;
            }
        }
        println!("{setup}: {won} of {played}");
        all += won;
    }
    assert!(asked.is_some() || all * 100 >= POSITIONS * 95, "{all} of {POSITIONS}");
}

/// The points of the tenth level against another from here, with either side, two for a win; and
/// whether it lost one of the games.
fn points(start: &str, rival: u8, memory: &mut Workspace) -> (u32, bool) {
    let (mut points, mut lost) = (0, false);
    for hero in [Seat::FIRST, Seat::SECOND] {
        let mut game = open(start);
        let mut seed = 0;
        while let Some(seat) = game.waiting_for().only() {
            seed += 1;
            let level = if seat == hero { 10 } else { rival };
            let text = ask(&*game, level, seed, memory).0;
            put(&mut *game, &text);
        }
        match game.ending().unwrap().outcome.unwrap().winners().only() {
            Some(seat) if seat == hero => points += 2,
            Some(_) => lost = true,
            None => points += 1,
        }
    }
    (points, lost)
}

/// In even positions the tenth level plays for a win and risks nothing. From the first of these it
/// once lost by checking for ever.
#[test]
fn the_tenth_level_beats_the_eighth_from_even_openings_and_never_loses() {
    let openings = (GAME.openings)();
    let every = openings.iter().map(String::as_str).step_by(8);
    let starts: Vec<&str> = ["1k1/R2/2K b r 1"].into_iter().chain(every).collect();
    let mut sum = 0;
    for start in &starts {
        let mut memory = Workspace::new();
        let (points, lost) = points(start, 8, &mut memory);
        assert!(!lost, "{start}");
        sum += points as usize;
    }
    // Of four points a pair: at least 60 %.
    assert!(10 * sum >= 24 * starts.len(), "{sum} of {}", 4 * starts.len());
}

/// It wins as fast, and loses as slowly, as can be, and gives away no draw.
#[test]
fn the_tenth_level_plays_moves_of_the_best_value_and_length() {
    let (mut random, mut memory, mut asked) = (Random::new(3), Workspace::new(), [0; 3]);
    let setup = SETUPS[2];
    ask(&*open(setup), 10, 1, &mut memory);
    probe(setup);
    for seed in 0..300 {
        let Some(game) = wander(setup, &mut random) else { continue };
        let (text, _) = ask(&*game, 10, seed, &mut memory);
        let probed = probe(&game.position(Viewer::Referee));
        let played = probed.moves.iter().find(|m| m.text == text).unwrap();
        assert_eq!((played.value, played.distance), (probed.value, probed.distance), "{probed:?}");
        asked[probed.value as usize] += 1;
    }
    assert!(asked.iter().all(|count| *count >= 10), "{asked:?}");
}

/// The worth of the pieces of a side less those of the other: a plain table, not the engine's.
fn balance(game: &dyn Arbiter, seat: Seat) -> i32 {
    let text = game.position(Viewer::Referee);
    let mut fields = text.split(' ');
    let (board, hands) = (fields.next().unwrap(), fields.nth(1).unwrap());
    let worth = |c: char| {
        let worth = match c.to_ascii_uppercase() {
            'P' => 1,
            'L' | 'N' => 2,
            'S' => 4,
            'G' => 5,
            'B' => 6,
            'R' => 7,
            _ => 0,
        };
        if c.is_ascii_uppercase() { worth } else { -worth }
    };
    let mut sum: i32 = board.chars().map(worth).sum();
    let mut times = 1;
    for c in hands.chars() {
        sum += times * worth(c);
        times = c.to_digit(10).map_or(1, |n| n as i32);
    }
    if seat == Seat::FIRST { sum } else { -sum }
}

/// The best balance the side to move gets by captures of so many plies, or by none.
fn exchanged(game: &mut dyn Arbiter, seat: Seat, plies: u32) -> i32 {
    let now = balance(game, seat);
    let Some(mover) = game.waiting_for().only().filter(|_| plies > 0) else { return now };
    let mut best = now;
    for text in choices(game) {
        put(game, &text);
        if balance(game, seat) != now {
            let value = exchanged(game, seat, plies - 1);
            best = if mover == seat { best.max(value) } else { best.min(value) };
        }
        game.take_back().unwrap();
    }
    best
}

/// The moves of a position that are worth no less than this one.
fn no_less(position: &str, text: &str) -> Vec<String> {
    let moves = probe(position).moves;
    let played = moves.iter().find(|m| m.text == text).unwrap().clone();
    let last = moves.iter().rposition(|m| (m.value, m.distance) == (played.value, played.distance));
    moves.into_iter().take(last.unwrap() + 1).map(|m| m.text).collect()
}

/// A piece is left for nothing where the other side can win material by captures at once, and another
/// move keeps it and is worth no less. Moves whose end the level sees are not asked about.
#[test]
fn level_five_leaves_no_piece_to_be_taken_for_nothing() {
    let (mut asked, mut given) = (0, Vec::new());
    for setup in SETUPS {
        let (mut random, mut memory, mut here) = (Random::new(5), Workspace::new(), 0);
        ask(&*open(setup), 5, 1, &mut memory);
        probe(setup);
        while here < POSITIONS / SETUPS.len() {
            let Some(mut game) = wander(setup, &mut random) else { continue };
            let Some(seat) = game.waiting_for().only() else { continue };
            let here_text = game.position(Viewer::Referee);
            let (text, exact) = ask(&*game, 5, asked, &mut memory);
            if exact {
                continue;
            }
            (asked, here) = (asked + 1, here + 1);
            let now = balance(&*game, seat);
            let mut after = |text: &String| {
                put(&mut *game, text);
                let value = exchanged(&mut *game, seat, 3);
                game.take_back().unwrap();
                value
            };
            let got = after(&text);
            let no_less = no_less(&here_text, &text);
            if got < now && no_less.iter().map(&mut after).max() >= Some(now) {
                given.push(format!("{here_text} {text}"));
            }
        }
    }
    assert!(given.is_empty(), "{} of {asked}: {given:#?}", given.len());
}
