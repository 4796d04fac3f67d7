//! The computer player: it sees what its seat may know (by construction), and wins.

#[path = "common/arena.rs"]
mod arena;
#[path = "common/greedy.rs"]
mod greedy;

use arena::{Layouts, Player};
use kiban_core::{Act, Arbiter, Entry, Limits, Opening, Report, Seat, Stage, Workspace};
use kiban_luzhanqi::{GAME, Layout};
use kiban_search::Random;
use std::time::Duration;

fn computer(nodes: u64) -> Player {
    Player::Computer(Box::new(Limits { nodes: Some(nodes), ..Limits::default() }))
}

/// Games won and lost of so many, each layout played with both sides.
fn score(variant: &str, one: &Player, other: &Player, games: u64) -> (u64, u64, String) {
    let (mut won, mut lost, mut plies, mut time) = (0, 0, 0, Duration::ZERO);
    for game in 0..games {
        let first = game % 2 == 0;
        let players = if first { [one, other] } else { [other, one] };
        let played = arena::play(variant, players, Layouts::Random, 7_000 + game / 2);
        plies += played.plies;
        time += played.thought.0;
        let outcome = played.outcome.expect("everything is legal");
        let computer = if first { "first" } else { "second" };
        match outcome.result() {
            "draw" => {}
            winner if winner == computer => won += 1,
            _ => lost += 1,
        }
    }
    let told = format!(
        "{variant}: {won} won, {lost} lost of {games} in {plies} plies, {time:?} of thought"
    );
    (won, lost, told)
}

#[test]
fn it_beats_the_best_exchange_of_one_ply() {
    for variant in ["dark", "contest"] {
        let (won, _, told) = score(variant, &computer(1_500), &Player::Greedy, 12);
        assert!(won >= 10, "{told}");
    }
}

#[test]
fn it_beats_chance_in_every_variant() {
    for variant in ["open", "flip", "four-dark", "four-pair", "four-open"] {
        let (won, _, told) = score(variant, &computer(1_000), &Player::Chance, 6);
        assert!(won >= 5, "{told}");
    }
}

#[test]
fn levels_differ() {
    let level = |n| Player::Computer(Box::new(Limits { level: Some(n), ..Limits::default() }));
    let (won, lost, told) = score("dark", &level(5), &level(1), 12);
    assert!(won >= lost + 4, "{told}");
}

/// A game in which some moves were made by chance.
fn begun(variant: &str, plies: usize, seed: u64) -> Box<dyn Arbiter> {
    let variant = GAME.variant(variant).expect("listed");
    let opening = Opening::new(variant, None);
    let mut game = (GAME.open)(&opening).expect("it opens");
    let mut random = Random::new(seed);
    if let Some(deal) = game.draw(&mut || random.next_u64()) {
        game.put(&deal).expect("a deal is legal");
    }
    while game.stage() == Stage::Layout {
        let seat = game.waiting_for().iter().next().expect("somebody arranges");
        let layout = Layout::random(&mut || random.next_u64()).letters();
        game.put(&Entry { by: seat.into(), act: Act::Layout(layout) }).expect("legal");
    }
    for _ in 0..plies {
        let Some(seat) = game.waiting_for().only() else { break };
        let choices = game.choices(seat);
        let choice = &choices[random.below(choices.len())];
        game.put(&Entry::new_move(seat, choice.text.as_str())).expect("legal");
    }
    game
}

fn asked(game: &dyn Arbiter, seat: Seat, limits: &Limits) -> (Entry, Vec<Report>) {
    let mut reports = Vec::new();
    let job = game.ask(seat);
    let entry = job(&mut Workspace::new(), limits.clone(), &mut |report| reports.push(report));
    (entry, reports)
}

#[test]
fn the_same_question_has_the_same_answer_and_only_listed_moves_are_chosen() {
    for variant in ["dark", "flip", "four-dark", "open"] {
        let game = begun(variant, 30, 5);
        let seat = game.waiting_for().only().expect("play goes on");
        for level in [None, Some(2), Some(6)] {
            let limits = Limits { nodes: Some(3_000), level, lines: 3, ..Limits::default() };
            let (entry, reports) = asked(game.as_ref(), seat, &limits);
            assert_eq!(asked(game.as_ref(), seat, &limits), (entry.clone(), reports.clone()));
            let last = reports.last().expect("it reports");
            assert!(last.nodes <= 3_000 && last.lines.len() == 3, "{last:?}");
            assert_eq!(entry, Entry::new_move(seat, last.lines[0].moves[0].as_str()));
        }
        let only: Vec<String> =
            game.choices(seat).into_iter().rev().take(2).map(|c| c.text).collect();
        let limits = Limits { nodes: Some(500), only: only.clone(), ..Limits::default() };
        let (entry, _) = asked(game.as_ref(), seat, &limits);
        assert!(matches!(&entry.act, Act::Move(text) if only.contains(text)), "{entry:?}");
    }
}

#[test]
fn a_public_flag_within_reach_is_taken_with_little_thought() {
    let variant = GAME.variant("dark").expect("listed");
    let start = "1lEh1/hh1jj/5/5/5/5/5/5/5/5/HJ1JH/1L1H1 r 0 40 b12".to_string();
    let opening = Opening::new(variant, Some(start));
    let game = (GAME.open)(&opening).expect("it opens");
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let (entry, _) = asked(game.as_ref(), Seat::FIRST, &limits);
    assert_eq!(entry, Entry::new_move(Seat::FIRST, "c12b12"));
}
