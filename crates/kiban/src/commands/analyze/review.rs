//! Every ply of a record, with marks.

use super::table::Table;
use super::{Args, Document};
use crate::commands::show::outcome_text;
use crate::engine::{self, Found};
use crate::error::Failure;
use crate::output;
use crate::position::{open_record, put_recorded};
use crate::registry;
use crate::stopwatch::Stopwatch;
use crate::terminal;
use kiban_core::{Arbiter, Depths, JudgedPly, Limits, Opinion, Review, Stop, Workspace, plies};

/// The engine at work on a record.
struct Reviewer {
    memory: Workspace,
    limits: Limits,
    review: Review,
    depth: u8,
    nodes: u64,
}

impl Reviewer {
    /// Thinks about this position; gives the plies that can be judged now.
    fn look(&mut self, arbiter: &dyn Arbiter) -> Vec<JudgedPly> {
        let mut depths = Depths::default();
        let found = engine::think(arbiter, &mut self.memory, &self.limits, &mut |found| {
            found.score().into_iter().for_each(|score| depths.hear(found.depth, score));
        });
        if let Some(Found { depth, nodes, .. }) = found {
            self.depth = self.depth.max(depth);
            self.nodes += nodes;
        }
        let score = depths.score(plies(arbiter).len());
        let opinion = found.map(|f| Opinion { seat: f.seat, score, best: f.best });
        self.review.look(arbiter, opinion);
        self.review.judged(arbiter)
    }
}

/// Analyses every ply of the record.
pub(super) fn run(args: &Args, stop: &Stop) -> Result<(), Failure> {
    let spec = registry::game(&args.position.game)?;
    let record = args.position.read_record(spec)?;
    let mut reached = open_record(&record, spec)?;
    let limits = args.search.limits(1, stop);
    let watch = Stopwatch::start();
    let (memory, review) = (Workspace::new(), Review::default());
    let mut reviewer = Reviewer { memory, limits, review, depth: 0, nodes: 0 };
    let table = Table::new(registry::words_of(spec, &reached.variant));
    let mut judged_plies = Vec::new();
    let (arbiter, mut told) = (&mut reached.arbiter, 0);
    reviewer.look(arbiter.as_ref());
    if !args.json {
        output::text(&table.head())?;
    }
    for node in record.main_line() {
        let Some(entry) = &node.entry else { continue };
        if arbiter.ending().is_some() || stop.stopped() {
            break;
        }
        put_recorded(arbiter.as_mut(), entry, &mut told).map_err(|refusal| {
            let (line, column) = node.at.unwrap_or((1, 1));
            let error = kiban_core::ReadError::new("bad-record", refusal.to_string());
            Failure::NoAnswer(error.line(line).column(column))
        })?;
        if reviewer.review.knows(arbiter.as_ref()) {
            continue;
        }
        let judged = reviewer.look(arbiter.as_ref());
        if !args.json {
            judged.iter().try_for_each(|ply| output::text(&table.row(ply)))?;
        }
        judged_plies.extend(judged);
    }
    let outcome = reached.arbiter.ending().and_then(|e| e.outcome);
    if !args.json {
        let outcome = outcome.map(|outcome| outcome_text(table.words(), outcome));
        return output::text(&table.foot(&judged_plies, outcome, terminal::width_of_output()));
    }
    let document = super::document(args, &reached, None);
    output::json(&Document {
        depth: reviewer.depth,
        nodes: reviewer.nodes,
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
        plies: Some(judged_plies),
        ..document
    })
}
