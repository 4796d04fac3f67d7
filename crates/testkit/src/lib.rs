//! The contract tests that run on every game, and two toy games they are tried on.
//!
//! A game's `tests/contract.rs` calls [`contract`] with its `GameSpec` and [`rules`] with its
//! rules type. A failing message names the game, variant, conduct, seed and ply; the same
//! [`Case`] run with [`game`] repeats it.

mod case;
pub mod checks;
mod faces;
mod random;
pub mod toys;

pub use case::{Case, Hidden, Playing, World};
pub use faces::{Faces, core_faces, faces, faces_of, same, seats, viewers};
pub use random::Random;

use kiban_core::{Conduct, Game, GameSpec, OpenError, Opening};

/// Long games of each named variant: half guided, half official.
const GAMES: u64 = 4;
/// Entries of a long game.
const PLIES: usize = 48;
/// Random combinations of options.
const COMBINATIONS: u64 = 50;
/// Entries of the game played with each combination.
const SHORT_PLIES: usize = 10;
/// One ply in so many is looked at closely: worlds, positions, mangled texts.
const CLOSELY_EVERY: usize = 4;

/// Runs the whole contract on an open game.
///
/// # Panics
/// With the first fault and the case that repeats it.
pub fn contract(spec: &'static GameSpec) {
    check(spec, None).unwrap_or_else(|fault| panic!("{fault}"));
}

/// Runs the whole contract on a game with hidden information.
///
/// # Panics
/// With the first fault and the case that repeats it.
pub fn contract_hidden(spec: &'static GameSpec, hidden: &Hidden) {
    check(spec, Some(hidden)).unwrap_or_else(|fault| panic!("{fault}"));
}

/// Runs the promises of a game's static traits on every named variant.
///
/// # Panics
/// With the first fault and the case that repeats it.
pub fn rules<R: Game>(hidden: Option<&Hidden>) {
    check_rules::<R>(hidden).unwrap_or_else(|fault| panic!("{fault}"));
}

/// [`rules`] with the fault as an error.
///
/// # Errors
/// The first fault and the case that repeats it.
pub fn check_rules<R: Game>(hidden: Option<&Hidden>) -> Result<(), String> {
    long_cases(R::spec(), hidden).try_for_each(|case| case.run(checks::rules::check::<R>))
}

/// [`contract`] with the fault as an error.
///
/// # Errors
/// The first fault and the case that repeats it.
pub fn check(spec: &'static GameSpec, hidden: Option<&Hidden>) -> Result<(), String> {
    for variant in spec.variants {
        Case::new(spec, hidden, variant.id).run(|_| checks::texts::listed(spec))?;
    }
    for case in long_cases(spec, hidden) {
        case.run(game)?;
    }
    for seed in 0..COMBINATIONS {
        let mut case = Case::new(spec, hidden, &combination(spec, seed));
        (case.seed, case.plies) = (seed, SHORT_PLIES);
        case.conduct = if seed % 2 == 0 { Conduct::Guided } else { Conduct::Official };
        case.run(game)?;
        case.run(checks::perft::check)?;
    }
    for variant in spec.variants {
        let case = Case::new(spec, hidden, variant.id);
        case.run(checks::perft::check)?;
        case.run(checks::layouts::check)?;
        case.run(checks::engine::check)?;
    }
    Ok(())
}

fn long_cases<'a>(
    spec: &'static GameSpec,
    hidden: Option<&'a Hidden>,
) -> impl Iterator<Item = Case<'a>> {
    let seeds = spec.variants.iter().flat_map(|v| (0..GAMES).map(move |seed| (v.id, seed)));
    seeds.map(move |(variant, seed)| {
        let mut case = Case::new(spec, hidden, variant);
        (case.seed, case.plies) = (seed, PLIES);
        case.conduct = if seed % 2 == 0 { Conduct::Guided } else { Conduct::Official };
        case
    })
}

/// A named variant with some options said at random, of those the game takes together.
fn combination(spec: &GameSpec, seed: u64) -> String {
    let mut random = Random::new(seed);
    loop {
        let text = some_options(spec, &mut random);
        let variant = spec.variant(&text).expect("listed options are readable");
        let opening = Opening::new(variant, None);
        if !matches!((spec.open)(&opening), Err(OpenError::Variant(_))) {
            return text;
        }
    }
}

fn some_options(spec: &GameSpec, random: &mut Random) -> String {
    let variant = random.pick(spec.variants).expect("a game has a variant").id;
    let mut text = variant.to_string();
    for option in spec.options {
        if random.below(2) == 0 {
            let value = random.pick(option.values).expect("an option has values");
            text.push_str(&format!(",{}={value}", option.key));
        }
    }
    text
}

/// Plays the case's game and checks the contract at each ply and at the end.
///
/// # Errors
/// The first fault.
pub fn game(case: &Case<'_>) -> Result<(), String> {
    let mut playing = case.open()?;
    let mut stretch = 0;
    loop {
        ply(&mut playing)?;
        if stretch % CLOSELY_EVERY == 0 || playing.game.ending().is_some() {
            closely(&mut playing)?;
        }
        stretch += 1;
        if playing.game.log().len() >= case.plies || !playing.step()? {
            break;
        }
    }
    // A game that a call ended at once had no time for it.
    if case.hides() && playing.game.log().len() > SHORT_PLIES && case.worlds.get() == 0 {
        return Err("something is hidden, and no pair of worlds was compared".to_string());
    }
    Ok(())
}

/// The checks of every ply.
///
/// # Errors
/// The first fault.
pub fn ply(playing: &mut Playing<'_>) -> Result<(), String> {
    let choices = playing.choices();
    checks::conduct::stage_fits(playing)?;
    checks::moves::taps(playing, &choices)?;
    checks::moves::choices(playing, &choices)?;
    checks::conduct::strange_entries(playing, &choices)?;
    checks::conduct::banned_moves(playing)?;
    checks::moves::pictured(playing, &choices)
}

/// The checks of some plies and of the end.
///
/// # Errors
/// The first fault.
pub fn closely(playing: &mut Playing<'_>) -> Result<(), String> {
    checks::conduct::calls(playing)?;
    checks::conduct::replay(playing)?;
    checks::texts::steady(playing)?;
    checks::moves::fallen(playing)?;
    checks::texts::position(playing)?;
    checks::texts::mangled(playing)?;
    checks::worlds::check(playing)?;
    checks::records::partial(playing);
    checks::records::round_trip(playing)
}
