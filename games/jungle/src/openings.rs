//! Openings for matches: both sides make the same two moves, each from its own seat, so that only
//! the turn sets them apart.

use crate::options::{OPTIONS, START, VARIANTS};
use crate::{Jungle, Move, Position};
use kiban_core::{Notation, Seat, Variant};
use std::collections::HashSet;

/// Four plies each, in which nothing can be taken at the end and no two end alike.
pub(crate) fn openings() -> Vec<String> {
    let variant = Variant::read("", VARIANTS, OPTIONS).expect("the default variant");
    let rules = Jungle::of_variant(&variant);
    let start = rules.read_setup(START).expect("the start is a position");
    let (mut found, mut met) = (Vec::new(), HashSet::new());
    for first in start.moves(rules.options) {
        let Some(after) = both(rules, &start, first) else { continue };
        for second in after.moves(rules.options) {
            let Some(end) = both(rules, &after, second) else { continue };
            let quiet = [Seat::FIRST, Seat::SECOND]
                .iter()
                .all(|seat| end.captures_of(rules.options, *seat).is_empty());
            if quiet && end != start && met.insert(end.key()) {
                let plies = [first, first.turned(), second, second.turned()];
                found.push(plies.map(|m| m.to_string()).join(" "));
            }
        }
    }
    found
}

/// The position after a move and its like from the other seat.
fn both(rules: Jungle, p: &Position, m: Move) -> Option<Position> {
    let mut next = *p;
    next.play(rules.options, m);
    next.moves(rules.options).contains(&m.turned()).then(|| {
        next.play(rules.options, m.turned());
        next
    })
}
