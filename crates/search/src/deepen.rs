//! The iterative deepening frame: deeper and deeper searches of the root's moves, within a window
//! around the last score, for one or several best lines.

use crate::Budget;

/// Beyond every score; a window from minus this to this is open.
pub const INFINITE: i32 = 32_000;

/// A game's search below the root.
pub trait Tree {
    /// The game's move.
    type Move: Copy + Eq;

    /// The score for the root's side of playing `m`, the rest searched within the window; `late`
    /// is how many root moves were looked at before it at this depth. `None` when the budget ran
    /// out on the way.
    fn value(&mut self, m: Self::Move, depth: u8, window: Window, late: usize) -> Option<i32>;

    /// The line behind the last value, `m` not included.
    fn line(&self) -> &[Self::Move];

    /// What is left of the limits.
    fn budget(&self) -> &Budget;
}

/// Scores that matter: below `alpha` and above `beta` a bound is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Worse is not told apart.
    pub alpha: i32,
    /// Better is not told apart.
    pub beta: i32,
}

impl Window {
    /// All scores.
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Only whether the score is above `alpha`.
    pub fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }
}

/// A move at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Its score when it last was one of the best lines.
    pub score: i32,
    /// The depth of that score; 0 is none yet.
    pub depth: u8,
    /// The line it begins.
    pub line: Vec<M>,
}

/// What to search.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The first depth, at least 1.
    pub first: u8,
    /// The last depth.
    pub last: u8,
    /// Best lines wanted.
    pub lines: usize,
    /// Half the width of the first window around the last score.
    pub width: i32,
}

/// Depths below this are searched with an open window: their scores still jump.
const NARROW_FROM: u8 = 5;

/// The root of a search.
#[derive(Clone, Debug)]
pub struct Root<M> {
    /// All moves to choose from, the best lines first.
    pub moves: Vec<RootMove<M>>,
}

impl<M: Copy + Eq> Root<M> {
    /// The moves to choose from, best guesses first.
    pub fn new(moves: impl IntoIterator<Item = M>) -> Root<M> {
        let new = |m| RootMove { m, score: -INFINITE, depth: 0, line: vec![m] };
        Root { moves: moves.into_iter().map(new).collect() }
    }

    /// Searches deeper and deeper, as the plan says and the budget allows. After each depth `told`
    /// is given the depth and the best lines, and says whether to go on. A depth that the budget
    /// cut short is told if it still changed the choice.
    pub fn deepen<T: Tree<Move = M>>(
        &mut self,
        tree: &mut T,
        plan: Plan,
        mut told: impl FnMut(&mut T, u8, &[RootMove<M>]) -> bool,
    ) {
        let lines = plan.lines.clamp(1, self.moves.len().max(1));
        for depth in plan.first.max(1)..=plan.last.max(1) {
            let before = self.moves.first().map(|first| first.m);
            let whole = (0..lines).all(|rank| self.settle(tree, rank, depth, plan.width));
            let reached = self.moves.iter().take(lines).take_while(|one| one.depth == depth);
            let reached = reached.count();
            // A later line was searched with other windows and a fuller memory, and may have turned
            // out better.
            self.moves[..reached].sort_by_key(|one| -one.score);
            let changed = self.moves.first().map(|first| first.m) != before;
            if reached > 0 && (whole || depth == 1 || changed || reached == lines) {
                let shown = if whole { lines } else { reached };
                if !told(tree, depth, &self.moves[..shown]) {
                    return;
                }
            }
            if !whole || tree.budget().is_out() {
                return;
            }
        }
    }

    /// Finds the best move of those from `rank` on and brings it to `rank`; whether the budget
    /// sufficed.
    fn settle<T: Tree<Move = M>>(
        &mut self,
        tree: &mut T,
        rank: usize,
        depth: u8,
        width: i32,
    ) -> bool {
        let center = self.moves[rank].score;
        let narrow = depth >= NARROW_FROM && center.abs() < INFINITE / 2;
        let (mut below, mut above) = if narrow { (width, width) } else { (INFINITE, INFINITE) };
        loop {
            let window = Window {
                alpha: (center.saturating_sub(below)).max(-INFINITE),
                beta: (center.saturating_add(above)).min(INFINITE),
            };
            let window = if narrow { window } else { Window::OPEN };
            let Some(score) = self.pass(tree, rank, depth, window) else { return false };
            if score <= window.alpha && window.alpha > -INFINITE {
                below = widened(below);
            } else if score >= window.beta && window.beta < INFINITE {
                above = widened(above);
            } else {
                return true;
            }
        }
    }

