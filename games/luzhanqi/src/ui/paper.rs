//! The empty board: map paper with roads, railways and stations.

use super::{CURVE, Measures, words};
use crate::board::{ARM, Board, FILES, Kind, Station};
use kiban_core::Label;
use std::fmt::Write as _;

const PAPER: &str = "var(--map,#f2e8cf)";
const CONTOUR: &str = "var(--map-contour,#e2d4b0)";
const ROAD: &str = "var(--map-road,#a48d5e)";
const RAIL: &str = "var(--map-rail,#4c4334)";
const PLATE: &str = "var(--map-plate,#fbf5e4)";
const EDGE: &str = "var(--map-edge,#7d6a45)";
const CAMP: &str = "var(--map-camp,#dfe6c4)";
const GATE: &str = "var(--map-gate,#f0d3b4)";
const HILL: &str = "var(--map-hill,#a9b48a)";

pub(super) fn board(measures: &Measures) -> String {
    let board = Board::of(measures.four);
    let mut svg = paper(measures);
    write!(svg, "<path d=\"{}\" {}/>", roads(measures, board), line(ROAD, 1.7))
        .expect("a string takes any text");
    let rails = rails(measures, board);
    // A line with ties across it.
    write!(
        svg,
        "<path d=\"{rails}\" {}/><path d=\"{rails}\" {} stroke-dasharray=\"2.2 6.8\"/>",
        line(RAIL, 2.2),
        line(RAIL, 9.0)
    )
    .expect("a string takes any text");
    for at in 0..board.len() as u8 {
        station(&mut svg, measures, board.kind(at), at);
    }
    svg
}

fn line(colour: &str, width: f32) -> String {
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"")
}

/// The sheet with a few contour lines and a frame.
fn paper(measures: &Measures) -> String {
    let Measures { width, height, .. } = *measures;
    let mut svg = format!(
        "<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{PAPER}\"/><g {}>",
        line(CONTOUR, 1.2)
    );
    for (x, y, size) in
        [(0.19, 0.18, 0.8), (0.84, 0.2, 0.58), (0.17, 0.82, 0.65), (0.82, 0.8, 0.66)]
    {
        for ring in 1..4u8 {
            let r = size * f32::from(ring) * width.min(height) * 0.055;
            let (cx, cy) = (x * width, y * height);
            write!(
                svg,
                "<path d=\"M{} {cy}C{} {} {} {} {cx} {}S{} {} {} {cy}S{} {} {cx} {}S{} {} {} {cy}z\"/>",
                cx - r, cx - r, cy - r * 0.7, cx - r * 0.5, cy - r * 0.9, cy - r * 0.8,
                cx + r * 1.3, cy - r * 0.6, cx + r * 1.2, cx + r * 0.6, cy + r, cy + r * 0.9,
                cx - r, cy + r * 0.6, cx - r
            )
            .expect("a string takes any text");
        }
    }
    write!(
        svg,
        "</g><rect x=\"9\" y=\"9\" width=\"{}\" height=\"{}\" rx=\"4\" {}/>",
        width - 18.0,
        height - 18.0,
        line(EDGE, 1.2)
    )
    .expect("a string takes any text");
    svg
}

fn roads(measures: &Measures, board: &Board) -> String {
    let mut path = String::new();
    for (from, neighbours) in (0u8..).zip(&board.roads) {
        for to in neighbours.iter().filter(|to| **to > from) {
            let ((x, y), (u, v)) = (measures.at(from), measures.at(*to));
            write!(path, "M{x} {y}L{u} {v}").expect("a string takes any text");
        }
    }
    path
}

/// Railways, stretch by stretch; those between two arms are quarter circles.
fn rails(measures: &Measures, board: &Board) -> String {
    let mut path = String::new();
    for (from, neighbours) in (0u8..).zip(&board.rails) {
        for to in neighbours.iter().filter(|to| **to > from) {
            let ((x, y), (u, v)) = (measures.at(from), measures.at(*to));
            let arms = (from / ARM, *to / ARM);
            if measures.four && arms.0 != arms.1 && arms.1 < 4 {
                // Seen from the crossing corner the curve bends away from the centre.
                let sweep = u8::from(bends_right(measures, (x, y), (u, v)));
                write!(path, "M{x} {y}A{CURVE} {CURVE} 0 0 {sweep} {u} {v}")
            } else {
                write!(path, "M{x} {y}L{u} {v}")
            }
            .expect("a string takes any text");
        }
    }
    path
}

