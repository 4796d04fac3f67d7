//! `kiban openings` (not shown in the help): makes a game's list of balanced openings, for its
//! data folder.

use crate::engine;
use crate::error::Failure;
use crate::output;
use crate::registry::{self, examples};
use kiban_core::{
    Arbiter, Conduct, Entry, GameSpec, Limits, Opening, Score, Viewer, Workspace, to_move,
};
use kiban_search::Random;
use std::collections::HashSet;

/// Draws balanced openings by search: each ply is one of the engine's best moves by chance
#[derive(clap::Args)]
#[command(after_help = examples(&["openings {game} --count 200 --plies 8"]))]
pub(crate) struct Args {
    /// The game's id, as "kiban games" lists it
    #[arg(value_name = "GAME")]
    game: String,
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// Plies of an opening
    #[arg(long, value_name = "K", default_value_t = 8)]
    plies: usize,
    /// How many of the engine's moves are drawn from
    #[arg(long, value_name = "N", default_value_t = 5)]
    lines: u8,
    /// Nodes for each ply
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    nodes: u64,
    /// Points by which a drawn move may be worse than the best one
    #[arg(long, value_name = "P", default_value_t = 100)]
    worse: i32,
    /// Nodes for the judgement of the last position
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    judge: u64,
    /// Points by which the last position may favour a side
    #[arg(long, value_name = "P", default_value_t = 60)]
    within: i32,
    /// For the drawing
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let Args { count, plies, lines, nodes, worse, judge, within, seed, .. } = args;
    output::text(&format!(
        "# {count} openings of {plies} plies: each ply is drawn from the {lines} best moves of our engine at\n\
         # {nodes} nodes that are at most {worse} points worse than the best; kept where it judges the end at\n\
         # {judge} nodes within {within} points. Made by:\n\
         # kiban openings {} --count {count} --plies {plies} --lines {lines} --nodes {nodes} --worse {worse} \\\n\
         #   --judge {judge} --within {within} --seed {seed}",
        spec.id
    ))?;
    let (mut random, mut ends) = (Random::new(*seed), HashSet::new());
    let mut memory = Workspace::new();
    while ends.len() < *count {
        let Some(game) = drawn(args, spec, &mut memory, &mut random)? else { continue };
        if balanced(args, game.as_ref(), &mut memory) && ends.insert(game.position(Viewer::Referee))
        {
            let moves = game.seen(Viewer::Referee).into_iter().map(|seen| seen.text);
            output::text(&moves.collect::<Vec<_>>().join(" "))?;
        }
    }
    Ok(())
}

/// A line of moves from the start; nothing where the game ended in it.
fn drawn(
    args: &Args,
    spec: &'static GameSpec,
    memory: &mut Workspace,
    random: &mut Random,
) -> Result<Option<Box<dyn Arbiter>>, Failure> {
    let variant = spec.variant("")?;
    let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
    let mut game = (spec.open)(&opening)?;
    for _ in 0..args.plies {
        let Some(seat) = to_move(game.as_ref()) else { return Ok(None) };
        memory.clear();
        let limits = Limits { nodes: Some(args.nodes), lines: args.lines, ..Limits::default() };
        let found = engine::think(game.as_ref(), memory, &limits, &mut |_| {});
        let lines = found.map(|f| f.lines).unwrap_or_default();
        let best = lines.first().and_then(|l| points(l.score));
        let near = lines
            .iter()
            .filter(|l| points(l.score).zip(best).is_some_and(|(p, best)| best - p <= args.worse));
        let near: Vec<&String> = near.filter_map(|l| l.moves.first()).collect();
        if near.is_empty() {
            return Ok(None);
        }
        let chosen = near[random.below(near.len())].clone();
        if game.put(&Entry::new_move(seat, chosen)).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(game))
}

fn balanced(args: &Args, game: &dyn Arbiter, memory: &mut Workspace) -> bool {
    memory.clear();
    let limits = Limits { nodes: Some(args.judge), ..Limits::default() };
    let found = engine::think(game, memory, &limits, &mut |_| {});
    let score = found.and_then(|f| f.score()).and_then(points);
    score.is_some_and(|p| p.abs() <= args.within)
}

/// Nothing for what is proved: such an opening is none.
fn points(score: Score) -> Option<i32> {
    match score {
        Score::Estimate { points, .. } => Some(points),
        Score::Exact { .. } => None,
    }
}
