//! What to draw. A game gives a picture (places, the empty board, a symbol for each face) and,
//! for each view, a scene of pieces standing on places. The server's diagrams and the browser's
//! board are drawn from the same two.

use crate::{Seat, Seats, Taps};
use serde::Serialize;

/// A board on a wide screen or on a tall one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Hands and trays at the sides.
    Wide,
    /// Hands and trays above and below.
    Tall,
}

/// A place a piece can stand on or a finger can tap. Units are the picture's own.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Place {
    /// The place's name, unique in the picture (`7g`, `first/hand:P`).
    pub id: String,
    /// What a tap on it says (`7g`, `hand:P`).
    pub tap: String,
    /// Whose place it is, for hands and trays.
    pub seat: Option<Seat>,
    /// Centre, from the left.
    pub x: f32,
    /// Centre, from the top.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
    /// Message key of what kind of place it is (a trap, a camp), where that is not like most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

/// A small drawing that keeps upright when the board is turned.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Label {
    /// Centre, from the left.
    pub x: f32,
    /// Centre, from the top.
    pub y: f32,
    /// SVG around the origin.
    pub svg: String,
}

/// An empty board, seen with `first` at the bottom.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// Width of the whole picture.
    pub width: f32,
    /// Height of the whole picture.
    pub height: f32,
    /// Where pieces stand.
    pub places: Vec<Place>,
    /// SVG definitions: `<g id="f-FACE">` around the origin for each face, `f-0` .. `f-9` for
    /// counts, gradients. A larger count is drawn as `f-COUNT`, with its last figure at the
    /// origin, where there is that symbol, else figure by figure. Colours are `var(--token,#fallback)`.
    pub defs: String,
    /// SVG of the empty board.
    pub board: String,
    /// Coordinates and the like.
    pub labels: Vec<Label>,
}

/// A piece on a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ScenePiece {
    /// A place's id.
    pub at: String,
    /// Which symbol of the picture.
    pub face: String,
    /// Its owner.
    pub seat: Option<Seat>,
    /// Whether it is drawn upside down with `first` at the bottom.
    pub turned: bool,
    /// Whether it is drawn upright however the board is turned: a block read from every side.
    pub upright: bool,
    /// How many of it, in hands; 1 on the board.
    pub count: u8,
    /// The message that names it.
    pub name: String,
}

/// A standing view of the board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Scene {
    /// The pieces.
    pub pieces: Vec<ScenePiece>,
    /// Places the last move touched.
    pub last: Taps,
    /// Places to mark as in danger (a king in check).
    pub check: Vec<String>,
    /// Chains of places along which a line glows: what the last move completed.
    pub glow: Vec<Vec<String>>,
    /// Short facts beside the board: a message key and its value (disc counts, points).
    pub facts: Vec<(String, String)>,
    /// Pieces that left the board, as far as the viewer knows them, where that is worth showing.
    pub fallen: Vec<Fallen>,
    /// The message that names each seat in this game (by colour, by arm); empty where the usual
    /// `seat-first` and so on do.
    pub sides: Vec<String>,
    /// Seats that are out of the game.
    pub out: Seats,
    /// Whether the last move jumped over what lies between its two places: drawn as an arc.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub leap: bool,
}

/// Pieces of a kind that left the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fallen {
    /// Whose they were.
    pub seat: Option<Seat>,
    /// Their symbol of the picture.
    pub face: String,
    /// The message that names them.
    pub name: String,
    /// How many.
    pub count: u8,
}

/// How a whole diagram is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The empty board.
    pub picture: &'a Picture,
    /// The pieces.
    pub scene: &'a Scene,
    /// By how many quarter turns clockwise the board is turned; odd ones for square pictures only.
    pub turns: u8,
}

