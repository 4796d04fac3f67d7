//! The figures of the rules page.

use super::*;

fn solved(sfen: &str, rules: Shogi3) -> (Solution, Position) {
    let p = crate::sfen::read(sfen).unwrap();
    (Solution::of(rules, &p, &Within::bytes(1 << 28)).unwrap(), p)
}

#[test]
fn the_set_ups_of_the_rules_page_are_worth_what_it_says() {
    for (sfen, value, distance, positions, tally) in [
        ("psk/3/KSP b - 1", Value::Win, Some(3), 378_475, Some((206_103, 168_060, 4_312))),
        ("pbk/3/KRP b - 1", Value::Win, Some(7), 593_748, None),
        ("2k/3/K2 b Pp 1", Value::Win, Some(21), 2_978, Some((1_542, 1_297, 139))),
        ("glk/3/KLG b - 1", Value::Win, Some(9), 119_740, Some((62_519, 56_162, 1_059))),
        ("s1k/3/K1S b Pp 1", Value::Win, Some(13), 378_475, None),
        ("npk/3/KPN b - 1", Value::Draw, None, 171_438, None),
    ] {
        let (solution, p) = solved(sfen, Shogi3::default());
        assert_eq!(solution.worth(&p), Some(Worth { value, distance }), "{sfen}");
        assert_eq!(solution.positions(), positions, "{sfen}");
        let Tally { wins, losses, draws } = solution.tally();
        if let Some(told) = tally {
            assert_eq!((wins, losses, draws), told, "{sfen}");
        }
        assert!(solution.peak_bytes() < BYTES_A_POSITION * positions, "{sfen}");
    }
}

#[test]
fn stalemate_as_a_draw_changes_values() {
    let rules = Shogi3 { stalemate_draws: true, ..Shogi3::default() };
    let (solution, p) = solved("2k/3/K2 b Pp 1", rules);
    assert_eq!(solution.worth(&p), Some(Worth::DRAW));
    let Tally { wins, losses, draws } = solution.tally();
    assert_eq!((wins, losses, draws), (1_204, 861, 913));
    let (solution, p) = solved("glk/3/KLG b - 1", rules);
    assert_eq!(solution.worth(&p).unwrap().distance, Some(17));
}

#[test]
fn allowing_uchifuzume_reaches_more_positions() {
    let rules = Shogi3 { uchifuzume: true, ..Shogi3::default() };
    assert_eq!(solved("psk/3/KSP b - 1", rules).0.positions(), 380_178);
}

#[test]
fn a_draw_held_only_by_endless_checks_is_told() {
    let (solution, _) = solved("psk/3/KSP b - 1", Shogi3::default());
    assert_eq!(solution.held_by_checks_alone(), (337, 630));
    let (solution, p) = solved("2K/2G/+lk1 b lg 1", Shogi3::default());
    assert_eq!(solution.worth(&p), Some(Worth::DRAW));
    assert_eq!(solution.holds_quietly(&p, true), Some(false));
}

/// Each quiet move that is promised comes nearer by some own move and by every drawing reply.
#[test]
fn whoever_can_hold_quietly_gets_to_a_quiet_move() {
    let (solution, _) = solved("1rk/3/KR1 b - 1", Shogi3::default());
    let mut ways_of_checks = 0;
    for i in 0..solution.positions() as usize {
        let p = solution.position(i);
        let after = p.legal_moves(false).into_iter().map(|m| {
            let mut after = p;
            after.play(m);
            after
        });
        let drawn = |p: &Position| solution.worth(p) == Some(Worth::DRAW);
        let after: Vec<Position> = after.filter(drawn).collect();
        let nearer = |p: &Position, mover, plies: u32| {
            solution.quiet_in(p, mover).is_some_and(|then| then < plies)
        };
        match solution.quiet_in(&p, true).filter(|_| !after.is_empty()) {
            Some(0) => assert!(
                after
                    .iter()
                    .any(|p| !p.in_check() && solution.holds_quietly(p, false) == Some(true))
            ),
            Some(plies) => {
                ways_of_checks += 1;
                assert!(after.iter().any(|p| nearer(p, false, plies)));
            }
            None => {}
        }
        if let Some(plies) = solution.quiet_in(&p, false) {
            assert!(after.iter().all(|p| nearer(p, true, plies)));
        }
    }
    assert!(ways_of_checks > 10, "{ways_of_checks}");
}

#[test]
fn more_positions_than_there_is_room_for_are_refused_with_a_bound() {
    let p = crate::sfen::read("gsk/3/KSG b Pp 1").unwrap();
    let within = Within::bytes(10_000 * BYTES_A_POSITION);
    let refused = Solution::of(Shogi3::default(), &p, &within).err();
    let Some(Unsolved::TooMany(bound)) = refused else { panic!("{refused:?}") };
    // 8,370,373 positions can be reached.
    assert!(bound > 8_370_373, "{bound}");
    within.stop.stop();
    let refused = Solution::of(Shogi3::default(), &p, &within).err();
    assert_eq!(refused, Some(Unsolved::Stopped));
    let within = Within { deadline: Some(Instant::now()), ..Within::bytes(1 << 30) };
    assert_eq!(Solution::of(Shogi3::default(), &p, &within).err(), Some(Unsolved::Stopped));
}

#[test]
fn moves_are_told_best_first_and_agree_with_the_position() {
    let (solution, p) = solved("glk/3/KLG b - 1", Shogi3::default());
    let moves = solution.moves(&p).unwrap();
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[0].1, solution.worth(&p).unwrap());
    assert!(moves.is_sorted_by_key(|(_, worth)| -worth.rank()));
    let elsewhere = crate::sfen::read("2k/3/K2 b Pp 1").unwrap();
    assert!(solution.moves(&elsewhere).is_none());
}
