//! Exact values of the moving phase: tables of sectors, by how many men either side has.

mod men;
mod orbits;
#[cfg(test)]
mod strength;

use crate::options::OPTIONS;
use crate::{Blocked, Board, Flying, GAME, Morris, Move, Position, Take};
use kiban_core::{
    BuildLimits, Game as _, Limits, OpenError, Opening, ProbeError, Probed, Rules as _, Stop,
    Tables, Variant,
};
use kiban_solve::{Game, Library, SolveError, Table, Within, Worth, check};
use men::{Men, Pair, Space};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

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

/// The libraries of the engines of this process: each set of rules is solved once.
static SOLVED: Mutex<Vec<Library<Moving>>> = Mutex::new(Vec::new());

/// The moves of a position of few men by their exact values; `None` where there are men in hand or
/// too many on the board, or it was stopped.
pub(crate) fn small(rules: Morris, p: &Position, stop: &Stop) -> Option<Valued> {
    let few = |men: &u32| (u32::from(FEWEST)..=SMALL).contains(&men.count_ones());
    if p.placing() || !p.men.iter().all(few) {
        return None;
    }
    let game = Moving::of(rules);
    // A library that a panic left behind holds whole tables only.
    let mut all = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    let index = all.iter().position(|l| *l.game() == game).unwrap_or(all.len());
    if index == all.len() {
        all.push(Library::new(game, None));
    }
    valued(&mut all[index], p, &Within::entries(LIVE, stop.clone())).ok()
}

/// The exact value of a position of the moving phase.
pub(crate) fn probe(opening: &Opening, limits: &Limits) -> Result<Probed, ProbeError> {
    let rules = Morris::of_variant(&opening.variant);
    let text = opening.start.clone().unwrap_or_else(|| rules.start_text(None));
    let p = rules.read(&text).map_err(OpenError::Start)?.position;
    let within = Within {
        bytes: limits.hash.map_or(u64::MAX, |mib| u64::from(mib) << 20),
        ..Within::entries(LIVE, limits.stop.clone())
    };
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
    let solved = worth(&mut library, &p, &within)
        .and_then(|worth| Ok((worth, valued(&mut library, &p, &within)?)));
    match solved {
        Ok((worth, moves)) => {
            let text = |(m, worth): (Move, Worth)| (rules.move_text(m), worth);
            let moves = moves.into_iter().map(text).collect();
            Ok(library.told(rules.write(&p), p.to_move, worth, moves))
        }
        Err(error) => Err(unknown(opening, &p, error)),
    }
}

/// Why a probe has no answer, and what would give one.
fn unknown(opening: &Opening, p: &Position, error: SolveError) -> ProbeError {
    match error {
        SolveError::Stopped => ProbeError::Stopped,
        SolveError::Missing(_) => {
            let men = p.men.map(u32::count_ones);
            let variant = opening.variant.canonical(OPTIONS, None);
            let option = if variant == GAME.variants[0].id {
                String::new()
            } else {
                format!(" --variant {variant}")
            };
            ProbeError::NoTable(format!(
                "No table holds positions of {} men against {}; build it with \"kiban solve {} \
                 --men {}{option}\".",
                men[0],
                men[1],
                GAME.id,
                men[0].max(men[1]),
            ))
        }
        other => ProbeError::NoTable(other.to_string()),
    }
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
        let mut library = library(variant, Some(folder));
        let BuildLimits { bytes, stop } = limits.clone();
        let within = Within { bytes, ..Within::entries(u64::MAX, stop) };
        let key = key(sector)?;
        library.build(key, &within, tell).map(|_| ()).map_err(SolveError::into_read_error)
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

fn key(sector: &str) -> Result<Pair, kiban_core::ReadError> {
    sector.parse().map_err(|()| {
        let message = format!("\"{sector}\" is no sector; write two numbers of men like 3-4.");
        kiban_core::ReadError::new("unknown-sector", message)
    })
}
