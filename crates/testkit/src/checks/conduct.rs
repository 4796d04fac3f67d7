//! Entries that are refused, fouls, calls and taking back.

use crate::case::{listed, refusal_listed};
use crate::faces::{core_faces, faces, same, seats};
use crate::{Faces, Playing};
use kiban_core::{Act, Call, Choice, Conduct, Ending, Entry, Refusal, Seat, Seats, Stage};

/// Move texts tried at a ply where they are not choices.
const STRANGE_MOVES: usize = 8;

/// Stage, seats waited for and ending fit each other, and so does the ending's reason.
///
/// # Errors
/// Says what does not fit.
pub fn stage_fits(playing: &Playing<'_>) -> Result<(), String> {
    let game = &playing.game;
    let (over, waiting) = (game.ending().is_some(), game.waiting_for());
    if over != (game.stage() == Stage::Over) {
        return Err(format!("stage {:?} with ending {:?}", game.stage(), game.ending()));
    }
    if over && !waiting.is_empty() {
        return Err(format!("waits for {waiting:?} after the end"));
    }
    if !over && waiting.is_empty() && !game.owes_deal() {
        return Err("waits for nobody, owes no deal and has no ending".to_string());
    }
    if game.stage() == Stage::Play && game.owes_deal() {
        return Err("play has begun and a deal is owed".to_string());
    }
    for seat in seats(&**game).iter() {
        let moves = game.stage() == Stage::Play && waiting.has(seat);
        if moves == game.choices(seat).is_empty() {
            return Err(format!("{seat} has {} choices", game.choices(seat).len()));
        }
        if over && !game.calls(seat).is_empty() {
            return Err(format!("{seat} may call {:?} after the end", game.calls(seat)));
        }
    }
    game.ending().map_or(Ok(()), |ending| ending_listed(playing, ending))
}

fn ending_listed(playing: &Playing<'_>, ending: &Ending) -> Result<(), String> {
    let spec = playing.case.spec;
    if let Some(outcome) = ending.outcome {
        listed(spec, outcome.reason().0)?;
    }
    ending.foul.as_ref().map_or(Ok(()), |foul| listed(spec, foul.reason.0))
}

/// Puts entries that do not belong here: a refusal changes nothing, a foul ends an official game,
/// and what is accepted was a choice in other words.
///
/// # Errors
/// Says which entry did what.
pub fn strange_entries(playing: &mut Playing<'_>, choices: &[Choice]) -> Result<(), String> {
    let all: Vec<Seat> = seats(&*playing.game).iter().collect();
    let texts = playing.random.some(playing.texts.clone(), STRANGE_MOVES);
    let mover = playing.mover().unwrap_or(Seat::FIRST);
    let mut entries = Vec::new();
    for text in texts {
        let seat = *playing.random.pick(&all).expect("a game has seats");
        entries.push(Entry::new_move(seat, playing.random.mutate(&text)));
        entries.push(Entry::new_move(seat, text.as_str()));
        entries.push(Entry::new_move(mover, text));
    }
    let text = playing.random.text();
    let (by, referee) = (Seats::from(mover), Seats::NONE);
    entries.push(Entry::new_move(mover, text.as_str()));
    entries.push(Entry { by: referee, act: Act::Move(text.clone()) });
    entries.push(Entry { by: Seats::first_n(2), act: Act::Move(text.clone()) });
    entries.push(Entry { by, act: Act::Layout(text.clone()) });
    entries.push(Entry { by: referee, act: Act::Layout(text.clone()) });
    entries.push(Entry { by, act: Act::Deal(text.clone()) });
    entries.push(Entry { by: referee, act: Act::Deal(text) });
    for seat in Seat::ALL {
        let call = *playing.random.pick(&Call::ALL).expect("there are calls");
        entries.push(Entry::new_call(seat, call));
    }
    for call in Call::ALL {
        entries.push(Entry::new_call(referee, call));
    }
    let before = core_faces(&*playing.game);
    for entry in entries {
        strange_entry(playing, choices, &before, &entry)
            .map_err(|fault| format!("putting {entry:?}: {fault}"))?;
    }
    Ok(())
}

