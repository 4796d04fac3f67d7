//! The mate solver: on known problems, against a search that tries everything, and on threats.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{Limits, Proved, Seat};
use kiban_search::Random;
use kiban_shogi::mate::{Threat, brinkmate, solve, threat};
use kiban_shogi::moves::{Color, Move, Piece, PieceKind, Square};
use kiban_shogi::position::Position;
use kiban_shogi::sfen::Setup;

fn position(sfen: &str) -> Position {
    Position::from_setup(&Setup::from_sfen(sfen).unwrap()).unwrap()
}

fn nodes(n: u64) -> Limits {
    Limits { nodes: Some(n), ..Limits::default() }
}

/// Whether the line is a mate: the attacker checks with every move, the defender's moves are
/// legal, and in the end there is no answer but drops between, each of which the line piece takes
/// and mates again.
fn check_line(p: &Position, line: &[Move]) {
    let mut p = p.clone();
    for (i, m) in line.iter().enumerate() {
        assert!(p.is_legal(*m), "{p} {m}");
        let _undo = p.play(*m);
        assert!(i % 2 == 1 || p.in_check(), "{p}");
    }
    assert!(is_mated(&mut p), "{p}");
}

fn is_mated(p: &mut Position) -> bool {
    let answers = p.legal_moves();
    answers.iter().all(|m| {
        let checker = p.checkers().first().unwrap();
        m.is_drop() && {
            let undo = p.play(*m);
            let takes = p.legal_moves();
            let mut takers = takes.iter().filter(|t| t.from() == Some(checker) && t.to() == m.to());
            let mated = takers.any(|taker| {
                let undo = p.play(*taker);
                let mated = is_mated(p);
                p.undo(*taker, undo);
                mated
            });
            p.undo(*m, undo);
            mated
        }
    })
}

/// Problems with the length of their mate: two with futile interpositions on which several
/// solvers count too many plies, one of 13 plies, two of our own.
#[test]
fn known_problems_have_their_known_length() {
    for (sfen, plies) in [
        ("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1", 3),
        ("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", 3),
        ("4RB1k1/5s3/7n1/5s1LP/9/7r1/9/9/6K2 b b4g2s3n3l17p 1", 13),
        ("8k/9/9/9/9/9/9/9/7L1 b RG 1", 1),
        ("k8/9/1P7/9/9/9/9/9/9 b 2G 1", 1),
    ] {
        let p = position(sfen);
        let answer = solve(&p, &nodes(2_000_000));
        assert_eq!((answer.mate, answer.plies), (Some(true), Some(plies)), "{sfen}");
        assert_eq!(answer.proved, Proved::Shortest, "{sfen}");
        assert_eq!(answer.line.len(), plies as usize, "{sfen}");
        check_line(&p, &answer.line);
    }
}

/// Two long ones, where solvers have claimed that there is no mate, or crashed.
#[test]
fn long_problems_are_solved_or_left_open() {
    for sfen in [
        "7k1/5+Bp2/7Ss/9/9/9/1n7/9/9 b 2rb4g2s3n4l17p 1",
        "1+P2l4/2P6/9/p5+R2/2k6/B3+P3B/9/9/9 b r4g4s4n3l14p 1",
    ] {
        let answer = solve(&position(sfen), &Limits { hash: Some(16), ..nodes(60_000) });
        assert_ne!(answer.mate, Some(false), "{sfen}");
    }
}

#[test]
fn no_mate_is_said_only_where_everything_was_tried() {
    let start = solve(&Position::start(), &nodes(1000));
    assert_eq!((start.mate, start.proved), (Some(false), Proved::None));
    let alone = solve(&position("4k4/9/9/9/9/9/9/9/4K4 b R 1"), &nodes(100_000));
    assert_eq!(alone.mate, Some(false));
    let p = position("4RB1k1/5s3/7n1/5s1LP/9/7r1/9/9/6K2 b b4g2s3n3l17p 1");
    assert_eq!(solve(&p, &nodes(200)).mate, None, "too few nodes");
    assert_eq!(solve(&p, &Limits { depth: Some(11), ..nodes(500_000) }).mate, None, "too short");
    let limits = nodes(500_000);
    limits.stop.stop();
    assert_eq!(solve(&p, &limits).mate, None, "stopped");
    // There is nobody to mate.
    assert_eq!(solve(&position("9/9/9/9/9/9/9/9/4K4 b R 1"), &nodes(100)).mate, Some(false));
}

/// The shortest mate by checks of at most `plies`, by trying everything. Drops between count.
fn shortest(p: &mut Position, plies: u32) -> Option<u32> {
    (1..=plies).step_by(2).find(|n| mates_within(p, *n))
}

