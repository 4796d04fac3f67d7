//! The search of the 8x8 board: principal variation search with learned judgement, cut by shallow
//! searches where these are nearly sure ("Multi-ProbCut", Buro 1997), exact where it reaches the
//! end.

use super::cuts::{self, EXACT};
use super::endgame::{self, Deep, result};
use crate::bitboard::{Board8, Isa, Job};
use crate::evaluation::{Lanes, Layout, Terms, Weights};
use kiban_core::Bound;
use kiban_search::{Budget, Hit, TranspositionTable};

/// A disc, in the units of points.
pub(super) const DISC: i32 = 100;
/// Beyond every value.
pub(super) const INFINITE: i32 = 6_500;
/// From so many empties on the end is solved without any judgement.
const WITHOUT_JUDGEMENT: u32 = 12;
/// Depths above this are those of searches to the end.
const DEEPEST: u8 = 55;
/// From this depth on moves are ordered by judging the positions after them.
const JUDGED_FROM: u8 = 3;
/// From this depth on a child whose value is known already is looked for before any is searched.
const KNOWN_FROM: u8 = 4;
/// Hundredths of a disc for which a move fewer of the other side counts when moves are ordered.
const CHOICE: i32 = 40;
/// The same on the way to the end, where a small tree is worth more.
const CHOICE_AT_END: i32 = 160;

/// A move to be searched.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) square: u32,
    pub(super) flips: u64,
    pub(super) order: i32,
}

/// A board with what is kept up to date for judging it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board8,
    lanes: Lanes,
    side: usize,
}

impl Node {
    pub(super) fn new(board: Board8) -> Node {
        Node { board, lanes: Layout::get().lanes(board), side: 0 }
    }

    #[inline(always)]
    pub(super) fn played(&self, layout: &Layout, square: u32, flips: u64) -> Node {
        Node {
            board: self.board.play(square, flips),
            lanes: layout.played(&self.lanes, self.side, square, flips),
            side: 1 - self.side,
        }
    }

    #[inline(always)]
    fn passed(&self) -> Node {
        Node { board: self.board.pass(), side: 1 - self.side, ..*self }
    }
}

/// One search of one position.
pub(super) struct Search<'a> {
    pub(super) budget: Budget,
    pub(super) table: &'a TranspositionTable,
    pub(super) weights: &'a Weights,
    pub(super) layout: &'static Layout,
    /// The moves of the path being searched.
    pub(super) stack: Vec<Next>,
    /// How sure a shallow search must be to cut: an index of [`cuts::SURE`].
    pub(super) sure: u8,
}

/// Mixes two words (multiply and fold, as in wyhash).
#[inline(always)]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0xa076_1d64_78bd_642f) * u128::from(b ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}

/// The depth by which the table remembers values of searches to the end, so that of two about one
/// position the surer one counts as deeper.
#[inline(always)]
fn tag_to_end(empties: u32, sure: u8) -> u8 {
    DEEPEST + 1 + 6 * empties.min(32) as u8 + sure
}

/// The same for values without any doubt.
#[inline(always)]
pub(super) fn tag_of_solved(empties: u32) -> u8 {
    tag_to_end(empties, EXACT)
}

impl<'a> Search<'a> {
    pub(super) fn new(
        budget: Budget,
        table: &'a TranspositionTable,
        weights: &'a Weights,
    ) -> Search<'a> {
        Search {
            budget,
            table,
            weights,
            layout: Layout::get(),
            stack: Vec::with_capacity(1024),
            sure: EXACT,
        }
    }

    #[inline(always)]
    pub(super) fn key(&self, board: Board8) -> u64 {
        folded(folded(board.own, board.enemy), board.own.rotate_left(32))
    }

    /// Brings the best of the moves from `at` on to `at`.
    #[inline(always)]
    pub(super) fn bring_best(&mut self, at: usize) -> Next {
        let rest = &mut self.stack[at..];
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].order > rest[best].order {
                best = i;
            }
        }
        rest.swap(0, best);
        rest[0]
    }

    #[inline(always)]
    fn worth<I: Isa>(&self, isa: I, node: &Node, moves: u64) -> i32 {
        let terms = Terms {
            side: node.side,
            empties: node.board.empties().count_ones(),
            own_moves: moves.count_ones(),
            enemy_moves: node.board.pass().moves(isa).count_ones(),
        };
        self.weights.worth(self.layout, &node.lanes, terms)
    }

    #[inline(always)]
    fn tag(&self, depth: u8, empties: u32) -> u8 {
        if u32::from(depth) >= empties {
            tag_to_end(empties, self.sure)
        } else {
            depth.min(DEEPEST)
        }
    }
}

