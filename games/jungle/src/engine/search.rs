//! Principal variation search with quiescence. History bans hold on the path as in the line.

use super::eval::Judge;
use super::level::Level;
use crate::bans::{Bans, Past};
use crate::board::traps;
use crate::rules::allowed;
use crate::{Move, Moves, Options, Position};
use kiban_core::{Bound, Seat};
use kiban_search::{
    Budget, History, Hit, INFINITE, Killers, Lines, TranspositionTable, Tree, Window,
};

/// A win at once; a win after some plies is worth that many less.
pub(super) const WIN: i32 = 30_000;
/// Scores beyond are proved.
pub(super) const PROVED: i32 = WIN - 1_000;
/// No path is longer.
pub(super) const MAX_PLY: usize = 120;
/// Points by which a position may be better than needed, per ply of depth, to be left alone.
const MARGIN: i32 = 90;

/// A search of one root.
pub(super) struct Search<'a> {
    pub(super) options: Options,
    pub(super) judge: Judge,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) budget: Budget,
    pub(super) table: &'a TranspositionTable,
    pub(super) root: Position,
    /// Each side's own moves, of the line and of the path.
    pub(super) past: [Vec<Past>; 2],
    /// Keys of the line since the last capture, and of the path.
    pub(super) keys: Vec<u64>,
    history: History,
    killers: Killers<Move>,
    lines: Lines<Move>,
}

