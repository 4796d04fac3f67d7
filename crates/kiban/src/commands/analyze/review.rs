//! Every ply of a record, with marks.

use super::{Args, Document};
use crate::commands::show::{outcome_text, seat_name};
use crate::engine::{self, Found};
use crate::error::Failure;
use crate::output;
use crate::position::{self, open_record, put_recorded};
use crate::registry;
use crate::score::{self, earlier, seen_by};
use crate::stopwatch::Stopwatch;
use kiban_core::{Arbiter, Limits, Score, Seat, Stop, Workspace};
use serde::Serialize;

/// One ply of a record, judged.
#[derive(Serialize)]
pub(super) struct Ply {
    ply: usize,
    seat: Seat,
    r#move: String,
    best: Option<String>,
    /// Both scores are for the mover.
    before: Option<Score>,
    after: Option<Score>,
    /// Of the chance to win, 0 to 1.
    loss: Option<f32>,
    mark: Option<&'static str>,
}

/// What is thought of one moment: before a ply, or after the last.
struct Moment {
    seat: Seat,
    best: Option<String>,
    score: Option<Score>,
}

/// What the searches took together.
#[derive(Default)]
struct Effort {
    depth: u8,
    nodes: u64,
}

/// Analyses every ply of the record.
pub(super) fn run(args: &Args, stop: &Stop) -> Result<(), Failure> {
    let spec = registry::game(&args.position.game)?;
    let record = args.position.read_record(spec)?;
    let mut reached = open_record(&record, spec)?;
    let limits = args.search.limits(1, stop);
    let watch = Stopwatch::start();
    let (mut memory, mut effort) = (Workspace::new(), Effort::default());
    let mut moments = Vec::new();
    let mut plies = Vec::new();
    let (arbiter, mut told) = (&mut reached.arbiter, 0);
    look(arbiter.as_ref(), &mut memory, &limits, &mut moments, &mut effort);
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
        if position::plies(arbiter.as_ref()).len() < moments.len() {
            continue;
        }
        look(arbiter.as_ref(), &mut memory, &limits, &mut moments, &mut effort);
        let known = plies.len();
        plies.extend(judged(arbiter.as_ref(), &moments, known));
        if !args.json {
            let words = registry::words(spec);
            for ply in &plies[known..] {
                output::text(&text(ply, &seat_name(&words, ply.seat)))?;
            }
        }
    }
    let outcome = reached.arbiter.ending().and_then(|e| e.outcome);
    if !args.json {
        let words = registry::words(spec);
        return outcome.map_or(Ok(()), |o| output::text(&outcome_text(&words, o)));
    }
    let document = super::document(args, &reached, None);
    output::json(&Document {
        depth: effort.depth,
        nodes: effort.nodes,
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
        plies: Some(plies),
        ..document
    })
}

/// Adds what is thought of this moment, and of those that were passed without asking before it.
fn look(
    arbiter: &dyn Arbiter,
    memory: &mut Workspace,
    limits: &Limits,
    moments: &mut Vec<Moment>,
    effort: &mut Effort,
) {
    let found = engine::think(arbiter, memory, limits, &mut |_| {});
    if let Some(Found { depth, nodes, .. }) = found {
        effort.depth = effort.depth.max(depth);
        effort.nodes += nodes;
    }
    let plies = position::plies(arbiter);
    let last = plies.last().map_or(Seat::FIRST, |(seat, _)| *seat);
    let outcome = arbiter.ending().and_then(|e| e.outcome);
    let now = match found {
        Some(found) => Moment { seat: found.seat, score: found.score(), best: found.best },
        None => {
            let score = outcome.map(|o| score::of_outcome(o, last, 0));
            Moment { seat: last, score, best: None }
        }
    };
    let forced = engine::forced(arbiter).map_or(0, |(_, texts)| texts.len());
    let (mut seat, mut score) = (now.seat, now.score);
    let place = moments.len();
    moments.push(now);
    for (by, text) in plies.iter().rev().take(forced) {
        score = score.map(|s| earlier(seen_by(s, seat, *by)));
        seat = *by;
        moments.insert(place, Moment { seat, score, best: Some(text.to_string()) });
    }
}

/// The plies that have a moment before and after them, without the first `known`.
fn judged(arbiter: &dyn Arbiter, moments: &[Moment], known: usize) -> Vec<Ply> {
    let ply = |(i, (seat, text)): (usize, (Seat, &str))| {
        let (here, next) = (&moments[i], &moments[i + 1]);
        let (before, best) = (here.score, here.best.clone());
        let after = next.score.map(|s| seen_by(s, next.seat, seat));
        let loss = match (before, after) {
            _ if best.as_deref() == Some(text) => Some(0.0),
            (Some(before), Some(after)) => Some((before.chance() - after.chance()).max(0.0)),
            _ => None,
        };
        let (r#move, mark) = (text.to_string(), loss.and_then(mark));
        Ply { ply: i + 1, seat, r#move, best, before, after, loss, mark }
    };
    position::plies(arbiter).into_iter().enumerate().skip(known).map(ply).collect()
}

/// The mark of a loss of chance.
fn mark(loss: f32) -> Option<&'static str> {
    match loss {
        l if l >= 0.3 => Some("blunder"),
        l if l >= 0.2 => Some("mistake"),
        l if l >= 0.1 => Some("inaccuracy"),
        _ => None,
    }
}

fn text(ply: &Ply, seat: &str) -> String {
    let show = |s: Option<Score>| s.map_or("?".to_string(), score::text);
    let mut text = format!(
        "{:>4}  {seat:<8} {:<8} {:>10} -> {:<10}",
        ply.ply,
        ply.r#move,
        show(ply.before),
        show(ply.after)
    );
    if let Some(mark) = ply.mark {
        text.push_str(mark);
        if let Some(best) = &ply.best {
            text.push_str(&format!(", better {best}"));
        }
    }
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn marks_begin_at_a_tenth_a_fifth_and_three_tenths() {
        let marks = [0.0, 0.099, 0.1, 0.2, 0.3, 1.0].map(mark);
        let (i, m, b) = (Some("inaccuracy"), Some("mistake"), Some("blunder"));
        assert_eq!(marks, [None, None, i, m, b, b]);
    }
}
