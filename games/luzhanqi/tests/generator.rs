//! The legal moves against a slow generator written from the rules page alone. It shares nothing
//! with the crate: it reads a position's text and gives the texts of its moves.

mod slow;

use kiban_core::{Game, Line, Notation, Rules, Seat, Viewer};
use kiban_luzhanqi::{Deal, GAME, Layout, Luzhanqi};
use kiban_testkit::Random;
use slow::Slow;

/// Positions placed by chance and positions of games, of each variant listed.
const PLACED: usize = 8_000;
const PLAYED: usize = 8_000;
/// Plies of a game before another begins.
const PLIES: usize = 80;

const VARIANTS: [&str; 7] = [
    "dark",
    "open,hq=free,flag-taker=not-marshal",
    "open,flag-taker=engineer-after-mines,bomb-flag=forbidden",
    "flip",
    "four-dark",
    "four-pair,hq=free",
    "four-open,flag-taker=engineer-after-mines",
];

fn rules(variant: &str, start: Option<&str>) -> Luzhanqi {
    Luzhanqi::of(&GAME.variant(variant).expect("listed"), start)
}

/// Compares the moves of a line's last position; gives how many there are.
fn compare(slow: &Slow, line: &Line<Luzhanqi>) -> usize {
    let rules = line.rules();
    let text = rules.write_position(&rules.known(line, Viewer::Referee));
    let mut fast: Vec<String> =
        rules.moves(line.position()).into_iter().map(|m| rules.write_move(m)).collect();
    fast.sort_unstable();
    if rules.ended(line.position()).is_some_and(|o| o.reason().0 != "no-move") {
        assert!(fast.is_empty(), "{text}");
        return 0;
    }
    assert_eq!(fast, slow.moves(&text), "{text}");
    fast.len()
}

#[test]
fn positions_placed_by_chance() {
    for variant in VARIANTS {
        let (slow, mut random) = (Slow::of(variant), Random::new(1));
        let mut moves = 0;
        for _ in 0..PLACED {
            let text = slow.any_position(&mut random);
            let rules = rules(variant, Some(&text));
            let setup = rules.read_setup(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(rules.faults(&setup), Vec::<String>::new(), "{text}");
            assert_eq!(rules.write_setup(&setup), text);
            moves += compare(&slow, &Line::new(rules, setup));
        }
        assert!(moves > 10 * PLACED, "{variant}: {moves} moves");
    }
}

#[test]
fn positions_of_games() {
    for variant in VARIANTS {
        let (slow, mut random) = (Slow::of(variant), Random::new(2));
        let mut line = begun(variant, &mut random);
        for _ in 0..PLAYED {
            compare(&slow, &line);
            let moves = line.rules().moves(line.position());
            match random.pick(&moves) {
                Some(m) if line.steps().len() < PLIES => line.push(*m),
                _ => line = begun(variant, &mut random),
            }
        }
    }
}

/// A game with layouts or a deal by chance.
fn begun(variant: &str, random: &mut Random) -> Line<Luzhanqi> {
    let rules = rules(variant, None);
    let setup = rules.read_setup("").expect("the usual start");
    let mut line = Line::new(rules, setup);
    let mut seeded = kiban_search::Random::new(random.bits());
    for seat in rules.arranging().iter().collect::<Vec<Seat>>() {
        line.put_layout(seat, Layout::random(&mut || seeded.next_u64()));
    }
    if rules.deals() {
        line.put_deal(Deal::random(&mut || seeded.next_u64()));
    }
    line
}
