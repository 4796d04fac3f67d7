//! What the harness needs from a game with secrets.

use kiban_core::{Act, Arbiter, Entry, Opening, Seat, Seats, Table, Viewer};
use kiban_luzhanqi::{Deal, Layout, Luzhanqi, Move, Position, Rank, Sight};
use kiban_testkit::{Hidden, Random, World};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Swaps of two ranks made in other worlds so far, by all tests of this program.
pub(crate) static SWAPS: AtomicUsize = AtomicUsize::new(0);

/// Swaps tried for one other world.
const TRIED: usize = 24;
/// Swaps made in one other world at most.
const MADE: usize = 12;

pub(crate) static HIDDEN: Hidden = Hidden {
    layout: |_, _, random| Layout::random(&mut dice(random)).letters(),
    deal: |_, random| Deal::random(&mut dice(random)).letters(),
    another,
};

/// The crate's own generator, from the harness's.
pub(crate) fn seeded(random: &mut Random) -> kiban_search::Random {
    kiban_search::Random::new(random.bits())
}

/// Another world: ranks swapped within secrets the viewer must not know, so that everything that
/// is told to everybody stays the same.
pub(crate) fn another(world: &World<'_>, random: &mut Random) -> Option<Vec<Entry>> {
    let truth = told(world.opening, world.log)?;
    let mut log = world.log.to_vec();
    let mut made = 0;
    for _ in 0..TRIED {
        let Some(other) = swapped(world, &log, random) else { continue };
        if told(world.opening, &other).as_ref() == Some(&truth) {
            log = other;
            made += 1;
        }
        if made == MADE {
            break;
        }
    }
    SWAPS.fetch_add(made, Ordering::Relaxed);
    (log != world.log).then_some(log)
}

/// The log with two letters of one secret swapped; `None` if that is no secret or no layout.
fn swapped(world: &World<'_>, log: &[Entry], random: &mut Random) -> Option<Vec<Entry>> {
    let mut log = log.to_vec();
    let secret = |i: &usize| matches!(log[*i].act, Act::Layout(_) | Act::Deal(_));
    let secrets: Vec<usize> = (0..log.len()).filter(secret).collect();
    let entry = &mut log[*random.pick(&secrets)?];
    let begun = Table::<Luzhanqi>::open(world.opening).ok().map(|table| table.line().rules())?;
    let sight = begun.options.sight;
    let text = match &mut entry.act {
        Act::Layout(text) => {
            let seat = entry.by.only()?;
            let known = |viewer: Seat| {
                viewer == seat || (sight == Sight::Pair && viewer.index() % 2 == seat.index() % 2)
            };
            if matches!(world.who, Viewer::Seat(viewer) if known(viewer)) {
                return None;
            }
            text
        }
        Act::Deal(text) => text,
        Act::Move(_) | Act::Call(_) => return None,
    };
    let mut letters: Vec<char> = text.chars().collect();
    let (i, j) = (random.below(letters.len()), random.below(letters.len()));
    letters.swap(i, j);
    let other: String = letters.into_iter().collect();
    let legal = other.len() == 50 || Layout::read(&other).is_ok();
    if other == *text || !legal {
        return None;
    }
    *text = other;
    Some(log)
}

/// What a ply tells everybody.
#[derive(PartialEq)]
pub(crate) struct Told {
    /// Whose pieces stand where, those lying open with their ranks where these are public.
    cells: Vec<Option<(Option<u8>, Option<Rank>)>>,
    turn: Seat,
    out: Seats,
    flags: [Option<u8>; 4],
    /// The ranks of a contact, where they are announced.
    ranks: Option<(Rank, Rank)>,
}

/// What everybody is told in this log; `None` if an entry is refused or all is revealed.
pub(crate) fn told(opening: &Opening, log: &[Entry]) -> Option<Vec<Told>> {
    let mut table = Table::<Luzhanqi>::open(opening).ok()?;
    for entry in log {
        table.put(entry).ok()?;
    }
    if table.log() != log || table.ending().is_some() {
        return None;
    }
    let (line, rules) = (table.line(), table.line().rules());
    let sight = rules.options.sight;
    let cells = |p: &Position| {
        let cell = |piece: kiban_luzhanqi::Piece| {
            let rank = match sight {
                Sight::All => Some(piece.rank),
                Sight::Flipped => (!piece.down).then_some(piece.rank),
                Sight::Own | Sight::Pair => None,
            };
            ((!piece.down).then_some(piece.side), rank)
        };
        p.cells.iter().map(|piece| piece.map(cell)).collect()
    };
    let mut all = Vec::new();
    for (i, p) in line.positions().iter().enumerate() {
        let attack = |i: usize| match line.steps()[i].m {
            Move::Step(from, to) => {
                let before = &line.positions()[i];
                Some((before.at(from)?.rank, before.at(to)?.rank))
            }
            _ => None,
        };
        let ranks = i.checked_sub(1).filter(|_| rules.options.announce_ranks).and_then(attack);
        all.push(Told { cells: cells(p), turn: p.turn, out: p.out, flags: p.flags, ranks });
    }
    Some(all)
}

/// Chance, from the harness's.
fn dice(random: &mut Random) -> impl FnMut() -> u64 {
    let mut seeded = seeded(random);
    move || seeded.next_u64()
}
