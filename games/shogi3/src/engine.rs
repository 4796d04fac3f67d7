//! The computer player: exact values as far as a level sees them, and a plain search where a
//! set-up is too large to be solved.

mod search;

use crate::moves::Move;
use crate::position::Position;
use crate::solver::{BYTES_A_POSITION, Solution, Unsolved, Within, bound};
use crate::{Shogi3, hardness};
use kiban_core::{
    BestLine, Bound, Decision, Limits, Line, Report, Rules, Score, Thinks, Value, Workspace,
};
use kiban_search::Random;
use kiban_solve::Worth;
use std::time::{Duration, Instant};

/// How many plies ahead of an end a level sees it. People find their own wins sooner than they see
/// that they are losing, so a level finds long wins and still errs where a draw is hard to hold.
#[derive(Clone, Copy)]
struct Sight {
    wins: u16,
    losses: u16,
}

/// Sees own wins and own losses of so many plies.
const fn sight(wins: u16, losses: u16) -> Sight {
    Sight { wins, losses }
}

/// By level; the tenth sees all.
const SIGHTS: [Sight; 10] = [
    sight(3, 2),
    sight(3, 4),
    sight(3, 4),
    sight(5, 4),
    sight(7, 6),
    sight(9, 8),
    sight(13, 10),
    sight(21, 12),
    sight(35, 14),
    sight(u16::MAX, u16::MAX),
];

impl Sight {
    fn sees(self, worth: Worth) -> bool {
        let far = match worth.value {
            Value::Win => self.wins,
            Value::Draw => return false,
            Value::Loss => self.losses,
        };
        worth.distance.is_some_and(|plies| plies <= far)
    }
}

/// From this level on a move is judged by the exchanges that can follow; below they are overlooked.
const SEES_EXCHANGES: u8 = 3;
/// What is solved for a level below the tenth: every set-up of king and two pieces a side.
const LEVEL_POSITIONS: u64 = 700_000;
/// Memory for a solution where no limit is given, in bytes.
const BYTES: u64 = 1 << 30;
/// A tenth-level move takes so long at most.
const LONGEST: Duration = Duration::from_secs(10);
/// By how much chance moves a level's liking of moves it holds for equal, in hundredths of a pawn,
/// times the levels below the tenth.
const NOISE: i32 = 20;
/// In how many moves the tenth level hopes that its rival errs.
const MOVES_TO_ERR: u8 = 2;

/// What a worker keeps: the solution of the game being played.
#[derive(Default)]
struct Memory {
    solution: Option<Solution>,
    /// What was too large, so that it is not tried at every move of the same pieces.
    refused: Option<(Shogi3, u64, u64)>,
}

impl Memory {
    /// The solution that holds this position; made, if it can be within these limits.
    fn solution(&mut self, rules: Shogi3, p: &Position, within: &Within) -> Option<&Solution> {
        let holds = |s: &Solution| {
            s.rules() == rules && s.positions() <= within.most && s.worth(p).is_some()
        };
        if !self.solution.as_ref().is_some_and(holds) {
            let key = (rules, bound(p), within.most);
            if self.refused == Some(key) {
                return None;
            }
            self.solution = None;
            match Solution::of(rules, p, within) {
                Ok(solution) => self.solution = Some(solution),
                Err(Unsolved::TooMany(_)) => self.refused = Some(key),
                Err(Unsolved::Stopped) => {}
            }
        }
        self.solution.as_ref()
    }
}

/// A move and what the player thinks of it.
#[derive(Clone, Copy)]
struct Thought {
    m: Move,
    score: Score,
    /// The larger the better liked.
    rank: i64,
}

fn exact(worth: Worth) -> Score {
    Score::Exact { value: worth.value, distance: worth.distance.map(u32::from) }
}

fn estimate(points: i32) -> Score {
    let chance = 1.0 / (1.0 + (-points as f32 / 400.0).exp());
    Score::Estimate { points, unit: "centipawn", chance, bound: Bound::Exact }
}

/// The moves by exact values as far as this level sees them.
fn by_values(solution: &Solution, line: &Line<Shogi3>, limits: &Limits) -> Option<Vec<Thought>> {
    let level = limits.level.map_or(10, |level| level.clamp(1, 10));
    let moves = solution.moves(line.position())?.into_iter();
    if level == 10 {
        return Some(moves.map(|(m, worth)| perfect(solution, line, m, worth)).collect());
    }
    let sight = SIGHTS[usize::from(level) - 1];
    let (p, mut random) = (line.position(), Random::new(limits.seed));
    let thought = |(m, worth): (Move, Worth)| {
        let seen = sight.sees(worth);
        let mut after = *p;
        after.play(m);
        let liking = if level >= SEES_EXCHANGES {
            i64::from(-search::exchanged(&after, solution.rules()))
        } else {
            i64::from(-search::material(&after))
        };
        let noise = (NOISE * i32::from(10 - level)) as f32 * random.unit();
        let quiet = i64::from(held(solution, line, &after, worth));
        let rank = if seen {
            i64::from(worth.rank()) * 1_000_000
        } else {
            quiet * 100_000 + liking + noise as i64
        };
        let score = if seen { exact(worth) } else { estimate(liking as i32) };
        Thought { m, score, rank }
    };
    Some(moves.map(thought).collect())
}