fn strange_entry(
    playing: &mut Playing<'_>,
    choices: &[Choice],
    before: &Faces,
    entry: &Entry,
) -> Result<(), String> {
    playing.case.doing(format!("putting {entry:?}"));
    let log = playing.game.log().to_vec();
    let mover = playing.mover();
    if let Err(refusal) = playing.game.put(entry) {
        refusal_listed(playing.case.spec, &refusal)?;
        if refusal.to_string().trim().is_empty() {
            return Err("the refusal says nothing".to_string());
        }
        let official = playing.game.conduct() == Conduct::Official;
        if official && matches!(refusal, Refusal::Illegal(_)) {
            return Err("refused in official conduct, which judges it".to_string());
        }
        return same(before, &core_faces(&*playing.game))
            .map_err(|fault| format!("refused ({}) and changed {fault}", refusal.slug()));
    }
    if playing.game.log() == log {
        // The echo of a forced move: accepted because it is in the log already.
        return same(before, &core_faces(&*playing.game));
    }
    let outside = |s: Seat| !seats(&*playing.game).has(s);
    if entry.by.iter().any(outside) {
        return Err("taken, and no such seat plays".to_string());
    }
    stage_fits(playing)?;
    if let Act::Move(_) = entry.act {
        accepted_move(playing, choices, &log, entry, mover)?;
    }
    playing.go_back(&log)?;
    same(before, &core_faces(&*playing.game))
        .map_err(|fault| format!("putting and taking back changed {fault}"))
}

/// A move was taken that was tried blindly: it was a choice, or it is a foul.
fn accepted_move(
    playing: &Playing<'_>,
    choices: &[Choice],
    log: &[Entry],
    entry: &Entry,
    mover: Option<Seat>,
) -> Result<(), String> {
    let (game, new) = (&playing.game, &playing.game.log()[log.len()]);
    let Act::Move(text) = &new.act else {
        return Err(format!("a move was put and {new:?} stands in the log"));
    };
    let legal = new.by.only() == mover && choices.iter().any(|c| c.text == *text);
    let foul = game.ending().and_then(|e| e.foul.as_ref());
    match (foul, game.conduct()) {
        (None, _) if legal => Ok(()),
        (None, _) => Err("taken, and it was not among the choices".to_string()),
        (Some(_), Conduct::Guided) => Err("a foul in guided conduct".to_string()),
        (Some(_), _) if legal => Err("a choice is judged a foul".to_string()),
        (Some(foul), _) => {
            let outcome = game.ending().and_then(|e| e.outcome);
            let won = outcome.is_some_and(|o| o.winners().has(foul.seat));
            if Some(foul.seat) != entry.by.only() || outcome.is_none() || won {
                return Err(format!("the foul ends the game so: {:?}", game.ending()));
            }
            Ok(())
        }
    }
}

/// Texts of moves that are not choices are refused in guided conduct and end the game as a foul
/// of the seat to move in official conduct.
///
/// # Errors
/// Names the move that was met otherwise.
pub fn banned_moves(playing: &mut Playing<'_>) -> Result<(), String> {
    let Some(seat) = playing.mover() else { return Ok(()) };
    let log = playing.game.log().to_vec();
    for (text, reason) in playing.game.banned() {
        listed(playing.case.spec, reason.0)?;
        if playing.game.choices(seat).iter().any(|c| c.text == text) {
            return Err(format!("{text} is banned ({reason}) and a choice"));
        }
        let answer = playing.game.put(&Entry::new_move(seat, text.as_str()));
        let foul = playing.game.ending().and_then(|e| e.foul.as_ref());
        match (playing.game.conduct(), answer) {
            (Conduct::Guided, Err(refusal)) if refusal.slug() == reason.0 => continue,
            (Conduct::Official, Ok(())) if foul.is_some_and(|f| f.reason == reason) => {}
            (_, answer) => {
                return Err(format!("{text} is banned ({reason}): {answer:?}, {foul:?}"));
            }
        }
        playing.go_back(&log)?;
    }
    Ok(())
}

/// Every call a seat is offered is accepted, and taken back leaves no trace.
///
/// # Errors
/// Names the call.
pub fn calls(playing: &mut Playing<'_>) -> Result<(), String> {
    let before = faces(&*playing.game);
    let log = playing.game.log().to_vec();
    for seat in seats(&*playing.game).iter() {
        for call in playing.game.calls(seat) {
            let entry = playing.call_entry(seat, call);
            playing.case.doing(format!("putting {entry:?}"));
            let fault = |fault| format!("call {} of {seat}: {fault}", call.slug());
            playing.game.put(&entry).map_err(|e| fault(format!("offered and refused: {e}")))?;
            if playing.game.log() == log {
                return Err(fault("not in the log".to_string()));
            }
            stage_fits(playing).map_err(fault)?;
            playing.go_back(&log).map_err(fault)?;
            same(&before, &faces(&*playing.game)).map_err(fault)?;
        }
    }
    Ok(())
}

/// Replaying the log gives equal views to all viewers.
///
/// # Errors
/// Names the first face that differs.
pub fn replay(playing: &Playing<'_>) -> Result<(), String> {
    playing.case.doing("replaying the log");
    let again = playing.replayed(playing.game.log())?;
    same(&faces(&*playing.game), &faces(&*again))
        .map_err(|fault| format!("replaying the log gives another {fault}"))
}
