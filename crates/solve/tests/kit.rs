//! The kit on a game small enough to be solved by hand: two chase each other on a board of squares
//! in a ring, and whoever is caught has lost.

use kiban_core::{Limits, Stop, Value};
use kiban_solve::{
    Game, Library, Sector, Shelf, SolveError, Start, Table, TableFile, Within, Worth, check, solve,
};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Squares of the ring.
const SQUARES: u32 = 6;

/// The one to move stands on 0, the other on `number`; the mirror image of `number` is
/// `SQUARES - number`, and the smaller of both has the number. The mover steps one or two squares
/// either way. Whoever lands on the other catches it and wins.
struct Ring;

fn folded(distance: u32) -> u32 {
    let distance = distance % SQUARES;
    distance.min(SQUARES - distance)
}

/// The distances after each move of the mover, unfolded, the catch being 0.
fn moves(number: u32) -> [u32; 4] {
    [1, 2, SQUARES - 1, SQUARES - 2].map(|step| (number + step) % SQUARES)
}

impl Sector for Ring {
    fn entries(&self) -> u32 {
        SQUARES / 2 + 1
    }

    fn second(&self) -> u32 {
        self.entries()
    }

    fn start(&self, number: u32) -> Option<Start> {
        let mut start = Start::default();
        for after in moves(number) {
            if after == 0 { start.leaves(Worth::loss(0)) } else { start.stays() }
        }
        (number > 0).then_some(start)
    }

    fn after(&self, number: u32, into: &mut Vec<u32>) {
        into.extend(moves(number).into_iter().filter(|after| *after != 0).map(folded));
    }

    fn before(&self, number: u32, into: &mut Vec<u32>) {
        // A step leads back as it led there.
        self.after(number, into);
    }

    fn images(&self, number: u32) -> u32 {
        if number == SQUARES / 2 { 2 } else { 1 }
    }

    fn weight(&self, number: u32) -> u64 {
        2 / u64::from(self.images(number))
    }
}

/// The same values by trying everything to a depth that decides.
fn tried(number: u32, depth: u32) -> Option<u32> {
    // Plies to the mover's win (odd) or loss (even); none where the depth does not tell.
    if moves(number).contains(&0) {
        return Some(1);
    }
    if depth == 0 {
        return None;
    }
    let after = moves(number).map(|after| tried(folded(after), depth - 1));
    let lost = after.iter().flatten().filter(|plies| *plies % 2 == 0).min();
    let all = after.iter().copied().collect::<Option<Vec<u32>>>();
    lost.copied().or_else(|| all?.into_iter().max()).map(|plies| plies + 1)
}

#[test]
fn waves_agree_with_trying_everything() {
    let table = solve(Ring, &within(), &mut |_| {}).expect("nothing stops it");
    for number in 1..=SQUARES / 2 {
        let expected = match tried(number, 8) {
            None => Worth::DRAW,
            Some(plies) if plies % 2 == 1 => Worth::win(plies as u16),
            Some(plies) => Worth::loss(plies as u16),
        };
        assert_eq!(table.worth(number), expected, "{number}");
    }
    assert_eq!(table.worth(3).value, Value::Loss, "opposite, every step is within reach");
    let tally = table.tallies[0];
    assert_eq!(tally.positions(), u64::from(SQUARES) - 1, "mirror images count both");
}

#[test]
fn a_stop_is_obeyed() {
    let stop = Stop::default();
    stop.stop();
    let within = Within::entries(u64::MAX, stop);
    assert!(matches!(solve(Ring, &within, &mut |_| {}), Err(SolveError::Stopped)));
}

#[test]
fn a_deadline_is_obeyed() {
    let late = Within { deadline: Some(Instant::now()), ..within() };
    assert!(matches!(solve(Ring, &late, &mut |_| {}), Err(SolveError::Stopped)));
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    for late in [Within::probe(u64::MAX, &limits), Within::engine(u64::MAX, &limits)] {
        let found = Library::new(Rings, None).get(&[0], &late);
        assert!(matches!(found, Err(SolveError::Stopped)));
    }
}

/// A sector of one way each: from every number to the half of it, and 0 is lost. It throws the switch
/// it is given wherever it has come through so many numbers.
#[derive(Clone, Default)]
struct Halves {
    stop: Arc<Mutex<Stop>>,
    looked: Arc<AtomicU32>,
}

