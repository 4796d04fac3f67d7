//! The crate against a second, slow reading of the rules page.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

mod slow;

use kiban_core::{Act, Arbiter, Conduct, Entry, Limits, Opening, Workspace};
use kiban_shogi3::GAME;
use kiban_testkit::Random;
use slow::Slow;
use std::collections::BTreeMap;

/// Random positions compared: more by `KIBAN_SHOGI3_POSITIONS`.
const POSITIONS: u64 = 100_000;
/// Random lines compared: more by `KIBAN_SHOGI3_LINES`.
const LINES: u64 = 5_000;
/// Plies of a random line.
const PLIES: usize = 80;
/// Games of the computer checked: more by `KIBAN_SHOGI3_GAMES`.
const GAMES: u64 = 1_000;

/// Where the first side can check for ever.
const CHASE: &str = "2K/2G/+lk1 b lg 1";

fn scaled(key: &str, usual: u64) -> u64 {
    std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Every option said at random.
fn some_variant(random: &mut Random) -> String {
    let option = |text: String, option: &kiban_core::OptionSpec| {
        format!("{text},{}={}", option.key, random.pick(option.values).unwrap())
    };
    GAME.options.iter().fold(GAME.variants[0].id.to_string(), option)
}

/// Pieces of the box thrown onto the board and into the hands; many such positions are not admitted.
fn some_position(random: &mut Random) -> String {
    let mut board = vec![String::new(); 9];
    let mut squares: Vec<usize> = (0..9).collect();
    random.shuffle(&mut squares);
    board[squares.pop().unwrap()] = "K".to_string();
    board[squares.pop().unwrap()] = "k".to_string();
    let (mut box_of_all, mut hands) = ("RRBBGGSSNNLLPP".chars().collect::<Vec<_>>(), String::new());
    random.shuffle(&mut box_of_all);
    for letter in box_of_all.into_iter().take(random.below(7)) {
        let own = random.below(2) == 0;
        let letter = if own { letter } else { letter.to_ascii_lowercase() };
        if random.below(4) == 0 || squares.is_empty() {
            hands.push(letter);
            continue;
        }
        let promoted = !"Gg".contains(letter) && random.below(4) == 0;
        let plus = if promoted { "+" } else { "" };
        board[squares.pop().unwrap()] = format!("{plus}{letter}");
    }
    let mut sorted: Vec<char> = hands.chars().collect();
    sorted.sort_by_key(|c| (c.is_ascii_lowercase(), "RBGSNLP".find(c.to_ascii_uppercase())));
    let hands = if sorted.is_empty() { "-".to_string() } else { sorted.iter().collect() };
    let cell = |cell: &String| if cell.is_empty() { "1".to_string() } else { cell.clone() };
    let row = |row: &[String]| row.iter().map(cell).collect::<String>();
    let rows: Vec<String> = board.chunks(3).map(row).collect();
    let side = if random.below(2) == 0 { "b" } else { "w" };
    let rows = rows.join("/").replace("111", "3").replace("11", "2");
    format!("{rows} {side} {hands} 1")
}

fn opened(variant: &str, start: &str) -> Option<Box<dyn Arbiter>> {
    let variant = GAME.variant(variant).unwrap();
    let start = Some(start.to_string());
    (GAME.open)(&Opening { variant, start, conduct: Conduct::Guided, seed: None }).ok()
}

fn outcome(game: &dyn Arbiter) -> Option<(&'static str, &'static str)> {
    let outcome = game.ending()?.outcome?;
    Some((outcome.result(), outcome.reason().0))
}

/// Compares legal moves and the outcome.
fn same(game: &dyn Arbiter, slow: &Slow, place: &str) -> Vec<String> {
    assert_eq!(outcome(game), slow.outcome(), "{place}");
    let seat = game.waiting_for().only();
    let choices = seat.map(|seat| game.choices(seat)).unwrap_or_default();
    let mut texts: Vec<String> = choices.into_iter().map(|choice| choice.text).collect();
    texts.sort();
    assert_eq!(texts, slow.legal(), "{place}");
    texts
}

fn put(game: &mut dyn Arbiter, text: &str) {
    let seat = game.waiting_for().only().unwrap();
    game.put(&Entry::new_move(seat, text)).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
}

#[test]
fn random_positions_over_all_options() {
    let (mut random, mut compared, mut over) = (Random::new(1), 0, 0);
    while compared < scaled("KIBAN_SHOGI3_POSITIONS", POSITIONS) {
        let (variant, position) = (some_variant(&mut random), some_position(&mut random));
        let Some(game) = opened(&variant, &position) else { continue };
        let slow = Slow::new(&variant, &position);
        over += u64::from(same(&*game, &slow, &format!("{variant} {position}")).is_empty());
        compared += 1;
    }
    assert!(over * 100 > compared, "{over} of {compared} were over");
}

#[test]
fn long_random_lines_with_repetitions() {
    let (mut random, mut ends) = (Random::new(2), BTreeMap::new());
    let (mut lines, wanted) = (0, scaled("KIBAN_SHOGI3_LINES", LINES));
    while lines < wanted {
        // Chance seldom checks for ever: every fourth line begins where the first side can, and does.
        let chases = lines % 4 == 0;
        let start = if chases { CHASE.to_string() } else { some_position(&mut random) };
        let variant = some_variant(&mut random);
        let Some(mut game) = opened(&variant, &start) else { continue };
        let (mut slow, mut played) = (Slow::new(&variant, &start), Vec::<String>::new());
        loop {
            let place = format!("{variant} {start} {played:?}");
            let texts = same(&*game, &slow, &place);
            if texts.is_empty() || played.len() == PLIES {
                break;
            }
            // Back where it came from more often than not: so that positions return.
            let last = played.len().checked_sub(2).map(|i| played[i].clone()).unwrap_or_default();
            let back = texts
                .iter()
                .find(|t| last.len() >= 4 && **t == format!("{}{}", &last[2..4], &last[..2]));
            let checks: Vec<&String> = texts.iter().filter(|t| slow.gives_check(t)).collect();
            let check = random.pick(&checks).copied().filter(|_| chases);
            let back = back.filter(|_| random.below(4) > 0);
            let text = check.or(back).or(random.pick(&texts)).unwrap().clone();
            put(&mut *game, &text);
            slow.play(&text);
            played.push(text);
        }
        *ends.entry(slow.outcome().map(|(_, reason)| reason)).or_insert(0) += 1;
        lines += 1;
    }
    for reason in ["checkmate", "stalemate", "sennichite", "perpetual-check"] {
        assert!(ends.contains_key(&Some(reason)), "{ends:?}");
    }
}

/// The computer's moves and the ends of its games, refereed by the slow reading.
#[test]
fn games_of_the_computer_are_legal() {
    let mut ends = BTreeMap::new();
    for seed in 0..scaled("KIBAN_SHOGI3_GAMES", GAMES) {
        let setup = &GAME.setups[seed as usize % GAME.setups.len()];
        let mut game = opened("", setup.position).unwrap();
        let mut slow = Slow::new("", setup.position);
        let (mut memory, mut random) = (Workspace::new(), Random::new(seed));
        while let Some(seat) = game.waiting_for().only() {
            let texts = same(&*game, &slow, &format!("game {seed}"));
            let text = if game.log().len() < 2 {
                random.pick(&texts).unwrap().clone()
            } else {
                // The plain search where a set-up would take long to solve: so many nodes are few.
                let level = Some(1 + random.below(5) as u8);
                let limits = Limits { level, seed, nodes: Some(3_000), ..Limits::default() };
                let entry = game.ask(seat)(&mut memory, limits, &mut |_| ());
                let Act::Move(text) = entry.act else { panic!("{entry:?} is no move") };
                text
            };
            put(&mut *game, &text);
            slow.play(&text);
        }
        assert_eq!(outcome(&*game), slow.outcome(), "game {seed}");
        *ends.entry(slow.outcome().unwrap()).or_insert(0) += 1;
    }
    println!("{ends:?}");
}