/// A mixed-up number of these, the same each time.
fn mixed(a: u64, b: u64) -> u64 {
    let z = (a ^ b.rotate_left(32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

impl<'a> Search<'a> {
    pub(super) fn new(
        options: Options,
        root: Position,
        (past, keys): ([Vec<Past>; 2], Vec<u64>),
        (level, seed): (Level, u64),
        (budget, table): (Budget, &'a TranspositionTable),
    ) -> Search<'a> {
        Search {
            options,
            judge: Judge::new(options),
            level,
            seed,
            budget,
            table,
            root,
            past,
            keys,
            history: History::new(16, 63),
            killers: Killers::new(MAX_PLY),
            lines: Lines::new(MAX_PLY + 1),
        }
    }

    /// The legal moves, and the key to remember the position by: what is forbidden is part of it.
    fn moves(&self, p: &Position) -> (Moves, u64) {
        let seat = p.to_move();
        let bans = Bans::of(p, self.options, seat, &self.past[seat.index()]);
        let all = p.moves_of(self.options, seat);
        let Some(bans) = bans else { return (all, p.key()) };
        let sets = bans.seven.iter().chain(&bans.seventeen);
        let key = sets.fold(p.key(), |key, set| mixed(key, *set) << 16 ^ key);
        (allowed(all, Some(bans), p), key)
    }

    /// Plays a move on the path.
    fn play(&mut self, p: &Position, m: Move) -> Position {
        let (seat, animal) = p.at(m.from).expect("a legal move moves an animal");
        self.past[seat.index()].push(Past { animal, from: m.from, to: m.to });
        self.keys.push(p.key());
        let mut next = *p;
        next.play(self.options, m);
        next
    }

    fn leave(&mut self, seat: Seat) {
        self.past[seat.index()].pop();
        self.keys.pop();
    }

    /// What is known without searching: the end, or that it is about to come.
    fn settled(&self, p: &Position, ply: i32) -> Option<i32> {
        let seat = p.to_move();
        if let Some(winner) = p.in_den() {
            return Some(if winner == seat { WIN - ply } else { ply - WIN });
        }
        match (p.side(seat), p.side(seat.other())) {
            (0, 0) => return Some(0),
            (0, _) => return Some(ply - WIN),
            (_, 0) => return Some(WIN - ply),
            _ => {}
        }
        if self.options.no_capture.is_some_and(|most| p.quiet() >= u32::from(most)) {
            return Some(0);
        }
        // Whoever stands in an enemy trap stands before the den.
        if p.side(seat) & traps(seat.other()) != 0 {
            return Some(WIN - ply - 1);
        }
        // Two there cannot both be taken.
        let before_den = p.side(seat.other()) & traps(seat);
        (before_den.count_ones() > 1).then_some(ply + 2 - WIN)
    }

    /// Whether the position stood before: no progress was made since.
    fn repeats(&self, p: &Position) -> bool {
        let back = (p.quiet() as usize).min(self.keys.len());
        self.keys[self.keys.len() - back..].contains(&p.key())
    }

    /// The moves worth looking at: if an enemy stands before the den, only those that take it.
    fn urgent(&self, p: &Position, moves: &mut Moves) -> bool {
        let intruder = p.side(p.to_move().other()) & traps(p.to_move());
        if intruder != 0 {
            moves.retain(|m| m.to.bit() & intruder != 0);
        }
        intruder != 0
    }

    /// Whether an answer to the root's move is not seen by a weak player.
    fn overlooked(&self, p: &Position, m: Move, ply: usize) -> bool {
        ply == 1
            && self.level.overlooks > 0
            && mixed(p.key() ^ self.seed, u64::from(m.bits())) % 1000 < self.level.overlooks
    }

    fn worth(&self, p: &Position) -> i32 {
        let waver = match self.level.wavers {
            0 => 0,
            most => (mixed(p.key(), self.seed ^ 0x57) % (2 * most + 1)) as i32 - most as i32,
        };
        self.judge.worth(p) + waver
    }

    /// How much is gained by what a move takes; quiet moves are 0.
    fn gain(&self, p: &Position, m: Move) -> i32 {
        let Some((_, taken)) = p.at(m.to) else { return 0 };
        let (seat, animal) = p.at(m.from).expect("a legal move moves an animal");
        let value = self.judge.animal(taken, Judge::present(p, seat));
        8 * value - self.judge.animal(animal, Judge::present(p, seat.other())) / 8
    }

    fn order(&self, p: &Position, moves: &mut Moves, best: u16, ply: usize) {
        let killers = self.killers.of(ply);
        let worth = |m: &Move| {
            if m.bits() == best {
                return 1 << 24;
            }
            let gain = self.gain(p, *m);
            if gain != 0 {
                (1 << 20) + gain
            } else if killers.contains(&Some(*m)) {
                1 << 19
            } else {
                self.history.get(row(p, *m), m.to.index())
            }
        };
        let mut keyed = [(0, 0u8); 32];
        for (i, m) in moves.iter().enumerate() {
            keyed[i] = (-worth(m), i as u8);
        }
        let count = moves.len();
        keyed[..count].sort_unstable();
        let old = *moves;
        for (slot, (_, i)) in moves.iter_mut().zip(keyed) {
            *slot = old[usize::from(i)];
        }
    }

    /// The worth for the side to move when only captures are looked at.
    fn quiet(&mut self, p: &Position, mut alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        self.lines.cut(ply);
        if !self.budget.spend() {
            return None;
        }
        if let Some(score) = self.settled(p, ply as i32) {
            return Some(score);
        }
        // The shallowest searches too must not go to and fro.
        if ply == 1 && self.repeats(p) {
            return Some(0);
        }
        let seat = p.to_move();
        let mut moves = p.captures_of(self.options, seat);
        let forced = self.urgent(p, &mut moves);
        let mut best = if forced { ply as i32 + 2 - WIN } else { self.worth(p) };
        if best >= beta || ply >= MAX_PLY {
            return Some(best);
        }
        alpha = alpha.max(best);
        self.order(p, &mut moves, 0, ply);
        for m in moves {
            if self.overlooked(p, m, ply) {
                continue;
            }
            let next = self.play(p, m);
            let score = self.quiet(&next, -beta, -alpha, ply + 1);
            self.leave(seat);
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lines.set(ply, m);
                }
                if score >= beta {
                    break;
                }
            }
        }
        Some(best)
    }

    /// The worth for the side to move within the window; `None` when the budget ran out.
    fn node(&mut self, p: &Position, depth: i32, window: Window, ply: usize) -> Option<i32> {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiet(p, window.alpha, window.beta, ply);
        }
        self.lines.cut(ply);
        if !self.budget.spend() {
            return None;
        }
        if let Some(score) = self.settled(p, ply as i32) {
            return Some(score);
        }
        if self.repeats(p) {
            return Some(0);
        }
        let (mut moves, key) = self.moves(p);
        let forced = self.urgent(p, &mut moves);
        if moves.is_empty() {
            let plies = if forced { ply + 2 } else { ply };
            return Some(plies as i32 - WIN);
        }
        let hit = self.table.probe(key);
        let open = window.beta - window.alpha > 1;
        if let Some(hit) = hit.filter(|hit| !open && i32::from(hit.depth) >= depth)
            && self.level.overlooks == 0
            && !self.near_draw(p, depth)
        {
            let score = from_table(i32::from(hit.score), ply);
            let usable = match hit.bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            };
            if usable {
                return Some(score);
            }
        }
        if !open && !forced && depth <= 4 && window.beta.abs() < PROVED {
            let worth = self.worth(p);
            if worth - MARGIN * depth >= window.beta {
                return Some(worth);
            }
        }
        self.order(p, &mut moves, hit.map_or(0, |hit| hit.best), ply);
        let depth = if forced { depth + 1 } else { depth };
        self.each(p, moves, (depth, window, ply), key)
    }

    /// Whether the game could be drawn for want of a capture within this depth: scores there hang
    /// on the count, which the table does not know.
    fn near_draw(&self, p: &Position, depth: i32) -> bool {
        let most = self.options.no_capture.map_or(u32::MAX, u32::from);
        p.quiet().saturating_add(depth as u32 + 4) >= most
    }

    /// Searches the moves of a node in their order.
    fn each(
        &mut self,
        p: &Position,
        moves: Moves,
        (depth, window, ply): (i32, Window, usize),
        key: u64,
    ) -> Option<i32> {
        let (seat, open) = (p.to_move(), window.beta - window.alpha > 1);
        let (mut best, mut alpha, mut chosen, mut searched) = (-INFINITE, window.alpha, None, 0);
        for m in moves {
            if self.overlooked(p, m, ply) {
                continue;
            }
            let takes = p.at(m.to).is_some();
            let late = depth >= 3 && searched >= 4 && !takes;
            let less = if !late { 0 } else { 1 + i32::from(searched >= 10) - i32::from(open) };
            let next = self.play(p, m);
            let score = self.child(&next, (depth - 1, less), (alpha, window.beta), ply, searched);
            self.leave(seat);
            let score = score?;
            searched += 1;
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, chosen) = (score, Some(m));
                    self.lines.set(ply, m);
                }
                if score >= window.beta {
                    self.refuted(p, m, depth, ply, takes);
                    break;
                }
            }
        }
        if searched == 0 {
            // All answers were overlooked.
            return Some(self.worth(p));
        }
        let bound = match chosen {
            _ if best >= window.beta => Bound::Lower,
            Some(_) => Bound::Exact,
            None => Bound::Upper,
        };
        let score = to_table(best, ply) as i16;
        let best_bits = chosen.map_or(0, Move::bits);
        self.table.store(key, Hit { best: best_bits, score, depth: depth as u8, bound });
        Some(best)
    }

    /// A child's worth for the side that moved there, by ever wider windows and depths.
    fn child(
        &mut self,
        next: &Position,
        (depth, less): (i32, i32),
        (alpha, beta): (i32, i32),
        ply: usize,
        searched: usize,
    ) -> Option<i32> {
        let whole = Window { alpha: -beta, beta: -alpha };
        if searched == 0 {
            return Some(-self.node(next, depth, whole, ply + 1)?);
        }
        let narrow = Window { alpha: -alpha - 1, beta: -alpha };
        let mut score = -self.node(next, depth - less, narrow, ply + 1)?;
        if less > 0 && score > alpha {
            score = -self.node(next, depth, narrow, ply + 1)?;
        }
        if score > alpha && score < beta {
            score = -self.node(next, depth, whole, ply + 1)?;
        }
        Some(score)
    }

    fn refuted(&mut self, p: &Position, m: Move, depth: i32, ply: usize, takes: bool) {
        if !takes {
            self.killers.add(ply, m);
            self.history.add(row(p, m), m.to.index(), depth * depth * 16);
        }
    }
}

/// The row of the history table: side and animal.
fn row(p: &Position, m: Move) -> usize {
    p.at(m.from).map_or(0, |(seat, animal)| seat.index() * 8 + animal.index())
}

/// Proved scores count plies from the root; the table counts them from the position.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > PROVED => s + ply as i32,
        s if s < -PROVED => s - ply as i32,
        s => s,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > PROVED => s - ply as i32,
        s if s < -PROVED => s + ply as i32,
        s => s,
    }
}

impl Tree for Search<'_> {
    type Move = Move;

    fn value(&mut self, m: Move, depth: u8, window: Window, _: usize) -> Option<i32> {
        let root = self.root;
        let next = self.play(&root, m);
        let within = Window { alpha: -window.beta, beta: -window.alpha };
        let score = self.node(&next, i32::from(depth) - 1, within, 1);
        self.leave(root.to_move());
        Some(-score?)
    }

    fn line(&self) -> &[Move] {
        self.lines.at(1)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}
