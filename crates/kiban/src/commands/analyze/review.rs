//! Every ply of a record, with marks.

use super::{Args, Document};
use crate::commands::show::{outcome_text, seat_name};
use crate::engine::{self, Found};
use crate::error::Failure;
use crate::output;
use crate::position::{open_record, put_recorded};
use crate::registry;
use crate::score;
use crate::stopwatch::Stopwatch;
use kiban_core::{Arbiter, JudgedPly, Limits, Opinion, Review, Score, Stop, Workspace};

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
        let found = engine::think(arbiter, &mut self.memory, &self.limits, &mut |_| {});
        if let Some(Found { depth, nodes, .. }) = found {
            self.depth = self.depth.max(depth);
            self.nodes += nodes;
        }
        let opinion = found.map(|f| Opinion { seat: f.seat, score: f.score(), best: f.best });
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
    let mut plies = Vec::new();
    let (arbiter, mut told) = (&mut reached.arbiter, 0);
    reviewer.look(arbiter.as_ref());
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
            let words = registry::words(spec);
            for ply in &judged {
                output::text(&text(ply, &seat_name(&words, ply.seat)))?;
            }
        }
        plies.extend(judged);
    }
    let outcome = reached.arbiter.ending().and_then(|e| e.outcome);
    if !args.json {
        let words = registry::words(spec);
        return outcome.map_or(Ok(()), |o| output::text(&outcome_text(&words, o)));
    }
    let document = super::document(args, &reached, None);
    output::json(&Document {
        depth: reviewer.depth,
        nodes: reviewer.nodes,
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
        plies: Some(plies),
        ..document
    })
}

fn text(ply: &JudgedPly, seat: &str) -> String {
    let show = |s: Option<Score>| s.map_or("?".to_string(), score::text);
    let mut text = format!(
        "{:>4}  {seat:<8} {:<8} {:>10} -> {:<10}",
        ply.ply,
        ply.r#move,
        show(ply.before),
        show(ply.after)
    );
    if let Some(mark) = ply.mark {
        text.push_str(mark.name());
        if let Some(best) = &ply.best {
            text.push_str(&format!(", better {best}"));
        }
    }
    text.trim_end().to_string()
}
