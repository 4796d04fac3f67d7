//! The counts of the rules page.

use super::*;
use kiban_solve::Tally;

/// Wins, losses and draws for the side to move.
type Count = (u64, u64, u64);

fn add(sum: Count, tally: Tally) -> Count {
    (sum.0 + tally.wins, sum.1 + tally.losses, sum.2 + tally.draws)
}

fn solved(variant: &str, animals: u32) -> Library<Endings> {
    let options = Options::of(&GAME.variant(variant).expect("a variant"));
    let mut library = Library::new(Endings::of(options, animals), None);
    let all = library.game().classes.all();
    let within = Within::entries(u64::MAX, kiban_core::Stop::default());
    library.get(&all, &within).expect("nothing limits it");
    library
}

/// "One animal each, no history rules: a class is the mover's kind and the other's kind, whether the
/// mover may take the other and whether it may be taken; one representative each gives 17 classes,
/// both dens empty, mirror not folded: 44,820 positions." The rows are those of the notes.
#[test]
fn classes_of_two_animals_under_each_option() {
    for (options, expected) in [
        ("", (22_928, 17_382, 4_510)),
        (",leave-water=any", (22_972, 17_424, 4_424)),
        (",enter-water=yes", (22_997, 17_438, 4_385)),
        (",elephant-takes-rat=always", (22_720, 17_023, 5_077)),
        (",leave-water=any,enter-water=yes", (23_271, 17_781, 3_768)),
        (",leave-water=rat,enter-water=yes", (23_271, 17_781, 3_768)),
        (",leave-water=any,elephant-takes-rat=always", (22_764, 17_065, 4_991)),
        (",enter-water=yes,elephant-takes-rat=always", (22_789, 17_079, 4_952)),
        (",leave-water=any,enter-water=yes,elephant-takes-rat=always", (23_063, 17_422, 4_335)),
    ] {
        let mut library = solved(&format!("classic{options}"), 2);
        let classes = library.game().classes.all();
        let (mut count, mut sum) = (0, (0, 0, 0));
        for class in classes {
            let table = library.find(class).expect("in memory").expect("solved");
            let parts = library.game().classes.parts(class);
            sum = table.tallies.into_iter().fold(sum, add);
            count += parts;
        }
        assert_eq!((sum, count), (expected, 17), "{options}");
    }
}

/// Every material counts through its class.
#[test]
fn all_endings_of_up_to_three_animals() {
    let mut library = solved("classic", 3);
    let (classes, mut sums) = (Arc::clone(&library.game().classes), [(0, 0, 0); 4]);
    for (animals, place) in classes.places() {
        let table = library.find(place.class).expect("in memory").expect("solved");
        let sum = &mut sums[animals as usize];
        *sum = add(*sum, table.tallies[usize::from(place.second)]);
    }
    assert_eq!(sums[2], (82_717, 64_461, 12_890));
    assert_eq!(sums[3], (30_277_979, 23_397_652, 680_265));
    assert_eq!(classes.all().len(), 10 + 42, "17 and 84, with either side to move");
}
