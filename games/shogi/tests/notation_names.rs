//! Names of moves: Japanese relative marks as the Japan Shogi Association's guide to writing
//! records has them, and Western names.

use kiban_shogi::moves::{Color, Move, Piece, PieceKind};
use kiban_shogi::notation::names::{japanese, western};
use kiban_shogi::position::Position;
use kiban_shogi::sfen::Setup;

fn position(sfen: &str) -> Position {
    let setup = Setup::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
    Position::from_setup(&setup).unwrap_or_else(|faults| panic!("{sfen}: {faults:?}"))
}

/// Without gote's king, whom many of these pieces would check.
fn without_king(sfen: &str) -> String {
    let mut setup = Setup::from_sfen(sfen).expect("a position");
    let king = Piece::new(Color::Gote, PieceKind::King);
    setup.board.iter_mut().filter(|p| **p == Some(king)).for_each(|p| *p = None);
    setup.to_sfen()
}

/// The same seen from the other side: the board turned, the colours swapped.
fn turned(sfen: &str) -> String {
    let setup = Setup::from_sfen(sfen).expect("a position");
    let mut other = Setup::empty();
    for (at, piece) in setup.board.iter().enumerate() {
        let swap = |p: Piece| Piece::new(p.color().other(), p.kind());
        other.board[80 - at] = piece.map(swap);
    }
    other.hands = [setup.hands[1], setup.hands[0]];
    other.turn = setup.turn.other();
    other.to_sfen()
}

fn turned_move(m: &str) -> String {
    let m = Move::from_usi(m).expect("a move");
    let to = m.to().turned();
    match (m.dropped(), m.from()) {
        (Some(kind), _) => Move::drop(kind, to).expect("a drop").to_usi(),
        (None, Some(from)) => Move::board(from.turned(), to, m.promotes()).to_usi(),
        (None, None) => panic!("neither drop nor origin"),
    }
}