    /// One look at all the moves from `rank` on: the best score. `None` when the budget ran out;
    /// a move found better by then is in its place all the same.
    fn pass<T: Tree<Move = M>>(
        &mut self,
        tree: &mut T,
        rank: usize,
        depth: u8,
        window: Window,
    ) -> Option<i32> {
        let (mut best, mut alpha) = (-INFINITE, window.alpha);
        for i in rank..self.moves.len() {
            let (m, late) = (self.moves[i].m, i - rank);
            let score = if late == 0 {
                tree.value(m, depth, Window { alpha, ..window }, 0)?
            } else {
                let score = tree.value(m, depth, Window::null(alpha), late)?;
                let opens = score > alpha && score < window.beta;
                if opens { tree.value(m, depth, Window { alpha, ..window }, late)? } else { score }
            };
            if score > best {
                best = score;
                if score > alpha || late == 0 {
                    let mut line = vec![m];
                    line.extend_from_slice(tree.line());
                    self.moves[i] = RootMove { m, score, depth, line };
                    self.moves[rank..=i].rotate_right(1);
                }
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        Some(best)
    }
}

fn widened(width: i32) -> i32 {
    if width > 600 { 2 * INFINITE } else { width * 2 + width / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiban_core::Limits;

    /// Moves whose scores change with the depth, at a node each.
    struct Fixed {
        budget: Budget,
        score: fn(u32, u8) -> i32,
    }

    impl Tree for Fixed {
        type Move = u32;

        fn value(&mut self, m: u32, depth: u8, window: Window, _: usize) -> Option<i32> {
            let score = (self.score)(m, depth);
            self.budget.spend().then(|| score.clamp(window.alpha, window.beta))
        }

        fn line(&self) -> &[u32] {
            &[99]
        }

        fn budget(&self) -> &Budget {
            &self.budget
        }
    }

    fn best(nodes: u64, lines: usize, score: fn(u32, u8) -> i32) -> Vec<(u8, Vec<(u32, i32)>)> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut tree = Fixed { budget: Budget::new(&limits, None, None), score };
        let mut told = Vec::new();
        let plan = Plan { first: 1, last: 9, lines, width: 20 };
        Root::new(0..10).deepen(&mut tree, plan, |_, depth, best| {
            told.push((depth, best.iter().map(|one| (one.m, one.score)).collect()));
            assert!(best.iter().all(|one| one.line == [one.m, 99]));
            true
        });
        told
    }

    #[test]
    fn the_best_line_of_each_depth_is_told_with_its_true_score() {
        // Move `depth` is the best of its depth, by a jump beyond any first window.
        let score = |m: u32, depth: u8| if m == u32::from(depth) { 700 } else { m as i32 };
        let told = best(100_000, 1, score);
        let expected: Vec<_> = (1..=9).map(|d| (d, vec![(u32::from(d), 700)])).collect();
        assert_eq!(told, expected);
        let falling = |m: u32, depth: u8| 100 - 300 * i32::from(depth) - m as i32;
        let told = best(100_000, 1, falling);
        assert!(told.iter().all(|(d, best)| *best == [(0, 100 - 300 * i32::from(*d))]), "{told:?}");
    }

    #[test]
    fn several_lines_come_in_their_order() {
        let score = |m: u32, depth: u8| (m as i32 * 37 + i32::from(depth) * 11) % 50;
        for (depth, best) in best(100_000, 3, score) {
            let mut all: Vec<i32> = (0..10).map(|m| score(m, depth)).collect();
            all.sort_by_key(|s| -s);
            assert_eq!(best.iter().map(|b| b.1).collect::<Vec<_>>(), all[..3]);
        }
    }

    /// As an unsteady search does, it thinks the better of a move the later it is asked.
    struct Rising(Budget);

    impl Tree for Rising {
        type Move = u32;

        fn value(&mut self, m: u32, _: u8, window: Window, _: usize) -> Option<i32> {
            let asked = i32::try_from(self.0.nodes()).expect("few");
            let score = (m as i32 * 7 % 5) + asked;
            self.0.spend().then(|| score.clamp(window.alpha, window.beta))
        }

        fn line(&self) -> &[u32] {
            &[]
        }

        fn budget(&self) -> &Budget {
            &self.0
        }
    }

    #[test]
    fn lines_of_an_unsteady_search_come_in_the_order_of_their_scores() {
        let mut tree = Rising(Budget::new(&Limits::default(), None, None));
        let plan = Plan { first: 1, last: 9, lines: 3, width: 20 };
        let mut depths = 0;
        Root::new(0..10).deepen(&mut tree, plan, |_, depth, best| {
            assert!(best.is_sorted_by_key(|one| -one.score), "depth {depth}: {best:?}");
            depths += 1;
            true
        });
        assert_eq!(depths, 9);
    }

    #[test]
    fn a_small_budget_still_gives_the_best_so_far() {
        assert_eq!(best(0, 1, |_, _| 0), []);
        assert_eq!(best(1, 1, |m, _| m as i32), [(1, vec![(0, 0)])]);
        assert_eq!(best(3, 1, |m, _| m as i32), [(1, vec![(1, 1)])]);
    }
}
