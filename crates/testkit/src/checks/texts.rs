//! Texts of variants, set-ups and positions: what is listed opens, what is written is read back,
//! and nothing that is typed panics.

use crate::faces::{faces, faces_of, same, viewers};
use crate::{Case, Playing, Random};
use kiban_core::{Arbiter, Conduct, Entry, GameSpec, Opening, Stage, Variant, Viewer};

/// Mangled texts of each kind a call of [`mangled`].
const MANGLED: usize = 6;

/// What the spec lists is sound: ids once, options with their default among the values, and
/// every start and set-up opens.
///
/// # Errors
/// Says what is not.
pub fn listed(spec: &'static GameSpec) -> Result<(), String> {
    once("variant", spec.variants.iter().map(|v| v.id))?;
    once("option", spec.options.iter().map(|o| o.key))?;
    once("set-up", spec.setups.iter().map(|s| s.id))?;
    once("format", spec.formats.iter().map(|f| f.id))?;
    once("reason", spec.reasons.iter().map(|r| r.0))?;
    for option in spec.options {
        once(option.key, option.values.iter().copied())?;
        if !option.values.contains(&option.default) {
            return Err(format!("option {} has no value {}", option.key, option.default));
        }
    }
    for listed in spec.variants {
        let fault = |fault| format!("variant {}: {fault}", listed.id);
        let own = open(spec, listed.id, None).map_err(fault)?;
        if let Some(start) = listed.start {
            let given = open(spec, listed.id, Some(start)).map_err(fault)?;
            if own.start() != given.start() {
                return Err(fault(format!("starts {} and lists {start}", own.start())));
            }
        }
    }
    for setup in spec.setups {
        let opened = |v: &kiban_core::VariantSpec| open(spec, v.id, Some(setup.id));
        let mut tried: Vec<_> = spec.variants.iter().map(opened).collect();
        if tried.iter().all(Result::is_err) {
            let why = tried.remove(0).err().unwrap_or_default();
            return Err(format!("set-up {} opens in no variant: {why}", setup.id));
        }
    }
    Ok(())
}

fn once<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().try_for_each(|name| {
        if seen.insert(name) { Ok(()) } else { Err(format!("{what} {name} is listed twice")) }
    })
}

fn open(
    spec: &'static GameSpec,
    variant: &str,
    start: Option<&str>,
) -> Result<Box<dyn Arbiter>, String> {
    let variant = spec.variant(variant).map_err(|e| e.to_string())?;
    let start = start.map(str::to_string);
    let opening = Opening { variant, start, conduct: Conduct::Guided, seed: Some(0) };
    (spec.open)(&opening).map_err(|e| e.to_string())
}

/// The variant with every option said, as it is for a game from this start: the same rules hold
/// from any other position.
///
/// # Errors
/// If the game cannot read it.
pub fn explicit(spec: &'static GameSpec, of: &Variant, start: &str) -> Result<Variant, String> {
    let said =
        |o: &'static kiban_core::OptionSpec| format!(",{}={}", o.key, of.get(o, Some(start)));
    let text = spec.options.iter().map(said).fold(of.id().to_string(), |all, one| all + &one);
    spec.variant(&text).map_err(|e| format!("variant {text}: {e}"))
}

/// The position's text opens a game with the same position and, where the game goes on, the same
/// moves; history bans are lifted there.
///
/// # Errors
/// Says what differs.
pub fn position(playing: &Playing<'_>) -> Result<(), String> {
    let game = &*playing.game;
    if game.stage() == Stage::Layout {
        return Ok(());
    }
    let text = game.position(Viewer::Referee);
    playing.case.doing(format!("opening the position {text}"));
    let again = match reopened(playing, &text) {
        Ok(again) => again,
        // A finished position need not be admitted as a start.
        Err(_) if game.stage() == Stage::Over => return Ok(()),
        Err(fault) => return Err(fault),
    };
    if again.log().is_empty() && again.position(Viewer::Referee) != text {
        let other = again.position(Viewer::Referee);
        return Err(format!("position {text} is read and written as {other}"));
    }
    if game.stage() == Stage::Play {
        if again.waiting_for() != game.waiting_for() {
            return Err(format!("{text} waits for {:?}", again.waiting_for()));
        }
        let (here, there) = (all_moves(game), all_moves(&*again));
        if here != there {
            return Err(format!("{text} has the moves {there:?} instead of {here:?}"));
        }
    }
    let variant = playing.case.spec.variant(&game.variant()).map_err(|e| e.to_string())?;
    let opening = Opening { variant, start: Some(game.start().into()), ..playing.opening.clone() };
    let same_start = (playing.case.spec.open)(&opening).map_err(|e| e.to_string())?;
    if (same_start.variant(), same_start.start()) != (game.variant(), game.start()) {
        return Err(format!("\"{}\" is read back as \"{}\"", game.variant(), same_start.variant()));
    }
    Ok(())
}

