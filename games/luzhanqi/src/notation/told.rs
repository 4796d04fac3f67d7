//! What the referee announces: results and flags, never a rank that is not public.

use super::moves::name;
use crate::known::{Event, Known, side_name};
use crate::position::Move;
use crate::{Contact, Luzhanqi};
use kiban_core::{Seat, Told};

/// The message that names a seat: by its colour or arm once it has one.
pub(crate) fn side_key(rules: Luzhanqi, k: &Known, seat: Seat) -> String {
    let side = match &k.position {
        Some(p) => p.side(rules.options, seat),
        None if rules.options.flips() => None,
        None => Some(seat.index() as u8),
    };
    match side {
        Some(side) => format!("luzhanqi-side-{}", side_name(rules.options.four, side)),
        None => format!("luzhanqi-player-{seat}"),
    }
}

/// The announcements of one ply.
pub(super) fn told(rules: Luzhanqi, k: &Known, event: &Event) -> Vec<Told> {
    let side = |seat| ("side", side_key(rules, k, seat));
    let at = |station| ("at", name(rules, station).to_string());
    let mut told = Vec::new();
    match (event.m, event.contact) {
        (Move::Step(_, to), Some(contact)) => {
            let key = match contact {
                Contact::Won => "luzhanqi-told-won",
                Contact::Lost => "luzhanqi-told-lost",
                Contact::Both => "luzhanqi-told-both",
            };
            told.push(Told { key, values: vec![side(event.by), at(to)] });
        }
        (Move::Flip(station), _) => told.extend(event.flipped.map(|(colour, rank)| {
            let owner = format!("luzhanqi-side-{}", side_name(false, colour));
            let piece = format!("luzhanqi-piece-{}", rank.letter());
            let values = vec![("side", owner), ("piece", piece), at(station)];
            Told { key: "luzhanqi-told-flip", values }
        })),
        (Move::Skip, _) => {
            told.push(Told { key: "luzhanqi-told-skip", values: vec![side(event.by)] });
        }
        _ => {}
    }
    for (owner, station) in &event.flags {
        let owner = format!("luzhanqi-side-{}", side_name(rules.options.four, *owner));
        told.push(Told { key: "luzhanqi-told-flag", values: vec![("side", owner), at(*station)] });
    }
    if rules.options.four {
        let out = event.out.iter();
        told.extend(out.map(|s| Told { key: "luzhanqi-told-out", values: vec![side(s)] }));
    }
    told
}
