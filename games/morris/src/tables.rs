//! Exact values of the moving phase: tables of sectors, by how many men either side has.

mod men;
mod orbits;
#[cfg(test)]
mod strength;

use crate::{Blocked, Board, Flying, GAME, Morris, Move, Position, Take};
use kiban_core::{
    Game as _, Limits, OpenError, Opening, ProbeError, Probed, ReadError, Rules as _, Tables,
    Variant,
};
use kiban_solve::{Game, Library, Shelf, SolveError, Table, Within, Worth, check, command};
use men::{Men, Pair, Space};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A side with fewer has lost.
const FEWEST: u8 = 3;
/// Numbers solved for a probe without tables: everything up to four men a side, a few seconds.
const LIVE: u64 = 6_000_000;
/// Men of a side for which an engine solves while it plays.
const SMALL: u32 = 4;

/// The rules as far as values hang on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moving(Morris);

impl Moving {
    /// Men in hand, the counts of quiet slides and how many men there are to begin with do not
    /// matter in the moving phase.
    fn of(rules: Morris) -> Moving {
        let men = match rules.board {
            Board::Six => 6,
            Board::Nine => 9,
            Board::Twelve => 12,
        };
        Moving(Morris { men, early_slides: false, short_endgame: false, ..rules })
    }
}

impl Game for Moving {
    type Key = Pair;
    type Sector = Men;

    fn id(&self) -> &'static str {
        GAME.id
    }

    fn rules(&self) -> String {
        let rules = self.0;
        let (board, usual) = match rules.board {
            Board::Six => ("six", Flying::Never),
            Board::Nine => ("nine", Flying::AtThree),
            Board::Twelve => ("twelve", Flying::AtThree),
        };
        let flying = match rules.flying {
            flying if flying == usual => "",
            Flying::AtThree => ",flying=at-three",
            Flying::AtFour => ",flying=at-four",
            Flying::Never => ",flying=never",
        };
        let take = match rules.take {
            Take::WhenAllInMills => "",
            Take::Never => ",remove-from-mills=never",
            Take::Always => ",remove-from-mills=always",
        };
        let blocked = match rules.blocked {
            Blocked::Loses => "",
            Blocked::Draws => ",blocked=draws",
            Blocked::Passes => ",blocked=passes",
        };
        let two = if rules.take_two { ",double-mill=two" } else { "" };
        format!("{board}{blocked}{two}{flying}{take}")
    }

    fn below(&self, key: Pair) -> Vec<Pair> {
        let taken = if self.0.take_two { 1..=2 } else { 1..=1 };
        let fewer = taken.flat_map(|n| key.less(n));
        let mut below: Vec<Pair> = fewer.filter(|pair| pair.0[0] >= FEWEST).collect();
        below.sort_unstable();
        below.dedup();
        below
    }

    fn entries(&self, key: Pair) -> u64 {
        Space::new(self.0, key).entries()
    }

    fn sector(&self, key: Pair, tables: &HashMap<Pair, Arc<Table>>) -> Men {
        Men::new(
            self.0,
            key,
            self.below(key).into_iter().map(|key| (key, Arc::clone(&tables[&key]))),
        )
    }
}

/// A position's moves and what each is worth to the side that makes it, best first.
pub(crate) type Valued = Vec<(Move, Worth)>;

/// What the moves of a position of the moving phase are worth, in which both sides have men enough.
fn valued(
    library: &mut Library<Moving>,
    p: &Position,
    within: &Within,
) -> Result<Valued, SolveError> {
    let rules = library.game().0;
    let moves = rules.moves(p);
    let after = |m: &Move| {
        let mut next = *p;
        next.play(*m);
        next
    };
    let pairs: Vec<Pair> = moves.iter().filter_map(|m| Pair::of(&after(m))).collect();
    library.get(&pairs, within)?;
    let mut all = Vec::with_capacity(moves.len());
    for m in moves {
        all.push((m, worth(library, &after(&m), within)?.before()));
    }
    all.sort_by_key(|(_, worth)| -worth.rank());
    Ok(all)
}

