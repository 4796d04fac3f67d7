//! Nothing hidden leaves: games that differ in ranks a viewer has not been told show that viewer
//! the same bytes, at once and for as long as everybody is told the same.

mod common;

use common::{SWAPS, another, told};
use kiban_core::{Act, Arbiter, Conduct, Entry, Seat, Stage, Viewer};
use kiban_luzhanqi::GAME;
use kiban_testkit::{Case, Playing, World, checks, faces_of, same, seats};
use std::sync::atomic::Ordering;

const GAMES: u64 = 300;
/// Moves of a game at most.
const PLIES: usize = 110;
/// Plies of each game at which ranks are swapped.
const SWAPPED_AT: usize = 5;
/// Swaps a game must have seen on the average; each is made for one viewer and kept to the end.
const SWAPS_A_GAME: usize = 10;
/// One ply in so many is compared on the way to the end, and the last one.
const COMPARED_EVERY: usize = 16;

const VARIANTS: [&str; 8] = [
    "dark",
    "contest",
    "dark,announce=ranks,mine=both-go",
    "flip",
    "four-dark",
    "four-pair",
    "dark,marshal-reveals-flag=no,hq=free,clock=move",
    "four-dark,clock=move,quiet=draw-40",
];

/// The case's game, played by chance with a liking for attacks.
fn played<'a>(case: &'a Case<'a>) -> Playing<'a> {
    let mut playing = case.open().expect("it opens");
    while playing.game.stage() == Stage::Layout {
        playing.step().expect("layouts are taken");
    }
    for _ in 0..PLIES {
        let Some(seat) = playing.mover() else { break };
        let board = playing.game.position(Viewer::Watcher);
        let mut choices = playing.choices();
        if playing.random.below(3) == 0 {
            let view = playing.game.scene(Viewer::Watcher);
            let taken = |at: &String| view.pieces.iter().any(|piece| piece.at == *at);
            choices.retain(|c| c.taps.len() == 2 && taken(&c.taps[1]));
        }
        if choices.is_empty() {
            choices = playing.game.choices(seat);
        }
        let choice = playing.random.pick(&choices).expect("the seat to move can move");
        let entry = Entry::new_move(seat, choice.text.as_str());
        playing.game.put(&entry).unwrap_or_else(|e| panic!("{board}: {entry:?}: {e}"));
    }
    playing
}

#[test]
fn swapped_ranks_are_never_noticed() {
    let mut pairs = 0;
    for seed in 0..GAMES {
        let mut case =
            Case::new(&GAME, Some(&common::HIDDEN), VARIANTS[seed as usize % VARIANTS.len()]);
        case.seed = seed;
        case.conduct = if seed % 3 == 0 { Conduct::Official } else { Conduct::Guided };
        case.run(|case| {
            let mut playing = played(case);
            let log = playing.game.log().to_vec();
            let viewers: Vec<Viewer> =
                seats(&*playing.game).iter().map(Viewer::Seat).chain([Viewer::Watcher]).collect();
            for _ in 0..SWAPPED_AT {
                let at = playing.random.below(log.len());
                let who = *playing.random.pick(&viewers).expect("a game has viewers");
                pairs += usize::from(to_the_end(&mut playing, &log, at, who)?);
            }
            // Once a game all that the harness compares: refusals, engines, records, take-backs.
            let at = playing.random.below(log.len());
            playing.game = playing.replayed(&log[..at])?;
            checks::worlds::check(&mut playing)
        })
        .unwrap_or_else(|fault| panic!("{fault}"));
    }
    let swaps = SWAPS.load(Ordering::Relaxed);
    assert!(swaps >= SWAPS_A_GAME * GAMES as usize, "{swaps} swaps");
    assert!(pairs as u64 >= GAMES, "{pairs} pairs of worlds");
}

/// Swaps ranks after so many entries and plays both worlds on; whether there was anything to swap.
fn to_the_end(
    playing: &mut Playing<'_>,
    log: &[Entry],
    at: usize,
    who: Viewer,
) -> Result<bool, String> {
    let world = World { opening: &playing.opening, log: &log[..at], who };
    let Some(other) = another(&world, &mut playing.random) else { return Ok(false) };
    let (mut here, mut there) = (playing.replayed(&log[..at])?, playing.replayed(&other)?);
    compare(&*here, &*there, who)?;
    let mut other = other;
    for (i, entry) in log[at..].iter().enumerate() {
        // Layouts still to come, and moves as long as they are legal and tell the same.
        other.push(entry.clone());
        let known = told(&playing.opening, &log[..at + i + 1]);
        if known.is_none() || told(&playing.opening, &other) != known {
            break;
        }
        here.put(entry).map_err(|e| e.to_string())?;
        there.put(entry).map_err(|e| e.to_string())?;
        if i % COMPARED_EVERY == 0 || matches!(entry.act, Act::Layout(_)) {
            compare(&*here, &*there, who)?;
        }
    }
    compare(&*here, &*there, who)?;
    Ok(true)
}

fn compare(here: &dyn Arbiter, there: &dyn Arbiter, who: Viewer) -> Result<(), String> {
    same(&faces_of(here, who), &faces_of(there, who))?;
    for write in GAME.formats.iter().filter_map(|format| format.write) {
        if write(&[here.record(who)]) != write(&[there.record(who)]) {
            return Err(format!("the records of {} differ", who.name()));
        }
    }
    Ok(())
}

/// The keyhole in short: what others see of a layout and of a quiet game.
#[test]
fn a_rival_sees_no_letter_of_a_layout() {
    let case = Case::new(&GAME, Some(&common::HIDDEN), "dark");
    let mut playing = case.open().expect("it opens");
    let layout = "cehiakbcdikegfgjjdifhhglj";
    for seat in [Seat::FIRST, Seat::SECOND] {
        let act = Act::Layout(layout.to_string());
        playing.game.put(&Entry { by: seat.into(), act }).expect("a legal layout");
    }
    let second = playing.game.position(Viewer::Seat(Seat::SECOND));
    assert_eq!(
        second,
        "jlghh/fidjj/g1f1g/ek1id/c1b1k/aihec/XXXXX/X1X1X/XX1XX/X1X1X/XXXXX/XXXXX r 0 0 -"
    );
    let watcher = playing.game.position(Viewer::Watcher);
    assert!(!watcher.contains(|c: char| matches!(c.to_ascii_lowercase(), 'a' | 'c'..='l')));
    for who in [Viewer::Seat(Seat::SECOND), Viewer::Watcher] {
        let shown = faces_of(&*playing.game, who);
        let own = if who == Viewer::Watcher { 0 } else { 1 };
        let texts: usize = shown
            .iter()
            .filter(|(label, _)| label.ends_with("view"))
            .map(|(_, t)| t.matches(layout).count())
            .sum();
        assert_eq!(texts, own, "{}", who.name());
        assert!(
            shown.iter().all(|(label, text)| label.ends_with("view") || !text.contains(layout))
        );
    }
}
