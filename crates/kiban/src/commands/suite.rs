//! `kiban suite`: runs a problem file.

use crate::engine::{self, SearchArgs};
use crate::error::Failure;
use crate::output::{self, Head};
use crate::registry::{self, help};
use crate::stopwatch::Stopwatch;
use crate::{files, score};
use kiban_core::{
    Bound, Conduct, GameSpec, Limits, Opening, Problem, Score, SolveMate, Stop, Value, Variant,
    Workspace,
};
use serde::Serialize;
use std::path::PathBuf;

mod tasks;

use tasks::Task;

/// What the exit statuses mean.
const STATUSES: &str = "0 if the problems were run, even if answers are wrong (with --check that is \
                        1); 1 if the file could not be read; 2 for wrong usage.";

/// Runs a problem file: perft counts, best moves, endgames
#[derive(clap::Args)]
#[command(after_help = help(&[
    "suite counts.perft --game {game} --check",
    "suite problems.epd --game {game} --time 5 --json",
], STATUSES))]
pub(crate) struct Args {
    /// The problem file; "-" is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game
    #[arg(long, value_name = "GAME")]
    game: String,
    /// A variant and its options, where the file does not tell
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Leave out counts larger than this
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Exit with status 1 if a row fails
    #[arg(long)]
    check: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    file: String,
    rows: Vec<Row>,
    total: Total,
}

#[derive(Serialize)]
struct Total {
    rows: usize,
    ok: usize,
    nodes: u64,
    seconds: f64,
    cpu_seconds: Option<f64>,
}

#[derive(Serialize)]
struct Row {
    n: usize,
    id: String,
    position: String,
    ok: bool,
    expected: Expected,
    found: Answer,
    depth: u32,
    nodes: u64,
    seconds: f64,
    cpu_seconds: Option<f64>,
}

#[derive(Serialize, Default)]
struct Expected {
    moves: Option<Vec<String>>,
    score: Option<Score>,
    nodes: Option<u64>,
}

#[derive(Serialize, Default)]
struct Answer {
    r#move: Option<String>,
    score: Option<Score>,
    nodes: Option<u64>,
}

/// What every row needs.
struct Bench<'a> {
    args: &'a Args,
    spec: &'static GameSpec,
    variant: Variant,
    limits: Limits,
    memory: Workspace,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let variant = spec.variant(args.variant.as_deref().unwrap_or(""))?;
    let text = files::text(&args.file)?;
    let extension = args.file.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    let mut tasks = tasks::read(&text, &extension, spec)?;
    let limit = args.max_nodes.unwrap_or(u64::MAX);
    tasks.retain(|task| !matches!(task, Task::Count { nodes, .. } if *nodes > limit));
    let limits = args.search.limits(1, &Stop::default());
    let head = Head::new("suite", Some(spec.id), Some(variant.canonical(spec.options, None)));
    let mut bench = Bench { args, spec, variant, limits, memory: Workspace::new() };
    let watch = Stopwatch::start();
    let mut rows = Vec::new();
    for (i, task) in tasks.iter().enumerate() {
        let row = bench.row(i + 1, task)?;
        if !args.json {
            output::text(&text_of(&row))?;
        }
        rows.push(row);
    }
    let total = Total {
        rows: rows.len(),
        ok: rows.iter().filter(|r| r.ok).count(),
        nodes: rows.iter().map(|r| r.nodes).sum(),
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
    };
    let failed = total.rows - total.ok;
    if args.json {
        let file = args.file.display().to_string();
        output::json(&Document { head, file, rows, total })?;
    } else {
        output::text(&format!("{} of {} rows are right.", total.ok, total.rows))?;
    }
    if args.check && failed > 0 {
        let rows = output::counted(failed as u64, "row is", "rows are");
        return Err(Failure::no_answer("check-failed", format!("{rows} wrong.")));
    }
    Ok(())
}

