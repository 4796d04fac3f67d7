//! Writes the diagram of a position as SVG, to look at it: `diagram [POSITION] > FILE`.

// A tool's output is its purpose.
#![allow(clippy::print_stdout)]

use kiban_core::{Drawing, Opening, Shape, Viewer};
use kiban_jungle::GAME;

fn main() {
    let mut args = std::env::args().skip(1);
    let (start, set) = (args.next().filter(|text| text != "-"), args.next());
    let variant = GAME.variant("").expect("the default variant");
    let opening = Opening::new(variant, start);
    let game = (GAME.open)(&opening).expect("a position");
    let picture = (GAME.picture)(&opening.variant, Shape::Wide);
    let mut scene = game.scene(Viewer::Watcher);
    if let Some(set) = set {
        scene.pieces.iter_mut().for_each(|piece| piece.face = format!("{}-{set}", piece.face));
    }
    print!("{}", Drawing { picture: &picture, scene: &scene, turns: 0 }.standalone_svg());
}
