//! Writes a diagram as SVG to standard output: `diagram VARIANT [POSITION] [wide|tall] [MOVES]`.

use kiban_core::{Drawing, Entry, Opening, Shape, Viewer};
use kiban_morris::GAME;
use std::io::Write as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant = GAME.variant(&arguments.next().unwrap_or_default())?;
    let start = arguments.next().filter(|text| !text.is_empty());
    let tall = arguments.next().is_some_and(|shape| shape == "tall");
    let moves = arguments.next().unwrap_or_default();
    let picture = (GAME.picture)(&variant, if tall { Shape::Tall } else { Shape::Wide });
    let opening = Opening::new(variant, start);
    let mut game = (GAME.open)(&opening)?;
    for text in moves.split_whitespace() {
        let seat = game.waiting_for().only().ok_or("the game is over")?;
        game.put(&Entry::new_move(seat, text))?;
    }
    let scene = game.scene(Viewer::Watcher);
    let drawing = Drawing { picture: &picture, scene: &scene, turns: 0 };
    std::io::stdout().write_all(drawing.standalone_svg().as_bytes())?;
    Ok(())
}
