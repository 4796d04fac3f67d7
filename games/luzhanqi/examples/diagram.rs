//! Writes a diagram as SVG to standard output: `diagram VARIANT [POSITION] [VIEWER]`.

use kiban_core::{Drawing, Opening, Shape, Viewer};
use kiban_luzhanqi::GAME;
use std::io::Write as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant = GAME.variant(&arguments.next().unwrap_or_default())?;
    let start = arguments.next().filter(|text| !text.is_empty());
    let who = arguments.next().and_then(|name| Viewer::from_name(&name));
    let who = who.unwrap_or(Viewer::Referee);
    let seats = GAME.variant_spec(&variant).seats;
    let turns = if let Viewer::Seat(seat) = who { seat.turns(seats) } else { 0 };
    let picture = (GAME.picture)(&variant, Shape::Wide);
    let opening = Opening::new(variant, start);
    let scene = (GAME.open)(&opening)?.scene(who);
    let drawing = Drawing { picture: &picture, scene: &scene, turns };
    std::io::stdout().write_all(drawing.standalone_svg().as_bytes())?;
    Ok(())
}
