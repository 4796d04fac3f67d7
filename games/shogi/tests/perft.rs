//! The move generator against published counts and against a slow one of its own.

mod mailbox;

use kiban_shogi::moves::{Color, Move, Piece, PieceKind, Square};
use kiban_shogi::perft::{divide, perft};
use kiban_shogi::position::{Fault, Position};
use kiban_shogi::sfen::{Setup, SfenField};

/// Rows with more paths are left to `kiban suite`.
const MOST_PATHS: u64 = 60_000_000;

fn position(sfen: &str) -> Position {
    let setup = Setup::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
    Position::from_setup(&setup).unwrap_or_else(|faults| panic!("{sfen}: {faults:?}"))
}

#[test]
fn published_counts() {
    for line in include_str!("data/shogi.perft").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(" ;D");
        let sfen = fields.next().expect("a position");
        let mut position = position(sfen);
        assert_eq!(position.to_sfen(), sfen);
        for field in fields {
            let (depth, count) = field.split_once(' ').expect("depth and count");
            let count: u64 = count.parse().expect("a number");
            if count <= MOST_PATHS {
                let depth = depth.parse().expect("a number");
                assert_eq!(perft(&mut position, depth), count, "{sfen} depth {depth}");
            }
        }
        assert_eq!(position.to_sfen(), sfen);
    }
}

#[test]
fn divide_sums_to_perft() {
    let mut start = Position::start();
    let parts = divide(&mut start, 3);
    assert_eq!(parts.len(), 30);
    assert_eq!(parts.iter().map(|&(_, n)| n).sum::<u64>(), 25_470);
    assert_eq!(perft(&mut start, 0), 1);
}

/// xorshift64*, enough for tests.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// How often the rare things were seen, so that a test knows it has tested them.
#[derive(Default, Debug)]
struct Seen {
    positions: u32,
    checks: u32,
    double_checks: u32,
    mates: u32,
    pawn_mates: u32,
    pinned: u32,
    kingless: u32,
}

/// Compares everything the position says about moves with the slow generator.
fn compare(position: &Position, seen: &mut Seen) {
    let setup = position.to_setup();
    let sorted = |mut moves: Vec<Move>| {
        moves.sort();
        moves
    };
    let (legal, mating) = mailbox::legal(&setup);
    let legal = sorted(legal);
    assert_eq!(sorted(position.legal_moves().to_vec()), legal, "{position}");
    assert_eq!(position.count_legal() as usize, legal.len(), "{position}");
    assert_eq!(position.in_check(), mailbox::in_check(&setup, setup.turn), "{position}");
    for m in &mating {
        assert!(position.is_uchifuzume(m.to()) && !position.is_legal(*m), "{position} {m}");
    }
    let noisy = |m: &Move| !m.is_drop() && (m.promotes() || position.piece_at(m.to()).is_some());
    let expected: Vec<Move> = legal.iter().copied().filter(noisy).collect();
    assert_eq!(sorted(position.noisy_moves().to_vec()), expected, "{position}");
    let quiet = legal.iter().copied().filter(|m| !expected.contains(m)).collect::<Vec<_>>();
    assert_eq!(sorted(position.quiet_moves().to_vec()), quiet, "{position}");
    let checks = legal.iter().copied().filter(|m| position.gives_check(*m)).collect::<Vec<_>>();
    assert_eq!(sorted(position.checking_moves().to_vec()), checks, "{position}");
    seen.positions += 1;
    seen.checks += u32::from(position.in_check());
    seen.double_checks += u32::from(position.checkers().is_many());
    seen.mates += u32::from(legal.is_empty());
    seen.pawn_mates += u32::from(!mating.is_empty());
    seen.pinned += position.pinned().len();
    seen.kingless += u32::from(Color::BOTH.iter().any(|&c| position.king(c).is_none()));
    if !position.in_check() {
        compare_pins(position, &setup);
    }
    compare_after(position, &setup, &legal);
}

