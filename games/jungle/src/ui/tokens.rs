//! The animals: round tokens with a face and the strength as a small figure, and a second set of
//! symbols (`f-NAME-characters`) that bear the animal's character instead.

use super::{character, face, outline};
use crate::{Animal, Options};
use kiban_core::Seat;

/// A `<g id="jungle-NAME">` for each animal's head.
const HEADS: &str = include_str!("../../data/heads.svg");

/// Symbols of all tokens, with the strengths of a variant.
pub(super) fn defs(options: Options) -> String {
    let mut defs = HEADS.to_string();
    for seat in [Seat::FIRST, Seat::SECOND] {
        for animal in Animal::ALL {
            let (id, disc, colour) = (face(seat, animal), disc(seat), colour(seat));
            let head = format!("<use href=\"#jungle-{}\" y=\"-1.5\"/>", animal.name());
            let power = figure(seat, options.power(animal));
            defs += &format!("<g id=\"f-{id}\">{disc}{head}{power}</g>");
            let ring = format!(
                "<circle r=\"22.2\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\"/>"
            );
            let written = outline(character(animal, seat), 39.0, colour);
            defs += &format!("<g id=\"f-{id}-characters\">{disc}{ring}{written}</g>");
        }
    }
    defs
}

fn colour(seat: Seat) -> &'static str {
    if seat == Seat::FIRST { "var(--red-side,#b5331f)" } else { "var(--black-side,#2b3a4d)" }
}

/// The token without its face: a shadow, a rim of the side's colour, a pale inside.
fn disc(seat: Seat) -> String {
    format!(
        "<circle cx=\"0.8\" cy=\"2\" r=\"28.5\" fill=\"#000\" fill-opacity=\"0.25\"/>\
         <circle r=\"28.5\" fill=\"{}\"/><circle r=\"24.6\" fill=\"#fbf1da\"/>",
        colour(seat)
    )
}

/// The strength, at the lower right.
fn figure(seat: Seat, power: u8) -> String {
    let digit = char::from(b'0' + power);
    format!(
        "<g transform=\"translate(19.5 19.5)\"><circle r=\"8.2\" fill=\"{}\" stroke=\"#fbf1da\" \
         stroke-width=\"1.4\"/>{}</g>",
        colour(seat),
        outline(digit, 14.0, "#fff8ea")
    )
}
