//! Principal-variation search with quiescence.

use super::eval::{evaluate, worth};
use crate::movegen::MoveList;
use crate::moves::{Move, PieceKind};
use crate::position::Position;
use kiban_core::Bound;
use kiban_search::{Budget, Hit, Random, TranspositionTable};

/// The score of being mated at the root; a mate in `n` plies is `MATE - n`.
pub(super) const MATE: i32 = 30_000;
/// Scores beyond this are mates.
pub(super) const MATE_BOUND: i32 = MATE - 1_000;
/// Plies a search may reach.
const MAX_PLY: usize = 96;
/// Quiet moves beyond this many are searched a ply less deep first.
const LATE: usize = 5;
/// Plies of quiescence in which checks are still answered in full.
const QUIET_CHECKS: i32 = 4;

/// One search from a root.
pub(super) struct Search<'a> {
    pub(super) budget: Budget,
    table: &'a mut TranspositionTable,
    /// Keys of the game so far and of the path searched, with whether the side to move is in check.
    path: Vec<(u64, bool)>,
    /// Where the search's own part of the path begins.
    root: usize,
    killers: [[Option<Move>; 2]; MAX_PLY],
    history: Vec<[i32; 81]>,
    /// The share of replies to the root's moves that are not seen, and the chance that picks them.
    overlooked: f32,
    seed: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        budget: Budget,
        table: &'a mut TranspositionTable,
        before: &[Position],
        overlooked: f32,
        seed: u64,
    ) -> Search<'a> {
        let path: Vec<_> = before.iter().map(|p| (p.key(), p.in_check())).collect();
        let root = path.len().saturating_sub(1);
        Search {
            budget,
            table,
            path,
            root,
            killers: [[None; 2]; MAX_PLY],
            history: vec![[0; 81]; 32],
            overlooked,
            seed,
        }
    }

    fn ply(&self) -> usize {
        self.path.len() - 1 - self.root
    }

    /// Plays, searches the position after `m` and takes back. `None` when the budget is out.
    fn after(&mut self, p: &mut Position, m: Move, depth: i32, window: (i32, i32)) -> Option<i32> {
        let undo = p.play(m);
        self.path.push((p.key(), p.in_check()));
        let score = self.node(p, depth, -window.1, -window.0);
        self.path.pop();
        p.undo(m, undo);
        score.map(|s| -s)
    }

    /// The root: the best of `moves` with its score, as far as the budget reached; `None` if it did
    /// not reach the end of the first. The best move is brought to the front.
    pub(super) fn root(
        &mut self,
        p: &mut Position,
        moves: &mut [Move],
        depth: i32,
    ) -> Option<(Move, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for (i, m) in moves.iter().enumerate() {
            let Some(score) = self.root_move(p, *m, depth, best.map(|b| b.1)) else { break };
            if best.is_none_or(|b| score > b.1) {
                best = Some((i, score));
            }
        }
        let (i, score) = best?;
        moves[..=i].rotate_right(1);
        Some((moves[0], score))
    }

    fn root_move(
        &mut self,
        p: &mut Position,
        m: Move,
        depth: i32,
        best: Option<i32>,
    ) -> Option<i32> {
        let Some(alpha) = best else { return self.after(p, m, depth - 1, (-MATE, MATE)) };
        let low = self.after(p, m, depth - 1, (alpha, alpha + 1))?;
        if low <= alpha { Some(low) } else { self.after(p, m, depth - 1, (alpha, MATE)) }
    }

    /// A repeated position: no gain for either, but whoever only gave check loses.
    fn repeated(&self) -> Option<i32> {
        let (now, before) = self.path.split_last().expect("the path holds the current position");
        let earlier = before.iter().rposition(|at| at.0 == now.0)?;
        let since = &self.path[earlier + 1..];
        let checks = |from: usize| since.iter().rev().skip(from).step_by(2).all(|at| at.1);
        Some(match (checks(0), checks(1)) {
            (true, false) => 2_000,
            (false, true) => -2_000,
            _ => 0,
        })
    }

    /// The value for the side to move, `None` when the budget is out.
    fn node(&mut self, p: &mut Position, depth: i32, mut alpha: i32, mut beta: i32) -> Option<i32> {
        let ply = self.ply();
        if let Some(score) = self.repeated() {
            return Some(score);
        }
        let in_check = p.in_check();
        let depth = if in_check { depth + 1 } else { depth };
        if depth <= 0 || ply + 2 >= MAX_PLY {
            return self.quiet(p, alpha, beta, 0);
        }
        if !self.budget.spend() {
            return None;
        }
        // No line from here is better than mating at once or worse than being mated at once.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return Some(alpha);
        }
        let seen = self.table.probe(p.key());
        if let Some(score) = seen.and_then(|hit| cutoff(hit, depth, alpha, beta, ply))
            && self.may_trust_table(ply)
        {
            return Some(score);
        }
        let zero_window = beta - alpha == 1;
        let may_pass = zero_window && !in_check && depth >= 3 && self.may_trust_table(ply);
        if may_pass
            && evaluate(p) >= beta
            && let Some(score) = self.after_pass(p, depth - 3, beta)?
        {
            return Some(score);
        }
        self.moves_of(p, depth, (alpha, beta), seen.map_or(0, |hit| hit.best))
    }

    /// Replies that are overlooked make values of the first plies a matter of the root.
    fn may_trust_table(&self, ply: usize) -> bool {
        self.overlooked == 0.0 || ply > 1
    }

    /// If even a pass keeps the position above beta, so will a move.
    fn after_pass(&mut self, p: &mut Position, depth: i32, beta: i32) -> Option<Option<i32>> {
        p.pass();
        self.path.push((p.key(), false));
        let score = self.node(p, depth, -beta, 1 - beta).map(|s| -s);
        self.path.pop();
        p.pass();
        // A mate after a pass proves nothing.
        score.map(|s| (s >= beta).then(|| s.min(MATE_BOUND - 1).max(beta)))
    }

    fn moves_of(
        &mut self,
        p: &mut Position,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        first: u16,
    ) -> Option<i32> {
        let ply = self.ply();
        let mut moves = p.legal_moves();
        if moves.is_empty() {
            return Some(ply as i32 - MATE);
        }
        if ply == 1 && self.overlooked > 0.0 {
            moves = self.overlook(p, &moves);
        }
        let ordered = self.order(p, &moves, first);
        let (start, in_check) = (alpha, p.in_check());
        let (mut best, mut best_move) = (-MATE, None);
        for (i, m) in ordered.into_iter().enumerate() {
            let quiet = is_quiet(p, m);
            let late = i >= LATE && depth >= 3 && quiet && !in_check && !p.gives_check(m);
            let less = if late { 1 + i32::from(i > 20) } else { 0 };
            let mut score = if i == 0 {
                self.after(p, m, depth - 1, (alpha, beta))?
            } else {
                self.after(p, m, depth - 1 - less, (alpha, alpha + 1))?
            };
            if i > 0 && score > alpha && (less > 0 || score < beta) {
                score = self.after(p, m, depth - 1, (alpha, beta))?;
            }
            if score > best {
                (best, best_move) = (score, Some(m));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if quiet {
                    self.remember(p, m, ply, depth);
                }
                break;
            }
        }
        let bound = match best {
            b if b >= beta => Bound::Lower,
            b if b > start => Bound::Exact,
            _ => Bound::Upper,
        };
        if self.may_trust_table(ply) {
            let best_bits = best_move.map_or(0, Move::bits);
            let depth = depth.clamp(0, 255) as u8;
            let hit = Hit { best: best_bits, score: to_table(best, ply), depth, bound };
            self.table.store(p.key(), hit);
        }
        Some(best)
    }

    /// Leaves out the replies this level does not see; the same ones at every depth.
    fn overlook(&self, p: &Position, moves: &MoveList) -> MoveList {
        let mut seen = MoveList::new();
        for m in moves {
            let mut chance = Random::new(self.seed ^ p.key() ^ u64::from(m.bits()) << 40);
            if chance.unit() >= self.overlooked {
                seen.push(*m);
            }
        }
        if seen.is_empty() { moves.clone() } else { seen }
    }

    fn order(&self, p: &Position, moves: &MoveList, first: u16) -> Vec<Move> {
        let killers = self.killers[self.ply()];
        let rank = |m: &Move| {
            let m = *m;
            if m.bits() == first {
                return i32::MIN;
            }
            let gain = gain(p, m);
            if gain > 0 {
                return -1_000_000 - gain;
            }
            if killers.contains(&Some(m)) {
                return -500_000;
            }
            -self.history[history_row(p, m)][m.to().index()]
        };
        let mut ordered = moves.to_vec();
        ordered.sort_by_cached_key(rank);
        ordered
    }

    fn remember(&mut self, p: &Position, m: Move, ply: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let cell = &mut self.history[history_row(p, m)][m.to().index()];
        *cell = (*cell + depth * depth).min(400_000);
    }

    /// Captures and promotions until the position is quiet; checks are answered for a few plies.
    fn quiet(&mut self, p: &mut Position, mut alpha: i32, beta: i32, deep: i32) -> Option<i32> {
        if !self.budget.spend() {
            return None;
        }
        let ply = self.ply() as i32 + deep;
        let in_check = p.in_check() && deep < QUIET_CHECKS;
        let moves = if in_check { p.legal_moves() } else { p.noisy_moves() };
        if in_check && moves.is_empty() {
            return Some(ply - MATE);
        }
        let mut best = if in_check { ply - MATE } else { evaluate(p) };
        alpha = alpha.max(best);
        if alpha >= beta || deep >= 24 {
            return Some(best);
        }
        let mut ordered = moves.to_vec();
        ordered.sort_by_cached_key(|m| -gain(p, *m));
        for m in ordered {
            // A gain that cannot lift alpha even with something to spare is not worth a look.
            if !in_check && best + gain(p, m).max(0) + 300 < alpha && !p.in_check() {
                continue;
            }
            let undo = p.play(m);
            let score = self.quiet(p, -beta, -alpha, deep + 1).map(|s| -s);
            p.undo(m, undo);
            best = best.max(score?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// The line the table remembers from here, `first` being played first.
    pub(super) fn line(&self, p: &Position, first: Move) -> Vec<Move> {
        let (mut p, mut line) = (p.clone(), vec![first]);
        let mut keys = vec![p.key()];
        let _undo = p.play(first);
        while line.len() < 12 && !keys.contains(&p.key()) {
            keys.push(p.key());
            let best = self.table.probe(p.key()).and_then(|hit| Move::from_bits(hit.best));
            let Some(m) = best.filter(|m| p.is_legal(*m)) else { break };
            line.push(m);
            let _undo = p.play(m);
        }
        line
    }
}

/// Worth of what is taken, and gained by promoting, before any answer; the cheaper taker first.
pub(super) fn gain(p: &Position, m: Move) -> i32 {
    let taken = p.piece_at(m.to()).map_or(0, |piece| worth(piece.kind()) + 100);
    let mover = m.from().and_then(|from| p.piece_at(from)).map(|piece| piece.kind());
    let promoted = match mover {
        Some(kind) if m.promotes() => {
            kind.promoted().map_or(0, |better| worth(better) - worth(kind))
        }
        _ => 0,
    };
    let cost = if taken > 0 { mover.map_or(0, |kind| worth(kind) / 20) } else { 0 };
    taken + promoted - cost
}

fn is_quiet(p: &Position, m: Move) -> bool {
    p.piece_at(m.to()).is_none() && !m.promotes()
}

fn history_row(p: &Position, m: Move) -> usize {
    let kind = match (m.dropped(), m.from()) {
        (Some(kind), _) => kind,
        (None, from) => {
            from.and_then(|from| p.piece_at(from)).map_or(PieceKind::Pawn, |piece| piece.kind())
        }
    };
    kind.index() + 16 * p.turn().index()
}

/// Mates are kept as distances from the node, so that they hold at any ply.
fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let score = match score {
        s if s > MATE_BOUND => s + ply,
        s if s < -MATE_BOUND => s - ply,
        s => s,
    };
    score.clamp(-MATE, MATE) as i16
}

fn cutoff(hit: Hit, depth: i32, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    let ply = ply as i32;
    let score = match i32::from(hit.score) {
        s if s > MATE_BOUND => s - ply,
        s if s < -MATE_BOUND => s + ply,
        s => s,
    };
    let holds = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (i32::from(hit.depth) >= depth && holds).then_some(score)
}