/// A move as the tenth level sees it: what it is worth; of the drawing moves those that keep the
/// draw by the rules of repetition, then those that lead to something new; and then those after
/// which the other side errs most easily.
fn perfect(solution: &Solution, line: &Line<Shogi3>, m: Move, worth: Worth) -> Thought {
    let mut after = *line.position();
    after.play(m);
    let mut rank = i64::from(worth.rank()) * 1_000_000;
    if worth.value == Value::Draw {
        let before = line.positions().iter().filter(|p| **p == after).count() as i64;
        rank = i64::from(held(solution, line, &after, worth)) * 100_000_000 - before * 1_000_000;
    }
    if worth.value != Value::Win {
        rank += (hardness::of_mover(solution, &after, MOVES_TO_ERR) * 900_000.0) as i64;
    }
    Thought { m, score: exact(worth), rank }
}

/// Whether a drawing move keeps a draw that the rules of repetition leave standing.
fn held(solution: &Solution, line: &Line<Shogi3>, after: &Position, worth: Worth) -> bool {
    if worth.value != Value::Draw || solution.rules().perpetual_draws {
        return true;
    }
    let Some(then) = solution.quiet_in(after, false) else { return false };
    // Checks that went round in a circle are to lead to a quiet move now, by the shortest way.
    let nearer = || solution.quiet_in(line.position(), true).is_some_and(|now| then < now);
    !after.in_check() || !circles(line) || nearer()
}

/// Whether a position came back since the side to move last made a move that gave no check.
fn circles(line: &Line<Shogi3>) -> bool {
    let (positions, turn) = (line.positions(), line.position().turn());
    let quiet = positions.iter().rposition(|p| p.turn() != turn && !p.in_check());
    let since = &positions[quiet.unwrap_or(0)..];
    (1..since.len()).any(|i| since[..i].contains(&since[i]))
}

impl Thinks for Shogi3 {
    fn think(
        self,
        line: &Line<Shogi3>,
        memory: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        let memory = memory.get_or(Memory::default);
        let solution = memory.solution(self, line.position(), &within(limits));
        let Some(mut thoughts) = solution.and_then(|s| by_values(s, line, limits)) else {
            let thoughts = search::thoughts(self, line, limits, report);
            return Decision::Move(thoughts.first().map_or(self.legal(line)[0], |best| best.m));
        };
        thoughts.retain(|t| limits.only.is_empty() || limits.only.contains(&t.m.to_string()));
        thoughts.sort_by_key(|thought| -thought.rank);
        let line_of = |(rank, thought): (u8, &Thought)| BestLine {
            rank,
            score: thought.score,
            depth: 1,
            moves: best_line(solution, line.position(), thought.m),
        };
        let lines = (1..).zip(&thoughts).take(limits.lines.max(1).into()).map(line_of).collect();
        let nodes = solution.map_or(0, Solution::positions);
        report(Report { depth: 1, seldepth: None, nodes, lines, call: None });
        Decision::Move(thoughts.first().map_or(self.legal(line)[0], |best| best.m))
    }
}

/// What may be solved within these limits.
fn within(limits: &Limits) -> Within {
    let full = limits.level.is_none_or(|level| level >= 10);
    let most = limits.hash.map_or(BYTES, |mib| u64::from(mib) << 20) / BYTES_A_POSITION;
    // What is left of the nodes is for the search, should this not suffice.
    let most = limits.nodes.map_or(most, |nodes| most.min(nodes / 2));
    let longest = limits.level.map(|_| LONGEST);
    let time = limits.time.into_iter().chain(longest).min();
    Within {
        most: if full { most } else { most.min(LEVEL_POSITIONS) },
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        stop: limits.stop.clone(),
    }
}

/// A move and what both sides play best after it, up to the end of the game or a draw.
fn best_line(solution: Option<&Solution>, p: &Position, m: Move) -> Vec<String> {
    let (mut p, mut moves) = (*p, vec![m.to_string()]);
    p.play(m);
    while let Some((best, worth)) = solution.and_then(|s| s.moves(&p)?.first().copied())
        && worth.distance.is_some()
    {
        moves.push(best.to_string());
        p.play(best);
    }
    moves
}
