//! The ground: grass, two lakes, traps as woven mats, dens as gates.

use super::{CELL, MARGIN, centre, corner};
use crate::Square;
use crate::board::{FILES, RANKS};
use kiban_core::{Label, Seat};
use std::fmt::Write as _;

const WATER: &str = concat!(
    "<linearGradient id=\"jungle-water\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">",
    "<stop offset=\"0\" stop-color=\"var(--lake-far,#8dbcd4)\"/>",
    "<stop offset=\"1\" stop-color=\"var(--lake-near,#6aa3c4)\"/></linearGradient>",
);
/// Strips of a mat to a side.
const STRIPS: usize = 5;
/// Half the side of a mat.
const MAT: f32 = 25.0;

/// Definitions the ground is drawn with: the water and a mat around the origin.
pub(super) fn defs() -> String {
    let mut mat = format!(
        "{WATER}<g id=\"jungle-mat\"><rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{1}\" \
         rx=\"3\" fill=\"var(--mat-dark,#9c7a45)\"/>",
        -MAT,
        2.0 * MAT
    );
    let step = 2.0 * (MAT - 2.0) / STRIPS as f32;
    for row in 0..STRIPS {
        for column in 0..STRIPS {
            let x = -MAT + 2.0 + step * column as f32;
            let y = -MAT + 2.0 + step * row as f32;
            // Strips go over and under each other in turn.
            let along = (row + column) % 2 == 0;
            let (w, h) = if along { (step + 1.2, step - 2.2) } else { (step - 2.2, step + 1.2) };
            let (dx, dy) = if along { (-0.6, 1.1) } else { (1.1, -0.6) };
            let fill = if along { "var(--mat,#d9b87c)" } else { "var(--mat-cross,#cba566)" };
            write!(
                mat,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"1.6\" \
                 fill=\"{fill}\"/>",
                x + dx,
                y + dy
            )
            .expect("a string takes any text");
        }
    }
    mat + "</g>"
}

/// The empty board.
pub(super) fn board() -> String {
    let (wide, high) = (f32::from(FILES) * CELL, f32::from(RANKS) * CELL);
    let mut svg = format!(
        "<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{2}\" rx=\"8\" \
         fill=\"var(--bank,#5d7a45)\"/><rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{wide}\" \
         height=\"{high}\" rx=\"3\" fill=\"var(--grass,#a8c686)\"/>",
        MARGIN - 5.0,
        wide + 10.0,
        high + 10.0
    );
    for square in Square::all().filter(|s| (s.file() + s.rank()) % 2 == 0) {
        let (x, y) = corner(square);
        write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
             fill=\"var(--grass-light,#b3cf91)\"/>"
        )
        .expect("a string takes any text");
    }
    tufts(&mut svg);
    for left in ["b6", "e6"] {
        lake(&mut svg, Square::read(left).expect("a square of a lake"));
    }
    grid(&mut svg);
    for square in Square::all() {
        let (x, y) = centre(square);
        if square.trap_of().is_some() {
            write!(svg, "<use href=\"#jungle-mat\" x=\"{x}\" y=\"{y}\"/>")
                .expect("a string takes any text");
        }
    }
    svg
}

/// Blades of grass on some squares.
fn tufts(svg: &mut String) {
    let mut path = String::new();
    for square in Square::all() {
        // Scattered by a small congruence, so that no row shows.
        let at = square.index() * 29 % 63;
        let bare = square.is_water() || square.trap_of().is_some() || square.den_of().is_some();
        if at % 3 == 0 || bare {
            continue;
        }
        let (x, y) = corner(square);
        let (x, y) = (x + 10.0 + (at * 17 % 42) as f32, y + 16.0 + (at * 23 % 38) as f32);
        write!(path, "M{x} {y}q-1 -4 -4 -6M{x} {y}q0 -5 0.5 -8M{x} {y}q1.5 -4 4.5 -5.5")
            .expect("a string takes any text");
    }
    write!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"var(--blade,#83a860)\" stroke-width=\"1.3\" \
         stroke-linecap=\"round\"/>"
    )
    .expect("a string takes any text");
}

/// A lake of two by three squares; its upper left one is given.
fn lake(svg: &mut String, first: Square) {
    let (x, y) = corner(first);
    let (w, h) = (2.0 * CELL, 3.0 * CELL);
    write!(
        svg,
        "<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" rx=\"20\" \
         fill=\"var(--shore,#dcc993)\"/><rect x=\"{4}\" y=\"{5}\" width=\"{6}\" height=\"{7}\" \
         rx=\"17\" fill=\"url(#jungle-water)\"/>",
        x + 0.5,
        y + 0.5,
        w - 1.0,
        h - 1.0,
        x + 4.0,
        y + 4.0,
        w - 8.0,
        h - 8.0
    )
    .expect("a string takes any text");
    let mut waves = String::new();
    for (i, at) in (0..8).map(|i| (i, 20.0 + 22.0 * i as f32)).take(8) {
        let start = x + if i % 2 == 0 { 18.0 } else { 56.0 } + (i * 7 % 12) as f32;
        write!(waves, "M{start} {}q6 -5 12 0t12 0t12 0", y + at).expect("a string takes any text");
    }
    write!(
        svg,
        "<path d=\"{waves}\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\"0.42\" \
         stroke-width=\"1.7\" stroke-linecap=\"round\"/>"
    )
    .expect("a string takes any text");
}

fn grid(svg: &mut String) {
    let (right, bottom) = (MARGIN + f32::from(FILES) * CELL, MARGIN + f32::from(RANKS) * CELL);
    let mut lines = String::new();
    for file in 1..FILES {
        let x = MARGIN + f32::from(file) * CELL;
        write!(lines, "M{x} {MARGIN}V{bottom}").expect("a string takes any text");
    }
    for rank in 1..RANKS {
        let y = MARGIN + f32::from(rank) * CELL;
        write!(lines, "M{MARGIN} {y}H{right}").expect("a string takes any text");
    }
    write!(
        svg,
        "<path d=\"{lines}\" fill=\"none\" stroke=\"#33481f\" stroke-opacity=\"0.32\" \
         stroke-width=\"1\"/>"
    )
    .expect("a string takes any text");
}

/// The dens: gates that stand upright on both sides.
pub(super) fn gates() -> impl Iterator<Item = Label> {
    let gate = |square: Square| {
        let (x, y) = centre(square);
        Some(Label { x, y, svg: gate_svg(square.den_of()?) })
    };
    Square::all().filter_map(gate)
}

fn gate_svg(seat: Seat) -> String {
    let wood =
        if seat == Seat::FIRST { "var(--red-side,#b5331f)" } else { "var(--black-side,#2b3a4d)" };
    format!(
        "<circle r=\"27\" fill=\"#f3e6c8\" fill-opacity=\"0.55\"/>\
         <path d=\"M-10 22V1a10 10 0 0 1 20 0V22Z\" fill=\"#2c2118\" fill-opacity=\"0.8\"/>\
         <path d=\"M-17 22V-8h6V22ZM11 22V-8h6V22Z\" fill=\"{wood}\"/>\
         <path d=\"M-20 -6h40v-5h-40Z\" fill=\"{wood}\"/>\
         <path d=\"M-27 -13q4 -1 7 -6q20 -6 40 0q3 5 7 6q-27 -5 -54 0Z\" fill=\"{wood}\" \
         stroke=\"{wood}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>"
    )
}
