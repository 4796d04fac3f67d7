//! Engines: a legal answer, within its nodes, the same each time, and soon after a stop.

use crate::{Case, Playing};
use kiban_core::{Act, Entry, Job, Limits, Report, Seat, Stage, Stop, Workspace};
use std::sync::mpsc;
use std::time::Duration;

/// Nodes an engine gets here.
const NODES: u64 = 2_000;
/// Nodes an engine may report above its limit, because limits are looked at once in a while.
const NODE_SLACK: u64 = 1_024;
/// Entries put before each question to the engine.
const ASK_AT: [usize; 3] = [0, 5, 14];
/// How long a stopped search may go on: generous, as the machine may be busy.
const STOPPED_WITHIN: Duration = Duration::from_secs(10);
/// How long a search with a node limit may take before the limit is thought forgotten.
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);

/// An answer and all reports on the way to it.
type Answer = (Entry, Vec<Report>);

/// Asks with a fresh memory, on a thread of its own: an engine that never ends must not hang the
/// test.
pub(crate) fn ask(playing: &Playing<'_>, seat: Seat, limits: Limits) -> Result<Answer, String> {
    playing.case.doing(format!("asking the engine of {seat}, {limits:?}"));
    // A switch of its own: clones of one are one switch.
    let stop = Stop::default();
    let limits = Limits { stop: stop.clone(), ..limits };
    let answer = started(playing.game.ask(seat), limits).recv_timeout(ANSWERED_WITHIN);
    stop.stop();
    answer.map_err(|_| format!("the engine of {seat} does not answer, or it panicked"))
}

fn started(job: Job, limits: Limits) -> mpsc::Receiver<Answer> {
    let (done, answers) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reports = Vec::new();
        let entry = job(&mut Workspace::new(), limits, &mut |report| reports.push(report));
        // Nobody listens any more if the test gave up waiting.
        let _ = done.send((entry, reports));
    });
    answers
}

/// Asks the engine in a few positions of the case's game.
///
/// # Errors
/// Says which answer is wrong.
pub fn check(case: &Case<'_>) -> Result<(), String> {
    let mut playing = case.open()?;
    for plies in ASK_AT {
        // A game with layouts is still being laid out after few entries.
        while (playing.game.log().len() < plies || playing.game.stage() == Stage::Layout)
            && playing.step()?
        {}
        let Some(seat) = playing.mover() else { continue };
        stops(&playing, seat)?;
        question(&playing, seat)?;
    }
    Ok(())
}

fn question(playing: &Playing<'_>, seat: Seat) -> Result<(), String> {
    let seed = playing.case.seed;
    let nodes = Limits { nodes: Some(NODES), seed, ..Limits::default() };
    let answer = ask(playing, seat, nodes.clone())?;
    sound(playing, seat, &answer)?;
    if let Some(used) = answer.1.iter().map(|r| r.nodes).max()
        && used > NODES + NODE_SLACK
    {
        return Err(format!("{used} nodes of {NODES} and {NODE_SLACK} of slack"));
    }
    if ask(playing, seat, nodes.clone())? != answer {
        return Err("another answer or report to the same question".to_string());
    }
    let shapes = [
        Limits { lines: 3, ..nodes.clone() },
        Limits { depth: Some(1), ..nodes.clone() },
        Limits { level: Some(1), ..nodes.clone() },
        Limits { level: Some(1), seed: seed + 1, ..nodes.clone() },
        Limits { nodes: Some(1), ..nodes.clone() },
    ];
    for limits in shapes {
        sound(playing, seat, &ask(playing, seat, limits)?)?;
    }
    Ok(())
}

/// The answer and every reported first move is a choice, or a call the seat may make.
fn sound(playing: &Playing<'_>, seat: Seat, (entry, reports): &Answer) -> Result<(), String> {
    let choices = playing.game.choices(seat);
    let legal = |text: &str| choices.iter().any(|c| c.text == text);
    let allowed = match &entry.act {
        Act::Move(text) => legal(text),
        Act::Call(call) => playing.game.calls(seat).contains(call),
        Act::Deal(_) | Act::Layout(_) => false,
    };
    if !allowed || entry.by.only() != Some(seat) {
        return Err(format!("the engine of {seat} answers {entry:?}"));
    }
    for line in reports.iter().flat_map(|r| &r.lines) {
        let first = line.moves.first().map(String::as_str);
        if !first.is_some_and(legal) {
            return Err(format!("the engine of {seat} reports the line {:?}", line.moves));
        }
        if !(0.0..=1.0).contains(&line.score.chance()) || line.rank == 0 {
            return Err(format!("the engine of {seat} reports {line:?}"));
        }
    }
    Ok(())
}

/// A search without limits ends when it is stopped, also if that was before it began.
fn stops(playing: &Playing<'_>, seat: Seat) -> Result<(), String> {
    for wait in [Duration::ZERO, Duration::from_millis(30)] {
        let stop = Stop::default();
        if wait.is_zero() {
            stop.stop();
        }
        let limits = Limits { stop: stop.clone(), ..Limits::default() };
        let answers = started(playing.game.ask(seat), limits);
        std::thread::sleep(wait);
        stop.stop();
        match answers.recv_timeout(STOPPED_WITHIN) {
            Ok(answer) => sound(playing, seat, &answer)?,
            Err(_) => return Err("the engine does not stop, or it panicked".to_string()),
        }
    }
    Ok(())
}
