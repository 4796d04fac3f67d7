//! The computer player: finds mates, leaves nothing hanging, keeps to its limits.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{Arbiter, Call, Entry, Limits, Opening, Report, Score, Seat, Value, Workspace};
use kiban_search::{Random, Signature};
use kiban_shogi::GAME;
use kiban_shogi::moves::{Color, Piece, PieceKind, Square};
use kiban_shogi::position::Position;
use kiban_shogi::sfen::Setup;

const SIGNATURE_NODES: u64 = 52_401;
const SIGNATURE: u64 = 1_907_049_948_243_921_191;

fn open(start: &str) -> Box<dyn Arbiter> {
    let variant = GAME.variant("").unwrap();
    let start = (!start.is_empty()).then(|| start.to_string());
    (GAME.open)(&Opening::new(variant, start)).unwrap()
}

fn think(game: &dyn Arbiter, limits: Limits) -> (Entry, Report) {
    let seat = game.waiting_for().only().unwrap();
    let mut last = None;
    let entry = game.ask(seat)(&mut Workspace::new(), limits, &mut |r| last = Some(r));
    (entry, last.expect("a report for each depth"))
}

fn nodes(n: u64) -> Limits {
    Limits { nodes: Some(n), ..Limits::default() }
}

/// The shortest forced mate of at most `plies`, by trying everything.
fn shortest_mate(p: &mut Position, plies: u32) -> Option<u32> {
    (1..=plies).step_by(2).find(|n| mates_within(p, *n))
}

fn mates_within(p: &mut Position, plies: u32) -> bool {
    let moves = p.legal_moves();
    moves.into_iter().any(|m| {
        let undo = p.play(*m);
        let replies = p.legal_moves();
        let mated = p.in_check() && replies.is_empty()
            || plies > 2
                && !replies.is_empty()
                && replies.into_iter().all(|reply| {
                    let undo = p.play(*reply);
                    let mated = mates_within(p, plies - 2);
                    p.undo(*reply, undo);
                    mated
                });
        p.undo(*m, undo);
        mated
    })
}

