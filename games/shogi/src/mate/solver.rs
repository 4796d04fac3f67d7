//! Depth-first proof number search for mates by checks (Nagai's df-pn, 2002), within a number of
//! plies, so that the first number that suffices is the length of the shortest mate.
//!
//! Sums of proof numbers count a position as often as there are ways to it; the largest number
//! and one more for each other child ("weak proof numbers", Ueda, Hashimoto, Hashimoto and Iida,
//! 2008) do not.
//!
//! A piece dropped between a line piece and the king is futile if the line piece could just as well
//! have stood there at once: the defender's position is then proved without the drop, within the
//! same plies. Futile drops are not counted, as is the custom of tsume-shogi.

use super::table::{FOREVER, Known, NEVER, Table};
use crate::moves::{Color, Hand, Move, PieceKind, Square};
use crate::position::{Position, Undo};
use kiban_search::Budget;
use std::collections::HashMap;

/// As hard as can be.
const INFINITE: u32 = 1 << 28;
/// No repetition is involved.
const NO_LOOP: u32 = u32::MAX;

/// What a search of a node found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pn: u32,
    dn: u32,
    /// Proved: plies of the mate. Disproved: within how many plies there is none.
    plies: i16,
    /// A disproof that rests on a repetition: the least ply of those repeated.
    repeats: u32,
}

impl Found {
    fn proved(plies: i16) -> Found {
        Found { pn: 0, dn: INFINITE, plies, repeats: NO_LOOP }
    }

    fn disproved(plies: i16) -> Found {
        Found { pn: INFINITE, dn: 0, plies, repeats: NO_LOOP }
    }

    fn open(pn: u32, dn: u32) -> Found {
        Found {
            pn: pn.clamp(1, INFINITE - 1),
            dn: dn.clamp(1, INFINITE - 1),
            plies: 0,
            repeats: NO_LOOP,
        }
    }

    /// Plies of the mate, if there is one.
    pub(super) fn mate(self) -> Option<i16> {
        (self.pn == 0).then_some(self.plies)
    }

    /// Within how many plies there is no mate.
    pub(super) fn no_mate(self) -> Option<i16> {
        (self.dn == 0 && self.repeats == NO_LOOP).then_some(self.plies)
    }
}

/// A way on from a node.
#[derive(Clone, Copy)]
enum Step {
    Move(Move),
    /// The line piece that gives check moves on to a square before the king, and the defender
    /// is to move again: whether drops there are futile.
    Nearer(Square, Square, bool),
}

struct Child {
    step: Step,
    found: Found,
}

/// The search of one position.
pub(super) struct Solver {
    pub(super) p: Position,
    pub(super) budget: Budget,
    table: Table,
    attacker: Color,
    /// Positions on the path, with their plies.
    path: HashMap<u64, u32>,
    ply: u32,
}

enum Taken {
    Move(Move, Undo),
    Nearer(crate::position::MovedOn),
}

impl Solver {
    pub(super) fn new(p: Position, budget: Budget, mib: u32) -> Solver {
        let attacker = p.turn();
        Solver { p, budget, table: Table::new(mib), attacker, path: HashMap::new(), ply: 0 }
    }

    fn hand(&self) -> Hand {
        self.p.hand(self.attacker)
    }

    /// Proves or disproves a mate of the position within `plies`, as far as the budget reaches.
    pub(super) fn prove(&mut self, plies: i16) -> Found {
        self.node(plies, INFINITE, INFINITE)
    }

    fn take(&mut self, step: Step) -> Option<Taken> {
        self.ply += 1;
        match step {
            Step::Move(m) => Some(Taken::Move(m, self.p.play(m))),
            Step::Nearer(from, to, promotes) => {
                let moved = self.p.move_on(from, to, promotes).map(Taken::Nearer);
                if moved.is_none() {
                    self.ply -= 1;
                }
                moved
            }
        }
    }

    fn back(&mut self, taken: Taken) {
        self.ply -= 1;
        match taken {
            Taken::Move(m, undo) => self.p.undo(m, undo),
            Taken::Nearer(moved) => self.p.take_back(moved),
        }
    }

    /// Plies left after a step.
    fn left(step: Step, plies: i16) -> i16 {
        if matches!(step, Step::Move(_)) && plies < FOREVER { plies - 1 } else { plies }
    }

    /// What is known of the position at first sight.
    fn look(&self, plies: i16) -> Found {
        if let Some(ply) = self.path.get(&self.p.key()) {
            return Found { repeats: *ply, ..Found::disproved(FOREVER) };
        }
        let attacks = self.p.turn() == self.attacker;
        if attacks && plies < 1 {
            return Found::disproved(plies);
        }
        if let Some(known) = self.table.get(self.p.board_key(), self.hand()) {
            if known.mate_in <= plies {
                return Found::proved(known.mate_in);
            }
            if known.none_in >= plies {
                return Found::disproved(known.none_in);
            }
            return Found::open(known.pn, known.dn);
        }
        if attacks {
            return Found::open(1, 1);
        }
        match self.p.count_legal() {
            0 => Found::proved(0),
            answers => Found::open(1 + answers.min(12) / 2, 1),
        }
    }