/// A pinned piece is one without which there is check.
fn compare_pins(position: &Position, setup: &Setup) {
    for square in position.pieces_of(setup.turn) {
        let mut without = setup.clone();
        without.board[square.index()] = None;
        let pinned = mailbox::in_check(&without, setup.turn);
        assert_eq!(position.pinned().has(square), pinned, "{position} {square}");
    }
}

/// Compares the positions after some of the moves.
fn compare_after(position: &Position, setup: &Setup, legal: &[Move]) {
    let mut copy = position.clone();
    for &m in legal.iter().step_by(1 + legal.len() / 12) {
        let next = mailbox::after(setup, m);
        assert!(position.is_legal(m));
        assert_eq!(position.gives_check(m), mailbox::in_check(&next, next.turn), "{position} {m}");
        let undo = copy.play(m);
        assert_eq!(copy.to_setup(), next, "{position} {m}");
        assert_eq!(copy.key(), Position::from_setup(&next).expect("legal").key());
        copy.undo(m, undo);
        assert!(copy == *position && copy.to_setup() == *setup && copy.key() == position.key());
    }
}

/// Asks about every move there is, legal or absurd.
fn compare_all_moves(position: &Position) {
    let legal = position.legal_moves();
    for m in (0..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(position.is_legal(m), legal.contains(&m), "{position} {m}");
    }
}

#[test]
fn random_games_agree_with_the_slow_generator() {
    let (mut random, mut seen) = (Random(1), Seen::default());
    let starts = include_str!("data/shogi.perft").lines().filter(|line| !line.starts_with('#'));
    for start in starts.map(|line| position(line.split(" ;").next().expect("a position"))) {
        for game in 0..6 {
            let mut position = start.clone();
            for ply in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                if ply % 4 == game % 4 {
                    compare(&position, &mut seen);
                }
                if ply == 30 {
                    compare_all_moves(&position);
                }
            }
        }
    }
    assert!(seen.positions > 500 && seen.checks > 20, "{seen:?}");
}

/// Scatters part of a set around the kings, the rest into hands; some boards lack a king.
fn scattered(random: &mut Random) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::BOTH[random.below(2)];
    // The king of the side not to move stands at its edge, where mates happen.
    let defender = !setup.turn;
    let back = if defender == Color::Gote { 1 } else { 9 };
    let rank = if random.below(3) > 0 { back } else { 1 + random.below(9) as u8 };
    let king = Square::new(1 + random.below(9) as u8, rank).expect("on the board");
    setup.board[king.index()] = Some(Piece::new(defender, PieceKind::King));
    let mut centre = king;
    if random.below(2) == 0 {
        let own = Square::from_index(random.below(81)).expect("on the board");
        if own != king {
            setup.board[own.index()] = Some(Piece::new(setup.turn, PieceKind::King));
            centre = if random.below(2) == 0 { own } else { king };
        }
    }
    let on_board = 1 + random.below(30);
    // The side with more pieces mostly attacks; otherwise it pins and checks.
    let strong = if random.below(3) > 0 { setup.turn } else { defender };
    for kind in PieceKind::HAND {
        for _ in 0..kind.in_a_set() {
            let color = if random.below(3) > 0 { strong } else { !strong };
            let near = centre.offset(random.below(7) as i8 - 3, random.below(7) as i8 - 3);
            let square = match near {
                Some(near) if random.below(2) == 0 => near,
                _ => Square::from_index(random.below(81)).expect("on the board"),
            };
            let kind_there = kind.promoted().filter(|_| random.below(4) == 0).unwrap_or(kind);
            let piece = Some(Piece::new(color, kind_there));
            let nifu = kind_there == PieceKind::Pawn
                && Square::all()
                    .any(|s| s.file() == square.file() && setup.board[s.index()] == piece);
            let free =
                setup.board[square.index()].is_none() && !kind_there.is_dead_on(square, color);
            if random.below(40) < on_board && free && !nifu {
                setup.board[square.index()] = piece;
            } else if random.below(2) == 0 {
                setup.hands[color.index()][kind.index()] += 1;
            }
        }
    }
    setup
}

