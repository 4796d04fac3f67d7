use super::*;
use crate::bitboard::Portable;
use crate::engine::{general, level};
use crate::{Options, Othello};

/// A board with so many empties, reached by moves by chance; the position with it.
fn reached(seed: u64, empties: u32) -> Option<Position> {
    let options = Options { fewest: false, free_centre: false, size: 8, handicap: 0 };
    let mut position = Position::start(options);
    let mut random = Random::new(seed);
    while position.empties().count_ones() > empties {
        let moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.below(moves.len())]);
    }
    (position.placements(position.to_move()) != 0).then_some(position)
}

fn board(position: &Position) -> Board8 {
    Board8::try_from(position).expect("it is of that size")
}

#[test]
fn stages_deepen_and_end_at_the_end() {
    for empties in 1..=60 {
        for deepest in 1..=64 {
            let stages = stages(empties, deepest);
            let rank = |s: &Stage| (s.depth, if s.depth < empties { 0 } else { s.sure });
            assert!(stages.is_sorted_by_key(rank));
            let last = stages.last().expect("there is a search");
            assert_eq!(last.depth, deepest.min(empties));
            assert_eq!(last.sure == EXACT, deepest >= empties, "{empties} {deepest}");
        }
    }
}

/// The general player solves without patterns, without stability and with other orders.
#[test]
fn two_ways_to_solve_agree() {
    let mut study = Study::new(weights(), 14);
    let mut compared = 0;
    for seed in 0..40 {
        let Some(position) = reached(seed, 11 + seed as u32 % 3) else { continue };
        let mut last = None;
        general::Asked {
            rules: Othello { options: position_options(), drawn_opening: false },
            position,
            table: &mut TranspositionTable::new(14),
            limits: &Limits::default(),
            level: level::FULL,
            report: &mut |report| last = Some(report),
        }
        .answer();
        let score = last.expect("a report").lines[0].score;
        let Score::Estimate { points, .. } = score else { panic!("points are told") };
        study.clear();
        assert_eq!(study.solve(board(&position)).points, points, "{}", position.write());
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

fn position_options() -> Options {
    Options { fewest: false, free_centre: false, size: 8, handicap: 0 }
}

fn weights() -> Weights {
    let bytes = include_bytes!("../../../data/weights.bin");
    Weights::read(bytes).expect("they are whole")
}

/// Whichever instructions the processor has, the same is found with the same nodes.
#[test]
fn every_instruction_set_finds_the_same() {
    for (seed, empties, depth) in [(1, 50, 5), (2, 40, 5), (3, 30, 5), (4, 14, 14), (5, 13, 13)] {
        let Some(position) = reached(seed, empties) else { panic!("{seed} ends early") };
        let found: Vec<Found> = AnyIsa::available()
            .into_iter()
            .map(|isa| study::found_on(isa, board(&position), depth))
            .collect();
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        let moves = Portable.moves(board(&position));
        assert!(found[0].square.is_some_and(|square| moves >> square & 1 != 0));
    }
}

/// A search without cuts at a depth beyond the end is the exact value, and so is the last stage.
#[test]
fn surer_stages_come_to_the_exact_value() {
    let mut study = Study::new(weights(), 16);
    for seed in 100..104 {
        let Some(position) = reached(seed, 14) else { continue };
        let exact = study.solve(board(&position)).points;
        let mut last = None;
        Asked {
            position,
            board: board(&position),
            table: &TranspositionTable::new(16),
            limits: &Limits { threads: 2, ..Limits::default() },
            level: level::FULL,
            report: &mut |report| last = Some(report),
        }
        .answer();
        let score = last.expect("a report").lines[0].score;
        let chance = (1.0 + exact.signum() as f32) / 2.0;
        let bound = Bound::Exact;
        assert_eq!(score, Score::Estimate { points: exact, unit: "centidisc", chance, bound });
    }
}
