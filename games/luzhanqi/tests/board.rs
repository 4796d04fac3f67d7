//! The two graphs, the layouts and the table of contacts, against the counts of the rules.

use kiban_core::Game;
use kiban_luzhanqi::board::{Board, FOUR, Kind, TWO};
use kiban_luzhanqi::{
    Contact, Deal, GAME, Layout, LayoutFault, Luzhanqi, Options, PIECES, Rank, contact, defaults,
    may_stand,
};
use kiban_search::Random;

fn options(variant: &str) -> Options {
    Luzhanqi::of(&GAME.variant(variant).expect("listed"), None).options
}

fn named(board: &Board, names: &[&str]) -> Vec<u8> {
    let mut stations: Vec<u8> =
        names.iter().map(|name| board.station(name).expect("a station")).collect();
    stations.sort_unstable();
    stations
}

fn of_kind(board: &Board, kind: Kind) -> Vec<u8> {
    (0..board.len() as u8).filter(|at| board.kind(*at) == kind).collect()
}

#[test]
fn two_players_have_60_stations_and_133_edges() {
    assert_eq!((TWO.len(), TWO.edges()), (60, (35, 98)));
    assert_eq!(of_kind(&TWO, Kind::Headquarters), named(&TWO, &["b1", "d1", "b12", "d12"]));
    let camps = ["b3", "d3", "c4", "b5", "d5", "b10", "d10", "c9", "b8", "d8"];
    assert_eq!(of_kind(&TWO, Kind::Camp), named(&TWO, &camps));
    let on_rail = TWO.rails.iter().filter(|r| !r.is_empty()).count();
    assert_eq!(on_rail, 32);
    for (a, b) in [("b6", "b7"), ("d6", "d7")] {
        let (a, b) = (TWO.station(a).unwrap(), TWO.station(b).unwrap());
        assert!(!TWO.roads[usize::from(a)].contains(&b) && !TWO.rails[usize::from(a)].contains(&b));
    }
    for (a, b) in [("a6", "a7"), ("c6", "c7"), ("e6", "e7")] {
        let (a, b) = (TWO.station(a).unwrap(), TWO.station(b).unwrap());
        assert!(TWO.rails[usize::from(a)].contains(&b));
    }
}

#[test]
fn four_players_have_129_stations_with_92_rail_and_196_road_edges() {
    assert_eq!((FOUR.len(), FOUR.edges()), (129, (92, 196)));
    let on_rail = FOUR.rails.iter().filter(|r| !r.is_empty()).count();
    assert_eq!(on_rail, 73);
    let joined = |a: &str, b: &str| {
        let (a, b) = (FOUR.station(a).unwrap(), FOUR.station(b).unwrap());
        FOUR.rails[usize::from(a)].contains(&b)
    };
    let links = "Sa6m7 Sc6m8 Se6m9 Ea6m9 Ec6m6 Ee6m3 Na6m3 Nc6m2 Ne6m1 Wa6m1 Wc6m4 We6m7 \
                 Sa6We6 Wa6Ne6 Na6Ee6 Ea6Se6";
    for link in links.split_whitespace() {
        assert!(joined(&link[..3], &link[3..]), "{link}");
    }
}

#[test]
fn straight_lines_of_four_players() {
    let ray = |from: &str, to: &str| {
        let (from, to) = (FOUR.station(from).unwrap(), FOUR.station(to).unwrap());
        FOUR.rays[usize::from(from)].iter().any(|ray| ray.contains(&to))
    };
    for (from, to) in [("Sa2", "Ne2"), ("Se2", "Na2"), ("Ea2", "We2"), ("Sc6", "Nc6")] {
        assert!(ray(from, to) && ray(to, from), "{from} {to}");
    }
    for (from, to) in [("Sa2", "We2"), ("Wa3", "Ne4"), ("Na6", "Ee2"), ("Ea2", "Se6")] {
        assert!(ray(from, to) && ray(to, from), "{from} {to}");
    }
    for (from, to) in [("Sa6", "m8"), ("Sa2", "Wa2"), ("Sc5", "m8"), ("Sa6", "Ee6"), ("m7", "m3")] {
        assert!(!ray(from, to), "{from} {to}");
    }
}

