//! The men as SVG: turned discs of ivory and ebony.

use super::{MAN, Measures};
use kiban_core::Seat;

/// Of a man's size, how large it lies in a tray.
const IN_TRAY: f32 = 0.82;

/// A seat's face, and the message that names its men.
pub(super) fn of(seat: Seat) -> (&'static str, &'static str) {
    if seat == Seat::FIRST { ("O", "morris-piece-white") } else { ("B", "morris-piece-black") }
}

/// Gradients, the faces of single men, and those of whole trays of men.
pub(super) fn defs(measures: &Measures) -> String {
    let mut defs = GRADIENTS.to_string();
    defs += &man("O", "morris-ivory", "#b9a67d", "#8d7a52", "#fffdf6");
    defs += &man("B", "morris-ebony", "#0f0c0a", "#000000", "#8a7a6c");
    for face in ["O", "B"] {
        for count in 1..=measures.men {
            defs += &format!("<g id=\"f-{face}-hand-{count}\">");
            for nth in 0..count {
                let (x, y) = measures.in_tray(nth);
                defs += &format!(
                    "<use href=\"#f-{face}\" transform=\"translate({x:.2} {y:.2}) scale({IN_TRAY})\"/>"
                );
            }
            defs += "</g>";
        }
    }
    // A tray shows its men one by one; a figure would only lie on them.
    for digit in 0..=9 {
        defs += &format!("<g id=\"f-{digit}\"/>");
    }
    defs
}

const GRADIENTS: &str = concat!(
    "<radialGradient id=\"morris-ivory\" cx=\"0.38\" cy=\"0.3\" r=\"0.8\">",
    "<stop offset=\"0\" stop-color=\"#fffcf2\"/><stop offset=\"0.55\" stop-color=\"#f3e9d0\"/>",
    "<stop offset=\"1\" stop-color=\"#d6c49a\"/></radialGradient>",
    "<radialGradient id=\"morris-ebony\" cx=\"0.38\" cy=\"0.3\" r=\"0.8\">",
    "<stop offset=\"0\" stop-color=\"#5d5047\"/><stop offset=\"0.5\" stop-color=\"#332a24\"/>",
    "<stop offset=\"1\" stop-color=\"#17120f\"/></radialGradient>",
);

/// A man: its shadow, its edge, its face with a turned ring and a light on the upper rim.
fn man(face: &str, fill: &str, edge: &str, groove: &str, light: &str) -> String {
    let (rim, ring, pip) = (MAN - 1.0, MAN * 0.62, MAN * 0.2);
    let arc = MAN - 2.6;
    let (x, y) = (arc * 0.82, arc * 0.57);
    format!(
        "<g id=\"f-{face}\"><circle cx=\"1\" cy=\"2.6\" r=\"{MAN}\" fill=\"#000\" \
         fill-opacity=\"0.3\"/><circle r=\"{MAN}\" fill=\"{edge}\"/>\
         <circle r=\"{rim}\" fill=\"url(#{fill})\"/>\
         <circle r=\"{ring}\" fill=\"none\" stroke=\"{groove}\" stroke-opacity=\"0.42\" \
         stroke-width=\"1.3\"/><circle r=\"{ring}\" cy=\"0.9\" fill=\"none\" stroke=\"{light}\" \
         stroke-opacity=\"0.35\" stroke-width=\"0.8\"/>\
         <circle r=\"{pip}\" fill=\"none\" stroke=\"{groove}\" stroke-opacity=\"0.3\"/>\
         <path d=\"M-{x:.2} -{y:.2}A{arc} {arc} 0 0 1 {y:.2} -{x:.2}\" fill=\"none\" \
         stroke=\"{light}\" stroke-opacity=\"0.7\" stroke-width=\"1.4\" \
         stroke-linecap=\"round\"/></g>"
    )
}
