//! Draws that can be held without giving check for ever: where perpetual check loses, only these
//! are draws in a real game.
//!
//! A side is safe in a drawn position if, whatever the other does, it stays in drawn positions and
//! again and again makes a move that gives no check: a game of infinite repetition (Büchi, 1962),
//! solved by the usual nested fixed point.

use super::graph::Graph;

/// Which of the two is looked at: the side to move in a position, or the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Who {
    Mover,
    Other,
}

/// For each position whether a side is safe; only drawn positions are looked at.
pub(super) struct Safety {
    mover: Vec<bool>,
    other: Vec<bool>,
}

impl Safety {
    pub(super) fn of(graph: &Graph, ends: &[u16]) -> Safety {
        let drawn: Vec<bool> = ends.iter().map(|end| *end == 0).collect();
        let check: Vec<bool> =
            (0..graph.len()).map(|i| drawn[i] && graph.position(i).in_check()).collect();
        let draws: Vec<usize> = (0..graph.len()).filter(|i| drawn[*i]).collect();
        let (first, before) = graph.backwards();
        let board = Board { graph, check, draws, first, before };
        let mut safe = Safety { mover: drawn.clone(), other: drawn };
        loop {
            let next = board.reached(&safe);
            let same = next.mover == safe.mover && next.other == safe.other;
            safe = next;
            if same {
                return safe;
            }
        }
    }

    pub(super) fn holds(&self, index: u32, who: Who) -> bool {
        match who {
            Who::Mover => self.mover[index as usize],
            Who::Other => self.other[index as usize],
        }
    }
}

struct Board<'a> {
    graph: &'a Graph,
    check: Vec<bool>,
    draws: Vec<usize>,
    first: Vec<u32>,
    before: Vec<u32>,
}

impl Board<'_> {
    /// Of the positions still thought safe, those from which the side can force a quiet move that
    /// ends in one of them.
    fn reached(&self, safe: &Safety) -> Safety {
        let nothing = || vec![false; self.check.len()];
        let mut reached = Safety { mover: nothing(), other: nothing() };
        let mut queue: Vec<(usize, Who)> = Vec::new();
        for i in self.draws.iter().copied() {
            let after = self.graph.after(i);
            let quiet = |j: &u32| safe.other[*j as usize] && !self.check[*j as usize];
            if safe.mover[i] && (after.is_empty() || after.iter().any(quiet)) {
                reached.mover[i] = true;
                queue.push((i, Who::Mover));
            }
            if safe.other[i] && after.is_empty() {
                reached.other[i] = true;
                queue.push((i, Who::Other));
            }
        }
        while let Some((i, who)) = queue.pop() {
            let range = self.first[i] as usize..self.first[i + 1] as usize;
            for earlier in self.before[range].iter().map(|e| *e as usize) {
                let (newly, whose) = match who {
                    // The side chose to come here.
                    Who::Other => (safe.mover[earlier] && !reached.mover[earlier], Who::Mover),
                    // The other side could come here; all its ways must do.
                    Who::Mover => {
                        let all = safe.other[earlier]
                            && !reached.other[earlier]
                            && self.all_lead_to(earlier, &reached.mover);
                        (all, Who::Other)
                    }
                };
                if newly {
                    match whose {
                        Who::Mover => reached.mover[earlier] = true,
                        Who::Other => reached.other[earlier] = true,
                    }
                    queue.push((earlier, whose));
                }
            }
        }
        reached
    }

    /// Whether every move that keeps the draw for the side to move leads into a set. Its other
    /// moves lose; it need not be feared that it makes one.
    fn all_lead_to(&self, i: usize, set: &[bool]) -> bool {
        let drawn = |j: &&u32| self.draws.binary_search(&(**j as usize)).is_ok();
        self.graph.after(i).iter().filter(drawn).all(|j| set[*j as usize])
    }
}