/// Which way round a quarter circle goes so that it comes nearest to the centre.
fn bends_right(measures: &Measures, (x, y): (f32, f32), (u, v): (f32, f32)) -> bool {
    let (cx, cy) = (measures.width / 2.0, measures.height / 2.0);
    (u - x) * (cy - y) - (v - y) * (cx - x) < 0.0
}

fn station(svg: &mut String, measures: &Measures, kind: Kind, at: Station) {
    let (x, y) = measures.at(at);
    let (mut w, h) = (measures.block.0 * 0.86, measures.block.1 * 0.8);
    if measures.four {
        // The board is turned to each side in turn, and must look the same from all.
        w = h * 1.1;
    }
    write!(svg, "<g transform=\"translate({x} {y})\">").expect("a string takes any text");
    let edge = format!("stroke=\"{EDGE}\" stroke-width=\"1.4\"");
    match kind {
        Kind::Post => write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"{}\" fill=\"{PLATE}\" {edge}/>",
            -w / 2.0, -h / 2.0, h * 0.32
        ),
        Kind::Camp => write!(
            svg,
            "<circle r=\"{}\" fill=\"{CAMP}\" {edge}/><circle r=\"{}\" fill=\"none\" {edge} \
             stroke-opacity=\"0.45\"/>",
            h * 0.68,
            h * 0.58
        ),
        Kind::Headquarters => {
            let turn = gate_turn(measures, at);
            write!(svg, "<g transform=\"rotate({turn})\">{}</g>", gate(w, h, &edge))
        }
    }
    .expect("a string takes any text");
    svg.push_str("</g>");
}

/// A gate opens towards the front of its army.
fn gate_turn(measures: &Measures, at: Station) -> i32 {
    match (measures.four, at / ARM) {
        (_, 0) => 0,
        (false, _) => 180,
        (true, arm) => -90 * i32::from(arm),
    }
}

/// A gate: two posts under a roof.
fn gate(w: f32, h: f32, edge: &str) -> String {
    let side = w.min(h * 1.5);
    let (x, y) = (w.max(side) / 2.0, h * 0.62);
    format!(
        "<path d=\"M{} {y}V{}L{} {}Q0 {} {} {}L{} {}V{y}z\" fill=\"{GATE}\" {edge} \
         stroke-linejoin=\"round\"/>",
        -x * 0.92,
        -y * 0.5,
        -x * 1.08,
        -y * 0.5,
        -y * 1.7,
        x * 1.08,
        -y * 0.5,
        x * 0.92,
        -y * 0.5,
    )
}

/// The words of the board, each once.
pub(super) fn defs(measures: &Measures) -> String {
    let (w, h) = (measures.block.0 * 0.86, measures.block.1 * 0.8);
    format!(
        "<g id=\"luzhanqi-camp\">{}</g><g id=\"luzhanqi-hq\">{}</g>",
        words("行营", h * 0.86, h * 0.43, EDGE),
        words("大本营", w * 0.74, h * 0.5, EDGE)
    )
}

/// What is written on the board, and the mountains: these keep upright when it is turned.
pub(super) fn words_on_board(measures: &Measures) -> Vec<Label> {
    let board = Board::of(measures.four);
    let mut labels = Vec::new();
    for at in 0..board.len() as u8 {
        let word = match board.kind(at) {
            Kind::Post => continue,
            Kind::Camp => "camp",
            Kind::Headquarters => "hq",
        };
        let (x, y) = measures.at(at);
        labels.push(Label { x, y, svg: format!("<use href=\"#luzhanqi-{word}\"/>") });
    }
    if !measures.four {
        labels.extend([1, 3].map(|file| mountains(measures, file)));
    }
    labels
}

/// A range between two crossings, where no way leads over.
fn mountains(measures: &Measures, file: u8) -> Label {
    let ((x, above), (_, below)) = (measures.at(ARM + file), measures.at(ARM - FILES + file));
    let y = (above + below) / 2.0;
    let svg = format!(
        "<path d=\"M-46 15L-27 -11L-16 3L-2 -19L14 2L25 -9L46 15z\" fill=\"{HILL}\" \
         stroke=\"{EDGE}\" stroke-width=\"1.2\" stroke-linejoin=\"round\"/>\
         <path d=\"M-33 -2.5L-27 -11L-21.5 -4L-27 -1zM-9.5 -8.5L-2 -19L5.5 -9L-2 -4.5z\" \
         fill=\"{PLATE}\"/><g transform=\"translate(0 8)\">{}</g>",
        words("山界", 22.0, 11.0, EDGE)
    );
    Label { x, y, svg }
}
