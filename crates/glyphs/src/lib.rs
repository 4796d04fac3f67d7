//! Outlines of the characters on pieces and boards, as SVG path data.
//!
//! Pieces must look right on a machine without any CJK font and in rendered pictures, so they are
//! drawn with outlines and never with text. The outlines are those of LXGW WenKai Bold, a regular
//! script (kaisho) face that descends from Klee One; `build.rs` takes them from published packages
//! of that face, and the list of characters is [`CHARACTERS`]. The face is under the SIL Open Font
//! License: show [`LICENCE`] on the about page.
//!
//! A path is filled with the non-zero rule (SVG's default) and scaled by the one who draws:
//!
//! ```
//! let glyph = kiban_glyphs::glyph('飛').expect("a listed character");
//! let svg = format!(r#"<svg viewBox="0 0 1000 1000"><path d="{}"/></svg>"#, glyph.path);
//! # assert!(svg.contains("d=\"M"));
//! ```

mod chars;
mod word;

#[cfg(test)]
mod tests;

pub use chars::CHARACTERS;
pub use word::{Direction, text_path};

/// The side of the square box that each glyph is drawn in, in units.
pub const BOX: i32 = 1000;

/// The notice of the face and its whole licence (SIL Open Font License 1.1), for the about page.
/// The licence asks that both go with every copy of the outlines.
pub const LICENCE: &str = concat!(
    "The characters on pieces and boards are outlines from the typeface LXGW WenKai Bold, \
     version 1.330, scaled and placed; 角 is altered.\n\n",
    include_str!("OFL.txt")
);

/// The outline of one character in a box of [`BOX`] x [`BOX`] units, y down, in its middle by eye.
///
/// All glyphs have one scale: the longest ink is 940 units, a figure about 720 units high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyph {
    /// The character.
    pub ch: char,
    /// SVG path data: the commands M, L, Q and Z with absolute integers.
    pub path: &'static str,
    /// The smallest whole-numbered rectangle around the ink.
    pub bounds: Bounds,
}

/// A rectangle in the units of the box: `x0 < x1`, `y0 < y1`, y down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Left.
    pub x0: i32,
    /// Top.
    pub y0: i32,
    /// Right.
    pub x1: i32,
    /// Bottom.
    pub y1: i32,
}

impl Bounds {
    /// Width in units.
    pub const fn width(self) -> i32 {
        self.x1 - self.x0
    }

    /// Height in units.
    pub const fn height(self) -> i32 {
        self.y1 - self.y0
    }
}

include!(concat!(env!("OUT_DIR"), "/outlines.rs"));

/// The glyph of a character; `None` if it is not in [`CHARACTERS`].
pub fn glyph(ch: char) -> Option<&'static Glyph> {
    GLYPHS.binary_search_by_key(&ch, |glyph| glyph.ch).ok().map(|i| &GLYPHS[i])
}

/// All glyphs, in the order of their code points.
pub fn all() -> &'static [Glyph] {
    &GLYPHS
}