fn mates_within(p: &mut Position, plies: u32) -> bool {
    let moves = p.legal_moves();
    moves.into_iter().any(|m| {
        let undo = p.play(*m);
        let mated = p.in_check() && {
            let answers = p.legal_moves();
            answers.is_empty()
                || plies > 2
                    && answers.iter().all(|answer| {
                        let undo = p.play(*answer);
                        let mated = mates_within(p, plies - 2);
                        p.undo(*answer, undo);
                        mated
                    })
        };
        p.undo(*m, undo);
        mated
    })
}

/// Small problems by chance: a king near a corner, a few men, three pieces in hand. The defender
/// has nothing to drop, so that no drop is futile.
fn by_chance(random: &mut Random) -> Option<Position> {
    let mut setup = Setup::empty();
    let square = |random: &mut Random, files: usize, ranks: usize| {
        Square::new(1 + random.below(files) as u8, 1 + random.below(ranks) as u8)
    };
    let kinds = [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight, PieceKind::Silver];
    for _ in 0..4 {
        let at = square(random, 4, 4)?;
        setup.board[at.index()] = Some(Piece::new(Color::Gote, kinds[random.below(4)]));
    }
    for _ in 0..2 {
        let at = square(random, 5, 5)?;
        setup.board[at.index()] = Some(Piece::new(Color::Sente, PieceKind::ALL[random.below(7)]));
    }
    let king = square(random, 2, 2)?;
    setup.board[king.index()] = Some(Piece::new(Color::Gote, PieceKind::King));
    for _ in 0..3 {
        setup.hands[0][2 + random.below(4)] += 1;
    }
    Position::from_setup(&setup).ok()
}

#[test]
fn mates_are_as_short_as_trying_everything_finds_them() {
    let (mut random, mut found) = (Random::new(3), [0; 4]);
    while found[2] < 4 {
        let Some(mut p) = by_chance(&mut random) else { continue };
        let plies = shortest(&mut p, 5);
        found[plies.map_or(3, |n| n as usize / 2)] += 1;
        let answer = solve(&p, &Limits { depth: Some(5), hash: Some(4), ..nodes(300_000) });
        assert_eq!(answer.plies, plies, "{p}");
        if let Some(plies) = plies {
            assert_eq!(answer.proved, Proved::Shortest);
            assert_eq!(answer.line.len() as u32, plies);
            check_line(&p, &answer.line);
        } else {
            assert_ne!(answer.mate, Some(true), "{p}");
        }
    }
    assert!(found.iter().all(|n| *n > 0), "{found:?}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let p = position("4RB1k1/5s3/7n1/5s1LP/9/7r1/9/9/6K2 b b4g2s3n3l17p 1");
    assert_eq!(solve(&p, &nodes(300_000)), solve(&p, &nodes(300_000)));
}

/// A problem of the threat kind: the first check brings the king to the edge, then a quiet move
/// leaves no defence.
#[test]
fn threats_and_brinkmates() {
    let mut p = position("7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1");
    for m in ["S*2c", "2b1c", "2c3d+"] {
        assert_eq!(threat(&p, &nodes(20_000)), Threat::None, "{p} before {m}");
        let m = Move::from_usi(m).unwrap();
        assert!(p.is_legal(m));
        let _undo = p.play(m);
    }
    assert_eq!(threat(&p, &nodes(20_000)), Threat::Brink, "{p}");
    assert_eq!(brinkmate(&p, &nodes(20_000)), Some(true));
    assert_eq!(named(&p.to_string())[0].0, "brinkmate");
    assert_eq!(threat(&Position::start(), &nodes(1000)), Threat::None);
    // A gold before a bare king threatens mate on the next move; taking it is a defence.
    let mated = position("4k4/9/4P4/9/9/9/9/9/4K4 w G 1");
    assert_eq!(threat(&mated, &nodes(5000)), Threat::Mate);
    assert_ne!(brinkmate(&mated, &nodes(5000)), Some(true));
    assert_eq!(brinkmate(&Position::start(), &nodes(1000)), Some(false));
}

/// What the game says of a position: slug, for whom, plies, moves. Each has its message.
fn named(sfen: &str) -> Vec<(&'static str, Seat, Option<u32>, String)> {
    let find = kiban_shogi::GAME.proofs.expect("shogi has words for threats");
    let found = find(sfen, &Limits::default()).unwrap();
    for proof in &found {
        let message = format!("\nshogi-proof-{} = ", proof.what);
        assert!(kiban_shogi::ENGLISH.contains(&message), "{proof:?}");
    }
    found.into_iter().map(|p| (p.what, p.seat, p.plies, p.moves.join(" "))).collect()
}

#[test]
fn what_is_proved_of_a_position_is_named() {
    let (first, gold) = (Seat::FIRST, "G*5b".to_string());
    let gold_falls = |what| (what, first, Some(1), gold.clone());
    assert_eq!(named("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), [gold_falls("mate")]);
    assert_eq!(named("4k4/9/4P4/9/9/9/9/9/4K4 w G 1"), [gold_falls("threatmate")]);
    assert_eq!(named("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), []);
}