/// Small mating problems by chance: a king in the corner, a few men, three pieces in hand.
fn problem(random: &mut Random) -> Option<Position> {
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
fn mates_in_one_and_three_are_found_and_exact() {
    let (mut random, mut found) = (Random::new(1), [0, 0]);
    while found[1] < 6 {
        let Some(mut p) = problem(&mut random) else { continue };
        let Some(plies) = shortest_mate(&mut p, 3) else { continue };
        found[plies as usize / 2] += 1;
        let sfen = p.to_sfen();
        let (_, report) = think(open(&sfen).as_ref(), nodes(200_000));
        let score = report.lines[0].score;
        assert_eq!(score, Score::Exact { value: Value::Win, distance: Some(plies) }, "{sfen}");
        assert_eq!(report.lines[0].moves.len(), plies as usize, "{sfen}");
    }
    assert!(found[0] > 0);
}

#[test]
fn a_piece_left_hanging_is_taken_and_an_own_one_is_saved() {
    // A rook stands where a pawn takes it.
    let (entry, _) = think(open("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1").as_ref(), nodes(20_000));
    assert_eq!(entry, Entry::new_move(Seat::FIRST, "5f5e"));
    // The own rook is attacked by a pawn: it leaves or takes, whatever else.
    let mut game = open("4k4/9/9/9/4p4/4R4/9/9/4K4 b - 1");
    let (entry, _) = think(game.as_ref(), nodes(20_000));
    game.put(&entry).unwrap();
    let rook_lost = game.choices(Seat::SECOND).iter().any(|c| c.text == "5e5f");
    assert!(!rook_lost || !format!("{entry:?}").contains("5f"), "{entry:?}");
}

#[test]
fn a_won_declaration_is_made() {
    let (entry, report) =
        think(open("+B+B+R+RKGGGG/SSSS5/9/9/9/9/9/9/7k1 b - 1").as_ref(), nodes(1000));
    assert_eq!(entry, Entry::new_call(Seat::FIRST, Call::Declare));
    assert_eq!(report.call, Some(Call::Declare));
}

#[test]
fn a_declaration_is_seen_before_it_can_be_made() {
    let (entry, report) =
        think(open("+B+B+R+R1GGGG/SSSS5/9/4K4/9/9/9/9/7k1 b - 1").as_ref(), nodes(2000));
    let score = report.lines[0].score;
    assert_eq!(score, Score::Exact { value: Value::Win, distance: Some(2) }, "{entry:?}");
}

#[test]
fn a_mate_beyond_the_search_is_found_by_the_solver() {
    let sfen = "4RB1k1/5s3/7n1/5s1LP/9/7r1/9/9/6K2 b b4g2s3n3l17p 1";
    let (entry, report) = think(open(sfen).as_ref(), nodes(400_000));
    let score = report.lines[0].score;
    assert_eq!(score, Score::Exact { value: Value::Win, distance: Some(13) });
    assert_eq!(entry, Entry::new_move(Seat::FIRST, report.lines[0].moves[0].as_str()));
}

/// Who is behind repeats, who is ahead does not: from here the rooks can go to and fro for ever.
#[test]
fn a_side_ahead_does_not_repeat() {
    let mut game = open("4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    for text in ["2h3h", "5a4a", "3h2h", "4a5a", "2h3h", "5a4a", "3h2h", "4a5a"] {
        let seat = game.waiting_for().only().unwrap();
        game.put(&Entry::new_move(seat, text)).unwrap();
    }
    let (entry, _) = think(game.as_ref(), nodes(3000));
    assert_ne!(entry, Entry::new_move(Seat::FIRST, "2h3h"));
}

#[test]
fn wishes_are_honoured() {
    let only = vec!["9g9f".to_string(), "1g1f".to_string()];
    let limits = Limits { only: only.clone(), hash: Some(2), ..nodes(5000) };
    let (_, report) = think(open("").as_ref(), limits);
    assert!(only.contains(&report.lines[0].moves[0]));
    let (entry, report) = think(open("").as_ref(), Limits { threads: 3, ..nodes(30_000) });
    assert_eq!(entry, Entry::new_move(Seat::FIRST, report.lines[0].moves[0].as_str()));
    assert!(report.nodes <= 32_000, "{}", report.nodes);
    // So few nodes that not even one move can be looked at.
    let (_, report) = think(open("").as_ref(), nodes(1));
    assert_eq!(report.lines.len(), 1);
}

#[test]
fn memory_of_another_game_changes_nothing() {
    let game = open("lnsg1gsnl/1r4kb1/ppppp1ppp/5p3/9/2P4P1/PP1PPPP1P/1BG2S1R1/LNS1KG1NL b - 1");
    let mut memory = Workspace::new();
    let told = |game: &dyn Arbiter, memory: &mut Workspace| {
        let seat = game.waiting_for().only().unwrap();
        let mut last = None;
        game.ask(seat)(memory, nodes(20_000), &mut |report| last = Some(report));
        last.unwrap()
    };
    let fresh = told(game.as_ref(), &mut Workspace::new());
    told(open("").as_ref(), &mut memory);
    assert_eq!(told(game.as_ref(), &mut memory), fresh);
}

/// The node count of the benchmark's positions, at a depth a test can afford. It changes with the
/// search and the weights, and then only on purpose.
#[test]
fn the_bench_signature() {
    let bench = GAME.bench.unwrap();
    assert_eq!(bench.positions.len(), 10);
    let mut signature = Signature::default();
    for sfen in bench.positions {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let (_, report) = think(open(sfen).as_ref(), limits);
        signature.add(report.nodes, &report.lines[0].moves[0]);
    }
    assert_eq!((signature.nodes, signature.value()), (SIGNATURE_NODES, SIGNATURE));
}

#[test]
fn several_lines_are_told_best_first() {
    let limits = Limits { lines: 4, depth: Some(4), ..Limits::default() };
    let (_, report) = think(open("").as_ref(), limits);
    let chances: Vec<f32> = report.lines.iter().map(|l| l.score.chance()).collect();
    assert_eq!(report.lines.iter().map(|l| l.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(chances.is_sorted_by(|a, b| a >= b), "{chances:?}");
    let mut firsts: Vec<_> = report.lines.iter().map(|l| &l.moves[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn level_seven_beats_level_one() {
    let mut wins = 0;
    for n in 0..4u64 {
        let strong = if n % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
        let mut game = open("");
        let mut memory = [Workspace::new(), Workspace::new()];
        while game.ending().is_none() && game.log().len() < 300 {
            let seat = game.waiting_for().only().unwrap();
            let level = Some(if seat == strong { 7 } else { 1 });
            let limits = Limits { level, seed: n, ..Limits::default() };
            let entry = game.ask(seat)(&mut memory[seat.index()], limits, &mut |_| ());
            game.put(&entry).unwrap();
        }
        let won = game.ending().and_then(|e| e.outcome).is_some_and(|o| o.winners().has(strong));
        wins += u32::from(won);
    }
    assert!(wins >= 3, "{wins} of 4");
}
