//! Pieces: flat blocks with two characters, and their backs.

use super::{Measures, words};
use crate::Rank;
use crate::position::Piece;
use std::fmt::Write as _;

/// The name of a side in faces.
const SIDES: [[&str; 4]; 2] = [["red", "black", "", ""], ["south", "east", "north", "west"]];

/// A block's colours: face, rim, and the lines of its back.
struct Colours {
    face: &'static str,
    rim: &'static str,
    back: &'static str,
}

const RED: Colours = Colours { face: "#b5331f", rim: "#7e2014", back: "#cf6450" };
const BLACK: Colours = Colours { face: "#2b3040", rim: "#14171f", back: "#525a70" };
const GREEN: Colours = Colours { face: "#2f7350", rim: "#1b4a32", back: "#5d9c7b" };
const BLUE: Colours = Colours { face: "#2d5a8c", rim: "#193a5e", back: "#5f89b8" };
const AMBER: Colours = Colours { face: "#b87a14", rim: "#7c500a", back: "#dba94f" };
/// What everybody has been told of.
const TOLD: &str = "#ffd36b";
const TOLD_EDGE: &str = "#5f430a";
const UNTURNED: Colours = Colours { face: "#8a7a5e", rim: "#5f533e", back: "#ab9c80" };

/// The face of a piece as far as it is known.
pub(crate) fn face(four: bool, piece: Piece) -> String {
    if piece.down && piece.rank == Rank::Unknown {
        return "down".to_string();
    }
    let side = SIDES[usize::from(four)][usize::from(piece.side)];
    let down = if piece.down { "down-" } else { "" };
    let told = if piece.told && piece.rank != Rank::Unknown { "-told" } else { "" };
    format!("{down}{side}-{}{told}", piece.rank.letter())
}

/// The symbols of every face.
pub(super) fn defs(measures: &Measures, flips: bool) -> String {
    let sides: Vec<(&str, Colours)> = if measures.four {
        SIDES[1].into_iter().zip([RED, GREEN, BLUE, AMBER]).collect()
    } else {
        SIDES[0].into_iter().zip([RED, BLACK]).collect()
    };
    let (w, h) = measures.block;
    let mut defs = String::new();
    for rank in Rank::ALL {
        let characters = words(rank.characters(), w * 0.8, h * 0.66, "#fff6e6");
        write!(defs, "<g id=\"luzhanqi-{}\">{characters}</g>", rank.letter())
            .expect("a string takes any text");
    }
    for (side, colours) in &sides {
        for rank in Rank::ALL {
            let id = format!("{side}-{}", rank.letter());
            open(&mut defs, measures, &id, colours, rank);
            told(&mut defs, measures, &id, rank);
            if flips {
                write!(
                    defs,
                    "<g id=\"f-down-{id}\"><use href=\"#f-down\"/>\
                     <use href=\"#f-{id}\" opacity=\"0.6\" transform=\"scale(0.8)\"/></g>"
                )
                .expect("a string takes any text");
            }
        }
        back(&mut defs, measures, &format!("{side}-x"), colours);
    }
    if flips {
        back(&mut defs, measures, "down", &UNTURNED);
    }
    defs
}

/// A block without anything on it.
fn block(measures: &Measures, colours: &Colours) -> String {
    let (w, h) = measures.block;
    let (x, y) = (-w / 2.0, -h / 2.0);
    let round = h * 0.16;
    let Colours { face, rim, .. } = colours;
    format!(
        "<rect x=\"{x}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" fill=\"#000\" \
         fill-opacity=\"0.25\"/>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" fill=\"{rim}\"/>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{}\" rx=\"{round}\" fill=\"{face}\"/>",
        y + 2.0,
        h - 2.2
    )
}

fn open(defs: &mut String, measures: &Measures, id: &str, colours: &Colours, rank: Rank) {
    let (w, h) = measures.block;
    let letter = rank.letter();
    let (x, y) = (-w / 2.0 + 3.0, -h / 2.0 + 3.0);
    write!(
        defs,
        "<g id=\"f-{id}\">{}<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"{}\" \
         fill=\"none\" stroke=\"#fff6e6\" stroke-opacity=\"0.4\" stroke-width=\"0.9\"/>\
         <use href=\"#luzhanqi-{letter}\" y=\"-1\"/></g>",
        block(measures, colours),
        w - 6.0,
        h - 8.2,
        h * 0.1
    )
    .expect("a string takes any text");
}

/// A piece that everybody has been told of: a bright rim, and over the flag a pennant.
fn told(defs: &mut String, measures: &Measures, id: &str, rank: Rank) {
    let (w, h) = measures.block;
    write!(
        defs,
        "<g id=\"f-{id}-told\"><use href=\"#f-{id}\"/><rect x=\"{}\" y=\"{}\" width=\"{}\" \
         height=\"{}\" rx=\"{}\" fill=\"none\" stroke=\"{TOLD}\" stroke-width=\"2.2\"/>",
        1.1 - w / 2.0,
        1.1 - h / 2.0,
        w - 2.2,
        h - 2.2,
        h * 0.14
    )
    .expect("a string takes any text");
    if rank == Rank::Flag {
        let (x, y) = (w * 0.3, -h / 2.0);
        write!(
            defs,
            "<path d=\"M{x} {}v{}\" stroke=\"{TOLD_EDGE}\" stroke-width=\"1.8\" \
             stroke-linecap=\"round\"/><path d=\"M{x} {}l{} {}l{} {}z\" fill=\"{TOLD}\" \
             stroke=\"{TOLD_EDGE}\" stroke-width=\"0.9\" stroke-linejoin=\"round\"/>",
            y + 2.0,
            -h * 0.42,
            y + 2.0 - h * 0.42,
            h * 0.44,
            h * 0.13,
            -h * 0.44,
            h * 0.13
        )
        .expect("a string takes any text");
    }
    defs.push_str("</g>");
}

/// A back: a plain lattice, the same for every rank.
fn back(defs: &mut String, measures: &Measures, id: &str, colours: &Colours) {
    let (w, h) = (measures.block.0 - 10.0, measures.block.1 - 12.0);
    let (left, top) = (-w / 2.0, -h / 2.0 - 1.0);
    let steps = 4u8;
    let step = w / f32::from(steps);
    let mut lattice = String::new();
    for i in 0..steps {
        let x = left + f32::from(i) * step;
        write!(lattice, "M{x} {top}l{step} {h}M{x} {}l{step} {}", top + h, -h)
            .expect("a string takes any text");
    }
    let Colours { back, .. } = colours;
    write!(
        defs,
        "<g id=\"f-{id}\">{}<g fill=\"none\" stroke=\"{back}\" stroke-width=\"1.3\">\
         <rect x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" rx=\"2\"/>\
         <path d=\"{lattice}\"/></g></g>",
        block(measures, colours)
    )
    .expect("a string takes any text");
}