/// Position, and moves with what follows the destination in their names.
const MARKS: &[(&str, &[(&str, &str)])] = &[
    // Two golds that differ by the way they go: up and sideways, up and down.
    ("8k/1G7/2G6/9/9/9/9/9/K8 b - 1", &[("8b8c", "金引"), ("7c8c", "金寄")]),
    ("8k/2G6/9/2G6/9/9/9/9/K8 b - 1", &[("7b7c", "金引"), ("7d7c", "金上")]),
    ("8k/9/5G3/4G4/9/9/9/9/K8 b - 1", &[("4c5c", "金寄"), ("5d5c", "金上")]),
    // Two silvers: up and down.
    ("8k/9/9/1S7/9/1S7/9/9/K8 b - 1", &[("8d7e", "銀引"), ("8f7e", "銀上")]),
    // Two that go the same way: left and right, or straight.
    ("8k/9/G1G6/9/9/9/9/9/K8 b - 1", &[("9c8b", "金左"), ("7c8b", "金右")]),
    ("8k/9/9/9/9/9/9/9/K1GG5 b - 1", &[("7i7h", "金直"), ("6i7h", "金右")]),
    ("8k/9/9/9/9/9/9/3S1S3/K8 b - 1", &[("6h5g", "銀左"), ("4h5g", "銀右")]),
    ("8k/9/9/9/9/9/9/4SS3/K8 b - 1", &[("5h5g", "銀直"), ("4h5g", "銀右")]),
    ("8k/9/9/9/3G1G3/9/9/9/K8 b - 1", &[("6e5e", "金左"), ("4e5e", "金右")]),
    ("8k/9/9/3S1S3/9/9/9/9/K8 b - 1", &[("6d5e", "銀左"), ("4d5e", "銀右")]),
    // Three golds side by side.
    ("8k/9/9/9/9/9/9/9/K1GGG4 b - 1", &[("7i6h", "金左"), ("6i6h", "金直"), ("5i6h", "金右")]),
    // Two below and one beside or above: the way tells one, the side the others.
    ("8k/9/9/9/9/9/9/2G6/K2GG4 b - 1", &[("7h6h", "金寄"), ("6i6h", "金直"), ("5i6h", "金右")]),
    ("8k/9/9/9/9/9/3G5/9/K1GG5 b - 1", &[("6g6h", "金引"), ("7i6h", "金左"), ("6i6h", "金直")]),
    // Five tokins, four silvers.
    (
        "8k/9/9/9/9/9/2+P6/1+P7/K+P+P+P5 b - 1",
        &[
            ("7g7h", "と引"),
            ("8h7h", "と寄"),
            ("8i7h", "と左上"),
            ("7i7h", "と直"),
            ("6i7h", "と右"),
        ],
    ),
    (
        "8k/9/9/9/9/5S1S1/9/5S1S1/K8 b - 1",
        &[("4h3g", "銀左上"), ("2h3g", "銀右上"), ("4f3g", "銀左引"), ("2f3g", "銀右引")],
    ),
    (
        "8k/9/9/9/9/7S1/9/5SSS1/K8 b - 1",
        &[("4h3g", "銀左"), ("3h3g", "銀直"), ("2h3g", "銀右上"), ("2f3g", "銀引")],
    ),
    // Golds and promoted pieces are different pieces.
    ("8k/9/9/9/9/9/9/9/K1G+S5 b - 1", &[("7i7h", "金"), ("6i7h", "成銀")]),
    ("8k/9/9/9/9/9/9/9/K1+N+N5 b - 1", &[("7i7h", "成桂直"), ("6i7h", "成桂右")]),
    ("8k/9/9/9/9/9/9/9/K1+L+L5 b - 1", &[("7i6h", "成香左"), ("6i6h", "成香直")]),
    // Knights, with and without promotion.
    (
        "8k/9/9/9/3N1N3/9/9/9/K8 b - 1",
        &[("6e5c+", "桂左成"), ("6e5c", "桂左不成"), ("4e5c+", "桂右成")],
    ),
    ("8k/9/9/9/9/9/9/3N1N3/K8 b - 1", &[("6h5f", "桂左"), ("4h5f", "桂右")]),
    // Silvers that may promote.
    (
        "8k/9/9/3S1S3/9/9/9/9/K8 b - 1",
        &[("6d5c+", "銀左成"), ("6d5c", "銀左不成"), ("4d5c", "銀右不成")],
    ),
    // A promotion that is not optional by the rules is still named.
    ("8k/4P4/9/9/9/9/9/9/K8 b - 1", &[("5b5a+", "歩成")]),
    // Dragons and horses: no 直, but left and right; the way first.
    ("k8/9/1+R7/9/9/9/9/9/K+R7 b - 1", &[("8c8h", "龍引"), ("8i8h", "龍上")]),
    ("+R7k/9/9/1+R7/9/9/9/9/K8 b - 1", &[("9a8b", "龍引")]),
    ("8k/4+R4/7+R1/9/9/9/9/9/K8 b - 1", &[("5b4c", "龍引"), ("2c4c", "龍寄")]),
    ("k8/9/9/9/4+R3+R/9/9/9/K8 b - 1", &[("5e3e", "龍左"), ("1e3e", "龍右")]),
    ("k8/9/9/9/9/9/9/9/+R+R6K b - 1", &[("9i8h", "龍左"), ("8i8h", "龍右")]),
    ("k8/9/9/9/9/9/9/7+R1/K7+R b - 1", &[("2h1g", "龍左"), ("1i1g", "龍右")]),
    ("8k/+B+B7/9/9/9/9/9/9/K8 b - 1", &[("9b8c", "馬左"), ("8b8c", "馬右")]),
    ("8k/9/3+B5/9/+B8/9/9/9/K8 b - 1", &[("9e8e", "馬寄"), ("6c8e", "馬引")]),
    ("k7+B/9/9/6+B2/9/9/9/9/K8 b - 1", &[("1a1b", "馬引"), ("3d1b", "馬上")]),
    ("8k/9/9/9/9/9/9/9/+B3+B3K b - 1", &[("9i7g", "馬左"), ("5i7g", "馬右")]),
    ("k8/9/9/9/9/9/5+B3/8+B/K8 b - 1", &[("4g2i", "馬左"), ("1h2i", "馬右")]),
    // Rooks and bishops.
    ("k8/9/9/9/4R3R/9/9/9/K8 b - 1", &[("5e3e", "飛左"), ("1e3e", "飛右")]),
    ("k8/9/9/9/4R4/9/6R2/9/K8 b - 1", &[("5e3e", "飛寄"), ("3g3e", "飛上")]),
    ("8k/9/9/9/9/2B1B4/9/9/K8 b - 1", &[("7f6e", "角左"), ("5f6e", "角右")]),
    // Drops: 打 only where a piece on the board could go there too.
    ("8k/9/9/9/9/9/9/9/K1G6 b G 1", &[("G*7h", "金打"), ("G*5h", "金"), ("7i7h", "金")]),
    ("8k/9/9/9/9/9/9/9/K1GG5 b G 1", &[("G*7h", "金打"), ("7i7h", "金直")]),
    // A promoted piece is not what is dropped.
    ("8k/9/9/9/9/9/9/9/K1+S6 b S 1", &[("S*7h", "銀")]),
    // A pinned piece looks as if it could go there: it is told apart all the same.
    ("4r3k/9/9/9/9/9/9/4G4/4KG3 b - 1", &[("4i4h", "金上"), ("5h5g", "金")]),
];