impl Halves {
    const ENTRIES: u32 = 100_000;

    fn pass(&self, number: u32) {
        if number % 30_000 == 20_000 {
            self.stop.lock().expect("it is only thrown").stop();
        }
    }
}

impl Sector for Halves {
    fn entries(&self) -> u32 {
        Halves::ENTRIES
    }

    fn second(&self) -> u32 {
        Halves::ENTRIES
    }

    fn start(&self, number: u32) -> Option<Start> {
        self.pass(number);
        let mut start = Start::default();
        if number == 0 {
            start = Start::over(Worth::loss(0))
        } else {
            start.stays()
        }
        Some(start)
    }

    fn after(&self, number: u32, into: &mut Vec<u32>) {
        into.extend((number > 0).then_some(number / 2));
    }

    fn before(&self, number: u32, into: &mut Vec<u32>) {
        self.pass(number);
        self.looked.fetch_add(1, Ordering::Relaxed);
        let both = [2 * number, 2 * number + 1];
        into.extend(both.into_iter().filter(|n| (1..Halves::ENTRIES).contains(n)));
    }

    fn images(&self, _: u32) -> u32 {
        1
    }

    fn weight(&self, _: u32) -> u64 {
        1
    }
}

impl Game for Halves {
    type Key = u8;
    type Sector = Halves;

    fn id(&self) -> &'static str {
        "halves"
    }

    fn rules(&self) -> String {
        "plain".to_string()
    }

    fn below(&self, _: u8) -> Vec<u8> {
        Vec::new()
    }

    fn entries(&self, _: u8) -> u64 {
        u64::from(Halves::ENTRIES)
    }

    fn sector(&self, _: u8, _: &HashMap<u8, Arc<Table>>) -> Halves {
        self.clone()
    }
}

#[test]
fn what_a_limit_interrupts_goes_on_from_there() {
    let game = Halves::default();
    let mut library = Library::new(game.clone(), None);
    let mut stops = 0;
    let table = loop {
        let stop = Stop::default();
        *game.stop.lock().expect("nothing fell over") = stop.clone();
        match library.get(&[0], &Within::entries(u64::MAX, stop)) {
            Ok(tables) => break Arc::clone(&tables[0]),
            Err(SolveError::Stopped) => stops += 1,
            Err(other) => panic!("{other}"),
        }
        assert!(stops < 100, "it never ends");
    };
    assert!(stops > 4, "{stops} stops, at the moves and in the waves");
    assert_eq!(game.looked.load(Ordering::Relaxed), Halves::ENTRIES, "nothing is done twice");
    assert_eq!(*table, solve(Halves::default(), &within(), &mut |_| {}).expect("nothing stops it"));
    assert_eq!(table.worth(5), Worth::win(3));
}

/// Has one engine hold the library of a shelf until the sender is dropped.
fn hold(shelf: &Arc<Shelf<Rings>>) -> (mpsc::Sender<()>, thread::JoinHandle<Option<()>>) {
    let (go, wait) = mpsc::channel::<()>();
    let (began, begun) = mpsc::channel();
    let shelf = Arc::clone(shelf);
    let thread = thread::spawn(move || {
        shelf.ask(&Rings, &within(), |library, within| {
            library.get(&[1], &Within { entries: 0, ..within.clone() }).or_else(|_| {
                if within.entries > 0 {
                    let _ = (began.send(()), wait.recv());
                }
                library.get(&[1], within)
            })?;
            Ok(())
        })
    });
    begun.recv().expect("it solves");
    (go, thread)
}

#[test]
fn an_engine_does_not_wait_for_what_another_solves_unless_time_is_no_matter() {
    let shelf = Arc::new(Shelf::new());
    let look = |library: &mut Library<Rings>, within: &Within| {
        Ok(library.get(&[1], within)?[0].tallies[0].positions())
    };
    let (go, solving) = hold(&shelf);
    let timed = Within { deadline: Some(Instant::now() + Duration::from_secs(60)), ..within() };
    let began = Instant::now();
    assert_eq!(shelf.ask(&Rings, &timed, look), None);
    assert!(began.elapsed() < Duration::from_secs(30), "it waited");
    let waiting = {
        let shelf = Arc::clone(&shelf);
        thread::spawn(move || shelf.ask(&Rings, &within(), look))
    };
    drop(go);
    assert_eq!(solving.join().expect("it solves"), Some(()));
    assert_eq!(waiting.join().expect("it waits"), Some(5));
    assert_eq!(shelf.ask(&Rings, &timed, look), Some(5), "it is there now");
}

