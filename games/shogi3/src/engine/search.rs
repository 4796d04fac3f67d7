//! A search by depth for set-ups too large to be solved.

use super::{Thought, estimate};
use crate::Shogi3;
use crate::moves::{Move, Square};
use crate::position::Position;
use kiban_core::{BestLine, Limits, Line, Report, Rules, Score, Value};
use kiban_search::{Budget, INFINITE, Level, Plan, Root, RootMove, Tree, Window};
use kiban_shogi::moves::{Color, PieceKind};

/// Scores beyond this are mates: so far below the highest as the mate is plies away.
const MATE: i32 = INFINITE - 1000;
/// Half the first window.
const WIDTH: i32 = 60;
/// Deeper is not searched.
const DEEPEST: u8 = 60;

/// What a piece is worth on the board, in centipawns.
fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Lance | PieceKind::Knight => 200,
        PieceKind::Silver => 450,
        PieceKind::Gold => 550,
        PieceKind::Bishop => 650,
        PieceKind::Rook => 750,
        PieceKind::King => 0,
        PieceKind::Horse => 900,
        PieceKind::Dragon => 1000,
        _ => 500,
    }
}

/// The material of the side to move less the other's, pieces in hand a little dearer.
pub(super) fn material(p: &Position) -> i32 {
    let of = |side: Color| {
        let board = Square::all().filter_map(|square| p.piece_at(square));
        let board: i32 =
            board.filter(|(owner, _)| *owner == side).map(|(_, kind)| worth(kind)).sum();
        let hand = p.hand(side);
        board + hand.iter().map(|(kind, n)| i32::from(n) * (worth(kind) * 6 / 5)).sum::<i32>()
    };
    of(p.turn()) - of(p.turn().other())
}

/// Captures in a row that are looked at.
const EXCHANGES: u8 = 5;

/// The material of the side to move less the other's once both have taken what pays.
pub(super) fn exchanged(p: &Position, rules: Shogi3) -> i32 {
    taken(p, rules, EXCHANGES, Window::OPEN)
}

fn taken(p: &Position, rules: Shogi3, left: u8, Window { mut alpha, beta }: Window) -> i32 {
    let mut best = material(p);
    if left == 0 || best >= beta {
        return best;
    }
    alpha = alpha.max(best);
    for m in p.legal_moves(rules.uchifuzume) {
        if p.piece_at(m.to()).is_none() {
            continue;
        }
        let mut after = *p;
        after.play(m);
        best = best.max(-taken(&after, rules, left - 1, Window { alpha: -beta, beta: -alpha }));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

struct Search {
    rules: Shogi3,
    root: Position,
    budget: Budget,
    line: Vec<Move>,
}

impl Search {
    /// The value for the side to move, with the line behind it; `None` when the budget ran out.
    fn negamax(
        &mut self,
        p: &Position,
        depth: u8,
        ply: i32,
        window: Window,
        line: &mut Vec<Move>,
    ) -> Option<i32> {
        line.clear();
        if !self.budget.spend() {
            return None;
        }
        let mut moves = p.legal_moves(self.rules.uchifuzume);
        if moves.is_empty() {
            let draws = self.rules.stalemate_draws && !p.in_check();
            return Some(if draws { 0 } else { ply - INFINITE + 1 });
        }
        if depth == 0 {
            return Some(material(p));
        }
        moves.sort_by_cached_key(|m| {
            let takes = p.piece_at(m.to()).map_or(0, |(_, kind)| worth(kind));
            -takes - i32::from(matches!(m, Move::Board { promotes: true, .. })) * 50
        });
        let (mut best, mut alpha) = (-INFINITE, window.alpha);
        let mut below = Vec::new();
        for m in moves {
            let mut after = *p;
            after.play(m);
            let inner = Window { alpha: -window.beta, beta: -alpha };
            let value = -self.negamax(&after, depth - 1, ply + 1, inner, &mut below)?;
            if value > best {
                best = value;
                line.clear();
                line.push(m);
                line.append(&mut below);
            }
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        Some(best)
    }
}

impl Tree for Search {
    type Move = Move;

    fn value(&mut self, m: Move, depth: u8, window: Window, _: usize) -> Option<i32> {
        let mut after = self.root;
        after.play(m);
        let inner = Window { alpha: -window.beta, beta: -window.alpha };
        let mut line = Vec::new();
        let value = self.negamax(&after, depth - 1, 1, inner, &mut line)?;
        self.line = line;
        Some(-value)
    }

    fn line(&self) -> &[Move] {
        &self.line
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

fn score(value: i32) -> Score {
    let mate = |value, plies| Score::Exact { value, distance: Some(plies as u32) };
    match value {
        v if v >= MATE => mate(Value::Win, INFINITE - 1 - v),
        v if v <= -MATE => mate(Value::Loss, INFINITE - 1 + v),
        v => estimate(v),
    }
}

/// The moves as a search sees them, best first.
pub(super) fn thoughts(
    rules: Shogi3,
    line: &Line<Shogi3>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Vec<Thought> {
    let level = limits.level.map(Level::new);
    let mut nodes: Vec<u64> = level.iter().map(|level| level.nodes).collect();
    nodes.extend(limits.nodes.map(|nodes| nodes - nodes / 2));
    let budget = Budget::new(limits, nodes.into_iter().min(), level.and_then(|level| level.time));
    let mut search = Search { rules, root: *line.position(), budget, line: Vec::new() };
    let legal = rules.legal(line).into_iter();
    let mut root =
        Root::new(legal.filter(|m| limits.only.is_empty() || limits.only.contains(&m.to_string())));
    let plan = Plan {
        first: 1,
        last: limits.depth.unwrap_or(DEEPEST).min(DEEPEST),
        lines: limits.lines.max(1).into(),
        width: WIDTH,
    };
    root.deepen(&mut search, plan, |search: &mut Search, depth, best: &[RootMove<Move>]| {
        let line = |(rank, best): (u8, &RootMove<Move>)| BestLine {
            rank,
            score: score(best.score),
            depth,
            moves: best.line.iter().map(Move::to_string).collect(),
        };
        let lines = (1..).zip(best).map(line).collect();
        report(Report { depth, seldepth: None, nodes: search.budget.nodes(), lines, call: None });
        true
    });
    let places = (0..).zip(&root.moves);
    places
        .map(|(place, best)| Thought { m: best.m, score: score(best.score), rank: -place })
        .collect()
}
