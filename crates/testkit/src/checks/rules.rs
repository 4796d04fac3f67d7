//! What the static traits promise each other and no referee shows: play and undo, fouls and legal
//! moves, ends and empty move lists.

use crate::{Case, Playing, Random};
use kiban_core::{Act, Arbiter, Entry, Game, Line, Notation, Stage, Table, Viewer};

/// Plays the case's game on a `Table` of its own and checks the rules at each ply.
///
/// # Errors
/// Names the move or the list that breaks a promise.
pub fn check<R: Game>(case: &Case<'_>) -> Result<(), String> {
    let mut playing = case.open()?;
    let mut table = Table::<R>::open(&playing.opening).map_err(|e| e.to_string())?;
    let mut moves: Vec<R::Move> = Vec::new();
    loop {
        while let Some(entry) = playing.game.log().get(table.log().len()) {
            let length = table.log().len();
            table.put(entry).map_err(|e| format!("{entry:?}: {e}"))?;
            if table.log().len() == length {
                return Err(format!("{entry:?} is taken and not in the log"));
            }
        }
        if table.log() != playing.game.log() {
            return Err("GameSpec::open opens another game than the rules".to_string());
        }
        case.doing("checking the rules");
        if table.stage() != Stage::Layout {
            position::<R>(table.line())?;
            line::<R>(table.line(), table.stage(), &mut moves)?;
        }
        if playing.game.log().len() >= case.plies || !playing.step()? {
            return read_back::<R>(&playing, table.line().rules(), &mut Random::new(case.seed));
        }
    }
}

/// `moves`, `ended`, `play` and `undo` of the position alone.
fn position<R: Game>(line: &Line<R>) -> Result<(), String> {
    let (rules, p) = (line.rules(), line.position());
    let moves: Vec<R::Move> = rules.moves(p).into_iter().collect();
    if moves.is_empty() != rules.ended(p).is_some() {
        return Err(format!("{} moves of a position ended {:?}", moves.len(), rules.ended(p)));
    }
    let mut played = p.clone();
    for m in &moves {
        let undo = rules.play(&mut played, *m);
        rules.undo(&mut played, *m, undo);
        let same = played == *p
            && rules.to_move(&played) == rules.to_move(p)
            && rules.ended(&played) == rules.ended(p)
            && rules.moves(&played).into_iter().eq(moves.iter().copied());
        if !same {
            return Err(format!("playing and undoing {m:?} changes the position"));
        }
    }
    Ok(())
}

/// `legal`, `verdict`, `foul` and `choices` of the line. `met` gathers moves to be tried later.
fn line<R: Game>(line: &Line<R>, stage: Stage, met: &mut Vec<R::Move>) -> Result<(), String> {
    /// Moves kept to be tried where they are not legal.
    const MET: usize = 60;
    let (rules, p) = (line.rules(), line.position());
    let legal: Vec<R::Move> = rules.legal(line).into_iter().collect();
    if stage == Stage::Over {
        let open = line.called().is_none() && rules.verdict(line).is_none();
        let fine = legal.is_empty() || open;
        return if fine { Ok(()) } else { Err("legal moves after the end".to_string()) };
    }
    if legal.is_empty() {
        return Err("no legal move and no verdict".to_string());
    }
    let moves: Vec<R::Move> = rules.moves(p).into_iter().collect();
    if let Some(m) = legal.iter().find(|m| !moves.contains(m)) {
        return Err(format!("{m:?} is legal and not a move of the position"));
    }
    let mover = rules.to_move(p);
    for m in moves.iter().chain(met.iter()) {
        let foul = rules.foul(line, mover, *m);
        if foul.is_none() != legal.contains(m) {
            return Err(format!("{m:?}: foul {foul:?}, legal {}", legal.contains(m)));
        }
    }
    let choices = rules.choices(&rules.known(line, Viewer::Seat(mover)));
    if choices.len() != legal.len() || choices.iter().any(|m| !legal.contains(m)) {
        return Err(format!("choices {choices:?} against legal {legal:?}"));
    }
    if let Some(m) =
        legal.iter().find(|m| rules.read_move(&rules.write_move(**m)).ok() != Some(**m))
    {
        return Err(format!("{m:?} is written {} and not read back", rules.write_move(*m)));
    }
    let left = MET.saturating_sub(met.len());
    met.extend(legal.iter().filter(|m| !met.contains(m)).take(left).copied().collect::<Vec<_>>());
    Ok(())
}

/// Every readable move text is written in one way, which is read as the same move.
fn read_back<R: Notation>(
    playing: &Playing<'_>,
    rules: R,
    random: &mut Random,
) -> Result<(), String> {
    for Entry { act, .. } in playing.game.log() {
        let Act::Move(text) = act else { continue };
        for text in [text.clone(), random.mutate(text), random.mutate(text), random.text()] {
            playing.case.doing(format!("reading the move {text:?}"));
            if let Ok(m) = rules.read_move(&text)
                && rules.read_move(&rules.write_move(m)).ok() != Some(m)
            {
                return Err(format!("{text:?} is read as {m:?}, and that is not read back"));
            }
        }
    }
    Ok(())
}
