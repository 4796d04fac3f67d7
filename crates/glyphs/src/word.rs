//! Words of several characters as one path.

use std::fmt::Write as _;

use crate::{BOX, Glyph, glyph};

/// How the characters of a word follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From left to right.
    Horizontal,
    /// From top to bottom.
    Vertical,
}

/// White between the ink of two figures, in units of the glyph box.
const FIGURE_GAP: i32 = 90;

/// A word as one SVG path, as large as the box of `width` x `height` allows, in its middle.
///
/// Ideographs stand on squares without further space; figures in a horizontal word stand by their
/// own width. Coordinates are integers in the units of the box, so give the box some hundred units
/// a side and scale the path. `None` if the word is empty or a character has no glyph.
pub fn text_path(word: &str, direction: Direction, width: u32, height: u32) -> Option<String> {
    let glyphs: Vec<&Glyph> = word.chars().map(glyph).collect::<Option<_>>()?;
    let rooms: Vec<(i32, i32)> = glyphs.iter().map(|glyph| room(glyph, direction)).collect();
    let length = f64::from(rooms.iter().map(|room| room.1).sum::<i32>());
    if length == 0.0 {
        return None;
    }
    let side = f64::from(BOX);
    let (width, height) = (f64::from(width), f64::from(height));
    let scale = match direction {
        Direction::Horizontal => (width / length).min(height / side),
        Direction::Vertical => (width / side).min(height / length),
    };
    let mut path = String::new();
    let mut along = -length / 2.0;
    for (glyph, (start, advance)) in glyphs.iter().zip(rooms) {
        // The corner of the glyph's box, seen from the middle of the word.
        let corner = along - f64::from(start);
        along += f64::from(advance);
        let (dx, dy) = match direction {
            Direction::Horizontal => (corner, -side / 2.0),
            Direction::Vertical => (-side / 2.0, corner),
        };
        let x = width / 2.0 + dx * scale;
        let y = height / 2.0 + dy * scale;
        push_placed(&mut path, glyph.path, scale, (x, y));
    }
    Some(path)
}

/// The room of a character along a word: where it begins in the glyph's box and how long it is.
fn room(glyph: &Glyph, direction: Direction) -> (i32, i32) {
    let bounds = glyph.bounds;
    match direction {
        Direction::Horizontal if glyph.ch.is_ascii_digit() => {
            (bounds.x0 - FIGURE_GAP / 2, bounds.width() + FIGURE_GAP)
        }
        _ => (0, BOX),
    }
}

/// Appends a path scaled, then moved. Numbers alternate between x and y.
fn push_placed(to: &mut String, path: &str, scale: f64, (dx, dy): (f64, f64)) {
    let mut is_x = true;
    for piece in path.split_inclusive(|c: char| !c.is_ascii_digit() && c != '-') {
        let (number, mark) = piece.split_at(piece.len() - 1);
        if let Ok(number) = number.parse::<f64>() {
            let placed = number * scale + if is_x { dx } else { dy };
            write!(to, "{}", placed.round()).expect("a string takes any text");
            is_x = !is_x;
        }
        to.push_str(mark);
    }
}
