//! A slow move generator that shares nothing with the real one: it walks square by square, makes
//! each move on a copy and looks whether the king can be taken.

use kiban_shogi::moves::{Color, Move, Piece, PieceKind, Square};
use kiban_shogi::sfen::Setup;

/// Files to the left, ranks down.
type Offset = (i8, i8);

const GOLD: &[Offset] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const ORTHOGONAL: &[Offset] = &[(0, -1), (0, 1), (-1, 0), (1, 0)];
const DIAGONAL: &[Offset] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Steps and slides of a kind, as sente sees them.
fn movement(kind: PieceKind) -> (Vec<Offset>, Vec<Offset>) {
    let (steps, slides): (&[&[_]], &[_]) = match kind {
        PieceKind::Pawn => (&[&[(0, -1)]], &[]),
        PieceKind::Lance => (&[], &[(0, -1)]),
        PieceKind::Knight => (&[&[(-1, -2), (1, -2)]], &[]),
        PieceKind::Silver => (&[DIAGONAL, &[(0, -1)]], &[]),
        PieceKind::King => (&[DIAGONAL, ORTHOGONAL], &[]),
        PieceKind::Bishop => (&[], DIAGONAL),
        PieceKind::Rook => (&[], ORTHOGONAL),
        PieceKind::Horse => (&[ORTHOGONAL], DIAGONAL),
        PieceKind::Dragon => (&[DIAGONAL], ORTHOGONAL),
        _ => (&[GOLD], &[]),
    };
    (steps.concat(), slides.to_vec())
}

/// Where the piece on `from` attacks.
pub(crate) fn attacks(setup: &Setup, from: Square) -> Vec<Square> {
    let piece = setup.board[from.index()].expect("a piece");
    let turn = |(f, r): Offset| if piece.color() == Color::Sente { (f, r) } else { (-f, -r) };
    let (steps, slides) = movement(piece.kind());
    let mut to: Vec<Square> =
        steps.into_iter().map(turn).filter_map(|(f, r)| from.offset(f, r)).collect();
    for (f, r) in slides.into_iter().map(turn) {
        let mut at = from.offset(f, r);
        while let Some(square) = at {
            to.push(square);
            at = if setup.board[square.index()].is_some() { None } else { square.offset(f, r) };
        }
    }
    to
}

fn squares_of(setup: &Setup, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
    Square::all().filter_map(move |square| {
        let piece = setup.board[square.index()].filter(|piece| piece.color() == color)?;
        Some((square, piece.kind()))
    })
}

/// Whether the king of `color` is on the board and attacked.
pub(crate) fn in_check(setup: &Setup, color: Color) -> bool {
    let king = squares_of(setup, color).find(|&(_, kind)| kind == PieceKind::King);
    king.is_some_and(|(king, _)| {
        squares_of(setup, !color).any(|(from, _)| attacks(setup, from).contains(&king))
    })
}

/// The setup after a move.
pub(crate) fn after(setup: &Setup, m: Move) -> Setup {
    let mut next = setup.clone();
    let hand = &mut next.hands[setup.turn.index()];
    if let Some(kind) = m.dropped() {
        hand[kind.index()] -= 1;
        next.board[m.to().index()] = Some(Piece::new(setup.turn, kind));
    } else {
        let from = m.from().expect("no drop");
        let piece = next.board[from.index()].take().expect("a piece");
        if let Some(taken) = next.board[m.to().index()] {
            hand[taken.kind().unpromoted().index()] += 1;
        }
        let kind =
            if m.promotes() { piece.kind().promoted().expect("promotes") } else { piece.kind() };
        next.board[m.to().index()] = Some(Piece::new(setup.turn, kind));
    }
    next.turn = !setup.turn;
    next.number += 1;
    next
}

fn dead(kind: PieceKind, to: Square, color: Color) -> bool {
    let ranks_ahead = if color == Color::Sente { to.rank() - 1 } else { 9 - to.rank() };
    match kind {
        PieceKind::Pawn | PieceKind::Lance => ranks_ahead < 1,
        PieceKind::Knight => ranks_ahead < 2,
        _ => false,
    }
}

/// Moves that may leave the own king in check; mating pawn drops included.
fn candidates(setup: &Setup) -> Vec<Move> {
    let us = setup.turn;
    let zone = |square: Square| match us {
        Color::Sente => square.rank() <= 3,
        Color::Gote => square.rank() >= 7,
    };
    let mut moves = Vec::new();
    for (from, kind) in squares_of(setup, us) {
        for to in attacks(setup, from) {
            if setup.board[to.index()].is_some_and(|piece| piece.color() == us) {
                continue;
            }
            if kind.promoted().is_some() && (zone(from) || zone(to)) {
                moves.push(Move::board(from, to, true));
            }
            if !dead(kind, to, us) {
                moves.push(Move::board(from, to, false));
            }
        }
    }
    for kind in PieceKind::HAND.into_iter().filter(|k| setup.hands[us.index()][k.index()] > 0) {
        for to in Square::all().filter(|to| setup.board[to.index()].is_none()) {
            let own_pawn = |(at, k): (Square, _)| k == PieceKind::Pawn && at.file() == to.file();
            let nifu = kind == PieceKind::Pawn && squares_of(setup, us).any(own_pawn);
            if !nifu && !dead(kind, to, us) {
                moves.push(Move::drop(kind, to).expect("a hand kind"));
            }
        }
    }
    moves
}

/// The legal moves and the pawn drops that are forbidden because they mate.
pub(crate) fn legal(setup: &Setup) -> (Vec<Move>, Vec<Move>) {
    let us = setup.turn;
    let safe = |m: &Move| !in_check(&after(setup, *m), us);
    let mates = |m: &Move| {
        let next = after(setup, *m);
        // A pawn drop in a reply cannot matter: a check by a pawn is never blocked.
        m.dropped() == Some(PieceKind::Pawn)
            && in_check(&next, !us)
            && !candidates(&next).iter().any(|&reply| !in_check(&after(&next, reply), !us))
    };
    let (mating, legal) = candidates(setup).into_iter().filter(safe).partition(mates);
    (legal, mating)
}