/// Searches a position so many plies deep, or to the end if it has no more empties; anything once
/// the budget is over. A pass costs no depth.
pub(super) struct Value<'s, 'n, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) node: &'n Node,
    pub(super) depth: u8,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Job for Value<'_, '_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Value { search, node, depth, mut alpha, beta } = self;
        let board = node.board;
        let empties = board.empties().count_ones();
        let to_end = u32::from(depth) >= empties;
        if to_end && empties <= WITHOUT_JUDGEMENT {
            return solved(search, isa, board, alpha, beta);
        }
        if !search.budget.spend() {
            return 0;
        }
        let moves = board.moves(isa);
        if moves == 0 {
            let node = node.passed();
            if node.board.moves(isa) == 0 {
                return -DISC * result(node.board);
            }
            return -isa.run(Value { search, node: &node, depth, alpha: -beta, beta: -alpha });
        }
        if depth <= 1 {
            return match depth {
                0 => search.worth(isa, node, moves),
                _ => last_ply(search, isa, node, moves, beta),
            };
        }
        let tag = search.tag(depth, empties);
        let guess = match settled(search, isa, node, moves, depth, (alpha, beta)) {
            Settled::Value(points) => return points,
            Settled::Open { guess } => guess,
        };
        let base = search.stack.len();
        if let Some(points) = push_sorted(search, isa, node, moves, guess, depth, beta) {
            search.stack.truncate(base);
            return points;
        }
        let (mut best, mut chosen, floor) = (-INFINITE, 64, alpha);
        for at in base..search.stack.len() {
            let next = search.bring_best(at);
            let child = &node.played(search.layout, next.square, next.flips);
            let points = of_child(search, isa, child, depth - 1, (alpha, beta), at == base);
            if search.budget.is_out() {
                search.stack.truncate(base);
                return 0;
            }
            if points > best {
                (best, chosen) = (points, next.square);
                alpha = alpha.max(points);
                if alpha >= beta {
                    break;
                }
            }
        }
        search.stack.truncate(base);
        let bound = bound_of(best, floor, beta);
        let hit = Hit { best: chosen as u16 + 1, score: best as i16, depth: tag, bound };
        search.table.store(search.key(board), hit);
        best
    }
}

/// The value of the move to a child: the first with the whole window, the others with an empty one
/// unless they turn out better.
#[inline(always)]
fn of_child<I: Isa>(
    search: &mut Search<'_>,
    isa: I,
    node: &Node,
    depth: u8,
    (alpha, beta): (i32, i32),
    first: bool,
) -> i32 {
    let mut points = alpha + 1;
    if !first {
        let (alpha, beta) = (-alpha - 1, -alpha);
        points = -isa.run(Value { search: &mut *search, node, depth, alpha, beta });
    }
    if first || points > alpha && points < beta {
        let (alpha, beta) = (-beta, -alpha);
        points = -isa.run(Value { search: &mut *search, node, depth, alpha, beta });
    }
    points
}

/// Whether a node's moves must be searched.
enum Settled {
    /// No: this is its value.
    Value(i32),
    /// Yes; `guess` is the table's best move, 64 or more if it knows none.
    Open { guess: u32 },
}

/// What stability, the table and shallow searches say of a node.
#[inline(always)]
fn settled<I: Isa>(
    search: &mut Search<'_>,
    isa: I,
    node: &Node,
    moves: u64,
    depth: u8,
    (alpha, beta): (i32, i32),
) -> Settled {
    let empties = node.board.empties().count_ones();
    let to_end = u32::from(depth) >= empties;
    if to_end && let Some(most) = endgame::capped(node.board, alpha.div_euclid(DISC)) {
        return Settled::Value(DISC * most);
    }
    let tag = search.tag(depth, empties);
    let known = search.table.probe(search.key(node.board));
    if let Some(found) = known.filter(|found| found.depth >= tag)
        && let Some(points) = decided(&found, alpha, beta)
    {
        return Settled::Value(points);
    }
    if beta - alpha == 1
        && let Some(points) = cut_short(search, isa, node, moves, depth, alpha)
    {
        return Settled::Value(points);
    }
    Settled::Open { guess: known.map_or(64, |found| u32::from(found.best).wrapping_sub(1)) }
}

/// One ply: the best of the positions after it, or the first that is good enough. Nothing is
/// sorted or stored.
#[inline(always)]
fn last_ply<I: Isa>(search: &mut Search<'_>, isa: I, node: &Node, moves: u64, beta: i32) -> i32 {
    const POOR: u64 = endgame::X_SQUARES;
    let mut best = -INFINITE;
    for mut moves in [moves & endgame::CORNERS, moves & !endgame::CORNERS & !POOR, moves & POOR] {
        while moves != 0 && best < beta {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let node = &node.played(search.layout, square, node.board.flips(isa, square));
            let answers = node.board.moves(isa);
            let points = if answers != 0 {
                if !search.budget.spend() {
                    return 0;
                }
                -search.worth(isa, node, answers)
            } else {
                let (alpha, beta) = (-INFINITE, INFINITE);
                -isa.run(Value { search: &mut *search, node, depth: 0, alpha, beta })
            };
            best = best.max(points);
        }
    }
    best
}

