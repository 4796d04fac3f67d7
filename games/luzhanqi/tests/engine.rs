//! The simple player: it is fair by construction (it sees what its seat may know) and plays better
//! than chance.

use kiban_core::{Act, Conduct, Entry, Limits, Opening, Seat, Workspace};
use kiban_luzhanqi::{GAME, Layout};
use kiban_testkit::Random;

const GAMES: u64 = 20;
/// Of so many decided games the player must win four in five.
const DECIDED: usize = 15;

/// The winner of a game between the player and chance.
fn winner(variant: &str, player: Seat, seed: u64) -> Option<Seat> {
    let variant = GAME.variant(variant).expect("listed");
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
    let mut game = (GAME.open)(&opening).expect("it opens");
    let (mut random, mut seeded) = (Random::new(seed), kiban_search::Random::new(seed));
    for seat in game.waiting_for().iter() {
        let layout = Layout::random(&mut || seeded.next_u64()).letters();
        game.put(&Entry { by: seat.into(), act: Act::Layout(layout) }).expect("legal");
    }
    let mut memory = Workspace::new();
    while let Some(seat) = game.waiting_for().only() {
        let entry = if seat == player {
            let limits = Limits { nodes: Some(1_000), seed: random.bits(), ..Limits::default() };
            game.ask(seat)(&mut memory, limits, &mut |_| {})
        } else {
            let choices = game.choices(seat);
            let choice = random.pick(&choices).expect("the seat to move can move");
            Entry::new_move(seat, choice.text.as_str())
        };
        game.put(&entry).expect("a choice is legal");
    }
    game.ending().and_then(|e| e.outcome).and_then(|o| o.winners().only())
}

#[test]
fn the_player_beats_chance() {
    for variant in ["dark,quiet=off", "open,quiet=off"] {
        let games = (0..GAMES).map(|seed| {
            let player = if seed % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
            winner(variant, player, seed).map(|seat| seat == player)
        });
        let decided: Vec<bool> = games.flatten().collect();
        let won = decided.iter().filter(|won| **won).count();
        println!("{variant}: {won} of {} decided", decided.len());
        assert!(decided.len() >= DECIDED && 5 * won >= 4 * decided.len(), "{variant}: {won}");
    }
}
