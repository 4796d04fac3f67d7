//! Principal variation search below the root, with quiescence.

use super::eval::{Eval, Stand};
use super::memory::{MAX_PLY, Memory, column, place, row};
use super::picker::{Before, Picker, Stage, is_quiet};
use super::see::{self, gain};
use crate::impasse::{self, Declaration};
use crate::mate::shallow::{mate_in_one, mate_in_three};
use crate::moves::Move;
use crate::position::{Position, Undo};
use crate::rules::Shogi;
use kiban_core::{Bound, Line, Outcome};
use kiban_search::{Budget, Hit, Lines, Random, TranspositionTable, Tree, Window};

/// The score of being mated at the root; a mate in `n` plies is `MATE - n`.
pub(super) const MATE: i32 = 30_000;
/// Scores beyond this are proved.
pub(super) const PROVED: i32 = MATE - 1_000;
/// Judgements stay within this.
const JUDGED: i32 = 20_000;
/// What driving the enemy into perpetual check is worth: it loses, but is not proved.
const PERPETUAL: i32 = 8_000;
/// Plies of quiescence in which checks are still answered in full.
const QUIET_CHECKS: usize = 6;
/// Plies of quiescence at most.
const QUIET_PLIES: usize = 24;

/// What the rules say that a search must know.
#[derive(Clone, Copy)]
struct Facts {
    declaration: Declaration,
    missing: [u32; 2],
    /// Plies after which the game ends.
    most: usize,
}

/// What a weak player does not see.
#[derive(Clone, Copy, Default)]
pub(super) struct Blindness {
    /// Of a thousand replies to the root's moves, how many.
    pub(super) overlooks: u32,
    /// Points by which judgement wavers from position to position.
    pub(super) wavers: i32,
    /// Picks which.
    pub(super) seed: u64,
}

impl Blindness {
    pub(super) fn is_any(self) -> bool {
        self.overlooks > 0 || self.wavers > 0
    }
}

/// What is known of a position on the path.
#[derive(Clone, Copy)]
struct Frame {
    stand: Stand,
    judged: i32,
    in_check: bool,
    /// How the move that led here is remembered; none for a pass and the root.
    place: Option<usize>,
}

/// A node while its moves are looked at.
#[derive(Clone, Copy)]
struct Visit {
    ply: usize,
    depth: i32,
    alpha: i32,
    beta: i32,
    /// Whether it is on the main line.
    pv: bool,
    in_check: bool,
    judged: i32,
    /// Whether it is judged better than two plies before.
    improving: bool,
    before: Before,
}

impl Visit {
    /// Quiet moves beyond so many are not looked at.
    fn late_from(&self) -> i32 {
        let squared = self.depth * self.depth;
        4 + if self.improving { squared } else { squared / 2 } + 3 * self.depth
    }
}

/// A move about to be tried.
#[derive(Clone, Copy)]
struct Tried {
    m: Move,
    /// Its number at this node, from 1.
    count: i32,
    stage: Stage,
    quiet: bool,
    checks: bool,
    /// Plies by which to search it less deep first.
    less: i32,
}