    fn child(&mut self, step: Step, plies: i16) -> Option<Child> {
        let taken = self.take(step)?;
        let found = self.look(Self::left(step, plies));
        self.back(taken);
        Some(Child { step, found })
    }

    /// Searches a node until it is settled or its numbers reach the thresholds.
    fn node(&mut self, plies: i16, most_pn: u32, most_dn: u32) -> Found {
        if !self.budget.spend() {
            return Found::open(1, 1);
        }
        let begun = self.budget.nodes();
        let (key, hand) = (self.p.board_key(), self.hand());
        let full = self.p.key();
        let outer = self.path.insert(full, self.ply);
        let attacks = self.p.turn() == self.attacker;
        let mut found = if attacks {
            self.attack(plies, most_pn, most_dn)
        } else {
            self.defend(plies, most_pn, most_dn)
        };
        match outer {
            Some(ply) => self.path.insert(full, ply),
            None => self.path.remove(&full),
        };
        if found.repeats >= self.ply {
            // Only this very position is repeated: the disproof holds on every path.
            found.repeats = NO_LOOP;
        }
        let work = (self.budget.nodes() - begun).min(u64::from(u32::MAX)) as u32;
        let nothing = Known { pn: 1, dn: 1, mate_in: NEVER, none_in: -1 };
        let known = match found {
            Found { pn: 0, plies, .. } => Known { mate_in: plies, ..nothing },
            Found { dn: 0, plies, repeats: NO_LOOP, .. } => Known { none_in: plies, ..nothing },
            Found { dn: 0, .. } => return found,
            Found { pn, dn, .. } => Known { pn, dn, ..nothing },
        };
        self.table.put(key, hand, known, work);
        found
    }

    fn attack(&mut self, plies: i16, most_pn: u32, most_dn: u32) -> Found {
        let checks = self.p.checking_moves();
        let step = |m: &Move| self.child(Step::Move(*m), plies);
        let mut children: Vec<Child> = checks.iter().filter_map(step).collect();
        loop {
            let proved = children.iter().filter_map(|child| child.found.mate()).min();
            if let Some(mate) = proved {
                return Found::proved(mate + 1);
            }
            let open = children.iter().filter(|child| child.found.dn > 0).count() as u32;
            if open == 0 {
                let none_in = children.iter().map(|child| child.found.plies).min();
                let none_in = none_in.unwrap_or(FOREVER).min(FOREVER - 1) + 1;
                let repeats = children.iter().map(|child| child.found.repeats).min();
                let repeats = repeats.unwrap_or(NO_LOOP);
                return Found { repeats, ..Found::disproved(none_in) };
            }
            let hardest = children.iter().map(|child| child.found.dn).max().unwrap_or(0);
            let dn = hardest + open - 1;
            let (best, pn, second) = least(&children, |found| found.pn);
            if pn >= most_pn || dn >= most_dn || self.budget.is_out() {
                return Found::open(pn, dn);
            }
            let next_pn = most_pn.min(second.saturating_add(1 + second / 4));
            let next_dn = most_dn - (open - 1);
            self.follow(&mut children[best], plies, next_pn, next_dn);
        }
    }

    fn defend(&mut self, plies: i16, most_pn: u32, most_dn: u32) -> Found {
        let answers = self.p.legal_moves();
        let drops: Vec<Move> = answers.iter().copied().filter(|m| m.is_drop()).collect();
        let step = |m: &Move| self.child(Step::Move(*m), plies);
        let moves = answers.iter().filter(|m| !m.is_drop());
        let mut children: Vec<Child> = moves.filter_map(step).collect();
        let mut delayed = !drops.is_empty();
        loop {
            let open = children.iter().filter(|child| child.found.pn > 0).count() as u32;
            if open == 0 {
                if delayed {
                    delayed = false;
                    self.bring_nearer(&drops, plies, &mut children);
                    continue;
                }
                let mates = children.iter().map(|child| match child.step {
                    Step::Move(_) => child.found.plies + 1,
                    Step::Nearer(..) => child.found.plies,
                });
                return Found::proved(mates.max().unwrap_or(0));
            }
            let refuted = (0..children.len()).filter(|i| children[*i].found.dn == 0);
            // Best one that rests on no repetition.
            if let Some(place) = refuted.max_by_key(|i| children[*i].found.repeats) {
                let Child { step, found } = children[place];
                match step {
                    Step::Move(_) => {
                        let plies = found.plies.min(FOREVER - 1) + 1;
                        return Found { plies, ..found };
                    }
                    Step::Nearer(_, to, _) => {
                        children.swap_remove(place);
                        self.add_drops(&drops, to, plies, &mut children);
                        continue;
                    }
                }
            }
            let hardest = children.iter().map(|child| child.found.pn).max().unwrap_or(0);
            let pn = hardest + open - 1 + u32::from(delayed);
            let (best, dn, second) = least(&children, |found| found.dn);
            if pn >= most_pn || dn >= most_dn || self.budget.is_out() {
                return Found::open(pn, dn);
            }
            let next_dn = most_dn.min(second.saturating_add(1 + second / 4));
            let next_pn = most_pn - (open - 1) - u32::from(delayed);
            self.follow(&mut children[best], plies, next_pn, next_dn);
        }
    }

