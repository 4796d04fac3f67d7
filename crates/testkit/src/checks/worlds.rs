//! No leak: games a viewer must not be able to tell apart show that viewer the same bytes.

use crate::checks::engine::ask;
use crate::faces::{faces_of, same, seats};
use crate::{Hidden, Playing, World};
use kiban_core::{Arbiter, Call, Entry, Limits, Seat, Stage, Viewer};

/// Nodes of the engine whose answers are compared.
const NODES: u64 = 200;
/// Move texts whose refusals are compared.
const TRIED: usize = 12;

/// Compares the game with another world, for each seat and a watcher, and counts the pairs.
///
/// # Errors
/// Names the viewer and what tells the worlds apart.
pub fn check(playing: &mut Playing<'_>) -> Result<(), String> {
    let Some(hidden) = playing.case.hidden else { return Ok(()) };
    let viewers = seats(&*playing.game).iter().map(Viewer::Seat).chain([Viewer::Watcher]);
    for who in viewers.collect::<Vec<_>>() {
        playing.case.doing(format!("making another world for {}", who.name()));
        if let Some(other) = another(playing, hidden, who)? {
            let case = playing.case;
            case.worlds.set(case.worlds.get() + 1);
            playing.case.doing(format!("comparing two worlds for {}", who.name()));
            compare(playing, other, who)
                .map_err(|fault| format!("leak to {}: {fault}", who.name()))?;
        }
    }
    Ok(())
}

fn another<'a>(
    playing: &mut Playing<'a>,
    hidden: &Hidden,
    who: Viewer,
) -> Result<Option<Playing<'a>>, String> {
    let log = playing.game.log().to_vec();
    let world = World { opening: &playing.opening, log: &log, who };
    let Some(other) = (hidden.another)(&world, &mut playing.random) else { return Ok(None) };
    if other == log {
        return Err("Hidden::another gives the same world".to_string());
    }
    let game = playing.replayed(&other).map_err(|e| format!("Hidden::another: {e}"))?;
    let opening = playing.opening.clone();
    let (random, texts) = (playing.random.clone(), Vec::new());
    Ok(Some(Playing { case: playing.case, opening, game, random, texts }))
}

fn compare<'a>(
    playing: &mut Playing<'a>,
    mut other: Playing<'a>,
    who: Viewer,
) -> Result<(), String> {
    same(&faces_of(&*playing.game, who), &faces_of(&*other.game, who))?;
    files(playing, &*other.game, who)?;
    told(playing, &mut other, who)?;
    let Viewer::Seat(seat) = who else { return Ok(()) };
    let texts = playing.random.some(playing.texts.clone(), TRIED);
    for text in &texts {
        let path: Vec<String> = text.chars().map(String::from).collect();
        let (here, there) = (&playing.game, &other.game);
        if here.read_taps(seat, &path) != there.read_taps(seat, &path) {
            return Err(format!("the taps {path:?} are read differently"));
        }
    }
    let moves = texts.into_iter().map(|text| Entry::new_move(seat, text));
    let calls = Call::ALL.into_iter().map(|call| Entry::new_call(seat, call));
    for entry in moves.chain(calls) {
        refusals(playing, &mut other, &entry)?;
    }
    if playing.game.stage() == Stage::Play && playing.game.waiting_for().has(seat) {
        answers(playing, &other, seat)?;
    }
    Ok(())
}

/// Exported files are equal, and so are the refusals to export.
fn files(playing: &Playing<'_>, other: &dyn Arbiter, who: Viewer) -> Result<(), String> {
    for write in playing.case.spec.formats.iter().filter_map(|f| f.write) {
        if write(&[playing.game.record(who)]) != write(&[other.record(who)]) {
            return Err("the exported records differ".to_string());
        }
    }
    Ok(())
}

/// What one world refuses the other refuses in the same words. What is taken may turn out
/// differently: then something was told.
fn refusals<'a>(
    playing: &mut Playing<'a>,
    other: &mut Playing<'a>,
    entry: &Entry,
) -> Result<(), String> {
    let logs = [playing.game.log().to_vec(), other.game.log().to_vec()];
    let (here, there) = (playing.game.put(entry), other.game.put(entry));
    if here != there {
        return Err(format!("{entry:?} gives {here:?} here and {there:?} there"));
    }
    for (world, log) in [playing, other].into_iter().zip(logs) {
        if world.game.log() != log {
            world.game = world.replayed(&log)?;
        }
    }
    Ok(())
}

/// A move after which the viewer can tell the worlds apart told something hidden: it stays.
fn told<'a>(playing: &mut Playing<'a>, other: &mut Playing<'a>, who: Viewer) -> Result<(), String> {
    let Some(seat) = playing.mover() else { return Ok(()) };
    let logs = [playing.game.log().to_vec(), other.game.log().to_vec()];
    let choices = playing.random.some(playing.game.choices(seat), TRIED);
    for entry in choices.iter().map(|c| Entry::new_move(seat, c.text.as_str())) {
        // A move of another seat may be illegal in the other world.
        let both = playing.game.put(&entry).is_ok() && other.game.put(&entry).is_ok();
        let tells =
            both && same(&faces_of(&*playing.game, who), &faces_of(&*other.game, who)).is_err();
        if tells && (playing.game.take_back().is_ok() || other.game.take_back().is_ok()) {
            return Err(format!("{entry:?} told something hidden and is taken back"));
        }
        playing.game = playing.replayed(&logs[0])?;
        other.game = other.replayed(&logs[1])?;
    }
    Ok(())
}

/// An engine that was given the same thinks the same.
fn answers(playing: &Playing<'_>, other: &Playing<'_>, seat: Seat) -> Result<(), String> {
    let limits = Limits { nodes: Some(NODES), seed: playing.case.seed, ..Limits::default() };
    let (here, there) = (ask(playing, seat, limits.clone())?, ask(other, seat, limits)?);
    if here == there {
        return Ok(());
    }
    Err(format!("the engine answers {:?} here and {:?} there", here.0, there.0))
}