#[test]
fn scattered_setups_agree_with_the_slow_generator() {
    let (mut random, mut seen) = (Random(7), Seen::default());
    while seen.positions < 9_000 {
        let setup = scattered(&mut random);
        assert_eq!(Setup::from_sfen(&setup.to_sfen()).as_ref(), Ok(&setup));
        let Ok(mut position) = Position::from_setup(&setup) else { continue };
        for _ in 0..3 {
            compare(&position, &mut seen);
            if seen.positions % 100 == 0 {
                compare_all_moves(&position);
            }
            let moves = position.legal_moves();
            let checks = moves.iter().copied().filter(|&m| position.gives_check(m));
            let checks: Vec<Move> = checks.collect();
            let choice: &[Move] = if checks.is_empty() { &moves } else { &checks };
            if choice.is_empty() {
                break;
            }
            position.play(choice[random.below(choice.len())]);
        }
    }
    assert!(seen.pawn_mates > 20 && seen.checks > 500 && seen.double_checks > 20, "{seen:?}");
    assert!(seen.pinned > 80 && seen.kingless > 1_000, "{seen:?}");
}

#[test]
fn a_pinned_piece_does_not_save_from_uchifuzume() {
    let at = |text: &str| Move::from_usi(text).expect("a move");
    let pinned = position("3lkg2R/9/4G4/9/9/9/9/9/4K4 b P 1");
    assert!(!pinned.is_legal(at("P*5b")) && pinned.is_uchifuzume(at("P*5b").to()));
    let blocked = position("4kl3/9/4G4/9/7B1/9/9/9/4K4 b P 1");
    assert!(blocked.is_legal(at("P*5b")) && blocked.gives_check(at("P*5b")));
    assert_eq!(blocked.count_legal(), 91);
}

#[test]
fn uchifuzume_without_the_droppers_king() {
    let tsume = position("3lkg2R/9/4G4/9/9/9/9/9/9 b P 1");
    assert!(tsume.is_uchifuzume(Square::new(5, 2).expect("on the board")));
}

