//! The wooden board: grain, incised lines, points as small hollows, trays.

use super::{BOARD, Measures, TRAY};
use crate::board::bits;
use kiban_core::Seat;

/// Gradients of hollows and trays.
pub(super) const DEFS: &str = concat!(
    "<linearGradient id=\"morris-wood\" x1=\"0\" y1=\"0\" x2=\"0.25\" y2=\"1\">",
    "<stop offset=\"0\" stop-color=\"#fff\" stop-opacity=\"0.16\"/>",
    "<stop offset=\"0.5\" stop-color=\"#fff\" stop-opacity=\"0\"/>",
    "<stop offset=\"1\" stop-color=\"#000\" stop-opacity=\"0.1\"/></linearGradient>",
    "<radialGradient id=\"morris-hollow\" cx=\"0.5\" cy=\"0.32\" r=\"0.62\">",
    "<stop offset=\"0\" stop-color=\"#3c2810\" stop-opacity=\"0.85\"/>",
    "<stop offset=\"0.7\" stop-color=\"#5a3d17\" stop-opacity=\"0.6\"/>",
    "<stop offset=\"1\" stop-color=\"#7a5523\" stop-opacity=\"0.35\"/></radialGradient>",
);

const INK: &str = "var(--wood-ink,#4a3414)";
/// The radius of a point's hollow.
const HOLLOW: f32 = 6.4;

/// The empty board with its trays.
pub(super) fn board(measures: &Measures) -> String {
    let (left, top) = measures.corner();
    let mut svg = String::new();
    for seat in [Seat::FIRST, Seat::SECOND] {
        svg += &tray(measures, seat);
    }
    svg += &format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{BOARD}\" height=\"{BOARD}\" rx=\"7\" \
         fill=\"var(--wood-dark,#c79a4e)\"/><rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" \
         rx=\"5\" fill=\"var(--wood,#e6c07b)\"/>",
        left + 3.0,
        top + 3.0,
        BOARD - 6.0
    );
    svg += &grain(left, top);
    svg += &format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{BOARD}\" height=\"{BOARD}\" rx=\"7\" \
         fill=\"url(#morris-wood)\"/>"
    );
    let lines = lines(measures);
    // The lower edge of a groove catches the light.
    svg += &format!(
        "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
         <path d=\"{lines}\" transform=\"translate(0.8 1.3)\" stroke=\"#fff\" \
         stroke-opacity=\"0.38\" stroke-width=\"2.6\"/>\
         <path d=\"{lines}\" stroke=\"{INK}\" stroke-opacity=\"0.85\" stroke-width=\"2.6\"/></g>"
    );
    for place in &measures.grid.places[..usize::from(measures.grid.points)] {
        let (x, y) = measures.at(*place);
        svg += &format!(
            "<circle cx=\"{x}\" cy=\"{}\" r=\"{HOLLOW}\" fill=\"#fff\" fill-opacity=\"0.4\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"{HOLLOW}\" fill=\"var(--wood-dark,#c79a4e)\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"{HOLLOW}\" fill=\"url(#morris-hollow)\"/>",
            y + 1.2
        );
    }
    svg
}

/// Soft strokes from top to bottom.
fn grain(left: f32, top: f32) -> String {
    let mut paths = String::new();
    for (at, bend, width) in [
        (0.09, 9.0, 2.4),
        (0.23, -12.0, 3.2),
        (0.41, 16.0, 2.2),
        (0.6, 10.0, 3.4),
        (0.78, -14.0, 2.4),
        (0.92, 7.0, 2.8),
    ] {
        let (x, half) = (left + BOARD * at, BOARD / 2.0);
        paths += &format!(
            "<path d=\"M{x:.1} {}q{bend} {half} 0 {}\" stroke-width=\"{width}\"/>",
            top + 3.0,
            BOARD - 6.0
        );
    }
    format!(
        "<g fill=\"none\" stroke=\"var(--wood-dark,#c79a4e)\" stroke-opacity=\"0.3\">{paths}</g>"
    )
}

/// Every line between two points once.
fn lines(measures: &Measures) -> String {
    let grid = measures.grid;
    let at = |point: u8| measures.at(grid.places[usize::from(point)]);
    let mut path = String::new();
    for point in 0..grid.points {
        for other in bits(grid.neighbours[usize::from(point)]).filter(|other| *other > point) {
            let ((x, y), (to_x, to_y)) = (at(point), at(other));
            path += &format!("M{x} {y}L{to_x} {to_y}");
        }
    }
    path
}

/// A tray with a hollow for each man.
fn tray(measures: &Measures, seat: Seat) -> String {
    let (x, y, w, h) = measures.tray(seat);
    let inset = 5.0;
    let mut svg = format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"7\" \
         fill=\"var(--wood-dark,#c79a4e)\"/><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" \
         rx=\"{}\" fill=\"{INK}\" fill-opacity=\"0.32\"/>",
        x - w / 2.0,
        y - h / 2.0,
        x - w / 2.0 + inset,
        y - h / 2.0 + inset,
        w - 2.0 * inset,
        h - 2.0 * inset,
        TRAY / 2.0 - inset,
    );
    for nth in 0..measures.men {
        let (dx, dy) = measures.in_tray(nth);
        svg += &format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"14\" fill=\"{INK}\" fill-opacity=\"0.2\"/>",
            x + dx,
            y + dy
        );
    }
    svg
}

/// A coordinate as an outline around the origin.
pub(super) fn letter(c: char) -> String {
    const SIZE: f32 = 17.0;
    let glyph = kiban_glyphs::glyph(c).expect("coordinates have outlines");
    let (scale, half) = (SIZE / kiban_glyphs::BOX as f32, SIZE / 2.0);
    format!(
        "<path transform=\"translate(-{half} -{half}) scale({scale})\" fill=\"{INK}\" \
         fill-opacity=\"0.8\" d=\"{}\"/>",
        glyph.path
    )
}