#[test]
fn an_engine_that_falls_over_takes_no_library_with_it() {
    let shelf = Arc::new(Shelf::new());
    let falls = {
        let shelf = Arc::clone(&shelf);
        thread::spawn(move || {
            shelf.ask(&Rings, &within(), |library, within| {
                assert!(within.entries == 0, "as it should");
                library.get(&[1], within).map(|_| ())
            })
        })
    };
    assert!(falls.join().is_err());
    let found =
        shelf.ask(&Rings, &within(), |library, within| Ok(library.get(&[1], within)?.len()));
    assert_eq!(found, Some(1));
}

#[derive(Clone)]
struct Rings;

impl Game for Rings {
    type Key = u8;
    type Sector = Ring;

    fn id(&self) -> &'static str {
        "ring"
    }

    fn rules(&self) -> String {
        "plain".to_string()
    }

    fn below(&self, key: u8) -> Vec<u8> {
        (key > 0).then(|| key - 1).into_iter().collect()
    }

    fn entries(&self, _: u8) -> u64 {
        u64::from(Ring.entries())
    }

    fn sector(&self, _: u8, _: &HashMap<u8, Arc<Table>>) -> Ring {
        Ring
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn within() -> Within {
    Within::entries(u64::MAX, Stop::default())
}

#[test]
fn sectors_are_built_in_order_and_read_again() {
    let folder = folder("solve-order");
    let mut library = Library::new(Rings, Some(&folder));
    assert_eq!(library.order(&[2, 1]), [0, 1, 2]);
    let early = library.build(1, &within(), &mut |_| {});
    assert!(matches!(early, Err(SolveError::Missing(sector)) if sector == "0"));
    for key in 0..3 {
        library.build(key, &within(), &mut |_| {}).expect("it fits");
    }
    let solved = solve(Ring, &within(), &mut |_| {}).expect("nothing stops it");
    let mut other = Library::new(Rings, Some(&folder));
    assert_eq!(*other.get(&[2], &within()).expect("it is there")[0], solved);
    assert!(other.has_read());
    assert_eq!(check(&mut other, 2, 100).expect("sound"), 3);
    let mut file = other.file(1).expect("readable").expect("there");
    assert!((1..4).all(|number| file.worth(number).expect("readable") == solved.worth(number)));
    let small = Within { bytes: 10, ..within() };
    let large = Library::new(Rings, None).get(&[0], &small);
    assert!(matches!(large, Err(SolveError::TooLarge { .. })));
    let none = Library::new(Rings, None).get(&[2], &Within::entries(10, Stop::default()));
    assert!(matches!(none, Err(SolveError::Missing(_))), "three sectors of four numbers are more");
}

/// Whatever is done to a file, it is refused or says what it said; it never panics.
#[test]
fn every_damage_is_found() {
    let folder = folder("solve-damage");
    let mut library = Library::new(Rings, Some(&folder));
    library.build(0, &within(), &mut |_| {}).expect("it fits");
    let path = folder.join("ring/plain/0.table");
    let whole = fs::read(&path).expect("readable");
    assert!(!folder.join("ring/plain/0.part").exists());
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("writable");
        match TableFile::open(&path) {
            Err(_) => true,
            Ok(file) => file.expect("it is there").load().is_err(),
        }
    };
    assert!(!refused(&whole));
    for i in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[i] ^= 1 << (i % 8);
        assert!(refused(&bytes), "byte {i}");
    }
    assert!((0..whole.len()).all(|length| refused(&whole[..length])));
    assert!(refused(&[&whole[..], b"x"].concat()));
    // A sound file of another sector is not taken for this one.
    fs::write(&path, &whole).expect("writable");
    fs::copy(&path, folder.join("ring/plain/1.table")).expect("writable");
    let other = Library::new(Rings, Some(&folder)).find(1);
    assert!(matches!(other, Err(SolveError::Damaged { .. })));
}
