//! Choices, their paths of taps, and what is drawn.

use crate::Playing;
use crate::checks::conduct::stage_fits;
use crate::faces::{faces, same, seats, viewers};
use kiban_core::{Choice, Entry, Picture, Seat, Shape};
use std::collections::HashSet;

/// Choices of a ply after which every face is compared; the others are only put and taken back.
const COMPARED: usize = 2;
/// Random paths of taps a ply.
const RANDOM_PATHS: usize = 8;

/// Every choice is accepted as written, and taking it back leaves everything as it was.
///
/// # Errors
/// Names the choice.
pub fn choices(playing: &mut Playing<'_>, choices: &[Choice]) -> Result<(), String> {
    let Some(seat) = playing.mover() else { return Ok(()) };
    let texts: HashSet<&str> = choices.iter().map(|c| c.text.as_str()).collect();
    if texts.len() != choices.len() {
        return Err("two choices have one text".to_string());
    }
    let before = faces(&*playing.game);
    let log = playing.game.log().to_vec();
    let compared = playing.random.below(choices.len().max(1));
    for (i, choice) in choices.iter().enumerate() {
        let fault = |fault| format!("choice {} of {seat}: {fault}", choice.text);
        let entry = Entry::new_move(seat, choice.text.as_str());
        playing.case.doing(format!("putting {entry:?}"));
        playing.game.put(&entry).map_err(|e| fault(format!("refused: {e}")))?;
        if playing.game.log().get(log.len()) != Some(&entry) {
            return Err(fault(format!(
                "the log goes on with {:?}",
                &playing.game.log()[log.len()..]
            )));
        }
        if playing.game.ending().is_some_and(|e| e.foul.is_some()) {
            return Err(fault("judged a foul".to_string()));
        }
        stage_fits(playing).map_err(fault)?;
        playing.go_back(&log).map_err(fault)?;
        if i.abs_diff(compared) < COMPARED {
            same(&before, &faces(&*playing.game))
                .map_err(|f| fault(format!("putting and taking back changed {f}")))?;
        }
    }
    same(&before, &faces(&*playing.game))
        .map_err(|f| format!("putting and taking back all choices changed {f}"))
}

/// No path of taps is a prefix of another, each says its choice, and any path is read calmly.
///
/// # Errors
/// Names the paths.
pub fn taps(playing: &mut Playing<'_>, choices: &[Choice]) -> Result<(), String> {
    let Some(seat) = playing.mover() else { return Ok(()) };
    let mut paths: Vec<&[String]> = choices.iter().map(|c| c.taps.as_slice()).collect();
    // Sorted, a prefix stands directly before a path it begins.
    paths.sort_unstable();
    if let Some(pair) = paths.windows(2).find(|pair| pair[1].starts_with(pair[0])) {
        return Err(format!("path {:?} is a prefix of {:?}", pair[0], pair[1]));
    }
    for choice in choices {
        let read = playing.game.read_taps(seat, &choice.taps);
        if read.as_ref() != Ok(&choice.text) {
            return Err(format!("{:?} is read as {read:?}, not {}", choice.taps, choice.text));
        }
        let path = playing.game.path_of(seat, &choice.text);
        if path.as_ref() != Ok(&choice.taps) {
            return Err(format!("{} is tapped as {path:?}, not {:?}", choice.text, choice.taps));
        }
    }
    let mut taps: Vec<String> = choices.iter().flat_map(|c| c.taps.clone()).collect();
    taps.push(playing.random.text());
    let seats: Vec<Seat> = seats(&*playing.game).iter().collect();
    for _ in 0..RANDOM_PATHS {
        let length = playing.random.below(5);
        let pick = |_| playing.random.pick(&taps).expect("there is a random tap").clone();
        let path: Vec<String> = (0..length).map(pick).collect();
        let seat = *playing.random.pick(&seats).expect("a game has seats");
        playing.case.doing(format!("reading the taps {path:?} of {seat}"));
        // Legal or not, readable or not: it only must not panic or change anything.
        let _ = playing.game.read_taps(seat, &path);
    }
    Ok(())
}

/// What fell stood on a place the ply touched.
///
/// # Errors
/// Names the ply and the place.
pub fn fallen(playing: &Playing<'_>) -> Result<(), String> {
    for who in viewers(&*playing.game) {
        for seen in playing.game.seen(who) {
            if let Some(place) = seen.fell.iter().find(|place| !seen.taps.contains(place)) {
                return Err(format!("{place:?} fell by {}, which did not touch it", seen.text));
            }
        }
    }
    Ok(())
}

/// What is tapped and drawn exists in the picture, for wide and for tall screens.
///
/// # Errors
/// Names what is missing.
pub fn pictured(playing: &Playing<'_>, choices: &[Choice]) -> Result<(), String> {
    for shape in [Shape::Wide, Shape::Tall] {
        let picture = (playing.case.spec.picture)(&playing.opening.variant, shape);
        in_picture(playing, choices, &picture).map_err(|fault| format!("{shape:?}: {fault}"))?;
    }
    Ok(())
}

fn in_picture(playing: &Playing<'_>, choices: &[Choice], picture: &Picture) -> Result<(), String> {
    let ids: HashSet<&str> = picture.places.iter().map(|p| p.id.as_str()).collect();
    let tappable: HashSet<&str> = picture.places.iter().map(|p| p.tap.as_str()).collect();
    if ids.len() != picture.places.len() {
        return Err("two places have one id".to_string());
    }
    for choice in choices {
        for (i, tap) in choice.taps.iter().enumerate() {
            let word = (i > 0 || choice.taps.len() == 1) && is_option(tap);
            if !tappable.contains(tap.as_str()) && !word {
                return Err(format!("tap {tap:?} of {} is no place and no option", choice.text));
            }
        }
    }
    let symbol = |face: &str| picture.defs.contains(&format!("id=\"f-{face}\""));
    for who in viewers(&*playing.game) {
        let scene = playing.game.scene(who);
        for piece in &scene.pieces {
            if !ids.contains(piece.at.as_str()) {
                return Err(format!("a piece stands on {:?}, which is no place", piece.at));
            }
            if !symbol(&piece.face) {
                return Err(format!("face {:?} has no symbol", piece.face));
            }
            let digits = if piece.count > 1 { piece.count.to_string() } else { String::new() };
            if let Some(digit) = digits.chars().find(|d| !symbol(&d.to_string())) {
                return Err(format!("digit {digit} of a count has no symbol"));
            }
        }
        if let Some(last) = scene.last.iter().find(|t| !tappable.contains(t.as_str())) {
            return Err(format!("the last move touched {last:?}, which is no place"));
        }
        if let Some(check) = scene.check.iter().find(|id| !ids.contains(id.as_str())) {
            return Err(format!("{check:?} is marked, which is no place"));
        }
    }
    Ok(())
}

/// Options are small words such as `promote`; places have digits, colons or a single letter.
fn is_option(tap: &str) -> bool {
    tap.len() > 1 && tap.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}