#[test]
fn relative_marks() {
    for (sfen, rows) in MARKS {
        let sfen = without_king(sfen);
        for (sfen, turn) in [(sfen.clone(), false), (turned(&sfen), true)] {
            let p = position(&sfen);
            for (m, want) in *rows {
                let usi = if turn { turned_move(m) } else { m.to_string() };
                let m = Move::from_usi(&usi).expect("a move");
                let name = japanese(&p, m, None);
                let mark = if turn { '☖' } else { '☗' };
                assert!(name.starts_with(mark), "{name}");
                let name: String = name.chars().skip(3).collect();
                assert_eq!(name, *want, "{usi} in {sfen}");
            }
        }
    }
}

/// Every legal move of a position has a name of its own.
#[test]
fn names_are_unique() {
    for sfen in [
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "k8/9/3+R1+B3/9/3G1G3/2+PG1G+P2/2S1N1S2/1S1N1NS2/K3+R3+B b - 1",
    ] {
        for sfen in [sfen.to_string(), turned(sfen)] {
            let p = position(&sfen);
            let moves = p.legal_moves().to_vec();
            for name in [japanese as fn(&Position, Move, _) -> String, |p, m, _| western(p, m)] {
                let mut names: Vec<String> = moves.iter().map(|m| name(&p, *m, None)).collect();
                names.sort_unstable();
                let all = names.len();
                names.dedup();
                assert_eq!(names.len(), all, "{sfen}");
            }
        }
    }
}

#[test]
fn the_same_square() {
    let p = position("8k/9/4p4/4G4/9/9/9/9/K8 b - 1");
    let m = Move::from_usi("5d5c").expect("a move");
    assert_eq!(japanese(&p, m, Some(m.to())), "☗同　金");
    assert_eq!(japanese(&p, m, None), "☗５三金");
}

#[test]
fn western_names() {
    let p = position("8k/9/4p4/3S1S3/9/9/7R1/1B7/K1GG5 b GP 1");
    for (m, want) in [
        ("6d5c", "S6dx5c="),
        ("4d5c+", "S4dx5c+"),
        ("2g2a+", "R-2a+"),
        ("8h7g", "B-7g"),
        ("7i7h", "G7i-7h"),
        ("9i9h", "K-9h"),
        ("P*5e", "P*5e"),
        ("G*7h", "G*7h"),
    ] {
        assert_eq!(western(&p, Move::from_usi(m).expect("a move")), want);
    }
    let p = position("8k/9/9/9/4+R4/9/9/9/K8 b - 1");
    assert_eq!(western(&p, Move::from_usi("5e4d").expect("a move")), "+R-4d");
}