/// What a position of the moving phase is worth.
fn worth(
    library: &mut Library<Moving>,
    p: &Position,
    within: &Within,
) -> Result<Worth, SolveError> {
    // Too few men: the last removal has ended the game.
    let Some(pair) = Pair::of(p) else { return Ok(Worth::loss(0)) };
    let rules = library.game().0;
    let table = library.get(&[pair], within)?;
    let (own, other) = p.sides();
    Ok(table[0].worth(Space::new(rules, pair).number(own, other)))
}

/// What the engines of this process have solved.
static SOLVED: Shelf<Moving> = Shelf::new();

/// The moves of a position of few men by their exact values; `None` where there are men in hand or
/// too many on the board, or the tables are not ready within the engine's limits.
pub(crate) fn small(rules: Morris, p: &Position, limits: &Limits) -> Option<Valued> {
    let few = |men: &u32| (u32::from(FEWEST)..=SMALL).contains(&men.count_ones());
    if p.placing() || !p.men.iter().all(few) {
        return None;
    }
    let within = Within::engine(LIVE, limits);
    SOLVED.ask(&Moving::of(rules), &within, |library, within| valued(library, p, within))
}

/// The exact value of a position of the moving phase.
pub(crate) fn probe(opening: &Opening, limits: &Limits) -> Result<Probed, ProbeError> {
    let rules = Morris::of_variant(&opening.variant);
    let text = opening.start.clone().unwrap_or_else(|| rules.start_text(None));
    let setup = rules.read(&text).map_err(OpenError::Start)?;
    let faults = rules.faults_of(&setup);
    if !faults.is_empty() {
        return Err(OpenError::Faults(faults).into());
    }
    let p = setup.position;
    if let Some(over) = rules.ended(&p) {
        let worth = if over.winners().is_empty() { Worth::DRAW } else { Worth::loss(0) };
        return Ok(kiban_solve::over(rules.write(&p), worth));
    }
    if p.placing() {
        let message = "Men are still in hand; tables hold positions of the moving phase, in which \
                       all men are on the board.";
        return Err(ProbeError::NoTable(message.to_string()));
    }
    let mut library = Library::new(Moving::of(rules), limits.tables.as_deref());
    let within = Within::probe(LIVE, limits);
    let solved = worth(&mut library, &p, &within)
        .and_then(|worth| Ok((worth, valued(&mut library, &p, &within)?)));
    let (worth, moves) = solved.map_err(|error| {
        error.into_probe_error(|| {
            let [white, black] = p.men.map(u32::count_ones);
            let command = command(&GAME, &opening.variant, white.max(black));
            format!(
                "No table holds positions of {white} men against {black}; build it with \
                 \"{command}\"."
            )
        })
    })?;
    let moves = moves.into_iter().map(|(m, worth)| (rules.move_text(m), worth)).collect();
    Ok(library.told(rules.write(&p), p.to_move, worth, moves))
}

/// Tables of the moving phase, by the most men a side has.
pub(crate) const TABLES: Tables = Tables {
    unit: "men",
    sizes: (FEWEST, 12),
    sectors: |variant, men| {
        let library = library(variant, None);
        let order = order(&library, men).into_iter();
        order.map(|key| library.spec(key)).collect()
    },
    build: |variant, sector, folder, limits, tell| {
        let built = library(variant, Some(folder)).build(key(sector)?, &limits.into(), tell);
        built.map(|_| ()).map_err(SolveError::into_read_error)
    },
    check: |variant, sector, folder, sample| {
        let key = key(sector)?;
        check(&mut library(variant, Some(folder)), key, sample).map_err(SolveError::into_read_error)
    },
};

fn library(variant: &Variant, folder: Option<&Path>) -> Library<Moving> {
    Library::new(Moving::of(Morris::of_variant(variant)), folder)
}

/// The sectors of up to so many men a side, each after those it needs.
fn order(library: &Library<Moving>, men: u8) -> Vec<Pair> {
    let men = men.min(library.game().0.men);
    let pairs = (FEWEST..=men).flat_map(|b| (FEWEST..=b).map(move |a| Pair([a, b])));
    library.order(&pairs.collect::<Vec<_>>())
}

fn key(sector: &str) -> Result<Pair, ReadError> {
    sector.parse().map_err(|()| {
        let message = format!("\"{sector}\" is no sector; write two numbers of men like 3-4.");
        ReadError::new("unknown-sector", message)
    })
}