#[test]
fn there_are_as_many_layouts_as_the_rules_page_says() {
    let rows = [5, 3, 4, 3, 5, 5];
    let stations: Vec<(u8, u8)> = (0..6u8)
        .rev()
        .flat_map(|rank| (0..5u8).map(move |file| (file, rank)))
        .filter(|(file, rank)| !matches!((file, rank), (1 | 3, 2 | 4) | (2, 3)))
        .collect();
    assert_eq!(stations.len(), rows.iter().sum::<usize>());
    let free = |rank: Rank| stations.iter().filter(|s| may_stand(rank, **s)).count() as u128;
    let choose = |n: u128, k: u128| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
    let factorial = |n: u128| (1..=n).product::<u128>();
    // Every headquarters is a place for mines, and every place for mines one for bombs.
    let mines = choose(free(Rank::Mine) - 1, Rank::Mine.count() as u128);
    let before = 1 + Rank::Mine.count() as u128;
    let bombs = choose(free(Rank::Bomb) - before, Rank::Bomb.count() as u128);
    let movers = Rank::ALL.into_iter().filter(|r| *r < Rank::Mine);
    let alike: u128 = movers.clone().map(|r| factorial(r.count() as u128)).product();
    let rest = movers.map(|r| r.count() as u128).sum();
    let all = free(Rank::Flag) * mines * bombs * (factorial(rest) / alike);
    assert_eq!(all, 709_596_419_051_520_000);
}

#[test]
fn faults_of_layouts_are_named() {
    let page = "cehiakbcdikegfgjjdifhhglj";
    assert_eq!(Layout::read(page).unwrap().letters(), page);
    let faults = |text: &str| Layout::read(text).unwrap_err();
    assert_eq!(faults("abc"), [LayoutFault::Length(3)]);
    assert_eq!(faults("cehiakbcdikegfgjjdifhhglz"), [LayoutFault::Letter('z', 25)]);
    assert_eq!(faults("cehiakbcdikegfgjjdifhhlgj"), [LayoutFault::Flag(23)]);
    assert_eq!(faults("kehiacbcdikegfgjjdifhhglj"), [LayoutFault::Bomb(1)]);
    assert_eq!(faults("cehiakbcdijegfgkjdifhhglj"), [LayoutFault::Mine(11)]);
    let two = [LayoutFault::Count(Rank::MajorGeneral, 3), LayoutFault::Count(Rank::Colonel, 1)];
    assert_eq!(faults("cchiakbcdikegfgjjdifhhglj"), two);
    for fault in faults("cchiakbcdikegfgjjdifhhglj").into_iter().chain(faults("abc")) {
        assert!(fault.read_error().message.ends_with('.'));
    }
}

#[test]
fn listed_random_and_mirrored_layouts_are_legal() {
    assert!(defaults().count() >= 6);
    let mut random = Random::new(7);
    let drawn = (0..500).map(|_| Layout::random(&mut || random.next_u64()));
    for layout in defaults().map(|(_, layout)| layout).chain(drawn) {
        assert_eq!(Layout::read(&layout.letters()), Ok(layout));
        let mirrored = layout.mirrored();
        assert_eq!(Layout::read(&mirrored.letters()), Ok(mirrored));
        assert_eq!(mirrored.mirrored(), layout);
    }
    let deal = Deal::random(&mut || random.next_u64());
    assert_eq!(Deal::read(&deal.letters()), Ok(deal));
    assert!(Deal::read(&"A".repeat(2 * PIECES)).is_err());
}

#[test]
fn contacts_follow_the_table() {
    use Contact::{Both, Lost, Won};
    let (stays, goes) = (options("dark"), options("dark,mine=both-go"));
    let movers = Rank::ALL.into_iter().filter(|r| *r < Rank::Mine);
    for (i, attacker) in movers.clone().enumerate() {
        for (j, defender) in movers.clone().enumerate() {
            let right = match i.cmp(&j) {
                std::cmp::Ordering::Less => Won,
                std::cmp::Ordering::Equal => Both,
                std::cmp::Ordering::Greater => Lost,
            };
            assert_eq!(contact(attacker, defender, stays), right, "{attacker:?} {defender:?}");
        }
        let engineer = attacker == Rank::Engineer;
        assert_eq!(contact(attacker, Rank::Mine, stays), if engineer { Won } else { Lost });
        assert_eq!(contact(attacker, Rank::Mine, goes), if engineer { Won } else { Both });
        assert_eq!(contact(attacker, Rank::Bomb, stays), Both);
        assert_eq!(contact(attacker, Rank::Flag, stays), Won);
    }
    for defender in Rank::ALL {
        assert_eq!(contact(Rank::Bomb, defender, stays), Both, "bomb on {defender:?}");
    }
}

#[test]
fn counts_of_pieces_make_25() {
    assert_eq!(Rank::ALL.iter().map(|r| r.count()).sum::<usize>(), PIECES);
    for rank in Rank::ALL {
        assert_eq!(Rank::from_letter(rank.letter()), Some(rank));
    }
}
