//! Exact values of endings: tables of sectors, by which animals either side has.

mod classes;
mod endings;
#[cfg(test)]
mod strength;
#[cfg(test)]
mod tests;

use crate::board::SQUARES;
use crate::options::START;
use crate::{Animal, Elephant, Equal, GAME, Jungle, Landing, Move, Options, Position, notation};
use classes::{Class, Classes};
use endings::Ending;
use kiban_core::{
    Limits, OpenError, Opening, ProbeError, Probed, ReadError, Rules as _, Seat, Tables, Variant,
};
use kiban_solve::{Game, Library, Shelf, SolveError, Table, Within, Worth, check, command};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Animals for which an engine solves while it plays, and a probe that has no table.
const SMALL: u32 = 3;
/// Numbers solved for a probe: any ending of so few animals with all it leads to.
const LIVE: u64 = 2_000_000;
/// The smallest and the largest size of tables.
const SIZES: (u8, u8) = (2, 5);

/// The rules as far as values hang on them, and the classes of material up to a number of animals.
#[derive(Clone)]
pub(crate) struct Endings {
    options: Options,
    classes: Arc<Classes>,
}

impl Endings {
    fn of(options: Options, animals: u32) -> Endings {
        let options = Options { anti_chase: false, repetition: false, no_capture: None, ..options };
        Endings { options, classes: Arc::new(Classes::new(options, animals)) }
    }
}

impl Game for Endings {
    type Key = Class;
    type Sector = Ending;

    fn id(&self) -> &'static str {
        GAME.id
    }

    fn rules(&self) -> String {
        let o = self.options;
        let landing = match o.landing {
            Landing::Nothing => "",
            Landing::Rat => ",leave-water=rat",
            Landing::Anything => ",leave-water=any",
        };
        let elephant = match o.elephant {
            Elephant::Trapped => "",
            Elephant::Never => ",elephant-takes-rat=never",
            Elephant::Always => ",elephant-takes-rat=always",
        };
        let enter = if o.into_water { ",enter-water=yes" } else { "" };
        let equal = if o.equal == Equal::BothVanish { ",equal=both-vanish" } else { "" };
        let order = if o.dog_beats_wolf { ",order=wolf-below-dog" } else { "" };
        let trapped = if o.trapped_takes { "" } else { ",trapped-captures=no" };
        format!("classic{elephant}{enter}{equal}{landing}{order}{trapped}")
    }

    fn below(&self, key: Class) -> Vec<Class> {
        self.classes.below(key)
    }

    fn entries(&self, key: Class) -> u64 {
        endings::part(&self.classes.of(key)[0]) * u64::from(self.classes.parts(key))
    }

    fn sector(&self, key: Class, tables: &HashMap<Class, Arc<Table>>) -> Ending {
        let below = self.below(key).into_iter().map(|key| (key, Arc::clone(&tables[&key])));
        Ending::new(self.options, Arc::clone(&self.classes), key, below)
    }
}

/// A position's moves and what each is worth to the side that makes it, best first.
pub(crate) type Valued = Vec<(Move, Worth)>;

/// What the moves of a position are worth that is not over.
fn valued(
    library: &mut Library<Endings>,
    p: &Position,
    within: &Within,
) -> Result<Valued, SolveError> {
    let options = library.game().options;
    let mut all = Vec::new();
    for m in p.moves(options) {
        let mut next = *p;
        next.play(options, m);
        all.push((m, worth(library, &next, within)?.before()));
    }
    all.sort_by_key(|(_, worth)| -worth.rank());
    Ok(all)
}

/// What a position is worth.
fn worth(
    library: &mut Library<Endings>,
    p: &Position,
    within: &Within,
) -> Result<Worth, SolveError> {
    if let Some(worth) = endings::over(p) {
        return Ok(worth);
    }
    let classes = Arc::clone(&library.game().classes);
    let Some(place) = classes.place(p) else {
        return Err(SolveError::Missing(String::new()));
    };
    let table = library.get(&[place.class], within)?;
    Ok(table[0].worth(endings::number(place, p)))
}

fn count(p: &Position) -> u32 {
    (p.side(Seat::FIRST) | p.side(Seat::SECOND)).count_ones()
}

