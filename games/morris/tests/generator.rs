//! The fast rules against the slow ones of `slow`, on random games and random positions of every
//! variant and option.

mod common;
mod slow;

use common::{choices, ending, guided, put, try_open};
use kiban_core::{Conduct, Entry, Limits, Viewer, Workspace};
use kiban_morris::GAME;
use kiban_testkit::Random;
use slow::Game;

/// Positions compared; the environment's `MORRIS_POSITIONS` makes it more.
const POSITIONS: usize = 100_000;
/// Games the computer plays against itself; `MORRIS_GAMES` makes it more.
const GAMES: usize = 20;

fn number(key: &str, or: usize) -> usize {
    std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
}

/// A variant with every option said at random.
fn any_variant(random: &mut Random) -> String {
    let mut text = random.pick(GAME.variants).expect("variants").id.to_string();
    for option in GAME.options {
        if random.below(2) == 0 {
            let value = random.pick(option.values).expect("values");
            text.push_str(&format!(",{}={value}", option.key));
        }
    }
    text
}

/// Men thrown onto the board, as many of each side as may be there.
fn any_position(variant: &str, random: &mut Random) -> Game {
    let mut game = Game::new(variant);
    let most = game.rules.options.men;
    let mut points = game.rules.options.points();
    random.shuffle(&mut points);
    let placing = random.below(3) == 0;
    for side in 0..2 {
        let left = 3 + random.below(most - 2);
        let here = if placing { random.below(left + 1) } else { left };
        for _ in 0..here {
            if let Some(point) = points.pop() {
                game.board.insert(point, side);
            }
        }
        let here = game.board.values().filter(|s| **s == side).count();
        game.hand[side] = if placing { left - here } else { 0 };
    }
    game.turn = random.below(2);
    game
}

/// The fast rules say of this position what the slow ones say. How many positions were compared.
fn compare(variant: &str, game: &Game) -> usize {
    let few = |side: usize| game.board.values().filter(|s| **s == side).count() + game.hand[side];
    if few(0) < 3 && few(1) < 3 {
        return 0;
    }
    let text = game.text(1);
    let fast = try_open(variant, Some(&text), Conduct::Guided);
    let mut fast = fast.unwrap_or_else(|error| panic!("{variant} {text}: {error}"));
    let mut slow: Vec<(String, Game)> = game.moves();
    slow.sort_by(|a, b| a.0.cmp(&b.0));
    let passes = slow.iter().any(|(text, _)| text == "pass");
    if passes {
        // The board has passed by itself.
        assert_eq!(fast.log().len(), 1, "{variant} {text}");
        return 1;
    }
    assert_eq!(ending(&*fast), game.ended(), "{variant} {text}");
    let texts: Vec<&String> = slow.iter().map(|(text, _)| text).collect();
    assert_eq!(choices(&*fast).iter().collect::<Vec<_>>(), texts, "{variant} {text}");
    for (m, next) in slow.iter().take(1) {
        let seat = fast.waiting_for().only().expect("not over");
        fast.put(&Entry::new_move(seat, m.as_str())).expect("legal");
        let number = if game.turn == 1 { 2 } else { 1 };
        if fast.log().len() == 1 {
            let after = fast.position(Viewer::Referee);
            assert_eq!(after, next.text(number), "{variant} {text} {m}");
        }
        fast.take_back().expect("an open game");
    }
    1
}

#[test]
fn random_positions_have_the_moves_and_ends_of_the_slow_rules() {
    let threads = 2;
    let wanted = number("MORRIS_POSITIONS", POSITIONS);
    let compared: usize = std::thread::scope(|scope| {
        let part = |seed: usize| {
            move || {
                let mut random = Random::new(seed as u64);
                let mut compared = 0;
                while compared < wanted.div_ceil(threads) {
                    let variant = any_variant(&mut random);
                    compared += compare(&variant, &any_position(&variant, &mut random));
                }
                compared
            }
        };
        let parts: Vec<_> = (0..threads).map(|seed| scope.spawn(part(seed))).collect();
        parts.into_iter().map(|part| part.join().expect("they agree")).sum()
    });
    assert!(compared >= wanted);
}

/// Plays on both tables by these choices until the end, and compares each ply.
fn through(variant: &str, mut choose: impl FnMut(&dyn kiban_core::Arbiter) -> String) -> usize {
    let (mut fast, mut slow) = (guided(variant, None), Game::new(variant));
    let (mut plies, mut before) = (0, Vec::new());
    loop {
        let number = plies / 2 + 1;
        assert_eq!(ending(&*fast), slow.verdict(&before), "{variant} {}", slow.text(number));
        if fast.ending().is_some() {
            return plies;
        }
        assert_eq!(fast.position(Viewer::Referee), slow.text(number), "{variant}");
        let length = fast.log().len();
        let text = choose(&*fast);
        put(&mut *fast, &text).expect("legal");
        for entry in &fast.log()[length..] {
            let kiban_core::Act::Move(text) = &entry.act else { panic!("{entry:?} is no move") };
            let moves = slow.moves();
            let next = moves.into_iter().find(|(m, _)| m == text);
            before.push(slow.same());
            slow = next.unwrap_or_else(|| panic!("{variant}: {text} is not legal")).1;
            plies += 1;
        }
    }
}

#[test]
fn random_games_end_as_the_slow_rules_say() {
    let mut reasons = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let variant = any_variant(&mut random);
        through(&variant, |game| {
            let texts = choices(game);
            // Chance moves end soon by captures; without them games last and repeat.
            let quiet: Vec<String> = texts.iter().filter(|t| !t.contains('x')).cloned().collect();
            let from = if seed % 2 == 0 || quiet.is_empty() { &texts } else { &quiet };
            random.pick(from).expect("a choice").clone()
        });
        let mut random = Random::new(seed + 1000);
        through(&variant, |game| {
            let text = random.pick(&choices(game)).expect("a choice").clone();
            reasons.insert(text.contains("-"));
            text
        });
    }
    assert_eq!(reasons.len(), 2, "men were placed and slid");
}

#[test]
fn the_computer_plays_by_the_slow_rules() {
    for n in 0..number("MORRIS_GAMES", GAMES) {
        let variant = GAME.variants[n % GAME.variants.len()].id;
        let mut memory = Workspace::new();
        let mut random = Random::new(n as u64);
        let mut plies = 0;
        through(variant, |game| {
            plies += 1;
            if plies <= 4 {
                return random.pick(&choices(game)).expect("a choice").clone();
            }
            let seat = game.waiting_for().only().expect("not over");
            let level = if plies % 2 == 0 { 3 } else { 1 + (n % 5) as u8 };
            let limits = Limits { level: Some(level), seed: n as u64, ..Limits::default() };
            let entry = game.ask(seat)(&mut memory, limits, &mut |_| {});
            let kiban_core::Act::Move(text) = entry.act else { panic!("{entry:?} is no move") };
            text
        });
    }
}

#[test]
fn lines_are_as_many_as_the_slow_rules_count() {
    for (variant, depth) in [
        ("nine", 3),
        ("six", 4),
        ("twelve", 3),
        ("lasker", 3),
        ("morabaraba,double-mill=two", 3),
        ("six,flying=at-three,blocked=passes", 3),
    ] {
        let opening = kiban_core::Opening::new(GAME.variant(variant).expect("a variant"), None);
        let fast = (GAME.perft)(&opening, depth, false, 1).expect("it opens").nodes;
        assert_eq!(fast, Game::new(variant).perft(depth), "{variant}");
    }
}