#[test]
fn a_missing_king_makes_room_for_more_moves_than_593() {
    let tsume = position("R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    assert_eq!(tsume.legal_moves().len(), 599);
    compare(&tsume, &mut Seen::default());
    let capacity = kiban_shogi::movegen::MoveList::CAPACITY;
    assert!(capacity >= 599 + 8, "some room above the most that is known");
}

#[test]
fn equality_leaves_the_number_out() {
    let a = position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 9");
    assert_eq!(a, Position::start());
    let gote = position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_ne!(gote, a);
    assert_ne!(gote.key(), a.key());
}

#[test]
fn passing_changes_the_turn_only() {
    let mut position = Position::start();
    position.pass();
    assert_eq!(position.turn(), Color::Gote);
    assert_eq!(position.count_legal(), 30);
    position.pass();
    assert_eq!((position.key(), &position), (Position::start().key(), &Position::start()));
}

#[test]
fn faults_of_setups() {
    let faults = |sfen: &str| Setup::from_sfen(sfen).expect("well-formed").faults();
    let at = |file, rank| Square::new(file, rank).expect("on the board");
    assert_eq!(faults("9/9/9/9/9/9/9/9/9 b - 1"), [Fault::NoKing]);
    assert_eq!(
        faults("k7k/9/9/9/9/9/9/9/9 b - 1"),
        [Fault::SecondKing { color: Color::Gote, square: at(9, 1) }]
    );
    let sentes = |kind| Piece::new(Color::Sente, kind);
    assert_eq!(
        faults("k2P5/6N2/9/9/9/9/9/9/9 b - 1"),
        [
            Fault::DeadPiece { piece: sentes(PieceKind::Knight), square: at(3, 2) },
            Fault::DeadPiece { piece: sentes(PieceKind::Pawn), square: at(6, 1) },
        ]
    );
    assert_eq!(
        faults("k8/9/9/4P4/9/4P4/9/9/9 b - 1"),
        [Fault::SecondPawn { color: Color::Sente, square: at(5, 6) }]
    );
    assert_eq!(
        faults("k8/9/9/4B4/9/9/9/9/9 b 2r2Rb99P 1"),
        [
            Fault::TooMany { kind: PieceKind::Pawn, count: 99 },
            Fault::TooMany { kind: PieceKind::Rook, count: 4 },
        ]
    );
    assert_eq!(
        faults("k8/P8/9/9/9/9/9/9/9 b - 1"),
        [Fault::OpponentInCheck { color: Color::Gote, square: at(9, 1) }]
    );
    assert!(faults("k8/P8/9/9/9/9/9/9/9 w - 1").is_empty());
    assert!(faults("k8/K8/9/9/9/9/9/9/9 w - 1").len() == 1);
}

#[test]
fn sfen_errors_name_the_place() {
    let error = |text: &str| {
        let e = Setup::from_sfen(text).expect_err(text);
        (e.field, e.offset, e.column, e.found)
    };
    use SfenField::{Board, Hands, Number, Side};
    assert_eq!(error(""), (Board, 0, 1, None));
    assert_eq!(error("9/9/9 b - 1"), (Board, 5, 6, Some(' ')));
    assert_eq!(error("9/9/8x/9/9/9/9/9/9 b - 1"), (Board, 5, 6, Some('x')));
    assert_eq!(error("歩9/9/9/9/9/9/9/9/9"), (Board, 0, 1, Some('歩')));
    assert_eq!(error("9/8/9/9/9/9/9/9/9 b - 1"), (Board, 3, 4, Some('/')));
    assert_eq!(error("9/9k/9/9/9/9/9/9/9 b - 1"), (Board, 3, 4, Some('k')));
    assert_eq!(error("9/9/9/9/9/9/9/9/8+ b - 1"), (Board, 18, 19, Some(' ')));
    assert_eq!(error("9/9/9/9/9/9/9/9/8+k b - 1"), (Board, 18, 19, Some('k')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9/9 b - 1"), (Board, 17, 18, Some('/')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9"), (Side, 17, 18, None));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 black - 1"), (Side, 19, 20, Some('l')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 x - 1"), (Side, 18, 19, Some('x')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 b 2K 1"), (Hands, 21, 22, Some('K')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 b P3 1"), (Hands, 22, 23, Some(' ')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 b 0P 1"), (Hands, 20, 21, Some('0')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 b 4294967297P 1"), (Hands, 20, 21, Some('4')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 b - 1x"), (Number, 23, 24, Some('x')));
    assert_eq!(error("9/9/9/9/9/9/9/9/9 b - 1 2"), (Number, 24, 25, Some('2')));
    assert_eq!(error("startpos moves 7g7f"), (Number, 9, 10, Some('m')));
    for text in
        ["startpos", "sfen startpos", " sfen  4k4/9/9/9/9/9/9/9/9  b ", "9/9/9/9/9/9/9/9/9 w p"]
    {
        assert!(Setup::from_sfen(text).is_ok(), "{text}");
    }
}

#[test]
fn no_text_panics() {
    let mut random = Random(3);
    let alphabet: Vec<char> = "123456789/+kKpPlLnNsSgGbBrR bw-0歩　x".chars().collect();
    let good = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    for round in 0..20_000 {
        let mut text: Vec<char> = good.chars().collect();
        if round % 2 == 0 {
            text = (0..random.below(60)).map(|_| alphabet[random.below(alphabet.len())]).collect();
        }
        for _ in 0..random.below(4) {
            if !text.is_empty() {
                let at = random.below(text.len());
                text[at] = alphabet[random.below(alphabet.len())];
            }
        }
        let text: String = text.into_iter().collect();
        match Setup::from_sfen(&text) {
            Ok(setup) => {
                let _ = setup.faults();
                assert_eq!(Setup::from_sfen(&setup.to_sfen()), Ok(setup));
            }
            Err(e) => assert_eq!(text[e.offset..].chars().next(), e.found, "{e}"),
        }
    }
}
