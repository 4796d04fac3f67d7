//! The crate against a second, slow reading of the rules page.

mod common;

use common::slow::{Slow, name, squares};
use common::{choices, guided, outcome, put};
use kiban_core::{Limits, Line, Notation, Outcome, Rules, Workspace};
use kiban_jungle::{GAME, Jungle, Move};
use kiban_testkit::Random;

/// Random positions compared: more by `KIBAN_JUNGLE_POSITIONS`.
const POSITIONS: u64 = 100_000;
/// Random lines compared: more by `KIBAN_JUNGLE_LINES`.
const LINES: u64 = 300;
/// Plies of a random line.
const PLIES: usize = 160;
/// Games of the computer checked: more by `KIBAN_JUNGLE_GAMES`.
const GAMES: u64 = 6;

fn scaled(key: &str, usual: u64) -> u64 {
    std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A variant with every option said at random.
fn some_variant(random: &mut Random) -> String {
    let mut text = random.pick(GAME.variants).expect("a variant").id.to_string();
    for option in GAME.options {
        let value = random.pick(option.values).expect("a value");
        text.push_str(&format!(",{}={value}", option.key));
    }
    text
}

/// An admitted position with animals crowded together more often than not.
fn some_position(random: &mut Random) -> String {
    let mut board = [['.'; 7]; 9];
    let (left, low) = (random.below(4) as i32, random.below(5) as i32);
    let crowded = random.below(3) > 0;
    for letter in "RCDWPTLErcdwptle".chars() {
        if random.below(3) == 0 {
            continue;
        }
        let here = |(file, rank): &(i32, i32)| {
            let near = (left..left + 4).contains(file) && (low..low + 5).contains(rank);
            let wet = (3..=5).contains(rank) && [1, 2, 4, 5].contains(file);
            let own_den = *file == 3 && *rank == if letter.is_ascii_uppercase() { 0 } else { 8 };
            (near || !crowded)
                && (!wet || letter.eq_ignore_ascii_case(&'r'))
                && !own_den
                && board[*rank as usize][*file as usize] == '.'
        };
        let free: Vec<(i32, i32)> = squares().filter(here).collect();
        if let Some((file, rank)) = random.pick(&free) {
            board[*rank as usize][*file as usize] = letter;
        }
    }
    let rows: Vec<String> = board.iter().rev().map(packed).collect();
    let side = if random.below(2) == 0 { "w" } else { "b" };
    format!("{} {side} {} {}", rows.join("/"), random.below(150), 1 + random.below(90))
}

fn packed(row: &[char; 7]) -> String {
    let mut text: String = row.iter().collect();
    for empty in (1..=7).rev() {
        text = text.replace(&".".repeat(empty), &empty.to_string());
    }
    text
}

/// Result and reason, as the slow reading gives them.
fn told(outcome: Option<Outcome>) -> Option<(&'static str, &'static str)> {
    outcome.map(|outcome| (outcome.result(), outcome.reason().0))
}

/// Compares legal moves, bans and the outcome.
fn same(line: &Line<Jungle>, slow: &Slow, place: &str) -> usize {
    let rules = line.rules();
    let verdict = told(rules.verdict(line));
    assert_eq!(verdict, slow.outcome(), "{place}");
    if verdict.is_some() {
        assert!(rules.legal(line).is_empty(), "{place}");
        return 0;
    }
    let (legal, banned) = slow.legal();
    let mut texts: Vec<String> = rules.legal(line).iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    assert_eq!(texts, legal, "{place}");
    let mover = rules.to_move(line.position());
    let why = |m: &Move| rules.foul(line, mover, *m).map(|why| (m.to_string(), why.0));
    let mut bans: Vec<_> = rules.moves(line.position()).iter().filter_map(why).collect();
    bans.sort_unstable();
    assert_eq!(bans, banned, "{place}");
    bans.len()
}

fn line_of(variant: &str, position: &str) -> Line<Jungle> {
    let rules = Jungle::of_variant(&GAME.variant(variant).expect("a variant"));
    let setup = rules.read_setup(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    assert_eq!(rules.faults(&setup), Vec::<String>::new(), "{position}");
    Line::new(rules, setup)
}

#[test]
fn random_positions_over_all_options() {
    let mut random = Random::new(1);
    for i in 0..scaled("KIBAN_JUNGLE_POSITIONS", POSITIONS) {
        let (variant, position) = (some_variant(&mut random), some_position(&mut random));
        let place = format!("{variant} {position}");
        let (line, slow) = (line_of(&variant, &position), Slow::new(&variant, &position));
        same(&line, &slow, &place);
        // Every pair of squares once in a while: the fouls and their order.
        if i % 50 == 0 && slow.outcome().is_none() {
            let mover = line.rules().to_move(line.position());
            for (from, to) in squares().flat_map(|a| squares().map(move |b| (a, b))) {
                let m = Move::read(&(name(from) + &name(to))).expect("a move");
                let foul = line.rules().foul(&line, mover, m).map(|why| why.0);
                assert_eq!(foul, slow.foul(from, to), "{place}: {m}");
            }
        }
    }
}

/// A move that keeps to the animal moved last, and more often than not goes back and forth.
fn stubborn<'a>(random: &mut Random, legal: &'a [String], last: Option<&str>) -> &'a String {
    let again: Vec<&String> =
        legal.iter().filter(|text| last.is_some_and(|last| text[..2] == last[2..])).collect();
    let back: Vec<&&String> =
        again.iter().filter(|text| last.is_some_and(|last| text[2..] == last[..2])).collect();
    match (back.first(), random.pick(&again)) {
        (Some(back), _) if random.below(3) > 0 => back,
        (_, Some(again)) if random.below(150) > 0 => again,
        _ => random.pick(legal).expect("a legal move"),
    }
}

