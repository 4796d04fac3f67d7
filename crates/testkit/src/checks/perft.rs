//! Move-path counts against counts made by playing.

use crate::Case;
use crate::checks::texts::{all_moves, reopened};
use kiban_core::{Arbiter, Entry, Opening, Stage, Viewer};

/// Perft of depth 1 and 2 equals what playing the choices gives, with one thread and with two.
///
/// Perft sees positions alone, playing sees history too. So banned moves are counted, a game that
/// history ends is opened again without it, and starts where a move is forced are left out; after
/// a first move a forced one is one path. A start that owes layouts has no perft: an error.
///
/// # Errors
/// Says which count differs.
pub fn check(case: &Case<'_>) -> Result<(), String> {
    let playing = case.open()?;
    let (spec, opening) = (case.spec, &playing.opening);
    case.doing("counting");
    if playing.game.stage() == Stage::Layout {
        return match (spec.perft)(opening, 1, false, 1) {
            Err(_) => Ok(()),
            Ok(count) => Err(format!("{} paths before play has begun", count.nodes)),
        };
    }
    if playing.game.stage() != Stage::Play || !playing.game.log().is_empty() {
        return Ok(());
    }
    let moves = all_moves(&*playing.game);
    let below = |text: &String| -> Result<u64, String> {
        let mut child = (spec.open)(opening).map_err(|e| e.to_string())?;
        let seat = child.waiting_for().only().ok_or("play waits for no single seat")?;
        child.put(&Entry::new_move(seat, text.as_str())).map_err(|e| e.to_string())?;
        leaves(case, &*child)
    };
    let counts = moves.iter().map(below).collect::<Result<Vec<u64>, String>>()?;
    let divided = moves.iter().cloned().zip(counts.iter().copied()).collect();
    let ones = moves.iter().cloned().map(|text| (text, 1)).collect();
    counted(case, opening, 1, ones)?;
    counted(case, opening, 2, divided)
}

/// Paths of one ply more below a game in which one move was made.
fn leaves(case: &Case<'_>, child: &dyn Arbiter) -> Result<u64, String> {
    if child.log().len() > 1 {
        // The forced ply.
        return Ok(1);
    }
    if child.stage() == Stage::Play {
        return Ok(all_moves(child).len() as u64);
    }
    let playing = case.open()?;
    match reopened(&playing, &child.position(Viewer::Referee)) {
        Ok(game) if game.stage() == Stage::Play && game.log().is_empty() => {
            Ok(all_moves(&*game).len() as u64)
        }
        _ => Ok(u64::from(case.spec.perft_leaf == "finished")),
    }
}

fn counted(
    case: &Case<'_>,
    opening: &Opening,
    depth: u32,
    divided: Vec<(String, u64)>,
) -> Result<(), String> {
    let nodes: u64 = divided.iter().map(|(_, n)| n).sum();
    for threads in [1, 2] {
        let fault = |fault| format!("perft {depth}, {threads} threads: {fault}");
        let count =
            (case.spec.perft)(opening, depth, true, threads).map_err(|e| fault(e.to_string()))?;
        let mut rows = count.divide.ok_or_else(|| fault("not divided".to_string()))?;
        rows.sort_unstable();
        if rows != divided || count.nodes != nodes {
            return Err(fault(format!(
                "{} paths, playing gives {nodes}: {rows:?} against {divided:?}",
                count.nodes
            )));
        }
    }
    Ok(())
}
