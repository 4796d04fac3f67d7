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

/// Not safe.
const NEVER: u32 = u32::MAX;

/// For each position in how many plies a side that is safe can force its next quiet move; only
/// drawn positions are looked at.
#[derive(PartialEq, Eq)]
pub(super) struct Safety {
    mover: Vec<u32>,
    other: Vec<u32>,
}

impl Safety {
    pub(super) fn of(graph: &Graph, ends: &[u16]) -> Safety {
        let drawn = |i: usize| ends[i] == 0;
        let check: Vec<bool> =
            (0..graph.len()).map(|i| drawn(i) && graph.position(i).in_check()).collect();
        let draws: Vec<usize> = (0..graph.len()).filter(|i| drawn(*i)).collect();
        let all: Vec<u32> = ends.iter().map(|end| if *end == 0 { 0 } else { NEVER }).collect();
        let (first, before) = graph.backwards();
        let board = Board { graph, check, draws, first, before };
        let mut safe = Safety { mover: all.clone(), other: all };
        loop {
            let next = board.reached(&safe);
            // Where nothing falls away any more the plies are the same too.
            if next == safe {
                return safe;
            }
            safe = next;
        }
    }

    /// In how many plies the next quiet move comes; `None` where the side is not safe.
    pub(super) fn quiet_in(&self, index: u32, who: Who) -> Option<u32> {
        let plies = match who {
            Who::Mover => self.mover[index as usize],
            Who::Other => self.other[index as usize],
        };
        (plies != NEVER).then_some(plies)
    }

    fn holds(&self, index: usize, who: Who) -> bool {
        self.quiet_in(index as u32, who).is_some()
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
        let nothing = || vec![NEVER; self.check.len()];
        let mut reached = Safety { mover: nothing(), other: nothing() };
        let mut now = self.at_once(safe);
        let mut plies = 0;
        while !now.is_empty() {
            let mut later = Vec::new();
            for (i, who) in now {
                let place = match who {
                    Who::Mover => &mut reached.mover[i],
                    Who::Other => &mut reached.other[i],
                };
                // Another way may have led here among those of this ply.
                if *place == NEVER {
                    *place = plies;
                    later.push((i, who));
                }
            }
            now = self.earlier(&later, safe, &reached);
            plies += 1;
        }
        reached
    }

    /// Where there is a quiet move at once, or the game ends in a draw.
    fn at_once(&self, safe: &Safety) -> Vec<(usize, Who)> {
        let mut found = Vec::new();
        for i in self.draws.iter().copied() {
            let after = self.graph.after(i);
            let quiet = |j: &u32| safe.holds(*j as usize, Who::Other) && !self.check[*j as usize];
            if safe.holds(i, Who::Mover) && (after.is_empty() || after.iter().any(quiet)) {
                found.push((i, Who::Mover));
            }
            if safe.holds(i, Who::Other) && after.is_empty() {
                found.push((i, Who::Other));
            }
        }
        found
    }

    /// From where these can be forced a ply earlier, and nothing reached could be until now.
    fn earlier(&self, of: &[(usize, Who)], safe: &Safety, reached: &Safety) -> Vec<(usize, Who)> {
        let mut found = Vec::new();
        for (i, who) in of {
            for earlier in &self.before[self.first[*i] as usize..self.first[*i + 1] as usize] {
                let earlier = *earlier as usize;
                let (whose, forced) = match who {
                    // The side chooses to come here.
                    Who::Other => (Who::Mover, true),
                    // The other side could come here; all its ways must do.
                    Who::Mover => (Who::Other, self.all_lead_to(earlier, reached)),
                };
                if forced && safe.holds(earlier, whose) && !reached.holds(earlier, whose) {
                    found.push((earlier, whose));
                }
            }
        }
        found
    }

    /// Whether every move that keeps the draw for the side to move leads to what the other side has
    /// reached. Its other moves lose; it need not be feared that it makes one.
    fn all_lead_to(&self, i: usize, reached: &Safety) -> bool {
        let drawn = |j: &&u32| self.draws.binary_search(&(**j as usize)).is_ok();
        let mut after = self.graph.after(i).iter().filter(drawn);
        after.all(|j| reached.holds(*j as usize, Who::Mover))
    }
}