impl Drawing<'_> {
    /// The SVG of the diagram, using the page's colour tokens where they exist.
    pub fn svg(self) -> String {
        let Picture { width, height, defs, .. } = self.picture;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\"><defs>{defs}</defs>"
        );
        self.body(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// The SVG on paper with every colour token replaced by its value: for files, and for readers
    /// that know no CSS variables. Without the paper its coordinates would be lost on a dark page.
    pub fn standalone_svg(self) -> String {
        let paper = "</defs><rect width=\"100%\" height=\"100%\" fill=\"#f7f3ea\"/>";
        plain_colours(&self.svg().replacen("</defs>", paper, 1))
    }

    fn at(self, x: f32, y: f32) -> (f32, f32) {
        let Picture { width, height, .. } = self.picture;
        match self.turns % 4 {
            0 => (x, y),
            1 => (height - y, x),
            2 => (width - x, height - y),
            _ => (y, width - x),
        }
    }

    fn body(self, svg: &mut String) {
        let Picture { width, height, board, labels, places, .. } = self.picture;
        debug_assert!(self.turns.is_multiple_of(2) || width == height, "the picture is square");
        let turn = match u16::from(self.turns % 4) * 90 {
            0 => String::new(),
            angle => format!(" transform=\"rotate({angle} {} {})\"", width / 2.0, height / 2.0),
        };
        svg.push_str(&format!("<g{turn}>{board}"));
        // Where pieces are blocks or discs, marks have round corners.
        let corner = if self.scene.pieces.iter().any(|piece| piece.upright) { 0.2 } else { 0.0 };
        for mark in places.iter().filter(|p| p.seat.is_none()) {
            let tint = if self.scene.check.contains(&mark.id) {
                "var(--bad,#b3261e)"
            } else if self.scene.last.contains(&mark.tap) {
                "var(--accent,#b5331f)"
            } else {
                continue;
            };
            let (x, y) = (mark.x - mark.w / 2.0, mark.y - mark.h / 2.0);
            svg.push_str(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"{}\" \
                 fill=\"{tint}\" fill-opacity=\"0.22\"/>",
                mark.w,
                mark.h,
                corner * mark.h
            ));
        }
        self.scene.glow.iter().for_each(|chain| self.glow(svg, chain));
        if self.scene.leap {
            self.leap(svg);
        }
        svg.push_str("</g>");
        for label in labels {
            let (x, y) = self.at(label.x, label.y);
            svg.push_str(&format!("<g transform=\"translate({x} {y})\">{}</g>", label.svg));
        }
        for piece in &self.scene.pieces {
            if let Some(place) = places.iter().find(|p| p.id == piece.at) {
                self.piece(svg, piece, place);
            }
        }
    }

    /// An arc from the first place of the last move to the second.
    fn leap(self, svg: &mut String) {
        /// How far the arc stands off, in parts of its length.
        const RISE: f32 = 0.36;
        let place = |i: usize| {
            let tap = self.scene.last.get(i)?;
            self.picture.places.iter().find(|p| p.seat.is_none() && p.tap == *tap)
        };
        let (Some(from), Some(to)) = (place(0), place(1)) else { return };
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        // To the right of a way up or down, above a way across.
        let side = if dx + dy < 0.0 { -RISE } else { RISE };
        let (x, y) = ((from.x + to.x) / 2.0 + side * dy, (from.y + to.y) / 2.0 - side * dx);
        svg.push_str(&format!(
            "<path d=\"M{} {}Q{x} {y} {} {}\" fill=\"none\" stroke=\"var(--accent,#b5331f)\" \
             stroke-opacity=\"0.6\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-dasharray=\"1 {}\"/>",
            from.x,
            from.y,
            to.x,
            to.y,
            from.w * 0.06,
            from.w * 0.14
        ));
    }

    /// A soft wide stroke and a bright narrow one from place to place.
    fn glow(self, svg: &mut String, chain: &[String]) {
        let places = chain.iter().filter_map(|id| self.picture.places.iter().find(|p| p.id == *id));
        let points: Vec<String> = places.clone().map(|p| format!("{} {}", p.x, p.y)).collect();
        let Some(side) = places.map(|p| p.w.min(p.h)).next() else { return };
        for (width, opacity) in [(0.3, 0.3), (0.1, 0.9)] {
            svg.push_str(&format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"var(--accent,#b5331f)\" \
                 stroke-opacity=\"{opacity}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>",
                points.join(" "),
                width * side
            ));
        }
    }

    fn piece(self, svg: &mut String, piece: &ScenePiece, place: &Place) {
        let (x, y) = self.at(place.x, place.y);
        let board = if piece.upright { 0 } else { u16::from(self.turns) * 90 };
        let turn = match (board + if piece.turned { 180 } else { 0 }) % 360 {
            0 => String::new(),
            angle => format!(" rotate({angle})"),
        };
        svg.push_str(&format!(
            "<use href=\"#f-{}\" transform=\"translate({x} {y}){turn}\"/>",
            piece.face
        ));
        if piece.count > 1 {
            self.count(svg, piece.count, place, (x, y));
        }
    }

    /// A count at the foot of a place.
    fn count(self, svg: &mut String, count: u8, place: &Place, (x, y): (f32, f32)) {
        let whole = count.to_string();
        let one = self.picture.defs.contains(&format!("id=\"f-{whole}\""));
        let symbols: Vec<String> =
            if one { vec![whole] } else { whole.chars().map(String::from).collect() };
        let step = place.w * 0.2;
        let left = x + place.w * 0.36 - step * (symbols.len() - 1) as f32;
        for (i, symbol) in symbols.iter().enumerate() {
            let (x, y) = (left + step * i as f32, y + place.h * 0.34);
            svg.push_str(&format!("<use href=\"#f-{symbol}\" transform=\"translate({x} {y})\"/>"));
        }
    }
}

/// Replaces each `var(--token,VALUE)` by its value.
fn plain_colours(svg: &str) -> String {
    let mut plain = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(start) = rest.find("var(--") {
        plain.push_str(&rest[..start]);
        let inside = &rest[start..];
        let end = inside.find(')').unwrap_or(inside.len());
        let value = inside[..end].split_once(',').map_or("#000", |(_, v)| v.trim());
        plain.push_str(value);
        rest = inside.get(end + 1..).unwrap_or("");
    }
    plain.push_str(rest);
    plain
}