/// What the engines of this process have solved.
static SOLVED: Shelf<Endings> = Shelf::new();

/// The moves of a position of few animals by their exact values, history ignored; `None` where there
/// are too many, or the tables are not ready within the engine's limits.
pub(crate) fn small(options: Options, p: &Position, limits: &Limits) -> Option<Valued> {
    if count(p) > SMALL || p.decided() {
        return None;
    }
    let within = Within::engine(LIVE, limits);
    let game = Endings::of(options, SMALL);
    SOLVED.ask(&game, &within, |library, within| valued(library, p, within))
}

/// The exact value of an ending.
pub(crate) fn probe(opening: &Opening, limits: &Limits) -> Result<Probed, ProbeError> {
    let rules = Jungle::of_variant(&opening.variant);
    let text = opening.start.as_deref().unwrap_or(START);
    let p = notation::read_position(text).map_err(OpenError::Start)?;
    let faults = p.faults();
    if !faults.is_empty() {
        return Err(OpenError::Faults(faults).into());
    }
    if let Some(over) = rules.ended(&p) {
        let worth = match over.winners().only() {
            None => Worth::DRAW,
            Some(winner) if winner == p.to_move() => Worth::win(0),
            Some(_) => Worth::loss(0),
        };
        return Ok(kiban_solve::over(notation::write_position(&p), worth));
    }
    let animals = count(&p);
    if animals > u32::from(SIZES.1) {
        return Err(ProbeError::NoTable(format!(
            "Tables hold endings of up to {} animals, and here are {animals}.",
            SIZES.1
        )));
    }
    let within = Within::probe(LIVE, limits);
    let game = Endings::of(rules.options, animals);
    let mut library = Library::new(game, limits.tables.as_deref());
    let solved = worth(&mut library, &p, &within)
        .and_then(|worth| Ok((worth, valued(&mut library, &p, &within)?)));
    let (worth, moves) = solved.map_err(|error| {
        error.into_probe_error(|| {
            let command = command(&GAME, &opening.variant, animals);
            format!("No table holds this ending of {animals} animals; build it with \"{command}\".")
        })
    })?;
    let moves = moves.into_iter().map(|(m, worth)| (m.to_string(), worth)).collect();
    Ok(library.told(notation::write_position(&p), p.to_move(), worth, moves))
}

/// Tables of endings, by the number of animals on the board.
pub(crate) const TABLES: Tables = Tables {
    unit: "animals",
    sizes: SIZES,
    sectors: |variant, animals| {
        let library = library(variant, None, animals.into());
        let keys = library.game().classes.all();
        library.order(&keys).into_iter().map(|key| library.spec(key)).collect()
    },
    build: |variant, sector, folder, limits, tell| {
        let (mut library, key) = found(variant, folder, sector)?;
        let built = library.build(key, &limits.into(), tell);
        built.map(|_| ()).map_err(SolveError::into_read_error)
    },
    check: |variant, sector, folder, sample| {
        let (mut library, key) = found(variant, folder, sector)?;
        check(&mut library, key, sample).map_err(SolveError::into_read_error)
    },
};

fn library(variant: &Variant, folder: Option<&Path>, animals: u32) -> Library<Endings> {
    Library::new(Endings::of(Options::of(variant), animals), folder)
}

/// The library and the key of a sector's name.
fn found(
    variant: &Variant,
    folder: &Path,
    sector: &str,
) -> Result<(Library<Endings>, Class), ReadError> {
    let animals = sector.chars().filter(char::is_ascii_alphabetic).count() as u32;
    let library = library(variant, Some(folder), animals.min(SIZES.1.into()));
    let key = library.game().classes.all().into_iter().find(|key| key.to_string() == sector);
    let key = key.ok_or_else(|| {
        let message = format!(
            "\"{sector}\" is no sector; \"kiban solve {} --animals 3\" lists them.",
            GAME.id
        );
        ReadError::new("unknown-sector", message)
    })?;
    Ok((library, key))
}

/// Squares an animal can stand on while the game goes on.
fn stands(animal: Animal, square: usize) -> bool {
    debug_assert!(square < SQUARES, "a square of the board");
    let at = crate::Square::at(square);
    at.den_of().is_none() && (animal == Animal::Rat || !at.is_water())
}
