//! What the board looks like.

use crate::Position;
use kiban_core::{Label, Picture, Place, ScenePiece, Seat, Variant};
use std::fmt::Write as _;

/// The side of a square, in the picture's units.
const CELL: f32 = 60.0;
/// Room for coordinates around the board.
const MARGIN: f32 = 30.0;
/// The size of a coordinate's box: figures are about seven tenths of it.
const LETTER: f32 = 18.0;

const DEFS: &str = concat!(
    "<radialGradient id=\"othello-black\" cx=\"0.38\" cy=\"0.32\" r=\"0.75\">",
    "<stop offset=\"0\" stop-color=\"#4a4844\"/><stop offset=\"1\" stop-color=\"#161513\"/>",
    "</radialGradient>",
    "<radialGradient id=\"othello-white\" cx=\"0.38\" cy=\"0.32\" r=\"0.75\">",
    "<stop offset=\"0\" stop-color=\"#fffefa\"/><stop offset=\"1\" stop-color=\"#e2dccf\"/>",
    "</radialGradient>",
    // A soft shadow, the other side's colour showing at the rim, then the face.
    "<g id=\"f-X\"><circle cx=\"0.6\" cy=\"1.8\" r=\"25\" fill=\"#000\" fill-opacity=\"0.28\"/>",
    "<circle r=\"25\" fill=\"#cfc8b8\"/>",
    "<circle r=\"24\" fill=\"url(#othello-black)\"/></g>",
    "<g id=\"f-O\"><circle cx=\"0.6\" cy=\"1.8\" r=\"25\" fill=\"#000\" fill-opacity=\"0.28\"/>",
    "<circle r=\"25\" fill=\"#34322e\"/>",
    "<circle r=\"24\" fill=\"url(#othello-white)\"/></g>",
);

/// The empty board of a variant: the same on wide and tall screens, as nothing lies beside it.
pub(crate) fn picture(variant: &Variant) -> Picture {
    let size = crate::Othello::of_variant(variant).options.size;
    let side = f32::from(size) * CELL + 2.0 * MARGIN;
    let centre = |i: u8| MARGIN + (f32::from(i) + 0.5) * CELL;
    let mut places = Vec::new();
    let mut labels = Vec::new();
    for rank in 0..size {
        for file in 0..size {
            let id = crate::Move::place(file, rank).to_string();
            let (x, y) = (centre(file), centre(rank));
            places.push(Place {
                tap: id.clone(),
                id,
                seat: None,
                x,
                y,
                w: CELL,
                h: CELL,
                kind: None,
            });
        }
        let file = char::from(b'a' + rank).to_string();
        labels.push(Label { x: centre(rank), y: MARGIN / 2.0, svg: letters(&file) });
        let number = (rank + 1).to_string();
        labels.push(Label { x: MARGIN / 2.0, y: centre(rank), svg: letters(&number) });
    }
    Picture {
        width: side,
        height: side,
        places,
        defs: DEFS.to_string(),
        board: board(size),
        labels,
    }
}

fn board(size: u8) -> String {
    let wide = f32::from(size) * CELL;
    let far = MARGIN + wide;
    let mut svg = format!(
        "<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{1}\" rx=\"5\" fill=\"#1d3a28\"/>\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{wide}\" height=\"{wide}\" \
         fill=\"var(--felt,#2e7a4e)\"/>",
        MARGIN - 5.0,
        wide + 10.0
    );
    let mut lines = String::new();
    for i in 0..=size {
        let at = MARGIN + f32::from(i) * CELL;
        write!(lines, "M{at} {MARGIN}V{far}M{MARGIN} {at}H{far}").expect("a string takes any text");
    }
    write!(svg, "<path d=\"{lines}\" fill=\"none\" stroke=\"#10291a\" stroke-width=\"1.4\"/>")
        .expect("a string takes any text");
    let in_from_edge = if size < 6 { 1 } else { 2 };
    for (file, rank) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let at = |far: u8| {
            let i = if far == 0 { in_from_edge } else { size - in_from_edge };
            MARGIN + f32::from(i) * CELL
        };
        write!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"#10291a\"/>", at(file), at(rank))
            .expect("a string takes any text");
    }
    svg
}

/// A coordinate as outlines around the origin.
fn letters(text: &str) -> String {
    let scale = LETTER / kiban_glyphs::BOX as f32;
    let glyphs = text.chars().map(|c| kiban_glyphs::glyph(c).expect("coordinates have outlines"));
    let step = LETTER * 0.5;
    let left = -step * (text.len() - 1) as f32 / 2.0;
    let half = LETTER / 2.0;
    let mut svg = String::new();
    for (i, glyph) in glyphs.enumerate() {
        let x = left + step * i as f32 - half;
        write!(
            svg,
            "<path transform=\"translate({x} {}) scale({scale})\" fill=\"var(--muted,#6d6456)\" \
             d=\"{}\"/>",
            -half, glyph.path
        )
        .expect("a string takes any text");
    }
    svg
}

/// A disc of this side on a place.
pub(crate) fn piece(seat: Seat, at: String) -> ScenePiece {
    let (face, name) = match seat {
        Seat::FIRST => ("X", "othello-piece-black"),
        _ => ("O", "othello-piece-white"),
    };
    ScenePiece {
        at,
        face: face.to_string(),
        seat: Some(seat),
        turned: false,
        upright: false,
        count: 1,
        name: name.to_string(),
    }
}

/// The board for a terminal: `X` black, `O` white, `*` where the side to move may place a disc.
pub(crate) fn text(p: &Position, playing: bool) -> String {
    let size = p.size();
    let legal = if playing { p.placements(p.to_move()) } else { 0 };
    let mut text = "  ".to_string();
    for file in 0..size {
        text.extend([' ', char::from(b'a' + file)]);
    }
    text.push('\n');
    for rank in 0..size {
        write!(text, "{:2}", rank + 1).expect("a string takes any text");
        for file in 0..size {
            let mark = match p.at(file, rank) {
                Some(Seat::FIRST) => 'X',
                Some(_) => 'O',
                None if legal & p.bit(file, rank) != 0 => '*',
                None => '-',
            };
            text.extend([' ', mark]);
        }
        text.push('\n');
    }
    let (first, second) = (p.count(Seat::FIRST), p.count(Seat::SECOND));
    write!(text, "   X {first}  O {second}").expect("a string takes any text");
    if playing {
        let side = if p.to_move() == Seat::FIRST { 'X' } else { 'O' };
        write!(text, "  {side} to move").expect("a string takes any text");
    }
    text.push('\n');
    text
}