/// One search from a root.
pub(super) struct Search<'a> {
    pub(super) budget: Budget,
    table: &'a TranspositionTable,
    memory: &'a mut Memory,
    eval: Eval,
    facts: Facts,
    blindness: Blindness,
    p: Position,
    /// Keys of the game so far and of the path searched, with whether the side to move is in check.
    path: Vec<(u64, bool)>,
    /// By ply.
    frames: Vec<Frame>,
    lines: Lines<Move>,
    /// The depth the root is searched to.
    depth: i32,
    /// Plies of the longest line looked at.
    deepest: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        rules: Shogi,
        line: &Line<Shogi>,
        budget: Budget,
        table: &'a TranspositionTable,
        memory: &'a mut Memory,
        blindness: Blindness,
    ) -> Search<'a> {
        let (eval, p) = (Eval::built_in(), line.position().clone());
        let path: Vec<_> = line.positions().iter().map(|p| (p.key(), p.in_check())).collect();
        let most = rules.max_moves.unwrap_or(usize::MAX);
        let in_check = p.in_check();
        let frame = Frame { stand: eval.stand(&p), judged: 0, in_check, place: None };
        Search {
            budget,
            table,
            memory,
            eval,
            facts: Facts {
                declaration: rules.declaration,
                missing: rules.missing(line),
                most: most.saturating_add(1),
            },
            blindness,
            p,
            path,
            frames: vec![frame],
            lines: Lines::new(MAX_PLY + QUIET_PLIES + 2),
            depth: 1,
            deepest: 0,
        }
    }

    /// Plies of the longest line looked at so far.
    pub(super) fn deepest(&self) -> u8 {
        u8::try_from(self.deepest).unwrap_or(u8::MAX)
    }

    fn ply(&self) -> usize {
        self.frames.len() - 1
    }

    fn here(&self) -> Frame {
        *self.frames.last().expect("the root has a frame")
    }

    fn play(&mut self, m: Move) -> Undo {
        let (moved, stand) = (self.p.mover(m), self.here().stand);
        let undo = self.p.play(m);
        let stand = self.eval.after(stand, &self.p, m, moved, undo.captured());
        let in_check = self.p.in_check();
        self.path.push((self.p.key(), in_check));
        self.frames.push(Frame { stand, judged: 0, in_check, place: Some(place(moved, m)) });
        self.deepest = self.deepest.max(self.ply());
        undo
    }

    fn undo(&mut self, m: Move, undo: Undo) {
        self.p.undo(m, undo);
        self.path.pop();
        self.frames.pop();
    }

    /// Columns of the moves one and two plies before.
    fn before(&self) -> Before {
        let back = |n: usize| self.frames.len().checked_sub(n).and_then(|i| self.frames[i].place);
        [back(1), back(2)]
    }

    /// Whether this node is right after one of the root's moves, where weak players miss replies.
    fn is_blind(&self, ply: usize) -> bool {
        ply == 1 && self.blindness.overlooks > 0
    }

    /// The same replies are overlooked at every depth. What takes the piece that has just moved is
    /// seen most often.
    fn overlooks(&self, m: Move) -> bool {
        let key = self.blindness.seed ^ self.p.key() ^ u64::from(m.bits()) << 40;
        let moved_last = self.here().place.is_some_and(|place| place % 81 == m.to().index());
        let overlooks = self.blindness.overlooks / if moved_last { 4 } else { 1 };
        Random::new(key).next_u64() % 1000 < u64::from(overlooks)
    }

    fn judge(&self) -> i32 {
        let points = self.eval.of(&self.p, self.here().stand).clamp(-JUDGED, JUDGED);
        let wavers = self.blindness.wavers;
        if wavers == 0 {
            return points;
        }
        let spread = 2 * wavers as u64 + 1;
        let chance = Random::new(self.p.key() ^ self.blindness.seed).next_u64();
        points + (chance % spread) as i32 - wavers
    }

    /// What the root is worth at first sight.
    pub(super) fn judged_root(&self) -> i32 {
        self.judge()
    }

    /// A repeated position: no gain for either, but whoever only gave check loses.
    fn repeated(&self) -> Option<i32> {
        let (now, before) = self.path.split_last().expect("the path holds the current position");
        let back = before.iter().rev().skip(1).step_by(2).position(|at| at.0 == now.0)?;
        let since = &self.path[self.path.len() - 2 * (back + 1)..];
        let checks = |from: usize| since.iter().rev().skip(from).step_by(2).all(|at| at.1);
        Some(match (checks(0), checks(1)) {
            (true, false) => PERPETUAL,
            (false, true) => -PERPETUAL,
            _ => 0,
        })
    }

    /// What the rules alone say of this position, no matter the moves.
    fn settled(&self, ply: usize) -> Option<i32> {
        if let Some(score) = self.repeated() {
            return Some(score);
        }
        if self.path.len() > self.facts.most {
            return Some(0);
        }
        match self.facts.declaration {
            Declaration::None => None,
            Declaration::Try => impasse::tried(&self.p).map(|_| ply as i32 - MATE),
            rule => {
                let side = self.p.turn();
                if !self.p.king(side).is_some_and(|king| king.in_zone(side)) {
                    return None;
                }
                match impasse::declare(&self.p, rule, self.facts.missing) {
                    Outcome::Win { seats, .. } if seats.has(side.seat()) => Some(MATE - ply as i32),
                    _ => None,
                }
            }
        }
    }

    /// The value for the side to move, `None` when the budget is out.
    fn node(&mut self, depth: i32, mut alpha: i32, mut beta: i32) -> Option<i32> {
        let ply = self.ply();
        self.lines.cut(ply);
        if depth <= 0 {
            return self.quiet(alpha, beta, 0);
        }
        if !self.budget.spend() {
            return None;
        }
        if let Some(score) = self.settled(ply) {
            return Some(score);
        }
        if ply >= MAX_PLY {
            return Some(self.judge());
        }
        // No line from here is better than mating at once or worse than being mated at once.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return Some(alpha);
        }
        let (pv, blind, in_check) = (beta - alpha > 1, self.is_blind(ply), self.here().in_check);
        let key = self.p.key();
        let known = if blind { None } else { self.table.probe_judged(key) };
        if let Some((hit, _)) = known.filter(|_| !pv)
            && let Some(score) = cutoff(hit, depth, alpha, beta, ply)
        {
            return Some(score);
        }
        let judged = match known {
            _ if in_check => -JUDGED,
            Some((_, judged)) => i32::from(judged),
            None => self.judge(),
        };
        self.frames[ply].judged = judged;
        if !in_check && !blind {
            if let Some(score) = self.near_mate(known.is_none(), depth, ply) {
                return Some(score);
            }
            if !pv && let Some(score) = self.foregone(depth, alpha, beta, judged)? {
                return Some(score);
            }
        }
        let first = known.map_or(0, |(hit, _)| hit.best);
        // Without a guess which move is best, a shallower search finds one first.
        let depth = if first == 0 && depth >= 4 && !blind { depth - 1 } else { depth };
        let improving = ply >= 2 && !in_check && judged > self.frames[ply - 2].judged;
        let before = self.before();
        let at = Visit { ply, depth, alpha, beta, pv, in_check, judged, improving, before };
        let (best, best_move) = self.moves(at, first)?;
        let bound = bound(best, alpha, beta);
        if !blind {
            let best_bits = best_move.map_or(0, Move::bits);
            let depth = depth.clamp(0, 127) as u8;
            let hit = Hit { best: best_bits, score: to_table(best, ply), depth, bound };
            self.table.store_judged(key, hit, judged as i16);
        }
        Some(best)
    }

    /// A mate so near that it is found without search.
    fn near_mate(&mut self, fresh: bool, depth: i32, ply: usize) -> Option<i32> {
        let (m, plies) = if fresh && let Some(m) = mate_in_one(&mut self.p) {
            (m, 1)
        } else if fresh
            && depth >= 3
            && let Some(m) = mate_in_three(&mut self.p)
        {
            (m, 3)
        } else {
            return None;
        };
        let score = MATE - ply as i32 - plies;
        let hit =
            Hit { best: m.bits(), score: to_table(score, ply), depth: 127, bound: Bound::Exact };
        self.table.store(self.p.key(), hit);
        if plies == 1 {
            self.lines.set(ply, m);
        }
        Some(score)
    }

    /// Whether a node off the main line need not be searched move by move. The outer `None` says
    /// that the budget is out.
    #[expect(clippy::option_option, reason = "the outer one is the budget's, as everywhere here")]
    fn foregone(&mut self, depth: i32, alpha: i32, beta: i32, judged: i32) -> Option<Option<i32>> {
        let ply = self.ply();
        let improving = ply >= 2 && judged > self.frames[ply - 2].judged;
        if beta.abs() >= PROVED || alpha.abs() >= PROVED {
            return Some(None);
        }
        // So good that no quiet move of the enemy's helps within so few plies.
        if depth <= 7 && judged - 110 * (depth - i32::from(improving)) >= beta {
            return Some(Some((judged + beta) / 2));
        }
        // So bad that only a gain could help.
        if depth <= 2 && judged + 250 + 250 * depth <= alpha {
            let score = self.quiet(alpha, beta, 0)?;
            if score <= alpha {
                return Some(Some(score));
            }
        }
        // Even after a pass the enemy cannot get below beta.
        if depth >= 3 && judged >= beta && self.here().place.is_some() {
            let less = 3 + depth / 4 + ((judged - beta) / 200).min(3);
            let score = self.passed(depth - less, beta)?;
            if score >= beta {
                return Some(Some(if score >= PROVED { beta } else { score }));
            }
        }
        Some(None)
    }

    /// The score of passing.
    fn passed(&mut self, depth: i32, beta: i32) -> Option<i32> {
        let stand = self.here().stand;
        self.p.pass();
        self.path.push((self.p.key(), false));
        self.frames.push(Frame { stand, judged: 0, in_check: false, place: None });
        let score = self.node(depth, -beta, 1 - beta);
        self.frames.pop();
        self.path.pop();
        self.p.pass();
        score.map(|score| -score)
    }

    /// The best of a node's moves.
    fn moves(&mut self, at: Visit, first: u16) -> Option<(i32, Option<Move>)> {
        let (mut at, ply, blind) = (at, at.ply, self.is_blind(at.ply));
        let mut picker = Picker::new(&self.p, first, self.memory.killers.of(ply));
        self.memory.killers.forget(ply + 1);
        let (mut best, mut best_move) = (ply as i32 - MATE, None);
        let (mut count, mut quiets, mut gains) = (0, Vec::new(), Vec::new());
        while let Some(m) = picker.next(&self.p, self.memory, at.before, best <= -PROVED) {
            if blind && self.overlooks(m) {
                continue;
            }
            count += 1;
            let tried = self.weigh(&at, m, count, picker.stage());
            if best > -PROVED && !at.in_check && !tried.checks {
                if tried.quiet && count > at.late_from() {
                    picker.skip_quiets();
                    continue;
                }
                if self.is_hopeless(&at, &tried) {
                    continue;
                }
            }
            let score = self.tried(&at, &tried)?;
            if score > best {
                best = score;
                if score > at.alpha {
                    best_move = Some(m);
                    at.alpha = score;
                    if at.pv {
                        self.lines.set(ply, m);
                    }
                }
            }
            if at.alpha >= at.beta {
                self.learn(m, at.depth, at.before, &quiets, &gains);
                break;
            }
            if tried.quiet { &mut quiets } else { &mut gains }.push(m);
        }
        Some((best, best_move))
    }

    /// What there is to know of a move before it is tried.
    fn weigh(&self, at: &Visit, m: Move, count: i32, stage: Stage) -> Tried {
        let quiet = is_quiet(&self.p, m);
        let history = if quiet { self.history(m, at.before) } else { 0 };
        let less = reduction(at.depth, count) - history / 6000 - i32::from(at.pv)
            + i32::from(!at.improving);
        Tried { m, count, stage, quiet, checks: self.p.gives_check(m), less }
    }

    /// Whether a move that gives no check is not worth a look.
    fn is_hopeless(&self, at: &Visit, tried: &Tried) -> bool {
        let reach = (at.depth - tried.less).max(0);
        if tried.quiet && reach <= 6 && at.judged + 130 + 110 * reach <= at.alpha {
            return true;
        }
        let least = if tried.quiet { -40 * reach * reach } else { -150 * at.depth };
        at.depth <= 7 && tried.stage != Stage::Gains && !see::pays(&self.p, tried.m, least)
    }

    /// The score of a move: late ones are first searched less deep, and all but the first only for
    /// whether they are better at all.
    fn tried(&mut self, at: &Visit, tried: &Tried) -> Option<i32> {
        let Visit { ply, depth, alpha, beta, pv, .. } = *at;
        let Tried { m, count, stage, quiet, checks, less } = *tried;
        let safe_check = checks && (depth <= 6 || pv) && see::pays(&self.p, m, 0);
        let longer = i32::from(safe_check && ply < 2 * self.depth as usize);
        let next = depth - 1 + longer;
        let is_late = depth >= 3 && count > 1 + i32::from(pv) && less > 0;
        let may_shorten = is_late && (quiet || stage == Stage::Losing) && longer == 0;
        let less = if checks || at.in_check { less / 2 } else { less };
        let shallow = if may_shorten { (next - less).clamp(1, next) } else { next };
        let undo = self.play(m);
        let mut score = None;
        if !pv || count > 1 {
            score = self.node(shallow, -alpha - 1, -alpha).map(|s| -s);
            if shallow < next && score.is_some_and(|s| s > alpha) {
                score = self.node(next, -alpha - 1, -alpha).map(|s| -s);
            }
        }
        if pv && (count == 1 || score.is_some_and(|s| s > alpha && s < beta)) {
            score = self.node(next, -beta, -alpha).map(|s| -s);
        }
        self.undo(m, undo);
        score
    }

    /// How well a quiet move did before.
    fn history(&self, m: Move, before: Before) -> i32 {
        let (row, column) = (row(&self.p, m), column(m));
        let place = row % 32 * 81 + column;
        let replied = |i: usize| before[i].map_or(0, |at| self.memory.replies[i].get(at, place));
        self.memory.quiets.get(row, column) + replied(0) + replied(1)
    }

    /// A move refuted, those before it did not.
    fn learn(&mut self, m: Move, depth: i32, before: Before, quiets: &[Move], gains: &[Move]) {
        let bonus = (12 * depth * depth + 120 * depth).min(1800);
        if is_quiet(&self.p, m) {
            self.memory.killers.add(self.ply(), m);
            self.remember(m, before, bonus);
            for worse in quiets {
                self.remember(*worse, before, -bonus);
            }
        } else {
            self.memory.gains.add(row(&self.p, m), column(m), bonus);
        }
        for worse in gains {
            self.memory.gains.add(row(&self.p, *worse), column(*worse), -bonus);
        }
    }

    fn remember(&mut self, m: Move, before: Before, bonus: i32) {
        let (row, column) = (row(&self.p, m), column(m));
        self.memory.quiets.add(row, column, bonus);
        let place = row % 32 * 81 + column;
        for (replies, at) in self.memory.replies.iter_mut().zip(before) {
            if let Some(at) = at {
                replies.add(at, place, bonus);
            }
        }
    }

    /// Captures and promotions until the position is quiet; checks are answered for a few plies.
    fn quiet(&mut self, mut alpha: i32, beta: i32, deep: usize) -> Option<i32> {
        if !self.budget.spend() {
            return None;
        }
        let ply = self.ply();
        let here = self.here();
        let (key, blind) = (self.p.key(), self.is_blind(ply));
        let known = if blind { None } else { self.table.probe_judged(key) };
        if let Some((hit, _)) = known
            && let Some(score) = cutoff(hit, 0, alpha, beta, ply)
        {
            return Some(score);
        }
        let evades = here.in_check && deep < QUIET_CHECKS;
        let judged = match known {
            Some((_, judged)) if !here.in_check => i32::from(judged),
            _ if evades => 0,
            _ => self.judge(),
        };
        let start = alpha;
        let mut best = if evades { ply as i32 - MATE } else { judged };
        if !evades {
            if deep == 0
                && !blind
                && let Some(score) = self.near_mate(known.is_none(), 0, ply)
            {
                return Some(score);
            }
            alpha = alpha.max(best);
        }
        if alpha < beta && deep < QUIET_PLIES {
            let first = known.map_or(0, |(hit, _)| hit.best);
            best = self.quiet_moves(best, alpha, beta, deep, first, evades)?;
        }
        if deep == 0 && !blind && !here.in_check {
            let bound = bound(best, start, beta);
            let hit = Hit { best: 0, score: to_table(best, ply), depth: 0, bound };
            self.table.store_judged(key, hit, judged as i16);
        }
        Some(best)
    }

    fn quiet_moves(
        &mut self,
        stand: i32,
        mut alpha: i32,
        beta: i32,
        deep: usize,
        first: u16,
        evades: bool,
    ) -> Option<i32> {
        let mut best = stand;
        let blind = self.is_blind(self.ply());
        let moves = if evades { self.p.legal_moves() } else { self.p.noisy_moves() };
        let mut rated: Vec<(i32, Move)> = Vec::with_capacity(moves.len());
        for m in &moves {
            let mover = see::swing(self.p.mover(*m).kind()).min(3000);
            let guess = i32::from(m.bits() == first) << 24;
            rated.push((guess + 16 * gain(&self.p, *m) - mover, *m));
        }
        rated.sort_unstable_by_key(|(rate, m)| (std::cmp::Reverse(*rate), *m));
        for (_, m) in rated {
            if blind && self.overlooks(m) {
                continue;
            }
            if !evades {
                // A gain that cannot lift alpha even with something to spare is not worth a look.
                if stand + gain(&self.p, m) + 200 <= alpha && !self.here().in_check {
                    continue;
                }
                if !see::pays(&self.p, m, 0) {
                    continue;
                }
            } else if best > -PROVED && !see::pays(&self.p, m, -100) {
                continue;
            }
            let undo = self.play(m);
            let score = self.quiet(-beta, -alpha, deep + 1).map(|s| -s);
            self.undo(m, undo);
            best = best.max(score?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

impl Tree for Search<'_> {
    type Move = Move;

    fn value(&mut self, m: Move, depth: u8, window: Window, late: usize) -> Option<i32> {
        self.depth = i32::from(depth);
        let next = self.depth - 1;
        let quiet = is_quiet(&self.p, m) && !self.here().in_check && !self.p.gives_check(m);
        let narrow = window.beta - window.alpha == 1;
        let less = if quiet && narrow && late > 3 && next >= 2 {
            (reduction(self.depth, late as i32) - 1).clamp(0, next - 1)
        } else {
            0
        };
        let undo = self.play(m);
        let mut score = self.node(next - less, -window.beta, -window.alpha);
        if less > 0 && score.is_some_and(|s| -s > window.alpha) {
            score = self.node(next, -window.beta, -window.alpha);
        }
        self.undo(m, undo);
        score.map(|score| -score)
    }

    fn line(&self) -> &[Move] {
        self.lines.at(1)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

/// 16 times the binary logarithm, from whole numbers alone so that all machines agree.
fn log(n: i32) -> i32 {
    let n = n.max(1);
    let whole = n.ilog2();
    16 * whole as i32 + ((n << 4) >> whole) - 16
}

/// Plies less for the move of this number.
fn reduction(depth: i32, count: i32) -> i32 {
    (log(depth) * log(count) + 300) / 1000
}

/// Which side of the truth a score found within a window is.
fn bound(best: i32, alpha: i32, beta: i32) -> Bound {
    match best {
        b if b >= beta => Bound::Lower,
        b if b > alpha => Bound::Exact,
        _ => Bound::Upper,
    }
}

/// Proved scores are kept as distances from the node, so that they hold at any ply.
fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let score = match score {
        s if s > PROVED => s + ply,
        s if s < -PROVED => s - ply,
        s => s,
    };
    score.clamp(-MATE, MATE) as i16
}

fn cutoff(hit: Hit, depth: i32, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    let ply = ply as i32;
    let score = match i32::from(hit.score) {
        s if s > PROVED => s - ply,
        s if s < -PROVED => s + ply,
        s => s,
    };
    let holds = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (i32::from(hit.depth) >= depth && holds).then_some(score)
}