/// A game from this position by the same rules.
pub(crate) fn reopened(playing: &Playing<'_>, text: &str) -> Result<Box<dyn Arbiter>, String> {
    let spec = playing.case.spec;
    let variant = explicit(spec, &playing.opening.variant, playing.game.start())?;
    let start = Some(text.to_string());
    let opening = Opening { variant, start, ..playing.opening.clone() };
    (spec.open)(&opening).map_err(|e| format!("position {text} does not open: {e}"))
}

/// The moves the position alone allows, sorted.
pub(crate) fn all_moves(game: &dyn Arbiter) -> Vec<String> {
    let choices = game.waiting_for().only().map_or_else(Vec::new, |seat| game.choices(seat));
    let mut texts: Vec<String> = choices.into_iter().map(|c| c.text).collect();
    texts.extend(game.banned().into_iter().map(|(text, _)| text));
    texts.sort_unstable();
    texts
}

/// Mangled variants and positions are refused, or open a game that can be looked at and played.
///
/// # Errors
/// If what opens misbehaves; a panic is the caller's to catch.
pub fn mangled(playing: &mut Playing<'_>) -> Result<(), String> {
    let case = playing.case;
    let texts = [playing.game.position(Viewer::Referee), playing.game.start().to_string()];
    for _ in 0..MANGLED {
        let variant = playing.random.mutate(&playing.game.variant());
        case.doing(format!("reading the variant {variant:?}"));
        if let Err(error) = case.spec.variant(&variant)
            && error.message.trim().is_empty()
        {
            return Err(format!("variant {variant:?} is refused without a word"));
        }
        let blind = playing.random.below(4) == 0;
        let text = playing.random.pick(&texts).expect("there are two").clone();
        let text = if blind { playing.random.text() } else { playing.random.mutate(&text) };
        case.doing(format!("opening the position {text:?}"));
        let opening = Opening { start: Some(text.clone()), ..playing.opening.clone() };
        match (case.spec.open)(&opening) {
            Err(error) if error.to_string().trim().is_empty() => {
                return Err(format!("position {text:?} is refused without a word"));
            }
            Err(_) => {}
            Ok(mut game) => look(case, &mut *game, &mut playing.random)
                .map_err(|fault| format!("position {text:?}: {fault}"))?,
        }
    }
    Ok(())
}

fn look(case: &Case<'_>, game: &mut dyn Arbiter, random: &mut Random) -> Result<(), String> {
    case.doing(format!("playing on from {:?}", game.start()));
    for _ in 0..3 {
        if game.stage() != Stage::Play {
            break;
        }
        let seat = game.waiting_for().only().ok_or("play waits for no single seat")?;
        let choices = game.choices(seat);
        let choice = random.pick(&choices).ok_or("the seat to move has no choices")?;
        game.put(&Entry::new_move(seat, choice.text.as_str())).map_err(|e| e.to_string())?;
    }
    same(&faces(game), &faces(game)).map_err(|fault| format!("looking twice: {fault}"))
}

/// Faces do not depend on when they are looked at.
///
/// # Errors
/// Names the face.
pub fn steady(playing: &Playing<'_>) -> Result<(), String> {
    for who in viewers(&*playing.game) {
        same(&faces_of(&*playing.game, who), &faces_of(&*playing.game, who))
            .map_err(|fault| format!("looking twice: {fault}"))?;
    }
    Ok(())
}