impl Bench<'_> {
    fn row(&mut self, n: usize, task: &Task) -> Result<Row, Failure> {
        let told = |failure: Failure| match failure {
            Failure::NoAnswer(mut e) => {
                e.message = format!("Problem {n}: {}", e.message);
                Failure::NoAnswer(e)
            }
            other => other,
        };
        match task {
            Task::Count { id, position, depth, nodes } => {
                self.count(n, id, position, *depth, *nodes).map_err(told)
            }
            Task::Find(problem) => self.find(n, problem).map_err(told),
        }
    }

    fn opening(&self, position: &str, variant: Variant) -> Opening {
        let start = (!position.is_empty()).then(|| position.to_string());
        Opening { variant, start, conduct: Conduct::Guided, seed: None }
    }

    fn count(
        &self,
        n: usize,
        id: &str,
        position: &str,
        depth: u32,
        expected: u64,
    ) -> Result<Row, Failure> {
        let opening = self.opening(position, self.variant.clone());
        let watch = Stopwatch::start();
        let count = (self.spec.perft)(&opening, depth, false, self.args.search.threads)?;
        Ok(Row {
            n,
            id: id.to_string(),
            position: position.to_string(),
            ok: count.nodes == expected,
            expected: Expected { nodes: Some(expected), ..Expected::default() },
            found: Answer { nodes: Some(count.nodes), ..Answer::default() },
            depth,
            nodes: count.nodes,
            seconds: watch.seconds(),
            cpu_seconds: watch.cpu_seconds(),
        })
    }

    fn find(&mut self, n: usize, problem: &Problem) -> Result<Row, Failure> {
        if problem.moves.is_none() && problem.points.is_none() && problem.mate.is_none() {
            return Err(Failure::no_answer("bad-suite", "It does not say what is right."));
        }
        let said = self.args.variant.is_none() && !problem.variant.is_empty();
        let variant =
            if said { self.spec.variant(&problem.variant)? } else { self.variant.clone() };
        if let (Some(plies), Some(solve)) = (problem.mate, self.spec.mate) {
            return self.solve(n, problem, plies, solve);
        }
        let arbiter = (self.spec.open)(&self.opening(&problem.position, variant))?;
        // Each problem is solved alone: nothing learnt before may help.
        self.memory.clear();
        let watch = Stopwatch::start();
        let limits = &self.limits;
        let found = engine::search(arbiter.as_ref(), &mut self.memory, limits, &mut |_| {});
        let (seconds, cpu_seconds) = (watch.seconds(), watch.cpu_seconds());
        let score = found.as_ref().and_then(engine::Found::score);
        let best = found.as_ref().and_then(|f| f.best.clone());
        Ok(Row {
            n,
            id: problem.id.clone(),
            position: problem.position.clone(),
            ok: right(problem, best.as_deref(), score),
            expected: Expected {
                moves: problem.moves.clone(),
                score: expected_score(problem, score),
                nodes: None,
            },
            found: Answer { r#move: best, score, nodes: None },
            depth: found.as_ref().map_or(0, |f| f.depth.into()),
            nodes: found.as_ref().map_or(0, |f| f.nodes),
            seconds,
            cpu_seconds,
        })
    }
    /// A mate, by the game's own solver of them.
    fn solve(
        &self,
        n: usize,
        problem: &Problem,
        plies: u32,
        solve: SolveMate,
    ) -> Result<Row, Failure> {
        let watch = Stopwatch::start();
        let mate = solve(&problem.position, &self.limits)?;
        let score = |distance| Score::Exact { value: Value::Win, distance };
        let found = (mate.mate == Some(true)).then(|| score(mate.plies));
        Ok(Row {
            n,
            id: problem.id.clone(),
            position: problem.position.clone(),
            ok: found == Some(score(Some(plies))),
            expected: Expected { score: Some(score(Some(plies))), ..Expected::default() },
            found: Answer { r#move: mate.moves.first().cloned(), score: found, nodes: None },
            depth: mate.plies.unwrap_or(0),
            nodes: mate.nodes,
            seconds: watch.seconds(),
            cpu_seconds: watch.cpu_seconds(),
        })
    }
}

/// The score a problem states: a mate, or the game's own points, told in the engine's unit.
fn expected_score(problem: &Problem, found: Option<Score>) -> Option<Score> {
    if let Some(plies) = problem.mate {
        return Some(Score::Exact { value: Value::Win, distance: Some(plies) });
    }
    let points = problem.points?;
    let unit = match found {
        Some(Score::Estimate { unit, .. }) => unit,
        _ => "centi",
    };
    let chance = f32::from(i8::try_from(points.signum()).unwrap_or(0)) / 2.0 + 0.5;
    Some(Score::Estimate { points: points.saturating_mul(100), unit, chance, bound: Bound::Exact })
}

/// Whether the answer is right: one of the moves, or, where no move is named, the score.
fn right(problem: &Problem, best: Option<&str>, found: Option<Score>) -> bool {
    let value = |points: i32| match points.signum() {
        1 => Value::Win,
        0 => Value::Draw,
        _ => Value::Loss,
    };
    let scored = match (problem.mate, problem.points, found) {
        (Some(plies), _, Some(Score::Exact { value, distance })) => {
            value == Value::Win && distance == Some(plies)
        }
        (Some(_), ..) => false,
        (None, Some(points), Some(Score::Exact { value: found, .. })) => found == value(points),
        (None, Some(points), Some(Score::Estimate { points: found, bound, .. })) => {
            bound == Bound::Exact && found == points.saturating_mul(100)
        }
        (None, ..) => false,
    };
    match &problem.moves {
        Some(moves) => best.is_some_and(|b| moves.iter().any(|m| m == b)),
        None => scored,
    }
}

fn text_of(row: &Row) -> String {
    let mark = if row.ok { "ok" } else { "wrong" };
    let Row { n, id, expected, found, nodes, seconds, .. } = row;
    let said = match (expected.nodes, &found.r#move) {
        (Some(wanted), _) if !row.ok => format!("{nodes}, should be {wanted}"),
        (Some(_), _) => nodes.to_string(),
        (None, best) => {
            let best = best.as_deref().unwrap_or("no move");
            let score = found.score.map_or(String::new(), |s| format!(" ({})", score::text(s)));
            let wanted = expected.moves.as_ref().filter(|_| !row.ok);
            let wanted =
                wanted.map_or(String::new(), |m| format!(", should be {}", m.join(" or ")));
            format!("{best}{score}{wanted}")
        }
    };
    // A problem without a name is called by its number, which stands before it already.
    let id = match (expected.nodes, *id == n.to_string()) {
        (Some(_), _) => format!("line {id}: "),
        (None, true) => String::new(),
        (None, false) => format!("{id}: "),
    };
    format!("{n:>4}  {mark:<5} {seconds:>8.2} s  {id}{said}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(points: i32) -> Score {
        Score::Estimate { points, unit: "centidisc", chance: 0.5, bound: Bound::Exact }
    }

    #[test]
    fn a_named_move_decides() {
        let problem =
            Problem { moves: Some(vec!["f5".to_string()]), points: Some(2), ..Problem::default() };
        assert!(right(&problem, Some("f5"), None));
        assert!(!right(&problem, Some("d3"), Some(estimate(200))));
    }

    #[test]
    fn without_a_move_the_score_decides() {
        let problem = Problem { points: Some(-2), ..Problem::default() };
        assert!(right(&problem, Some("f5"), Some(estimate(-200))));
        assert!(!right(&problem, Some("f5"), Some(estimate(200))));
        let loss = Score::Exact { value: Value::Loss, distance: Some(4) };
        assert!(right(&problem, None, Some(loss)));
    }

    #[test]
    fn a_mate_must_have_its_length() {
        let problem = Problem { mate: Some(5), ..Problem::default() };
        let win = |distance| Some(Score::Exact { value: Value::Win, distance });
        assert!(right(&problem, None, win(Some(5))));
        assert!(!right(&problem, None, win(Some(7))));
        assert!(!right(&problem, None, win(None)));
    }
}