    fn follow(&mut self, child: &mut Child, plies: i16, most_pn: u32, most_dn: u32) {
        let taken = self.take(child.step).expect("a step taken before can be taken again");
        let left = Self::left(child.step, plies);
        // Another path may have settled it since.
        let seen = self.look(left);
        child.found =
            if seen.pn == 0 || seen.dn == 0 { seen } else { self.node(left, most_pn, most_dn) };
        self.back(taken);
    }

    /// For each square where something could be dropped, whether it is futile.
    fn bring_nearer(&mut self, drops: &[Move], plies: i16, children: &mut Vec<Child>) {
        let mut squares: Vec<Square> = drops.iter().map(|m| m.to()).collect();
        squares.sort_unstable();
        squares.dedup();
        for to in squares {
            match self.nearer(to).and_then(|step| self.child(step, plies)) {
                Some(child) => children.push(child),
                None => self.add_drops(drops, to, plies, children),
            }
        }
    }

    /// The line piece that gives check moves on to `to`.
    fn nearer(&self, to: Square) -> Option<Step> {
        let from = self.p.checkers().first()?;
        let piece = self.p.piece_at(from)?;
        let big = matches!(piece.kind(), PieceKind::Bishop | PieceKind::Rook);
        let promotes = big && piece.kind().may_promote(from, to, piece.color());
        Some(Step::Nearer(from, to, promotes))
    }

    fn add_drops(&mut self, drops: &[Move], to: Square, plies: i16, children: &mut Vec<Child>) {
        let here = drops.iter().filter(|m| m.to() == to);
        children.extend(here.filter_map(|m| self.child(Step::Move(*m), plies)));
    }

    // The line of a proved mate.

    /// The moves of a mate proved within `plies`, as far as the budget suffices to find them
    /// again. If no mate is shorter (`exact`) the defender's answers are the longest there are.
    pub(super) fn line(&mut self, plies: i16, exact: bool) -> Vec<Move> {
        let (mut taken, mut left) = (Vec::new(), plies);
        while left > 0 {
            let attacks = self.p.turn() == self.attacker;
            let found = if attacks { self.best_check(left) } else { self.best_answer(left, exact) };
            let Some((m, after)) = found else { break };
            taken.push((m, self.p.play(m)));
            left = after;
        }
        for (m, undo) in taken.iter().rev() {
            self.p.undo(*m, *undo);
        }
        taken.into_iter().map(|(m, _)| m).collect()
    }

    /// Plies of the mate after a step, if there is one within `plies`.
    fn mate_after(&mut self, step: Step, plies: i16) -> Option<i16> {
        let taken = self.take(step)?;
        let seen = self.look(plies);
        let open = seen.pn > 0 && seen.dn > 0;
        let found = if open { self.node(plies, INFINITE, INFINITE) } else { seen };
        self.back(taken);
        found.mate()
    }

    fn best_check(&mut self, plies: i16) -> Option<(Move, i16)> {
        let checks = self.p.checking_moves();
        let mut best: Option<(Move, i16)> = None;
        for m in &checks {
            let seen = self.child(Step::Move(*m), plies)?.found.mate();
            if let Some(mate) = seen.filter(|mate| best.is_none_or(|(_, least)| *mate < least)) {
                best = Some((*m, mate));
            }
        }
        if best.is_some() {
            return best;
        }
        checks.iter().find_map(|m| Some((*m, self.mate_after(Step::Move(*m), plies - 1)?)))
    }

    /// The answer that holds out longest; `None` if all that is left is futile.
    fn best_answer(&mut self, plies: i16, exact: bool) -> Option<(Move, i16)> {
        let answers = self.p.legal_moves();
        let mut best: Option<(Move, i16)> = None;
        for m in &answers {
            let step = Step::Move(*m);
            if m.is_drop() && self.is_futile(m.to(), plies) {
                continue;
            }
            let mut mate = self.mate_after(step, plies - 1)?;
            while exact && let Some(less) = self.mate_after(step, mate - 2) {
                mate = less;
            }
            if best.is_none_or(|(_, longest)| mate > longest) {
                best = Some((*m, mate));
            }
            if exact && mate == plies - 1 {
                break;
            }
        }
        best
    }

    fn is_futile(&mut self, to: Square, plies: i16) -> bool {
        self.nearer(to).and_then(|step| self.mate_after(step, plies)).is_some()
    }
}

/// The child of the least number, that number, and the next one.
fn least(children: &[Child], number: impl Fn(Found) -> u32) -> (usize, u32, u32) {
    let (mut best, mut first, mut second) = (0, u32::MAX, INFINITE);
    for (i, child) in children.iter().enumerate() {
        let n = number(child.found);
        if n < first {
            (best, second, first) = (i, first.min(INFINITE), n);
        } else {
            second = second.min(n);
        }
    }
    (best, first, second)
}
