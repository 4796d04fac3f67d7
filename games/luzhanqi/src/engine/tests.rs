//! What the player concludes is true, and the worlds it draws fit all it was told.

use super::belief::Belief;
use super::tracks::Tracks;
use crate::{GAME, Layout, Luzhanqi, Move, Position, Rank, contact};
use kiban_core::{Act, Arbiter, Entry, Notation, Opening, Rules, Seat, Stage, Table, Viewer};
use kiban_search::Random;

fn open(variant: &str, start: Option<&str>) -> Table<Luzhanqi> {
    let variant = GAME.variant(variant).expect("listed");
    let start = start.map(str::to_owned);
    let opening = Opening::new(variant, start);
    Table::open(&opening).expect("it opens")
}

fn laid(variant: &str, random: &mut Random) -> Table<Luzhanqi> {
    let mut table = open(variant, None);
    for seat in table.waiting_for().iter() {
        let layout = Layout::random(&mut || random.next_u64()).letters();
        table.put(&Entry { by: seat.into(), act: Act::Layout(layout) }).expect("legal");
    }
    table
}

/// The ranks of the tracks' pieces as they are: by where they stood at the start.
fn truth(table: &Table<Luzhanqi>, tracks: &Tracks) -> Vec<Rank> {
    let start: &Position = &table.line().positions()[0];
    let rank = |at: u8| start.at(at).expect("a piece stood there").rank;
    tracks.pieces.iter().map(|piece| rank(piece.home.expect("all stood at the start"))).collect()
}

/// Whether contacts between these ranks come out as they did, the fall of a marshal is told, and
/// every side has its numbers.
fn fits(rules: Luzhanqi, tracks: &Tracks, ranks: &[Rank]) -> bool {
    let met = |m: &super::tracks::Meeting| {
        contact(ranks[m.attacker], ranks[m.attacked], rules.options) == m.contact
    };
    let counted = |side: u8| {
        Rank::ALL.into_iter().all(|rank| {
            let own = tracks.pieces.iter().zip(ranks).filter(|(p, _)| p.side == side);
            let n = own.filter(|(_, r)| **r == rank).count();
            n == rank.count()
        })
    };
    let sides = if rules.options.four { 4 } else { 2 };
    let allowed = tracks.pieces.iter().zip(ranks).all(|(piece, rank)| piece.ranks.has(*rank));
    allowed && tracks.meetings.iter().all(met) && (0..sides).all(counted)
}

#[test]
fn the_truth_is_never_struck_out_and_every_world_fits() {
    let (mut drawn, mut unfit, mut concluded) = (0, 0, 0);
    for (seed, variant) in
        (0..36).zip(["dark", "four-dark", "dark,mine=both-go", "four-pair"].iter().cycle())
    {
        let mut random = Random::new(seed);
        let mut table = laid(variant, &mut random);
        let rules = table.line().rules();
        while table.stage() == Stage::Play {
            let seat = rules.to_move(table.line().position());
            let known = rules.known(table.line(), Viewer::Seat(seat));
            if random.below(12) == 0 {
                let tracks = Tracks::of(rules, &known);
                let truth = truth(&table, &tracks);
                assert!(fits(rules, &tracks, &truth), "{variant} {seed}: the truth is struck out");
                let hidden = |p: &&super::tracks::Trace| usize::from(p.side) != seat.index();
                let sure = tracks.pieces.iter().filter(hidden);
                concluded += sure.filter(|p| p.ranks.single().is_some()).count();
                let mut belief = Belief::new(rules, &tracks, random.next_u64());
                for _ in 0..8 {
                    drawn += 1;
                    unfit += usize::from(!fits(rules, &tracks, belief.draw()));
                }
            }
            let p = table.line().position();
            let mut moves = rules.choices(&known);
            let attacks = |m: &Move| matches!(m, Move::Step(_, to) if p.at(*to).is_some());
            if random.below(2) == 0 && moves.iter().any(attacks) {
                moves.retain(attacks);
            }
            let m = rules.write_move(moves[random.below(moves.len())]);
            table.put(&Entry::new_move(seat, m)).expect("a choice is legal");
        }
    }
    println!("{drawn} worlds, {unfit} do not fit; {concluded} ranks concluded");
    assert!(drawn > 2_000 && concluded > 500, "{drawn} worlds, {concluded} conclusions");
    // Contacts between two unknown pieces of others are mended by chance; almost all must be.
    assert!(1000 * unfit <= drawn, "{unfit} of {drawn} worlds do not fit");
}

/// What Red knows, after these moves, of the piece that Black laid on a station.
fn known_of(moves: &[&str], home: &str) -> Vec<Rank> {
    let mut table = open("dark", None);
    for seat in [Seat::FIRST, Seat::SECOND] {
        let layout = Act::Layout(String::from("efbfeaddccgggkkhhiijjlhij"));
        table.put(&Entry { by: seat.into(), act: layout }).expect("legal");
    }
    for text in moves {
        let seat = table.waiting_for().only().expect("play goes on");
        table.put(&Entry::new_move(seat, *text)).expect("legal");
    }
    let rules = table.line().rules();
    let tracks = Tracks::of(rules, &rules.known(table.line(), Viewer::Seat(Seat::FIRST)));
    let home = crate::board::Board::of(false).station(home);
    let piece = tracks.pieces.iter().find(|p| p.home == home).expect("a piece stood there");
    Rank::ALL.into_iter().filter(|rank| piece.ranks.has(*rank)).collect()
}

#[test]
fn a_contact_tells_what_it_must() {
    use Rank::{Colonel, General, MajorGeneral, Marshal};
    // A colonel and it both went, and no bomb stands in a front rank.
    assert_eq!(known_of(&["e6e7"], "e7"), [Colonel]);
    // It beat a brigadier.
    assert_eq!(known_of(&["e6e7", "e8e5"], "e8"), [Marshal, General, MajorGeneral]);
    // And the general had gone on c7.
    assert_eq!(known_of(&["c6c7", "a7a6", "e6e7", "e8e5"], "e8"), [Marshal, MajorGeneral]);
}
