//! Layouts and deals that the game makes itself, and what an editor of layouts is told.

use crate::faces::seats;
use crate::{Case, Playing, Random};
use kiban_core::{Act, Arrangement, Entry, Seat, Shape, Stage};
use std::collections::HashSet;

/// Layouts filled in at random for each seat.
const FILLED: usize = 16;

/// What is owed is made, equally with equal dice, and taken; what an editor lays by the
/// arrangement it is told is taken too, and so is its mirror image.
///
/// # Errors
/// Says whose layout, or that it is the deal.
pub fn check(case: &Case<'_>) -> Result<(), String> {
    let mut playing = case.open()?;
    for seat in seats(&*playing.game).iter() {
        editor(&mut playing, seat).map_err(|fault| format!("arrangement of {seat}: {fault}"))?;
    }
    while playing.game.stage() == Stage::Layout {
        let (what, entry, again) = made(&playing)?;
        if entry != again {
            return Err(format!("{what}: equal dice give {entry:?} and {again:?}"));
        }
        case.doing(format!("putting {entry:?}"));
        playing.game.put(&entry).map_err(|e| format!("{what}: {entry:?} is refused: {e}"))?;
    }
    let game = &playing.game;
    let owed = seats(&**game).iter().find(|s| game.arrange(*s, &mut dice(0)).is_some());
    match owed {
        Some(seat) => Err(format!("{seat} owes no layout and one is made")),
        None if game.draw(&mut dice(0)).is_some() => {
            Err("no deal is owed and one is made".to_string())
        }
        None => Ok(()),
    }
}

fn dice(seed: u64) -> impl FnMut() -> u64 {
    let mut random = Random::new(seed);
    move || random.bits()
}

/// What is owed next, made twice with equal dice.
fn made(playing: &Playing<'_>) -> Result<(String, Entry, Entry), String> {
    let (game, seed) = (&playing.game, playing.case.seed);
    let (what, entries) = if game.owes_deal() {
        let draw = || game.draw(&mut dice(seed));
        ("the deal".to_string(), [draw(), draw()])
    } else {
        let seat = game.waiting_for().iter().next().ok_or("nobody owes anything before play")?;
        let arrange = || game.arrange(seat, &mut dice(seed));
        (format!("the layout of {seat}"), [arrange(), arrange()])
    };
    match entries {
        [Some(entry), Some(again)] => Ok((what, entry, again)),
        _ => Err(format!("{what} is owed and not made")),
    }
}

fn editor(playing: &mut Playing<'_>, seat: Seat) -> Result<(), String> {
    let owes = playing.game.stage() == Stage::Layout && playing.game.waiting_for().has(seat);
    let arrangement = match playing.game.arrangement(seat) {
        Some(arrangement) if owes => arrangement,
        None if !owes => return Ok(()),
        _ => return Err(format!("it owes a layout: {owes}")),
    };
    sound(playing, &arrangement)?;
    for _ in 0..FILLED {
        let letters = filled(&arrangement, &mut playing.random)?;
        let mirrored = arrangement.mirror.iter().map(|twin| letters[*twin]).collect();
        for text in [letters.iter().collect::<String>(), mirrored] {
            let act = Act::Layout(text.clone());
            let mut game = playing.replayed(playing.game.log())?;
            game.put(&Entry { by: seat.into(), act })
                .map_err(|e| format!("{text}, laid as it says, is refused: {e}"))?;
        }
    }
    Ok(())
}

/// Places and symbols are the picture's, and every index is one of a place.
fn sound(playing: &Playing<'_>, arrangement: &Arrangement) -> Result<(), String> {
    let Arrangement { places, mirror, kinds } = arrangement;
    let picture = (playing.case.spec.picture)(&playing.opening.variant, Shape::Wide);
    let ids: HashSet<&str> = picture.places.iter().map(|p| p.id.as_str()).collect();
    if let Some(place) = places.iter().find(|place| !ids.contains(place.as_str())) {
        return Err(format!("{place:?} is no place of the picture"));
    }
    if places.iter().collect::<HashSet<_>>().len() != places.len() {
        return Err("a place stands twice".to_string());
    }
    let twin = |i: usize| mirror.get(i).copied();
    if mirror.len() != places.len() || (0..places.len()).any(|i| twin(i).and_then(twin) != Some(i))
    {
        return Err(format!("mirrored twice it is another: {mirror:?}"));
    }
    if kinds.iter().map(|kind| kind.count).sum::<usize>() != places.len() {
        return Err("there are not as many pieces as places".to_string());
    }
    for kind in kinds {
        if !picture.defs.contains(&format!("id=\"f-{}\"", kind.face)) {
            return Err(format!("face {:?} has no symbol", kind.face));
        }
        if kind.places.iter().any(|place| *place >= places.len()) {
            return Err(format!("{} may stand on no place of it", kind.letter));
        }
    }
    Ok(())
}

/// A layout by chance: kind after kind, each piece on any place left to it.
fn filled(arrangement: &Arrangement, random: &mut Random) -> Result<Vec<char>, String> {
    let mut letters: Vec<Option<char>> = vec![None; arrangement.places.len()];
    for kind in &arrangement.kinds {
        for _ in 0..kind.count {
            let free: Vec<usize> =
                kind.places.iter().copied().filter(|place| letters[*place].is_none()).collect();
            let place = random.pick(&free).ok_or(format!("no place is left to {}", kind.letter))?;
            letters[*place] = Some(kind.letter);
        }
    }
    Ok(letters.into_iter().flatten().collect())
}