/// Which side of the truth the best value is that a search within a window found.
#[inline(always)]
fn bound_of(points: i32, alpha: i32, beta: i32) -> Bound {
    match points {
        _ if points >= beta => Bound::Lower,
        _ if points <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}

/// The value a table entry gives within a window, if it decides.
#[inline(always)]
fn decided(found: &Hit, alpha: i32, beta: i32) -> Option<i32> {
    let points = i32::from(found.score);
    let decides = match found.bound {
        Bound::Exact => true,
        Bound::Lower => points >= beta,
        Bound::Upper => points <= alpha,
    };
    decides.then_some(points)
}

/// Solves the last squares within a window of points: by null windows, in halves.
#[inline(always)]
fn solved<I: Isa>(search: &mut Search<'_>, isa: I, board: Board8, alpha: i32, beta: i32) -> i32 {
    let (mut low, mut high) = (alpha.div_euclid(DISC), (beta + DISC - 1).div_euclid(DISC));
    (low, high) = (low.max(-65), high.min(65));
    while low < high {
        // Results are even.
        let middle = ((low + high - 1) >> 1) | 1;
        let middle = if middle < high { middle } else { low };
        let found = isa.run(Deep { search: &mut *search, board, alpha: middle });
        if search.budget.is_out() {
            return 0;
        }
        if found > middle {
            low = found;
        } else {
            high = found;
        }
    }
    DISC * if high < alpha.div_euclid(DISC) { high } else { low }
}

/// What a shallower search says of a node with a null window, if it is sure enough.
#[inline(always)]
fn cut_short<I: Isa>(
    search: &mut Search<'_>,
    isa: I,
    node: &Node,
    moves: u64,
    depth: u8,
    alpha: i32,
) -> Option<i32> {
    let empties = node.board.empties().count_ones();
    let cut = cuts::of(search.sure, depth, empties)?;
    let beta = alpha + 1;
    let worth = search.worth(isa, node, moves);
    let (high, low) = (beta + cut.margin, alpha - cut.margin);
    let sure = search.sure;
    let mut probe = |alpha: i32| {
        // A search that goes not to the end is never without doubt.
        search.sure = sure.min(cuts::SURELY);
        let depth = cut.depth;
        let found = isa.run(Value { search: &mut *search, node, depth, alpha, beta: alpha + 1 });
        search.sure = sure;
        (!search.budget.is_out()).then_some(found)
    };
    if worth >= beta && high < 64 * DISC {
        return (probe(high - 1)? >= high).then_some(beta);
    }
    if worth <= alpha && low > -64 * DISC {
        return (probe(low)? <= low).then_some(alpha);
    }
    None
}

/// Puts the moves onto the stack with their order. A value if a child's known one decides.
#[inline(always)]
fn push_sorted<I: Isa>(
    search: &mut Search<'_>,
    isa: I,
    node: &Node,
    mut moves: u64,
    guess: u32,
    depth: u8,
    beta: i32,
) -> Option<i32> {
    let empties = node.board.empties().count_ones();
    let to_end = u32::from(depth) >= empties;
    let choice = if to_end { CHOICE_AT_END } else { CHOICE };
    let peek = peek(depth, to_end, empties);
    let child_tag = search.tag(depth - 1, empties - 1);
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        let flips = node.board.flips(isa, square);
        let child = node.board.play(square, flips);
        if depth >= KNOWN_FROM
            && let Some(found) = search.table.probe(search.key(child))
            && found.depth >= child_tag
            && found.bound != Bound::Lower
            && -i32::from(found.score) >= beta
        {
            return Some(-i32::from(found.score));
        }
        let order = if square == guess {
            i32::MAX
        } else if depth < JUDGED_FROM {
            let after = child.moves(isa);
            -choice * (after.count_ones() + 2 * (after & endgame::CORNERS).count_ones()) as i32
        } else {
            let after = child.moves(isa);
            let node = &node.played(search.layout, square, flips);
            let judged = match peek {
                _ if after == 0 => -search.worth(isa, node, after),
                0 => -search.worth(isa, node, after),
                depth => {
                    let sure = search.sure;
                    search.sure = sure.min(cuts::SURELY);
                    let (alpha, beta) = (-INFINITE, INFINITE);
                    let found = isa.run(Value { search: &mut *search, node, depth, alpha, beta });
                    search.sure = sure;
                    -found
                }
            };
            judged - choice * after.count_ones() as i32
        };
        search.stack.push(Next { square, flips, order });
    }
    None
}

/// How deep to look at a move before its order is settled.
#[inline(always)]
fn peek(depth: u8, to_end: bool, empties: u32) -> u8 {
    match depth {
        _ if to_end && empties < 16 => 0,
        ..8 => 0,
        8..14 => 1,
        _ => 2,
    }
}