#[test]
fn long_random_lines_with_bans_and_repetitions() {
    let (mut bans, mut ends) = ([0; 2], std::collections::BTreeMap::new());
    for seed in 0..scaled("KIBAN_JUNGLE_LINES", LINES) {
        let mut random = Random::new(seed);
        let variant = some_variant(&mut random);
        let start = match seed % 3 {
            0 => "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w".to_string(),
            _ => some_position(&mut random),
        };
        let (mut line, mut slow) = (line_of(&variant, &start), Slow::new(&variant, &start));
        let mut played: Vec<String> = Vec::new();
        while slow.outcome().is_none() && played.len() < PLIES {
            same(&line, &slow, &format!("{variant} {start} {played:?}"));
            let (legal, banned) = slow.legal();
            for (_, rule) in &banned {
                bans[usize::from(rule.ends_with("17-5"))] += 1;
            }
            let last = played.len().checked_sub(2).map(|i| played[i].clone());
            let text = stubborn(&mut random, &legal, last.as_deref()).clone();
            line.push(Move::read(&text).expect("a move"));
            slow.play(&text);
            played.push(text);
        }
        same(&line, &slow, &format!("{variant} {start} {played:?}"));
        *ends.entry(slow.outcome().map(|(_, reason)| reason)).or_insert(0) += 1;
    }
    assert!(bans.iter().all(|count| *count > 50), "bans of both rules were met: {bans:?}");
    for reason in ["den", "repetition", "no-capture"] {
        assert!(ends.contains_key(&Some(reason)), "{ends:?}");
    }
}

/// The computer's moves and the ends of its games, refereed by the slow reading.
#[test]
fn games_of_the_computer_are_legal() {
    for seed in 0..scaled("KIBAN_JUNGLE_GAMES", GAMES) {
        let variant = if seed % 2 == 0 { "online" } else { "classic" };
        let mut game = guided(variant, None);
        let mut slow = Slow::new(variant, game.start());
        let mut memory = Workspace::new();
        let mut random = Random::new(seed);
        while let Some(seat) = game.waiting_for().only() {
            assert_eq!(slow.outcome(), None);
            assert_eq!(choices(&*game), slow.legal().0);
            let text = if game.log().len() < 4 {
                random.pick(&choices(&*game)).expect("a choice").clone()
            } else {
                let level = Some(2 + ((seat.index() as u64 + seed) % 3) as u8);
                let limits = Limits { level, seed, ..Limits::default() };
                let entry = game.ask(seat)(&mut memory, limits, &mut |_| ());
                let kiban_core::Act::Move(text) = entry.act else { panic!("a move") };
                text
            };
            put(&mut *game, &text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
            slow.play(&text);
        }
        assert_eq!(outcome(&*game), slow.outcome(), "game {seed}");
    }
}
